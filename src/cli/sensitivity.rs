use clap::Args;
use freshet::eval::Evaluator;
use freshet::explain::sensitivity::table;

use super::fen::FenArgs;
use super::prompt::Here;
use super::{CommandError, Outcome, values};

/// Show which weights of the evaluation a position's score depends on
///
/// For each weight: how often it is counted for White and Black, and how many centipawns the score
/// changes if it is one centipawn more, in the middlegame and in the endgame.
#[derive(Args)]
pub struct SensitivityArgs {
    /// The most weights to show
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = values::positive::<usize>)]
    most: usize,
    #[command(flatten)]
    fen: FenArgs,
}

impl SensitivityArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let mut evaluator = Evaluator::with_weights(here.weights.clone());
        (here.say)(&table(&self.fen.position(here)?, &mut evaluator, self.most));
        Ok(Outcome::Success)
    }
}
