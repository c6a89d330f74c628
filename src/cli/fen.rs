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
    let words = words.ok_or("bad FEN: not UTF-8")?;
    let text = words.join(" ");
    // A position first: a file may be called startpos.
    Position::from_text(&text).map_err(|error| is_file(&words).unwrap_or(error).into())
}

/// A hint if the words are the name of a file, or of several, instead of a position.
fn is_file(words: &[&str]) -> Option<String> {
    let text = words.join(" ");
    let path = Path::new(&text);
    let known = ["pgn", "epd", "fen", "txt"];
    let is_named = known.iter().any(|extension| has_extension(path, extension));
    if path.is_file() {
        let readers = "analyse reads PGN and EPD files, board and html read PGN files";
        return Some(format!("{text}: expected a position, not a file ({readers})"));
    }
    if path.is_dir() {
        return Some(format!("{text}: expected a position, not a folder"));
    }
    if path.exists() {
        let readers = "analyse and html read one with a name that ends in .pgn";
        return Some(format!("{text}: expected a position, not a pipe or a device ({readers})"));
    }
    if words.iter().filter(|word| Path::new(word).is_file()).count() > 1 {
        return Some("one file at a time".to_string());
    }
    is_named.then(|| format!("{text}: no such file"))
}
