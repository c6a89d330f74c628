//! Locked pawn endings: only the kings and at most a few pawns can move.
//!
//! Three stages; the other two are run only if the first leaves the result open:
//!
//! 1. **Fortress.** A king can capture only a pawn that no pawn defends, and only reach it over
//!    squares that no enemy pawn attacks (an entry). If neither king has such a path, nothing is
//!    ever captured, and the draw is proven.
//! 2. **Proven.** [King-pair bitbases](super::king_pairs) say whether the other king can guard the
//!    entry. Captures and pushes lead to another structure, which is solved in the same way, up to
//!    `MAX_CONVERSIONS` deep; anything deeper counts as a win for the attacker. So in all
//!    positions not won it is proven that the attacker cannot win.
//! 3. **Judged.** If only kings can move, a second pair of bitbases asks who first makes a
//!    profitable capture. It estimates captures that unlock the structure, which is right in most
//!    positions but proves nothing.
//!
//! If few structures can arise, the last two stages solve [all of them](super::pawn_endings): up to
//! `MAX_FOLLOWED` for a structure in which at most [`MAX_MOBILE_PAWNS`] can move, and up to
//! `MAX_FOLLOWED_AT_ROOT` for any structure at the root of a search.

use std::ops::Deref;
use std::sync::Arc;

use super::cache::StructureCache;
use super::conversions::{Claim, conversions_of, wins_against};
use super::king_pairs::{Conversions, KingPairBitbase};
use super::pawn_endings::{JudgedBitbase, JudgedWin, PawnEndings, StructureBitbases};
use super::structure::PawnStructure;
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Rank, Square, bit, square_facing_north};
use crate::fill::spans::{front_span, passed_pawn_span, rear_span};
use crate::fill::waves::{all_shortest_paths, king_attacks, moves_to};
use crate::known::{Judged, Known, Reason};

/// What is known about a locked pawn ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedVerdict {
    /// Whether no pawn can move.
    pub locked: bool,
    /// If no pawn can move: the moves each king needs to capture a pawn if the other king does not
    /// interfere; `None` if it never can.
    entry_distances: ByColor<Option<u32>>,
    /// Whether each side may be able to win. `false` is proven: the opponent can always hold.
    pub can_win: ByColor<bool>,
    /// Whether it is judged who wins. If not, `winner` is `None`.
    pub judged: bool,
    /// The side that seems to win, if one does.
    pub winner: Option<JudgedWin>,
}

impl BlockedVerdict {
    /// Whether only kings can move and neither can ever reach a pawn to capture, wherever the other
    /// king stands.
    pub fn is_fortress(&self) -> bool {
        self.locked && self.entry_distances.iter().all(|distance| distance.is_none())
    }

    /// Whether neither side can win: a proven draw.
    pub fn is_draw(&self) -> bool {
        self.can_win == ByColor { white: false, black: false }
    }

    /// This verdict as [`Known`].
    pub(crate) fn known(&self) -> Known {
        let reason =
            if self.judged && !self.locked { Reason::PawnEnding } else { Reason::LockedPawns };
        let judged = match self.winner {
            Some(JudgedWin { side, moves }) => Judged::SeemsWon { side, moves },
            None if self.judged => Judged::SeemsDrawn,
            None => Judged::Open,
        };
        Known { can_win: self.can_win, judged, reason }
    }
}

/// The number of captures and pushes in a row that are followed.
const MAX_CONVERSIONS: u32 = 2;

/// The most structures that an evaluation follows to their end: half a millisecond.
const MAX_FOLLOWED: usize = 16;

/// The most structures followed to their end at the root of a search: about a quarter of a second
/// and 35 MB.
pub(crate) const MAX_FOLLOWED_AT_ROOT: usize = 8000;

/// The most pawns that may be able to move.
pub const MAX_MOBILE_PAWNS: usize = 2;

/// Whether a structure is locked, or nearly so. No others are solved.
fn is_in_scope(structure: PawnStructure) -> bool {
    structure.moves_at_most(MAX_MOBILE_PAWNS)
}

/// The moves that the attacker's king needs to capture a pawn that no pawn defends, ignoring the
/// other king; `None` if it never can.
///
/// The king's own square is part of the path even if a pawn attacks it: in check it may still step
/// to its entry. Squares next to the other king are not excluded, so that "never" is proven.
fn entry_distance(structure: PawnStructure, king: Square) -> Option<u32> {
    let path = !(structure.ours | structure.theirs | structure.their_attacks()) | bit(king);
    // There is one layer more than there are moves to the square beside the pawn. That one counts
    // the capture.
    all_shortest_paths(bit(king), king_attacks(structure.capturable()), path)
        .map(|layers| layers.len() as u32)
}

/// The bitbases of one structure, seen by White, with conversions followed `depth` deep.
struct LimitedBitbases {
    structure: PawnStructure,
    depth: u32,
    bitbases: Arc<StructureBitbases>,
}

/// The proven bitbase of an attacker.
struct ProvenBitbase(Arc<StructureBitbases>, Color);

impl Deref for ProvenBitbase {
    type Target = KingPairBitbase;

    fn deref(&self) -> &KingPairBitbase {
        &self.0.proven[self.1]
    }
}

/// The number of structures in the cache.
const CACHED_STRUCTURES: usize = 2048;

/// The approximate number of structures kept that are followed to their end: up to ten megabytes,
/// if all are locked.
const KEPT_FOLLOWED: usize = 1000;

/// Bitbases of kings and pawns, solved on demand.
pub struct PawnFortresses {
    /// Solved for the pawn ending at the root of a search.
    root: Option<Arc<PawnEndings>>,
    /// Other structures, followed to their end.
    followed: PawnEndings,
    /// Structures followed only [`MAX_CONVERSIONS`] deep.
    limited: StructureCache<LimitedBitbases>,
    /// The number of structures solved so far.
    pub(crate) solved: u64,
}

impl Default for PawnFortresses {
    fn default() -> PawnFortresses {
        PawnFortresses {
            root: None,
            followed: PawnEndings::default(),
            limited: StructureCache::new(CACHED_STRUCTURES),
            solved: 0,
        }
    }
}

impl PawnFortresses {
    /// Uses the solved pawn ending of the root from now on.
    pub(crate) fn set_root(&mut self, root: Option<Arc<PawnEndings>>) {
        self.root = root;
    }

    /// What is known about a locked pawn ending. `None` with pieces, with an en passant capture, or
    /// with more than [`MAX_MOBILE_PAWNS`] mobile pawns, unless the pawn ending at the root leads
    /// to it.
    pub fn ask(&mut self, position: &Position) -> Option<BlockedVerdict> {
        if !position.is_pawn_ending() || position.en_passant().is_some() {
            return None;
        }
        let kings = ByColor::new_with(|side| position.king(side));
        let (structure, turn) = (PawnStructure::of(position), position.turn());
        let at_root = self.root.as_ref().and_then(|root| root.get(structure)).cloned();
        if at_root.is_none() && !is_in_scope(structure) {
            return None;
        }
        let locked = structure.is_locked();
        let entry_distances = ByColor::new_with(|side| {
            let king = square_facing_north(kings[side], side);
            if locked { entry_distance(structure.seen_by(side), king) } else { None }
        });
        let mut verdict = BlockedVerdict {
            locked,
            judged: locked,
            entry_distances,
            can_win: ByColor { white: false, black: false },
            winner: None,
        };
        // A king that a pawn checks may be mated even in a fortress: the bitbase decides.
        let in_check = structure.their_attacks().contains(kings.white)
            || structure.our_attacks().contains(kings.black);
        if !in_check && verdict.is_fortress() {
            return Some(verdict);
        }
        let bitbases = at_root.unwrap_or_else(|| self.bitbases(structure, MAX_CONVERSIONS));
        verdict.can_win = ByColor::new_with(|side| bitbases.proven[side].is_won(side, kings, turn));
        verdict.judged = bitbases.judged.is_some();
        verdict.winner = bitbases.winner(kings, turn);
        Some(verdict)
    }

    /// Where `side` may be able to win with kings and these pawns alone. `structure` is seen by White.
    pub(super) fn proven_pairs(
        &mut self,
        structure: PawnStructure,
        side: Color,
    ) -> KingPairBitbase {
        self.bitbases(structure, MAX_CONVERSIONS).proven[side].clone()
    }

    /// The bitbases of any structure, solved on first use; conversions out of scope count for the
    /// attacker. Never reuses bitbases of another depth, so that answers do not depend on earlier
    /// queries.
    fn bitbases(&mut self, structure: PawnStructure, depth: u32) -> Arc<StructureBitbases> {
        if let Some(known) = self.followed.get(structure) {
            return Arc::clone(known);
        }
        let matches = |kept: &LimitedBitbases| kept.structure == structure && kept.depth == depth;
        if let Some(known) = self.limited.get(structure, depth.into(), matches) {
            return Arc::clone(&known.bitbases);
        }
        self.solved += 1;
        let bitbases =
            self.follow(structure).unwrap_or_else(|| Arc::new(self.solve(structure, depth)));
        let kept = LimitedBitbases { structure, depth, bitbases: Arc::clone(&bitbases) };
        self.limited.keep(structure, depth.into(), kept);
        bitbases
    }

    /// The bitbases of a structure followed to its end, if it leads to few enough others.
    fn follow(&mut self, structure: PawnStructure) -> Option<Arc<StructureBitbases>> {
        if self.followed.count() > KEPT_FOLLOWED {
            self.followed = PawnEndings::default();
        }
        self.followed.solve(structure, MAX_FOLLOWED, &|| false)
    }

    /// Solves a structure, following conversions `depth` deep. Judged only if it is locked.
    fn solve(&mut self, structure: PawnStructure, depth: u32) -> StructureBitbases {
        let proven = ByColor::new_with(|side| {
            let seen = structure.seen_by(side);
            let conversions = conversions_of(seen, Claim::Proven, |next| {
                let bitbases = self.after_conversion(next, side, depth)?;
                Some(ProvenBitbase(bitbases, side))
            });
            KingPairBitbase::solve(seen, &conversions, None)
        });
        let judged = structure.is_locked().then(|| {
            let captures = ByColor::new_with(|side| self.judged_captures(structure, side, depth));
            ByColor::new_with(|side| {
                // The defender's captures fail to save it where they lose with that side as the
                // attacker.
                let theirs = &captures[side.other()];
                let conversions = Conversions {
                    winning_captures: captures[side].winning_captures,
                    losing_captures: flipped(&theirs.losing_captures),
                    ..Conversions::NOTHING_WINS
                };
                JudgedBitbase::solve(structure.seen_by(side), &conversions)
            })
        });
        StructureBitbases { proven, judged }
    }

    /// The bitbases of the structure after a conversion, seen by `side`; `None` if it is out of
    /// scope or too deep.
    fn after_conversion(
        &mut self,
        after: PawnStructure,
        side: Color,
        depth: u32,
    ) -> Option<Arc<StructureBitbases>> {
        let after = after.seen_by(side);
        (depth > 0 && is_in_scope(after)).then(|| self.bitbases(after, depth - 1))
    }

    /// The likely results of captures by `side`. `winning_captures` is as in [`Conversions`].
    /// `losing_captures` is not: it holds the side's own captures, with the squares of the
    /// defender's king against which they lose.
    fn judged_captures(
        &mut self,
        structure: PawnStructure,
        side: Color,
        depth: u32,
    ) -> Conversions {
        let seen = structure.seen_by(side);
        let mut captures = Conversions::NOTHING_WINS;
        for pawn in seen.capturable() {
            let after = seen.without(pawn);
            let next = self.after_conversion(after, side, depth);
            let (wins, loses) = match next.as_ref().and_then(|next| next.judged.as_ref()) {
                Some(judged) => {
                    // After the capture the defender is to move, as the attacker of its own
                    // bitbase.
                    let defender = &judged[side.other()].bitbase;
                    let loses = wins_against(defender, pawn.flip_vertical()).flip_vertical();
                    (judged[side].bitbase.won_against(pawn, false), loses)
                }
                None => (wins_after_unlocking(after, pawn), Bitboard::EMPTY),
            };
            captures.winning_captures[pawn as usize] = wins.0;
            captures.losing_captures[pawn as usize] = loses.0;
        }
        captures
    }
}

/// Sets indexed by square, with all squares flipped vertically.
fn flipped(sets: &[u64; 64]) -> [u64; 64] {
    std::array::from_fn(|square| sets[square ^ 56].swap_bytes())
}

/// Estimates a capture after which pawns can move: returns the squares of the defender's king, with
/// the defender to move, for which the attacker has won something. That is the case if it is a pawn
/// up, if a passed pawn runs through, or if its king captures again before the other does. The
/// attacker's king stands on `king`, where it has captured.
fn wins_after_unlocking(after: PawnStructure, king: Square) -> Bitboard {
    if after.ours.count() > after.theirs.count() {
        return Bitboard::FULL;
    }
    let passed = after.ours
        & !passed_pawn_span(after.theirs.flip_vertical()).flip_vertical()
        & !rear_span(after.ours);
    let defender_path = !(after.ours | after.theirs | after.our_attacks());
    let mut wins = Bitboard::EMPTY;
    for pawn in passed {
        let way_ahead = front_span(bit(pawn));
        let pushes = 7 - pawn.rank() as u32 + u32::from(way_ahead.contains(king));
        let mut in_time = way_ahead & Bitboard::from_rank(Rank::Eighth);
        for _ in 0..pushes {
            in_time |= king_attacks(in_time) & defender_path;
        }
        wins |= !in_time;
    }
    if after.ours.count() == after.theirs.count() {
        wins |= captures_again_first(after, king);
    }
    wins
}

/// The squares from which the defender's king, to move, needs over two moves more to capture a pawn
/// than the attacker's king needs for its next capture.
fn captures_again_first(after: PawnStructure, king: Square) -> Bitboard {
    let next = after.capturable();
    let undefended = after.flipped().capturable().flip_vertical();
    let pawns = after.ours | after.theirs;
    let attacker_path = !pawns & !after.their_attacks();
    let Some(moves) = moves_to(bit(king), king_attacks(next), attacker_path, king_attacks) else {
        return Bitboard::EMPTY;
    };
    let defender_path = !pawns & !after.our_attacks();
    let mut in_time = king_attacks(undefended);
    // A defender one or two moves behind still leaves the outcome open.
    for _ in 0..moves + 2 {
        in_time |= king_attacks(in_time & defender_path);
    }
    !in_time
}
