//! The state of a node and of its moves, passed from rule to rule.

use arrayvec::ArrayVec;

use crate::board::{CheckInfo, Move};
use crate::known::Known;
use crate::score::Score;
use crate::search::memory::table::Entry;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

/// A node, with what is found out about it before its moves are searched.
pub(super) struct Node {
    /// The window; alpha rises as moves are found.
    pub(super) window: Window,
    /// Depth left, in plies.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// A cut node: it is expected to fail high.
    pub(super) cut: bool,
    /// In a singular search, the move left out: the hash move.
    pub(super) excluded: Option<Move>,
    /// The key of the transposition table: a singular search has entries of its own.
    pub(super) key: u64,
    /// The TT entry, if there is one.
    pub(super) entry: Option<Entry>,
    /// The hash move, if it is legal.
    pub(super) hash_move: Option<Move>,
    /// The hash move is a capture or promotion.
    pub(super) noisy_hash_move: bool,
    /// Checks, pins and attacked squares.
    pub(super) info: CheckInfo,
    /// Lower bound of the score by tablebases or proofs; mated at this ply if they say nothing.
    pub(super) at_least: Score,
    /// Upper bound of the score by tablebases or proofs.
    pub(super) at_most: Score,
    /// What is known about the position without a search.
    pub(super) known: Option<Known>,
    /// The evaluation as the table keeps it; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The static evaluation, corrected, scaled and compressed; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// By how many centipawns the evaluation was corrected.
    pub(super) correction: i32,
    /// Improving: the static evaluation is better than at this side's previous move.
    pub(super) improving: bool,
    /// The node is, or was in an earlier search, one of the principal variation.
    pub(super) was_pv: bool,
}

/// The moves of a node searched so far.
pub(super) struct Searched {
    /// The best score so far; at the start the least score by tablebases or proofs.
    pub(super) best: Score,
    /// The move that raised alpha last.
    pub(super) best_move: Option<Move>,
    /// Their number, including those that were pruned.
    pub(super) count: usize,
    /// Quiet moves that did not cause a cutoff, without the best.
    pub(super) quiets: ArrayVec<Move, 64>,
    /// Captures and promotions that did not cause a cutoff, without the best.
    pub(super) captures: ArrayVec<Move, 32>,
}

/// A move that is about to be searched.
pub(super) struct Candidate {
    pub(super) m: Move,
    /// It is neither capture nor promotion.
    pub(super) quiet: bool,
    /// It gives check. Not computed for the first move, which is hardly ever pruned: always false.
    pub(super) gives_check: bool,
    /// It is a killer move.
    pub(super) killer: bool,
    /// The sum of its histories.
    pub(super) history: i32,
    /// Its late move reduction before adjustments, in 1024ths of a ply.
    pub(super) base_reduction: i32,
}

impl Node {
    /// The node at `ply`, of which nothing is known but its TT entry.
    #[inline(always)]
    pub(super) fn new(
        worker: &Worker<'_>,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Node {
        // Overlaps with the prefetch of the TT entry.
        let info = worker.position.check_info();
        let excluded = worker.frames[ply].excluded;
        let key = worker.key_without(excluded);
        Node {
            window,
            depth,
            ply,
            cut,
            excluded,
            key,
            entry: worker.shared.table.probe(key),
            hash_move: None,
            noisy_hash_move: false,
            info,
            at_least: Score::mated_in(ply),
            at_most: Score::INFINITE,
            known: None,
            raw_eval: None,
            static_eval: None,
            correction: 0,
            improving: false,
            was_pv: false,
        }
    }

    /// Narrows the window to the scores from `at_least` to `at_most`.
    #[inline(always)]
    pub(super) fn narrow(&mut self) {
        self.window = self.window.narrow(Window { alpha: self.at_least, beta: self.at_most });
    }
}

impl Searched {
    /// No move was searched; the score is at least `best`.
    #[inline(always)]
    pub(super) fn none(best: Score) -> Searched {
        Searched {
            best,
            best_move: None,
            count: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        }
    }

    /// Notes a move that did not cause a cutoff, for its malus if another one does. The best move
    /// so far gets none, nor do moves that do not fit into the lists.
    #[inline(always)]
    pub(super) fn push(&mut self, &Candidate { m, quiet, .. }: &Candidate) {
        if self.best_move != Some(m) {
            let _ = if quiet { self.quiets.try_push(m) } else { self.captures.try_push(m) };
        }
    }
}

/// [`search_node`](super::search_node), passed as an argument to the rules that search: its
/// arguments are the window, the depth, the ply, and whether the node is expected to fail high.
pub(super) trait Search:
    Fn(&mut Worker<'_>, Window, i32, usize, bool) -> Result<Score, Stopped>
{
}

impl<F: Fn(&mut Worker<'_>, Window, i32, usize, bool) -> Result<Score, Stopped>> Search for F {}
