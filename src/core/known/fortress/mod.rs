//! Fortresses: positions in which a side holds behind pawns that are locked, or nearly so, or with few
//! pieces against more. A *wall* is a structure of locked pawns with pieces on the board. *Few pieces*
//! are at most two with pawns, or three without; the command `solve` also allows three with pawns.
//!
//! | Kind | File | Method |
//! |---|---|---|
//! | kings, locked pawns | [`pawns`], [`king_pairs`], `conversions` | bitbases: what is proven, and who seems to win |
//! | kings and pawns that lead to few structures | [`pawn_endings`] | bitbases of all of them |
//! | few pieces, with or without pawns | [`pieces`], `piece_endings`, `piece_bitbases` | the same |
//! | walls with any pieces | [`flood`] | floods: proofs only |

mod cache;
mod conversions;
pub mod flood;
pub mod king_pairs;
pub mod pawn_endings;
pub mod pawns;
#[doc(hidden)]
pub mod piece_bitbases;
mod piece_endings;
pub mod pieces;
pub mod structure;
