//! Explaining an evaluation: its trace as a table for people.

pub mod breakdown;
pub mod table;
