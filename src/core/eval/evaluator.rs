//! The evaluator: weights, built in or loaded, and the endgames solved so far.

use std::sync::{Arc, LazyLock};

use super::loaded::LoadedWeights;
use super::square_tables::SquareTables;
use super::weights::{WEIGHTS, Weights};
use super::{Trace, evaluate_traced};
use crate::board::Position;
use crate::known::Knowledge;
use crate::score::Score;

/// The built-in weights. In play the compiler builds them into the evaluation as constants. A
/// second copy of the evaluation reads these, or loaded weights, from memory.
static BUILT_IN: LazyLock<LoadedWeights> = LazyLock::new(|| loaded(WEIGHTS));

/// Weights with their tables.
fn loaded(weights: Weights) -> LoadedWeights {
    LoadedWeights { tables: SquareTables::new(&weights), weights }
}

/// Evaluates single positions as accurately as possible: it waits for bitbases, up to two seconds on
/// first use. A search on the clock does not wait.
#[derive(Default)]
pub struct Evaluator {
    /// Weights that replace the built-in ones.
    weights: Option<Arc<LoadedWeights>>,
    knowledge: Knowledge,
}

impl Evaluator {
    /// With the built-in weights.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Uses these weights, or the built-in ones if `None`.
    ///
    /// # Panics
    ///
    /// If a weight of a square map is not within ±127. `freshet::tools::weights` checks this when
    /// it reads weights.
    pub fn with_weights(weights: Option<Weights>) -> Evaluator {
        let mut evaluator = Evaluator::new();
        evaluator.set_weights(weights);
        evaluator
    }

    /// Uses these weights from now on, or the built-in ones if `None`. Panics like
    /// [`Evaluator::with_weights`].
    pub fn set_weights(&mut self, weights: Option<Weights>) {
        self.weights = weights.map(|weights| Arc::new(loaded(weights)));
    }

    /// The weights in use.
    pub fn weights(&self) -> &Weights {
        &self.in_use().weights
    }

    /// The weights that replace the built-in ones, if any.
    pub fn loaded_weights(&self) -> Option<&Weights> {
        self.weights.as_ref().map(|loaded| &loaded.weights)
    }

    /// The replacing weights with their tables, if any.
    pub(crate) fn loaded(&self) -> Option<&Arc<LoadedWeights>> {
        self.weights.as_ref()
    }

    fn in_use(&self) -> &LoadedWeights {
        self.weights.as_deref().unwrap_or(&BUILT_IN)
    }

    /// The endgame knowledge, which keeps what it solves.
    #[doc(hidden)]
    pub fn knowledge(&mut self) -> &mut Knowledge {
        &mut self.knowledge
    }

    /// Solves a position before it is evaluated: endings with a few pieces, and pawn endings that
    /// lead to many structures. Takes up to two seconds, or five with three pieces and no pawns; keeps
    /// earlier results for the same pawns.
    #[doc(hidden)]
    pub fn prepare(&mut self, position: &Position) {
        self.knowledge.prepare_fully(position);
    }

    /// The static evaluation in centipawns, from the point of view of the side to move.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let known = self.knowledge.ask(position);
        let steps = match &self.weights {
            None => evaluate_traced(position, known, (), None).0,
            Some(weights) => evaluate_traced(position, known, &**weights, None).0,
        };
        Score::cp(steps.total).for_side(position.turn())
    }

    /// The evaluation with all its counts, their squares and the steps from the sums to the total.
    pub fn trace(&mut self, position: &Position) -> Trace {
        let known = self.knowledge.ask(position);
        Trace::new(position, known, self.in_use())
    }
}

/// [`Evaluator::trace`] with the built-in weights.
pub fn trace(position: &Position) -> Trace {
    Evaluator::new().trace(position)
}

/// [`Evaluator::evaluate`] with the built-in weights.
pub fn evaluate(position: &Position) -> Score {
    Evaluator::new().evaluate(position)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::super::phased::s;
    use super::super::{EvalCache, evaluate_cached};
    use super::*;

    /// The search's cache of pawn and material terms does not change the evaluation, even when
    /// positions share a slot. Loaded weights also apply to the cached terms.
    #[test]
    fn a_cache_changes_nothing() {
        let mut weights = WEIGHTS;
        weights.each_mut(|row| row.iter_mut().for_each(|weight| *weight += s(3, -2)));
        for weights in [None, Some(weights)] {
            check_cache(Evaluator::with_weights(weights));
        }
    }

    fn check_cache(mut evaluator: Evaluator) {
        let mut cache = EvalCache::new();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut position = Position::start();
        for _ in 0..2000 {
            let Some(&m) = position.moves().choose(&mut random) else {
                position = Position::start();
                continue;
            };
            position.play(m);
            let uncached = evaluator.evaluate(&position);
            let known = evaluator.knowledge().ask(&position);
            let loaded = evaluator.loaded().map(|weights| &**weights);
            let cached = evaluate_cached(&position, known, loaded, &mut cache);
            assert_eq!(cached, uncached, "{position}");
        }
    }
}
