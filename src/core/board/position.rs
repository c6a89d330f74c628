//! The position and its cheap queries.

use super::castling::{Castling, castling_right};
use super::geometry::pawn_attacks;
use super::moves::{Move, MoveKind};
use super::pieces::PieceCode;
use super::state::{Keys, State};
use super::zobrist::Zobrist;
use crate::chess::{
    Bitboard, BySquare, CastlingSide, Color, Piece, Role, Square, bit, points, square_at,
};

/// A chess position with its history, standard or Chess960.
///
/// Always legal, if only legal moves are played: each side has one king, and the side that is not
/// to move is not in check.
#[derive(Clone, Debug)]
pub struct Position {
    /// The piece on each square.
    pub(super) mailbox: BySquare<PieceCode>,
    pub(super) turn: Color,
    /// Index of the current state in the stack.
    pub(super) height: usize,
    /// The states of this and all earlier positions; higher entries are unused. A move writes the
    /// next state and undoing steps down, so nothing is copied back.
    pub(super) stack: Vec<State>,
    pub(super) castling: Castling,
    /// Plies of the game before the first position of the stack, by the move number of the FEN.
    pub(super) first_ply: u32,
    /// The en passant square of the first position, whether or not the capture is legal.
    pub(super) declared_en_passant: Option<Square>,
    pub(super) zobrist: &'static Zobrist,
}

/// Positions are equal if their history is equal too.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.mailbox == other.mailbox
            && self.turn == other.turn
            && self.castling == other.castling
            && self.first_ply == other.first_ply
            && self.stack[..=self.height] == other.stack[..=other.height]
    }
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

    /// The pieces of a side and role.
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

    /// The pieces of both sides.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.state().sets.occupied()
    }

    /// The piece on a square, if there is one.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.mailbox[square].piece()
    }

    /// The code of the piece on a square.
    #[inline(always)]
    pub(crate) fn code_at(&self, square: Square) -> PieceCode {
        self.mailbox[square]
    }

    /// The square of a side's king.
    #[inline(always)]
    pub fn king(&self, side: Color) -> Square {
        self.state().sets.king(side)
    }

    /// Whether a side has a piece other than king and pawns. Without one, zugzwang is likely.
    #[inline(always)]
    pub fn has_pieces(&self, side: Color) -> bool {
        (self.of(side) & !self.role(Role::Pawn) & !self.role(Role::King)).any()
    }

    /// Castling rights, one bit each: 1 and 2 for Black's king side and queen side, 4 and 8 for
    /// White's.
    #[inline(always)]
    pub fn castling_rights(&self) -> u8 {
        self.state().packed.rights()
    }

    /// The target squares of the king for the castling rights that a side has, from White's point
    /// of view: c1 and g1.
    #[inline(always)]
    #[doc(hidden)]
    pub fn castling_targets(&self, side: Color) -> Bitboard {
        let target = |wing, square| {
            let may = self.castling_rights() & castling_right(side, wing) != 0;
            if may { bit(square) } else { Bitboard::EMPTY }
        };
        target(CastlingSide::QueenSide, Square::C1) | target(CastlingSide::KingSide, Square::G1)
    }

    /// The part of the [key](Self::key) that stands for the castling rights.
    #[inline(always)]
    pub(crate) fn castling_key(&self) -> u64 {
        self.zobrist.castling(self.castling_rights())
    }

    /// Whether a side has only its king.
    #[inline(always)]
    #[doc(hidden)]
    pub fn is_bare(&self, side: Color) -> bool {
        self.of(side) == self.set(side, Role::King)
    }

    /// The material of a side less that of the other, in pawns: by [`points`].
    #[doc(hidden)]
    pub fn material_lead(&self, side: Color) -> i32 {
        let lead = |role| {
            let [ours, theirs] = [side, side.other()].map(|side| self.set(side, role).count());
            points(role) * (ours as i32 - theirs as i32)
        };
        Role::ALL.into_iter().map(lead).sum()
    }

    /// Whether there are only kings and pawns.
    #[inline(always)]
    #[doc(hidden)]
    pub fn is_pawn_ending(&self) -> bool {
        self.occupied() == self.role(Role::Pawn) | self.role(Role::King)
    }

    /// The Zobrist keys of the position and of parts of it.
    #[inline(always)]
    pub fn keys(&self) -> &Keys {
        &self.state().keys
    }

    /// The Zobrist key of the whole position.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state().keys.full()
    }

    /// The en passant square, if the capture is legal.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.state().packed.en_passant()
    }

    /// The en passant square if an enemy pawn attacks it, whether or not the capture is legal.
    pub fn pseudo_legal_en_passant(&self) -> Option<Square> {
        let passed = match self.last_move() {
            Some(m) => {
                let pawn = self.piece_at(m.to()).is_some_and(|piece| piece.role == Role::Pawn);
                let (from, to) = (m.from() as u32, m.to() as u32);
                let double = pawn && m.is_normal() && from.abs_diff(to) == 16;
                double.then(|| square_at((from + to) / 2))
            }
            None if self.height == 0 => self.declared_en_passant,
            None => None,
        };
        let capturers = |square| pawn_attacks(bit(square), self.turn.other());
        passed.filter(|&square| capturers(square).intersects(self.set(self.turn, Role::Pawn)))
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn fifty(&self) -> u32 {
        u32::from(self.state().packed.fifty())
    }

    /// Plies since the game began.
    #[inline(always)]
    pub fn ply(&self) -> u32 {
        self.first_ply + self.height as u32
    }

    /// The move that led here; `None` for the first position and after a null move.
    #[inline(always)]
    pub fn last_move(&self) -> Option<Move> {
        self.state().packed.played()
    }

    /// The moves that led here, the last one first, of at most this many plies. Null moves are left
    /// out.
    pub fn last_moves(&self, plies: usize) -> impl Iterator<Item = Move> + '_ {
        let states = self.stack[..=self.height].iter().rev().take(plies);
        states.filter_map(|state| state.packed.played())
    }

    /// The code of the piece that a legal move captures, [`PieceCode::NONE`] if it captures none.
    #[inline(always)]
    pub(super) fn captured_code(&self, m: Move) -> PieceCode {
        match m.kind() {
            MoveKind::Castle => PieceCode::NONE,
            MoveKind::EnPassant => {
                PieceCode::new(Piece { color: self.turn.other(), role: Role::Pawn })
            }
            _ => self.code_at(m.to()),
        }
    }

    /// The role of the piece that a legal move captures, if any.
    #[inline(always)]
    pub fn captured_by(&self, m: Move) -> Option<Role> {
        self.captured_code(m).piece().map(|piece| piece.role)
    }

    /// Whether a legal move is a capture or a promotion, and so changes the material.
    #[inline(always)]
    pub fn is_noisy(&self, m: Move) -> bool {
        // Castling is not, although its target, the rook's square, is occupied.
        let captures = m.is_normal() & !self.mailbox[m.to()].is_none();
        captures | (m.bits() >> 12 >= MoveKind::EnPassant as u16)
    }

    /// The piece that a legal move moves: for castling the king, for a promotion the pawn.
    #[inline(always)]
    pub fn moved_by(&self, m: Move) -> Piece {
        match self.piece_at(m.from()) {
            Some(piece) => piece,
            None => unreachable!("a legal move starts from a piece"),
        }
    }
}
