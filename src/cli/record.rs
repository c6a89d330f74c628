use std::path::PathBuf;

use clap::Args;

use freshet::eval::weights::Weights;

use super::{CommandError, Outcome, uci};

/// Talk UCI as without a command, and record everything read and written in a file
#[derive(Args)]
pub struct RecordArgs {
    /// File to write
    file: PathBuf,
}

impl RecordArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let output = uci::output();
        output.open_transcript(Some(&self.file))?;
        uci::talk(&output, weights)
    }
}
