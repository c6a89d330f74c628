//! King and minor piece against a king among locked pawns, solved for all squares of all three at once, as the
//! [duel](super::king_pairs) of the kings is: for each square of the piece and of its king, the squares of the other king where a
//! capture can be forced.
//!
//! A judgement, not a proof: the piece is not given up for a pawn, and whatever can be taken is worth taking.

use super::king_pairs::{NONE, Pairs, Structure, neighbours, steps};
use crate::chess::{Bitboard, Square, bit};
use crate::fill::Rays;
use crate::fill::waves::{king_attacks, knight_attacks};

/// Which piece it is.
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
    /// The squares it may ever stand on.
    fn colour(self) -> Bitboard {
        match self {
            Minor::Knight => Bitboard::FULL,
            Minor::LightBishop => Bitboard::LIGHT_SQUARES,
            Minor::DarkBishop => Bitboard::DARK_SQUARES,
        }
    }

    /// What it attacks from a square, kings left aside.
    fn attacks(self, square: Square, pawns: Bitboard) -> Bitboard {
        match self {
            Minor::Knight => knight_attacks(bit(square)),
            _ => Rays::sliders(Bitboard::EMPTY, bit(square)).attacks(!pawns).diagonal(),
        }
    }
}

/// Where the side with the piece can force a capture, by the square of the piece.
#[derive(Debug)]
pub struct Hunt {
    structure: Structure,
    minor: Minor,
    /// It is to move.
    to_move: Vec<Pairs>,
    /// The other side is.
    waiting: Vec<Pairs>,
}

impl Hunt {
    /// Whether it is that of this structure and piece.
    pub fn is_of(&self, structure: Structure, minor: Minor) -> bool {
        self.structure == structure && self.minor == minor
    }

    /// Whether a capture can be forced, the piece and its king on these squares and the other king on `theirs`.
    pub fn forces(&self, piece: Square, ours: Square, theirs: Square, to_move: bool) -> bool {
        let pairs = &if to_move { &self.to_move } else { &self.waiting }[piece as usize];
        Bitboard(pairs[ours as usize / 8][ours as usize % 8]).contains(theirs)
    }

    /// Solves a locked structure for the side that moves north and has the piece.
    pub fn solve(structure: Structure, minor: Minor) -> Hunt {
        let pawns = structure.ours | structure.theirs;
        let allowed = minor.colour() & !pawns & !structure.their_attacks();
        let attacks = Square::ALL.map(|square| minor.attacks(square, pawns));
        let fields: Vec<(usize, Field)> = allowed
            .into_iter()
            .map(|piece| (piece as usize, Field::new(structure, piece, attacks[piece as usize])))
            .collect();
        let mut hunt = Hunt { structure, minor, to_move: vec![NONE; 64], waiting: vec![NONE; 64] };
        loop {
            let mut grown = 0;
            for (piece, field) in &fields {
                let mut reach = neighbours(&hunt.waiting[*piece]);
                for to in attacks[*piece] & allowed {
                    let there = hunt.waiting[to as usize].as_flattened();
                    for (reach, there) in reach.as_flattened_mut().iter_mut().zip(there) {
                        *reach |= there;
                    }
                }
                let (to_move, waiting) = (&mut hunt.to_move[*piece], &mut hunt.waiting[*piece]);
                for row in 0..8 {
                    for column in 0..8 {
                        let now = field.legal_us[row][column]
                            & (field.takes[row][column] | reach[row][column]);
                        grown |= now & !to_move[row][column];
                        to_move[row][column] = now;
                        let escapes = steps(field.open[row][column] & !now);
                        waiting[row][column] =
                            field.legal_them[row][column] & !(escapes | field.held[row][column]);
                    }
                }
            }
            if grown == 0 {
                return hunt;
            }
        }
    }
}

/// What is given with the piece on one square, for each square of its king: sets of squares of the other king.
struct Field {
    /// Where it may stand at all with us to move, and with them.
    legal_us: Pairs,
    legal_them: Pairs,
    /// Where we take at once.
    takes: Pairs,
    /// Where it can go.
    open: Pairs,
    /// Where it takes something itself, or has no move.
    held: Pairs,
}

impl Field {
    fn new(structure: Structure, piece: Square, attacks: Bitboard) -> Field {
        let (ours, theirs) = (structure.ours, structure.theirs);
        let occupied = ours | theirs | bit(piece);
        let (our_attacks, their_attacks) = (structure.our_attacks(), structure.their_attacks());
        let (capturable, weak) = (structure.capturable(), ours & !our_attacks & !attacks);
        let mut field =
            Field { legal_us: NONE, legal_them: NONE, takes: NONE, open: NONE, held: NONE };
        for king in !occupied {
            let (row, column) = (king as usize / 8, king as usize % 8);
            let near = king_attacks(bit(king));
            let apart = !(near | bit(king) | occupied);
            let attacked = our_attacks | attacks;
            field.legal_us[row][column] = (apart & !attacked).0;
            if !their_attacks.contains(king) {
                field.legal_them[row][column] = apart.0;
            }
            let mut takes = Bitboard::EMPTY;
            for pawn in capturable & (near | attacks) {
                let guarded_twice = near.contains(pawn) && attacks.contains(pawn);
                takes |= if guarded_twice { Bitboard::FULL } else { !king_attacks(bit(pawn)) };
            }
            field.takes[row][column] = takes.0;
            let open = apart & !attacked;
            field.open[row][column] = open.0;
            let lost =
                if (our_attacks | near).contains(piece) { Bitboard::EMPTY } else { bit(piece) };
            let taken = king_attacks((weak & !near) | lost);
            let still = !king_attacks(open) & !taken & !attacked;
            field.held[row][column] = (taken | still).0;
        }
        field
    }
}
