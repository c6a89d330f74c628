//! `freshet sensitivity`.

use clap::Args;
use freshet::eval::Evaluator;
use freshet::eval::weights::Weights;
use freshet::explain::sensitivity::table;

use super::fen::FenArgs;
use super::output::print;
use super::{CommandError, Outcome, values};

/// Show which weights of the evaluation a position's score depends on
///
/// For each weight: how often it is counted for White and Black, and how many centipawns the score
/// changes if it is one centipawn more, in the middlegame and in the endgame.
#[derive(Args)]
pub struct SensitivityArgs {
    /// The most weights that are shown
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = values::positive::<usize>)]
    most: usize,
    #[command(flatten)]
    fen: FenArgs,
}

impl SensitivityArgs {
    /// Runs the command.
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let mut evaluator = Evaluator::with_weights(weights);
        print(&table(&self.fen.position()?, &mut evaluator, self.most));
        Ok(Outcome::Success)
    }
}
