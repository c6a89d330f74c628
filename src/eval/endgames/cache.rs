//! A cache of what has been solved for pawn structures, one for each thread.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::structure::PawnStructure;

thread_local! {
    static SOLVED: Cell<u64> = const { Cell::new(0) };
}

/// How often this thread had to solve or prove something about a pawn structure. Each time takes as long as
/// hundreds of nodes, so that a search looks at the clock after it.
#[inline(always)]
pub fn times_solved() -> u64 {
    SOLVED.get()
}

/// Counts for [`times_solved`].
pub fn count_solved() {
    SOLVED.set(SOLVED.get() + 1);
}

/// Solved structures, direct-mapped: a new one replaces the one in its slot. What is solved depends
/// on the structure alone, so that an evaluation does not depend on those before it.
pub struct StructureCache<T>(RefCell<Vec<Option<Rc<T>>>>);

impl<T> StructureCache<T> {
    /// An empty cache with this number of slots, 1 to 16,384.
    pub fn new(slots: usize) -> StructureCache<T> {
        StructureCache(RefCell::new(vec![None; slots]))
    }

    /// What is kept of a structure if it `matches`, else what `solve` returns, which is kept.
    /// `variant` tells different results for the same structure apart. `solve` may use the cache.
    pub fn get_or_solve(
        &self,
        structure: PawnStructure,
        variant: u64,
        matches: impl Fn(&T) -> bool,
        solve: impl FnOnce() -> T,
    ) -> Rc<T> {
        let slot = slot(structure, variant, self.0.borrow().len());
        let kept = self.0.borrow()[slot].as_ref().filter(|kept| matches(kept)).cloned();
        kept.unwrap_or_else(|| {
            count_solved();
            let solved = Rc::new(solve());
            self.0.borrow_mut()[slot] = Some(Rc::clone(&solved));
            solved
        })
    }
}

/// The slot of a structure: the upper 14 bits of a multiplicative hash, reduced to the slots.
fn slot(structure: PawnStructure, variant: u64, slots: usize) -> usize {
    let mixed = structure.ours.0 ^ structure.theirs.0.rotate_left(32);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15 + 2 * variant) >> 50) as usize % slots
}
