//! Endgames: exact bitbases, pawn structures that are locked, and how much of the endgame score is left where the side
//! ahead has trouble to win.

pub mod king_and_minor;
pub mod king_pairs;
pub mod kpk;
pub mod krkp;
pub mod locked_pawns;
pub mod scale;
