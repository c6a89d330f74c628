//! `freshet tune ablation`.

use std::path::PathBuf;

use clap::Args;
use freshet::tuning::ablation::{self, AblationSettings};

use crate::cli::output::{Bar, Rows};
use crate::cli::{CommandError, Outcome, values};

/// Play with and without each rule of the search and group of terms: what are they worth?
///
/// Takes a build with `--features tune`.
#[derive(Args)]
pub struct AblationArgs {
    /// Rules and groups to leave out, each for itself [default: all]
    names: Vec<String>,
    /// Pairs of games for each rule or group
    #[arg(
        long, value_name = "N", default_value_t = AblationSettings::default().pairs,
        value_parser = values::number::<u64, 2, { u64::MAX }>
    )]
    pairs: u64,
    /// Nodes a move
    #[arg(
        long, value_name = "N", default_value_t = AblationSettings::default().nodes,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// Games at the same time
    #[arg(
        long, value_name = "N", default_value_t = AblationSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
    /// Seed of the random numbers
    #[arg(
        long, value_name = "N", default_value_t = AblationSettings::default().seed,
        value_parser = values::seed
    )]
    seed: u64,
    /// EPD file of the positions from which games start
    #[arg(long, value_name = "FILE", default_value_os_t = AblationSettings::default().openings)]
    openings: PathBuf,
}

impl AblationArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let AblationArgs { names, pairs, nodes, threads, seed, openings } = self;
        let settings = AblationSettings { openings, pairs, nodes, threads, seed, names };
        let bar = Bar::new();
        let games = pairs.saturating_mul(2);
        let header = format!("worth in Elo, {games} games each at {nodes} nodes a move");
        let mut rows = Rows::new(&bar, header);
        ablation::run(&settings, &bar, &mut |result| rows.print(&result.to_string()))?;
        Ok(Outcome::Success)
    }
}
