//! Search: from a position and limits to a move.
//!
//! `search` starts one `Worker` per thread. Each deepens iteratively (`root.rs`); `node/mod.rs` is
//! the principal variation search, which calls the rules of pruning, extending and reducing, a file
//! each, and ends in quiescence search. While they search, the threads exchange results only
//! through the [`TranspositionTable`] (Lazy SMP): histories and search stack are each thread's own.
//! At the end they vote for the best move.

mod limits;
mod logarithms;
mod mate;
mod memory;
mod node;
mod numbers;
mod order;
mod report;
mod reporting;
mod root;
mod root_moves;
mod shared;
mod state;
mod strength;
mod tablebases;
mod thread_state;
mod threads;
mod time;
mod tuned;
mod window;
mod worker;

pub use limits::Limits;
pub use memory::table::{Bound, Entry, MAX_HASH, MemoryError, TranspositionTable};
pub use numbers::Declared;
pub use report::{Line, Report, Reporter, SearchResult};
pub(crate) use state::SearcherState;
pub use strength::Strength;
pub use tablebases::{Probing, Tablebases};
pub use threads::MAX_THREADS;
pub(crate) use threads::search;
pub(crate) use time::budget::Clock;
pub(crate) use time::lag::Lag;
pub use time::stop::{Signal, StopFlag};
pub use tuned::Params;
