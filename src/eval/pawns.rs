//! Pawn structure, from spans.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::fill::Direction;
use crate::fill::spans::{beside, file_fill, north_fill, rear_span};

/// Counts the room for one side; what stands beside, guarded or as a candidate is weighed with the squares.
#[inline(always)]
pub fn count(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    let doubled = us.pawns & rear_span(us.pawns);
    count!(tally, us, doubled[0], doubled.count());

    let neighbours = beside(file_fill(us.pawns));
    let isolated = us.pawns & !neighbours;
    count!(tally, us, isolated[0], isolated.count());
    let open = isolated & !rear_span(them.pawns);
    count!(tally, us, isolated_open[0], open.count());

    // What our pawns guard or could guard after pushes is no hole; a pawn in a hole that may not step out of it, since
    // an enemy pawn would take it, is backward.
    let guardable = north_fill(beside(us.pawns));
    let stopped = Direction::South.step(them.by_pawns & !us.by_pawns);
    let backward = us.pawns & !guardable & stopped & neighbours;
    count!(tally, us, backward[0], backward.count());
    let unopposed = us.pawns & !rear_span(them.pawns);
    count!(tally, us, backward_open[0], (backward & unopposed).count());
    count!(tally, us, lever[0], (us.pawns & them.by_pawns).count());
}
