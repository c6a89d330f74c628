//! Weights that take the place of the built-in ones, for people who want to try their own.
//!
//! They count for the whole process. The built-in weights are constants that the compiler builds
//! into the evaluation; loaded ones are read from memory by a second copy of it, so that play with
//! the built-in weights is as fast as if no others could be loaded.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use super::phased::Phased;
use super::squares::SquareMaps;
use super::tally::Tracer;
use super::terms::Terms;
use super::weights::{WEIGHTS, Weights};
use crate::chess::{Bitboard, Color, Square};

/// Weights with the tables that are made of them.
#[derive(Debug)]
pub struct LoadedWeights {
    pub(super) weights: Weights,
    pub(super) maps: SquareMaps,
}

impl LoadedWeights {
    fn new(weights: Weights) -> LoadedWeights {
        LoadedWeights { maps: SquareMaps::new(&weights), weights }
    }
}

static LOADED: RwLock<Option<Arc<LoadedWeights>>> = RwLock::new(None);

/// How many times weights were loaded or given up.
static GENERATION: AtomicUsize = AtomicUsize::new(0);

static BUILT_IN: LazyLock<Arc<LoadedWeights>> =
    LazyLock::new(|| Arc::new(LoadedWeights::new(WEIGHTS)));

/// The loaded weights; `None` while the built-in ones count.
pub fn loaded() -> Option<Arc<LoadedWeights>> {
    if GENERATION.load(SeqCst) == 0 {
        return None;
    }
    LOADED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Changes whenever weights are loaded or given up: what was computed with others is worthless.
pub fn generation() -> usize {
    GENERATION.load(SeqCst)
}

/// Makes these weights count from now on, or the built-in ones again. An
/// [`Engine`](crate::engine::Engine) notices at its next search and forgets what it has computed
/// with others; searches that are under way go on with theirs.
///
/// # Panics
///
/// If a weight of a square map is not within ±127. [`tools::weights`](crate::tools::weights) checks
/// weights before.
pub fn load(weights: Option<Weights>) {
    let loaded = weights.map(|weights| Arc::new(LoadedWeights::new(weights)));
    *LOADED.write().unwrap_or_else(PoisonError::into_inner) = loaded;
    GENERATION.fetch_add(1, SeqCst);
}

/// The weights that count now.
pub fn current() -> Weights {
    loaded().map_or(WEIGHTS, |loaded| loaded.weights.clone())
}

/// The weights that count now, with their tables.
pub(super) fn in_use() -> Arc<LoadedWeights> {
    loaded().unwrap_or_else(|| Arc::clone(&BUILT_IN))
}

/// A tracer of an evaluation with loaded weights.
pub(super) struct With<'a, T> {
    pub tracer: T,
    pub loaded: &'a LoadedWeights,
}

impl<T: Tracer> Tracer for With<'_, T> {
    const ENABLED: bool = T::ENABLED;
    #[inline(always)]
    fn weights(&self) -> &Weights {
        &self.loaded.weights
    }
    #[inline(always)]
    fn maps(&self) -> Option<&SquareMaps> {
        Some(&self.loaded.maps)
    }
    #[inline(always)]
    fn record(&mut self, side: Color, count: i32, term: impl FnOnce(&mut Terms<i32>) -> &mut i32) {
        self.tracer.record(side, count, term);
    }
    #[inline(always)]
    fn record_squares(
        &mut self,
        side: Color,
        squares: Bitboard,
        term: impl FnOnce(&mut Terms<Bitboard>) -> &mut Bitboard,
    ) {
        self.tracer.record_squares(side, squares, term);
    }
    #[inline(always)]
    fn record_square(&mut self, side: Color, square: Square, weight: Phased) {
        self.tracer.record_square(side, square, weight);
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::super::phased::s;
    use super::super::{EvalCache, evaluate_loaded, evaluate_traced};
    use super::*;
    use crate::board::Position;
    use crate::score::Score;

    /// The search keeps the terms of pawns and of numbers of pieces in a cache: these are counted
    /// with the loaded weights too.
    #[test]
    fn the_search_evaluates_with_all_loaded_weights() {
        let mut weights = WEIGHTS;
        weights.each_mut(|row| row.iter_mut().for_each(|weight| *weight += s(3, -2)));
        let loaded = LoadedWeights::new(weights);
        let mut cache = EvalCache::new();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut position = Position::start();
        for _ in 0..2000 {
            let Some(&m) = position.moves().choose(&mut random) else {
                position = Position::start();
                continue;
            };
            position.play(m);
            let (steps, _) = evaluate_traced(&position, With { tracer: (), loaded: &loaded }, None);
            let uncached = Score::cp(steps.total).for_side(position.turn());
            assert_eq!(evaluate_loaded(&position, &loaded, &mut cache), uncached, "{position}");
        }
    }
}
