use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::features::{self, FeatureSettings};

use crate::cli::output::{Bar, print};
use crate::cli::{CommandError, Outcome, values};

/// Rank intersections of sets of squares: which of them does the evaluation lack?
///
/// The gain is the fall of the mean square error, in millionths, on positions that the weights have
/// not seen. The weights in use should have been tuned on the same positions.
#[derive(Args)]
pub struct FeaturesArgs {
    /// File of datagen, or .pgn file of a match runner with scores of this version in the comments
    /// (those of the player whose name begins with Freshet, or of both); may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    data: Vec<PathBuf>,
    /// In place of the score of a position, take the mean of own scores, in expected points, PLIES
    /// to three times as many plies later in the game; plies after its end count as the result. PGN
    /// files only
    #[arg(long, value_name = "PLIES", value_parser = values::positive::<u16>)]
    ahead: Option<u16>,
    /// Sets that are intersected, at most
    #[arg(
        long, value_name = "1|2|3", default_value_t = FeatureSettings::default().sets,
        value_parser = values::number::<usize, 1, 3>
    )]
    sets: usize,
    /// Weights for each square (maps) instead of two for a number of squares
    #[arg(long)]
    maps: bool,
    /// The most intersections to show
    #[arg(
        long, value_name = "N", default_value_t = FeatureSettings::default().most,
        value_parser = values::positive::<usize>
    )]
    most: usize,
    /// Share of the game's result in the target; the rest is the score of the search, there or
    /// later
    #[arg(
        long, value_name = "SHARE", default_value_t = FeatureSettings::default().result_share,
        value_parser = values::share
    )]
    results: f64,
    /// Standard deviation of the prior of the weights of maps in centipawns
    #[arg(
        long, value_name = "CP", default_value_t = FeatureSettings::default().prior,
        value_parser = values::positive_decimal
    )]
    prior: f64,
    /// Threads
    #[arg(
        long, value_name = "N", default_value_t = FeatureSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
}

impl FeaturesArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let settings = FeatureSettings {
            data: self.data,
            ahead: self.ahead,
            sets: self.sets,
            maps: self.maps,
            most: self.most,
            result_share: self.results,
            prior: self.prior,
            threads: self.threads,
            weights,
        };
        let features = features::run(&settings, &Bar::new())?;
        print(&format!("{:>8} {:>7} {:>7} {:>7}  squares", "gain", "mg", "eg", "mean"));
        for feature in features {
            let [mg, eg] = feature.weights;
            print(&format!(
                "{:8.2} {mg:7.1} {eg:7.1} {:7.2}  {}",
                feature.gain, feature.mean, feature.name
            ));
        }
        Ok(Outcome::Success)
    }
}
