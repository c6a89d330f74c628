//! A node of the search: principal variation search (PVS), alpha-beta in negamax form.
//!
//! [`search_node`] calls the rules in order, for the root, for PV nodes and for others alike. Each
//! rule has a file: what it is and why it works, its numbers, its condition and its action. Margins
//! are in centipawns, which are compressed far from level (`static_eval.rs`); depths are in plies,
//! parts of a ply in 1024ths.
//!
//! | Rules | File |
//! |---|---|
//! | draws, mates, blocked endings; cutoffs by TT and tablebases | `known.rs` |
//! | static evaluation: corrected, scaled by the fifty-move rule, compressed; improving | `static_eval.rs` |
//! | the last move and its reduction, in hindsight | `hindsight.rs` |
//! | pruning of the node: reverse futility, razoring | `futility.rs` |
//! | null move pruning | `null_move.rs` |
//! | ProbCut | `probcut.rs` |
//! | pruning of moves: by their number, futility, history, SEE | `move_pruning.rs` |
//! | singular extensions, multi-cut, negative extensions | `singular.rs` |
//! | late move reductions and re-searches, internal iterative reductions | `reductions.rs` |
//! | what the node leaves behind: histories, corrections, the TT entry | `update.rs` |
//! | leaves | `quiescence.rs` |
//!
//! Where a file says what a rule is worth, that is Elo against a build without it, in self-play at 3,000
//! nodes a move unless `docs/experiments.md` says otherwise. At that depth rules that save depth gain
//! little.

pub(super) mod futility;
pub(super) mod hindsight;
mod known;
pub(super) mod move_pruning;
pub(super) mod node_type;
pub(super) mod null_move;
pub(super) mod probcut;
pub(super) mod quiescence;
pub(super) mod reductions;
pub(super) mod singular;
mod state;
pub(super) mod static_eval;
#[cfg(test)]
mod tests;
pub(super) mod update;

use super::order::histories::Context;
use super::order::picker::{Picker, Stage};
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::board::Move;
use crate::score::Score;
use node_type::{NodeType, NonPv};
use singular::Singularity;
use state::{Candidate, Node, Searched};

/// The score of a node for its side to move, fail-soft. `cut` nodes are expected to fail high.
pub(super) fn search_node<N: NodeType>(
    worker: &mut Worker<'_>,
    mut window: Window,
    depth: i32,
    ply: usize,
    cut: bool,
) -> Result<Score, Stopped> {
    if depth <= 0 && !N::ROOT {
        return quiescence::quiescence::<N>(worker, window, ply);
    }
    worker.visit(ply)?;
    if !N::ROOT
        && let Some(score) = known::by_rules(worker, &mut window, ply)
    {
        return Ok(score);
    }
    worker.clear_grandchildren(ply + 2);
    let mut node = Node::new(worker, window, depth, ply, cut);
    if !N::ROOT
        && let Some(score) = known::by_tables::<N>(worker, &mut node)
    {
        return Ok(score);
    }
    if let Some(score) = known::by_knowledge::<N>(worker, &mut node)? {
        return Ok(score);
    }
    static_eval::evaluate::<N>(worker, &mut node);
    if !N::ROOT {
        hindsight::look_back(worker, &mut node);
        if let Some(score) = prune::<N>(worker, &node)? {
            return Ok(score.max(node.at_least).min(node.at_most));
        }
    }
    reductions::internal_iterative_reduction::<N>(&mut node);
    search_moves::<N>(worker, node)
}

/// Prunes the node if its evaluation, or a shallow search, says that it fails high or low. Not in
/// PV nodes and not in check. In a singular search, only by reverse futility and razoring.
#[inline(always)]
fn prune<N: NodeType>(worker: &mut Worker<'_>, node: &Node) -> Result<Option<Score>, Stopped> {
    let Some(static_eval) = node.static_eval.filter(|_| !N::PV) else {
        return Ok(None);
    };
    // Prefer the TT score where its bound is tighter than the evaluation.
    let refined = node.entry.map_or(static_eval, |entry| entry.refine(static_eval, node.ply));
    if let Some(score) = futility::reverse_futility(worker, node, refined) {
        return Ok(Some(score));
    }
    if let Some(score) = futility::razoring(worker, node, refined)? {
        return Ok(Some(score));
    }
    if node.excluded.is_some() {
        return Ok(None);
    }
    if let Some(score) =
        null_move::null_move(worker, node, static_eval, refined, &search_node::<NonPv>)?
    {
        return Ok(Some(score));
    }
    probcut::probcut(worker, node, static_eval, &search_node::<NonPv>)
}

/// Searches the moves of the node, one after the other.
#[inline(always)]
fn search_moves<N: NodeType>(worker: &mut Worker<'_>, mut node: Node) -> Result<Score, Stopped> {
    let (ply, old_alpha) = (node.ply, node.window.alpha);
    let before = worker.prior_moves(ply);
    let context = Context::new(worker.params, &worker.position, before, node.info.attacked);
    let mut picker = Picker::new(node.hash_move, worker.frames[ply].killers);
    // With only king and pawns any move may be the decisive one.
    let may_prune = !N::ROOT && worker.position.has_pieces(worker.position.turn());
    let mut searched = Searched::none(node.at_least);

    loop {
        let prunes = may_prune && !searched.best.is_loss();
        if prunes && move_pruning::skips_quiets(worker, &node, searched.count) {
            picker.skip_quiets();
        }
        let next = if N::ROOT {
            worker.root_move(searched.count)
        } else {
            picker.next(&worker.position, &node.info, worker.histories, &context)
        };
        let Some(m) = next else { break };
        if Some(m) == node.excluded {
            continue;
        }
        worker.prefetch_child(m);
        let killer = !N::ROOT && picker.stage() == Stage::Killers;
        let candidate = candidate(worker, &node, &context, m, killer, searched.count);
        if prunes && move_pruning::is_pruned::<N>(worker, &node, &candidate) {
            searched.count += 1;
            continue;
        }
        // Prefetch the entry of the next quiet move while this one is searched.
        if let Some(next) = picker.ahead() {
            worker.prefetch_child(next);
        }
        let extension = match singular::extension::<N>(worker, &node, m, &search_node::<NonPv>)? {
            Singularity::Extension(plies) => plies,
            Singularity::MultiCut(score) => return Ok(score.min(node.at_most)),
        };
        worker.count_double_extensions(ply, i32::from(extension >= 2));
        let nodes = worker.nodes;
        let depth = node.depth - 1 + extension;
        let score = search_move::<N>(worker, &node, &context, &candidate, &searched, depth)?;
        if N::ROOT {
            worker.root_move_searched(searched.count, score, node.window, nodes);
        }
        searched.count += 1;

        if score > searched.best {
            searched.best = score;
            if score > node.window.alpha {
                node.window.alpha = score;
                searched.best_move = Some(m);
                if N::PV {
                    worker.update_line(m, ply);
                }
                if node.window.is_empty() {
                    update::after_cutoff(worker, &node, &candidate, &searched, &context);
                    break;
                }
                reductions::after_raised_alpha(&mut node, score);
            }
        }
        searched.push(&candidate);
    }
    Ok(update::finish::<N>(worker, &node, &searched, old_alpha))
}

/// Looks up what pruning and reductions need to know of a move, after `count` others.
#[inline(always)]
fn candidate(
    worker: &Worker<'_>,
    node: &Node,
    context: &Context<'_>,
    m: Move,
    killer: bool,
    count: usize,
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
        gives_check: count > 0 && context.gives_check(&worker.position, m),
        killer,
        history,
        base_reduction: reductions::base(worker, node.depth, count, quiet),
    }
}

/// Makes a move, searches the child to `depth` plies, and unmakes the move: the first move of a PV
/// node with the full window, others with a null window and late move reductions, and again deeper
/// or with the full window if they raise alpha.
#[inline(always)]
fn search_move<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    context: &Context<'_>,
    candidate: &Candidate,
    searched: &Searched,
    depth: i32,
) -> Result<Score, Stopped> {
    let &Candidate { m, quiet, .. } = candidate;
    let history_index = quiet.then(|| context.history_index(&worker.position, m));
    worker.play(m, node.ply);
    let frame = &mut worker.frames[node.ply];
    frame.history_index = history_index;
    frame.move_count = searched.count;
    let score = if N::PV && searched.count == 0 {
        search_node::<N::Child>(worker, -node.window, depth, node.ply + 1, false)
            .map(|score| -score)
    } else {
        search_later_move::<N>(worker, node, context, candidate, searched, depth)
    };
    worker.position.undo();
    score
}

/// Searches a move that was just made and is not the first of a PV node.
#[inline(always)]
fn search_later_move<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    context: &Context<'_>,
    candidate: &Candidate,
    searched: &Searched,
    mut depth: i32,
) -> Result<Score, Stopped> {
    let child = node.ply + 1;
    let null_window = -node.window.null_window();
    let reduction = reductions::reduction::<N>(worker, node, candidate, searched.count);
    let reduced_depth = (depth - reduction).clamp(1, depth.max(1));
    let is_reduced = reduced_depth < depth;
    // Start above alpha, so that a move without a reduction goes directly to the full-depth search.
    let mut score = node.window.alpha.bound_above();
    if is_reduced {
        worker.frames[node.ply].reduction = depth - reduced_depth;
        let result = search_node::<NonPv>(worker, null_window, reduced_depth, child, true);
        worker.frames[node.ply].reduction = 0;
        score = -result?;
    }
    if score > node.window.alpha {
        if is_reduced {
            depth = reductions::re_search_depth(worker.params, score, searched.best, depth);
        }
        if !is_reduced || depth > reduced_depth {
            score = -search_node::<NonPv>(worker, null_window, depth, child, !node.cut)?;
            if is_reduced && candidate.quiet {
                update::after_re_search(worker, node, context, score, depth);
            }
        }
    }
    if N::PV && score > node.window.alpha {
        score = -search_node::<N::Child>(worker, -node.window, depth, child, false)?;
    }
    Ok(score)
}
