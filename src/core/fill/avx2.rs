//! Eight directions at once in two AVX2 registers: those that go up the board shift left, the
//! others right.
//!
//! The functions and their meaning are those of [`super::scalar`]. This module is compiled only
//! into builds for processors that have AVX2.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor};

use super::direction::{Direction, KNIGHT_WRAP, NOT_A, NOT_H};
use super::pair::Pair;
use super::scalar::SquareTable;
pub use super::scalar::expand;
use crate::chess::{Bitboard, Square};

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: the `cfg` at `mod avx2` compiles this module only into builds whose target has
        // AVX2, and `main` refuses to start on a processor without it (`processor::missing`).
        // Loads and stores go through pointers to arrays that are at least as large: half a
        // `SquareTable` at offset 0 or 32, four words at index 0 or 4 of eight.
        unsafe { $($code)* }
    };
}

/// The sums of the weights of all squares of all sets, by the first and by the second table of each
/// set's pair. A shuffle and a minimum spread the bits of a set over bytes, which are multiplied by
/// the weights.
#[inline(always)]
pub fn weigh<const N: usize>(sets: &[Bitboard; N], tables: &[&[SquareTable; 2]; N]) -> [i32; 2] {
    // A word of 16 bits holds the sum of four weights, -128 to 127 each, of fewer than 64 sets.
    const { assert!(N < 64) };
    simd! {
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let spread = _mm256_setr_epi8(
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
            2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
        );
        let (one, ones) = (_mm256_set1_epi8(1), _mm256_set1_epi16(1));
        let mut sums = [_mm256_setzero_si256(); 2];
        for (set, &pair) in sets.iter().zip(tables) {
            for half in 0..2 {
                let part = _mm256_set1_epi32((set.0 >> (32 * half)) as i32);
                let members = _mm256_and_si256(_mm256_shuffle_epi8(part, spread), bits);
                // One for each member, zero for the others.
                let members = _mm256_min_epu8(members, one);
                for (sum, table) in sums.iter_mut().zip(pair) {
                    let weights = _mm256_loadu_si256(table.0.as_ptr().add(32 * half).cast());
                    *sum = _mm256_add_epi16(*sum, _mm256_maddubs_epi16(members, weights));
                }
            }
        }
        sums.map(|sum| {
            let sum = _mm256_madd_epi16(sum, ones);
            let high = _mm256_extracti128_si256::<1>(sum);
            let half = _mm_add_epi32(_mm256_castsi256_si128(sum), high);
            let half = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
            _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32::<0b10_11_00_01>(half)))
        })
    }
}

/// Eight sets, one for each direction: north, east, north-east and north-west in one register,
/// their opposites in the other.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Rays {
    north: __m256i,
    south: __m256i,
}

#[inline(always)]
fn four(lanes: [u64; 4]) -> __m256i {
    simd! {
        let [a, b, c, d] = lanes.map(|lane| lane as i64);
        _mm256_setr_epi64x(a, b, c, d)
    }
}

#[inline(always)]
fn splat(set: Bitboard) -> __m256i {
    simd! {
        _mm256_set1_epi64x(set.0 as i64)
    }
}

/// Shift amounts of a step, to the left in the first register and to the right in the second.
#[inline(always)]
fn shifts() -> __m256i {
    four([8, 1, 9, 7])
}

/// The squares on which a step up may end. A shift drops squares that leave the board by rank;
/// files need the mask.
#[inline(always)]
fn north_wrap() -> __m256i {
    four([!0, NOT_A, NOT_A, NOT_H])
}

/// The squares on which a step down may end.
#[inline(always)]
fn south_wrap() -> __m256i {
    four([!0, NOT_H, NOT_H, NOT_A])
}

/// The two words of a register as sets.
#[inline(always)]
fn two_sets(words: __m128i) -> (Bitboard, Bitboard) {
    simd! {
        let (low, high) = (_mm_cvtsi128_si64(words), _mm_extract_epi64::<1>(words));
        (Bitboard(low as u64), Bitboard(high as u64))
    }
}

/// The union of two neighbouring lanes of each of two registers: of the first lanes in the lower
/// half, of the others in the upper half.
#[inline(always)]
fn neighbours(a: __m256i, b: __m256i) -> __m256i {
    simd! { _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)) }
}

/// The union of both halves.
#[inline(always)]
fn halves(both: __m256i) -> __m128i {
    simd! { _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both)) }
}

/// The union of the four lanes of each of two registers.
#[inline(always)]
fn union_two(a: __m256i, b: __m256i) -> (Bitboard, Bitboard) {
    two_sets(halves(neighbours(a, b)))
}

/// For each of two sets in alternating lanes: the squares in both halves of `once` or in one half
/// of `twice`.
#[inline(always)]
pub(super) fn overlaps(once: __m256i, twice: __m256i) -> Pair {
    simd! {
        let (low, high) = (_mm256_castsi256_si128(once), _mm256_extracti128_si256::<1>(once));
        Pair::from_register(_mm_or_si128(halves(twice), _mm_and_si128(low, high)))
    }
}

/// The number of bits in each lane: a shuffle looks up the counts of half bytes (Wojciech Muła).
#[inline(always)]
fn popcount(set: __m256i) -> __m256i {
    simd! {
        let counts = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        let table = _mm256_broadcastsi128_si256(counts);
        let low = _mm256_set1_epi8(15);
        let counts = _mm256_add_epi8(
            _mm256_shuffle_epi8(table, _mm256_and_si256(set, low)),
            _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(set), low)),
        );
        _mm256_sad_epu8(counts, _mm256_setzero_si256())
    }
}

/// The sum of the four lanes.
#[inline(always)]
fn sum(counts: __m256i) -> u32 {
    simd! {
        let high = _mm256_extracti128_si256::<1>(counts);
        let half = _mm_add_epi64(_mm256_castsi256_si128(counts), high);
        (_mm_cvtsi128_si64(half) + _mm_extract_epi64::<1>(half)) as u32
    }
}

/// All bits in the lanes that the four lowest bits choose.
#[inline(always)]
fn lane_mask(chosen: u8) -> __m256i {
    simd! {
        let bits = four([1, 2, 4, 8]);
        let chosen = _mm256_set1_epi64x(i64::from(chosen));
        _mm256_cmpeq_epi64(_mm256_and_si256(chosen, bits), bits)
    }
}

/// The lanes that are not empty, as bits.
#[inline(always)]
fn nonempty(set: __m256i) -> u8 {
    simd! {
        let empty = _mm256_cmpeq_epi64(set, _mm256_setzero_si256());
        !_mm256_movemask_pd(_mm256_castsi256_pd(empty)) as u8 & 15
    }
}

impl Rays {
    /// Whether counting the squares of all lanes ([`Rays::count_with`]) costs little more than
    /// counting one set. Then knight moves are best counted in lanes as well.
    pub const COUNTS_LANES: bool = false;

    /// Nothing in any lane.
    pub const EMPTY: Rays = Rays {
        // SAFETY: a register is valid with any bits, zero among them.
        north: unsafe { std::mem::zeroed() },
        // SAFETY: as in the line above.
        south: unsafe { std::mem::zeroed() },
    };

    #[inline(always)]
    fn both(lanes: __m256i) -> Rays {
        Rays { north: lanes, south: lanes }
    }

    #[inline(always)]
    fn zip(self, other: Rays, f: impl Fn(__m256i, __m256i) -> __m256i) -> Rays {
        Rays { north: f(self.north, other.north), south: f(self.south, other.south) }
    }

    /// The lanes from eight words of memory.
    #[inline(always)]
    pub fn load(words: &[u64; 8]) -> Rays {
        simd! {
            let words = words.as_ptr().cast::<__m256i>();
            Rays { north: _mm256_loadu_si256(words), south: _mm256_loadu_si256(words.add(1)) }
        }
    }

    /// The lanes in place, as eight words of memory.
    #[inline(always)]
    pub fn words(&self) -> &[u64; 8] {
        // SAFETY: two registers in `repr(C)` are 64 bytes without padding, in which any bits are
        // valid words, and they are aligned more strictly than words.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// A set in the first lane, nothing in the others.
    #[inline(always)]
    pub fn first(set: Bitboard) -> Rays {
        simd! {
            Rays { north: _mm256_zextsi128_si256(_mm_cvtsi64_si128(set.0 as i64)), ..Rays::EMPTY }
        }
    }

    /// One set in all lanes.
    #[inline(always)]
    pub fn all(set: Bitboard) -> Rays {
        Rays::both(splat(set))
    }

    /// The sliders in the lanes along which they move: rooks and queens in `orthogonal`, bishops
    /// and queens in `diagonal`.
    #[inline(always)]
    pub fn sliders(orthogonal: Bitboard, diagonal: Bitboard) -> Rays {
        simd! {
            Rays::both(_mm256_blend_epi32::<0b1111_0000>(splat(orthogonal), splat(diagonal)))
        }
    }

    /// The eight sets as they are.
    #[inline(always)]
    pub fn from_lanes(lanes: [Bitboard; 8]) -> Rays {
        let [a, b, c, d, e, f, g, h] = lanes.map(|set| set.0);
        Rays { north: four([a, b, c, d]), south: four([e, f, g, h]) }
    }

    /// The first sets of eight pairs, in the lanes, and their second sets.
    #[inline(always)]
    pub fn transposed(pairs: [Pair; 8]) -> [Rays; 2] {
        simd! {
            let [a, b, c, d, e, f, g, h] = pairs.map(Pair::register);
            let joined = |a, b| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), b);
            [
                Rays {
                    north: joined(_mm_unpacklo_epi64(a, b), _mm_unpacklo_epi64(c, d)),
                    south: joined(_mm_unpacklo_epi64(e, f), _mm_unpacklo_epi64(g, h)),
                },
                Rays {
                    north: joined(_mm_unpackhi_epi64(a, b), _mm_unpackhi_epi64(c, d)),
                    south: joined(_mm_unpackhi_epi64(e, f), _mm_unpackhi_epi64(g, h)),
                },
            ]
        }
    }

    /// The eight sets, in the order of the lanes.
    #[inline(always)]
    pub fn lanes(self) -> [Bitboard; 8] {
        simd! {
            let mut lanes = [0u64; 8];
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.north);
            _mm256_storeu_si256(lanes.as_mut_ptr().add(4).cast(), self.south);
            lanes.map(Bitboard)
        }
    }

    /// The set of one lane.
    #[inline(always)]
    pub fn lane(self, direction: Direction) -> Bitboard {
        self.lanes()[direction.lane()]
    }

    /// The attack fill of every lane's sliders over `empty`: a dumb7fill of six cycles and a step.
    #[inline(always)]
    pub fn attacks(self, empty: Bitboard) -> Rays {
        simd! {
            let shifts = shifts();
            let (up, down) = (north_wrap(), south_wrap());
            let (open_up, open_down) =
                (_mm256_and_si256(splat(empty), up), _mm256_and_si256(splat(empty), down));
            let (mut north, mut south) = (self.north, self.south);
            macro_rules! cycle {
                () => {
                    let up = _mm256_sllv_epi64(north, shifts);
                    let down = _mm256_srlv_epi64(south, shifts);
                    north = _mm256_or_si256(north, _mm256_and_si256(open_up, up));
                    south = _mm256_or_si256(south, _mm256_and_si256(open_down, down));
                };
            }
            cycle!();
            cycle!();
            cycle!();
            cycle!();
            cycle!();
            cycle!();
            Rays { north, south }.step()
        }
    }

    /// Every lane's set one step further: a king's move in each direction.
    #[inline(always)]
    pub fn step(self) -> Rays {
        simd! {
            Rays {
                north: _mm256_and_si256(_mm256_sllv_epi64(self.north, shifts()), north_wrap()),
                south: _mm256_and_si256(_mm256_srlv_epi64(self.south, shifts()), south_wrap()),
            }
        }
    }

    /// The moves of the knights of a set, one of the eight knight directions in each lane.
    #[inline(always)]
    pub fn knight_attacks(knights: Bitboard) -> Rays {
        simd! {
            let amounts = four([17, 15, 10, 6]);
            let [a, b, c, d, e, f, g, h] = KNIGHT_WRAP;
            let up = _mm256_sllv_epi64(splat(knights), amounts);
            let down = _mm256_srlv_epi64(splat(knights), amounts);
            Rays {
                north: _mm256_and_si256(up, four([a, b, c, d])),
                south: _mm256_and_si256(down, four([e, f, g, h])),
            }
        }
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
        Rays {
            north: simd! { _mm256_zextsi128_si256(_mm_cvtsi64_si128(scalar.0 as i64)) },
            ..Rays::EMPTY
        }
    }

    /// The rays from a square over an empty board, without a fill: each is a ray from a corner,
    /// shifted.
    #[inline(always)]
    pub fn empty_board_rays(square: Square) -> Rays {
        simd! {
            let s = square as i64;
            let file = square as u32 & 7;
            let (right, left) = ((0xfeu64 << file) & 0xff, 0xffu64 >> (8 - file));
            let (east, west) = (0x0101_0101_0101_0101 * right, 0x0101_0101_0101_0101 * left);
            let north = four([
                0x0101_0101_0101_0100,
                0x0000_0000_0000_00fe,
                0x8040_2010_0804_0200,
                0x0002_0408_1020_4080,
            ]);
            let south = four([
                0x0080_8080_8080_8080,
                0x7f00_0000_0000_0000,
                0x0040_2010_0804_0201,
                0x0102_0408_1020_4000,
            ]);
            Rays {
                north: _mm256_and_si256(
                    _mm256_sllv_epi64(north, _mm256_set1_epi64x(s)),
                    four([!0, east, east, west]),
                ),
                south: _mm256_and_si256(
                    _mm256_srlv_epi64(south, _mm256_set1_epi64x(63 - s)),
                    four([!0, west, west, east]),
                ),
            }
        }
    }

    /// Each lane swapped with its opposite.
    #[inline(always)]
    pub fn reversed(self) -> Rays {
        Rays { north: self.south, south: self.north }
    }

    /// The union of all lanes.
    #[inline(always)]
    pub fn union(self) -> Bitboard {
        simd! {
            let half = halves(self.lines());
            Bitboard((_mm_cvtsi128_si64(half) | _mm_extract_epi64::<1>(half)) as u64)
        }
    }

    /// The unions of all lanes of this set and of another, for little more than the cost of one.
    #[inline(always)]
    pub fn unions(self, other: Rays) -> (Bitboard, Bitboard) {
        union_two(self.lines(), other.lines())
    }

    /// The lanes of each line: the union of both directions.
    #[inline(always)]
    fn lines(self) -> __m256i {
        simd! { _mm256_or_si256(self.north, self.south) }
    }

    /// The union of all lanes of each of the two.
    #[inline(always)]
    pub fn pair_unions([a, b]: [Rays; 2]) -> Pair {
        Pair::from_register(halves(neighbours(a.lines(), b.lines())))
    }

    /// The squares of each of the two that are in more than one lane.
    #[inline(always)]
    pub fn pair_overlaps([a, b]: [Rays; 2]) -> Pair {
        simd! {
            let shared = |rays: Rays| _mm256_and_si256(rays.north, rays.south);
            let (low, high) = (
                _mm256_unpacklo_epi64(a.lines(), b.lines()),
                _mm256_unpackhi_epi64(a.lines(), b.lines()),
            );
            let across = _mm256_and_si256(low, high);
            let twice = _mm256_or_si256(neighbours(shared(a), shared(b)), across);
            overlaps(_mm256_or_si256(low, high), twice)
        }
    }

    /// The unions of the four rook lanes of each of the two, and of the four bishop lanes.
    #[inline(always)]
    pub fn pair_by_line([a, b]: [Rays; 2]) -> (Pair, Pair) {
        simd! {
            let both = neighbours(a.lines(), b.lines());
            let (orthogonal, diagonal) =
                (_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
            (Pair::from_register(orthogonal), Pair::from_register(diagonal))
        }
    }

    /// The unions of the four rook lanes and of the four bishop lanes.
    #[inline(always)]
    pub fn by_line(self) -> (Bitboard, Bitboard) {
        simd! {
            let both = self.lines();
            let rook = _mm256_castsi256_si128(both);
            let bishop = _mm256_extracti128_si256::<1>(both);
            let (low, high) = (_mm_unpacklo_epi64(rook, bishop), _mm_unpackhi_epi64(rook, bishop));
            two_sets(_mm_or_si128(low, high))
        }
    }

    /// The union of the four rook lanes.
    #[inline(always)]
    pub fn orthogonal(self) -> Bitboard {
        self.by_line().0
    }

    /// The union of the four bishop lanes.
    #[inline(always)]
    pub fn diagonal(self) -> Bitboard {
        self.by_line().1
    }

    /// The number of squares in all lanes together: of slider attacks, the number of moves.
    #[inline(always)]
    pub fn count(self) -> u32 {
        simd! {
            sum(_mm256_add_epi64(popcount(self.north), popcount(self.south)))
        }
    }

    /// The number of squares in all lanes of this and of another together.
    #[inline(always)]
    pub fn count_with(self, other: Rays) -> u32 {
        simd! {
            let mine = _mm256_add_epi64(popcount(self.north), popcount(self.south));
            let theirs = _mm256_add_epi64(popcount(other.north), popcount(other.south));
            sum(_mm256_add_epi64(mine, theirs))
        }
    }

    /// The lanes in which the two have a square in common, as bits.
    #[inline(always)]
    pub fn meeting(self, other: Rays) -> u8 {
        let both = self & other;
        nonempty(both.north) | nonempty(both.south) << 4
    }

    /// The chosen lanes, given as bits; the others become empty.
    #[inline(always)]
    pub fn only(self, chosen: u8) -> Rays {
        simd! {
            Rays {
                north: _mm256_and_si256(self.north, lane_mask(chosen)),
                south: _mm256_and_si256(self.south, lane_mask(chosen >> 4)),
            }
        }
    }

    /// The lanes that hold `square`, as bits.
    #[inline(always)]
    pub fn holding(self, square: Square) -> u8 {
        self.meeting(Rays::all(crate::chess::bit(square)))
    }
}

impl BitAnd for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitand(self, other: Rays) -> Rays {
        simd! {
            self.zip(other, |a, b| _mm256_and_si256(a, b))
        }
    }
}

impl BitOr for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitor(self, other: Rays) -> Rays {
        simd! {
            self.zip(other, |a, b| _mm256_or_si256(a, b))
        }
    }
}

impl BitXor for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitxor(self, other: Rays) -> Rays {
        self.zip(other, |a, b| simd! { _mm256_xor_si256(a, b) })
    }
}
