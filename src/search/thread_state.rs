//! What one thread keeps from one search to the next.

use super::memory::huge_pages::HugePages;
use super::order::corrections::Corrections;
use super::order::histories::Histories;
use crate::eval::EvalCache;
use crate::known::Knowledge;

/// The histories, correction histories and evaluation cache of one thread, kept from one search to
/// the next. They are read at random and so lie in huge pages.
#[derive(bytemuck::Zeroable)]
pub struct ThreadMemory {
    /// What the move picker has learnt.
    pub histories: Histories,
    /// What the evaluation has learnt.
    pub corrections: Corrections,
    /// Parts of evaluations.
    pub eval_cache: EvalCache,
}

/// What one thread keeps.
pub struct ThreadState {
    /// What is read at random.
    pub memory: HugePages<ThreadMemory>,
    /// What it knows of endgames.
    pub knowledge: Knowledge,
}
