//! Positions given on the command line.

use std::ffi::OsStr;

use clap::Args;
use freshet::board::Position;

use super::CommandError;

/// A position, the start position if none is given.
#[derive(Args)]
pub struct FenArgs {
    /// The position as a FEN, in one argument or six [default: the start position]
    #[arg(num_args = 0..)]
    fen: Vec<String>,
}

impl FenArgs {
    /// The position.
    pub fn position(&self) -> Result<Position, CommandError> {
        position(&self.fen)
    }
}

/// The position of a FEN, in one argument or six; the start position if there is none.
pub fn position(words: &[impl AsRef<OsStr>]) -> Result<Position, CommandError> {
    if words.is_empty() {
        return Ok(Position::start());
    }
    let words: Option<Vec<&str>> = words.iter().map(|word| word.as_ref().to_str()).collect();
    let fen = words.ok_or("bad FEN: not UTF-8")?.join(" ");
    Ok(Position::from_fen(&fen).map_err(|error| format!("bad FEN: {error}"))?)
}
