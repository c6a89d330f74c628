//! A middlegame and an endgame value packed into one integer (Stockfish's `Score`): both are added
//! and multiplied in one operation.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A middlegame and an endgame value in centipawns, each within ±32,767: the endgame in the upper
/// 16 bits, the middlegame in the lower 16.
///
/// ```
/// # extern crate freshet_core as freshet;
/// use freshet::eval::phased::s;
///
/// let sum = s(10, -3) * 2 - s(50, 1);
/// assert_eq!((sum.mg(), sum.eg()), (-30, -7));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, bytemuck::Zeroable)]
pub struct Phased(i32);

/// Packs a middlegame and an endgame value. The name is short because tables of weights repeat it.
pub const fn s(middlegame: i32, endgame: i32) -> Phased {
    Phased((endgame << 16) + middlegame)
}

impl Phased {
    /// Zero in both phases.
    pub const ZERO: Phased = Phased(0);

    /// The two values as one number, for sums and products.
    #[inline(always)]
    pub(super) const fn packed(self) -> i32 {
        self.0
    }

    /// The inverse of [`Phased::packed`].
    #[inline(always)]
    pub(super) const fn from_packed(packed: i32) -> Phased {
        Phased(packed)
    }

    /// The middlegame value, in centipawns.
    #[inline(always)]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value, in centipawns.
    #[inline(always)]
    pub const fn eg(self) -> i32 {
        // A negative lower half has borrowed one from the upper; rounding gives it back.
        ((self.0 + (1 << 15)) >> 16) as i16 as i32
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
        Phased(self.0 * factor)
    }
}

/// Prints a value as in the source of the weights: `s(12, -3)`.
impl fmt::Debug for Phased {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.mg(), self.eg())
    }
}
