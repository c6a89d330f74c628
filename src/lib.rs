//! Freshet: a classical chess engine whose evaluation and move generation are made of *fills*, sets
//! of squares that spread over the board with shifts and ANDs.
//!
//! The modules, each using only those before it. All up to [`engine`], except [`progress`] and
//! `text`, belong to the crate `freshet_core`:
//!
//! - [`chess`]: squares, sets of squares, roles (shakmaty's); [`files`]: the error of files;
//!   [`progress`]: reports of long work; `fault`: internal errors on purpose, for tests
//! - [`fill`]: dumb7fill for all ray directions at once, king and knight waves, pawn spans
//! - [`board`]: positions, legal moves, FEN, SAN, EPD, static exchange evaluation
//! - [`pgn`]: games as trees of moves, read and written
//! - [`score`]: centipawns and mates; [`wdl`]: win, draw and loss chances; `text`: how scores and
//!   lines are written
//! - [`known`]: knowledge without a search: solved endgames, fortresses
//! - [`eval`]: the evaluation and its trace
//! - [`search`]: alpha-beta, the transposition table, time management, Syzygy tablebases
//! - [`book`]: Polyglot opening books
//! - [`engine`]: all of these together, without I/O
//! - [`tuning`] and [`tools`]: self-play, tuners, bench, perft, analysis
//! - [`explain`]: evaluations that add up, as tables and pictures; moves and games explained
//! - [`uci`]: the protocol; [`service`]: requests of the board; [`page`]: the board in one file

#![warn(unreachable_pub)]

pub mod explain;
pub mod page;
pub mod progress;
pub mod service;
mod text;
pub mod tools;
pub mod tuning;
pub mod uci;

use freshet_core::fault;
pub use freshet_core::{board, book, chess, engine, eval, files, fill};
pub use freshet_core::{known, pgn, score, search, wdl};
