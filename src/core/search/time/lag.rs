//! Lag: time on the clock that is not spent thinking, measured in the game and kept in reserve.
//!
//! There are two measurements. The GUI's clock says how much time has passed between two of our
//! moves; whatever exceeds our own measurement was lost on the way. And a search thread that checks
//! the clock every thousand nodes notices when the system has made it wait. On a machine with more
//! work than cores, such waits of tens of milliseconds happen again and again, and lose a game on
//! time when the clock stands that low.

use std::time::Duration;

use crate::board::Position;
use crate::search::limits::Limits;

/// Lags shorter than this, in milliseconds, are no sign of a loaded machine.
pub(super) const NOTICED: f64 = 8.0;
/// The longest lag seen fades by this factor with each move.
const DECAY: f64 = 0.97;
/// The weight of the newest lag in the mean. The mean begins at zero, so that a single lag is not
/// mistaken for a lag with every move.
const NEWEST: f64 = 0.2;
/// Moves of the game that the reserve must last for.
const MOVES: f64 = 30.0;
/// Lags are capped at this, in milliseconds.
const LONGEST: f64 = 1000.0;

/// The lag of one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lag {
    /// The average time lost with each move, in milliseconds.
    mean: f64,
    /// The most time lost with one move, in milliseconds; older moves count less.
    longest: f64,
    /// The longest wait for the processor, in milliseconds; older waits count less.
    stall: f64,
    last: Option<Moved>,
    /// All readings of our clock are multiples of this: 1000 milliseconds if the GUI sends whole
    /// seconds. Zero before the first reading.
    resolution: i64,
    /// How many moves in a row took less than the increment and left the clock unchanged. That is
    /// how a delay (Bronstein, US) looks when the GUI sends it as an increment.
    unchanged: u32,
}

/// A move of ours, with times in milliseconds.
#[derive(Clone, Debug)]
struct Moved {
    ply: u32,
    /// The clock before the move.
    left: i64,
    increment: i64,
    /// The time used, by our own measurement.
    used: f64,
    /// The part of `used` beyond the hard limit.
    late: f64,
}

/// The time that a search has taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    /// The time used, by our own measurement.
    pub(super) used: Duration,
    /// The hard limit, if time was limited.
    pub(super) hard: Option<Duration>,
    /// The longest wait for the processor.
    pub(super) stall: Duration,
}

/// The time to keep in reserve, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reserve {
    /// Kept from the time of every move, for communication with the GUI. Measured lag counts up to
    /// a 32nd of the clock.
    pub(crate) overhead: i64,
    /// Kept on the clock for later moves: twice the longest lag, plus at most a quarter of the
    /// clock for the lag of all later moves.
    pub(crate) clock: i64,
}

impl Lag {
    /// Called when a search begins: compares the GUI's clock with what it should show.
    pub(crate) fn begin(&mut self, limits: &Limits, position: &Position) {
        self.longest *= DECAY;
        self.stall *= DECAY;
        let Some(left) = *limits.time.get(position.turn()) else {
            self.last = None;
            return;
        };
        let before = if self.resolution == 0 { 1000 } else { self.resolution };
        let fits = |&resolution: &i64| resolution <= before && left % resolution == 0;
        self.resolution = [1000, 100, 10].into_iter().find(fits).unwrap_or(1);
        let Some(last) = self.last.take().filter(|last| last.ply + 2 == position.ply()) else {
            return;
        };
        if let Some(lost) = self.lost(&last, left) {
            let lost = (lost + last.late).min(LONGEST);
            self.mean += NEWEST * (lost - self.mean);
            self.longest = self.longest.max(lost);
        }
    }

    /// The time lost since our last move, in milliseconds; `None` if the clocks cannot tell.
    fn lost(&mut self, last: &Moved, left: i64) -> Option<f64> {
        /// Once or twice may be chance: a lag can happen to use up exactly the rest of the
        /// increment.
        const ENOUGH: u32 = 3;
        let increment = last.increment as f64;
        if left > last.left {
            self.unchanged = 0;
        } else if left == last.left && last.used < increment {
            self.unchanged += 1;
            if self.unchanged == ENOUGH {
                // The supposed lag was the delay.
                (self.mean, self.longest) = (0.0, 0.0);
            }
        }
        let delays = self.unchanged >= ENOUGH;
        let gained = if delays { increment.min(last.used) } else { increment };
        // A clock may show less than the true time, by just under its resolution.
        let unseen = (self.resolution - 1).max(0) as f64;
        let lost = last.left as f64 + gained - last.used - left as f64;
        // A clear gain means that a time control has added time.
        if lost <= -NOTICED - unseen { None } else { Some((lost - unseen).max(0.0)) }
    }

    /// Called when a search has ended: records what it took.
    pub(crate) fn end(&mut self, limits: &Limits, position: &Position, spent: Spent) {
        let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64();
        self.stall = self.stall.max(milliseconds(spent.stall).min(LONGEST));
        let left = *limits.time.get(position.turn());
        let late = spent.hard.map_or(Duration::ZERO, |hard| spent.used.saturating_sub(hard));
        self.last = left.filter(|_| !limits.ponder).map(|left| Moved {
            ply: position.ply(),
            left,
            increment: *limits.increment.get(position.turn()),
            used: milliseconds(spent.used),
            late: milliseconds(late),
        });
    }

    /// The reserve for a clock that shows `left` milliseconds, never less than the user's overhead.
    /// A fixed time per move, without a clock, is shortened by that overhead alone.
    pub(crate) fn reserve(&self, overhead: i64, left: Option<i64>) -> Reserve {
        let longest = self.longest.max(self.stall);
        let Some(left) = left.map(|left| left.max(0)).filter(|_| longest >= NOTICED) else {
            return Reserve { overhead, clock: 0 };
        };
        // Four times the mean, in which a single lag counts little and a steady one counts fully.
        let lost = (2.0 * self.longest).min(overhead as f64 + 4.0 * self.mean);
        let each = lost.max(2.0 * self.stall) as i64;
        // One more lag this long must not lose the game. The lags of all later moves share the
        // rest.
        let once = (2.0 * longest) as i64;
        let always = (MOVES * self.mean) as i64;
        let clock = once.min(left / 8 * 7) + always.min(left / 4);
        Reserve { overhead: overhead.max(each.min(left / 32)), clock: clock.min(left / 16 * 15) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(left: i64) -> Limits {
        let mut limits = Limits::default();
        limits.time.white = Some(left);
        limits.increment.white = 10;
        limits
    }

    fn spent(used: u64, stall: u64) -> Spent {
        let [used, stall] = [used, stall].map(Duration::from_millis);
        Spent { used, hard: Some(Duration::from_millis(100)), stall }
    }

    fn after_two_plies(position: &mut Position) {
        for text in [["g1f3", "g8f6"], ["f3g1", "f6g8"]][usize::from(position.ply() % 4 == 2)] {
            position.play(position.parse_uci(text).expect("a legal move"));
        }
    }

    /// Plays a game with these pairs of clock reading and search time, and returns the reserve for
    /// the last reading.
    fn kept(increment: i64, moves: &[(i64, u64)], last: i64) -> Reserve {
        let (mut lag, mut position) = (Lag::default(), Position::start());
        let told = |left| {
            let mut limits = limits(left);
            limits.increment.white = increment;
            limits
        };
        for &(left, used) in moves {
            lag.begin(&told(left), &position);
            let used = Duration::from_millis(used);
            let spent = Spent { used, hard: Some(10 * used), stall: Duration::ZERO };
            lag.end(&told(left), &position, spent);
            after_two_plies(&mut position);
        }
        lag.begin(&told(last), &position);
        lag.reserve(20, Some(last))
    }

    const NOTHING: Reserve = Reserve { overhead: 20, clock: 0 };

    #[test]
    fn a_quiet_machine_keeps_the_overhead_only() {
        assert_eq!(kept(10, &[(1001, 40)], 969), NOTHING);
    }

    #[test]
    fn time_lost_on_the_way_is_kept_in_reserve() {
        // 1001 - 40 + 10 should be left: 50 milliseconds are missing, a fifth of which is the mean.
        assert_eq!(kept(10, &[(1001, 40)], 921), Reserve { overhead: 28, clock: 330 });
        assert_eq!(kept(10, &[(9001, 40)], 8921), Reserve { overhead: 60, clock: 400 });
        // A time control has added time, which says nothing about lag.
        let after = kept(10, &[(1001, 40), (921, 40)], 5000);
        assert!(after.clock > 380 && after.clock < 400, "{after:?}");
    }

    /// In a one-minute game, a second lost once takes much less of the reserve than a second lost
    /// with every move, and soon less still.
    #[test]
    fn what_is_lost_once_is_not_lost_with_every_move() {
        let once = kept(0, &[(60_001, 1900)], 57_101);
        assert_eq!(once, Reserve { overhead: 820, clock: 8000 });
        let later = kept(0, &[(60_001, 1900), (57_101, 1900), (55_201, 1900)], 53_301);
        assert!(later.overhead < 600 && later.clock < 6000, "{later:?}");
        let always = kept(0, &[(60_001, 900), (58_101, 900), (56_201, 900), (54_301, 900)], 52_401);
        assert!(always.overhead >= 1600 && always.clock > 15_000, "{always:?}");
    }

    /// The lags of all later moves take at most a quarter of the clock, and some time is always
    /// left.
    #[test]
    fn the_reserve_is_a_share_of_the_clock() {
        assert_eq!(kept(0, &[(5001, 500)], 3501).clock, 2000 + 875);
        assert_eq!(kept(0, &[(1601, 500)], 101).clock, 90);
        assert_eq!(kept(0, &[(5001, 500)], -21).clock, 0);
    }

    #[test]
    fn clocks_in_whole_seconds_are_no_lag() {
        assert_eq!(kept(0, &[(60_000, 1500), (58_000, 1700), (56_000, 1300)], 55_000), NOTHING);
        // More than a second is missing.
        let lost = kept(0, &[(60_000, 1500), (58_000, 1700)], 55_000);
        // 3300 - 2000 - 999 = 301.
        assert_eq!((lost.overhead, lost.clock), (260, 2408));
    }

    #[test]
    fn delays_are_no_lag() {
        // A delay of two seconds that the GUI sends as an increment: only moves that take longer
        // use the clock.
        let delayed = [(60_001, 500), (60_001, 1999), (60_001, 700), (60_001, 2600)];
        assert_eq!(kept(2000, &delayed, 59_401), NOTHING);
        // A lag close to the increment can also leave the clock unchanged, but not every time.
        let lag =
            [(1001, 40), (1001, 40), (1003, 40), (1003, 45), (999, 40), (999, 40), (1000, 40)];
        assert!(kept(100, &lag, 1001).clock > 200);
        // A delay that the GUI does not send shows up only as gained time.
        assert_eq!(kept(0, &[(60_000, 500), (60_000, 2600)], 59_400), NOTHING);
        // With an increment the clock would have grown.
        assert!(kept(2000, &[(60_001, 500)], 61_401).clock > 0);
    }

    /// The mean lag falls with every move that loses nothing.
    #[test]
    fn what_was_lost_long_ago_counts_less() {
        let moves = [(1001, 40), (921, 40), (891, 40), (861, 40), (831, 40)];
        let clocks: Vec<i64> =
            (1..5).map(|count| kept(10, &moves[..count], moves[count].0).clock).collect();
        assert!(clocks.is_sorted_by(|a, b| a > b), "{clocks:?}");
    }

    #[test]
    fn waits_for_the_processor_are_kept_in_reserve_and_forgotten() {
        let mut lag = Lag::default();
        let position = Position::start();
        lag.end(&limits(1000), &position, spent(0, 30));
        assert_eq!(lag.reserve(20, Some(9000)), Reserve { overhead: 60, clock: 60 });
        assert_eq!(lag.reserve(20, None), NOTHING);
        for _ in 0..60 {
            lag.begin(&limits(1000), &position);
        }
        assert_eq!(lag.reserve(20, Some(9000)), NOTHING);
    }

    #[test]
    fn clocks_of_moves_that_do_not_follow_are_not_compared() {
        let mut lag = Lag::default();
        let mut position = Position::start();
        lag.end(&limits(1000), &position, spent(40, 0));
        after_two_plies(&mut position);
        after_two_plies(&mut position);
        lag.begin(&limits(500), &position);
        assert_eq!(lag.reserve(20, Some(500)), NOTHING);
    }

    #[test]
    fn being_later_than_planned_is_lost_time() {
        let mut lag = Lag::default();
        let mut position = Position::start();
        lag.end(&limits(1000), &position, spent(140, 0));
        after_two_plies(&mut position);
        lag.begin(&limits(870), &position);
        assert_eq!(lag.reserve(20, Some(870)), Reserve { overhead: 27, clock: 80 + 217 });
    }
}
