//! The state of searches that the engine owns.

use super::memory::huge_pages::HugePages;
use super::memory::table::{MemoryError, TranspositionTable};
use super::strength::Strength;
use super::tablebases::Tablebases;
use super::thread_state::ThreadState;
use super::tuned::Params;
use crate::eval::Evaluator;
use crate::known::Knowledge;
use crate::score::Score;

/// The state that searches use and keep from one to the next. Other programs use it through
/// [`Engine`](crate::engine::Engine).
pub(crate) struct SearcherState {
    /// The transposition table, shared by all threads.
    pub(crate) table: TranspositionTable,
    /// The state of each thread.
    pub(super) threads: Vec<ThreadState>,
    /// The tuned search parameters.
    pub(crate) params: Params,
    /// Endgame tablebases, if any.
    pub(crate) tablebases: Option<Tablebases>,
    /// How many best moves, each with its line, are searched (MultiPV).
    pub(crate) multi_pv: usize,
    /// The limited strength to play at; `None` for full strength.
    pub(crate) strength: Option<Strength>,
    /// The game ply and score of the last search. The next search allots its time by them.
    pub(super) last: Option<(u32, Score)>,
    /// Evaluates positions, with built-in or loaded weights.
    pub(crate) evaluator: Evaluator,
}

impl SearcherState {
    /// An empty table of `mib` MiB, and empty histories for each thread.
    ///
    /// # Errors
    ///
    /// If the system has no memory for the table or the threads.
    pub(crate) fn new(mib: usize, threads: usize) -> Result<SearcherState, MemoryError> {
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

    /// Sets the number of threads for later searches. New threads start with empty histories.
    ///
    /// # Errors
    ///
    /// If the system has no memory for them. The number of threads then stays as it was.
    pub(crate) fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
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

    /// Clears the transposition table and the state of each thread, but keeps the settings.
    pub(crate) fn clear(&mut self) {
        self.table.clear(self.threads.len());
        self.last = None;
        for thread in &mut self.threads {
            thread.memory.iter_mut().for_each(bytemuck::write_zeroes);
            thread.knowledge = Knowledge::new();
        }
    }
}
