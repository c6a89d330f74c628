//! One thread of a search: its position, its memory, its count of nodes.

use std::sync::atomic::Ordering::Relaxed;

use super::Shared;
use super::history::{Before, CONTINUATIONS, Histories, piece_to};
use super::report::Line;
use super::rules::Reductions;
use crate::board::{Move, Position};
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
    /// What the thread has learned about moves.
    pub histories: &'a mut Histories,
    pub(super) shared: &'a Shared<'a>,
    /// Nodes visited.
    pub nodes: u64,
    /// The deepest ply reached in this iteration.
    pub selective_depth: usize,
    /// What the nodes on the way remember.
    pub frames: Vec<Frame>,
    /// Null moves are not tried before this ply: set while one is verified.
    pub no_pass_before: usize,
    /// The iteration under way, in plies.
    pub root_depth: i32,
    /// How many plies less later moves are searched.
    pub reductions: &'static Reductions,
    /// The best move that the reporter was last told with an exact score.
    pub told: Option<Move>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        id: usize,
        position: Position,
        histories: &'a mut Histories,
        shared: &'a Shared<'a>,
    ) -> Worker<'a> {
        Worker {
            id,
            position,
            histories,
            shared,
            nodes: 0,
            selective_depth: 0,
            frames: vec![Frame::default(); MAX_PLY + 4],
            no_pass_before: 0,
            root_depth: 0,
            reductions: Reductions::get(),
            told: None,
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
            let hurried =
                self.root_depth > 1 || self.shared.control.is_stopped() || self.nodes >= clock.node_limit();
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

    /// Plays a move of the node at `ply`.
    #[inline(always)]
    pub fn play(&mut self, m: Move, ply: usize) {
        self.shared.table.prefetch(self.position.key_after(m));
        self.frames[ply].tried = Some(piece_to(self.position.moved_by(m), m.to()));
        self.position.play(m);
    }

    /// The moves before the node at `ply`, for the continuation histories.
    #[inline(always)]
    pub fn before(&self, ply: usize) -> Before {
        CONTINUATIONS.map(|back| ply.checked_sub(back).and_then(|ply| self.frames[ply].tried))
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
}
