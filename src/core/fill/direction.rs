//! The eight ray directions, and one step in each of them.
//!
//! Their numbers make the opposite of a lane `lane ^ 4`. A step in any direction is a rotation by
//! [`SHIFT`] and an AND with [`WRAP`], so a backend can take all eight at once.

use crate::chess::{Bitboard, Color};

/// A ray direction, seen from White; as a number, its lane.
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

/// The bits by which a set is rotated left for one step, by lane.
pub const SHIFT: [u32; 8] = [8, 1, 9, 7, 56, 63, 55, 57];

pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
pub(super) const NOT_AB: u64 = NOT_A & (NOT_A << 1);
pub(super) const NOT_GH: u64 = NOT_H & (NOT_H >> 1);
const NOT_1: u64 = 0xffff_ffff_ffff_ff00;
const NOT_8: u64 = 0x00ff_ffff_ffff_ffff;

/// The bits by which a set is rotated left for each of the eight knight moves. Opposite moves are
/// four lanes apart, as opposite rays are.
pub(super) const KNIGHT_SHIFT: [u32; 8] = [17, 15, 10, 6, 47, 49, 54, 58];

/// The squares on which each of the eight knight moves may end.
pub(super) const KNIGHT_WRAP: [u64; 8] = {
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

/// The squares on which a step in each lane may end: without this mask a rotation would wrap around
/// the edge of the board (`avoidWrap` in the Chess Programming Wiki's generalized ray).
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

    /// The direction that leads back.
    #[inline(always)]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[self.lane() ^ 4]
    }

    /// Converts a direction from `side`'s point of view to White's: Black's north is south.
    #[inline(always)]
    pub const fn seen_by(self, side: Color) -> Direction {
        match (side, self) {
            (Color::White, same) => same,
            (Color::Black, Direction::North) => Direction::South,
            (Color::Black, Direction::South) => Direction::North,
            (Color::Black, Direction::NorthEast) => Direction::SouthEast,
            (Color::Black, Direction::NorthWest) => Direction::SouthWest,
            (Color::Black, Direction::SouthEast) => Direction::NorthEast,
            (Color::Black, Direction::SouthWest) => Direction::NorthWest,
            (Color::Black, same) => same,
        }
    }

    /// The set moved one step; squares that would leave the board are dropped.
    #[inline(always)]
    pub const fn step(self, set: Bitboard) -> Bitboard {
        Bitboard(set.0.rotate_left(SHIFT[self.lane()]) & WRAP[self.lane()].0)
    }

    /// The change of a square's index by one step, -9 to 9.
    #[inline(always)]
    pub const fn offset(self) -> i32 {
        [8, 1, 9, 7, -8, -1, -9, -7][self.lane()]
    }
}
