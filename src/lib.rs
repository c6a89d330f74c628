//! Freshet: a classical chess engine made of fills.
//!
//! The rooms, each using only what stands before it:
//! [`chess`] (words) - [`fill`] (sets that spread) - [`board`] (rules) - [`score`] (the coin).

pub mod board;
pub mod book;
pub mod chess;
pub mod eval;
pub mod fill;
pub mod score;
pub mod search;
pub mod tools;
pub mod uci;
