//! King-and-minor bitbases: king and one minor piece against a bare king, among locked pawns.
//!
//! The same retrograde analysis as for [king pairs](super::king_pairs), with one set of
//! [`KingPairs`] for each square of the piece: the positions in which the side with the piece can
//! force the capture of a pawn.
//!
//! This is a judgement, not a proof: sacrifices of the piece for a pawn are not considered, and any
//! capture of a pawn counts as progress.

use std::rc::Rc;

use super::cache::StructureCache;
use super::king_pairs::{FixedPairs, KingPairs, NO_PAIRS, union_of_neighbours};
use super::structure::PawnStructure;
use crate::board::Position;
use crate::chess::{Bitboard, Color, Role, Square, bit, facing_north};
use crate::fill::Rays;
use crate::fill::waves::{king_attacks, knight_attacks};

/// The minor piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minor {
    /// A knight.
    Knight,
    /// A bishop on light squares.
    LightBishop,
    /// A bishop on dark squares.
    DarkBishop,
}

impl Minor {
    /// The squares it can ever stand on.
    fn squares(self) -> Bitboard {
        match self {
            Minor::Knight => Bitboard::FULL,
            Minor::LightBishop => Bitboard::LIGHT_SQUARES,
            Minor::DarkBishop => Bitboard::DARK_SQUARES,
        }
    }

    /// The squares it attacks from a square. Kings do not block it.
    fn attacks(self, square: Square, pawns: Bitboard) -> Bitboard {
        match self {
            Minor::Knight => knight_attacks(bit(square)),
            _ => Rays::sliders(Bitboard::EMPTY, bit(square)).attacks(!pawns).diagonal(),
        }
    }
}

/// A position of kings and minor piece, seen by the side with the piece, which moves north.
#[derive(Clone, Copy, Debug)]
struct MinorPosition {
    piece: Square,
    king: Square,
    bare_king: Square,
    /// The side with the piece is to move.
    to_move: bool,
}

/// The positions in which the side with the piece can force a capture, by the square of the piece.
#[derive(Debug)]
pub struct KingMinorBitbase {
    structure: PawnStructure,
    minor: Minor,
    /// The side with the piece is to move.
    to_move: Vec<KingPairs>,
    /// The bare king is to move.
    waiting: Vec<KingPairs>,
}

impl KingMinorBitbase {
    /// Whether the side with the piece can force the capture of a pawn.
    fn wins_pawn(&self, position: MinorPosition) -> bool {
        let table = if position.to_move { &self.to_move } else { &self.waiting };
        let pairs = &table[position.piece as usize];
        let (row, column) = (position.king as usize / 8, position.king as usize % 8);
        Bitboard(pairs[row][column]).contains(position.bare_king)
    }

    /// Solves a locked structure; the side with the piece is the attacker.
    pub fn solve(structure: PawnStructure, minor: Minor) -> KingMinorBitbase {
        let pawns = structure.ours | structure.theirs;
        let allowed = minor.squares() & !pawns & !structure.their_attacks();
        let attacks = Square::ALL.map(|square| minor.attacks(square, pawns));
        let fixed: Vec<(usize, FixedPairs)> = allowed
            .into_iter()
            .map(|piece| (piece as usize, fixed_pairs(structure, piece, attacks[piece as usize])))
            .collect();
        let nothing = vec![NO_PAIRS; 64];
        let mut bitbase =
            KingMinorBitbase { structure, minor, to_move: nothing.clone(), waiting: nothing };
        loop {
            let mut grown = 0;
            for (piece, fixed) in &fixed {
                let mut reach = union_of_neighbours(&bitbase.waiting[*piece]);
                for to in attacks[*piece] & allowed {
                    let there = bitbase.waiting[to as usize].as_flattened();
                    for (reach, there) in reach.as_flattened_mut().iter_mut().zip(there) {
                        *reach |= there;
                    }
                }
                let to_move = &mut bitbase.to_move[*piece];
                grown |= fixed.attack(&reach, to_move);
                fixed.defend(to_move, &mut bitbase.waiting[*piece]);
            }
            if grown == 0 {
                return bitbase;
            }
        }
    }
}

/// What does not change during the fixpoint, for one square of the piece. The side with the piece is
/// the attacker; a capture of a pawn wins, and one by the bare king saves it.
fn fixed_pairs(structure: PawnStructure, piece: Square, attacks: Bitboard) -> FixedPairs {
    let (ours, theirs) = (structure.ours, structure.theirs);
    let occupied = ours | theirs | bit(piece);
    let (our_attacks, their_attacks) = (structure.our_attacks(), structure.their_attacks());
    let capturable = structure.capturable();
    let undefended = ours & !our_attacks & !attacks;
    let mut fixed = FixedPairs::NOTHING;
    for king in !occupied {
        let (row, column) = (king as usize / 8, king as usize % 8);
        let near = king_attacks(bit(king));
        let apart = !(near | bit(king) | occupied);
        let attacked = our_attacks | attacks;
        let free = apart & !attacked;
        fixed.attacker_may_move[row][column] = free.0;
        fixed.defender_free[row][column] = free.0;
        if !their_attacks.contains(king) {
            fixed.defender_may_move[row][column] = apart.0;
        }
        let mut captures = Bitboard::EMPTY;
        for pawn in capturable & (near | attacks) {
            // Attacked by king and piece, a pawn falls even if the other king defends it.
            let attacked_twice = near.contains(pawn) && attacks.contains(pawn);
            captures |= if attacked_twice { Bitboard::FULL } else { !king_attacks(bit(pawn)) };
        }
        fixed.wins_at_once[row][column] = captures.0;
        let loose_piece =
            if (our_attacks | near).contains(piece) { Bitboard::EMPTY } else { bit(piece) };
        let captured = king_attacks((undefended & !near) | loose_piece);
        let stalemate = !king_attacks(free) & !captured & !attacked;
        fixed.defender_saved[row][column] = (captured | stalemate).0;
    }
    fixed
}

/// Bitbases each thread keeps.
const CACHED_BITBASES: usize = 64;

thread_local! {
    static BITBASES: StructureCache<KingMinorBitbase> = StructureCache::new(CACHED_BITBASES);
}

/// The bitbase of a structure, solved at its first use.
fn bitbase(structure: PawnStructure, minor: Minor) -> Rc<KingMinorBitbase> {
    let matches = |kept: &KingMinorBitbase| kept.structure == structure && kept.minor == minor;
    let solve = || KingMinorBitbase::solve(structure, minor);
    BITBASES.with(|cache| cache.get_or_solve(structure, minor as u64, matches, solve))
}

/// Whether a side, with one minor piece against a bare king and locked pawns, cannot force the
/// capture of a pawn. Nearly always a draw, but not proven: the piece may be sacrificed to open a
/// way.
fn is_shut_out(position: &Position, us: Color) -> bool {
    let set = |side, role| facing_north(position.set(side, role), us);
    let them = us.other();
    let (knights, bishops) = (set(us, Role::Knight), set(us, Role::Bishop));
    let minors = knights | bishops;
    let structure = PawnStructure { ours: set(us, Role::Pawn), theirs: set(them, Role::Pawn) };
    let count = |side| position.of(side).count() - position.set(side, Role::Pawn).count();
    if count(them) != 1 || count(us) != 2 || minors.is_empty() || !structure.is_locked() {
        return false;
    }
    let (Some(piece), Some(king), Some(bare_king)) =
        (minors.first(), set(us, Role::King).first(), set(them, Role::King).first())
    else {
        return false;
    };
    let minor = match knights.any() {
        true => Minor::Knight,
        false if piece.is_light() => Minor::LightBishop,
        false => Minor::DarkBishop,
    };
    let to_move = position.turn() == us;
    // The bitbase has no positions in which a pawn attacks the piece.
    !structure.their_attacks().contains(piece)
        && !bitbase(structure, minor).wins_pawn(MinorPosition { piece, king, bare_king, to_move })
}

/// The score in centipawns for White where the side ahead by `tapered` has a minor piece that is
/// shut out by locked pawns; `None` elsewhere.
pub(super) fn score(position: &Position, tapered: i32) -> Option<i32> {
    let ahead = if tapered >= 0 { Color::White } else { Color::Black };
    is_shut_out(position, ahead).then_some(tapered / 32)
}
