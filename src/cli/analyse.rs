use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::Args;
use freshet::board::Position;
use freshet::eval::weights::Weights;
use freshet::explain::moves::SearchedMove;
use freshet::explain::searches::{at_a_glance, refutation};
use freshet::files::{self, FileError, has_extension};
use freshet::tools::analyse::{self, AnalyseSettings, GameReport};

use super::output::{Bar, print};
use super::{CommandError, Outcome, fen, values};

/// Search a position, or every position of games, and show it as a table
///
/// Scores are in pawns from White's view. Moves of games that lose 5, 10 or 15 percent of winning
/// chances against the best one are marked ?!, ? or ??, with the line that would have been better,
/// and below it what the reply wins. Of a single position the best move is explained in a few words;
/// "freshet explain" says more.
/// Chances, marks and the accuracy at the end of a game are those of lichess.org/page/accuracy. A
/// move that cannot be played cuts a game short, and a bad line of an EPD file is skipped; both are
/// named, and the exit status is then 1.
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
    /// Number of best moves to show for a position, each with its line
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = values::number::<usize, 1, 256>
    )]
    lines: usize,
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
pub(super) enum Subject {
    Games,
    Positions,
    Fen,
}

/// Recognises a file by its extension or, if that is unknown, by its first line.
pub(super) fn subject(words: &[OsString]) -> Subject {
    let [file] = words else { return Subject::Fen };
    let path = Path::new(file);
    if has_extension(path, "pgn") {
        return Subject::Games;
    }
    if has_extension(path, "epd") || has_extension(path, "fen") {
        return Subject::Positions;
    }
    // A pipe is not opened only to look at it.
    if !path.is_file() {
        return Subject::Fen;
    }
    match File::open(path).is_ok_and(begins_as_game) {
        true => Subject::Games,
        // Also if the file may not be read: the attempt to read positions reports the error.
        false => Subject::Positions,
    }
}

/// Whether the first non-empty line looks like PGN: a tag, a comment or a move.
fn begins_as_game(file: File) -> bool {
    // Read only a little: the file may be anything.
    let mut bytes = Vec::new();
    let _ = file.take(1 << 16).read_to_end(&mut bytes);
    let text = files::decode(&bytes);
    let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return false;
    };
    let word = line.split(|c: char| c.is_whitespace() || c == '.').next().unwrap_or_default();
    let is_move = |word: &str| Position::start().parse_move(word).is_ok();
    line.starts_with(['[', '%', '{', ';'])
        || is_move(word)
        || (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}

impl AnalyseArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let AnalyseArgs { what, time, nodes, lines, engine: EngineArgs { threads, hash } } = self;
        let settings = AnalyseSettings {
            time,
            nodes,
            hash,
            threads,
            lines,
            weights,
            ..AnalyseSettings::default()
        };
        let bar = Bar::new();
        match subject(&what) {
            Subject::Games if lines > 1 => {
                Err("--lines is for positions: of a game only the best line is shown".into())
            }
            Subject::Games => games(what[0].as_ref(), &settings, &bar),
            Subject::Positions => {
                let mut warn = |error: &FileError| bar.warn(&error.to_string());
                let path = what[0].as_ref();
                let mut say = |line: &str| bar.print(line);
                let count = analyse::epd(path, &settings, &bar, &mut say, &mut warn)?;
                Ok(if count.bad == 0 { Outcome::Success } else { Outcome::Failure })
            }
            Subject::Fen => {
                let position = fen::position(&what, None)?;
                let result = analyse::position(&position, &settings, &mut print)?;
                let best = SearchedMove::new(&position, result.line, result.score);
                if let Some(why) = at_a_glance(&best) {
                    print(&format!("{}: {why}", best.san()));
                }
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
            if let GameReport::Move(report) = &report
                && let Some(why) = refutation(report)
            {
                bar.print(&format!("{:8}{why}", ""));
            }
        }
    })?;
    Ok(if count.bad == 0 { Outcome::Success } else { Outcome::Failure })
}
