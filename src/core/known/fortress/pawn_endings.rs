//! Pawn endings followed to their end: a structure is solved together with all it can lead to.
//!
//! Pawns only advance or disappear, so a structure never comes back. As long as pawns block each
//! other, a structure leads to few others: about a hundred for two rams, some thousands for three
//! rams and a free pawn. Each is solved by [king-pair bitbases](super::king_pairs), the last one
//! first.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::conversions::{Claim, conversions_of, structures_after};
use super::king_pairs::{CaptureDistances, Conversions, KingPairBitbase, moves_to_capture};
use super::structure::PawnStructure;
use crate::chess::{Bitboard, ByColor, Color, Square, bit, square_facing_north};
use crate::fill::spans::front_span;

/// The rough time to solve a structure, in microseconds. Its bitbases take 4 kilobytes, plus 8 for
/// the distances if it is locked.
pub(crate) const TIME_OF_A_STRUCTURE: u128 = 40;

/// The bitbases of one structure for each side as the attacker.
pub struct StructureBitbases {
    /// Positions in which the attacker may be able to win. In all others it is proven that it
    /// cannot.
    pub proven: ByColor<KingPairBitbase>,
    /// Positions in which the attacker seems to win.
    pub(super) judged: Option<ByColor<JudgedBitbase>>,
}

/// A bitbase of likely results, which proves nothing.
pub(super) struct JudgedBitbase {
    /// The positions that seem won.
    pub(super) bitbase: KingPairBitbase,
    /// The moves to the first conversion, where only kings can move.
    distances: Option<Box<CaptureDistances>>,
}

impl JudgedBitbase {
    /// Solves a structure, seen by the attacker, given the likely results of its conversions.
    pub(super) fn solve(structure: PawnStructure, conversions: &Conversions) -> JudgedBitbase {
        let mut distances = structure.is_locked().then(|| Box::new([[0; 64]; 64]));
        let bitbase = KingPairBitbase::solve(structure, conversions, distances.as_deref_mut());
        JudgedBitbase { bitbase, distances }
    }
}

/// A side that seems to win a pawn ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedWin {
    /// The side that seems to win.
    pub side: Color,
    /// Roughly how many of its moves it takes to the first winning capture; 1 if pawns can move.
    pub(super) moves: u32,
}

impl StructureBitbases {
    /// The side that seems to win, if one does. `kings` are from White's point of view.
    pub fn winner(&self, kings: ByColor<Square>, turn: Color) -> Option<JudgedWin> {
        let judged = self.judged.as_ref()?;
        let side = [turn, turn.other()]
            .into_iter()
            .find(|&side| judged[side].bitbase.is_won(side, kings, turn))?;
        let [king, other] =
            [side, side.other()].map(|owner| square_facing_north(kings[owner], side));
        let moves = match &judged[side].distances {
            Some(distances) => moves_to_capture(distances, king, other),
            None => 1,
        };
        Some(JudgedWin { side, moves })
    }
}

/// A structure and all it can lead to, each listed after its own successors. `None` if there are
/// more than `most`, or if `stop` returned true.
fn structures_from(
    structure: PawnStructure,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<PawnStructure>> {
    let mut found = FxHashSet::from_iter([structure]);
    let mut all = vec![structure];
    let mut next = 0;
    while next < all.len() {
        all.extend(structures_after(all[next]).filter(|&after| found.insert(after)));
        next += 1;
        if all.len() > most || stop() {
            return None;
        }
    }
    // Captures and promotions leave fewer pawns; pushes leave fewer ranks ahead.
    let ranks_ahead = |pawns: Bitboard| -> usize {
        pawns.into_iter().map(|pawn| front_span(bit(pawn)).count()).sum()
    };
    all.sort_by_cached_key(|after| {
        let theirs = after.theirs.flip_vertical();
        let pawns = after.ours.count() + theirs.count();
        (pawns, ranks_ahead(after.ours) + ranks_ahead(theirs))
    });
    Some(all)
}

/// Solved structures, seen by White, each with all it can lead to.
#[derive(Default)]
pub struct PawnEndings {
    solved: FxHashMap<PawnStructure, Arc<StructureBitbases>>,
}

impl PawnEndings {
    /// The bitbases of a structure, if it has been solved.
    pub(crate) fn get(&self, structure: PawnStructure) -> Option<&Arc<StructureBitbases>> {
        self.solved.get(&structure)
    }

    /// How many structures have been solved.
    pub(super) fn count(&self) -> usize {
        self.solved.len()
    }

    /// The bitbases of a structure, solved with all it can lead to. `None` if that is more than
    /// `most` structures, itself included, or if `stop` returned true.
    pub fn solve(
        &mut self,
        structure: PawnStructure,
        most: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Arc<StructureBitbases>> {
        for next in structures_from(structure, most, stop)? {
            if stop() {
                return None;
            }
            if self.get(next).is_none() {
                let bitbases = Arc::new(self.bitbases(next));
                self.solved.insert(next, bitbases);
            }
        }
        self.get(structure).cloned()
    }

    /// The bitbases of a structure whose successors are all solved.
    fn bitbases(&self, structure: PawnStructure) -> StructureBitbases {
        let after = |side: Color, next: PawnStructure| self.get(next.seen_by(side));
        let proven = ByColor::new_with(|side| {
            let seen = structure.seen_by(side);
            let conversions = conversions_of(seen, Claim::Proven, |next| {
                after(side, next).map(|bitbases| &bitbases.proven[side])
            });
            KingPairBitbase::solve(seen, &conversions, None)
        });
        let judged = ByColor::new_with(|side| {
            let seen = structure.seen_by(side);
            let conversions = conversions_of(seen, Claim::Judged, |next| {
                let judged = after(side, next)?.judged.as_ref()?;
                Some(&judged[side].bitbase)
            });
            JudgedBitbase::solve(seen, &conversions)
        });
        StructureBitbases { proven, judged: Some(judged) }
    }
}
