//! Eight boards in an AVX-512 register.

use std::arch::x86_64::*;

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: this module is compiled only into builds whose target has these parts of AVX-512,
        // and `main` refuses to start on a processor without them (`processor::missing`). Loads and
        // stores go through pointers to arrays of eight words, or of eight numbers of 16 bits.
        unsafe { $($code)* }
    };
}

/// The number of boards.
pub(super) const COUNT: usize = 8;

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Words(__m512i);

impl Words {
    // SAFETY: a register is valid with any bits.
    pub(super) const ZERO: Words = Words(unsafe { std::mem::zeroed() });

    #[inline(always)]
    pub(super) fn all(word: u64) -> Words {
        simd! { Words(_mm512_set1_epi64(word as i64)) }
    }

    #[inline(always)]
    pub(super) fn load(words: &[u64; COUNT]) -> Words {
        simd! { Words(_mm512_loadu_si512(words.as_ptr().cast())) }
    }

    #[inline(always)]
    pub(super) fn words(self) -> [u64; COUNT] {
        let mut words = [0; COUNT];
        simd! { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
        words
    }

    /// Words with one bit each. Bits `SHIFT` to `SHIFT + 5` of a number say which.
    #[inline(always)]
    pub(super) fn squares<const SHIFT: u32>(numbers: &[u16; COUNT]) -> Words {
        simd! {
            let numbers = _mm512_cvtepu16_epi64(_mm_loadu_si128(numbers.as_ptr().cast()));
            let numbers = _mm512_srli_epi64::<SHIFT>(numbers);
            let numbers = _mm512_and_si512(numbers, _mm512_set1_epi64(63));
            Words(_mm512_sllv_epi64(_mm512_set1_epi64(1), numbers))
        }
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        simd! { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }

    #[inline(always)]
    pub(super) fn and(self, other: Words) -> Words {
        simd! { Words(_mm512_and_si512(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn or(self, other: Words) -> Words {
        simd! { Words(_mm512_or_si512(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Words) -> Words {
        simd! { Words(_mm512_xor_si512(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn left(self, by: u32) -> Words {
        simd! { Words(_mm512_sllv_epi64(self.0, _mm512_set1_epi64(i64::from(by)))) }
    }

    #[inline(always)]
    pub(super) fn right(self, by: u32) -> Words {
        simd! { Words(_mm512_srlv_epi64(self.0, _mm512_set1_epi64(i64::from(by)))) }
    }

    #[inline(always)]
    pub(super) fn or_where_meet(self, other: Words, a: Words, b: Words) -> Words {
        simd! {
            let meet = _mm512_test_epi64_mask(a.0, b.0);
            Words(_mm512_mask_or_epi64(self.0, meet, self.0, other.0))
        }
    }

    #[inline(always)]
    pub(super) fn where_empty(self, other: Words) -> Words {
        simd! { Words(_mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(other.0, other.0), self.0)) }
    }

    #[inline(always)]
    pub(super) fn less_one(self) -> Words {
        simd! { Words(_mm512_sub_epi64(self.0, _mm512_set1_epi64(1))) }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Counts(__m512i);

impl Default for Counts {
    #[inline(always)]
    fn default() -> Counts {
        simd! { Counts(_mm512_setzero_si512()) }
    }
}

impl Counts {
    #[inline(always)]
    pub(super) fn add(&mut self, words: Words) {
        simd! { self.0 = _mm512_add_epi64(self.0, _mm512_popcnt_epi64(words.0)) }
    }

    #[inline(always)]
    pub(super) fn sum(self) -> u64 {
        simd! { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}
