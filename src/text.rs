//! Writes scores and lines, for people and for GUIs.

use crate::board::{Move, Position};
use crate::score::{Score, pawns};
use crate::wdl::shown;

/// A score from the side to move as people read it, from White's view: `+0.34`, `#5`, `#-3`; `#` if
/// a side is mated already. A win by the tablebases is `+200.00`.
pub fn score_text(score: Score, position: &Position) -> String {
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

/// Moves in standard algebraic notation with their numbers: `12... Nf6 13. O-O`.
pub fn line_text(position: &Position, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for (index, &m) in line.iter().enumerate() {
        let number = position.ply() / 2 + 1;
        let san = position.san(m);
        words.push(match (position.turn().is_white(), index) {
            (true, _) => format!("{number}. {san}"),
            (false, 0) => format!("{number}... {san}"),
            (false, _) => san,
        });
        position.play(m);
    }
    words.join(" ")
}

/// Writes a score as UCI does: centipawns, normalised so that a hundred mean an even chance to win,
/// or moves to mate.
pub fn uci_score(score: Score) -> String {
    match score.as_cp() {
        Some(cp) => format!("cp {}", shown(cp)),
        None => score.to_string(),
    }
}

/// The moves of a line as the protocol writes them.
pub fn uci_line(position: &Position, line: &[Move], chess960: bool) -> String {
    let mut position = position.clone();
    let words: Vec<String> = line
        .iter()
        .map(|&m| {
            let text = position.uci(m, chess960);
            position.play(m);
            text
        })
        .collect();
    words.join(" ")
}
