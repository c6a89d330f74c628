//! `freshet analyse`.

use std::ffi::OsString;
use std::path::Path;

use clap::Args;
use freshet::tools::analyse::{self, AnalyseSettings};

use super::output::{Bar, print};
use super::{CommandError, Outcome, fen, values};

/// Search a position, or every position of games, and show it as a table
///
/// Scores are in pawns from White's view. Moves of games that lose half a pawn, 1.2 pawns or three
/// pawns against the best one are marked ?!, ? or ??, with the line that would have been better.
#[derive(Args)]
pub struct AnalyseArgs {
    /// A FEN, in one argument or six, or a .pgn file of games
    #[arg(value_name = "FEN|FILE.pgn", required = true, num_args = 1..)]
    what: Vec<OsString>,
    /// Time for each position in milliseconds [default: 2000, without --nodes]
    #[arg(long, value_name = "MS", value_parser = values::number::<i64, 1, { u32::MAX as u64 }>)]
    time: Option<i64>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = values::positive::<u64>)]
    nodes: Option<u64>,
    /// Threads
    #[arg(
        long, value_name = "N", default_value_t = AnalyseSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
    /// Size of the transposition table in MB
    #[arg(
        long, value_name = "MB", default_value_t = AnalyseSettings::default().hash,
        value_parser = values::hash
    )]
    hash: usize,
}

impl AnalyseArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let AnalyseArgs { what, time, nodes, threads, hash } = self;
        let settings = AnalyseSettings { time, nodes, hash, threads };
        if let [file] = &what[..]
            && Path::new(file).extension().is_some_and(|other| other.eq_ignore_ascii_case("pgn"))
        {
            let bar = Bar::new();
            analyse::games(file.as_ref(), &settings, &bar, &mut |report| {
                bar.print(&report.to_string());
            })?;
            return Ok(Outcome::Success);
        }
        let words: Option<Vec<&str>> = what.iter().map(|word| word.to_str()).collect();
        let words = words.ok_or("bad FEN: not UTF-8")?;
        analyse::position(&fen::parse(&words.join(" "))?, &settings, &mut print)?;
        Ok(Outcome::Success)
    }
}
