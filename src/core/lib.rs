//! The engine of Freshet: fills, rules, knowledge, evaluation and search.
//!
//! The library `freshet` re-exports its modules and adds what is built on them: explanations, tools,
//! UCI. The two are crates of their own so that they compile side by side. What only `freshet` needs
//! is public but hidden from these pages.

#![warn(unreachable_pub)]

pub mod board;
pub mod book;
pub mod chess;
pub mod engine;
pub mod eval;
#[doc(hidden)]
pub mod fault;
pub mod files;
pub mod fill;
pub mod known;
pub mod pgn;
mod prefetch;
pub mod score;
pub mod search;
pub mod wdl;
