//! The value of a position: alpha-beta, as a page of names.

use arrayvec::ArrayVec;

use super::order::{Picker, Stage};
use super::quiesce::quiesce;
use super::rules::{self, LateMove};
use super::table::{Bound, Entry};
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::board::Move;
use crate::eval::evaluate;
use crate::score::{MAX_PLY, Score};

/// Kinds of nodes, as types: what is known before the search of a node begins is known to the compiler.
pub trait Node {
    /// The window is open: the score may be exact.
    const PV: bool;
    /// The children of its main line.
    type Child: Node;
}

/// A node on the main line.
pub struct Main;
/// A node of which only is asked whether it reaches beta.
pub struct Scout;

impl Node for Main {
    const PV: bool = true;
    type Child = Main;
}

impl Node for Scout {
    const PV: bool = false;
    type Child = Scout;
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
    worker.visit(ply)?;
    worker.frames[ply].line.clear();
    worker.frames[ply + 1].killers = [None; 2];

    if worker.position.is_draw(ply) {
        return Ok(rules::draw_score(worker.nodes));
    }
    if ply >= MAX_PLY - 1 {
        return Ok(evaluate(&worker.position));
    }
    if let Some(score) = rules::blocked_draw(&worker.position, window) {
        return Ok(score);
    }
    // Mate distance pruning: no line from here mates sooner than one already found.
    window = window.narrow(Window { alpha: Score::mated_in(ply), beta: Score::mate_in(ply + 1) });
    if window.is_empty() {
        return Ok(window.alpha);
    }

    let key = worker.position.key();
    let entry = worker.shared.table.probe(key);
    if let Some(entry) = entry
        && !N::PV
        && entry.depth >= depth
        && worker.position.fifty() < 90
        && let Some(score) = entry.cutoff(window, ply)
    {
        return Ok(score);
    }

    let sight = worker.position.sight();
    let in_check = sight.in_check();
    let eval = if in_check {
        None
    } else {
        Some(entry.and_then(|entry| entry.eval()).unwrap_or_else(|| evaluate(&worker.position)))
    };
    worker.frames[ply].eval = eval;
    let improving = eval.is_some_and(|eval| {
        let earlier = |back| ply.checked_sub(back).and_then(|ply| worker.frames[ply].eval);
        earlier(2).or(earlier(4)).is_some_and(|earlier| eval > earlier)
    });
    let table_move = entry.and_then(|entry| entry.best).filter(|&m| worker.position.is_legal(m, &sight));

    if let Some(static_eval) = eval
        && !N::PV
    {
        let eval = entry.map_or(static_eval, |entry| entry.refine(static_eval, ply));
        if let Some(score) = rules::reverse_futility(eval, window.beta, depth, improving) {
            return Ok(score);
        }
        if rules::is_hopeless(eval, window.alpha, depth) {
            let score = quiesce::<N>(worker, window, ply)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if let Some(score) = null_move(worker, eval, window.beta, depth, ply, cut)? {
            return Ok(score);
        }
    }
    depth -= rules::internal_iterative_reduction(depth, table_move.is_some());

    let before = worker.before(ply);
    let mut picker = Picker::new(table_move, worker.frames[ply].killers);
    let checks = worker.position.checks();
    let mut best = Score::mated_in(ply);
    let mut best_move = None;
    let old_alpha = window.alpha;
    let mut tried = 0;
    let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
    let mut captures: ArrayVec<Move, 32> = ArrayVec::new();

    while let Some(m) = picker.next(&worker.position, &sight, worker.histories, &before) {
        let quiet = !worker.position.is_noisy(m);
        let gives_check = worker.position.gives_check(m, &checks);
        let history = if quiet {
            worker.histories.quiet(&worker.position, m, &before)
        } else {
            worker.histories.capture(&worker.position, m)
        };
        let base = worker.reductions.base(depth, tried);

        if !best.is_loss() {
            if quiet {
                if rules::is_too_late(tried, depth, improving) {
                    picker.skip_quiets();
                    continue;
                }
                // Quiet checks may mate: only this move is left out, not those that follow.
                let reduced = (depth - base / 1024).max(1);
                if let Some(most) =
                    eval.filter(|_| !gives_check).and_then(|eval| rules::futile(eval, window.alpha, reduced))
                {
                    best = best.max(most);
                    continue;
                }
                if rules::has_bad_history(history, depth) {
                    continue;
                }
            }
            if depth <= 8
                && picker.stage() > Stage::GoodNoisy
                && !worker.position.wins_exchange(m, rules::exchange_margin(depth, quiet))
            {
                continue;
            }
        }

        // Checks are forcing: they are searched a ply deeper where they do not just lose a piece.
        let near = ply < 2 * worker.root_depth as usize;
        let extension = i32::from(gives_check && near && worker.position.wins_exchange(m, 0));
        let new_depth = depth - 1 + extension;

        worker.play(m, ply);
        tried += 1;
        let score = (|| {
            if tried == 1 {
                let cut = !N::PV && !cut;
                return Ok(-node::<N::Child>(worker, -window, new_depth, ply + 1, cut)?);
            }
            let scout = -window.scout();
            let mut score = window.alpha.bound_above();
            let mut full = true;
            if depth >= 3 && tried > 1 + usize::from(N::PV) {
                let late = LateMove {
                    pv: N::PV,
                    cut,
                    improving,
                    quiet,
                    checks: gives_check,
                    killer: picker.stage() == Stage::Killers,
                    history,
                };
                let reduction = rules::late_move_reduction(base, late).clamp(0, new_depth - 1);
                if reduction > 0 {
                    score = -node::<Scout>(worker, scout, new_depth - reduction, ply + 1, true)?;
                    full = score > window.alpha;
                }
            }
            if full {
                score = -node::<Scout>(worker, scout, new_depth, ply + 1, !cut)?;
            }
            if N::PV && score > window.alpha {
                score = -node::<N::Child>(worker, -window, new_depth, ply + 1, false)?;
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
                    learn(worker, m, quiet, &quiets, &captures, depth, ply);
                    break;
                }
            }
        }
        if quiet {
            let _ = quiets.try_push(m);
        } else {
            let _ = captures.try_push(m);
        }
    }

    if tried == 0 && best.is_loss() {
        return Ok(if in_check { best } else { Score::DRAW });
    }
    let bound = Bound::of(best, Window { alpha: old_alpha, ..window });
    let kept = Entry::new(best_move, best, eval, depth, bound, N::PV, ply);
    worker.shared.table.store(key, kept);
    Ok(best)
}

/// Passes, and answers a score that stands above beta all the same.
fn null_move(
    worker: &mut Worker<'_>,
    eval: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    cut: bool,
) -> Result<Option<Score>, Stopped> {
    if ply < worker.no_pass_before {
        return Ok(None);
    }
    let Some(reduced) = rules::null_move_depth(&worker.position, eval, beta, depth) else {
        return Ok(None);
    };
    worker.frames[ply].tried = None;
    worker.position.pass();
    let score = node::<Scout>(worker, -Window::below(beta), reduced, ply + 1, !cut).map(|s| -s);
    worker.position.undo();
    let score = score?;
    if score < beta {
        return Ok(None);
    }
    let score = if score.is_mate() { beta } else { score };
    if depth < rules::VERIFY_FROM || worker.no_pass_before > 0 {
        return Ok(Some(score));
    }
    // Zugzwang is rare but ruins deep searches: look again without passing in the upper part of the tree.
    worker.no_pass_before = ply + (3 * reduced.max(1) as usize) / 4;
    let verified = node::<Scout>(worker, Window::below(beta), reduced, ply, false);
    worker.no_pass_before = 0;
    Ok((verified? >= beta).then_some(score))
}

/// A move has refuted the node: the histories learn from it and from those tried before in vain.
fn learn(
    worker: &mut Worker<'_>,
    best: Move,
    quiet: bool,
    quiets: &[Move],
    captures: &[Move],
    depth: i32,
    ply: usize,
) {
    let bonus = rules::history_bonus(depth);
    let before = worker.before(ply);
    let position = &worker.position;
    if quiet {
        let killers = &mut worker.frames[ply].killers;
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        worker.histories.learn_quiet(position, best, &before, bonus);
        for &m in quiets {
            worker.histories.learn_quiet(position, m, &before, -bonus);
        }
    } else {
        worker.histories.learn_capture(position, best, bonus);
    }
    for &m in captures {
        worker.histories.learn_capture(position, m, -bonus);
    }
}
