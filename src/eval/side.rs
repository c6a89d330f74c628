//! One side's pieces and attacks as bitboards, from that side's point of view: it moves north.

use crate::board::Position;
use crate::chess::{Bitboard, Color, Role, facing_north};
use crate::fill::waves::{king_attacks, king_fill, knight_attacks};
use crate::fill::{Direction, Rays, spans};

/// The pawns and the king of one side, and the sets that depend on nothing else: what the
/// [pawn hash table](super::pawn_table) is made of.
#[derive(Clone, Copy, Debug)]
pub struct PawnSide {
    /// The colour of the side.
    pub color: Color,
    /// The pawns.
    pub pawns: Bitboard,
    /// The king.
    pub king: Bitboard,
    /// Squares attacked by pawns.
    pub by_pawns: Bitboard,
    /// Pawn attack span: squares the pawns attack now or after pushes.
    pub attack_span: Bitboard,
    /// Squares in front of the pawns on their own and the adjacent files ("all front spans"): an
    /// enemy pawn there is not passed.
    pub all_front_spans: Bitboard,
    /// The king ring: the king, its neighbours and the squares in front of those.
    pub king_ring: Bitboard,
}

impl PawnSide {
    /// The sets of the side `color`.
    #[inline(always)]
    pub fn new(position: &Position, color: Color) -> PawnSide {
        let set = |role| facing_north(position.set(color, role), color);
        let (pawns, king) = (set(Role::Pawn), set(Role::King));
        let near = king_fill(king);
        PawnSide {
            color,
            pawns,
            king,
            by_pawns: spans::pawn_attacks(pawns),
            attack_span: spans::attack_span(pawns),
            all_front_spans: spans::passed_pawn_span(pawns),
            king_ring: near | Direction::North.step(near),
        }
    }

    /// The same sets from the opponent's point of view: this side now moves south.
    #[inline(always)]
    pub fn flipped(&self) -> PawnSide {
        let flip = |set: Bitboard| set.flip_vertical();
        PawnSide {
            color: self.color,
            pawns: flip(self.pawns),
            king: flip(self.king),
            by_pawns: flip(self.by_pawns),
            attack_span: flip(self.attack_span),
            all_front_spans: flip(self.all_front_spans),
            king_ring: flip(self.king_ring),
        }
    }

    /// The passed pawns: no enemy pawn in front of them on their own and the adjacent files, and
    /// no own pawn in front of them on their own file.
    #[inline(always)]
    pub fn passed(&self, them: &PawnSide) -> Bitboard {
        self.pawns & !them.all_front_spans & !spans::rear_span(self.pawns)
    }

    /// Candidate passed pawns: not passed yet, but with no pawn in front of them and with own
    /// pawns beside or behind to help them.
    #[inline(always)]
    pub fn candidates(&self, them: &PawnSide) -> Bitboard {
        let unopposed = self.pawns & !spans::rear_span(them.pawns | self.pawns);
        unopposed & spans::north_fill(spans::beside(self.pawns)) & them.all_front_spans
    }
}

/// Everything the term groups need to know of one side, computed once per evaluation by a few
/// set-wise fills. [`Side::flipped`] shows the same sets as the other side sees them.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The colour of the side.
    pub color: Color,
    /// The pawns.
    pub pawns: Bitboard,
    /// The knights.
    pub knights: Bitboard,
    /// The bishops.
    pub bishops: Bitboard,
    /// The rooks.
    pub rooks: Bitboard,
    /// The queens.
    pub queens: Bitboard,
    /// The king.
    pub king: Bitboard,
    /// All pieces and pawns.
    pub all: Bitboard,
    /// Squares attacked by pawns.
    pub by_pawns: Bitboard,
    /// Squares attacked by knights.
    pub by_knights: Bitboard,
    /// Squares attacked by bishops.
    pub by_bishops: Bitboard,
    /// Squares attacked by rooks.
    pub by_rooks: Bitboard,
    /// Squares attacked by queens.
    pub by_queens: Bitboard,
    /// Squares attacked by queens along ranks and files.
    pub queens_orthogonal: Bitboard,
    /// Squares attacked by queens along diagonals.
    pub queens_diagonal: Bitboard,
    /// Squares attacked by the king.
    pub by_king: Bitboard,
    /// Squares attacked by anything.
    pub attacked: Bitboard,
    /// Squares attacked by two kinds of pieces or by two pawns. Two pieces of one kind (two
    /// knights, say) count as one.
    pub attacked_twice: Bitboard,
    /// Pawn attack span: squares the pawns attack now or after pushes.
    pub attack_span: Bitboard,
    /// Squares from which an enemy rook would give check to this king.
    pub rook_checks: Bitboard,
    /// Squares from which an enemy bishop would give check to this king.
    pub bishop_checks: Bitboard,
    /// Squares a rook on the king's square would reach through the first blockers only: x-rays.
    pub rook_xrays: Bitboard,
    /// The same for a bishop.
    pub bishop_xrays: Bitboard,
    /// The king ring: the king, its neighbours and the squares in front of those.
    pub king_ring: Bitboard,
}

/// The attacks of a side's sliders, one bitboard for each ray direction.
#[derive(Clone, Copy, Debug)]
pub struct SliderAttacks {
    /// Rooks in the orthogonal directions, bishops in the diagonal ones.
    pub rooks_and_bishops: Rays,
    /// Queens in all directions.
    pub queens: Rays,
}

/// A position as one side sees it: its own sets and the opponent's, both with `us` moving north.
#[derive(Clone, Copy, Debug)]
pub struct Perspective<'a> {
    /// The side whose view this is.
    pub us: &'a Side,
    /// The opponent, [flipped](Side::flipped).
    pub them: &'a Side,
}

impl Side {
    /// The sets of the side `color`.
    #[inline(always)]
    pub fn new(position: &Position, color: Color) -> (Side, SliderAttacks) {
        let set = |role| facing_north(position.set(color, role), color);
        let PawnSide { pawns, king, by_pawns, attack_span, king_ring, .. } =
            PawnSide::new(position, color);
        let (knights, bishops) = (set(Role::Knight), set(Role::Bishop));
        let (rooks, queens) = (set(Role::Rook), set(Role::Queen));
        let empty = !facing_north(position.occupied(), color);

        let sliders = SliderAttacks {
            rooks_and_bishops: Rays::sliders(rooks, bishops).attacks(empty),
            queens: match queens.is_empty() {
                true => Rays::EMPTY,
                false => Rays::all(queens).attacks(empty),
            },
        };
        let rays = Rays::all(king);
        let lines = rays.attacks(empty);
        let (through_orthogonal, through_diagonal) = rays.attacks(empty | lines.union()).by_line();

        let by_knights = knight_attacks(knights);
        let (by_rooks, by_bishops) = sliders.rooks_and_bishops.by_line();
        let (rook_checks, bishop_checks) = lines.by_line();
        let (queens_orthogonal, queens_diagonal) = sliders.queens.by_line();
        let by_queens = queens_orthogonal | queens_diagonal;
        let by_king = king_attacks(king);
        let mut attacked = by_pawns;
        let mut attacked_twice =
            Direction::NorthEast.step(pawns) & Direction::NorthWest.step(pawns);
        for set in [by_knights, by_bishops, by_rooks, by_queens, by_king] {
            attacked_twice |= attacked & set;
            attacked |= set;
        }

        let side = Side {
            color,
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            king,
            all: pawns | knights | bishops | rooks | queens | king,
            by_pawns,
            by_knights,
            by_bishops,
            by_rooks,
            by_queens,
            queens_orthogonal,
            queens_diagonal,
            by_king,
            attacked,
            attacked_twice,
            attack_span,
            rook_checks,
            bishop_checks,
            rook_xrays: through_orthogonal & !rook_checks,
            bishop_xrays: through_diagonal & !bishop_checks,
            king_ring,
        };
        (side, sliders)
    }

    /// The same sets from the opponent's point of view: this side now moves south.
    #[inline(always)]
    pub fn flipped(&self) -> Side {
        let flip = |set: Bitboard| set.flip_vertical();
        Side {
            color: self.color,
            pawns: flip(self.pawns),
            knights: flip(self.knights),
            bishops: flip(self.bishops),
            rooks: flip(self.rooks),
            queens: flip(self.queens),
            king: flip(self.king),
            all: flip(self.all),
            by_pawns: flip(self.by_pawns),
            by_knights: flip(self.by_knights),
            by_bishops: flip(self.by_bishops),
            by_rooks: flip(self.by_rooks),
            by_queens: flip(self.by_queens),
            queens_orthogonal: flip(self.queens_orthogonal),
            queens_diagonal: flip(self.queens_diagonal),
            by_king: flip(self.by_king),
            attacked: flip(self.attacked),
            attacked_twice: flip(self.attacked_twice),
            attack_span: flip(self.attack_span),
            rook_checks: flip(self.rook_checks),
            bishop_checks: flip(self.bishop_checks),
            rook_xrays: flip(self.rook_xrays),
            bishop_xrays: flip(self.bishop_xrays),
            king_ring: flip(self.king_ring),
        }
    }

    /// Squares we attack and the opponent does not.
    #[inline(always)]
    pub fn uncontested(&self, them: &Side) -> Bitboard {
        self.attacked & !them.attacked
    }

    /// Squares a piece of ours may go to without being lost: free of our own pieces, and either
    /// not attacked, or attacked once, not by a pawn, and defended twice.
    #[inline(always)]
    pub fn safe_squares(&self, them: &Side) -> Bitboard {
        !self.all & (!them.attacked | (self.attacked_twice & !them.by_pawns & !them.attacked_twice))
    }

    /// Whether only king and pawns are left.
    #[inline(always)]
    pub fn has_no_pieces(&self) -> bool {
        self.all == self.pawns | self.king
    }

    /// Whether only the king is left.
    #[inline(always)]
    pub fn is_bare(&self) -> bool {
        self.all == self.king
    }

    /// Whether there is nothing but `pieces` beside king and pawns.
    pub(super) fn has_only(&self, pieces: Bitboard) -> bool {
        self.all == self.king | self.pawns | pieces
    }

    /// Whether a single rook is the only piece beside king and pawns.
    pub(super) fn has_lone_rook(&self) -> bool {
        self.rooks.count() == 1 && self.has_only(self.rooks)
    }
}
