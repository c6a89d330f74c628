//! Passed pawns. King distances are path lengths around obstacles, counted by king waves.

use super::side::{PawnSide, Side};
use super::tally::{On, Tally, Tracer, count};
use super::terms::cell;
use crate::chess::{Bitboard, Rank, bit};
use crate::fill::scalar::attacks;
use crate::fill::spans::{front_span, pawn_attacks};
use crate::fill::waves::{king_attacks, moves_to};
use crate::fill::{Direction, Pair};

/// King moves are counted up to this many.
const FAR: u32 = 7;

/// King moves to `goal` over `path`, at most [`FAR`]. The goal itself need not be on the path: a
/// king beside it defends or blockades it.
#[inline(always)]
fn king_moves(king: Bitboard, goal: Bitboard, path: Bitboard) -> u32 {
    moves_to(king, goal, path | goal, king_attacks).map_or(FAR, |moves| moves.min(FAR))
}

/// Counts the terms of the group that depend only on pawns and kings, for one side.
#[inline(always)]
pub(super) fn count_pawns(us: &PawnSide, them: &PawnSide, tally: &mut Tally<impl Tracer>) {
    let pawns = us.pawns | them.pawns;
    let our_path = !(pawns | them.by_pawns);
    let their_path = !(pawns | us.by_pawns);

    for pawn in us.passed(them) {
        let rank = pawn.rank();
        count!(tally, us, passed_rank[rank], On(1, bit(pawn)));
        count!(tally, us, passed_supported[0], On(us.by_pawns.contains(pawn), bit(pawn)));

        let next = Direction::North.step(bit(pawn));
        let advance = (rank as i32 - Rank::Third as i32).max(0);
        if advance > 0 {
            let advance = On(advance, bit(pawn));
            count!(tally, us, passed_own_king[king_moves(us.king, next, our_path)], advance);
            count!(tally, us, passed_enemy_king[king_moves(them.king, next, their_path)], advance);
        }
    }
}

/// Counts the other terms of the group for both sides, whose passed pawns are given.
#[inline(always)]
pub(super) fn count(
    us: &Side<Pair>,
    them: &Side<Pair>,
    passed: Pair,
    tally: &mut Tally<impl Tracer>,
) {
    if passed.any() {
        count_side(&us.of::<0>(), &them.of::<0>(), passed.lane(0), true, tally);
        count_side(&us.of::<1>(), &them.of::<1>(), passed.lane(1), false, tally);
    }
}

/// The part of [`count`] that is counted for one side.
#[inline(always)]
fn count_side(
    us: &Side<Bitboard>,
    them: &Side<Bitboard>,
    passed: Bitboard,
    to_move: bool,
    tally: &mut Tally<impl Tracer>,
) {
    if passed.is_empty() {
        return;
    }
    let occupied = us.all | them.all;
    let behind = attacks(Direction::South, passed, !occupied);
    count!(tally, us, passed_rook_behind[0], behind & (us.rooks | us.queens));
    count!(tally, us, passed_enemy_rook_behind[0], behind & (them.rooks | them.queens));

    for pawn in passed {
        let stop = Direction::North.step(bit(pawn));
        let way = if (stop & occupied).any() {
            0
        } else if (stop & them.attacked).is_empty() {
            3
        } else {
            1 + usize::from((stop & us.attacked).any())
        };
        let index = cell(pawn.rank() as usize, way, to_move);
        count!(tally, us, passed_stop[index], On(1, bit(pawn)));
    }

    if us.has_no_pieces() && them.has_no_pieces() && unstoppable(us, them, passed, to_move) {
        count!(tally, us, unstoppable[0], On(1, passed));
    }
}

/// Whether a passed pawn promotes by force: its path is free, and the enemy king does not catch it.
/// That king may not enter squares guarded by our king or our other pawns, so this finds more than
/// the rule of the square.
fn unstoppable(
    us: &Side<Bitboard>,
    them: &Side<Bitboard>,
    passed: Bitboard,
    to_move: bool,
) -> bool {
    let occupied = us.all | them.all;
    passed.into_iter().map(bit).any(|pawn| {
        let open = open_to_king(pawn, us.pawns, us.by_king, them.pawns);
        (front_span(pawn) & occupied).is_empty()
            && moves_to_catch(them.king, open, pawn, to_move).is_none()
    })
}

/// The squares that the enemy king may enter while our pawn runs: free of other pawns, and not
/// attacked by our king or our other pawns.
pub fn open_to_king(
    pawn: Bitboard,
    our_pawns: Bitboard,
    by_our_king: Bitboard,
    their_pawns: Bitboard,
) -> Bitboard {
    let others = our_pawns & !pawn;
    !(others | pawn_attacks(others) | by_our_king | their_pawns)
}

/// The moves that a king needs, over the squares open to it, to capture a pawn running north on a
/// free path, or the new queen; `None` if it is too late. `to_move` says whether the pawn moves
/// first.
pub fn moves_to_catch(
    mut king: Bitboard,
    open: Bitboard,
    mut pawn: Bitboard,
    to_move: bool,
) -> Option<usize> {
    let [second, last] = [Rank::Second, Rank::Eighth].map(Bitboard::from_rank);
    let mut moves = 0;
    let mut runs = to_move;
    loop {
        if runs {
            if pawn.intersects(last) {
                return None;
            }
            if pawn.intersects(second) {
                pawn = Direction::North.step(pawn);
            }
            pawn = Direction::North.step(pawn);
        } else {
            king |= king_attacks(king) & open;
            moves += 1;
            if king.intersects(pawn) {
                return Some(moves);
            }
        }
        runs = !runs;
    }
}
