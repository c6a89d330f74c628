use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::uci;
use freshet::uci::replay::Replay;

use super::prompt::AtPrompt;
use super::uci::output;
use super::{CommandError, Outcome};

/// Replay a session that `record` or the option `Debug Log File` has written
///
/// Sends the recorded input again, with the same pauses and each line after the `bestmove` lines
/// that came before it, and prints the new answers.
#[derive(Args)]
pub struct ReplayArgs {
    /// File of the session
    file: PathBuf,
}

impl ReplayArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let output = output();
        let replay = Replay::open(&self.file, output.clone())?;
        uci::run_with(replay, &output, weights, Box::new(AtPrompt));
        Ok(Outcome::Success)
    }
}
