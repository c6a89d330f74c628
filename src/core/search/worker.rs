//! One thread of a search, with its own position, search stack, histories and node count.

use std::sync::atomic::Ordering::Relaxed;

use super::logarithms::Logarithms;
use super::memory::table::{Bound, Entry};
use super::numbers::ParamsInUse;
use super::order::corrections::{Corrections, MovesBeforeLast};
use super::order::histories::{
    CONTINUATIONS, Histories, HistoryIndex, NO_MOVE, PriorMoves, piece_to,
};
use super::report::{Line, Reporter};
use super::root_moves::RootMoves;
use super::shared::Shared;
use super::tablebases::Tablebases;
use super::thread_state::ThreadState;
use super::window::Window;
use crate::board::{Move, Position};
use crate::eval::{EvalCache, evaluate_cached};
use crate::fault::{Place, inject};
use crate::known::{Knowledge, Known, mates};
use crate::score::{MAX_PLY, Score};

/// The search was stopped, so that the node has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// One ply of the search stack: what a node keeps while its children are searched.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The evaluation as stored in the TT; `None` in check.
    pub(super) raw_eval: Option<Score>,
    /// The static evaluation, corrected, scaled and compressed; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// Killer moves: quiet moves that caused a cutoff in a node of this ply with the same
    /// grandparent.
    pub(super) killers: [Option<Move>; 2],
    /// The move being searched, as an index into the continuation histories, or [`NO_MOVE`].
    pub(super) piece_to: usize,
    /// Its indices in the main histories, if it is a quiet move of the main search; `None` in
    /// quiescence and for null moves.
    pub(super) history_index: Option<HistoryIndex>,
    /// The number of moves searched before it.
    pub(super) move_count: usize,
    /// The node is a PV node, or was one in an earlier search.
    pub(super) was_pv: bool,
    /// The excluded move: the hash move, during the search that tests whether it is singular.
    pub(super) excluded: Option<Move>,
    /// By how many plies the move being searched is reduced.
    pub(super) reduction: i32,
    /// Cutoff count: cutoffs of nodes at this ply since the search of their grandparent began.
    pub(super) cutoffs: u32,
    /// Double extensions on the way from the root.
    pub(super) double_extensions: i32,
    /// The principal variation from here.
    pub(super) line: Line,
}

/// The number of nodes between two checks of the clock.
const CLOCK_EVERY: u64 = 1024;

impl Frame {
    /// Makes a quiet move that caused a cutoff here the first killer.
    #[inline(always)]
    pub(super) fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

/// One thread of a search.
pub(super) struct Worker<'a> {
    /// Zero for the main thread, which reports lines and checks the clock.
    pub(super) id: usize,
    /// The current position: the search makes and unmakes moves on it.
    pub(super) position: Position,
    pub(super) histories: &'a mut Histories,
    corrections: &'a mut Corrections,
    eval_cache: &'a mut EvalCache,
    /// Endgame bitbases solved so far.
    knowledge: &'a mut Knowledge,
    /// Whether this thread has taken over [`Shared::solved`].
    has_solved_root: bool,
    /// The tuned search parameters.
    pub(super) params: ParamsInUse<'a>,
    pub(super) shared: &'a Shared<'a>,
    pub(super) nodes: u64,
    /// Moves made, without null moves: what Stockfish counts as nodes.
    moves_made: u64,
    /// The deepest ply reached in this iteration.
    pub(super) selective_depth: usize,
    /// The search stack, by ply.
    pub(super) frames: Vec<Frame>,
    /// The moves of the root.
    pub(super) roots: RootMoves,
    /// Receives the lines found by the main thread.
    pub(super) reporter: &'a mut dyn Reporter,
    /// A position of the game has occurred twice. Then known mates are not used: on the way to the
    /// mate it may occur a third time, which is a draw.
    pub(super) has_repeated: bool,
    /// Null moves are not tried before this ply: set while one is verified.
    pub(super) null_move_min_ply: usize,
    /// The depth of this iteration.
    pub(super) root_depth: i32,
    /// The logarithms of late move reductions.
    pub(super) logarithms: Logarithms,
    /// How often another root move became the best one in this iteration.
    pub(super) best_move_changes: usize,
    /// The first move of the best line reported last and its depth, if its score was exact.
    pub(super) reported: Option<(Move, i32)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        id: usize,
        position: Position,
        thread: &'a mut ThreadState,
        shared: &'a Shared<'a>,
        roots: RootMoves,
        reporter: &'a mut dyn Reporter,
    ) -> Worker<'a> {
        let memory = &mut thread.memory[0];
        let has_repeated = position.has_repeated();
        Worker {
            id,
            position,
            histories: &mut memory.histories,
            corrections: &mut memory.corrections,
            eval_cache: &mut memory.eval_cache,
            knowledge: &mut thread.knowledge,
            has_solved_root: false,
            params: shared.params,
            shared,
            nodes: 0,
            moves_made: 0,
            selective_depth: 0,
            frames: vec![Frame::default(); MAX_PLY + 4],
            roots,
            reporter,
            has_repeated,
            null_move_min_ply: 0,
            root_depth: 0,
            logarithms: Logarithms::get(),
            best_move_changes: 0,
            reported: None,
        }
    }

    /// What is known of the position without a search. The answer may take a millisecond or two, so
    /// check the clock afterwards.
    #[inline(always)]
    pub(super) fn ask(&mut self) -> Result<Option<Known>, Stopped> {
        let known = self.knowledge.ask(&self.position);
        if self.knowledge.has_solved() {
            self.check_clock()?;
        }
        Ok(known)
    }

    /// Takes over the endings at the root once the background thread has solved them. Called at every
    /// check of the clock, because an iteration may take minutes.
    fn take_solved(&mut self) {
        if let Some(solved) = self.shared.solved.get().filter(|_| !self.has_solved_root) {
            self.has_solved_root = true;
            self.knowledge.set_root(solved.clone());
        }
    }

    /// The evaluation of the position, given what is known of it. Includes noise if the strength is
    /// limited.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, known: Option<Known>) -> Score {
        let weights = self.shared.weights;
        let score = evaluate_cached(&self.position, known, weights, self.eval_cache);
        match self.shared.strength {
            None => score,
            Some(strength) => score.plus(strength.evaluation_noise(&self.position)),
        }
    }

    /// The key of the position without the excluded move, which gives singular searches TT entries
    /// of their own.
    #[inline(always)]
    pub(super) fn key_without(&self, excluded: Option<Move>) -> u64 {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        self.position.key() ^ excluded.map_or(0, |m| u64::from(m.bits()).wrapping_mul(SPREAD))
    }

    /// Counts a node, and checks the clock every [`CLOCK_EVERY`] nodes. With one thread a node
    /// limit is exact.
    #[inline(always)]
    pub(super) fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.looks_at_clock() || self.nodes >= self.shared.node_limit {
            return self.check_clock();
        }
        Ok(())
    }

    /// Whether to check the clock at this node, and to publish the node count.
    #[inline(always)]
    pub(super) fn looks_at_clock(&self) -> bool {
        self.nodes.is_multiple_of(CLOCK_EVERY)
    }

    /// Publishes the node count, takes over solved endings, and tests whether the search must stop.
    #[cold]
    fn check_clock(&mut self) -> Result<(), Stopped> {
        inject(if self.id == 0 { Place::Main } else { Place::Helper });
        self.publish_nodes();
        self.take_solved();
        let stop =
            if self.id == 0 { self.shared.must_stop() } else { self.shared.stop.is_stopped() };
        if stop { Err(Stopped) } else { Ok(()) }
    }

    /// Publishes this thread's node count to the other threads.
    pub(super) fn publish_nodes(&self) {
        let counts = &self.shared.counts[self.id];
        counts.nodes.store(self.nodes, Relaxed);
        counts.moves_made.store(self.moves_made, Relaxed);
    }

    /// Clears the killers and cutoff counts at `ply`, because the nodes there now have another
    /// grandparent.
    #[inline(always)]
    pub(super) fn clear_grandchildren(&mut self, ply: usize) {
        self.frames[ply].killers = [None; 2];
        self.frames[ply].cutoffs = 0;
    }

    /// Prefetches the TT bucket of the position after a move. Ignores castling rights and en
    /// passant, so it sometimes prefetches the wrong bucket.
    #[inline(always)]
    pub(super) fn prefetch_child(&self, m: Move) {
        self.shared.table.prefetch(self.position.key_after(m));
    }

    /// Makes a move of the node at `ply`, and prefetches what the child will read. The child's TT
    /// bucket should have been prefetched when the move was picked.
    #[inline(always)]
    pub(super) fn play(&mut self, m: Move, ply: usize) {
        self.moves_made += 1;
        let frame = &mut self.frames[ply];
        frame.piece_to = piece_to(&self.position, m);
        frame.history_index = None;
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
    pub(super) fn play_null(&mut self, ply: usize) {
        let frame = &mut self.frames[ply];
        frame.piece_to = NO_MOVE;
        frame.history_index = None;
        frame.reduction = 0;
        self.position.play_null();
        self.shared.table.prefetch(self.position.key());
        self.prefetch_evaluation(ply + 1);
    }

    /// Sets the double extensions on the way to a child: those on the way to the node at `ply`,
    /// plus `more`.
    #[inline(always)]
    pub(super) fn count_double_extensions(&mut self, ply: usize, more: i32) {
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions + more;
    }

    /// The two moves that precede the last one before the node at `ply`.
    #[inline(always)]
    fn moves_before_last(&self, ply: usize) -> MovesBeforeLast {
        [3, 2].map(|back| self.move_before(ply, back))
    }

    /// The correction of the static evaluation by the correction histories, in centipawns.
    #[inline(always)]
    pub(super) fn correction(&self, ply: usize) -> i32 {
        self.corrections.correction(self.params, &self.position, self.moves_before_last(ply))
    }

    /// Updates the correction histories after a search of the node at `ply` found the evaluation
    /// `error` centipawns too low.
    pub(super) fn update_correction(&mut self, ply: usize, error: i32, depth: i32) {
        let moves = self.moves_before_last(ply);
        self.corrections.update(&self.position, moves, error, depth);
    }

    /// The moves before the node at `ply`, for the continuation histories.
    #[inline(always)]
    pub(super) fn prior_moves(&self, ply: usize) -> PriorMoves {
        CONTINUATIONS.map(|back| self.move_before(ply, back))
    }

    /// The move `back` plies before the node at `ply`, as an index of [`piece_to`] or [`NO_MOVE`].
    #[inline(always)]
    fn move_before(&self, ply: usize, back: usize) -> usize {
        ply.checked_sub(back).map_or(NO_MOVE, |ply| self.frames[ply].piece_to)
    }

    /// Sets the principal variation of the node at `ply` to `m` and the child's line.
    #[inline(always)]
    pub(super) fn update_line(&mut self, m: Move, ply: usize) {
        let (here, below) = self.frames.split_at_mut(ply + 1);
        let line = &mut here[ply].line;
        line.clear();
        line.push(m);
        let capacity = line.remaining_capacity();
        line.extend(below[0].line.iter().copied().take(capacity));
    }

    /// Probes the WDL tablebases at the node at `ply`. Returns the result as a TT entry; `None` if
    /// the node is not probed or the table is missing.
    #[inline(always)]
    pub(super) fn probe_tablebases(&mut self, depth: i32, ply: usize) -> Option<Entry> {
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
        // A mate scores higher than a tablebase win, so a win is a lower bound.
        let bound = match score {
            _ if score.is_win() => Bound::Lower,
            _ if score.is_loss() => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(Entry::new(None, score, None, depth + 6, bound, false, ply))
    }

    /// The root move to search after `count` others. The main thread reports it.
    pub(super) fn root_move(&mut self, count: usize) -> Option<Move> {
        let index = self.roots.competing.start + count;
        let m = self.roots.moves[..self.roots.competing.end].get(index)?.m;
        if self.id == 0 {
            let elapsed = self.shared.clock.elapsed();
            self.reporter.current_move(self.root_depth, m, index + 1, elapsed);
        }
        Some(m)
    }

    /// Records the score of the root move searched after `count` others with this window. `nodes`
    /// is the node count before that search. A move that raises alpha comes to the front.
    pub(super) fn root_move_searched(
        &mut self,
        count: usize,
        score: Score,
        window: Window,
        nodes: u64,
    ) {
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

    /// Whether the best root moves compete, so that the best score is that of the position. Not for
    /// later MultiPV lines, nor with `searchmoves`.
    pub(super) fn has_all_root_moves(&self) -> bool {
        self.roots.competing.start == 0 && self.shared.limits.search_moves.is_empty()
    }

    /// The principal variation. If it ends at a known mate, the moves to that mate are added.
    fn whole_line(&self, score: Score) -> Line {
        let mut line = self.frames[0].line.clone();
        if !score.is_mate() || self.has_repeated {
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
}
