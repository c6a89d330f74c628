//! Memory that is read at random: the transposition table, and the huge pages that it and the
//! histories lie in.

pub mod huge_pages;
pub mod table;
