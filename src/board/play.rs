//! Play, undo, pass.

use super::castling::castled;
use super::geometry::{en_passant_victim, pawn_attacks};
use super::moves::{Move, MoveKind};
use super::pieces::PieceCode;
use super::position::Position;
use super::state::State;
use crate::chess::{Bitboard, Color, Piece, Role, Square, bit, square_at};

/// A move that is not legal in the position in which it was to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a legal move here")]
pub struct IllegalMoveError(pub Move);

impl Position {
    /// A man comes to or goes from a square: sets and keys, not the mailbox.
    #[inline(always)]
    fn change(&mut self, code: PieceCode, square: Square) {
        let key = self.zobrist.piece(code, square);
        let state = self.state_mut();
        state.keys = state.keys.with(code, key);
        state.sets = state.sets.with(code, bit(square));
    }

    /// A piece comes to a square.
    #[inline(always)]
    pub(super) fn put(&mut self, code: PieceCode, square: Square) {
        self.change(code, square);
        self.mailbox[square] = code;
    }

    /// A piece goes from a square, if there is one.
    #[inline(always)]
    fn lift(&mut self, square: Square) -> PieceCode {
        let code = self.mailbox[square];
        self.change(code, square);
        self.mailbox[square] = PieceCode::NONE;
        code
    }

    /// One step up the stack, where there is room for it.
    #[inline(always)]
    fn climb(&mut self) {
        self.height += 1;
        if self.height >= self.stack.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
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
        self.climb();
        let before = &self.stack[self.height - 1];
        let packed = before.packed;
        let code = self.mailbox[from];

        let rights =
            packed.rights() & self.castling.kept_rights[from] & self.castling.kept_rights[to];
        let mut others = self.zobrist.black;
        if rights != packed.rights() {
            others ^= self.zobrist.castling(packed.rights()) ^ self.zobrist.castling(rights);
        }
        if let Some(square) = packed.en_passant() {
            others ^= self.zobrist.en_passant(square);
        }
        let (mut keys, mut sets) = (before.keys.toggled(others), before.sets);

        let captured;
        if m.is_normal() {
            captured = self.mailbox[to];
            let moved = self.zobrist.piece(code, from) ^ self.zobrist.piece(code, to);
            keys = keys.with(code, moved).with(captured, self.zobrist.piece(captured, to));
            sets = sets.with(code, bit(from) | bit(to)).with(captured, bit(to));
            self.mailbox[from] = PieceCode::NONE;
            self.mailbox[to] = code;
            let irreversible = code.is_pawn() || !captured.is_none();
            *self.state_mut() =
                State { keys, sets, packed: packed.after(m, rights, captured, irreversible) };
        } else {
            *self.state_mut() = State { keys, sets, packed };
            captured = self.play_rare(m);
            let irreversible = code.is_pawn() || !captured.is_none();
            self.state_mut().packed = packed.after(m, rights, captured, irreversible);
        }
        self.turn = self.turn.other();

        if code.is_pawn() && (from as u32) ^ (to as u32) == 16 {
            self.offer_en_passant(square_at((from as u32 + to as u32) / 2));
        }
    }

    /// The pieces of castling, en passant and promotions; answers what was captured.
    #[inline(never)]
    fn play_rare(&mut self, m: Move) -> PieceCode {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let code = self.lift(from);
        match m.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castled(from, to);
                let rook = self.lift(to);
                self.put(code, king_to);
                self.put(rook, rook_to);
                PieceCode::NONE
            }
            MoveKind::EnPassant => {
                let captured = self.lift(en_passant_victim(to, us));
                self.put(code, to);
                captured
            }
            _ => {
                let captured = self.lift(to);
                if let Some(role) = m.promotion() {
                    self.put(PieceCode::new(Piece { color: us, role }), to);
                }
                captured
            }
        }
    }

    /// Takes back the last move or null move: the position is in every respect as it was before.
    /// Does nothing in the first position, that of the FEN.
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
                self.undo_rare(m, last.captured());
            }
        }
    }

    #[inline(never)]
    fn undo_rare(&mut self, m: Move, captured: PieceCode) {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let code = |role| PieceCode::new(Piece { color: us, role });
        self.mailbox[to] = PieceCode::NONE;
        match m.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castled(from, to);
                self.mailbox[king_to] = PieceCode::NONE;
                self.mailbox[rook_to] = PieceCode::NONE;
                self.mailbox[from] = code(Role::King);
                self.mailbox[to] = code(Role::Rook);
            }
            MoveKind::EnPassant => {
                self.mailbox[from] = code(Role::Pawn);
                self.mailbox[en_passant_victim(to, us)] = captured;
            }
            _ => {
                self.mailbox[from] = code(Role::Pawn);
                self.mailbox[to] = captured;
            }
        }
    }

    /// Plays a null move: the other side is to move on the same board, without en passant. The
    /// count of half moves for the fifty-move rule goes on; repetitions are not looked for across
    /// a null move. [`Position::undo`] takes it back.
    ///
    /// The side to move must not be in check, which is not checked: the other side could capture
    /// the king.
    pub fn play_null(&mut self) {
        let before = *self.state();
        self.climb();
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

    /// The key after a move that is no castling, promotion or en passant, near enough to fetch the table's
    /// line for it early.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let code = self.mailbox[m.from()];
        let mut key = self.key()
            ^ self.zobrist.black
            ^ self.zobrist.piece(code, m.from())
            ^ self.zobrist.piece(code, m.to());
        let captured = self.mailbox[m.to()];
        if !captured.is_none() {
            key ^= self.zobrist.piece(captured, m.to());
        }
        key
    }

    /// A pawn has passed `square`: remembered only if the side to move may legally take it there.
    #[inline(always)]
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let takers = pawn_attacks(bit(square), self.turn.other()) & self.set(self.turn, Role::Pawn);
        if takers.any() {
            self.offer_en_passant_to(takers, square, self.turn);
        }
    }

    #[cold]
    fn offer_en_passant_to(&mut self, takers: Bitboard, square: Square, us: Color) {
        if takers.into_iter().any(|from| self.state().sets.en_passant_is_legal(from, square, us)) {
            let key = self.zobrist.en_passant(square);
            let state = self.state_mut();
            state.packed = state.packed.with_en_passant(square);
            state.keys = state.keys.toggled(key);
        }
    }
}
