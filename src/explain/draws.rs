//! Draws by the rules at the end of a line: stalemate, perpetual check, repetition, too little
//! material, and the fifty-move rule.

use super::facts::line::PlayedLine;
use super::moves::{Ending, SearchedMove};
use super::story::move_text;
use crate::board::Position;
use crate::chess::{Color, side_name};

/// Whether a position ends the game: by mate, stalemate, too little material or the fifty-move rule.
pub(super) fn is_over(position: &Position) -> bool {
    position.moves().is_empty() || position.is_dead_material() || position.is_fifty_move_draw()
}

/// How the line of a move ends in a draw, as a sentence without its full stop; `None` where it does
/// not.
pub(super) fn words(searched: &SearchedMove) -> Option<String> {
    let line = PlayedLine::new(&searched.position, None, &searched.line);
    let (last, end) = (line.moves.len().checked_sub(1)?, &searched.end);
    match searched.ending? {
        Ending::Mate => None,
        Ending::Stalemate => {
            let move_text = move_text(&line, last);
            Some(match last {
                0 => format!("{move_text} is stalemate"),
                _ => format!("the line ends in stalemate after {move_text}"),
            })
        }
        Ending::Draw if line.after(0).is_dead_material() => {
            Some("neither side has enough pieces left to mate".to_string())
        }
        Ending::Draw if end.is_dead_material() => {
            Some("in the line found, neither side is left with enough pieces to mate".to_string())
        }
        Ending::Draw if end.is_fifty_move_draw() => Some(match last {
            0 => "it is a draw by the fifty-move rule".to_string(),
            _ => "the line ends in a draw by the fifty-move rule".to_string(),
        }),
        Ending::Draw => {
            let first = repeated(&line)?;
            Some(match perpetual_check(&line, first) {
                Some(side) => format!("the line ends in perpetual check by {}", side_name(side)),
                None => "the line ends in a repetition".to_string(),
            })
        }
    }
}

/// The index of the position of a line that its end repeats.
fn repeated(line: &PlayedLine) -> Option<usize> {
    let last = line.moves.len();
    let key = line.positions[last].key();
    (0..last).rev().find(|&index| line.positions[index].key() == key)
}

/// The side that gives check with each of its moves from a position of a line on.
fn perpetual_check(line: &PlayedLine, first: usize) -> Option<Color> {
    let checks = |side: Color| {
        (first..line.moves.len())
            .filter(|&ply| line.before(ply).turn() == side)
            .all(|ply| line.after(ply).checkers().any())
    };
    Color::ALL.into_iter().find(|&side| checks(side))
}
