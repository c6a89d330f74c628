//! Territory: space, control of squares, squares in reach, and driving a bare king to the edge.

use super::side::Side;
use super::tally::{On, Tally, Tracer, count, count_both};
use crate::chess::{Bitboard, Square};
use crate::fill::{Pair, Rays, per_lane};

/// The squares a side controls and can reach, computed from both sides' attacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Territory<S> {
    /// Squares we control: our least valuable attacker is less valuable than the enemy's, or the
    /// enemy has none.
    pub(super) controlled: S,
    /// Squares our knights, bishops and rooks attack after one safe move and not now.
    pub(super) second_wave: S,
    /// Squares our king reaches within three moves over squares the enemy does not attack.
    pub(super) king_wave: S,
}

impl Territory<Pair> {
    /// The territory of both sides.
    #[inline(always)]
    pub(super) fn new(us: &Side<Pair>, them: &Side<Pair>) -> Territory<Pair> {
        // From the least valuable attacker up: the first side to attack a square with a class of
        // pieces controls it. If both sides attack with the same class, neither does.
        let ours =
            [us.by_pawns, us.by_knights | us.by_bishops, us.by_rooks, us.by_queens, us.by_king];
        let theirs = [
            them.by_pawns,
            them.by_knights | them.by_bishops,
            them.by_rooks,
            them.by_queens,
            them.by_king,
        ];
        let mut controlled = Pair::both(Bitboard::EMPTY);
        let mut decided = controlled;
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            controlled |= ours & !theirs & !decided;
            decided |= ours | theirs;
        }

        let empty = !(us.all | them.all);
        let safe = (controlled | !them.attacked) & !us.all;
        let (rooks, bishops) = (us.by_rooks & safe, us.by_bishops & safe);
        let knights = us.by_knights & safe;
        let second = Rays::pair_unions(per_lane(|lane| {
            let sliders = Rays::sliders(rooks.lane(lane), bishops.lane(lane));
            sliders.attacks(empty.lane(lane)) | Rays::knight_attacks(knights.lane(lane))
        }));

        let path = !(them.attacked | us.pawns);
        let mut king_wave = us.king;
        for _ in 0..3 {
            king_wave |= king_wave.king_attacks() & path;
        }
        Territory { controlled, second_wave: second & !us.attacked, king_wave }
    }

    /// The territory of the side in lane 0 or 1.
    #[inline(always)]
    pub(super) fn of<const LANE: usize>(&self) -> Territory<Bitboard> {
        Territory {
            controlled: self.controlled.lane(LANE),
            second_wave: self.second_wave.lane(LANE),
            king_wave: self.king_wave.lane(LANE),
        }
    }
}

/// Counts the group for both sides.
#[inline(always)]
pub(super) fn count(us: &Side<Pair>, them: &Side<Pair>, tally: &mut Tally<impl Tracer>) {
    let middle = Pair::both(Bitboard(0x0000_0000_3c3c_3c00));
    let safe = middle & !us.pawns & !them.by_pawns;
    let behind = safe & us.pawns.south_fill() & !them.attacked;
    let squares = safe.count() + behind.count();
    let pieces = (us.all & !us.pawns).count().lanes();
    let indices = pieces.map(|pieces| pieces.clamp(1, 8) as usize - 1);
    count_both!(tally, us, space[indices], On(squares, safe));

    // Rare, so first test both sides at once.
    if pieces.into_iter().any(|pieces| pieces == 1) {
        count_bare_king(&us.of::<0>(), &them.of::<0>(), tally);
        count_bare_king(&us.of::<1>(), &them.of::<1>(), tally);
    }
}

/// Counts the mating of a bare king.
#[inline(never)]
fn count_bare_king(us: &Side<Bitboard>, them: &Side<Bitboard>, tally: &mut Tally<impl Tracer>) {
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
