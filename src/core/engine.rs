//! The engine: a position, settings, transposition table and histories, a book and tablebases, and
//! [`Engine::go`], which searches.
//!
//! It reads no commands and prints nothing. The UCI session, bench, analysis, data generation and
//! other programs use it.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::engine::Engine;
//! use freshet::search::{Limits, StopFlag};
//!
//! let mut engine = Engine::new(1, 1)?;
//! engine.set_position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse()?);
//! let result = engine.go(&Limits::depth(4), &StopFlag::new(), &mut ());
//! assert_eq!(result.line[0].to_string(), "a1a8");
//! assert_eq!(result.score.to_string(), "mate 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use crate::board::Position;
use crate::book::Book;
use crate::eval::Evaluator;
use crate::eval::weights::Weights;
use crate::files::FileError;
use crate::search::{
    Clock, Lag, Limits, MemoryError, Params, Probing, Reporter, SearchResult, SearcherState,
    StopFlag, Strength, Tablebases, TranspositionTable, search,
};

/// An opening book and how it is used.
#[derive(Clone, Debug)]
pub struct BookUse {
    /// The book to choose moves from.
    pub book: Book,
    /// The number of full moves of a game for which the book is used.
    pub depth: u32,
    /// Always play the move with the greatest weight, instead of a random one by weight.
    pub best: bool,
}

/// A chess engine that reads no commands and prints nothing.
pub struct Engine {
    position: Position,
    state: SearcherState,
    book: Option<BookUse>,
    move_overhead: i64,
    lag: Lag,
    elo: Option<i32>,
    /// The strength if no Elo is set.
    strength: Option<Strength>,
    analyse: bool,
    /// The seed of the evaluation noise of this game, if an Elo is set.
    noise_seed: u64,
    random: Xoshiro256PlusPlus,
}

impl Engine {
    /// An engine at the start position with a transposition table of `mib` MiB.
    ///
    /// # Errors
    ///
    /// If the system has too little memory for the table.
    pub fn new(mib: usize, threads: usize) -> Result<Engine, MemoryError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed());
        Ok(Engine {
            position: Position::start(),
            state: SearcherState::new(mib, threads)?,
            book: None,
            move_overhead: 0,
            lag: Lag::default(),
            elo: None,
            strength: None,
            analyse: false,
            noise_seed: random.next_u64(),
            random,
        })
    }

    /// The position that [`Engine::go`] searches.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the position, with its history.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Starts a new game: clears the table and the histories, forgets the lag measured so far, and
    /// draws a new seed for the evaluation noise of limited strength.
    pub fn new_game(&mut self) {
        self.state.clear();
        self.lag = Lag::default();
        self.noise_seed = self.random.next_u64();
        self.limit_strength();
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.state.clear();
    }

    /// The transposition table.
    #[doc(hidden)]
    pub fn table(&self) -> &TranspositionTable {
        &self.state.table
    }

    /// The size of the transposition table, in MiB.
    pub fn table_size(&self) -> usize {
        self.state.table.mib()
    }

    /// Replaces the transposition table by an empty one of `mib` MiB.
    ///
    /// # Errors
    ///
    /// If there is too little memory. The table then keeps its size. If there is no memory even for
    /// that, it gets the smallest size.
    pub fn resize_table(&mut self, mib: usize) -> Result<(), MemoryError> {
        self.state.table.resize(mib)
    }

    /// Writes the transposition table to a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save_table(&self, path: &Path) -> Result<(), FileError> {
        self.state.table.save(path)
    }

    /// Reads the transposition table from a file that [`Engine::save_table`] wrote.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or does not hold a table of this size.
    pub fn load_table(&mut self, path: &Path) -> Result<(), FileError> {
        self.state.table.load(path)
    }

    /// Sets the number of threads of a search.
    ///
    /// # Errors
    ///
    /// If the system has no memory for them. The number of threads then stays as it was.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        self.state.set_threads(threads)
    }

    /// Sets the number of best moves to search, each with its line (MultiPV).
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.state.multi_pv = lines;
    }

    /// Sets the milliseconds of every move that are reserved for communication with the GUI. If the
    /// machine turns out to be loaded, more is reserved.
    pub fn set_move_overhead(&mut self, milliseconds: i64) {
        self.move_overhead = milliseconds;
    }

    /// Sets the book, or none.
    pub fn set_book(&mut self, book: Option<BookUse>) {
        self.book = book;
    }

    /// The book, for changing its settings.
    #[doc(hidden)]
    pub fn book_mut(&mut self) -> Option<&mut BookUse> {
        self.book.as_mut()
    }

    /// Sets the tablebases, or none.
    pub fn set_tablebases(&mut self, tablebases: Option<Tablebases>) {
        self.state.tablebases = tablebases;
    }

    /// The first error in reading a tablebase during a probe, as one line. Returned only once.
    pub fn take_tablebase_problem(&mut self) -> Option<String> {
        self.state.tablebases.as_mut()?.take_problem()
    }

    /// Sets the conditions for probing the tablebases. Has no effect without tablebases.
    pub fn set_probing(&mut self, probing: Probing) {
        if let Some(tablebases) = &mut self.state.tablebases {
            tablebases.probing = probing;
        }
    }

    /// The tuned search parameters, for tuners to change. Changes have no effect in a build
    /// without the feature `tune`.
    #[doc(hidden)]
    pub fn params_mut(&mut self) -> &mut Params {
        &mut self.state.params
    }

    /// Evaluates with these weights, or the built-in ones, from now on. Clears everything computed
    /// with other weights.
    ///
    /// # Panics
    ///
    /// Like [`Evaluator::with_weights`].
    pub fn set_weights(&mut self, weights: Option<Weights>) {
        self.state.evaluator.set_weights(weights);
        self.state.clear();
    }

    /// Evaluates single positions as the engine does.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.state.evaluator
    }

    /// Limits the strength to this Elo; `None` means full strength. The evaluation noise stays the
    /// same until [`Engine::new_game`]. Analysis ignores this Elo.
    pub fn set_elo(&mut self, elo: Option<i32>) {
        self.elo = elo;
        self.change_strength();
    }

    /// Sets whether this is analysis, which uses no book and ignores the Elo of
    /// [`Engine::set_elo`].
    pub fn set_analyse(&mut self, analyse: bool) {
        self.analyse = analyse;
        self.change_strength();
    }

    /// Sets the strength to use if no Elo is set, and for analysis; `None` means full strength.
    pub fn set_strength(&mut self, strength: Option<Strength>) {
        self.strength = strength;
        self.limit_strength();
    }

    fn change_strength(&mut self) {
        let limited = self.state.strength.is_some();
        self.limit_strength();
        // Scores with the noise of one strength would help or mislead another.
        if limited || self.state.strength.is_some() {
            self.state.clear();
        }
    }

    fn limit_strength(&mut self) {
        self.state.strength = match self.elo.filter(|_| !self.analyse) {
            Some(elo) => {
                Strength::of(elo).map(|strength| Strength { seed: self.noise_seed, ..strength })
            }
            None => self.strength,
        };
    }

    /// Chooses a book move, or searches the position until a limit, the clock or the stop flag ends
    /// the search. The position stays as it is. Reports every iteration to `reporter`, and the best
    /// line once more if an iteration was not finished.
    pub fn go(
        &mut self,
        limits: &Limits,
        stop: &StopFlag,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        if let Some(result) = self.book_move(limits) {
            return result;
        }
        self.state.table.new_search();
        self.lag.begin(limits, &self.position);
        let left = limits.clock(self.position.turn()).map(|(left, _)| left);
        let reserve = self.lag.reserve(self.move_overhead, left);
        let clock = Clock::new(limits, &self.position, reserve, stop);
        let result = search(&self.position, limits, &clock, stop, &mut self.state, reporter);
        self.lag.end(limits, &self.position, clock.spent());
        result
    }

    /// Sets a position and searches it without a reporter.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> SearchResult {
        self.position.clone_from(position);
        self.go(limits, &StopFlag::new(), &mut ())
    }

    /// A book move, if the book is on and knows the position.
    fn book_move(&mut self, limits: &Limits) -> Option<SearchResult> {
        let BookUse { book, depth, best } = self.book.as_ref()?;
        let analysis = limits.infinite || limits.ponder || limits.mate.is_some() || self.analyse;
        if analysis || !limits.search_moves.is_empty() || self.position.ply() / 2 >= *depth {
            return None;
        }
        let m = book.choose(&self.position, *best, &mut self.random)?;
        Some(SearchResult::of_book(m, book.moves(&self.position).len()))
    }
}

/// A random seed, from the system.
fn seed() -> u64 {
    RandomState::new().hash_one(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_of_a_weak_player_stays_the_same_throughout_a_game() {
        let mut engine = Engine::new(1, 1).expect("one MiB");
        engine.set_elo(Some(1500));
        let strength = engine.state.strength;
        assert!(strength.is_some_and(|strength| strength.noise > 0));
        engine.set_elo(None);
        engine.set_analyse(true);
        assert_eq!(engine.state.strength, None);
        engine.set_analyse(false);
        engine.set_elo(Some(1500));
        assert_eq!(engine.state.strength, strength);
        engine.new_game();
        assert_ne!(engine.state.strength, strength);
    }
}
