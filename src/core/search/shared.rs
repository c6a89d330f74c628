//! What the threads of one search share.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::limits::Limits;
use super::memory::table::TranspositionTable;
use super::numbers::ParamsInUse;
use super::strength::Strength;
use super::tablebases::Tablebases;
use super::time::budget::Clock;
use super::time::stop::StopFlag;
use crate::eval::LoadedWeights;
use crate::known::SolvedRoot;
use crate::score::Score;

/// The counts of one thread, in cache lines that no other thread writes to (two, since processors
/// prefetch them in pairs).
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Counts {
    pub(super) nodes: AtomicU64,
    /// Moves made, without null moves.
    pub(super) moves_made: AtomicU64,
}

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    /// Decides when time is up.
    pub(super) clock: &'a Clock<'a>,
    /// Set from outside to stop the search.
    pub(super) stop: &'a StopFlag,
    /// The limits as the GUI gave them.
    pub(super) limits: &'a Limits,
    /// The tuned search parameters.
    pub(super) params: ParamsInUse<'a>,
    /// Evaluation weights, if not the built-in ones.
    pub(super) weights: Option<&'a LoadedWeights>,
    /// Tablebases to probe below the root; `None` if they have already ranked a root move as
    /// winning.
    pub(super) tablebases: Option<&'a Tablebases>,
    /// How many best moves, each with its line, are searched (MultiPV).
    pub(super) multi_pv: usize,
    /// The score of the previous search for the side to move, if that was two plies earlier; then
    /// it is assumed to be the same game.
    pub(super) score_before: Option<Score>,
    /// The limited strength to play at; `None` for full strength.
    pub(super) strength: Option<Strength>,
    /// The node limit for all threads together.
    pub(super) node_limit: u64,
    /// The endings at the root, once they are solved in the background.
    pub(super) solved: OnceLock<SolvedRoot>,
    /// Each thread's counts, published whenever it checks the clock.
    pub(super) counts: Vec<Counts>,
    /// Successful tablebase probes of all threads.
    pub(super) tablebase_hits: AtomicU64,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.counts.iter().map(|counts| counts.nodes.load(Relaxed)).sum()
    }

    /// Moves that all threads have made.
    pub(super) fn all_moves_made(&self) -> u64 {
        self.counts.iter().map(|counts| counts.moves_made.load(Relaxed)).sum()
    }

    /// Whether the search must end at once, even inside an iteration.
    pub(super) fn must_stop(&self) -> bool {
        self.all_nodes() >= self.node_limit || self.clock.must_stop()
    }
}
