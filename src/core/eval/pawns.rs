//! Pawn structure: doubled, isolated and backward pawns and levers, from pawn spans.

use super::side::PawnSide;
use super::tally::{Tally, Tracer, count};
use crate::fill::Direction;
use crate::fill::spans::{beside, file_fill, north_fill, rear_span};

/// Counts the group for one side. Phalanxes, supported pawns and candidate passed pawns have maps
/// among the [square maps](super::squares).
#[inline(always)]
pub(super) fn count(us: &PawnSide, them: &PawnSide, tally: &mut Tally<impl Tracer>) {
    let doubled = us.pawns & rear_span(us.pawns);
    count!(tally, us, doubled[0], doubled);

    let adjacent_files = beside(file_fill(us.pawns));
    let isolated = us.pawns & !adjacent_files;
    count!(tally, us, isolated[0], isolated);
    let unopposed = !rear_span(them.pawns);
    count!(tally, us, isolated_unopposed[0], isolated & unopposed);

    // Backward: not isolated, but no own pawn beside or behind it on the adjacent files, and its stop
    // square is attacked by an enemy pawn and defended by none of ours.
    let defensible = north_fill(beside(us.pawns));
    let stopped = Direction::South.step(them.by_pawns & !us.by_pawns);
    let backward = us.pawns & !defensible & stopped & adjacent_files;
    count!(tally, us, backward[0], backward);
    count!(tally, us, backward_unopposed[0], backward & unopposed);
    count!(tally, us, lever[0], us.pawns & them.by_pawns);
}
