//! `freshet uci`, and `freshet` alone.

use clap::Args;
use freshet::uci;

use super::{CommandError, Outcome};

/// Answer `uci` with name and options, and end
#[derive(Args)]
pub struct UciArgs {}

impl UciArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        uci::run(&b"uci\n"[..]);
        Ok(Outcome::Success)
    }
}

/// Talks UCI on standard input and output.
pub fn talk() -> Result<Outcome, CommandError> {
    uci::run(std::io::stdin().lock());
    Ok(Outcome::Success)
}
