//! The rules of chess: positions, legal moves, making and unmaking moves, and text formats.
//!
//! A [`Position`] knows its whole history: [`Position::play`] pushes a new state on a stack and
//! [`Position::undo`] steps down again. The generator makes only legal moves ([`Position::moves`],
//! [`Position::generate`]). Moves from anywhere else go through [`Position::try_play`], which
//! refuses illegal ones. FEN is read by [`Position::from_fen`] and written by `Display`; UCI and
//! SAN by [`Position::parse_uci`], [`Position::uci`], [`Position::parse_san`] and
//! [`Position::san`].
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::board::Position;
//!
//! let mut position = Position::start();
//! assert_eq!(position.moves().len(), 20);
//!
//! for san in ["e4", "e5", "Nf3"] {
//!     let m = position.parse_san(san)?;
//!     position.play(m);
//! }
//! assert_eq!(
//!     position.to_string(),
//!     "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
//! );
//! assert_eq!(
//!     position.picture(),
//!     " +---+---+---+---+---+---+---+---+
//!  | r | n | b | q | k | b | n | r | 8
//!  +---+---+---+---+---+---+---+---+
//!  | p | p | p | p |   | p | p | p | 7
//!  +---+---+---+---+---+---+---+---+
//!  |   |   |   |   |   |   |   |   | 6
//!  +---+---+---+---+---+---+---+---+
//!  |   |   |   |   | p |   |   |   | 5
//!  +---+---+---+---+---+---+---+---+
//!  |   |   |   |   | P |   |   |   | 4
//!  +---+---+---+---+---+---+---+---+
//!  |   |   |   |   |   | N |   |   | 3
//!  +---+---+---+---+---+---+---+---+
//!  | P | P | P | P |   | P | P | P | 2
//!  +---+---+---+---+---+---+---+---+
//!  | R | N | B | Q | K | B |   | R | 1
//!  +---+---+---+---+---+---+---+---+
//!    a   b   c   d   e   f   g   h"
//! );
//!
//! position.undo();
//! assert!(position.parse_san("Nf3").is_ok());
//! # Ok::<(), freshet::board::ParseMoveError>(())
//! ```

mod attacks;
mod castling;
mod draws;
mod epd;
mod fen;
mod geometry;
mod movegen;
mod moves;
mod notation;
mod pieces;
mod play;
mod position;
mod replies;
mod see;
mod state;
mod written;
mod zobrist;

pub use attacks::{CheckInfo, CheckSquares};
pub use epd::Epd;
pub use fen::PositionError;
pub use movegen::GenType;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use notation::ParseMoveError;
pub use play::IllegalMoveError;
pub use position::Position;
pub use replies::ReplyCounter;
pub use see::see_value;
pub use state::Keys;
