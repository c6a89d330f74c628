//! Search: from a position and limits to a move.
//!
//! `search` starts one `Worker` per thread. Each deepens iteratively (`root.rs`); `node/mod.rs` is
//! the principal variation search, which calls the rules of pruning, extending and reducing, a file
//! each, and ends in quiescence search. The threads work together through the
//! [`TranspositionTable`] alone (Lazy SMP): histories and search stack are each thread's own.

mod limits;
mod mate;
mod memory;
mod node;
mod order;
mod report;
mod root;
mod shared;
mod strength;
mod tablebases;
mod threads;
mod time;
mod tuned;
mod window;
mod worker;

pub use limits::Limits;
pub use memory::table::{Bound, Entry, MemoryError, TranspositionTable};
pub use report::{Line, Report, Reporter};
pub use strength::Strength;
pub use tablebases::{Probing, Tablebases};
pub(crate) use threads::search;
pub(crate) use time::budget::Clock;
pub(crate) use time::lag::Lag;
pub use time::stop::{Signal, StopFlag};
pub use tuned::{Declared, Params};

use crate::board::Move;
use crate::eval::{EvalCache, Evaluator};
use crate::known::Knowledge;
use crate::score::Score;
use memory::huge_pages::HugePages;
use order::corrections::Corrections;
use order::histories::Histories;

/// The histories, correction histories and evaluation cache of one thread, kept from one search to
/// the next. They are read at random and so lie in huge pages.
#[derive(bytemuck::Zeroable)]
struct ThreadMemory {
    histories: Histories,
    corrections: Corrections,
    eval_cache: EvalCache,
}

/// What one thread keeps from one search to the next.
struct ThreadState {
    memory: HugePages<ThreadMemory>,
    knowledge: Knowledge,
}

/// What searches work with and keep from one to the next. Other programs use it through
/// [`Engine`](crate::engine::Engine).
pub(crate) struct SearcherState {
    /// The transposition table, shared by all threads.
    pub table: TranspositionTable,
    /// What each thread keeps; one element a thread.
    threads: Vec<ThreadState>,
    /// The numbers of the rules.
    pub params: Params,
    /// Endgame tablebases, if any.
    pub tablebases: Option<Tablebases>,
    /// How many best moves, each with its line, are searched (MultiPV).
    pub multi_pv: usize,
    /// How strong to play if not as well as possible.
    pub strength: Option<Strength>,
    /// The ply of the game at the last search, and its score for the side to move: for the time of
    /// the next search.
    last: Option<(u32, Score)>,
    /// The weights of the evaluation.
    pub evaluator: Evaluator,
}

impl SearcherState {
    /// An empty table of `mib` MiB, and empty histories for each thread.
    ///
    /// # Errors
    ///
    /// If the system has no memory for the table or the threads.
    pub fn new(mib: usize, threads: usize) -> Result<SearcherState, MemoryError> {
        let mut state = SearcherState {
            table: TranspositionTable::new(mib)?,
            threads: Vec::new(),
            params: Params::default(),
            tablebases: None,
            multi_pv: 1,
            strength: None,
            last: None,
            evaluator: Evaluator::new(),
        };
        state.set_threads(threads)?;
        Ok(state)
    }

    /// Sets the number of threads of the searches to come; new ones have empty histories.
    ///
    /// # Errors
    ///
    /// If the system has no memory for so many; their number stays what it was.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        let before = self.threads.len();
        while self.threads.len() < threads.max(1) {
            let Some(memory) = HugePages::new(1) else {
                self.threads.truncate(before);
                return Err(MemoryError::NoThreads { threads });
            };
            self.threads.push(ThreadState { memory, knowledge: Knowledge::new() });
        }
        self.threads.truncate(threads.max(1));
        Ok(())
    }

    /// Clears the transposition table and what each thread keeps; settings stay.
    pub fn clear(&mut self) {
        self.table.clear(self.threads.len());
        self.last = None;
        for thread in &mut self.threads {
            thread.memory.iter_mut().for_each(bytemuck::write_zeroes);
            thread.knowledge = Knowledge::new();
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The principal variation; its first move is the best one. Empty only where there is no legal
    /// move.
    pub line: Line,
    /// The score for the side to move.
    pub score: Score,
    /// Exact, or a lower bound where the search was stopped when it had just found a better move.
    pub bound: Bound,
    /// The last complete iteration, in plies.
    pub depth: i32,
    /// Nodes that all threads have visited.
    pub nodes: u64,
    /// Moves that they have made, without null moves: what Stockfish counts as nodes. A node may be
    /// visited again without a move, as in razoring and singular searches.
    pub moves_made: u64,
    /// Helper threads that have ended by an internal error.
    pub failed_threads: usize,
    /// How many moves the book had to choose from, if the move is one of the book.
    pub book_choices: Option<usize>,
}

impl SearchResult {
    /// A result of one thread, whose nodes are counted with those of the others.
    fn new(line: Line, score: Score, depth: i32) -> SearchResult {
        SearchResult {
            line,
            score,
            bound: Bound::Exact,
            depth,
            nodes: 0,
            moves_made: 0,
            failed_threads: 0,
            book_choices: None,
        }
    }

    /// What there is to say of a position that is drawn by the rules.
    pub(crate) fn of_draw() -> SearchResult {
        SearchResult::new(Line::new(), Score::DRAW, 0)
    }

    /// A move of the book, one of `choices`.
    pub(crate) fn of_book(m: Move, choices: usize) -> SearchResult {
        let book_choices = Some(choices);
        SearchResult { book_choices, ..SearchResult::new(Line::from_iter([m]), Score::DRAW, 0) }
    }
}
