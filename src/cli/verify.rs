use clap::Args;
use freshet::tools::verify;

use super::output::print;
use super::{CommandError, Outcome};

/// Check that fills, moves, evaluation and bench are as they should be on this machine
#[derive(Args)]
pub struct VerifyArgs {}

impl VerifyArgs {
    pub fn run(self) -> Result<Outcome, CommandError> {
        let all_passed = verify::run(&mut |check| print(&check.to_string()));
        Ok(if all_passed { Outcome::Success } else { Outcome::Failure })
    }
}
