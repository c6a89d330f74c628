//! Counting and tracing in one: the line of code that adds a term to the evaluation also reports
//! it, so that a trace cannot disagree with the score.
//!
//! The evaluation is generic over a [`Tracer`]. In play that is `()`, whose empty methods compile
//! to nothing.

use super::loaded::LoadedWeights;
use super::phased::Phased;
use super::square_tables::SquareTables;
use super::terms::Terms;
use super::weights::{WEIGHTS, Weights};
use crate::chess::{Bitboard, ByColor, Color, Square, facing_north};
use crate::fill::{Counts, Pair};

/// The built-in weights, as constants that the compiler can fold.
static BUILT_IN: Weights = WEIGHTS;

/// Supplies the weights of an evaluation and receives every count. `()` has the built-in weights
/// and [`LoadedWeights`] has others; both ignore the counts. A [`Recorder`] keeps them.
pub(super) trait Tracer {
    /// Whether the tracer records anything. If not, loops that serve only the tracer are skipped.
    const ENABLED: bool;
    /// A tracer with the same weights that records nothing.
    type Silent: Tracer;
    /// A tracer with these weights that records nothing, for terms kept in a cache.
    fn silent(&self) -> Self::Silent;
    /// The weights of the evaluation.
    fn weights(&self) -> &Weights;
    /// The tables of square maps for these weights; `None` for the built-in ones.
    fn tables(&self) -> Option<&SquareTables>;
    /// [`Tracer::ENABLED`] as a method, for macros.
    #[inline(always)]
    fn records(&self) -> bool {
        Self::ENABLED
    }
    /// Records `count` more of a term for `side`.
    #[inline(always)]
    fn record(
        &mut self,
        _side: Color,
        _count: i32,
        _term: impl FnOnce(&mut Terms<i32>) -> &mut i32,
    ) {
    }
    /// Records the squares of a count of a term for `side`, seen by that side.
    #[inline(always)]
    fn record_squares(
        &mut self,
        _side: Color,
        _squares: Bitboard,
        _term: impl FnOnce(&mut Terms<Bitboard>) -> &mut Bitboard,
    ) {
    }
    /// Records the weight of a square of one of the square maps for `side`. The square is seen from
    /// White's point of view.
    #[inline(always)]
    fn record_square(&mut self, _side: Color, _square: Square, _weight: Phased) {}
}

impl Tracer for () {
    const ENABLED: bool = false;
    type Silent = ();
    #[inline(always)]
    fn silent(&self) {}
    #[inline(always)]
    fn weights(&self) -> &Weights {
        &BUILT_IN
    }
    #[inline(always)]
    fn tables(&self) -> Option<&SquareTables> {
        None
    }
}

impl<'a> Tracer for &'a LoadedWeights {
    const ENABLED: bool = false;
    type Silent = &'a LoadedWeights;
    #[inline(always)]
    fn silent(&self) -> &'a LoadedWeights {
        self
    }
    #[inline(always)]
    fn weights(&self) -> &Weights {
        &self.weights
    }
    #[inline(always)]
    fn tables(&self) -> Option<&SquareTables> {
        Some(&self.tables)
    }
}

/// For each square, a1 to h8, its weights for White less those for Black, in centipawns.
pub type SquareValues = [Phased; 64];

/// The counts that a [`Recorder`] has received.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    /// How often each term was counted, by side.
    pub(super) counts: ByColor<Terms<i32>>,
    /// The squares on which each term was counted, by side, seen by White. Empty for terms counted
    /// without a set.
    pub(super) squares: ByColor<Terms<Bitboard>>,
    /// The values of the square maps on each square.
    pub(super) square_values: SquareValues,
}

impl Recorded {
    /// An empty record.
    pub(super) fn nothing() -> Recorded {
        Recorded {
            counts: ByColor::new_with(|_| Terms::all(0)),
            squares: ByColor::new_with(|_| Terms::all(Bitboard::EMPTY)),
            square_values: [Phased::ZERO; 64],
        }
    }
}

/// Keeps every count of an evaluation.
#[derive(Clone, Debug)]
pub(super) struct Recorder<'a> {
    /// The weights of the evaluation.
    pub(super) weights: &'a LoadedWeights,
    /// The counts received so far.
    pub(super) recorded: Recorded,
}

impl<'a> Tracer for Recorder<'a> {
    const ENABLED: bool = true;
    type Silent = &'a LoadedWeights;
    fn silent(&self) -> &'a LoadedWeights {
        self.weights
    }
    fn weights(&self) -> &Weights {
        &self.weights.weights
    }
    fn tables(&self) -> Option<&SquareTables> {
        Some(&self.weights.tables)
    }
    fn record(&mut self, side: Color, count: i32, term: impl FnOnce(&mut Terms<i32>) -> &mut i32) {
        *term(self.recorded.counts.get_mut(side)) += count;
    }
    fn record_squares(
        &mut self,
        side: Color,
        squares: Bitboard,
        term: impl FnOnce(&mut Terms<Bitboard>) -> &mut Bitboard,
    ) {
        *term(self.recorded.squares.get_mut(side)) |= facing_north(squares, side);
    }
    fn record_square(&mut self, side: Color, square: Square, weight: Phased) {
        let value = &mut self.recorded.square_values[square as usize];
        *value = if side.is_white() { *value + weight } else { *value - weight };
    }
}

/// The argument by which a term is counted: a number, or a set whose squares are counted and named
/// in a trace.
pub(super) trait Counted: Copy {
    /// How often the term is counted.
    fn times(self) -> i32;
    /// The squares, seen by the side that is counted.
    #[inline(always)]
    fn squares(self) -> Bitboard {
        Bitboard::EMPTY
    }
}

impl Counted for i32 {
    #[inline(always)]
    fn times(self) -> i32 {
        self
    }
}

impl Counted for usize {
    #[inline(always)]
    fn times(self) -> i32 {
        self as i32
    }
}

impl Counted for bool {
    #[inline(always)]
    fn times(self) -> i32 {
        i32::from(self)
    }
}

impl Counted for Bitboard {
    #[inline(always)]
    fn times(self) -> i32 {
        self.count() as i32
    }
    #[inline(always)]
    fn squares(self) -> Bitboard {
        self
    }
}

/// A number with the squares it is about, for terms that do not count the squares of a set. A trace
/// names the squares only if the number is not zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct On<C, S = Bitboard>(pub(super) C, pub(super) S);

impl<C: Counted> Counted for On<C> {
    #[inline(always)]
    fn times(self) -> i32 {
        self.0.times()
    }
    #[inline(always)]
    fn squares(self) -> Bitboard {
        if self.0.times() == 0 { Bitboard::EMPTY } else { self.1 }
    }
}

/// The argument by which a term is counted for both sides at once: numbers, or sets whose squares
/// are counted and named in a trace.
pub(super) trait CountedForBoth: Copy {
    /// How often the term is counted.
    fn times(self) -> Counts;
    /// The squares, seen by the sides that are counted.
    #[inline(always)]
    fn squares(self) -> Pair {
        Pair::both(Bitboard::EMPTY)
    }
}

impl CountedForBoth for Counts {
    #[inline(always)]
    fn times(self) -> Counts {
        self
    }
}

impl CountedForBoth for Pair {
    #[inline(always)]
    fn times(self) -> Counts {
        self.count()
    }
    #[inline(always)]
    fn squares(self) -> Pair {
        self
    }
}

impl CountedForBoth for On<Counts, Pair> {
    #[inline(always)]
    fn times(self) -> Counts {
        self.0
    }
    #[inline(always)]
    fn squares(self) -> Pair {
        let [first, second] = self.1.lanes();
        let [a, b] = self.0.lanes();
        Pair::new(On(a, first).squares(), On(b, second).squares())
    }
}

/// The index of the weight that counts: one index for both sides, or one for each.
pub(super) trait WeightIndex: Copy {
    /// The index for each lane.
    fn lanes(self) -> [usize; 2];
}

impl WeightIndex for usize {
    #[inline(always)]
    fn lanes(self) -> [usize; 2] {
        [self; 2]
    }
}

impl WeightIndex for [usize; 2] {
    #[inline(always)]
    fn lanes(self) -> [usize; 2] {
        self
    }
}

/// The index for terms whose weight 0 applies with the enemy to move and weight 1 with us to move.
/// The first lane belongs to the side to move.
pub(super) const BY_MOVER: [usize; 2] = [1, 0];

/// A sum of counts times weights for each side. The lanes are White and Black while
/// `pawn_table.rs` and `material.rs` count, else the side to move and the other side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    /// Terms counted for both sides at once, packed.
    pub(crate) both: Counts,
    /// Terms counted for one side, by its lane.
    pub(crate) each: [Phased; 2],
}

impl Sum {
    /// Zero for both sides.
    #[inline(always)]
    pub(super) fn zero() -> Sum {
        Sum { both: Counts::new([0; 2]), each: [Phased::ZERO; 2] }
    }

    /// The sums by lane.
    #[inline(always)]
    pub(super) fn lanes(self) -> [Phased; 2] {
        let ([a, b], [c, d]) = (self.both.lanes(), self.each);
        [Phased::from_packed(a) + c, Phased::from_packed(b) + d]
    }
}

/// The running sums of an evaluation and its tracer.
#[derive(Debug)]
pub(super) struct Tally<T> {
    /// Counts times weights of all [value](super::terms::Purpose::Value) groups.
    pub(super) value: Sum,
    /// Counts times weights of the attack on the enemy king.
    pub(super) danger: Sum,
    /// Counts times weights of the initiative, which is counted once for both sides.
    pub(super) initiative: Phased,
    /// Supplies the weights and receives each count.
    pub(super) tracer: T,
}

impl<T> Tally<T> {
    /// A tally with all sums zero.
    #[inline(always)]
    pub(super) fn new(tracer: T) -> Tally<T> {
        Tally { value: Sum::zero(), danger: Sum::zero(), initiative: Phased::ZERO, tracer }
    }
}

/// Adds a count of a term for a side: `count!(tally, us, doubled[0], set)`. A number may replace
/// the set. To add to another sum than the value:
/// `count!(tally, us, initiative_pawns[0], set => tally.initiative)`.
macro_rules! count {
    ($tally:expr, $side:expr, $term:ident[$index:expr], $count:expr) => {{
        count!($tally, $side, $term[$index], $count => $tally.value.each[$side.lane])
    }};
    ($tally:expr, $side:expr, $term:ident[$index:expr], $count:expr => $sum:expr) => {{
        use $crate::eval::tally::{Counted, Tracer};
        let (index, counted) = ($index as usize, $count);
        let count = Counted::times(counted);
        let weight = Tracer::weights(&$tally.tracer).$term[index];
        $sum += weight * count;
        Tracer::record(&mut $tally.tracer, $side.color, count, |terms| &mut terms.$term[index]);
        let squares = Counted::squares(counted);
        Tracer::record_squares(&mut $tally.tracer, $side.color, squares, |sets| {
            &mut sets.$term[index]
        });
    }};
}

/// Adds a count of a term for both sides at once: `count_both!(tally, us, restricted[0], pair)`.
/// [`Counts`] may replace the sets, and `[1, 0]` the index. `us` must not be the
/// [opponents](super::side::Side::opponents), whose lanes are the other way round. To add to
/// another sum than the value: `count_both!(tally, us, danger_ring_twice[0], set => tally.danger)`.
macro_rules! count_both {
    ($tally:expr, $sides:expr, $term:ident[$index:expr], $count:expr) => {{
        count_both!($tally, $sides, $term[$index], $count => $tally.value)
    }};
    ($tally:expr, $sides:expr, $term:ident[$index:expr], $count:expr => $sum:expr) => {{
        use $crate::eval::tally::{CountedForBoth, Tracer, WeightIndex};
        let (indices, counted) = (WeightIndex::lanes($index), $count);
        let counts = CountedForBoth::times(counted);
        let weights = &Tracer::weights(&$tally.tracer).$term;
        let weights = indices.map(|index| weights[index].packed());
        $sum.both += counts.times($crate::fill::Counts::new(weights));
        if $tally.tracer.records() {
            let squares = CountedForBoth::squares(counted).lanes();
            let colors = [$sides.color, $sides.color.other()];
            for (lane, count) in counts.lanes().into_iter().enumerate() {
                let (tracer, index) = (&mut $tally.tracer, indices[lane]);
                Tracer::record(tracer, colors[lane], count, |terms| &mut terms.$term[index]);
                Tracer::record_squares(tracer, colors[lane], squares[lane], |sets| {
                    &mut sets.$term[index]
                });
            }
        }
    }};
}

pub(crate) use {count, count_both};
