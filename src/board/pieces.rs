//! The pieces: sets by role and by side.
//!
//! The eight sets fill one cache line, and a piece that comes or goes changes all of them at once: its square, ANDed
//! with a row of masks that says which sets a piece belongs to, is XORed in. The [`Keys`](super::Keys) change the same
//! way. Whole lines are written and whole lines are copied, so that the processor can pass on what was just written
//! (a wide load of what narrow stores have left in its queue waits until they are done: measured, that made a
//! move three times as long).

use crate::chess::{Bitboard, Color, Piece, Role, Square, square_at};
use crate::fill::Rays;

/// A piece as a number: the role, 1 to 6, and 8 for White; 0 for no piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceCode(u8);

impl PieceCode {
    /// An empty square.
    pub const NONE: PieceCode = PieceCode(0);

    /// The number of a piece.
    #[inline(always)]
    pub const fn new(piece: Piece) -> PieceCode {
        PieceCode(piece.color as u8 * 8 + piece.role as u8)
    }

    /// From the number, for what was packed away.
    #[inline(always)]
    pub const fn from_index(index: u8) -> PieceCode {
        PieceCode(index & 15)
    }

    /// The number, 0 to 15, as a row of tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Nothing stands here.
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// A pawn of either side.
    #[inline(always)]
    pub const fn is_pawn(self) -> bool {
        self.0 & 7 == Role::Pawn as u8
    }

    /// The piece, if there is one.
    #[inline(always)]
    pub const fn piece(self) -> Option<Piece> {
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

/// For each man the words that change with it.
#[repr(align(64))]
pub struct Masks(pub [[u64; 8]; 16]);

impl Masks {
    /// `value` in the words of a man, nothing in the others.
    #[inline(always)]
    pub fn spread(&self, code: PieceCode, value: u64) -> Rays {
        Rays::all(Bitboard(value)) & Rays::load(&self.0[code.index()])
    }
}

/// The sets of each man: words 0 to 5 by role, 6 and 7 by side.
static SETS: Masks = {
    let mut table = [[0; 8]; 16];
    let mut code = 0;
    while code < 16 {
        let role = code & 7;
        if role >= 1 && role <= 6 {
            table[code][role - 1] = !0;
            table[code][6 + (code >> 3)] = !0;
        }
        code += 1;
    }
    Masks(table)
};

/// The pieces of a position as sets: each role, both sides together, and each side.
#[derive(Clone, Copy, Debug)]
pub struct Sets(Rays);

impl Sets {
    /// An empty board.
    pub const EMPTY: Sets = Sets(Rays::EMPTY);

    /// The pieces of a role, both sides.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        Bitboard(self.0.words()[role as usize - 1])
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn side(&self, side: Color) -> Bitboard {
        Bitboard(self.0.words()[6 + side as usize])
    }

    /// The pieces of one side and role.
    #[inline(always)]
    pub fn of(&self, side: Color, role: Role) -> Bitboard {
        self.side(side) & self.role(role)
    }

    /// The rooks and queens of a side.
    #[inline(always)]
    pub fn orthogonal(&self, side: Color) -> Bitboard {
        self.side(side) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// The bishops and queens of a side.
    #[inline(always)]
    pub fn diagonal(&self, side: Color) -> Bitboard {
        self.side(side) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.side(Color::White) | self.side(Color::Black)
    }

    /// Where the king of a side stands.
    #[inline(always)]
    pub fn king(&self, side: Color) -> Square {
        square_at(self.of(side, Role::King).0.trailing_zeros())
    }

    /// A man comes to or goes from the squares. [`PieceCode::NONE`] changes nothing.
    #[inline(always)]
    #[must_use]
    pub fn with(self, code: PieceCode, squares: Bitboard) -> Sets {
        Sets(self.0 ^ SETS.spread(code, squares.0))
    }
}

impl Default for Sets {
    fn default() -> Sets {
        Sets::EMPTY
    }
}

impl PartialEq for Sets {
    fn eq(&self, other: &Sets) -> bool {
        self.0.words() == other.0.words()
    }
}
