//! Zugzwang: a side would be better off if it could pass.

use super::line::PlayedLine;
use super::{Fact, Motif};
use crate::board::Position;
use crate::score::Score;
use crate::tools::accuracy::win_percent;

/// A side with more moves than this nearly always has a harmless one.
const MOST_MOVES: usize = 15;

/// How much winning chance, in percent, the duty to move must cost.
const COST: f64 = 12.0;

/// The first zugzwang of the other side in a line. `score` values a position for its side to move,
/// by a small search.
pub fn find(line: &PlayedLine, score: &mut dyn FnMut(&Position) -> Score) -> Option<Fact> {
    line.ours(0).find(|&ply| is_zugzwang(line.after(ply), score)).map(|ply| {
        let after = line.after(ply);
        Fact::new(Motif::Zugzwang, line, ply, [after.king(after.turn())])
    })
}

/// Whether the side to move would be better off if it could pass.
fn is_zugzwang(position: &Position, score: &mut dyn FnMut(&Position) -> Score) -> bool {
    let count = position.moves().len();
    if position.checkers().any() || count == 0 || count > MOST_MOVES {
        return false;
    }
    let mut passed = position.clone();
    passed.play_null();
    if passed.moves().is_empty() {
        return false;
    }
    let to_move = win_percent(score(position));
    let could_pass = 100.0 - win_percent(score(&passed));
    could_pass - to_move >= COST
}
