//! `freshet spsa`.

use clap::Args;
use freshet::tuning::spsa;

use super::output::print;
use super::{CommandError, Outcome};

/// Print the tuned numbers of the search in the form of OpenBench
#[derive(Args)]
pub struct SpsaArgs {}

impl SpsaArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        print(&spsa::openbench_lines());
        Ok(Outcome::Success)
    }
}
