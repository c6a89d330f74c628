//! Pawn structures with pieces, in which the pawns of at least one side are locked. Each set of
//! pieces is solved on demand.
//!
//! A [`SolvedStructure`] has the piece bitbases (`piece_bitbases.rs`) of one structure, with
//! exchanges of a piece for a pawn (`exchanges.rs`). With one piece on the board they take about a
//! millisecond and are part of every evaluation if no pawn can move. With two pieces, or if only
//! the attacker's pawns are locked, they are solved only for the pawns and pieces at the root of a
//! search, which hands them to its threads. Two pieces take a tenth of a second. [Pawn
//! endings](super::pawn_endings) that lead to many structures are also solved only at the root.

use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;

use super::cache::StructureCache;
use super::conversions::{Claim, conversions_of};
use super::exchanges::Exchanges;
use super::king_pairs::KingPairBitbase;
use super::pawns::PawnFortresses;
use super::piece_bitbases::{
    EveryChangeWins, MAX_PIECES, PieceBitbase, PieceKind, PieceSquares, Pieces,
};
use super::structure::PawnStructure;
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Role, Square, facing_north, square_facing_north};

/// The most pieces for which structures are solved during a game.
const MAX_SOLVED_PIECES: usize = 2;

/// The number of sets of up to two pieces of one side.
const PIECE_SETS: usize = 1 + 5 + 15;

/// A structure with the bitbases solved so far.
pub struct SolvedStructure {
    /// The pawns, White's first.
    structure: PawnStructure,
    /// For each side as the attacker, the bitbases by the numbers of both piece sets.
    bitbases: ByColor<Vec<OnceLock<Arc<PieceBitbase>>>>,
    /// Whether captures of pawns are followed once kings alone are left.
    follows_kings: bool,
}

/// The index of a set of up to two pieces.
fn number(kinds: &[PieceKind]) -> usize {
    match *kinds {
        [] => 0,
        [one] => 1 + one as usize,
        [a, b, ..] => {
            let (low, high) = (a.min(b) as usize, a.max(b) as usize);
            6 + high * (high + 1) / 2 + low
        }
    }
}

/// A position as the bitbases of one attacker see it.
pub(crate) struct View {
    /// Both sides' pieces, the attacker's first.
    pub(crate) pieces: Pieces,
    /// The attacker's king and the pieces.
    pub(crate) squares: PieceSquares,
    /// The square of the defender's king.
    pub(crate) defender: Square,
}

impl View {
    /// A position seen by `attacker`; `None` if there are more than `most` pieces.
    pub(crate) fn of(position: &Position, attacker: Color, most: usize) -> Option<View> {
        let pieces_of =
            |side| position.of(side) & !position.role(Role::Pawn) & !position.role(Role::King);
        let (ours, theirs) = (pieces_of(attacker), pieces_of(attacker.other()));
        if ours.count() + theirs.count() > most.min(MAX_PIECES) {
            return None;
        }
        let mut squares: ArrayVec<Square, MAX_PIECES> = ArrayVec::new();
        let mut kinds = |side| {
            let mut kinds: ArrayVec<PieceKind, MAX_PIECES> = ArrayVec::new();
            for kind in PieceKind::ALL {
                let set = facing_north(position.set(side, kind.role()), attacker) & kind.squares();
                for square in set {
                    kinds.push(kind);
                    squares.push(square);
                }
            }
            kinds
        };
        let pieces = Pieces { attacker: kinds(attacker), defender: kinds(attacker.other()) };
        let squares = PieceSquares {
            king: square_facing_north(position.king(attacker), attacker),
            pieces: squares,
        };
        Some(View {
            pieces,
            squares,
            defender: square_facing_north(position.king(attacker.other()), attacker),
        })
    }
}

impl SolvedStructure {
    /// An unsolved structure, White's pawns first. `follows_kings` also follows captures of pawns
    /// once only kings are left: that proves a little more, but takes many times as long.
    pub fn new(structure: PawnStructure, follows_kings: bool) -> SolvedStructure {
        let empty = || (0..PIECE_SETS * PIECE_SETS).map(|_| OnceLock::new()).collect();
        SolvedStructure { structure, bitbases: ByColor::new_with(|_| empty()), follows_kings }
    }

    /// Whether anything is solved.
    pub(crate) fn is_solved(&self) -> bool {
        Color::ALL
            .into_iter()
            .any(|side| self.bitbases[side].iter().any(|bitbase| bitbase.get().is_some()))
    }

    /// The pawns of both sides.
    pub(crate) fn pawns(&self) -> Bitboard {
        self.structure.ours | self.structure.theirs
    }

    fn slot(&self, pieces: &Pieces, attacker: Color) -> &OnceLock<Arc<PieceBitbase>> {
        let number = number(&pieces.attacker) * PIECE_SETS + number(&pieces.defender);
        &self.bitbases[attacker][number]
    }

    /// The bitbase of at most two pieces for an attacker, solved on first use; `None` if `stop`
    /// returned true.
    fn bitbase(
        &self,
        pieces: &Pieces,
        attacker: Color,
        endings: &mut PawnFortresses,
        stop: &dyn Fn() -> bool,
    ) -> Option<Arc<PieceBitbase>> {
        let slot = self.slot(pieces, attacker);
        if let Some(known) = slot.get() {
            return Some(Arc::clone(known));
        }
        endings.solved += 1;
        let pawns = self.structure.seen_by(attacker);
        let bitbase = if pieces.count() == 0 {
            self.kings(pawns, attacker, endings)
        } else {
            let smaller: Option<Vec<_>> = (0..pieces.count())
                .map(|piece| self.bitbase(&pieces.without(piece), attacker, endings, stop))
                .collect();
            let after = |pawns, pieces: &Pieces| {
                self.after_exchange(pawns, pieces, attacker, endings, stop)
            };
            let exchanges = Exchanges::new(pawns, pieces, after);
            PieceBitbase::solve(pawns, pieces, &smaller?, &exchanges, stop)?
        };
        Some(Arc::clone(slot.get_or_init(|| Arc::new(bitbase))))
    }

    /// The bitbase of kings alone among pawns, seen by the attacker.
    fn kings(
        &self,
        pawns: PawnStructure,
        attacker: Color,
        endings: &mut PawnFortresses,
    ) -> PieceBitbase {
        let kings = if self.follows_kings {
            endings.proven_pairs(pawns.seen_by(attacker), attacker)
        } else {
            let none = |_| None::<&KingPairBitbase>;
            KingPairBitbase::solve(pawns, &conversions_of(pawns, Claim::Proven, none), None)
        };
        PieceBitbase::of_kings(pawns, &kings)
    }

    /// The bitbase of other pawns, seen by the attacker, without following further exchanges.
    fn after_exchange(
        &self,
        pawns: PawnStructure,
        pieces: &Pieces,
        attacker: Color,
        endings: &mut PawnFortresses,
        stop: &dyn Fn() -> bool,
    ) -> Option<Arc<PieceBitbase>> {
        let bitbase = if pieces.count() == 0 {
            self.kings(pawns, attacker, endings)
        } else {
            let smaller: Option<Vec<_>> = (0..pieces.count())
                .map(|piece| {
                    self.after_exchange(pawns, &pieces.without(piece), attacker, endings, stop)
                })
                .collect();
            PieceBitbase::solve(pawns, pieces, &smaller?, &EveryChangeWins, stop)?
        };
        Some(Arc::new(bitbase))
    }

    /// Solves the structure for the pieces of a position and every subset of them, with each side
    /// as the attacker whose pawns are locked. If the other side's pawns are not, the attacker's
    /// pieces must also be worth more. Does nothing with more than `MAX_SOLVED_PIECES` pieces.
    pub fn prepare(
        &self,
        position: &Position,
        endings: &mut PawnFortresses,
        stop: &dyn Fn() -> bool,
    ) {
        for attacker in Color::ALL {
            let worth_it = self.structure.is_locked() || has_better_pieces(position, attacker);
            if !worth_it || !can_be_solved_for(self.structure, attacker) {
                continue;
            }
            if let Some(view) = View::of(position, attacker, MAX_SOLVED_PIECES) {
                // If this was stopped, evaluations do without it.
                let _ = self.bitbase(&view.pieces, attacker, endings, stop);
            }
        }
    }

    /// Whether `attacker` may be able to win; `None` if unknown. Solves only positions with at most
    /// one piece, which takes a millisecond or two and cannot be stopped. The pawns must be those
    /// of the structure, without castling and en passant.
    fn may_win(
        &self,
        position: &Position,
        attacker: Color,
        endings: &mut PawnFortresses,
    ) -> Option<bool> {
        let view = View::of(position, attacker, MAX_SOLVED_PIECES)?;
        let bitbase = match self.slot(&view.pieces, attacker).get() {
            Some(known) => Arc::clone(known),
            None if view.pieces.count() > 1 => return None,
            None => self.bitbase(&view.pieces, attacker, endings, &|| false)?,
        };
        Some(if position.turn() == attacker {
            !bitbase.holds(&view.squares).contains(view.defender)
        } else {
            bitbase.won(&view.squares).contains(view.defender)
        })
    }
}

/// Solved structures with pieces.
pub struct PieceFortresses {
    /// The structure at the root of a search, if the pawns of at least one side are locked there.
    root: Option<Arc<SolvedStructure>>,
    /// Other structures, solved on demand.
    others: StructureCache<SolvedStructure>,
}

impl Default for PieceFortresses {
    fn default() -> PieceFortresses {
        /// The size of the cache of other structures.
        const OTHERS: usize = 64;
        PieceFortresses { root: None, others: StructureCache::new(OTHERS) }
    }
}

impl PieceFortresses {
    /// Uses the solved structure of the root from now on.
    pub fn set_root(&mut self, root: Option<Arc<SolvedStructure>>) {
        self.root = root;
    }

    /// Whether a bitbase proves that `attacker` cannot win.
    pub fn cannot_win(
        &mut self,
        position: &Position,
        attacker: Color,
        endings: &mut PawnFortresses,
    ) -> bool {
        let structure = PawnStructure::of(position);
        let rights = position.castling_rights() != 0 || position.en_passant().is_some();
        if rights || !can_be_solved_for(structure, attacker) {
            return false;
        }
        let matches = |kept: &SolvedStructure| kept.structure == structure;
        let known = match self.root.as_ref().filter(|root| matches(root)) {
            Some(root) => Arc::clone(root),
            // Mobile pawns of the defender would lead to a new structure with every move.
            None if !structure.is_locked() || View::of(position, attacker, 1).is_none() => {
                return false;
            }
            None => match self.others.get(structure, 0, matches) {
                Some(known) => Arc::clone(known),
                None => self.others.keep(structure, 0, SolvedStructure::new(structure, false)),
            },
        };
        known.may_win(position, attacker, endings) == Some(false)
    }
}

/// The structure of a position, to be solved for its pieces. Reuses `before` if the pawns are the
/// same. `None` if solving is not worth it.
pub(crate) fn structure_at_root(
    position: &Position,
    before: Option<Arc<SolvedStructure>>,
) -> Option<Arc<SolvedStructure>> {
    let structure = PawnStructure::of(position);
    Color::ALL.iter().any(|&side| can_be_solved_for(structure, side)).then(|| {
        let known = before.filter(|known| known.structure == structure);
        known.unwrap_or_else(|| Arc::new(SolvedStructure::new(structure, true)))
    })
}

/// Whether the defender has pawns, and the attacker's are locked unless the defender moves its own,
/// or the attacker has none. The defender's pawns stay where they are: it need not move them.
fn can_be_solved_for(structure: PawnStructure, attacker: Color) -> bool {
    let seen = structure.seen_by(attacker);
    seen.is_locked_for_attacker() && seen.theirs.any()
}

/// Whether the pieces of a side are worth more than the other's, a rook counting five pawns.
fn has_better_pieces(position: &Position, side: Color) -> bool {
    let worth = |side| {
        let count = |role| position.set(side, role).count();
        9 * count(Role::Queen)
            + 5 * count(Role::Rook)
            + 3 * (count(Role::Bishop) + count(Role::Knight))
    };
    worth(side) > worth(side.other())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piece_sets_have_numbers_of_their_own() {
        let mut seen = std::collections::HashSet::from([number(&[])]);
        for (index, &a) in PieceKind::ALL.iter().enumerate() {
            assert!(seen.insert(number(&[a])));
            for &b in &PieceKind::ALL[index..] {
                assert!(seen.insert(number(&[a, b])));
                assert_eq!(number(&[a, b]), number(&[b, a]));
            }
        }
        assert!(seen.len() == PIECE_SETS && seen.into_iter().all(|number| number < PIECE_SETS));
    }
}
