use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tools::openings;

use super::output::{Bar, print};
use super::{CommandError, Outcome};

/// Make balanced start positions from named opening lines
///
/// Plays every line of 6 to 20 plies, searches its end for 50000 nodes, and prints those that are
/// balanced, quiet and new as EPD.
#[derive(Args)]
pub struct OpeningsArgs {
    /// Folder of .tsv tables with eco, name and pgn
    folder: PathBuf,
}

impl OpeningsArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        print(&openings::make(&self.folder, weights, &Bar::new())?);
        Ok(Outcome::Success)
    }
}
