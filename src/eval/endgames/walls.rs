//! Walls: locked pawns behind which a side holds against pieces.
//!
//! A side that is proven unable to win is at most level. The proof is a
//! [confinement](super::confinement), by floods, or with few pieces a [bitbase](super::solved).

use super::confinement::confinement;
use super::solved;
use crate::board::Position;
use crate::chess::{Bitboard, Color, Role};
use crate::fill::Direction;

/// From this score on, in centipawns, a proof is looked for that the side ahead cannot win.
const WORTH_A_PROOF: i32 = 60;

/// Whether `side` is proven unable to win: its opponent can always hold. `false` says nothing.
///
/// ```
/// use freshet::board::Position;
/// use freshet::chess::Color;
/// use freshet::eval::endgames::walls::cannot_win;
///
/// // Two rooks and a bishop against a wall, the end of a study by W. E. Rudolph (1912).
/// let fen = "3k4/1r2p3/r2pPp2/b1pP1Pp1/1pP3Pp/pP2K2P/P7/8 b - - 0 1";
/// assert!(cannot_win(&Position::from_fen(fen).unwrap(), Color::Black));
/// ```
pub fn cannot_win(position: &Position, side: Color) -> bool {
    confinement(position, side).is_some() || solved::cannot_win(position, side)
}

/// Whether a proof that the side ahead cannot win is worth looking for: it is well ahead, and there
/// is a ram at least, and three where there are many pieces.
#[inline(always)]
pub(in crate::eval) fn is_worth_a_proof(position: &Position, phase: i32, tapered: i32) -> bool {
    tapered.abs() >= WORTH_A_PROOF && rams(position).count() >= if phase <= 6 { 1 } else { 3 }
}

/// Rams: the squares of Black's pawns that stand before a white pawn, so that neither can move.
#[inline(always)]
pub fn rams(position: &Position) -> Bitboard {
    let pawns = |side| position.set(side, Role::Pawn);
    Direction::North.step(pawns(Color::White)) & pawns(Color::Black)
}

/// The score in centipawns for White where the side ahead cannot win; `None` elsewhere.
pub(super) fn score(position: &Position, phase: i32, tapered: i32) -> Option<i32> {
    let ahead = if tapered >= 0 { Color::White } else { Color::Black };
    (is_worth_a_proof(position, phase, tapered) && cannot_win(position, ahead)).then_some(0)
}
