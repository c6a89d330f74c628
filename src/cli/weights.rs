use std::path::PathBuf;

use clap::{Args, Subcommand};
use freshet::eval::weights::WEIGHTS;
use freshet::files::replace;
use freshet::tools::weights;

use super::prompt::Here;
use super::{CommandError, Outcome};

/// Show or check the weights of the evaluation, to try others
///
/// Weights are a text that can be read and changed: a line for each term, middlegame and endgame in
/// centipawns. freshet --weights FILE and the UCI option WeightsFile use those of a file instead of
/// the built-in ones.
#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct WeightsArgs {
    #[command(subcommand)]
    command: WeightsCommand,
}

#[derive(Subcommand)]
enum WeightsCommand {
    /// Write the weights as a text
    Dump {
        /// File to write [default: standard output]
        file: Option<PathBuf>,
    },
    /// Check a file of weights
    Check {
        /// File of weights
        file: PathBuf,
    },
}

impl WeightsArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let in_use = here.weights.as_ref().unwrap_or(&WEIGHTS);
        match self.command {
            WeightsCommand::Dump { file: None } => (here.say)(&weights::dump(in_use)),
            WeightsCommand::Dump { file: Some(file) } => {
                replace(&file, weights::dump(in_use))?;
            }
            WeightsCommand::Check { file } => {
                let count = weights::changed(&weights::read(&file)?);
                let file = file.display();
                (here.say)(&format!("{file}: weights that differ from the built-in ones: {count}"));
            }
        }
        Ok(Outcome::Success)
    }
}
