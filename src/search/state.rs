//! What searches work with, kept by the engine.

use super::memory::huge_pages::HugePages;
use super::memory::table::{MemoryError, TranspositionTable};
use super::strength::Strength;
use super::tablebases::Tablebases;
use super::thread_state::ThreadState;
use super::tuned::Params;
use crate::eval::Evaluator;
use crate::known::Knowledge;
use crate::score::Score;

/// What searches work with and keep from one to the next. Other programs use it through
/// [`Engine`](crate::engine::Engine).
pub(crate) struct SearcherState {
    /// The transposition table, shared by all threads.
    pub table: TranspositionTable,
    /// What each thread keeps; one element a thread.
    pub(super) threads: Vec<ThreadState>,
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
    pub(super) last: Option<(u32, Score)>,
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
