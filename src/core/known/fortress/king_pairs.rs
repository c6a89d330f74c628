//! King-pair bitbases: king against king in one pawn structure, for all squares of both kings.
//!
//! While no pawn moves and nothing is captured, a position is the squares of two kings and the side
//! to move. One side is the *attacker*: it wants to force a **conversion** (a capture, or a push
//! where pawns can move) that wins something. [`Conversions`] says which ones do. The bitbase says
//! from which positions one can be forced, by retrograde analysis:
//!
//! - attacker to move: won if a winning conversion is possible now, or a king step leads to a
//!   position that is won with the defender to move;
//! - defender to move: won (for the attacker) if every king step of the defender leads to a
//!   position that is won with the attacker to move, and no capture or push saves the defender.
//!   Being stalemated is a draw; being mated by a pawn is not.
//!
//! For each square of the attacker's king, the squares of the defender's king form one bitboard.
//! The sets start empty and grow by king fills until nothing changes. Opposition, triangulation,
//! corresponding squares and guarding a pawn need no code of their own. (Lars Rasmussen's
//! pawn-structure databases of 1999 go through the same positions one by one.)
//!
//! `KingPairs` are eight rows of eight words, and a sweep over them is shifts, ANDs and ORs of
//! whole rows, which the compiler vectorises.

use super::structure::PawnStructure;
use crate::chess::{Bitboard, ByColor, Color, Square, bit, square_facing_north};
use crate::fill::waves::king_attacks;

/// A set of pairs of king squares: for each square of the attacker's king, by rank and file, the
/// squares of the defender's king.
type KingPairs = [[u64; 8]; 8];

/// The empty set of pairs.
const NO_PAIRS: KingPairs = [[0; 8]; 8];

/// The results of conversions, the moves that change the pawn structure, for one attacker. Arrays
/// of 64 are indexed by the square of a pawn.
#[derive(Clone, Debug)]
pub struct Conversions {
    /// For each pawn the attacker's king may capture: squares of the defender's king with which the
    /// capture wins.
    pub(super) winning_captures: [u64; 64],
    /// For each pawn the defender's king may capture: squares of the attacker's king with which
    /// that capture does not save the defender.
    pub(super) losing_captures: [u64; 64],
    /// Pairs with which a move of an attacker's pawn wins.
    pub(super) winning_pawn_moves: KingPairs,
    /// Pairs with which a legal pawn move saves the defender.
    pub(super) saving_pawn_moves: KingPairs,
    /// Pairs with which the defender can move a pawn unless in check, so that it is not stalemated.
    pub(super) defender_pawn_moves: KingPairs,
}

impl Conversions {
    /// The first capture decides: every capture by the attacker wins, none by the defender saves
    /// it. Pawns do not move.
    pub const FIRST_CAPTURE_WINS: Conversions = Conversions {
        winning_captures: [!0; 64],
        losing_captures: [!0; 64],
        winning_pawn_moves: NO_PAIRS,
        saving_pawn_moves: NO_PAIRS,
        defender_pawn_moves: NO_PAIRS,
    };
    /// No capture wins, every capture of the defender saves it. Pawns do not move.
    pub(super) const NOTHING_WINS: Conversions = Conversions {
        winning_captures: [0; 64],
        losing_captures: [0; 64],
        winning_pawn_moves: NO_PAIRS,
        saving_pawn_moves: NO_PAIRS,
        defender_pawn_moves: NO_PAIRS,
    };
}

/// For every square of the attacker's king, adds the given squares of the defender's king to
/// `pairs`. Neither king may stand on `path`.
pub(super) fn add_pairs(
    pairs: &mut KingPairs,
    path: Bitboard,
    squares: impl Fn(Square) -> Bitboard,
) {
    for king in !path {
        pairs[king as usize / 8][king as usize % 8] |= (squares(king) & !path).0;
    }
}

/// One king step in every direction from all squares of a set.
#[inline(always)]
fn king_steps(set: u64) -> u64 {
    king_attacks(Bitboard(set)).0
}

/// For each square of the attacker's king, the union of the sets on the squares it can step to.
fn union_of_neighbours(pairs: &KingPairs) -> KingPairs {
    let mut beside = NO_PAIRS;
    let mut row_unions = NO_PAIRS;
    for row in 0..8 {
        for column in 0..8 {
            let west = if column > 0 { pairs[row][column - 1] } else { 0 };
            let east = if column < 7 { pairs[row][column + 1] } else { 0 };
            beside[row][column] = west | east;
            row_unions[row][column] = west | east | pairs[row][column];
        }
    }
    let mut all = beside;
    for row in 0..8 {
        for column in 0..8 {
            if row > 0 {
                all[row][column] |= row_unions[row - 1][column];
            }
            if row < 7 {
                all[row][column] |= row_unions[row + 1][column];
            }
        }
    }
    all
}

/// For each pair of king squares, attacker's first: the sweep of the fixpoint that found it won
/// with the attacker to move, or 0. Each sweep is one move of the attacker, so this is a distance
/// to capture.
pub(super) type CaptureDistances = [[u8; 64]; 64];

/// Roughly how many moves the attacker needs to force the capture in a won position, with its king
/// on `attacker` and the defender's on `defender`.
pub(super) fn moves_to_capture(
    distances: &CaptureDistances,
    attacker: Square,
    defender: Square,
) -> u32 {
    let row = &distances[attacker as usize];
    let moves = match row[defender as usize] {
        // Not won with the attacker to move, so the defender is to move: take its longest defence.
        0 => king_attacks(bit(defender))
            .into_iter()
            .map(|to| row[to as usize])
            .max()
            .unwrap_or(0)
            .saturating_add(1),
        moves => moves,
    };
    u32::from(moves).max(1)
}

/// The positions of two kings in one structure in which the attacker can force a winning
/// conversion.
#[derive(Clone, Debug)]
pub struct KingPairBitbase {
    attacker_to_move: KingPairs,
    defender_to_move: KingPairs,
}

impl KingPairBitbase {
    /// The squares of the defender's king against which the attacker, with its king on `attacker`,
    /// can force a winning conversion.
    pub(super) fn won_against(&self, attacker: Square, attacker_to_move: bool) -> Bitboard {
        let pairs = if attacker_to_move { &self.attacker_to_move } else { &self.defender_to_move };
        Bitboard(pairs[attacker as usize / 8][attacker as usize % 8])
    }

    /// Whether `attacker`, whose bitbase this is, can force a winning conversion. `kings` are from
    /// White's point of view.
    pub fn is_won(&self, attacker: Color, kings: ByColor<Square>, turn: Color) -> bool {
        let [king, other] =
            [attacker, attacker.other()].map(|side| square_facing_north(kings[side], attacker));
        self.won_against(king, turn == attacker).contains(other)
    }

    /// Solves a structure, and fills in `distances` if they are given.
    pub fn solve(
        structure: PawnStructure,
        conversions: &Conversions,
        mut distances: Option<&mut CaptureDistances>,
    ) -> KingPairBitbase {
        let fixed = FixedPairs::new(structure, conversions);
        let mut won = KingPairBitbase { attacker_to_move: NO_PAIRS, defender_to_move: NO_PAIRS };
        let mut sweep = 0u8;
        loop {
            sweep = sweep.saturating_add(1);
            let reach = union_of_neighbours(&won.defender_to_move);
            let mut grown = 0;
            for row in 0..8 {
                for column in 0..8 {
                    let now = fixed.attacker_may_move[row][column]
                        & (fixed.wins_at_once[row][column] | reach[row][column]);
                    let new = now & !won.attacker_to_move[row][column];
                    grown |= new;
                    if let Some(distances) = &mut distances {
                        for square in Bitboard(new) {
                            distances[row * 8 + column][square as usize] = sweep;
                        }
                    }
                    won.attacker_to_move[row][column] = now;
                }
            }
            if grown == 0 {
                return won;
            }
            for row in 0..8 {
                for column in 0..8 {
                    let escapes = king_steps(
                        fixed.defender_free[row][column] & !won.attacker_to_move[row][column],
                    );
                    let saved = escapes | fixed.defender_saved[row][column];
                    won.defender_to_move[row][column] =
                        fixed.defender_may_move[row][column] & !saved;
                }
            }
        }
    }
}

/// Sets of pairs that follow from the structure and stay constant during the fixpoint.
struct FixedPairs {
    /// Legal positions, the attacker to move.
    attacker_may_move: KingPairs,
    /// Legal positions, the defender to move.
    defender_may_move: KingPairs,
    /// A conversion of the attacker wins.
    wins_at_once: KingPairs,
    /// Squares the defender's king may step on.
    defender_free: KingPairs,
    /// The defender is stalemated, or saved by a capture or a pawn move.
    defender_saved: KingPairs,
}

impl FixedPairs {
    fn new(structure: PawnStructure, conversions: &Conversions) -> FixedPairs {
        let (ours, theirs) = (structure.ours, structure.theirs);
        let occupied = ours | theirs;
        let (our_attacks, their_attacks) = (structure.our_attacks(), structure.their_attacks());
        let capturable = structure.capturable();
        let undefended = ours & !our_attacks;
        let mut fixed = FixedPairs {
            attacker_may_move: NO_PAIRS,
            defender_may_move: NO_PAIRS,
            wins_at_once: NO_PAIRS,
            defender_free: NO_PAIRS,
            defender_saved: NO_PAIRS,
        };
        for king in !occupied {
            let (row, column) = (king as usize / 8, king as usize % 8);
            let near = king_attacks(bit(king));
            let apart = !(near | bit(king) | occupied);
            let free = apart & !our_attacks;
            fixed.attacker_may_move[row][column] = free.0;
            fixed.defender_free[row][column] = free.0;
            if !their_attacks.contains(king) {
                fixed.defender_may_move[row][column] = apart.0;
            }

            let mut wins = Bitboard::EMPTY;
            for pawn in near & capturable {
                let winning = Bitboard(conversions.winning_captures[pawn as usize]);
                wins |= !king_attacks(bit(pawn)) & winning;
            }
            fixed.wins_at_once[row][column] = wins.0 | conversions.winning_pawn_moves[row][column];

            let may_capture = undefended & !near;
            let mut saved_by_capture = Bitboard::EMPTY;
            for pawn in may_capture {
                if !Bitboard(conversions.losing_captures[pawn as usize]).contains(king) {
                    saved_by_capture |= king_attacks(bit(pawn));
                }
            }
            let saved_by_pawn = conversions.saving_pawn_moves[row][column];
            let immobile = !king_attacks(free) & !king_attacks(may_capture) & !our_attacks;
            let stalemate = immobile.0 & !conversions.defender_pawn_moves[row][column];
            fixed.defender_saved[row][column] = saved_by_capture.0 | saved_by_pawn | stalemate;
        }
        fixed
    }
}
