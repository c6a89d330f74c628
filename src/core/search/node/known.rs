//! Known results: nodes whose score needs no search, or lies within known bounds.
//!
//! In order: draws by the rules; upcoming repetition and mate distance pruning, which narrow the
//! window; the transposition table; tablebases; mates against a bare king and fortresses, which are
//! [known](crate::known). Never at the root, which needs a move.
//!
//! Worth, in matches against a build without them: upcoming repetition +37 ± 33 Elo, draw jitter -3
//! ± 27, blocked pawn endings -4 ± 4, mate distance pruning -8 ± 9.

use super::node_type::NodeType;
use super::state::Node;
use super::{static_eval, update};
use crate::chess::Role;
use crate::known::{Judged, Known, Reason};
use crate::score::{MAX_PLY, Score};
use crate::search::memory::table::Bound;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

/// The score of a node that needs no search: a draw by the rules, a node at the greatest ply, or a
/// window that an upcoming repetition or mate distance pruning has left empty.
#[inline(always)]
pub(super) fn by_rules(worker: &mut Worker<'_>, window: &mut Window, ply: usize) -> Option<Score> {
    if let Some(score) = draw_or_horizon(worker, ply) {
        return Some(score);
    }
    if let Some(score) = upcoming_repetition(worker, window, ply) {
        return Some(score);
    }
    mate_distance(window, ply)
}

/// Draws by the rules, and the evaluation at the greatest ply.
#[inline(always)]
pub(super) fn draw_or_horizon(worker: &mut Worker<'_>, ply: usize) -> Option<Score> {
    worker.frames[ply].line.clear();
    if worker.position.is_draw(ply) {
        return Some(draw_score(worker.nodes));
    }
    (ply >= MAX_PLY - 1).then(|| {
        let raw = worker.evaluate(None);
        static_eval::of(worker.params, &worker.position, raw, 0)
    })
}

/// Upcoming repetition (Marcel van Kervinck's cuckoo tables): a side that can repeat a position at
/// once has at least a draw. Raises alpha, and returns the score if the window is empty then.
#[inline(always)]
pub(super) fn upcoming_repetition(
    worker: &Worker<'_>,
    window: &mut Window,
    ply: usize,
) -> Option<Score> {
    if window.alpha < Score::DRAW && worker.position.can_repeat(ply) {
        window.alpha = draw_score(worker.nodes);
        return window.is_empty().then_some(window.alpha);
    }
    None
}

/// Draw jitter (randomised draw scores): draws are scored a centipawn above or below zero, by the
/// node count, so that the search does not settle for the first repetition it meets.
#[inline(always)]
fn draw_score(nodes: u64) -> Score {
    Score::cp(1 - (nodes & 2) as i32)
}

/// Mate distance pruning: narrows the window to the mates that are still possible at this ply, and cuts
/// the node off if none of them is in it.
#[inline(always)]
fn mate_distance(window: &mut Window, ply: usize) -> Option<Score> {
    let mates = Window { alpha: Score::mated_in(ply), beta: Score::mate_in(ply + 1) };
    *window = window.narrow(mates);
    window.is_empty().then_some(window.alpha)
}

/// The score of the transposition table or of tablebases, if it decides the node. Tablebases may
/// narrow the window as well.
#[inline(always)]
pub(super) fn by_tables<N: NodeType>(worker: &mut Worker<'_>, node: &mut Node) -> Option<Score> {
    if let Some(score) = table_cutoff::<N>(worker, node) {
        return Some(score);
    }
    if let Some(score) = tablebase_cutoff(worker, node) {
        return Some(score);
    }
    if let Some(m) = node.entry.and_then(|entry| entry.best) {
        worker.prefetch_child(m);
    }
    None
}

/// The score of the TT entry, if it decides the node. Not near the fifty-move rule, which the table
/// does not know.
#[inline(always)]
fn table_cutoff<N: NodeType>(worker: &mut Worker<'_>, node: &Node) -> Option<Score> {
    let entry = node.entry?;
    if N::PV || entry.depth < node.depth || worker.position.fifty() >= 90 {
        return None;
    }
    let score = entry.cutoff(node.window, node.ply)?;
    if score >= node.window.beta && node.excluded.is_none() {
        update::after_table_cutoff(worker, node, entry.best);
    }
    Some(score)
}

/// The score of the tablebases, if it decides the node; else it narrows the window.
#[inline(always)]
fn tablebase_cutoff(worker: &mut Worker<'_>, node: &mut Node) -> Option<Score> {
    if node.excluded.is_some() {
        return None;
    }
    let known = worker.probe_tablebases(node.depth, node.ply)?;
    if let Some(score) = known.cutoff(node.window, node.ply) {
        worker.shared.table.store(node.key, known);
        return Some(score);
    }
    let score = known.score(node.ply);
    match known.bound {
        Bound::Lower => node.at_least = score,
        _ => node.at_most = score,
    }
    node.narrow();
    None
}

/// Asks what is known about the node, and returns its score if that is enough: a mate against a bare
/// king, or a proven draw. If it is proven that one side cannot win, this narrows the window. Not in a
/// singular search: the excluded move may be the one that holds the draw. At the root the answer only
/// serves the static evaluation.
#[inline(always)]
pub(super) fn by_knowledge<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &mut Node,
) -> Result<Option<Score>, Stopped> {
    if node.excluded.is_some() {
        return Ok(None);
    }
    node.known = worker.ask()?;
    Ok(node.known.filter(|_| !N::ROOT).and_then(|known| cutoff(worker, node, &known)))
}

/// Rarely called, so not inlined.
#[cold]
fn cutoff(worker: &Worker<'_>, node: &mut Node, known: &Known) -> Option<Score> {
    if let Some(score) = mate(worker, node, known) {
        return Some(score);
    }
    // A win that `mate` has refused must be found by the search.
    if let Reason::BareKing(_) = known.reason
        && !known.is_draw()
    {
        return None;
    }
    let us = worker.position.turn();
    if !known.can_win[us] {
        node.at_most = node.at_most.min(Score::DRAW);
    }
    if !known.can_win[us.other()] {
        node.at_least = node.at_least.max(Score::DRAW);
    }
    node.narrow();
    (known.is_draw() || node.window.is_empty()).then_some(Score::DRAW)
}

/// The score of a known mate against a bare king. It is exact, so no search is needed and pruning
/// cannot miss it. `None` if the fifty-move rule comes first, if a position of the game has repeated, at
/// the greatest ply, at a limited strength that does not know this mate, or after an underpromotion.
fn mate(worker: &Worker<'_>, node: &Node, known: &Known) -> Option<Score> {
    let (Judged::Mate { plies, .. }, Reason::BareKing(ending)) = (known.judged, known.reason)
    else {
        return None;
    };
    let can_mate = worker.shared.strength.is_none_or(|strength| strength.can_mate(ending));
    let end = node.ply + plies as usize;
    if worker.has_repeated
        || !can_mate
        || worker.position.fifty() + plies > 100
        || end >= MAX_PLY
        || has_underpromoted(worker, node.ply)
    {
        return None;
    }
    let mates = plies % 2 == 1;
    Some(if mates { Score::mate_in(end) } else { Score::mated_in(end) })
}

/// Whether a pawn was underpromoted on the way from the root. The known mate may then be longer than the
/// one with a queen, which is in no table, and after a mate score no search looks for a shorter mate.
fn has_underpromoted(worker: &Worker<'_>, ply: usize) -> bool {
    let mut promotions = worker.position.last_moves(ply).filter_map(|m| m.promotion());
    promotions.any(|role| role != Role::Queen)
}
