//! Two numbers in a register of a processor with AVX-512.

use std::arch::x86_64::*;

use super::Words;

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: this module is compiled only into builds whose target has VPOPCNTDQ for short
        // registers, and `main` refuses to start on a processor without it (`processor::missing`).
        unsafe { $($code)* }
    };
}

/// Two numbers, one in each lane.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Counts(__m128i);

impl Counts {
    /// The two numbers.
    #[inline(always)]
    pub fn new([first, second]: [i32; 2]) -> Counts {
        simd! { Counts(_mm_set_epi32(0, second, 0, first)) }
    }

    /// The two numbers.
    #[inline(always)]
    pub fn lanes(self) -> [i32; 2] {
        simd! { [_mm_cvtsi128_si32(self.0), _mm_extract_epi32::<2>(self.0)] }
    }

    #[inline(always)]
    pub(super) fn of(sets: Words) -> Counts {
        simd! { Counts(_mm_popcnt_epi64(sets.0)) }
    }

    /// Each number, but no more than this.
    #[inline(always)]
    pub fn at_most(self, most: i32) -> Counts {
        simd! { Counts(_mm_min_epi32(self.0, Counts::new([most; 2]).0)) }
    }

    /// The products of the numbers.
    #[inline(always)]
    pub fn times(self, other: Counts) -> Counts {
        simd! { Counts(_mm_mullo_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Counts) -> Counts {
        simd! { Counts(_mm_add_epi32(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Counts) -> Counts {
        simd! { Counts(_mm_sub_epi32(self.0, other.0)) }
    }
}
