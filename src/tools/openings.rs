//! Balanced start positions from named opening lines.
//!
//! Reads tables of `eco`, `name` and `pgn` (the public-domain collection lichess-org/chess-openings
//! has this form), plays every line of `PLIES` plies, searches the final position, and keeps
//! those that are balanced, quiet and new.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use super::ToolError;
use crate::board::Position;
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::files::{FileError, has_extension, read_text};
use crate::progress::Progress;
use crate::search::Limits;

/// The length of the lines to use, in plies.
const PLIES: RangeInclusive<usize> = 6..=20;
/// The node limit for each position.
const NODES: u64 = 50_000;
/// The largest advantage of either side, in centipawns.
const BALANCED: i32 = 60;

/// An error in a row of a table.
#[derive(Debug, thiserror::Error)]
enum OpeningError {
    #[error("not eco, name and pgn, separated by tabs")]
    Columns,
    #[error("{0} is not legal")]
    Illegal(String),
}

/// A named opening line.
struct OpeningLine {
    eco: String,
    name: String,
    /// The position at the end of the line.
    position: Position,
    /// The length of the line.
    plies: usize,
}

impl OpeningLine {
    /// Reads a row of a table.
    fn parse(row: &str) -> Result<OpeningLine, OpeningError> {
        let mut fields = row.split('\t');
        let (Some(eco), Some(name), Some(pgn)) = (fields.next(), fields.next(), fields.next())
        else {
            return Err(OpeningError::Columns);
        };
        let mut position = Position::start();
        let mut plies = 0;
        for san in pgn.split_whitespace().filter(|word| !word.ends_with('.')) {
            let m = position.parse_san(san).map_err(|_| OpeningError::Illegal(san.to_string()))?;
            position.play(m);
            plies += 1;
        }
        // The EPD line puts names in double quotes.
        Ok(OpeningLine { eco: eco.to_string(), name: name.replace('"', "'"), position, plies })
    }

    /// Whether neither side is ahead after a search and the best move is quiet.
    fn is_balanced(&self, engine: &mut Engine) -> bool {
        engine.clear();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let result = engine.search(&self.position, &limits);
        let is_quiet = result.line.first().is_some_and(|&m| !self.position.is_noisy(m));
        is_quiet && result.score.as_cp().is_some_and(|cp| cp.abs() <= BALANCED)
    }

    /// The line of the EPD file, without move counters.
    fn epd(&self) -> String {
        let fen = self.position.fen();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        format!("{} c0 \"{} {}\";\n", fields.join(" "), self.eco, self.name)
    }
}

/// The `.tsv` files of a folder in the order of their names.
fn tables(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let entries = std::fs::read_dir(folder).map_err(FileError::io(folder))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| has_extension(path, "tsv"))
        .collect();
    files.sort();
    Ok(files)
}

/// Makes start positions from the lines of all `.tsv` files in a folder: an EPD text with the names
/// in `c0`, in a random order with a fixed seed.
///
/// # Errors
///
/// If a file cannot be read or has a bad line, or there are no lines at all.
pub fn make(
    folder: &Path,
    weights: Option<Weights>,
    progress: &dyn Progress,
) -> Result<String, ToolError> {
    let mut lines = Vec::new();
    for file in tables(folder)? {
        // The first row names the columns.
        for (index, row) in read_text(&file)?.lines().enumerate().skip(1) {
            let line = OpeningLine::parse(row)
                .map_err(|problem| FileError::line(&file, index + 1, problem))?;
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return Err(FileError::content(folder, "no lines in .tsv files").into());
    }

    let mut engine = Engine::new(16, 1)?;
    engine.set_weights(weights);
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    progress.start("lines", lines.len() as u64);
    for line in &lines {
        if PLIES.contains(&line.plies)
            && !line.position.check_info().in_check()
            && seen.insert(line.position.key())
            && line.is_balanced(&mut engine)
        {
            kept.push(line.epd());
        }
        progress.advance();
    }
    progress.finish();
    if kept.is_empty() {
        return Err(FileError::content(folder, "no balanced lines").into());
    }
    kept.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(1));
    Ok(kept.concat())
}
