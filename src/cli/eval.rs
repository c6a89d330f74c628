use clap::Args;
use freshet::eval::Evaluator;
use freshet::explain::json::json;
use freshet::explain::table::{TableOptions, table};

use super::fen::FenArgs;
use super::prompt::Here;
use super::{CommandError, Outcome};

/// Show how a position is evaluated, term by term
///
/// All values are centipawns from White's view. The rows add up to the score; those that are the
/// same for both sides are left out without --all.
#[derive(Args)]
pub struct EvalArgs {
    #[command(flatten)]
    table: TableArgs,
    /// Write JSON, with the squares of each term, by docs/eval.schema.json
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    fen: FenArgs,
}

/// What the table shows beside the values.
#[derive(Args)]
struct TableArgs {
    /// Show the middlegame and the endgame value of each row
    #[arg(long, conflicts_with = "json")]
    phases: bool,
    /// Also show the rows that are the same for both sides
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// Show what each term counts
    #[arg(long, conflicts_with = "json")]
    legend: bool,
}

impl EvalArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let EvalArgs { table: TableArgs { phases, all, legend }, json: as_json, fen } = self;
        let position = fen.position(here)?;
        let mut evaluator = Evaluator::with_weights(here.weights.clone());
        (here.say)(&match as_json {
            // At the prompt of a session an answer is a line.
            true => json(&position, &mut evaluator, here.position.is_none()),
            false => table(&position, &mut evaluator, TableOptions { phases, legend, all }),
        });
        Ok(Outcome::Success)
    }
}
