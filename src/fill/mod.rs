//! Sets of squares that spread over the board.
//!
//! A *fill* starts from a set (the generator) and spreads one step at a time over another set (the
//! propagator, the empty squares). Sliding attacks are fills along rays ([`Rays`]), king and knight
//! routes are [`waves`], and what pawns may ever attack are [`spans`].
//!
//! The eight ray directions are numbered so that the opposite of a lane is `lane ^ 4`: one step is a
//! rotation by [`SHIFT`] and an AND with [`WRAP`], the same for all, and a backend may take all eight
//! at once.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512vbmi2",
    target_feature = "avx512vpopcntdq",
    target_feature = "avx512vnni"
))]
pub mod avx512;
pub mod processor;
pub mod scalar;
pub mod spans;
pub mod waves;

use crate::chess::{Bitboard, Color};

/// The backend of this build, chosen by what its processor can do: everything above is compiled for it, so that no
/// fill pays for a choice.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512vbmi2",
    target_feature = "avx512vpopcntdq",
    target_feature = "avx512vnni"
))]
mod backend {
    pub use super::avx512::{Rays, expand, weigh};
    /// Its name.
    pub const BACKEND: &str = "AVX-512";
}

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(
        target_feature = "avx512vbmi2",
        target_feature = "avx512vpopcntdq",
        target_feature = "avx512vnni"
    ))
))]
mod backend {
    pub use super::avx2::{Rays, expand, weigh};
    /// Its name.
    pub const BACKEND: &str = "AVX2";
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
mod backend {
    pub use super::scalar::{Rays, expand, weigh};
    /// Its name.
    pub const BACKEND: &str = "scalar";
}

pub use backend::{BACKEND, Rays, expand, weigh};

/// A weight for each square of the board, in the order of its squares.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct SquareTable(pub [i8; 64]);

/// A ray direction, seen from White: also the number of its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Direction {
    North,
    East,
    NorthEast,
    NorthWest,
    South,
    West,
    SouthWest,
    SouthEast,
}

/// How far a set is rotated left for one step in each lane.
pub const SHIFT: [u32; 8] = [8, 1, 9, 7, 56, 63, 55, 57];

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// Rotations of the eight jumps of a knight, in the order of the lanes: opposite jumps four lanes apart.
const KNIGHT_SHIFT: [u32; 8] = [17, 15, 10, 6, 47, 49, 54, 58];

/// The squares on which each jump may end.
const KNIGHT_WRAP: [u64; 8] = {
    const NOT_AB: u64 = NOT_A & (NOT_A << 1);
    const NOT_GH: u64 = NOT_H & (NOT_H >> 1);
    const NOT_12: u64 = NOT_1 << 8;
    const NOT_78: u64 = NOT_8 >> 8;
    [
        NOT_A & NOT_12,
        NOT_H & NOT_12,
        NOT_AB & NOT_1,
        NOT_GH & NOT_1,
        NOT_H & NOT_78,
        NOT_A & NOT_78,
        NOT_GH & NOT_8,
        NOT_AB & NOT_8,
    ]
};

const NOT_1: u64 = 0xffff_ffff_ffff_ff00;
const NOT_8: u64 = 0x00ff_ffff_ffff_ffff;

/// The squares on which a step in each lane may end: without them a rotation would wrap around the edge
/// (the `avoidWrap` masks of the generalised ray).
pub const WRAP: [Bitboard; 8] = [
    Bitboard(NOT_1),
    Bitboard(NOT_A),
    Bitboard(NOT_1 & NOT_A),
    Bitboard(NOT_1 & NOT_H),
    Bitboard(NOT_8),
    Bitboard(NOT_H),
    Bitboard(NOT_8 & NOT_H),
    Bitboard(NOT_8 & NOT_A),
];

/// The lanes of bishop moves, one bit each.
pub const DIAGONAL: u8 = 0b1100_1100;

impl Direction {
    /// All eight, in the order of their lanes.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::East,
        Direction::NorthEast,
        Direction::NorthWest,
        Direction::South,
        Direction::West,
        Direction::SouthWest,
        Direction::SouthEast,
    ];

    /// The lane number, 0 to 7.
    #[inline(always)]
    pub const fn lane(self) -> usize {
        self as usize
    }

    /// The direction back.
    #[inline(always)]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[self.lane() ^ 4]
    }

    /// This direction for a side that moves north, as the board sees it: Black's north is south.
    #[inline(always)]
    pub const fn seen_by(self, side: Color) -> Direction {
        match (side, self) {
            (Color::White, same) => same,
            (_, Direction::North) => Direction::South,
            (_, Direction::South) => Direction::North,
            (_, Direction::NorthEast) => Direction::SouthEast,
            (_, Direction::NorthWest) => Direction::SouthWest,
            (_, Direction::SouthEast) => Direction::NorthEast,
            (_, Direction::SouthWest) => Direction::NorthWest,
            (_, same) => same,
        }
    }

    /// Every square of the set moved one step; what would leave the board is dropped.
    #[inline(always)]
    pub const fn step(self, set: Bitboard) -> Bitboard {
        Bitboard(set.0.rotate_left(SHIFT[self.lane()]) & WRAP[self.lane()].0)
    }

    /// The difference of square indices of one step, -9 to 9.
    #[inline(always)]
    pub const fn offset(self) -> i32 {
        [8, 1, 9, 7, -8, -1, -9, -7][self.lane()]
    }
}
