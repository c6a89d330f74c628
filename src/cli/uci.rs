//! `freshet uci`, and `freshet` alone.

use std::io::IsTerminal;

use clap::Args;
use freshet::uci::{self, output::Output};

use super::output::Bar;
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

/// Talks UCI on standard input and this output. At a terminal the first line says what this is.
pub fn talk(output: &Output) -> Result<Outcome, CommandError> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() && std::io::stdout().is_terminal() {
        output.say(&format!("{}, fills by {}: type help", uci::name(), freshet::fill::BACKEND));
    }
    uci::run_with_progress(stdin.lock(), output, Box::new(Bar::new()));
    Ok(Outcome::Success)
}
