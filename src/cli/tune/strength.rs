use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::strength::{self, LevelResult, StrengthSettings};

use crate::cli::output::{Bar, Rows};
use crate::cli::{CommandError, Outcome, values};

/// Play the levels of limited strength against their neighbours: how many Elo are they apart?
#[derive(Args)]
pub struct StrengthArgs {
    /// Pairs of games between two levels
    #[arg(
        long, value_name = "N", default_value_t = StrengthSettings::default().pairs,
        value_parser = values::number::<u64, 2, { u64::MAX }>
    )]
    pairs: u64,
    /// Games at the same time
    #[arg(
        long, value_name = "N", default_value_t = StrengthSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
    /// Seed of the random numbers
    #[arg(
        long, value_name = "N", default_value_t = StrengthSettings::default().seed,
        value_parser = values::seed
    )]
    seed: u64,
    /// EPD file of the positions from which games start
    #[arg(long, value_name = "FILE", default_value_os_t = StrengthSettings::default().openings)]
    openings: PathBuf,
}

impl StrengthArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let StrengthArgs { pairs, threads, seed, openings } = self;
        let settings = StrengthSettings { openings, pairs, threads, seed, weights };
        let bar = Bar::new();
        let mut rows = Rows::new(&bar, LevelResult::HEADER);
        strength::run(&settings, &bar, &mut |result| rows.print(&result.to_string()))?;
        Ok(Outcome::Success)
    }
}
