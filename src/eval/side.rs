//! One side's pieces and attacks as bitboards, from that side's point of view: it moves north.

use crate::board::Position;
use crate::chess::{Bitboard, Color, Role, facing_north};
use crate::fill::spans::file_fill;
use crate::fill::waves::{king_attacks, king_fill};
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
    /// Where the king would stand after castling, for each right that the side has.
    pub castling_targets: Bitboard,
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
            castling_targets: position.castling_targets(color),
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
            castling_targets: flip(self.castling_targets),
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
    /// Pieces pinned to the king. They attack only along the line of the pin, so that knights attack
    /// nothing. Pawns count as free.
    pub pinned: Bitboard,
    /// Enemy pieces and pawns that would give this king a discovered check by moving out of the line.
    /// A pawn on the king's file is none of them.
    pub discoverers: Bitboard,
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
    /// Squares attacked by anything. What a pinned piece only keeps the enemy king from is not among
    /// them.
    pub attacked: Bitboard,
    /// Squares attacked by two pieces or pawns. A slider also attacks through another one of its side
    /// that moves along the same line.
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

/// The lines of a side's king, in the directions of the rays.
struct KingLines {
    /// To the first piece or pawn.
    lines: Rays,
    /// From there to the second one.
    behind: Rays,
    /// The pinned pieces, each in the direction of its pin.
    pins: Rays,
    /// Enemy pieces and pawns that would give a discovered check by moving away.
    discoverers: Bitboard,
}

impl KingLines {
    /// The lines of the king of `color`. `pieces` are those of the side that may be pinned.
    #[inline(always)]
    fn new(position: &Position, color: Color, king: Bitboard, pieces: Bitboard) -> KingLines {
        let empty = !facing_north(position.occupied(), color);
        let rays = Rays::all(king);
        let lines = rays.attacks(empty);
        let behind = rays.attacks(empty | lines.union()).without(lines);
        // The first piece on a line is pinned where an enemy slider is the second one, or would
        // discover a check if it is the enemy's too.
        let enemy = color.other();
        let pinners = Rays::sliders(
            facing_north(position.orthogonal(enemy), color),
            facing_north(position.diagonal(enemy), color),
        );
        let before = lines.only(behind.meeting(pinners));
        let pins = before & Rays::all(pieces);
        let pawns = facing_north(position.set(enemy, Role::Pawn), color) & file_fill(king);
        let discoverers = before.union() & facing_north(position.of(enemy), color) & !pawns;
        KingLines { lines, behind, pins, discoverers }
    }
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

        let pieces = knights | bishops | rooks | queens;
        let KingLines { lines, behind, pins, discoverers } =
            KingLines::new(position, color, king, pieces);
        let (rook_xrays, bishop_xrays) = behind.by_line();
        let pinned = pins.union();
        let may_slide = Rays::all(!pinned) | pins | pins.reversed();

        let sliders = SliderAttacks {
            rooks_and_bishops: (Rays::sliders(rooks, bishops) & may_slide).attacks(empty),
            queens: match queens.is_empty() {
                true => Rays::EMPTY,
                false => (Rays::all(queens) & may_slide).attacks(empty),
            },
        };
        let jumps = Rays::knight_attacks(knights & !pinned);
        let by_knights = jumps.union();
        let (by_rooks, by_bishops) = sliders.rooks_and_bishops.by_line();
        let (rook_checks, bishop_checks) = lines.by_line();
        let (queens_orthogonal, queens_diagonal) = sliders.queens.by_line();
        let by_queens = queens_orthogonal | queens_diagonal;
        let by_king = king_attacks(king);
        let mut attacked = by_pawns;
        // A slider that another one attacks along a line of its own: that one attacks through it.
        // Often there is none, which takes less time to see than a fill.
        let slider_lanes = sliders.rooks_and_bishops | sliders.queens;
        let supporters = Rays::sliders(rooks | queens, bishops | queens) & may_slide;
        let through = match slider_lanes.meeting(supporters) {
            0 => Bitboard::EMPTY,
            _ => (slider_lanes & supporters).attacks(empty).union(),
        };
        let mut attacked_twice = (Direction::NorthEast.step(pawns)
            & Direction::NorthWest.step(pawns))
            | jumps.overlaps()
            | slider_lanes.overlaps()
            | through;
        for set in [by_knights, by_bishops | by_rooks | by_queens, by_king] {
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
            pinned,
            discoverers,
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
            rook_xrays,
            bishop_xrays,
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
            pinned: flip(self.pinned),
            discoverers: flip(self.discoverers),
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

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    pub fn pieces(&self) -> Bitboard {
        self.knights | self.bishops | self.rooks | self.queens
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Square, bit};

    fn white(fen: &str) -> Side {
        Side::new(&Position::from_fen(fen).expect("a legal FEN"), Color::White).0
    }

    #[test]
    fn two_of_a_kind_attack_twice() {
        let knights = white("K6k/8/8/8/8/2N1N3/8/8 w - - 0 1");
        assert_eq!(knights.attacked_twice, bit(Square::D1) | bit(Square::D5));
        let rooks = white("4k3/8/8/8/R7/8/8/3R3K w - - 0 1");
        assert!(rooks.attacked_twice.contains(Square::D4), "both rooks attack d4");
        assert!(rooks.attacked_twice.contains(Square::A1), "and a1");
        assert!(!rooks.attacked_twice.contains(Square::E4), "the rook on d1 does not attack e4");
    }

    #[test]
    fn sliders_look_through_others_on_their_line() {
        let rooks = white("4k3/8/8/8/8/3R4/8/3R3K w - - 0 1");
        for square in [Square::D4, Square::D8] {
            assert!(rooks.attacked_twice.contains(square), "{square}: one through the other");
        }
        assert!(!rooks.attacked_twice.contains(Square::A3));
        let mixed = white("4k3/8/8/8/8/3B4/8/3R3K w - - 0 1");
        assert!(!mixed.attacked_twice.contains(Square::D4), "a bishop lets no rook through");
    }

    #[test]
    fn nothing_is_attacked_through_a_pinned_piece() {
        let rooks = white("4r2k/8/8/8/R3R3/8/8/4K3 w - - 0 1");
        assert!((rooks.attacked_twice & !rooks.attacked).is_empty());
        assert!(!rooks.attacked_twice.contains(Square::F4), "the rook on e4 is pinned");
    }

    #[test]
    fn pinned_pieces_attack_along_the_pin_only() {
        let knight = white("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1");
        assert_eq!((knight.pinned, knight.by_knights), (bit(Square::E2), Bitboard::EMPTY));
        let rook = white("4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1");
        assert_eq!(rook.by_rooks, bit(Square::E1) | bit(Square::E3) | bit(Square::E4));
        let bishop = white("4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1");
        assert_eq!(bishop.by_bishops, Bitboard::EMPTY);
        // The same for Black, which is seen moving north, and on a diagonal.
        let position = Position::from_fen("4k3/3n4/8/1B6/8/8/8/4K3 w - - 0 1").expect("legal");
        let (black, _) = Side::new(&position, Color::Black);
        assert_eq!((black.pinned, black.by_knights), (bit(Square::D2), Bitboard::EMPTY));
        let bishop = white("4k3/8/8/8/1q6/8/3B4/4K3 w - - 0 1");
        assert_eq!(bishop.by_bishops, bit(Square::E1) | bit(Square::C3) | bit(Square::B4));
        // Two pieces in between, and one that belongs to the enemy: no pin.
        assert!(white("4k3/8/8/4r3/8/4N3/4N3/4K3 w - - 0 1").pinned.is_empty());
        assert!(white("4k3/8/8/8/4r3/8/4n3/4K3 w - - 0 1").pinned.is_empty());
    }
}
