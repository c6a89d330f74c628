//! The tests of Freshet: one program with a file for each subject.

mod backends;
mod blocked;
mod book;
mod changes;
mod cli;
mod corpora;
mod data;
mod endings;
mod eval;
mod explain;
mod fill;
mod fuzz;
mod interrupted;
mod laws;
mod mates;
mod openbench;
mod perft;
mod pgn;
mod rules;
mod search;
mod small;
mod support;
mod uci;
mod unsafe_code;
mod walls;
mod wiring;
