//! Four boards in an AVX2 register.

use std::arch::x86_64::*;

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: this module is compiled only into builds whose target has AVX2, and `main`
        // refuses to start on a processor without it (`processor::missing`). Loads and stores go
        // through pointers to arrays of four words, or of four numbers of 16 bits.
        unsafe { $($code)* }
    };
}

/// The number of boards.
pub(super) const COUNT: usize = 4;

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Words(__m256i);

impl Words {
    // SAFETY: a register is valid with any bits.
    pub(super) const ZERO: Words = Words(unsafe { std::mem::zeroed() });

    #[inline(always)]
    pub(super) fn all(word: u64) -> Words {
        simd! { Words(_mm256_set1_epi64x(word as i64)) }
    }

    #[inline(always)]
    pub(super) fn load(words: &[u64; COUNT]) -> Words {
        simd! { Words(_mm256_loadu_si256(words.as_ptr().cast())) }
    }

    #[inline(always)]
    pub(super) fn words(self) -> [u64; COUNT] {
        let mut words = [0; COUNT];
        simd! { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        words
    }

    /// Words with one bit each. Bits `SHIFT` to `SHIFT + 5` of a number say which.
    #[inline(always)]
    pub(super) fn squares<const SHIFT: u32>(numbers: &[u16; COUNT]) -> Words {
        simd! {
            let numbers = _mm256_cvtepu16_epi64(_mm_loadl_epi64(numbers.as_ptr().cast()));
            let numbers = _mm256_srlv_epi64(numbers, _mm256_set1_epi64x(SHIFT.into()));
            let numbers = _mm256_and_si256(numbers, _mm256_set1_epi64x(63));
            Words(_mm256_sllv_epi64(_mm256_set1_epi64x(1), numbers))
        }
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        simd! { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    #[inline(always)]
    pub(super) fn and(self, other: Words) -> Words {
        simd! { Words(_mm256_and_si256(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn or(self, other: Words) -> Words {
        simd! { Words(_mm256_or_si256(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Words) -> Words {
        simd! { Words(_mm256_xor_si256(self.0, other.0)) }
    }

    #[inline(always)]
    pub(super) fn left(self, by: u32) -> Words {
        simd! { Words(_mm256_sllv_epi64(self.0, _mm256_set1_epi64x(i64::from(by)))) }
    }

    #[inline(always)]
    pub(super) fn right(self, by: u32) -> Words {
        simd! { Words(_mm256_srlv_epi64(self.0, _mm256_set1_epi64x(i64::from(by)))) }
    }

    /// All bits of the words that are zero.
    #[inline(always)]
    fn zeros(self) -> __m256i {
        simd! { _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()) }
    }

    #[inline(always)]
    pub(super) fn or_where_meet(self, other: Words, a: Words, b: Words) -> Words {
        simd! { self.or(Words(_mm256_andnot_si256(a.and(b).zeros(), other.0))) }
    }

    #[inline(always)]
    pub(super) fn where_empty(self, other: Words) -> Words {
        simd! { Words(_mm256_and_si256(other.zeros(), self.0)) }
    }

    #[inline(always)]
    pub(super) fn less_one(self) -> Words {
        simd! { Words(_mm256_sub_epi64(self.0, _mm256_set1_epi64x(1))) }
    }
}

/// Counts in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts(__m256i);

impl Default for Counts {
    #[inline(always)]
    fn default() -> Counts {
        simd! { Counts(_mm256_setzero_si256()) }
    }
}

impl Counts {
    #[inline(always)]
    pub(super) fn add(&mut self, words: Words) {
        simd! {
            let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let nibble = _mm256_set1_epi8(15);
            let low = _mm256_and_si256(words.0, nibble);
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(words.0), nibble);
            let low = _mm256_shuffle_epi8(counts, low);
            let high = _mm256_shuffle_epi8(counts, high);
            self.0 = _mm256_add_epi8(self.0, _mm256_add_epi8(low, high));
        }
    }

    #[inline(always)]
    pub(super) fn sum(self) -> u64 {
        simd! {
            let sums = _mm256_sad_epu8(self.0, _mm256_setzero_si256());
            let half = _mm_add_epi64(
                _mm256_castsi256_si128(sums),
                _mm256_extracti128_si256::<1>(sums),
            );
            (_mm_cvtsi128_si64(half) + _mm_extract_epi64::<1>(half)) as u64
        }
    }
}
