//! Positions given on the command line.

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
        if self.fen.is_empty() { Ok(Position::start()) } else { parse(&self.fen.join(" ")) }
    }
}

/// Reads a FEN.
pub fn parse(fen: &str) -> Result<Position, CommandError> {
    Ok(Position::from_fen(fen).map_err(|error| format!("bad FEN: {error}"))?)
}
