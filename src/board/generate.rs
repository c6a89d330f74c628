//! Legal moves, from fills.
//!
//! Three set-wise fills make a generator (see [`Sight`] for the first two): the enemy's sliders with our king
//! lifted off the board (danger), a fill out of our king (checks and pins), and our own sliders, each in the lanes
//! it may use. What comes out is legal: nothing has to be tried and taken back.

use arrayvec::ArrayVec;

use super::{Kind, Move, MoveList, Position, Sight, Wing};
use crate::chess::{Bitboard, BySquare, Color, Rank, Role, Square, bit, square_at};
use crate::fill::waves::{king_attacks, knight_attacks};
use crate::fill::{Direction, Rays, SHIFT};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// All others.
    Quiet,
}

/// The squares a knight attacks, for emission of its moves one by one.
static KNIGHT: BySquare<Bitboard> = {
    let mut table = BySquare::all(Bitboard::EMPTY);
    let mut square = 0;
    while square < 64 {
        table.0[square] = knight_attacks(Bitboard(1 << square));
        square += 1;
    }
    table
};

const NORTH_LANES: u8 = 0b0000_1111;
const SOUTH_LANES: u8 = 0b1111_0000;

/// Appends a move of this kind from one square to every square of the set.
#[inline(always)]
fn fan(list: &mut MoveList, from: Square, targets: Bitboard) {
    for to in targets {
        list.push(Move::new(from, to, Kind::Normal));
    }
}

/// Appends pawn moves, all by one step in one direction (or two, for `steps`).
#[inline(always)]
fn march(list: &mut MoveList, targets: Bitboard, direction: Direction, steps: u32) {
    let back = SHIFT[direction.opposite().lane()] * steps;
    for to in targets {
        list.push(Move::new(square_at(to as u32 + back), to, Kind::Normal));
    }
}

/// The same with the four promotions.
#[inline(always)]
fn promote(list: &mut MoveList, targets: Bitboard, direction: Direction) {
    let back = SHIFT[direction.opposite().lane()];
    for to in targets {
        for kind in Kind::PROMOTIONS {
            list.push(Move::new(square_at(to as u32 + back), to, kind));
        }
    }
}

impl Position {
    /// All legal moves.
    #[inline]
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&self.sight(), Wanted::All, &mut list);
        list
    }

    /// Appends the wanted legal moves.
    #[inline]
    pub fn generate(&self, sight: &Sight, wanted: Wanted, list: &mut MoveList) {
        let us = self.turn;
        let wanted_squares = match wanted {
            Wanted::All => !self.of(us),
            Wanted::Noisy => self.of(us.other()),
            Wanted::Quiet => !self.occupied(),
        };

        let king = self.king(us);
        fan(list, king, king_attacks(bit(king)) & wanted_squares & !sight.danger);
        if sight.checkers.more_than_one() {
            return;
        }
        if wanted != Wanted::Noisy && !sight.in_check() {
            self.castling_moves(sight, list);
        }

        self.pawn_moves(sight, wanted, list);
        let targets = wanted_squares & sight.block;
        for from in self.set(us, Role::Knight) & !sight.pinned {
            fan(list, from, KNIGHT[from] & targets);
        }
        self.slider_moves(sight, targets, list);
    }

    /// Slider moves from one fill for all of them. In the result each square of each lane is exactly one move;
    /// whose, is found by the beams of the sliders: in the lanes that go up the board the highest slider of a line
    /// owns what lies beyond it, and the next lower one what is left, and the other way round down the board.
    #[inline(always)]
    fn slider_moves(&self, sight: &Sight, targets: Bitboard, list: &mut MoveList) {
        let us = self.turn;
        let (orthogonal, diagonal) = (self.orthogonal(us), self.diagonal(us));
        let sliders = Rays::sliders(orthogonal, diagonal) & (Rays::all(!sight.pinned) | sight.axis);
        let moves = sliders.attacks(!self.occupied()) & Rays::all(targets);

        let mut owned: ArrayVec<(Square, Rays, Bitboard), 64> = ArrayVec::new();
        let mut left = moves.only(SOUTH_LANES);
        for from in orthogonal | diagonal {
            let beams = Rays::beams(from).only(sliders.holding(from));
            let reach = beams & left;
            left = left.without(reach);
            owned.push((from, beams, reach.union()));
        }
        let mut left = moves.only(NORTH_LANES);
        for &(from, beams, south) in owned.iter().rev() {
            let reach = beams & left;
            left = left.without(reach);
            fan(list, from, reach.union() | south);
        }
    }

    #[inline(always)]
    fn pawn_moves(&self, sight: &Sight, wanted: Wanted, list: &mut MoveList) {
        let us = self.turn;
        let [north, east, west] =
            [Direction::North, Direction::NorthEast, Direction::NorthWest].map(|d| d.seen_by(us));
        let pawns = self.set(us, Role::Pawn);
        let empty = !self.occupied();
        let last = Bitboard::from_rank(us.relative_rank(Rank::Eighth));

        let push = north.step(sight.free(pawns, north)) & empty;
        if wanted != Wanted::Quiet {
            let prey = self.of(us.other()) & sight.block;
            for direction in [east, west] {
                let takes = direction.step(sight.free(pawns, direction)) & prey;
                march(list, takes & !last, direction, 1);
                promote(list, takes & last, direction);
            }
            promote(list, push & last & sight.block, north);
            if let Some(to) = self.state.en_passant {
                let takers = super::attacks::pawn_attacks(bit(to), us.other()) & pawns;
                for from in takers {
                    if self.en_passant_is_legal(from, to, us) {
                        list.push(Move::new(from, to, Kind::EnPassant));
                    }
                }
            }
        }
        if wanted != Wanted::Noisy {
            let third = Bitboard::from_rank(us.relative_rank(Rank::Third));
            let double = north.step(push & third) & empty;
            march(list, push & !last & sight.block, north, 1);
            march(list, double & sight.block, north, 2);
        }
    }

    /// Castling, for a king that is not in check: the way of the king is safe, the way of both is free, and
    /// the rook does not shield the king from its own rank (possible in Chess960 only).
    #[inline(always)]
    fn castling_moves(&self, sight: &Sight, list: &mut MoveList) {
        let us = self.turn;
        for wing in Wing::BOTH {
            if self.state.rights & wing.right(us) != 0 {
                self.castling_move(sight, wing, list);
            }
        }
    }

    fn castling_move(&self, sight: &Sight, wing: Wing, list: &mut MoveList) {
        let us = self.turn;
        let king = self.king(us);
        let Some(rook) = self.castling.rook(us, wing) else { return };
        let (king_to, rook_to) = super::play::castled(king, rook);
        let way = span(king, king_to);
        let others = self.occupied() & !bit(king) & !bit(rook);
        if ((way | span(rook, rook_to)) & others).is_empty()
            && (way & sight.danger).is_empty()
            && !sight.pinned.contains(rook)
        {
            list.push(Move::new(king, rook, Kind::Castle));
        }
    }

    /// Whether any move, from the table or a GUI, is legal here.
    pub fn is_legal(&self, m: Move, sight: &Sight) -> bool {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        match m.kind() {
            Kind::Castle => {
                let mut list = MoveList::new();
                if !sight.in_check() && piece.role == Role::King {
                    self.castling_moves(sight, &mut list);
                }
                return list.contains(&m);
            }
            Kind::EnPassant => {
                return piece.role == Role::Pawn
                    && self.state.en_passant == Some(to)
                    && super::attacks::pawn_attacks(bit(from), us).contains(to)
                    && self.en_passant_is_legal(from, to, us);
            }
            _ => {}
        }
        let last = us.relative_rank(Rank::Eighth);
        if m.promotion().is_some() != (piece.role == Role::Pawn && to.rank() == last)
            || self.of(us).contains(to)
        {
            return false;
        }
        if piece.role == Role::King {
            return king_attacks(bit(from)).contains(to) && !sight.danger.contains(to);
        }
        let pinned =
            sight.pinned.contains(from) && sight.axis.holding(from) & Rays::beams(from).holding(to) == 0;
        if pinned || !sight.block.contains(to) {
            return false;
        }
        match piece.role {
            Role::Pawn => self.pawn_reaches(from, to, us),
            Role::Knight => KNIGHT[from].contains(to),
            role => {
                let rays = Rays::all(bit(from)).attacks(!self.occupied());
                (role != Role::Bishop && rays.orthogonal().contains(to))
                    || (role != Role::Rook && rays.diagonal().contains(to))
            }
        }
    }

    fn pawn_reaches(&self, from: Square, to: Square, us: Color) -> bool {
        if self.of(us.other()).contains(to) {
            return super::attacks::pawn_attacks(bit(from), us).contains(to);
        }
        let north = Direction::North.seen_by(us);
        let empty = !self.occupied();
        let push = north.step(bit(from)) & empty;
        let third = Bitboard::from_rank(us.relative_rank(Rank::Third));
        (push | (north.step(push & third) & empty)).contains(to)
    }
}

/// The squares of a rank from one square to another, both with it.
fn span(a: Square, b: Square) -> Bitboard {
    let (low, high) = if (a as u32) < b as u32 { (a, b) } else { (b, a) };
    Bitboard((!0 << low as u32) & (!0 >> (63 - high as u32)))
}
