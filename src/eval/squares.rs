//! Square maps: piece-square tables, and tables of the same kind for sets of squares that come out
//! of fills (attacked, controlled, reachable squares).
//!
//! The value of a map is the sum of its weights, 64 of one byte each, masked by the set: SIMD adds
//! up the whole table at once.

use super::phased::{Phased, s};
use super::side::{PawnSide, Side};
use super::tally::{Tally, Tracer};
use super::terms::TermGroup;
use super::territory::Territory;
use super::weights::{WEIGHTS, Weights};
use crate::chess::{Bitboard, bit, square_facing_north};
use crate::fill::spans::{beside, rear_span, south_fill};
use crate::fill::{Direction, SquareTable, weigh};

/// Where a square that no enemy pawn can attack is a hole.
const RANKS_4_TO_7: Bitboard = Bitboard(0x00ff_ffff_ff00_0000);

/// The middlegame and the endgame table of each map as [`weigh`] takes them; files mirrored if
/// `mirror` is 7.
const fn tables<const N: usize>(maps: [&[Phased; 64]; N], mirror: usize) -> [[SquareTable; 2]; N] {
    let mut tables = [[SquareTable([0; 64]); 2]; N];
    let mut map = 0;
    while map < N {
        let mut square = 0;
        while square < 64 {
            let weight = maps[map][square ^ mirror];
            assert!(
                weight.mg().abs() < 128 && weight.eg().abs() < 128,
                "the weights of square maps are bytes"
            );
            tables[map][0].0[square] = weight.mg() as i8;
            tables[map][1].0[square] = weight.eg() as i8;
            square += 1;
        }
        map += 1;
    }
    tables
}

/// Declares a function that counts some maps for a side; `mirror` is 7 to mirror files, else 0.
macro_rules! maps {
    ($(#[doc = $doc:literal])+ $name:ident($us:ident: $us_type:ty $(, $arg:ident: $type:ty)*)
        in $Maps:ident
    {
        $($group:ident { $($term:ident: $set:expr,)+ })+
    }) => {
        /// The tables of these maps, as they are and with files mirrored.
        #[derive(Debug)]
        struct $Maps([[[SquareTable; 2]; [$($(stringify!($term)),+),+].len()]; 2]);

        impl $Maps {
            const fn new(weights: &Weights) -> $Maps {
                $Maps([
                    tables([$($(&weights.$term),+),+], 0),
                    tables([$($(&weights.$term),+),+], 7),
                ])
            }
        }

        $(#[doc = $doc])+
        #[inline(always)]
        fn $name<T: Tracer>(
            $us: $us_type,
            $($arg: $type,)*
            mirror: usize,
            tally: &mut Tally<T>,
        ) {
            const MAPS: usize = [$($(stringify!($term)),+),+].len();
            static TABLES: $Maps = $Maps::new(&WEIGHTS);
            let included =
                |group, set| if tally.tracer.includes(group) { set } else { Bitboard::EMPTY };
            let sets: [Bitboard; MAPS] = [$($(included(TermGroup::$group, $set)),+),+];
            let tables = tally.tracer.maps().map_or(&TABLES, |maps| &maps.$name);
            let [mg, eg] = weigh(&sets, &tables.0[usize::from(mirror != 0)]);
            tally.value += s(mg, eg);
            if T::ENABLED {
                let mut sets = sets.into_iter();
                $($(for square in sets.next().unwrap_or_default() {
                    let index = square as usize ^ mirror;
                    tally.tracer.record($us.color, 1, |terms| &mut terms.$term[index]);
                    tally.tracer.record_squares($us.color, bit(square), |sets| {
                        &mut sets.$term[index]
                    });
                    let square = square_facing_north(square, $us.color);
                    let weight = tally.tracer.weights().$term[index];
                    tally.tracer.record_square($us.color, square, weight);
                })+)+
            }
        }
    };
}

maps! {
    /// Maps of pawns and kings, mirrored by our own king.
    pawns_by_our_king(us: &PawnSide, them: &PawnSide) in PawnsByOurKing {
        Squares {
            pawn_psqt: us.pawns,
            king_psqt: us.king,
            phalanx: us.pawns & beside(us.pawns),
            supported: us.pawns & us.by_pawns,
            candidate_passer: us.candidates(them),
            passed_psqt: us.passed(them),
        }
        Fills {
            holes: !them.attack_span & RANKS_4_TO_7,
            behind_pawns: south_fill(us.pawns) & !us.pawns,
            rams: us.pawns & Direction::South.step(them.pawns),
        }
    }
}

maps! {
    /// Maps of pawns, mirrored by the enemy king.
    pawns_by_their_king(us: &PawnSide) in PawnsByTheirKing {
        Squares {
            pawn_psqt_enemy_king: us.pawns,
        }
        Fills {
            pawn_attacks: us.by_pawns,
        }
    }
}

maps! {
    /// Maps of pieces and of passed pawns among them, mirrored by our own king.
    pieces_by_our_king(us: &Side, them: &Side, passed: Bitboard, territory: &Territory) in PiecesByOurKing {
        Squares {
            knight_psqt: us.knights,
            bishop_psqt: us.bishops,
            rook_psqt: us.rooks,
            queen_psqt: us.queens,
            passed_safe_stop: passed & Direction::South.step(!(us.all | them.all | them.attacked)),
            passed_safe_path: passed & !rear_span(us.all | them.all | them.attacked),
        }
        Fills {
            controlled: territory.controlled,
            second_wave: territory.second_wave,
            king_wave: territory.king_wave,
        }
    }
}

maps! {
    /// Maps of the pieces' attacks, mirrored by the enemy king.
    pieces_by_their_king(us: &Side, them: &Side) in PiecesByTheirKing {
        Fills {
            knight_attacks: us.by_knights,
            bishop_attacks: us.by_bishops,
            rook_attacks: us.by_rooks,
            queen_attacks: us.by_queens,
            attacked_twice: us.attacked_twice,
            uncontested: us.uncontested(them),
        }
    }
}

/// All tables of square maps.
#[derive(Debug)]
pub struct SquareMaps {
    pawns_by_our_king: PawnsByOurKing,
    pawns_by_their_king: PawnsByTheirKing,
    pieces_by_our_king: PiecesByOurKing,
    pieces_by_their_king: PiecesByTheirKing,
}

impl SquareMaps {
    /// The tables of these weights, which must be within ±127.
    pub fn new(weights: &Weights) -> SquareMaps {
        SquareMaps {
            pawns_by_our_king: PawnsByOurKing::new(weights),
            pawns_by_their_king: PawnsByTheirKing::new(weights),
            pieces_by_our_king: PiecesByOurKing::new(weights),
            pieces_by_their_king: PiecesByTheirKing::new(weights),
        }
    }
}

/// Counts the maps of both groups, [`Squares`](TermGroup::Squares) and [`Fills`](TermGroup::Fills),
/// that depend on pawns and kings only.
#[inline(always)]
pub fn count_pawns(us: &PawnSide, them: &PawnSide, tally: &mut Tally<impl Tracer>) {
    pawns_by_our_king(us, them, mirror(us.king), tally);
    pawns_by_their_king(us, mirror(them.king), tally);
}

/// Counts the other maps of both groups.
#[inline(always)]
pub fn count(
    us: &Side,
    them: &Side,
    passed: Bitboard,
    territory: &Territory,
    tally: &mut Tally<impl Tracer>,
) {
    pieces_by_our_king(us, them, passed, territory, mirror(us.king), tally);
    pieces_by_their_king(us, them, mirror(them.king), tally);
}

/// 7, which mirrors files by XOR, if the king is on the files a to d, else 0.
#[inline(always)]
fn mirror(king: Bitboard) -> usize {
    king.first().map_or(0, |king| if (king as usize & 7) < 4 { 7 } else { 0 })
}
