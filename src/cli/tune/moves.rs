use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::moves::{self, MoveSettings};

use crate::cli::output::{Bar, print};
use crate::cli::{CommandError, Outcome, values};

/// Tune the weights of the evaluation on the moves of other players; prints `weights.rs`
///
/// Comparison training: searches the positions in which the other player moved for the best few moves,
/// and changes the weights so that the moves played look better. The searches are kept in a file: an
/// interrupted run goes on from it, and the fit can be repeated.
#[derive(Args)]
pub struct MovesArgs {
    /// File of the searches, which is written, or continued, if games are given; FILE.games beside it
    /// says how many games and bytes it holds
    file: PathBuf,
    /// PGN file of games against others, in which one name begins with Freshet; may be given several
    /// times. To continue, give the files searched before first, in the same order, with the same
    /// numbers of nodes and lines, the same share and the same weights
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Search one in N moves of the other player
    #[arg(
        long, value_name = "N", default_value_t = MoveSettings::default().one_in,
        value_parser = values::positive::<usize>
    )]
    one_in: usize,
    /// Nodes of a search, for all its lines together
    #[arg(
        long, value_name = "N", default_value_t = MoveSettings::default().nodes,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// Lines of a search, at most
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
    /// Share of the step to make: less than 1 if the players also choose moves for other reasons than
    /// strength, such as style
    #[arg(
        long, value_name = "SHARE", default_value_t = MoveSettings::default().step,
        value_parser = values::share
    )]
    step: f64,
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
            one_in: self.one_in,
            nodes: self.nodes,
            lines: self.lines,
            prior: self.prior,
            step: self.step,
            threads: self.threads,
            weights,
        };
        print(&moves::run(&settings, &Bar::new())?);
        Ok(Outcome::Success)
    }
}
