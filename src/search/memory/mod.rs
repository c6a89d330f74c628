//! The transposition table, and the huge pages that hold it and the histories.

pub mod huge_pages;
pub mod table;
