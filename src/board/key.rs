//! Zobrist keys: one random number for each piece on each square and each other part of the state.

use std::sync::LazyLock;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::pieces::Man;
use crate::chess::Square;

/// The random numbers. A position keeps a reference, so that reading them costs no more than a constant.
#[derive(Debug)]
pub struct Zobrist {
    pieces: [[u64; 64]; 16],
    castling: [u64; 16],
    en_passant: [u64; 8],
    /// Black is to move.
    pub black: u64,
}

/// Seeded with a named portable generator: keys are the same on every machine and in every version.
static ZOBRIST: LazyLock<Zobrist> = LazyLock::new(|| {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x0F2E_54E7);
    let mut next = || random.next_u64();
    Zobrist {
        pieces: std::array::from_fn(|_| std::array::from_fn(|_| next())),
        castling: std::array::from_fn(|_| next()),
        en_passant: std::array::from_fn(|_| next()),
        black: next(),
    }
});

impl Zobrist {
    /// The one table of this program.
    pub fn get() -> &'static Zobrist {
        &ZOBRIST
    }

    /// A piece on a square.
    #[inline(always)]
    pub(super) fn man(&self, man: Man, square: Square) -> u64 {
        self.pieces[man.index()][square as usize]
    }

    /// Castling rights, as four bits.
    #[inline(always)]
    pub fn castling(&self, rights: u8) -> u64 {
        self.castling[usize::from(rights & 15)]
    }

    /// A pawn on this file may be taken in passing, by a legal move.
    #[inline(always)]
    pub fn en_passant(&self, square: Square) -> u64 {
        self.en_passant[square as usize & 7]
    }
}
