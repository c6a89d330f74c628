//! The limits of a search: the words of `go`.

use crate::board::Move;
use crate::chess::{ByColor, Color};

/// The longest mate, in moves, that `go mate` searches for without pruning.
pub(super) const LONGEST_MATE: i64 = 5;

/// The limits of a search, as a GUI sends them. The search ends at the first one it reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on the clocks, in milliseconds; may be negative.
    pub time: ByColor<Option<i64>>,
    /// Increments per move, in milliseconds.
    pub increment: ByColor<i64>,
    /// Moves to the next time control; `None` if the clock holds for the rest of the game.
    pub moves_to_go: Option<i64>,
    /// Time for this move, in milliseconds.
    pub move_time: Option<i64>,
    /// The last iteration to search, in plies.
    pub depth: Option<i64>,
    /// Nodes of all threads.
    pub nodes: Option<u64>,
    /// Mate in this many moves: the search ends when one is found.
    pub mate: Option<i64>,
    /// `bestmove` is sent only after `stop`, even if the search ends sooner.
    pub infinite: bool,
    /// Pondering: a search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Root moves to search (`searchmoves`); empty means all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Limits the search to this many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Limits the search to this depth, in plies.
    pub fn depth(depth: i64) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Gives the search this many milliseconds.
    pub fn move_time(milliseconds: i64) -> Limits {
        Limits { move_time: Some(milliseconds), ..Limits::default() }
    }

    /// Whether `bestmove` is sent only after `stop` or `ponderhit`. A search for a short mate ends by
    /// itself: with the mate or, if there is none, after a short search for a good move.
    #[doc(hidden)]
    pub fn is_endless(&self) -> bool {
        let mates = self.mate_limit().is_some_and(|moves| moves <= LONGEST_MATE);
        self.infinite || self.ponder || !(mates || self.has_budget())
    }

    /// The clock of a side: milliseconds left, and the increment. If the GUI sends only the other
    /// side's clock, use that one: better a move in time than none.
    pub(crate) fn clock(&self, side: Color) -> Option<(i64, i64)> {
        let clock_of = |side| Some(((*self.time.get(side))?, *self.increment.get(side)));
        clock_of(side).or_else(|| clock_of(side.other()))
    }

    /// Whether nodes, depth or a search for a short mate end the search, rather than time or
    /// `stop`. With one thread and an empty table such a search gives the same result every time.
    pub fn is_reproducible(&self) -> bool {
        !self.is_timed() && !self.is_endless()
    }

    /// Whether time, depth or nodes are limited.
    pub(super) fn has_budget(&self) -> bool {
        self.is_timed() || self.depth.is_some() || self.nodes.is_some()
    }

    /// Whether time is limited, by a clock or for this move.
    fn is_timed(&self) -> bool {
        self.time != ByColor::default() || self.time_limit().is_some()
    }

    /// The most nodes that may be visited.
    pub(super) fn node_limit(&self) -> u64 {
        self.nodes.map_or(u64::MAX, |nodes| nodes.max(1))
    }

    /// The deepest iteration, in plies.
    pub(super) fn depth_limit(&self) -> i32 {
        self.depth.map_or(i32::MAX, |depth| depth.clamp(1, 10_000) as i32)
    }

    /// The time for this move, in milliseconds.
    pub(super) fn time_limit(&self) -> Option<i64> {
        self.move_time.filter(|&time| time > 0)
    }

    /// A mate in this many moves ends the search.
    pub(super) fn mate_limit(&self) -> Option<i64> {
        self.mate.filter(|&mate| mate > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_limit_ends_a_search_but_for_pondering_and_infinite_ones() {
        assert!(Limits::default().is_endless());
        let mut clock = Limits::default();
        clock.time.black = Some(0);
        let mate = |moves| Limits { mate: Some(moves), ..Limits::default() };
        assert!(mate(0).is_endless() && mate(LONGEST_MATE + 1).is_endless());
        for limits in
            [Limits::nodes(7), Limits::depth(7), Limits::move_time(7), clock, mate(LONGEST_MATE)]
        {
            assert!(!limits.is_endless(), "{limits:?}");
            assert!(Limits { infinite: true, ..limits.clone() }.is_endless(), "{limits:?}");
            assert!(Limits { ponder: true, ..limits.clone() }.is_endless(), "{limits:?}");
        }
    }

    #[test]
    fn a_clock_that_is_sent_counts_for_whoever_is_to_move() {
        let mut limits = Limits::default();
        assert_eq!(limits.clock(Color::White), None);
        (limits.time.black, limits.increment.black) = (Some(2000), 10);
        assert_eq!(limits.clock(Color::White), Some((2000, 10)));
        (limits.time.white, limits.increment.white) = (Some(500), 0);
        assert_eq!(limits.clock(Color::White), Some((500, 0)));
        assert_eq!(limits.clock(Color::Black), Some((2000, 10)));
    }

    #[test]
    fn limits_are_clamped() {
        let none = Limits::default();
        assert_eq!(
            (none.node_limit(), none.depth_limit(), none.mate_limit()),
            (u64::MAX, i32::MAX, None)
        );
        assert_eq!((Limits::nodes(0).node_limit(), Limits::nodes(7).node_limit()), (1, 7));
        let depths =
            [-3, 0, 1, 7, 10_000, i64::MAX].map(|depth| Limits::depth(depth).depth_limit());
        assert_eq!(depths, [1, 1, 1, 7, 10_000, 10_000]);
        let mates =
            [-2, 0, 1, 5].map(|mate| Limits { mate: Some(mate), ..Limits::default() }.mate_limit());
        assert_eq!(mates, [None, None, Some(1), Some(5)]);
    }
}
