//! Playing moves and null moves, and taking them back.

use super::castling::castled;
use super::geometry::{en_passant_victim, pawn_attacks};
use super::moves::{Move, MoveKind};
use super::pieces::PieceCode;
use super::position::Position;
use super::state::State;
use crate::chess::{Bitboard, Color, Piece, Role, Square, bit, square_at};

/// A move that is illegal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a legal move here")]
pub struct IllegalMoveError(pub Move);

impl Position {
    /// Adds a piece to a square or removes it, in sets and keys but not in the mailbox.
    #[inline(always)]
    fn toggle_piece(&mut self, piece: PieceCode, square: Square) {
        let key = self.zobrist.piece(piece, square);
        let state = self.state_mut();
        state.keys = state.keys.toggled_piece(piece, key);
        state.sets = state.sets.toggled(piece, bit(square));
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put_piece(&mut self, piece: PieceCode, square: Square) {
        self.toggle_piece(piece, square);
        self.mailbox[square] = piece;
    }

    /// Removes the piece on a square, if there is one, and returns it.
    #[inline(always)]
    fn remove_piece(&mut self, square: Square) -> PieceCode {
        let piece = self.mailbox[square];
        self.toggle_piece(piece, square);
        self.mailbox[square] = PieceCode::NONE;
        piece
    }

    /// Makes room for the next state on the stack. The caller writes it.
    #[inline(always)]
    fn push_state(&mut self) {
        self.height += 1;
        if self.height >= self.stack.len() {
            self.grow_stack();
        }
    }

    #[cold]
    fn grow_stack(&mut self) {
        self.stack.resize(2 * self.stack.len() + 64, State::default());
    }

    /// Plays a move from anywhere, if it is legal: [`Position::is_legal`] and
    /// [`Position::play`].
    ///
    /// # Errors
    ///
    /// If the move is not legal; the position is then as it was.
    ///
    /// ```
    /// # extern crate freshet_core as freshet;
    /// use freshet::board::{IllegalMoveError, Move, MoveKind, Position};
    /// use freshet::chess::Square;
    ///
    /// let mut position = Position::start();
    /// let (single, triple) = (Square::E3, Square::E5);
    /// let to = |square| Move::new(Square::E2, square, MoveKind::Normal);
    /// assert_eq!(position.try_play(to(triple)), Err(IllegalMoveError(to(triple))));
    /// assert_eq!(position.try_play(to(single)), Ok(()));
    /// assert_eq!(position.last_move(), Some(to(single)));
    /// ```
    pub fn try_play(&mut self, m: Move) -> Result<(), IllegalMoveError> {
        if !self.is_legal(m, &self.check_info()) {
            return Err(IllegalMoveError(m));
        }
        self.play(m);
        Ok(())
    }

    /// Plays a legal move; [`Position::undo`] takes it back.
    ///
    /// The move must be legal: one of [`Position::moves`], one that a parser has returned, or one
    /// that [`Position::is_legal`] has accepted. This is not checked. After any other move the
    /// position makes no sense, and this or a later call may panic, though never with undefined
    /// behaviour. [`Position::try_play`] is the checked form.
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        self.push_state();
        let before = &self.stack[self.height - 1];
        let packed = before.packed;
        let piece = self.mailbox[from];

        let rights =
            packed.rights() & self.castling.kept_rights[from] & self.castling.kept_rights[to];
        let mut toggled = self.zobrist.black;
        if rights != packed.rights() {
            toggled ^= self.zobrist.castling(packed.rights()) ^ self.zobrist.castling(rights);
        }
        if let Some(square) = packed.en_passant() {
            toggled ^= self.zobrist.en_passant(square);
        }
        let (mut keys, mut sets) = (before.keys.toggled(toggled), before.sets);

        let captured;
        if m.is_normal() {
            captured = self.mailbox[to];
            let moved = self.zobrist.piece(piece, from) ^ self.zobrist.piece(piece, to);
            keys = keys
                .toggled_piece(piece, moved)
                .toggled_piece(captured, self.zobrist.piece(captured, to));
            sets = sets.toggled(piece, bit(from) | bit(to)).toggled(captured, bit(to));
            self.mailbox[from] = PieceCode::NONE;
            self.mailbox[to] = piece;
            let irreversible = piece.is_pawn() || !captured.is_none();
            *self.state_mut() =
                State { keys, sets, packed: packed.after(m, rights, captured, irreversible) };
        } else {
            *self.state_mut() = State { keys, sets, packed };
            captured = self.play_special(m);
            let irreversible = piece.is_pawn() || !captured.is_none();
            self.state_mut().packed = packed.after(m, rights, captured, irreversible);
        }
        self.turn = self.turn.other();

        if piece.is_pawn() && (from as u32) ^ (to as u32) == 16 {
            self.set_en_passant(square_at((from as u32 + to as u32) / 2));
        }
    }

    /// Moves the pieces of castling, en passant and promotions; returns the captured piece.
    #[inline(never)]
    fn play_special(&mut self, m: Move) -> PieceCode {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let piece = self.remove_piece(from);
        match m.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castled(from, to);
                let rook = self.remove_piece(to);
                self.put_piece(piece, king_to);
                self.put_piece(rook, rook_to);
                PieceCode::NONE
            }
            MoveKind::EnPassant => {
                let captured = self.remove_piece(en_passant_victim(to, us));
                self.put_piece(piece, to);
                captured
            }
            _ => {
                let captured = self.remove_piece(to);
                if let Some(role) = m.promotion() {
                    self.put_piece(PieceCode::new(Piece { color: us, role }), to);
                }
                captured
            }
        }
    }

    /// Takes back the last move or null move, and restores the position completely. Does nothing in
    /// the first position, that of the FEN.
    #[inline(always)]
    pub fn undo(&mut self) {
        if self.height == 0 {
            return;
        }
        let last = self.state().packed;
        self.height -= 1;
        self.turn = self.turn.other();
        if let Some(m) = last.played() {
            if m.is_normal() {
                self.mailbox[m.from()] = self.mailbox[m.to()];
                self.mailbox[m.to()] = last.captured();
            } else {
                self.undo_special(m, last.captured());
            }
        }
    }

    /// Puts the pieces of castling, en passant and promotions back into the mailbox.
    #[inline(never)]
    fn undo_special(&mut self, m: Move, captured: PieceCode) {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let piece = |role| PieceCode::new(Piece { color: us, role });
        self.mailbox[to] = PieceCode::NONE;
        match m.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castled(from, to);
                self.mailbox[king_to] = PieceCode::NONE;
                self.mailbox[rook_to] = PieceCode::NONE;
                self.mailbox[from] = piece(Role::King);
                self.mailbox[to] = piece(Role::Rook);
            }
            MoveKind::EnPassant => {
                self.mailbox[from] = piece(Role::Pawn);
                self.mailbox[en_passant_victim(to, us)] = captured;
            }
            _ => {
                self.mailbox[from] = piece(Role::Pawn);
                self.mailbox[to] = captured;
            }
        }
    }

    /// Plays a null move: the other side is to move on the same board, without en passant. The
    /// fifty-move counter goes on; repetitions are not detected across a null move.
    /// [`Position::undo`] takes it back.
    ///
    /// The side to move must not be in check, which is not checked: the other side could capture
    /// the king.
    pub fn play_null(&mut self) {
        let before = *self.state();
        self.push_state();
        let mut key = self.zobrist.black;
        if let Some(square) = before.packed.en_passant() {
            key ^= self.zobrist.en_passant(square);
        }
        *self.state_mut() = State {
            keys: before.keys.toggled(key),
            sets: before.sets,
            packed: before.packed.after_null(),
        };
        self.turn = self.turn.other();
    }

    /// The key after a move, for prefetching the TT entry. Wrong if the move changes castling or en
    /// passant rights, castles, promotes or captures en passant.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let piece = self.mailbox[m.from()];
        let mut key = self.key()
            ^ self.zobrist.black
            ^ self.zobrist.piece(piece, m.from())
            ^ self.zobrist.piece(piece, m.to());
        let captured = self.mailbox[m.to()];
        if !captured.is_none() {
            key ^= self.zobrist.piece(captured, m.to());
        }
        key
    }

    /// After a double push across `square`: sets the en passant square if the side to move can
    /// legally capture there.
    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let capturers =
            pawn_attacks(bit(square), self.turn.other()) & self.set(self.turn, Role::Pawn);
        if capturers.any() {
            self.set_en_passant_for(capturers, square, self.turn);
        }
    }

    /// The rare part of [`Position::set_en_passant`], where pawns attack the square.
    #[cold]
    fn set_en_passant_for(&mut self, capturers: Bitboard, square: Square, us: Color) {
        if capturers.into_iter().any(|from| self.state().sets.en_passant_is_legal(from, square, us))
        {
            let key = self.zobrist.en_passant(square);
            let state = self.state_mut();
            state.packed = state.packed.with_en_passant(square);
            state.keys = state.keys.toggled(key);
        }
    }
}
