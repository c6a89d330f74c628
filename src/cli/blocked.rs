use std::path::PathBuf;

use clap::Args;
use freshet::board::Epd;
use freshet::eval::weights::Weights;
use freshet::files::FileError;
use freshet::tools::blocked::{judge, result_of};

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
        let (mut suite, mut bad_lines) = (Vec::new(), Vec::new());
        for (number, epd) in Epd::read_lines(&self.file)? {
            let checked = epd.and_then(|epd| match result_of(&epd) {
                Ok(_) => Ok(epd),
                Err(error) => Err(FileError::line(&self.file, number, error)),
            });
            match checked {
                Ok(epd) => suite.push(epd),
                Err(error) => bad_lines.push(error),
            }
        }
        if suite.is_empty() {
            return Err(
                FileError::content(&self.file, "no result (operation c0) in any line").into()
            );
        }
        let bar = Bar::new();
        bad_lines.iter().for_each(|error| bar.warn(&error.to_string()));
        let judgement = judge(&suite, self.nodes, weights, &bar)?;
        print(&judgement.to_string());
        Ok(if bad_lines.is_empty() { Outcome::Success } else { Outcome::Failure })
    }
}
