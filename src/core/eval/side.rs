//! The pieces and attacks of both sides as bitboards, each from its own point of view: it moves
//! north.

use std::ops::{BitAnd, BitOr, Not};

use crate::board::Position;
use crate::chess::{Bitboard, Color, Role, facing_north};
use crate::fill::waves::king_fill;
use crate::fill::{Direction, Pair, Rays, per_lane, spans};

/// The pawns and the king of one side, and the sets that depend only on them: the input of the
/// [pawn hash table](super::pawn_table).
#[derive(Clone, Copy, Debug)]
pub(super) struct PawnSide {
    /// The colour of the side.
    pub(crate) color: Color,
    /// The lane of this side's sums: 0 for White, 1 for Black.
    pub(crate) lane: usize,
    pub(crate) pawns: Bitboard,
    pub(crate) king: Bitboard,
    /// The king's target squares for the castling rights that the side has.
    pub(crate) castling_targets: Bitboard,
    /// Squares attacked by pawns.
    pub(crate) by_pawns: Bitboard,
    /// Pawn attack span: squares the pawns attack now or after pushes.
    pub(crate) attack_span: Bitboard,
    /// Squares in front of the pawns on their own and the adjacent files ("all front spans"): an
    /// enemy pawn there is not passed.
    all_front_spans: Bitboard,
    /// The king ring: the king, its neighbours and the squares in front of those.
    pub(crate) king_ring: Bitboard,
}

impl PawnSide {
    /// The sets of the side `color`.
    #[inline(always)]
    pub(super) fn new(position: &Position, color: Color) -> PawnSide {
        let set = |role| facing_north(position.set(color, role), color);
        let (pawns, king) = (set(Role::Pawn), set(Role::King));
        let near = king_fill(king);
        PawnSide {
            color,
            lane: usize::from(!color.is_white()),
            pawns,
            king,
            castling_targets: position.castling_targets(color),
            by_pawns: spans::pawn_attacks(pawns),
            attack_span: spans::attack_span(pawns),
            all_front_spans: spans::passed_pawn_span(pawns),
            king_ring: near | Direction::North.step(near),
        }
    }

    /// These sets from the opponent's point of view: this side now moves south.
    #[inline(always)]
    pub(super) fn flipped(&self) -> PawnSide {
        let flip = |set: Bitboard| set.flip_vertical();
        PawnSide {
            color: self.color,
            lane: self.lane,
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
    pub(super) fn passed(&self, them: &PawnSide) -> Bitboard {
        self.pawns & !them.all_front_spans & !spans::rear_span(self.pawns)
    }

    /// Candidate passed pawns: not passed yet, but with no pawn in front of them and with own
    /// pawns beside or behind to help them.
    #[inline(always)]
    pub(super) fn candidates(&self, them: &PawnSide) -> Bitboard {
        let unopposed = self.pawns & !spans::rear_span(them.pawns | self.pawns);
        unopposed & spans::north_fill(spans::beside(self.pawns)) & them.all_front_spans
    }
}

/// Declares [`Side`], with one set for each name.
macro_rules! side {
    ($($(#[doc = $doc:literal])+ $set:ident,)+) => {
        /// The sets that the term groups need, computed once per evaluation by a few set-wise
        /// fills. With `S` a [`Bitboard`] they belong to one side; with a [`Pair`], to both sides
        /// at once, the side to move in the first lane.
        #[derive(Clone, Copy, Debug)]
        pub struct Side<S> {
            /// The colour of the side; for both sides, that of the side to move.
            pub(crate) color: Color,
            /// The lane of the side; for both sides, that of the first.
            pub(crate) lane: usize,
            $($(#[doc = $doc])+ pub $set: S,)+
        }

        impl Side<Pair> {
            /// For each side its opponent, from that side's point of view: the opponent moves
            /// south.
            #[inline(always)]
            pub fn opponents(&self) -> Side<Pair> {
                let color = self.color.other();
                Side { color, lane: 1, $($set: self.$set.opposite(),)+ }
            }

            /// The side in lane 0 or 1 alone. Called on [`Side::opponents`], it returns that side's
            /// opponent. The lane is a constant because a variable lane sends the sets through
            /// memory: an evaluation took half as many instructions again.
            #[inline(always)]
            pub fn of<const LANE: usize>(&self) -> Side<Bitboard> {
                let color = if LANE == 0 { self.color } else { self.color.other() };
                Side { color, lane: self.lane ^ LANE, $($set: self.$set.lane(LANE),)+ }
            }
        }
    };
}

side! {
    /// The pawns.
    pawns,
    /// The knights.
    knights,
    /// The bishops.
    bishops,
    /// The rooks.
    rooks,
    /// The queens.
    queens,
    /// The king.
    king,
    /// All pieces and pawns.
    all,
    /// Squares attacked by pawns.
    by_pawns,
    /// Pieces pinned to the king. They attack only along the line of the pin, so that knights
    /// attack nothing. Pawns count as free.
    pinned,
    /// Enemy pieces and pawns that would give this king a discovered check by moving out of the
    /// line. A pawn on the king's file does not count.
    discoverers,
    /// Squares attacked by knights.
    by_knights,
    /// Squares attacked by bishops.
    by_bishops,
    /// Squares attacked by rooks.
    by_rooks,
    /// Squares attacked by queens.
    by_queens,
    /// Squares attacked by queens along ranks and files.
    queens_orthogonal,
    /// Squares attacked by queens along diagonals.
    queens_diagonal,
    /// Squares attacked by the king.
    by_king,
    /// Squares attacked by anything. A pinned piece counts only along its pin line, although it also
    /// denies its other squares to the enemy king.
    attacked,
    /// Squares attacked by two pieces or pawns. A slider also attacks through another one of its
    /// side that moves along the same line.
    attacked_twice,
    /// Pawn attack span: squares the pawns attack now or after pushes.
    attack_span,
    /// Squares from which an enemy rook would give check to this king.
    rook_checks,
    /// Squares from which an enemy bishop would give check to this king.
    bishop_checks,
    /// Squares a rook on the king's square would reach through the first blockers only: x-rays.
    rook_xrays,
    /// Squares that a bishop on the king's square would reach through the first blocker only.
    bishop_xrays,
    /// The king ring: the king, its neighbours and the squares in front of those.
    king_ring,
}

/// The attacks of a side's sliders, one bitboard for each ray direction.
#[derive(Clone, Copy, Debug)]
pub struct SliderAttacks {
    /// Rooks in the orthogonal directions, bishops in the diagonal ones.
    pub(super) rooks_and_bishops: Rays,
    /// Queens in all directions.
    pub(super) queens: Rays,
}

/// The lines of a side's king, in the directions of the rays.
struct KingLines {
    /// Up to the first piece or pawn.
    lines: Rays,
    /// From the first piece or pawn to the second.
    behind: Rays,
    /// The lines on which an enemy slider is second, up to and including the first piece, which is
    /// pinned or can give a discovered check.
    pin_lines: Rays,
}

impl KingLines {
    /// The lines of a king. `orthogonal` and `diagonal` are the enemy's sliders.
    #[inline(always)]
    fn new(king: Bitboard, empty: Bitboard, orthogonal: Bitboard, diagonal: Bitboard) -> KingLines {
        let lines = Rays::all(king).attacks(empty);
        let behind = (lines & Rays::all(!empty)).attacks(empty);
        let pin_lines = lines.only(behind.meeting(Rays::sliders(orthogonal, diagonal)));
        KingLines { lines, behind, pin_lines }
    }
}

impl Side<Pair> {
    /// The sets of both sides.
    #[inline(always)]
    pub fn new(position: &Position) -> (Side<Pair>, [SliderAttacks; 2]) {
        let turn = position.turn();
        let sides = Pair::new(position.of(Color::White), position.of(Color::Black));
        let set = |role| (sides & Pair::both(position.role(role))).facing_north(turn);
        let (pawns, knights, king) = (set(Role::Pawn), set(Role::Knight), set(Role::King));
        let (bishops, rooks, queens) = (set(Role::Bishop), set(Role::Rook), set(Role::Queen));
        let (orthogonal, diagonal) = (rooks | queens, bishops | queens);
        let pieces = knights | orthogonal | diagonal;
        let all = pieces | pawns | king;
        let theirs = all.opposite();
        let empty = !(all | theirs);

        let (enemy_orthogonal, enemy_diagonal) = (orthogonal.opposite(), diagonal.opposite());
        let king_lines = per_lane(|lane| {
            KingLines::new(
                king.lane(lane),
                empty.lane(lane),
                enemy_orthogonal.lane(lane),
                enemy_diagonal.lane(lane),
            )
        });
        let [a, b] = &king_lines;
        let (rook_checks, bishop_checks) = Rays::pair_by_line([a.lines, b.lines]);
        let (rook_xrays, bishop_xrays) = Rays::pair_by_line([a.behind, b.behind]);
        let on_pin_lines = Rays::pair_unions([a.pin_lines, b.pin_lines]);
        let pinned = on_pin_lines & pieces;
        let discoverers = on_pin_lines & theirs & !(pawns.opposite() & king.file_fill());

        let may_slide = per_lane(|lane| {
            // The only piece on the line to a pinned piece is that piece itself.
            let pins = king_lines[lane].pin_lines;
            Rays::all(!pinned.lane(lane)) | pins | pins.reversed()
        });
        let any_queens = queens.any();
        let sliders = per_lane(|lane| {
            let (may_slide, empty) = (may_slide[lane], empty.lane(lane));
            let rooks_and_bishops = Rays::sliders(rooks.lane(lane), bishops.lane(lane));
            SliderAttacks {
                rooks_and_bishops: (rooks_and_bishops & may_slide).attacks(empty),
                queens: if any_queens {
                    (Rays::all(queens.lane(lane)) & may_slide).attacks(empty)
                } else {
                    Rays::EMPTY
                },
            }
        });
        let [a, b] = sliders;
        let jumps = per_lane(|lane| Rays::knight_attacks((knights & !pinned).lane(lane)));

        let by_pawns = pawns.pawn_attacks();
        let by_knights = Rays::pair_unions(jumps);
        let (by_rooks, by_bishops) = Rays::pair_by_line([a.rooks_and_bishops, b.rooks_and_bishops]);
        let (queens_orthogonal, queens_diagonal) = Rays::pair_by_line([a.queens, b.queens]);
        let by_queens = queens_orthogonal | queens_diagonal;
        let near = king.king_fill();
        let by_king = king.king_attacks();

        let slides = [a.rooks_and_bishops | a.queens, b.rooks_and_bishops | b.queens];
        // Sliders that another slider attacks along a line they share: it attacks through them.
        // Often there are none, and testing for that is cheaper than a fill.
        let supported = per_lane(|lane| {
            let sliders = Rays::sliders(orthogonal.lane(lane), diagonal.lane(lane));
            slides[lane] & sliders & may_slide[lane]
        });
        let through = if supported.iter().any(|rays| rays.meeting(*rays) != 0) {
            Rays::pair_unions(per_lane(|lane| supported[lane].attacks(empty.lane(lane))))
        } else {
            Pair::both(Bitboard::EMPTY)
        };
        // Knights and sliders share the lanes. The loop below finds squares that both attack in the
        // same lane.
        let mut attacked_twice = (pawns.pawn_attacks_east() & pawns.pawn_attacks_west())
            | Rays::pair_overlaps(per_lane(|lane| slides[lane] | jumps[lane]))
            | through;
        let mut attacked = by_pawns;
        for set in [by_knights, by_bishops | by_rooks | by_queens, by_king] {
            attacked_twice |= attacked & set;
            attacked |= set;
        }

        let side = Side {
            color: turn,
            lane: 0,
            pawns,
            knights,
            bishops,
            rooks,
            queens,
            king,
            all,
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
            attack_span: by_pawns.north_fill(),
            rook_checks,
            bishop_checks,
            rook_xrays,
            bishop_xrays,
            king_ring: near | near.north(),
        };
        (side, sliders)
    }
}

impl<S: Copy + BitAnd<Output = S> + BitOr<Output = S> + Not<Output = S>> Side<S> {
    /// Squares we attack and the opponent does not.
    #[inline(always)]
    pub(super) fn uncontested(&self, them: &Side<S>) -> S {
        self.attacked & !them.attacked
    }

    /// Squares a piece of ours may go to without being lost: free of our own pieces, and either
    /// not attacked, or attacked once, not by a pawn, and defended twice.
    #[inline(always)]
    pub fn safe_squares(&self, them: &Side<S>) -> S {
        !self.all & (!them.attacked | (self.attacked_twice & !them.by_pawns & !them.attacked_twice))
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    pub(super) fn pieces(&self) -> S {
        self.knights | self.bishops | self.rooks | self.queens
    }
}

impl Side<Bitboard> {
    /// Whether only king and pawns are left.
    #[inline(always)]
    pub(super) fn has_no_pieces(&self) -> bool {
        self.all == self.pawns | self.king
    }

    /// Whether only the king is left.
    #[inline(always)]
    pub(super) fn is_bare(&self) -> bool {
        self.all == self.king
    }
}

/// The pieces and pawns of one side, seen by White: for terms that name no squares in a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The colour of the side.
    pub(super) color: Color,
    /// All pieces and pawns.
    all: Bitboard,
    pub(super) pawns: Bitboard,
    pub(super) knights: Bitboard,
    pub(super) bishops: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) queens: Bitboard,
    pub(super) king: Bitboard,
}

impl Placement {
    /// The pieces and pawns of the side `color`.
    #[inline(always)]
    pub(super) fn new(position: &Position, color: Color) -> Placement {
        let set = |role| position.set(color, role);
        Placement {
            color,
            all: position.of(color),
            pawns: set(Role::Pawn),
            knights: set(Role::Knight),
            bishops: set(Role::Bishop),
            rooks: set(Role::Rook),
            queens: set(Role::Queen),
            king: set(Role::King),
        }
    }

    /// Whether the side has only `pieces` besides king and pawns.
    #[inline(always)]
    pub(super) fn has_only(&self, pieces: Bitboard) -> bool {
        self.all == self.king | self.pawns | pieces
    }

    /// Whether a single rook is the only piece besides king and pawns.
    #[inline(always)]
    pub(super) fn has_lone_rook(&self) -> bool {
        self.rooks.count() == 1 && self.has_only(self.rooks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Square, bit};

    fn white(fen: &str) -> Side<Bitboard> {
        let (sides, _) = Side::new(&Position::from_fen(fen).expect("a legal FEN"));
        assert_eq!(sides.color, Color::White);
        sides.of::<0>()
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
        // A pin of Black, who is seen moving north, on a diagonal.
        let position = Position::from_fen("4k3/3n4/8/1B6/8/8/8/4K3 w - - 0 1").expect("legal");
        let black = Side::new(&position).0.of::<1>();
        assert_eq!((black.pinned, black.by_knights), (bit(Square::D2), Bitboard::EMPTY));
        let bishop = white("4k3/8/8/8/1q6/8/3B4/4K3 w - - 0 1");
        assert_eq!(bishop.by_bishops, bit(Square::E1) | bit(Square::C3) | bit(Square::B4));
        // Two pieces in between, and one that belongs to the enemy: no pin.
        assert!(white("4k3/8/8/4r3/8/4N3/4N3/4K3 w - - 0 1").pinned.is_empty());
        assert!(white("4k3/8/8/8/4r3/8/4n3/4K3 w - - 0 1").pinned.is_empty());
    }
}
