//! Move ordering and what it learns: the staged move picker, the histories of moves, and the
//! corrections of the evaluation.

pub mod corrections;
pub mod histories;
pub mod picker;
