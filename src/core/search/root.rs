//! The root: iterative deepening, aspiration windows, the root moves, and when to stop.

use std::cmp::Reverse;
use std::ops::Range;
use std::time::Duration;

use super::limits::LONGEST_MATE;
use super::mate::search_mate;
use super::memory::table::Bound;
use super::node::node_type::Root;
use super::node::{search_node, static_eval};
use super::numbers::numbers;
use super::report::SearchResult;
use super::root_moves::RootMove;
use super::time::stability::Stability;
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::score::{MAX_PLY, Score};

numbers! {
    root:
    /// Aspiration windows: half the width of the first window, in centipawns.
    aspiration = 12, 5 to 40;
}

/// The depth limit, in plies, of the ordinary search after `go mate` has proven that there is no mate.
const NO_MATE_DEPTH: i32 = 12;

/// In MultiPV searches, lines of an incomplete iteration are reported only after this time.
const PARTIAL_LINES_AFTER: Duration = Duration::from_secs(3);

struct Iteration {
    /// In plies.
    depth: i32,
    /// Lines to search (MultiPV).
    lines: usize,
    /// The deepest ply of the previous iteration.
    selective_before: usize,
}

impl Worker<'_> {
    /// Iterative deepening, until a limit, the clock or a proven result stops it.
    pub(super) fn deepen(&mut self) -> SearchResult {
        let line = self.roots.moves.first().map(|root| root.m).into_iter().collect();
        let mut result = SearchResult::new(line, Score::DRAW, 0);
        if self.roots.moves.is_empty() {
            let mated = self.position.checkers().any();
            result.score = if mated { Score::mated_in(0) } else { Score::DRAW };
            return result;
        }
        let mut max_depth = self.shared.limits.depth_limit().min(MAX_PLY as i32 - 1);
        if let Some(moves) = self.shared.limits.mate_limit().filter(|_| self.id == 0) {
            let mate = search_mate(self, moves);
            self.publish_nodes();
            match mate {
                Ok(Some(mate)) => return mate,
                // There is no mate: any good move will do, unless something else limits the search.
                Ok(None) if moves <= LONGEST_MATE && !self.shared.limits.has_budget() => {
                    max_depth = max_depth.min(NO_MATE_DEPTH);
                }
                Ok(None) | Err(Stopped) => {}
            }
        }
        let lines = self.shared.multi_pv.clamp(1, self.roots.moves.len());
        let mut stability = Stability::new(self.shared.score_before);
        for depth in 1..=max_depth {
            // Helper threads skip depths, so that the threads do not all search the same tree (Lazy
            // SMP).
            if self.id > 0 && (depth as usize + self.id).is_multiple_of(3) && depth > 2 {
                continue;
            }
            self.root_depth = depth;
            let iteration = Iteration { depth, lines, selective_before: self.selective_depth };
            let best_before = result.line.first().copied();
            self.best_move_changes = 0;
            let complete = self.search_lines(&iteration);
            self.publish_nodes();
            if complete.is_err() {
                self.take_unfinished(&iteration, &mut result);
                break;
            }
            let best = self.roots.moves[0].clone();
            result.line = best.line.clone();
            result.score = best.best_known();
            result.depth = depth;
            if lines == 1 {
                self.report(depth, 1, &best, Bound::Exact, false);
            }
            let same_move = best_before == result.line.first().copied();
            let score = static_eval::expand(self.params, result.score);
            stability.update(same_move, self.best_move_changes, score);
            if self.id == 0 && self.is_done(&iteration, &stability) {
                break;
            }
        }
        result.score = static_eval::expand(self.params, result.score);
        result
    }

    /// One iteration: the best line and, in MultiPV, the next ones, each excluding the first moves
    /// of those before it.
    fn search_lines(&mut self, iteration: &Iteration) -> Result<(), Stopped> {
        let lines = iteration.lines;
        for (place, root) in self.roots.moves.iter_mut().enumerate() {
            root.last_place = place;
            root.last_score = root.score;
            root.last_line = root.line.clone();
        }
        for first in 0..lines {
            self.selective_depth = 0;
            // Only moves of the same tablebase class compete for the line.
            let roots = &self.roots.moves;
            let class = roots[first].class();
            let last = roots.iter().rposition(|root| root.class() == class);
            let end = last.map_or(roots.len(), |last| last + 1);
            let changes = self.best_move_changes;
            self.aspiration(first..end, iteration)?;
            if first > 0 {
                // The best move is that of the first line.
                self.best_move_changes = changes;
            }
            self.roots.moves[..=first].sort_by_key(|root| Reverse((root.class(), root.score)));
            let is_late = self.shared.clock.elapsed() >= PARTIAL_LINES_AFTER;
            if lines > 1 && (first + 1 == lines || is_late) {
                self.report_lines(first + 1, iteration);
            }
        }
        Ok(())
    }

    /// Takes over the result of a stopped iteration, and reports the best line with the final node
    /// count. An iteration searches the previous best move first, so if another move now heads the
    /// list, it is better. If the same move does, its score is incomplete, and the previous line
    /// stays, unless the search was stopped in a later line of MultiPV and this one has been reported.
    fn take_unfinished(&mut self, iteration: &Iteration, result: &mut SearchResult) {
        let best = self.roots.moves[0].clone();
        let is_reported = self.reported.is_some_and(|(_, depth)| depth == iteration.depth);
        let is_complete = self.roots.competing.start > 0 && is_reported;
        let stays = !is_complete && result.depth > 0 && result.line.first() == Some(&best.m);
        if !stays {
            result.line = best.line.clone();
            // The first iteration may have no score yet, but the GUI wants one.
            result.score = match best.rank {
                _ if best.score > -Score::INFINITE => best.best_known(),
                Some(rank) => rank.score,
                None => self.first_evaluation(),
            };
        }
        // A move that failed high is at least this good. Where the line of a mate was not searched to
        // its end, the mate may be shorter.
        let (score, line) = (result.score, result.line.clone());
        let first = RootMove { score, rank: None, line, ..best };
        let ends = |plies| first.line.len() == plies as usize;
        let is_exact =
            stays || is_complete || (!first.failed_high && first.mate_plies().is_none_or(ends));
        result.bound = match is_exact {
            true => Bound::Exact,
            false if !first.failed_high && first.score.is_loss() => Bound::Upper,
            false => Bound::Lower,
        };
        // With several lines, keep the last ones reported.
        if iteration.lines > 1 && self.reported.is_some_and(|(m, _)| m == first.m) {
            return;
        }
        if stays {
            self.selective_depth = self.selective_depth.max(iteration.selective_before);
        }
        let depth = if stays { result.depth } else { iteration.depth };
        self.report(depth, 1, &first, result.bound, true);
        for (index, root) in self.roots.lines_before(1, iteration.lines - 1).iter().enumerate() {
            self.report(iteration.depth - 1, index + 2, root, Bound::Exact, true);
        }
    }

    /// The score of a position before anything has been searched.
    fn first_evaluation(&mut self) -> Score {
        let known = self.ask().unwrap_or_default();
        let raw = self.evaluate(known);
        static_eval::of(self.params, &self.position, raw, 0)
    }

    /// Whether the main thread ends the search after a complete iteration.
    fn is_done(&self, iteration: &Iteration, stability: &Stability) -> bool {
        let roots = &self.roots.moves;
        let clock = self.shared.clock;
        if self.is_decided(&roots[..iteration.lines], iteration.depth)
            || self.is_exhausted(iteration.depth)
            || (roots.len() == 1 && clock.is_running())
        {
            return true;
        }
        let nodes: u64 = roots.iter().map(|root| root.nodes).sum();
        let share = roots[0].nodes as f64 / nodes.max(1) as f64;
        clock.may_stop(stability.time_factor(share)) || self.shared.must_stop()
    }

    /// Whether all lines are mates that deeper iterations will not change, or `go mate` has found
    /// its mate.
    fn is_decided(&self, roots: &[RootMove], depth: i32) -> bool {
        let wanted = self.shared.limits.mate_limit();
        roots.iter().all(|root| {
            root.mate_plies().is_some_and(|plies| {
                let enough = |mate: i64| i64::from(plies) <= mate.saturating_mul(2);
                depth > plies + 8 || (root.score.is_win() && wanted.is_some_and(enough))
            })
        })
    }

    /// Whether every move ends the game at once, as by the fifty-move rule: there is nothing to search.
    fn is_exhausted(&self, depth: i32) -> bool {
        let ends_game = |root: &RootMove| {
            let mut position = self.position.clone();
            position.play(root.m);
            position.moves().is_empty() || position.is_draw(1)
        };
        depth > 8 && self.selective_depth <= 1 && self.roots.moves.iter().all(ends_game)
    }

    /// Searches the root moves with a small aspiration window around the last score, and widens it
    /// until the score lies inside.
    fn aspiration(
        &mut self,
        competing: Range<usize>,
        iteration: &Iteration,
    ) -> Result<(), Stopped> {
        let depth = iteration.depth;
        let mut width = Numbers::of(self.params).aspiration;
        let first = competing.start;
        let last = self.roots.moves[first].last_score;
        let narrow = depth >= 5 && !last.is_decided();
        let mut window = if narrow {
            Window { alpha: Score::cp(last.raw() - width), beta: Score::cp(last.raw() + width) }
        } else {
            Window::FULL
        };
        let mut reduction = 0;
        loop {
            let reduced = (depth - reduction).max(1);
            let score = self.search_root(competing.clone(), window, reduced)?;
            width *= 2;
            let open = width > 400 || score.is_decided();
            let bound = if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.beta = Score::cp((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha =
                    if open { Window::FULL.alpha } else { Score::cp(score.raw() - width) };
                reduction = 0;
                Bound::Upper
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = if open { Window::FULL.beta } else { Score::cp(score.raw() + width) };
                reduction = (reduction + 1).min(3);
                Bound::Lower
            } else {
                return Ok(());
            };
            if iteration.lines == 1 {
                let failed = RootMove { score, ..self.roots.moves[first].clone() };
                self.report(depth, 1, &failed, bound, false);
            }
        }
    }

    /// Searches the root moves that compete for a line, to `depth` plies.
    fn search_root(
        &mut self,
        competing: Range<usize>,
        window: Window,
        depth: i32,
    ) -> Result<Score, Stopped> {
        self.roots.competing = competing;
        self.clear_grandchildren(1);
        search_node::<Root>(self, window, depth, 0, false)
    }

    /// Reports the first `done` lines of this iteration and, below them, the lines of the previous
    /// one.
    fn report_lines(&mut self, done: usize, iteration: &Iteration) {
        let mut lines = self.roots.moves[..done].to_vec();
        lines.extend(self.roots.lines_before(done, iteration.lines - done));
        for (index, root) in lines.iter().enumerate() {
            let depth = iteration.depth - i32::from(index >= done);
            self.report(depth, index + 1, root, Bound::Exact, false);
        }
    }
}
