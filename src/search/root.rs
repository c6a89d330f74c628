//! The root: iterative deepening, aspiration windows, the root moves, and when to stop.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::SearchResult;
use super::history::Context;
use super::limits::LONGEST_MATE;
use super::node::search_move;
use super::node_data::{Candidate, Facts, Node, Progress};
use super::node_type::Root;
use super::report::{Line, Report, Reporter};
use super::stability::Stability;
use super::table::{Bound, Entry};
use super::tablebases::Rank;
use super::window::Window;
use super::worker::{MateBudget, Stopped, Worker};
use crate::board::Move;
use crate::eval::endgames::bare_king;
use crate::score::{MAX_PLY, Score};

/// The depth of the search for a good move where there is no mate, in plies.
const NO_MATE_DEPTH: i32 = 12;

/// In MultiPV searches the lines of an incomplete iteration are reported only from this time on.
const PATIENCE: Duration = Duration::from_secs(3);

/// A root move with its score, its line and its node count.
#[derive(Clone, Debug)]
pub struct RootMove {
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
    /// All moves, the best by the tablebases first.
    pub fn all(moves: &[Move], ranks: Option<&[Rank]>) -> Vec<RootMove> {
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
        roots
    }

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
    pub fn deepen(
        &mut self,
        mut roots: Vec<RootMove>,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let line = roots.first().map(|root| root.m).into_iter().collect();
        let mut result = SearchResult::new(line, Score::DRAW, 0);
        if roots.is_empty() {
            let mated = self.position.checkers().any();
            result.score = if mated { Score::mated_in(0) } else { Score::DRAW };
            return result;
        }
        let mut max_depth = self.shared.limits.depth_limit().min(MAX_PLY as i32 - 1);
        if let Some(moves) = self.shared.limits.mate_limit().filter(|_| self.id == 0) {
            let mate = self.search_mate(&roots, moves, reporter);
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
        let lines = self.shared.multi_pv.clamp(1, roots.len());
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
            let complete = self.search_lines(&mut roots, &iteration, reporter);
            self.publish_nodes();
            if complete.is_err() {
                self.take_unfinished(&roots, &iteration, &mut result, reporter);
                break;
            }
            result.line = roots[0].line.clone();
            result.score = roots[0].shown();
            result.depth = depth;
            if lines == 1 {
                self.report(depth, 1, &roots[0], Bound::Exact, false, reporter);
            }
            let same_move = best_before == result.line.first().copied();
            stability.update(same_move, self.best_move_changes, result.score);
            if self.id == 0 && self.is_done(&roots, &iteration, &stability) {
                break;
            }
        }
        result
    }

    /// Searches for a mate in at most this many moves, the shortest first, with nothing pruned.
    /// `None` is a proof that there is none. Long mates are left to the usual search, which finds
    /// them sooner; so is what its [budget](Worker::budget_of_mates) does not allow.
    fn search_mate(
        &mut self,
        roots: &[RootMove],
        moves: i64,
        reporter: &mut dyn Reporter,
    ) -> Result<Option<SearchResult>, Stopped> {
        self.mates_only = true;
        self.mate_budget = self.budget_of_mates(moves);
        let lengths = 1..=moves.min(LONGEST_MATE) as usize;
        let mut mates = lengths.map(|moves| self.search_mate_in(moves, roots, reporter));
        let result = mates.find_map(Result::transpose).transpose();
        (self.mates_only, self.max_ply, self.mate_budget) = (false, MAX_PLY - 1, None);
        result
    }

    /// How much the search for short mates may take; `None` for all it needs. Where there is a limit,
    /// the usual search must have its share: it finds some good move, and longer mates.
    fn budget_of_mates(&self, moves: i64) -> Option<MateBudget> {
        /// For a long mate where nothing is limited.
        const NODES: u64 = 1_000_000;
        let is_long = moves > LONGEST_MATE;
        let share = if is_long { 4 } else { 2 };
        let nodes = match self.shared.node_limit {
            u64::MAX if is_long => NODES,
            u64::MAX => u64::MAX,
            limit => limit / share,
        };
        let time = match self.shared.clock.time_for_move() {
            Duration::MAX => Duration::MAX,
            time => time / share as u32,
        };
        let is_limited = nodes < u64::MAX || time < Duration::MAX;
        is_limited.then_some(MateBudget { nodes, time })
    }

    /// Searches for a mate in exactly this many moves: all moves to that depth, with a window in
    /// which nothing but such a mate, or a shorter one, lies.
    fn search_mate_in(
        &mut self,
        moves: usize,
        roots: &[RootMove],
        reporter: &mut dyn Reporter,
    ) -> Result<Option<SearchResult>, Stopped> {
        let mut roots = roots.to_vec();
        let (depth, window) = (2 * moves as i32 - 1, Window::mate_before(2 * moves));
        (self.root_depth, self.max_ply, self.selective_depth) = (depth, 2 * moves, 0);
        let all = roots.len();
        let score = self.search_root(&mut roots, 0..all, window, depth, reporter)?;
        if score <= window.alpha {
            if self.shared.limits.search_moves.is_empty() {
                reporter.no_mate(moves);
            }
            return Ok(None);
        }
        self.report(depth, 1, &roots[0], Bound::Exact, false, reporter);
        Ok(Some(SearchResult::new(roots[0].line.clone(), score, depth)))
    }

    /// One iteration: the best move, and in MultiPV the lines after it, each without the first
    /// moves of those before.
    fn search_lines(
        &mut self,
        roots: &mut [RootMove],
        iteration: &Iteration,
        reporter: &mut dyn Reporter,
    ) -> Result<(), Stopped> {
        let lines = iteration.lines;
        for root in roots.iter_mut() {
            root.last_score = root.score;
        }
        for first in 0..lines {
            self.selective_depth = 0;
            // Only moves that the tablebases rank like this one compete for the line.
            let class = roots[first].class();
            let last = roots.iter().rposition(|root| root.class() == class);
            let end = last.map_or(roots.len(), |last| last + 1);
            let changes = self.best_move_changes;
            self.aspiration(roots, first..end, iteration, reporter)?;
            if first > 0 {
                // The best move is that of the first line.
                self.best_move_changes = changes;
            }
            roots[..=first].sort_by_key(|root| Reverse((root.class(), root.score)));
            let patient = self.shared.clock.elapsed() >= PATIENCE;
            if lines > 1 && (first + 1 == lines || patient) {
                self.report_lines(roots, first + 1, iteration, reporter);
            }
        }
        Ok(())
    }

    /// Takes over what a stopped iteration has found, and reports the best line with the nodes visited
    /// until then. The iteration searched the best move of the one before first, so another move in
    /// front of the list is better. If it is still the same move, its score is incomplete, and the line
    /// of the iteration before stays.
    fn take_unfinished(
        &mut self,
        roots: &[RootMove],
        iteration: &Iteration,
        result: &mut SearchResult,
        reporter: &mut dyn Reporter,
    ) {
        let best = &roots[0];
        let stays = result.depth > 0 && result.line.first() == Some(&best.m);
        if !stays {
            result.line = best.line.clone();
            // In the first iteration there may be no score yet, and the GUI still wants one.
            result.score = match best.rank {
                _ if best.score > -Score::INFINITE => best.shown(),
                Some(rank) => rank.score,
                None => self.evaluate(),
            };
        }
        // A move that failed high is at least this good; a mate whose line was not searched to its end,
        // too, but it is not proven to take so long.
        let (score, line) = (result.score, result.line.clone());
        let first = RootMove { score, rank: None, line, ..best.clone() };
        let ends = |plies| first.line.len() == plies as usize;
        let is_exact = stays || (!first.failed_high && first.mate_plies().is_none_or(ends));
        result.bound = if is_exact { Bound::Exact } else { Bound::Lower };
        // Of several lines those reported last stay.
        if iteration.lines > 1 && self.reported == Some(best.m) {
            return;
        }
        if stays {
            self.selective_depth = self.selective_depth.max(iteration.selective_before);
        }
        let depth = if stays { result.depth } else { iteration.depth };
        self.report(depth, 1, &first, result.bound, true, reporter);
        for (index, root) in roots[..iteration.lines].iter().enumerate().skip(1) {
            let root = RootMove { score: root.last_score, ..root.clone() };
            if root.score > -Score::INFINITE {
                self.report(iteration.depth - 1, index + 1, &root, Bound::Exact, true, reporter);
            }
        }
    }

    /// Whether the main thread ends the search after a complete iteration.
    fn is_done(&self, roots: &[RootMove], iteration: &Iteration, stability: &Stability) -> bool {
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
        roots: &mut [RootMove],
        range: Range<usize>,
        iteration: &Iteration,
        reporter: &mut dyn Reporter,
    ) -> Result<(), Stopped> {
        let depth = iteration.depth;
        let mut width = self.params.aspiration;
        let first = range.start;
        let last = roots[first].last_score;
        let narrow = depth >= 5 && !last.is_decided();
        let mut window = if narrow {
            Window { alpha: Score::cp(last.raw() - width), beta: Score::cp(last.raw() + width) }
        } else {
            Window::FULL
        };
        let mut reduction = 0;
        loop {
            let reduced = (depth - reduction).max(1);
            let score = self.search_root(roots, range.clone(), window, reduced, reporter)?;
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
                let failed = RootMove { score, ..roots[first].clone() };
                self.report(depth, 1, &failed, bound, false, reporter);
            }
        }
    }

    /// Searches the moves of a range of the root and brings the best one to its front.
    fn search_root(
        &mut self,
        roots: &mut [RootMove],
        range: Range<usize>,
        window: Window,
        depth: i32,
        reporter: &mut dyn Reporter,
    ) -> Result<Score, Stopped> {
        self.visit(0)?;
        self.clear_grandchildren(1);
        self.clear_grandchildren(2);
        let (mut node, facts) = self.root_node(window, depth);
        let before = self.prior_moves(0);
        let context = Context::new(self.params, &self.position, before, facts.info.danger);
        let mut progress = Progress::new(-Score::INFINITE);
        let first = range.start;
        let roots = &mut roots[range];

        for index in 0..roots.len() {
            let m = roots[index].m;
            if self.id == 0 {
                let elapsed = self.shared.clock.elapsed();
                reporter.current_move(self.root_depth, m, first + index + 1, elapsed);
            }
            let nodes = self.nodes;
            let candidate = self.root_candidate(m, index, depth, &context);
            progress.move_count = index;
            self.prefetch_child(m);
            let score = search_move::<Root>(
                self,
                &node,
                &facts,
                &context,
                &candidate,
                &progress,
                depth - 1,
            )?;

            roots[index].nodes += self.nodes - nodes;
            if index == 0 || score > node.window.alpha {
                self.best_move_changes += usize::from(index > 0);
                self.update_line(m, 0);
                roots[index].score = score;
                roots[index].failed_high = score >= window.beta;
                roots[index].line = self.whole_line(score);
                roots[..=index].rotate_right(1);
            } else {
                roots[index].score = -Score::INFINITE;
            }
            if score > progress.best {
                progress.best = score;
                node.window.alpha = node.window.alpha.max(score);
                if node.window.is_empty() {
                    break;
                }
            }
        }
        let best = progress.best;
        // The value of the position is that of its best move: not of later lines, nor of the moves that
        // a GUI has chosen.
        if first == 0 && self.shared.limits.search_moves.is_empty() {
            let bound = Bound::of(best, Window { alpha: window.alpha, ..node.window });
            let kept = Entry::new(Some(roots[0].m), best, facts.raw_eval, depth, bound, true, 0);
            self.shared.table.store(self.key(), kept);
        }
        Ok(best)
    }

    /// The principal variation. Where it ends at a known mate, the moves to that mate are added.
    fn whole_line(&self, score: Score) -> Line {
        let mut line = self.frames[0].line.clone();
        if !score.is_mate() || !self.knows_mates() {
            return line;
        }
        let mut position = self.position.clone();
        line.iter().for_each(|&m| position.play(m));
        while let Some(m) = bare_king::best_move(&position).filter(|_| !line.is_full()) {
            line.push(m);
            position.play(m);
        }
        line
    }

    /// The root as a node. Its moves are neither pruned nor extended, and for their reductions
    /// fewer facts count: no correction, no history of captures, no killers.
    fn root_node(&mut self, window: Window, depth: i32) -> (Node, Facts) {
        let info = self.position.check_info();
        let raw_eval = (!info.in_check()).then(|| self.evaluate());
        let eval = raw_eval.map(|raw| self.static_eval(raw, self.correction(0)));
        self.frames[0].eval = eval;
        let node = Node {
            window,
            depth,
            ply: 0,
            cut: false,
            excluded: None,
            key: self.key(),
            entry: None,
            at_least: -Score::INFINITE,
            at_most: Score::INFINITE,
        };
        let facts = Facts {
            info,
            raw_eval,
            eval,
            correction: 0,
            improving: true,
            was_pv: true,
            hash_move: None,
            noisy_hash_move: false,
        };
        (node, facts)
    }

    /// Looks up what reductions need to know of a root move.
    fn root_candidate(
        &self,
        m: Move,
        index: usize,
        depth: i32,
        context: &Context<'_>,
    ) -> Candidate {
        let quiet = !self.position.is_noisy(m);
        Candidate {
            m,
            quiet,
            gives_check: context.gives_check(&self.position, m),
            killer: false,
            history: if quiet { self.histories.quiet(&self.position, m, context) } else { 0 },
            base_reduction: self.reductions.base(self.params, depth, index, quiet),
        }
    }

    /// Reports the first `done` lines of an iteration and, below them, those of the one before.
    fn report_lines(
        &mut self,
        roots: &[RootMove],
        done: usize,
        iteration: &Iteration,
        reporter: &mut dyn Reporter,
    ) {
        for (index, root) in roots[..iteration.lines].iter().enumerate() {
            let old = index >= done;
            let score = if old { root.last_score } else { root.score };
            let root = RootMove { score, ..root.clone() };
            if root.score > -Score::INFINITE {
                let depth = iteration.depth - i32::from(old);
                self.report(depth, index + 1, &root, Bound::Exact, false, reporter);
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
        reporter: &mut dyn Reporter,
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
        reporter.report(&Report {
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
