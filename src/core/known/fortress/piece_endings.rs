//! Endings with a few pieces, followed to their end: the bitbases of a pawn structure and its pieces,
//! and of all that pawn moves and captures lead to.
//!
//! Each [piece bitbase](super::piece_bitbases) is solved for one *attacker*, by rules that favour the
//! attacker more than those of chess. If the attacker does not win by these rules, it is proven that
//! it cannot win. Without pawns they are the rules of chess, except for the fifty-move rule. They differ
//! in this:
//!
//! - The attacker wins by a promotion, unless it captures nothing and the new piece is captured at once.
//! - The attacker wins by any other change of the pawns outside the [`Scope`], with one exception: if a
//!   piece makes the first pawn capture of the ending, the recapture is always followed.
//! - The attacker wins by a double push that could be captured en passant.
//! - The defender does not promote, and makes no change of the pawns outside the scope and no double
//!   push that could be captured en passant.
//!
//! ```
//! # extern crate freshet_core as freshet;
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

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::piece_bitbases::{Change, Keep, PawnChanges, PieceBitbase, PieceSquares, Pieces};
use super::structure::{PawnStructure, double_push};
use crate::chess::{Bitboard, Rank, Square, between, bit};
use crate::fill::attacks_of;
use crate::fill::spans::{beside, pawn_attacks};
use crate::fill::waves::king_attacks;

/// Which changes of the pawns are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    /// Pushes of the attacker's pawns.
    pub(super) attacker_pushes: bool,
    /// Pushes of the defender's pawns. The defender need not play them.
    pub(super) defender_pushes: bool,
    /// How many pawns may disappear by captures that are followed.
    pub(super) captures: u32,
}

impl Scope {
    /// Exchanges alone.
    pub(super) const EXCHANGES: Scope =
        Scope { attacker_pushes: false, defender_pushes: false, captures: 0 };

    /// The scopes to choose from, the widest first.
    const ALL: [Scope; 4] = [
        Scope { attacker_pushes: true, defender_pushes: true, captures: 2 },
        Scope { attacker_pushes: true, defender_pushes: false, captures: 2 },
        Scope { attacker_pushes: true, defender_pushes: false, captures: 1 },
        Scope { attacker_pushes: true, defender_pushes: false, captures: 0 },
    ];

    /// The widest scope in which a structure with these pieces leads to few enough others: all
    /// their bitbases together have at most `words` words. `None` if there is none.
    pub(super) fn widest(pawns: PawnStructure, pieces: &Pieces, words: usize) -> Option<Scope> {
        let most = words / PieceBitbase::words(pawns, pieces).max(1);
        Scope::ALL.into_iter().find(|scope| scope.leads_to_at_most(most, pawns, pieces))
    }

    /// Whether this scope follows everything that `other` follows.
    pub(super) fn includes(self, other: Scope) -> bool {
        self.attacker_pushes >= other.attacker_pushes
            && self.defender_pushes >= other.defender_pushes
            && self.captures >= other.captures
    }

    /// Whether at most `most` structures can arise with all pieces on the board.
    fn leads_to_at_most(self, most: usize, pawns: PawnStructure, pieces: &Pieces) -> bool {
        let mut found = FxHashSet::from_iter([pawns]);
        let mut all = vec![pawns];
        let mut next = 0;
        while next < all.len() {
            let here = all[next];
            let lost = (pawns.all().count() - here.all().count()) as u32;
            let mut add = |after: PawnStructure| {
                if found.insert(after) {
                    all.push(after);
                }
            };
            if self.attacker_pushes {
                here.pushes().for_each(|push| add(here.moved(push).without_promoted()));
            }
            let seen = here.flipped();
            if self.defender_pushes {
                let pushes = seen.pushes().filter(|push| !push.promotes());
                pushes.for_each(|push| add(seen.moved(push).flipped()));
            }
            if lost < self.captures {
                // A king can capture only pawns that no pawn guards.
                let victims = |structure: PawnStructure, pieces: usize| match pieces {
                    0 => structure.capturable(),
                    _ => structure.theirs,
                };
                let by_attacker = victims(here, pieces.attacker.len());
                let by_defender = victims(seen, pieces.defender.len()).flip_vertical();
                (by_attacker | by_defender).into_iter().for_each(|pawn| add(here.without(pawn)));
                for pawn_move in here.pawn_moves().filter(|pawn_move| pawn_move.is_capture()) {
                    add(here.moved(pawn_move).without_promoted());
                }
                for pawn_move in seen.pawn_moves().filter(|pawn_move| pawn_move.is_capture()) {
                    add(seen.moved(pawn_move).without_promoted().flipped());
                }
            }
            next += 1;
            if all.len() > most {
                return false;
            }
        }
        true
    }
}

/// The pawns and pieces of an ending, seen by the attacker.
pub(super) type Material = (PawnStructure, Pieces);

/// An ending that was solved for one attacker.
pub(super) struct SolvedEnding {
    pub(super) bitbase: Arc<PieceBitbase>,
    /// The defender has no pawns, and all captures and pushes were followed up to promotions. Then
    /// the attacker wins wherever it is not proven unable to, unless the fifty-move rule comes first
    /// or a promotion fails.
    pub(super) is_complete: bool,
}

/// Solves an ending and all others it leads to in scope, for one attacker.
pub(super) struct Follower<'a, K> {
    scope: Scope,
    /// The number of pawns at the start.
    pawns: usize,
    /// How many words are left for further bitbases.
    words: Cell<usize>,
    /// Solves the bitbase of kings alone among pawns.
    kings: RefCell<K>,
    stop: &'a dyn Fn() -> bool,
    /// `None` if no words were left for the bitbase, or `stop` returned true.
    solved: RefCell<FxHashMap<Material, Option<Arc<PieceBitbase>>>>,
}

impl<'a, K: FnMut(PawnStructure) -> PieceBitbase> Follower<'a, K> {
    /// Nothing is solved yet. All bitbases together have at most `words` words.
    pub(super) fn new(
        pawns: PawnStructure,
        scope: Scope,
        words: usize,
        kings: K,
        stop: &'a dyn Fn() -> bool,
    ) -> Follower<'a, K> {
        Follower {
            scope,
            pawns: pawns.all().count(),
            words: Cell::new(words),
            kings: RefCell::new(kings),
            stop,
            solved: RefCell::default(),
        }
    }

    /// The bitbase of these pawns and pieces, solved on first use.
    pub(super) fn bitbase(
        &self,
        pawns: PawnStructure,
        pieces: &Pieces,
    ) -> Option<Arc<PieceBitbase>> {
        let key = (pawns, pieces.clone());
        if let Some(known) = self.solved.borrow().get(&key) {
            return known.clone();
        }
        let bitbase = self.solve(pawns, pieces).map(Arc::new);
        self.solved.borrow_mut().insert(key, bitbase.clone());
        bitbase
    }

    fn solve(&self, pawns: PawnStructure, pieces: &Pieces) -> Option<PieceBitbase> {
        if (self.stop)() {
            return None;
        }
        if pieces.count() == 0 {
            return Some((self.kings.borrow_mut())(pawns));
        }
        let left = self.words.get().checked_sub(PieceBitbase::words(pawns, pieces))?;
        self.words.set(left);
        let smaller: Option<Vec<_>> =
            (0..pieces.count()).map(|piece| self.bitbase(pawns, &pieces.without(piece))).collect();
        let changes = Changes { follower: self, pawns, pieces, known: RefCell::default() };
        PieceBitbase::solve(pawns, pieces, &smaller?, &changes, Keep::Results, self.stop)
    }

    /// All bitbases solved.
    pub(super) fn into_solved(self) -> impl Iterator<Item = (Material, SolvedEnding)> {
        let solved = self.solved.into_inner();
        let has_gaps = solved.values().any(Option::is_none);
        let follows_captures = self.scope.captures as usize >= self.pawns && !has_gaps;
        solved.into_iter().filter_map(move |(material, bitbase)| {
            let PawnStructure { ours, theirs } = material.0;
            let follows_pushes = self.scope.attacker_pushes || ours.is_empty();
            let is_complete = follows_captures && follows_pushes && theirs.is_empty();
            Some((material, SolvedEnding { bitbase: bitbase?, is_complete }))
        })
    }
}

/// The pawns after a change, and the number of the piece that it takes off the board, if any.
type After = (PawnStructure, Option<usize>);

/// Decides the changes of one structure by the bitbases after them.
struct Changes<'a, 'b, K> {
    follower: &'a Follower<'b, K>,
    pawns: PawnStructure,
    pieces: &'a Pieces,
    /// The bitbases asked for so far: a smaller table than all that are solved, and smaller keys.
    known: RefCell<FxHashMap<After, Option<Arc<PieceBitbase>>>>,
}

impl<K: FnMut(PawnStructure) -> PieceBitbase> Changes<'_, '_, K> {
    /// The bitbase of these pawns with `gone` off the board.
    fn after(&self, pawns: PawnStructure, gone: Option<usize>) -> Option<Arc<PieceBitbase>> {
        if let Some(known) = self.known.borrow().get(&(pawns, gone)) {
            return known.clone();
        }
        let bitbase = match gone {
            Some(piece) => self.follower.bitbase(pawns, &self.pieces.without(piece)),
            None => self.follower.bitbase(pawns, self.pieces),
        };
        self.known.borrow_mut().insert((pawns, gone), bitbase.clone());
        bitbase
    }

    /// The squares of the defender's king from which it holds, with the attacker to move.
    fn holds(&self, pawns: PawnStructure, gone: Option<usize>, squares: &PieceSquares) -> Bitboard {
        let bitbase = self.after(pawns, gone);
        bitbase.map_or(Bitboard::EMPTY, |bitbase| bitbase.holds(squares))
    }

    /// Whether a change is followed, other than an exchange.
    fn follows(&self, change: &Change<'_>, pushes: bool) -> bool {
        let gone = self.pawns.all().count() > change.pawns.all().count();
        if gone {
            let lost = self.follower.pawns - change.pawns.all().count();
            lost as u32 <= self.follower.scope.captures
        } else {
            change.captured.is_some() || pushes
        }
    }

    /// The attacker has just moved the piece with the number `gone`, or a pawn that promoted, to
    /// `target`. Returns the squares of the defender's king from which it captures that piece and
    /// holds. `squares` and `pawns` no longer have the piece.
    fn saved_by_capture(
        &self,
        target: Square,
        pawns: PawnStructure,
        gone: Option<usize>,
        squares: &PieceSquares,
    ) -> Bitboard {
        let mut saved = Bitboard::EMPTY;
        if self.holds(pawns, gone, squares).contains(target) {
            saved |= king_attacks(bit(target));
        }
        for pawn in pawn_attacks(bit(target)) & pawns.theirs {
            let theirs = (pawns.theirs & !bit(pawn)) | bit(target);
            saved |= self.holds(PawnStructure { theirs, ..pawns }, gone, squares);
        }
        let occupied = pawns.all() | squares.set();
        // The defender's pieces follow the attacker's that are left.
        let first = self.pieces.attacker.len() - usize::from(gone.is_some());
        for (index, kind) in self.pieces.defender.iter().enumerate() {
            let from = squares.pieces[first + index];
            if attacks_of(kind.role(), bit(from), !occupied).contains(target) {
                let after = squares.moved(Some(first + index), target);
                saved |= self.holds(pawns, gone, &after) & !between(from, target);
            }
        }
        saved
    }
}

/// Whether one side's pawns have changed by a double push that the other side's `pawns` could capture
/// en passant.
fn allows_en_passant(before: Bitboard, after: Bitboard, pawns: Bitboard) -> bool {
    double_push(before, after).is_some_and(|push| beside(bit(push.to)).intersects(pawns))
}

impl<K: FnMut(PawnStructure) -> PieceBitbase> PawnChanges for Changes<'_, '_, K> {
    fn attacker_wins(&self, change: &Change<'_>) -> Bitboard {
        let pawns = change.pawns;
        let promoted = pawns.ours & Bitboard::from_rank(Rank::Eighth);
        if let Some(square) = promoted.first() {
            if change.captured.is_some()
                || !self.follows(change, self.follower.scope.attacker_pushes)
            {
                return Bitboard::FULL;
            }
            return !self.saved_by_capture(square, pawns.without_promoted(), None, change.squares);
        }
        if allows_en_passant(self.pawns.ours, pawns.ours, pawns.theirs) {
            return Bitboard::FULL;
        }
        if self.follows(change, self.follower.scope.attacker_pushes)
            && let Some(next) = self.after(pawns, change.captured)
        {
            return next.won(change.squares);
        }
        // A piece that has captured a pawn may be recaptured.
        let taken = (self.pawns.theirs & !pawns.theirs).single_square();
        let is_exchange = self.follower.pawns - pawns.all().count() == 1;
        let Some(target) = taken.filter(|_| change.captured.is_none() && is_exchange) else {
            return Bitboard::FULL;
        };
        let attackers = &change.squares.pieces[..self.pieces.attacker.len()];
        let Some(victim) = attackers.iter().position(|&square| square == target) else {
            return Bitboard::FULL;
        };
        !self.saved_by_capture(target, pawns, Some(victim), &change.squares.without(victim))
    }

    fn defender_saved(&self, change: &Change<'_>) -> Bitboard {
        let pawns = change.pawns;
        if !self.follows(change, self.follower.scope.defender_pushes)
            || pawns.theirs.intersects(Bitboard::from_rank(Rank::First))
            || allows_en_passant(self.pawns.theirs, pawns.theirs, pawns.ours)
        {
            return Bitboard::EMPTY;
        }
        self.holds(pawns, change.captured, change.squares)
    }
}
