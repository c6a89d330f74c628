//! The position and what can be asked of it at no cost.

use super::castling::Castling;
use super::moves::{Move, MoveKind};
use super::pieces::PieceCode;
use super::state::{Keys, State};
use super::zobrist::Zobrist;
use crate::chess::{Bitboard, BySquare, Color, Piece, Role, Square};

/// A chess position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    /// What stands on each square.
    pub(super) mailbox: BySquare<PieceCode>,
    pub(super) turn: Color,
    /// Index of the current state in the stack.
    pub(super) height: usize,
    /// The states of this and all earlier positions; what lies above is room. A move writes the next state, undoing steps
    /// down: nothing is copied.
    pub(super) stack: Vec<State>,
    pub(super) castling: Castling,
    /// Half moves of the game before the first position of the stack, counted from the FEN's move number.
    pub(super) first_ply: u32,
    pub(super) zobrist: &'static Zobrist,
}

impl Position {
    #[inline(always)]
    pub(super) fn state(&self) -> &State {
        &self.stack[self.height]
    }

    #[inline(always)]
    pub(super) fn state_mut(&mut self) -> &mut State {
        &mut self.stack[self.height]
    }

    /// The side to move.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces of a side.
    #[inline(always)]
    pub fn of(&self, side: Color) -> Bitboard {
        self.state().sets.side(side)
    }

    /// All pieces of a role, both sides.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        self.state().sets.role(role)
    }

    /// The pieces of one side and role.
    #[inline(always)]
    pub fn set(&self, side: Color, role: Role) -> Bitboard {
        self.state().sets.of(side, role)
    }

    /// The rooks and queens of a side.
    #[inline(always)]
    pub fn orthogonal(&self, side: Color) -> Bitboard {
        self.state().sets.orthogonal(side)
    }

    /// The bishops and queens of a side.
    #[inline(always)]
    pub fn diagonal(&self, side: Color) -> Bitboard {
        self.state().sets.diagonal(side)
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.state().sets.occupied()
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square].piece()
    }

    /// Where the king of a side stands.
    #[inline(always)]
    pub fn king(&self, side: Color) -> Square {
        self.state().sets.king(side)
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
        &self.state().keys
    }

    /// The key of the whole position.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state().keys.full()
    }

    /// The square on which a pawn may be taken in passing, where that is a legal move.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.state().packed.en_passant()
    }

    /// Half moves since the last capture or pawn move.
    #[inline(always)]
    pub fn fifty(&self) -> u32 {
        u32::from(self.state().packed.fifty())
    }

    /// Half moves since the game began.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.first_ply + self.height as u32
    }

    /// The move that led here; `None` for the first position and after a pass.
    #[inline(always)]
    pub fn last_move(&self) -> Option<Move> {
        self.state().packed.played()
    }

    /// The piece that a legal move takes, if any.
    #[inline(always)]
    pub fn captured_by(&self, m: Move) -> Option<Role> {
        match m.kind() {
            MoveKind::Castle => None,
            MoveKind::EnPassant => Some(Role::Pawn),
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
