//! `freshet uci`, and `freshet` alone.

use std::io::{IsTerminal, Read};

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::uci::{self, output::Output};

use super::output::give_up;
use super::prompt::AtPrompt;
use super::{CommandError, Outcome};

/// Print the answer to `uci`, with name and options, and exit
///
/// To talk UCI, start freshet without a command.
#[derive(Args)]
pub struct UciArgs {}

impl UciArgs {
    pub fn run(self) -> Result<Outcome, CommandError> {
        uci::run(&b"uci\n"[..], &output());
        Ok(Outcome::Success)
    }
}

/// Standard output for a session, with colours only on a terminal. The program ends if a line cannot
/// be written.
pub fn output() -> Output {
    Output::new(anstream::stdout(), |error| give_up(error))
}

/// Talks UCI on standard input and this output. At a terminal the first line says what this is, and
/// searches are shown as a table.
pub fn talk(output: &Output, weights: Option<Weights>) -> Result<Outcome, CommandError> {
    let stdin = std::io::stdin();
    let commands = Box::new(AtPrompt);
    if stdin.is_terminal() && std::io::stdout().is_terminal() {
        output.say(&format!("{}, fills by {}: type help", uci::name(), freshet::fill::BACKEND));
        let readable = &b"setoption name Readable value true\n"[..];
        uci::run_with(readable.chain(stdin.lock()), output, weights, commands);
    } else {
        uci::run_with(stdin.lock(), output, weights, commands);
    }
    Ok(Outcome::Success)
}
