//! ProbCut: a capture that reaches a score well above beta in a shallow search will nearly always
//! reach beta in a deep one (Buro, 1994).
//!
//! Worth, in matches against a build without it: +3 ± 33 Elo.

use super::node_type::NonPv;
use super::quiescence::quiescence;
use super::state::{Node, Search};
use crate::score::Score;
use crate::search::memory::table::{Bound, Entry};
use crate::search::numbers::numbers;
use crate::search::order::histories::Context;
use crate::search::order::picker::Picker;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

numbers! {
    probcut:
    /// Centipawns above beta that a capture must reach.
    margin = 100, 80 to 320;
    /// Centipawns less where the position improves.
    improving = 35, 0 to 120;
}

/// The least depth at which it is tried, in plies.
const LEAST_DEPTH: i32 = 5;

/// The plies by which a capture is searched less deep.
const REDUCTION: i32 = 4;
const _: () = assert!(REDUCTION < LEAST_DEPTH);

/// The score that a capture must reach; `None` if ProbCut is not worth trying, for example because a
/// deep enough TT score of any bound is below it (as in Stockfish).
#[inline(always)]
fn probcut_beta(worker: &Worker<'_>, node: &Node) -> Option<Score> {
    let (numbers, beta) = (Numbers::of(worker.params), node.window.beta);
    let margin = numbers.margin - numbers.improving * i32::from(node.improving);
    let probcut_beta = Score::cp(beta.raw() + margin);
    let known_less =
        |entry: Entry| entry.depth > node.depth - REDUCTION && entry.score(node.ply) < probcut_beta;
    (node.depth >= LEAST_DEPTH && !beta.is_decided() && !node.entry.is_some_and(known_less))
        .then_some(probcut_beta)
}

/// Tries captures for one that reaches [`probcut_beta`] in quiescence and then in a shallower
/// search, and returns a score of at least beta if there is one.
#[inline(always)]
pub(super) fn probcut(
    worker: &mut Worker<'_>,
    node: &Node,
    static_eval: Score,
    search: &impl Search,
) -> Result<Option<Score>, Stopped> {
    match probcut_beta(worker, node) {
        Some(probcut_beta) => try_captures(worker, node, static_eval, probcut_beta, search),
        None => Ok(None),
    }
}

fn try_captures(
    worker: &mut Worker<'_>,
    node: &Node,
    static_eval: Score,
    probcut_beta: Score,
    search: &impl Search,
) -> Result<Option<Score>, Stopped> {
    let &Node { depth, ply, cut, key, window: Window { beta, .. }, .. } = node;
    let least = probcut_beta.raw() - static_eval.raw();
    let hash_move = node.hash_move.filter(|&m| {
        node.noisy_hash_move && worker.position.see_ge_in(m, least, node.info.attacked)
    });
    worker.count_double_extensions(ply, 0);
    let mut picker = Picker::noisy(hash_move, least);
    let before = worker.prior_moves(ply);
    let context = Context::new(worker.params, &worker.position, before, node.info.attacked);
    while let Some(m) = picker.next(&worker.position, &node.info, worker.histories, &context) {
        worker.prefetch_child(m);
        worker.play(m, ply);
        let window = -Window::below(probcut_beta);
        let mut score = quiescence::<NonPv>(worker, window, ply + 1).map(|score| -score);
        if score.is_ok_and(|score| score >= probcut_beta) {
            score = search(worker, window, depth - REDUCTION, ply + 1, !cut).map(|score| -score);
        }
        worker.position.undo();
        let score = score?;
        if score >= probcut_beta {
            // With the move the search was one ply deeper.
            let depth = depth - REDUCTION + 1;
            let kept =
                Entry::new(Some(m), score, node.raw_eval, depth, Bound::Lower, node.was_pv, ply);
            worker.shared.table.store(key, kept);
            let above_beta = Score::cp(score.raw() - (probcut_beta.raw() - beta.raw()));
            return Ok((!score.is_decided()).then_some(above_beta));
        }
    }
    Ok(None)
}
