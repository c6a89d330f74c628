//! Reports of a search while it runs. The search itself prints nothing.

use std::time::Duration;

use arrayvec::ArrayVec;

use super::memory::table::Bound;
use crate::board::Move;
use crate::score::{MAX_PLY, Score};

/// Successive moves from a position, such as a principal variation.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// What UCI prints as `info`: the state of a search after an iteration, after a fail high or low in
/// the aspiration window, or when it was stopped.
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
    /// Successful tablebase probes of all threads.
    pub tablebase_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The principal variation, the best move first.
    pub line: Line,
    /// The final line of a stopped search: show it even if its score is a bound.
    pub is_last: bool,
}

/// Receives the reports of a search.
pub trait Reporter {
    /// Called when an iteration is complete, when its score falls outside the window, and once more
    /// with the best line when the search is stopped inside an iteration.
    fn report(&mut self, report: &Report);

    /// Called when the main thread begins a root move, numbered from 1 in each iteration: UCI's
    /// `currmove` and `currmovenumber`.
    fn current_move(&mut self, _depth: i32, _m: Move, _number: usize, _elapsed: Duration) {}

    /// Called when a search for a mate has proven that there is none in this many moves.
    fn no_mate(&mut self, _moves: usize) {}
}

/// For a search that nobody watches.
impl Reporter for () {
    fn report(&mut self, _: &Report) {}
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The principal variation; its first move is the best one. Empty if there is no legal
    /// move, and in [`SearchResult::of_draw`].
    pub line: Line,
    /// The score for the side to move.
    pub score: Score,
    /// Exact, unless the search was stopped just after it found another best move: the score may then
    /// be a bound.
    pub bound: Bound,
    /// The last complete iteration, in plies.
    pub depth: i32,
    /// Nodes that all threads have visited.
    pub nodes: u64,
    /// Moves made by all threads, without null moves: what Stockfish counts as nodes. `nodes` is
    /// larger: null moves lead to nodes too, and re-searches, ProbCut, razoring, singular searches and
    /// the verification of null moves visit a node again without a move.
    pub moves_made: u64,
    /// Helper threads and background solvers that ended with an internal error.
    pub failed_threads: usize,
    /// The number of book moves to choose from, if this is a book move.
    pub book_choices: Option<usize>,
}

impl SearchResult {
    /// The result of one thread. Its nodes are zero here: they are counted for all threads
    /// together.
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

    /// The result for a position that is drawn by the rules.
    #[doc(hidden)]
    pub fn of_draw() -> SearchResult {
        SearchResult::new(Line::new(), Score::DRAW, 0)
    }

    /// The result for a book move, one of `choices`.
    pub(crate) fn of_book(m: Move, choices: usize) -> SearchResult {
        let book_choices = Some(choices);
        SearchResult { book_choices, ..SearchResult::new(Line::from_iter([m]), Score::DRAW, 0) }
    }
}
