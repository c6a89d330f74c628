use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use freshet::tools::bench::{self, BenchSettings, LimitKind};

use super::output::Bar;
use super::prompt::Here;
use super::{CommandError, Outcome, values};

/// Search fixed positions; the last line is `N nodes M nps`
///
/// The node count is a signature of how this version plays: it is the same on every machine. The
/// arguments and their order are those of Stockfish and Fishtest.
#[derive(Args)]
pub struct BenchArgs {
    /// Size of the transposition table in MB
    #[arg(value_name = "MB", default_value_t = 16, value_parser = values::hash)]
    hash: usize,
    /// Threads of each search
    #[arg(default_value_t = 1, value_parser = values::threads)]
    threads: usize,
    /// Limit of each search
    #[arg(
        default_value_t = bench::DEPTH,
        value_parser = values::number::<i64, 1, { i64::MAX as u64 }>
    )]
    limit: i64,
    /// EPD file of positions, `default` for the fixed ones, or `current` for the start position
    #[arg(value_name = "FILE|default|current", default_value = "default")]
    positions: PathBuf,
    /// What the limit counts
    #[arg(value_name = "depth|nodes|movetime", value_enum, default_value_t = Kind::Depth)]
    kind: Kind,
    /// Also show how many moves were made, which other engines count as nodes
    #[arg(long)]
    verbose: bool,
}

/// What the limit counts.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Plies
    Depth,
    /// Nodes
    Nodes,
    /// Milliseconds
    Movetime,
}

impl BenchArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let kind = match self.kind {
            Kind::Depth => LimitKind::Depth,
            Kind::Nodes => LimitKind::Nodes,
            Kind::Movetime => LimitKind::MoveTime,
        };
        let current = here.position.clone().unwrap_or_default();
        let settings = BenchSettings {
            hash: self.hash,
            threads: self.threads,
            limits: kind.limits(self.limit),
            positions: bench::positions(&self.positions, &current)?,
            weights: here.weights.clone(),
        };
        let measured = bench::measure(&settings, &Bar::new())?;
        let milliseconds = measured.time.as_millis().max(1);
        let speed = u128::from(measured.nodes) * 1000 / milliseconds;
        // The form of Stockfish, which Fishtest reads.
        let _ = write!(
            std::io::stderr(),
            "===========================\nTotal time (ms) : {milliseconds}\n\
             Nodes searched  : {}\nNodes/second    : {speed}\n",
            measured.nodes,
        );
        if self.verbose {
            (here.say)(&bench::report_counts(&measured));
        }
        (here.say)(&bench::report(&measured));
        Ok(Outcome::Success)
    }
}
