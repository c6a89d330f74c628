//! Writes scores and lines of moves, for people and for GUIs; helpers for lists of words and JSON.

use serde::Serialize;

use crate::board::{Move, Position};
use crate::score::{Score, pawns};
use crate::wdl::shown;

/// A score from the side to move as people read it, from White's view: `+0.34`, `#5`, `#-3`; `#` if
/// a side is mated already. A win by the tablebases is `+200.00`.
pub(crate) fn score_text(score: Score, position: &Position) -> String {
    let white = score.for_white(position.turn());
    match white.as_cp() {
        Some(cp) => pawns(shown(cp)),
        None if score == Score::mated_in(0) || -score == Score::mated_in(0) => "#".to_string(),
        None => match white.to_string().strip_prefix("mate ") {
            Some(moves) => format!("#{moves}"),
            None => pawns(if white.is_win() { 20_000 } else { -20_000 }),
        },
    }
}

/// The text that `words` makes of each move of a line, from the position before the move and its
/// index.
fn each_move(
    position: &Position,
    line: &[Move],
    words: impl Fn(&Position, usize, Move) -> String,
) -> Vec<String> {
    let mut position = position.clone();
    let each = line.iter().enumerate().map(|(index, &m)| {
        let text = words(&position, index, m);
        position.play(m);
        text
    });
    each.collect()
}

/// Moves in standard algebraic notation with their numbers: `12... Nf6 13. O-O`.
pub(crate) fn line_text(position: &Position, line: &[Move]) -> String {
    let words = each_move(position, line, |position, index, m| {
        let (number, san) = (position.ply() / 2 + 1, position.san(m));
        match (position.turn().is_white(), index) {
            (true, _) => format!("{number}. {san}"),
            (false, 0) => format!("{number}... {san}"),
            (false, _) => san,
        }
    });
    words.join(" ")
}

/// The moves of a line in standard algebraic notation.
pub(crate) fn sans(position: &Position, line: &[Move]) -> Vec<String> {
    each_move(position, line, |position, _, m| position.san(m))
}

/// Writes a score as UCI does: centipawns, normalised so that a hundred mean an even chance to win,
/// or moves to mate.
pub(crate) fn uci_score(score: Score) -> String {
    match score.as_cp() {
        Some(cp) => format!("cp {}", shown(cp)),
        None => score.to_string(),
    }
}

/// The moves of a line as the protocol writes them.
pub(crate) fn uci_line(position: &Position, line: &[Move], chess960: bool) -> String {
    each_move(position, line, |position, _, m| position.uci(m, chess960)).join(" ")
}

/// A list in words: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A text with a capital letter at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// JSON on one line, or indented for people.
pub(crate) fn json_text(value: &impl Serialize, pretty: bool) -> String {
    let text = match pretty {
        true => serde_json::to_string_pretty(value),
        false => serde_json::to_string(value),
    };
    // Strings, lists and finite numbers always have a form in JSON.
    text.unwrap_or_else(|error| unreachable!("JSON: {error}"))
}
