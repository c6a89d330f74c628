//! Quiescence: only captures and promotions, or evasions in check, until the position is quiet enough to be
//! evaluated.

use super::ablation::Rule;
use super::history::Context;
use super::node::Node;
use super::ordering::Picker;
use super::rules;
use super::table::{Bound, Entry};
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::score::{MAX_PLY, Score};

/// The value of a node below the depth of the search.
pub fn quiesce<N: Node>(
    worker: &mut Worker<'_>,
    mut window: Window,
    ply: usize,
) -> Result<Score, Stopped> {
    let params = worker.params;
    let uses = |rule| params.uses(rule);
    worker.visit(ply)?;
    worker.frames[ply].line.clear();
    if worker.position.is_draw(ply) {
        return Ok(rules::draw_score(params, worker.nodes));
    }
    if window.alpha < Score::DRAW
        && uses(Rule::UpcomingRepetition)
        && worker.position.can_repeat(ply)
    {
        window.alpha = rules::draw_score(params, worker.nodes);
        if window.is_empty() {
            return Ok(window.alpha);
        }
    }
    if ply >= MAX_PLY - 1 {
        return Ok(worker.evaluate());
    }

    let key = worker.position.key();
    let entry = worker.shared.table.probe(key).filter(|_| uses(Rule::QuiescenceTable));
    if let Some(score) = entry.filter(|_| !N::PV).and_then(|entry| entry.cutoff(window, ply)) {
        return Ok(score);
    }

    let info = worker.position.check_info();
    let in_check = info.in_check();
    let mut best = Score::mated_in(ply);
    let mut eval = None;
    if !in_check {
        let raw = entry.and_then(|entry| entry.eval()).unwrap_or_else(|| worker.evaluate());
        eval = Some(raw);
        let stand = rules::rule50_scaling(
            params,
            raw.raw() + worker.correction(ply),
            worker.position.fifty(),
        );
        best = entry
            .filter(|_| uses(Rule::TableEvaluation))
            .map_or(stand, |entry| entry.refine(stand, ply));
        if best >= window.beta {
            if entry.is_none() {
                let kept = Entry::new(None, best, eval, 0, Bound::Lower, false, ply);
                worker.shared.table.store(key, kept);
            }
            return Ok(rules::fail_high_blending(params, best, window.beta, 1));
        }
        window.alpha = window.alpha.max(best);
    }

    let table_move = entry.and_then(|entry| entry.best).filter(|&m| {
        worker.position.is_legal(m, &info) && (in_check || worker.position.is_noisy(m))
    });
    let mut picker =
        if in_check { Picker::new(table_move, [None; 2]) } else { Picker::noisy(table_move, 0) };
    let context = Context::new(params, &worker.position, worker.before(ply), info.danger);
    let limit = best.raw() + params.delta;
    let old_alpha = window.alpha;
    let mut best_move = None;
    while let Some(m) = picker.next(&worker.position, &info, worker.histories, &context) {
        if !best.is_loss() {
            if in_check && !worker.position.is_noisy(m) {
                // One way out has been found that is not mate: quiet ones are not tried any more.
                picker.skip_quiets();
                continue;
            }
            if uses(Rule::DeltaPruning)
                && !in_check
                && limit <= window.alpha.raw()
                && !worker.position.see_ge(m, window.alpha.raw() - limit + 1)
            {
                // What was left out might have brought this much: less would be no bound.
                best = best.max(Score::cp(limit).min(window.alpha));
                continue;
            }
        }
        worker.play(m, ply);
        let score = quiesce::<N>(worker, -window, ply + 1).map(|score| -score);
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
                    break;
                }
            }
        }
    }

    if best >= window.beta {
        best = rules::fail_high_blending(params, best, window.beta, 1);
    }
    let bound = Bound::of(best, Window { alpha: old_alpha, ..window });
    let kept = Entry::new(best_move, best, eval, 0, bound, N::PV, ply);
    worker.shared.table.store(key, kept);
    Ok(best)
}
