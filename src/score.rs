//! Score: centipawns and mates in one coin.

use std::fmt;
use std::ops::Neg;

/// The longest line the search looks at, in plies.
pub const MAX_PLY: usize = 200;

const MATE: i16 = 32_000;
const MATE_BOUND: i16 = MATE - 1000;

/// A value of a position from the view of the side to move.
///
/// Between -31,000 and 31,000 it is an evaluation in centipawns; beyond, it is a mate, counted in plies
/// from the root. Adding centipawns never reaches a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(i16);

impl Score {
    /// Dead even.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(MATE + 1);
    /// The largest evaluation that is not a mate.
    pub const MAX_EVAL: Score = Score(MATE_BOUND - 1);

    /// An evaluation of `centipawns`, kept inside what is not a mate.
    #[inline(always)]
    pub const fn cp(centipawns: i32) -> Score {
        let limit = MATE_BOUND as i32 - 1;
        if centipawns > limit {
            Score(limit as i16)
        } else if centipawns < -limit {
            Score(-limit as i16)
        } else {
            Score(centipawns as i16)
        }
    }

    /// The side to move mates `ply` plies from the root.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Score {
        Score(MATE - ply as i16)
    }

    /// The side to move is mated `ply` plies from the root.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i16 - MATE)
    }

    /// Centipawns, unless it is a mate.
    pub fn as_cp(self) -> Option<i32> {
        (!self.is_mate()).then_some(i32::from(self.0))
    }

    /// Either side mates.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_BOUND
    }

    /// The side to move mates.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= MATE_BOUND
    }

    /// The side to move is mated.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -MATE_BOUND
    }

    /// The bare number, for comparisons and margins: centipawns where it is not a mate.
    #[inline(always)]
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// `centipawns` more, where neither this nor the sum is a mate; a mate stays as it is.
    #[inline(always)]
    pub const fn plus(self, centipawns: i32) -> Score {
        if self.is_mate() { self } else { Score::cp(self.0 as i32 + centipawns) }
    }

    /// The next score above, for a window without width.
    #[inline(always)]
    pub const fn bound_above(self) -> Score {
        Score(self.0 + 1)
    }

    /// The next score below, for a window without width.
    #[inline(always)]
    pub const fn bound_below(self) -> Score {
        Score(self.0 - 1)
    }

    /// Sixteen bits for the table: mates counted from the node at `ply` instead of from the root.
    #[inline(always)]
    pub const fn to_table(self, ply: usize) -> i16 {
        if self.is_win() {
            self.0 + ply as i16
        } else if self.is_loss() {
            self.0 - ply as i16
        } else {
            self.0
        }
    }

    /// Back from the table's sixteen bits to a score at `ply`.
    #[inline(always)]
    pub const fn from_table(bits: i16, ply: usize) -> Score {
        if bits >= MATE_BOUND {
            Score(bits - ply as i16)
        } else if bits <= -MATE_BOUND {
            Score(bits + ply as i16)
        } else {
            Score(bits)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// As the UCI protocol writes it after `score`: `cp 34` or `mate -3` (in moves).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_win() {
            write!(f, "mate {}", (MATE - self.0 + 1) / 2)
        } else if self.is_loss() {
            write!(f, "mate -{}", (MATE + self.0) / 2)
        } else {
            write!(f, "cp {}", self.0)
        }
    }
}
