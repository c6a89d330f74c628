//! Material: piece values and imbalance (pairs of pieces whose value is more or less than the sum
//! of their piece values).

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::Bitboard;

/// Counts the group for one side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    let (ours, theirs) = (piece_counts(us), piece_counts(them));
    for (role, count) in ours.into_iter().enumerate() {
        count!(tally, us, material[role], count);
    }
    let both_colours =
        (us.bishops & Bitboard::LIGHT_SQUARES).any() && (us.bishops & Bitboard::DARK_SQUARES).any();
    count!(tally, us, bishop_pair[0], both_colours);
    let [pawns, knights, bishops, rooks, queens] = ours;
    count!(tally, us, knight_pawns[0], knights * pawns);
    count!(tally, us, rook_pawns[0], rooks * pawns);
    let pairs = |n: i32| n * (n - 1) / 2;
    let own_pairs = [
        pairs(knights),
        bishops * knights,
        rooks * knights,
        rooks * bishops,
        pairs(rooks),
        queens * knights,
        queens * bishops,
        queens * rooks,
        queens * pawns,
        bishops * pawns,
    ];
    for (index, count) in own_pairs.into_iter().enumerate() {
        count!(tally, us, imbalance_own[index], count);
    }
    let [their_pawns, their_knights, their_bishops, their_rooks, _] = theirs;
    let enemy_pairs = [
        knights * their_pawns,
        bishops * their_pawns,
        rooks * their_pawns,
        queens * their_pawns,
        bishops * their_knights,
        rooks * their_knights,
        rooks * their_bishops,
        queens * their_knights,
        queens * their_bishops,
        queens * their_rooks,
    ];
    for (index, count) in enemy_pairs.into_iter().enumerate() {
        count!(tally, us, imbalance_enemy[index], count);
    }
    count!(tally, us, tempo[0], to_move);
}

/// How many pawns, knights, bishops, rooks and queens a side has.
#[inline(always)]
fn piece_counts(side: &Side) -> [i32; 5] {
    [side.pawns, side.knights, side.bishops, side.rooks, side.queens].map(|set| set.count() as i32)
}
