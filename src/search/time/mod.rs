//! Time: the budget of a move, the stability of the search, the lag of GUI and machine, and `stop`.

pub mod budget;
pub mod lag;
pub mod stability;
pub mod stop;
