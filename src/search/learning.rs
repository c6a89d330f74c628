//! What the histories learn from a node: from cutoffs, re-searches, and changes of the evaluation.

use super::history::Context;
use super::node_data::{Candidate, Facts, Node, Progress};
use super::rules;
use super::worker::Worker;
use crate::board::Move;
use crate::score::Score;

/// Compares the evaluation with that before the last move: updates the history of that move, and
/// changes the depth of this node if that move was reduced (hindsight).
#[inline(always)]
pub fn look_back(worker: &mut Worker<'_>, node: &mut Node, facts: &Facts) {
    let prior = &mut worker.frames[node.ply - 1];
    // Hindsight is for the first search of the node, not for that which verifies a null move.
    let reduction = std::mem::take(&mut prior.reduction);
    let index = prior.history_index;
    let sum = facts.eval.zip(prior.eval).map(|(now, before)| now.raw() + before.raw());
    if let (Some(sum), Some(index)) = (sum, index) {
        let bonus = rules::evaluation_bonus(worker.params, sum);
        worker.histories.update_main(index, bonus);
    }
    node.depth += rules::hindsight(worker.params, node.depth, reduction, sum);
    node.depth = node.depth.max(1);
}

/// History updates after a cutoff by the transposition table: a bonus for its move, and the malus
/// of the prior move.
pub fn learn_from_table(worker: &mut Worker<'_>, best: Option<Move>, depth: i32, ply: usize) {
    let Some(m) = best else { return };
    if !worker.position.is_noisy(m) {
        let info = worker.position.check_info();
        if worker.position.is_legal(m, &info) {
            let before = worker.prior_moves(ply);
            let context = Context::new(worker.params, &worker.position, before, info.danger);
            let bonus = rules::history_bonus(worker.params, depth);
            worker.histories.update_quiet(&worker.position, m, &context, bonus);
        }
    }
    worker.prior_move_malus(ply, rules::history_malus(worker.params, depth));
}

/// History updates after a beta cutoff: a bonus for the move that caused it, which becomes a killer
/// if it is quiet, a malus for the moves searched before it, and the prior move malus.
pub fn learn_from_cutoff(
    worker: &mut Worker<'_>,
    node: &Node,
    best: &Candidate,
    progress: &Progress,
    context: &Context<'_>,
) {
    let &Node { depth, ply, .. } = node;
    worker.prior_move_malus(ply, rules::history_malus(worker.params, depth));
    let bonus = rules::history_bonus(worker.params, depth);
    let malus = rules::history_malus(worker.params, depth);
    let position = &worker.position;
    if best.quiet {
        let killers = &mut worker.frames[ply].killers;
        if killers[0] != Some(best.m) {
            *killers = [Some(best.m), killers[0]];
        }
        // Near the leaves a cutoff by the first quiet move is no news: it was ordered first
        // already.
        if depth > 3 || !progress.quiets.is_empty() {
            worker.histories.update_quiet(position, best.m, context, bonus);
        }
        for &m in &progress.quiets {
            worker.histories.update_quiet(position, m, context, -malus);
        }
    } else {
        worker.histories.update_capture(position, best.m, bonus);
    }
    for &m in &progress.captures {
        worker.histories.update_capture(position, m, -malus);
    }
}

/// Continuation history update after the re-search of a reduced quiet move: a bonus if it failed
/// high, a malus if it did not raise alpha after all.
pub fn learn_from_re_search(
    worker: &mut Worker<'_>,
    node: &Node,
    context: &Context<'_>,
    score: Score,
    depth: i32,
) {
    let bonus = if score <= node.window.alpha {
        -rules::history_malus(worker.params, depth)
    } else if score >= node.window.beta {
        rules::history_bonus(worker.params, depth)
    } else {
        0
    };
    let index = worker.frames[node.ply].piece_to;
    worker.histories.update_continuation(index, &context.before, bonus);
}
