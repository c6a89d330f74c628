//! King safety: king danger (the attack on the enemy king), pawn shelter and pawn storm.
//!
//! [`count`] has the terms that need pieces. The other functions need only pawns and kings.

use super::side::{PawnSide, Side};
use super::tally::{On, Tally, Tracer, count, count_both};
use crate::chess::{Bitboard, File, Rank, Square, bit};
use crate::fill::spans::{beside, file_fill, north_fill};
use crate::fill::waves::king_fill;
use crate::fill::{Counts, Direction, Pair};

/// The camp of an enemy king: ranks 4 to 8, for a side that moves north.
const CAMP: Bitboard = Bitboard(0xffff_ffff_ff00_0000);

/// King danger by pieces: the strength of each side's attack on the enemy king.
#[inline(always)]
pub(super) fn count(us: &Side<Pair>, them: &Side<Pair>, tally: &mut Tally<impl Tracer>) {
    macro_rules! danger {
        ($term:ident[$index:expr], $count:expr) => {
            count_both!(tally, us, $term[$index], $count => tally.danger)
        };
    }
    let pieces = [us.by_knights, us.by_bishops, us.by_rooks, us.by_queens];
    let mut kinds = Counts::new([0; 2]);
    for (kind, set) in pieces.into_iter().enumerate() {
        let squares = set & them.king_ring;
        danger!(danger_ring_attacks[kind], squares);
        kinds += squares.nonempty();
    }
    danger!(danger_attacker_kinds[kinds.lanes().map(|kinds| kinds as usize)], Counts::new([1; 2]));
    let near = us.attacked & them.by_king;
    danger!(danger_adjacent_attacks[0], near);
    danger!(danger_weak_squares[0], near & !them.attacked_twice);
    danger!(danger_ring_twice[0], us.attacked_twice & them.king_ring);

    let safe = us.safe_squares(them);
    let queen_checks = them.bishop_checks | them.rook_checks;
    let checking_squares =
        [them.king.knight_attacks(), them.bishop_checks, them.rook_checks, queen_checks];
    let mut all_safe_checks = Pair::both(Bitboard::EMPTY);
    for (kind, (set, checking)) in pieces.into_iter().zip(checking_squares).enumerate() {
        let checks = set & checking & !us.all;
        let safe_checks = checks & safe;
        all_safe_checks |= safe_checks;
        // Distinguishes none, one, and more than one.
        let number = safe_checks.count().at_most(2);
        let has_safe = number.at_most(1);
        danger!(danger_safe_checks[kind], On(has_safe, safe_checks));
        danger!(danger_multiple_checks[kind], On(number - has_safe, safe_checks));
        danger!(danger_unsafe_checks[0], On(checks.nonempty() - has_safe, checks));
    }
    let to_move = Counts::new([1, 0]);
    danger!(danger_to_move[0], to_move);
    danger!(danger_to_move[1], to_move.times(all_safe_checks.nonempty()));
    danger!(danger_no_queen[0], Counts::new([1; 2]) - us.queens.nonempty());

    let flank = them.king.king_fill().king_fill().file_fill() & Pair::both(CAMP);
    danger!(danger_flank_attacks[0], us.attacked & flank);
    danger!(danger_flank_twice[0], us.attacked_twice & flank);
    danger!(danger_flank_defence[0], them.attacked & flank);
    let by_minors = them.by_knights | them.by_bishops;
    danger!(danger_minor_defenders[0], by_minors & them.king_ring);
    let free = !us.attacked & !them.all;
    let escapes = them.by_king & free;
    danger!(danger_escapes[0], escapes);
    danger!(danger_second_escapes[0], escapes.king_fill() & free & !them.by_king);

    danger!(danger_xray[0], them.rook_xrays & (us.rooks | us.queens));
    danger!(danger_xray[1], them.bishop_xrays & (us.bishops | us.queens));
}

/// King danger by pawns, ours that attack and theirs that defend.
#[inline(always)]
pub(super) fn count_pawn_danger(us: &PawnSide, them: &PawnSide, tally: &mut Tally<impl Tracer>) {
    macro_rules! danger {
        ($term:ident[$index:expr], $count:expr) => {
            count!(tally, us, $term[$index], $count => tally.danger.each[us.lane])
        };
    }
    danger!(danger_ring_pawns[0], us.by_pawns & them.king_ring);
    danger!(danger_pawn_shield[0], them.pawns & them.king_ring);
    let column = file_fill(them.king);
    danger!(danger_no_pawn_on_file[0], On((column & them.pawns).is_empty(), column));
    let files = file_fill(them.king | beside(them.king));
    let open = files & Bitboard(0xff) & !file_fill(them.pawns);
    danger!(danger_open_files[0], On(open.count(), file_fill(open)));
    let fully_open = open & !file_fill(us.pawns);
    danger!(danger_open_files[1], On(fully_open.count(), file_fill(fully_open)));
    let storm = us.pawns & files;
    danger!(danger_pawn_storm[0], storm);
    danger!(danger_pawn_storm[1], storm & Bitboard::from_rank(Rank::Sixth));
    danger!(danger_pawn_storm[2], storm & Bitboard::from_rank(Rank::Seventh));
}

/// Castling rights, by the pawns that would shelter the king: four weights for the king's side,
/// then four for the queen's side.
#[inline(always)]
pub(super) fn count_castling(us: &PawnSide, tally: &mut Tally<impl Tracer>) {
    for target in us.castling_targets {
        let place = bit(target);
        let shelter = Direction::North.step(king_fill(place)) & us.pawns;
        let wing = usize::from(target.file() < File::E);
        count!(tally, us, castling[4 * wing + shelter.count().min(3)], On(1, place));
    }
}

/// Pawn shelter and storm: the nearest pawns in front of our king, ours and theirs, on its own and
/// the adjacent files.
#[inline(always)]
pub(super) fn count_shelter(us: &PawnSide, them: &PawnSide, tally: &mut Tally<impl Tracer>) {
    let ahead = north_fill(us.king | beside(us.king));
    for file in file_fill(us.king | beside(us.king)) & Bitboard(0xff) {
        let column = file_fill(bit(file)) & ahead;
        let nearest = |pawns: Bitboard| (pawns & column).first();
        let rank = |pawn: Option<Square>| pawn.map_or(0, |pawn| pawn.rank() as usize);
        let (our_pawn, their_pawn) = (nearest(us.pawns), nearest(them.pawns));
        let (ours, theirs) = (rank(our_pawn), rank(their_pawn));
        let on = |pawn: Option<Square>| On(1, pawn.map_or(column, bit));
        let index = file as usize & 7;
        let row = 8 * index.min(7 - index);
        count!(tally, us, shelter[row + ours], on(our_pawn));
        count!(tally, us, storm[row + theirs], on(their_pawn));
        if ours > 0 && theirs == ours + 1 {
            count!(tally, us, storm_blocked[theirs], on(their_pawn));
        }
    }
    let file = file_fill(us.king);
    count!(tally, us, king_half_open_file[0], On((file & us.pawns).is_empty(), file));
    let flank = file_fill(king_fill(king_fill(us.king)));
    count!(tally, us, pawnless_flank[0], On((flank & us.pawns).is_empty(), flank));
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::chess::Color;
    use crate::eval::trace;

    /// A castling right counts by the pawns in front of the king's target square.
    #[test]
    fn castling_rights_are_counted_by_wing_and_shelter() {
        let counts = |fen: &str, side: Color| {
            let position = Position::from_fen(fen).expect("a legal FEN");
            trace(&position).counts.get(side).castling
        };
        let start = Position::start().fen();
        assert_eq!(counts(&start, Color::White), [0, 0, 0, 1, 0, 0, 0, 1]);
        assert_eq!(counts(&start, Color::Black), [0, 0, 0, 1, 0, 0, 0, 1]);
        let fen = "r3k2r/pp5p/6p1/8/6P1/5P2/8/R3K2R w KQq - 0 1";
        assert_eq!(counts(fen, Color::White), [0, 1, 0, 0, 1, 0, 0, 0], "f3; none");
        assert_eq!(counts(fen, Color::Black), [0, 0, 0, 0, 0, 1, 0, 0], "b7");
    }
}
