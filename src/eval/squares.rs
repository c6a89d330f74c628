//! Square maps: piece-square tables, and tables of the same kind for sets of squares that come out
//! of fills (attacked, controlled, reachable squares).
//!
//! The value of a map is the sum of its weights, 64 of one byte each, masked by the set: SIMD adds
//! up the whole table at once.

use super::phased::{Phased, s};
use super::side::Side;
use super::tally::{Tally, Tracer};
use super::terms::TermGroup;
use super::territory::Territory;
use super::weights::WEIGHTS;
use crate::chess::Bitboard;
use crate::fill::spans::{beside, rear_span};
use crate::fill::{Direction, SquareTable, weigh};

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
            let included =
                |group, set| if tally.tracer.includes(group) { set } else { Bitboard::EMPTY };
            let sets: [Bitboard; MAPS] = [$($(included(TermGroup::$group, $set)),+),+];
            let [mg, eg] = weigh(&sets, &TABLES[usize::from(mirror != 0)]);
            tally.value += s(mg, eg);
            if T::ENABLED {
                let mut sets = sets.into_iter();
                $($(for square in sets.next().unwrap_or_default() {
                    let index = square as usize ^ mirror;
                    tally.tracer.record($us.color, 1, |terms| &mut terms.$term[index]);
                    let square = if $us.color.is_white() { square } else { square.flip_vertical() };
                    tally.tracer.record_square($us.color, square, WEIGHTS.$term[index]);
                })+)+
            }
        }
    };
}

maps! {
    /// Maps mirrored by our own king.
    mirrored_by_our_king(us, them, territory) {
        Squares {
            pawn_psqt: us.pawns,
            knight_psqt: us.knights,
            bishop_psqt: us.bishops,
            rook_psqt: us.rooks,
            queen_psqt: us.queens,
            king_psqt: us.king,
            phalanx: us.pawns & beside(us.pawns),
            supported: us.pawns & us.by_pawns,
            candidate_passer: us.candidates(them),
            passed_psqt: us.passed(them),
            passed_safe_stop: us.passed(them)
                & Direction::South.step(!(us.all | them.all | them.attacked)),
            passed_safe_path: us.passed(them) & !rear_span(us.all | them.all | them.attacked),
        }
        Fills {
            controlled: territory.controlled,
            second_wave: territory.second_wave,
            king_wave: territory.king_wave,
            holes: territory.holes,
            behind_pawns: territory.behind_pawns,
            rams: territory.rams,
        }
    }
}

maps! {
    /// Maps mirrored by the enemy king.
    mirrored_by_their_king(us, them, _territory) {
        Squares {
            pawn_psqt_enemy_king: us.pawns,
        }
        Fills {
            pawn_attacks: us.by_pawns,
            knight_attacks: us.by_knights,
            bishop_attacks: us.by_bishops,
            rook_attacks: us.by_rooks,
            queen_attacks: us.by_queens,
            attacked_twice: us.attacked_twice,
            uncontested: us.uncontested(them),
        }
    }
}

/// Counts both groups, [`Squares`](TermGroup::Squares) and [`Fills`](TermGroup::Fills), for one
/// side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, territory: &Territory, tally: &mut Tally<impl Tracer>) {
    mirrored_by_our_king(us, them, territory, mirror(us.king), tally);
    mirrored_by_their_king(us, them, territory, mirror(them.king), tally);
}

/// 7, which mirrors files by XOR, if the king is on the files a to d, else 0.
#[inline(always)]
fn mirror(king: Bitboard) -> usize {
    king.first().map_or(0, |king| if (king as usize & 7) < 4 { 7 } else { 0 })
}
