//! Play, undo, pass.

use super::attacks::{en_passant_victim, pawn_attacks};
use super::pieces::Man;
use super::{Kind, Move, Position, State};
use crate::chess::{Bitboard, Color, Piece, Role, Square, bit, square_at};

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

/// The squares of a rank from one square to another, both with it.
pub(super) fn span(a: Square, b: Square) -> Bitboard {
    let (low, high) = if (a as u32) < b as u32 { (a, b) } else { (b, a) };
    Bitboard((!0 << low as u32) & (!0 >> (63 - high as u32)))
}

impl Position {
    /// A man comes to or goes from a square: sets and keys, not the mailbox.
    #[inline(always)]
    fn change(&mut self, man: Man, square: Square) {
        let key = self.zobrist.man(man, square);
        let state = self.state_mut();
        state.keys = state.keys.with(man, key);
        state.sets = state.sets.with(man, bit(square));
    }

    /// A piece comes to a square.
    #[inline(always)]
    pub(super) fn put(&mut self, man: Man, square: Square) {
        self.change(man, square);
        self.mailbox[square] = man;
    }

    /// A piece goes from a square, if there is one.
    #[inline(always)]
    fn lift(&mut self, square: Square) -> Man {
        let man = self.mailbox[square];
        self.change(man, square);
        self.mailbox[square] = Man::NONE;
        man
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

    /// Plays a legal move. An illegal one leaves a position that makes no sense: check with
    /// [`Position::is_legal`] whatever does not come from [`Position::moves`].
    #[inline(always)]
    pub fn play(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        self.climb();
        let before = &self.stack[self.height - 1];
        let rest = before.rest;
        let man = self.mailbox[from];

        let rights = rest.rights() & self.castling.kept[from] & self.castling.kept[to];
        let mut others = self.zobrist.black;
        if rights != rest.rights() {
            others ^= self.zobrist.castling(rest.rights()) ^ self.zobrist.castling(rights);
        }
        if let Some(square) = rest.en_passant() {
            others ^= self.zobrist.en_passant(square);
        }
        let (mut keys, mut sets) = (before.keys.toggled(others), before.sets);

        let captured;
        if m.is_normal() {
            captured = self.mailbox[to];
            let moved = self.zobrist.man(man, from) ^ self.zobrist.man(man, to);
            keys = keys.with(man, moved).with(captured, self.zobrist.man(captured, to));
            sets = sets.with(man, bit(from) | bit(to)).with(captured, bit(to));
            self.mailbox[from] = Man::NONE;
            self.mailbox[to] = man;
            let irreversible = man.is_pawn() || !captured.is_none();
            *self.state_mut() = State { keys, sets, rest: rest.after(m, rights, captured, irreversible) };
        } else {
            *self.state_mut() = State { keys, sets, rest };
            captured = self.play_rare(m);
            let irreversible = man.is_pawn() || !captured.is_none();
            self.state_mut().rest = rest.after(m, rights, captured, irreversible);
        }
        self.turn = self.turn.other();

        if man.is_pawn() && (from as u32) ^ (to as u32) == 16 {
            self.offer_en_passant(square_at((from as u32 + to as u32) / 2));
        }
    }

    /// The pieces of castling, en passant and promotions; answers what was captured.
    #[inline(never)]
    fn play_rare(&mut self, m: Move) -> Man {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let man = self.lift(from);
        match m.kind() {
            Kind::Castle => {
                let (king_to, rook_to) = castled(from, to);
                let rook = self.lift(to);
                self.put(man, king_to);
                self.put(rook, rook_to);
                Man::NONE
            }
            Kind::EnPassant => {
                let captured = self.lift(en_passant_victim(to, us));
                self.put(man, to);
                captured
            }
            _ => {
                let captured = self.lift(to);
                if let Some(role) = m.promotion() {
                    self.put(Man::new(Piece { color: us, role }), to);
                }
                captured
            }
        }
    }

    /// Takes back the last move or pass. Does nothing in the first position.
    #[inline(always)]
    pub fn undo(&mut self) {
        if self.height == 0 {
            return;
        }
        let last = self.state().rest;
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
    fn undo_rare(&mut self, m: Move, captured: Man) {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let man = |role| Man::new(Piece { color: us, role });
        self.mailbox[to] = Man::NONE;
        match m.kind() {
            Kind::Castle => {
                let (king_to, rook_to) = castled(from, to);
                self.mailbox[king_to] = Man::NONE;
                self.mailbox[rook_to] = Man::NONE;
                self.mailbox[from] = man(Role::King);
                self.mailbox[to] = man(Role::Rook);
            }
            Kind::EnPassant => {
                self.mailbox[from] = man(Role::Pawn);
                self.mailbox[en_passant_victim(to, us)] = captured;
            }
            _ => {
                self.mailbox[from] = man(Role::Pawn);
                self.mailbox[to] = captured;
            }
        }
    }

    /// Passes: the other side is to move on the same board. Not allowed in check. [`Position::undo`] takes it
    /// back.
    pub fn pass(&mut self) {
        let before = *self.state();
        self.climb();
        let mut key = self.zobrist.black;
        if let Some(square) = before.rest.en_passant() {
            key ^= self.zobrist.en_passant(square);
        }
        *self.state_mut() =
            State { keys: before.keys.toggled(key), sets: before.sets, rest: before.rest.after_pass() };
        self.turn = self.turn.other();
    }

    /// The key after a move that is no castling, promotion or en passant, near enough to fetch the table's
    /// line for it early.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let man = self.mailbox[m.from()];
        let mut key =
            self.key() ^ self.zobrist.black ^ self.zobrist.man(man, m.from()) ^ self.zobrist.man(man, m.to());
        let captured = self.mailbox[m.to()];
        if !captured.is_none() {
            key ^= self.zobrist.man(captured, m.to());
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
            state.rest = state.rest.with_en_passant(square);
            state.keys = state.keys.toggled(key);
        }
    }
}
