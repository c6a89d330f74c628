//! Quiescence search (qsearch): only captures and promotions, at its first ply also quiet checks,
//! or evasions in check, until the position is quiet enough to be evaluated.

use super::known::{draw_or_horizon, upcoming_repetition};
use super::node_type::NodeType;
use super::static_eval;
use crate::board::{CheckInfo, Move};
use crate::chess::Bitboard;
use crate::score::Score;
use crate::search::memory::table::{Bound, Entry};
use crate::search::numbers::numbers;
use crate::search::order::histories::Context;
use crate::search::order::picker::Picker;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

numbers! {
    quiescence:
    /// Delta pruning: centipawns that a capture may gain besides the captured piece. With stand pat
    /// at least this far below alpha, no quiet checks are searched, except after a null move.
    delta = 65, 10 to 250;
}

/// From this move on, out of check, only recaptures, promotions and checks are searched.
const LATE_MOVE: usize = 3;

/// The most quiet evasions searched at a node, once a move was found whose score is not a forced
/// loss.
const MOST_QUIET_EVASIONS: usize = 2;

/// The score of a node at depth zero: stand pat or the best capture or check, fail-soft.
pub(super) fn quiescence<N: NodeType>(
    worker: &mut Worker<'_>,
    window: Window,
    ply: usize,
) -> Result<Score, Stopped> {
    quiescence_node::<N>(worker, window, ply, true)
}

/// The score of a node of quiescence, with quiet checks or without.
fn quiescence_node<N: NodeType>(
    worker: &mut Worker<'_>,
    mut window: Window,
    ply: usize,
    checks: bool,
) -> Result<Score, Stopped> {
    worker.visit(ply)?;
    if let Some(score) = draw_or_horizon(worker, ply) {
        return Ok(score);
    }
    if let Some(score) = upcoming_repetition(worker, &mut window, ply) {
        return Ok(score);
    }
    // Overlaps with the prefetch of the TT entry.
    let info = worker.position.check_info();
    let key = worker.position.key();
    let entry = worker.shared.table.probe(key);
    if let Some(score) = entry.filter(|_| !N::PV).and_then(|entry| entry.cutoff(window, ply)) {
        return Ok(score);
    }
    if let Some(m) = entry.and_then(|entry| entry.best) {
        worker.prefetch_child(m);
    }

    let mut best = Score::mated_in(ply);
    let mut raw_eval = None;
    if !info.in_check() {
        let raw = match entry.and_then(|entry| entry.eval()) {
            Some(raw) => raw,
            None => {
                let known = worker.ask()?;
                worker.evaluate(known)
            }
        };
        raw_eval = Some(raw);
        best = stand_pat(worker, entry, raw, ply);
        if best >= window.beta {
            if entry.is_none() {
                let kept = Entry::new(None, best, raw_eval, 0, Bound::Lower, false, ply);
                worker.shared.table.store(key, kept);
            }
            return Ok(best);
        }
        window.alpha = window.alpha.max(best);
    }

    let old_alpha = window.alpha;
    let hash_move = entry.and_then(|entry| entry.best);
    let BestMove { score: best, best_move } =
        search_moves::<N>(worker, &info, hash_move, &mut window, best, ply, checks)?;
    let bound = Bound::of(best, Window { alpha: old_alpha, ..window });
    let pv = N::PV || entry.is_some_and(|entry| entry.pv);
    let kept = Entry::new(best_move, best, raw_eval, 0, bound, pv, ply);
    worker.shared.table.store(key, kept);
    Ok(best)
}

/// The stand pat score: the static evaluation, corrected, scaled and refined by the table.
#[inline(always)]
fn stand_pat(worker: &Worker<'_>, entry: Option<Entry>, raw: Score, ply: usize) -> Score {
    let eval = static_eval::of(worker.params, &worker.position, raw, worker.correction(ply));
    entry.map_or(eval, |entry| entry.refine(eval, ply))
}

/// The best of stand pat and the moves of a quiescence node.
struct BestMove {
    score: Score,
    /// The move that raised alpha last, if any.
    best_move: Option<Move>,
}

/// Searches captures, promotions and, if wanted, quiet checks; in check evasions.
#[inline(always)]
fn search_moves<N: NodeType>(
    worker: &mut Worker<'_>,
    info: &CheckInfo,
    hash_move: Option<Move>,
    window: &mut Window,
    stand_pat: Score,
    ply: usize,
    checks: bool,
) -> Result<BestMove, Stopped> {
    let params = worker.params;
    let in_check = info.in_check();
    let hash_move = hash_move.filter(|&m| {
        worker.position.is_legal(m, info) && (in_check || worker.position.is_noisy(m))
    });
    let limit = stand_pat.raw() + Numbers::of(params).delta;
    let mut picker = if in_check {
        Picker::new(hash_move, [None; 2])
    } else {
        // After a null move the question is whether mate is threatened, however far alpha is.
        let is_near = limit > window.alpha.raw() || worker.position.last_move().is_none();
        // Against a bare king checks only cost nodes: quiet moves are needed to mate it.
        let may_mate = !worker.position.is_bare(worker.position.turn().other());
        Picker::quiescence(hash_move, checks && may_mate && is_near)
    };
    let before = worker.prior_moves(ply);
    let context = Context::new(params, &worker.position, before, info.attacked);
    let last_target = worker.position.last_move().map(Move::to);
    let mut best = BestMove { score: stand_pat, best_move: None };
    let (mut move_count, mut quiet_evasions) = (0, 0);
    while let Some(m) = picker.next(&worker.position, info, worker.histories, &context) {
        worker.prefetch_child(m);
        let quiet = !worker.position.is_noisy(m);
        move_count += 1;
        if !best.score.is_loss() {
            let late = move_count >= LATE_MOVE;
            // Recaptures, promotions and checks may change more than the material they win.
            let may_prune = (late || limit <= window.alpha.raw())
                && !in_check
                && Some(m.to()) != last_target
                && m.promotion().is_none()
                && !context.gives_check(&worker.position, m);
            if may_prune && late {
                continue;
            }
            if may_prune
                && let Some(most) = delta_pruning(worker, m, limit, window.alpha, info.attacked)
            {
                // Fail-soft must not return less than the move could have reached.
                best.score = best.score.max(most);
                continue;
            }
            // Out of check the picker has left out the moves that lose by SEE, but for the hash
            // move.
            if in_check && !worker.position.see_ge_in(m, 0, info.attacked) {
                continue;
            }
            if quiet && worker.histories.has_failed(&worker.position, m, &context) {
                continue;
            }
            if quiet_evasions >= MOST_QUIET_EVASIONS {
                break;
            }
        }
        quiet_evasions += usize::from(quiet && in_check);
        worker.play(m, ply);
        let score = quiescence_node::<N>(worker, -*window, ply + 1, false).map(|score| -score);
        worker.position.undo();
        let score = score?;
        if score > best.score {
            best.score = score;
            if score > window.alpha {
                window.alpha = score;
                best.best_move = Some(m);
                if N::PV {
                    worker.update_line(m, ply);
                }
                if window.is_empty() {
                    break;
                }
            }
        }
    }
    Ok(best)
}

/// Delta pruning: the most that a move could have reached, if that is not above alpha. `limit` is
/// the stand pat score and a margin: to raise alpha, the move must win what is missing.
#[inline(always)]
fn delta_pruning(
    worker: &Worker<'_>,
    m: Move,
    limit: i32,
    alpha: Score,
    attacked: Bitboard,
) -> Option<Score> {
    let captured = worker.position.captured_value(m);
    if limit + captured <= alpha.raw() {
        return Some(Score::cp(limit + captured));
    }
    (limit <= alpha.raw() && !worker.position.see_ge_in(m, 1, attacked)).then(|| Score::cp(limit))
}
