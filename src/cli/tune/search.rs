use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::spsa::{self, SpsaSettings};

use super::comparison::ComparisonArgs;
use crate::cli::output::{Bar, print};
use crate::cli::{CommandError, Outcome, values};

/// Tune the search parameters by the moves they choose (SPSA); prints them as the rules
/// declare them
///
/// Needs a build with `--features tune`. Progress is kept in the state file, from which the same
/// command continues. Confirm the numbers by a match.
#[derive(Args)]
pub struct SearchArgs {
    /// Games in all, those of earlier runs included
    #[arg(
        long, value_name = "N", default_value_t = SpsaSettings::default().games,
        value_parser = values::positive::<u64>
    )]
    games: u64,
    #[command(flatten)]
    comparison: ComparisonArgs,
    /// File in which progress is kept
    #[arg(long, value_name = "FILE", default_value_os_t = SpsaSettings::default().state)]
    state: PathBuf,
}

impl SearchArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let SearchArgs { games, comparison, state } = self;
        let settings = SpsaSettings { state, games, comparison: comparison.settings(weights) };
        print(&spsa::run(&settings, &Bar::new())?);
        Ok(Outcome::Success)
    }
}
