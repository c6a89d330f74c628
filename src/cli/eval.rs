//! `freshet eval`.

use clap::Args;
use freshet::explain::table::table;

use super::fen::FenArgs;
use super::output::print;
use super::{CommandError, Outcome};

/// Show how a position is evaluated, term by term and square by square
#[derive(Args)]
pub struct EvalArgs {
    #[command(flatten)]
    fen: FenArgs,
}

impl EvalArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        print(&table(&self.fen.position()?));
        Ok(Outcome::Success)
    }
}
