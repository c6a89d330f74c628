//! The pieces: sets by role and by side.
//!
//! The eight sets fill one cache line. Adding or removing a piece changes all of them at once: a
//! row of masks says to which sets the piece belongs, and its square is ANDed with the row and
//! XORed in. The [`Keys`](super::Keys) change in the same way.
//!
//! Lines are always written as a whole. The processor forwards a recent store to a load only if
//! that one store covers the whole load: a wide load after narrow stores waits until they have
//! reached the cache, which made a move three times as long when measured.

use crate::chess::{Bitboard, Color, Piece, Role, Square, square_at};
use crate::fill::Rays;

/// A piece or an empty square as a number: 0 for empty, else the role, 1 to 6, plus 8 for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceCode(u8);

impl PieceCode {
    /// The code of an empty square.
    pub(super) const NONE: PieceCode = PieceCode(0);

    /// The code of a piece.
    #[inline(always)]
    pub(super) const fn new(piece: Piece) -> PieceCode {
        PieceCode(piece.color as u8 * 8 + piece.role as u8)
    }

    /// The inverse of [`PieceCode::index`].
    #[inline(always)]
    pub(super) const fn from_index(index: u8) -> PieceCode {
        PieceCode(index & 15)
    }

    /// The number, 0 to 15, as an index into tables.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether the square is empty.
    #[inline(always)]
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether this is a pawn of either side.
    #[inline(always)]
    pub(super) const fn is_pawn(self) -> bool {
        self.0 & 7 == Role::Pawn as u8
    }

    /// The piece, if there is one.
    #[inline(always)]
    pub(super) const fn piece(self) -> Option<Piece> {
        let role = match self.0 & 7 {
            1 => Role::Pawn,
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Rook,
            5 => Role::Queen,
            6 => Role::King,
            _ => return None,
        };
        Some(Piece { color: if self.0 & 8 != 0 { Color::White } else { Color::Black }, role })
    }
}

/// For each piece code, which of eight words change with the piece: all bits or none of each.
#[repr(align(64))]
pub(super) struct WordMasks(pub(super) [[u64; 8]; 16]);

impl WordMasks {
    /// `value` in the words of a piece, zero in the others.
    #[inline(always)]
    pub(super) fn spread(&self, piece: PieceCode, value: u64) -> Rays {
        Rays::all(Bitboard(value)) & Rays::load(&self.0[piece.index()])
    }
}

/// The sets of each piece: words 0 to 5 by role, 6 and 7 by side.
static PIECE_MASKS: WordMasks = {
    let mut table = [[0; 8]; 16];
    let mut piece = 0;
    while piece < 16 {
        let role = piece & 7;
        if role >= 1 && role <= 6 {
            table[piece][role - 1] = !0;
            table[piece][6 + (piece >> 3)] = !0;
        }
        piece += 1;
    }
    WordMasks(table)
};

/// The pieces of a position as eight sets: by role, both sides together, and by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSets(Rays);

impl PieceSets {
    /// An empty board.
    pub(super) const EMPTY: PieceSets = PieceSets(Rays::EMPTY);

    /// The pieces of a role, both sides.
    #[inline(always)]
    pub(super) fn role(&self, role: Role) -> Bitboard {
        Bitboard(self.0.words()[role as usize - 1])
    }

    /// All pieces of a side.
    #[inline(always)]
    pub(super) fn side(&self, side: Color) -> Bitboard {
        Bitboard(self.0.words()[6 + side as usize])
    }

    /// The eight sets: by role, then by side.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64; 8] {
        self.0.words()
    }

    /// The pieces of a side and role.
    #[inline(always)]
    pub(super) fn of(&self, side: Color, role: Role) -> Bitboard {
        self.side(side) & self.role(role)
    }

    /// The rooks and queens of a side.
    #[inline(always)]
    pub(super) fn orthogonal(&self, side: Color) -> Bitboard {
        self.side(side) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// The bishops and queens of a side.
    #[inline(always)]
    pub(super) fn diagonal(&self, side: Color) -> Bitboard {
        self.side(side) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// The pieces of both sides.
    #[inline(always)]
    pub(super) fn occupied(&self) -> Bitboard {
        self.side(Color::White) | self.side(Color::Black)
    }

    /// The square of a side's king.
    #[inline(always)]
    pub(super) fn king(&self, side: Color) -> Square {
        square_at(self.of(side, Role::King).0.trailing_zeros())
    }

    /// The sets after adding the piece to these squares or removing it from them.
    /// [`PieceCode::NONE`] changes nothing.
    #[inline(always)]
    #[must_use]
    pub(super) fn toggled(self, piece: PieceCode, squares: Bitboard) -> PieceSets {
        PieceSets(self.0 ^ PIECE_MASKS.spread(piece, squares.0))
    }
}

impl Default for PieceSets {
    fn default() -> PieceSets {
        PieceSets::EMPTY
    }
}

impl PartialEq for PieceSets {
    fn eq(&self, other: &PieceSets) -> bool {
        self.0.words() == other.0.words()
    }
}
