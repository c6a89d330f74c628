//! King safety, from attack fills, shelter and storm.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::{Bitboard, Rank, bit};
use crate::fill::spans::{beside, file_fill, north_fill};
use crate::fill::waves::{king_fill, knight_attacks};

/// Counts our attack on the enemy's king and the shelter of ours.
#[inline(always)]
pub fn count(us: &Side, them: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    attack(us, them, to_move, tally);
    shelter(us, them, tally);
}

/// Their king's camp for us who move north: their first five ranks.
const CAMP: Bitboard = Bitboard(0xffff_ffff_ff00_0000);

/// What makes our attack on their king strong, or weak.
#[inline(always)]
fn attack(us: &Side, them: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    macro_rules! danger {
        ($term:ident[$index:expr], $count:expr) => {
            count!(tally, us, $term[$index], $count => tally.danger)
        };
    }
    let pieces = [us.by_knights, us.by_bishops, us.by_rooks, us.by_queens];
    let mut kinds = 0;
    for (kind, set) in pieces.into_iter().enumerate() {
        let squares = (set & them.ring).count();
        danger!(danger_ring[kind], squares);
        kinds += usize::from(squares > 0);
    }
    danger!(danger_kinds[kinds], 1);
    let near = us.attacked & them.by_king;
    danger!(danger_near[0], near.count());
    danger!(danger_weak[0], (near & !them.twice).count());
    danger!(danger_twice[0], (us.twice & them.ring).count());
    danger!(danger_pawns[0], (us.by_pawns & them.ring).count());

    let safe = us.safe(them);
    let both = them.king_diagonal | them.king_orthogonal;
    let from = [knight_attacks(them.king), them.king_diagonal, them.king_orthogonal, both];
    let mut checks_now = false;
    for (kind, (set, from)) in pieces.into_iter().zip(from).enumerate() {
        let checks = set & from & !us.all;
        let safe_checks = (checks & safe).count();
        let has_safe = safe_checks > 0;
        danger!(danger_safe_check[kind], has_safe);
        danger!(danger_more_checks[kind], safe_checks > 1);
        danger!(danger_check[0], checks.any() && !has_safe);
        checks_now |= has_safe;
    }
    danger!(danger_to_move[0], to_move);
    danger!(danger_to_move[1], to_move & checks_now);
    danger!(danger_no_queen[0], us.queens.is_empty());

    let flank = file_fill(king_fill(king_fill(them.king))) & CAMP;
    danger!(danger_flank[0], (us.attacked & flank).count());
    danger!(danger_flank_twice[0], (us.twice & flank).count());
    danger!(danger_flank_guards[0], (them.attacked & flank).count());
    danger!(danger_guards[0], ((them.by_knights | them.by_bishops) & them.ring).count());
    danger!(danger_shield[0], (them.pawns & them.ring).count());
    let air = !us.attacked & !them.all;
    let steps = them.by_king & air;
    danger!(danger_air[0], steps.count());
    danger!(danger_walk[0], (king_fill(steps) & air & !them.by_king).count());
    danger!(danger_open_file[0], (file_fill(them.king) & them.pawns).is_empty());

    danger!(danger_xray[0], (them.king_orthogonal_xray & (us.rooks | us.queens)).count());
    danger!(danger_xray[1], (them.king_diagonal_xray & (us.bishops | us.queens)).count());
    let files = file_fill(them.king | beside(them.king));
    let open = files & Bitboard(0xff) & !file_fill(them.pawns);
    danger!(danger_open_files[0], open.count());
    danger!(danger_open_files[1], (open & !file_fill(us.pawns)).count());
    let storm = us.pawns & files;
    danger!(danger_storm[0], storm.count());
    danger!(danger_storm[1], (storm & Bitboard::from_rank(Rank::Sixth)).count());
    danger!(danger_storm[2], (storm & Bitboard::from_rank(Rank::Seventh)).count());
}

/// The pawns in front of our king, ours and theirs, on its own and the neighbouring files.
#[inline(always)]
fn shelter(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    let ahead = north_fill(us.king | beside(us.king));
    for file in file_fill(us.king | beside(us.king)) & Bitboard(0xff) {
        let column = file_fill(bit(file)) & ahead;
        let rank =
            |pawns: Bitboard| (pawns & column).first().map_or(0, |pawn| pawn.rank() as usize);
        let (ours, theirs) = (rank(us.pawns), rank(them.pawns));
        let edge = file as usize & 7;
        let row = 8 * edge.min(7 - edge);
        count!(tally, us, shelter[row + ours], 1);
        count!(tally, us, storm[row + theirs], 1);
        if theirs > 0 && theirs == ours + 1 {
            count!(tally, us, storm_stopped[theirs], 1);
        }
    }
    count!(tally, us, open_king_file[0], (file_fill(us.king) & us.pawns).is_empty());
    let flank = file_fill(king_fill(king_fill(us.king)));
    count!(tally, us, pawnless_flank[0], (flank & us.pawns).is_empty());
}
