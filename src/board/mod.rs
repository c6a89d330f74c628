//! The rules: a position, how it is read, changed and restored.
//!
//! [`Position`] is private inside and changed only by `put` and `lift`, which change the keys as well, so a
//! key cannot drift. [`Position::play`] pushes the small [`State`] on a stack, [`Position::undo`] pops it.

mod attacks;
mod draws;
mod exchange;
mod generate;
mod key;
mod moves;
mod play;
mod text;

pub use attacks::{Checks, Sight};
pub use exchange::exchange_value;
pub use generate::Wanted;
pub use key::{Keys, Zobrist};
pub use moves::{Kind, MAX_MOVES, Move, MoveList};
pub use text::PositionError;

use crate::chess::{Bitboard, BySquare, Color, Piece, Role, Square, bit};

/// The pieces: sets by role and by side, and what stands on each square.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pieces {
    roles: [Bitboard; 6],
    sides: [Bitboard; 2],
    mailbox: BySquare<Option<Piece>>,
}

impl Pieces {
    const EMPTY: Pieces =
        Pieces { roles: [Bitboard::EMPTY; 6], sides: [Bitboard::EMPTY; 2], mailbox: BySquare::all(None) };

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.roles[piece.role as usize - 1] ^= bit(square);
        self.sides[piece.color as usize] ^= bit(square);
        self.mailbox[square] = Some(piece);
    }

    #[inline(always)]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.roles[piece.role as usize - 1] ^= bit(square);
        self.sides[piece.color as usize] ^= bit(square);
        self.mailbox[square] = None;
    }
}

/// What a move changes beside the pieces and what undoing cannot work out: kept on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    keys: Keys,
    /// The square a pawn has just passed, only where an enemy pawn may legally take it there: so positions
    /// that offer the same moves have the same key.
    en_passant: Option<Square>,
    captured: Option<Piece>,
    /// The move that led here; `None` for the first position and after a pass.
    played: Option<Move>,
    /// Castling rights, one bit for each side and wing: see [`Castling`].
    rights: u8,
    /// Half moves since the last capture or pawn move.
    fifty: u16,
    /// Half moves since the last pass or the first position: repetition looks back no further.
    since_pass: u16,
}

/// The wings of castling; with the side it gives the bit of a right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Wing {
    King = 0,
    Queen = 1,
}

impl Wing {
    const BOTH: [Wing; 2] = [Wing::King, Wing::Queen];

    #[inline(always)]
    const fn right(self, side: Color) -> u8 {
        1 << (side as u8 * 2 + self as u8)
    }
}

/// Castling for this game, standard or Chess960: where the rooks started.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Castling {
    rooks: [Option<Square>; 4],
    /// The rights that remain after something moves from or to a square.
    kept: BySquare<u8>,
}

impl Castling {
    const NONE: Castling = Castling { rooks: [None; 4], kept: BySquare::all(15) };

    #[inline(always)]
    fn rook(&self, side: Color, wing: Wing) -> Option<Square> {
        self.rooks[side as usize * 2 + wing as usize]
    }

    fn allow(&mut self, side: Color, wing: Wing, king: Square, rook: Square) {
        self.rooks[side as usize * 2 + wing as usize] = Some(rook);
        self.kept[king] &= !wing.right(side);
        self.kept[rook] &= !wing.right(side);
    }
}

/// A chess position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    pieces: Pieces,
    turn: Color,
    state: State,
    stack: Vec<State>,
    castling: Castling,
    /// Half moves since the game began, counted from the FEN's move number.
    ply: u32,
    zobrist: &'static Zobrist,
}

impl Position {
    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn of(&self, side: Color) -> Bitboard {
        self.pieces.sides[side as usize]
    }

    /// All pieces of a role, both sides.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        self.pieces.roles[role as usize - 1]
    }

    /// The pieces of one side and role.
    #[inline(always)]
    pub fn set(&self, side: Color, role: Role) -> Bitboard {
        self.of(side) & self.role(role)
    }

    /// The rooks and queens of a side.
    #[inline(always)]
    pub fn orthogonal(&self, side: Color) -> Bitboard {
        self.of(side) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// The bishops and queens of a side.
    #[inline(always)]
    pub fn diagonal(&self, side: Color) -> Bitboard {
        self.of(side) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.of(Color::White) | self.of(Color::Black)
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces.mailbox[square]
    }

    /// Where the king of a side stands.
    #[inline(always)]
    pub fn king(&self, side: Color) -> Square {
        crate::chess::square_at(self.set(side, Role::King).0.trailing_zeros())
    }

    /// Anything but king and pawns, of one side: without it, passing may be an advantage.
    #[inline(always)]
    pub fn has_pieces(&self, side: Color) -> bool {
        (self.of(side) & !self.role(Role::Pawn) & !self.role(Role::King)).any()
    }

    /// Kings and pawns only, both sides.
    #[inline(always)]
    pub fn is_pawn_ending(&self) -> bool {
        self.occupied() == self.role(Role::Pawn) | self.role(Role::King)
    }

    /// The Zobrist keys.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.state.keys
    }

    /// The key of the whole position.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state.keys.full
    }

    /// The square on which a pawn may be taken in passing, where that is a legal move.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Half moves since the last capture or pawn move.
    #[inline(always)]
    pub fn fifty(&self) -> u32 {
        u32::from(self.state.fifty)
    }

    /// Half moves since the game began.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The move that led here; `None` for the first position and after a pass.
    #[inline(always)]
    pub fn last_move(&self) -> Option<Move> {
        self.state.played
    }

    /// The piece that a legal move takes, if any.
    #[inline(always)]
    pub fn captured_by(&self, m: Move) -> Option<Role> {
        match m.kind() {
            Kind::Castle => None,
            Kind::EnPassant => Some(Role::Pawn),
            _ => self.piece_at(m.to()).map(|piece| piece.role),
        }
    }

    /// A capture or a promotion: a move that changes the material.
    #[inline(always)]
    pub fn is_noisy(&self, m: Move) -> bool {
        m.promotion().is_some() || self.captured_by(m).is_some()
    }

    /// The piece that a legal move moves.
    #[inline(always)]
    pub fn moved_by(&self, m: Move) -> Piece {
        match self.piece_at(m.from()) {
            Some(piece) => piece,
            None => unreachable!("a legal move starts from a piece"),
        }
    }
}
