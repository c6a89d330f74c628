use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::eval::{self, EvalSettings};

use crate::cli::output::{Bar, print};
use crate::cli::{CommandError, Outcome, values};

/// Tune the weights of the evaluation on positions of own games; prints `weights.rs`
///
/// Texel's method: least squares with priors that keep the weights near those in use, as long as
/// the loss on positions held out for validation falls.
#[derive(Args)]
pub struct EvalArgs {
    /// File of datagen, or .pgn file of a match runner with scores of this version in the comments
    /// (those of the player whose name begins with Freshet, or of both); may be given several
    /// times. Of equal positions the first is taken
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// In place of the score of a position, take the mean of own scores, in expected points, PLIES
    /// to three times as many plies later in the game; plies after its end count as the result. PGN
    /// files only
    #[arg(long, value_name = "PLIES", value_parser = values::positive::<u16>)]
    ahead: Option<u16>,
    /// Gauss-Newton steps, at most
    #[arg(
        long, value_name = "N", default_value_t = EvalSettings::default().steps,
        value_parser = values::positive::<u32>
    )]
    steps: u32,
    /// Share of the game's result in the target; the rest is the score of the search, there or
    /// later
    #[arg(
        long, value_name = "SHARE", default_value_t = EvalSettings::default().result_share,
        value_parser = values::share
    )]
    results: f64,
    /// Standard deviation of the prior of how much a weight of squares changes, in centipawns
    #[arg(
        long, value_name = "CP", default_value_t = EvalSettings::default().prior,
        value_parser = values::positive_decimal
    )]
    prior: f64,
    /// Group or term whose weights are tuned, while those of others keep the value that they start
    /// from; may be given several times
    #[arg(long, value_name = "GROUP|TERM")]
    only: Vec<String>,
    /// Scale of the sigmoid: a score of S centipawns stands for 1 / (1 + exp(-K S)) expected
    /// points. Without it, the one that fits the results best, which hides that positions of one
    /// kind are valued too high
    #[arg(long, value_parser = values::positive_decimal)]
    k: Option<f64>,
    /// Group or term whose weights become and stay zero (scale factors: full scale); may be given several
    /// times
    #[arg(long, value_name = "GROUP|TERM")]
    without: Vec<String>,
    /// Group or term whose weights start from zero instead of those in use; may be given several
    /// times
    #[arg(long, value_name = "GROUP|TERM")]
    fresh: Vec<String>,
    /// Group or term that was not tuned before: a prior of at least 8 centipawns for its weights in
    /// each step, except those of squares; may be given several times
    #[arg(long, value_name = "GROUP|TERM")]
    new: Vec<String>,
    /// Threads
    #[arg(
        long, value_name = "N", default_value_t = EvalSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
    /// Seed of the random numbers
    #[arg(
        long, value_name = "N", default_value_t = EvalSettings::default().seed,
        value_parser = values::seed
    )]
    seed: u64,
}

impl EvalArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let settings = EvalSettings {
            data: self.data,
            ahead: self.ahead,
            steps: self.steps,
            result_share: self.results,
            prior: self.prior,
            only: self.only,
            k: self.k,
            without: self.without,
            fresh: self.fresh,
            new: self.new,
            weights,
            threads: self.threads,
            seed: self.seed,
        };
        print(&eval::run(&settings, &Bar::new())?);
        Ok(Outcome::Success)
    }
}
