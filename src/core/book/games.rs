//! Games of PGN files, reduced to main line and the tags needed.

use std::path::Path;

use crate::board::{ParseMoveError, Position};
use crate::files::{self, FileError};
use crate::pgn::{self, PgnProblem, Reader};

/// The main line of a game, with the tags needed.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// White's and Black's name.
    #[doc(hidden)]
    pub names: [String; 2],
    /// The start position; `None` if its FEN is not a legal position.
    pub start: Option<Position>,
    /// The moves in SAN or UCI notation, not checked.
    pub moves: Vec<String>,
    /// The mover's score of each move, in hundredths of a pawn, if a comment has it in the form of
    /// match runners (`+0.31/12 0.07s`).
    pub scores: Vec<Option<i32>>,
    /// The result in half points for White, if there is one.
    pub white: Option<u32>,
    /// Why the game cannot be used: its first position is illegal, or a part could not be read.
    pub problem: Option<PgnProblem>,
    /// The number of the game in the file, from 1.
    #[doc(hidden)]
    pub number: usize,
    /// The line of the file on which the game begins, from 1.
    #[doc(hidden)]
    pub line: usize,
}

/// Reads all games of a file one by one and passes each to `take`, until that returns an error.
///
/// # Errors
///
/// If the file cannot be read, or the error of `take`.
pub fn read<E: From<FileError>>(
    path: &Path,
    mut take: impl FnMut(Game) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = Reader::new(files::open_text(path)?);
    while let Some(game) = reader.next_game().map_err(FileError::io(path))? {
        if !is_other_text(&game) {
            take(game.into())?;
        }
    }
    Ok(())
}

/// Whether the file does not hold games: no tags, and the first word is not a move.
fn is_other_text(game: &pgn::Game) -> bool {
    let first = game.moves.nodes.first().map(|node| Position::start().parse_move(&node.text));
    game.tags.is_empty() && first == Some(Err(ParseMoveError::Syntax))
}

/// The score in a comment such as `+0.31/12 0.07s`, in hundredths of a pawn; `None` for mates.
fn mover_score(comment: &str) -> Option<i32> {
    let (score, _) = comment.trim().split_once('/')?;
    let pawns: f64 = score.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    let is_score = score.starts_with(['+', '-', '0']);
    is_score.then(|| (100.0 * pawns).round() as i32)
}

impl From<pgn::Game> for Game {
    fn from(game: pgn::Game) -> Game {
        let nodes = &game.moves.nodes;
        let score = |node: &pgn::Node| node.comments.iter().find_map(|text| mover_score(text));
        let (start, problem) = match game.start() {
            Ok(start) => (Some(start), game.problem.clone()),
            Err(problem) => (None, Some(problem)),
        };
        Game {
            names: game.names(),
            start,
            moves: nodes.iter().map(|node| node.text.clone()).collect(),
            scores: nodes.iter().map(score).collect(),
            white: match game.result.as_str() {
                "1-0" => Some(2),
                "1/2-1/2" => Some(1),
                "0-1" => Some(0),
                _ => None,
            },
            problem,
            number: game.number,
            line: game.line,
        }
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
