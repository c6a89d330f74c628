//! Explaining an evaluation: the trace as tables for people.

pub mod table;
