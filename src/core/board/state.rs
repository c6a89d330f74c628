//! The state of a position except the mailbox: keys, sets of pieces, castling rights, counters.

use super::moves::Move;
use super::pieces::{PieceCode, PieceSets, WordMasks};
use crate::chess::{Bitboard, Color, Square, square_at};
use crate::fill::Rays;

/// The words of [`Keys`].
#[derive(Clone, Copy)]
enum Word {
    Full = 0,
    Pawns = 1,
    Minors = 2,
    Majors = 3,
    Kings = 4,
    BlackPieces = 5,
    WhitePieces = 6,
}

/// Which words of the keys each piece changes.
static KEY_PARTS: WordMasks = {
    let mut table = [[0; 8]; 16];
    let mut piece = 0;
    while piece < 16 {
        let role = piece & 7;
        if role >= 1 && role <= 6 {
            let class = match role {
                1 => Word::Pawns,
                2 | 3 => Word::Minors,
                4 | 5 => Word::Majors,
                _ => Word::Kings,
            };
            table[piece][Word::Full as usize] = !0;
            table[piece][class as usize] = !0;
            if role != 1 {
                table[piece][Word::BlackPieces as usize + (piece >> 3)] = !0;
            }
        }
        piece += 1;
    }
    WordMasks(table)
};

/// The Zobrist keys of a position: of everything, and of parts of the board for correction
/// histories. One cache line, changed and copied as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Keys(Rays);

impl Default for Keys {
    fn default() -> Keys {
        Keys(Rays::EMPTY)
    }
}

impl PartialEq for Keys {
    fn eq(&self, other: &Keys) -> bool {
        self.0.words() == other.0.words()
    }
}

impl Keys {
    /// The keys after a piece was added, removed or moved; `key` is the XOR of its random numbers.
    /// [`PieceCode::NONE`] changes nothing.
    #[inline(always)]
    #[must_use]
    pub(super) fn toggled_piece(self, piece: PieceCode, key: u64) -> Keys {
        Keys(self.0 ^ KEY_PARTS.spread(piece, key))
    }

    /// The keys after a change other than of pieces, which affects only the full key.
    #[inline(always)]
    #[must_use]
    pub(super) fn toggled(self, key: u64) -> Keys {
        Keys(self.0 ^ Rays::first(Bitboard(key)))
    }

    #[inline(always)]
    fn word(&self, word: Word) -> u64 {
        self.0.words()[word as usize]
    }

    /// The key of the whole position: pieces, side to move, castling rights and en passant.
    #[inline(always)]
    pub(super) fn full(&self) -> u64 {
        self.word(Word::Full)
    }

    /// The key of the pawns of both sides.
    #[inline(always)]
    pub(crate) fn pawns(&self) -> u64 {
        self.word(Word::Pawns)
    }

    /// The key of knights, bishops and kings of both sides.
    #[inline(always)]
    pub(crate) fn minors(&self) -> u64 {
        self.word(Word::Minors) ^ self.kings()
    }

    /// The key of rooks, queens and kings of both sides.
    #[inline(always)]
    pub(crate) fn majors(&self) -> u64 {
        self.word(Word::Majors) ^ self.kings()
    }

    /// The key of all pieces of a side except its pawns.
    #[inline(always)]
    pub(crate) fn pieces(&self, side: Color) -> u64 {
        self.0.words()[Word::BlackPieces as usize + side as usize]
    }

    /// The key of both kings.
    #[inline(always)]
    pub(crate) fn kings(&self) -> u64 {
        self.word(Word::Kings)
    }
}

const _: () =
    assert!(Word::WhitePieces as usize == Word::BlackPieces as usize + Color::White as usize);

/// Everything that a move changes except the mailbox. States are kept on a stack: a move writes the
/// next one, and undoing steps down.
///
/// The sets of the pieces could be restored from the move instead, but that is slower: the loads
/// after undoing would wait for stores just made (store forwarding), while an old state on the
/// stack has long been in the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) keys: Keys,
    pub(super) sets: PieceSets,
    /// The small parts. Not in the unused word of the keys, though they would fit there: a narrow
    /// load from a wide store takes longer than one from a narrow store.
    pub(super) packed: PackedState,
}

/// The small parts of the state, in one word. From the lowest bit: the last move (16 bits), plies
/// since the last capture or pawn move (16), plies since the last null move or the first position
/// (16), castling rights (4), the captured piece (4), the en passant square (8, 0 for none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedState(u64);

impl PackedState {
    const COUNT_ONE: u64 = 1 << 16 | 1 << 32;
    const COUNTS: u64 = 0xffff_ffff << 16;
    const HIGHEST: u64 = 1 << 31 | 1 << 47;
    const FIFTY: u64 = 0xffff << 16;

    /// The parts of a first position. `fifty` must not be above 32,768, where the counter stops.
    pub(super) const fn first(fifty: u16, rights: u8) -> PackedState {
        PackedState((fifty as u64) << 16 | (rights as u64 & 15) << 48)
    }

    /// The parts after a move. Both counters go on, but an `irreversible` move (a capture or pawn
    /// move) resets the fifty-move counter.
    #[inline(always)]
    pub(super) fn after(
        self,
        m: Move,
        rights: u8,
        captured: PieceCode,
        irreversible: bool,
    ) -> PackedState {
        // A counter stops once its highest bit is set, so that it never overflows into the next
        // one.
        let full = (self.0 & PackedState::HIGHEST) >> 15;
        let counts = (self.0 & PackedState::COUNTS) + (PackedState::COUNT_ONE & !full);
        let counts = if irreversible { counts & !PackedState::FIFTY } else { counts };
        let pieces = u64::from(rights) | (captured.index() as u64) << 4;
        PackedState(counts | u64::from(m.bits()) | pieces << 48)
    }

    /// The parts after a null move.
    pub(super) fn after_null(self) -> PackedState {
        PackedState::first((self.fifty() + 1).min(1 << 15), self.rights())
    }

    /// The move that led here; `None` for the first position and after a null move.
    #[inline(always)]
    pub(super) fn played(self) -> Option<Move> {
        Move::from_played(self.0 as u16)
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub(super) fn fifty(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Plies since the last null move or the first position. Repetitions are not detected further
    /// back.
    #[inline(always)]
    pub(super) fn since_null(self) -> u16 {
        (self.0 >> 32) as u16
    }

    /// Castling rights: see [`castling_right`](super::castling::castling_right).
    #[inline(always)]
    pub(super) fn rights(self) -> u8 {
        (self.0 >> 48) as u8 & 15
    }

    /// The piece that the last move captured.
    #[inline(always)]
    pub(super) fn captured(self) -> PieceCode {
        PieceCode::from_index((self.0 >> 52) as u8)
    }

    /// The en passant square, only if the capture is legal, so that positions with the same moves
    /// have the same key.
    #[inline(always)]
    pub(super) fn en_passant(self) -> Option<Square> {
        let square = (self.0 >> 56) as u32;
        (square != 0).then(|| square_at(square))
    }

    /// Adds an en passant square to a state without one.
    #[inline(always)]
    pub(super) fn with_en_passant(self, square: Square) -> PackedState {
        PackedState(self.0 | (square as u64) << 56)
    }
}
