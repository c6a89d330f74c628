//! Two numbers as an array.

use super::Words;

/// Two numbers, one in each lane.
#[derive(Clone, Copy, Debug)]
pub struct Counts([i32; 2]);

impl Counts {
    /// The two numbers.
    #[inline(always)]
    pub fn new(lanes: [i32; 2]) -> Counts {
        Counts(lanes)
    }

    /// The two numbers.
    #[inline(always)]
    pub fn lanes(self) -> [i32; 2] {
        self.0
    }

    #[inline(always)]
    pub(super) fn of(sets: Words) -> Counts {
        Counts(sets.lanes().map(|set| set.count_ones() as i32))
    }

    /// Each number, but no more than this.
    #[inline(always)]
    pub fn at_most(self, most: i32) -> Counts {
        let [a, b] = self.0;
        Counts([a.min(most), b.min(most)])
    }

    /// The products of the numbers.
    #[inline(always)]
    pub fn times(self, Counts([c, d]): Counts) -> Counts {
        let [a, b] = self.0;
        Counts([a * c, b * d])
    }

    #[inline(always)]
    pub(super) fn plus(self, Counts([c, d]): Counts) -> Counts {
        let [a, b] = self.0;
        Counts([a + c, b + d])
    }

    #[inline(always)]
    pub(super) fn minus(self, Counts([c, d]): Counts) -> Counts {
        let [a, b] = self.0;
        Counts([a - c, b - d])
    }
}
