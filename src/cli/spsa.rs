use std::path::PathBuf;

use clap::Args;
use freshet::tuning::spsa;

use super::output::print;
use super::{CommandError, Outcome};

/// Print the tuned search parameters in the form of OpenBench
#[derive(Args)]
pub struct SpsaArgs {
    /// Results of a tuning job, in lines `name, value`: print them as the rules declare their
    /// numbers
    #[arg(value_name = "OUTPUTS")]
    outputs: Option<PathBuf>,
}

impl SpsaArgs {
    pub fn run(self) -> Result<Outcome, CommandError> {
        print(&match self.outputs {
            None => spsa::openbench_lines(),
            Some(path) => spsa::from_openbench(&path)?,
        });
        Ok(Outcome::Success)
    }
}
