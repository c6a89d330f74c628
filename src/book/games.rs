//! Games of PGN files: the main line of each, with those tags that are needed.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{KnownOutcome, Outcome};

use crate::board::Position;
use crate::files::FileError;

/// A game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// White's and Black's name.
    pub names: [String; 2],
    /// The position it starts from; `None` if its FEN is no legal position.
    pub start: Option<Position>,
    /// The moves in standard algebraic notation, not checked.
    pub moves: Vec<String>,
    /// The score that the mover gave each move, in hundredths of a pawn, where a comment has it in
    /// the form of match runners (`+0.31/12 0.07s`).
    pub scores: Vec<Option<i32>>,
    /// The result in half points for White, if there is one.
    pub white: Option<u32>,
}

/// Reads all games of a file one after the other and hands each to `take`, until that returns an
/// error.
///
/// # Errors
///
/// If the file cannot be read, or the error of `take`.
pub fn read<E: From<FileError>>(
    path: &Path,
    mut take: impl FnMut(Game) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = Reader::new(File::open(path).map_err(FileError::io(path))?);
    while let Some(game) = reader.read_game(&mut Games).map_err(FileError::io(path))? {
        take(game)?;
    }
    Ok(())
}

/// The score in a comment such as `+0.31/12 0.07s`, in hundredths of a pawn; `None` for mates.
fn mover_score(comment: &str) -> Option<i32> {
    let (score, _) = comment.trim().split_once('/')?;
    let pawns: f64 = score.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    let is_score = score.starts_with(['+', '-', '0']);
    is_score.then(|| (100.0 * pawns).round() as i32)
}

/// The visitor that gathers a [`Game`].
struct Games;

impl Visitor for Games {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        let names = ["White".to_string(), "Black".to_string()];
        ControlFlow::Continue(Game { names, start: Some(Position::start()), ..Game::default() })
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
        game.scores.push(None);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        if let Some(score) = game.scores.last_mut() {
            *score = score.or_else(|| mover_score(&String::from_utf8_lossy(comment.as_bytes())));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<Game, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<Game> {
        game.white = match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                Some(2 * u32::from(winner.is_white()))
            }
            Outcome::Known(KnownOutcome::Draw) => Some(1),
            Outcome::Unknown => None,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_comments() {
        assert_eq!(mover_score(" +0.31/12 0.066s"), Some(31));
        assert_eq!(mover_score("-1.20/9 0.1s, Black resigns"), Some(-120));
        assert_eq!(mover_score("0.00/30 2.0s"), Some(0));
        assert_eq!(mover_score("+M5/20 0.1s"), None);
        assert_eq!(mover_score("book"), None);
        assert_eq!(mover_score("1/2 would be just"), None);
        assert_eq!(mover_score("+inf/2"), None);
    }
}
