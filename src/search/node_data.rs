//! What is known of a node and of its moves: passed along between the steps of its search.

use arrayvec::ArrayVec;

use super::table::Entry;
use super::window::Window;
use crate::board::{CheckInfo, Move};
use crate::score::Score;

/// A node that is searched.
pub struct Node {
    /// The window; alpha rises as moves are found.
    pub window: Window,
    /// Depth left, in plies.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// A cut node: it is expected to fail high.
    pub cut: bool,
    /// The excluded move of a singular search: the hash move, searched without.
    pub excluded: Option<Move>,
    /// The key of the transposition table: a singular search has entries of its own.
    pub key: u64,
    /// The entry of the transposition table, if there is one.
    pub entry: Option<Entry>,
    /// Tablebases or walls say that the score is at least this; mated if they say nothing.
    pub at_least: Score,
    /// Tablebases or walls say that the score is at most this.
    pub at_most: Score,
}

impl Node {
    /// Narrows the window to the scores from `at_least` to `at_most`.
    #[inline(always)]
    pub fn narrow(&mut self) {
        self.window = self.window.narrow(Window { alpha: self.at_least, beta: self.at_most });
    }
}

/// What is computed once for a node, before its moves are searched.
pub struct Facts {
    /// Checks and pins.
    pub info: CheckInfo,
    /// The evaluation as the table keeps it; `None` in check.
    pub raw_eval: Option<Score>,
    /// The static evaluation, corrected and scaled; `None` in check.
    pub eval: Option<Score>,
    /// By how many centipawns the evaluation was corrected.
    pub correction: i32,
    /// Improving: the evaluation is better than at this side's previous move.
    pub improving: bool,
    /// The node is, or was in an earlier search, one of the principal variation.
    pub was_pv: bool,
    /// The hash move, if it is legal.
    pub hash_move: Option<Move>,
    /// The hash move is a capture or promotion.
    pub noisy_hash_move: bool,
}

/// A move that is about to be searched.
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// It is neither capture nor promotion.
    pub quiet: bool,
    /// It gives check. Not computed for the first move, which is hardly ever pruned: always false.
    pub gives_check: bool,
    /// It is a killer move.
    pub killer: bool,
    /// The sum of its histories.
    pub history: i32,
    /// Its late move reduction before adjustments, in 1024ths of a ply.
    pub base_reduction: i32,
}

/// The result of the moves of a node searched so far.
pub struct Progress {
    /// The best score.
    pub best: Score,
    /// The move that raised alpha last.
    pub best_move: Option<Move>,
    /// Moves before the next one, those that were pruned included.
    pub move_count: usize,
    /// Quiet moves that did not cause a cutoff, without the best.
    pub quiets: ArrayVec<Move, 64>,
    /// The same of captures and promotions.
    pub captures: ArrayVec<Move, 32>,
}

impl Progress {
    /// No move was searched; the score is at least `best`.
    #[inline(always)]
    pub fn new(best: Score) -> Progress {
        Progress {
            best,
            best_move: None,
            move_count: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        }
    }
}
