use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::uci;
use freshet::uci::replay::Replay;

use super::prompt::AtPrompt;
use super::uci::output;
use super::{CommandError, Outcome};

/// Play a session again that `record` or the option `Debug Log File` has written
///
/// Reads what was read, with the same pauses and each line after the answers that were there before
/// it, and prints the answers of now.
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
