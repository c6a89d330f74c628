//! The value of a position: alpha-beta, as a page of names.

use arrayvec::ArrayVec;

use super::ablation::Rule;
use super::history::Context;
use super::ordering::{Picker, Stage};
use super::quiescence::quiesce;
use super::rules::{self, LateMove};
use super::table::{Bound, Entry};
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::board::{CheckInfo, Move, see_value};
use crate::score::{MAX_PLY, Score};

/// Kinds of nodes, as types: what is known before the search of a node begins is known to the compiler.
pub trait Node {
    /// The window is open: the score may be exact.
    const PV: bool;
}

/// A node on the main line.
pub struct Pv;
/// A node of which only is asked whether it reaches beta.
pub struct NonPv;

impl Node for Pv {
    const PV: bool = true;
}

impl Node for NonPv {
    const PV: bool = false;
}

/// The value of a node that is not the root. `cut` nodes are expected to fail high.
pub fn node<N: Node>(
    worker: &mut Worker<'_>,
    mut window: Window,
    mut depth: i32,
    ply: usize,
    cut: bool,
) -> Result<Score, Stopped> {
    if depth <= 0 {
        return quiesce::<N>(worker, window, ply);
    }
    let params = worker.params;
    let uses = |rule| params.uses(rule);
    worker.visit(ply)?;
    worker.frames[ply].line.clear();
    worker.clear_grandchildren(ply + 2);

    if worker.position.is_draw(ply) {
        return Ok(rules::draw_score(params, worker.nodes));
    }
    if ply >= MAX_PLY - 1 {
        return Ok(worker.evaluate());
    }
    if let Some(score) = rules::blocked_draw(params, &worker.position, window) {
        return Ok(score);
    }
    // Whoever can repeat a position at once has at least a draw.
    if window.alpha < Score::DRAW
        && uses(Rule::UpcomingRepetition)
        && worker.position.can_repeat(ply)
    {
        window.alpha = rules::draw_score(params, worker.nodes);
        if window.is_empty() {
            return Ok(window.alpha);
        }
    }
    // Mate distance pruning: no line from here mates sooner than one already found.
    if uses(Rule::MateDistancePruning) {
        window =
            window.narrow(Window { alpha: Score::mated_in(ply), beta: Score::mate_in(ply + 1) });
    }
    if window.is_empty() {
        return Ok(window.alpha);
    }

    let excluded = worker.frames[ply].excluded;
    let key = worker.position.key();
    let entry = worker.shared.table.probe(key);
    if let Some(entry) = entry
        && !N::PV
        && excluded.is_none()
        && entry.depth >= depth
        && worker.position.fifty() < 90
        && let Some(score) = entry.cutoff(window, ply)
    {
        if uses(Rule::TableHistory) && score >= window.beta {
            learn_from_table(worker, entry.best, depth, ply);
        }
        return Ok(score);
    }
    let (mut floor, mut ceiling) = (Score::mated_in(ply), Score::INFINITE);
    if excluded.is_none()
        && let Some(known) = worker.probe_tablebases(depth, ply)
    {
        let score = known.score(ply);
        if known.cutoff(window, ply).is_some() {
            worker.shared.table.store(key, known);
            return Ok(score);
        }
        match known.bound {
            Bound::Lower => floor = score,
            _ => ceiling = score,
        }
        window.alpha = window.alpha.max(floor);
    }

    let info = worker.position.check_info();
    let in_check = info.in_check();
    let stored_eval = entry.and_then(|entry| entry.eval());
    let raw_eval = (!in_check).then(|| stored_eval.unwrap_or_else(|| worker.evaluate()));
    let correction = worker.correction(ply);
    let eval = raw_eval
        .map(|raw| rules::rule50_scaling(params, raw.raw() + correction, worker.position.fifty()));
    worker.frames[ply].eval = eval;
    let improving = worker.improving(eval, ply);
    let was_pv = N::PV || entry.is_some_and(|entry| entry.pv);
    let table_move =
        entry.and_then(|entry| entry.best).filter(|&m| worker.position.is_legal(m, &info));
    if raw_eval.is_some() && stored_eval.is_none() && entry.is_none() {
        let kept = Entry::new(None, Score::DRAW, raw_eval, 0, Bound::None, was_pv, ply);
        worker.shared.table.store(key, kept);
    }

    if excluded.is_none() {
        let earlier = worker.frames[ply - 1].eval;
        let sum = eval.zip(earlier).map(|(now, earlier)| now.raw() + earlier.raw());
        if uses(Rule::EvaluationHistory)
            && let Some(sum) = sum
            && let Some(place) = worker.frames[ply - 1].place
        {
            worker.histories.update_main(place, rules::eval_bonus(params, sum));
        }
        depth =
            (depth + rules::hindsight(params, depth, worker.frames[ply - 1].reduction, sum)).max(1);
    }

    if let Some(static_eval) = eval
        && !N::PV
        && excluded.is_none()
    {
        let eval = entry
            .filter(|_| uses(Rule::TableEvaluation))
            .map_or(static_eval, |entry| entry.refine(static_eval, ply));
        if !was_pv
            && let Some(score) =
                rules::reverse_futility(params, eval, window.beta, depth, improving)
        {
            return Ok(score);
        }
        if rules::razoring(params, eval, window.alpha, depth) {
            let score = quiesce::<N>(worker, window, ply)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if let Some(score) = null_move(worker, (static_eval, eval), window.beta, depth, ply, cut)? {
            return Ok(score);
        }
        let goal = rules::probcut(params, window.beta, depth, improving, entry.as_ref(), ply);
        if let Some(goal) = goal
            && let Some(score) =
                probcut(worker, (raw_eval, static_eval), goal, &info, depth, ply, cut)?
        {
            return Ok(Score::cp(score.raw() - (goal.raw() - window.beta.raw())));
        }
    }
    if excluded.is_none() {
        depth -=
            rules::internal_iterative_reduction(params, depth, table_move.is_some(), N::PV || cut);
    }

    let context = Context::new(params, &worker.position, worker.before(ply), info.danger);
    let mut picker = Picker::new(table_move, worker.frames[ply].killers);
    let noisy_table_move = table_move.is_some_and(|m| worker.position.is_noisy(m));
    // With kings and pawns only every move may be the one that counts.
    let has_pieces = worker.position.has_pieces(worker.position.turn());
    let mut best = floor;
    let mut best_move = None;
    let old_alpha = window.alpha;
    let mut tried = 0;
    let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
    let mut captures: ArrayVec<Move, 32> = ArrayVec::new();

    while let Some(m) = picker.next(&worker.position, &info, worker.histories, &context) {
        if Some(m) == excluded {
            continue;
        }
        let quiet = !worker.position.is_noisy(m);
        // Asked of later moves only.
        let gives_check = tried > 0 && context.gives_check(&worker.position, m);
        let history = if quiet {
            worker.histories.quiet(&worker.position, m, &context)
        } else {
            worker.histories.capture(&worker.position, m)
        };
        let base = worker.reductions.base(params, depth, tried, quiet);

        if !best.is_loss() && has_pieces {
            let reduced =
                (depth - (base - history * 1024 / params.reduction_history) / 1024).clamp(1, depth);
            if quiet {
                if rules::late_move_pruning(params, tried, depth, improving) {
                    picker.skip_quiets();
                    continue;
                }
                // Quiet checks may mate: only this move is left out, not those that follow.
                let futile = |eval| rules::futility(params, eval, window.alpha, reduced, history);
                if let Some(most) = eval.filter(|_| !gives_check).and_then(futile) {
                    best = best.max(most);
                    continue;
                }
                if rules::history_pruning(params, history, depth, reduced) {
                    continue;
                }
            } else if picker.stage() > Stage::GoodNoisy && !gives_check {
                let gain = worker.position.captured_by(m).map_or(0, see_value) + history / 64;
                let futile =
                    |eval| rules::capture_futility(params, eval, window.alpha, reduced, gain);
                if let Some(most) = eval.and_then(futile) {
                    best = best.max(most);
                    continue;
                }
            }
            let exchange_depth = if quiet { reduced } else { depth };
            if uses(Rule::SeePruning)
                && depth <= 10
                && picker.stage() > Stage::GoodNoisy
                && !worker
                    .position
                    .see_ge(m, rules::see_pruning_margin(params, exchange_depth, quiet, history))
            {
                continue;
            }
        }

        let mut extension = 0;
        if ply < 2 * worker.root_depth as usize
            && Some(m) == table_move
            && excluded.is_none()
            && let Some(entry) = entry
            && let Some(goal) = rules::singular_beta(params, &entry, depth, ply)
        {
            worker.frames[ply].excluded = Some(m);
            let value = node::<NonPv>(worker, Window::below(goal), (depth - 1) / 2, ply, cut);
            worker.frames[ply].excluded = None;
            worker.frames[ply].eval = eval;
            let value = value?;
            let score = entry.score(ply);
            extension = if value < goal {
                let near = worker.frames[ply].extended <= 8;
                rules::singular_extension(params, value, goal, N::PV, quiet, near)
            } else if uses(Rule::MultiCut) && value >= window.beta && !value.is_decided() {
                // Multi-cut: two moves at least fail high.
                return Ok(value);
            } else if !uses(Rule::NegativeExtensions) {
                0
            } else if score >= window.beta {
                -3 + i32::from(N::PV)
            } else if cut {
                -2
            } else {
                0
            };
        }
        let mut new_depth = depth - 1 + extension;
        worker.frames[ply + 1].extended = worker.frames[ply].extended + i32::from(extension >= 2);

        let place = quiet.then(|| context.place(&worker.position, m));
        worker.play(m, ply);
        worker.frames[ply].place = place;
        worker.frames[ply].number = tried;
        tried += 1;
        let score = (|| {
            if tried == 1 && N::PV {
                return Ok(-node::<N>(worker, -window, new_depth, ply + 1, false)?);
            }
            let scout = -window.null_window();
            let mut score = window.alpha.bound_above();
            let mut full = true;
            let mut again = false;
            if uses(Rule::LateMoveReductions) && depth >= 2 && tried > 1 + usize::from(N::PV) {
                let late = LateMove {
                    pv: was_pv,
                    cut,
                    improving,
                    checks: gives_check,
                    killer: picker.stage() == Stage::Killers,
                    noisy_table_move,
                    cuts_below: worker.frames[ply + 1].cuts > 2,
                    correction,
                    history,
                };
                let reduction = rules::late_move_reduction(params, base, late) / 1024;
                let reduced = (new_depth - reduction).clamp(1, new_depth.max(1));
                if reduced < new_depth {
                    worker.frames[ply].reduction = new_depth - reduced;
                    let result = node::<NonPv>(worker, scout, reduced, ply + 1, true);
                    worker.frames[ply].reduction = 0;
                    score = -result?;
                    full = score > window.alpha;
                    again = true;
                    if full && uses(Rule::DeeperShallower) {
                        // How good it looks says how deep to look again.
                        new_depth +=
                            i32::from(score.raw() > best.raw() + params.deeper + 2 * new_depth);
                        new_depth -= i32::from(score.raw() < best.raw() + params.shallower);
                        full = reduced < new_depth;
                    }
                }
            }
            if full {
                score = -node::<NonPv>(worker, scout, new_depth, ply + 1, !cut)?;
                if again && quiet && uses(Rule::ResearchHistory) {
                    let bonus = if score <= window.alpha {
                        -rules::history_malus(params, new_depth)
                    } else if score >= window.beta {
                        rules::history_bonus(params, new_depth)
                    } else {
                        0
                    };
                    if let Some(index) = worker.frames[ply].tried {
                        worker.histories.update_continuation(index, &context.before, bonus);
                    }
                }
            }
            if N::PV && score > window.alpha {
                score = -node::<N>(worker, -window, new_depth, ply + 1, false)?;
            }
            Ok(score)
        })();
        worker.position.undo();
        let score = score?;

        if score > best {
            best = score;
            if score > window.alpha {
                window.alpha = score;
                best_move = Some(m);
                if N::PV {
                    worker.keep_line(m, ply);
                }
                if window.is_empty() {
                    worker.frames[ply].cuts += 1;
                    learn(worker, m, quiet, (&quiets, &captures), &context, depth, ply);
                    break;
                }
                depth -= rules::raised_alpha(params, depth, score);
            }
        }
        if quiet {
            let _ = quiets.try_push(m);
        } else {
            let _ = captures.try_push(m);
        }
    }

    if tried == 0 && best.is_loss() {
        return Ok(match (excluded, in_check) {
            (Some(_), _) => window.alpha,
            (None, true) => best,
            (None, false) => Score::DRAW,
        });
    }
    if best_move.is_none() && excluded.is_none() {
        worker.prior_move_bonus(ply, rules::history_bonus(params, depth));
    }
    best = best.min(ceiling);
    if best >= window.beta {
        best = rules::fail_high_blending(params, best, window.beta, depth);
    }
    if excluded.is_none() {
        let bound = Bound::of(best, Window { alpha: old_alpha, ..window });
        let kept = Entry::new(best_move, best, raw_eval, depth, bound, was_pv, ply);
        worker.shared.table.store(key, kept);
        let tells = match bound {
            Bound::Lower => eval.is_some_and(|eval| best > eval),
            Bound::Upper => eval.is_some_and(|eval| best < eval),
            _ => true,
        };
        if let Some(eval) = eval
            && tells
            && !best.is_decided()
            && best_move.is_none_or(|m| !worker.position.is_noisy(m))
        {
            worker.update_correction(ply, best.raw() - eval.raw(), depth);
        }
    }
    Ok(best)
}

/// Passes, and answers a score that stands above beta all the same.
fn null_move(
    worker: &mut Worker<'_>,
    evals: (Score, Score),
    beta: Score,
    depth: i32,
    ply: usize,
    cut: bool,
) -> Result<Option<Score>, Stopped> {
    if ply < worker.null_move_min_ply {
        return Ok(None);
    }
    let Some(reduced) =
        rules::null_move_reduced_depth(worker.params, &worker.position, evals, beta, depth)
    else {
        return Ok(None);
    };
    worker.play_null(ply);
    let score = node::<NonPv>(worker, -Window::below(beta), reduced, ply + 1, !cut).map(|s| -s);
    worker.position.undo();
    let score = score?;
    if score < beta {
        return Ok(None);
    }
    let score = if score.is_decided() { beta } else { score };
    if !worker.params.uses(Rule::NullMoveVerification)
        || depth < rules::VERIFY_FROM
        || worker.null_move_min_ply > 0
    {
        return Ok(Some(score));
    }
    // Zugzwang is rare but ruins deep searches: look again without passing in the upper part of the tree.
    worker.null_move_min_ply = ply + (3 * reduced.max(1) as usize) / 4;
    let verified = node::<NonPv>(worker, Window::below(beta), reduced, ply, false);
    worker.null_move_min_ply = 0;
    Ok((verified? >= beta).then_some(score))
}

/// Looks for a capture that reaches `goal`, in quiescence and then in a search four plies shallower.
fn probcut(
    worker: &mut Worker<'_>,
    (raw_eval, eval): (Option<Score>, Score),
    goal: Score,
    info: &CheckInfo,
    depth: i32,
    ply: usize,
    cut: bool,
) -> Result<Option<Score>, Stopped> {
    let key = worker.position.key();
    let table_move = worker.shared.table.probe(key).and_then(|entry| entry.best);
    let least = goal.raw() - eval.raw();
    let legal = |m: &Move| worker.position.is_legal(*m, info) && worker.position.is_noisy(*m);
    let table_move = table_move.filter(|m| legal(m) && worker.position.see_ge(*m, least));
    let mut picker = Picker::noisy(table_move, least);
    let context = Context::new(worker.params, &worker.position, worker.before(ply), info.danger);
    while let Some(m) = picker.next(&worker.position, info, worker.histories, &context) {
        worker.play(m, ply);
        let window = -Window::below(goal);
        let mut score = quiesce::<NonPv>(worker, window, ply + 1).map(|score| -score);
        if depth > 4 && matches!(score, Ok(score) if score >= goal) {
            score = node::<NonPv>(worker, window, depth - 4, ply + 1, !cut).map(|score| -score);
        }
        worker.position.undo();
        let score = score?;
        if score >= goal {
            let kept = Entry::new(Some(m), score, raw_eval, depth - 3, Bound::Lower, false, ply);
            worker.shared.table.store(key, kept);
            return Ok((!score.is_decided()).then_some(score));
        }
    }
    Ok(None)
}

/// The table knows a move that refutes the node: the histories learn it too.
fn learn_from_table(worker: &mut Worker<'_>, best: Option<Move>, depth: i32, ply: usize) {
    let Some(m) = best else { return };
    if !worker.position.is_noisy(m) {
        let info = worker.position.check_info();
        if worker.position.is_legal(m, &info) {
            let context =
                Context::new(worker.params, &worker.position, worker.before(ply), info.danger);
            let bonus = rules::history_bonus(worker.params, depth);
            worker.histories.update_quiet(&worker.position, m, &context, bonus);
        }
    }
    if worker.params.uses(Rule::PriorMoveMalus) {
        worker.prior_move_malus(ply, rules::history_malus(worker.params, depth));
    }
}

/// A move has refuted the node: the histories learn from it and from those tried before in vain.
fn learn(
    worker: &mut Worker<'_>,
    best: Move,
    quiet: bool,
    (quiets, captures): (&[Move], &[Move]),
    context: &Context<'_>,
    depth: i32,
    ply: usize,
) {
    if worker.params.uses(Rule::PriorMoveMalus) {
        worker.prior_move_malus(ply, rules::history_malus(worker.params, depth));
    }
    let bonus = rules::history_bonus(worker.params, depth);
    let malus = rules::history_malus(worker.params, depth);
    let position = &worker.position;
    if quiet {
        let killers = &mut worker.frames[ply].killers;
        if worker.params.uses(Rule::Killers) && killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        // A cutoff at once, near the leaves, says little that was not known.
        if depth > 3 || !quiets.is_empty() {
            worker.histories.update_quiet(position, best, context, bonus);
        }
        for &m in quiets {
            worker.histories.update_quiet(position, m, context, -malus);
        }
    } else {
        worker.histories.update_capture(position, best, bonus);
    }
    for &m in captures {
        worker.histories.update_capture(position, m, -malus);
    }
}
