//! Tuning: games of the engine against itself, and the fits and measurements made from them.
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
pub mod moves;
mod output;
mod selfplay;
pub mod spsa;
pub mod strength;
mod threads;
pub mod wdl;
pub mod weights_file;

use crate::files::FileError;
use crate::search::MemoryError;

/// The reason why a tuning run fails.
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
    /// An error margin requires two pairs of games.
    #[error("a match takes at least two pairs of games")]
    TooFewPairs,
    /// There are too few positions for a fit.
    #[error("{0} positions are not enough")]
    TooFewPositions(usize),
    /// A fit to moves needs two comparisons to learn from and two that are held out.
    #[error("{training} comparisons to learn from and {held_out} held out are not enough")]
    TooFewComparisons {
        /// Comparisons to learn from.
        training: usize,
        /// Comparisons held out for validation.
        held_out: usize,
    },
    /// There are too few game positions for fitting expected points.
    #[error("{0} positions with a result are not enough")]
    TooFewResults(usize),
    /// The best model of wins and draws is far from the one in use.
    #[error(
        "no model fits: the best would be more than 14 times, or less than a 14th of, the one in use"
    )]
    NoFit,
    /// There are no positions to start games from.
    #[error("no positions to start from")]
    NoOpenings,
    /// There is no tuned term or group of this name.
    #[error("no term and no group of terms is called {0}")]
    UnknownTerm(String),
    /// This build has fixed search parameters.
    #[error("only a build with `--features tune` can change the search parameters")]
    NeedsTuneFeature,
}
