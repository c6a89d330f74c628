//! Explaining an evaluation: its trace as a table for people, as rows that add up, and what a move
//! changes in it, in words.

pub mod annotate;
pub mod breakdown;
pub mod changes;
pub mod moves;
pub mod table;
mod words;
