//! Explaining an evaluation: its trace as a table for people.

pub mod table;
pub mod wall;
