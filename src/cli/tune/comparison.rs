//! The options of commands that compare players by the moves that they choose.

use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::choices::{ComparisonSettings, Nodes};

use crate::cli::values;

/// How players are compared.
#[derive(Args)]
pub struct ComparisonArgs {
    /// Nodes a move
    #[arg(
        long, value_name = "N", default_value_t = Nodes::default().player,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// Nodes of the search that judges two moves
    #[arg(
        long, value_name = "N", default_value_t = Nodes::default().judge,
        value_parser = values::positive::<u64>
    )]
    judge: u64,
    /// Games at the same time
    #[arg(
        long, value_name = "N", default_value_t = ComparisonSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
    /// Seed of the random numbers
    #[arg(
        long, value_name = "N", default_value_t = ComparisonSettings::default().seed,
        value_parser = values::seed
    )]
    seed: u64,
    /// EPD file of the positions from which games start
    #[arg(long, value_name = "FILE", default_value_os_t = ComparisonSettings::default().openings)]
    openings: PathBuf,
}

impl ComparisonArgs {
    /// The settings that they stand for.
    pub fn settings(self, weights: Option<Weights>) -> ComparisonSettings {
        let ComparisonArgs { nodes, judge, threads, seed, openings } = self;
        let nodes = Nodes { player: nodes, judge };
        ComparisonSettings { openings, nodes, threads, seed, weights }
    }
}
