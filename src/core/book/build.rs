//! Makes books from games, by how often and how well each move was played.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::games::{self, Game};
use super::{Book, Entry, code, key};
use crate::board::Position;
use crate::files::{FileError, has_extension, read_text};
use crate::pgn::{PgnProblem, read_move};

/// The number of plies of a game that go into a book.
const PLIES: usize = 24;

/// Gathers games for a book.
#[derive(Debug, Default)]
pub struct Builder {
    /// Half points that moves have scored, by key and code: two for a win, one for a draw.
    points: HashMap<(u64, u16), u32>,
    /// The number of games added.
    pub games: u32,
    /// The number of games and lines left out because of an illegal FEN or move, or an unreadable part.
    pub refused: u32,
}

impl Builder {
    /// Adds a game: its first position, moves in SAN or UCI notation, and the result in half points
    /// for White (1 if unknown). Games without moves are ignored.
    ///
    /// # Errors
    ///
    /// The first move that is not legal; then nothing is added.
    fn add(&mut self, start: &Position, moves: &[&str], white: u32) -> Result<(), PgnProblem> {
        let mut position = start.clone();
        let mut played = Vec::new();
        for &text in moves.iter().take(PLIES) {
            let m = read_move(&position, text)?;
            let points = if position.turn().is_white() { white } else { 2 - white };
            played.push((key(&position), code(m), points));
            position.play(m);
        }
        self.games += u32::from(!played.is_empty());
        for (key, code, points) in played {
            *self.points.entry((key, code)).or_default() += points;
        }
        Ok(())
    }

    /// Adds the games of a PGN file or of a table of opening lines (`.tsv` with the columns eco,
    /// name and pgn). Calls `warn` for each game or line that it leaves out.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no games.
    pub fn add_file(
        &mut self,
        path: &Path,
        warn: &mut dyn FnMut(&FileError),
    ) -> Result<(), FileError> {
        let before = self.games + self.refused;
        if has_extension(path, "tsv") {
            self.add_table(path, warn)?;
        } else {
            games::read::<FileError>(path, |game| {
                let moves: Vec<&str> = game.moves.iter().map(String::as_str).collect();
                let added = match (&game.start, game.problem) {
                    (Some(start), None) => self.add(start, &moves, game.white.unwrap_or(1)),
                    (_, problem) => problem.map_or(Ok(()), Err),
                };
                if let Err(problem) = added {
                    let Game { number, line, .. } = game;
                    let problem = format!("game {number} (line {line}) is left out: {problem}");
                    self.refuse(&FileError::content(path, problem), warn);
                }
                Ok(())
            })?;
        }
        if self.games + self.refused == before {
            return Err(FileError::content(path, "no games"));
        }
        Ok(())
    }

    /// Adds the lines of a table, whose first line names the columns.
    fn add_table(
        &mut self,
        path: &Path,
        warn: &mut dyn FnMut(&FileError),
    ) -> Result<(), FileError> {
        for (index, line) in read_text(path)?.lines().enumerate().skip(1) {
            if line.trim().is_empty() {
                continue;
            }
            let added = match line.split('\t').nth(2) {
                Some(moves) => {
                    let moves: Vec<&str> =
                        moves.split_whitespace().filter(|word| !word.ends_with('.')).collect();
                    self.add(&Position::start(), &moves, 1).map_err(|problem| problem.to_string())
                }
                None => Err("expected three columns separated by tabs".to_string()),
            };
            if let Err(problem) = added {
                let problem = format!("left out: {problem}");
                self.refuse(&FileError::line(path, index + 1, problem), warn);
            }
        }
        Ok(())
    }

    fn refuse(&mut self, error: &FileError, warn: &mut dyn FnMut(&FileError)) {
        self.refused += 1;
        warn(error);
    }

    /// The bytes of the book. A move's weight is its half points; all weights of a position are
    /// scaled down together if the largest does not fit. Moves that never scored are left out.
    pub fn book(&self) -> Vec<u8> {
        let mut most: HashMap<u64, u32> = HashMap::new();
        for (&(key, _), &points) in &self.points {
            let most = most.entry(key).or_default();
            *most = (*most).max(points);
        }
        let scored = self.points.iter().filter(|(_, points)| **points > 0);
        let entries = scored.map(|(&(key, code), &points)| {
            let scale = most[&key].max(u32::from(u16::MAX));
            let weight = u64::from(points) * u64::from(u16::MAX) / u64::from(scale);
            Entry { key, code, weight: weight.max(1) as u16 }
        });
        Book::bytes(entries.collect())
    }
}

/// Whether a file holds games, by its extension.
pub fn is_of_games(path: &Path) -> bool {
    has_extension(path, "pgn") || has_extension(path, "tsv")
}

/// The game files of a path: the path itself, or all `.pgn` and `.tsv` files in a folder, in the
/// order of their names.
///
/// # Errors
///
/// If a folder cannot be read or has no such files.
pub fn game_files(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = std::fs::read_dir(path).map_err(FileError::io(path))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| is_of_games(file))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(FileError::content(path, "no .pgn or .tsv files in this folder"));
    }
    Ok(files)
}
