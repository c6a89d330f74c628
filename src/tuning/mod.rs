//! Tuning: games of the engine against itself, and what is fitted to them or measured by them.
//!
//! Nothing here prints: results are returned or handed to a callback row by row, and long runs
//! report to a [`Progress`](crate::progress::Progress).

pub mod choices;
pub mod data;
pub mod datagen;
pub mod eval;
mod expected;
pub mod features;
mod least_squares;
mod leaves;
pub mod selfplay;
pub mod spsa;
pub mod strength;
pub mod threads;
pub mod wdl;
pub mod weights_file;

use crate::files::FileError;
use crate::search::MemoryError;

/// Why a tuning run cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// A file cannot be read or written, or has wrong content.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no memory for a transposition table.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A thread could not be started or has panicked.
    #[error("a thread has ended early")]
    Thread,
    /// An error margin takes two pairs of games.
    #[error("a match takes at least two pairs of games")]
    TooFewPairs,
    /// There are not enough positions to fit anything to.
    #[error("{0} positions are not enough")]
    TooFewPositions(usize),
    /// There are not enough positions of games to fit expected points to.
    #[error("{0} positions with a result are not enough")]
    TooFewResults(usize),
    /// The best model of wins and draws is far from the one in use.
    #[error(
        "no model fits: it would be more than ten times, or less than a tenth of, the one in use"
    )]
    NoFit,
    /// There are no positions to start games from.
    #[error("no positions to start from")]
    NoOpenings,
    /// Nothing of this name can be left out of play.
    #[error("no rule of the search and no group of terms is called {0}")]
    UnknownRule(String),
    /// Nothing of this name is tuned.
    #[error("no term and no group of terms is called {0}")]
    UnknownTerm(String),
    /// The build has rules and numbers of the search fixed.
    #[error(
        "only a build with `--features tune` can leave rules out or change the numbers of the search"
    )]
    NeedsTuneFeature,
}
