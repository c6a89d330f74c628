//! Tools for users: analysis, bench, perft, suites, openings, checks of this machine.
//!
//! Nothing here prints: results are returned or handed to a callback row by row, and long work
//! reports to a [`Progress`](crate::progress::Progress).

pub mod accuracy;
pub mod analyse;
pub mod bench;
pub mod blocked;
pub mod openings;
pub mod perft;
pub mod solve;
pub mod verify;
pub mod weights;

use anstyle::AnsiColor;

use crate::files::FileError;
use crate::search::MemoryError;

/// Why a tool cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// A file cannot be read or has wrong content.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no memory for a table.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// An argument of `bench` is not what its place asks for.
    #[error("{word} is not {expected}")]
    Argument {
        /// The argument.
        word: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A perft with a table of counts cannot list or play the moves of the last ply.
    #[error("with a table of counts the moves of the last ply can only be counted")]
    LeavesWithTable,
    /// A position of a suite has no result.
    #[error("no result (operation c0: draw, white wins or black wins) for {fen}")]
    NoResult {
        /// The position.
        fen: String,
    },
}

/// A text in green where the value is `from` or more, in red where it is `-from` or less, as ANSI
/// escape codes. Whoever prints it removes them where they are not wanted (`anstream` does).
pub fn coloured(text: &str, value: i32, from: i32) -> String {
    let colour = match value {
        _ if value.abs() < from => return text.to_string(),
        0.. => AnsiColor::Green,
        _ => AnsiColor::Red,
    };
    let style = colour.on_default();
    format!("{style}{text}{style:#}")
}
