mod comparison;
mod eval;
mod features;
mod moves;
mod search;
mod strength;
mod wdl;

use clap::{Args, Subcommand};
use freshet::eval::weights::Weights;

use super::{CommandError, Outcome};

/// Fit numbers of the engine to games, or measure its levels of strength
#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct TuneArgs {
    #[command(subcommand)]
    command: TuneCommand,
}

#[derive(Subcommand)]
enum TuneCommand {
    Eval(eval::EvalArgs),
    Moves(moves::MovesArgs),
    Features(features::FeaturesArgs),
    Search(search::SearchArgs),
    Wdl(wdl::WdlArgs),
    Strength(strength::StrengthArgs),
}

impl TuneArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        match self.command {
            TuneCommand::Eval(args) => args.run(weights),
            TuneCommand::Moves(args) => args.run(weights),
            TuneCommand::Features(args) => args.run(weights),
            TuneCommand::Search(args) => args.run(weights),
            TuneCommand::Wdl(args) => args.run(),
            TuneCommand::Strength(args) => args.run(weights),
        }
    }
}
