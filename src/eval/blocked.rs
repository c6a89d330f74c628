//! Blocked pawn endgames: only the kings move, and what counts is where they can go and who gives way.
//!
//! When no pawn can move or capture, a king gets in only over squares that no enemy pawn attacks, to a pawn that no
//! pawn guards. If neither king has such a way, nothing can ever happen. If one has, the [duel](super::duel) of the
//! kings says whether it can be held up: proven where no capture can be forced, judged where the first capture decides.

use std::cell::RefCell;
use std::rc::Rc;

use super::duel::{Counter, Forced, Structure, solve};
use super::side::Side;
use crate::chess::{Bitboard, Square};
use crate::fill::Direction;
use crate::fill::waves::{all_shortest_paths, king_attacks};

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

/// Whether no pawn of either side, seen by the first, can move or capture. En passant must be excluded by the
/// caller.
fn is_locked(us: &Side, them: &Side) -> bool {
    let occupied = us.pawns | them.pawns;
    let free = |pawns: Bitboard, north: Direction| (north.step(pawns) & !occupied).any();
    !free(us.pawns, Direction::North)
        && !free(them.pawns, Direction::South)
        && (us.by_pawns & them.pawns).is_empty()
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
    proven: [Forced; 2],
    judged: [Forced; 2],
}

/// Structures whose duels are kept, for each thread.
const KEPT: usize = 256;

thread_local! {
    static DUELS: RefCell<Vec<Option<Rc<Duels>>>> = RefCell::new(vec![None; KEPT]);
}

/// The duels of a structure, solved when they are asked for the first time.
fn duels(structure: Structure) -> Rc<Duels> {
    let mixed = (structure.ours.0 ^ structure.theirs.0.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let index = (mixed >> 56) as usize % KEPT;
    DUELS.with_borrow_mut(|kept| {
        if let Some(duels) = kept[index].as_ref().filter(|duels| duels.structure == structure) {
            return Rc::clone(duels);
        }
        let both = |counter| [solve(structure, counter), solve(structure.turned(), counter)];
        let duels =
            Rc::new(Duels { structure, proven: both(Counter::NoEscape), judged: both(Counter::Escape) });
        kept[index] = Some(Rc::clone(&duels));
        duels
    })
}

/// What is known of the position, both sides as the first sees them; `None` where anything but kings can
/// move. `to_move` is 0 if the first side is to move, else 1.
pub fn verdict(us: &Side, them: &Side, to_move: usize) -> Option<Verdict> {
    if !us.has_no_pieces() || !them.has_no_pieces() || !is_locked(us, them) {
        return None;
    }
    let ways = [entry(us, them), entry(them, us)];
    let mut verdict = Verdict { ways, can_win: [false; 2], takes_first: None };
    if verdict.is_fortress() {
        return Some(verdict);
    }
    let (ours, theirs) = (us.king.first()?, them.king.first()?);
    let duels = duels(Structure { ours: us.pawns, theirs: them.pawns });
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

/// The score of the first side in centipawns after the verdict.
pub fn judge(verdict: &Verdict, score: i32) -> i32 {
    let bonus = |moves: u32| 280 - 4 * moves.min(25) as i32;
    let judged = match verdict.takes_first {
        Some((0, moves)) => (score / 2).max(0) + bonus(moves),
        Some((_, moves)) => (score / 2).min(0) - bonus(moves),
        None => score / 8,
    };
    let most = if verdict.can_win[0] { i32::MAX } else { 0 };
    let least = if verdict.can_win[1] { i32::MIN } else { 0 };
    judged.clamp(least, most)
}
