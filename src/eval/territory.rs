//! Territory: space, who controls and reaches which squares first, and driving a bare king to the
//! edge.

use super::side::Side;
use super::tally::{On, Tally, Tracer, count};
use crate::chess::{Bitboard, Square};
use crate::fill::Rays;
use crate::fill::spans::south_fill;
use crate::fill::waves::{Wave, king_attacks, knight_attacks, voronoi};

/// Which squares a side controls and can reach: sets made of both sides' attacks.
#[derive(Clone, Copy, Debug)]
pub struct Territory {
    /// Squares our least valuable attacker controls: the enemy attacks them with nothing, or only
    /// with pieces of more value.
    pub controlled: Bitboard,
    /// Squares our knights, bishops and rooks attack after one safe move and not now.
    pub second_wave: Bitboard,
    /// Squares our king reaches within three moves over squares the enemy does not attack.
    pub king_wave: Bitboard,
}

impl Territory {
    /// The territory of one side.
    #[inline(always)]
    pub fn new(us: &Side, them: &Side) -> Territory {
        // From the least valuable attacker up: the first side to attack a square with a class of
        // pieces that the other does not have there controls it; if both do, nobody does.
        let ours =
            [us.by_pawns, us.by_knights | us.by_bishops, us.by_rooks, us.by_queens, us.by_king];
        let theirs = [
            them.by_pawns,
            them.by_knights | them.by_bishops,
            them.by_rooks,
            them.by_queens,
            them.by_king,
        ];
        let (mut controlled, mut decided) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            controlled |= ours & !theirs & !decided;
            decided |= ours | theirs;
        }

        let occupied = us.all | them.all;
        let safe = (controlled | !them.attacked) & !us.all;
        let sliders = Rays::sliders(us.by_rooks & safe, us.by_bishops & safe).attacks(!occupied);
        let second = sliders.union() | knight_attacks(us.by_knights & safe);

        let path = !(them.attacked | us.pawns);
        let mut king_wave = us.king;
        for _ in 0..3 {
            king_wave |= king_attacks(king_wave) & path;
        }
        Territory { controlled, second_wave: second & !us.attacked, king_wave }
    }
}

/// Counts the group for one side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    let middle = Bitboard(0x0000_0000_3c3c_3c00);
    let safe = middle & !us.pawns & !them.by_pawns;
    let behind = safe & south_fill(us.pawns) & !them.attacked;
    let squares = safe.count() + behind.count();
    let pieces = (us.all & !us.pawns).count().clamp(1, 8);
    count!(tally, us, space[pieces - 1], On(squares, safe));

    if us.has_no_pieces() && them.has_no_pieces() {
        let pawns = us.pawns | them.pawns;
        let (path, their_path) = (!(pawns | them.by_pawns), !(pawns | us.by_pawns));
        let cells =
            voronoi(Wave::new(us.king, path), Wave::new(them.king, their_path), king_attacks);
        count!(tally, us, king_territory[0], cells.first);
    }

    if them.is_bare()
        && let (Some(king), Some(bare)) = (us.king.first(), them.king.first())
    {
        let mating = us.bishops.count() > 1 || (us.bishops.any() && us.knights.any());
        let mating = mating || us.rooks.any() || us.queens.any();
        count!(tally, us, bare_king[0], us.pawns.is_empty() && mating);
        count!(tally, us, bare_king_edge[0], On(centre_distance(bare), them.king));
        count!(tally, us, bare_king_proximity[0], On(7 - king.distance(bare) as i32, us.king));
    }
}

/// Distance of a square from the four central squares, by files and ranks added: 0 to 6.
fn centre_distance(square: Square) -> i32 {
    let away = |line: i32| (2 * line - 7).abs() / 2;
    away(square.file() as i32) + away(square.rank() as i32)
}
