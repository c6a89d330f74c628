//! Puzzles with known motifs: how often does an explanation of the blunder name them?
//!
//! A line of a file has, with tabs between, an id, the motif it was chosen for, the position before the
//! blunder as a FEN, the blunder and its refutation in UCI notation, a rating, and all motifs, with
//! commas between: the labels of lichess.org's puzzles.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::facts::Motif;
use super::moves::Explainer;
use crate::board::Position;
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
    /// The blunder, in UCI notation.
    pub blunder: String,
    /// All motifs.
    pub themes: Vec<String>,
}

/// The puzzles of a file.
///
/// # Errors
///
/// If the file cannot be read, or the line that is wrong.
pub fn read(path: &Path) -> Result<Vec<Puzzle>, FileError> {
    let text = read_text(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| {
        !line.starts_with('#') && !line.starts_with("id\t") && !line.is_empty()
    });
    lines
        .map(|(index, line)| {
            let fields: Vec<&str> = line.split('\t').collect();
            let wrong = |problem: String| FileError::line(path, index + 1, problem);
            let [id, theme, fen, blunder, _, _, themes] = fields[..] else {
                return Err(wrong("seven fields with tabs between are wanted".to_string()));
            };
            let position = Position::from_fen(fen).map_err(|error| wrong(error.to_string()))?;
            position.parse_uci(blunder).map_err(|error| wrong(format!("{blunder}: {error}")))?;
            Ok(Puzzle {
                id: id.to_string(),
                theme: theme.to_string(),
                position,
                blunder: blunder.to_string(),
                themes: themes.split(',').map(str::to_string).collect(),
            })
        })
        .collect()
}

/// What was counted of a motif.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Puzzles chosen for it.
    puzzles: u32,
    /// Those of which it was named.
    found: u32,
    /// How often it was named in all.
    named: u32,
    /// How often the labels have it too.
    labelled: u32,
}

/// How explanations have done.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    motifs: BTreeMap<String, Counts>,
    words: Vec<usize>,
    times: Vec<Duration>,
    /// Puzzles whose motif was not named, by id.
    pub missed: Vec<String>,
    /// Motifs that no label has: id and motif.
    pub unlabelled: Vec<String>,
}

/// Explains the blunders of puzzles with searches of so many nodes.
///
/// # Errors
///
/// If there is no memory for the search.
pub fn judge(
    puzzles: &[Puzzle],
    nodes: u64,
    progress: &dyn Progress,
) -> Result<Judgement, ToolError> {
    let mut explainer = Explainer::new(nodes, None)?;
    let mut judgement = Judgement::default();
    progress.start("puzzles", puzzles.len() as u64);
    for puzzle in puzzles {
        let Ok(m) = puzzle.position.parse_uci(&puzzle.blunder) else { continue };
        let start = Instant::now();
        let explanation = explainer.explanation(&puzzle.position, m);
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
        let mut words = self.words.clone();
        words.sort_unstable();
        let mut times = self.times.clone();
        times.sort_unstable();
        let median = |index: usize| index / 2;
        writeln!(
            f,
            "words {} in the median, seconds {:.2}",
            words.get(median(words.len())).copied().unwrap_or_default(),
            times.get(median(times.len())).copied().unwrap_or_default().as_secs_f64()
        )
    }
}
