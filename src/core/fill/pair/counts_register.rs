//! Two numbers in a register of a processor with AVX-512.

use std::arch::x86_64::*;

use super::Words;

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: this module is compiled only into builds whose target has the parts VL and
        // VPOPCNTDQ of AVX-512, and with them SSE4.1, and `main` refuses to start on a processor
        // without them (`processor::missing`).
        unsafe { $($code)* }
    };
}

/// Two signed numbers of 32 bits, one in each lane. Results must fit, which debug builds check.
///
/// The upper half of each lane of 64 bits has no meaning.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Counts(__m128i);

impl Counts {
    /// The number of lane 0 and that of lane 1.
    #[inline(always)]
    pub fn new([first, second]: [i32; 2]) -> Counts {
        simd! { Counts(_mm_set_epi32(0, second, 0, first)) }
    }

    /// The numbers of lane 0 and of lane 1.
    #[inline(always)]
    pub fn lanes(self) -> [i32; 2] {
        simd! { [_mm_cvtsi128_si32(self.0), _mm_extract_epi32::<2>(self.0)] }
    }

    #[inline(always)]
    pub(super) fn of(sets: Words) -> Counts {
        simd! { Counts(_mm_popcnt_epi64(sets.0)) }
    }

    #[inline(always)]
    pub(super) fn nonempty(sets: Words) -> Counts {
        Counts::of(sets).at_most(1)
    }

    /// Each number, capped at `most`.
    #[inline(always)]
    pub fn at_most(self, most: i32) -> Counts {
        simd! { Counts(_mm_min_epi32(self.0, Counts::new([most; 2]).0)) }
    }

    /// The products of the numbers.
    #[inline(always)]
    pub fn times(self, other: Counts) -> Counts {
        debug_assert!(self.fits(other, i32::checked_mul));
        simd! { Counts(_mm_mul_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Counts) -> Counts {
        debug_assert!(self.fits(other, i32::checked_add));
        simd! { Counts(_mm_add_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Counts) -> Counts {
        debug_assert!(self.fits(other, i32::checked_sub));
        simd! { Counts(_mm_sub_epi32(self.0, other.0)) }
    }

    /// Whether the results of an operation are numbers of 32 bits.
    fn fits(self, other: Counts, operation: impl Fn(i32, i32) -> Option<i32>) -> bool {
        self.lanes().into_iter().zip(other.lanes()).all(|(a, b)| operation(a, b).is_some())
    }
}
