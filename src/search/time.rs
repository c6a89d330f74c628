//! The clock: what the GUI allows, and what is made of it.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::board::{Move, Position};
use crate::chess::ByColor;

/// The limits of a search, as a GUI gives them; the first that is reached ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on the clocks, in milliseconds; may be negative.
    pub time: ByColor<Option<i64>>,
    /// Increments per move, in milliseconds.
    pub increment: ByColor<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Time for this move, in milliseconds.
    pub move_time: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// A mate in this many moves is wanted.
    pub mate: Option<i64>,
    /// Until told to stop.
    pub infinite: bool,
    /// On the opponent's time, until told that the expected move was played.
    pub ponder: bool,
    /// Only these moves of the root, if any.
    pub search_moves: Vec<Move>,
}

/// What stops a running search from outside. Every `go` has its own, so that a late `stop` cannot
/// reach the next search.
#[derive(Debug, Default)]
pub struct StopFlag {
    stop: AtomicBool,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// What a search that has no clock of its own waits for.
#[derive(Debug, Default)]
struct Waiting {
    stopped: bool,
    /// When the pondered move was played.
    hit: Option<Instant>,
}

impl StopFlag {
    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.waiting().stopped = true;
        self.changed.notify_all();
    }

    /// Ends the search inside, without answering for whoever waits to be told.
    pub(super) fn finish(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The opponent has played the expected move: the clock runs from now.
    pub fn ponder_hit(&self) {
        self.waiting().hit.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// Whether to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Waits until the GUI wants the answer: `stop`, or `ponderhit` for a pondering search. Blocks without work.
    pub fn wait_for_gui(&self, limits: &Limits) {
        let mut waiting = self.waiting();
        while !waiting.stopped && (limits.infinite || (limits.ponder && waiting.hit.is_none())) {
            waiting = self.changed.wait(waiting).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }
}

/// The time of one search.
#[derive(Debug)]
pub struct Clock<'a> {
    control: &'a StopFlag,
    start: Instant,
    ponder: bool,
    /// Iterations end when this much is used, more or less as the search goes.
    soft: Option<Duration>,
    /// The search ends when this much is used.
    hard: Option<Duration>,
    /// The soft limit has passed while pondering: the move is ready when the opponent's is.
    overdue: AtomicBool,
    depth: i32,
    nodes: u64,
    mate: Option<i64>,
}

impl<'a> Clock<'a> {
    /// A clock for the side to move in `position` that started at `start`; `overhead` milliseconds are kept for the
    /// way from and to the GUI.
    pub fn new(
        limits: &Limits,
        position: &Position,
        overhead: i64,
        start: Instant,
        control: &'a StopFlag,
    ) -> Clock<'a> {
        let (mut soft, mut hard) = (None, None);
        let side = position.turn();
        let milliseconds = |ms: i64| Duration::from_millis(ms.max(1) as u64);
        if let Some(left) = limits.time.get(side) {
            let (s, h) = budget(
                *left,
                *limits.increment.get(side),
                limits.moves_to_go,
                overhead,
                position.ply(),
            );
            (soft, hard) = (Some(milliseconds(s)), Some(milliseconds(h)));
        }
        if let Some(time) = limits.move_time.filter(|&time| time > 0) {
            let time = milliseconds(time - overhead.min(time / 2));
            soft = Some(soft.map_or(time, |soft| soft.min(time)));
            hard = Some(hard.map_or(time, |hard| hard.min(time)));
            if limits.time.get(side).is_none() {
                soft = None;
            }
        }
        Clock {
            control,
            start,
            ponder: limits.ponder,
            soft,
            hard,
            overdue: AtomicBool::new(false),
            depth: limits.depth.map_or(i32::MAX, |depth| depth.clamp(1, 10_000) as i32),
            nodes: limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1)),
            mate: limits.mate.filter(|&mate| mate > 0),
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time used of our own clock: none while pondering.
    fn used(&self) -> Option<Duration> {
        if !self.ponder {
            return Some(self.start.elapsed());
        }
        self.control.waiting().hit.map(|hit| hit.elapsed())
    }

    /// Must the search end, wherever it is? Asked every thousand nodes or so.
    pub fn must_stop(&self, nodes: u64) -> bool {
        let used_up = |used: Duration| {
            self.overdue.load(Relaxed) || self.hard.is_some_and(|hard| used >= hard)
        };
        self.control.is_stopped() || nodes >= self.nodes || self.used().is_some_and(used_up)
    }

    /// Nodes this search may visit in all.
    pub fn node_limit(&self) -> u64 {
        self.nodes
    }

    /// The deepest iteration, in plies.
    pub fn depth_limit(&self) -> i32 {
        self.depth
    }

    /// A mate in this many moves is enough.
    pub fn mate_limit(&self) -> Option<i64> {
        self.mate
    }

    /// May the search end here, after an iteration? `time_factor` stretches the time: above one where the best move is not
    /// settled. Time spent pondering counts: a search that would be over ends with the opponent's move.
    pub fn may_stop(&self, time_factor: f64) -> bool {
        let Some(soft) = self.soft else { return false };
        let over = self.start.elapsed().as_secs_f64() >= soft.as_secs_f64() * time_factor;
        self.overdue.store(over, Relaxed);
        over && self.used().is_some()
    }

    /// Whether our clock runs: then a single legal move is played at once.
    pub fn is_running(&self) -> bool {
        self.soft.is_some() && self.used().is_some()
    }
}

/// Soft and hard limit in milliseconds for a move with so much time left, after so many plies of the game.
fn budget(
    left: i64,
    increment: i64,
    moves_to_go: Option<i64>,
    overhead: i64,
    ply: u32,
) -> (i64, i64) {
    // A year is enough for anybody, and small enough to be multiplied.
    const YEAR: i64 = 365 * 24 * 3600 * 1000;
    let (left, increment) = (left.clamp(-YEAR, YEAR), increment.clamp(0, YEAR));
    // Whatever happens, a part of the overhead is kept even on the last milliseconds.
    let left = (left - overhead).max(left / 4).max(1);
    let most = (left * 3 / 4).max(1);
    let (soft, hard) = match moves_to_go.filter(|&moves| moves > 0) {
        Some(moves) => {
            let moves = moves.min(50);
            let share = left / moves + increment * 3 / 4;
            (share * 9 / 10, if moves == 1 { most } else { share * 4 })
        }
        None => {
            // Games are decided in the middle: what is left then is spent faster than in the opening, if something
            // comes back with each move (+19 +- 26, 200 games at 8+0.08). Without, there must be enough for long games
            // and for what gets lost on the way with each of their moves.
            let share = match increment {
                0 => (left - 9 * overhead).max(left / 4) / 22,
                _ => left / (20 - i64::from(ply.min(36)) / 6) + increment,
            };
            (share * 7 / 10, share * 4)
        }
    };
    (soft.min(most).max(1), hard.min(most).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays moves that each take the soft limit, stretched or not, and some milliseconds on the way; what is left.
    fn left_after(
        moves: u32,
        time: i64,
        increment: i64,
        moves_to_go: Option<i64>,
        stretch: i64,
    ) -> i64 {
        let mut left = time;
        for ply in (0..2 * moves).step_by(2) {
            let to_go = moves_to_go.map(|all| all - i64::from(ply / 2) % all);
            let (soft, hard) = budget(left, increment, to_go, 20, ply);
            assert!(1 <= soft && soft <= hard && hard <= left.max(1), "{left} {soft} {hard}");
            left -= (soft * stretch / 100).min(hard) + 5;
            assert!(left > 0, "{time}+{increment}: no time at ply {ply}");
            left += increment + if to_go == Some(1) { time } else { 0 };
        }
        left
    }

    #[test]
    fn the_clock_never_runs_out() {
        for stretch in [70, 100, 130] {
            for (time, increment) in
                [(1000, 10), (8000, 80), (60_000, 600), (1000, 5000), (900_000, 10_000)]
            {
                assert!(left_after(300, time, increment, None, stretch) < time.max(16 * increment));
            }
            left_after(120, 10_000, 0, None, stretch);
            left_after(160, 60_000, 0, None, stretch);
            left_after(200, 300_000, 0, None, stretch);
            for moves in [1, 10, 40] {
                left_after(200, 60_000, 0, Some(moves), stretch);
            }
        }
    }

    #[test]
    fn late_plies_and_empty_clocks_have_limits() {
        for ply in [0, 36, 37, 200_001, u32::MAX] {
            for left in [i64::MIN, -5, 0, 1, 20, i64::MAX] {
                let (soft, hard) = budget(left, 0, None, 20, ply);
                assert!(1 <= soft && soft <= hard, "{left} {ply}");
            }
        }
    }
}
