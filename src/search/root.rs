//! Iterative deepening: the root, one ply deeper each time, and when to stop.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::ablation::Rule;
use super::history::Context;
use super::node::{NonPv, Pv, node};
use super::report::{Report, Reporter};
use super::rules::{self, LateMove};
use super::table::{Bound, Entry};
use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{RootMove, SearchResult};
use crate::score::{MAX_PLY, Score};

/// Lines of an iteration that is not complete are told only in searches that last.
const PATIENCE: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Deepens until the clock, the limits or a proven end stop it.
    pub fn deepen(
        &mut self,
        mut roots: Vec<RootMove>,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let mut found = SearchResult {
            line: roots.first().map(|root| root.m).into_iter().collect(),
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
        };
        if roots.is_empty() {
            let mated = self.position.check_info().in_check();
            found.score = if mated { Score::mated_in(0) } else { Score::DRAW };
            return found;
        }
        let clock = self.shared.clock;
        let lines = self.shared.lines.clamp(1, roots.len());
        let mut settled = 0;

        for depth in 1..=clock.depth_limit().min(MAX_PLY as i32 - 1) {
            // Helpers look at different depths, so that the threads do not all do the same.
            if self.id > 0 && (depth as usize + self.id).is_multiple_of(3) && depth > 2 {
                continue;
            }
            self.root_depth = depth;
            let before = (found.line.first().copied(), found.score);
            for root in &mut roots {
                root.last_score = root.score;
            }
            let mut result = Ok(());
            for first in 0..lines {
                self.selective_depth = 0;
                // Only moves that the tables think as good as this one compete for the line.
                let class = roots[first].class();
                let end = roots
                    .iter()
                    .rposition(|root| root.class() == class)
                    .map_or(roots.len(), |at| at + 1);
                result = self.iteration(&mut roots, first..end, depth, lines, reporter);
                if result.is_err() {
                    break;
                }
                roots[..=first].sort_by_key(|root| std::cmp::Reverse((root.class(), root.score)));
                if lines > 1 && (first + 1 == lines || clock.elapsed() >= PATIENCE) {
                    self.report_lines(depth, &roots, first + 1, lines, reporter);
                }
            }
            self.tell_nodes();
            let best = &roots[0];
            let changed = before.0 != Some(best.m);
            if result.is_err() {
                // An iteration that was stopped has still searched the best move of the one before first: another one in
                // front is better. The score of the same one is not complete.
                if found.depth > 0 {
                    if changed {
                        found.line = best.line.clone();
                        found.score = best.shown();
                    }
                    if self.told != Some(best.m) && lines == 1 {
                        let root = RootMove {
                            score: found.score,
                            line: found.line.clone(),
                            ..best.clone()
                        };
                        self.report(depth, 1, &root, Bound::Exact, reporter);
                    }
                }
                break;
            }
            found.line = best.line.clone();
            found.score = best.shown();
            found.depth = depth;
            if lines == 1 {
                self.report(depth, 1, &roots[0], Bound::Exact, reporter);
            }
            if self.id > 0 {
                continue;
            }

            settled = if before.0 == found.line.first().copied() { settled + 1 } else { 0 };
            if self.is_decided(&roots, lines, depth) || (roots.len() == 1 && clock.is_running()) {
                break;
            }
            let nodes: u64 = roots.iter().map(|root| root.nodes).sum();
            let share = roots[0].nodes as f64 / nodes.max(1) as f64;
            let fallen = (before.1.raw() - found.score.raw()).clamp(-20, 80);
            if clock.may_stop(time_factor(settled, share, fallen))
                || clock.must_stop(self.shared.all_nodes())
            {
                break;
            }
        }
        if found.depth == 0 {
            // Stopped before the first iteration was done: the GUI still wants a score with the move.
            found.score = self.evaluate();
            let root =
                RootMove { score: found.score, line: found.line.clone(), ..roots[0].clone() };
            self.report(1, 1, &root, Bound::Exact, reporter);
        }
        found
    }

    /// Mates have been proven, or the one that was asked for found: deeper iterations cannot change the moves.
    fn is_decided(&self, roots: &[RootMove], lines: usize, depth: i32) -> bool {
        let decided = |root: &RootMove| {
            let plies = if root.score.is_win() {
                Score::mate_in(0).raw() - root.score.raw()
            } else {
                root.score.raw() - Score::mated_in(0).raw()
            };
            let wanted = self.shared.clock.mate_limit();
            let found =
                |mate: i64| root.score.is_win() && i64::from(plies) <= mate.saturating_mul(2);
            root.score.is_mate() && (wanted.is_some_and(found) || depth > plies + 8)
        };
        roots[..lines].iter().all(decided)
    }

    /// One iteration for the best of some moves: a window around its last score, wider until the score lies inside.
    fn iteration(
        &mut self,
        roots: &mut [RootMove],
        range: Range<usize>,
        depth: i32,
        lines: usize,
        reporter: &mut dyn Reporter,
    ) -> Result<(), Stopped> {
        let mut width = self.params.aspiration;
        let first = range.start;
        let last = roots[first].last_score;
        let mut window =
            if self.params.uses(Rule::AspirationWindow) && depth >= 5 && !last.is_decided() {
                Window { alpha: Score::cp(last.raw() - width), beta: Score::cp(last.raw() + width) }
            } else {
                Window::FULL
            };
        let mut reduced = 0;
        loop {
            let score = self.root(
                &mut roots[range.clone()],
                window,
                (depth - reduced).max(1),
                depth,
                reporter,
            )?;
            width *= 2;
            let wide = width > 400 || score.is_decided();
            let bound = if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.beta = Score::cp((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha =
                    if wide { Window::FULL.alpha } else { Score::cp(score.raw() - width) };
                reduced = 0;
                Bound::Upper
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = if wide { Window::FULL.beta } else { Score::cp(score.raw() + width) };
                reduced = (reduced + 1).min(3);
                Bound::Lower
            } else {
                return Ok(());
            };
            if lines == 1 {
                self.report(depth, 1, &roots[first], bound, reporter);
            }
        }
    }

    /// The root: all its moves, the best one brought to the front.
    fn root(
        &mut self,
        roots: &mut [RootMove],
        mut window: Window,
        depth: i32,
        iteration: i32,
        reporter: &mut dyn Reporter,
    ) -> Result<Score, Stopped> {
        self.visit(0)?;
        let info = self.position.check_info();
        let eval = (!info.in_check()).then(|| self.evaluate());
        self.frames[0].eval = eval.map(|eval| {
            rules::rule50_scaling(
                self.params,
                eval.raw() + self.correction(0),
                self.position.fifty(),
            )
        });
        let context = Context::new(self.params, &self.position, self.before(0), info.danger);
        self.clear_grandchildren(1);
        self.clear_grandchildren(2);
        let old_alpha = window.alpha;
        let mut best = -Score::INFINITE;

        for index in 0..roots.len() {
            let m = roots[index].m;
            if self.id == 0 {
                reporter.current_move(iteration, m, index + 1, self.shared.clock.elapsed());
            }
            let nodes = self.nodes;
            let quiet = !self.position.is_noisy(m);
            let history = if quiet { self.histories.quiet(&self.position, m, &context) } else { 0 };
            self.play(m, 0);
            self.frames[0].number = index;
            let gives_check = self.position.checkers().any();
            let mut new_depth = depth - 1;
            let score = (|| {
                if index == 0 {
                    return Ok(-node::<Pv>(self, -window, new_depth, 1, false)?);
                }
                let late = LateMove {
                    pv: true,
                    cut: false,
                    improving: true,
                    checks: gives_check,
                    killer: false,
                    noisy_table_move: false,
                    cuts_below: self.frames[1].cuts > 2,
                    correction: 0,
                    history,
                };
                let base = self.reductions.base(self.params, depth, index, quiet);
                let reduction = rules::late_move_reduction(self.params, base, late) / 1024;
                let late = depth >= 3 && index > 1 && self.params.uses(Rule::LateMoveReductions);
                let reduction = if late { reduction.clamp(0, (new_depth - 1).max(0)) } else { 0 };
                let mut score =
                    -node::<NonPv>(self, -window.null_window(), new_depth - reduction, 1, true)?;
                if reduction > 0 && score > window.alpha {
                    new_depth +=
                        i32::from(score.raw() > best.raw() + self.params.deeper + 2 * new_depth);
                    score = -node::<NonPv>(self, -window.null_window(), new_depth, 1, true)?;
                }
                if score > window.alpha {
                    score = -node::<Pv>(self, -window, new_depth, 1, false)?;
                }
                Ok(score)
            })();
            self.position.undo();
            let score = score?;

            roots[index].nodes += self.nodes - nodes;
            if index == 0 || score > window.alpha {
                self.keep_line(m, 0);
                roots[index].score = score;
                roots[index].line = self.frames[0].line.clone();
                roots[..=index].rotate_right(1);
            } else {
                roots[index].score = -Score::INFINITE;
            }
            if score > best {
                best = score;
                window.alpha = window.alpha.max(score);
                if window.is_empty() {
                    break;
                }
            }
        }
        let bound = Bound::of(best, Window { alpha: old_alpha, ..window });
        let kept = Entry::new(Some(roots[0].m), best, eval, depth, bound, true, 0);
        self.shared.table.store(self.position.key(), kept);
        Ok(best)
    }

    /// Reports the first lines of an iteration and, below them, those of the iteration before.
    fn report_lines(
        &mut self,
        depth: i32,
        roots: &[RootMove],
        done: usize,
        lines: usize,
        reporter: &mut dyn Reporter,
    ) {
        for (index, root) in roots[..lines].iter().enumerate() {
            let old = index >= done;
            let root = if old {
                RootMove { score: root.last_score, ..root.clone() }
            } else {
                root.clone()
            };
            if root.score > -Score::INFINITE {
                self.report(depth - i32::from(old), index + 1, &root, Bound::Exact, reporter);
            }
        }
    }

    fn report(
        &mut self,
        depth: i32,
        number: usize,
        root: &RootMove,
        bound: Bound,
        reporter: &mut dyn Reporter,
    ) {
        if self.id > 0 {
            return;
        }
        if number == 1 {
            self.told = (bound == Bound::Exact).then_some(root.m);
        }
        reporter.report(&Report {
            depth,
            selective_depth: self.selective_depth.max(1),
            number,
            score: root.shown(),
            bound,
            nodes: self.shared.all_nodes().max(self.nodes),
            hits: self.shared.hits.load(Relaxed),
            time: self.shared.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            line: root.line.clone(),
        });
    }
}

/// How much of the soft limit to use: less where one move takes nearly all nodes and has been best for long, more where
/// the score falls.
fn time_factor(settled: u32, share: f64, fallen: i32) -> f64 {
    let stability = [1.5, 1.25, 1.1, 1.0, 0.9][settled.min(4) as usize];
    let effort = (1.65 - share).clamp(0.6, 1.5);
    let trend = 1.0 + f64::from(fallen) / 100.0;
    stability * effort * trend
}
