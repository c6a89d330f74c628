//! The transposition table, and the huge pages that hold it and the histories.

pub(super) mod huge_pages;
pub(super) mod table;
