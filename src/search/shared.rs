//! What the threads of one search share.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::limits::Limits;
use super::memory::table::TranspositionTable;
use super::numbers::ParamsInUse;
use super::strength::Strength;
use super::tablebases::Tablebases;
use super::time::budget::Clock;
use super::time::stop::StopFlag;
use crate::eval::LoadedWeights;
use crate::score::Score;

/// What one thread has counted, in cache lines that no other thread writes to (two, since
/// processors prefetch them in pairs).
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Counts {
    /// Nodes visited.
    pub nodes: AtomicU64,
    /// Moves made.
    pub moves_made: AtomicU64,
}

/// What the threads of one search share.
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// When to stop, by the clock.
    pub clock: &'a Clock<'a>,
    /// What stops the search from outside.
    pub stop: &'a StopFlag,
    /// The limits as they were given.
    pub limits: &'a Limits,
    /// The numbers of the rules.
    pub params: ParamsInUse<'a>,
    /// The weights of the evaluation, if they are not the built-in ones.
    pub weights: Option<&'a LoadedWeights>,
    /// Tablebases to probe below the root; none where they have ranked the root moves by distance.
    pub tablebases: Option<&'a Tablebases>,
    /// How many best moves, each with its line, are searched (MultiPV).
    pub multi_pv: usize,
    /// The score of the last search for the side to move, if that was two plies earlier in a game,
    /// which is taken for the same.
    pub score_before: Option<Score>,
    /// How strong to play if not as well as possible.
    pub strength: Option<Strength>,
    /// Nodes that may be visited in all.
    pub node_limit: u64,
    /// What each thread has counted, published now and then.
    pub counts: Vec<Counts>,
    /// Positions found in the tablebases.
    pub tablebase_hits: AtomicU64,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub fn all_nodes(&self) -> u64 {
        self.counts.iter().map(|counts| counts.nodes.load(Relaxed)).sum()
    }

    /// Moves that all threads have made.
    pub fn all_moves_made(&self) -> u64 {
        self.counts.iter().map(|counts| counts.moves_made.load(Relaxed)).sum()
    }

    /// Whether the search must end, wherever it is.
    pub fn must_stop(&self) -> bool {
        self.all_nodes() >= self.node_limit || self.clock.must_stop()
    }
}
