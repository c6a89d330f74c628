//! The root: iterative deepening, aspiration windows, the root moves, and when to stop.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::SearchResult;
use super::mate::{LONGEST_MATE, search_mate};
use super::memory::table::Bound;
use super::node::node_type::Root;
use super::node::search_node;
use super::report::{Line, Report};
use super::tablebases::Rank;
use super::time::stability::Stability;
use super::tuned::numbers;
use super::window::Window;
use super::worker::{Stopped, Worker};
use crate::board::Move;
use crate::known::mates;
use crate::score::{MAX_PLY, Score};

numbers! {
    root:
    /// Aspiration windows: half the width of the first window, in centipawns.
    aspiration = 12, 5 to 40;
}

/// The depth of the search for a good move where there is no mate, in plies.
const NO_MATE_DEPTH: i32 = 12;

/// In MultiPV searches the lines of an incomplete iteration are reported only from this time on.
const PATIENCE: Duration = Duration::from_secs(3);

/// A root move with its score, its line and its node count.
#[derive(Clone, Debug)]
struct RootMove {
    /// The move.
    m: Move,
    /// From the last search that found it best; below all scores otherwise.
    score: Score,
    /// The move failed high with this score.
    failed_high: bool,
    /// The score of the iteration before.
    last_score: Score,
    line: Line,
    nodes: u64,
    /// Its rank by the tablebases, if these were probed.
    rank: Option<Rank>,
}

impl RootMove {
    /// Moves of a lower class are searched after all of a higher class have a line.
    fn class(&self) -> i32 {
        self.rank.map_or(0, |rank| rank.rank)
    }

    /// The score to show: that of the tablebases, unless a mate was found.
    fn shown(&self) -> Score {
        self.rank.filter(|_| !self.score.is_mate()).map_or(self.score, |rank| rank.score)
    }

    /// Plies to mate, if a mate was found for either side.
    fn mate_plies(&self) -> Option<i32> {
        let score = self.score;
        score.is_mate().then(|| Score::mate_in(0).raw() - score.raw().abs())
    }
}

/// The moves of the root, the best first, and which of them are searched.
#[derive(Clone, Debug)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// Those that compete for the line that is searched.
    competing: Range<usize>,
}

impl RootMoves {
    /// All moves, the best by the tablebases first.
    pub fn new(moves: &[Move], ranks: Option<&[Rank]>) -> RootMoves {
        let root_move = |(index, &m): (usize, &Move)| RootMove {
            m,
            score: -Score::INFINITE,
            failed_high: false,
            last_score: -Score::INFINITE,
            line: Line::from_iter([m]),
            nodes: 0,
            rank: ranks.map(|ranks| ranks[index]),
        };
        let mut roots: Vec<RootMove> = moves.iter().enumerate().map(root_move).collect();
        roots.sort_by_key(|root| Reverse(root.class()));
        RootMoves { competing: 0..roots.len(), moves: roots }
    }
}

/// One iteration.
struct Iteration {
    /// Its depth, in plies.
    depth: i32,
    /// Lines to search (MultiPV).
    lines: usize,
    /// The deepest ply that the iteration before has reached.
    selective_before: usize,
}

impl Worker<'_> {
    /// Iterative deepening, until the limits, the clock or a proven end stop it.
    pub fn deepen(&mut self) -> SearchResult {
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
                // There is none: any good move will do, unless something else limits the search.
                Ok(None) if moves <= LONGEST_MATE && !self.shared.limits.has_budget() => {
                    max_depth = max_depth.min(NO_MATE_DEPTH);
                }
                Ok(None) | Err(Stopped) => {}
            }
        }
        let lines = self.shared.multi_pv.clamp(1, self.roots.moves.len());
        let mut stability = Stability::new(self.shared.score_before);
        for depth in 1..=max_depth {
            // Helper threads skip depths, so that not all threads search the same (Lazy SMP).
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
            result.score = best.shown();
            result.depth = depth;
            if lines == 1 {
                self.report(depth, 1, &best, Bound::Exact, false);
            }
            let same_move = best_before == result.line.first().copied();
            stability.update(same_move, self.best_move_changes, result.score);
            if self.id == 0 && self.is_done(&iteration, &stability) {
                break;
            }
        }
        result
    }

    /// One iteration: the best move, and in MultiPV the lines after it, each without the first
    /// moves of those before.
    fn search_lines(&mut self, iteration: &Iteration) -> Result<(), Stopped> {
        let lines = iteration.lines;
        for root in &mut self.roots.moves {
            root.last_score = root.score;
        }
        for first in 0..lines {
            self.selective_depth = 0;
            // Only moves that the tablebases rank like this one compete for the line.
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
            let patient = self.shared.clock.elapsed() >= PATIENCE;
            if lines > 1 && (first + 1 == lines || patient) {
                self.report_lines(first + 1, iteration);
            }
        }
        Ok(())
    }

    /// Takes over what a stopped iteration has found, and reports the best line with the nodes visited
    /// until then. The iteration searched the best move of the one before first, so another move in
    /// front of the list is better. If it is still the same move, its score is incomplete, and the line
    /// of the iteration before stays.
    fn take_unfinished(&mut self, iteration: &Iteration, result: &mut SearchResult) {
        let best = self.roots.moves[0].clone();
        let stays = result.depth > 0 && result.line.first() == Some(&best.m);
        if !stays {
            result.line = best.line.clone();
            // In the first iteration there may be no score yet, and the GUI still wants one.
            result.score = match best.rank {
                _ if best.score > -Score::INFINITE => best.shown(),
                Some(rank) => rank.score,
                None => self.first_evaluation(),
            };
        }
        // A move that failed high is at least this good; a mate whose line was not searched to its end,
        // too, but it is not proven to take so long.
        let (score, line) = (result.score, result.line.clone());
        let first = RootMove { score, rank: None, line, ..best };
        let ends = |plies| first.line.len() == plies as usize;
        let is_exact = stays || (!first.failed_high && first.mate_plies().is_none_or(ends));
        result.bound = if is_exact { Bound::Exact } else { Bound::Lower };
        // Of several lines those reported last stay.
        if iteration.lines > 1 && self.reported == Some(first.m) {
            return;
        }
        if stays {
            self.selective_depth = self.selective_depth.max(iteration.selective_before);
        }
        let depth = if stays { result.depth } else { iteration.depth };
        self.report(depth, 1, &first, result.bound, true);
        for index in 1..iteration.lines {
            let root = self.roots.moves[index].clone();
            let root = RootMove { score: root.last_score, ..root };
            if root.score > -Score::INFINITE {
                self.report(iteration.depth - 1, index + 1, &root, Bound::Exact, true);
            }
        }
    }

    /// The evaluation of a position of which nothing has been searched.
    fn first_evaluation(&mut self) -> Score {
        let known = self.ask().unwrap_or_default();
        self.evaluate(known)
    }

    /// Whether the main thread ends the search after a complete iteration.
    fn is_done(&self, iteration: &Iteration, stability: &Stability) -> bool {
        let roots = &self.roots.moves;
        let clock = self.shared.clock;
        if self.is_decided(&roots[..iteration.lines], iteration.depth)
            || (roots.len() == 1 && clock.is_running())
        {
            return true;
        }
        let nodes: u64 = roots.iter().map(|root| root.nodes).sum();
        let share = roots[0].nodes as f64 / nodes.max(1) as f64;
        clock.may_stop(stability.time_factor(share)) || self.shared.must_stop()
    }

    /// Whether all lines are mates that deeper iterations will not change, or the mate that
    /// `go mate` asks for is found.
    fn is_decided(&self, roots: &[RootMove], depth: i32) -> bool {
        let wanted = self.shared.limits.mate_limit();
        roots.iter().all(|root| {
            root.mate_plies().is_some_and(|plies| {
                let enough = |mate: i64| i64::from(plies) <= mate.saturating_mul(2);
                depth > plies + 8 || (root.score.is_win() && wanted.is_some_and(enough))
            })
        })
    }

    /// Aspiration windows: searches some moves with a small window around the last score, which is
    /// widened until the score lies inside.
    fn aspiration(
        &mut self,
        competing: Range<usize>,
        iteration: &Iteration,
    ) -> Result<(), Stopped> {
        let depth = iteration.depth;
        let mut width = self.params.root.aspiration;
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

    /// Searches the moves of the root that compete for a line, the first `first` being taken.
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

    /// The move of the root that is to be searched after `count` others. The main thread reports it.
    pub fn root_move(&mut self, count: usize) -> Option<Move> {
        let index = self.roots.competing.start + count;
        let m = self.roots.moves[..self.roots.competing.end].get(index)?.m;
        if self.id == 0 {
            let elapsed = self.shared.clock.elapsed();
            self.reporter.current_move(self.root_depth, m, index + 1, elapsed);
        }
        Some(m)
    }

    /// Notes the score of the move of the root that was searched after `count` others, with this
    /// window, when `nodes` nodes had been visited. One that raises alpha comes to the front.
    pub fn root_move_searched(&mut self, count: usize, score: Score, window: Window, nodes: u64) {
        let index = self.roots.competing.start + count;
        let nodes = self.nodes - nodes;
        let is_best = count == 0 || score > window.alpha;
        let root = &mut self.roots.moves[index];
        root.nodes += nodes;
        if !is_best {
            root.score = -Score::INFINITE;
            return;
        }
        root.score = score;
        root.failed_high = score >= window.beta;
        let m = root.m;
        self.best_move_changes += usize::from(count > 0);
        self.update_line(m, 0);
        self.roots.moves[index].line = self.whole_line(score);
        self.roots.moves[self.roots.competing.start..=index].rotate_right(1);
    }

    /// Whether all moves of the root compete, so that the score of the best is that of the position:
    /// not for later lines, nor among moves that a GUI has chosen.
    pub fn has_all_root_moves(&self) -> bool {
        self.roots.competing.start == 0 && self.shared.limits.search_moves.is_empty()
    }

    /// Reports a mate with the move of the root of this index, and returns it as the result.
    pub fn report_mate(&mut self, index: usize, line: Line, plies: usize) -> SearchResult {
        let (score, depth) = (Score::mate_in(plies), plies as i32);
        let root = RootMove { score, line, ..self.roots.moves[index].clone() };
        self.report(depth, 1, &root, Bound::Exact, false);
        SearchResult::new(root.line, score, depth)
    }

    /// Reports that there is no mate in so many moves, if all moves were searched.
    pub fn report_no_mate(&mut self, moves: usize) {
        if self.shared.limits.search_moves.is_empty() {
            self.reporter.no_mate(moves);
        }
    }

    /// The principal variation. Where it ends at a known mate, the moves to that mate are added.
    fn whole_line(&self, score: Score) -> Line {
        let mut line = self.frames[0].line.clone();
        if !score.is_mate() || !self.knows_mates() {
            return line;
        }
        let mut position = self.position.clone();
        line.iter().for_each(|&m| position.play(m));
        while let Some(m) = mates::best_move(&position).filter(|_| !line.is_full()) {
            line.push(m);
            position.play(m);
        }
        line
    }

    /// Reports the first `done` lines of an iteration and, below them, those of the one before.
    fn report_lines(&mut self, done: usize, iteration: &Iteration) {
        for index in 0..iteration.lines {
            let root = self.roots.moves[index].clone();
            let old = index >= done;
            let score = if old { root.last_score } else { root.score };
            let root = RootMove { score, ..root };
            if root.score > -Score::INFINITE {
                let depth = iteration.depth - i32::from(old);
                self.report(depth, index + 1, &root, Bound::Exact, false);
            }
        }
    }

    fn report(
        &mut self,
        depth: i32,
        multi_pv: usize,
        root: &RootMove,
        bound: Bound,
        is_last: bool,
    ) {
        if self.id > 0 {
            return;
        }
        // The line of a mate after the first may have been cut by the table: then its length is not
        // shown to be right.
        let is_cut = root.mate_plies().is_some_and(|plies| root.line.len() != plies as usize);
        let bound = match multi_pv > 1 && is_cut && bound == Bound::Exact {
            true if root.score.is_win() => Bound::Lower,
            true => Bound::Upper,
            false => bound,
        };
        if multi_pv == 1 {
            self.reported = (bound == Bound::Exact).then_some(root.m);
        }
        self.reporter.report(&Report {
            depth,
            selective_depth: self.selective_depth.max(1),
            multi_pv,
            score: root.shown(),
            bound,
            nodes: self.shared.all_nodes().max(self.nodes),
            tablebase_hits: self.shared.tablebase_hits.load(Relaxed),
            time: self.shared.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            line: root.line.clone(),
            is_last,
        });
    }
}
