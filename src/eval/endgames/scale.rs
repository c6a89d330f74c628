//! Endings: how much of an advantage is left where it is hard or impossible to win.

use super::super::phased::Phased;
use super::super::side::Side;
use super::super::tally::{Tally, Tracer, count};
use crate::chess::{Bitboard, Square};

/// The share of the endgame score that counts, in 64ths, for the side that is ahead; `None` if it cannot win.
#[inline(always)]
pub fn scale(ahead: &Side, behind: &Side, tally: &mut Tally<impl Tracer>) -> Option<i32> {
    if wrong_bishop(ahead, behind) {
        return None;
    }
    let mut sum = Phased::ZERO;
    let pawns = ahead.pawns.count();
    let (bare_ahead, bare_behind) = (ahead.has_no_pieces(), behind.has_no_pieces());
    if ahead.pawns.is_empty() {
        let (ours, theirs) = (strength(ahead), strength(behind));
        // Two knights do not mate, and a lone minor piece less.
        if ours < 5 || (behind.is_bare() && ours == 6 && ahead.knights.count() == 2) {
            return None;
        }
        // Without pawns it takes a rook more, or two pieces against none.
        if ours - theirs <= 3 {
            count!(tally, ahead, scale_no_pawns[0], 1 => sum);
            return Some(sum.eg());
        }
    }
    if behind.is_bare() && ahead.pawns.is_empty() {
        count!(tally, ahead, scale_bare_king[0], 1 => sum);
    } else if bare_ahead && bare_behind {
        count!(tally, ahead, scale_pawn_ending[pawns], 1 => sum);
    } else if opposite_bishops(ahead, behind) {
        if ahead.has_only(ahead.bishops) && behind.has_only(behind.bishops) {
            count!(tally, ahead, scale_bishops[pawns], 1 => sum);
        } else {
            count!(tally, ahead, scale_bishops_and_more[pawns], 1 => sum);
        }
    } else if ahead.has_lone_rook() && behind.has_lone_rook() {
        count!(tally, ahead, scale_rooks[pawns], 1 => sum);
    } else if (ahead.queens | behind.queens).count() == 1 {
        count!(tally, ahead, scale_lone_queen[pawns], 1 => sum);
    } else {
        count!(tally, ahead, scale_pawns[pawns], 1 => sum);
    }
    Some(sum.eg())
}

/// Counts what makes a win likely, for whoever is ahead in the endgame.
#[inline(always)]
pub fn count_initiative(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    macro_rules! initiative {
        ($term:ident[$index:expr], $count:expr) => {
            count!(tally, us, $term[$index], $count => tally.initiative)
        };
    }
    let pawns = us.pawns | them.pawns;
    let wings = [Bitboard(0x0f0f_0f0f_0f0f_0f0f), Bitboard(0xf0f0_f0f0_f0f0_f0f0)];
    let over = [us.king & Bitboard(!0 << 32), them.king & Bitboard(!0 >> 32)];
    initiative!(initiative_base[0], 1);
    initiative!(initiative_pawns[0], pawns.count());
    initiative!(initiative_flanks[0], wings.into_iter().all(|wing| (pawns & wing).any()));
    initiative!(initiative_pawn_ending[0], us.has_no_pieces() && them.has_no_pieces());
    initiative!(initiative_infiltration[0], over.into_iter().any(Bitboard::any));
    if let (Some(ours), Some(theirs)) = (us.king.first(), them.king.first()) {
        let apart = |a: u32, b: u32| a.abs_diff(b) as i32;
        let files = apart(ours.file() as u32, theirs.file() as u32);
        let ranks = apart(ours.rank() as u32, theirs.rank() as u32);
        initiative!(initiative_outflanking[0], files - ranks);
    }
}

/// Pieces in the old count: minor pieces 3, rooks 5, queens 9.
fn strength(side: &Side) -> i32 {
    let minors = (side.knights | side.bishops).count();
    (3 * minors + 5 * side.rooks.count() + 9 * side.queens.count()) as i32
}

/// One bishop each, on different colours.
fn opposite_bishops(a: &Side, b: &Side) -> bool {
    let light = Bitboard::LIGHT_SQUARES;
    a.bishops.count() == 1
        && b.bishops.count() == 1
        && (a.bishops & light).any() != (b.bishops & light).any()
}

/// A bishop, or none, with pawns on one rook file whose last square the bishop does not reach, and the enemy's
/// king in that corner. Seen by the side with the pawns.
fn wrong_bishop(ahead: &Side, behind: &Side) -> bool {
    if ahead.all != ahead.king | ahead.pawns | ahead.bishops || ahead.pawns.is_empty() {
        return false;
    }
    [Square::A8, Square::H8].into_iter().any(|corner| {
        let file = Bitboard::from_file(corner.file());
        let reaches =
            if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        (ahead.pawns & !file).is_empty()
            && (ahead.bishops & reaches).is_empty()
            && behind.king.first().is_some_and(|king| king.distance(corner) <= 1)
    })
}

impl Side {
    /// Beside king and pawns there are only these.
    fn has_only(&self, pieces: Bitboard) -> bool {
        self.all == self.king | self.pawns | pieces
    }

    /// A rook is the only piece.
    fn has_lone_rook(&self) -> bool {
        self.rooks.count() == 1 && self.has_only(self.rooks)
    }
}
