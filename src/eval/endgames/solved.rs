//! Pawn structures with pieces in which the pawns of one side or both are locked, solved piece set
//! by piece set as they are asked for.
//!
//! A [`SolvedStructure`] has the [piece bitbases](super::piece_bitbases) of one structure, with
//! [exchanges](super::exchanges) of a piece for a pawn. With one piece on the board they take about
//! a millisecond and are part of every evaluation if no pawn can move. With two pieces, or where the
//! defender's pawns can move and only the attacker's are locked, they are solved only for the pawns
//! and pieces at the root of a search, which tells its threads to [use](WorkingOn) them. Two pieces
//! take a tenth of a second. So are [pawn endings](super::pawn_endings) that lead to many structures.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arrayvec::ArrayVec;

use super::cache::{StructureCache, count_solved};
use super::conversions::{Claim, conversions_of};
use super::exchanges::Exchanges;
use super::king_pairs::KingPairBitbase;
use super::locked_pawns::{MAX_FOLLOWED_AT_ROOT, proven_pairs};
use super::pawn_endings::{PawnEndings, StructureBitbases, TIME_OF_A_STRUCTURE};
use super::piece_bitbases::{EveryChangeWins, MAX_PIECES, Men, PieceBitbase, PieceKind, Pieces};
use super::structure::PawnStructure;
use crate::board::Position;
use crate::chess::{ByColor, Color, Role, Square, facing_north, square_facing_north};

/// The most pieces for which structures are solved while a game is played.
pub const MAX_SOLVED_PIECES: usize = 2;

/// Sets of up to two pieces of one side.
const PIECE_SETS: usize = 1 + 5 + 15;

/// A structure, solved for all pieces that have been asked for.
pub struct SolvedStructure {
    /// The pawns, White's first.
    structure: PawnStructure,
    /// For each side as the attacker the bitbases by the number of their pieces.
    bitbases: ByColor<Vec<OnceLock<Arc<PieceBitbase>>>>,
    /// Whether captures of pawns are followed once kings alone are left.
    follows_kings: bool,
}

/// The number of a set of up to two pieces.
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

/// The pawns of a position, White's first.
pub fn pawns_of(position: &Position) -> PawnStructure {
    let pawns = |side| position.set(side, Role::Pawn);
    PawnStructure { ours: pawns(Color::White), theirs: pawns(Color::Black) }
}

/// A position as the bitbases of one attacker see it.
pub struct Placed {
    /// The pieces.
    pub pieces: Pieces,
    /// The attacker's king and the pieces.
    pub men: Men,
    /// The defender's king.
    pub defender: Square,
}

impl Placed {
    /// A position seen by `attacker`; `None` if there are more than `most` pieces.
    pub fn of(position: &Position, attacker: Color, most: usize) -> Option<Placed> {
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
        let men =
            Men { king: square_facing_north(position.king(attacker), attacker), pieces: squares };
        Some(Placed {
            pieces,
            men,
            defender: square_facing_north(position.king(attacker.other()), attacker),
        })
    }
}

impl SolvedStructure {
    /// A structure, White's pawns first, of which nothing is solved yet. Following captures
    /// of pawns once kings alone are left proves a little more, and takes many times as long.
    pub fn new(structure: PawnStructure, follows_kings: bool) -> SolvedStructure {
        let empty = || (0..PIECE_SETS * PIECE_SETS).map(|_| OnceLock::new()).collect();
        SolvedStructure { structure, bitbases: ByColor::new_with(|_| empty()), follows_kings }
    }

    fn slot(&self, pieces: &Pieces, attacker: Color) -> &OnceLock<Arc<PieceBitbase>> {
        let number = number(&pieces.attacker) * PIECE_SETS + number(&pieces.defender);
        &self.bitbases[attacker][number]
    }

    /// The bitbase of at most two pieces for an attacker, solved at its first use; `None` if `stop`
    /// has said that this is to end.
    fn bitbase(
        &self,
        pieces: &Pieces,
        attacker: Color,
        stop: &dyn Fn() -> bool,
    ) -> Option<Arc<PieceBitbase>> {
        let slot = self.slot(pieces, attacker);
        if let Some(known) = slot.get() {
            return Some(Arc::clone(known));
        }
        count_solved();
        let pawns = self.structure.seen_by(attacker);
        let bitbase = if pieces.count() == 0 {
            self.kings(pawns, attacker)
        } else {
            let smaller: Option<Vec<_>> = (0..pieces.count())
                .map(|piece| self.bitbase(&pieces.without(piece), attacker, stop))
                .collect();
            let after = |pawns, pieces: &Pieces| self.after_exchange(pawns, pieces, attacker, stop);
            let exchanges = Exchanges::new(pawns, pieces, after);
            PieceBitbase::solve(pawns, pieces, &smaller?, &exchanges, stop)?
        };
        Some(Arc::clone(slot.get_or_init(|| Arc::new(bitbase))))
    }

    /// The bitbase of kings alone among pawns that are seen by the attacker.
    fn kings(&self, pawns: PawnStructure, attacker: Color) -> PieceBitbase {
        let kings = if self.follows_kings {
            proven_pairs(pawns.seen_by(attacker), attacker)
        } else {
            let none = |_| None::<&KingPairBitbase>;
            KingPairBitbase::solve(pawns, &conversions_of(pawns, Claim::Proven, none), None)
        };
        PieceBitbase::of_kings(pawns, &kings)
    }

    /// The bitbase of other pawns, seen by the attacker, in which no further exchange is followed.
    fn after_exchange(
        &self,
        pawns: PawnStructure,
        pieces: &Pieces,
        attacker: Color,
        stop: &dyn Fn() -> bool,
    ) -> Option<Arc<PieceBitbase>> {
        let bitbase = if pieces.count() == 0 {
            self.kings(pawns, attacker)
        } else {
            let smaller: Option<Vec<_>> = (0..pieces.count())
                .map(|piece| self.after_exchange(pawns, &pieces.without(piece), attacker, stop))
                .collect();
            PieceBitbase::solve(pawns, pieces, &smaller?, &EveryChangeWins, stop)?
        };
        Some(Arc::new(bitbase))
    }

    /// Solves the structure for the pieces of a position, and all that can be left of them, for
    /// each side as the attacker whose pawns are locked. Where the other's are not, only if the
    /// attacker's pieces are worth more. Nothing with more than [`MAX_SOLVED_PIECES`] pieces.
    pub fn prepare(&self, position: &Position, stop: &dyn Fn() -> bool) {
        for attacker in Color::ALL {
            let worth_it = self.structure.is_locked() || has_better_pieces(position, attacker);
            if !worth_it || !can_be_solved_for(self.structure, attacker) {
                continue;
            }
            if let Some(placed) = Placed::of(position, attacker, MAX_SOLVED_PIECES) {
                // Where it was stopped, evaluations do without.
                let _ = self.bitbase(&placed.pieces, attacker, stop);
            }
        }
    }

    /// Whether `attacker` may be able to win; `None` if that is not known. Solved here are only
    /// positions with at most one piece, which takes a millisecond or two and cannot be stopped.
    /// The pawns must be those of the structure, without castling and en passant.
    pub fn may_win(&self, position: &Position, attacker: Color) -> Option<bool> {
        let placed = Placed::of(position, attacker, MAX_SOLVED_PIECES)?;
        let bitbase = match self.slot(&placed.pieces, attacker).get() {
            Some(known) => Arc::clone(known),
            None if placed.pieces.count() > 1 => return None,
            None => self.bitbase(&placed.pieces, attacker, &|| false)?,
        };
        Some(if position.turn() == attacker {
            !bitbase.holds(&placed.men).contains(placed.defender)
        } else {
            bitbase.won(&placed.men).contains(placed.defender)
        })
    }
}

/// What is solved for the structure at the root of a search.
#[derive(Clone, Default)]
pub struct SolvedRoot {
    /// Pieces among pawns of which at least one side's are locked.
    pieces: Option<Arc<SolvedStructure>>,
    /// Pawn endings.
    pawns: Option<Arc<PawnEndings>>,
}

impl From<Arc<SolvedStructure>> for SolvedRoot {
    fn from(pieces: Arc<SolvedStructure>) -> SolvedRoot {
        SolvedRoot { pieces: Some(pieces), pawns: None }
    }
}

/// The least time for a move with which pawns and pieces are solved before the search.
const TIME_OF_PIECES: Duration = Duration::from_secs(1);

/// The least time for a move with which the structures of a pawn ending are counted, which takes
/// some milliseconds.
const TIME_OF_PAWNS: Duration = Duration::from_millis(50);

impl SolvedRoot {
    /// Solves what is worth it for this position in the `time` that is meant for the move. A pawn
    /// ending is solved if it leads to at most `most` structures. What is known of the same pawns is
    /// kept.
    pub fn prepare(
        &mut self,
        position: &Position,
        most: usize,
        time: Duration,
        stop: &dyn Fn() -> bool,
    ) {
        let structure = pawns_of(position);
        let can_be_solved = Color::ALL.iter().any(|&side| can_be_solved_for(structure, side));
        self.pieces = can_be_solved.then(|| {
            let known = self.pieces.take().filter(|known| known.structure == structure);
            known.unwrap_or_else(|| Arc::new(SolvedStructure::new(structure, true)))
        });
        if let Some(pieces) = &self.pieces
            && time >= TIME_OF_PIECES
        {
            pieces.prepare(position, stop);
        }
        let known = self.pawns.take();
        if position.is_pawn_ending() {
            self.pawns = known.filter(|known| known.get(structure).is_some()).or_else(|| {
                if time < TIME_OF_PAWNS {
                    return None;
                }
                // A quarter of the time for the move at most.
                let in_time = time.as_micros() / (4 * TIME_OF_A_STRUCTURE);
                let in_time = usize::try_from(in_time).unwrap_or(usize::MAX);
                let mut endings = PawnEndings::default();
                endings.solve(structure, most.min(in_time).min(MAX_FOLLOWED_AT_ROOT), stop)?;
                Some(Arc::new(endings))
            });
        }
    }
}

thread_local! {
    /// Structures that evaluations have come across.
    static MET: StructureCache<SolvedStructure> = StructureCache::new(64);
    /// What is solved of the structure that the thread works on.
    static WORKING_ON: RefCell<SolvedRoot> = RefCell::default();
    /// What was solved last for a single evaluation.
    static EXPLAINED: RefCell<SolvedRoot> = RefCell::default();
}

/// While it lives, evaluations of this thread use what is solved of one structure.
pub struct WorkingOn {
    /// What the thread has worked on before, and will again.
    before: SolvedRoot,
}

impl WorkingOn {
    /// Uses what is solved of this structure from here on.
    pub fn new(root: SolvedRoot) -> WorkingOn {
        WorkingOn { before: WORKING_ON.replace(root) }
    }

    /// Solves the structure of a position for its pieces, or a pawn ending, and uses that from here
    /// on: for a single evaluation, as good as it can be. Takes up to half a second; the thread keeps what was
    /// solved.
    pub fn position(position: &Position) -> WorkingOn {
        let mut root = EXPLAINED.with_borrow(|known| known.clone());
        root.prepare(position, usize::MAX, Duration::MAX, &|| false);
        EXPLAINED.set(root.clone());
        WorkingOn::new(root)
    }
}

/// The bitbases of a pawn ending that the thread works on.
pub(super) fn pawn_ending(structure: PawnStructure) -> Option<Arc<StructureBitbases>> {
    WORKING_ON.with_borrow(|root| root.pawns.as_ref()?.get(structure).cloned())
}

impl Drop for WorkingOn {
    fn drop(&mut self) {
        WORKING_ON.set(std::mem::take(&mut self.before));
    }
}

/// Whether the attacker's pawns are locked, as long as the defender moves none of its own, and
/// there are some of both sides: without, endgames are better known by other means.
fn can_be_solved_for(structure: PawnStructure, attacker: Color) -> bool {
    structure.seen_by(attacker).is_locked_for_attacker()
        && structure.ours.any()
        && structure.theirs.any()
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

/// Whether it is proven by a bitbase that `attacker` cannot win.
pub fn cannot_win(position: &Position, attacker: Color) -> bool {
    let structure = pawns_of(position);
    let rights = position.castling_rights() != 0 || position.en_passant().is_some();
    if rights || !can_be_solved_for(structure, attacker) {
        return false;
    }
    let known = WORKING_ON.with_borrow(|root| {
        root.pieces.as_ref().filter(|known| known.structure == structure).map(Arc::clone)
    });
    let may_win = match known {
        Some(known) => known.may_win(position, attacker),
        // While the defender's pawns move, each move leads to a new structure.
        None if !structure.is_locked() || Placed::of(position, attacker, 1).is_none() => None,
        None => {
            let known = MET.with(|cache| {
                let matches = |kept: &SolvedStructure| kept.structure == structure;
                cache.get_or_solve(structure, 0, matches, || SolvedStructure::new(structure, false))
            });
            known.may_win(position, attacker)
        }
    };
    may_win == Some(false)
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
