//! Mobility, and what helps pieces: open files, few own pawns on a bishop's colour, outposts.

use super::side::{Side, SliderAttacks};
use super::tally::{Tally, Tracer, count};
use crate::chess::{Bitboard, bit};
use crate::fill::spans::file_fill;
use crate::fill::waves::knight_attacks;
use crate::fill::{DIAGONAL, Direction, Rays};

/// Counts the group for one side.
#[inline(always)]
pub fn count(us: &Side, sliders: &SliderAttacks, them: &Side, tally: &mut Tally<impl Tracer>) {
    let blocked_pawns = us.pawns & Direction::South.step(us.all | them.all);
    // The mobility area.
    let area = !(them.by_pawns | blocked_pawns | us.king);

    for knight in us.knights {
        count!(tally, us, knight_mobility[(knight_attacks(bit(knight)) & area).count()], 1);
    }
    // The attacks of all sliders of a kind come from one fill. The rays of a square on the empty
    // board pick those of the piece on it; of two pieces on one line, the rear one also gets the
    // attacks of the front one.
    let area = Rays::all(area);
    let (reach, of_queens) = (sliders.rooks_and_bishops & area, sliders.queens & area);
    let (of_bishops, of_rooks) = (reach.only(DIAGONAL), reach.only(!DIAGONAL));
    for bishop in us.bishops {
        count!(
            tally,
            us,
            bishop_mobility[(Rays::empty_board_rays(bishop) & of_bishops).count().min(13)],
            1
        );
    }
    for rook in us.rooks {
        count!(
            tally,
            us,
            rook_mobility[(Rays::empty_board_rays(rook) & of_rooks).count().min(14)],
            1
        );
    }
    for queen in us.queens {
        count!(
            tally,
            us,
            queen_mobility[(Rays::empty_board_rays(queen) & of_queens).count().min(27)],
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
    let outposts = middle & us.by_pawns & !them.attack_span;
    count!(tally, us, knight_outpost[0], (us.knights & outposts).count());
    count!(tally, us, bishop_outpost[0], (us.bishops & outposts).count());
    count!(tally, us, reachable_outpost[0], (us.by_knights & outposts & !us.all).count());
    let shielded = Direction::South.step(us.pawns | them.pawns);
    count!(tally, us, minor_behind_pawn[0], ((us.knights | us.bishops) & shielded).count());
}
