//! The static evaluation of a node, and whether it improves.
//!
//! The evaluation is corrected by what searches of similar positions have found
//! (`order/corrections.rs`), shrinks as the fifty-move rule nears, so that the side ahead makes
//! progress while it can, and is rounded towards zero to a few centipawns. That is less than its
//! error, and with more equal scores bounds cut off more nodes (as in Stockfish).
//!
//! Far from level it is compressed: an extra pawn hardly changes the expected result there, and margins
//! made for balanced positions would prune moves that mate. All scores inside the search
//! are compressed; [`expand`] turns them back into centipawns, to show them and to learn corrections.
//! Piece values are not compressed, so SEE and delta pruning cut off less far from level.
//!
//! Improving: it is better than at this side's previous move or, if that was in check, at the one
//! before. An improving node is pruned more where it is expected to fail high (reverse futility,
//! ProbCut), and less where its late moves are expected to fail low (late move pruning and reductions).
//!
//! Worth, in matches against a build without it: the evaluation kept in the table +40 ± 36 Elo,
//! shrinking +7 ± 27, corrections +2 ± 35 (+89 ± 81 at 60,000 nodes), improving +1 ± 35.

use super::node_type::NodeType;
use super::state::Node;
use crate::board::Position;
use crate::score::Score;
use crate::search::memory::table::{Bound, Entry};
use crate::search::numbers::{ParamsInUse, numbers};
use crate::search::worker::Worker;

numbers! {
    static_eval:
    /// Static evaluations are multiples of this many centipawns, before they are compressed.
    grain = 4, 1 to 16;
    /// Evaluations further from level than this many centipawns are compressed.
    compress_from = 300, 50 to 30000;
    /// Beyond it, this many centipawns count as one.
    compress_by = 4, 1 to 16;
}

/// Finds out what a node must know before it is pruned: the static evaluation, whether it improves,
/// whether the hash move is legal. In a singular search the evaluation is that of the node.
#[inline(always)]
pub(super) fn evaluate<N: NodeType>(worker: &mut Worker<'_>, node: &mut Node) {
    let &mut Node { ply, entry, .. } = node;
    let excluded = node.excluded.is_some();
    node.raw_eval = if node.info.in_check() {
        None
    } else if excluded {
        worker.frames[ply].raw_eval
    } else {
        entry.and_then(|entry| entry.eval()).or_else(|| Some(worker.evaluate(node.known)))
    };
    worker.frames[ply].raw_eval = node.raw_eval;
    node.correction = worker.correction(ply);
    node.static_eval =
        node.raw_eval.map(|raw| of(worker.params, &worker.position, raw, node.correction));
    worker.frames[ply].static_eval = node.static_eval;
    node.improving = improving(worker, node.static_eval, ply);
    node.was_pv = if excluded {
        worker.frames[ply].was_pv
    } else {
        N::PV || entry.is_some_and(|entry| entry.pv)
    };
    worker.frames[ply].was_pv = node.was_pv;
    let hash_move = entry.and_then(|entry| entry.best);
    node.hash_move = hash_move.filter(|&m| worker.position.is_legal(m, &node.info));
    node.noisy_hash_move = node.hash_move.is_some_and(|m| worker.position.is_noisy(m));
    if node.raw_eval.is_some() && entry.is_none() && !excluded {
        let kept = Entry::new(None, Score::DRAW, node.raw_eval, 0, Bound::None, node.was_pv, ply);
        worker.shared.table.store(node.key, kept);
    }
}

/// The static evaluation made of `raw` and its correction, both in centipawns; compressed.
#[inline(always)]
pub(in crate::search) fn of(
    params: ParamsInUse<'_>,
    position: &Position,
    raw: Score,
    correction: i32,
) -> Score {
    /// Plies without progress at which half of the evaluation would be left.
    const HALF: i32 = 110;
    let plies = position.fifty().min(100) as i32;
    let scaled = (raw.raw() + correction) * (2 * HALF - plies) / (2 * HALF);
    let grain = Numbers::of(params).grain;
    Score::cp(compress(params, scaled / grain * grain))
}

/// Compresses an evaluation, in centipawns, that is far from level.
#[inline(always)]
fn compress(params: ParamsInUse<'_>, centipawns: i32) -> i32 {
    let Numbers { compress_from, compress_by, .. } = Numbers::of(params);
    let near = centipawns.clamp(-compress_from, compress_from);
    near + (centipawns - near) / compress_by
}

/// A score of the search in centipawns, if it is an evaluation: undoes the compression. Mates and
/// tablebase results stay as they are.
#[inline(always)]
pub(in crate::search) fn expand(params: ParamsInUse<'_>, score: Score) -> Score {
    let Numbers { compress_from, compress_by, .. } = Numbers::of(params);
    let near = score.raw().clamp(-compress_from, compress_from);
    score.plus((score.raw() - near) * (compress_by - 1))
}

/// Whether the evaluation is better than two plies ago or, if that is not known, four plies ago.
/// True if neither is known, as near the root; false in check.
#[inline(always)]
fn improving(worker: &Worker<'_>, static_eval: Option<Score>, ply: usize) -> bool {
    let earlier = |back| ply.checked_sub(back).and_then(|ply| worker.frames[ply].static_eval);
    static_eval.is_some_and(|now| earlier(2).or(earlier(4)).is_none_or(|earlier| now > earlier))
}
