//! The state of a position, all but the mailbox: keys, sets of pieces, castling rights, clocks.

use super::moves::Move;
use super::pieces::{Masks, PieceCode, Sets};
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

/// Which keys each man is part of.
static PARTS: Masks = {
    let mut table = [[0; 8]; 16];
    let mut code = 0;
    while code < 16 {
        let role = code & 7;
        if role >= 1 && role <= 6 {
            let class = match role {
                1 => Word::Pawns,
                2 | 3 => Word::Minors,
                4 | 5 => Word::Majors,
                _ => Word::Kings,
            };
            table[code][Word::Full as usize] = !0;
            table[code][class as usize] = !0;
            if role != 1 {
                table[code][Word::BlackPieces as usize + (code >> 3)] = !0;
            }
        }
        code += 1;
    }
    Masks(table)
};

/// All keys of a position: of everything, and of parts of the board for pawn structure and correction histories. One
/// cache line, changed and copied as a whole.
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
    /// A piece comes or goes, or goes elsewhere: `key` is the XOR of its numbers. [`PieceCode::NONE`] changes nothing.
    #[inline(always)]
    #[must_use]
    pub(super) fn with(self, code: PieceCode, key: u64) -> Keys {
        Keys(self.0 ^ PARTS.spread(code, key))
    }

    /// Something else changes than pieces: the key of everything, by XOR.
    #[inline(always)]
    #[must_use]
    pub(super) fn toggled(self, key: u64) -> Keys {
        Keys(self.0 ^ Rays::first(Bitboard(key)))
    }

    #[inline(always)]
    fn word(&self, word: Word) -> u64 {
        self.0.words()[word as usize]
    }

    /// Pieces, side to move, castling rights and en passant.
    #[inline(always)]
    pub fn full(&self) -> u64 {
        self.word(Word::Full)
    }

    /// The pawns of both sides.
    #[inline(always)]
    pub fn pawns(&self) -> u64 {
        self.word(Word::Pawns)
    }

    /// Knights, bishops and kings of both sides.
    #[inline(always)]
    pub fn minors(&self) -> u64 {
        self.word(Word::Minors) ^ self.kings()
    }

    /// Rooks, queens and kings of both sides.
    #[inline(always)]
    pub fn majors(&self) -> u64 {
        self.word(Word::Majors) ^ self.kings()
    }

    /// All pieces of one side but its pawns.
    #[inline(always)]
    pub fn pieces(&self, side: Color) -> u64 {
        self.0.words()[Word::BlackPieces as usize + side as usize]
    }

    /// Both kings.
    #[inline(always)]
    pub fn kings(&self) -> u64 {
        self.word(Word::Kings)
    }
}

const _: () =
    assert!(Word::WhitePieces as usize == Word::BlackPieces as usize + Color::White as usize);

/// What a move changes, but for the mailbox: kept on a stack, where a move writes the next one and undoing steps down.
///
/// The sets of the pieces could be worked back from the move, but it is cheaper not to: what is read after undoing was
/// then written long ago, and need not wait for a store.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// All keys.
    pub keys: Keys,
    /// The pieces.
    pub sets: Sets,
    /// The small parts. Not in the unused word of the keys, though they would fit: a narrow load from a wide store
    /// takes longer than from a narrow one.
    pub packed: PackedState,
}

/// The small parts of the state, in one word. From the lowest bit: the move (16), half moves since the last capture or
/// pawn move (16), since the last pass or the first position (16), castling rights (4), the captured man (4), the
/// en passant square (8, 0 for none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedState(u64);

impl PackedState {
    const COUNT_ONE: u64 = 1 << 16 | 1 << 32;
    const COUNTS: u64 = 0xffff_ffff << 16;
    const FIFTY: u64 = 0xffff << 16;

    /// The parts of a first position. The clock must not be above 10,000.
    pub const fn first(fifty: u16, rights: u8) -> PackedState {
        PackedState((fifty as u64) << 16 | (rights as u64 & 15) << 48)
    }

    /// The parts after a move: clocks run, and that of fifty moves starts again if the move is `irreversible`.
    #[inline(always)]
    pub fn after(
        self,
        m: Move,
        rights: u8,
        captured: PieceCode,
        irreversible: bool,
    ) -> PackedState {
        let counts = (self.0 & PackedState::COUNTS) + PackedState::COUNT_ONE;
        let counts = if irreversible { counts & !PackedState::FIFTY } else { counts };
        let pieces = u64::from(rights) | (captured.index() as u64) << 4;
        PackedState(counts | u64::from(m.bits()) | pieces << 48)
    }

    /// The parts after a pass.
    pub fn after_null(self) -> PackedState {
        PackedState::first(self.fifty() + 1, self.rights())
    }

    /// The move that led here; `None` for the first position and after a pass.
    #[inline(always)]
    pub fn played(self) -> Option<Move> {
        Move::from_played(self.0 as u16)
    }

    /// Half moves since the last capture or pawn move.
    #[inline(always)]
    pub fn fifty(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Half moves since the last pass or the first position: repetition looks back no further.
    #[inline(always)]
    pub fn since_null(self) -> u16 {
        (self.0 >> 32) as u16
    }

    /// Castling rights, one bit for each side and wing: see [`CastlingSide`](super::CastlingSide).
    #[inline(always)]
    pub fn rights(self) -> u8 {
        (self.0 >> 48) as u8 & 15
    }

    /// What the move captured.
    #[inline(always)]
    pub fn captured(self) -> PieceCode {
        PieceCode::from_index((self.0 >> 52) as u8)
    }

    /// The square a pawn has just passed, only where an enemy pawn may legally take it there: so positions
    /// that offer the same moves have the same key.
    #[inline(always)]
    pub fn en_passant(self) -> Option<Square> {
        let square = (self.0 >> 56) as u32;
        (square != 0).then(|| square_at(square))
    }

    /// The same with a pawn that may be taken on a square it has passed.
    #[inline(always)]
    pub fn with_en_passant(self, square: Square) -> PackedState {
        PackedState(self.0 | (square as u64) << 56)
    }
}
