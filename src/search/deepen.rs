//! Iterative deepening: the root, one ply deeper each time, and when to stop.

use super::node::{Main, Scout, node};
use super::report::{Report, Reporter};
use super::table::{Bound, Entry};
use super::window::Window;
use super::worker::{Stopped, Worker};
use super::{Found, Line};
use crate::board::{Move, MoveList};
use crate::eval::evaluate;
use crate::score::{MAX_PLY, Score};

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    m: Move,
    /// From the last search that found it best; below all scores otherwise.
    score: Score,
    line: Line,
    nodes: u64,
}

/// The first window around the score of the iteration before, in centipawns.
const ASPIRATION: i32 = 14;

impl Worker<'_> {
    /// Deepens until the clock, the limits or a proven end stop it.
    pub fn deepen(&mut self, moves: &MoveList, reporter: &mut dyn Reporter) -> Found {
        let mut roots: Vec<RootMove> = moves
            .iter()
            .map(|&m| RootMove { m, score: -Score::INFINITE, line: Line::from_iter([m]), nodes: 0 })
            .collect();
        let mut found = Found {
            line: moves.first().copied().into_iter().collect(),
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
        };
        if roots.is_empty() {
            let mated = self.position.sight().in_check();
            found.score = if mated { Score::mated_in(0) } else { Score::DRAW };
            return found;
        }
        let clock = self.shared.clock;
        let mut settled = 0;

        for depth in 1..=clock.depth_limit().min(MAX_PLY as i32 - 1) {
            // Helpers look at different depths, so that the threads do not all do the same.
            if self.id > 0 && (depth as usize + self.id).is_multiple_of(3) && depth > 2 {
                continue;
            }
            self.root_depth = depth;
            self.selective_depth = 0;
            let before = (found.line.first().copied(), found.score);
            let result = self.iteration(&mut roots, depth, found.score, reporter);
            self.tell_nodes();
            let best = &roots[0];
            let changed = before.0 != Some(best.m);
            if result.is_err() {
                // An iteration that was stopped has still searched the best move of the one before first: another one in
                // front is better. The score of the same one is not complete.
                if found.depth > 0 {
                    if changed {
                        found.line = best.line.clone();
                        found.score = best.score;
                    }
                    if self.told != Some(best.m) {
                        let root = RootMove { score: found.score, line: found.line.clone(), ..best.clone() };
                        self.report(depth, &root, Bound::Exact, reporter);
                    }
                }
                break;
            }
            found.line = best.line.clone();
            found.score = best.score;
            found.depth = depth;
            self.report(depth, &roots[0], Bound::Exact, reporter);
            if self.id > 0 {
                continue;
            }

            settled = if before.0 == found.line.first().copied() { settled + 1 } else { 0 };
            if self.is_decided(&found, depth) || (roots.len() == 1 && clock.is_running()) {
                break;
            }
            let nodes: u64 = roots.iter().map(|root| root.nodes).sum();
            let share = roots[0].nodes as f64 / nodes.max(1) as f64;
            let fallen = (before.1.raw() - found.score.raw()).clamp(-20, 80);
            if clock.may_stop(urge(settled, share, fallen)) || clock.must_stop(self.shared.all_nodes()) {
                break;
            }
        }
        if found.depth == 0 {
            // Stopped before the first iteration was done: the GUI still wants a score with the move.
            found.score = evaluate(&self.position);
            let root = RootMove { m: roots[0].m, score: found.score, line: found.line.clone(), nodes: 0 };
            self.report(1, &root, Bound::Exact, reporter);
        }
        found
    }

    /// A mate has been proven, or the one that was asked for found: deeper iterations cannot change the move.
    fn is_decided(&self, found: &Found, depth: i32) -> bool {
        if !found.score.is_mate() {
            return false;
        }
        let plies = if found.score.is_win() {
            Score::mate_in(0).raw() - found.score.raw()
        } else {
            found.score.raw() - Score::mated_in(0).raw()
        };
        let wanted = self.shared.clock.mate_limit();
        wanted.is_some_and(|mate| found.score.is_win() && i64::from(plies) <= mate.saturating_mul(2))
            || depth > plies + 8
    }

    /// One iteration: a window around the last score, wider until the score lies inside.
    fn iteration(
        &mut self,
        roots: &mut [RootMove],
        depth: i32,
        last: Score,
        reporter: &mut dyn Reporter,
    ) -> Result<(), Stopped> {
        let mut width = ASPIRATION;
        let mut window = if depth >= 5 && !last.is_mate() {
            Window { alpha: Score::cp(last.raw() - width), beta: Score::cp(last.raw() + width) }
        } else {
            Window::FULL
        };
        let mut reduced = 0;
        loop {
            let score = self.root(roots, window, (depth - reduced).max(1), depth, reporter)?;
            width *= 2;
            let wide = width > 400 || score.is_mate();
            if score <= window.alpha && window.alpha > Window::FULL.alpha {
                self.report(depth, &roots[0], Bound::Upper, reporter);
                window.beta = Score::cp((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha = if wide { Window::FULL.alpha } else { Score::cp(score.raw() - width) };
                reduced = 0;
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                self.report(depth, &roots[0], Bound::Lower, reporter);
                window.beta = if wide { Window::FULL.beta } else { Score::cp(score.raw() + width) };
                reduced = (reduced + 1).min(3);
            } else {
                return Ok(());
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
        let sight = self.position.sight();
        let eval = (!sight.in_check()).then(|| evaluate(&self.position));
        self.frames[0].eval = eval;
        self.frames[1].killers = [None; 2];
        let old_alpha = window.alpha;
        let mut best = -Score::INFINITE;

        for index in 0..roots.len() {
            let m = roots[index].m;
            if self.id == 0 {
                reporter.looks_at(iteration, m, index + 1, self.shared.clock.elapsed());
            }
            let nodes = self.nodes;
            let quiet = !self.position.is_noisy(m);
            self.play(m, 0);
            let gives_check = self.position.checkers().any();
            let new_depth = depth - 1 + i32::from(gives_check);
            let score = (|| {
                if index == 0 {
                    return Ok(-node::<Main>(self, -window, new_depth, 1, false)?);
                }
                let base = self.reductions.base(depth, index);
                let late = depth >= 3 && index > 3 && quiet && !gives_check;
                let reduction = if late { (base / 1024 - 1).clamp(0, (new_depth - 1).max(0)) } else { 0 };
                let mut score = -node::<Scout>(self, -window.scout(), new_depth - reduction, 1, true)?;
                if reduction > 0 && score > window.alpha {
                    score = -node::<Scout>(self, -window.scout(), new_depth, 1, true)?;
                }
                if score > window.alpha {
                    score = -node::<Main>(self, -window, new_depth, 1, false)?;
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

    fn report(&mut self, depth: i32, root: &RootMove, bound: Bound, reporter: &mut dyn Reporter) {
        if self.id > 0 {
            return;
        }
        self.told = (bound == Bound::Exact).then_some(root.m);
        reporter.report(&Report {
            depth,
            selective_depth: self.selective_depth.max(1),
            score: root.score,
            bound,
            nodes: self.shared.all_nodes().max(self.nodes),
            time: self.shared.clock.elapsed(),
            fullness: self.shared.table.fullness(),
            line: root.line.clone(),
        });
    }
}

/// How much of the soft limit to use: less where one move takes nearly all nodes and has been best for long, more where
/// the score falls.
fn urge(settled: u32, share: f64, fallen: i32) -> f64 {
    let stability = [1.5, 1.25, 1.1, 1.0, 0.9][settled.min(4) as usize];
    let effort = (1.65 - share).clamp(0.6, 1.5);
    let trend = 1.0 + f64::from(fallen) / 100.0;
    stability * effort * trend
}
