//! Geometry of the board: lines, parts of a rank, pawn attacks by colour.

use crate::chess::{Bitboard, Color, Square, facing_north, square_at};
use crate::fill::{Rays, spans};

/// The squares that pawns of a side attack.
#[inline(always)]
pub(super) fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    facing_north(spans::pawn_attacks(facing_north(pawns, color)), color)
}

/// The square of the pawn that an en passant capture to `to` by the side `capturer` removes.
#[inline(always)]
pub(super) fn en_passant_victim(to: Square, capturer: Color) -> Square {
    square_at(match capturer {
        Color::White => to as u32 - 8,
        Color::Black => to as u32 + 8,
    })
}

/// The squares of a rank from `a` to `b`, both included. They must lie on the same rank.
pub(super) fn rank_span(a: Square, b: Square) -> Bitboard {
    let (low, high) = if (a as u32) < b as u32 { (a, b) } else { (b, a) };
    Bitboard((!0 << low as u32) & (!0 >> (63 - high as u32)))
}

/// Whether three squares lie on one rank, file or diagonal, in any order.
#[inline]
pub(super) fn on_one_line(a: Square, b: Square, c: Square) -> bool {
    let rays = Rays::empty_board_rays(a);
    let lines = rays | rays.reversed();
    lines.holding(b) & lines.holding(c) != 0
}
