//! Principal variation search (PVS) of the nodes between the root and quiescence.
//!
//! [`search_node`] lists the steps of a node. What is known of the node is passed along in
//! `node_data.rs`; decisions about a single move are in `decisions.rs`, what the histories learn in
//! `learning.rs`; the pruning, extension and reduction rules, with their reasons, in `rules.rs`.

use super::decisions::{candidate, is_pruned, re_search_depth, reduction};
use super::history::Context;
use super::learning::{learn_from_cutoff, learn_from_re_search, learn_from_table, look_back};
use super::node_data::{Candidate, Facts, Node, Progress};
use super::node_type::{NodeType, NonPv};
use super::ordering::Picker;
use super::quiescence::quiescence;
use super::rules::{self, Evaluations};
use super::table::{Bound, Entry};
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::board::CheckInfo;
use crate::score::Score;

/// The result of a singular search, the search of all moves but the hash move.
enum Singularity {
    /// The hash move is extended by so many plies; negative for a reduction.
    Extension(i32),
    /// Other moves fail high as well: multi-cut with this score.
    MultiCut(Score),
}

/// The value of a node that is not the root. `cut` nodes are expected to fail high.
pub fn search_node<N: NodeType>(
    worker: &mut Worker<'_>,
    mut window: Window,
    depth: i32,
    ply: usize,
    cut: bool,
) -> Result<Score, Stopped> {
    if depth <= 0 {
        return quiescence::<N>(worker, window, ply);
    }
    if let Some(score) = known_result(worker, &mut window, ply)? {
        return Ok(score);
    }
    // Overlaps with the prefetch of the TT entry.
    let info = worker.position.check_info();
    let excluded = worker.frames[ply].excluded;
    let key = worker.key_without(excluded);
    let mut node = Node {
        window,
        depth,
        ply,
        cut,
        excluded,
        key,
        entry: worker.shared.table.probe(key),
        at_least: Score::mated_in(ply),
        at_most: Score::INFINITE,
    };
    if let Some(score) = table_cutoff::<N>(worker, &node) {
        return Ok(score);
    }
    if let Some(score) = tablebase_cutoff(worker, &mut node) {
        return Ok(score);
    }
    if let Some(m) = node.entry.and_then(|entry| entry.best) {
        worker.prefetch_child(m);
    }
    let facts = evaluate_node::<N>(worker, &node, info);
    if let Some(score) = wall_cutoff(worker, &mut node, &facts) {
        return Ok(score);
    }
    if node.excluded.is_none() && !worker.mates_only {
        look_back(worker, &mut node, &facts);
    }
    if let Some(score) = prune_node::<N>(worker, &node, &facts)? {
        return Ok(score.max(node.at_least).min(node.at_most));
    }
    search_moves::<N>(worker, &mut node, &facts)
}

/// The score of a node that needs no search: draws, proven blocked endings, known mates, and windows
/// that an upcoming repetition or mate distance pruning has left empty.
#[inline(always)]
fn known_result(
    worker: &mut Worker<'_>,
    window: &mut Window,
    ply: usize,
) -> Result<Option<Score>, Stopped> {
    if let Some(score) = worker.enter(ply)? {
        return Ok(Some(score));
    }
    worker.clear_grandchildren(ply + 2);
    if let Some(score) = rules::blocked_draw(&worker.position, *window) {
        return Ok(Some(score));
    }
    if worker.knows_mates()
        && let Some(score) = rules::known_mate(&worker.position, ply, worker.shared.strength)
    {
        return Ok(Some(score));
    }
    if let Some(score) = worker.upcoming_repetition(window, ply) {
        return Ok(Some(score));
    }
    // Mate distance pruning: no line from here mates sooner than one already found.
    let mates = Window { alpha: Score::mated_in(ply), beta: Score::mate_in(ply + 1) };
    *window = window.narrow(mates);
    Ok(window.is_empty().then_some(window.alpha))
}

/// The score of the transposition table, if it decides the node. Not near the fifty-move rule,
/// which the table does not know.
#[inline(always)]
fn table_cutoff<N: NodeType>(worker: &mut Worker<'_>, node: &Node) -> Option<Score> {
    let entry = node.entry?;
    if N::PV || entry.depth < node.depth || worker.position.fifty() >= 90 {
        return None;
    }
    let score = entry.cutoff(node.window, node.ply)?;
    if score >= node.window.beta && node.excluded.is_none() {
        learn_from_table(worker, entry.best, node.depth, node.ply);
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
    let score = known.score(node.ply);
    if known.cutoff(node.window, node.ply).is_some() {
        worker.shared.table.store(node.key, known);
        return Some(score);
    }
    match known.bound {
        Bound::Lower => node.at_least = score,
        _ => node.at_most = score,
    }
    node.narrow();
    None
}

/// A draw where a proven wall decides the node; else it narrows the window.
#[inline(always)]
fn wall_cutoff(worker: &Worker<'_>, node: &mut Node, facts: &Facts) -> Option<Score> {
    if node.excluded.is_some() || worker.mates_only {
        return None;
    }
    let cannot_win = rules::wall(&worker.position, facts.raw_eval)?;
    let us = worker.position.turn();
    if cannot_win[us] {
        node.at_most = node.at_most.min(Score::DRAW);
    }
    if cannot_win[us.other()] {
        node.at_least = node.at_least.max(Score::DRAW);
    }
    node.narrow();
    node.window.is_empty().then_some(Score::DRAW)
}

/// Computes the [`Facts`] of a node: checks and pins, the static evaluation, and whether the
/// hash move is legal.
#[inline(always)]
fn evaluate_node<N: NodeType>(worker: &mut Worker<'_>, node: &Node, info: CheckInfo) -> Facts {
    let &Node { ply, entry, .. } = node;
    let excluded = node.excluded.is_some();
    let raw_eval = if info.in_check() {
        None
    } else if excluded {
        worker.frames[ply].raw_eval
    } else {
        entry.and_then(|entry| entry.eval()).or_else(|| Some(worker.evaluate()))
    };
    worker.frames[ply].raw_eval = raw_eval;
    let correction = worker.correction(ply);
    let eval = raw_eval.map(|raw| worker.static_eval(raw, correction));
    worker.frames[ply].eval = eval;
    let improving = worker.improving(eval, ply);
    let was_pv = if excluded {
        worker.frames[ply].was_pv
    } else {
        N::PV || entry.is_some_and(|entry| entry.pv)
    };
    worker.frames[ply].was_pv = was_pv;
    let hash_move =
        entry.and_then(|entry| entry.best).filter(|&m| worker.position.is_legal(m, &info));
    if raw_eval.is_some() && entry.is_none() && !excluded {
        let kept = Entry::new(None, Score::DRAW, raw_eval, 0, Bound::None, was_pv, ply);
        worker.shared.table.store(node.key, kept);
    }
    let noisy_hash_move = hash_move.is_some_and(|m| worker.position.is_noisy(m));
    Facts { info, raw_eval, eval, correction, improving, was_pv, hash_move, noisy_hash_move }
}

/// Prunes the whole node where its evaluation, or a shallow search, says that it fails high or low:
/// reverse futility pruning, razoring, null move pruning, ProbCut. In a singular search only the
/// first two.
#[inline(always)]
fn prune_node<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    facts: &Facts,
) -> Result<Option<Score>, Stopped> {
    let Some(static_eval) = facts.eval.filter(|_| !N::PV && !worker.mates_only) else {
        return Ok(None);
    };
    let (params, depth, beta) = (worker.params, node.depth, node.window.beta);
    let refined = node.entry.map_or(static_eval, |entry| entry.refine(static_eval, node.ply));
    if !facts.was_pv
        && let Some(score) = rules::reverse_futility(params, refined, beta, depth, facts.improving)
    {
        return Ok(Some(score));
    }
    if rules::razoring(params, refined, node.window.alpha, depth) {
        let score = quiescence::<N>(worker, node.window, node.ply)?;
        if score <= node.window.alpha {
            return Ok(Some(score));
        }
    }
    if node.excluded.is_some() {
        return Ok(None);
    }
    if let Some(score) = null_move(worker, node, Evaluations { static_eval, refined })? {
        return Ok(Some(score));
    }
    let entry = node.entry.as_ref();
    match rules::probcut(params, beta, depth, facts.improving, entry, node.ply) {
        Some(probcut_beta) => probcut(worker, node, facts, probcut_beta),
        None => Ok(None),
    }
}

/// Searches the moves of the node, one after the other.
#[inline(always)]
fn search_moves<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &mut Node,
    facts: &Facts,
) -> Result<Score, Stopped> {
    let (params, ply, old_alpha) = (worker.params, node.ply, node.window.alpha);
    if node.excluded.is_none() && !worker.mates_only {
        let (known, likely) = (facts.hash_move.is_some(), N::PV || node.cut);
        node.depth -= rules::internal_iterative_reduction(node.depth, known, likely);
    }
    let before = worker.prior_moves(ply);
    let context = Context::new(params, &worker.position, before, facts.info.danger);
    let mut picker = Picker::new(facts.hash_move, worker.frames[ply].killers);
    // With kings and pawns only every move may be the one that counts.
    let may_prune = worker.position.has_pieces(worker.position.turn()) && !worker.mates_only;
    let mut progress = Progress::new(node.at_least);
    let is_last = worker.mates_only && ply + 2 == worker.max_ply;

    loop {
        let prunes = may_prune && !progress.best.is_loss();
        let (count, improving) = (progress.move_count, facts.improving);
        if prunes && rules::late_move_pruning(params, count, node.depth, improving) {
            picker.skip_quiets();
        }
        let next = picker.next(&worker.position, &facts.info, worker.histories, &context);
        let Some(m) = next else { break };
        if Some(m) == node.excluded {
            continue;
        }
        // The last move of a mate gives check. Any other fails low at alpha: the side is not mated.
        if is_last && !context.gives_check(&worker.position, m) {
            progress.best = progress.best.max(node.window.alpha);
            continue;
        }
        worker.prefetch_child(m);
        let candidate =
            candidate(worker, &context, m, picker.stage(), node.depth, progress.move_count);
        if prunes && is_pruned::<N>(worker, node, facts, &candidate) {
            progress.move_count += 1;
            continue;
        }
        // While this move is searched, the entry of the next one comes from memory.
        if let Some(next) = picker.ahead() {
            worker.prefetch_child(next);
        }
        let extension = match singularity::<N>(worker, node, facts, &candidate)? {
            Singularity::Extension(plies) => plies,
            Singularity::MultiCut(score) => return Ok(score.min(node.at_most)),
        };
        worker.count_double_extensions(ply, i32::from(extension >= 2));
        let new_depth = node.depth - 1 + extension;
        let score =
            search_move::<N>(worker, node, facts, &context, &candidate, &progress, new_depth)?;
        progress.move_count += 1;

        if score > progress.best {
            progress.best = score;
            if score > node.window.alpha {
                node.window.alpha = score;
                progress.best_move = Some(m);
                if N::PV {
                    worker.update_line(m, ply);
                }
                if node.window.is_empty() {
                    worker.frames[ply].cutoffs += 1;
                    learn_from_cutoff(worker, node, &candidate, &progress, &context);
                    break;
                }
                if !worker.mates_only {
                    node.depth -= rules::raised_alpha(node.depth, score);
                }
            }
        }
        // The best move so far, and moves that do not fit into the lists, get no malus.
        if progress.best_move != Some(m) {
            let _ = if candidate.quiet {
                progress.quiets.try_push(m)
            } else {
                progress.captures.try_push(m)
            };
        }
    }
    Ok(finish_node(worker, node, facts, &progress, old_alpha))
}

/// Singular extensions: whether the hash move is the only good one, by a search of all others at
/// half the depth with a null window below the TT score.
#[inline(always)]
fn singularity<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    facts: &Facts,
    candidate: &Candidate,
) -> Result<Singularity, Stopped> {
    let (params, ply) = (worker.params, node.ply);
    let eligible = ply < 2 * worker.root_depth as usize
        && Some(candidate.m) == facts.hash_move
        && node.excluded.is_none()
        && !worker.mates_only;
    let Some((entry, singular_beta)) = node.entry.filter(|_| eligible).and_then(|entry| {
        let singular_beta =
            rules::singular_beta::<N>(params, &entry, facts.was_pv, node.depth, ply)?;
        Some((entry, singular_beta))
    }) else {
        return Ok(Singularity::Extension(0));
    };
    worker.frames[ply].excluded = Some(candidate.m);
    let others = Window::below(singular_beta);
    let value = search_node::<NonPv>(worker, others, (node.depth - 1) / 2, ply, node.cut);
    worker.frames[ply].excluded = None;
    worker.frames[ply].eval = facts.eval;
    let value = value?;
    if value < singular_beta {
        let (below, doubles) =
            (singular_beta.raw() - value.raw(), worker.frames[ply].double_extensions);
        return Ok(Singularity::Extension(rules::singular_extension::<N>(params, below, doubles)));
    }
    // The other moves reach beta as well, so that the hash move need not be searched.
    if singular_beta >= node.window.beta {
        return Ok(Singularity::MultiCut(singular_beta));
    }
    let plies = rules::negative_extension(entry.score(ply), value, node.window);
    Ok(Singularity::Extension(plies))
}

/// Makes a move, searches the child, and unmakes the move: the first move of a PV node with the
/// full window, others with a null window and late move reductions, and again deeper or with the
/// full window if they raise alpha.
#[inline(always)]
pub fn search_move<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    facts: &Facts,
    context: &Context<'_>,
    candidate: &Candidate,
    progress: &Progress,
    new_depth: i32,
) -> Result<Score, Stopped> {
    let &Candidate { m, quiet, .. } = candidate;
    let indexed = quiet && !N::ROOT;
    let history_index = indexed.then(|| context.history_index(&worker.position, m));
    worker.play(m, node.ply);
    let frame = &mut worker.frames[node.ply];
    frame.history_index = history_index;
    frame.move_count = progress.move_count;
    let score = if N::PV && progress.move_count == 0 {
        search_node::<N::Child>(worker, -node.window, new_depth, node.ply + 1, false)
            .map(|score| -score)
    } else {
        search_later_move::<N>(worker, node, facts, context, candidate, progress, new_depth)
    };
    worker.position.undo();
    score
}

/// Searches a move that was just played and is not the first of a PV node.
#[inline(always)]
fn search_later_move<N: NodeType>(
    worker: &mut Worker<'_>,
    node: &Node,
    facts: &Facts,
    context: &Context<'_>,
    candidate: &Candidate,
    progress: &Progress,
    mut new_depth: i32,
) -> Result<Score, Stopped> {
    let (params, child) = (worker.params, node.ply + 1);
    let null_window = -node.window.null_window();
    let reduction = reduction::<N>(worker, node, facts, candidate, progress.move_count);
    let reduced_depth = (new_depth - reduction).clamp(1, new_depth.max(1));
    let is_reduced = reduced_depth < new_depth;
    let mut score = node.window.alpha.bound_above();
    let mut full_depth = true;
    if is_reduced {
        // Hindsight is not for the children of the root.
        worker.frames[node.ply].reduction = if N::ROOT { 0 } else { new_depth - reduced_depth };
        let result = search_node::<NonPv>(worker, null_window, reduced_depth, child, true);
        worker.frames[node.ply].reduction = 0;
        score = -result?;
        full_depth = score > node.window.alpha;
        if full_depth {
            // The re-search is deeper or shallower by how good the reduced search looked.
            new_depth += re_search_depth::<N>(params, score, progress.best, new_depth);
            full_depth = reduced_depth < new_depth;
        }
    }
    if full_depth {
        score = -search_node::<NonPv>(worker, null_window, new_depth, child, !node.cut)?;
        if is_reduced && candidate.quiet {
            learn_from_re_search(worker, node, context, score, new_depth);
        }
    }
    if N::PV && score > node.window.alpha {
        score = -search_node::<N::Child>(worker, -node.window, new_depth, child, false)?;
    }
    Ok(score)
}

/// The score of a node whose moves were all searched, or which failed high: mate or stalemate
/// without a legal move. Stores it in the transposition table, and the error of the evaluation in
/// the correction histories.
#[inline(always)]
fn finish_node(
    worker: &mut Worker<'_>,
    node: &Node,
    facts: &Facts,
    progress: &Progress,
    old_alpha: Score,
) -> Score {
    let (ply, depth, window) = (node.ply, node.depth, node.window);
    let &Progress { mut best, best_move, move_count, .. } = progress;
    if move_count == 0 && (best.is_loss() || worker.mates_only) {
        return match node.excluded {
            Some(_) => window.alpha,
            // Not mated either: moves without check were left out at the last ply of a mate.
            None if facts.info.in_check() || !best.is_loss() => best,
            None => Score::DRAW,
        };
    }
    if best_move.is_none() && node.excluded.is_none() {
        worker.prior_move_bonus(ply, rules::history_bonus(worker.params, depth));
    }
    best = best.min(node.at_most);
    if best >= window.beta {
        best = rules::fail_high_blending(best, window.beta, depth);
    }
    let bound = Bound::of(best, Window { alpha: old_alpha, ..window });
    let kept = Entry::new(best_move, best, facts.raw_eval, depth, bound, facts.was_pv, ply);
    worker.shared.table.store(node.key, kept);
    if node.excluded.is_some() {
        return best;
    }
    if let Some(eval) = facts.eval.filter(|_| !worker.mates_only) {
        // A bound on the wrong side of the evaluation says nothing about its error.
        let informative = match bound {
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
            _ => true,
        };
        let quiet = best_move.is_none_or(|m| !worker.position.is_noisy(m));
        if informative && quiet && !best.is_decided() {
            worker.update_correction(ply, best.raw() - eval.raw(), depth);
        }
    }
    best
}

/// Null move pruning: makes a null move, and returns the score of a reduced search if it is at
/// least beta all the same.
fn null_move(
    worker: &mut Worker<'_>,
    node: &Node,
    evals: Evaluations,
) -> Result<Option<Score>, Stopped> {
    let &Node { depth, ply, cut, window: Window { beta, .. }, .. } = node;
    if ply < worker.null_move_min_ply {
        return Ok(None);
    }
    let reduced = rules::null_move(worker.params, &worker.position, evals, beta, depth);
    let Some(reduced) = reduced else { return Ok(None) };
    worker.count_double_extensions(ply, 0);
    worker.play_null(ply);
    let result = search_node::<NonPv>(worker, -Window::below(beta), reduced, ply + 1, !cut);
    worker.position.undo();
    let score = -result?;
    if score < beta {
        return Ok(None);
    }
    let score = if score.is_decided() { beta } else { score };
    let verify = depth >= rules::VERIFY_FROM && worker.null_move_min_ply == 0;
    if !verify {
        return Ok(Some(score));
    }
    // Zugzwang is rare but ruins deep searches: search again without null moves near the root.
    worker.null_move_min_ply = ply + (3 * reduced.max(1) as usize) / 4;
    let verified = search_node::<NonPv>(worker, Window::below(beta), reduced, ply, false);
    worker.null_move_min_ply = 0;
    Ok((verified? >= beta).then_some(score))
}

/// ProbCut: tries captures for one that reaches `probcut_beta` in quiescence and then in a search four
/// plies shallower, and returns a score of at least beta if there is one.
fn probcut(
    worker: &mut Worker<'_>,
    node: &Node,
    facts: &Facts,
    probcut_beta: Score,
) -> Result<Option<Score>, Stopped> {
    let &Node { depth, ply, cut, key, window: Window { beta, .. }, .. } = node;
    let Some(eval) = facts.eval else { return Ok(None) };
    let least = probcut_beta.raw() - eval.raw();
    let hash_move = facts.hash_move.filter(|&m| {
        facts.noisy_hash_move && worker.position.see_ge_in(m, least, facts.info.danger)
    });
    worker.count_double_extensions(ply, 0);
    let mut picker = Picker::noisy(hash_move, least);
    let before = worker.prior_moves(ply);
    let context = Context::new(worker.params, &worker.position, before, facts.info.danger);
    while let Some(m) = picker.next(&worker.position, &facts.info, worker.histories, &context) {
        worker.prefetch_child(m);
        worker.play(m, ply);
        let window = -Window::below(probcut_beta);
        let mut score = quiescence::<NonPv>(worker, window, ply + 1).map(|score| -score);
        if depth > 4 && score.is_ok_and(|score| score >= probcut_beta) {
            score =
                search_node::<NonPv>(worker, window, depth - 4, ply + 1, !cut).map(|score| -score);
        }
        worker.position.undo();
        let score = score?;
        if score >= probcut_beta {
            let pv = facts.was_pv;
            let kept = Entry::new(Some(m), score, facts.raw_eval, depth - 3, Bound::Lower, pv, ply);
            worker.shared.table.store(key, kept);
            let above_beta = Score::cp(score.raw() - (probcut_beta.raw() - beta.raw()));
            return Ok((!score.is_decided()).then_some(above_beta));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::lag::Reserve;
    use super::super::{Clock, Limits, SearchResult, SearcherState, StopFlag, search};
    use crate::board::Position;
    use crate::score::Score;
    use crate::search::Bound;

    fn run(state: &mut SearcherState, position: &Position, limits: &Limits) -> SearchResult {
        let (stop, reserve) = (StopFlag::new(), Reserve { overhead: 0, clock: 0 });
        let clock = Clock::new(limits, position, reserve, &stop);
        search(position, limits, &clock, &stop, state, &mut ())
    }

    /// Its scores say nothing of the error of the evaluation.
    #[test]
    fn a_search_for_mate_teaches_no_corrections() {
        let mut state = SearcherState::new(4, 1).expect("four MiB");
        // By Paul Morphy: Ra6.
        let position: Position = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1".parse().expect("legal");
        let limits = Limits { mate: Some(2), ..Limits::default() };
        assert_eq!(run(&mut state, &position, &limits).score, Score::mate_in(3));
        assert!(state.threads[0][0].corrections.is_empty());
        run(&mut state, &position, &Limits::depth(4));
        assert!(!state.threads[0][0].corrections.is_empty());
    }

    /// A node of the principal variation raises alpha and stays below beta: its score is exact.
    #[test]
    fn the_principal_variation_is_stored_as_exact() {
        let mut state = SearcherState::new(4, 1).expect("four MiB");
        let mut position = Position::start();
        let result = run(&mut state, &position, &Limits::depth(7));
        for &m in &result.line[..3] {
            position.play(m);
            let entry = state.table.probe(position.key()).expect("an entry");
            assert_eq!((entry.bound, entry.pv), (Bound::Exact, true), "{position}");
        }
    }

    /// The score of some moves is not that of the position.
    #[test]
    fn chosen_moves_leave_no_score_of_the_position() {
        let mut state = SearcherState::new(4, 1).expect("four MiB");
        // Qxd5 wins a rook; the chosen move leaves the queen to it.
        let fen = "4k3/ppp5/8/3r4/8/8/3Q4/4K3 w - - 0 1";
        let position: Position = fen.parse().expect("a legal position");
        let chosen = position.parse_uci("e1e2").expect("legal");
        let limits = Limits { search_moves: vec![chosen], ..Limits::depth(6) };
        assert!(run(&mut state, &position, &limits).score.raw() < -300);
        assert!(state.table.probe(position.key()).is_none());
        assert!(run(&mut state, &position, &Limits::depth(6)).score.raw() > 300);
        assert!(state.table.probe(position.key()).is_some());
    }
}
