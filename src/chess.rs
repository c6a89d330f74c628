//! The vocabulary: shakmaty's value types, and what it lacks.
//!
//! Every other room takes its words from here, so that the crate's name stands in few places.

use std::ops::{Index, IndexMut};

pub use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingSide, Color, File, Piece, Rank, Role, Square,
};

/// One value for each square, indexed by [`Square`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BySquare<T>(pub [T; 64]);

impl<T: Copy> BySquare<T> {
    /// The same value on all squares.
    pub const fn all(value: T) -> Self {
        BySquare([value; 64])
    }
}

impl<T> Index<Square> for BySquare<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, square: Square) -> &T {
        &self.0[square as usize]
    }
}

impl<T> IndexMut<Square> for BySquare<T> {
    #[inline(always)]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square as usize]
    }
}

/// The set that holds just this square.
#[inline(always)]
pub const fn bit(square: Square) -> Bitboard {
    Bitboard(1 << square as u64)
}

/// The square with this index, 0 = a1 to 63 = h8; higher bits are dropped.
#[inline(always)]
pub const fn square_at(index: u32) -> Square {
    Square::new(index & 63)
}

/// The set turned so that `side` moves north.
#[inline(always)]
pub const fn facing_north(set: Bitboard, side: Color) -> Bitboard {
    match side {
        Color::White => set,
        Color::Black => set.flip_vertical(),
    }
}
