//! Middlegame and endgame in one integer.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// Two weights in centipawns, one for the middlegame and one for the endgame, added and multiplied together:
/// the endgame in the upper half, the middlegame in the lower one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Phased(i64);

/// Shorthand for tables of weights.
pub const fn s(middlegame: i32, endgame: i32) -> Phased {
    Phased(((endgame as i64) << 32) + middlegame as i64)
}

impl Phased {
    /// Nothing in either phase.
    pub const ZERO: Phased = Phased(0);

    /// The middlegame part.
    #[inline(always)]
    pub const fn mg(self) -> i32 {
        self.0 as i32
    }

    /// The endgame part.
    #[inline(always)]
    pub const fn eg(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }
}

impl Add for Phased {
    type Output = Phased;
    #[inline(always)]
    fn add(self, other: Phased) -> Phased {
        Phased(self.0 + other.0)
    }
}

impl AddAssign for Phased {
    #[inline(always)]
    fn add_assign(&mut self, other: Phased) {
        self.0 += other.0;
    }
}

impl Sub for Phased {
    type Output = Phased;
    #[inline(always)]
    fn sub(self, other: Phased) -> Phased {
        Phased(self.0 - other.0)
    }
}

impl Neg for Phased {
    type Output = Phased;
    #[inline(always)]
    fn neg(self) -> Phased {
        Phased(-self.0)
    }
}

impl Mul<i32> for Phased {
    type Output = Phased;
    #[inline(always)]
    fn mul(self, factor: i32) -> Phased {
        Phased(self.0 * factor as i64)
    }
}

/// As source: `s(12, -3)`.
impl fmt::Debug for Phased {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.mg(), self.eg())
    }
}
