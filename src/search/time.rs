//! Time: what the GUI's clock allows for a move, and when to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::lag::{NOTICED, Reserve, Spent};
use super::limits::Limits;
use super::stop::StopFlag;
use crate::board::Position;

/// The time of one search.
#[derive(Debug)]
pub struct Clock<'a> {
    stop: &'a StopFlag,
    ponder: bool,
    /// The soft limit: no iteration begins when this much is used, stretched or shortened by how
    /// the search goes.
    soft: Option<Duration>,
    /// The hard limit: the search ends when this much is used.
    hard: Option<Duration>,
    /// The soft limit has passed while pondering: the move is played as soon as the opponent's is.
    overdue: AtomicBool,
    /// When the clock was looked at last, in microseconds since the search began.
    looked: AtomicU64,
    /// The longest time between two looks, in microseconds: looks are a thousand nodes apart, so a
    /// longer time was spent waiting for the processor.
    stall: AtomicU64,
}

impl<'a> Clock<'a> {
    /// The clock of the side to move in `position`.
    pub fn new(
        limits: &Limits,
        position: &Position,
        reserve: Reserve,
        stop: &'a StopFlag,
    ) -> Clock<'a> {
        let (mut soft, mut hard) = (None, None);
        let side = position.turn();
        let milliseconds = |ms: i64| Duration::from_millis(ms.max(1) as u64);
        if let Some(left) = limits.time.get(side) {
            let increment = *limits.increment.get(side);
            let budget = budget(*left, increment, limits.moves_to_go, reserve, position.ply());
            (soft, hard) = (Some(milliseconds(budget.soft)), Some(milliseconds(budget.hard)));
        }
        if let Some(time) = limits.move_time.filter(|&time| time > 0) {
            let time = milliseconds(time - reserve.overhead.min(time / 2));
            soft = soft.map(|soft| soft.min(time));
            hard = Some(hard.map_or(time, |hard| hard.min(time)));
        }
        Clock {
            stop,
            ponder: limits.ponder,
            soft,
            hard,
            overdue: AtomicBool::new(false),
            looked: AtomicU64::new(0),
            stall: AtomicU64::new(0),
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.stop.started().elapsed()
    }

    /// Time used of our own clock; `None` while pondering.
    fn used(&self) -> Option<Duration> {
        if !self.ponder {
            return Some(self.elapsed());
        }
        self.stop.hit_at().map(|hit| hit.elapsed())
    }

    /// Whether the search must end, wherever it is. Called by the main thread every thousand nodes
    /// or so; the search ends the sooner, the longer the thread had to wait for the processor
    /// before.
    pub fn must_stop(&self) -> bool {
        self.stop.listen();
        let now = self.elapsed().as_micros() as u64;
        let before = self.looked.swap(now, Relaxed);
        self.stall.fetch_max(now.saturating_sub(before), Relaxed);

        let used_up = |used: Duration| {
            let is_late = |hard: Duration| used + self.stall().min(hard / 2) >= hard;
            self.overdue.load(Relaxed) || self.hard.is_some_and(is_late)
        };
        self.stop.is_stopped() || self.used().is_some_and(used_up)
    }

    /// What was taken of the clock.
    pub fn spent(&self) -> Spent {
        Spent { used: self.elapsed(), hard: self.hard, stall: self.stall() }
    }

    /// The longest time that the thread had to wait for the processor; zero where that is short
    /// enough to be a thousand nodes.
    pub fn stall(&self) -> Duration {
        let stall = Duration::from_micros(self.stall.load(Relaxed));
        if 1000.0 * stall.as_secs_f64() < NOTICED { Duration::ZERO } else { stall }
    }

    /// Whether the search may end here, after an iteration. `factor` stretches the soft limit:
    /// above one where the best move is not settled. Time spent pondering counts: a search that
    /// would be over ends with the opponent's move.
    pub fn may_stop(&self, factor: f64) -> bool {
        let Some(soft) = self.soft else { return false };
        let over = self.elapsed().as_secs_f64() >= soft.as_secs_f64() * factor;
        self.overdue.store(over, Relaxed);
        over && self.used().is_some()
    }

    /// The time that is meant for the move; without limit, the greatest there is.
    pub fn time_for_move(&self) -> Duration {
        let limits = [self.soft, self.hard];
        limits.into_iter().flatten().min().unwrap_or(Duration::MAX)
    }

    /// Whether our clock runs: then a single legal move is played at once.
    pub fn is_running(&self) -> bool {
        self.soft.is_some() && self.used().is_some()
    }
}

/// The time for a move, in milliseconds.
struct Budget {
    soft: i64,
    hard: i64,
}

/// The budget of a move with `left` milliseconds on the clock, after `ply` plies of the game.
fn budget(
    left: i64,
    increment: i64,
    moves_to_go: Option<i64>,
    reserve: Reserve,
    ply: u32,
) -> Budget {
    // A year is enough for anybody, and small enough to be multiplied.
    const YEAR: i64 = 365 * 24 * 3600 * 1000;
    let (left, increment) = (left.clamp(-YEAR, YEAR), increment.clamp(0, YEAR));
    let Reserve { overhead, clock } = reserve;
    // Whatever happens, a part of the reserve is kept even on the last milliseconds.
    let least = if clock == 0 { left / 4 } else { left / 16 };
    let left = (left - overhead - clock).max(least).max(1);
    let most = (left * 3 / 4).max(1);
    let (soft, hard) = match moves_to_go.filter(|&moves| moves > 0) {
        Some(moves) => {
            let moves = moves.min(50);
            let share = left / moves + increment * 3 / 4;
            (share * 9 / 10, if moves == 1 { most } else { share * 4 })
        }
        None => {
            // Games are decided in the middlegame: with an increment, what is left is spent faster
            // there than in the opening (+19 +- 26, 200 games at 8+0.08). Without an increment
            // there must be enough for long games and for the overhead of each of their moves.
            let share = match increment {
                0 => (left - 9 * overhead).max(left / 4) / 22,
                _ => left / (20 - i64::from(ply.min(36)) / 6) + increment,
            };
            (share * 7 / 10, share * 4)
        }
    };
    Budget { soft: soft.min(most).max(1), hard: hard.min(most).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Reserve = Reserve { overhead: 20, clock: 0 };

    /// Plays moves that each take the soft limit, stretched or not, and some milliseconds on the
    /// way; what is left.
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
            let Budget { soft, hard } = budget(left, increment, to_go, QUIET, ply);
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
                let Budget { soft, hard } = budget(left, 0, None, QUIET, ply);
                assert!(1 <= soft && soft <= hard, "{left} {ply}");
            }
        }
    }

    /// A flag whose search began ten seconds ago.
    fn ten_seconds_ago() -> StopFlag {
        StopFlag::started_at(std::time::Instant::now() - Duration::from_secs(10))
    }

    fn limits(left: i64, ponder: bool) -> Limits {
        let mut limits = Limits { ponder, ..Limits::default() };
        limits.time.white = Some(left);
        limits
    }

    #[test]
    fn all_that_the_gui_says_counts() {
        let hard = |left, increment, moves| budget(left, increment, moves, QUIET, 20).hard;
        let soft = |left, increment, moves| budget(left, increment, moves, QUIET, 20).soft;
        assert!(soft(10_000, 500, None) >= soft(10_000, 0, None) + 300);
        assert!(soft(10_000, 500, Some(20)) >= soft(10_000, 0, Some(20)) + 300);
        assert!(soft(10_000, 0, Some(1)) > 5 * soft(10_000, 0, Some(40)));
        assert!(hard(10_000, 0, Some(1)) > 5000);
        let slow = Reserve { overhead: 3000, clock: 0 };
        assert!(budget(10_000, 0, Some(1), slow, 20).hard <= 7000);
        let loaded = Reserve { overhead: 100, clock: 5000 };
        assert!(budget(10_000, 100, None, loaded, 20).soft < soft(10_000, 100, None) * 2 / 3);
    }

    #[test]
    fn the_clock_of_a_search_is_that_of_the_side_to_move() {
        let stop = ten_seconds_ago();
        let position = Position::start();
        assert!(Clock::new(&limits(20_000, false), &position, QUIET, &stop).must_stop());
        let mut black = Limits::default();
        black.time.black = Some(20_000);
        assert!(!Clock::new(&black, &position, QUIET, &stop).must_stop());
    }

    #[test]
    fn pondering_takes_no_time_of_ours() {
        let stop = ten_seconds_ago();
        let clock = Clock::new(&limits(20_000, true), &Position::start(), QUIET, &stop);
        assert!(!clock.must_stop() && !clock.is_running());
        stop.ponder_hit();
        assert!(!clock.must_stop(), "the clock runs from the hit");
        assert!(clock.is_running());
        stop.stop();
        assert!(clock.must_stop());
    }

    #[test]
    fn a_pondering_search_that_would_be_over_ends_with_the_hit() {
        let stop = ten_seconds_ago();
        let clock = Clock::new(&limits(20_000, true), &Position::start(), QUIET, &stop);
        assert!(!clock.may_stop(1.0), "not before the hit");
        stop.ponder_hit();
        assert!(clock.must_stop() && clock.may_stop(1.0));
    }

    #[test]
    fn the_overhead_is_kept_of_a_move_time() {
        let hard = |time| {
            let (limits, stop) = (Limits::move_time(time), StopFlag::new());
            let reserve = Reserve { overhead: 200, clock: 0 };
            Clock::new(&limits, &Position::start(), reserve, &stop).spent().hard
        };
        assert_eq!(hard(1000), Some(Duration::from_millis(800)));
        assert_eq!(hard(100), Some(Duration::from_millis(50)), "never more than half");
    }

    #[test]
    fn stop_ends_pondering() {
        let stop = StopFlag::new();
        let clock = Clock::new(&limits(20_000, true), &Position::start(), QUIET, &stop);
        assert!(!clock.must_stop());
        stop.stop();
        assert!(clock.must_stop());
    }
}
