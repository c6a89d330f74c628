//! `freshet uci`, and `freshet` alone.

use clap::Args;
use freshet::uci::{self, output::Output};

use super::{CommandError, Outcome};

/// Answer `uci` with name and options, and end
#[derive(Args)]
pub struct UciArgs {}

impl UciArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        uci::run(&b"uci\n"[..], &output());
        Ok(Outcome::Success)
    }
}

/// Standard output for a session, with colours only on a terminal. The program ends if nobody reads
/// it any more.
pub fn output() -> Output {
    Output::new(anstream::stdout(), || std::process::exit(1))
}

/// Talks UCI on standard input and this output.
pub fn talk(output: &Output) -> Result<Outcome, CommandError> {
    uci::run(std::io::stdin().lock(), output);
    Ok(Outcome::Success)
}
