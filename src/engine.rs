//! The engine: a position, settings, transposition table and histories, a book and tablebases, and
//! [`Engine::go`], which searches.
//!
//! It has no I/O: it reads no input, prints nothing and owns no thread but those of its search. The
//! UCI session, bench, analysis, data generation and other programs are its users.
//!
//! ```
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
    /// The book.
    pub book: Book,
    /// The number of full moves of a game for which the book is used.
    pub depth: u32,
    /// Always the move of the greatest weight, instead of each as often as its weight says.
    pub best: bool,
}

/// A chess engine without I/O.
pub struct Engine {
    position: Position,
    state: SearcherState,
    book: Option<BookUse>,
    move_overhead: i64,
    lag: Lag,
    elo: Option<i32>,
    /// The strength where no Elo is set.
    strength: Option<Strength>,
    analyse: bool,
    random: Xoshiro256PlusPlus,
}

impl Engine {
    /// An engine at the start position with a transposition table of `mib` MiB.
    ///
    /// # Errors
    ///
    /// If the system has not enough memory for the table.
    pub fn new(mib: usize, threads: usize) -> Result<Engine, MemoryError> {
        Ok(Engine {
            position: Position::start(),
            state: SearcherState::new(mib, threads)?,
            book: None,
            move_overhead: 0,
            lag: Lag::default(),
            elo: None,
            strength: None,
            analyse: false,
            random: Xoshiro256PlusPlus::seed_from_u64(seed()),
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

    /// The next position belongs to another game: clears the table and the histories, and sets the
    /// strength anew from the Elo of [`Engine::set_elo`].
    pub fn new_game(&mut self) {
        self.state.clear();
        self.lag = Lag::default();
        self.limit_strength();
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.state.clear();
    }

    /// The transposition table.
    pub(crate) fn table(&self) -> &TranspositionTable {
        &self.state.table
    }

    /// The size of the transposition table, in MiB.
    pub fn table_size(&self) -> usize {
        self.state.table.mib()
    }

    /// Makes the transposition table an empty one of `mib` MiB.
    ///
    /// # Errors
    ///
    /// If the system has not enough memory; the size stays what it was.
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
    /// If the file cannot be read or is no table of the same size.
    pub fn load_table(&mut self, path: &Path) -> Result<(), FileError> {
        self.state.table.load(path)
    }

    /// Sets the number of threads of a search.
    ///
    /// # Errors
    ///
    /// If the system has no memory for so many; their number stays what it was.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        self.state.set_threads(threads)
    }

    /// Sets how many best moves are searched, each with its line.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.state.multi_pv = lines;
    }

    /// Sets the milliseconds that are kept of every move for the way to the GUI and back. On a
    /// machine that is seen to be loaded, more is kept.
    pub fn set_move_overhead(&mut self, milliseconds: i64) {
        self.move_overhead = milliseconds;
    }

    /// Sets the book, or none.
    pub fn set_book(&mut self, book: Option<BookUse>) {
        self.book = book;
    }

    /// The book, to change how it is used.
    pub fn book_mut(&mut self) -> Option<&mut BookUse> {
        self.book.as_mut()
    }

    /// Sets the tablebases, or none.
    pub fn set_tablebases(&mut self, tablebases: Option<Tablebases>) {
        self.state.tablebases = tablebases;
    }

    /// The first tablebase that could not be read when it was probed, in one line; given once.
    pub fn take_tablebase_problem(&mut self) -> Option<String> {
        self.state.tablebases.as_mut()?.take_problem()
    }

    /// Sets when the tablebases are probed.
    pub fn set_probing(&mut self, probing: Probing) {
        if let Some(tablebases) = &mut self.state.tablebases {
            tablebases.probing = probing;
        }
    }

    /// The numbers of the search, to be changed by tuners in a build with the feature `tune`.
    /// Without it, changes have no effect.
    pub fn params_mut(&mut self) -> &mut Params {
        &mut self.state.params
    }

    /// Evaluates with these weights, or the built-in ones, from now on, and forgets what was computed
    /// with others.
    ///
    /// # Panics
    ///
    /// As [`Evaluator::with_weights`].
    pub fn set_weights(&mut self, weights: Option<Weights>) {
        self.state.evaluator.set_weights(weights);
        self.state.clear();
    }

    /// Evaluates single positions as the engine does.
    pub fn evaluator(&mut self) -> &mut Evaluator {
        &mut self.state.evaluator
    }

    /// Limits the strength to this Elo, or plays as well as possible. The evaluation noise has
    /// another seed in every game. While analysing the strength is not limited.
    pub fn set_elo(&mut self, elo: Option<i32>) {
        self.elo = elo;
        self.change_strength();
    }

    /// Sets whether this is analysis, with no book and at full strength.
    pub fn set_analyse(&mut self, analyse: bool) {
        self.analyse = analyse;
        self.change_strength();
    }

    /// Sets the strength that the engine plays with where no Elo is set; none for full strength.
    pub fn set_strength(&mut self, strength: Option<Strength>) {
        self.strength = strength;
        self.limit_strength();
    }

    fn change_strength(&mut self) {
        let limited = self.state.strength.is_some();
        self.limit_strength();
        // Scores with noise of one strength would help, or mislead, the other.
        if limited || self.state.strength.is_some() {
            self.state.clear();
        }
    }

    fn limit_strength(&mut self) {
        self.state.strength = match self.elo.filter(|_| !self.analyse) {
            Some(elo) => {
                let seed = self.random.next_u64();
                Strength::of(elo).map(|strength| Strength { seed, ..strength })
            }
            None => self.strength,
        };
    }

    /// Searches the position until the limits, the clock or the flag end it, or plays a move of the
    /// book. Every iteration is reported to `reporter`, and the best line once more if one was not
    /// finished.
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

    /// A move of the book, where one is wanted and known.
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
