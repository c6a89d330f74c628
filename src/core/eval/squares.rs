//! Square maps: piece-square tables, and similar tables for sets of squares found by fills
//! (attacked, controlled, reachable squares).
//!
//! A map has 64 one-byte weights. Its value is the sum of the weights on the squares of the set:
//! SIMD masks and adds the whole table at once.

use super::phased::{Phased, s};
use super::side::{PawnSide, Side};
use super::square_tables::{SquareTables, Tables};
use super::tally::{Tally, Tracer};
use super::territory::Territory;
use super::weights::{WEIGHTS, Weights};
use crate::chess::{Bitboard, Square, bit, square_facing_north};
use crate::fill::spans::{beside, rear_span, south_fill};
use crate::fill::{Direction, Pair, SquareTable, weigh};

/// Squares on these ranks that no enemy pawn can ever attack are holes.
const RANKS_4_TO_7: Bitboard = Bitboard(0x00ff_ffff_ff00_0000);

/// The middlegame and the endgame table of each map, laid out for [`weigh`]; files are mirrored if
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

/// Maps that are mirrored when our king stands on the files a to d: index into `mirrors`.
const OUR_KING: usize = 0;
/// Maps that are mirrored when the enemy king stands on the files a to d.
const THEIR_KING: usize = 1;

/// Declares a function that counts maps for a side, each mirrored by one of the kings. Weighs all
/// maps at once, which is faster than one by one.
macro_rules! maps {
    ($(#[doc = $doc:literal])+ $name:ident($us:ident: $us_type:ty $(, $arg:ident: $type:ty)*)
        in $tables_of:ident
    {
        $(by $king:ident { $($term:ident: $set:expr,)+ })+
    }) => {
        /// The tables of these maps.
        const fn $tables_of(
            weights: &Weights,
        ) -> Tables<{ [$($(stringify!($term)),+),+].len() }> {
            [
                tables([$($(&weights.$term),+),+], 0),
                tables([$($(&weights.$term),+),+], 7),
            ]
        }

        $(#[doc = $doc])+
        #[inline(always)]
        fn $name<T: Tracer>(
            $us: $us_type,
            $($arg: $type,)*
            mirrors: [usize; 2],
            tally: &mut Tally<T>,
        ) {
            const MAPS: usize = [$($(stringify!($term)),+),+].len();
            static TABLES: Tables<MAPS> = $tables_of(&WEIGHTS);
            let sets: [Bitboard; MAPS] = [$($($set),+),+];
            let mirrors: [usize; MAPS] = [$($({
                let _ = stringify!($term);
                mirrors[$king]
            }),+),+];
            let tables = tally.tracer.tables().map_or(&TABLES, |tables| &tables.$name);
            let [mg, eg] = weigh(&sets, &std::array::from_fn(|map| {
                &tables[usize::from(mirrors[map] != 0)][map]
            }));
            tally.value.each[$us.lane] += s(mg, eg);
            if T::ENABLED {
                let mut sets = sets.into_iter().zip(mirrors);
                $($(for (square, mirror) in squares_of(sets.next()) {
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

/// The squares of a set, each with the mirror of its map.
fn squares_of(set: Option<(Bitboard, usize)>) -> impl Iterator<Item = (Square, usize)> {
    set.into_iter().flat_map(|(set, mirror)| set.into_iter().map(move |square| (square, mirror)))
}

maps! {
    /// Maps of pawns and kings.
    pawns(us: &PawnSide, them: &PawnSide) in pawn_tables {
        by OUR_KING {
            pawn_psqt: us.pawns,
            king_psqt: us.king,
            phalanx: us.pawns & beside(us.pawns),
            supported: us.pawns & us.by_pawns,
            candidate_passer: us.candidates(them),
            passed_psqt: us.passed(them),
        }
        by OUR_KING {
            holes: !them.attack_span & RANKS_4_TO_7,
            behind_pawns: south_fill(us.pawns) & !us.pawns,
            rams: us.pawns & Direction::South.step(them.pawns),
        }
        by THEIR_KING {
            pawn_psqt_enemy_king: us.pawns,
        }
        by THEIR_KING {
            pawn_attacks: us.by_pawns,
        }
    }
}

maps! {
    /// Maps of pieces, including passed pawns, and of the pieces' attacks.
    pieces(
        us: &Side<Bitboard>,
        them: &Side<Bitboard>,
        passed: Bitboard,
        territory: &Territory<Bitboard>
    ) in piece_tables {
        by OUR_KING {
            knight_psqt: us.knights,
            bishop_psqt: us.bishops,
            rook_psqt: us.rooks,
            queen_psqt: us.queens,
            passed_safe_path: passed & !rear_span(us.all | them.all | them.attacked),
        }
        by OUR_KING {
            controlled: territory.controlled,
            second_wave: territory.second_wave,
            king_wave: territory.king_wave,
        }
        by THEIR_KING {
            knight_attacks: us.by_knights,
            bishop_attacks: us.by_bishops,
            rook_attacks: us.by_rooks,
            queen_attacks: us.by_queens,
            attacked_twice: us.attacked_twice,
            uncontested: us.uncontested(them),
        }
    }
}

impl SquareTables {
    /// Builds the tables of these weights, which must be within ±127.
    pub(super) fn new(weights: &Weights) -> SquareTables {
        SquareTables { pawns: pawn_tables(weights), pieces: piece_tables(weights) }
    }
}

/// Counts the maps of both groups, [`Squares`](super::terms::TermGroup::Squares) and
/// [`Fills`](super::terms::TermGroup::Fills), that depend on pawns and kings only.
#[inline(always)]
pub(super) fn count_pawns(us: &PawnSide, them: &PawnSide, tally: &mut Tally<impl Tracer>) {
    pawns(us, them, [us.king, them.king].map(mirror), tally);
}

/// Counts the other maps of both groups, for both sides.
#[inline(always)]
pub(super) fn count(
    us: &Side<Pair>,
    them: &Side<Pair>,
    passed: Pair,
    territory: &Territory<Pair>,
    tally: &mut Tally<impl Tracer>,
) {
    count_side(&us.of::<0>(), &them.of::<0>(), passed.lane(0), &territory.of::<0>(), tally);
    count_side(&us.of::<1>(), &them.of::<1>(), passed.lane(1), &territory.of::<1>(), tally);
}

/// The part of [`count`] that is counted for one side.
#[inline(always)]
fn count_side(
    us: &Side<Bitboard>,
    them: &Side<Bitboard>,
    passed: Bitboard,
    territory: &Territory<Bitboard>,
    tally: &mut Tally<impl Tracer>,
) {
    pieces(us, them, passed, territory, [us.king, them.king].map(mirror), tally);
}

/// 7, which mirrors files by XOR, if the king is on the files a to d, else 0.
#[inline(always)]
fn mirror(king: Bitboard) -> usize {
    king.first().map_or(0, |king| if (king as usize & 7) < 4 { 7 } else { 0 })
}
