//! Scale factors: reduce an endgame advantage that is hard to win with, and detect material with
//! which the side ahead cannot win at all.

use super::phased::Phased;
use super::side::Placement;
use super::tally::{Tally, Tracer, count};
use crate::board::Position;
use crate::chess::{Bitboard, Color, Role, Square, points};
use crate::fill::spans::beside;

/// Scale weights depend on the number of pawns, up to this. A position set up by hand may have
/// more.
const MAX_PAWNS: usize = 8;

/// The points of a rook. A pawnless side this far ahead wins even with opposite-coloured bishops, so their
/// scale does not apply.
const A_ROOK: i32 = points(Role::Rook);

/// The scale factor of the endgame, in 64ths, for the side that is ahead; `None` if it cannot win.
#[inline(always)]
pub(super) fn scale(
    position: &Position,
    ahead: Color,
    tally: &mut Tally<impl Tracer>,
) -> Option<i32> {
    let (ahead, behind) =
        (&Placement::new(position, ahead), &Placement::new(position, ahead.other()));
    if has_wrong_bishop(ahead, behind) {
        return None;
    }
    let mut sum = Phased::ZERO;
    let pawns = ahead.pawns.count().min(MAX_PAWNS);
    let faces_bare_king = position.is_bare(behind.color);
    let lead = || piece_points(ahead) - piece_points(behind);
    if ahead.pawns.is_empty() {
        let ours = piece_points(ahead);
        // A lone minor piece does not mate, nor do two knights, nor bishops of one colour.
        let is_one_colour = ahead.has_only(ahead.bishops)
            && ((ahead.bishops & Bitboard::LIGHT_SQUARES).is_empty()
                || (ahead.bishops & Bitboard::DARK_SQUARES).is_empty());
        let has_two_knights = ahead.has_only(ahead.knights) && ours == 6;
        if ours < 5 || (has_two_knights && faces_bare_king) || is_one_colour {
            return None;
        }
        // Without pawns, being a minor piece ahead is not enough, nor are two knights.
        if lead() <= 3 || has_two_knights {
            count!(tally, ahead, scale_no_pawns[0], 1 => sum);
            return Some(sum.eg());
        }
    }
    if faces_bare_king && ahead.pawns.is_empty() {
        count!(tally, ahead, scale_bare_king[0], 1 => sum);
    } else if position.is_pawn_ending() {
        count!(tally, ahead, scale_pawn_ending[pawns], 1 => sum);
    } else if has_opposite_bishops(ahead, behind) && (pawns > 0 || lead() < A_ROOK) {
        if ahead.has_only(ahead.bishops) && behind.has_only(behind.bishops) {
            count!(tally, ahead, scale_opposite_bishops[pawns], 1 => sum);
        } else {
            count!(tally, ahead, scale_opposite_bishops_plus[pawns], 1 => sum);
        }
    } else if ahead.has_lone_rook() && behind.has_lone_rook() {
        count!(tally, ahead, scale_rook_ending[pawns], 1 => sum);
    } else if (ahead.queens | behind.queens).count() == 1 {
        count!(tally, ahead, scale_lone_queen[pawns], 1 => sum);
    } else {
        count!(tally, ahead, scale_pawns[pawns], 1 => sum);
    }
    Some(sum.eg())
}

/// The pieces by the traditional point count: minor pieces 3, rooks 5, queens 9.
fn piece_points(side: &Placement) -> i32 {
    let minors = (side.knights | side.bishops).count() as i32;
    let (rooks, queens) = (side.rooks.count() as i32, side.queens.count() as i32);
    points(Role::Knight) * minors + points(Role::Rook) * rooks + points(Role::Queen) * queens
}

/// Opposite-coloured bishops: one each, on squares of different colours.
fn has_opposite_bishops(a: &Placement, b: &Placement) -> bool {
    let light = Bitboard::LIGHT_SQUARES;
    a.bishops.count() == 1
        && b.bishops.count() == 1
        && (a.bishops & light).any() != (b.bishops & light).any()
}

/// Wrong rook pawn. The side ahead has only pawns on one rook file, no enemy pawn to capture beside
/// it, and at most bishops that do not control the promotion square. The enemy king is in that
/// corner or next to it.
fn has_wrong_bishop(ahead: &Placement, behind: &Placement) -> bool {
    if !ahead.has_only(ahead.bishops) || ahead.pawns.is_empty() {
        return false;
    }
    let corners =
        if ahead.color.is_white() { [Square::A8, Square::H8] } else { [Square::A1, Square::H1] };
    corners.into_iter().any(|corner| {
        let file = Bitboard::from_file(corner.file());
        let corner_colour =
            if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        (ahead.pawns & !file).is_empty()
            && (behind.pawns & beside(file)).is_empty()
            && (ahead.bishops & corner_colour).is_empty()
            && behind.king.first().is_some_and(|king| king.distance(corner) <= 1)
    })
}
