//! The weights of square maps in the form in which SIMD adds them up.

use crate::fill::SquareTable;

/// The tables of some maps: as they are and with files mirrored, and for each map the middlegame and
/// the endgame table.
pub type Tables<const MAPS: usize> = [[[SquareTable; 2]; MAPS]; 2];

/// Maps that depend on pawns and kings only.
pub const PAWN_MAPS: usize = 11;

/// All other maps.
pub const PIECE_MAPS: usize = 14;

/// All tables of square maps.
#[derive(Debug)]
pub struct SquareTables {
    /// Those that depend on pawns and kings only.
    pub pawns: Tables<PAWN_MAPS>,
    /// All others.
    pub pieces: Tables<PIECE_MAPS>,
}
