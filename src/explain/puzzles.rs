//! Puzzles with known motifs: how often does an explanation of the blunder name them?
//!
//! A line of a file has, separated by tabs, an id, the motif it was chosen for, the position before
//! the blunder as a FEN, the blunder and its refutation in UCI notation, a rating, and all motifs,
//! with commas between: the labels of lichess.org's puzzles.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::facts::Motif;
use super::moves::Explainer;
use crate::board::{Move, Position};
use crate::eval::weights::Weights;
use crate::files::{FileError, read_text};
use crate::progress::Progress;
use crate::tools::ToolError;

/// A puzzle.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Its name.
    pub id: String,
    /// The motif it was chosen for.
    pub theme: String,
    /// The position before the blunder.
    pub position: Position,
    /// The blunder, a legal move.
    pub blunder: Move,
    /// All motifs.
    pub themes: Vec<String>,
}

/// The puzzles of a file. Calls `warn` with each bad line, which is left out.
///
/// # Errors
///
/// If the file cannot be read or has no puzzles.
pub fn read(path: &Path, warn: &mut dyn FnMut(&FileError)) -> Result<Vec<Puzzle>, FileError> {
    let mut puzzles = Vec::new();
    for (index, line) in read_text(path)?.lines().enumerate() {
        if line.starts_with('#') || line.starts_with("id\t") || line.trim().is_empty() {
            continue;
        }
        match puzzle(line) {
            Ok(puzzle) => puzzles.push(puzzle),
            Err(problem) => warn(&FileError::line(path, index + 1, problem)),
        }
    }
    if puzzles.is_empty() {
        return Err(FileError::content(path, "no puzzles"));
    }
    Ok(puzzles)
}

/// The puzzle of a line, or what is wrong with the line.
fn puzzle(line: &str) -> Result<Puzzle, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, theme, fen, blunder, _, _, themes] = fields[..] else {
        return Err("expected seven fields separated by tabs".to_string());
    };
    let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
    let blunder = position.parse_uci(blunder).map_err(|error| format!("{blunder}: {error}"))?;
    Ok(Puzzle {
        id: id.to_string(),
        theme: theme.to_string(),
        position,
        blunder,
        themes: themes.split(',').map(str::to_string).collect(),
    })
}

/// The counts for a motif.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Puzzles chosen for it.
    puzzles: u32,
    /// Those of them in which it was named.
    found: u32,
    /// How often it was named, in any puzzle.
    named: u32,
    /// How often it was named in a puzzle that has it as a label.
    labelled: u32,
}

/// The result of [`judge`].
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    motifs: BTreeMap<String, Counts>,
    words: Vec<usize>,
    times: Vec<Duration>,
    /// Puzzles whose motif was not named: motif and id.
    pub missed: Vec<String>,
    /// Motifs named that are not among the labels of the puzzle, with its id.
    pub unlabelled: Vec<String>,
}

/// Explains the blunders of puzzles, with this many `nodes` for each search.
///
/// # Errors
///
/// If there is no memory for the search.
pub fn judge(
    puzzles: &[Puzzle],
    nodes: u64,
    weights: Option<&Weights>,
    progress: &dyn Progress,
) -> Result<Judgement, ToolError> {
    let mut explainer = Explainer::new(nodes, weights)?;
    let mut judgement = Judgement::default();
    progress.start("puzzles", puzzles.len() as u64);
    for puzzle in puzzles {
        let start = Instant::now();
        let explanation = explainer.explanation(&puzzle.position, puzzle.blunder, &());
        judgement.times.push(start.elapsed());
        judgement.words.push(explanation.text().split_whitespace().count());
        let motifs: Vec<String> =
            explanation.reason.motifs().into_iter().map(Motif::label).collect();
        let of_theme = judgement.motifs.entry(puzzle.theme.clone()).or_default();
        of_theme.puzzles += 1;
        if motifs.contains(&puzzle.theme) {
            of_theme.found += 1;
        } else {
            judgement.missed.push(format!("{} {}", puzzle.theme, puzzle.id));
        }
        for motif in motifs {
            let counts = judgement.motifs.entry(motif.clone()).or_default();
            counts.named += 1;
            match puzzle.themes.contains(&motif) {
                true => counts.labelled += 1,
                false => judgement.unlabelled.push(format!("{motif} {}", puzzle.id)),
            }
        }
        progress.advance();
    }
    progress.finish();
    Ok(judgement)
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:18}{:>8}{:>7}{:>7}{:>8}{:>10}",
            "motif", "puzzles", "named", "%", "all", "labelled"
        )?;
        for (name, counts) in &self.motifs {
            let percent = f64::from(counts.found) * 100.0 / f64::from(counts.puzzles.max(1));
            writeln!(
                f,
                "{name:18}{:8}{:7}{percent:7.1}{:8}{:10}",
                counts.puzzles, counts.found, counts.named, counts.labelled
            )?;
        }
        let (words, time) = (median(&self.words), median(&self.times).as_secs_f64());
        writeln!(f, "words {words} in the median, seconds {time:.2}")
    }
}

/// The middle value; zero if there is none.
fn median<T: Copy + Default + Ord>(values: &[T]) -> T {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
