//! Exchanges: a piece that captures a guarded pawn is recaptured.
//!
//! In the [piece bitbases](super::piece_bitbases) of a wall every capture of a pawn by the attacker
//! wins, with [`EveryChangeWins`](super::piece_bitbases::EveryChangeWins) as the rule. So a rook
//! that can take a guarded pawn seems to win. This module follows two more moves:
//!
//! - after a piece of the attacker has taken a pawn, the defender may take it with its king, a pawn
//!   or a piece;
//! - a pawn of the defender may take a piece of the attacker.
//!
//! The position after that has one piece fewer and other pawns, and its bitbase says whether the
//! defender holds. All other pawn changes still count as wins for the attacker, so if it does not
//! win here, it is proven that it cannot.
//!
//! ```
//! use freshet::board::Position;
//! use freshet::chess::Color;
//! use freshet::known::Knowledge;
//!
//! // The knight can take on d3 and g3, but a king or pawn takes it, and the pawn ending is drawn.
//! let fen = "8/8/8/2p4k/1pPpn1p1/pP1P2Pp/P6P/2K5 w - - 0 1";
//! let position = Position::from_fen(fen).unwrap();
//! let known = Knowledge::of(&position).ask(&position).unwrap();
//! assert!(!known.can_win[Color::Black]);
//! ```

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::piece_bitbases::{Change, PawnChanges, PieceBitbase, PieceSquares, Pieces};
use super::structure::PawnStructure;
use crate::chess::{Bitboard, Rank, Square, between, bit};
use crate::fill::attacks_of;
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;

/// The bitbases after exchanges, by the pawns and the number of the piece that is gone.
type Known = FxHashMap<(PawnStructure, usize), Option<Arc<PieceBitbase>>>;

/// Follows exchanges; every other pawn change counts for the attacker.
pub(super) struct Exchanges<'a, F> {
    pawns: PawnStructure,
    pieces: &'a Pieces,
    /// Finds the bitbase of other pawns with fewer pieces (`None` counts for the attacker), and
    /// remembers its answers.
    after: RefCell<(F, Known)>,
}

impl<'a, F: FnMut(PawnStructure, &Pieces) -> Option<Arc<PieceBitbase>>> Exchanges<'a, F> {
    /// Exchanges among these pawns and pieces. `after` returns the bitbase of what remains.
    pub(super) fn new(pawns: PawnStructure, pieces: &'a Pieces, after: F) -> Exchanges<'a, F> {
        Exchanges { pawns, pieces, after: RefCell::new((after, Known::default())) }
    }

    /// The squares of the defender's king from which it holds, with the attacker to move and
    /// `piece` gone.
    fn holds(&self, pawns: PawnStructure, piece: usize, squares: &PieceSquares) -> Bitboard {
        let (after, known) = &mut *self.after.borrow_mut();
        let bitbase = known
            .entry((pawns, piece))
            .or_insert_with(|| after(pawns, &self.pieces.without(piece)));
        bitbase.as_ref().map_or(Bitboard::EMPTY, |bitbase| bitbase.holds(squares))
    }
}

impl<F: FnMut(PawnStructure, &Pieces) -> Option<Arc<PieceBitbase>>> PawnChanges
    for Exchanges<'_, F>
{
    fn attacker_wins(&self, change: &Change<'_>) -> Bitboard {
        let PawnStructure { ours, theirs } = change.pawns;
        let attackers = self.pieces.attacker.len();
        let taken = (self.pawns.theirs & !theirs).single_square();
        let Some(target) = taken.filter(|_| change.captured.is_none()) else {
            return Bitboard::FULL;
        };
        let is_target = |&square: &Square| square == target;
        let Some(victim) = change.squares.pieces[..attackers].iter().position(is_target) else {
            return Bitboard::FULL;
        };
        let left = change.squares.without(victim);
        let mut saved = Bitboard::EMPTY;
        if self.holds(change.pawns, victim, &left).contains(target) {
            saved |= king_attacks(bit(target));
        }
        for pawn in pawn_attacks(bit(target)) & theirs {
            let pawns = PawnStructure { ours, theirs: (theirs & !bit(pawn)) | bit(target) };
            saved |= self.holds(pawns, victim, &left);
        }
        let occupied = ours | theirs | change.squares.set();
        for (index, kind) in self.pieces.defender.iter().enumerate() {
            // In the bitbase that remains the pieces after the victim have moved up by one.
            let piece = attackers - 1 + index;
            let from = left.pieces[piece];
            if attacks_of(kind.role(), bit(from), !occupied).contains(target) {
                let after = left.moved(Some(piece), target);
                saved |= self.holds(change.pawns, victim, &after) & !between(from, target);
            }
        }
        !saved
    }

    fn defender_saved(&self, change: &Change<'_>) -> Bitboard {
        match change.captured {
            Some(victim) if !change.pawns.theirs.intersects(Bitboard::from_rank(Rank::First)) => {
                self.holds(change.pawns, victim, change.squares)
            }
            _ => Bitboard::EMPTY,
        }
    }

    fn favours_attacker(&self) -> bool {
        true
    }
}
