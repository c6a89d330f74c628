//! Positions given on the command line.

use std::ffi::OsStr;
use std::path::Path;

use clap::Args;
use freshet::board::Position;
use freshet::files::has_extension;

use super::CommandError;
use super::prompt::Here;

/// A position, the start position if none is given.
#[derive(Args)]
pub struct FenArgs {
    /// The position as a FEN, in one argument or six, or startpos; then the word moves and moves
    /// may follow [default: the start position]
    #[arg(num_args = 0..)]
    fen: Vec<String>,
}

impl FenArgs {
    /// The given position, or the session's if none is given.
    pub fn position(&self, here: &Here<'_>) -> Result<Position, CommandError> {
        position(&self.fen, here.position.as_ref())
    }
}

/// Reads a FEN, in one argument or six, or `startpos`, optionally followed by `moves` and moves.
/// Without words, the position of the session or the start position.
pub fn position(
    words: &[impl AsRef<OsStr>],
    current: Option<&Position>,
) -> Result<Position, CommandError> {
    if let Some(current) = current.filter(|_| words.is_empty()) {
        return Ok(current.clone());
    }
    let words: Option<Vec<&str>> = words.iter().map(|word| word.as_ref().to_str()).collect();
    let text = words.ok_or("bad FEN: not UTF-8")?.join(" ");
    if let Some(reason) = is_file(&text) {
        return Err(reason.into());
    }
    Ok(Position::from_text(&text)?)
}

/// A hint if the text is the name of a file instead of a position.
fn is_file(text: &str) -> Option<String> {
    let path = Path::new(text);
    let known = ["pgn", "epd", "fen", "txt"];
    let is_named = known.iter().any(|extension| has_extension(path, extension));
    if path.is_file() {
        let readers = "analyse reads PGN and EPD files, html PGN files";
        return Some(format!("{text}: a position is wanted, not a file ({readers})"));
    }
    if path.exists() && !path.is_dir() {
        let readers = "analyse and html read one with a name that ends in .pgn";
        return Some(format!("{text}: a position is wanted, not a pipe or a device ({readers})"));
    }
    (is_named && !path.exists()).then(|| format!("{text}: no such file"))
}
