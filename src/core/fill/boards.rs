//! One set on each of several boards, on which every operation works at once.
//!
//! [`Rays`](super::Rays) has one board and a direction in each lane of a register. Here each lane is
//! a board, and one direction follows the other. Nothing has to be joined across lanes then, and the
//! steps of different directions do not wait for each other: best for counting many positions.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::{Bitboard, Square, bit};
//! use freshet::fill::{Boards, Direction};
//!
//! // A rook on a1 of each board, alone on the file but for a blocker on a4 of the first board.
//! let rook = Boards::all(bit(Square::A1));
//! let mut blockers = [0; Boards::COUNT];
//! blockers[0] = bit(Square::A4).0;
//! let empty = !(rook | Boards::load(&blockers));
//! let [attacks] = Boards::slides(Direction::North, [rook], empty);
//! let counts = attacks.words().map(|attacks| Bitboard(attacks).count());
//! assert_eq!(counts[0], 3);
//! assert!(counts[1..].iter().all(|&count| count == 7));
//! ```

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use super::direction::{Direction, NOT_A, NOT_AB, NOT_GH, NOT_H};
use crate::chess::Bitboard;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512vbmi2",
    target_feature = "avx512vpopcntdq",
    target_feature = "avx512vnni"
))]
#[path = "boards/avx512.rs"]
mod words;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(
        target_feature = "avx512vbmi2",
        target_feature = "avx512vpopcntdq",
        target_feature = "avx512vnni"
    ))
))]
#[path = "boards/avx2.rs"]
mod words;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
#[path = "boards/array.rs"]
mod words;

use words::{Counts, Words};

/// A set on each of [`Boards::COUNT`] boards.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Boards(Words);

impl Boards {
    /// The number of boards.
    pub const COUNT: usize = words::COUNT;

    /// No square of any board.
    pub const EMPTY: Boards = Boards(Words::ZERO);

    /// The same set on each board.
    #[inline(always)]
    pub fn all(set: Bitboard) -> Boards {
        Boards(Words::all(set.0))
    }

    /// The sets at the beginning of a slice.
    ///
    /// # Panics
    ///
    /// If the slice is shorter.
    #[inline(always)]
    pub fn load(words: &[u64]) -> Boards {
        let Some(words) = words.first_chunk() else { panic!("too few words to load") };
        Boards(Words::load(words))
    }

    /// Writes the sets to the beginning of a slice.
    ///
    /// # Panics
    ///
    /// If the slice is shorter.
    #[inline(always)]
    pub fn store(self, words: &mut [u64]) {
        let Some(words) = words.first_chunk_mut() else { panic!("too few words to store to") };
        *words = self.words();
    }

    /// One square on each board: the number of the square is six bits of a word, from bit `SHIFT` on.
    #[inline(always)]
    pub fn squares<const SHIFT: u32>(numbers: &[u16; Boards::COUNT]) -> Boards {
        Boards(Words::squares::<SHIFT>(numbers))
    }

    /// The sets as words.
    #[inline(always)]
    pub fn words(self) -> [u64; Boards::COUNT] {
        self.0.words()
    }

    /// Whether there is a square on any board.
    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.any()
    }

    /// The sets, with others joined to them on the boards where `a` and `b` meet.
    #[inline(always)]
    #[must_use]
    pub fn or_where_meet(self, others: Boards, a: Boards, b: Boards) -> Boards {
        Boards(self.0.or_where_meet(others.0, a.0, b.0))
    }

    /// The sets on the boards where `other` is empty; nothing on the others.
    #[inline(always)]
    #[must_use]
    pub fn where_empty(self, other: Boards) -> Boards {
        Boards(self.0.where_empty(other.0))
    }

    /// Each set without its first square.
    #[inline(always)]
    #[must_use]
    pub fn without_first(self) -> Boards {
        Boards(self.0.and(self.0.less_one()))
    }

    /// Shifts the sets of all boards, to the left if positive.
    #[inline(always)]
    fn shifted(self, by: i32) -> Boards {
        Boards(if by > 0 { self.0.left(by as u32) } else { self.0.right(by.unsigned_abs()) })
    }

    #[inline(always)]
    fn masked(self, mask: u64) -> Boards {
        self & Boards::all(Bitboard(mask))
    }

    /// The squares on which a step may end. A shift drops the squares that leave the board by rank.
    #[inline(always)]
    fn wrap(direction: Direction) -> u64 {
        [!0, NOT_A, NOT_A, NOT_H, !0, NOT_H, NOT_H, NOT_A][direction.lane()]
    }

    /// The sets moved by one step.
    #[inline(always)]
    #[must_use]
    pub fn step(self, direction: Direction) -> Boards {
        self.shifted(direction.offset()).masked(Boards::wrap(direction))
    }

    /// The attacks of several sets of sliders in one direction. A Kogge-Stone fill, with steps of one,
    /// two and four squares. Where a step of two or four is free is found once for all sets.
    #[inline(always)]
    pub fn slides<const N: usize>(
        direction: Direction,
        sliders: [Boards; N],
        empty: Boards,
    ) -> [Boards; N] {
        let step = direction.offset();
        let one = empty.masked(Boards::wrap(direction));
        let two = one & one.shifted(step);
        let four = two & two.shifted(2 * step);
        let mut attacks = sliders;
        // Not `map`, whose closure is not always inlined.
        for flood in &mut attacks {
            *flood |= one & flood.shifted(step);
            *flood |= two & flood.shifted(2 * step);
            *flood |= four & flood.shifted(4 * step);
            *flood = flood.step(direction);
        }
        attacks
    }

    /// The squares that kings attack.
    #[inline(always)]
    #[must_use]
    pub fn king_attacks(self) -> Boards {
        let sides = self.step(Direction::East) | self.step(Direction::West);
        let row = self | sides;
        sides | row.step(Direction::North) | row.step(Direction::South)
    }

    /// The sets moved two files to the east and to the west.
    #[inline(always)]
    fn two_files_aside(self) -> [Boards; 2] {
        [self.shifted(2).masked(NOT_AB), self.shifted(-2).masked(NOT_GH)]
    }

    /// The squares of the eight knight moves, each in a set of its own.
    #[inline(always)]
    pub fn knight_moves(self) -> [Boards; 8] {
        let (east, west) = (self.step(Direction::East), self.step(Direction::West));
        let [far_east, far_west] = self.two_files_aside();
        [
            east.shifted(16),
            west.shifted(16),
            far_east.shifted(8),
            far_west.shifted(8),
            east.shifted(-16),
            west.shifted(-16),
            far_east.shifted(-8),
            far_west.shifted(-8),
        ]
    }

    /// The squares that knights attack.
    #[inline(always)]
    #[must_use]
    pub fn knight_attacks(self) -> Boards {
        let near = self.step(Direction::East) | self.step(Direction::West);
        let [far_east, far_west] = self.two_files_aside();
        let far = far_east | far_west;
        near.shifted(16) | near.shifted(-16) | far.shifted(8) | far.shifted(-8)
    }
}

/// The number of squares of up to 31 sets for each board; with AVX2 it is counted in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally(Counts);

impl Tally {
    /// Counts the squares of all boards.
    #[inline(always)]
    pub fn count(&mut self, sets: Boards) {
        self.0.add(sets.0);
    }

    /// The squares counted so far, of all boards together.
    #[inline(always)]
    pub fn sum(self) -> u64 {
        self.0.sum()
    }
}

impl BitAnd for Boards {
    type Output = Boards;
    #[inline(always)]
    fn bitand(self, other: Boards) -> Boards {
        Boards(self.0.and(other.0))
    }
}

impl BitOr for Boards {
    type Output = Boards;
    #[inline(always)]
    fn bitor(self, other: Boards) -> Boards {
        Boards(self.0.or(other.0))
    }
}

impl BitXor for Boards {
    type Output = Boards;
    #[inline(always)]
    fn bitxor(self, other: Boards) -> Boards {
        Boards(self.0.xor(other.0))
    }
}

impl Not for Boards {
    type Output = Boards;
    #[inline(always)]
    fn not(self) -> Boards {
        self ^ Boards::all(Bitboard::FULL)
    }
}

impl BitOrAssign for Boards {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Boards) {
        *self = *self | other;
    }
}
