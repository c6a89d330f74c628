//! The search for a mate in a few moves (`go mate`). It tries the shortest mates first and prunes
//! nothing, so if it finds none, there is none. Longer mates are left to the usual search, which
//! finds them sooner.

use std::time::Duration;

use super::limits::LONGEST_MATE;
use super::memory::table::{Bound, Entry};
use super::order::histories::Context;
use super::order::picker::Picker;
use super::report::{Line, SearchResult};
use super::worker::{Stopped, Worker};
use crate::board::Move;
use crate::score::Score;

/// Separates this search's TT entries from those of the usual search, which prunes.
const KEY_MASK: u64 = 0x5bd1_e995_9e37_79b9;

/// The mate search's share of nodes and time. The rest is for the usual search, which finds longer
/// mates or at least a good move.
#[derive(Clone, Copy, Debug)]
struct Budget {
    /// Nodes of all threads.
    nodes: u64,
    /// Time since the search began.
    time: Duration,
}

impl Budget {
    /// The budget for a mate in `moves` moves.
    fn new(worker: &Worker<'_>, moves: i64) -> Budget {
        /// Nodes if the GUI asks for a mate longer than [`LONGEST_MATE`] and sets no node limit.
        const NODES: u64 = 1_000_000;
        let is_long = moves > LONGEST_MATE;
        let share = if is_long { 4 } else { 2 };
        let nodes = match worker.shared.node_limit {
            u64::MAX if is_long => NODES,
            u64::MAX => u64::MAX,
            limit => limit / share,
        };
        let time = match worker.shared.clock.time_for_move() {
            Duration::MAX => Duration::MAX,
            time => time / share as u32,
        };
        Budget { nodes, time }
    }
}

/// Searches for a mate in at most this many moves, but no longer than [`LONGEST_MATE`]. `None`
/// proves that there is none within that length.
///
/// # Errors
///
/// [`Stopped`] also when the mate search has used up its share of nodes or time.
pub(super) fn search_mate(
    worker: &mut Worker<'_>,
    moves: i64,
) -> Result<Option<SearchResult>, Stopped> {
    let budget = Budget::new(worker, moves);
    let mut search = MateSearch { worker, budget };
    let mut mates = (1..=moves.min(LONGEST_MATE) as usize).map(|moves| search.at_root(moves));
    mates.find_map(Result::transpose).transpose()
}

struct MateSearch<'w, 'a> {
    worker: &'w mut Worker<'a>,
    budget: Budget,
}

impl MateSearch<'_, '_> {
    /// Searches for a mate in exactly this many moves, there being no shorter one.
    fn at_root(&mut self, moves: usize) -> Result<Option<SearchResult>, Stopped> {
        let plies = 2 * moves - 1;
        (self.worker.root_depth, self.worker.selective_depth) = (plies as i32, 0);
        self.visit(0)?;
        for index in 0.. {
            let Some(m) = self.worker.root_move(index) else { break };
            if self.mates_by(m, moves, 0)? {
                let line = self.line(m, moves);
                return Ok(Some(self.worker.report_mate(index, line, plies)));
            }
        }
        self.worker.report_no_mate(moves);
        Ok(None)
    }

    /// Counts a node, and stops the mate search when its budget is used up.
    fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.worker.visit(ply)?;
        let shared = self.worker.shared;
        // Other threads publish their node counts only every thousand nodes or so.
        let is_spent = self.worker.nodes >= self.budget.nodes
            || self.worker.looks_at_clock()
                && (shared.all_nodes() >= self.budget.nodes
                    || shared.clock.elapsed() >= self.budget.time);
        if is_spent { Err(Stopped) } else { Ok(()) }
    }

    /// Whether `m` mates in at most `moves` moves, itself included.
    fn mates_by(&mut self, m: Move, moves: usize, ply: usize) -> Result<bool, Stopped> {
        self.worker.play(m, ply);
        let mated = self.is_mated(moves - 1, ply + 1);
        self.worker.position.undo();
        mated
    }

    /// Whether the side to move mates in at most `moves` moves.
    fn mates(&mut self, moves: usize, ply: usize) -> Result<bool, Stopped> {
        self.visit(ply)?;
        if moves == 0 || self.is_draw() {
            return Ok(false);
        }
        let plies = 2 * moves - 1;
        let key = self.worker.position.key() ^ KEY_MASK;
        // A table entry must be true whatever moves led to the position. So none is used if the
        // fifty-move rule may end the game before the mate, or if a position of the game was repeated.
        let is_free =
            !self.worker.has_repeated && self.worker.position.fifty() + (plies as u32) < 100;
        let entry = self.worker.shared.table.probe(key).filter(|_| is_free);
        match entry {
            Some(entry) if entry.bound == Bound::Upper && entry.depth >= plies as i32 => {
                return Ok(false);
            }
            Some(entry)
                if entry.bound == Bound::Lower
                    && entry.score(ply) >= Score::mate_in(ply + plies) =>
            {
                return Ok(true);
            }
            _ => {}
        }
        // A mating move gives check, so the last move need only try checks.
        let checks_only = moves == 1;
        let best = entry.and_then(|entry| entry.best);
        let mate =
            self.first(best, checks_only, ply, |search, m| search.mates_by(m, moves, ply))?;
        let (score, bound) = match mate {
            Some(_) => (Score::mate_in(ply + plies), Bound::Lower),
            None => (Score::DRAW, Bound::Upper),
        };
        let kept = Entry::new(mate.or(best), score, None, plies as i32, bound, false, ply);
        if is_free {
            self.worker.shared.table.store(key, kept);
        }
        Ok(mate.is_some())
    }

    /// Whether the opponent mates in at most `moves` moves, whatever the side to move plays.
    fn is_mated(&mut self, moves: usize, ply: usize) -> Result<bool, Stopped> {
        self.visit(ply)?;
        let in_check = self.worker.position.checkers().any();
        if (moves == 0 && !in_check) || self.is_draw() {
            return Ok(false);
        }
        let mut has_moves = false;
        let defence = self.first(None, false, ply, |search, m| {
            has_moves = true;
            if moves == 0 {
                return Ok(true);
            }
            search.worker.play(m, ply);
            let mates = search.mates(moves, ply + 1);
            search.worker.position.undo();
            Ok(!mates?)
        })?;
        Ok(defence.is_none() && (has_moves || in_check))
    }

    /// Whether the position is drawn by the rules. A twofold repetition does not count: the shortest
    /// mate has none, and the table's entries must hold whatever moves led to the position.
    fn is_draw(&self) -> bool {
        self.worker.position.is_draw(0)
    }

    /// The first move, in picker order, for which `does` returns true. A quiet one becomes a
    /// killer.
    fn first(
        &mut self,
        best: Option<Move>,
        checks_only: bool,
        ply: usize,
        mut does: impl FnMut(&mut Self, Move) -> Result<bool, Stopped>,
    ) -> Result<Option<Move>, Stopped> {
        let worker = &mut *self.worker;
        let info = worker.position.check_info();
        let best = best.filter(|&m| worker.position.is_legal(m, &info));
        let before = worker.prior_moves(ply);
        let context = Context::new(worker.params, &worker.position, before, info.attacked);
        let mut picker = Picker::new(best, worker.frames[ply].killers);
        loop {
            let worker = &mut *self.worker;
            let next = picker.next(&worker.position, &info, worker.histories, &context);
            let Some(m) = next else { return Ok(None) };
            if checks_only && !context.gives_check(&worker.position, m) {
                continue;
            }
            if does(self, m)? {
                let worker = &mut *self.worker;
                if !worker.position.is_noisy(m) {
                    worker.frames[ply].add_killer(m);
                }
                return Ok(Some(m));
            }
        }
    }

    /// The line of a mate in `moves` moves that begins with `m`, against the replies that last
    /// longest. There must be no shorter mate. Stopping the search cuts the line short.
    fn line(&mut self, mut m: Move, moves: usize) -> Line {
        let mut line = Line::new();
        for left in (0..moves).rev() {
            self.add(m, &mut line);
            let Ok(Some(reply)) = self.longest_reply(left, line.len()) else { break };
            self.add(reply, &mut line);
            let ply = line.len();
            let mates_by = |search: &mut Self, m| search.mates_by(m, left, ply);
            let Ok(Some(next)) = self.first(None, left == 1, ply, mates_by) else { break };
            m = next;
        }
        line.iter().for_each(|_| self.worker.position.undo());
        line
    }

    fn add(&mut self, m: Move, line: &mut Line) {
        self.worker.play(m, line.len());
        line.push(m);
    }

    /// A reply after which there is no mate in fewer than `moves` moves.
    fn longest_reply(&mut self, moves: usize, ply: usize) -> Result<Option<Move>, Stopped> {
        self.first(None, false, ply, |search, m| {
            search.worker.play(m, ply);
            let mates_sooner = search.mates(moves.saturating_sub(1), ply + 1);
            search.worker.position.undo();
            Ok(!mates_sooner?)
        })
    }
}
