//! Annotating games: PGN in, PGN out, with the score of each move, marks at the turning points, the
//! reasons in words and the better lines as variations.
//!
//! Scores are `[%eval]` commands from White's view, as lichess.org and python-chess write them.
//! Comments, glyphs and variations of the game are kept, but for `[%eval]` commands, which are
//! replaced; moves are written in SAN.

use std::path::Path;

use super::moves::{Explainer, SearchedMove};
use crate::board::Position;
use crate::chess::{ByColor, Color};
use crate::pgn::write::{Movetext, add_line, tags};
use crate::pgn::{Game, MainLine, Node, PgnProblem, Tag};
use crate::progress::Progress;
use crate::score::{Score, pawns};
use crate::search::Line;
use crate::tools::ToolError;
use crate::tools::accuracy::{Mark, Summary};
use crate::tools::analyse::{
    AnalyseSettings, Analyst, BadGame, GameCount, GameFile, MoveReport, PlayableGame, score_text,
    start_progress,
};

/// Nodes of the search of each position by default.
pub const NODES: u64 = 200_000;

/// Nodes of the searches that complete a line: these are of depth 1.
const EXPLAINER_NODES: u64 = 1000;

/// Moves of a variation.
const VARIATION: usize = 10;

/// Reasons at a turning point, and the least of them in centipawns.
const REASONS: usize = 3;
const LEAST: i32 = 10;

/// A part of the annotated file.
#[derive(Clone, Debug)]
pub enum Annotated {
    /// A game with its annotations, as PGN.
    Game(String),
    /// A game that is skipped, or a variation of the next game.
    Bad(BadGame),
}

/// Annotates the games of a file one after the other, whatever its length, and hands each to `take`
/// as soon as it is done. Games and variations that cannot be played are skipped.
///
/// # Errors
///
/// If the file cannot be read or has no games, there is no memory for the transposition table, or
/// the error of `take`. The games before have been handed out.
pub fn games<E: From<ToolError>>(
    path: &Path,
    settings: &AnalyseSettings,
    progress: &dyn Progress,
    take: &mut dyn FnMut(Annotated) -> Result<(), E>,
) -> Result<GameCount, E> {
    let mut annotator = Annotator::new(settings, progress)?;
    start_progress(path, progress)?;
    let mut file = GameFile::open(path).map_err(ToolError::from)?;
    while let Some(game) = file.next_game().map_err(ToolError::from)? {
        let PlayableGame { mut game, line: main_line } = match game {
            Ok(playable) => playable,
            Err(bad) => {
                take(Annotated::Bad(bad))?;
                continue;
            }
        };
        let (number, line) = (game.number, game.line);
        for problem in game.moves.remove_illegal_variations(&main_line.start) {
            take(Annotated::Bad(BadGame { number, line, variation: true, problem }))?;
        }
        take(match annotator.game(&game, &main_line) {
            Ok(text) => Annotated::Game(text),
            Err(problem) => Annotated::Bad(BadGame { number, line, variation: false, problem }),
        })?;
    }
    progress.finish();
    Ok(file.count())
}

/// Annotates games with one engine.
struct Annotator<'a> {
    analyst: Analyst<'a>,
    explainer: Explainer,
    /// The engine with its version and limits, for the tag `Annotator`.
    name: String,
}

impl<'a> Annotator<'a> {
    fn new(
        settings: &AnalyseSettings,
        progress: &'a dyn Progress,
    ) -> Result<Annotator<'a>, ToolError> {
        Ok(Annotator {
            analyst: Analyst::new(settings, progress)?,
            explainer: Explainer::new(EXPLAINER_NODES)?,
            name: format!("Freshet {}", env!("CARGO_PKG_VERSION")),
        })
    }

    /// The game with its annotations as PGN. All its variations must be legal.
    fn game(&mut self, game: &Game, line: &MainLine) -> Result<String, PgnProblem> {
        let mut movetext = Movetext::new();
        game.moves.comments.iter().for_each(|text| movetext.add_comment(&without_eval(text)));
        let mut nodes = game.moves.nodes.iter();
        let mut problem = None;
        let summaries = self.analyst.game(line, &mut |report| {
            let Some(node) = nodes.next() else { return };
            let added = add_move(&mut movetext, node, &report, &mut self.explainer);
            problem = problem.take().or(added.err());
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        let mut head = game.clone();
        head.tags.retain(|tag| tag.name != "Annotator" && !tag.name.ends_with("Accuracy"));
        head.tags.push(Tag { name: "Annotator".to_string(), value: self.name.clone() });
        head.tags.extend(accuracy_tags(&summaries));
        Ok(tags(&head) + &movetext.finish(&game.result))
    }
}

/// The accuracy of both players in percent, as tags.
fn accuracy_tags(summaries: &ByColor<Summary>) -> Vec<Tag> {
    let tag = |side: Color| {
        let name = if side.is_white() { "WhiteAccuracy" } else { "BlackAccuracy" };
        let accuracy = summaries.get(side).accuracy?;
        Some(Tag { name: name.to_string(), value: format!("{accuracy:.0}") })
    };
    Color::ALL.into_iter().filter_map(tag).collect()
}

/// A comment without the score of an earlier analysis.
fn without_eval(comment: &str) -> String {
    let Some((before, rest)) = comment.split_once("[%eval ") else { return comment.to_string() };
    let after = rest.split_once(']').map_or("", |(_, after)| after);
    without_eval(&format!("{} {}", before.trim_end(), after.trim_start())).trim().to_string()
}

/// The score after a move as a command of a comment: `[%eval 0.34]`, `[%eval #-3]`.
fn eval_command(score: Score, position: &Position) -> String {
    format!("[%eval {}]", score_text(score, position).trim_start_matches('+'))
}

/// Adds a move of the main line with all that is said of it.
fn add_move(
    movetext: &mut Movetext,
    node: &Node,
    report: &MoveReport,
    explainer: &mut Explainer,
) -> Result<(), PgnProblem> {
    let position = &report.position;
    movetext.add_move(position, &position.san(report.played));
    // The glyphs 1 to 6 judge the move: those of the game are left as they are.
    let is_judged = node.nags.iter().any(|nag| (1..=6).contains(nag));
    node.nags.iter().for_each(|&nag| movetext.add_nag(nag));
    if let Some(nag) = report.mark.nag().filter(|_| !is_judged) {
        movetext.add_nag(nag);
    }
    let mut after = position.clone();
    after.play(report.played);
    let is_over = after.moves().is_empty();
    let mut parts = Vec::new();
    if !is_over {
        parts.push(eval_command(report.score, position));
    }
    parts.extend(node.comments.iter().map(|comment| without_eval(comment)));
    if report.mark != Mark::Good {
        parts.push(reason(report, explainer));
    }
    movetext.add_comment(&parts.join(" "));
    for variation in &node.variations {
        movetext.add_variation(|movetext| add_line(movetext, position, variation))?;
    }
    if report.mark != Mark::Good {
        movetext.add_variation(|movetext| {
            add_best_line(movetext, position, &report.best);
            Ok::<(), PgnProblem>(())
        })?;
    }
    Ok(())
}

/// Adds the first moves of the line that would have been best.
fn add_best_line(movetext: &mut Movetext, position: &Position, line: &Line) {
    let mut position = position.clone();
    for &m in line.iter().take(VARIATION) {
        movetext.add_move(&position, &position.san(m));
        position.play(m);
    }
}

/// Why a move is bad: the scores, and the largest changes from the end of the best line to the end
/// of the line that follows the move.
fn reason(report: &MoveReport, explainer: &mut Explainer) -> String {
    let position = &report.position;
    let [was, is] = [report.best_score, report.score].map(|score| score_text(score, position));
    let line = [report.played].into_iter().chain(report.reply.iter().copied());
    let line: Line = line.take(Line::new().capacity()).collect();
    let played = SearchedMove::new(position, line, report.score);
    let best = SearchedMove::new(position, report.best.clone(), report.best_score);
    let [played, best] = explainer.compared([&played, &best]);
    let mut text = format!("{}: {is} instead of {was} with {}.", report.mark.word(), best.san());
    text.push_str(&because(&played, &best));
    text
}

/// The reasons as sentences, with a blank before them.
fn because(played: &SearchedMove, best: &SearchedMove) -> String {
    if let Some(ending) = played.ending_text() {
        return format!(" {}.", capitalised(&ending));
    }
    if let Some(ending) = best.ending_text() {
        return format!(" With {} {ending}.", best.san());
    }
    let changes = played.changes_against(best);
    // Only what speaks for the better move is a reason.
    let loses = if played.position.turn().is_white() { -1 } else { 1 };
    let named = changes.list.iter().filter(|change| change.cp * loses >= LEAST).take(REASONS);
    let reasons: Vec<String> =
        named.map(|change| format!("{} ({})", change.words, pawns(change.cp))).collect();
    match &reasons[..] {
        [] => String::new(),
        _ => format!(" {}.", capitalised(&reasons.join("; "))),
    }
}

/// A sentence begins with a capital letter.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}
