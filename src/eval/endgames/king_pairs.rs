//! King against king in one pawn structure, solved for all squares of both kings at once.
//!
//! While no pawn moves, a position is the squares of two kings and who is to move. For each square of the attacker's
//! king a set of squares of the defender's king says where the attacker can force its way to a pawn; the sets grow from
//! empty by king fills until nothing changes. Opposition, triangulation, corresponding squares and guarding kings
//! need no names here: they fall out. (Lars Rasmussen's pawn-structure databases of 1999 go through the same positions
//! one by one.)
//!
//! Both kings' boards are rows of eight words, and a sweep over them is shifts, ANDs and ORs of whole rows, which
//! the compiler puts into SIMD lanes.

use crate::chess::{Bitboard, Rank, Square, bit};
use crate::fill::Direction;
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;

/// For each square of the first king, row by row, a set of squares of the second.
pub type Pairs = [[u64; 8]; 8];

/// No pairs.
pub const NONE: Pairs = [[0; 8]; 8];

/// A pawn structure, seen by a side that moves north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Pawns of the attacker.
    pub ours: Bitboard,
    /// Pawns of the defender.
    pub theirs: Bitboard,
}

impl Structure {
    /// Whether no pawn of either side can move or capture.
    pub fn is_locked(self) -> bool {
        self.moves_at_most(0)
    }

    /// Whether no more pawns than these can move, and none can capture.
    pub fn moves_at_most(self, pawns: usize) -> bool {
        let occupied = self.ours | self.theirs;
        let ours = Direction::North.step(self.ours) & !occupied;
        let theirs = Direction::South.step(self.theirs) & !occupied;
        ours.count() + theirs.count() <= pawns && (self.our_attacks() & self.theirs).is_empty()
    }

    /// The moves of the attacker's pawns, captures left aside.
    pub fn pushes(self) -> impl Iterator<Item = Push> {
        let free = !(self.ours | self.theirs);
        let single = Direction::North.step(self.ours) & free;
        let double = Direction::North.step(single & Bitboard::from_rank(Rank::Third)) & free;
        let from =
            |back: i32| move |to: Square| Push { from: to.offset(-8 * back).unwrap_or(to), to };
        single.into_iter().map(from(1)).chain(double.into_iter().map(from(2)))
    }

    /// What is left when a pawn of the attacker has moved.
    pub fn pushed(self, push: Push) -> Structure {
        Structure { ours: (self.ours & !bit(push.from)) | bit(push.to), theirs: self.theirs }
    }

    /// Where in a table of so many entries, 16,384 at most, what is known of the structure is kept, apart from what is known
    /// of it with another number.
    pub fn slot(self, number: u64, entries: usize) -> usize {
        let mixed = self.ours.0 ^ self.theirs.0.rotate_left(32);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15 + 2 * number) >> 50) as usize % entries
    }

    /// The pawns of the defender that no pawn guards.
    pub fn capturable(self) -> Bitboard {
        self.theirs & !self.their_attacks()
    }

    /// What is left when a king has taken on a square.
    pub fn without(self, pawn: Square) -> Structure {
        Structure { ours: self.ours & !bit(pawn), theirs: self.theirs & !bit(pawn) }
    }

    /// The same structure seen by the other side.
    pub fn turned(self) -> Structure {
        Structure { ours: self.theirs.flip_vertical(), theirs: self.ours.flip_vertical() }
    }

    /// Squares the attacker's pawns attack.
    pub fn our_attacks(self) -> Bitboard {
        pawn_attacks(self.ours)
    }

    /// Squares the defender's pawns attack.
    pub fn their_attacks(self) -> Bitboard {
        pawn_attacks(self.theirs.flip_vertical()).flip_vertical()
    }
}

/// A step, or two, of a pawn that moves north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    /// Where it stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Push {
    /// The squares that must be free of kings.
    pub fn way(self) -> Bitboard {
        Direction::North.step(bit(self.from)) | bit(self.to)
    }
}

/// Where the attacker can force what it wants: a capture that wins something, or a pawn move that does.
#[derive(Clone, Debug)]
pub struct Forced {
    /// The attacker is to move.
    attacker_to_move: Pairs,
    /// The defender is to move.
    defender_to_move: Pairs,
}

/// For each square of the attacker's king and the defender's the sweep in which the pair was found to be won with the
/// attacker to move: a move of the attacker each.
pub type Sweeps = [[u8; 64]; 64];

impl Forced {
    /// Where the defender's king may stand, with the attacker's on a square, so that the attacker can force it.
    pub fn against(&self, ours: Square, to_move: bool) -> Bitboard {
        let pairs = if to_move { &self.attacker_to_move } else { &self.defender_to_move };
        Bitboard(pairs[ours as usize / 8][ours as usize % 8])
    }
}

/// In how many of its moves, roughly, the attacker forces a capture where it can, its king on `ours` and the defender's on
/// `theirs`.
pub fn moves(sweeps: &Sweeps, ours: Square, theirs: Square) -> u32 {
    let row = &sweeps[ours as usize];
    let sweep = match row[theirs as usize] {
        // The attacker's slowest way after any move of the defender.
        0 => king_attacks(bit(theirs))
            .into_iter()
            .map(|to| row[to as usize])
            .max()
            .unwrap_or(0)
            .saturating_add(1),
        sweep => sweep,
    };
    u32::from(sweep).max(1)
}

/// What moves mean that change the structure, for one attacker.
#[derive(Clone, Debug)]
pub struct Changes {
    /// For each square of a pawn the attacker's king may take: where the defender's king may stand so that something is won
    /// by it.
    pub wins: [u64; 64],
    /// For each square of a pawn the defender's king may take: where the attacker's king may stand so that it is no way out.
    pub loses: [u64; 64],
    /// For each square of the attacker's king: where the defender's may stand so that a pawn move of the attacker wins
    /// something.
    pub pushes: Pairs,
    /// Where it may stand so that a pawn move of the defender is a way out.
    pub held: Pairs,
    /// Where it may stand so that the defender has a pawn move.
    pub can_push: Pairs,
}

impl Changes {
    /// Every capture by the attacker wins something, and none by the defender is a way out; there are no pawn moves.
    pub const UNKNOWN: Changes =
        Changes { wins: [!0; 64], loses: [!0; 64], pushes: NONE, held: NONE, can_push: NONE };
    /// No capture means anything; there are no pawn moves.
    pub const NONE: Changes =
        Changes { wins: [0; 64], loses: [0; 64], pushes: NONE, held: NONE, can_push: NONE };

    /// Adds the set of the defender's squares to one of the pairs, for every square of the attacker's king, neither king
    /// standing on the way.
    pub fn add(pairs: &mut Pairs, way: Bitboard, set: impl Fn(Square) -> Bitboard) {
        for king in !way {
            pairs[king as usize / 8][king as usize % 8] |= (set(king) & !way).0;
        }
    }
}

/// One king step in every direction on all words of a row.
#[inline(always)]
pub fn steps(set: u64) -> u64 {
    king_attacks(Bitboard(set)).0
}

/// For each square, the OR of the pairs of its neighbours.
pub fn neighbours(pairs: &Pairs) -> Pairs {
    let mut sides = NONE;
    let mut rows = NONE;
    for row in 0..8 {
        for column in 0..8 {
            let west = if column > 0 { pairs[row][column - 1] } else { 0 };
            let east = if column < 7 { pairs[row][column + 1] } else { 0 };
            sides[row][column] = west | east;
            rows[row][column] = west | east | pairs[row][column];
        }
    }
    let mut all = sides;
    for row in 0..8 {
        for column in 0..8 {
            if row > 0 {
                all[row][column] |= rows[row - 1][column];
            }
            if row < 7 {
                all[row][column] |= rows[row + 1][column];
            }
        }
    }
    all
}

/// Solves a structure for one attacker, and counts the sweeps if they are wanted.
pub fn solve(structure: Structure, changes: &Changes, mut sweeps: Option<&mut Sweeps>) -> Forced {
    let (ours, theirs) = (structure.ours, structure.theirs);
    let occupied = ours | theirs;
    let (our_attacks, their_attacks) = (structure.our_attacks(), structure.their_attacks());
    let capturable = structure.capturable();
    let our_weak = ours & !our_attacks;

    // For each square of our king: where theirs may stand at all, with us or them to move; where we take at once; where
    // they can go; where they are at a loss for a move but not in check, or can take.
    let (mut legal_us, mut legal_them) = (NONE, NONE);
    let (mut takes, mut open) = (NONE, NONE);
    let (mut stalemate, mut counters) = (NONE, NONE);
    for king in !occupied {
        let (row, column) = (king as usize / 8, king as usize % 8);
        let near = king_attacks(bit(king));
        let apart = !(near | bit(king) | occupied);
        legal_us[row][column] = (apart & !our_attacks).0;
        if !their_attacks.contains(king) {
            legal_them[row][column] = apart.0;
        }
        let mut wins = Bitboard::EMPTY;
        for pawn in near & capturable {
            wins |= !king_attacks(bit(pawn)) & Bitboard(changes.wins[pawn as usize]);
        }
        takes[row][column] = wins.0 | changes.pushes[row][column];
        let free = apart & !our_attacks;
        open[row][column] = free.0;
        let mut escapes = Bitboard::EMPTY;
        for pawn in our_weak & !near {
            if changes.loses[pawn as usize] & bit(king).0 == 0 {
                escapes |= king_attacks(bit(pawn));
            }
        }
        counters[row][column] = escapes.0 | (changes.held[row][column] & !our_attacks.0);
        let taken = king_attacks(our_weak & !near);
        let still = !king_attacks(free) & !taken & !our_attacks;
        stalemate[row][column] = still.0 & !changes.can_push[row][column];
    }

    let mut forced = Forced { attacker_to_move: NONE, defender_to_move: NONE };
    let mut sweep = 0u8;
    loop {
        sweep = sweep.saturating_add(1);
        let reach = neighbours(&forced.defender_to_move);
        let mut grown = 0;
        for row in 0..8 {
            for column in 0..8 {
                let now = legal_us[row][column] & (takes[row][column] | reach[row][column]);
                let new = now & !forced.attacker_to_move[row][column];
                grown |= new;
                if let Some(sweeps) = &mut sweeps {
                    for square in Bitboard(new) {
                        sweeps[row * 8 + column][square as usize] = sweep;
                    }
                }
                forced.attacker_to_move[row][column] = now;
            }
        }
        if grown == 0 {
            break;
        }
        for row in 0..8 {
            for column in 0..8 {
                let escapes = steps(open[row][column] & !forced.attacker_to_move[row][column]);
                let held = escapes | stalemate[row][column] | counters[row][column];
                forced.defender_to_move[row][column] = legal_them[row][column] & !held;
            }
        }
    }
    forced
}
