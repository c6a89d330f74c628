//! Material.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::Bitboard;

/// Counts the room for one side.
#[inline(always)]
pub fn count(us: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    let sets = [us.pawns, us.knights, us.bishops, us.rooks, us.queens];
    for (role, set) in sets.into_iter().enumerate() {
        count!(tally, us, material[role], set.count());
    }
    let both_colours =
        (us.bishops & Bitboard::LIGHT_SQUARES).any() && (us.bishops & Bitboard::DARK_SQUARES).any();
    count!(tally, us, bishop_pair[0], both_colours);
    count!(tally, us, knight_pawns[0], us.knights.count() * us.pawns.count());
    count!(tally, us, rook_pawns[0], us.rooks.count() * us.pawns.count());
    count!(tally, us, tempo[0], to_move);
}
