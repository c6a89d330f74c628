//! Reports of a search while it runs. The search itself prints nothing.

use std::time::Duration;

use arrayvec::ArrayVec;

use super::memory::table::Bound;
use crate::board::Move;
use crate::score::{MAX_PLY, Score};

/// A principal variation.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// The state of a search after an iteration, inside one when its score fell outside the aspiration
/// window, or when it was stopped. What UCI prints as `info`.
#[derive(Clone, Debug)]
pub struct Report {
    /// Depth of the iteration that the line comes from, in plies.
    pub depth: i32,
    /// The deepest ply reached.
    pub selective_depth: usize,
    /// The number of the line: 1 for the best.
    pub multi_pv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Positions found in the tablebases.
    pub tablebase_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The principal variation, the best move first.
    pub line: Line,
    /// The search was stopped, and this is the line that it ends with: it is to be shown whatever its
    /// bound.
    pub is_last: bool,
}

/// Receives the reports of a search.
pub trait Reporter {
    /// An iteration is complete, its score is known to be outside the window, or the search was
    /// stopped inside it: then the best line is reported once more.
    fn report(&mut self, report: &Report);

    /// The main thread begins with a root move, the moves of an iteration being numbered from 1:
    /// UCI's `currmove` and `currmovenumber`.
    fn current_move(&mut self, _depth: i32, _m: Move, _number: usize, _elapsed: Duration) {}

    /// A search for a mate has proven that there is none in so many moves.
    fn no_mate(&mut self, _moves: usize) {}
}

/// Ignores all reports.
impl Reporter for () {
    fn report(&mut self, _: &Report) {}
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The principal variation; its first move is the best one. Empty only where there is no legal
    /// move.
    pub line: Line,
    /// The score for the side to move.
    pub score: Score,
    /// Exact, or a lower bound where the search was stopped when it had just found a better move.
    pub bound: Bound,
    /// The last complete iteration, in plies.
    pub depth: i32,
    /// Nodes that all threads have visited.
    pub nodes: u64,
    /// Moves that they have made, without null moves: what Stockfish counts as nodes. A node may be
    /// visited again without a move, as in razoring and singular searches.
    pub moves_made: u64,
    /// Helper threads that have ended by an internal error.
    pub failed_threads: usize,
    /// How many moves the book had to choose from, if the move is one of the book.
    pub book_choices: Option<usize>,
}

impl SearchResult {
    /// A result of one thread, whose nodes are counted with those of the others.
    pub(super) fn new(line: Line, score: Score, depth: i32) -> SearchResult {
        SearchResult {
            line,
            score,
            bound: Bound::Exact,
            depth,
            nodes: 0,
            moves_made: 0,
            failed_threads: 0,
            book_choices: None,
        }
    }

    /// What there is to say of a position that is drawn by the rules.
    pub(crate) fn of_draw() -> SearchResult {
        SearchResult::new(Line::new(), Score::DRAW, 0)
    }

    /// A move of the book, one of `choices`.
    pub(crate) fn of_book(m: Move, choices: usize) -> SearchResult {
        let book_choices = Some(choices);
        SearchResult { book_choices, ..SearchResult::new(Line::from_iter([m]), Score::DRAW, 0) }
    }
}
