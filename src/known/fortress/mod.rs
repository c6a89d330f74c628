//! Fortresses: positions in which a side holds behind pawns that are locked, or nearly so.
//!
//! | Kind | File | Method |
//! |---|---|---|
//! | kings and locked pawns | [`pawns`], [`king_pairs`], [`conversions`] | bitbase, proven and judged |
//! | kings and pawns that lead to few structures | [`pawn_endings`] | bitbases of all of them |
//! | walls: locked pawns and up to two pieces (three in tools) | [`pieces`], [`piece_bitbases`], [`exchanges`] | bitbase, proven |
//! | walls: locked pawns and any pieces | [`flood`] | floods, proven |

mod cache;
pub mod conversions;
pub mod exchanges;
pub mod flood;
pub mod king_pairs;
pub mod pawn_endings;
pub mod pawns;
pub mod piece_bitbases;
pub mod pieces;
pub mod structure;
