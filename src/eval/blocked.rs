//! Blocked pawn endgames: only the kings move, and what counts is where they can go and who gives way.
//!
//! When no pawn can move or capture, a king gets in only over squares that no enemy pawn attacks, to a pawn that no
//! pawn guards. If neither king has such a way, nothing can ever happen. If one has, the [duel](super::duel) of the
//! kings says whether it can be held up: proven where no capture can be forced, judged where the first capture decides.

use std::cell::RefCell;
use std::rc::Rc;

use super::duel::{Captures, Forced, Structure, solve};
use super::side::Side;
use crate::chess::{Bitboard, Rank, Square, bit};
use crate::fill::Rays;
use crate::fill::spans::{front_span, passage, rear_span};
use crate::fill::waves::{all_shortest_paths, flood, king_attacks, knight_attacks, moves_to};

/// What is known of a position in which only the kings can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// King moves until the king of the first side takes a pawn, the other king left aside; `None` if it never can.
    pub ways: [Option<u32>; 2],
    /// Whether each side may be able to force something. `false` is proven: that side cannot win while the other
    /// answers well.
    pub can_win: [bool; 2],
    /// The side that takes first if both play for it, and in how many of its moves: a judgement.
    pub takes_first: Option<(usize, u32)>,
}

impl Verdict {
    /// Neither king gets in, wherever the other stands.
    pub fn is_fortress(&self) -> bool {
        self.ways == [None; 2]
    }

    /// Neither side can force anything: a draw.
    pub fn is_draw(&self) -> bool {
        self.can_win == [false; 2]
    }
}

/// King moves until our king takes a pawn that none of their pawns guards, their king left aside; `None` if it
/// never can.
///
/// The king's own square counts as a way in even when a pawn attacks it: in check it may take its way out.
/// Squares beside the enemy's king are not excluded, so that "never" is proven.
fn entry(us: &Side, them: &Side) -> Option<u32> {
    let path = (!(us.pawns | them.pawns) & !them.by_pawns) | us.king;
    let weak = them.pawns & !them.by_pawns;
    // The layers count the squares of the way, one more than its moves: the capture makes up for it.
    all_shortest_paths(us.king, king_attacks(weak), path).map(|layers| layers.len() as u32)
}

/// The duels of one structure: where each side as the attacker can force a capture, proven and judged.
struct Duels {
    structure: Structure,
    /// Captures that were looked beyond when it was judged.
    depth: u32,
    proven: [Forced; 2],
    judged: [Forced; 2],
}

/// Captures to look beyond.
const DEPTH: u32 = 3;

/// Structures whose duels are kept, for each thread.
const KEPT: usize = 1024;

thread_local! {
    static DUELS: RefCell<Vec<Option<Rc<Duels>>>> = RefCell::new(vec![None; KEPT]);
}

/// The duels of a structure, solved when they are asked for the first time.
fn duels(structure: Structure, depth: u32) -> Rc<Duels> {
    let mixed = (structure.ours.0 ^ structure.theirs.0.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let index = (mixed >> 50) as usize % KEPT;
    let known = DUELS.with_borrow(|kept| {
        let fits = |duels: &&Rc<Duels>| duels.structure == structure && duels.depth >= depth;
        kept[index].as_ref().filter(fits).cloned()
    });
    known.unwrap_or_else(|| {
        let both = [structure, structure.turned()];
        let captures = [0, 1].map(|side| judge_captures(both[side], depth));
        // What a capture loses is said by what the other side wins by it: both are asked of both.
        let duels = Rc::new(Duels {
            structure,
            depth,
            proven: both.map(|structure| solve(structure, &Captures::PROVEN)),
            judged: [0, 1].map(|side| {
                let loses = turned(&captures[1 - side].loses);
                solve(both[side], &Captures { wins: captures[side].wins, loses })
            }),
        });
        DUELS.with_borrow_mut(|kept| kept[index] = Some(Rc::clone(&duels)));
        duels
    })
}

/// Sets by square as the other side sees both.
fn turned(sets: &[u64; 64]) -> [u64; 64] {
    std::array::from_fn(|square| sets[square ^ 56].swap_bytes())
}

/// What captures of the attacker are worth: `wins` where the defender's king may stand so that something is won,
/// `loses` where it may stand so that the capture loses.
fn judge_captures(structure: Structure, depth: u32) -> Captures {
    let mut captures = Captures { wins: [0; 64], loses: [0; 64] };
    for pawn in structure.prey() {
        let after = structure.without(pawn);
        let (wins, loses) = if depth > 0 && after.is_locked() {
            let next = duels(after, depth - 1);
            let lost = &next.judged[1];
            // The defender, now the attacker of the other duel, is to move.
            let loses = Square::ALL
                .into_iter()
                .filter(|&king| lost.against(king.flip_vertical(), true).contains(pawn.flip_vertical()))
                .collect::<Bitboard>();
            (next.judged[0].against(pawn, false), loses)
        } else {
            after_unlocking(after, pawn)
        };
        captures.wins[pawn as usize] = wins.0;
        captures.loses[pawn as usize] = loses.0;
    }
    captures
}

/// The same where pawns can move after the capture: whoever is then ahead, or has a pawn that runs through, has won
/// something. The attacker's king stands on `king`, the defender is to move.
fn after_unlocking(after: Structure, king: Square) -> (Bitboard, Bitboard) {
    if after.ours.count() > after.theirs.count() {
        return (Bitboard::FULL, Bitboard::EMPTY);
    }
    let passed = after.ours & !passage(after.theirs.flip_vertical()).flip_vertical() & !rear_span(after.ours);
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
    let (next, weak) = (after.prey(), after.turned().prey().flip_vertical());
    let pawns = after.ours | after.theirs;
    let Some(moves) = moves_to(bit(king), king_attacks(next), !pawns & !after.their_attacks(), king_attacks)
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

/// What is known of the position, both sides as the first sees them; `None` where anything but kings can
/// move. `to_move` is 0 if the first side is to move, else 1.
pub fn verdict(us: &Side, them: &Side, to_move: usize) -> Option<Verdict> {
    let structure = Structure { ours: us.pawns, theirs: them.pawns };
    if !us.has_no_pieces() || !them.has_no_pieces() || !structure.is_locked() {
        return None;
    }
    let ways = [entry(us, them), entry(them, us)];
    let mut verdict = Verdict { ways, can_win: [false; 2], takes_first: None };
    if verdict.is_fortress() {
        return Some(verdict);
    }
    let (ours, theirs) = (us.king.first()?, them.king.first()?);
    let duels = duels(structure, DEPTH);
    // Each side as the attacker sees the board from its own side.
    let ask = |forced: &[Forced; 2], attacker: usize| -> Option<u32> {
        let turn = |square: Square| if attacker == 0 { square } else { square.flip_vertical() };
        let (king, other) = if attacker == 0 { (ours, theirs) } else { (theirs, ours) };
        forced[attacker].moves(turn(king), turn(other), to_move == attacker)
    };
    verdict.can_win = [0, 1].map(|attacker| ask(&duels.proven, attacker).is_some());
    verdict.takes_first = [to_move, 1 - to_move]
        .into_iter()
        .find_map(|attacker| ask(&duels.judged, attacker).map(|moves| (attacker, moves)));
    Some(verdict)
}

/// Whether the first side, with one minor piece more than the second's bare king and pawns, finds nothing to attack: the
/// pawns are locked, its king gets in nowhere, and the piece, wherever it may go without being taken by a pawn, attacks no
/// pawn that no pawn guards. Nearly always a draw; not a proof, since the piece may be given up to open a way.
pub fn is_shut_out(us: &Side, them: &Side) -> bool {
    let minors = us.knights | us.bishops;
    let structure = Structure { ours: us.pawns, theirs: them.pawns };
    if !them.has_no_pieces()
        || us.all != us.pawns | us.king | minors
        || minors.count() != 1
        || !structure.is_locked()
        || entry(us, them).is_some()
    {
        return false;
    }
    let pawns = us.pawns | them.pawns;
    let step = |set: Bitboard| {
        if us.knights.any() {
            knight_attacks(set)
        } else {
            Rays::sliders(Bitboard::EMPTY, set).attacks(!pawns).diagonal()
        }
    };
    let reach = flood(minors, !pawns & !them.by_pawns, step);
    (step(reach) & structure.prey()).is_empty()
}

/// The score of the first side in centipawns after the verdict.
pub fn judge(verdict: &Verdict, score: i32) -> i32 {
    // Of 242 such judgements in the suite 212 are right: about that chance to win is what the bonus promises.
    let bonus = |moves: u32| 400 - 4 * moves.min(25) as i32;
    let judged = match verdict.takes_first {
        Some((0, moves)) => (score / 2).max(0) + bonus(moves),
        Some((_, moves)) => (score / 2).min(0) - bonus(moves),
        None => score / 8,
    };
    let most = if verdict.can_win[0] { i32::MAX } else { 0 };
    let least = if verdict.can_win[1] { i32::MIN } else { 0 };
    judged.clamp(least, most)
}
