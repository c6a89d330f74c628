//! Null move pruning: if the side to move could pass and still stand above beta, a real move will
//! do so too (Beal 1989; Donninger 1993).
//!
//! Unsound in zugzwang, so never with king and pawns only, nor with few legal moves, and never twice in
//! a row. At high depth a fail high is verified by a search without null moves in the first three
//! quarters of its plies.
//!
//! Worth, in matches against a build without it: +1 ± 27 Elo, the verification -1 ± 2.

use super::state::{Node, Search};
use crate::score::Score;
use crate::search::numbers::numbers;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

numbers! {
    null_move:
    /// The reduction at depth 0, in 1024ths of a ply.
    reduction = 4288, 2560 to 6400;
    /// The reduction for each ply of depth, in 1024ths of a ply.
    reduction_slope = 341, 146 to 512;
    /// One ply more of reduction for each of these centipawns above beta.
    above_beta = 110, 80 to 350;
    /// At most this many plies more.
    above_beta_most = 6, 1 to 8;
    /// Centipawns by which the static evaluation must lie above beta at depth 0.
    margin = 116, 0 to 300;
    /// Centipawns less of that for each ply.
    margin_slope = 15, 0 to 40;
    /// No null move with this many legal moves or fewer.
    few_moves = 14, 0 to 40;
}

/// The least depth at which a null move is tried, in plies.
const LEAST_DEPTH: i32 = 3;

/// The depth from which a null move that fails high is verified, in plies.
const VERIFY_FROM: i32 = 12;

/// Makes a null move, and returns the score of a reduced search if that is at least beta. `refined`
/// is the static evaluation refined by the TT score.
pub(super) fn null_move(
    worker: &mut Worker<'_>,
    node: &Node,
    static_eval: Score,
    refined: Score,
    search: &impl Search,
) -> Result<Option<Score>, Stopped> {
    let &Node { depth, ply, cut, window: Window { beta, .. }, .. } = node;
    let (numbers, position) = (Numbers::of(worker.params), &worker.position);
    let margin = numbers.margin - numbers.margin_slope * depth;
    let allowed = ply >= worker.null_move_min_ply
        && depth >= LEAST_DEPTH
        && refined >= beta
        && static_eval.raw() >= beta.raw() + margin
        && !beta.is_loss()
        && position.has_pieces(position.turn())
        && position.last_move().is_some()
        && position.count_moves_in(&node.info) > numbers.few_moves as u32;
    if !allowed {
        return Ok(None);
    }
    let above = ((refined.raw() - beta.raw()) / numbers.above_beta).min(numbers.above_beta_most);
    let reduction = (numbers.reduction + numbers.reduction_slope * depth) / 1024 + above;
    let reduced = depth - reduction;

    worker.count_double_extensions(ply, 0);
    worker.play_null(ply);
    let result = search(worker, -Window::below(beta), reduced, ply + 1, !cut);
    worker.position.undo();
    let score = -result?;
    if score < beta {
        return Ok(None);
    }
    let score = if score.is_decided() { beta } else { score };
    if depth < VERIFY_FROM || worker.null_move_min_ply > 0 {
        return Ok(Some(score));
    }
    worker.null_move_min_ply = ply + (3 * reduced.max(1) as usize) / 4;
    let verified = search(worker, Window::below(beta), reduced, ply, false);
    worker.null_move_min_ply = 0;
    Ok((verified? >= beta).then_some(score))
}
