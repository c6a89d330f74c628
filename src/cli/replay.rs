//! `freshet replay`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use freshet::uci;
use freshet::uci::transcript::{self, Replay};

use super::{CommandError, Outcome};

/// Play a file of `record` again and compare the answers
#[derive(Args)]
pub struct ReplayArgs {
    /// File that `freshet record` has written
    file: PathBuf,
}

impl ReplayArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let replay = Replay::open(&self.file)?;
        let recorded = replay.answers();
        uci::run(replay);
        let is_same = recorded == transcript::answers();
        let text = match is_same {
            true => "all answers are as recorded",
            false => "answers differ from the recorded ones",
        };
        let _ = writeln!(std::io::stderr(), "{text}");
        Ok(if is_same { Outcome::Success } else { Outcome::Failure })
    }
}
