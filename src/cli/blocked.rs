use std::path::PathBuf;

use clap::Args;
use freshet::board::Epd;
use freshet::eval::weights::Weights;
use freshet::files::FileError;
use freshet::tools::ToolError;
use freshet::tools::blocked::judge;

use super::output::{Bar, print};
use super::{CommandError, Outcome, values};

/// Judge an EPD file of endings with known results, by category
///
/// The operations c0 (result: draw, white wins, black wins) and c1 (category) are read.
#[derive(Args)]
pub struct BlockedArgs {
    /// EPD file
    file: PathBuf,
    /// Judge by a search of this many nodes [default: by the static evaluation]
    #[arg(long, value_name = "N", value_parser = values::positive::<u64>)]
    nodes: Option<u64>,
}

impl BlockedArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let bar = Bar::new();
        let mut is_whole = true;
        let mut suite = Vec::new();
        for (_, epd) in Epd::read_lines(&self.file)? {
            match epd {
                Ok(epd) => suite.push(epd),
                Err(error) => {
                    is_whole = false;
                    bar.warn(&error.to_string());
                }
            }
        }
        let judgement = judge(&suite, self.nodes, weights, &bar).map_err(|error| match error {
            ToolError::NoResult { .. } => FileError::content(&self.file, error).into(),
            error => CommandError::from(error),
        })?;
        print(&judgement.to_string());
        Ok(if is_whole { Outcome::Success } else { Outcome::Failure })
    }
}
