//! Two sets, one for each side, on which every operation works at once. With AVX2 they are the two
//! lanes of a 128-bit register, otherwise an array.
//!
//! Each set is seen by its own side, so that both sides move north. In the evaluation the first
//! lane is that of the side to move.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::{Bitboard, Color, Square, bit};
//! use freshet::fill::Pair;
//!
//! // White's pawn, Black's pawn.
//! let pawns = Pair::new(bit(Square::E4), bit(Square::D5));
//! // With Black to move its own set comes first. Black sees its pawn on d4 and White's on e5.
//! let seen = pawns.facing_north(Color::Black);
//! assert_eq!(seen.lanes(), [bit(Square::D4), bit(Square::E4)]);
//! assert_eq!(seen.opposite().lanes(), [bit(Square::E5), bit(Square::D5)]);
//! // The pawns that a pawn of the other side attacks.
//! assert_eq!((seen & seen.pawn_attacks().opposite()).count().lanes(), [1, 1]);
//! ```

use std::ops::{Add, AddAssign, BitAnd, BitOr, BitOrAssign, Not, Sub};

use super::direction::{NOT_A, NOT_AB, NOT_GH, NOT_H};
use crate::chess::{Bitboard, Color, Rank};

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512vl",
    target_feature = "avx512vpopcntdq"
))]
#[path = "pair/counts_register.rs"]
mod counts;
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "avx512vl",
    target_feature = "avx512vpopcntdq"
)))]
#[path = "pair/counts_array.rs"]
mod counts;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[path = "pair/words_register.rs"]
mod words;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
#[path = "pair/words_array.rs"]
mod words;

pub use counts::Counts;
// AVX-512 implies AVX2, so it uses the register too.
use words::Words;

/// Two sets, one in each lane.
///
/// Functions of the same name for a single set are in [`spans`](super::spans) and
/// [`waves`](super::waves).
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Pair(Words);

impl Pair {
    /// The set of lane 0 and that of lane 1.
    #[inline(always)]
    pub fn new(first: Bitboard, second: Bitboard) -> Pair {
        Pair(Words::new([first.0, second.0]))
    }

    /// One set in both lanes.
    #[inline(always)]
    pub fn both(set: Bitboard) -> Pair {
        Pair::new(set, set)
    }

    /// The sets of lane 0 and of lane 1.
    #[inline(always)]
    pub fn lanes(self) -> [Bitboard; 2] {
        self.0.lanes().map(Bitboard)
    }

    /// The set of lane 0 or 1.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> Bitboard {
        self.lanes()[lane]
    }

    /// Takes White's set in the first lane and Black's in the second. Returns the mover's set first
    /// and the opponent's second, each from its own side's point of view.
    #[inline(always)]
    pub fn facing_north(self, turn: Color) -> Pair {
        Pair(self.0.facing_north(turn))
    }

    /// For each side the opponent's set as that side sees it: lanes swapped, boards flipped. The
    /// opponent's pawns then move south, so call [`Pair::pawn_attacks`], [`Pair::pushes`] and
    /// similar functions before this.
    #[inline(always)]
    pub fn opposite(self) -> Pair {
        Pair(self.0.reversed())
    }

    /// Whether there is a square in one of the sets.
    #[inline(always)]
    pub fn any(self) -> bool {
        !self.0.is_zero()
    }

    /// The two words of a register.
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    #[inline(always)]
    pub(super) fn from_register(words: std::arch::x86_64::__m128i) -> Pair {
        Pair(Words(words))
    }

    /// The register of the two words.
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    #[inline(always)]
    pub(super) fn register(self) -> std::arch::x86_64::__m128i {
        self.0.0
    }

    #[inline(always)]
    fn masked(self, mask: u64) -> Pair {
        self & Pair::both(Bitboard(mask))
    }

    /// The sets moved one step north; squares beyond the eighth rank drop out.
    #[inline(always)]
    pub fn north(self) -> Pair {
        Pair(self.0.left::<8>())
    }

    /// The sets moved one step south; squares beyond the first rank drop out.
    #[inline(always)]
    pub fn south(self) -> Pair {
        Pair(self.0.right::<8>())
    }

    /// The sets moved one step east; squares beyond the h-file drop out.
    #[inline(always)]
    pub fn east(self) -> Pair {
        Pair(self.0.left::<1>()).masked(NOT_A)
    }

    /// The sets moved one step west; squares beyond the a-file drop out.
    #[inline(always)]
    pub fn west(self) -> Pair {
        Pair(self.0.right::<1>()).masked(NOT_H)
    }

    /// The squares of the sets and all squares north of them.
    #[inline(always)]
    pub fn north_fill(self) -> Pair {
        let fill = self | self.north();
        let fill = fill | Pair(fill.0.left::<16>());
        fill | Pair(fill.0.left::<32>())
    }

    /// The squares of the sets and all squares south of them.
    #[inline(always)]
    pub fn south_fill(self) -> Pair {
        let fill = self | self.south();
        let fill = fill | Pair(fill.0.right::<16>());
        fill | Pair(fill.0.right::<32>())
    }

    /// All squares of the files that hold a square of the sets.
    #[inline(always)]
    pub fn file_fill(self) -> Pair {
        self.south_fill().north_fill()
    }

    /// The squares that pawns attack to the east.
    #[inline(always)]
    pub fn pawn_attacks_east(self) -> Pair {
        Pair(self.0.left::<9>()).masked(NOT_A)
    }

    /// The squares that pawns attack to the west.
    #[inline(always)]
    pub fn pawn_attacks_west(self) -> Pair {
        Pair(self.0.left::<7>()).masked(NOT_H)
    }

    /// The squares that pawns attack.
    #[inline(always)]
    pub fn pawn_attacks(self) -> Pair {
        self.pawn_attacks_east() | self.pawn_attacks_west()
    }

    /// The squares to which pawns can be pushed over `empty` squares: one step, from the second
    /// rank also two.
    #[inline(always)]
    pub fn pushes(self, empty: Pair) -> Pair {
        let single = self.north() & empty;
        single | (single.masked(Bitboard::from_rank(Rank::Third).0).north() & empty)
    }

    /// The squares that kings attack.
    #[inline(always)]
    pub fn king_attacks(self) -> Pair {
        let sides = self.east() | self.west();
        let row = self | sides;
        sides | row.north() | row.south()
    }

    /// The sets and all neighbours.
    #[inline(always)]
    pub fn king_fill(self) -> Pair {
        self | self.king_attacks()
    }

    /// The squares that knights attack.
    #[inline(always)]
    pub fn knight_attacks(self) -> Pair {
        let near = self.east() | self.west();
        let far =
            Pair(self.0.left::<2>()).masked(NOT_AB) | Pair(self.0.right::<2>()).masked(NOT_GH);
        Pair(near.0.left::<16>()) | Pair(near.0.right::<16>()) | far.north() | far.south()
    }

    /// The number of squares in each set.
    #[inline(always)]
    pub fn count(self) -> Counts {
        Counts::of(self.0)
    }

    /// One for each set that is not empty.
    #[inline(always)]
    pub fn nonempty(self) -> Counts {
        Counts::nonempty(self.0)
    }
}

/// The functions that make pairs from two [`Rays`](super::Rays), for backends that gain nothing
/// from handling both at once.
macro_rules! pairs_one_by_one {
    () => {
        /// The first sets of eight pairs, in the lanes, and their second sets.
        #[inline(always)]
        pub fn transposed(pairs: [$crate::fill::Pair; 8]) -> [Rays; 2] {
            $crate::fill::per_lane(|lane| Rays::from_lanes(pairs.map(|pair| pair.lane(lane))))
        }

        /// The union of all lanes of each of the two.
        #[inline(always)]
        pub fn pair_unions([a, b]: [Rays; 2]) -> $crate::fill::Pair {
            let (a, b) = a.unions(b);
            $crate::fill::Pair::new(a, b)
        }

        /// The squares of each of the two that are in more than one lane.
        #[inline(always)]
        pub fn pair_overlaps([a, b]: [Rays; 2]) -> $crate::fill::Pair {
            $crate::fill::Pair::new(a.overlaps(), b.overlaps())
        }

        /// The unions of the four rook lanes of each of the two, and of the four bishop lanes.
        #[inline(always)]
        pub fn pair_by_line([a, b]: [Rays; 2]) -> ($crate::fill::Pair, $crate::fill::Pair) {
            let ((a, c), (b, d)) = (a.by_line(), b.by_line());
            ($crate::fill::Pair::new(a, b), $crate::fill::Pair::new(c, d))
        }
    };
}

pub(super) use pairs_one_by_one;

/// Calls a function for lane 0 and for lane 1.
#[inline(always)]
pub(crate) fn per_lane<T>(f: impl Fn(usize) -> T) -> [T; 2] {
    [f(0), f(1)]
}

impl BitAnd for Pair {
    type Output = Pair;
    #[inline(always)]
    fn bitand(self, other: Pair) -> Pair {
        Pair(self.0.and(other.0))
    }
}

impl BitOr for Pair {
    type Output = Pair;
    #[inline(always)]
    fn bitor(self, other: Pair) -> Pair {
        Pair(self.0.or(other.0))
    }
}

impl Not for Pair {
    type Output = Pair;
    #[inline(always)]
    fn not(self) -> Pair {
        Pair(self.0.not())
    }
}

impl BitOrAssign for Pair {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Pair) {
        *self = *self | other;
    }
}

impl Add for Counts {
    type Output = Counts;
    #[inline(always)]
    fn add(self, other: Counts) -> Counts {
        self.plus(other)
    }
}

impl AddAssign for Counts {
    #[inline(always)]
    fn add_assign(&mut self, other: Counts) {
        *self = self.plus(other);
    }
}

impl Sub for Counts {
    type Output = Counts;
    #[inline(always)]
    fn sub(self, other: Counts) -> Counts {
        self.minus(other)
    }
}
