//! Play, undo, pass.

use super::attacks::{en_passant_victim, pawn_attacks};
use super::{Kind, Move, Position};
use crate::chess::{Color, Piece, Role, Square, bit, square_at};

/// Where king and rook stand after the king on `king` has castled with the rook on `rook`: on the g and f
/// or on the c and d file, wherever they come from.
#[inline(always)]
pub(super) fn castled(king: Square, rook: Square) -> (Square, Square) {
    let rank = king as u32 & 56;
    if rook as u32 > king as u32 {
        (square_at(rank + 6), square_at(rank + 5))
    } else {
        (square_at(rank + 2), square_at(rank + 3))
    }
}

impl Position {
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.state.keys.toggle(piece, self.zobrist.piece(piece, square));
        self.pieces.put(piece, square);
    }

    #[inline(always)]
    pub(super) fn lift(&mut self, piece: Piece, square: Square) {
        self.state.keys.toggle(piece, self.zobrist.piece(piece, square));
        self.pieces.lift(piece, square);
    }

    /// Plays a legal move. An illegal one leaves a position that makes no sense: check with
    /// [`Position::is_legal`] whatever does not come from [`Position::moves`].
    #[inline]
    pub fn play(&mut self, m: Move) {
        let (us, them) = (self.turn, self.turn.other());
        let (from, to) = (m.from(), m.to());
        let piece = self.moved_by(m);
        self.stack.push(self.state);

        self.state.played = Some(m);
        self.state.captured = None;
        self.state.fifty = self.state.fifty.saturating_add(1);
        self.state.since_pass = self.state.since_pass.saturating_add(1);
        self.forget_en_passant();

        let rights = self.state.rights & self.castling.kept[from] & self.castling.kept[to];
        if rights != self.state.rights {
            self.state.keys.full ^= self.zobrist.castling(self.state.rights) ^ self.zobrist.castling(rights);
            self.state.rights = rights;
        }

        if m.kind() == Kind::Castle {
            let (king_to, rook_to) = castled(from, to);
            let rook = Piece { color: us, role: Role::Rook };
            self.lift(piece, from);
            self.lift(rook, to);
            self.put(piece, king_to);
            self.put(rook, rook_to);
        } else {
            let victim = if m.kind() == Kind::EnPassant { en_passant_victim(to, us) } else { to };
            if let Some(captured) = self.piece_at(victim) {
                self.lift(captured, victim);
                self.state.captured = Some(captured);
                self.state.fifty = 0;
            }
            self.lift(piece, from);
            match m.promotion() {
                Some(role) => self.put(Piece { color: us, role }, to),
                None => self.put(piece, to),
            }
            if piece.role == Role::Pawn {
                self.state.fifty = 0;
            }
        }

        self.ply += 1;
        self.turn = them;
        self.state.keys.full ^= self.zobrist.black;

        if piece.role == Role::Pawn && (from as u32).abs_diff(to as u32) == 16 {
            self.offer_en_passant(square_at((from as u32 + to as u32) / 2));
        }
    }

    /// Takes back the last move or pass. Does nothing in the first position.
    #[inline]
    pub fn undo(&mut self) {
        let Some(before) = self.stack.pop() else { return };
        let us = self.turn.other();
        self.turn = us;
        self.ply -= 1;
        if let Some(m) = self.state.played {
            let (from, to) = (m.from(), m.to());
            if m.kind() == Kind::Castle {
                let (king_to, rook_to) = castled(from, to);
                let (king, rook) =
                    (Piece { color: us, role: Role::King }, Piece { color: us, role: Role::Rook });
                self.pieces.lift(king, king_to);
                self.pieces.lift(rook, rook_to);
                self.pieces.put(king, from);
                self.pieces.put(rook, to);
            } else {
                let Some(piece) = self.piece_at(to) else { unreachable!("the moved piece is there") };
                self.pieces.lift(piece, to);
                let role = if m.promotion().is_some() { Role::Pawn } else { piece.role };
                self.pieces.put(Piece { color: us, role }, from);
                if let Some(captured) = self.state.captured {
                    let en_passant = m.kind() == Kind::EnPassant;
                    let victim = if en_passant { en_passant_victim(to, us) } else { to };
                    self.pieces.put(captured, victim);
                }
            }
        }
        self.state = before;
    }

    /// Passes: the other side is to move on the same board. Not allowed in check. [`Position::undo`] takes it
    /// back.
    pub fn pass(&mut self) {
        self.stack.push(self.state);
        self.state.played = None;
        self.state.captured = None;
        self.state.fifty = self.state.fifty.saturating_add(1);
        self.state.since_pass = 0;
        self.forget_en_passant();
        self.ply += 1;
        self.turn = self.turn.other();
        self.state.keys.full ^= self.zobrist.black;
    }

    /// The key after a move that is no castling, promotion or en passant, near enough to fetch the table's
    /// line for it early.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let piece = self.moved_by(m);
        let mut key = self.state.keys.full
            ^ self.zobrist.black
            ^ self.zobrist.piece(piece, m.from())
            ^ self.zobrist.piece(piece, m.to());
        if let Some(captured) = self.piece_at(m.to()) {
            key ^= self.zobrist.piece(captured, m.to());
        }
        key
    }

    #[inline(always)]
    fn forget_en_passant(&mut self) {
        if let Some(square) = self.state.en_passant.take() {
            self.state.keys.full ^= self.zobrist.en_passant(Some(square));
        }
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
    fn offer_en_passant_to(&mut self, takers: crate::chess::Bitboard, square: Square, us: Color) {
        if takers.into_iter().any(|from| self.en_passant_is_legal(from, square, us)) {
            self.state.en_passant = Some(square);
            self.state.keys.full ^= self.zobrist.en_passant(Some(square));
        }
    }
}
