//! Pruning of single moves, once one was found that does not lose. Not at the root, nor with only
//! king and pawns, where any move may be the decisive one.
//!
//! * Late move pruning (move count pruning): quiet moves ordered late are almost never best.
//! * Futility pruning (Schaeffer 1986, Heinz 1998): the evaluation is so far below alpha that the
//!   move cannot make up for it. Not for checks.
//! * History pruning: quiet moves that have failed everywhere are not searched near the leaves. Not
//!   for checks.
//! * SEE pruning: moves that lose too much by static exchange evaluation.
//!
//! Worth, in matches against a build without it: SEE pruning +163 ± 38 Elo, late move pruning +81 ±
//! 33, history pruning +17 ± 23, futility +16 ± 32, futility of captures -12 ± 25.

use super::node_type::NodeType;
use super::state::{Candidate, Node};
use crate::search::numbers::numbers;
use crate::search::worker::Worker;

numbers! {
    move_pruning:
    /// Late move pruning: moves at depth 0, in hundredths; half of it where the position does not improve.
    count = 300, 100 to 800;
    /// Late move pruning: moves for the square of depth, in hundredths.
    count_slope = 100, 50 to 200;
    /// Futility: centipawns at depth 0.
    futility = 45, 10 to 200;
    /// Futility: centipawns for each ply.
    futility_slope = 60, 30 to 160;
    /// Futility: the most plies left to the move after its reduction.
    futility_depth = 12, 4 to 16;
    /// Futility of captures: centipawns at depth 0.
    capture = 80, 20 to 400;
    /// Futility of captures: centipawns for each ply.
    capture_slope = 85, 40 to 280;
    /// History pruning: how far below zero a history may lie, for each ply of depth after the
    /// first.
    history = 4526, 1500 to 9000;
    /// SEE pruning: centipawns a quiet move may lose, for the square of the depth left to it.
    see_quiet = 12, 4 to 40;
    /// SEE pruning: centipawns a capture or a check may lose, for each ply of the node.
    see_forcing = 90, 40 to 180;
}

/// The most plies left to a capture that is pruned by futility.
const CAPTURE_DEPTH: i32 = 6;

/// The most plies left to a quiet move that is pruned by its history.
const HISTORY_DEPTH: i32 = 4;

/// Late move pruning: whether quiet moves are left out after `count` moves.
#[inline(always)]
pub(super) fn skips_quiets(worker: &Worker<'_>, node: &Node, count: usize) -> bool {
    let numbers = Numbers::of(worker.params);
    let most = numbers.count + numbers.count_slope * node.depth * node.depth;
    100 * count as i32 >= if node.improving { most } else { most / 2 }
}

/// Whether a move is pruned by futility, history or SEE.
#[inline(always)]
pub(super) fn is_pruned<N: NodeType>(
    worker: &Worker<'_>,
    node: &Node,
    candidate: &Candidate,
) -> bool {
    let &Candidate { m, quiet, gives_check, history, base_reduction, .. } = candidate;
    let numbers = Numbers::of(worker.params);
    // The depth left to the move after its base reduction.
    let left = (node.depth - 1 - base_reduction / 1024).max(0);
    if !gives_check {
        let has_failed =
            quiet && left <= HISTORY_DEPTH && history < -numbers.history * (node.depth - 1);
        if has_failed || is_futile::<N>(worker, node, candidate, left) {
            return true;
        }
    }
    let least = if quiet && !gives_check {
        -numbers.see_quiet * left * left
    } else {
        -numbers.see_forcing * node.depth
    };
    !worker.position.see_ge_in(m, least, node.info.attacked)
}

/// Futility pruning of a move that has `left` plies after its reduction. Captures are not pruned in PV
/// nodes.
#[inline(always)]
fn is_futile<N: NodeType>(
    worker: &Worker<'_>,
    node: &Node,
    &Candidate { m, quiet, history, .. }: &Candidate,
    left: i32,
) -> bool {
    let (numbers, alpha) = (Numbers::of(worker.params), node.window.alpha);
    let Some(eval) = node.static_eval.filter(|_| !alpha.is_decided()) else { return false };
    if quiet {
        let margin = numbers.futility + numbers.futility_slope * left + history / 200;
        left <= numbers.futility_depth && eval.raw() + margin <= alpha.raw()
    } else {
        let gain = worker.position.captured_value(m) + history / 20;
        let margin = numbers.capture + numbers.capture_slope * left + gain;
        !N::PV && left <= CAPTURE_DEPTH && eval.raw() + margin < alpha.raw()
    }
}
