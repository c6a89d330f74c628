//! Zobrist keys: one random number for each piece on each square and each other part of the state.

use std::sync::LazyLock;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use crate::chess::{Color, Piece, Role, Square};

/// The random numbers. A position keeps a reference, so that reading them costs no more than a constant.
#[derive(Debug)]
pub struct Zobrist {
    pieces: [[u64; 64]; 12],
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
    pub fn piece(&self, piece: Piece, square: Square) -> u64 {
        self.pieces[piece.color as usize * 6 + piece.role as usize - 1][square as usize]
    }

    /// Castling rights, as four bits.
    #[inline(always)]
    pub fn castling(&self, rights: u8) -> u64 {
        self.castling[usize::from(rights & 15)]
    }

    /// A pawn on this file may be taken in passing, by a legal move.
    #[inline(always)]
    pub fn en_passant(&self, square: Option<Square>) -> u64 {
        square.map_or(0, |square| self.en_passant[square as usize & 7])
    }
}

/// The parts of the board that have keys of their own, for pawn structure and correction histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Class {
    Pawn = 0,
    Minor = 1,
    Major = 2,
    King = 3,
}

impl Class {
    /// The class of a role: knights and bishops are minor, rooks and queens major pieces.
    #[inline(always)]
    pub const fn of(role: Role) -> Class {
        match role {
            Role::Pawn => Class::Pawn,
            Role::Knight | Role::Bishop => Class::Minor,
            Role::Rook | Role::Queen => Class::Major,
            Role::King => Class::King,
        }
    }
}

/// All keys of a position. Every piece is in `full` and in the one part of its side and class, so that a
/// change costs two XORs and any other key (pawns of both sides, all but pawns of one) is an XOR of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Pieces, side to move, castling rights and en passant.
    pub full: u64,
    parts: [u64; 8],
}

impl Keys {
    /// A piece comes or goes.
    #[inline(always)]
    pub fn toggle(&mut self, piece: Piece, key: u64) {
        self.full ^= key;
        self.parts[piece.color as usize * 4 + Class::of(piece.role) as usize] ^= key;
    }

    #[inline(always)]
    fn both(&self, class: Class) -> u64 {
        self.parts[class as usize] ^ self.parts[4 + class as usize]
    }

    /// The pawns of both sides.
    #[inline(always)]
    pub fn pawns(&self) -> u64 {
        self.both(Class::Pawn)
    }

    /// Knights, bishops and kings of both sides.
    #[inline(always)]
    pub fn minors(&self) -> u64 {
        self.both(Class::Minor) ^ self.both(Class::King)
    }

    /// Rooks, queens and kings of both sides.
    #[inline(always)]
    pub fn majors(&self) -> u64 {
        self.both(Class::Major) ^ self.both(Class::King)
    }

    /// All pieces of one side but its pawns.
    #[inline(always)]
    pub fn pieces(&self, side: Color) -> u64 {
        let first = side as usize * 4;
        self.parts[first + 1] ^ self.parts[first + 2] ^ self.parts[first + 3]
    }

    /// Both kings alone, for what depends on pawns and kings.
    #[inline(always)]
    pub fn kings(&self) -> u64 {
        self.both(Class::King)
    }
}
