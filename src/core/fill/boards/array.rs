//! Two boards in an array, for processors without wide registers.

/// The number of boards.
pub(super) const COUNT: usize = 2;

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Words([u64; COUNT]);

impl Words {
    pub(super) const ZERO: Words = Words([0; COUNT]);

    #[inline(always)]
    fn map(self, f: impl Fn(u64) -> u64) -> Words {
        Words(self.0.map(f))
    }

    #[inline(always)]
    fn with(self, other: Words, f: impl Fn(u64, u64) -> u64) -> Words {
        Words(std::array::from_fn(|index| f(self.0[index], other.0[index])))
    }

    #[inline(always)]
    pub(super) fn all(word: u64) -> Words {
        Words([word; COUNT])
    }

    #[inline(always)]
    pub(super) fn load(words: &[u64; COUNT]) -> Words {
        Words(*words)
    }

    #[inline(always)]
    pub(super) fn words(self) -> [u64; COUNT] {
        self.0
    }

    /// Words with one bit each. Bits `SHIFT` to `SHIFT + 5` of a number say which.
    #[inline(always)]
    pub(super) fn squares<const SHIFT: u32>(numbers: &[u16; COUNT]) -> Words {
        Words(numbers.map(|number| 1 << (number >> SHIFT & 63)))
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        self.0.iter().any(|&word| word != 0)
    }

    #[inline(always)]
    pub(super) fn and(self, other: Words) -> Words {
        self.with(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(self, other: Words) -> Words {
        self.with(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn xor(self, other: Words) -> Words {
        self.with(other, |a, b| a ^ b)
    }

    #[inline(always)]
    pub(super) fn left(self, by: u32) -> Words {
        self.map(|word| word << by)
    }

    #[inline(always)]
    pub(super) fn right(self, by: u32) -> Words {
        self.map(|word| word >> by)
    }

    #[inline(always)]
    pub(super) fn or_where_meet(self, other: Words, a: Words, b: Words) -> Words {
        self.or(other.with(a.and(b), |word, both| if both != 0 { word } else { 0 }))
    }

    #[inline(always)]
    pub(super) fn where_empty(self, other: Words) -> Words {
        self.with(other, |word, other| if other == 0 { word } else { 0 })
    }

    #[inline(always)]
    pub(super) fn less_one(self) -> Words {
        self.map(|word| word.wrapping_sub(1))
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts(u64);

impl Counts {
    #[inline(always)]
    pub(super) fn add(&mut self, words: Words) {
        self.0 += words.0.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    }

    #[inline(always)]
    pub(super) fn sum(self) -> u64 {
        self.0
    }
}
