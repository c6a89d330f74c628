//! A weight for every square of a fill: the set is the mask of a masked sum over 64 weights.

use super::phased::{Phased, s};
use super::side::Side;
use super::tally::{Tally, Tracer};
use super::terms::TermGroup;
use super::territory::Territory;
use super::weights::WEIGHTS;
use crate::chess::Bitboard;
use crate::fill::spans::{beside, rear_span};
use crate::fill::{Direction, SquareTable, weigh};

/// Tables as the fills take them, files turned around if `mirror` is 7: middlegame and endgame for each map.
const fn tables<const N: usize>(maps: [&[Phased; 64]; N], mirror: usize) -> [[SquareTable; 2]; N] {
    let mut tables = [[SquareTable([0; 64]); 2]; N];
    let mut map = 0;
    while map < N {
        let mut square = 0;
        while square < 64 {
            let weight = maps[map][square ^ mirror];
            assert!(
                weight.mg().abs() < 128 && weight.eg().abs() < 128,
                "a weight of a square is a byte"
            );
            tables[map][0].0[square] = weight.mg() as i8;
            tables[map][1].0[square] = weight.eg() as i8;
            square += 1;
        }
        map += 1;
    }
    tables
}

/// A function that counts a group of maps for a side. `mirror` is 7 where the files are to be turned around.
macro_rules! maps {
    ($(#[doc = $doc:literal])+ $name:ident($us:ident, $them:ident, $territory:ident) {
        $($group:ident { $($term:ident: $set:expr,)+ })+
    }) => {
        $(#[doc = $doc])+
        #[inline(always)]
        fn $name<T: Tracer>(
            $us: &Side,
            $them: &Side,
            $territory: &Territory,
            mirror: usize,
            tally: &mut Tally<T>,
        ) {
            const MAPS: usize = [$($(stringify!($term)),+),+].len();
            static TABLES: [[[SquareTable; 2]; MAPS]; 2] =
                [tables([$($(&WEIGHTS.$term),+),+], 0), tables([$($(&WEIGHTS.$term),+),+], 7)];
            let wanted = |group, set| if tally.tracer.wants(group) { set } else { Bitboard::EMPTY };
            let sets: [Bitboard; MAPS] = [$($(wanted(TermGroup::$group, $set)),+),+];
            let [mg, eg] = weigh(&sets, &TABLES[usize::from(mirror != 0)]);
            tally.value += s(mg, eg);
            if T::ON {
                let mut sets = sets.into_iter();
                $($(for square in sets.next().unwrap_or_default() {
                    let seen = square as usize ^ mirror;
                    tally.tracer.note($us.color, 1, |terms| &mut terms.$term[seen]);
                    let square = if $us.color.is_white() { square } else { square.flip_vertical() };
                    tally.tracer.share($us.color, square, WEIGHTS.$term[seen]);
                })+)+
            }
        }
    };
}

maps! {
    /// What our own king sees on its wing.
    beside_our_king(us, them, territory) {
        Squares {
            pawn_on: us.pawns,
            knight_on: us.knights,
            bishop_on: us.bishops,
            rook_on: us.rooks,
            queen_on: us.queens,
            king_on: us.king,
            phalanx: us.pawns & beside(us.pawns),
            guarded: us.pawns & us.by_pawns,
            candidates: us.candidates(them),
            passed_on: us.passed(them),
            passed_free: us.passed(them) & Direction::South.step(!(us.all | them.all | them.attacked)),
            passed_way: us.passed(them) & !rear_span(us.all | them.all | them.attacked),
        }
        Fills {
            held: territory.held,
            second_wave: territory.second_wave,
            king_wave: territory.king_wave,
            holes: territory.holes,
            behind_pawns: territory.behind_pawns,
            rams: territory.rams,
        }
    }
}

maps! {
    /// What the enemy's king sees coming.
    beside_their_king(us, them, _territory) {
        Squares {
            pawn_at_king: us.pawns,
        }
        Fills {
            pawn_attacks: us.by_pawns,
            knight_attacks: us.by_knights,
            bishop_attacks: us.by_bishops,
            rook_attacks: us.by_rooks,
            queen_attacks: us.by_queens,
            attacked_twice: us.twice,
            alone: us.alone(them),
        }
    }
}

/// Counts both rooms, squares and fills, for one side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, territory: &Territory, tally: &mut Tally<impl Tracer>) {
    beside_our_king(us, them, territory, mirror(us.king), tally);
    beside_their_king(us, them, territory, mirror(them.king), tally);
}

/// The files are turned around if the king is on the files a to d.
#[inline(always)]
fn mirror(king: Bitboard) -> usize {
    king.first().map_or(0, |king| if (king as usize & 7) < 4 { 7 } else { 0 })
}
