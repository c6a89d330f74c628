//! Explaining moves: a search of each, and what changes in the evaluation to the end of its line.
//!
//! The score of a search is the evaluation of the last position of its line (but for what the
//! search knows better: mates, draws, corrections). So what changes in the evaluation from here to
//! there, [term by term](Changes), is why the move is good or bad. Searches are limited by nodes
//! and use one thread, so that explanations repeat.
//!
//! ```
//! use freshet::board::Position;
//! use freshet::explain::moves::Explainer;
//!
//! let position: Position = "6k1/5pp1/7p/8/8/8/q4PPP/1Q4K1 w - - 0 1".parse()?;
//! let mut explainer = Explainer::new(2000, None)?;
//! let text = explainer.explain(&position, position.parse_san("Qxa2")?);
//! assert!(text.contains("1 queen less"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write;

use super::breakdown::Breakdown;
use super::changes::Changes;
use crate::board::{Move, Position};
use crate::chess::side_name;
use crate::engine::Engine;
use crate::eval::Evaluator;
use crate::eval::weights::Weights;
use crate::score::{Score, pawns};
use crate::search::{Limits, Line, MemoryError};
use crate::text::{line_text, score_text};
use crate::tools::accuracy::{Mark, win_percent};
use crate::tools::analyse::VIEW;
use crate::wdl::shown;

/// Nodes of each search by default.
pub const NODES: u64 = 100_000;

/// The size of the transposition table in MiB.
const HASH: usize = 16;

/// The most changes that are named, and the smallest of them in centipawns.
const MOST: usize = 6;
const LEAST: i32 = 3;

/// From this difference in centipawns on, the score of the search is told beside the evaluation.
const SURPRISE: i32 = 40;

/// The plies of a line that are shown, not counting captures added at its end.
const PLIES: usize = 12;

/// At most this many plies are added to a line until it is quiet.
const MOST_ADDED: usize = 8;

/// Nodes of the search of an added move that is no capture.
const ADDED_NODES: u64 = 1000;

/// How a line ends, if not in a position that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Mate, on the board or forced.
    Mate,
    /// Stalemate.
    Stalemate,
    /// Repetition, the fifty-move rule or too little material.
    Draw,
}

/// A move with its line, its score and the position at the end of the line.
#[derive(Clone, Debug)]
pub struct SearchedMove {
    /// The position before the move.
    pub position: Position,
    /// The move and what is expected after it.
    pub line: Line,
    /// The score for the side that makes the move.
    pub score: Score,
    /// The last position of the line.
    pub end: Position,
    /// How the line ends, if not by an evaluation.
    pub ending: Option<Ending>,
}

impl SearchedMove {
    /// A move, the line after it, and its score for the side that makes it.
    pub fn new(position: &Position, line: Line, score: Score) -> SearchedMove {
        let mut end = position.clone();
        line.iter().for_each(|&m| end.play(m));
        let ending = if score.is_mate() {
            Some(Ending::Mate)
        } else if end.moves().is_empty() {
            Some(if end.checkers().is_empty() { Ending::Stalemate } else { Ending::Mate })
        } else {
            end.is_draw(line.len()).then_some(Ending::Draw)
        };
        SearchedMove { position: position.clone(), line, score, end, ending }
    }

    /// This move with a shorter line, without captures at its end and with the same side to move
    /// after it as before it, so that the two evaluations can be compared. The first move stays.
    pub fn with_comparable_end(&self) -> SearchedMove {
        let ends_well = |line: &[Move]| {
            let Some((&last, before)) = line.split_last() else { return false };
            let mut position = self.position.clone();
            before.iter().for_each(|&m| position.play(m));
            line.len().is_multiple_of(2) && !position.is_noisy(last)
        };
        let mut line = self.line.clone();
        while line.len() > 1 && !ends_well(&line) {
            line.pop();
        }
        SearchedMove::new(&self.position, line, self.score)
    }

    /// The move in SAN.
    pub fn san(&self) -> String {
        self.line.first().map(|&m| self.position.san(m)).unwrap_or_default()
    }

    /// The line in SAN, with move numbers.
    pub fn line_text(&self) -> String {
        line_text(&self.position, &self.line)
    }

    /// The score as people read it, from White's view.
    pub fn score_text(&self) -> String {
        score_text(self.score, &self.position)
    }

    /// What changes in the evaluation from the position before the move to the end of its line.
    pub fn changes(&self, mut evaluate: impl FnMut(&Position) -> Breakdown) -> Changes {
        Changes::between(&evaluate(&self.position), &evaluate(&self.end))
    }

    /// What changes in the evaluation from the end of another line to the end of this one.
    pub fn changes_against(&self, other: &SearchedMove, evaluator: &mut Evaluator) -> Changes {
        let [other, end] = [&other.end, &self.end].map(|end| Breakdown::with_walls(end, evaluator));
        Changes::between(&other, &end)
    }

    /// How the line ends, in words; `None` where the evaluation says it.
    pub fn ending_text(&self) -> Option<String> {
        let mover = self.position.turn();
        let winner = match self.end.moves().is_empty() {
            true => self.end.turn().other(),
            false if self.score.is_win() => mover,
            false => mover.other(),
        };
        Some(match self.ending? {
            Ending::Mate => format!("{} mates ({})", side_name(winner), self.score_text()),
            Ending::Stalemate => "the line ends in stalemate".to_string(),
            Ending::Draw => "the line ends in a draw by the rules".to_string(),
        })
    }
}

/// Explains moves. Its engine is its own, so that games and analysis of others are not changed.
pub struct Explainer {
    pub(super) engine: Engine,
    pub(super) nodes: u64,
}

impl Explainer {
    /// Searches of this many nodes, with these weights or the built-in ones.
    ///
    /// # Errors
    ///
    /// If there is no memory for the transposition table.
    pub fn new(nodes: u64, weights: Option<&Weights>) -> Result<Explainer, MemoryError> {
        let mut engine = Engine::new(HASH, 1)?;
        engine.set_weights(weights.cloned());
        Ok(Explainer { engine, nodes })
    }

    /// What evaluates the ends of its lines.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        self.engine.evaluator()
    }

    /// The best move of a position but for one, by a search of `nodes`; `None` if there is no other
    /// legal one.
    pub(super) fn best_without(
        &mut self,
        position: &Position,
        m: Move,
        nodes: u64,
    ) -> Option<SearchedMove> {
        let others: Vec<Move> =
            position.moves().iter().copied().filter(|&other| other != m).collect();
        if others.is_empty() {
            return None;
        }
        let limits = Limits { search_moves: others, ..Limits::nodes(nodes) };
        let result = self.engine.search(position, &limits);
        Some(SearchedMove::new(position, result.line, result.score))
    }

    /// The best move of a position; `None` if there is no legal one.
    pub(super) fn best(&mut self, position: &Position) -> Option<SearchedMove> {
        self.engine.clear();
        let result = self.engine.search(position, &Limits::nodes(self.nodes));
        (!result.line.is_empty()).then(|| SearchedMove::new(position, result.line, result.score))
    }

    /// A move, which must be legal, with the line that is best after it.
    pub(super) fn searched(&mut self, position: &Position, m: Move) -> SearchedMove {
        self.engine.clear();
        let limits = Limits { search_moves: vec![m], ..Limits::nodes(self.nodes) };
        let result = self.engine.search(position, &limits);
        SearchedMove::new(position, result.line, result.score)
    }

    /// The first plies of a line, and moves after them until there is nothing to capture and the
    /// same side is to move as before it, so that its end can be evaluated and compared.
    fn settled(&mut self, searched: &SearchedMove, plies: usize) -> SearchedMove {
        let SearchedMove { position, line, score, .. } = searched;
        if score.is_mate() {
            return searched.clone();
        }
        let cut: Line = line.iter().take(plies).copied().collect();
        let (mut line, mut end) = (cut.clone(), position.clone());
        line.iter().for_each(|&m| end.play(m));
        for _ in 0..MOST_ADDED {
            if line.is_full() || end.moves().is_empty() {
                break;
            }
            let mut best = self.engine.search(&end, &Limits::depth(1)).line.first().copied();
            let is_quiet = end.checkers().is_empty() && !best.is_some_and(|m| end.is_noisy(m));
            if is_quiet && end.turn() == position.turn() {
                break;
            }
            if is_quiet {
                best = self.engine.search(&end, &Limits::nodes(ADDED_NODES)).line.first().copied();
            }
            let Some(m) = best else { break };
            line.push(m);
            end.play(m);
        }
        let settled = SearchedMove::new(position, line, *score);
        // A short search may walk into a mate or a draw, which is not the end of the line.
        if settled.ending.is_some() && searched.ending.is_none() {
            return SearchedMove::new(position, cut, *score);
        }
        settled
    }

    /// A move with as much of its line as is told.
    pub(super) fn told(&mut self, searched: &SearchedMove) -> SearchedMove {
        self.settled(searched, PLIES)
    }

    /// What changes in the evaluation to the end of the line of a move; nothing if the line ends in
    /// mate or a draw.
    pub(super) fn terms(&mut self, searched: &SearchedMove) -> Changes {
        let told = self.told(searched);
        let evaluator = self.engine.evaluator();
        if told.ending.is_some() {
            let here = Breakdown::with_walls(&searched.position, evaluator);
            return Changes::between(&here, &here);
        }
        told.changes(|position| Breakdown::with_walls(position, evaluator))
    }

    /// Two moves of one position with lines of the same length, so that one side has not made more
    /// moves than in the other.
    pub fn compared(&mut self, moves: [&SearchedMove; 2]) -> [SearchedMove; 2] {
        if moves.iter().any(|searched| searched.ending.is_some()) {
            return moves.map(|searched| self.told(searched));
        }
        let shorter = moves.map(|searched| searched.line.len());
        let plies = shorter[0].min(shorter[1]).min(PLIES);
        moves.map(|searched| self.settled(searched, plies))
    }

    /// Explains a legal move, in a text of several lines.
    pub fn explain(&mut self, position: &Position, m: Move) -> String {
        let chosen = self.searched(position, m);
        let mut text = format!("{VIEW}\n\n");
        let told = self.told(&chosen);
        write_move(&mut text, &told, self.engine.evaluator());
        let Some(best) = self.best(position) else { return text };
        if best.line.first() == Some(&m) {
            line(&mut text, "", "This is the best move found.");
            return text;
        }
        let loss = win_percent(best.score) - win_percent(chosen.score);
        if chosen.score >= best.score {
            line(&mut text, "", &format!("No better move was found than {}.", chosen.san()));
            return text;
        }
        let verdict = match Mark::of_loss(loss) {
            Mark::Good => format!("{} is nearly as good as the best move.", chosen.san()),
            mark => {
                let refutation = chosen.line.get(1..).unwrap_or_default();
                let mut after = position.clone();
                after.play(m);
                let shown = &refutation[..refutation.len().min(PLIES)];
                let against = match shown {
                    [] => String::new(),
                    _ => format!(" Against it: {}", line_text(&after, shown)),
                };
                format!("{} is {}.{against}", chosen.san(), mark.with_article())
            }
        };
        line(&mut text, "", &verdict);
        text.push('\n');
        let [chosen, best] = self.compared([&chosen, &best]);
        line(
            &mut text,
            "",
            &format!("Best is {}: {}   {}", best.san(), best.score_text(), best.line_text()),
        );
        write_comparison(&mut text, &chosen, &best, self.engine.evaluator());
        text
    }

    /// Compares two legal moves, in a text of several lines.
    pub fn why(&mut self, position: &Position, moves: [Move; 2]) -> String {
        let [first, second] = moves.map(|m| self.searched(position, m));
        let [first, second] = self.compared([&first, &second]);
        let mut text = format!("{VIEW}\n\n");
        write_move(&mut text, &first, self.engine.evaluator());
        text.push('\n');
        write_move(&mut text, &second, self.engine.evaluator());
        text.push('\n');
        write_comparison(&mut text, &first, &second, self.engine.evaluator());
        text
    }
}

/// Writes a line. Writing to a `String` does not fail.
fn line(text: &mut String, indent: &str, line: &str) {
    let _ = writeln!(text, "{indent}{line}");
}

/// The changes, a line each, and the sum of the small ones.
fn write_changes(text: &mut String, changes: &Changes) {
    let named = changes.named(MOST, LEAST);
    for change in &named.largest {
        line(text, "", &format!("{:>8}  {}", pawns(change.cp), change.words));
    }
    let (count, sum) = named.others;
    if count > 0 {
        let others = if count == 1 { "change" } else { "changes" };
        line(text, "", &format!("{:>8}  {count} smaller {others}", pawns(sum)));
    }
}

/// A move, its line and what changes on it.
fn write_move(text: &mut String, searched: &SearchedMove, evaluator: &mut Evaluator) {
    let (san, score) = (searched.san(), searched.score_text());
    line(text, "", &format!("{san}: {score}   {}", searched.line_text()));
    if let Some(ending) = searched.ending_text() {
        return line(text, "", &format!("With {san} {ending}."));
    }
    let changes = searched.changes(|position| Breakdown::with_walls(position, evaluator));
    let (before, after) = (pawns(changes.before), pawns(changes.after));
    line(
        text,
        "",
        &format!("The evaluation goes from {before} here to {after} at the end of this line:"),
    );
    write_changes(text, &changes);
    let seen = searched.score.for_white(searched.position.turn()).as_cp().map(shown);
    if seen.is_none_or(|seen| (seen - changes.after).abs() >= SURPRISE) {
        let score = searched.score_text();
        line(text, "", &format!("The search has seen further: its score is {score}."));
    }
}

/// What is different at the end of a line from the end of another.
fn write_comparison(
    text: &mut String,
    from: &SearchedMove,
    to: &SearchedMove,
    evaluator: &mut Evaluator,
) {
    if let (None, None) = (from.ending, to.ending) {
        let changes = to.changes_against(from, evaluator);
        line(
            text,
            "",
            &format!(
                "At the end of the line of {} the evaluation is {}, with {} it is {}. The difference:",
                to.san(),
                pawns(changes.after),
                from.san(),
                pawns(changes.before)
            ),
        );
        return write_changes(text, &changes);
    }
    for searched in [from, to] {
        let ending = searched.ending_text().unwrap_or_else(|| {
            let end = Breakdown::with_walls(&searched.end, evaluator).total;
            format!("the evaluation is {} at the end of the line", pawns(end))
        });
        line(text, "", &format!("With {} {ending}.", searched.san()));
    }
}

/// The largest changes of a line in one line of text, as for a log: `+0.42 the black king ...;
/// ...`.
pub fn summary(changes: &Changes, most: usize) -> String {
    let named = changes.named(most, LEAST);
    let words: Vec<String> = named
        .largest
        .iter()
        .map(|change| format!("{} {}", pawns(change.cp), change.words))
        .collect();
    words.join("; ")
}
