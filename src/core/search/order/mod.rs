//! The staged move picker, the histories that order its moves, and the correction histories of the
//! static evaluation.

pub(super) mod corrections;
pub(super) mod histories;
pub(super) mod picker;
