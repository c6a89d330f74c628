//! Locked pawn endings: only the kings can move, or few pawns besides.
//!
//! Three stages, each run only if the one before leaves the result open:
//!
//! 1. **Fortress.** A king can capture only a pawn that no pawn defends, and only reach it over
//!    squares that no enemy pawn attacks (an entry). If neither king has such a path, nothing can
//!    ever be captured: a proven draw.
//! 2. **Proven.** [King-pair bitbases](super::king_pairs) say whether the other king can guard the
//!    entry. Captures and pushes lead to another structure, which is solved in the same way, up to
//!    [`MAX_CONVERSIONS`] deep; what lies beyond counts as a win for the attacker. So the
//!    won positions are an upper bound: in all others it is proven that the attacker cannot win.
//! 3. **Judged.** Where nothing but kings can move, a second pair of bitbases asks who captures
//!    first with profit. Here captures that unlock the structure are estimated. That is right in
//!    most positions but proves nothing.

use std::rc::Rc;

use super::cache::StructureCache;
use super::king_pairs::{
    CaptureDistances, Conversions, KingPairBitbase, add_pairs, moves_to_capture,
};
use super::structure::PawnStructure;
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Rank, Role, Square, bit};
use crate::fill::spans::{beside, front_span, passed_pawn_span, rear_span};
use crate::fill::waves::{all_shortest_paths, king_attacks, moves_to};

/// What is known of a locked pawn ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockedVerdict {
    /// Whether no pawn can move.
    pub locked: bool,
    /// Where no pawn can move: in how many moves each king captures a pawn if the other king does
    /// not interfere; `None` if it never can.
    pub entry_distances: ByColor<Option<u32>>,
    /// Whether each side may be able to win. `false` is proven: the opponent can always hold.
    pub can_win: ByColor<bool>,
    /// Who captures first with profit: a judgement.
    pub first_capture: Option<FirstCapture>,
}

/// The first profitable capture in a locked pawn ending if both sides play for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstCapture {
    /// The side that captures.
    pub side: Color,
    /// In how many of its moves, roughly.
    pub moves: u32,
}

impl BlockedVerdict {
    /// Whether only kings can move and neither ever reaches a pawn that it can capture, wherever
    /// the other stands.
    pub fn is_fortress(&self) -> bool {
        self.locked && self.entry_distances.iter().all(|distance| distance.is_none())
    }

    /// Whether neither side can win: a proven draw.
    pub fn is_draw(&self) -> bool {
        self.can_win == ByColor { white: false, black: false }
    }

    /// White's score in centipawns, corrected by the verdict.
    fn corrected(&self, score: i32) -> i32 {
        // Of 242 such judgements in the test suite 212 are right: the bonus promises about that
        // chance to win.
        let bonus = |moves: u32| 400 - 4 * moves.min(25) as i32;
        let judged = match self.first_capture {
            Some(FirstCapture { side: Color::White, moves }) => (score / 2).max(0) + bonus(moves),
            Some(FirstCapture { side: Color::Black, moves }) => (score / 2).min(0) - bonus(moves),
            None if self.locked => score / 8,
            None => score,
        };
        let most = if self.can_win.white { i32::MAX } else { 0 };
        let least = if self.can_win.black { i32::MIN } else { 0 };
        judged.clamp(least, most)
    }
}

/// What is known of a locked pawn ending; `None` for other positions: with pieces, with an en
/// passant capture, or with more than [`MAX_MOBILE_PAWNS`] pawns that can move.
///
/// ```
/// use freshet::board::Position;
/// use freshet::eval::blocked_verdict;
///
/// let wall = Position::from_fen("7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1").unwrap();
/// assert!(blocked_verdict(&wall).unwrap().is_fortress());
/// ```
pub fn blocked_verdict(position: &Position) -> Option<BlockedVerdict> {
    if !position.is_pawn_ending() || position.en_passant().is_some() {
        return None;
    }
    let pawns = |side| position.set(side, Role::Pawn);
    let structure = PawnStructure { ours: pawns(Color::White), theirs: pawns(Color::Black) };
    let kings = ByColor::new_with(|side| position.king(side));
    verdict(structure, kings, position.turn())
}

/// The score in centipawns for White; `None` if it is another endgame.
pub(super) fn score(position: &Position, tapered: i32) -> Option<i32> {
    Some(blocked_verdict(position)?.corrected(tapered))
}

/// How many captures and pushes in a row are followed.
pub const MAX_CONVERSIONS: u32 = 2;

/// How many pawns may be able to move.
pub const MAX_MOBILE_PAWNS: usize = 2;

/// Whether a structure is locked, or nearly so: only such are solved.
fn is_in_scope(structure: PawnStructure) -> bool {
    structure.moves_at_most(MAX_MOBILE_PAWNS)
}

/// In how many moves the attacker's king captures a pawn that no pawn defends, the other king left
/// out of account; `None` if it never can.
///
/// The king's own square is part of the path even if a pawn attacks it: in check it may still step
/// to its entry. Squares next to the other king are not excluded, so that "never" is proven.
fn entry_distance(structure: PawnStructure, king: Square) -> Option<u32> {
    let path = !(structure.ours | structure.theirs | structure.their_attacks()) | bit(king);
    // There is one layer more than moves to the square beside the pawn: that is the capture.
    all_shortest_paths(bit(king), king_attacks(structure.capturable()), path)
        .map(|layers| layers.len() as u32)
}

/// The bitbases of one structure, which is seen by White, for each side as the attacker.
struct StructureBitbases {
    structure: PawnStructure,
    /// How many more conversions were followed.
    depth: u32,
    /// Where the attacker may be able to win something; elsewhere it is proven that it cannot.
    proven: ByColor<KingPairBitbase>,
    /// Where the attacker seems to win something by force. Only for locked structures.
    judged: Option<ByColor<JudgedBitbase>>,
}

/// A judged bitbase with its distances.
struct JudgedBitbase {
    bitbase: KingPairBitbase,
    distances: Box<CaptureDistances>,
}

impl StructureBitbases {
    fn solve(structure: PawnStructure, depth: u32) -> StructureBitbases {
        let proven = ByColor::new_with(|side| {
            let conversions = possible_conversions(structure, side, depth);
            KingPairBitbase::solve(structure.seen_by(side), &conversions, None)
        });
        let judged = structure.is_locked().then(|| {
            let captures = ByColor::new_with(|side| judged_captures(structure, side, depth));
            ByColor::new_with(|side| {
                // The defender's captures that do not save it are those that lose where it is the
                // attacker itself.
                let theirs = &captures[side.other()];
                let conversions = Conversions {
                    winning_captures: captures[side].winning_captures,
                    losing_captures: flipped(&theirs.losing_captures),
                    ..Conversions::NOTHING_WINS
                };
                let mut distances = Box::new([[0; 64]; 64]);
                let bitbase = KingPairBitbase::solve(
                    structure.seen_by(side),
                    &conversions,
                    Some(&mut distances),
                );
                JudgedBitbase { bitbase, distances }
            })
        });
        StructureBitbases { structure, depth, proven, judged }
    }
}

/// Structures each thread keeps.
const CACHED_STRUCTURES: usize = 2048;

thread_local! {
    static BITBASES: StructureCache<StructureBitbases> = StructureCache::new(CACHED_STRUCTURES);
}

/// The bitbases of a structure, solved at their first use. Those of another depth are not reused:
/// an evaluation must not depend on what was evaluated before it.
fn bitbases(structure: PawnStructure, depth: u32) -> Rc<StructureBitbases> {
    let matches = |kept: &StructureBitbases| kept.structure == structure && kept.depth == depth;
    let solve = || StructureBitbases::solve(structure, depth);
    BITBASES.with(|cache| cache.get_or_solve(structure, depth.into(), matches, solve))
}

/// Where `side` may be able to win with kings alone among locked pawns, which are seen by White.
pub(super) fn proven_pairs(structure: PawnStructure, side: Color) -> KingPairBitbase {
    bitbases(structure, MAX_CONVERSIONS).proven[side].clone()
}

/// Sets by square, all squares flipped vertically.
fn flipped(sets: &[u64; 64]) -> [u64; 64] {
    std::array::from_fn(|square| sets[square ^ 56].swap_bytes())
}

/// The bitbases of the structure after a conversion, which is seen by `side`; `None` if it is not
/// in scope, or too deep.
fn after_conversion(
    after: PawnStructure,
    side: Color,
    depth: u32,
) -> Option<Rc<StructureBitbases>> {
    let after = after.seen_by(side);
    (depth > 0 && is_in_scope(after)).then(|| bitbases(after, depth - 1))
}

/// What conversions can bring `side` as the attacker, at most: an upper bound, so that positions
/// not won are proven. A conversion that is not followed counts as a win.
fn possible_conversions(structure: PawnStructure, side: Color, depth: u32) -> Conversions {
    let seen = structure.seen_by(side);
    let mut conversions = Conversions::FIRST_CAPTURE_WINS;
    for pawn in seen.capturable() {
        if let Some(next) = after_conversion(seen.without(pawn), side, depth) {
            // The attacker's king now stands on the pawn's square, the defender is to move.
            conversions.winning_captures[pawn as usize] =
                next.proven[side].won_against(pawn, false).0;
        }
    }
    for pawn in seen.flipped().capturable().flip_vertical() {
        if let Some(next) = after_conversion(seen.without(pawn), side, depth) {
            let still_wins =
                |king: &Square| next.proven[side].won_against(*king, true).contains(pawn);
            conversions.losing_captures[pawn as usize] =
                Square::ALL.into_iter().filter(still_wins).collect::<Bitboard>().0;
        }
    }
    for push in seen.pushes() {
        let promotes = push.to.rank() == Rank::Eighth;
        let next = if promotes { None } else { after_conversion(seen.pushed(push), side, depth) };
        add_pairs(&mut conversions.winning_pushes, push.path(), |king| match &next {
            Some(next) => next.proven[side].won_against(king, false),
            None => Bitboard::FULL,
        });
    }
    add_defender_pushes(&mut conversions, seen, side, depth);
    conversions
}

/// Adds the pushes of the defender to the conversions of the attacker `side`, which sees `seen`.
fn add_defender_pushes(
    conversions: &mut Conversions,
    seen: PawnStructure,
    side: Color,
    depth: u32,
) {
    let flipped = seen.flipped();
    for push in flipped.pushes() {
        let path = push.path().flip_vertical();
        add_pairs(&mut conversions.defender_pushes, path, |_| Bitboard::FULL);
        // A double push that can be captured en passant is not followed, nor is a promotion: they
        // are not counted as saving moves, which is the safe side.
        let en_passant =
            push.path().count() == 2 && beside(bit(push.to)).intersects(flipped.theirs);
        if en_passant || push.to.rank() == Rank::Eighth {
            continue;
        }
        if let Some(next) = after_conversion(flipped.pushed(push).flipped(), side, depth) {
            add_pairs(&mut conversions.saving_pushes, path, |king| {
                !next.proven[side].won_against(king, true)
            });
        }
    }
}

/// What captures of `side` seem to bring it: `winning_captures` as in [`Conversions`];
/// `losing_captures`, other than there, are its own captures, with the squares of the defender's
/// king with which they lose.
fn judged_captures(structure: PawnStructure, side: Color, depth: u32) -> Conversions {
    let seen = structure.seen_by(side);
    let mut captures = Conversions::NOTHING_WINS;
    for pawn in seen.capturable() {
        let after = seen.without(pawn);
        let next = if after.is_locked() { after_conversion(after, side, depth) } else { None };
        let (wins, loses) = match next.as_ref().and_then(|next| next.judged.as_ref()) {
            Some(judged) => {
                // After the capture the defender is to move, as the attacker of its own bitbase.
                let defender = &judged[side.other()].bitbase;
                let defender_wins = |king: &Square| {
                    let squares = defender.won_against(king.flip_vertical(), true);
                    squares.contains(pawn.flip_vertical())
                };
                let loses = Square::ALL.into_iter().filter(defender_wins).collect();
                (judged[side].bitbase.won_against(pawn, false), loses)
            }
            None => (wins_after_unlocking(after, pawn), Bitboard::EMPTY),
        };
        captures.winning_captures[pawn as usize] = wins.0;
        captures.losing_captures[pawn as usize] = loses.0;
    }
    captures
}

/// An estimate of a capture after which pawns can move: the squares of the defender's king, which
/// is to move, with which the attacker has won something. It has if it is a pawn up, if a passed
/// pawn runs through, or if its king captures again before the other does. The attacker's king
/// stands on `king`, where it has captured.
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

/// The squares of the defender's king, which is to move, from which it needs more moves to capture
/// a pawn than the attacker's king to capture the next, and two moves more.
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

/// What is known of these pawns, seen by White, and kings; `None` if the structure is not in scope.
fn verdict(
    structure: PawnStructure,
    kings: ByColor<Square>,
    turn: Color,
) -> Option<BlockedVerdict> {
    if !is_in_scope(structure) {
        return None;
    }
    let locked = structure.is_locked();
    // A king as a side sees it that moves north.
    let king_seen_by = |side: Color, king: Square| {
        if side.is_white() { king } else { king.flip_vertical() }
    };
    let entry_distances = ByColor::new_with(|side| {
        let king = king_seen_by(side, kings[side]);
        if locked { entry_distance(structure.seen_by(side), king) } else { None }
    });
    let mut verdict = BlockedVerdict {
        locked,
        entry_distances,
        can_win: ByColor { white: false, black: false },
        first_capture: None,
    };
    // A king that a pawn checks may be mated even in a fortress: the bitbase decides.
    let in_check = structure.their_attacks().contains(kings.white)
        || structure.our_attacks().contains(kings.black);
    if !in_check && verdict.is_fortress() {
        return Some(verdict);
    }
    let bitbases = bitbases(structure, MAX_CONVERSIONS);
    let wins = |bitbase: &KingPairBitbase, attacker: Color| {
        let [king, other] =
            [attacker, attacker.other()].map(|side| king_seen_by(attacker, kings[side]));
        bitbase.won_against(king, turn == attacker).contains(other)
    };
    verdict.can_win = ByColor::new_with(|side| wins(&bitbases.proven[side], side));
    verdict.first_capture = bitbases.judged.as_ref().and_then(|judged| {
        let side =
            [turn, turn.other()].into_iter().find(|&side| wins(&judged[side].bitbase, side))?;
        let [king, other] = [side, side.other()].map(|owner| king_seen_by(side, kings[owner]));
        let moves = moves_to_capture(&judged[side].distances, king, other);
        Some(FirstCapture { side, moves })
    });
    Some(verdict)
}
