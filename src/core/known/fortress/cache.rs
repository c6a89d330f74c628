//! A cache of results solved for pawn structures.

use std::sync::Arc;

use super::structure::PawnStructure;

/// Solved structures, direct-mapped: a new one replaces the one in its slot. A result depends on
/// the structure alone, so answers never depend on earlier queries.
pub(super) struct StructureCache<T> {
    slots: usize,
    /// Allocated by the first [`StructureCache::keep`].
    kept: Vec<Option<Arc<T>>>,
}

impl<T> StructureCache<T> {
    /// An empty cache with this number of slots, 1 to 16,384.
    pub(super) fn new(slots: usize) -> StructureCache<T> {
        StructureCache { slots, kept: Vec::new() }
    }

    /// The result kept for a structure, if it `matches`. `variant` distinguishes different results
    /// for one structure.
    pub(super) fn get(
        &self,
        structure: PawnStructure,
        variant: u64,
        matches: impl Fn(&T) -> bool,
    ) -> Option<&Arc<T>> {
        let slot = self.kept.get(self.slot(structure, variant))?;
        slot.as_ref().filter(|kept| matches(kept))
    }

    /// Keeps a result for a structure.
    pub(super) fn keep(&mut self, structure: PawnStructure, variant: u64, solved: T) -> Arc<T> {
        let (solved, slot) = (Arc::new(solved), self.slot(structure, variant));
        self.kept.resize(self.slots, None);
        self.kept[slot] = Some(Arc::clone(&solved));
        solved
    }

    /// The slot of a structure: the upper 14 bits of a multiplicative hash, reduced to the slots.
    fn slot(&self, structure: PawnStructure, variant: u64) -> usize {
        let mixed = structure.ours.0 ^ structure.theirs.0.rotate_left(32);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15 + 2 * variant) >> 50) as usize % self.slots
    }
}
