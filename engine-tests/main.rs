//! The tests of Freshet: one program with a file for each subject.

mod backends;
mod blocked;
mod book;
mod cli;
mod data;
mod eval;
mod fill;
mod fuzz;
mod laws;
mod perft;
mod rules;
mod search;
mod support;
mod uci;
