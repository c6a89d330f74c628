//! Mobility, and what pieces need to be mobile: files, outposts, pawns out of the way.

use super::side::{Side, Slides};
use super::tally::{Tally, Tracer, count};
use crate::chess::{Bitboard, bit};
use crate::fill::Direction;
use crate::fill::spans::file_fill;
use crate::fill::waves::knight_attacks;

/// Counts the room for one side.
#[inline(always)]
pub fn count(us: &Side, slides: &Slides, them: &Side, tally: &mut Tally<impl Tracer>) {
    let blocked_pawns = us.pawns & Direction::South.step(us.all | them.all);
    let area = !(them.by_pawns | blocked_pawns | us.king);

    for knight in us.knights {
        count!(tally, us, knight_moves[(knight_attacks(bit(knight)) & area).count()], 1);
    }
    count!(tally, us, bishop_moves[0], slides.bishop_moves(area));
    count!(tally, us, rook_moves[0], slides.rook_moves(area));
    count!(tally, us, queen_moves[0], slides.queen_moves(area));

    let ours = file_fill(us.pawns);
    let open = !(ours | file_fill(them.pawns));
    count!(tally, us, rook_open_file[0], (us.rooks & open).count());
    count!(tally, us, rook_half_open_file[0], (us.rooks & !ours & !open).count());

    for colour in [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES] {
        let bishops = (us.bishops & colour).count();
        count!(tally, us, bishop_pawns[0], bishops * (us.pawns & colour).count());
    }

    let middle = Bitboard(0x0000_ffff_ff00_0000);
    let outposts = middle & us.by_pawns & !them.cone;
    count!(tally, us, knight_outpost[0], (us.knights & outposts).count());
    count!(tally, us, bishop_outpost[0], (us.bishops & outposts).count());
}
