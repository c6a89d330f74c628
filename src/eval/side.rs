//! One side's sets, seen moving north.

use crate::board::Position;
use crate::chess::{Bitboard, Color, Role, facing_north};
use crate::fill::waves::{king_attacks, king_fill, knight_attacks};
use crate::fill::{Direction, Rays, spans};

/// Everything the rooms ask of one side, from a few set-wise fills. [`Side::turned`] shows the same from
/// the other side of the board.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// Whose sets these are.
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
    /// All of them.
    pub all: Bitboard,
    /// Squares the pawns attack.
    pub by_pawns: Bitboard,
    /// Squares the knights attack.
    pub by_knights: Bitboard,
    /// Squares the bishops attack.
    pub by_bishops: Bitboard,
    /// Squares the rooks attack.
    pub by_rooks: Bitboard,
    /// Squares the queens attack.
    pub by_queens: Bitboard,
    /// Squares the queens attack on ranks and files.
    pub queens_orthogonal: Bitboard,
    /// Squares the queens attack on diagonals.
    pub queens_diagonal: Bitboard,
    /// Squares the king attacks.
    pub by_king: Bitboard,
    /// Squares anything attacks.
    pub attacked: Bitboard,
    /// Squares that pieces of two kinds, or two pawns, attack.
    pub twice: Bitboard,
    /// Squares the pawns attack now or after pushes.
    pub cone: Bitboard,
    /// Squares in front of the pawns on their own and neighbouring files.
    pub passage: Bitboard,
    /// Squares from which a rook would see the king, up to the first blockers.
    pub king_orthogonal: Bitboard,
    /// Squares from which a bishop would see the king.
    pub king_diagonal: Bitboard,
    /// What a rook would see from the king through the first men in its way, up to the next.
    pub king_orthogonal_xray: Bitboard,
    /// What a bishop would see through them.
    pub king_diagonal_xray: Bitboard,
    /// The king, its neighbours and the squares in front of those.
    pub ring: Bitboard,
}

/// The moves of the sliders of a side, lane by lane: only for its own view.
#[derive(Clone, Copy, Debug)]
pub struct Slides {
    /// Rooks in the rook lanes, bishops in the bishop lanes.
    pub rooks_and_bishops: Rays,
    /// Queens in all lanes.
    pub queens: Rays,
}

impl Side {
    /// All sets of a side, as it sees them.
    #[inline(always)]
    pub fn new(position: &Position, color: Color) -> (Side, Slides) {
        let set = |role| facing_north(position.set(color, role), color);
        let (pawns, knights, bishops) = (set(Role::Pawn), set(Role::Knight), set(Role::Bishop));
        let (rooks, queens, king) = (set(Role::Rook), set(Role::Queen), set(Role::King));
        let empty = !facing_north(position.occupied(), color);

        let slides = Slides {
            rooks_and_bishops: Rays::sliders(rooks, bishops).attacks(empty),
            queens: Rays::all(queens).attacks(empty),
        };
        let rays = Rays::all(king);
        let lines = rays.attacks(empty);
        let (orthogonal_xray, diagonal_xray) = rays.attacks(empty | lines.union()).by_line();

        let (east, west) = (Direction::NorthEast.step(pawns), Direction::NorthWest.step(pawns));
        let by_pawns = east | west;
        let by_knights = knight_attacks(knights);
        let (by_rooks, by_bishops) = slides.rooks_and_bishops.by_line();
        let (king_orthogonal, king_diagonal) = lines.by_line();
        let (queens_orthogonal, queens_diagonal) = slides.queens.by_line();
        let by_queens = queens_orthogonal | queens_diagonal;
        let by_king = king_attacks(king);
        let mut attacked = by_pawns;
        let mut twice = east & west;
        for set in [by_knights, by_bishops, by_rooks, by_queens, by_king] {
            twice |= attacked & set;
            attacked |= set;
        }
        let near = king_fill(king);

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
            twice,
            cone: spans::attack_span(pawns),
            passage: spans::passed_pawn_span(pawns),
            king_orthogonal,
            king_diagonal,
            king_orthogonal_xray: orthogonal_xray & !king_orthogonal,
            king_diagonal_xray: diagonal_xray & !king_diagonal,
            ring: near | Direction::North.step(near),
        };
        (side, slides)
    }

    /// The same sets as the other side sees them: this side now moves south.
    #[inline(always)]
    pub fn turned(&self) -> Side {
        let turn = |set: Bitboard| set.flip_vertical();
        Side {
            color: self.color,
            pawns: turn(self.pawns),
            knights: turn(self.knights),
            bishops: turn(self.bishops),
            rooks: turn(self.rooks),
            queens: turn(self.queens),
            king: turn(self.king),
            all: turn(self.all),
            by_pawns: turn(self.by_pawns),
            by_knights: turn(self.by_knights),
            by_bishops: turn(self.by_bishops),
            by_rooks: turn(self.by_rooks),
            by_queens: turn(self.by_queens),
            queens_orthogonal: turn(self.queens_orthogonal),
            queens_diagonal: turn(self.queens_diagonal),
            by_king: turn(self.by_king),
            attacked: turn(self.attacked),
            twice: turn(self.twice),
            cone: turn(self.cone),
            passage: turn(self.passage),
            king_orthogonal: turn(self.king_orthogonal),
            king_diagonal: turn(self.king_diagonal),
            king_orthogonal_xray: turn(self.king_orthogonal_xray),
            king_diagonal_xray: turn(self.king_diagonal_xray),
            ring: turn(self.ring),
        }
    }

    /// The passed pawns: no enemy pawn in front of them on their own and the next files, and no own pawn on their own.
    #[inline(always)]
    pub fn passed(&self, them: &Side) -> Bitboard {
        self.pawns & !them.passage & !spans::rear_span(self.pawns)
    }

    /// Pawns that are not passed yet, with no pawn in front of them and own pawns beside or behind to help them.
    #[inline(always)]
    pub fn candidates(&self, them: &Side) -> Bitboard {
        let unopposed = self.pawns & !spans::rear_span(them.pawns | self.pawns);
        unopposed & spans::north_fill(spans::beside(self.pawns)) & them.passage
    }

    /// Squares we attack and the other side does not.
    #[inline(always)]
    pub fn alone(&self, them: &Side) -> Bitboard {
        self.attacked & !them.attacked
    }

    /// Squares where a piece of ours is not simply lost: free of our men, and not attacked, or attacked once, by no pawn, and
    /// guarded by two of ours.
    #[inline(always)]
    pub fn safe(&self, them: &Side) -> Bitboard {
        !self.all & (!them.attacked | (self.twice & !them.by_pawns & !them.twice))
    }

    /// Only king and pawns are left.
    #[inline(always)]
    pub fn has_no_pieces(&self) -> bool {
        self.all == self.pawns | self.king
    }

    /// Only the king is left.
    #[inline(always)]
    pub fn is_bare(&self) -> bool {
        self.all == self.king
    }
}
