//! Mobility, and what pieces need to be mobile: files, outposts, pawns out of the way.

use super::side::{Side, Slides};
use super::tally::{Tally, Tracer, count};
use crate::chess::{Bitboard, bit};
use crate::fill::spans::file_fill;
use crate::fill::waves::knight_attacks;
use crate::fill::{DIAGONAL, Direction, Rays};

/// Counts the room for one side.
#[inline(always)]
pub fn count(us: &Side, slides: &Slides, them: &Side, tally: &mut Tally<impl Tracer>) {
    let blocked_pawns = us.pawns & Direction::South.step(us.all | them.all);
    let area = !(them.by_pawns | blocked_pawns | us.king);

    for knight in us.knights {
        count!(tally, us, knight_moves[(knight_attacks(bit(knight)) & area).count()], 1);
    }
    // One fill has served all sliders of a kind; the beams of a square pick the share of the piece on it. Of two on one
    // line the rear one sees through the other.
    let area = Rays::all(area);
    let (reach, of_queens) = (slides.rooks_and_bishops & area, slides.queens & area);
    let (of_bishops, of_rooks) = (reach.only(DIAGONAL), reach.only(!DIAGONAL));
    for bishop in us.bishops {
        count!(
            tally,
            us,
            bishop_moves[(Rays::empty_board_rays(bishop) & of_bishops).count().min(13)],
            1
        );
    }
    for rook in us.rooks {
        count!(tally, us, rook_moves[(Rays::empty_board_rays(rook) & of_rooks).count().min(14)], 1);
    }
    for queen in us.queens {
        count!(
            tally,
            us,
            queen_moves[(Rays::empty_board_rays(queen) & of_queens).count().min(27)],
            1
        );
    }

    let ours = file_fill(us.pawns);
    let open = !(ours | file_fill(them.pawns));
    count!(tally, us, rook_open_file[0], (us.rooks & open).count());
    count!(tally, us, rook_half_open_file[0], (us.rooks & !ours & !open).count());

    for colour in [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES] {
        let bishops = (us.bishops & colour).count();
        count!(tally, us, bishop_pawns[0], bishops * (us.pawns & colour).count());
        count!(tally, us, bishop_blocked_pawns[0], bishops * (blocked_pawns & colour).count());
    }

    let middle = Bitboard(0x0000_ffff_ff00_0000);
    let outposts = middle & us.by_pawns & !them.cone;
    count!(tally, us, knight_outpost[0], (us.knights & outposts).count());
    count!(tally, us, bishop_outpost[0], (us.bishops & outposts).count());
    count!(tally, us, knight_to_outpost[0], (us.by_knights & outposts & !us.all).count());
    let shielded = Direction::South.step(us.pawns | them.pawns);
    count!(tally, us, minor_behind_pawn[0], ((us.knights | us.bishops) & shielded).count());
}
