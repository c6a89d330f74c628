use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::explain::{moves, puzzles};
use freshet::files::FileError;

use super::output::{Bar, print};
use super::{CommandError, Outcome, values};

/// Explain the blunders of a file of puzzles, and count how often the known motifs are named
///
/// A line has, separated by tabs: id, motif, FEN, blunder, refutation, rating, all motifs separated
/// by commas. Prints a table by motif, the length of the explanations and the time. A bad line is left
/// out and named; the exit status is then 1.
#[derive(Args)]
pub struct ReasonsArgs {
    /// File of puzzles
    file: PathBuf,
    /// Nodes of each search
    #[arg(
        long, value_name = "N", default_value_t = moves::NODES,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// List the motifs that were not named, and those named without a label
    #[arg(long)]
    list: bool,
}

impl ReasonsArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let (bar, mut is_whole) = (Bar::new(), true);
        let mut warn = |error: &FileError| {
            is_whole = false;
            bar.warn(&error.to_string());
        };
        let puzzles = puzzles::read(&self.file, &mut warn)?;
        let judgement = puzzles::judge(&puzzles, self.nodes, weights.as_ref(), &bar)?;
        print(&judgement.to_string());
        if self.list {
            for line in &judgement.missed {
                print(&format!("not named: {line}"));
            }
            for line in &judgement.unlabelled {
                print(&format!("no label: {line}"));
            }
        }
        Ok(if is_whole { Outcome::Success } else { Outcome::Failure })
    }
}
