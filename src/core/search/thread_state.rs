//! The state that a thread keeps from one search to the next.

use super::memory::huge_pages::HugePages;
use super::order::corrections::Corrections;
use super::order::histories::Histories;
use crate::eval::EvalCache;
use crate::known::Knowledge;

/// The histories, correction histories and evaluation cache of one thread, kept from one search to
/// the next. They are read at random and so lie in huge pages.
#[derive(bytemuck::Zeroable)]
pub(super) struct ThreadMemory {
    /// Order the moves of the picker.
    pub(super) histories: Histories,
    /// Correct the static evaluation.
    pub(super) corrections: Corrections,
    /// Pawn and material terms already computed.
    pub(super) eval_cache: EvalCache,
}

/// The state of one thread.
pub(super) struct ThreadState {
    /// The large tables, read at random.
    pub(super) memory: HugePages<ThreadMemory>,
    /// Endgame bitbases solved so far.
    pub(super) knowledge: Knowledge,
}
