//! Looking ahead: from a position and limits to a move.
//!
//! [`think`] starts one [`Worker`](worker::Worker) per thread; each deepens (`deepen.rs`) and asks `node.rs` for
//! the value of each position: alpha-beta with the rules of `rules.rs`, ending in quiescence (`quiesce.rs`). The
//! threads share the [`Table`] and nothing else (Lazy SMP).

mod clock;
mod deepen;
mod history;
mod node;
mod order;
mod quiesce;
mod report;
mod rules;
mod table;
mod window;
mod worker;

pub use clock::{Clock, Control, Limits};
pub use history::Histories;
pub use report::{Line, Report, Reporter};
pub use table::{Bound, Entry, Table};

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::board::{Move, Position};
use crate::score::Score;
use worker::Worker;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The line expected; its first move is the best one. Empty only where there is no legal move.
    pub line: Line,
    /// The score for the side to move.
    pub score: Score,
    /// Plies of the last complete iteration.
    pub depth: i32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// What the threads of one search share.
struct Shared<'a> {
    table: &'a Table,
    clock: &'a Clock<'a>,
    control: &'a Control,
    /// Nodes of each thread, told now and then.
    nodes: Vec<AtomicU64>,
}

impl Shared<'_> {
    fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// Searches a position, one thread for each set of histories, until the clock or the control ends it. `only` are the
/// moves to choose from, all if it is empty.
pub fn think(
    position: &Position,
    only: &[Move],
    clock: &Clock<'_>,
    control: &Control,
    table: &Table,
    histories: &mut [Histories],
    reporter: &mut dyn Reporter,
) -> Found {
    let shared =
        Shared { table, clock, control, nodes: histories.iter().map(|_| AtomicU64::new(0)).collect() };
    let mut moves = position.moves();
    if only.iter().any(|m| moves.contains(m)) {
        moves.retain(|m| only.contains(m));
    }
    let Some((first, others)) = histories.split_first_mut() else {
        unreachable!("a search has at least one thread");
    };
    let (mut found, from_helper) = std::thread::scope(|scope| {
        let (shared, moves) = (&shared, &moves);
        // Helpers end when the control says so, also if this thread should panic.
        let helpers_end = EndHelpers(control);
        let helpers: Vec<_> = others
            .iter_mut()
            .enumerate()
            .filter_map(|(index, histories)| {
                let search = move || {
                    Worker::new(index + 1, position.clone(), histories, shared).deepen(moves, &mut ())
                };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).ok()
            })
            .collect();
        let mut found = Worker::new(0, position.clone(), first, shared).deepen(moves, reporter);
        drop(helpers_end);
        let mut from_helper = false;
        for helper in helpers {
            // A helper that has gone deeper without finding less has the better answer.
            if let Ok(other) = helper.join()
                && other.depth > found.depth
                && other.score >= found.score
                && !other.line.is_empty()
            {
                found = other;
                from_helper = true;
            }
        }
        (found, from_helper)
    });
    found.nodes = shared.all_nodes();
    if from_helper {
        reporter.report(&Report {
            depth: found.depth,
            selective_depth: found.line.len(),
            score: found.score,
            bound: Bound::Exact,
            nodes: found.nodes,
            time: clock.elapsed(),
            fullness: table.fullness(),
            line: found.line.clone(),
        });
    }
    found
}

/// The stack of a helper, in bytes: a line of play of the greatest length takes less than half of it.
const STACK: usize = 16 << 20;

/// Ends the helpers of a search when it goes.
struct EndHelpers<'a>(&'a Control);

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}
