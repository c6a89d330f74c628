//! Material: piece values, and imbalance (pairs of pieces worth more or less than the sum of their
//! values).
//!
//! Both depend only on piece counts, which seldom change, so each thread caches their sums by piece
//! counts (a material hash table).

use super::phased::Phased;
use super::side::Side;
use super::tally::{On, Sum, Tally, Tracer, count, count_both};
use crate::board::Position;
use crate::chess::{Bitboard, Color, Role};
use crate::fill::{Counts, Pair};

/// Counts the terms of the group that depend on more than piece counts, for both sides.
#[inline(always)]
pub(super) fn count(us: &Side<Pair>, tally: &mut Tally<impl Tracer>) {
    let light = (us.bishops & Pair::both(Bitboard::LIGHT_SQUARES)).nonempty();
    let dark = (us.bishops & Pair::both(Bitboard::DARK_SQUARES)).nonempty();
    count_both!(tally, us, bishop_pair[0], On(light.times(dark), us.bishops));
    count_both!(tally, us, tempo[0], Counts::new([1, 0]));
}

/// The numbers of pawns, knights, bishops, rooks and queens, six bits each: White's in the lowest
/// 30 bits, Black's in the next 30.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable)]
struct PieceCounts(u64);

/// The roles that are counted, in the order of the weights.
pub(super) const ROLES: [Role; 5] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl PieceCounts {
    #[inline(always)]
    fn of(position: &Position) -> PieceCounts {
        let mut counts = 0;
        for side in [Color::Black, Color::White] {
            for role in ROLES.into_iter().rev() {
                counts = counts << 6 | position.set(side, role).count() as u64;
            }
        }
        PieceCounts(counts)
    }

    fn side(self, side: Color) -> SideCounts {
        let counts = self.0 >> if side.is_white() { 0 } else { 30 };
        SideCounts {
            color: side,
            lane: usize::from(!side.is_white()),
            counts: std::array::from_fn(|role| (counts >> (6 * role) & 63) as i32),
        }
    }
}

/// The numbers of one side's pawns, knights, bishops, rooks and queens.
struct SideCounts {
    color: Color,
    /// The lane of its sums: 0 for White, 1 for Black.
    lane: usize,
    counts: [i32; 5],
}

impl SideCounts {
    /// Whether there are more pieces than the promotions of eight pawns can make.
    fn is_impossible(&self) -> bool {
        let [_, knights, bishops, rooks, queens] = self.counts;
        let promoted = |count: i32, at_first: i32| (count - at_first).max(0);
        let promoted = [(knights, 2), (bishops, 2), (rooks, 2), (queens, 1)]
            .map(|(count, at_first)| promoted(count, at_first));
        promoted.iter().sum::<i32>() > 8
    }
}

/// The evaluation terms that depend only on piece counts.
#[derive(Clone, Copy, Debug, bytemuck::Zeroable)]
pub(super) struct MaterialTerms {
    /// The value for White, less that for Black.
    pub(super) value: Phased,
    /// The phase of the game by the pieces left: minor pieces 1, rooks 2, queens 4, at most
    /// [`FULL_PHASE`](super::FULL_PHASE).
    pub(super) phase: i32,
    /// A side has more pieces than any game can give it, so the sums of the evaluation might
    /// overflow [`Phased`]. The value is 0.
    pub(super) impossible: bool,
}

impl MaterialTerms {
    /// Counts all terms that depend only on piece counts. Overwrites the value of the tally.
    pub(super) fn count(position: &Position, tally: &mut Tally<impl Tracer>) -> MaterialTerms {
        MaterialTerms::of_counts(PieceCounts::of(position), tally)
    }

    fn of_counts(counts: PieceCounts, tally: &mut Tally<impl Tracer>) -> MaterialTerms {
        let (white, black) = (counts.side(Color::White), counts.side(Color::Black));
        if white.is_impossible() || black.is_impossible() {
            return MaterialTerms {
                value: Phased::ZERO,
                phase: super::FULL_PHASE,
                impossible: true,
            };
        }
        tally.value = Sum::zero();
        for (us, them) in [(&white, &black), (&black, &white)] {
            count_pieces(us, them, tally);
        }
        let [white_value, black_value] = tally.value.lanes();
        let phase = [white, black]
            .iter()
            .map(|SideCounts { counts: [_, knights, bishops, rooks, queens], .. }| {
                knights + bishops + 2 * rooks + 4 * queens
            })
            .sum::<i32>()
            .min(super::FULL_PHASE);
        MaterialTerms { value: white_value - black_value, phase, impossible: false }
    }
}

/// Counts piece values and imbalance for one side.
fn count_pieces(us: &SideCounts, them: &SideCounts, tally: &mut Tally<impl Tracer>) {
    for (role, count) in us.counts.into_iter().enumerate() {
        count!(tally, us, material[role], count);
    }
    let [pawns, knights, bishops, rooks, queens] = us.counts;
    count!(tally, us, knight_pawns[0], knights * pawns);
    count!(tally, us, rook_pawns[0], rooks * pawns);
    let pairs = |n: i32| n * (n - 1) / 2;
    let own_pairs = [
        pairs(knights),
        bishops * knights,
        rooks * knights,
        rooks * bishops,
        pairs(rooks),
        queens * knights,
        queens * bishops,
        queens * rooks,
        queens * pawns,
        bishops * pawns,
    ];
    for (index, count) in own_pairs.into_iter().enumerate() {
        count!(tally, us, imbalance_own[index], count);
    }
    let [their_pawns, their_knights, their_bishops, their_rooks, _] = them.counts;
    let enemy_pairs = [
        knights * their_pawns,
        bishops * their_pawns,
        rooks * their_pawns,
        queens * their_pawns,
        bishops * their_knights,
        rooks * their_knights,
        rooks * their_bishops,
        queens * their_knights,
        queens * their_bishops,
        queens * their_rooks,
    ];
    for (index, count) in enemy_pairs.into_iter().enumerate() {
        count!(tally, us, imbalance_enemy[index], count);
    }
}

/// An entry of the table. An all-zero entry is correct for two bare kings, so an empty table needs
/// no marks.
#[derive(bytemuck::Zeroable)]
struct Slot {
    counts: PieceCounts,
    terms: MaterialTerms,
}

/// The logarithm of the number of entries.
const SIZE_BITS: u32 = 11;

/// Direct-mapped: a new entry replaces the one in its slot.
#[derive(bytemuck::Zeroable)]
pub(super) struct MaterialTable([Slot; 1 << SIZE_BITS]);

impl MaterialTable {
    /// The terms of a position, from the table or counted anew with the tracer's weights.
    #[inline(always)]
    pub(super) fn get(&mut self, position: &Position, tracer: impl Tracer) -> MaterialTerms {
        let counts = PieceCounts::of(position);
        // Fibonacci hashing: the highest bits of the product depend on all bits of the counts.
        let index = counts.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SIZE_BITS);
        let slot = &mut self.0[index as usize];
        if slot.counts != counts {
            *slot = Slot { counts, terms: count_anew(counts, tracer) };
        }
        slot.terms
    }
}

/// Counts the terms for the table. Not inlined, since misses are rare.
#[inline(never)]
fn count_anew(counts: PieceCounts, tracer: impl Tracer) -> MaterialTerms {
    MaterialTerms::of_counts(counts, &mut Tally::new(tracer))
}
