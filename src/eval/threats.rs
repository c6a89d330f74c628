//! Threats: pieces attacked by less valuable ones, hanging and loose pieces, restricted moves.

use super::side::Side;
use super::tally::{On, Tally, Tracer, count};
use crate::fill::spans::{pawn_attacks, pushes};
use crate::fill::waves::knight_attacks;

/// Counts the group for one side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    let pieces = [them.knights, them.bishops, them.rooks, them.queens];
    let targets = them.knights | them.bishops | them.rooks | them.queens;
    let by_minors = us.by_knights | us.by_bishops;
    // Usually no piece is attacked by a pawn: one test skips the four counts.
    if (targets & us.by_pawns).any() {
        for (index, set) in pieces.into_iter().enumerate() {
            count!(tally, us, threat_by_pawn[index], set & us.by_pawns);
        }
    }
    for (index, set) in pieces.into_iter().enumerate() {
        count!(tally, us, threat_by_minor[index], set & by_minors);
        count!(tally, us, threat_by_rook[index], set & us.by_rooks);
    }
    let uncontested = us.uncontested(them);
    let all = [them.pawns, them.knights, them.bishops, them.rooks, them.queens];
    for (index, set) in all.into_iter().enumerate() {
        count!(tally, us, hanging[index], set & uncontested);
    }
    if (them.all & us.by_king & uncontested).any() {
        for (index, set) in all.into_iter().enumerate() {
            count!(tally, us, threat_by_king[index], set & us.by_king & uncontested);
        }
    }
    for (index, set) in [us.knights, us.bishops, us.rooks, us.queens].into_iter().enumerate() {
        count!(tally, us, loose[index], set & !us.attacked);
    }
    let by_lower_value = ((them.rooks | them.queens) & by_minors) | (them.queens & us.by_rooks);
    for (index, set) in
        [targets & us.by_pawns, by_lower_value, them.all & uncontested].into_iter().enumerate()
    {
        count!(tally, us, threat_to_move[index], On(set.any() & to_move, set));
    }
    let outnumbered = us.attacked_twice & them.attacked & !them.attacked_twice & !them.by_pawns;
    count!(tally, us, overloaded[0], them.all & outnumbered);
    let restricted =
        us.attacked & them.attacked & !them.by_pawns & (us.attacked_twice | !them.attacked_twice);
    count!(tally, us, restricted[0], restricted);

    let safe =
        pushes(us.pawns, !(us.all | them.all)) & !them.by_pawns & (us.attacked | !them.attacked);
    count!(tally, us, threat_by_pawn_push[0], pawn_attacks(safe) & targets & !us.by_pawns);

    let safe_squares = us.safe_squares(them);
    let knights = us.by_knights & knight_attacks(them.queens);
    count!(tally, us, threat_on_queen[0], knights & safe_squares);
    let sliders = (us.by_bishops & them.queens_diagonal) | (us.by_rooks & them.queens_orthogonal);
    count!(tally, us, threat_on_queen[1], sliders & safe_squares);
}
