use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::files::{NewFile, check_readable};
use freshet::tools::analyse::BadGame;
use freshet::{page, service};

use super::analyse::{Subject, subject};
use super::output::{Bar, print};
use super::{CommandError, Outcome, fen, values};

/// Nodes of each search by default.
const NODES: u64 = 100_000;

/// Write a page that explains a position or games in a browser, without an engine or a network
///
/// The page is the analysis board in one file. Of a position it has the best lines with their
/// reasons, the threat, the pictures and the table of terms, which lights up squares; games are
/// annotated as by annotate, but with fewer nodes by default, and with a graph of White's chances.
/// Games that cannot be played are named and skipped, or cut short; the exit status is then 1.
#[derive(Args)]
pub struct HtmlArgs {
    /// Nodes for each position
    #[arg(
        long, value_name = "N", default_value_t = NODES, value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// Only the game with this number [default: all games of the file]
    #[arg(long, value_name = "N", value_parser = values::positive::<usize>)]
    game: Option<usize>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A FEN, in one argument or six, or a .pgn file [default: the start position]
    #[arg(value_name = "FEN|FILE.pgn", num_args = 0..)]
    what: Vec<OsString>,
}

impl HtmlArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let HtmlArgs { nodes, game, output, what } = self;
        let games = match &what[..] {
            [file] if matches!(subject(&what), Subject::Games) => Some(Path::new(file)),
            _ => None,
        };
        if game.is_some() && games.is_none() {
            return Err("--game needs a PGN file".into());
        }
        // Report unreadable input before writing anything, and an unwritable output before
        // searching.
        let position = match games {
            Some(path) => {
                check_readable(path)?;
                None
            }
            None => Some(fen::position(&what, None)?),
        };
        // Fail now if the output cannot be written. It is created at the end, so that an interrupted
        // run leaves no unfinished file.
        let create = |path: &PathBuf| NewFile::create(path, games.as_slice());
        output.as_ref().map(create).transpose()?;
        let (bar, weights) = (Bar::new(), weights.as_ref());
        let mut is_whole = true;
        let text = match (games, position) {
            (Some(path), _) => {
                let mut warn = |bad: &BadGame| {
                    is_whole = false;
                    bar.warn(&bad.to_string());
                };
                page::of_games(path, game, nodes, weights, &bar, &mut warn)?
            }
            (None, position) => {
                let position = position.unwrap_or_default();
                service::page_of_position(&position, nodes, weights, &bar)?
            }
        };
        match output {
            Some(path) => {
                let mut file = create(&path)?;
                file.add(text)?;
                file.finish()?;
            }
            None => print(&text),
        }
        Ok(if is_whole { Outcome::Success } else { Outcome::Failure })
    }
}
