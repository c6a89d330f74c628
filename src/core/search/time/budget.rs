//! Time: what the GUI's clock allows for a move, and when to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::lag::{NOTICED, Reserve, Spent};
use super::stop::StopFlag;
use crate::board::Position;
use crate::search::limits::Limits;

/// The time of one search.
#[derive(Debug)]
pub(crate) struct Clock<'a> {
    stop: &'a StopFlag,
    ponder: bool,
    /// The soft limit: no iteration begins after this much time, stretched or shortened by the
    /// stability of the search.
    soft: Option<Duration>,
    /// The hard limit: the search ends after this much time, even inside an iteration.
    hard: Option<Duration>,
    /// The soft limit has passed. A pondering search goes on until `ponderhit`, and then ends at
    /// once.
    overdue: AtomicBool,
    /// The last check of the clock, in microseconds since the search began.
    looked: AtomicU64,
    /// The longest time between two checks, in microseconds. Checks are about a thousand nodes
    /// apart, so a long gap usually means that the thread waited for the processor.
    stall: AtomicU64,
}

impl<'a> Clock<'a> {
    /// The clock of the side to move in `position`.
    pub(crate) fn new(
        limits: &Limits,
        position: &Position,
        reserve: Reserve,
        stop: &'a StopFlag,
    ) -> Clock<'a> {
        let (mut soft, mut hard) = (None, None);
        let side = position.turn();
        let milliseconds = |ms: i64| Duration::from_millis(ms.max(1) as u64);
        if let Some((left, increment)) = limits.clock(side) {
            let budget = budget(left, increment, limits.moves_to_go, reserve, position.ply());
            (soft, hard) = (Some(milliseconds(budget.soft)), Some(milliseconds(budget.hard)));
        }
        if let Some(time) = limits.time_limit() {
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
            // Count from now: earlier work, such as clearing the table, is no wait for the
            // processor.
            looked: AtomicU64::new(stop.started().elapsed().as_micros() as u64),
            stall: AtomicU64::new(0),
        }
    }

    /// Does not count the time since the last check as waiting for the processor.
    pub(crate) fn skip_wait(&self) {
        self.looked.store(self.elapsed().as_micros() as u64, Relaxed);
    }

    /// Time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.stop.started().elapsed()
    }

    /// Time used on our own clock; `None` while pondering.
    fn used(&self) -> Option<Duration> {
        if !self.ponder {
            return Some(self.elapsed());
        }
        self.stop.hit_at().map(|hit| hit.elapsed())
    }

    /// Whether the search must end at once, even inside an iteration. The main thread calls this
    /// about every thousand nodes. The longer it has had to wait for the processor, the earlier the
    /// search ends.
    pub(crate) fn must_stop(&self) -> bool {
        self.stop.listen();
        let now = self.elapsed().as_micros() as u64;
        let before = self.looked.swap(now, Relaxed);
        self.stall.fetch_max(now.saturating_sub(before), Relaxed);

        let used_up = |used: Duration| {
            // If the ponder search has already run longer than the hard limit, stop as soon as
            // ponderhit arrives.
            let pondered = Duration::from_micros(now).saturating_sub(used);
            let is_late =
                |hard: Duration| used + self.stall().min(hard / 2) >= hard || pondered >= hard;
            self.overdue.load(Relaxed) || self.hard.is_some_and(is_late)
        };
        self.stop.is_stopped() || self.used().is_some_and(used_up)
    }

    /// The time that the search has taken.
    pub(crate) fn spent(&self) -> Spent {
        Spent { used: self.elapsed(), hard: self.hard, stall: self.stall() }
    }

    /// The longest wait for the processor; zero if it may just have been a thousand nodes.
    fn stall(&self) -> Duration {
        let stall = Duration::from_micros(self.stall.load(Relaxed));
        if 1000.0 * stall.as_secs_f64() < NOTICED { Duration::ZERO } else { stall }
    }

    /// Whether the search may end after an iteration. `factor` stretches the soft limit: above one
    /// if the best move is not settled. Pondering time counts too: a search that has already
    /// pondered long enough ends when the opponent moves.
    pub(crate) fn may_stop(&self, factor: f64) -> bool {
        let Some(soft) = self.soft else { return false };
        let over = self.elapsed().as_secs_f64() >= soft.as_secs_f64() * factor;
        self.overdue.store(over, Relaxed);
        over && self.used().is_some()
    }

    /// The time planned for the move; without a limit, the maximum `Duration`.
    pub(crate) fn time_for_move(&self) -> Duration {
        let limits = [self.soft, self.hard];
        limits.into_iter().flatten().min().unwrap_or(Duration::MAX)
    }

    /// Whether our clock runs. If it does, an only legal move is played at once.
    pub(crate) fn is_running(&self) -> bool {
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
    // A year is more than any search needs, and small enough not to overflow below.
    const YEAR: i64 = 365 * 24 * 3600 * 1000;
    let (left, increment) = (left.clamp(-YEAR, YEAR), increment.clamp(0, YEAR));
    let Reserve { overhead, clock } = reserve;
    // However large the reserve is, this part of the clock may be used.
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
            // With an increment, more of the remaining time goes to the middlegame, where games are
            // decided: the share grows from a twentieth in the first moves to a fourteenth at move 19
            // (+19 ± 26 Elo, 200 games at 8+0.08) and an eleventh from move 28 on, about what Stockfish
            // 15.1 spends. Without an increment, keep enough for a long game and for the overhead of
            // each move.
            let share = match increment {
                0 => (left - 9 * overhead).max(left / 4) / 22,
                _ => left / (20 - i64::from(ply.min(54)) / 6) + increment,
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

    /// The time left after moves that each take the soft limit, stretched or not, and lose some
    /// milliseconds to lag.
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
        for ply in [0, 54, 55, 200_001, u32::MAX] {
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
        black.time.white = Some(2_000_000);
        assert!(!Clock::new(&black, &position, QUIET, &stop).must_stop());
        // If the GUI sends only one clock, it is taken for that of the side to move.
        black.time.white = None;
        assert!(Clock::new(&black, &position, QUIET, &stop).must_stop());
    }

    #[test]
    fn pondering_takes_no_time_of_ours() {
        let stop = ten_seconds_ago();
        let clock = Clock::new(&limits(200_000, true), &Position::start(), QUIET, &stop);
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
        let clock = Clock::new(&limits(20_000, true), &Position::start(), QUIET, &stop);
        assert!(clock.must_stop(), "in the middle of an iteration, after more than the hard limit");
    }

    #[test]
    fn what_comes_before_a_search_is_no_stall() {
        let stop = ten_seconds_ago();
        let clock = Clock::new(&limits(200_000, false), &Position::start(), QUIET, &stop);
        assert!(!clock.must_stop());
        assert!(clock.stall() < Duration::from_secs(9), "{:?}", clock.stall());
        assert!(clock.elapsed() >= Duration::from_secs(10));
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

    /// Computed by hand. Recompute when the shares of the clock are tuned.
    #[test]
    fn budgets() {
        let is = |left, increment, moves, reserve, ply, soft, hard| {
            let budget = budget(left, increment, moves, reserve, ply);
            assert_eq!(
                (budget.soft, budget.hard),
                (soft, hard),
                "{left}+{increment} {moves:?} {ply}"
            );
        };
        // (60,000 - 20 - 9 * 20) / 22 = 2718, of which seven tenths, and four times.
        is(60_000, 0, None, QUIET, 0, 1902, 10_872);
        is(60_000, 0, None, QUIET, 99, 1902, 10_872);
        // 59,980 / 17 + 600 = 4128, 59,980 / 14 + 600 = 4884, 59,980 / 11 + 600 = 6052
        is(60_000, 600, None, QUIET, 20, 2889, 16_512);
        is(60_000, 600, None, QUIET, 36, 3418, 19_536);
        is(60_000, 600, None, QUIET, 54, 4236, 24_208);
        is(60_000, 600, None, QUIET, 60, 4236, 24_208);
        // 59,980 / 40 = 1499, of which nine tenths; 1499 + 3 / 4 * 400 = 1799
        is(60_000, 0, Some(40), QUIET, 20, 1349, 5996);
        is(60_000, 400, Some(40), QUIET, 20, 1619, 7196);
        is(60_000, 0, Some(100), QUIET, 20, 1079, 4796);
        is(60_000, 0, Some(0), QUIET, 20, 1902, 10_872);
        // Never more than three quarters of 59,980.
        is(60_000, 0, Some(1), QUIET, 20, 44_985, 44_985);
        is(60_000, 0, Some(2), QUIET, 20, 26_991, 44_985);
        // With a reserve 54,900 / 17 + 600 = 3829.
        let loaded = Reserve { overhead: 100, clock: 5000 };
        is(60_000, 600, None, loaded, 20, 2680, 15_316);
        // A sixteenth of 1600, or a quarter of 400, whatever the reserve. 100 / 20 + 10 = 15, 100 /
        // 4 / 22 = 1.
        is(1600, 10, None, loaded, 0, 10, 60);
        is(400, 0, None, Reserve { overhead: 500, clock: 0 }, 0, 1, 4);
        is(40, 0, None, Reserve { overhead: 500, clock: 0 }, 0, 1, 1);
        // A hundred days, less 200 ms, / 22 = 392,727,263. More than a year counts as a year.
        is(8_640_000_000, 0, None, QUIET, 0, 274_909_084, 1_570_909_052);
        is(i64::MAX, i64::MAX, Some(50), QUIET, 0, 21_854_447_999, 23_651_999_985);
    }

    #[test]
    fn the_shorter_limit_is_the_time_for_a_move() {
        let stop = StopFlag::new();
        let clock = |limits: Limits| Clock::new(&limits, &Position::start(), QUIET, &stop);
        assert_eq!(clock(Limits::default()).time_for_move(), Duration::MAX);
        assert_eq!(clock(Limits::move_time(500)).time_for_move(), Duration::from_millis(480));
        assert_eq!(clock(limits(60_000, false)).time_for_move(), Duration::from_millis(1902));
        let both = |time| clock(Limits { move_time: Some(time), ..limits(60_000, false) });
        assert_eq!(both(500).time_for_move(), Duration::from_millis(480));
        assert_eq!(both(5000).time_for_move(), Duration::from_millis(1902));
        assert_eq!(both(5000).spent().hard, Some(Duration::from_millis(4980)));
        assert_eq!(both(0).spent().hard, Some(Duration::from_millis(10_872)), "0 is no limit");
        assert_eq!(clock(Limits::move_time(1)).spent().hard, Some(Duration::from_millis(1)));
    }

    /// Waits of at least eight milliseconds count. The search ends earlier by the longest of them,
    /// but by no more than half of its time.
    #[test]
    fn waits_for_the_processor_end_a_search_earlier() {
        let ends = |hard: i64, stall: u64| {
            let stop = ten_seconds_ago();
            let clock = Clock::new(&Limits::move_time(hard), &Position::start(), QUIET, &stop);
            // With the last check in the future, this check finds no wait of its own.
            clock.looked.store(u64::MAX, Relaxed);
            clock.stall.store(stall, Relaxed);
            (clock.must_stop(), clock.stall())
        };
        let seconds = Duration::from_secs;
        assert_eq!(ends(15_020, 0), (false, Duration::ZERO));
        assert_eq!(ends(15_020, 7_900), (false, Duration::ZERO), "too short to be noticed");
        assert_eq!(ends(15_020, 8_000).1, Duration::from_millis(8));
        assert_eq!(ends(15_020, 4_000_000), (false, seconds(4)));
        assert_eq!(ends(15_020, 6_000_000), (true, seconds(6)));
        assert_eq!(ends(22_020, 20_000_000), (false, seconds(20)), "not by more than half");
        assert_eq!(ends(19_020, 20_000_000), (true, seconds(20)));
        // The next check finds that all ten seconds went by at once.
        let stop = ten_seconds_ago();
        let clock = Clock::new(&Limits::move_time(99_000), &Position::start(), QUIET, &stop);
        clock.looked.store(0, Relaxed);
        clock.must_stop();
        assert!(clock.stall() >= seconds(10) && clock.stall() < seconds(60));
        let looked = Duration::from_micros(clock.looked.load(Relaxed));
        assert!(looked >= seconds(10) && looked <= clock.elapsed());
        clock.stall.store(0, Relaxed);
        clock.must_stop();
        assert!(clock.stall() < seconds(9), "from look to look");
    }

    #[test]
    fn the_soft_limit_is_stretched() {
        let stop = ten_seconds_ago();
        let may_stop = |left: i64, factor| {
            let clock = Clock::new(&limits(left, false), &Position::start(), QUIET, &stop);
            let may = clock.may_stop(factor);
            (may, clock.must_stop())
        };
        // The soft limit is 9.5 seconds, the hard one 54.
        assert_eq!(may_stop(300_000, 1.0), (true, true), "and then it must");
        assert_eq!(may_stop(300_000, 2.0), (false, false));
        assert_eq!(may_stop(3_000_000, 1.0), (false, false));
        assert_eq!(may_stop(3_000_000, 0.1), (true, true));
        let endless = Clock::new(&Limits::default(), &Position::start(), QUIET, &stop);
        assert!(!endless.may_stop(0.0) && !endless.is_running() && !endless.must_stop());
        let timed = Clock::new(&Limits::move_time(60_000), &Position::start(), QUIET, &stop);
        assert!(!timed.may_stop(0.0) && !timed.is_running(), "it has no soft limit");
    }
}
