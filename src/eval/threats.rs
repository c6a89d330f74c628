//! Threats: what is attacked by less than itself, or not defended.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::Bitboard;
use crate::fill::Direction;
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::knight_attacks;

/// Counts the room for one side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    let pieces = [them.knights, them.bishops, them.rooks, them.queens];
    let by_minors = us.by_knights | us.by_bishops;
    for (index, set) in pieces.into_iter().enumerate() {
        count!(tally, us, pawn_threat[index], (set & us.by_pawns).count());
        count!(tally, us, minor_threat[index], (set & by_minors).count());
        count!(tally, us, rook_threat[index], (set & us.by_rooks).count());
    }
    let alone = us.alone(them);
    for (index, set) in [them.pawns].into_iter().chain(pieces).enumerate() {
        count!(tally, us, hanging[index], (set & alone).count());
        count!(tally, us, king_threat[index], (set & us.by_king & alone).count());
    }
    for (index, set) in [us.knights, us.bishops, us.rooks, us.queens].into_iter().enumerate() {
        count!(tally, us, loose[index], (set & !us.attacked).count());
    }
    let targets = them.knights | them.bishops | them.rooks | them.queens;
    let by_less = ((them.rooks | them.queens) & by_minors) | (them.queens & us.by_rooks);
    for (index, set) in [targets & us.by_pawns, by_less, them.all & alone].into_iter().enumerate() {
        count!(tally, us, threat_to_move[index], set.any() & to_move);
    }
    let outnumbered = us.twice & them.attacked & !them.twice & !them.by_pawns;
    count!(tally, us, overloaded[0], (them.all & outnumbered).count());
    let restricted = us.attacked & them.attacked & !them.by_pawns & (us.twice | !them.twice);
    count!(tally, us, restricted[0], restricted.count());

    let empty = !(us.all | them.all);
    let third = Bitboard(0x0000_0000_00ff_0000);
    let push = Direction::North.step(us.pawns) & empty;
    let push = push | (Direction::North.step(push & third) & empty);
    let safe = push & !them.by_pawns & (us.attacked | !them.attacked);
    count!(tally, us, push_threat[0], (pawn_attacks(safe) & targets & !us.by_pawns).count());

    let stops = us.safe(them);
    count!(
        tally,
        us,
        queen_threat[0],
        (us.by_knights & knight_attacks(them.queens) & stops).count()
    );
    let sliders = (us.by_bishops & them.queens_diagonal) | (us.by_rooks & them.queens_orthogonal);
    count!(tally, us, queen_threat[1], (sliders & stops).count());
}
