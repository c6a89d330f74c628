//! The pawn hash table: the sums of all terms that depend only on pawns, kings and castling rights.
//! Most positions of a search share these, so each thread caches the sums by a key made of the
//! three.

use super::phased::Phased;
use super::side::PawnSide;
use super::tally::{Sum, Tally, Tracer};
use super::{initiative, king, passers, pawns, squares};
use crate::board::Position;
use crate::chess::{Bitboard, ByColor};
use crate::prefetch::prefetch;

/// The evaluation terms that depend only on pawns, kings and castling rights.
#[derive(Clone, Copy, Debug, bytemuck::Zeroable)]
pub(super) struct PawnTerms {
    /// The value for White, less that for Black.
    pub(super) value: Phased,
    /// The attacks of both sides' pawns on the enemy king, and its defence by pawns: White's,
    /// Black's.
    pub(super) danger: [Phased; 2],
    /// The part of the initiative that depends on pawns and kings.
    pub(super) initiative: Phased,
    /// The passed pawns of both sides as sets of squares, each from its own point of view:
    /// White's, Black's.
    passed: [u64; 2],
}

impl PawnTerms {
    /// Counts all terms of pawns and kings. Overwrites the sums of the tally.
    #[inline(always)]
    pub(super) fn count(position: &Position, tally: &mut Tally<impl Tracer>) -> PawnTerms {
        let sides = ByColor::new_with(|color| PawnSide::new(position, color));
        let flipped = ByColor { white: sides.white.flipped(), black: sides.black.flipped() };
        let views = [(&sides.white, &flipped.black), (&sides.black, &flipped.white)];
        (tally.value, tally.danger) = (Sum::zero(), Sum::zero());
        for (us, them) in views {
            squares::count_pawns(us, them, tally);
            pawns::count(us, them, tally);
            passers::count_pawns(us, them, tally);
            king::count_castling(us, tally);
            king::count_shelter(us, them, tally);
            king::count_pawn_danger(us, them, tally);
        }
        tally.initiative = Phased::ZERO;
        initiative::count_pawns(&sides.white, &flipped.black, tally);
        let [white, black] = tally.value.lanes();
        PawnTerms {
            value: white - black,
            danger: tally.danger.lanes(),
            initiative: tally.initiative,
            passed: views.map(|(us, them)| us.passed(them).0),
        }
    }

    /// The passed pawns of both sides, each from its own point of view: White's, Black's.
    #[inline(always)]
    pub(super) fn passed(&self) -> [Bitboard; 2] {
        self.passed.map(Bitboard)
    }
}

/// An entry of the table, a cache line.
#[derive(bytemuck::Zeroable)]
#[repr(align(64))]
struct Slot {
    key: u64,
    terms: PawnTerms,
}

const _: () = assert!(size_of::<Slot>() == 64);

/// The number of entries: they fill 512 KiB.
const SIZE: usize = 1 << 13;

/// Direct-mapped: a new entry replaces the one in its slot.
#[derive(bytemuck::Zeroable)]
pub(super) struct PawnTable([Slot; SIZE]);

impl PawnTable {
    /// The key of a position, and the index of its slot.
    #[inline(always)]
    fn slot(position: &Position) -> (u64, usize) {
        // The castling key is not 0 even without rights. A key of 0 would match an empty slot: a
        // chance of 2^-64.
        let key = position.keys().pawns() ^ position.keys().kings() ^ position.castling_key();
        (key, key as usize % SIZE)
    }

    /// Prefetches the slot of a position.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position) {
        let (_, index) = PawnTable::slot(position);
        prefetch(&self.0[index]);
    }

    /// The terms of a position, from the table or counted anew with the tracer's weights.
    #[inline(always)]
    pub(super) fn get(&mut self, position: &Position, tracer: impl Tracer) -> &PawnTerms {
        let (key, index) = PawnTable::slot(position);
        let slot = &mut self.0[index];
        if slot.key != key {
            *slot = Slot { key, terms: count_anew(position, tracer) };
        }
        &slot.terms
    }
}

/// Counts the terms for the table. Not inlined, since misses are rare.
#[inline(never)]
fn count_anew(position: &Position, tracer: impl Tracer) -> PawnTerms {
    PawnTerms::count(position, &mut Tally::new(tracer))
}
