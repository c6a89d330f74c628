//! Explaining an evaluation: its terms as rows that add up to the score ([`breakdown`]), as a
//! [`table`], as [`json`] and as a [`page`]; [`pictures`] of the sets behind it, and what it depends
//! on ([`sensitivity`]).

pub mod breakdown;
pub mod json;
pub mod page;
pub mod pictures;
pub mod sensitivity;
pub mod table;
