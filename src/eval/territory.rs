//! Territory: room behind the pawns, who gets where first, and the hunt for a bare king.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::Bitboard;
use crate::fill::spans::south_fill;
use crate::fill::waves::{king_attacks, voronoi};

/// Counts the room for one side. Who gets where first is counted for both at once, see [`count_cells`].
#[inline(always)]
pub fn count(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    let middle = Bitboard(0x0000_0000_3c3c_3c00);
    let safe = middle & !us.pawns & !them.by_pawns;
    let behind = safe & south_fill(us.pawns) & !them.attacked;
    count!(tally, us, space[0], safe.count() + behind.count());

    if them.is_bare()
        && let (Some(hunter), Some(hunted)) = (us.king.first(), them.king.first())
    {
        count!(tally, us, bare_king_edge[0], from_centre(hunted));
        count!(tally, us, bare_king_near[0], 7 - hunter.distance(hunted));
    }
}

/// King moves a square is away from the four central squares, rank and file added: 0 to 6.
fn from_centre(square: crate::chess::Square) -> i32 {
    let away = |line: i32| (2 * line - 7).abs() / 2;
    away(square.file() as i32) + away(square.rank() as i32)
}

/// Counts the squares each king reaches first, in pawn endings: both as the first side sees them.
#[inline(always)]
pub fn count_cells(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    if us.has_no_pieces() && them.has_no_pieces() {
        let pawns = us.pawns | them.pawns;
        let cells =
            voronoi((us.king, !(pawns | them.by_pawns)), (them.king, !(pawns | us.by_pawns)), king_attacks);
        count!(tally, us, king_cells[0], cells.first.count());
        count!(tally, them, king_cells[0], cells.second.count());
    }
}
