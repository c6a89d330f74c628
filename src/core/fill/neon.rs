//! Eight directions at once in four NEON registers of two lanes each.
//!
//! `ushl` shifts each lane by an amount of its own, to the left or, by a negative amount, to the
//! right, so that one instruction takes a step north in one lane and east in the other. The
//! functions and their meaning are those of [`super::scalar`]. NEON is part of every aarch64
//! processor.

use std::arch::aarch64::*;
use std::ops::{BitAnd, BitOr, BitXor};

use super::direction::{Direction, KNIGHT_WRAP, NOT_A, NOT_H};
use super::pair::pairs_one_by_one;
use super::scalar::SquareTable;
pub use super::scalar::expand;
use crate::chess::{Bitboard, Square};

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: the `cfg` at `mod neon` compiles this module only into builds whose target has
        // NEON, which all processors of the architecture have. Loads and stores go through pointers
        // to arrays that are at least as large: two words at index 0, 2, 4 or 6 of eight, 16 bytes
        // at offset 0, 16, 32 or 48 of a `SquareTable`, 16 bytes or eight words of 16 bits.
        unsafe { $($code)* }
    };
}

/// The sums of the weights of all squares of all sets, by the first and by the second table of each
/// set's pair. Two bytes of a set are spread over a register and become a mask of the weights.
#[inline(always)]
pub fn weigh<const N: usize>(sets: &[Bitboard; N], tables: &[&[SquareTable; 2]; N]) -> [i32; 2] {
    // A word of 16 bits holds the sum of eight weights, -128 to 127 each, of fewer than 32 sets.
    const { assert!(N < 32) };
    simd! {
        let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
        let mut sums = [vdupq_n_s16(0); 2];
        for (set, &pair) in sets.iter().zip(tables) {
            let bytes = set.0.to_le_bytes();
            for quarter in 0..4 {
                let part = vcombine_u8(vdup_n_u8(bytes[2 * quarter]), vdup_n_u8(bytes[2 * quarter + 1]));
                let members = vreinterpretq_s8_u8(vtstq_u8(part, bits));
                for (sum, table) in sums.iter_mut().zip(pair) {
                    let weights = vld1q_s8(table.0.as_ptr().add(16 * quarter));
                    *sum = vpadalq_s8(*sum, vandq_s8(members, weights));
                }
            }
        }
        sums.map(|sum| vaddlvq_s16(sum))
    }
}

/// Eight sets, one for each direction, two in each register, in lanes numbered as [`Direction`] is.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Rays([uint64x2_t; 4]);

#[inline(always)]
fn two(low: u64, high: u64) -> uint64x2_t {
    simd! { vcombine_u64(vcreate_u64(low), vcreate_u64(high)) }
}

/// Eight words, two in each register.
#[inline(always)]
fn eight([a, b, c, d, e, f, g, h]: [u64; 8]) -> [uint64x2_t; 4] {
    [two(a, b), two(c, d), two(e, f), two(g, h)]
}

/// Eight amounts of a shift, two in each register: to the left, or to the right if negative.
#[inline(always)]
fn amounts([a, b, c, d, e, f, g, h]: [i64; 8]) -> [int64x2_t; 4] {
    let pair = |low: i64, high: i64| simd! { vreinterpretq_s64_u64(two(low as u64, high as u64)) };
    [pair(a, b), pair(c, d), pair(e, f), pair(g, h)]
}

/// How far one, two and four steps shift each lane.
const STEP: [i64; 8] = [8, 1, 9, 7, -8, -1, -9, -7];
const TWO_STEPS: [i64; 8] = [16, 2, 18, 14, -16, -2, -18, -14];
const FOUR_STEPS: [i64; 8] = [32, 4, 36, 28, -32, -4, -36, -28];

/// The squares on which a step may end. A shift drops squares that leave the board by rank; files
/// need the mask.
#[inline(always)]
fn wrap() -> [uint64x2_t; 4] {
    eight([!0, NOT_A, NOT_A, NOT_H, !0, NOT_H, NOT_H, NOT_A])
}

/// The two words of a register as sets.
#[inline(always)]
fn two_sets(words: uint64x2_t) -> (Bitboard, Bitboard) {
    simd! { (Bitboard(vgetq_lane_u64::<0>(words)), Bitboard(vgetq_lane_u64::<1>(words))) }
}

/// The union of the two lanes of each of two registers.
#[inline(always)]
fn union_two(a: uint64x2_t, b: uint64x2_t) -> (Bitboard, Bitboard) {
    simd! { two_sets(vorrq_u64(vzip1q_u64(a, b), vzip2q_u64(a, b))) }
}

/// The union of the two lanes of a register.
#[inline(always)]
fn union_one(lanes: uint64x2_t) -> Bitboard {
    simd! { Bitboard(vget_lane_u64::<0>(vorr_u64(vget_low_u64(lanes), vget_high_u64(lanes)))) }
}

impl Rays {
    pairs_one_by_one!();

    /// Whether counting the squares of all lanes ([`Rays::count_with`]) costs little more than
    /// counting one set. Then knight moves are best counted in lanes as well.
    pub const COUNTS_LANES: bool = true;

    /// Nothing in any lane.
    // SAFETY: a register is valid with any bits, zero among them.
    pub const EMPTY: Rays = Rays(unsafe { std::mem::zeroed() });

    #[inline(always)]
    fn zip(self, other: Rays, f: impl Fn(uint64x2_t, uint64x2_t) -> uint64x2_t) -> Rays {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Rays([f(a, e), f(b, g), f(c, h), f(d, i)])
    }

    /// Each lane shifted by its own amount.
    #[inline(always)]
    fn shifted(self, [a, b, c, d]: [int64x2_t; 4]) -> Rays {
        let [e, f, g, h] = self.0;
        simd! { Rays([vshlq_u64(e, a), vshlq_u64(f, b), vshlq_u64(g, c), vshlq_u64(h, d)]) }
    }

    /// The unions of opposite lanes: north and south beside east and west, and the diagonals.
    #[inline(always)]
    fn lines(self) -> (uint64x2_t, uint64x2_t) {
        let [a, b, c, d] = self.0;
        simd! { (vorrq_u64(a, c), vorrq_u64(b, d)) }
    }

    /// The number of squares in each byte of all lanes together.
    #[inline(always)]
    fn counts(self) -> uint8x16_t {
        simd! {
            let [a, b, c, d] = self.0;
            let count = |pair: uint64x2_t| vcntq_u8(vreinterpretq_u8_u64(pair));
            vaddq_u8(vaddq_u8(count(a), count(b)), vaddq_u8(count(c), count(d)))
        }
    }

    /// The lanes from eight words of memory.
    #[inline(always)]
    pub fn load(words: &[u64; 8]) -> Rays {
        simd! {
            let words = words.as_ptr();
            let (a, b) = (vld1q_u64(words), vld1q_u64(words.add(2)));
            Rays([a, b, vld1q_u64(words.add(4)), vld1q_u64(words.add(6))])
        }
    }

    /// The lanes in place, as eight words of memory.
    #[inline(always)]
    pub fn words(&self) -> &[u64; 8] {
        // SAFETY: four registers are 64 bytes without padding, in which any bits are valid words,
        // and they are aligned more strictly than words. `Rays` holds nothing else.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// A set in the first lane, nothing in the others.
    #[inline(always)]
    pub fn first(set: Bitboard) -> Rays {
        let [_, b, c, d] = Rays::EMPTY.0;
        Rays([two(set.0, 0), b, c, d])
    }

    /// One set in all lanes.
    #[inline(always)]
    pub fn all(set: Bitboard) -> Rays {
        simd! { Rays([vdupq_n_u64(set.0); 4]) }
    }

    /// The sliders in the lanes along which they move: rooks and queens in `orthogonal`, bishops
    /// and queens in `diagonal`.
    #[inline(always)]
    pub fn sliders(orthogonal: Bitboard, diagonal: Bitboard) -> Rays {
        simd! {
            let (o, d) = (vdupq_n_u64(orthogonal.0), vdupq_n_u64(diagonal.0));
            Rays([o, d, o, d])
        }
    }

    /// The eight sets as they are.
    #[inline(always)]
    pub fn from_lanes(lanes: [Bitboard; 8]) -> Rays {
        Rays(eight(lanes.map(|set| set.0)))
    }

    /// The eight sets, in the order of the lanes.
    #[inline(always)]
    pub fn lanes(self) -> [Bitboard; 8] {
        self.words().map(Bitboard)
    }

    /// The set of one lane.
    #[inline(always)]
    pub fn lane(self, direction: Direction) -> Bitboard {
        self.lanes()[direction.lane()]
    }

    /// The attack fill of every lane's sliders over `empty`, in the doubling form of Kogge and
    /// Stone. A cycle of dumb7fill takes three instructions here, not two as with AVX-512. So three
    /// doubling cycles, plus two that double the open squares, are shorter than six cycles of
    /// dumb7fill.
    #[inline(always)]
    pub fn attacks(self, empty: Bitboard) -> Rays {
        let (one, two, four) = (amounts(STEP), amounts(TWO_STEPS), amounts(FOUR_STEPS));
        let mut open = Rays::all(empty) & Rays(wrap());
        let mut flood = self | (open & self.shifted(one));
        open = open & open.shifted(one);
        flood = flood | (open & flood.shifted(two));
        open = open & open.shifted(two);
        flood = flood | (open & flood.shifted(four));
        flood.step()
    }

    /// Every lane's set one step further: a king's move in each direction.
    #[inline(always)]
    pub fn step(self) -> Rays {
        self.shifted(amounts(STEP)) & Rays(wrap())
    }

    /// The moves of the knights of a set, one of the eight knight directions in each lane.
    #[inline(always)]
    pub fn knight_attacks(knights: Bitboard) -> Rays {
        let jumps = amounts([17, 15, 10, 6, -17, -15, -10, -6]);
        Rays::all(knights).shifted(jumps) & Rays(eight(KNIGHT_WRAP))
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
        let scalar =
            super::scalar::Rays::leaper_attacks(king, pawns, pawn_lanes, knights).lanes()[0];
        Rays::first(scalar)
    }

    /// The rays from a square over an empty board, without a fill: each is a ray from a corner,
    /// shifted.
    #[inline(always)]
    pub fn empty_board_rays(square: Square) -> Rays {
        let s = square as i64;
        let file = square as u32 & 7;
        let (right, left) = ((0xfeu64 << file) & 0xff, 0xffu64 >> (8 - file));
        let (east, west) = (0x0101_0101_0101_0101 * right, 0x0101_0101_0101_0101 * left);
        let corners = Rays(eight([
            0x0101_0101_0101_0100,
            0x0000_0000_0000_00fe,
            0x8040_2010_0804_0200,
            0x0002_0408_1020_4080,
            0x0080_8080_8080_8080,
            0x7f00_0000_0000_0000,
            0x0040_2010_0804_0201,
            0x0102_0408_1020_4000,
        ]));
        let (up, down) = simd! { (vdupq_n_s64(s), vdupq_n_s64(s - 63)) };
        let files = Rays(eight([!0, east, east, west, !0, west, west, east]));
        corners.shifted([up, up, down, down]) & files
    }

    /// Each lane swapped with its opposite.
    #[inline(always)]
    pub fn reversed(self) -> Rays {
        let [a, b, c, d] = self.0;
        Rays([c, d, a, b])
    }

    /// The union of all lanes.
    #[inline(always)]
    pub fn union(self) -> Bitboard {
        let (orthogonal, diagonal) = self.lines();
        simd! { union_one(vorrq_u64(orthogonal, diagonal)) }
    }

    /// The unions of all lanes of this set and of another, for little more than the cost of one.
    #[inline(always)]
    pub fn unions(self, other: Rays) -> (Bitboard, Bitboard) {
        let ((a, b), (c, d)) = (self.lines(), other.lines());
        simd! { union_two(vorrq_u64(a, b), vorrq_u64(c, d)) }
    }

    /// The squares that are in more than one lane.
    #[inline(always)]
    fn overlaps(self) -> Bitboard {
        simd! {
            let [a, b, c, d] = self.0;
            let (once, twice) = (vorrq_u64(a, b), vandq_u64(a, b));
            let (more, shared) = (vorrq_u64(c, d), vandq_u64(c, d));
            let twice = vorrq_u64(vorrq_u64(twice, shared), vandq_u64(once, more));
            let once = vorrq_u64(once, more);
            let both = vand_u64(vget_low_u64(once), vget_high_u64(once));
            union_one(twice) | Bitboard(vget_lane_u64::<0>(both))
        }
    }

    /// The unions of the four rook lanes and of the four bishop lanes.
    #[inline(always)]
    pub fn by_line(self) -> (Bitboard, Bitboard) {
        let (orthogonal, diagonal) = self.lines();
        union_two(orthogonal, diagonal)
    }

    /// The union of the four rook lanes.
    #[inline(always)]
    pub fn orthogonal(self) -> Bitboard {
        union_one(self.lines().0)
    }

    /// The union of the four bishop lanes.
    #[inline(always)]
    pub fn diagonal(self) -> Bitboard {
        union_one(self.lines().1)
    }

    /// The number of squares in all lanes together: of slider attacks, the number of moves.
    #[inline(always)]
    pub fn count(self) -> u32 {
        simd! { u32::from(vaddlvq_u8(self.counts())) }
    }

    /// The number of squares in all lanes of this and of another together.
    #[inline(always)]
    pub fn count_with(self, other: Rays) -> u32 {
        simd! { u32::from(vaddlvq_u8(vaddq_u8(self.counts(), other.counts()))) }
    }

    /// The lanes in which the two have a square in common, as bits.
    #[inline(always)]
    pub fn meeting(self, other: Rays) -> u8 {
        simd! {
            let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
            let north = narrowed(vtstq_u64(a, e), vtstq_u64(b, f));
            let south = narrowed(vtstq_u64(c, g), vtstq_u64(d, h));
            let lanes = vuzp1q_u16(vreinterpretq_u16_u32(north), vreinterpretq_u16_u32(south));
            const BITS: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
            vaddvq_u16(vandq_u16(lanes, vld1q_u16(BITS.as_ptr()))) as u8
        }
    }

    /// The chosen lanes, given as bits; the others become empty.
    #[inline(always)]
    pub fn only(self, chosen: u8) -> Rays {
        simd! {
            let chosen = vdupq_n_u64(u64::from(chosen));
            let [a, b, c, d] = eight([1, 2, 4, 8, 16, 32, 64, 128]);
            let mask = |bits: uint64x2_t| vtstq_u64(chosen, bits);
            self & Rays([mask(a), mask(b), mask(c), mask(d)])
        }
    }

    /// The lanes that hold `square`, as bits.
    #[inline(always)]
    pub fn holding(self, square: Square) -> u8 {
        self.meeting(Rays::all(crate::chess::bit(square)))
    }
}

/// The lower half of each of four lanes, which are all ones or all zeros.
#[inline(always)]
fn narrowed(a: uint64x2_t, b: uint64x2_t) -> uint32x4_t {
    simd! { vuzp1q_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b)) }
}

impl BitAnd for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitand(self, other: Rays) -> Rays {
        self.zip(other, |a, b| simd! { vandq_u64(a, b) })
    }
}

impl BitOr for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitor(self, other: Rays) -> Rays {
        self.zip(other, |a, b| simd! { vorrq_u64(a, b) })
    }
}

impl BitXor for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitxor(self, other: Rays) -> Rays {
        self.zip(other, |a, b| simd! { veorq_u64(a, b) })
    }
}
