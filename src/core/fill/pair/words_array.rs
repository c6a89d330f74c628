//! Two words as an array.

use crate::chess::Color;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Words([u64; 2]);

impl Words {
    #[inline(always)]
    pub(crate) fn new(lanes: [u64; 2]) -> Words {
        Words(lanes)
    }

    #[inline(always)]
    pub(crate) fn lanes(self) -> [u64; 2] {
        self.0
    }

    #[inline(always)]
    pub(crate) fn and(self, Words([c, d]): Words) -> Words {
        let [a, b] = self.0;
        Words([a & c, b & d])
    }

    #[inline(always)]
    pub(crate) fn or(self, Words([c, d]): Words) -> Words {
        let [a, b] = self.0;
        Words([a | c, b | d])
    }

    #[inline(always)]
    pub(crate) fn not(self) -> Words {
        let [a, b] = self.0;
        Words([!a, !b])
    }

    #[inline(always)]
    pub(crate) fn left<const N: i32>(self) -> Words {
        let [a, b] = self.0;
        Words([a << N, b << N])
    }

    #[inline(always)]
    pub(crate) fn right<const N: i32>(self) -> Words {
        let [a, b] = self.0;
        Words([a >> N, b >> N])
    }

    #[inline(always)]
    pub(crate) fn is_zero(self) -> bool {
        let [a, b] = self.0;
        a | b == 0
    }

    /// The words swapped, and the bytes of each reversed.
    #[inline(always)]
    pub(crate) fn reversed(self) -> Words {
        let [a, b] = self.0;
        Words([b.swap_bytes(), a.swap_bytes()])
    }

    /// For White the first word, then the second with its bytes reversed. For Black the second word
    /// first, then the first with its bytes reversed.
    #[inline(always)]
    pub(crate) fn facing_north(self, turn: Color) -> Words {
        let [a, b] = self.0;
        let b = b.swap_bytes();
        Words(if turn.is_white() { [a, b] } else { [b, a] })
    }
}
