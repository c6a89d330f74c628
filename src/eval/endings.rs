//! Endings: how much of an advantage is left where it is hard or impossible to win.

use super::side::Side;
use crate::chess::{Bitboard, Square};

/// The share of the endgame score that counts, in 64ths, for the side that is ahead.
#[inline(always)]
pub fn scale(ahead: &Side, behind: &Side) -> i32 {
    // With kings and pawns alone the least advantage tends to decide: a quarter more than all of it counts.
    if ahead.has_no_pieces() && behind.has_no_pieces() && !wrong_bishop(ahead, behind) {
        return 80;
    }
    if ahead.pawns.is_empty() {
        let (ours, theirs) = (strength(ahead), strength(behind));
        // Two knights do not mate, and a lone minor piece less.
        if ours < 5 || (behind.is_bare() && ours == 6 && ahead.knights.count() == 2) {
            return 0;
        }
        // Without pawns it takes a rook more, or two pieces against none.
        if ours - theirs <= 3 {
            return 8;
        }
    }
    if wrong_bishop(ahead, behind) {
        return 0;
    }
    if opposite_bishops(ahead, behind) {
        let only = ahead.has_only_bishop() && behind.has_only_bishop();
        return if only { 24 + 4 * ahead.pawns.count() as i32 } else { 44 };
    }
    (44 + 5 * ahead.pawns.count() as i32).min(64)
}

/// Pieces in the old count: minor pieces 3, rooks 5, queens 9.
fn strength(side: &Side) -> i32 {
    let minors = (side.knights | side.bishops).count();
    (3 * minors + 5 * side.rooks.count() + 9 * side.queens.count()) as i32
}

/// One bishop each, on different colours.
fn opposite_bishops(a: &Side, b: &Side) -> bool {
    let light = Bitboard::LIGHT_SQUARES;
    a.bishops.count() == 1 && b.bishops.count() == 1 && (a.bishops & light).any() != (b.bishops & light).any()
}

/// A bishop, or none, with pawns on one rook file whose last square the bishop does not reach, and the enemy's
/// king in that corner. Seen by the side with the pawns.
fn wrong_bishop(ahead: &Side, behind: &Side) -> bool {
    if ahead.all != ahead.king | ahead.pawns | ahead.bishops || ahead.pawns.is_empty() {
        return false;
    }
    [Square::A8, Square::H8].into_iter().any(|corner| {
        let file = Bitboard::from_file(corner.file());
        let reaches = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        (ahead.pawns & !file).is_empty()
            && (ahead.bishops & reaches).is_empty()
            && behind.king.first().is_some_and(|king| king.distance(corner) <= 1)
    })
}

impl Side {
    /// Bishops are the only pieces.
    fn has_only_bishop(&self) -> bool {
        self.all == self.king | self.pawns | self.bishops
    }
}
