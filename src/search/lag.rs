//! Lag: time on the clock that is not spent thinking, measured in the game and kept in reserve.
//!
//! Two things are seen. The GUI's clock says how much time has passed between two of our moves;
//! what exceeds our own measure was lost on the way. And a search thread that looks at the clock
//! every thousand nodes sees when the system has let it wait: on a machine with more work than
//! cores that takes tens of milliseconds, again and again, and a clock that stands so low is lost.

use std::time::Duration;

use super::limits::Limits;
use crate::board::Position;

/// Lags shorter than this, in milliseconds, are no sign of a loaded machine.
pub const NOTICED: f64 = 8.0;
/// What is left of the longest lag that was seen, one move later.
const DECAY: f64 = 0.97;
/// The weight of the newest lag in the mean.
const NEWEST: f64 = 0.2;
/// Moves of the game that the reserve must last for.
const MOVES: f64 = 30.0;

/// The lag of one game.
#[derive(Clone, Debug, Default)]
pub struct Lag {
    /// Milliseconds lost with each move, on average.
    mean: Option<f64>,
    /// The longest lag that was seen, in milliseconds, older ones counting less.
    longest: f64,
    last: Option<Moved>,
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
    /// Kept of every move, for the way to the GUI and back.
    pub overhead: i64,
    /// Kept on the clock for the moves to come.
    pub clock: i64,
}

impl Lag {
    /// A search begins: compares the GUI's clock with what it should show.
    pub fn begin(&mut self, limits: &Limits, position: &Position) {
        self.longest *= DECAY;
        let Some(last) = self.last.take().filter(|last| last.ply + 2 == position.ply()) else {
            return;
        };
        if let Some(left) = *limits.time.get(position.turn()) {
            let expected = (last.left + last.increment) as f64 - last.used;
            let lost = expected - left as f64;
            // Not so where moves to go have brought time.
            if lost > -NOTICED {
                let lost = (lost.max(0.0) + last.late).min(1000.0);
                let mean = self.mean.unwrap_or(lost);
                self.mean = Some(mean + NEWEST * (lost - mean));
                self.longest = self.longest.max(lost);
            }
        }
    }

    /// A search has ended.
    pub fn end(&mut self, limits: &Limits, position: &Position, spent: Spent) {
        let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64();
        self.longest = self.longest.max(milliseconds(spent.stall).min(1000.0));
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

    /// What to keep of the clock, at least the overhead that the user has set.
    pub fn reserve(&self, overhead: i64) -> Reserve {
        if self.longest < NOTICED {
            return Reserve { overhead, clock: 0 };
        }
        // Before the first comparison of clocks, what was seen may happen with every move.
        let mean = self.mean.unwrap_or(self.longest);
        let clock = 2.0 * self.longest + MOVES * mean;
        Reserve { overhead: overhead.max(2 * self.longest as i64), clock: clock as i64 }
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

    #[test]
    fn a_quiet_machine_keeps_the_overhead_only() {
        let mut lag = Lag::default();
        let mut position = Position::start();
        lag.end(&limits(1000), &position, spent(40, 3));
        after_two_plies(&mut position);
        lag.begin(&limits(968), &position);
        assert_eq!(lag.reserve(20), Reserve { overhead: 20, clock: 0 });
    }

    #[test]
    fn time_lost_on_the_way_is_kept_in_reserve() {
        let mut lag = Lag::default();
        let mut position = Position::start();
        lag.end(&limits(1000), &position, spent(40, 0));
        after_two_plies(&mut position);
        // 1000 - 40 + 10 should be left: 50 milliseconds are missing.
        lag.begin(&limits(920), &position);
        assert_eq!(lag.reserve(20), Reserve { overhead: 100, clock: 1600 });
        // The control of a number of moves has brought time: that says nothing.
        lag.end(&limits(920), &position, spent(40, 0));
        after_two_plies(&mut position);
        lag.begin(&limits(5000), &position);
        assert!(lag.reserve(20).clock > 1500);
    }

    /// The mean of what was lost falls with every move on which nothing is.
    #[test]
    fn what_was_lost_long_ago_counts_less() {
        let mut lag = Lag::default();
        let mut position = Position::start();
        let mut clocks = Vec::new();
        for (before, left) in [(1000, 920), (920, 890), (890, 860), (860, 830)] {
            lag.end(&limits(before), &position, spent(40, 0));
            after_two_plies(&mut position);
            lag.begin(&limits(left), &position);
            clocks.push(lag.reserve(20).clock);
        }
        assert!(clocks.is_sorted_by(|a, b| a > b), "{clocks:?}");
        let mean = lag.mean.expect("four comparisons");
        assert!((mean - 50.0 * (1.0 - NEWEST).powi(3)).abs() < 1e-9, "{mean}");
    }

    #[test]
    fn waits_for_the_processor_are_kept_in_reserve_and_forgotten() {
        let mut lag = Lag::default();
        let position = Position::start();
        lag.end(&limits(1000), &position, spent(0, 30));
        assert_eq!(lag.reserve(20), Reserve { overhead: 60, clock: 960 });
        for _ in 0..60 {
            lag.begin(&limits(1000), &position);
        }
        assert_eq!(lag.reserve(20), Reserve { overhead: 20, clock: 0 });
    }

    #[test]
    fn clocks_of_moves_that_do_not_follow_are_not_compared() {
        let mut lag = Lag::default();
        let mut position = Position::start();
        lag.end(&limits(1000), &position, spent(40, 0));
        after_two_plies(&mut position);
        after_two_plies(&mut position);
        lag.begin(&limits(500), &position);
        assert_eq!(lag.reserve(20), Reserve { overhead: 20, clock: 0 });
    }

    #[test]
    fn being_later_than_planned_is_lost_time() {
        let mut lag = Lag::default();
        let mut position = Position::start();
        lag.end(&limits(1000), &position, spent(140, 0));
        after_two_plies(&mut position);
        lag.begin(&limits(870), &position);
        assert_eq!(lag.reserve(20), Reserve { overhead: 80, clock: 1280 });
    }
}
