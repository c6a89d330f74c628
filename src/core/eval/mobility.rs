//! Mobility, and what helps pieces: open files, few own pawns on a bishop's colour, outposts.

use super::side::{Side, SliderAttacks};
use super::tally::{On, Tally, Tracer, count, count_both};
use crate::chess::{Bitboard, BySquare, Square, bit, square_at};
use crate::fill::Direction::{
    self, East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West,
};
use crate::fill::Pair;
use crate::fill::waves::KNIGHT_ATTACKS;

/// The rays of each square over an empty board, by direction.
static RAYS: BySquare<[Bitboard; 8]> = {
    let mut rays = BySquare::all([Bitboard::EMPTY; 8]);
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            let mut ray = 0;
            let mut front = Direction::ALL[lane].step(bit(square_at(square)));
            while front.0 != 0 {
                ray |= front.0;
                front = Direction::ALL[lane].step(front);
            }
            rays.0[square as usize][lane] = Bitboard(ray);
            lane += 1;
        }
        square += 1;
    }
    rays
};

/// The directions of rooks, as indices of [`RAYS`].
const ROOK: [usize; 4] = [North.lane(), East.lane(), South.lane(), West.lane()];
/// The directions of bishops.
const BISHOP: [usize; 4] = [NorthEast.lane(), NorthWest.lane(), SouthWest.lane(), SouthEast.lane()];

/// The attacked squares on four rays of `square`.
#[inline(always)]
fn along(square: Square, attacks: &[Bitboard; 8], [a, b, c, d]: [usize; 4]) -> Bitboard {
    let rays = &RAYS[square];
    (rays[a] & attacks[a])
        | (rays[b] & attacks[b])
        | (rays[c] & attacks[c])
        | (rays[d] & attacks[d])
}

/// Counts the group for both sides.
#[inline(always)]
pub(super) fn count(
    us: &Side<Pair>,
    sliders: &[SliderAttacks; 2],
    them: &Side<Pair>,
    tally: &mut Tally<impl Tracer>,
) {
    let blocked_pawns = us.pawns & (us.all | them.all).south();
    let area = !(them.by_pawns | blocked_pawns | us.king);
    count_both!(tally, us, knight_mobility[0], us.knights & us.pinned);
    let [first, second] = sliders;
    count_moves(&us.of::<0>(), first, area.lane(0), tally);
    count_moves(&us.of::<1>(), second, area.lane(1), tally);

    let ours = us.pawns.file_fill();
    let open = !(ours | them.pawns.file_fill());
    count_both!(tally, us, rook_open_file[0], us.rooks & open);
    count_both!(tally, us, rook_half_open_file[0], us.rooks & !ours & !open);

    for colour in [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES].map(Pair::both) {
        let bishops = (us.bishops & colour).count();
        let (pawns, blocked) = (us.pawns & colour, blocked_pawns & colour);
        count_both!(tally, us, bishop_pawns[0], On(bishops.times(pawns.count()), pawns));
        let times = bishops.times(blocked.count());
        count_both!(tally, us, bishop_blocked_pawns[0], On(times, blocked));
    }

    let middle = Pair::both(Bitboard(0x0000_ffff_ff00_0000));
    let outposts = middle & us.by_pawns & !them.attack_span;
    count_both!(tally, us, knight_outpost[0], us.knights & outposts);
    count_both!(tally, us, bishop_outpost[0], us.bishops & outposts);
    count_both!(tally, us, reachable_outpost[0], us.by_knights & outposts & !us.all);
    let shielded = (us.pawns | them.pawns).south();
    count_both!(tally, us, minor_behind_pawn[0], (us.knights | us.bishops) & shielded);
}

/// Counts the moves of each piece of one side.
#[inline(always)]
fn count_moves(
    us: &Side<Bitboard>,
    sliders: &SliderAttacks,
    area: Bitboard,
    tally: &mut Tally<impl Tracer>,
) {
    for knight in us.knights & !us.pinned {
        let moves = KNIGHT_ATTACKS[knight] & area;
        count!(tally, us, knight_mobility[moves.count()], On(1, bit(knight)));
    }
    // The attacks of all sliders of a kind come from one fill. The rays of a square pick those of
    // the piece on it; of two pieces on one line, the rear one also gets the attacks of the front
    // one, even if it is pinned itself or other pieces stand between them.
    let attacks = sliders.rooks_and_bishops.lanes();
    for bishop in us.bishops {
        let moves = along(bishop, &attacks, BISHOP) & area;
        count!(tally, us, bishop_mobility[moves.count().min(13)], On(1, bit(bishop)));
    }
    for rook in us.rooks {
        let moves = along(rook, &attacks, ROOK) & area;
        count!(tally, us, rook_mobility[moves.count().min(14)], On(1, bit(rook)));
    }
    if us.queens.any() {
        let attacks = sliders.queens.lanes();
        for queen in us.queens {
            let moves = (along(queen, &attacks, BISHOP) | along(queen, &attacks, ROOK)) & area;
            count!(tally, us, queen_mobility[moves.count().min(27)], On(1, bit(queen)));
        }
    }
}
