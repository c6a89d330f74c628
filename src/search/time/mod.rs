//! Time: the budget of a move, how settled the search is, the lag of GUI and machine, and `stop`.

pub mod budget;
pub mod lag;
pub mod stability;
pub mod stop;
