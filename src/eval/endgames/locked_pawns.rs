//! Blocked pawn endgames: only the kings move, or few pawns besides, and what counts is where they can go and who gives way.
//!
//! When no pawn can move or capture, a king gets in only over squares that no enemy pawn attacks, to a pawn that no
//! pawn guards. If neither king has such a way, nothing can ever happen. If one has, the [duel](super::king_pairs) of the
//! kings says whether it can be held up: proven where no capture can be forced, judged where the first capture decides.

use std::cell::RefCell;
use std::rc::Rc;
use std::thread::LocalKey;

use super::super::side::Side;
use super::king_and_minor::{Hunt, Minor};
use super::king_pairs::{Changes, Forced, Structure, Sweeps, moves, solve};
use crate::chess::{Bitboard, Rank, Square, bit};
use crate::fill::spans::{beside, front_span, passed_pawn_span, rear_span};
use crate::fill::waves::{all_shortest_paths, king_attacks, moves_to};

/// What is known of a position in which only the kings can move, or few pawns besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// No pawn can move.
    pub locked: bool,
    /// Where no pawn can move: king moves until the king of the first side, and the other, takes a pawn, the enemy's king left
    /// aside; `None` if it never can.
    pub ways: [Option<u32>; 2],
    /// Whether each side may be able to force something. `false` is proven: that side cannot win while the other
    /// answers well.
    pub can_win: [bool; 2],
    /// The side that takes first if both play for it, and in how many of its moves: a judgement.
    pub takes_first: Option<(usize, u32)>,
}

impl Verdict {
    /// Nothing but kings can move, and neither gets in, wherever the other stands.
    pub fn is_fortress(&self) -> bool {
        self.locked && self.ways == [None; 2]
    }

    /// Neither side can force anything: a draw.
    pub fn is_draw(&self) -> bool {
        self.can_win == [false; 2]
    }
}

/// King moves until the attacker's king takes a pawn that none of their pawns guards, their king left aside; `None` if it
/// never can.
///
/// The king's own square counts as a way in even when a pawn attacks it: in check it may take its way out.
/// Squares beside the enemy's king are not excluded, so that "never" is proven.
fn entry(structure: Structure, king: Square) -> Option<u32> {
    let path = !(structure.ours | structure.theirs | structure.their_attacks()) | bit(king);
    // The layers count the squares of the way, one more than its moves: the capture makes up for it.
    all_shortest_paths(bit(king), king_attacks(structure.capturable()), path)
        .map(|layers| layers.len() as u32)
}

/// The duels of one structure, for each side as the attacker.
struct Duels {
    structure: Structure,
    /// Captures and pawn moves that were looked beyond.
    depth: u32,
    /// Where the attacker may be able to win something; that it is not elsewhere is proven.
    proven: [Forced; 2],
    /// Where the attacker wins something by force, as it seems. Only where nothing but kings can move.
    judged: Option<[(Forced, Box<Sweeps>); 2]>,
}

/// Captures and pawn moves to look beyond.
const DEPTH: u32 = 2;

/// Pawns that may still be able to move.
const MOBILE: usize = 2;

/// Whether a structure is locked or nearly so.
fn is_looked_at(structure: Structure) -> bool {
    structure.moves_at_most(MOBILE)
}

/// Structures whose duels are kept, for each thread.
const KEPT: usize = 2048;

thread_local! {
    static DUELS: Cache<Duels> = RefCell::new(vec![None; KEPT]);
}

/// What has been solved, by structure.
type Cache<T> = RefCell<Vec<Option<Rc<T>>>>;

/// What is known of a structure and a number, solved when it is asked for the first time.
fn solved<T>(
    cache: &'static LocalKey<Cache<T>>,
    (structure, number): (Structure, u64),
    fits: impl Fn(&T) -> bool,
    solve: impl FnOnce() -> T,
) -> Rc<T> {
    let index = structure.slot(number, cache.with_borrow(Vec::len));
    let known = cache.with_borrow(|kept| kept[index].as_ref().filter(|known| fits(known)).cloned());
    known.unwrap_or_else(|| {
        let solved = Rc::new(solve());
        cache.with_borrow_mut(|kept| kept[index] = Some(Rc::clone(&solved)));
        solved
    })
}

/// The duels of a structure, solved when they are asked for the first time. What is kept was looked at to the same depth,
/// so that an evaluation does not depend on those before.
fn duels(structure: Structure, depth: u32) -> Rc<Duels> {
    let fits = |duels: &Duels| duels.structure == structure && duels.depth == depth;
    solved(&DUELS, (structure, depth.into()), fits, || {
        let both = [structure, structure.turned()];
        let proven =
            [0, 1].map(|side| solve(both[side], &may_change(structure, side, depth), None));
        let judged = structure.is_locked().then(|| {
            let captures = [0, 1].map(|side| judge_captures(structure, side, depth));
            // What a capture loses is said by what the other side wins by it: both are asked of both.
            [0, 1].map(|side| {
                let loses = turned(&captures[1 - side].loses);
                let changes = Changes { wins: captures[side].wins, loses, ..Changes::NONE };
                let mut sweeps = Box::new([[0; 64]; 64]);
                (solve(both[side], &changes, Some(&mut sweeps)), sweeps)
            })
        });
        Duels { structure, depth, proven, judged }
    })
}

/// Sets by square as the other side sees both.
fn turned(sets: &[u64; 64]) -> [u64; 64] {
    std::array::from_fn(|square| sets[square ^ 56].swap_bytes())
}

/// The duels of what a structure has become, seen by a side; none where it is not looked at any more.
fn after_change(after: Structure, side: usize, depth: u32) -> Option<Rc<Duels>> {
    let after = if side == 0 { after } else { after.turned() };
    (depth > 0 && is_looked_at(after)).then(|| duels(after, depth - 1))
}

/// What captures and pawn moves may bring a side as the attacker: never less than they can, so that where nothing is won
/// it is proven that nothing can be. What is not looked at may win.
fn may_change(structure: Structure, side: usize, depth: u32) -> Changes {
    let seen = if side == 0 { structure } else { structure.turned() };
    let mut changes = Changes::UNKNOWN;
    for pawn in seen.capturable() {
        if let Some(next) = after_change(seen.without(pawn), side, depth) {
            changes.wins[pawn as usize] = next.proven[side].against(pawn, false).0;
        }
    }
    for pawn in seen.turned().capturable().flip_vertical() {
        if let Some(next) = after_change(seen.without(pawn), side, depth) {
            let wins = |king: &Square| next.proven[side].against(*king, true).contains(pawn);
            changes.loses[pawn as usize] =
                Square::ALL.into_iter().filter(wins).collect::<Bitboard>().0;
        }
    }
    for push in seen.pushes() {
        let promotes = push.to.rank() == Rank::Eighth;
        let next = if promotes { None } else { after_change(seen.pushed(push), side, depth) };
        Changes::add(&mut changes.pushes, push.way(), |king| match &next {
            Some(next) => next.proven[side].against(king, false),
            None => Bitboard::FULL,
        });
    }
    let turned = seen.turned();
    for push in turned.pushes() {
        let way = push.way().flip_vertical();
        Changes::add(&mut changes.can_push, way, |_| Bitboard::FULL);
        // A pawn that may be taken in passing is no way out, nor is a promotion: what comes then is not looked at.
        let passing = push.way().count() == 2 && beside(bit(push.to)).intersects(turned.theirs);
        if passing || push.to.rank() == Rank::Eighth {
            continue;
        }
        if let Some(next) = after_change(turned.pushed(push).turned(), side, depth) {
            Changes::add(&mut changes.held, way, |king| !next.proven[side].against(king, true));
        }
    }
    changes
}

/// What captures of a side as the attacker are worth: `wins` where the defender's king may stand so that something is won,
/// `loses` where it may stand so that the capture loses.
fn judge_captures(structure: Structure, side: usize, depth: u32) -> Changes {
    let seen = if side == 0 { structure } else { structure.turned() };
    let mut changes = Changes::NONE;
    for pawn in seen.capturable() {
        let after = seen.without(pawn);
        let next = if after.is_locked() { after_change(after, side, depth) } else { None };
        let (wins, loses) = match next.as_ref().and_then(|next| next.judged.as_ref()) {
            Some(judged) => {
                let lost = &judged[1 - side].0;
                // The defender, now the attacker of the other duel, is to move.
                let loses = Square::ALL
                    .into_iter()
                    .filter(|&king| {
                        lost.against(king.flip_vertical(), true).contains(pawn.flip_vertical())
                    })
                    .collect::<Bitboard>();
                (judged[side].0.against(pawn, false), loses)
            }
            None => after_unlocking(after, pawn),
        };
        changes.wins[pawn as usize] = wins.0;
        changes.loses[pawn as usize] = loses.0;
    }
    changes
}

/// The same where pawns can move after the capture: whoever is then ahead, or has a pawn that runs through, has won
/// something. The attacker's king stands on `king`, the defender is to move.
fn after_unlocking(after: Structure, king: Square) -> (Bitboard, Bitboard) {
    if after.ours.count() > after.theirs.count() {
        return (Bitboard::FULL, Bitboard::EMPTY);
    }
    let passed = after.ours
        & !passed_pawn_span(after.theirs.flip_vertical()).flip_vertical()
        & !rear_span(after.ours);
    let their_path = !(after.ours | after.theirs | after.our_attacks());
    let mut runs = Bitboard::EMPTY;
    for pawn in passed {
        let way = front_span(bit(pawn));
        let pushes = 7 - pawn.rank() as u32 + u32::from(way.contains(king));
        let mut catches = way & Bitboard::from_rank(Rank::Eighth);
        for _ in 0..pushes {
            catches |= king_attacks(catches) & their_path;
        }
        runs |= !catches;
    }
    if after.ours.count() == after.theirs.count() {
        runs |= takes_again_first(after, king);
    }
    (runs, Bitboard::EMPTY)
}

/// Where the defender's king, which is to move, needs more moves to take a pawn than the attacker's to take the next.
fn takes_again_first(after: Structure, king: Square) -> Bitboard {
    let (next, weak) = (after.capturable(), after.turned().capturable().flip_vertical());
    let pawns = after.ours | after.theirs;
    let Some(moves) =
        moves_to(bit(king), king_attacks(next), !pawns & !after.their_attacks(), king_attacks)
    else {
        return Bitboard::EMPTY;
    };
    let path = !pawns & !after.our_attacks();
    let mut in_time = king_attacks(weak);
    // A move or two behind is near enough to keep things open.
    for _ in 0..moves + 2 {
        in_time |= king_attacks(in_time & path);
    }
    !in_time
}

/// What is known of kings and pawns, all as the first side sees them, its king first; `None` where more pawns can move than
/// is looked at. `to_move` is 0 if the first side is to move, else 1.
pub fn verdict(
    structure: Structure,
    [ours, theirs]: [Square; 2],
    to_move: usize,
) -> Option<Verdict> {
    if !is_looked_at(structure) {
        return None;
    }
    let locked = structure.is_locked();
    // Each side as the attacker sees the board from its own side.
    let seen = [structure, structure.turned()];
    let kings = [(ours, theirs), (theirs.flip_vertical(), ours.flip_vertical())];
    let ways = if locked { [0, 1].map(|side| entry(seen[side], kings[side].0)) } else { [None; 2] };
    let mut verdict = Verdict { locked, ways, can_win: [false; 2], takes_first: None };
    // A king in check may be mated: the duel knows.
    let quiet =
        !structure.their_attacks().contains(ours) && !structure.our_attacks().contains(theirs);
    if quiet && verdict.is_fortress() {
        return Some(verdict);
    }
    let duels = duels(structure, DEPTH);
    let forces = |forced: &Forced, attacker: usize| {
        let (king, other) = kings[attacker];
        forced.against(king, to_move == attacker).contains(other)
    };
    verdict.can_win = [0, 1].map(|attacker| forces(&duels.proven[attacker], attacker));
    verdict.takes_first = duels.judged.as_ref().and_then(|judged| {
        let first =
            [to_move, 1 - to_move].into_iter().find(|&side| forces(&judged[side].0, side))?;
        Some((first, moves(&judged[first].1, kings[first].0, kings[first].1)))
    });
    Some(verdict)
}

thread_local! {
    static HUNTS: Cache<Hunt> = RefCell::new(vec![None; HUNTS_KEPT]);
}

/// Structures whose hunts are kept, for each thread.
const HUNTS_KEPT: usize = 64;

/// The hunt of a structure, solved when it is asked for the first time.
fn hunt(structure: Structure, minor: Minor) -> Rc<Hunt> {
    let fits = |hunt: &Hunt| hunt.is_of(structure, minor);
    solved(&HUNTS, (structure, minor as u64), fits, || Hunt::solve(structure, minor))
}

/// Whether the first side, with one minor piece more than the second's bare king and pawns, cannot force a capture: the pawns
/// are locked, and the other king holds what king and piece can attack. Nearly always a draw; not a proof, since the piece
/// may be given up to open a way.
pub fn is_shut_out(us: &Side, them: &Side, to_move: bool) -> bool {
    let minors = us.knights | us.bishops;
    let structure = Structure { ours: us.pawns, theirs: them.pawns };
    if !them.has_no_pieces()
        || us.all != us.pawns | us.king | minors
        || minors.count() != 1
        || !structure.is_locked()
    {
        return false;
    }
    let (Some(piece), Some(king), Some(other)) =
        (minors.first(), us.king.first(), them.king.first())
    else {
        return false;
    };
    let minor = match us.knights.any() {
        true => Minor::Knight,
        false if piece.is_light() => Minor::LightBishop,
        false => Minor::DarkBishop,
    };
    // A piece that a pawn attacks has other things to do.
    !them.by_pawns.contains(piece) && !hunt(structure, minor).forces(piece, king, other, to_move)
}

/// The score of the first side in centipawns after the verdict.
pub fn judge(verdict: &Verdict, score: i32) -> i32 {
    // Of 242 such judgements in the suite 212 are right: about that chance to win is what the bonus promises.
    let bonus = |moves: u32| 400 - 4 * moves.min(25) as i32;
    let judged = match verdict.takes_first {
        Some((0, moves)) => (score / 2).max(0) + bonus(moves),
        Some((_, moves)) => (score / 2).min(0) - bonus(moves),
        None if verdict.locked => score / 8,
        None => score,
    };
    let most = if verdict.can_win[0] { i32::MAX } else { 0 };
    let least = if verdict.can_win[1] { i32::MIN } else { 0 };
    judged.clamp(least, most)
}
