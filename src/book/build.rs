//! Books out of games: how often and how well each move was played.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{KnownOutcome, Outcome};

use super::{Book, Entry, code, key};
use crate::board::Position;

/// Moves of a game that are taken into a book, in half moves.
pub const PLIES: usize = 24;

/// What was counted of a move: a win two points, a draw one.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    games: u32,
    points: u32,
}

/// Games being gathered.
#[derive(Debug, Default)]
pub struct Builder {
    played: HashMap<(u64, u16), Played>,
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
            let Some(m) = position.parse_san(text).or_else(|| position.parse_uci(text)) else {
                self.refused += 1;
                return;
            };
            let points = if position.turn().is_white() { white } else { 2 - white };
            seen.push((key(&position), code(&position, m), points));
            position.play(m);
        }
        self.games += 1;
        for (key, code, points) in seen {
            let played = self.played.entry((key, code)).or_default();
            played.games += 1;
            played.points += points;
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
                let moves: Vec<&str> = moves.split_whitespace().filter(|word| !word.ends_with('.')).collect();
                self.add(&Position::start(), &moves, 1);
            }
            return Ok(());
        }
        let file = std::fs::File::open(path).map_err(complain)?;
        let mut reader = Reader::new(file);
        reader.visit_all_games(self).map_err(complain)
    }

    /// The bytes of the book. A move's weight is its points, all weights of a position scaled down together if the largest
    /// does not fit; moves that never brought a point are left out.
    pub fn book(&self) -> Vec<u8> {
        let mut most: HashMap<u64, u32> = HashMap::new();
        for (&(key, _), played) in &self.played {
            let most = most.entry(key).or_default();
            *most = (*most).max(played.points);
        }
        let entries =
            self.played.iter().filter(|(_, played)| played.points > 0).map(|(&(key, code), played)| {
                let scale = most[&key].max(u32::from(u16::MAX));
                let weight = u64::from(played.points) * u64::from(u16::MAX) / u64::from(scale);
                Entry { key, code, weight: weight.max(1) as u16 }
            });
        Book::bytes(entries.collect())
    }
}

/// A game of a PGN file as far as it is read.
#[derive(Debug)]
pub struct Game {
    start: Option<Position>,
    moves: Vec<String>,
    white: u32,
}

impl Visitor for Builder {
    type Tags = Game;
    type Movetext = Game;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Game> {
        ControlFlow::Continue(Game { start: Some(Position::start()), moves: Vec::new(), white: 1 })
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            game.start = Position::from_fen(&value.decode_utf8_lossy()).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<(), Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<()> {
        if game.moves.len() < PLIES {
            game.moves.push(san.to_string());
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<()> {
        game.white = match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => 2 * u32::from(winner.is_white()),
            _ => 1,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) {
        let moves: Vec<&str> = game.moves.iter().map(String::as_str).collect();
        match game.start {
            Some(start) => self.add(&start, &moves, game.white),
            None => self.refused += 1,
        }
    }
}
