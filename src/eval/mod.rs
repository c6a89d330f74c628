//! The evaluation: classical (hand-crafted terms, no neural network), with tuned weights.
//!
//! The steps of an evaluation:
//!
//! 1. `side.rs`: both sides' attacks, from a few set-wise fills.
//! 2. The groups of terms, a file each. The terms of both sides are counted at once, since each
//!    side is seen as moving north: a [`Pair`] holds a set of each side, the side to move first.
//!    [`terms`] declares all terms, [`weights`] holds their weights.
//!
//!    What depends on pawns, kings and castling rights only, and on the numbers of pieces only, is
//!    kept in an [`EvalCache`] during a search: `pawn_table.rs`, `material.rs`.
//! 3. [`total`](mod@total): king danger, initiative, the scale factor of the endgame and the taper
//!    between middlegame and endgame turn the sums into centipawns.
//! 4. `known.rs`: what is [known](crate::known) of an endgame corrects the score.
//!
//! An [`Evaluator`] owns the weights and what was solved of endgames. A [`Trace`] is made by the same
//! code, which then keeps every count. (With more pieces of a side than a game can give it, piece
//! values alone count.)
//!
//! ```
//! use freshet::board::Position;
//! use freshet::eval::Evaluator;
//!
//! // White is a rook up, and to move.
//! let position = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1").unwrap();
//! let mut evaluator = Evaluator::new();
//! let score = evaluator.evaluate(&position);
//! assert!(score.raw() > 300);
//!
//! let trace = evaluator.trace(&position);
//! assert_eq!(trace.counts.white.material, [4, 0, 0, 1, 0]);
//! assert_eq!(score.as_cp(), Some(trace.steps.total));
//! ```

mod evaluator;
mod initiative;
mod king;
mod known;
mod loaded;
mod material;
mod mobility;
pub(crate) mod passers;
mod pawn_table;
mod pawns;
pub mod phased;
mod scale;
pub(crate) mod side;
mod square_tables;
mod squares;
mod tally;
pub mod terms;
mod territory;
pub(crate) mod threats;
pub mod total;
pub mod weights;

use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color};
use crate::fill::Pair;
use crate::known::Known;
use crate::score::Score;
pub use evaluator::{Evaluator, evaluate, trace};
pub(crate) use loaded::LoadedWeights;
use material::{MaterialTable, MaterialTerms};
use pawn_table::{PawnTable, PawnTerms};
use phased::Phased;
use side::Side;
pub use tally::SquareValues;
use tally::{Recorded, Recorder, Sum, Tally, Tracer};
use terms::Terms;
use territory::Territory;
use total::{Sums, balance, total};

/// The phase of the full set of pieces. Pawn endings have phase 0.
pub const FULL_PHASE: i32 = 24;

/// A pawn hash table and a material hash table of one thread. Made of zeros, it is empty.
#[derive(bytemuck::Zeroable)]
pub(crate) struct EvalCache {
    pawns: PawnTable,
    material: MaterialTable,
}

impl EvalCache {
    /// An empty cache.
    #[cfg(test)]
    pub fn new() -> Box<EvalCache> {
        bytemuck::zeroed_box()
    }

    /// Prefetches what the evaluation of a position will read.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position) {
        self.pawns.prefetch(position);
    }
}

/// The evaluation as a search needs it: fast where pawns, kings and numbers of pieces are mostly the
/// same from one position to the next. What is known of the position is given. `None` for the built-in
/// weights; all that is in the cache must have been computed with the same.
#[inline]
pub(crate) fn evaluate_cached(
    position: &Position,
    known: Option<Known>,
    weights: Option<&LoadedWeights>,
    cache: &mut EvalCache,
) -> Score {
    let steps = match weights {
        None => evaluate_traced(position, known, (), Some(cache)).0,
        Some(weights) => evaluate_loaded(position, known, weights, cache),
    };
    Score::cp(steps.total).for_side(position.turn())
}

/// Not inlined: rare.
#[cold]
fn evaluate_loaded(
    position: &Position,
    known: Option<Known>,
    weights: &LoadedWeights,
    cache: &mut EvalCache,
) -> Steps {
    evaluate_traced(position, known, weights, Some(cache)).0
}

/// An evaluation with all its counts and intermediate results.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How often each term was counted for each side.
    pub counts: ByColor<Terms<i32>>,
    /// For each side the squares of each of its terms, seen by White. Terms that are numbers of
    /// pieces, distances or facts of no place have none.
    pub squares: ByColor<Terms<Bitboard>>,
    /// For each square the value of the [`Squares`](terms::TermGroup::Squares) and
    /// [`Fills`](terms::TermGroup::Fills) maps there for White, less that for Black.
    pub square_values: SquareValues,
    /// The steps from the sums to the total.
    pub steps: Steps,
}

impl Trace {
    fn new(position: &Position, known: Option<Known>, weights: &LoadedWeights) -> Trace {
        let recorder = Recorder { weights, recorded: Recorded::nothing() };
        let (steps, Recorder { recorded, .. }) = evaluate_traced(position, known, recorder, None);
        let Recorded { counts, squares, square_values } = recorded;
        Trace { counts, squares, square_values, steps }
    }
}

/// The steps from the sums to the total, in centipawns, White less Black.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Counts times weights.
    pub sums: Sums<i32>,
    /// The middlegame and the endgame score, with king danger and initiative.
    pub balance: [i32; 2],
    /// The side that is ahead cannot win with its material.
    pub cannot_win: bool,
    /// The phase: [`FULL_PHASE`] with all pieces on the board, 0 with none.
    pub phase: i32,
    /// The balance, endgame scaled, blended by the phase; 0 where the side ahead cannot win.
    pub tapered: i32,
    /// What is known of the endgame.
    pub known: Option<Known>,
    /// What is added to the tapered score because of that.
    pub endgame_correction: i32,
    /// The evaluation: the sum of the last two.
    pub total: i32,
}

impl Steps {
    /// How much of a small change of the tapered score is left in the total: 1 where nothing is known
    /// or a win is, 0 where the result is known.
    pub(crate) fn correction_slope(&self) -> f64 {
        /// Centipawns of the change.
        const STEP: i32 = 16;
        let Some(known) = self.known.filter(|_| self.endgame_correction != 0) else { return 1.0 };
        let [above, below] =
            [STEP, -STEP].map(|step| known::corrected(&known, self.tapered + step));
        f64::from(above - below) / f64::from(2 * STEP)
    }
}

/// The evaluation of positions in which a side has pieces that no game can give it, so that the
/// sums might not fit into [`Phased`]: piece values only, as in the middlegame.
#[cold]
fn evaluate_material<T: Tracer>(position: &Position, mut tracer: T) -> (Steps, T) {
    let mut value = [0; 2];
    for (side, sign) in [(Color::White, 1), (Color::Black, -1)] {
        for (index, role) in material::ROLES.into_iter().enumerate() {
            let count = position.set(side, role).count() as i32;
            tracer.record(side, count, |terms| &mut terms.material[index]);
            let weight = tracer.weights().material[index];
            value[0] += sign * count * weight.mg();
            value[1] += sign * count * weight.eg();
        }
    }
    let sums = Sums { value, danger: [[0; 2]; 2], initiative: 0, scale: 0 };
    let balance = balance(&sums);
    let tapered = total(balance, sums.scale, FULL_PHASE);
    let phase = FULL_PHASE;
    let steps = Steps {
        sums,
        balance,
        cannot_win: false,
        phase,
        tapered,
        known: None,
        endgame_correction: 0,
        total: tapered,
    };
    (steps, tracer)
}

/// From White's and Black's to that of the side to move and the other side's, or back.
#[inline(always)]
fn by_turn<T>(turn: Color, [first, second]: [T; 2]) -> [T; 2] {
    if turn.is_white() { [first, second] } else { [second, first] }
}

/// The evaluation, each count reported to the tracer. What the cache holds is not recorded: with a
/// cache, the tracer must record nothing, as `()` does.
#[inline(always)]
fn evaluate_traced<T: Tracer>(
    position: &Position,
    known: Option<Known>,
    tracer: T,
    mut cache: Option<&mut EvalCache>,
) -> (Steps, T) {
    let mut tally = Tally::new(tracer);
    let material = match cache.as_deref_mut() {
        Some(cache) => cache.material.get(position, tally.tracer.silent()),
        None => MaterialTerms::count(position, &mut tally),
    };
    if material.impossible {
        return evaluate_material(position, tally.tracer);
    }
    let pawn_terms = match cache {
        Some(cache) => *cache.pawns.get(position, tally.tracer.silent()),
        None => PawnTerms::count(position, &mut tally),
    };
    let (us, sliders) = Side::new(position);
    let them = us.opponents();
    let turn = position.turn();
    let [our_passed, their_passed] = by_turn(turn, pawn_terms.passed());
    let passed = Pair::new(our_passed, their_passed);
    (tally.value, tally.danger) = (Sum::zero(), Sum::zero());
    let territory = Territory::new(&us, &them);
    material::count(&us, &mut tally);
    squares::count(&us, &them, passed, &territory, &mut tally);
    mobility::count(&us, &sliders, &them, &mut tally);
    passers::count(&us, &them, passed, &mut tally);
    king::count(&us, &them, &mut tally);
    threats::count(&us, &sliders, &them, &mut tally);
    territory::count(&us, &them, &mut tally);
    tally.initiative = pawn_terms.initiative;
    initiative::count(position, &mut tally);

    let both = |sum: Phased| [sum.mg(), sum.eg()];
    let [white, black] = by_turn(turn, tally.value.lanes());
    let value = material.value + pawn_terms.value + white - black;
    let [white, black] = by_turn(turn, tally.danger.lanes());
    let danger = [pawn_terms.danger[0] + white, pawn_terms.danger[1] + black];
    let mut sums = Sums {
        value: both(value),
        danger: danger.map(both),
        initiative: tally.initiative.eg(),
        scale: 0,
    };
    let balance = balance(&sums);
    let white_is_ahead = balance[1] > 0 || (balance[1] == 0 && balance[0] > 0);
    let ahead = if white_is_ahead { Color::White } else { Color::Black };
    let scale = scale::scale(position, ahead, &mut tally);
    sums.scale = scale.unwrap_or_default();
    let phase = material.phase;
    let tapered = if scale.is_some() { total(balance, sums.scale, phase) } else { 0 };
    let total = known.map_or(tapered, |known| known::corrected(&known, tapered));
    let endgame_correction = total - tapered;
    let cannot_win = scale.is_none();
    let steps =
        Steps { sums, balance, cannot_win, phase, tapered, known, endgame_correction, total };
    (steps, tally.tracer)
}
