//! Decisions about a single move, by the rules: whether it is pruned, and by how much it is
//! reduced.

use super::history::Context;
use super::node_data::{Candidate, Facts, Node};
use super::node_type::NodeType;
use super::ordering::Stage;
use super::params::ParamsInUse;
use super::rules::{self, LateMove};
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;

/// Looks up what pruning and reductions need to know of a move.
#[inline(always)]
pub fn candidate(
    worker: &Worker<'_>,
    context: &Context<'_>,
    m: Move,
    stage: Stage,
    depth: i32,
    move_count: usize,
) -> Candidate {
    let quiet = !worker.position.is_noisy(m);
    let history = if quiet {
        worker.histories.quiet(&worker.position, m, context)
    } else {
        worker.histories.capture(&worker.position, m)
    };
    Candidate {
        m,
        quiet,
        gives_check: move_count > 0 && context.gives_check(&worker.position, m),
        killer: stage == Stage::Killers,
        history,
        base_reduction: worker.reductions.base(worker.params, depth, move_count, quiet),
    }
}

/// Whether a move is pruned by futility, history or static exchange evaluation (SEE).
#[inline(always)]
pub fn is_pruned<N: NodeType>(
    worker: &Worker<'_>,
    node: &Node,
    facts: &Facts,
    candidate: &Candidate,
) -> bool {
    let (params, depth, alpha) = (worker.params, node.depth, node.window.alpha);
    let &Candidate { m, quiet, gives_check, history, base_reduction, .. } = candidate;
    // The depth left to the move after its base reduction.
    let left = (depth - 1 - base_reduction / 1024).max(0);
    let futile = |eval| {
        if quiet {
            rules::futility(params, eval, alpha, left, history)
        } else {
            let gain = worker.position.captured_value(m) + history / 20;
            !N::PV && rules::capture_futility(params, eval, alpha, left, gain)
        }
    };
    let has_failed = quiet && rules::history_pruning(params, history, depth, left);
    if !gives_check && (has_failed || facts.eval.is_some_and(futile)) {
        return true;
    }
    let least = if quiet && !gives_check {
        rules::quiet_exchange(params, left)
    } else {
        rules::forcing_exchange(params, depth)
    };
    !worker.position.see_ge_in(m, least, facts.info.danger)
}

/// Late move reduction (LMR) of a move that was just played, in plies: zero where the rule does not
/// apply, negative where more speaks against one than for it.
#[inline(always)]
pub fn reduction<N: NodeType>(
    worker: &Worker<'_>,
    node: &Node,
    facts: &Facts,
    candidate: &Candidate,
    move_count: usize,
) -> i32 {
    let params = worker.params;
    let least_depth = if N::ROOT { 3 } else { 2 };
    let late = move_count > usize::from(N::PV);
    if !late || node.depth < least_depth || worker.mates_only {
        return 0;
    }
    let late = LateMove {
        pv: facts.was_pv,
        cut: node.cut,
        improving: facts.improving,
        checks: candidate.gives_check,
        killer: candidate.killer,
        noisy_hash_move: facts.noisy_hash_move,
        cutoffs_below: worker.frames[node.ply + 1].cutoffs > 2,
        correction: facts.correction,
        history: candidate.history,
    };
    rules::late_move_reduction(params, candidate.base_reduction, late) / 1024
}

/// By how many plies the re-search after a reduced search is deeper, or shallower if negative.
#[inline(always)]
pub fn re_search_depth<N: NodeType>(
    params: ParamsInUse<'_>,
    score: Score,
    best: Score,
    depth: i32,
) -> i32 {
    let (score, best) = (score.raw(), best.raw());
    let deeper = i32::from(score > best + params.deeper + 2 * depth);
    if N::ROOT {
        return deeper;
    }
    let shallower = i32::from(score < best + params.shallower);
    deeper - shallower
}
