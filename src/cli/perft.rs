use std::path::PathBuf;

use clap::{Args, ValueEnum};
use freshet::files::{FileError, read_text};
use freshet::tools::perft::{self, Leaves, PerftSettings};

use super::fen::FenArgs;
use super::output::Bar;
use super::prompt::Here;
use super::{CommandError, Outcome, values};

/// Arguments that have no meaning for a suite.
const DIVIDE_ARGS: [&str; 5] = ["depth", "fen", "leaves", "threads", "hash"];

/// The bound of the nodes of a line of a suite.
const SUITE_NODES: u64 = 100_000_000;

/// Count the leaves of the tree of legal moves, or check a suite of such counts
///
/// Prints `move: count` for each move of the root, then `Nodes searched: N`, the form in which move
/// generators are compared.
#[derive(Args)]
pub struct PerftArgs {
    /// Depth in plies
    #[arg(required_unless_present = "suite", value_parser = values::number::<u32, 0, 99>)]
    depth: Option<u32>,
    #[command(flatten)]
    fen: FenArgs,
    /// What is done with the moves of the last ply
    #[arg(long, value_name = "HOW", value_enum, default_value_t = LeavesArg::Bare)]
    leaves: LeavesArg,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads)]
    threads: usize,
    /// Size of a table of counts in MB, 0 for none
    #[arg(
        long, value_name = "MB", default_value_t = 0,
        value_parser = values::number::<usize, 0, { values::MAX_HASH }>
    )]
    hash: usize,
    /// Check an EPD file with counts (`FEN ;D1 20 ;D2 400`), to depth 40 at most; other operations
    /// are ignored
    #[arg(long, value_name = "FILE", conflicts_with_all = DIVIDE_ARGS)]
    suite: Option<PathBuf>,
    /// Check each line of the suite to its greatest depth of at most this many nodes, but at least its
    /// first depth [default:
    /// 100000000]
    #[arg(
        long, value_name = "N", value_parser = values::positive::<u64>,
        requires = "suite", conflicts_with_all = DIVIDE_ARGS
    )]
    nodes: Option<u64>,
}

/// What is done with the moves of the last ply.
#[derive(Clone, Copy, ValueEnum)]
enum LeavesArg {
    /// Counted; the moves before them change only the sets of pieces
    Bare,
    /// Counted; the moves before them are played
    Counted,
    /// Written into a list
    Listed,
    /// Written into a list, played and undone
    Played,
}

impl From<LeavesArg> for Leaves {
    fn from(leaves: LeavesArg) -> Leaves {
        match leaves {
            LeavesArg::Bare => Leaves::Bare,
            LeavesArg::Counted => Leaves::Counted,
            LeavesArg::Listed => Leaves::Listed,
            LeavesArg::Played => Leaves::Played,
        }
    }
}

impl PerftArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let bar = Bar::new();
        if let Some(file) = self.suite {
            let text = read_text(&file)?;
            let nodes = self.nodes.unwrap_or(SUITE_NODES);
            let result = perft::suite(&text, nodes, &bar, &mut |line, error| {
                bar.print(&format!("line {line}: {error}"));
            });
            if result.lines == 0 {
                return Err(FileError::content(&file, "no positions").into());
            }
            (here.say)(&result.to_string());
            let is_right = result.right == result.lines;
            return Ok(if is_right { Outcome::Success } else { Outcome::Failure });
        }
        let settings = PerftSettings {
            leaves: self.leaves.into(),
            threads: self.threads,
            hash: self.hash,
            chess960: here.chess960,
        };
        let mut position = self.fen.position(here)?;
        let depth = self.depth.unwrap_or_default();
        (here.say)(&perft::divide(&mut position, depth, &settings, &bar)?.to_string());
        Ok(Outcome::Success)
    }
}
