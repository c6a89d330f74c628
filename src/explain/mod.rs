//! Explaining an evaluation: its terms as rows that add up to the score ([`breakdown`]), as a
//! [`table`] and as [`json`]; what a move changes in it, in words ([`moves`],
//! [`annotate`]); [`pictures`] of the sets behind it, and what it depends on ([`sensitivity`]).

pub mod annotate;
pub mod breakdown;
pub mod changes;
mod deltas;
mod draws;
pub mod explanation;
pub mod facts;
pub mod ideas;
pub mod json;
mod known;
pub mod moves;
pub mod pictures;
pub mod puzzles;
pub mod reason;
pub mod searches;
pub mod sensitivity;
pub mod story;
mod summary;
pub mod table;
pub mod wall;
mod words;
