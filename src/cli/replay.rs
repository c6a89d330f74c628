//! `freshet replay`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use freshet::uci::replay::Replay;

use super::{CommandError, Outcome, uci};

/// Play a file of `record` again and compare the answers
#[derive(Args)]
pub struct ReplayArgs {
    /// File that `freshet record` has written
    file: PathBuf,
}

impl ReplayArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let output = uci::output();
        let replay = Replay::open(&self.file, output.clone())?;
        let recorded = replay.answers();
        freshet::uci::run(replay, &output);
        let is_same = recorded == output.answers();
        let text = match is_same {
            true => "all answers are as recorded",
            false => "answers differ from the recorded ones",
        };
        let _ = writeln!(std::io::stderr(), "{text}");
        Ok(if is_same { Outcome::Success } else { Outcome::Failure })
    }
}
