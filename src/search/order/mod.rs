//! The staged move picker, the histories that order its moves, and the correction histories of the
//! static evaluation.

pub mod corrections;
pub mod histories;
pub mod picker;
