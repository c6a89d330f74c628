//! Annotating games: PGN in, PGN out, with the score of each move, marks at the turning points, the
//! reasons in words, the better lines as variations, and a summary at the end.
//!
//! Scores are `[%eval]` commands from White's view, as lichess.org and python-chess write them.
//! Comments, glyphs and variations of the game are kept, but for `[%eval]` commands, which are
//! replaced; moves are written in SAN. Annotating a game again replaces what the first annotation
//! has added: a command at the end of each remark says what that is.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::explanation::after_move;
use super::moves::{Explainer, SearchedMove};
use super::reason::LOST;
use super::summary::{GameTags, JudgedMove, summary};
use crate::board::Position;
use crate::chess::{ByColor, Color};
use crate::pgn::write::{Movetext, add_line, tags};
use crate::pgn::{CUT_SHORT, Game, Node, PgnMove, PgnProblem, Tag, Variation, left_out};
use crate::progress::Progress;
use crate::score::Score;
use crate::search::{Line, StopFlag};
use crate::text::{capitalised, score_text};
use crate::tools::ToolError;
use crate::tools::accuracy::{Mark, Summary};
use crate::tools::analyse::{
    AnalyseSettings, Analyst, BadGame, GameCount, GameFile, MoveReport, PlayableGame,
    start_progress, start_progress_of_text,
};

/// Nodes of the search of each position by default.
pub const NODES: u64 = 200_000;

/// The word that begins the summary of a game.
const SUMMARY: &str = "Summary";

/// The word that begins the remark on a sound sacrifice.
const SACRIFICE: &str = "Sacrifice";

/// The word that begins the remark on an only move.
const ONLY_MOVE: &str = "Only move";

/// Nodes of the search for the second best move.
const SECOND_NODES: u64 = 50_000;

/// From this score on, in centipawns, a position is won, and a sacrifice is no feat.
const WON: i32 = 500;

/// The glyph of a good move: `!`.
const GOOD: u16 = 1;

/// Moves of a variation.
const VARIATION: usize = 10;

/// A part of the annotated file.
#[derive(Clone, Debug)]
pub enum Annotated {
    /// A game with its annotations, as PGN.
    Game(String),
    /// What is left out: a game, or a part of the next game.
    Bad(BadGame),
}

/// Annotates the games of a file one after the other, whatever its length, or only the one with this
/// number, counted from 1, and hands each to `take` as soon as it is done. What cannot be played is
/// left out: a variation, the rest of a game, or a game whose first position is not legal.
///
/// # Errors
///
/// If the file cannot be read or has no games, there is no memory for the transposition table, or
/// the error of `take`. The games before have been handed out.
pub fn games<E: From<ToolError>>(
    path: &Path,
    only: Option<usize>,
    settings: &AnalyseSettings,
    progress: &dyn Progress,
    take: &mut dyn FnMut(Annotated) -> Result<(), E>,
) -> Result<GameCount, E> {
    let annotator = Annotator::new(settings, progress)?;
    if only.is_none() {
        start_progress(path, progress)?;
    }
    let file = GameFile::open(path).map_err(ToolError::from)?;
    let count = annotator.games(file, only, take)?;
    progress.finish();
    Ok(count)
}

/// Annotates the games of a text, and returns them as PGN with a line for all that is left out.
///
/// # Errors
///
/// If the text has no games, or there is no memory for the transposition table.
pub fn text(
    pgn: &str,
    settings: &AnalyseSettings,
    progress: &dyn Progress,
) -> Result<(String, Vec<String>), ToolError> {
    let annotator = Annotator::new(settings, progress)?;
    start_progress_of_text(pgn, progress)?;
    let (mut games, mut warnings) = (Vec::new(), Vec::new());
    annotator.games(GameFile::of_text(pgn), None, &mut |part| {
        match part {
            Annotated::Game(game) => games.push(game),
            Annotated::Bad(bad) => warnings.push(bad.to_string()),
        }
        Ok::<(), ToolError>(())
    })?;
    progress.finish();
    Ok((games.join("\n"), warnings))
}
/// Annotates games with one engine.
struct Annotator<'a> {
    analyst: Analyst<'a>,
    progress: &'a dyn Progress,
    explainer: Explainer,
    /// The engine with its version and limits, for the tag `Annotator`.
    name: String,
    /// Once this is set, nothing is explained any more.
    stop: Arc<StopFlag>,
}

impl<'a> Annotator<'a> {
    fn new(
        settings: &AnalyseSettings,
        progress: &'a dyn Progress,
    ) -> Result<Annotator<'a>, ToolError> {
        Ok(Annotator {
            analyst: Analyst::new(settings, progress)?,
            progress,
            explainer: Explainer::new(NODES, settings.weights.as_ref())?,
            name: format!("Freshet {}", env!("CARGO_PKG_VERSION")),
            stop: Arc::clone(&settings.stop),
        })
    }

    /// Annotates games one after the other and hands each to `take`. Nothing is read after the only
    /// one wanted.
    fn games<E: From<ToolError>>(
        mut self,
        mut file: GameFile<'_>,
        only: Option<usize>,
        take: &mut dyn FnMut(Annotated) -> Result<(), E>,
    ) -> Result<GameCount, E> {
        while only.is_none_or(|only| file.count().games < only) {
            let Some(game) = file.next_game().map_err(ToolError::from)? else { break };
            if only.is_some_and(|only| file.count().games < only) {
                continue;
            }
            let mut playable = match game {
                Ok(playable) => playable,
                Err(bad) => {
                    take(Annotated::Bad(bad))?;
                    continue;
                }
            };
            let cut_short = playable.cut_short();
            for bad in cut_short.into_iter().chain(playable.cut_variations_short()) {
                take(Annotated::Bad(bad))?;
            }
            if only.is_some() {
                self.progress.start("positions", playable.line.moves.len() as u64 + 1);
            }
            take(Annotated::Game(self.game(&playable)))?;
        }
        Ok(file.count())
    }

    /// The game with its annotations as PGN. Its variations must be legal.
    fn game(&mut self, PlayableGame { game, line }: &PlayableGame) -> String {
        let mut movetext = Movetext::new();
        let annotator = annotators(game.tag("Annotator").unwrap_or_default());
        game.moves.comments.iter().for_each(|text| movetext.add_comment(&without_eval(text)));
        let (nodes, rest) = game.moves.nodes.split_at(line.moves.len());
        let mut nodes: Vec<Node> = nodes.iter().map(without_remarks).collect();
        let left_out = line.problem.as_ref().map(|problem| left_out(rest, &game.unread, problem));
        match nodes.last_mut() {
            Some(last) => last.comments.extend(left_out),
            None => left_out.iter().for_each(|text| movetext.add_comment(text)),
        }
        let mut nodes = nodes.iter().zip(&line.moves);
        let mut position = line.start.clone();
        let (explainer, stop) = (&mut self.explainer, &self.stop);
        let mut judged = Vec::new();
        let summaries = self.analyst.game(line, &mut |report| {
            judged.push(JudgedMove {
                position: report.position.clone(),
                played: report.played,
                score: report.score,
                mark: report.mark,
            });
            // A null move has no report.
            for (node, m) in nodes.by_ref() {
                let is_null = *m == PgnMove::Null;
                let report = (!is_null && !stop.is_told_to_stop()).then_some(&report);
                add_move(&mut movetext, node, &position, *m, report, explainer);
                m.play(&mut position);
                if !is_null {
                    break;
                }
            }
        });
        for (node, m) in nodes {
            add_move(&mut movetext, node, &position, *m, None, explainer);
            m.play(&mut position);
        }
        let tag = |name| game.tag(name).unwrap_or_default();
        let told = GameTags {
            opening: tag("Opening"),
            result: &game.result,
            termination: tag("Termination"),
            is_cut_short: line.problem.is_some() || was_cut_short(game),
        };
        if let Some(text) = summary(&judged, told) {
            let text = format!("{SUMMARY}: {text}");
            let added = Added { nag: 0, length: text.chars().count(), moves: 0 };
            movetext.add_comment(&format!("{text} {added}"));
        }
        let mut head = game.clone();
        head.tags.retain(|tag| tag.name != "Annotator" && !tag.name.ends_with("Accuracy"));
        let value = format!("{annotator}{}", self.name);
        head.tags.push(Tag { name: "Annotator".to_string(), value });
        head.tags.extend(accuracy_tags(&summaries));
        tags(&head) + &movetext.finish(&game.result)
    }
}

/// The annotators of a game but for Freshet, each followed by the colon that separates names.
fn annotators(tag: &str) -> String {
    let names = tag.split(':').map(str::trim).filter(|name| !name.is_empty());
    names.filter(|name| !name.starts_with("Freshet ")).map(|name| format!("{name}:")).collect()
}

/// Whether the comment after the last move says that the game was cut short there before.
fn was_cut_short(game: &Game) -> bool {
    let last = game.moves.nodes.last();
    last.is_some_and(|node| node.comments.iter().any(|comment| comment.contains(CUT_SHORT)))
}

/// What an annotation has added to a move, as the command at the end of a remark says.
///
/// `[%freshet 4 212 5]` follows a remark of 212 characters, with the glyph `$4` (0 for none) and a
/// variation of five moves. So another annotation can take away exactly this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Added {
    nag: u16,
    /// Characters of the remark.
    length: usize,
    /// Moves of the variation.
    moves: usize,
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[%freshet {} {} {}]", self.nag, self.length, self.moves)
    }
}

impl Added {
    /// Takes a remark with its command out of a comment; `None` if there is none, or if somebody
    /// has changed it since.
    fn take(comment: &str) -> Option<(String, Added)> {
        let (before, rest) = comment.split_once("[%freshet ")?;
        let (numbers, after) = rest.split_once(']')?;
        let mut numbers = numbers.split(' ').map(|number| number.parse::<usize>().ok());
        let (nag, length, moves) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let before: Vec<char> = before.trim_end().chars().collect();
        let (kept, remark) = before.split_at(before.len().checked_sub(length)?);
        let remark: String = remark.iter().collect();
        let marks = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].map(Mark::word);
        let mut words = marks.into_iter().chain([SUMMARY, SACRIFICE, ONLY_MOVE]);
        words.find(|word| remark.starts_with(&format!("{word}: ")))?;
        let kept = format!("{}{after}", kept.iter().collect::<String>());
        let added = Added { nag: u16::try_from(nag).ok()?, length, moves };
        Some((kept.split_whitespace().collect::<Vec<_>>().join(" "), added))
    }
}

/// A move without what an earlier annotation has added: remarks, glyph and better line.
fn without_remarks(node: &Node) -> Node {
    let mut node = node.clone();
    while let Some((index, kept, added)) = first_remark(&node) {
        match kept.is_empty() {
            true => drop(node.comments.remove(index)),
            false => node.comments[index] = kept,
        }
        let is_own = |&nag: &u16| nag == added.nag && added.nag > 0;
        if let Some(at) = node.nags.iter().rposition(is_own) {
            node.nags.remove(at);
        }
        let is_plain = |node: &Node| {
            node.nags.is_empty() && node.comments.is_empty() && node.variations.is_empty()
        };
        // It was added last; with a move or a comment more it is not the same any more.
        let is_own = |line: &Variation| {
            added.moves > 0
                && line.comments.is_empty()
                && line.nodes.len() == added.moves
                && line.nodes.iter().all(is_plain)
        };
        if node.variations.last().is_some_and(is_own) {
            node.variations.pop();
        }
    }
    node
}

/// The first remark of an earlier annotation: the index of its comment, the comment without it, and
/// what was added.
fn first_remark(node: &Node) -> Option<(usize, String, Added)> {
    node.comments.iter().enumerate().find_map(|(index, comment)| {
        let (kept, added) = Added::take(comment)?;
        Some((index, kept, added))
    })
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

/// Adds a move of the main line with all that is said of it. Its variations must be legal.
fn add_move(
    movetext: &mut Movetext,
    node: &Node,
    position: &Position,
    m: PgnMove,
    report: Option<&MoveReport>,
    explainer: &mut Explainer,
) {
    movetext.add_move(position, &m.san(position));
    // A bad move without a better one is left alone: the game was over already.
    let marked = report.filter(|report| report.mark != Mark::Good && !report.best.is_empty());
    // The glyphs 1 to 6 judge the move: those of the game are left as they are.
    let is_judged = node.nags.iter().any(|nag| (1..=6).contains(nag));
    node.nags.iter().for_each(|&nag| movetext.add_nag(nag));
    let unmarked = report.filter(|report| report.mark == Mark::Good);
    let praise = unmarked.and_then(|report| match is_sound_sacrifice(report) {
        true => Some(sacrifice_remark(report, explainer)),
        false => only_move_remark(report, explainer),
    });
    let nag = marked.and_then(|report| report.mark.nag());
    let nag = nag.or_else(|| praise.as_ref().map(|_| GOOD)).filter(|_| !is_judged);
    nag.iter().for_each(|&nag| movetext.add_nag(nag));
    let mut after = position.clone();
    m.play(&mut after);
    let mut parts = Vec::new();
    if let Some(report) = report.filter(|_| !after.moves().is_empty()) {
        parts.push(eval_command(report.score, position));
    }
    parts.extend(node.comments.iter().map(|comment| without_eval(comment)));
    if let Some(report) = marked {
        let reason = reason(report, explainer);
        let (length, moves) = (reason.chars().count(), report.best.len().min(VARIATION));
        let added = Added { nag: nag.unwrap_or_default(), length, moves };
        parts.extend([reason, added.to_string()]);
    }
    if let Some(remark) = praise {
        let length = remark.chars().count();
        let added = Added { nag: nag.unwrap_or_default(), length, moves: 0 };
        parts.extend([remark, added.to_string()]);
    }
    movetext.add_comment(&parts.join(" "));
    for variation in &node.variations {
        // Illegal ones were removed.
        let _ = movetext.add_variation(|movetext| add_line(movetext, position, variation));
    }
    if let Some(report) = marked {
        let _ = movetext.add_variation(|movetext| {
            add_best_line(movetext, position, &report.best);
            Ok::<(), PgnProblem>(())
        });
    }
}

/// Adds the first moves of the line that would have been best.
fn add_best_line(movetext: &mut Movetext, position: &Position, line: &Line) {
    let mut position = position.clone();
    for &m in line.iter().take(VARIATION) {
        movetext.add_move(&position, &position.san(m));
        position.play(m);
    }
}

/// Whether the best move gives at least two pawns away by exchanges, in a game that it does not lose
/// and that was not won before.
fn is_sound_sacrifice(report: &MoveReport) -> bool {
    let is_best = report.best.first() == Some(&report.played);
    let gives = !report.position.see_ge(report.played, -150);
    is_best && gives && report.score >= Score::DRAW && report.best_score.raw() < WON
}

/// What a sound sacrifice is for, if its line shows it.
fn sacrifice_remark(report: &MoveReport, explainer: &mut Explainer) -> String {
    let score = score_text(report.score, &report.position);
    let played = searched(report);
    let line = after_move(&played).map(|line| format!("It goes on {line}."));
    let why = explainer.explained(played, None).why().map(|why| capitalised(&why));
    let text = why.or(line).map(|text| format!(" {text}")).unwrap_or_default();
    format!("{SACRIFICE}: {score}.{text}")
}

/// What would be left without an only move: the second best move is a blunder. Captures, moves out
/// of check and moves of won or lost games need no praise.
fn only_move_remark(report: &MoveReport, explainer: &mut Explainer) -> Option<String> {
    let MoveReport { position, played, score, best, .. } = report;
    let is_quiet = position.captured_by(*played).is_none() && played.promotion().is_none();
    let is_open = (-LOST..WON).contains(&score.raw());
    if best.first() != Some(played) || !is_quiet || !is_open || position.checkers().any() {
        return None;
    }
    let second = explainer.best_without(position, *played, SECOND_NODES)?;
    let [is, other] = [*score, second.score].map(|score| score_text(score, position));
    (Mark::of_scores(*score, second.score) == Mark::Blunder)
        .then(|| format!("{ONLY_MOVE}: {is}; the next best, {}, leaves {other}.", second.san()))
}

/// The move of a report with the line after it.
fn searched(report: &MoveReport) -> SearchedMove {
    let line = [report.played].into_iter().chain(report.reply.iter().copied());
    let line: Line = line.take(Line::new().capacity()).collect();
    SearchedMove::new(&report.position, line, report.score)
}

/// Why a move is bad: the scores, the cause and what follows.
fn reason(report: &MoveReport, explainer: &mut Explainer) -> String {
    let position = &report.position;
    let [was, is] = [report.best_score, report.score].map(|score| score_text(score, position));
    let played = searched(report);
    let best = SearchedMove::new(position, report.best.clone(), report.best_score);
    let text = format!("{}: {is} instead of {was} with {}.", report.mark.word(), best.san());
    match explainer.explained(played, Some(best)).why() {
        Some(why) => format!("{text} {why}"),
        None => text,
    }
}
