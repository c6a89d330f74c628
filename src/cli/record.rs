use std::path::PathBuf;

use clap::Args;

use freshet::eval::weights::Weights;
use freshet::files::FileError;

use super::{CommandError, Outcome, uci};

/// Talk UCI as without a command, and record everything read and written in a file
///
/// A transcript that exists already is renamed to FILE.old; any other file is left alone.
#[derive(Args)]
pub struct RecordArgs {
    /// File to write
    file: PathBuf,
}

impl RecordArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let output = uci::output();
        output.record(&self.file)?;
        let outcome = uci::talk(&output, weights)?;
        if output.has_lost_transcript() {
            let problem = "the transcript could not be written to its end";
            return Err(FileError::content(&self.file, problem).into());
        }
        Ok(outcome)
    }
}
