//! `freshet tune search`.

use std::path::PathBuf;

use clap::Args;
use freshet::tuning::spsa::{self, SpsaSettings};

use crate::cli::output::{Bar, print};
use crate::cli::{CommandError, Outcome, values};

/// Tune the numbers of the search by games against itself (SPSA); prints them as in `params.rs`
///
/// Takes a build with `--features tune`. What has been reached is kept in the state file, from which
/// the same command continues.
#[derive(Args)]
pub struct SearchArgs {
    /// Pairs of games in all, those of earlier runs included
    #[arg(
        long, value_name = "N", default_value_t = SpsaSettings::default().pairs,
        value_parser = values::positive::<u64>
    )]
    pairs: u64,
    /// Nodes a move
    #[arg(
        long, value_name = "N", default_value_t = SpsaSettings::default().nodes,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// Games at the same time
    #[arg(
        long, value_name = "N", default_value_t = SpsaSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
    /// Seed of the random numbers
    #[arg(
        long, value_name = "N", default_value_t = SpsaSettings::default().seed,
        value_parser = values::seed
    )]
    seed: u64,
    /// EPD file of the positions from which games start
    #[arg(long, value_name = "FILE", default_value_os_t = SpsaSettings::default().openings)]
    openings: PathBuf,
    /// File of what has been reached
    #[arg(long, value_name = "FILE", default_value_os_t = SpsaSettings::default().state)]
    state: PathBuf,
}

impl SearchArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let SearchArgs { pairs, nodes, threads, seed, openings, state } = self;
        let settings = SpsaSettings { openings, state, pairs, nodes, threads, seed };
        print(&spsa::run(&settings, &Bar::new())?);
        Ok(Outcome::Success)
    }
}
