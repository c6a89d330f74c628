//! One thread of a search: its position, its memory, its count of nodes.

use std::sync::atomic::Ordering::Relaxed;

use super::ablation::Rule;
use super::correction::{Corrections, LastTwo};
use super::history::{CONTINUATIONS, Histories, HistoryIndex, NO_MOVE, PriorMoves, piece_to};
use super::params::Params;
use super::report::Line;
use super::rules::Reductions;
use super::table::{Bound, Entry};
use super::tablebases::Tablebases;
use super::{Shared, ThreadState};
use crate::board::{Move, Position};
use crate::eval::{evaluate, evaluate_ablated};
use crate::score::{MAX_PLY, Score};

/// The search was told to stop: the only way in which a node can fail to have a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a node remembers while its children are searched.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The static evaluation, unless in check.
    pub eval: Option<Score>,
    /// Quiet moves that refuted a node at this ply.
    pub killers: [Option<Move>; 2],
    /// The move being tried, as index of the continuation histories.
    pub tried: Option<usize>,
    /// It is neither capture nor promotion.
    pub tried_quiet: bool,
    /// Its place in the histories that know no other moves: of a quiet one below the root.
    pub place: Option<HistoryIndex>,
    /// How many were tried before.
    pub number: usize,
    /// A move to leave out: is it the only good one?
    pub excluded: Option<Move>,
    /// By how many plies the move being tried is reduced.
    pub reduction: i32,
    /// How often nodes at this ply have been cut since the search of their grandparent began.
    pub cuts: u32,
    /// Double extensions on the way.
    pub extended: i32,
    /// The best line from here.
    pub line: Line,
}

/// How often the clock is looked at, in nodes.
const CLOCK_EVERY: u64 = 1024;

/// One thread of a search.
pub struct Worker<'a> {
    /// Zero for the thread that reports and keeps the time.
    pub id: usize,
    /// The position, changed and restored as the search goes.
    pub position: Position,
    /// What the thread has thread about moves.
    pub histories: &'a mut Histories,
    /// What it has thread about evaluations.
    pub corrections: &'a mut Corrections,
    /// The numbers of the rules.
    pub params: &'a Params,
    pub(super) shared: &'a Shared<'a>,
    /// Nodes visited.
    pub nodes: u64,
    /// The deepest ply reached in this iteration.
    pub selective_depth: usize,
    /// What the nodes on the way remember.
    pub frames: Vec<Frame>,
    /// Null moves are not tried before this ply: set while one is verified.
    pub null_move_min_ply: usize,
    /// The iteration under way, in plies.
    pub root_depth: i32,
    /// How many plies less later moves are searched.
    pub reductions: Reductions,
    /// The best move that the reporter was last told with an exact score.
    pub told: Option<Move>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        id: usize,
        position: Position,
        thread: &'a mut ThreadState,
        shared: &'a Shared<'a>,
    ) -> Worker<'a> {
        thread.histories.ablation = shared.params.ablation;
        Worker {
            id,
            position,
            histories: &mut thread.histories,
            corrections: &mut thread.corrections,
            params: shared.params,
            shared,
            nodes: 0,
            selective_depth: 0,
            frames: vec![Frame::default(); MAX_PLY + 4],
            null_move_min_ply: 0,
            root_depth: 0,
            reductions: Reductions::get(),
            told: None,
        }
    }

    /// The evaluation of the position, misjudged if the engine is to play weaker than it can.
    #[inline(always)]
    pub fn evaluate(&self) -> Score {
        let groups = self.params.ablation.groups();
        let score = match groups.is_empty() {
            true => evaluate(&self.position),
            false => evaluate_ablated(&self.position, groups),
        };
        match self.shared.strength {
            None => score,
            Some(strength) => score.plus(strength.evaluation_noise(&self.position)),
        }
    }

    /// Counts a node and looks at the clock now and then. With one thread a node limit is exact.
    #[inline(always)]
    pub fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(CLOCK_EVERY) || self.nodes >= self.shared.clock.node_limit() {
            return self.look_at_clock();
        }
        Ok(())
    }

    #[cold]
    fn look_at_clock(&mut self) -> Result<(), Stopped> {
        self.tell_nodes();
        let stop = if self.id == 0 {
            // The clock does not end the first iteration: there must be a move with a score.
            let clock = self.shared.clock;
            let hurried = self.root_depth > 1
                || self.shared.control.is_stopped()
                || self.nodes >= clock.node_limit();
            hurried && clock.must_stop(self.shared.all_nodes())
        } else {
            self.shared.control.is_stopped()
        };
        if stop { Err(Stopped) } else { Ok(()) }
    }

    /// Tells the others how many nodes this thread has visited.
    pub fn tell_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Relaxed);
    }

    /// Nodes at `ply` from here on have another grandparent: killers and cutoffs of those before are none of theirs.
    #[inline(always)]
    pub fn clear_grandchildren(&mut self, ply: usize) {
        self.frames[ply].killers = [None; 2];
        self.frames[ply].cuts = 0;
    }

    /// Plays a move of the node at `ply`.
    #[inline(always)]
    pub fn play(&mut self, m: Move, ply: usize) {
        self.shared.table.prefetch(self.position.key_after(m));
        self.frames[ply].tried = Some(piece_to(self.position.moved_by(m), m.to()));
        self.frames[ply].place = None;
        self.frames[ply].tried_quiet = !self.position.is_noisy(m);
        self.frames[ply].reduction = 0;
        self.position.play(m);
    }

    /// Passes at the node at `ply`.
    pub fn play_null(&mut self, ply: usize) {
        self.frames[ply].tried = None;
        self.frames[ply].place = None;
        self.frames[ply].reduction = 0;
        self.position.play_null();
    }

    /// Whether the evaluation is better than at our last move, or the one before.
    #[inline(always)]
    pub fn improving(&self, eval: Option<Score>, ply: usize) -> bool {
        if !self.params.uses(Rule::Improving) {
            return true;
        }
        let earlier = |back| ply.checked_sub(back).and_then(|ply| self.frames[ply].eval);
        eval.is_some_and(|eval| earlier(2).or(earlier(4)).is_some_and(|earlier| eval > earlier))
    }

    /// The last two moves before the node at `ply`.
    #[inline(always)]
    fn last_two(&self, ply: usize) -> LastTwo {
        let tried = |back| ply.checked_sub(back).and_then(|ply| self.frames[ply].tried);
        tried(2).zip(tried(1))
    }

    /// What searches of similar positions have found the evaluation to be wrong by, in centipawns.
    #[inline(always)]
    pub fn correction(&self, ply: usize) -> i32 {
        if !self.params.uses(Rule::Corrections) {
            return 0;
        }
        self.corrections.correction(self.params, &self.position, self.last_two(ply))
    }

    /// A search of the node at `ply` has found the evaluation wrong by so many centipawns.
    pub fn update_correction(&mut self, ply: usize, error: i32, depth: i32) {
        let last = self.last_two(ply);
        self.corrections.update(&self.position, last, error, depth);
    }

    /// No move helped at the node at `ply`: the quiet move that led there was a good one.
    pub fn prior_move_bonus(&mut self, ply: usize, bonus: i32) {
        let last = &self.frames[ply - 1];
        if let Some(tried) = last.tried.filter(|_| last.tried_quiet) {
            let before = self.before(ply - 1);
            self.histories.update_continuation(tried, &before, bonus);
        }
    }

    /// A node was refuted: if the quiet move that led there was the first to be tried, it did not deserve to be.
    pub fn prior_move_malus(&mut self, ply: usize, malus: i32) {
        let last = &self.frames[ply - 1];
        if let Some(tried) = last.tried.filter(|_| last.tried_quiet && last.number == 0) {
            let before = self.before(ply - 1);
            self.histories.update_continuation(tried, &before, -malus);
        }
    }

    /// The moves before the node at `ply`, for the continuation histories.
    #[inline(always)]
    pub fn before(&self, ply: usize) -> PriorMoves {
        CONTINUATIONS.map(|(back, rule)| {
            let ply = ply.checked_sub(back).filter(|_| self.params.uses(rule));
            ply.and_then(|ply| self.frames[ply].tried).unwrap_or(NO_MOVE)
        })
    }

    /// The best line of the node at `ply` is now `m` and what follows it.
    #[inline(always)]
    pub fn keep_line(&mut self, m: Move, ply: usize) {
        let (here, below) = self.frames.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(m);
        let room = line.remaining_capacity();
        line.extend(below[0].line.iter().copied().take(room));
    }

    /// What the endgame tables say of the node at `ply`, as an entry of the transposition table; `None` where they are not
    /// asked or know nothing.
    #[inline(always)]
    pub fn probe_tablebases(&mut self, depth: i32, ply: usize) -> Option<Entry> {
        let tables = self.shared.tablebases?;
        if tables.may_probe(&self.position, depth) {
            self.look_up(tables, depth, ply)
        } else {
            None
        }
    }

    #[cold]
    fn look_up(&self, tables: &Tablebases, depth: i32, ply: usize) -> Option<Entry> {
        let score = tables.score(&self.position, ply)?;
        self.shared.hits.fetch_add(1, Relaxed);
        // A mate may be better than what the tables say of a win.
        let bound = match score {
            _ if score.is_win() => Bound::Lower,
            _ if score.is_loss() => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(Entry::new(None, score, None, depth + 6, bound, false, ply))
    }
}
