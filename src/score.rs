//! Score: centipawns and mates in one coin.

use std::fmt;
use std::ops::Neg;

/// The longest line the search looks at, in plies.
pub const MAX_PLY: usize = 200;

const MATE: i16 = 32_000;
const MATE_BOUND: i16 = MATE - 1000;
/// Won by the tablebases: below every mate, above every evaluation.
const TABLEBASE: i16 = MATE_BOUND - 1;
const TABLEBASE_BOUND: i16 = MATE - 2000;
/// What a GUI is shown instead.
const TABLEBASE_SHOWN: i16 = 20_000;

/// A value of a position from the view of the side to move.
///
/// Between -30,000 and 30,000 it is an evaluation in centipawns; then come wins by the tablebases and, from 31,000 on,
/// mates, both counted in plies from the root. Adding centipawns never reaches either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(i16);

impl Score {
    /// Dead even.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(MATE + 1);
    /// The largest evaluation.
    pub const MAX_EVAL: Score = Score(TABLEBASE_BOUND - 1);

    /// An evaluation of `centipawns`, kept inside what is not decided.
    #[inline(always)]
    pub const fn cp(centipawns: i32) -> Score {
        let limit = TABLEBASE_BOUND as i32 - 1;
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

    /// The tablebases say, `ply` plies from the root, that the side to move wins.
    #[inline(always)]
    pub const fn tablebase_win(ply: usize) -> Score {
        Score(TABLEBASE - ply as i16)
    }

    /// Centipawns, unless it is decided.
    pub fn as_cp(self) -> Option<i32> {
        (!self.is_decided()).then_some(i32::from(self.0))
    }

    /// Either side mates.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_BOUND
    }

    /// The side to move mates, or wins by the tablebases.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= TABLEBASE_BOUND
    }

    /// The side to move is mated, or loses by the tablebases.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -TABLEBASE_BOUND
    }

    /// A mate, or a win by the tablebases, for either side: no evaluation.
    #[inline(always)]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= TABLEBASE_BOUND
    }

    /// The bare number, for comparisons and margins: centipawns where it is not a mate.
    #[inline(always)]
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// `centipawns` more, where neither this nor the sum is decided; what is decided stays as it is.
    #[inline(always)]
    pub const fn plus(self, centipawns: i32) -> Score {
        if self.is_decided() { self } else { Score::cp(self.0 as i32 + centipawns) }
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

    /// Sixteen bits for the table: what is decided is counted from the node at `ply` instead of from the root.
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
        if bits >= TABLEBASE_BOUND {
            Score(bits - ply as i16)
        } else if bits <= -TABLEBASE_BOUND {
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
        if self.is_mate() && self.0 > 0 {
            write!(f, "mate {}", (MATE - self.0 + 1) / 2)
        } else if self.is_mate() {
            write!(f, "mate -{}", (MATE + self.0) / 2)
        } else if self.is_win() {
            write!(f, "cp {}", TABLEBASE_SHOWN - (TABLEBASE - self.0))
        } else if self.is_loss() {
            write!(f, "cp -{}", TABLEBASE_SHOWN - (TABLEBASE + self.0))
        } else {
            write!(f, "cp {}", self.0)
        }
    }
}
