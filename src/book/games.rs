//! Games of PGN files: the main line of each, with what is needed of its tags.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{KnownOutcome, Outcome};

use crate::board::Position;

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// White's and Black's name.
    pub names: [String; 2],
    /// Where it starts; `None` if its FEN is no position.
    pub start: Option<Position>,
    /// The moves in standard algebraic notation, not checked.
    pub moves: Vec<String>,
    /// The result in half points for White; 1 if unknown.
    pub white: u32,
}

/// Reads all games of a file, one after the other, and hands each to `take`, until that answers an error.
pub fn read(path: &Path, mut take: impl FnMut(Game) -> Result<(), String>) -> Result<(), String> {
    let complain = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut reader = Reader::new(File::open(path).map_err(complain)?);
    while let Some(game) = reader.read_game(&mut Games).map_err(complain)? {
        take(game)?;
    }
    Ok(())
}

/// Reads games.
struct Games;

impl Visitor for Games {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        let names = ["White".to_string(), "Black".to_string()];
        ControlFlow::Continue(Game { names, start: Some(Position::start()), moves: Vec::new(), white: 1 })
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let value = value.decode_utf8_lossy();
        match name {
            b"White" => game.names[0] = value.into_owned(),
            b"Black" => game.names[1] = value.into_owned(),
            b"FEN" => game.start = Position::from_fen(&value).ok(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        game.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Game, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<Game> {
        game.white = match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => 2 * u32::from(winner.is_white()),
            _ => 1,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}
