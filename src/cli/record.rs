//! `freshet record`.

use std::path::PathBuf;

use clap::Args;
use freshet::uci::transcript;

use super::{CommandError, Outcome, uci};

/// Talk UCI as without a command, with everything read and written going to a file
#[derive(Args)]
pub struct RecordArgs {
    /// File to write
    file: PathBuf,
}

impl RecordArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let file = self.file.to_str().filter(|file| !file.is_empty());
        let file = file.ok_or_else(|| format!("{}: not UTF-8, or empty", self.file.display()))?;
        transcript::open(file)?;
        uci::talk()
    }
}
