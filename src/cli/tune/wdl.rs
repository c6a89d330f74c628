use std::path::PathBuf;

use clap::Args;
use freshet::tuning::wdl;

use crate::cli::output::{Bar, print};
use crate::cli::{CommandError, Outcome};

/// Fit the model of wins, draws and losses to own games; prints the constant of `src/core/wdl.rs`
#[derive(Args)]
pub struct WdlArgs {
    /// Files of datagen, or .pgn files of match runners with scores of this version in the comments
    #[arg(required = true)]
    data: Vec<PathBuf>,
}

impl WdlArgs {
    pub fn run(self) -> Result<Outcome, CommandError> {
        print(&wdl::run(&self.data, &Bar::new())?.to_string());
        Ok(Outcome::Success)
    }
}
