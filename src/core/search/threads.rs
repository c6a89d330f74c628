//! The threads of one search (Lazy SMP), and the vote for the best move.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::limits::Limits;
use super::report::{Report, Reporter, SearchResult};
use super::root_moves::RootMoves;
use super::shared::{Counts, Shared};
use super::state::SearcherState;
use super::time::budget::Clock;
use super::time::stop::StopFlag;
use super::worker::Worker;
use crate::board::{Move, Position};
use crate::known::{SolvedRoot, Wait};

/// The most threads of a search.
pub const MAX_THREADS: usize = 256;

/// The stack size of a helper thread, in bytes. The longest possible line takes less than half of
/// it.
const STACK: usize = 16 << 20;

/// Infinite and pondering searches have no planned time. To answer `stop` at once, they assume this much
/// when they solve endings at the root, and spend a fraction of it (see [`Budget`]). The rest is solved in
/// the background; wasm has no threads for that, so it gets more time here.
const ASSUMED_TIME: Duration =
    Duration::from_millis(if cfg!(target_family = "wasm") { 1000 } else { 120 });

/// Searches a position with all threads until a limit, the clock or the stop flag ends the search.
pub(crate) fn search(
    position: &Position,
    limits: &Limits,
    clock: &Clock<'_>,
    stop: &StopFlag,
    state: &mut SearcherState,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let SearcherState { table, threads, params, tablebases, multi_pv, strength, last, evaluator } =
        state;
    let moves = root_moves(position, limits);
    let ranks = tablebases.as_ref().and_then(|tables| tables.rank(position, &moves));
    // Reading the tables does not count as waiting for the processor.
    clock.skip_wait();
    let won = ranks.as_ref().is_some_and(|ranks| ranks.iter().any(|rank| rank.rank > 0));
    let strength = strength.map(|strength| strength.in_position(position));
    let strength_nodes = strength.map_or(u64::MAX, |strength| strength.nodes);
    let shared = Shared {
        table,
        clock,
        stop,
        limits,
        params: params.in_use(),
        weights: evaluator.loaded().map(|weights| &**weights),
        tablebases: tablebases.as_ref().filter(|_| !won),
        multi_pv: *multi_pv,
        score_before: last.filter(|&(ply, _)| ply + 2 == position.ply()).map(|(_, score)| score),
        strength,
        node_limit: limits.node_limit().min(strength_nodes),
        solved: OnceLock::new(),
        counts: threads.iter().map(|_| Counts::default()).collect(),
        tablebase_hits: AtomicU64::new(ranks.as_ref().map_or(0, |ranks| ranks.len() as u64)),
    };
    // A reproducible search waits for bitbases until it is stopped. A search on the clock or without
    // limits does not wait.
    let wait = match limits.is_reproducible() {
        true => Wait::UntilStopped(stop.shared()),
        false => Wait::Never,
    };
    threads.iter_mut().for_each(|thread| thread.knowledge.set_wait(wait.clone()));
    // Under a node limit, solve at most that many structures of a pawn ending.
    let most = usize::try_from(shared.node_limit).unwrap_or(usize::MAX);
    let is_endless = limits.is_endless() && ranks.is_none();
    // The only legal move needs no preparation, unless `searchmoves` asked for it.
    let is_forced = moves.len() == 1 && limits.search_moves.is_empty();
    let time = match ranks {
        Some(_) => Duration::ZERO,
        None if is_endless => ASSUMED_TIME,
        None if is_forced => Duration::ZERO,
        None => clock.time_for_move(),
    };
    let roots = RootMoves::new(&moves, ranks.as_deref());
    let Some((first, others)) = threads.split_first_mut() else {
        unreachable!("a search has at least one thread");
    };
    first.knowledge.prepare(position, most, time, &|| clock.must_stop());
    for other in &mut *others {
        other.knowledge.set_root(first.knowledge.root().clone());
    }
    let root = first.knowledge.root().clone();
    let (mut results, failed_threads) = std::thread::scope(|scope| {
        let (shared, roots) = (&shared, &roots);
        // Stops the helpers on drop, even if this thread panics.
        let helpers_end = EndHelpers(stop);
        let solver = (is_endless && SolvedRoot::is_worth_solving(position)).then(|| {
            let solve = move || {
                if let Some(solved) = root.completed(position, most, &|| stop.is_stopped()) {
                    let _ = shared.solved.set(solved);
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, solve)
        });
        let helpers: Vec<_> = others
            .iter_mut()
            .enumerate()
            .filter_map(|(index, thread)| {
                let search = move || {
                    let (position, roots) = (position.clone(), roots.clone());
                    let silent = &mut ();
                    Worker::new(index + 1, position, thread, shared, roots, silent).deepen()
                };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).ok()
            })
            .collect();
        let (position, roots) = (position.clone(), roots.clone());
        let mut main = Worker::new(0, position, first, shared, roots, &mut *reporter);
        let mut results = vec![main.deepen()];
        drop(helpers_end);
        let count = helpers.len();
        results.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        let solver_failed = solver.and_then(Result::ok).is_some_and(|it| it.join().is_err());
        let failed_threads = count + 1 - results.len() + usize::from(solver_failed);
        (results, failed_threads)
    });
    if let Some(solved) = shared.solved.get() {
        first.knowledge.set_root(solved.clone());
    }
    // The depth limit applies to the main thread; helpers may be behind.
    let is_complete = results[0].depth >= limits.depth_limit();
    let best = if shared.multi_pv > 1 || is_complete { 0 } else { vote(&results) };
    let (nodes, moves_made) = (shared.all_nodes(), shared.all_moves_made());
    let result = SearchResult { nodes, moves_made, failed_threads, ..results.swap_remove(best) };
    // After a ponder miss, keep the score of the search before the ponder search.
    if result.depth > 0 && (!limits.ponder || stop.hit_at().is_some()) {
        *last = Some((position.ply(), result.score));
    }
    if best > 0 {
        // The main thread reported another move, so report the winner of the vote.
        reporter.report(&Report {
            depth: result.depth,
            selective_depth: result.line.len().max(result.depth as usize),
            multi_pv: 1,
            score: result.score,
            bound: result.bound,
            nodes: result.nodes,
            tablebase_hits: shared.tablebase_hits.load(Relaxed),
            time: clock.elapsed(),
            hashfull: table.hashfull(),
            line: result.line.clone(),
            is_last: true,
        });
    }
    result
}

/// The moves to choose from: the legal ones in `searchmoves` or, if there are none, all legal
/// moves.
fn root_moves(position: &Position, limits: &Limits) -> Vec<Move> {
    let moves = position.moves();
    let only = &limits.search_moves;
    let wanted: Vec<Move> = moves.iter().copied().filter(|m| only.contains(m)).collect();
    if wanted.is_empty() { moves.to_vec() } else { wanted }
}

/// The index of the result to play. Threads vote for their best moves, weighted by depth and score.
/// Between mates and tablebase wins or losses the better score wins without a vote.
fn vote(results: &[SearchResult]) -> usize {
    let least = results.iter().map(|result| result.score).min().unwrap_or_default();
    let weight = |result: &SearchResult| {
        i64::from(result.score.raw() - least.raw() + 14) * i64::from(result.depth)
    };
    let votes = |m: Option<&Move>| -> i64 {
        results.iter().filter(|other| other.line.first() == m).map(weight).sum()
    };
    let mut best = 0;
    for (index, other) in results.iter().enumerate().skip(1) {
        let chosen = &results[best];
        if other.depth == 0 || other.line.is_empty() {
            continue;
        }
        let better = if chosen.score.is_decided() || other.score.is_win() {
            other.score > chosen.score
        } else {
            let (ours, theirs) = (votes(other.line.first()), votes(chosen.line.first()));
            ours > theirs || (ours == theirs && weight(other) > weight(chosen))
        };
        if better {
            best = index;
        }
    }
    best
}

/// Ends the helpers of a search when it is dropped.
struct EndHelpers<'a>(&'a StopFlag);

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.0.end_threads();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn result(m: &str, score: Score, depth: i32) -> SearchResult {
        let m = Position::start().parse_uci(m).expect("a legal move");
        SearchResult::new([m].into_iter().collect(), score, depth)
    }

    #[test]
    fn the_move_with_most_votes_is_played() {
        let [e, d] = [("e2e4", 20), ("d2d4", 22)].map(|(m, cp)| result(m, Score::cp(cp), 10));
        assert_eq!(vote(&[e.clone(), d.clone(), d.clone()]), 1);
        assert_eq!(vote(&[e.clone(), d.clone(), e.clone()]), 0);
        let deep = result("d2d4", Score::cp(20), 30);
        assert_eq!(vote(&[e.clone(), deep, e]), 1, "a deep search has more votes");
    }

    #[test]
    fn a_shorter_mate_needs_no_votes() {
        let e = result("e2e4", Score::mate_in(7), 10);
        let d = result("d2d4", Score::mate_in(3), 5);
        assert_eq!(vote(&[e.clone(), d, e.clone()]), 1);
        let lost = result("d2d4", Score::mated_in(4), 20);
        assert_eq!(vote(&[e.clone(), lost.clone()]), 0);
        assert_eq!(vote(&[lost, e]), 1);
    }

    #[test]
    fn a_thread_that_has_searched_nothing_has_no_vote() {
        let e = result("e2e4", Score::cp(-50), 10);
        let none = result("d2d4", Score::cp(900), 0);
        assert_eq!(vote(&[e, none]), 0);
    }
}
