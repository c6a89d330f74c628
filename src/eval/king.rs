//! King safety, from attack fills, shelter and storm.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::{Bitboard, bit};
use crate::fill::spans::{beside, file_fill, north_fill};
use crate::fill::waves::knight_attacks;

/// Counts the danger to the enemy's king and the shelter of ours.
#[inline(always)]
pub fn count(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    count!(tally, us, danger[attack(us, them).clamp(0, 63)], 1);
    shelter(us, them, tally);
}

/// The weight of our attack on their king: attacked squares around it, safe checks, and squares that only their
/// king guards. Without a queen it needs much more to be dangerous.
#[inline(always)]
fn attack(us: &Side, them: &Side) -> i32 {
    let on_ring = |set: Bitboard| (set & them.ring).count() as i32;
    let around = on_ring(us.by_knights) + on_ring(us.by_bishops);
    let heavy = on_ring(us.by_rooks) + on_ring(us.by_queens);

    let safe = !us.all & (!them.attacked | (us.twice & !them.by_pawns & !them.twice));
    let checks = |by: Bitboard, from: Bitboard| i32::from((by & from & safe).any());
    let knight = checks(us.by_knights, knight_attacks(them.king));
    let bishop = checks(us.by_bishops, them.king_diagonal);
    let rook = checks(us.by_rooks, them.king_orthogonal);
    let queen = checks(us.by_queens, them.king_diagonal | them.king_orthogonal);

    let weak = us.attacked & them.by_king & !them.twice;
    let mut units = around + heavy + weak.count() as i32 * 2;
    units += knight * 6 + bishop * 4 + rook * 7 + queen * 6;
    units -= (them.by_knights & them.ring).count() as i32;
    if us.queens.is_empty() { units - 14 } else { units - 4 }
}

/// The pawns in front of our king, ours and theirs, on its own and the neighbouring files.
#[inline(always)]
fn shelter(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    let Some(king) = us.king.first() else { return };
    let ahead = north_fill(us.king | beside(us.king));
    for file in file_fill(us.king | beside(us.king)) & Bitboard(0xff) {
        let column = file_fill(bit(file)) & ahead;
        let rank = |pawns: Bitboard| (pawns & column).first().map_or(0, |pawn| pawn.rank() as usize);
        count!(tally, us, shelter[rank(us.pawns)], 1);
        count!(tally, us, storm[rank(them.pawns)], 1);
    }
    let open = (file_fill(bit(king)) & us.pawns).is_empty();
    count!(tally, us, open_king_file[0], open);
}
