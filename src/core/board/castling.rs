//! Castling, standard and Chess960: the squares of king and rooks, and the squares that must be
//! empty or not attacked.

use super::geometry::rank_span;
use crate::chess::{Bitboard, BySquare, CastlingSide, Color, Square, bit, square_at};

/// The bit of a castling right among the four of a position: 1 and 2 for Black's king side and
/// queen side, 4 and 8 for White's.
#[inline(always)]
pub(super) const fn castling_right(color: Color, side: CastlingSide) -> u8 {
    1 << index(color, side)
}

#[inline(always)]
const fn index(color: Color, side: CastlingSide) -> usize {
    color as usize * 2 + side as usize
}

/// The target squares of king and rook after castling from `king` and `rook`: on the g and f files
/// or the c and d files, wherever they start.
#[inline(always)]
pub(super) fn castled(king: Square, rook: Square) -> (Square, Square) {
    let rank = king as u32 & 56;
    if rook as u32 > king as u32 {
        (square_at(rank + 6), square_at(rank + 5))
    } else {
        (square_at(rank + 2), square_at(rank + 3))
    }
}

/// One castling move: its squares and its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CastlingPath {
    /// The king's square before castling.
    pub(super) king: Square,
    /// The rook's square before castling.
    pub(super) rook: Square,
    /// Squares that must be empty.
    pub(super) empty: Bitboard,
    /// Squares that the king crosses or ends on, which must not be attacked.
    pub(super) safe: Bitboard,
    /// The rook's square, on which it must not be pinned.
    pub(super) unpinned: Bitboard,
}

impl CastlingPath {
    /// A castling move that is never legal, because it requires an empty board.
    const NONE: CastlingPath = CastlingPath {
        king: Square::E1,
        rook: Square::H1,
        empty: Bitboard::FULL,
        safe: Bitboard::EMPTY,
        unpinned: Bitboard::EMPTY,
    };
}

/// The castling moves of one game, which depend on the starting squares of king and rooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Castling {
    /// In the order of the bits of [`castling_right`].
    paths: [CastlingPath; 4],
    /// The rights that remain after a piece moves from or to a square.
    pub(super) kept_rights: BySquare<u8>,
}

impl Castling {
    /// No castling move is possible.
    pub(super) const NONE: Castling =
        Castling { paths: [CastlingPath::NONE; 4], kept_rights: BySquare::all(15) };

    /// The castling move of one right.
    #[inline(always)]
    pub(super) fn path(&self, color: Color, side: CastlingSide) -> &CastlingPath {
        &self.paths[index(color, side)]
    }

    /// Adds the right to castle with the king from `king` and the rook from `rook`.
    pub(super) fn allow(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        let (king_to, rook_to) = castled(king, rook);
        let safe = rank_span(king, king_to);
        let empty = (safe | rank_span(rook, rook_to)) & !bit(king) & !bit(rook);
        self.paths[index(color, side)] =
            CastlingPath { king, rook, empty, safe, unpinned: bit(rook) };
        self.kept_rights[king] &= !castling_right(color, side);
        self.kept_rights[rook] &= !castling_right(color, side);
    }
}
