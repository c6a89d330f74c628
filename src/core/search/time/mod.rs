//! Time: the budget of a move, the stability of the search, the lag of GUI and machine, and `stop`.

pub(super) mod budget;
pub(super) mod lag;
pub(super) mod stability;
pub(super) mod stop;
