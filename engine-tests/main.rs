//! The tests of Freshet, one program with a chapter for each room.

mod fill;
mod perft;
mod rules;
mod support;
