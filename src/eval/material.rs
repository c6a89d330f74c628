//! Material.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::Bitboard;

/// Counts the room for one side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    let sets = [us.pawns, us.knights, us.bishops, us.rooks, us.queens];
    for (role, set) in sets.into_iter().enumerate() {
        count!(tally, us, material[role], set.count());
    }
    let both_colours =
        (us.bishops & Bitboard::LIGHT_SQUARES).any() && (us.bishops & Bitboard::DARK_SQUARES).any();
    count!(tally, us, bishop_pair[0], both_colours);
    let [pawns, knights, bishops, rooks, queens] = sets.map(|set| set.count() as i32);
    count!(tally, us, knight_pawns[0], knights * pawns);
    count!(tally, us, rook_pawns[0], rooks * pawns);
    let pairs = |n: i32| n * (n - 1) / 2;
    let together = [
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
    for (index, count) in together.into_iter().enumerate() {
        count!(tally, us, together[index], count);
    }
    let sets = [them.pawns, them.knights, them.bishops, them.rooks];
    let [their_pawns, their_knights, their_bishops, their_rooks] = sets.map(|set| set.count() as i32);
    let against = [
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
    for (index, count) in against.into_iter().enumerate() {
        count!(tally, us, against[index], count);
    }
    count!(tally, us, tempo[0], to_move);
}
