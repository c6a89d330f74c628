//! Hindsight: what the static evaluation after a move says of that move (Stockfish's prior
//! reduction, and its bonus by difference of evaluations).
//!
//! The evaluations before and after the move, each from its side to move, add up to zero if nothing
//! has changed, and to more if the move has made the position of its own side worse. A quiet move
//! that made its own side worse gets a history malus. If it was reduced much and has made nothing
//! worse, it was reduced too much: this node is searched a ply deeper. If it was reduced and has
//! made things much worse, this node will fail high anyway: a ply less.
//!
//! Worth, in matches against a build without it: the histories +51 ± 28 Elo, the depth -16 ± 31.

use super::state::Node;
use crate::search::numbers::numbers;
use crate::search::worker::Worker;

numbers! {
    hindsight:
    /// A ply less if a reduced move has made the evaluation worse by more than these centipawns.
    worse = 151, 40 to 400;
    /// History malus of a move for every 16 centipawns by which it has made things worse.
    malus = 64, 0 to 256;
    /// The largest bonus or malus, in history units.
    malus_most = 1200, 200 to 3000;
}

/// If a move was reduced by this many plies or more and has not made the evaluation worse for its side,
/// it was reduced too much.
const LARGE_REDUCTION: i32 = 3;

/// Compares the static evaluation of the node with that before the last move. Not in a singular
/// search.
#[inline(always)]
pub(super) fn look_back(worker: &mut Worker<'_>, node: &mut Node) {
    if node.excluded.is_some() {
        return;
    }
    let numbers = Numbers::of(worker.params);
    let prior = &mut worker.frames[node.ply - 1];
    // Only the first search of the node sees the reduction, not the one that verifies a null move.
    let reduction = std::mem::take(&mut prior.reduction);
    let index = prior.history_index;
    let Some((now, before)) = node.static_eval.zip(prior.static_eval) else { return };
    let worse = now.raw() + before.raw();
    if let Some(index) = index {
        let malus = worse * numbers.malus / 16;
        let bonus = (-malus).clamp(-numbers.malus_most, numbers.malus_most);
        worker.histories.update_main(index, bonus);
    }
    if reduction >= LARGE_REDUCTION && worse <= 0 {
        node.depth += 1;
    } else if reduction >= 1 && node.depth >= 2 && worse > numbers.worse {
        node.depth -= 1;
    }
}
