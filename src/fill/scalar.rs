//! Rays one direction at a time: the definition every other backend is tested against.
//!
//! *Dumb7fill* (Chess Programming Wiki): seven times one step of shift-and-mask, along one ray
//! direction, for all sliders of a set at once. An *occluded fill* holds the sliders and the empty
//! squares they slide over; one more step gives the *attack fill*, without the sliders and with the
//! blockers.

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor};

use super::waves::{king_attacks, knight_attacks};
use super::{Direction, KNIGHT_SHIFT, KNIGHT_WRAP, SHIFT, SquareTable, WRAP};
use crate::chess::{Bitboard, Square, bit};

/// The occluded fill of `sliders` over `empty` in one direction, in its unrolled form: seven cycles.
#[inline(always)]
pub const fn occluded(direction: Direction, sliders: Bitboard, empty: Bitboard) -> Bitboard {
    let lane = direction.lane();
    occluded_rotate(sliders.0, empty.0, SHIFT[lane], WRAP[lane].0)
}

/// The generalised ray of the same fill: a rotation and the mask of the squares that are no wrap
/// around the edge. Directions differ in nothing else, which is what lets SIMD lanes share the code.
#[inline(always)]
const fn occluded_rotate(mut flood: u64, empty: u64, shift: u32, wrap: u64) -> Bitboard {
    let propagator = empty & wrap;
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    // An occluded fill holds its sliders, which may stand on a masked edge: they were never masked.
    Bitboard(flood | (propagator & flood.rotate_left(shift)))
}

/// The same fill in its loop form: it ends as soon as the flood no longer grows.
pub fn occluded_loop(direction: Direction, sliders: Bitboard, empty: Bitboard) -> Bitboard {
    let mut flood = sliders;
    let mut edge = sliders;
    while edge.any() {
        edge = direction.step(edge) & empty & !flood;
        flood |= edge;
    }
    flood
}

/// The attack fill: every square that a slider of the set attacks in this direction.
#[inline(always)]
pub const fn attacks(direction: Direction, sliders: Bitboard, empty: Bitboard) -> Bitboard {
    direction.step(occluded(direction, sliders, empty))
}

/// Writes `base + SCALE * square` for every square of the set, lowest first, and says how many. The set must not
/// have more than 32 squares.
#[inline(always)]
pub fn expand<const SCALE: u16>(
    set: Bitboard,
    base: u16,
    out: &mut [MaybeUninit<u16>; 32],
) -> usize {
    let count = set.count().min(32);
    let mut left = set.0;
    for slot in &mut out[..count] {
        slot.write(base.wrapping_add(SCALE.wrapping_mul(left.trailing_zeros() as u16)));
        left &= left - 1;
    }
    count
}

/// For each set its squares' weights, all added up: of the first table of its pair and of the second.
#[inline(always)]
pub fn weigh<const N: usize>(sets: &[Bitboard; N], tables: &[[SquareTable; 2]; N]) -> [i32; 2] {
    let mut sums = [0; 2];
    for (&set, [first, second]) in sets.iter().zip(tables) {
        let mut left = set.0;
        while left != 0 {
            let square = left.trailing_zeros() as usize;
            sums[0] += i32::from(first.0[square]);
            sums[1] += i32::from(second.0[square]);
            left &= left - 1;
        }
    }
    sums
}

/// Eight sets, one for each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Rays([u64; 8]);

impl Rays {
    /// Counting eight lanes costs little more than counting one set.
    pub const COUNTS_LANES: bool = false;

    /// Nothing in any lane.
    pub const EMPTY: Rays = Rays([0; 8]);

    /// The eight words of memory as lanes.
    #[inline(always)]
    pub fn load(words: &[u64; 8]) -> Rays {
        Rays(*words)
    }

    /// The lanes where they are, as eight words of memory.
    #[inline(always)]
    pub fn words(&self) -> &[u64; 8] {
        &self.0
    }

    /// A set in the first lane, nothing in the others.
    #[inline(always)]
    pub fn first(set: Bitboard) -> Rays {
        Rays([set.0, 0, 0, 0, 0, 0, 0, 0])
    }

    /// One set in all lanes.
    #[inline(always)]
    pub fn all(set: Bitboard) -> Rays {
        Rays([set.0; 8])
    }

    /// The sliders in the lanes they slide along: rooks and queens in `orthogonal`, bishops and queens
    /// in `diagonal`.
    #[inline(always)]
    pub fn sliders(orthogonal: Bitboard, diagonal: Bitboard) -> Rays {
        let (o, d) = (orthogonal.0, diagonal.0);
        Rays([o, o, d, d, o, o, d, d])
    }

    /// The eight sets as they are.
    #[inline(always)]
    pub fn from_lanes(lanes: [Bitboard; 8]) -> Rays {
        Rays(lanes.map(|set| set.0))
    }

    /// The eight sets, in the order of the lanes.
    #[inline(always)]
    pub fn lanes(self) -> [Bitboard; 8] {
        self.0.map(Bitboard)
    }

    /// The set of one lane.
    #[inline(always)]
    pub fn lane(self, direction: Direction) -> Bitboard {
        Bitboard(self.0[direction.lane()])
    }

    /// The attack fill of every lane's sliders over `empty`: eight dumb7fills and a step.
    #[inline(always)]
    pub fn attacks(self, empty: Bitboard) -> Rays {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] = attacks(Direction::ALL[lane], Bitboard(lanes[lane]), empty).0;
            lane += 1;
        }
        Rays(lanes)
    }

    /// Every lane's set one step further: a king's move in each direction.
    #[inline(always)]
    pub fn step(self) -> Rays {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] = lanes[lane].rotate_left(SHIFT[lane]) & WRAP[lane].0;
            lane += 1;
        }
        Rays(lanes)
    }

    /// The moves of the knights of a set, one of the eight jumps in each lane.
    #[inline(always)]
    pub fn knight_attacks(knights: Bitboard) -> Rays {
        let mut lanes = [knights.0; 8];
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] = lanes[lane].rotate_left(KNIGHT_SHIFT[lane]) & KNIGHT_WRAP[lane];
            lane += 1;
        }
        Rays(lanes)
    }

    /// What king, pawns and knights of a side attack, in no particular lanes: the union is what counts. `pawn_lanes`
    /// are the two directions in which the pawns take.
    #[inline(always)]
    pub fn leaper_attacks(
        king: Bitboard,
        pawns: Bitboard,
        pawn_lanes: u8,
        knights: Bitboard,
    ) -> Rays {
        let one = pawn_lanes.trailing_zeros() as usize;
        let takes = |lane: usize| pawns.0.rotate_left(SHIFT[lane]) & WRAP[lane].0;
        let near = king_attacks(king).0 | takes(one) | takes(one + 1);
        Rays([near | knight_attacks(knights).0, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The rays of one square over an empty board, without a fill: each is a ray from a corner, shifted.
    #[inline(always)]
    pub fn empty_board_rays(square: Square) -> Rays {
        let s = square as u32;
        let (file, rank, back) = (s & 7, s & 56, 63 - s);
        let (right, left) = ((0xfeu64 << file) & 0xff, 0xffu64 >> (8 - file));
        let (east, west) = (0x0101_0101_0101_0101 * right, 0x0101_0101_0101_0101 * left);
        Rays([
            0x0101_0101_0101_0100 << s,
            right << rank,
            (0x8040_2010_0804_0200 << s) & east,
            (0x0002_0408_1020_4080 << s) & west,
            0x0080_8080_8080_8080 >> back,
            left << rank,
            (0x0040_2010_0804_0201 >> back) & west,
            (0x0102_0408_1020_4000 >> back) & east,
        ])
    }

    /// Each lane changed for its opposite.
    #[inline(always)]
    pub fn reversed(self) -> Rays {
        let [n, e, ne, nw, s, w, sw, se] = self.0;
        Rays([s, w, sw, se, n, e, ne, nw])
    }

    /// All lanes in one set.
    #[inline(always)]
    pub fn union(self) -> Bitboard {
        let [n, e, ne, nw, s, w, sw, se] = self.0;
        Bitboard(((n | e) | (ne | nw)) | ((s | w) | (sw | se)))
    }

    /// The union of this and of another, for little more than one of them.
    #[inline(always)]
    pub fn unions(self, other: Rays) -> (Bitboard, Bitboard) {
        (self.union(), other.union())
    }

    /// The four rook lanes in one set and the four bishop lanes in another.
    #[inline(always)]
    pub fn by_line(self) -> (Bitboard, Bitboard) {
        (self.orthogonal(), self.diagonal())
    }

    /// The four rook lanes in one set.
    #[inline(always)]
    pub fn orthogonal(self) -> Bitboard {
        let [n, e, _, _, s, w, _, _] = self.0;
        Bitboard(n | e | s | w)
    }

    /// The four bishop lanes in one set.
    #[inline(always)]
    pub fn diagonal(self) -> Bitboard {
        let [_, _, ne, nw, _, _, sw, se] = self.0;
        Bitboard(ne | nw | sw | se)
    }

    /// The number of squares in all lanes together: where lanes are slider moves, the number of moves.
    #[inline(always)]
    pub fn count(self) -> u32 {
        let mut sum = 0;
        let mut lane = 0;
        while lane < 8 {
            sum += self.0[lane].count_ones();
            lane += 1;
        }
        sum
    }

    /// The number of squares in all lanes of this and of another.
    #[inline(always)]
    pub fn count_with(self, other: Rays) -> u32 {
        self.count() + other.count()
    }

    /// The lanes, one bit each, in which the two have a square in common.
    #[inline(always)]
    pub fn meeting(self, other: Rays) -> u8 {
        let mut lanes = 0;
        let mut lane = 0;
        while lane < 8 {
            lanes |= u8::from(self.0[lane] & other.0[lane] != 0) << lane;
            lane += 1;
        }
        lanes
    }

    /// Only the chosen lanes, one bit each; the others become empty.
    #[inline(always)]
    pub fn only(self, chosen: u8) -> Rays {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] &= u64::from(chosen >> lane & 1).wrapping_neg();
            lane += 1;
        }
        Rays(lanes)
    }

    /// What is in this and not in the other, lane by lane.
    #[inline(always)]
    pub fn without(self, other: Rays) -> Rays {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] &= !other.0[lane];
            lane += 1;
        }
        Rays(lanes)
    }

    /// The lanes that hold `square`, one bit each.
    #[inline(always)]
    pub fn holding(self, square: Square) -> u8 {
        self.meeting(Rays::all(bit(square)))
    }
}

impl BitAnd for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitand(self, other: Rays) -> Rays {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] &= other.0[lane];
            lane += 1;
        }
        Rays(lanes)
    }
}

impl BitOr for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitor(self, other: Rays) -> Rays {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] |= other.0[lane];
            lane += 1;
        }
        Rays(lanes)
    }
}

impl BitXor for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitxor(self, other: Rays) -> Rays {
        let mut lanes = self.0;
        let mut lane = 0;
        while lane < 8 {
            lanes[lane] ^= other.0[lane];
            lane += 1;
        }
        Rays(lanes)
    }
}
