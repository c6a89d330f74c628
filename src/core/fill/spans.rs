//! Pawn spans: the squares that pawns may ever cross or attack. All functions assume pawns that
//! move north; [`facing_north`](crate::chess::facing_north) turns the board for Black.
//!
//! The squares from which enemy pawns could stop the pawns on b4 and g2:
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::{Square, bit, diagram};
//! use freshet::fill::spans::passed_pawn_span;
//!
//! let pawns = bit(Square::B4) | bit(Square::G2);
//! assert_eq!(
//!     diagram(passed_pawn_span(pawns)).to_string(),
//!     "x x x . . x x x
//! x x x . . x x x
//! x x x . . x x x
//! x x x . . x x x
//! . . . . . x x x
//! . . . . . x x x
//! . . . . . . . .
//! . . . . . . . ."
//! );
//! ```

use super::direction::Direction::{East, North, NorthEast, NorthWest, South, West};
use crate::chess::{Bitboard, Rank};

/// The squares of the set and all squares north of them.
#[inline(always)]
pub const fn north_fill(set: Bitboard) -> Bitboard {
    let mut fill = set.0;
    fill |= fill << 8;
    fill |= fill << 16;
    fill |= fill << 32;
    Bitboard(fill)
}

/// The squares of the set and all squares south of them.
#[inline(always)]
pub const fn south_fill(set: Bitboard) -> Bitboard {
    let mut fill = set.0;
    fill |= fill >> 8;
    fill |= fill >> 16;
    fill |= fill >> 32;
    Bitboard(fill)
}

/// All squares of the files that hold a square of the set.
#[inline(always)]
pub const fn file_fill(set: Bitboard) -> Bitboard {
    north_fill(south_fill(set))
}

/// The front span: the squares in front of the pawns, to the edge.
#[inline(always)]
pub const fn front_span(pawns: Bitboard) -> Bitboard {
    North.step(north_fill(pawns))
}

/// The rear span: the squares behind the pawns, to the edge.
#[inline(always)]
pub const fn rear_span(pawns: Bitboard) -> Bitboard {
    South.step(south_fill(pawns))
}

/// The squares that the pawns attack.
#[inline(always)]
pub const fn pawn_attacks(pawns: Bitboard) -> Bitboard {
    Bitboard(NorthEast.step(pawns).0 | NorthWest.step(pawns).0)
}

/// The attack span: every square that the pawns attack now or after pushes, ignoring captures. A
/// square outside the attack span of all enemy pawns is a hole, and an outpost for a piece that an
/// own pawn defends there.
#[inline(always)]
pub const fn attack_span(pawns: Bitboard) -> Bitboard {
    north_fill(pawn_attacks(pawns))
}

/// The squares in front of the pawns on their own and both neighbouring files: front span and
/// attack span. A pawn is passed if no enemy pawn stands there.
#[inline(always)]
pub const fn passed_pawn_span(pawns: Bitboard) -> Bitboard {
    let front = front_span(pawns);
    Bitboard(front.0 | East.step(front).0 | West.step(front).0)
}

/// The squares next to those of the set on the same rank.
#[inline(always)]
pub const fn beside(set: Bitboard) -> Bitboard {
    Bitboard(East.step(set).0 | West.step(set).0)
}

/// The squares to which the pawns can be pushed over `empty` squares: one step, from the second
/// rank also two.
#[inline(always)]
pub fn pushes(pawns: Bitboard, empty: Bitboard) -> Bitboard {
    let single = North.step(pawns) & empty;
    single | (North.step(single & Bitboard::from_rank(Rank::Third)) & empty)
}
