//! Tools for users: analysis, bench, perft, suites, openings, checks of this machine.
//!
//! Nothing here prints: results are returned or handed to a callback row by row, and long work
//! reports to a [`Progress`](crate::progress::Progress).

pub(crate) mod accuracy;
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

/// The reason why a tool cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// A file cannot be read or has wrong content.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no memory for a table.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A perft with a table of counts cannot list or play the moves of the last ply.
    #[error("with a table of counts the moves of the last ply can only be counted")]
    LeavesWithTable,
    /// A position of a suite has no result.
    #[error("no result (operation c0: draw, white wins or black wins) for {fen}")]
    NoResult {
        /// The position without a result.
        fen: String,
    },
}

/// Colours a text by ANSI escape codes: green if the value is at least `from`, red if it is at most
/// `-from`. The code that prints it removes the escape codes if they are not wanted (`anstream`
/// does).
pub(crate) fn coloured(text: &str, value: i32, from: i32) -> String {
    let colour = match value {
        _ if value.abs() < from => return text.to_string(),
        0.. => AnsiColor::Green,
        _ => AnsiColor::Red,
    };
    let style = colour.on_default();
    format!("{style}{text}{style:#}")
}
