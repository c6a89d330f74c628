//! Material and the squares the pieces stand on.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::Bitboard;

/// Counts the room for one side.
#[inline(always)]
pub fn count(us: &Side, tally: &mut Tally<impl Tracer>) {
    let sets = [us.pawns, us.knights, us.bishops, us.rooks, us.queens];
    for (role, set) in sets.into_iter().enumerate() {
        count!(tally, us, material[role], set.count());
    }
    let both_colours =
        (us.bishops & Bitboard::LIGHT_SQUARES).any() && (us.bishops & Bitboard::DARK_SQUARES).any();
    count!(tally, us, bishop_pair[0], both_colours);

    for square in us.pawns {
        count!(tally, us, pawn_on[square], 1);
    }
    for square in us.knights {
        count!(tally, us, knight_on[square], 1);
    }
    for square in us.bishops {
        count!(tally, us, bishop_on[square], 1);
    }
    for square in us.rooks {
        count!(tally, us, rook_on[square], 1);
    }
    for square in us.queens {
        count!(tally, us, queen_on[square], 1);
    }
    for square in us.king {
        count!(tally, us, king_on[square], 1);
    }
}
