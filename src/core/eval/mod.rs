//! The evaluation: classical (hand-crafted terms, no neural network), with tuned weights.
//!
//! The steps of an evaluation:
//!
//! 1. `side.rs`: both sides' attacks, from a few set-wise fills.
//! 2. The groups of terms, a file each. Both sides are seen as moving north, so their terms are
//!    counted at once: a [`Pair`] holds a set of each side, the side to move first. [`terms`]
//!    declares all terms, [`weights`] holds their weights.
//!
//!    During a search an `EvalCache` keeps the terms that depend only on pawns, kings and castling
//!    rights (`pawn_table.rs`) or only on piece counts (`material.rs`).
//! 3. [`total`](mod@total): king danger, initiative, the scale factor of the endgame and the taper
//!    between middlegame and endgame turn the sums into centipawns.
//! 4. `known.rs`: endgame [knowledge](crate::known) corrects the score.
//!
//! An [`Evaluator`] owns the weights and the solved endgames. The same code makes a [`Trace`],
//! which keeps every count. (If a side has more pieces than a game can give it, only piece values
//! count.)
//!
//! ```
//! # extern crate freshet_core as freshet;
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
#[doc(hidden)]
pub mod passers;
mod pawn_table;
mod pawns;
pub mod phased;
mod scale;
#[doc(hidden)]
pub mod side;
mod square_tables;
mod squares;
mod tally;
pub mod terms;
mod territory;
mod threats;
pub mod total;
pub mod weights;
pub mod wording;

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
#[doc(hidden)]
pub use threats::ROWS as THREAT_ROWS;
use total::{Sums, balance, total};

/// The phase of the full set of pieces. Pawn endings have phase 0.
pub const FULL_PHASE: i32 = 24;

/// The pawn hash table and the material hash table of one thread. All zeros means empty.
#[derive(bytemuck::Zeroable)]
pub(crate) struct EvalCache {
    pawns: PawnTable,
    material: MaterialTable,
}

impl EvalCache {
    /// An empty cache, allocated on the heap.
    #[cfg(test)]
    fn new() -> Box<EvalCache> {
        bytemuck::zeroed_box()
    }

    /// Prefetches the pawn table's entry of a position.
    #[inline(always)]
    pub(crate) fn prefetch(&self, position: &Position) {
        self.pawns.prefetch(position);
    }
}

/// The evaluation for a search: fast if pawns, kings and piece counts mostly stay the same from one
/// position to the next. Without `weights` the built-in ones apply; the caller passes what is known of
/// the position. Everything in the cache must have been computed with the same weights.
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

/// Not inlined, since games are played with the built-in weights.
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
    /// For each side the squares of each term, seen by White. Terms for piece counts, distances or
    /// facts without a place have none.
    pub squares: ByColor<Terms<Bitboard>>,
    /// For each square, the value of the [`Squares`](terms::TermGroup::Squares) and
    /// [`Fills`](terms::TermGroup::Fills) maps there for White, less that for Black, in
    /// centipawns.
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
    /// Counts times weights, before the nonlinear steps.
    pub sums: Sums<i32>,
    /// The middlegame and the endgame score, with king danger and initiative.
    pub balance: [i32; 2],
    /// The side that is ahead lacks the material to win.
    pub cannot_win: bool,
    /// The phase: [`FULL_PHASE`] with all pieces on the board, 0 with none.
    pub phase: i32,
    /// The balance, with the endgame scaled, blended by the phase; 0 if the side ahead cannot win.
    pub tapered: i32,
    /// Endgame knowledge about the position.
    pub known: Option<Known>,
    /// The centipawns that this knowledge adds to the tapered score.
    pub endgame_correction: i32,
    /// The evaluation: the tapered score plus the endgame correction.
    pub total: i32,
}

impl Steps {
    /// The share of a small change in the tapered score that reaches the total: 1 where knowledge changes
    /// nothing or adds a constant, 0 where it replaces the score (draws, bishop and knight), between them
    /// where it scales the score.
    #[doc(hidden)]
    pub fn correction_slope(&self) -> f64 {
        /// Centipawns of the change.
        const STEP: i32 = 16;
        let Some(known) = self.known.filter(|_| self.endgame_correction != 0) else { return 1.0 };
        let [above, below] =
            [STEP, -STEP].map(|step| known::corrected(&known, self.tapered + step));
        f64::from(above - below) / f64::from(2 * STEP)
    }
}

/// Evaluates positions in which a side has more pieces than any game can give it. The sums might
/// overflow [`Phased`], so only piece values count, as in the middlegame.
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

/// Converts between White-Black order and mover-opponent order, in either direction.
#[inline(always)]
fn by_turn<T>(turn: Color, [first, second]: [T; 2]) -> [T; 2] {
    if turn.is_white() { [first, second] } else { [second, first] }
}

/// The evaluation; reports each count to the tracer. Cached terms are not reported, so with a cache
/// the tracer must be one that records nothing, such as `()`.
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
