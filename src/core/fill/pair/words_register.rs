//! Two words in a register of an x86-64 processor with AVX2.

use std::arch::x86_64::*;

use crate::chess::Color;

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: this module is compiled only into builds whose target has AVX2 and with it SSSE3
        // and SSE4.1, and `main` refuses to start on a processor without it
        // (`processor::missing`). The one load is from an array of 16 bytes.
        unsafe { $($code)* }
    };
}

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Words(pub(super) __m128i);

impl Words {
    #[inline(always)]
    pub(super) fn new([first, second]: [u64; 2]) -> Words {
        simd! { Words(_mm_set_epi64x(second as i64, first as i64)) }
    }

    #[inline(always)]
    pub(super) fn lanes(self) -> [u64; 2] {
        simd! { [_mm_cvtsi128_si64(self.0) as u64, _mm_extract_epi64::<1>(self.0) as u64] }
    }

    #[inline(always)]
    pub(super) fn and(self, other: Words) -> Words {
        simd! { Words(_mm_and_si128(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn or(self, other: Words) -> Words {
        simd! { Words(_mm_or_si128(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn not(self) -> Words {
        simd! { Words(_mm_xor_si128(self.0, _mm_set1_epi64x(-1))) }
    }

    #[inline(always)]
    pub(super) fn left<const N: i32>(self) -> Words {
        simd! { Words(_mm_slli_epi64::<N>(self.0)) }
    }

    #[inline(always)]
    pub(super) fn right<const N: i32>(self) -> Words {
        simd! { Words(_mm_srli_epi64::<N>(self.0)) }
    }

    #[inline(always)]
    pub(super) fn is_zero(self) -> bool {
        simd! { _mm_testz_si128(self.0, self.0) == 1 }
    }

    /// The words swapped, and the bytes of each reversed.
    #[inline(always)]
    pub(super) fn reversed(self) -> Words {
        simd! {
            let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            Words(_mm_shuffle_epi8(self.0, order))
        }
    }

    /// For White the first word, then the second with its bytes reversed. For Black the second word
    /// first, then the first with its bytes reversed.
    #[inline(always)]
    pub(super) fn facing_north(self, turn: Color) -> Words {
        // Where each byte comes from: with Black to move, with White to move.
        static ORDERS: [[u8; 16]; 2] = [
            [15, 14, 13, 12, 11, 10, 9, 8, 0, 1, 2, 3, 4, 5, 6, 7],
            [0, 1, 2, 3, 4, 5, 6, 7, 15, 14, 13, 12, 11, 10, 9, 8],
        ];
        simd! {
            let order = _mm_loadu_si128(ORDERS[usize::from(turn.is_white())].as_ptr().cast());
            Words(_mm_shuffle_epi8(self.0, order))
        }
    }
}
