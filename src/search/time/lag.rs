//! Lag: time on the clock that is not spent thinking, measured in the game and kept in reserve.
//!
//! Two things are seen. The GUI's clock says how much time has passed between two of our moves;
//! what exceeds our own measure was lost on the way. And a search thread that looks at the clock
//! every thousand nodes sees when the system has let it wait: on a machine with more work than
//! cores that takes tens of milliseconds, again and again, and a clock that stands so low is lost.

use std::time::Duration;

use crate::board::Position;
use crate::search::limits::Limits;

/// Lags shorter than this, in milliseconds, are no sign of a loaded machine.
pub const NOTICED: f64 = 8.0;
/// What is left of the longest lag that was seen, one move later.
const DECAY: f64 = 0.97;
/// The weight of the newest lag in the mean. The mean begins at zero, so that one lag is not taken
/// for one with every move.
const NEWEST: f64 = 0.2;
/// Moves of the game that the reserve must last for.
const MOVES: f64 = 30.0;
/// The longest lag that is believed, in milliseconds.
const LONGEST: f64 = 1000.0;

/// The lag of one game.
#[derive(Clone, Debug, Default)]
pub struct Lag {
    /// Milliseconds lost on the way with each move, on average.
    mean: f64,
    /// The most that was lost with a move, in milliseconds, older moves counting less.
    longest: f64,
    /// The longest wait for the processor, in milliseconds, older ones counting less.
    stall: f64,
    last: Option<Moved>,
    /// All readings of our clock are multiples of this: 1000 milliseconds where the GUI tells whole
    /// seconds. Zero before the first.
    resolution: i64,
    /// How many times in a row the clock was left as it was by a move that took less than the
    /// increment: so it is where the increment is a delay (Bronstein, US).
    unchanged: u32,
}

/// A move of ours, with times in milliseconds.
#[derive(Clone, Debug)]
struct Moved {
    ply: u32,
    /// On the clock before the move.
    left: i64,
    increment: i64,
    /// By our own measure.
    used: f64,
    /// Of that, above what was planned at most.
    late: f64,
}

/// What a search has taken of the clock.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// By our own measure.
    pub used: Duration,
    /// What was planned at most, if there was a clock.
    pub hard: Option<Duration>,
    /// The longest wait for the processor.
    pub stall: Duration,
}

/// What is kept of the clock, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserve {
    /// Kept of every move, for the way to the GUI and back: what is measured counts up to a 32nd of the
    /// clock.
    pub overhead: i64,
    /// Kept on the clock for the moves to come: twice the longest lag, and a quarter of the clock at
    /// most for the others.
    pub clock: i64,
}

impl Lag {
    /// A search begins: compares the GUI's clock with what it should show.
    pub fn begin(&mut self, limits: &Limits, position: &Position) {
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

    /// The time that was lost on the way since our last move, in milliseconds; `None` where the clocks
    /// say nothing of it.
    fn lost(&mut self, last: &Moved, left: i64) -> Option<f64> {
        /// Once or twice may be chance: a lag that is just as long as the rest of the increment.
        const ENOUGH: u32 = 3;
        let increment = last.increment as f64;
        if left > last.left {
            self.unchanged = 0;
        } else if left == last.left && last.used < increment {
            self.unchanged += 1;
            if self.unchanged == ENOUGH {
                // What was taken for lag was the delay.
                (self.mean, self.longest) = (0.0, 0.0);
            }
        }
        let delays = self.unchanged >= ENOUGH;
        let gained = if delays { increment.min(last.used) } else { increment };
        // What a clock shows may be less than there is by nearly its resolution.
        let unseen = (self.resolution - 1).max(0) as f64;
        let lost = last.left as f64 + gained - last.used - left as f64;
        // Moves to go have brought time.
        if lost <= -NOTICED - unseen { None } else { Some((lost - unseen).max(0.0)) }
    }

    /// A search has ended.
    pub fn end(&mut self, limits: &Limits, position: &Position, spent: Spent) {
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

    /// What to keep of a clock that shows `left` milliseconds, at least the overhead that the user has
    /// set. A fixed time for a move, without a clock, is not shortened by more than that.
    pub fn reserve(&self, overhead: i64, left: Option<i64>) -> Reserve {
        let longest = self.longest.max(self.stall);
        let Some(left) = left.map(|left| left.max(0)).filter(|_| longest >= NOTICED) else {
            return Reserve { overhead, clock: 0 };
        };
        // Four times the mean: a lag that happened once is small in it, a steady one is not.
        let lost = (2.0 * self.longest).min(overhead as f64 + 4.0 * self.mean);
        let each = lost.max(2.0 * self.stall) as i64;
        // Another such lag must not lose the game; those of all moves to come are shared with them.
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

    /// Plays a game of these readings of our clock, the searches between them taking so long, and
    /// returns what is kept of the last one.
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
        // The control of a number of moves has brought time: that says nothing.
        let after = kept(10, &[(1001, 40), (921, 40)], 5000);
        assert!(after.clock > 380 && after.clock < 400, "{after:?}");
    }

    /// Lost once in a game of a minute, a second is a tenth of the reserve that it would be if it were
    /// lost with every move, and soon less.
    #[test]
    fn what_is_lost_once_is_not_lost_with_every_move() {
        let once = kept(0, &[(60_001, 1900)], 57_101);
        assert_eq!(once, Reserve { overhead: 820, clock: 8000 });
        let later = kept(0, &[(60_001, 1900), (57_101, 1900), (55_201, 1900)], 53_301);
        assert!(later.overhead < 600 && later.clock < 6000, "{later:?}");
        let always = kept(0, &[(60_001, 900), (58_101, 900), (56_201, 900), (54_301, 900)], 52_401);
        assert!(always.overhead >= 1600 && always.clock > 15_000, "{always:?}");
    }

    /// Lags of all moves to come take a quarter of the clock at most, and something is always left.
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
        // A delay of two seconds, told as an increment: what takes longer is taken from the clock.
        let delayed = [(60_001, 500), (60_001, 1999), (60_001, 700), (60_001, 2600)];
        assert_eq!(kept(2000, &delayed, 59_401), NOTHING);
        // A lag of nearly the increment leaves the clock as it was, too, but not every time.
        let lag =
            [(1001, 40), (1001, 40), (1003, 40), (1003, 45), (999, 40), (999, 40), (1000, 40)];
        assert!(kept(100, &lag, 1001).clock > 200);
        // Of a delay that is not told only gains are seen.
        assert_eq!(kept(0, &[(60_000, 500), (60_000, 2600)], 59_400), NOTHING);
        // With an increment the clock would have grown.
        assert!(kept(2000, &[(60_001, 500)], 61_401).clock > 0);
    }

    /// The mean of what was lost falls with every move on which nothing is.
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
