//! Freshet: a classical chess engine whose evaluation and move generation are made of *fills*, sets
//! of squares that spread over the board with shifts and ANDs.
//!
//! The modules, each using only those before it:
//!
//! - [`chess`]: squares, sets of squares, roles (shakmaty's); [`files`]: the error of files;
//!   [`progress`]: reports of long work; `fault`: internal errors on purpose, for tests; `prefetch`
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

pub mod board;
pub mod book;
pub mod chess;
pub mod engine;
pub mod eval;
pub mod explain;
mod fault;
pub mod files;
pub mod fill;
pub mod known;
pub mod page;
pub mod pgn;
mod prefetch;
pub mod progress;
pub mod score;
pub mod search;
pub mod service;
mod text;
pub mod tools;
pub mod tuning;
pub mod uci;
pub mod wdl;
