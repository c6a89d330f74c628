//! Counting and tracing in one: the line of code that adds a term to the evaluation also reports
//! it, so that a trace cannot disagree with the score.
//!
//! The evaluation is generic over a [`Tracer`]. In play that is `()`, whose methods are empty and
//! compiled away.

use super::phased::Phased;
use super::squares::SquareMaps;
use super::terms::{TermGroup, TermGroups, Terms};
use super::weights::{WEIGHTS, Weights};
use crate::chess::{Bitboard, ByColor, Color, Square, facing_north};

/// The built-in weights. The compiler knows their values.
static BUILT_IN: Weights = WEIGHTS;

/// Receives every count of an evaluation: `()` in play, which ignores it, [`TermCounts`] for the
/// table that `eval` shows, for tests and for tuning.
pub trait Tracer {
    /// Whether the tracer records anything. If not, loops that serve only the tracer are skipped.
    const ENABLED: bool;
    /// The weights of the evaluation.
    #[inline(always)]
    fn weights(&self) -> &Weights {
        &BUILT_IN
    }
    /// The tables of square maps that are made of the weights; `None` for the built-in ones.
    #[inline(always)]
    fn maps(&self) -> Option<&SquareMaps> {
        None
    }
    /// Records `count` more of a term for `side`.
    fn record(&mut self, side: Color, count: i32, term: impl FnOnce(&mut Terms<i32>) -> &mut i32);
    /// Records the squares of a count of a term for `side`, seen by that side.
    #[inline(always)]
    fn record_squares(
        &mut self,
        _side: Color,
        _squares: Bitboard,
        _term: impl FnOnce(&mut Terms<Bitboard>) -> &mut Bitboard,
    ) {
    }
    /// Records the weight that a square of one of the square maps brings `side`. The square is
    /// seen from White's point of view.
    #[inline(always)]
    fn record_square(&mut self, _side: Color, _square: Square, _weight: Phased) {}
    /// Whether a group of terms is part of the evaluation: an ablation leaves some out.
    #[inline(always)]
    fn includes(&self, _group: TermGroup) -> bool {
        true
    }
}

/// Play: nothing is recorded.
impl Tracer for () {
    const ENABLED: bool = false;
    #[inline(always)]
    fn record(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i32>) -> &mut i32) {}
}

/// The weights of another tracer with all groups, nothing recorded: for what is kept in a cache.
pub struct Unrecorded<'a, T>(pub &'a T);

impl<T: Tracer> Tracer for Unrecorded<'_, T> {
    const ENABLED: bool = false;
    #[inline(always)]
    fn weights(&self) -> &Weights {
        self.0.weights()
    }
    #[inline(always)]
    fn maps(&self) -> Option<&SquareMaps> {
        self.0.maps()
    }
    #[inline(always)]
    fn record(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i32>) -> &mut i32) {}
}

/// Ablation: the groups of this set are left out of the evaluation.
impl Tracer for TermGroups {
    const ENABLED: bool = false;
    #[inline(always)]
    fn record(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i32>) -> &mut i32) {}
    #[inline(always)]
    fn includes(&self, group: TermGroup) -> bool {
        !self.contains(group)
    }
}

/// For each square, a1 to h8, its weights for White less those for Black.
pub type SquareValues = [Phased; 64];

impl Tracer for SquareValues {
    const ENABLED: bool = true;
    fn record(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i32>) -> &mut i32) {}
    fn record_square(&mut self, side: Color, square: Square, weight: Phased) {
        let value = &mut self[square as usize];
        *value = if side.is_white() { *value + weight } else { *value - weight };
    }
}

/// The counts of all terms, by side.
pub type TermCounts = ByColor<Terms<i32>>;

impl Tracer for TermCounts {
    const ENABLED: bool = true;
    fn record(&mut self, side: Color, count: i32, term: impl FnOnce(&mut Terms<i32>) -> &mut i32) {
        *term(self.get_mut(side)) += count;
    }
}

/// The counts of all terms and the squares they were counted on, by side. Squares are seen by
/// White; terms that are counted without a set have none.
#[derive(Clone, Debug)]
pub struct TermSquares {
    /// How often each term was counted.
    pub counts: TermCounts,
    /// On which squares.
    pub squares: ByColor<Terms<Bitboard>>,
}

impl Tracer for TermSquares {
    const ENABLED: bool = true;
    fn record(&mut self, side: Color, count: i32, term: impl FnOnce(&mut Terms<i32>) -> &mut i32) {
        self.counts.record(side, count, term);
    }
    fn record_squares(
        &mut self,
        side: Color,
        squares: Bitboard,
        term: impl FnOnce(&mut Terms<Bitboard>) -> &mut Bitboard,
    ) {
        *term(self.squares.get_mut(side)) |= facing_north(squares, side);
    }
}

/// What a term is counted by: a number, or a set, whose squares are counted and named in a trace.
pub trait Counted: Copy {
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

/// A number with the squares that it is about, for terms that count something else than the squares
/// of a set. They are named only if the number is not zero.
#[derive(Clone, Copy, Debug)]
pub struct On<C>(pub C, pub Bitboard);

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

/// The running sums of an evaluation and its tracer.
#[derive(Debug)]
pub struct Tally<T> {
    /// Counts times weights of all [value](super::terms::Purpose::Value) groups, for the side that
    /// is being counted.
    pub value: Phased,
    /// The same for its attack on the enemy king.
    pub danger: Phased,
    /// The same for the initiative, which is counted once for both sides.
    pub initiative: Phased,
    /// Receives each count.
    pub tracer: T,
}

impl<T> Tally<T> {
    /// All sums zero.
    #[inline(always)]
    pub fn new(tracer: T) -> Tally<T> {
        let zero = Phased::ZERO;
        Tally { value: zero, danger: zero, initiative: zero, tracer }
    }
}

/// Adds a count of a term for a side: `count!(tally, us, doubled[0], set)`, where a number may stand
/// for the set. To add to another sum than the value:
/// `count!(tally, us, danger_ring_twice[0], set => tally.danger)`.
macro_rules! count {
    ($tally:expr, $side:expr, $term:ident[$index:expr], $count:expr) => {{
        count!($tally, $side, $term[$index], $count => $tally.value)
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

pub(crate) use count;
