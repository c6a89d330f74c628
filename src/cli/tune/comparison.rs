//! The options of commands that compare players by the moves that they choose.

use std::path::PathBuf;

use clap::Args;
use freshet::tuning::ablation::AblationSettings;
use freshet::tuning::choices::{self, Nodes};

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
        long, value_name = "N", default_value_t = AblationSettings::default().threads,
        value_parser = values::threads
    )]
    pub threads: usize,
    /// Seed of the random numbers
    #[arg(
        long, value_name = "N", default_value_t = AblationSettings::default().seed,
        value_parser = values::seed
    )]
    pub seed: u64,
    /// EPD file of the positions from which games start
    #[arg(long, value_name = "FILE", default_value = choices::OPENINGS)]
    pub openings: PathBuf,
}

impl ComparisonArgs {
    /// The nodes of players and judge.
    pub fn nodes(&self) -> Nodes {
        Nodes { player: self.nodes, judge: self.judge }
    }
}
