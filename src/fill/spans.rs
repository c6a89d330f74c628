//! Pawn spans: the squares pawns may ever pass, attack or guard. All for pawns that move north.

use crate::chess::Bitboard;

use super::Direction::{East, North, NorthEast, NorthWest, South, West};

/// The squares themselves and all squares north of them.
#[inline(always)]
pub const fn north_fill(set: Bitboard) -> Bitboard {
    let mut fill = set.0;
    fill |= fill << 8;
    fill |= fill << 16;
    fill |= fill << 32;
    Bitboard(fill)
}

/// The squares themselves and all squares south of them.
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

/// The squares in front of the pawns, to the edge.
#[inline(always)]
pub const fn front_span(pawns: Bitboard) -> Bitboard {
    North.step(north_fill(pawns))
}

/// The squares behind the pawns, to the edge.
#[inline(always)]
pub const fn rear_span(pawns: Bitboard) -> Bitboard {
    South.step(south_fill(pawns))
}

/// The squares the pawns attack now.
#[inline(always)]
pub const fn pawn_attacks(pawns: Bitboard) -> Bitboard {
    Bitboard(NorthEast.step(pawns).0 | NorthWest.step(pawns).0)
}

/// The attack cone: every square the pawns attack now or after pushes, captures left aside. What lies
/// outside all enemy cones is safe from pawns for good: an outpost.
#[inline(always)]
pub const fn attack_cone(pawns: Bitboard) -> Bitboard {
    north_fill(pawn_attacks(pawns))
}

/// The squares in front of the pawns on their own and both neighbouring files: an enemy pawn there stands
/// in the way of a passed pawn.
#[inline(always)]
pub const fn passage(pawns: Bitboard) -> Bitboard {
    let front = front_span(pawns);
    Bitboard(front.0 | East.step(front).0 | West.step(front).0)
}

/// The squares on both sides of the set.
#[inline(always)]
pub const fn beside(set: Bitboard) -> Bitboard {
    Bitboard(East.step(set).0 | West.step(set).0)
}

/// The squares the pawns can reach in `pushes` single steps or fewer over `empty` squares, without their
/// own: the pawn wave.
pub fn pushes(pawns: Bitboard, empty: Bitboard, pushes: u32) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut edge = pawns;
    for _ in 0..pushes {
        edge = North.step(edge) & empty;
        reached |= edge;
    }
    reached
}
