//! Pruning of a node by its evaluation: reverse futility pruning and razoring. Not in PV nodes, not
//! in check.
//!
//! Reverse futility (static null move): a position so far above beta that no quiet reply will bring
//! it down needs no search. Razoring (Birmingham and Kent, 1977): one so far below alpha that only
//! a capture can help is left to quiescence, which finds out.
//!
//! Worth, in matches against a build without it: reverse futility +87 ± 34 Elo, razoring +13 ± 27.

use super::node_type::NonPv;
use super::quiescence::quiescence;
use super::state::Node;
use crate::score::Score;
use crate::search::numbers::numbers;
use crate::search::worker::{Stopped, Worker};

numbers! {
    futility:
    /// Reverse futility: centipawns above beta for each ply of depth.
    reverse = 71, 30 to 150;
    /// Reverse futility: the deepest node, in plies.
    reverse_depth = 9, 5 to 14;
    /// Razoring: centipawns below alpha at depth 0.
    razor = 260, 100 to 500;
    /// Razoring: centipawns more for the square of depth.
    razor_slope = 109, 40 to 250;
}

/// The deepest node that is razored, in plies.
const RAZOR_DEPTH: i32 = 4;

/// The score of a node whose evaluation is far enough above beta.
#[inline(always)]
pub(super) fn reverse_futility(worker: &Worker<'_>, node: &Node, eval: Score) -> Option<Score> {
    let (numbers, beta) = (Numbers::of(worker.params), node.window.beta);
    let margin = numbers.reverse * (node.depth - i32::from(node.improving));
    (!node.was_pv
        && node.depth <= numbers.reverse_depth
        && !beta.is_decided()
        && eval.raw() - margin >= beta.raw())
    .then(|| Score::cp((eval.raw() + beta.raw()) / 2))
}

/// The score of a node whose evaluation is far below alpha, if quiescence does not raise it.
#[inline(always)]
pub(super) fn razoring(
    worker: &mut Worker<'_>,
    node: &Node,
    eval: Score,
) -> Result<Option<Score>, Stopped> {
    let (numbers, alpha) = (Numbers::of(worker.params), node.window.alpha);
    let margin = numbers.razor + numbers.razor_slope * node.depth * node.depth;
    if node.depth > RAZOR_DEPTH || alpha.is_decided() || eval.raw() + margin >= alpha.raw() {
        return Ok(None);
    }
    let score = quiescence::<NonPv>(worker, node.window, node.ply)?;
    Ok((score <= alpha).then_some(score))
}
