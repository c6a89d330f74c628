//! Blocked pawn endgames: only the kings move, and what counts is where they can go.
//!
//! When no pawn can move or capture, a king gets in only over squares that no enemy pawn attacks, to a pawn that no
//! pawn guards. All shortest paths (Westcott) from the king to the squares beside such pawns say how long
//! that takes, or that it cannot be done. If neither king gets in, nothing can ever happen: a draw.

use super::side::Side;
use crate::chess::Bitboard;
use crate::fill::Direction;
use crate::fill::waves::{all_shortest_paths, king_attacks};

/// What is known of a position in which only the kings can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither king gets in: a proven draw.
    Fortress,
    /// Only the first side's king gets in, in this many moves: the second side cannot win.
    First(u32),
    /// Only the second side's king gets in: the first side cannot win.
    Second(u32),
    /// Both get in, in so many moves each.
    Race(u32, u32),
}

/// Whether no pawn of either side, seen by the first, can move or capture. En passant must be excluded by the
/// caller.
fn is_locked(us: &Side, them: &Side) -> bool {
    let occupied = us.pawns | them.pawns;
    let free = |pawns: Bitboard, north: Direction| (north.step(pawns) & !occupied).any();
    !free(us.pawns, Direction::North)
        && !free(them.pawns, Direction::South)
        && (us.by_pawns & them.pawns).is_empty()
}

/// King moves until our king takes a pawn that none of their pawns guards, their king left aside; `None` if it
/// never can.
///
/// The king's own square counts as a way in even when a pawn attacks it: in check it may take its way out.
/// Squares beside the enemy's king are not excluded, so that "never" is proven.
fn entry(us: &Side, them: &Side) -> Option<u32> {
    let path = (!(us.pawns | them.pawns) & !them.by_pawns) | us.king;
    let weak = them.pawns & !them.by_pawns;
    // The layers count the squares of the way, one more than its moves: the capture makes up for it.
    all_shortest_paths(us.king, king_attacks(weak), path).map(|layers| layers.len() as u32)
}

/// What is known of the position, both sides as the first sees them; `None` where anything but kings can
/// move.
pub fn verdict(us: &Side, them: &Side) -> Option<Verdict> {
    if !us.has_no_pieces() || !them.has_no_pieces() || !is_locked(us, them) {
        return None;
    }
    Some(match (entry(us, them), entry(them, us)) {
        (None, None) => Verdict::Fortress,
        (Some(moves), None) => Verdict::First(moves),
        (None, Some(moves)) => Verdict::Second(moves),
        (Some(first), Some(second)) => Verdict::Race(first, second),
    })
}

/// The score of the first side in centipawns after the verdict; `to_move` is +1 if it is to move, else -1.
pub fn judge(verdict: Verdict, score: i32, to_move: i32) -> i32 {
    let bonus = |moves: u32| 120 - 4 * moves.min(20) as i32;
    match verdict {
        Verdict::Fortress => 0,
        Verdict::First(moves) => (score / 2).max(0) + bonus(moves),
        Verdict::Second(moves) => (score / 2).min(0) - bonus(moves),
        Verdict::Race(first, second) => {
            // Half moves by which the first side is ahead.
            let ahead = 2 * (second as i32 - first as i32) + to_move;
            score / 2 + 20 * ahead.clamp(-6, 6)
        }
    }
}
