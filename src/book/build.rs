//! Books out of games: how often and how well each move was played.

use std::collections::HashMap;
use std::path::Path;

use super::{Book, Entry, code, games, key};
use crate::board::Position;

/// Moves of a game that are taken into a book, in half moves.
pub const PLIES: usize = 24;

/// Games being gathered.
#[derive(Debug, Default)]
pub struct Builder {
    /// What moves have brought, by key and code: two points for a win, one for a draw.
    points: HashMap<(u64, u16), u32>,
    /// Games read.
    pub games: u32,
    /// Games left out since a move in them is not legal.
    pub refused: u32,
}

impl Builder {
    /// Adds a game: its first position, moves in SAN or UCI, and the result in half points for White; 1 if unknown.
    pub fn add(&mut self, start: &Position, moves: &[&str], white: u32) {
        let mut position = start.clone();
        let mut seen = Vec::new();
        for &text in moves.iter().take(PLIES) {
            let Ok(m) = position.parse_san(text).or_else(|_| position.parse_uci(text)) else {
                self.refused += 1;
                return;
            };
            let points = if position.turn().is_white() { white } else { 2 - white };
            seen.push((key(&position), code(&position, m), points));
            position.play(m);
        }
        self.games += 1;
        for (key, code, points) in seen {
            *self.points.entry((key, code)).or_default() += points;
        }
    }

    /// Adds the games of a PGN file, of a table of opening lines (`.tsv` with eco, name and pgn), or of all such files of a
    /// folder.
    pub fn add_path(&mut self, path: &Path) -> Result<(), String> {
        let complain = |error: std::io::Error| format!("{}: {error}", path.display());
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(complain)?;
            let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            files.sort();
            let known = |path: &&std::path::PathBuf| {
                path.extension().is_some_and(|extension| extension == "pgn" || extension == "tsv")
            };
            return files.iter().filter(known).try_for_each(|file| self.add_path(file));
        }
        if path.extension().is_some_and(|extension| extension == "tsv") {
            let text = std::fs::read_to_string(path).map_err(complain)?;
            for line in text.lines().skip(1) {
                let moves = line.split('\t').nth(2).unwrap_or_default();
                let moves: Vec<&str> =
                    moves.split_whitespace().filter(|word| !word.ends_with('.')).collect();
                self.add(&Position::start(), &moves, 1);
            }
            return Ok(());
        }
        games::read(path, |game| {
            let moves: Vec<&str> = game.moves.iter().map(String::as_str).collect();
            match game.start {
                Some(start) => self.add(&start, &moves, game.white.unwrap_or(1)),
                None => self.refused += 1,
            }
            Ok(())
        })
    }

    /// The bytes of the book. A move's weight is its points, all weights of a position scaled down together if the largest
    /// does not fit; moves that never brought a point are left out.
    pub fn book(&self) -> Vec<u8> {
        let mut most: HashMap<u64, u32> = HashMap::new();
        for (&(key, _), &points) in &self.points {
            let most = most.entry(key).or_default();
            *most = (*most).max(points);
        }
        let entries =
            self.points.iter().filter(|(_, points)| **points > 0).map(|(&(key, code), &points)| {
                let scale = most[&key].max(u32::from(u16::MAX));
                let weight = u64::from(points) * u64::from(u16::MAX) / u64::from(scale);
                Entry { key, code, weight: weight.max(1) as u16 }
            });
        Book::bytes(entries.collect())
    }
}
