//! One thread of a search: its position, its search stack, its histories, its count of nodes.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::ThreadState;
use super::correction::{Corrections, MovesBeforeLast};
use super::history::{CONTINUATIONS, Histories, HistoryIndex, NO_MOVE, PriorMoves, piece_to};
use super::params::ParamsInUse;
use super::report::Line;
use super::rules::{self, Reductions};
use super::shared::Shared;
use super::table::{Bound, Entry};
use super::tablebases::Tablebases;
use super::window::Window;
use crate::board::{Move, Position};
use crate::eval::endgames::cache::times_solved;
use crate::eval::loaded::{LoadedWeights, loaded};
use crate::eval::{EvalCache, evaluate_cached, evaluate_loaded};
use crate::fault::{Place, inject};
use crate::score::{MAX_PLY, Score};

/// The search was stopped, so that the node has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// One ply of the search stack: what a node keeps while its children are searched.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The evaluation as the table keeps it, unless in check.
    pub raw_eval: Option<Score>,
    /// The static evaluation, corrected and scaled, unless in check.
    pub eval: Option<Score>,
    /// Killer moves: quiet moves that caused a cutoff in a node of this ply with the same grandparent.
    pub killers: [Option<Move>; 2],
    /// The move being searched, as index of the continuation histories, or [`NO_MOVE`].
    pub piece_to: usize,
    /// It is neither capture nor promotion.
    pub quiet: bool,
    /// Where the main histories keep it: of a quiet move below the root.
    pub history_index: Option<HistoryIndex>,
    /// How many moves were searched before it.
    pub move_count: usize,
    /// The node is, or was in an earlier search, one of the principal variation.
    pub was_pv: bool,
    /// The excluded move: the hash move, during the search that tests whether it is singular.
    pub excluded: Option<Move>,
    /// By how many plies the move being searched is reduced.
    pub reduction: i32,
    /// Cutoff count: cutoffs of nodes at this ply since the search of their grandparent began.
    pub cutoffs: u32,
    /// Double extensions on the way from the root.
    pub double_extensions: i32,
    /// The principal variation from here.
    pub line: Line,
}

/// The number of nodes between two checks of the clock.
const CLOCK_EVERY: u64 = 1024;

/// Nodes of all threads, and time since the search began.
#[derive(Clone, Copy, Debug)]
pub struct MateBudget {
    pub nodes: u64,
    pub time: Duration,
}

/// One thread of a search.
pub struct Worker<'a> {
    /// Zero for the main thread, which reports and keeps the time.
    pub id: usize,
    /// The position, changed and restored as the search goes.
    pub position: Position,
    /// Its histories.
    pub histories: &'a mut Histories,
    /// Its correction histories.
    pub corrections: &'a mut Corrections,
    /// Its evaluation cache.
    eval_cache: &'a mut EvalCache,
    /// The weights of the evaluation, if they are not the built-in ones.
    weights: Option<Arc<LoadedWeights>>,
    /// The numbers of the rules.
    pub params: ParamsInUse<'a>,
    pub(super) shared: &'a Shared<'a>,
    /// Nodes visited.
    pub nodes: u64,
    /// Moves made, without null moves: what Stockfish counts as nodes.
    moves_made: u64,
    /// The deepest ply reached in this iteration.
    pub selective_depth: usize,
    /// How often structures had been solved when [`Worker::visit`] last asked.
    times_solved: u64,
    /// The search stack, by ply.
    pub frames: Vec<Frame>,
    /// Lines end at this ply: the horizon of a search for mate, else the greatest length of a line.
    pub max_ply: usize,
    /// Only mates are searched for, with nothing pruned, extended or reduced.
    pub mates_only: bool,
    /// What a search for mates may take, if it must leave something for the usual search.
    pub mate_budget: Option<MateBudget>,
    /// Mates of bare kings may be looked up: not after a repetition, since the way to the mate may lead
    /// through a third one.
    may_look_up_mates: bool,
    /// Null moves are not tried before this ply: set while one is verified.
    pub null_move_min_ply: usize,
    /// The depth of this iteration.
    pub root_depth: i32,
    /// The logarithms of late move reductions.
    pub reductions: Reductions,
    /// How often in this iteration another root move became the best one.
    pub best_move_changes: usize,
    /// The first move of the best line reported last, if its score was exact.
    pub reported: Option<Move>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        id: usize,
        position: Position,
        thread: &'a mut ThreadState,
        shared: &'a Shared<'a>,
    ) -> Worker<'a> {
        let may_look_up_mates = !position.has_repeated();
        Worker {
            id,
            position,
            histories: &mut thread.histories,
            corrections: &mut thread.corrections,
            eval_cache: &mut thread.eval_cache,
            weights: loaded(),
            params: ParamsInUse(shared.params),
            shared,
            nodes: 0,
            moves_made: 0,
            selective_depth: 0,
            times_solved: times_solved(),
            frames: vec![Frame::default(); MAX_PLY + 4],
            max_ply: MAX_PLY - 1,
            mates_only: false,
            mate_budget: None,
            may_look_up_mates,
            null_move_min_ply: 0,
            root_depth: 0,
            reductions: Reductions::get(),
            best_move_changes: 0,
            reported: None,
        }
    }

    /// The evaluation of the position, with noise if the engine is to play weaker than it can.
    #[inline(always)]
    pub fn evaluate(&mut self) -> Score {
        let score = match &self.weights {
            None => evaluate_cached(&self.position, self.eval_cache),
            Some(weights) => evaluate_loaded(&self.position, weights, self.eval_cache),
        };
        match self.shared.strength {
            None => score,
            Some(strength) => score.plus(strength.evaluation_noise(&self.position)),
        }
    }

    /// The static evaluation of the position: `raw` with its correction, shrunk as the fifty-move
    /// rule nears, rounded towards zero.
    #[inline(always)]
    pub fn static_eval(&self, raw: Score, correction: i32) -> Score {
        let corrected = raw.raw() + correction;
        let scaled = rules::rule50_scaling(corrected, self.position.fifty());
        rules::grained(self.params, scaled)
    }

    /// The first step of every node below the root: counts the node, checks the clock now and then,
    /// and returns the score of nodes that need no search: draws by the rules, and the static
    /// evaluation at the maximum ply.
    #[inline(always)]
    pub fn enter(&mut self, ply: usize) -> Result<Option<Score>, Stopped> {
        self.visit(ply)?;
        self.frames[ply].line.clear();
        if self.position.is_draw(ply) {
            return Ok(Some(rules::draw_score(self.nodes)));
        }
        if ply >= self.max_ply {
            return Ok(Some(self.evaluate()));
        }
        Ok(None)
    }

    /// Upcoming repetition (cuckoo tables): a side that can repeat a position at once has at least
    /// a draw. Raises alpha, and returns the score if the window is empty then.
    #[inline(always)]
    pub fn upcoming_repetition(&self, window: &mut Window, ply: usize) -> Option<Score> {
        if window.alpha < Score::DRAW && self.position.can_repeat(ply) {
            window.alpha = rules::draw_score(self.nodes);
            return window.is_empty().then_some(window.alpha);
        }
        None
    }

    /// The key of the position in the transposition table. A search for mates shares no entries
    /// with others, which prune.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.position.key() ^ self.key_mask()
    }

    /// The key of the position in a singular search, without the excluded move: it has entries of
    /// its own.
    #[inline(always)]
    pub fn key_without(&self, excluded: Option<Move>) -> u64 {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.key() ^ excluded.map_or(0, |m| u64::from(m.bits()).wrapping_mul(SPREAD))
    }

    #[inline(always)]
    fn key_mask(&self) -> u64 {
        if self.mates_only { 0x5bd1_e995_9e37_79b9 } else { 0 }
    }

    /// Whether mates of bare kings are looked up.
    #[inline(always)]
    pub fn knows_mates(&self) -> bool {
        self.may_look_up_mates && !self.mates_only
    }

    /// Counts a node and checks the clock now and then. With one thread a node limit is exact.
    #[inline(always)]
    pub fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(CLOCK_EVERY)
            || self.nodes >= self.shared.node_limit
            || self.has_solved()
        {
            return self.check_clock();
        }
        Ok(())
    }

    /// Whether the evaluation has solved a pawn structure since this was asked last.
    #[inline(always)]
    fn has_solved(&mut self) -> bool {
        let before = std::mem::replace(&mut self.times_solved, times_solved());
        self.times_solved != before
    }

    #[cold]
    fn check_clock(&mut self) -> Result<(), Stopped> {
        inject(if self.id == 0 { Place::Main } else { Place::Helper });
        self.publish_nodes();
        let stop =
            if self.id == 0 { self.shared.must_stop() } else { self.shared.stop.is_stopped() };
        let is_spent = self.mate_budget.is_some_and(|budget| {
            self.shared.all_nodes() >= budget.nodes || self.shared.clock.elapsed() >= budget.time
        });
        if stop || is_spent { Err(Stopped) } else { Ok(()) }
    }

    /// Tells the other threads how many nodes this one has visited.
    pub fn publish_nodes(&self) {
        let counts = &self.shared.counts[self.id];
        counts.nodes.store(self.nodes, Relaxed);
        counts.moves_made.store(self.moves_made, Relaxed);
    }

    /// The nodes at `ply` have another grandparent from here on: killers and cutoffs of the nodes
    /// there before say nothing about them.
    #[inline(always)]
    pub fn clear_grandchildren(&mut self, ply: usize) {
        self.frames[ply].killers = [None; 2];
        self.frames[ply].cutoffs = 0;
    }

    /// Prefetches the bucket of the table for the position after a move. Castling rights and en
    /// passant are not considered: the bucket may be another one.
    #[inline(always)]
    pub fn prefetch_child(&self, m: Move) {
        self.shared.table.prefetch(self.position.key_after(m) ^ self.key_mask());
    }

    /// Makes a move of the node at `ply`, and prefetches what the child will read. Its bucket of the
    /// table should be on its way since the move was picked.
    #[inline(always)]
    pub fn play(&mut self, m: Move, ply: usize) {
        self.moves_made += 1;
        let frame = &mut self.frames[ply];
        frame.piece_to = piece_to(&self.position, m);
        frame.history_index = None;
        frame.quiet = !self.position.is_noisy(m);
        frame.reduction = 0;
        self.position.play(m);
        self.prefetch_evaluation(ply + 1);
    }

    /// Prefetches what the evaluation of the node at `ply` and its correction will read.
    #[inline(always)]
    fn prefetch_evaluation(&self, ply: usize) {
        self.corrections.prefetch(&self.position, self.moves_before_last(ply));
        self.eval_cache.prefetch(&self.position);
    }

    /// Makes a null move at the node at `ply`.
    pub fn play_null(&mut self, ply: usize) {
        let frame = &mut self.frames[ply];
        frame.piece_to = NO_MOVE;
        frame.history_index = None;
        frame.reduction = 0;
        self.position.play_null();
        self.shared.table.prefetch(self.key());
        self.prefetch_evaluation(ply + 1);
    }

    /// Counts the double extensions on the way to a child of the node at `ply`: those on the way to
    /// the node, and `more`.
    #[inline(always)]
    pub fn count_double_extensions(&mut self, ply: usize, more: i32) {
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions + more;
    }

    /// Improving: whether the evaluation is better than at this side's previous move, or, if that
    /// was in check, at the one before. True where neither is known, as after the first move.
    #[inline(always)]
    pub fn improving(&self, eval: Option<Score>, ply: usize) -> bool {
        let earlier = |back| ply.checked_sub(back).and_then(|ply| self.frames[ply].eval);
        eval.is_some_and(|eval| earlier(2).or(earlier(4)).is_none_or(|earlier| eval > earlier))
    }

    /// The two moves that precede the last one before the node at `ply`.
    #[inline(always)]
    fn moves_before_last(&self, ply: usize) -> MovesBeforeLast {
        [3, 2].map(|back| self.move_before(ply, back))
    }

    /// The correction of the static evaluation by the correction histories, in centipawns.
    #[inline(always)]
    pub fn correction(&self, ply: usize) -> i32 {
        self.corrections.correction(self.params, &self.position, self.moves_before_last(ply))
    }

    /// Updates the correction histories: a search of the node at `ply` has found the evaluation too
    /// low by `error` centipawns.
    pub fn update_correction(&mut self, ply: usize, error: i32, depth: i32) {
        let moves = self.moves_before_last(ply);
        self.corrections.update(&self.position, moves, error, depth);
    }

    /// Prior move bonus: no move helped at the node at `ply`, so the quiet move that led there was
    /// a good one.
    pub fn prior_move_bonus(&mut self, ply: usize, bonus: i32) {
        let prior = &self.frames[ply - 1];
        if prior.piece_to != NO_MOVE && prior.quiet {
            let before = self.prior_moves(ply - 1);
            self.histories.update_continuation(prior.piece_to, &before, bonus);
        }
    }

    /// Prior move malus: the node at `ply` failed high. If the quiet move that led there was the
    /// first to be searched, it was ordered too early.
    pub fn prior_move_malus(&mut self, ply: usize, malus: i32) {
        let prior = &self.frames[ply - 1];
        if prior.piece_to != NO_MOVE && prior.quiet && prior.move_count == 0 {
            let before = self.prior_moves(ply - 1);
            self.histories.update_continuation(prior.piece_to, &before, -malus);
        }
    }

    /// The moves before the node at `ply`, for the continuation histories.
    #[inline(always)]
    pub fn prior_moves(&self, ply: usize) -> PriorMoves {
        CONTINUATIONS.map(|back| self.move_before(ply, back))
    }

    /// The move so many plies before the node at `ply`, as index of [`piece_to`] or [`NO_MOVE`].
    #[inline(always)]
    fn move_before(&self, ply: usize, back: usize) -> usize {
        ply.checked_sub(back).map_or(NO_MOVE, |ply| self.frames[ply].piece_to)
    }

    /// The principal variation of the node at `ply` is now `m` and what follows it.
    #[inline(always)]
    pub fn update_line(&mut self, m: Move, ply: usize) {
        let (here, below) = self.frames.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(m);
        let capacity = line.remaining_capacity();
        line.extend(below[0].line.iter().copied().take(capacity));
    }

    /// Probes the tablebases (WDL) at the node at `ply`. Returns the result as an entry of the
    /// transposition table; `None` if they are not probed or have no such table.
    #[inline(always)]
    pub fn probe_tablebases(&mut self, depth: i32, ply: usize) -> Option<Entry> {
        let tables = self.shared.tablebases?;
        if tables.may_probe(&self.position, depth) {
            self.probe_wdl(tables, depth, ply)
        } else {
            None
        }
    }

    #[cold]
    fn probe_wdl(&self, tables: &Tablebases, depth: i32, ply: usize) -> Option<Entry> {
        let score = tables.score(&self.position, ply)?;
        self.shared.tablebase_hits.fetch_add(1, Relaxed);
        // A mate may be better than what the tables say of a win.
        let bound = match score {
            _ if score.is_win() => Bound::Lower,
            _ if score.is_loss() => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(Entry::new(None, score, None, depth + 6, bound, false, ply))
    }
}
