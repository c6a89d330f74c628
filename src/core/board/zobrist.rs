//! Zobrist keys: one random number for each piece on each square and each other part of the state.

use std::sync::LazyLock;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::pieces::PieceCode;
use crate::chess::{Bitboard, Color, Piece, Role, Square, bit};
use crate::fill::Rays;
use crate::fill::waves::{king_attacks, knight_attacks};

/// The random numbers. A position keeps a reference to them, which saves checking whether the lazy
/// static is initialized.
#[derive(Debug)]
pub(super) struct Zobrist {
    pieces: [[u64; 64]; 16],
    castling: [u64; 16],
    en_passant: [u64; 8],
    /// Part of the key when Black is to move.
    pub(super) black: u64,
}

/// From a seeded portable generator: keys are the same on every machine and in every version.
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
    /// The only table of the program.
    pub(super) fn get() -> &'static Zobrist {
        &ZOBRIST
    }

    /// The number of a piece on a square.
    #[inline(always)]
    pub(super) fn piece(&self, piece: PieceCode, square: Square) -> u64 {
        self.pieces[piece.index()][square as usize]
    }

    /// The number of a set of castling rights, given as four bits.
    #[inline(always)]
    pub(super) fn castling(&self, rights: u8) -> u64 {
        self.castling[usize::from(rights & 15)]
    }

    /// The number of a legal en passant capture, by the file of its target square.
    #[inline(always)]
    pub(super) fn en_passant(&self, square: Square) -> u64 {
        self.en_passant[square as usize & 7]
    }
}

/// The key differences of reversible moves: a piece other than a pawn moves, and the side to move
/// changes. (Marcel van Kervinck, 2013; other engines keep the same table as a cuckoo hash.)
#[derive(Debug)]
pub(super) struct ReversibleMoves {
    /// Open addressing: the difference and the two squares, zero in an empty slot.
    slots: Vec<(u64, Square, Square)>,
}

static REVERSIBLE_MOVES: LazyLock<ReversibleMoves> = LazyLock::new(|| {
    let mut moves = ReversibleMoves { slots: vec![(0, Square::A1, Square::A1); 1 << 13] };
    let zobrist = Zobrist::get();
    for color in Color::ALL {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let piece = PieceCode::new(Piece { color, role });
            for a in Square::ALL {
                let reachable = match role {
                    Role::Knight => knight_attacks(bit(a)),
                    Role::King => king_attacks(bit(a)),
                    Role::Bishop => Rays::all(bit(a)).attacks(Bitboard::FULL).diagonal(),
                    Role::Rook => Rays::all(bit(a)).attacks(Bitboard::FULL).orthogonal(),
                    _ => Rays::all(bit(a)).attacks(Bitboard::FULL).union(),
                };
                for b in reachable.into_iter().filter(|&b| b > a) {
                    moves.add(
                        zobrist.piece(piece, a) ^ zobrist.piece(piece, b) ^ zobrist.black,
                        a,
                        b,
                    );
                }
            }
        }
    }
    moves
});

impl ReversibleMoves {
    /// The only table of the program.
    pub(super) fn get() -> &'static ReversibleMoves {
        &REVERSIBLE_MOVES
    }

    fn add(&mut self, difference: u64, a: Square, b: Square) {
        let mut index = difference as usize % self.slots.len();
        while self.slots[index].0 != 0 {
            index = (index + 1) % self.slots.len();
        }
        self.slots[index] = (difference, a, b);
    }

    /// The squares of the move with this key difference, if there is one.
    #[inline]
    pub(super) fn find(&self, difference: u64) -> Option<(Square, Square)> {
        let mut index = difference as usize % self.slots.len();
        loop {
            let (known, a, b) = self.slots[index];
            if known == 0 || known == difference {
                return (known != 0).then_some((a, b));
            }
            index = (index + 1) % self.slots.len();
        }
    }
}
