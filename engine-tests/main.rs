//! The tests of Freshet, one program with a module for each subject.

mod backends;
mod blocked;
mod book;
mod eval;
mod fill;
mod perft;
mod rules;
mod search;
mod support;
mod uci;
