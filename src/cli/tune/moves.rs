use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::moves::{self, MoveSettings};

use crate::cli::output::{Bar, print};
use crate::cli::{CommandError, Outcome, values};

/// Tune the weights of the evaluation on the moves of other players; prints `weights.rs`
///
/// Comparison training: searches every position in which the other player moved for its best few
/// moves, and makes a step towards weights with which the moves played look best. The searches are kept
/// in a file, so that a run can be interrupted and continued, and the fit repeated.
#[derive(Args)]
pub struct MovesArgs {
    /// File of the searches; it is written, or continued, if there are games
    file: PathBuf,
    /// PGN file of games against others, in which one name begins with Freshet; may be given several
    /// times. To continue, give the files searched before first, in the same order
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Nodes for each position, all lines together
    #[arg(
        long, value_name = "N", default_value_t = MoveSettings::default().nodes,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// Lines for each position, at most
    #[arg(
        long, value_name = "N", default_value_t = MoveSettings::default().lines,
        value_parser = values::number::<usize, 2, 256>
    )]
    lines: usize,
    /// Standard deviation of the prior of how much a weight of squares changes, in centipawns
    #[arg(
        long, value_name = "CP", default_value_t = MoveSettings::default().prior,
        value_parser = values::positive_decimal
    )]
    prior: f64,
    /// Threads
    #[arg(
        long, value_name = "N", default_value_t = MoveSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
}

impl MovesArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let settings = MoveSettings {
            file: self.file,
            games: self.games,
            nodes: self.nodes,
            lines: self.lines,
            prior: self.prior,
            threads: self.threads,
            weights,
        };
        print(&moves::run(&settings, &Bar::new())?);
        Ok(Outcome::Success)
    }
}
