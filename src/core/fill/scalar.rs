//! Rays one direction at a time, in plain integers: the definition against which every other
//! backend is tested.
//!
//! *Dumb7fill* (Chess Programming Wiki): seven times one step of shift-and-mask, along one ray
//! direction, for all sliders of a set at once. An *occluded fill* holds the sliders and the empty
//! squares they slide over; one more step gives the *attack fill*, without the sliders and with
//! the blockers. Two rooks look north, one of them at a blocker on c6:
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::{Square, bit, diagram};
//! use freshet::fill::{Direction, scalar};
//!
//! let rooks = bit(Square::C3) | bit(Square::F5);
//! let empty = !(rooks | bit(Square::C6));
//! assert_eq!(
//!     diagram(scalar::occluded(Direction::North, rooks, empty)).to_string(),
//!     ". . . . . x . .
//! . . . . . x . .
//! . . . . . x . .
//! . . x . . x . .
//! . . x . . . . .
//! . . x . . . . .
//! . . . . . . . .
//! . . . . . . . ."
//! );
//! assert_eq!(
//!     diagram(scalar::attacks(Direction::North, rooks, empty)).to_string(),
//!     ". . . . . x . .
//! . . . . . x . .
//! . . x . . x . .
//! . . x . . . . .
//! . . x . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . ."
//! );
//! ```

use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor};

use super::direction::{Direction, KNIGHT_SHIFT, KNIGHT_WRAP, SHIFT, WRAP};
use super::pair::pairs_one_by_one;
use super::waves::{king_attacks, knight_attacks};
use crate::chess::{Bitboard, Square, bit};

/// The occluded fill of `sliders` over `empty` in one direction, in its unrolled form of seven
/// cycles.
#[inline(always)]
pub const fn occluded(direction: Direction, sliders: Bitboard, empty: Bitboard) -> Bitboard {
    let lane = direction.lane();
    occluded_rotate(sliders, empty, SHIFT[lane], WRAP[lane])
}

/// The occluded fill as a generalized ray (Chess Programming Wiki): a direction is a rotation to
/// the left, here by `shift`, and a mask of the squares on which its steps may end, here `wrap`.
/// Directions differ only in these two, so SIMD lanes can share the code.
///
/// ```
/// # extern crate freshet_core as freshet;
/// use freshet::chess::{Square, bit};
/// use freshet::fill::scalar::{occluded, occluded_rotate};
/// use freshet::fill::{Direction, SHIFT, WRAP};
///
/// let (bishop, blocker) = (bit(Square::C1), bit(Square::G5));
/// for direction in Direction::ALL {
///     let lane = direction.lane();
///     assert_eq!(
///         occluded_rotate(bishop, !blocker, SHIFT[lane], WRAP[lane]),
///         occluded(direction, bishop, !blocker),
///     );
/// }
/// ```
#[inline(always)]
pub const fn occluded_rotate(
    sliders: Bitboard,
    empty: Bitboard,
    shift: u32,
    wrap: Bitboard,
) -> Bitboard {
    let mut flood = sliders.0;
    let propagator = empty.0 & wrap.0;
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    flood |= propagator & flood.rotate_left(shift);
    // The wrap mask stays out of the sliders themselves, which may stand on a masked edge.
    Bitboard(flood | (propagator & flood.rotate_left(shift)))
}

/// The occluded fill in its loop form, which ends as soon as the flood no longer grows.
///
/// ```
/// # extern crate freshet_core as freshet;
/// use freshet::chess::{Square, bit};
/// use freshet::fill::Direction;
/// use freshet::fill::scalar::occluded_loop;
///
/// let (bishop, blocker) = (bit(Square::C1), bit(Square::F4));
/// let fill = occluded_loop(Direction::NorthEast, bishop, !blocker);
/// assert_eq!(fill, bit(Square::C1) | bit(Square::D2) | bit(Square::E3));
/// ```
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

/// The weights that [`weigh`] adds up, one for each square of the board, in order.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct SquareTable(pub [i8; 64]);

/// Writes `base + SCALE * square` for every square of the set, lowest first, and returns the number
/// of words written. The set must not have more than 32 squares.
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

/// The sums of the weights of all squares of all sets, by the first and by the second table of each
/// set's pair.
#[inline(always)]
pub fn weigh<const N: usize>(sets: &[Bitboard; N], tables: &[&[SquareTable; 2]; N]) -> [i32; 2] {
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

/// Eight sets, one for each direction, in lanes numbered as [`Direction`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Rays([u64; 8]);

impl Rays {
    pairs_one_by_one!();

    /// Whether counting the squares of all lanes ([`Rays::count_with`]) costs little more than
    /// counting one set. Then knight moves are best counted in lanes as well.
    pub const COUNTS_LANES: bool = false;

    /// Nothing in any lane.
    pub const EMPTY: Rays = Rays([0; 8]);

    /// The lanes from eight words of memory.
    #[inline(always)]
    pub fn load(words: &[u64; 8]) -> Rays {
        Rays(*words)
    }

    /// The lanes in place, as eight words of memory.
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

    /// The sliders in the lanes along which they move: rooks and queens in `orthogonal`, bishops
    /// and queens in `diagonal`.
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

    /// The attack fill of every lane's sliders over `empty`: an occluded fill and one step.
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

    /// The moves of the knights of a set, one of the eight knight directions in each lane.
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

    /// The attacks of a side's king, pawns and knights. Only their union is defined, not how they
    /// spread over the lanes. `pawn_lanes` are the two lanes in whose directions the pawns capture,
    /// as bits.
    #[inline(always)]
    pub fn leaper_attacks(
        king: Bitboard,
        pawns: Bitboard,
        pawn_lanes: u8,
        knights: Bitboard,
    ) -> Rays {
        let first = pawn_lanes.trailing_zeros() as usize;
        let captures = |lane: usize| pawns.0.rotate_left(SHIFT[lane]) & WRAP[lane].0;
        let near = king_attacks(king).0 | captures(first) | captures(first + 1);
        Rays([near | knight_attacks(knights).0, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The rays from a square over an empty board, without a fill: each is a ray from a corner,
    /// shifted.
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

    /// Each lane swapped with its opposite.
    #[inline(always)]
    pub fn reversed(self) -> Rays {
        let [n, e, ne, nw, s, w, sw, se] = self.0;
        Rays([s, w, sw, se, n, e, ne, nw])
    }

    /// The union of all lanes.
    #[inline(always)]
    pub fn union(self) -> Bitboard {
        let [n, e, ne, nw, s, w, sw, se] = self.0;
        Bitboard(((n | e) | (ne | nw)) | ((s | w) | (sw | se)))
    }

    /// The unions of all lanes of this set and of another, for little more than the cost of one.
    #[inline(always)]
    pub fn unions(self, other: Rays) -> (Bitboard, Bitboard) {
        (self.union(), other.union())
    }

    /// The squares that are in more than one lane.
    #[inline(always)]
    fn overlaps(self) -> Bitboard {
        let (mut once, mut twice) = (0, 0);
        let mut lane = 0;
        while lane < 8 {
            twice |= once & self.0[lane];
            once |= self.0[lane];
            lane += 1;
        }
        Bitboard(twice)
    }

    /// The unions of the four rook lanes and of the four bishop lanes.
    #[inline(always)]
    pub fn by_line(self) -> (Bitboard, Bitboard) {
        (self.orthogonal(), self.diagonal())
    }

    /// The union of the four rook lanes.
    #[inline(always)]
    pub fn orthogonal(self) -> Bitboard {
        let [n, e, _, _, s, w, _, _] = self.0;
        Bitboard(n | e | s | w)
    }

    /// The union of the four bishop lanes.
    #[inline(always)]
    pub fn diagonal(self) -> Bitboard {
        let [_, _, ne, nw, _, _, sw, se] = self.0;
        Bitboard(ne | nw | sw | se)
    }

    /// The number of squares in all lanes together: of slider attacks, the number of moves.
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

    /// The number of squares in all lanes of this and of another together.
    #[inline(always)]
    pub fn count_with(self, other: Rays) -> u32 {
        self.count() + other.count()
    }

    /// The lanes in which the two have a square in common, as bits.
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

    /// The chosen lanes, given as bits; the others become empty.
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

    /// The lanes that hold `square`, as bits.
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
