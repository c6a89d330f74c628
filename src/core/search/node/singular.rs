//! Singular extensions (Anantharaman, Campbell and Hsu, 1988): a hash move without which the node
//! would be clearly worse is searched deeper.
//!
//! All other moves are searched at half the depth with a null window below the TT score. If they
//! stay below it, the hash move is singular: one ply more or, off the principal variation and far
//! below, two. If even without it the node fails high, the node is cut (multi-cut). Otherwise,
//! if the TT score is already at or above beta, or at or below alpha, the hash move is searched less deep
//! (negative extension).
//!
//! Worth, in matches against a build without it: singular extensions +17 ± 33 Elo, negative
//! extensions +17 ± 35, multi-cut -13 ± 31, double extensions -15 ± 33.

use super::node_type::NodeType;
use super::state::{Node, Search};
use crate::board::Move;
use crate::score::Score;
use crate::search::memory::table::{Bound, Entry};
use crate::search::numbers::numbers;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

numbers! {
    singular:
    /// Centipawns below the TT score for every 16 plies of depth.
    margin = 20, 6 to 48;
    /// Centipawns more of that in nodes that were on the principal variation and are not now.
    margin_pv = 7, 0 to 30;
    /// Centipawns below the window for a double extension.
    double = 10, 2 to 40;
}

/// The most double extensions on the way to a node: without a limit a search might not end.
const MOST_DOUBLE: i32 = 10;

/// The TT entry may be shallower than the node by this many plies.
const SHALLOWER: i32 = 3;

/// What the search of all moves but the hash move has shown.
pub(super) enum Singularity {
    /// Plies by which to extend the hash move; negative for a reduction.
    Extension(i32),
    /// Other moves fail high as well: multi-cut with this score.
    MultiCut(Score),
}

/// The extension of a move: of the hash move by a search of all others, zero for others.
#[inline(always)]
pub(super) fn extension<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    m: Move,
    search: &impl Search,
) -> Result<Singularity, Stopped> {
    let &Node { ply, depth, window, .. } = node;
    let may_be_singular = !N::ROOT
        && ply < 2 * worker.root_depth as usize
        && Some(m) == node.hash_move
        && node.excluded.is_none();
    let Some((entry, singular_beta)) = node
        .entry
        .filter(|_| may_be_singular)
        .and_then(|entry| Some((entry, singular_beta::<N>(worker, node, &entry)?)))
    else {
        return Ok(Singularity::Extension(0));
    };
    worker.frames[ply].excluded = Some(m);
    let others = Window::below(singular_beta);
    let score = search(worker, others, (depth - 1) / 2, ply, node.cut);
    worker.frames[ply].excluded = None;
    worker.frames[ply].static_eval = node.static_eval;
    let score = score?;
    if score < singular_beta {
        let below = singular_beta.raw() - score.raw();
        let double = !N::PV
            && worker.frames[ply].double_extensions < MOST_DOUBLE
            && below > Numbers::of(worker.params).double;
        return Ok(Singularity::Extension(1 + i32::from(double)));
    }
    // Another move reaches beta as well, so the hash move need not be searched. Its score
    // was searched, so it is returned, not only the bound of the window.
    if score >= window.beta && !score.is_decided() {
        return Ok(Singularity::MultiCut(score));
    }
    let of_table = entry.score(ply);
    Ok(Singularity::Extension(if of_table >= window.beta {
        -2
    } else if of_table <= window.alpha && of_table <= score {
        -1
    } else {
        0
    }))
}

/// The score below which all other moves must stay; `None` where the TT entry does not say enough.
#[inline(always)]
fn singular_beta<N: NodeType>(worker: &Worker<'_>, node: &Node, entry: &Entry) -> Option<Score> {
    let numbers = Numbers::of(worker.params);
    let score = entry.score(node.ply);
    let margin = numbers.margin + if node.was_pv && !N::PV { numbers.margin_pv } else { 0 };
    let least_depth = if N::PV && entry.pv { 6 } else { 4 };
    (node.depth >= least_depth
        && matches!(entry.bound, Bound::Lower | Bound::Exact)
        && entry.depth >= node.depth - SHALLOWER
        && !score.is_decided())
    .then(|| Score::cp(score.raw() - margin * node.depth / 16))
}
