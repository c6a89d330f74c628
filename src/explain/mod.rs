//! Explaining an evaluation: its terms as rows that add up to the score, as a table, as JSON.

pub mod breakdown;
pub mod json;
pub mod page;
pub mod pictures;
pub mod table;
