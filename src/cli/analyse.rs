//! `freshet analyse`.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::Args;
use freshet::files::has_extension;
use freshet::tools::analyse::{self, AnalyseSettings, GameReport};

use super::output::{Bar, print};
use super::{CommandError, Outcome, fen, values};

/// Search a position, or every position of games, and show it as a table
///
/// Scores are in pawns from White's view. Moves of games that lose 5, 10 or 15 percent of winning
/// chances against the best one are marked ?!, ? or ??, with the line that would have been better.
/// Chances, marks and the accuracy at the end of a game are those of lichess.org/page/accuracy.
/// Games may be in SAN or UCI notation. A game that cannot be played is named by its number and
/// skipped; the exit status is 1 then.
#[derive(Args)]
pub struct AnalyseArgs {
    /// A FEN, in one argument or six, a .pgn file of games, or an .epd file of positions
    #[arg(value_name = "FEN|FILE", required = true, num_args = 1..)]
    what: Vec<OsString>,
    /// Time for each position in milliseconds [default: 2000, without --nodes]
    #[arg(long, value_name = "MS", value_parser = values::number::<i64, 1, { u32::MAX as u64 }>)]
    time: Option<i64>,
    /// Nodes for each position [default: no limit]
    #[arg(long, value_name = "N", value_parser = values::positive::<u64>)]
    nodes: Option<u64>,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Threads and memory of a search.
#[derive(Args)]
pub struct EngineArgs {
    /// Threads
    #[arg(
        long, value_name = "N", default_value_t = AnalyseSettings::default().threads,
        value_parser = values::threads
    )]
    pub threads: usize,
    /// Size of the transposition table in MB
    #[arg(
        long, value_name = "MB", default_value_t = AnalyseSettings::default().hash,
        value_parser = values::hash
    )]
    pub hash: usize,
}

/// What an argument stands for.
enum Subject {
    Games,
    Positions,
    Fen,
}

/// A file is told by its extension; one with another extension by its first character.
fn subject(words: &[OsString]) -> Subject {
    let [file] = words else { return Subject::Fen };
    let path = Path::new(file);
    if has_extension(path, "pgn") {
        return Subject::Games;
    }
    if has_extension(path, "epd") || has_extension(path, "fen") {
        return Subject::Positions;
    }
    match File::open(path) {
        Ok(mut file) if path.is_file() => {
            let mut first = [0];
            let is_tag = file.read_exact(&mut first).is_ok() && first == *b"[";
            if is_tag { Subject::Games } else { Subject::Positions }
        }
        _ => Subject::Fen,
    }
}

impl AnalyseArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let AnalyseArgs { what, time, nodes, engine: EngineArgs { threads, hash } } = self;
        let settings = AnalyseSettings { time, nodes, hash, threads };
        let bar = Bar::new();
        match subject(&what) {
            Subject::Games => games(what[0].as_ref(), &settings, &bar),
            Subject::Positions => {
                analyse::epd(what[0].as_ref(), &settings, &bar, &mut |line| bar.print(line))?;
                Ok(Outcome::Success)
            }
            Subject::Fen => {
                analyse::position(&fen::position(&what)?, &settings, &mut print)?;
                Ok(Outcome::Success)
            }
        }
    }
}

fn games(path: &Path, settings: &AnalyseSettings, bar: &Bar) -> Result<Outcome, CommandError> {
    let mut has_head = false;
    let count = analyse::games(path, settings, bar, &mut |report| match report {
        GameReport::Bad(game) => bar.warn(&game.to_string()),
        _ => {
            if !std::mem::replace(&mut has_head, true) {
                bar.print(analyse::VIEW);
            }
            bar.print(&report.to_string());
        }
    })?;
    Ok(if count.bad == 0 { Outcome::Success } else { Outcome::Failure })
}
