//! The line that adds is the line that traces.

use super::phased::Phased;
use super::terms::{TermGroup, TermGroups, Terms};
use crate::chess::{ByColor, Color, Square};

/// Where counts go beside the sum: nowhere during play, into a trace for people, tests and tuning.
pub trait Tracer {
    /// Whether anybody listens.
    const ON: bool;
    /// A count of one side, for one term.
    fn note(&mut self, side: Color, count: i32, term: impl FnOnce(&mut Terms<i32>) -> &mut i32);
    /// What a square of a fill is worth to a side; the square as White sees the board.
    #[inline(always)]
    fn share(&mut self, _side: Color, _square: Square, _weight: Phased) {}
    /// Whether a room is to count at all.
    #[inline(always)]
    fn wants(&self, _: TermGroup) -> bool {
        true
    }
}

impl Tracer for () {
    const ON: bool = false;
    #[inline(always)]
    fn note(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i32>) -> &mut i32) {}
}

/// Some rooms do not count: what are they worth?
impl Tracer for TermGroups {
    const ON: bool = false;
    #[inline(always)]
    fn note(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i32>) -> &mut i32) {}
    #[inline(always)]
    fn wants(&self, group: TermGroup) -> bool {
        !self.contains(group)
    }
}

/// What the squares are worth to White less what they are worth to Black.
pub type Shares = [Phased; 64];

impl Tracer for Shares {
    const ON: bool = true;
    fn note(&mut self, _: Color, _: i32, _: impl FnOnce(&mut Terms<i32>) -> &mut i32) {}
    fn share(&mut self, side: Color, square: Square, weight: Phased) {
        let share = &mut self[square as usize];
        *share = if side.is_white() { *share + weight } else { *share - weight };
    }
}

/// The counts of both sides.
pub type Counts = ByColor<Terms<i32>>;

impl Tracer for Counts {
    const ON: bool = true;
    fn note(&mut self, side: Color, count: i32, term: impl FnOnce(&mut Terms<i32>) -> &mut i32) {
        *term(self.get_mut(side)) += count;
    }
}

/// The running sums and the tracer.
#[derive(Debug)]
pub struct Tally<T> {
    /// Counts times weights of all rooms whose sum is a value, for the side that is being counted.
    pub value: Phased,
    /// The same of its attack on the other's king.
    pub danger: Phased,
    /// The same of what makes a win likely, for neither side.
    pub initiative: Phased,
    /// What is told of each count.
    pub tracer: T,
}

/// Adds a count of a term for a side: `count!(tally, us, doubled[0], n)`; to another sum than the value:
/// `count!(tally, us, danger_near[0], n => tally.danger)`.
macro_rules! count {
    ($tally:expr, $side:expr, $term:ident[$index:expr], $count:expr) => {{
        count!($tally, $side, $term[$index], $count => $tally.value)
    }};
    ($tally:expr, $side:expr, $term:ident[$index:expr], $count:expr => $sum:expr) => {{
        let (index, count) = ($index as usize, $count as i32);
        $sum += $crate::eval::weights::WEIGHTS.$term[index] * count;
        $crate::eval::tally::Tracer::note(&mut $tally.tracer, $side.color, count, |terms| {
            &mut terms.$term[index]
        });
    }};
}

pub(crate) use count;
