//! Two numbers as an array.

use super::Words;

/// Two signed numbers of 32 bits, one in each lane. Results must fit, which debug builds check.
#[derive(Clone, Copy, Debug)]
pub struct Counts([i32; 2]);

impl Counts {
    /// The number of lane 0 and that of lane 1.
    #[inline(always)]
    pub fn new(lanes: [i32; 2]) -> Counts {
        Counts(lanes)
    }

    /// The numbers of lane 0 and of lane 1.
    #[inline(always)]
    pub fn lanes(self) -> [i32; 2] {
        self.0
    }

    #[inline(always)]
    pub(super) fn of(sets: Words) -> Counts {
        Counts(sets.lanes().map(|set| set.count_ones() as i32))
    }

    #[inline(always)]
    pub(super) fn nonempty(sets: Words) -> Counts {
        Counts(sets.lanes().map(|set| i32::from(set != 0)))
    }

    /// Each number, capped at `most`.
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
