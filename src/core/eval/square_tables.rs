//! The weights of square maps, laid out for SIMD sums.

use crate::fill::SquareTable;

/// The tables of some maps, first as they are, then with files mirrored. Each map has a middlegame
/// and an endgame table.
pub(super) type Tables<const MAPS: usize> = [[[SquareTable; 2]; MAPS]; 2];

/// The number of maps that depend only on pawns and kings.
const PAWN_MAPS: usize = 11;

/// The number of other maps.
const PIECE_MAPS: usize = 14;

/// All tables of square maps.
#[derive(Debug)]
pub(super) struct SquareTables {
    /// Maps that depend only on pawns and kings.
    pub(super) pawns: Tables<PAWN_MAPS>,
    /// All other maps.
    pub(super) pieces: Tables<PIECE_MAPS>,
}
