use std::path::PathBuf;

use clap::Args;
use freshet::explain::{moves, puzzles};

use super::output::{Bar, print};
use super::{CommandError, Outcome, values};

/// Explain the blunders of a file of puzzles, and count how often the known motifs are named
///
/// A line has, separated by tabs: id, motif, FEN, blunder, refutation, rating, all motifs separated
/// by commas. Prints a table by motif, the length of the explanations and the time.
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
    pub fn run(self) -> Result<Outcome, CommandError> {
        let puzzles = puzzles::read(&self.file)?;
        let judgement = puzzles::judge(&puzzles, self.nodes, &Bar::new())?;
        print(&judgement.to_string());
        if self.list {
            for line in &judgement.missed {
                print(&format!("not named: {line}"));
            }
            for line in &judgement.unlabelled {
                print(&format!("no label: {line}"));
            }
        }
        Ok(Outcome::Success)
    }
}
