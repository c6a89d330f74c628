//! `freshet html`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use freshet::book::games::{self, Game};
use freshet::explain::page;
use freshet::files::{self, FileError};

use super::output::{Bar, print};
use super::{CommandError, Outcome, fen, values};

/// Nodes of a search of one position.
const POSITION_NODES: u64 = 100_000;
/// Nodes of a search of each position of a game.
const GAME_NODES: u64 = 20_000;

/// Write a page that explains a position or a game in a browser, without a network
///
/// The page has the board, the evaluation bar, winning chances, the best line and the table of terms,
/// which lights up squares; for a game a slider, the score curve and turning points as well.
#[derive(Args)]
pub struct HtmlArgs {
    /// Nodes for each position [default: 100000, or 20000 in a game]
    #[arg(long, value_name = "N", value_parser = values::positive::<u64>)]
    nodes: Option<u64>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::positive::<usize>)]
    game: usize,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A FEN, in one argument or six, or a .pgn file [default: the start position]
    #[arg(value_name = "FEN|FILE.pgn", num_args = 0..)]
    what: Vec<OsString>,
}

/// The game of this number, from 1.
fn game_of(path: &Path, number: usize) -> Result<Game, CommandError> {
    let (mut count, mut found) = (0, None);
    games::read::<FileError>(path, |game| {
        count += 1;
        if count == number {
            found = Some(game);
        }
        Ok(())
    })?;
    match found {
        Some(game) if game.is_whole => Ok(game),
        Some(_) => Err(format!("{}: game {number} cannot be read whole", path.display()).into()),
        None => Err(format!("{}: no game {number}, it has {count}", path.display()).into()),
    }
}

impl HtmlArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let HtmlArgs { nodes, game, output, what } = self;
        let text = match &what[..] {
            [file] if files::has_extension(file.as_ref(), "pgn") => {
                let path = Path::new(file);
                let loaded = game_of(path, game)?;
                page::of_game(&loaded, nodes.unwrap_or(GAME_NODES), &Bar::new())
                    .map_err(|error| format!("{}: game {game}: {error}", path.display()))?
            }
            words => page::of_position(&fen::position(words)?, nodes.unwrap_or(POSITION_NODES))?,
        };
        match output {
            Some(file) => files::write(&file, text)?,
            None => print(&text),
        }
        Ok(Outcome::Success)
    }
}
