//! What a node leaves behind: bonus and malus in the histories, killers, the error of the
//! evaluation in the correction histories, and the TT entry.
//!
//! Worth, in matches against a build without it: killers +8 ± 33 Elo, fail-high blending +6 ± 35,
//! the malus of the prior move +3 ± 31, histories after a TT cutoff -5 ± 28, after a re-search -10
//! ± 30.

use super::node_type::NodeType;
use super::state::{Candidate, Node, Searched};
use super::static_eval::expand;
use crate::board::Move;
use crate::score::Score;
use crate::search::memory::table::{Bound, Entry};
use crate::search::numbers::{ParamsInUse, numbers};
use crate::search::order::histories::Context;
use crate::search::window::Window;
use crate::search::worker::Worker;

numbers! {
    update:
    /// History bonus for each ply of depth, in history units.
    bonus_slope = 177, 60 to 350;
    /// History bonus: history units subtracted at every depth.
    bonus_offset = 86, 0 to 400;
    /// History bonus: the most, in history units.
    bonus_most = 1734, 800 to 3500;
    /// History malus for each ply of depth, in history units.
    malus_slope = 182, 60 to 400;
    /// History malus: history units subtracted at every depth.
    malus_offset = 85, 0 to 400;
    /// History malus: the most, in history units.
    malus_most = 1570, 600 to 3500;
}

/// The history bonus of the move that caused a cutoff at this depth.
#[inline(always)]
fn bonus(params: ParamsInUse<'_>, depth: i32) -> i32 {
    let numbers = Numbers::of(params);
    (numbers.bonus_slope * depth - numbers.bonus_offset).clamp(0, numbers.bonus_most)
}

/// The history malus of the moves that were searched before it in vain.
#[inline(always)]
fn malus(params: ParamsInUse<'_>, depth: i32) -> i32 {
    let numbers = Numbers::of(params);
    (numbers.malus_slope * depth - numbers.malus_offset).clamp(0, numbers.malus_most)
}

/// Called when the TT entry has cut the node off: a bonus for its move if it is quiet, a malus for
/// the prior move.
pub(super) fn after_table_cutoff(worker: &mut Worker<'_>, node: &Node, best: Option<Move>) {
    let &Node { ref info, depth, ply, .. } = node;
    let Some(m) = best else { return };
    if !worker.position.is_noisy(m) && worker.position.is_legal(m, info) {
        let before = worker.prior_moves(ply);
        let context = Context::new(worker.params, &worker.position, before, info.attacked);
        let bonus = bonus(worker.params, depth);
        worker.histories.update_quiet(&worker.position, m, &context, bonus);
    }
    prior_move_malus(worker, ply, depth);
}

/// Called when a move has caused a cutoff: a bonus for it, and a place among the killers if it is
/// quiet; a malus for the moves searched before it, and for the prior move.
pub(super) fn after_cutoff(
    worker: &mut Worker<'_>,
    node: &Node,
    best: &Candidate,
    searched: &Searched,
    context: &Context<'_>,
) {
    let &Node { depth, ply, .. } = node;
    worker.frames[ply].cutoffs += 1;
    prior_move_malus(worker, ply, depth);
    let (bonus, malus) = (bonus(worker.params, depth), malus(worker.params, depth));
    let position = &worker.position;
    if best.quiet {
        worker.frames[ply].add_killer(best.m);
        // Near the leaves a cutoff by the first quiet move is no news: it was ordered first
        // already.
        if depth > 3 || !searched.quiets.is_empty() {
            worker.histories.update_quiet(position, best.m, context, bonus);
        }
        for &m in &searched.quiets {
            worker.histories.update_quiet(position, m, context, -malus);
        }
    } else {
        worker.histories.update_capture(position, best.m, bonus);
    }
    for &m in &searched.captures {
        worker.histories.update_capture(position, m, -malus);
    }
}

/// Called when a reduced quiet move was searched again: a bonus if it failed high, a malus if it
/// did not raise alpha after all.
pub(super) fn after_re_search(
    worker: &mut Worker<'_>,
    node: &Node,
    context: &Context<'_>,
    score: Score,
    depth: i32,
) {
    let bonus = if score <= node.window.alpha {
        -malus(worker.params, depth)
    } else if score >= node.window.beta {
        bonus(worker.params, depth)
    } else {
        0
    };
    let index = worker.frames[node.ply].piece_to;
    worker.histories.update_continuation(index, &context.before, bonus);
}

/// Adds a bonus to the continuation histories of the quiet move that led to the node at `ply`, if a quiet
/// move did.
fn update_prior_move(worker: &mut Worker<'_>, ply: usize, bonus: i32) {
    let Some(prior) = ply.checked_sub(1).filter(|&ply| worker.frames[ply].history_index.is_some())
    else {
        return;
    };
    let before = worker.prior_moves(prior);
    worker.histories.update_continuation(worker.frames[prior].piece_to, &before, bonus);
}

/// The node at `ply` failed high. If the quiet move that led there was the first to be searched, it was
/// ordered too early.
fn prior_move_malus(worker: &mut Worker<'_>, ply: usize, depth: i32) {
    if ply > 0 && worker.frames[ply - 1].move_count == 0 {
        update_prior_move(worker, ply, -malus(worker.params, depth));
    }
}

/// Returns the score of a node whose moves were all searched, or which failed high; mate or stalemate if
/// there was no legal move. Stores it in the transposition table, and the error of the evaluation in the
/// correction histories.
#[inline(always)]
pub(super) fn finish<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    searched: &Searched,
    old_alpha: Score,
) -> Score {
    let (ply, depth, window) = (node.ply, node.depth, node.window);
    let &Searched { mut best, best_move, count, .. } = searched;
    if count == 0 && best.is_loss() {
        return match node.excluded {
            Some(_) => window.alpha,
            None if node.info.in_check() => best,
            None => Score::DRAW,
        };
    }
    if best_move.is_none() && node.excluded.is_none() {
        // No move raised alpha, so the quiet move that led here was a good one.
        update_prior_move(worker, ply, bonus(worker.params, depth));
    }
    best = best.min(node.at_most);
    if best >= window.beta {
        best = blended(best, window.beta, depth);
    }
    let bound = Bound::of(best, Window { alpha: old_alpha, ..window });
    // At the root it may be the score of a few moves only.
    let is_of_position = !N::ROOT || worker.has_all_root_moves();
    if is_of_position {
        let kept = Entry::new(best_move, best, node.raw_eval, depth, bound, node.was_pv, ply);
        worker.shared.table.store(node.key, kept);
    }
    if node.excluded.is_some() || !is_of_position {
        return best;
    }
    if let Some(eval) = node.static_eval {
        // A bound on the wrong side of the evaluation says nothing about its error.
        let informative = match bound {
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
            _ => true,
        };
        let quiet = best_move.is_none_or(|m| !worker.position.is_noisy(m));
        if informative && quiet && !best.is_decided() {
            let centipawns = |score| expand(worker.params, score).raw();
            worker.update_correction(ply, centipawns(best) - centipawns(eval), depth);
        }
    }
    best
}

/// Fail-high blending: how far a score lies above beta is not reliable, since the search stopped at
/// the first cutoff. It is averaged with beta, with more weight for the score the deeper the search
/// was.
#[inline(always)]
fn blended(best: Score, beta: Score, depth: i32) -> Score {
    if best <= beta || best.is_decided() || beta.is_decided() {
        return best;
    }
    Score::cp((best.raw() * depth + beta.raw()) / (depth + 1))
}
