//! Reductions: moves and nodes that promise little are searched less deep.
//!
//! * Late move reduction (LMR): a move ordered late is searched less deep, less so where it may
//!   matter or has done well, more so where a cutoff is expected. If it raises alpha all the same,
//!   it is searched again, deeper or shallower by how good the reduced search looked.
//! * Internal iterative reduction (IIR, Ed Schröder): without a hash move the ordering is poor; one
//!   ply less now finds the move for the next iteration.
//! * Once a move has raised alpha, the others are searched a ply less: most often it stays the
//!   best.
//!
//! Worth, in matches against a build without it: late move reductions +118 ± 38 Elo, of that the
//! adjustments +9 ± 36; IIR +7 ± 33, deeper and shallower re-searches +2 ± 28, a ply less after a
//! raised alpha -15 ± 30.

use super::node_type::NodeType;
use super::state::{Candidate, Node};
use crate::score::Score;
use crate::search::numbers::{ParamsInUse, numbers};
use crate::search::worker::Worker;

numbers! {
    reduction:
    /// 1024ths of a ply for any late quiet move.
    base = 707, 0 to 1400;
    /// 1024ths of a ply for ln(depth) ln(moves before).
    slope = 492, 250 to 750;
    /// 1024ths of a ply for any late capture or promotion.
    noisy_base = 202, -400 to 1000;
    /// 1024ths of a ply for ln(depth) ln(moves before), of captures and promotions.
    noisy_slope = 304, 100 to 600;
    /// 1024ths of a ply less in nodes that are or were on the principal variation.
    pv = 2100, 300 to 4000;
    /// 1024ths of a ply more in cut nodes.
    cut = 2300, 500 to 4000;
    /// 1024ths of a ply more where the position does not improve.
    worse = 800, 0 to 1400;
    /// 1024ths of a ply less for checks.
    check = 827, 0 to 1600;
    /// 1024ths of a ply less for killers.
    killer = 969, 0 to 2000;
    /// 1024ths of a ply more where the hash move is a capture or promotion.
    noisy_hash_move = 768, 0 to 1800;
    /// 1024ths of a ply more if more than two nodes one ply below have failed high.
    cutoffs_below = 867, 0 to 1800;
    /// 1024ths of a ply less for each centipawn by which the evaluation was corrected.
    doubt = 8, 0 to 30;
    /// The history that is worth one ply less of reduction.
    history = 9303, 4000 to 24000;
    /// Deeper re-search: centipawns above the best score, plus two for each ply of depth.
    deeper = 42, 10 to 120;
    /// Shallower re-search: centipawns above the best score, at most.
    shallower = 10, 2 to 30;
}

/// The least depth at which moves are reduced, in plies.
const LEAST_DEPTH: i32 = 2;

/// The least depth, in plies, at which histories count less in reductions.
const DEEP: i32 = 8;

/// The least depth of internal iterative reductions, in plies.
const INTERNAL_DEPTH: i32 = 4;

/// The base of a reduction, in 1024ths of a ply: it grows with depth and with the number of moves
/// searched before.
#[inline(always)]
pub(super) fn base(worker: &Worker<'_>, depth: i32, count: usize, quiet: bool) -> i32 {
    let numbers = Numbers::of(worker.params);
    let product = worker.logarithms.product(depth, count);
    if quiet {
        numbers.base + product * numbers.slope / 1024
    } else {
        numbers.noisy_base + product * numbers.noisy_slope / 1024
    }
}

/// The reduction, in plies, of the move just made, after `count` others. Zero if moves are not
/// reduced here. A negative result counts as no reduction.
#[inline(always)]
pub(super) fn reduction<N: NodeType>(
    worker: &Worker<'_>,
    node: &Node,
    candidate: &Candidate,
    count: usize,
) -> i32 {
    let is_late = count > usize::from(N::PV);
    if !is_late || node.depth < LEAST_DEPTH {
        return 0;
    }
    let numbers = Numbers::of(worker.params);
    let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
    // Histories tell less about deep searches.
    let history_share = if node.depth >= DEEP { 707 } else { 1024 };
    let reduction = candidate.base_reduction - when(node.was_pv, numbers.pv)
        + when(node.cut, numbers.cut)
        + when(!node.improving, numbers.worse)
        - when(candidate.gives_check, numbers.check)
        - when(candidate.killer, numbers.killer)
        + when(node.noisy_hash_move, numbers.noisy_hash_move)
        + when(worker.frames[node.ply + 1].cutoffs > 2, numbers.cutoffs_below)
        - numbers.doubt * node.correction.abs()
        - candidate.history * history_share / numbers.history;
    reduction / 1024
}

/// The depth of the re-search after a reduced search has raised alpha: `depth`, or a ply more or
/// less. `best` is the best score of the moves before.
#[inline(always)]
pub(super) fn re_search_depth(
    params: ParamsInUse<'_>,
    score: Score,
    best: Score,
    depth: i32,
) -> i32 {
    let numbers = Numbers::of(params);
    let above = score.raw() - best.raw();
    let deeper = i32::from(above > numbers.deeper + 2 * depth);
    let shallower = i32::from(above < numbers.shallower);
    depth + deeper - shallower
}

/// Internal iterative reduction, in PV and cut nodes without a hash move.
#[inline(always)]
pub(super) fn internal_iterative_reduction<N: NodeType>(node: &mut Node) {
    let matters = (N::PV || node.cut) && !N::ROOT && node.excluded.is_none();
    if matters && node.depth >= INTERNAL_DEPTH && node.hash_move.is_none() {
        node.depth -= 1;
    }
}

/// Called when a move has raised alpha to `score`: the other moves are searched a ply less, unless
/// the node is very shallow or very deep.
#[inline(always)]
pub(super) fn after_raised_alpha(node: &mut Node, score: Score) {
    if (3..=12).contains(&node.depth) && !score.is_decided() {
        node.depth -= 1;
    }
}
