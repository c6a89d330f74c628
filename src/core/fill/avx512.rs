//! Eight directions at once in one AVX-512 register, a lane of 64 bits for each.
//!
//! One step of all rays is a rotation by a different amount in each lane (`vprolvq`) and an AND
//! with the empty squares that are not across an edge. The OR that grows the flood is part of the
//! AND instruction (`vpternlogq`). A dumb7fill in eight directions is fourteen instructions.
//!
//! The functions and their meaning are those of [`super::scalar`]. This module is compiled only
//! into builds for processors that have these parts of AVX-512.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;
use std::ops::{BitAnd, BitOr, BitXor};

use super::avx2::overlaps;
use super::direction::{DIAGONAL, Direction, KNIGHT_SHIFT, KNIGHT_WRAP, SHIFT, WRAP};
use super::pair::Pair;
use super::scalar::SquareTable;
use crate::chess::{Bitboard, Square};

/// Wraps intrinsics, which are unsafe to call unless the processor has them.
macro_rules! simd {
    ($($code:tt)*) => {
        // SAFETY: the `cfg` at `mod avx512` compiles this module only into builds whose target has
        // VBMI2, VPOPCNTDQ and VNNI and all they imply, and `main` refuses to start on a processor
        // without them (`processor::missing`). Loads and stores go through pointers to arrays that
        // are at least as large: 64 bytes, eight words, or half of `expand`'s 32 words of 16 bits.
        unsafe { $($code)* }
    };
}

/// The truth table of `a | (b & c)` for `vpternlogq`.
const A_OR_BC: i32 = 0xf8;
/// The truth table of `(a & b) | (!a & c)`.
const B_IN_A_ELSE_C: i32 = 0xca;

/// All bits in the lanes of a mask, as a constant in memory. A mask register would have to be
/// loaded first: a masked broadcast took three times as long as the whole fill (measured on Zen 4).
const fn lanes_in(mask: u8) -> [u64; 8] {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        if mask >> lane & 1 == 1 {
            lanes[lane] = !0;
        }
        lane += 1;
    }
    lanes
}

/// Writes `base + SCALE * square` for every square of the set, lowest first, and returns the number
/// of words written. The set must not have more than 32 squares. As a mask it picks its squares
/// out of the numbers 0 to 63 (`vpcompressb`).
#[inline(always)]
pub fn expand<const SCALE: u16>(
    set: Bitboard,
    base: u16,
    out: &mut [MaybeUninit<u16>; 32],
) -> usize {
    const NUMBERS: [u8; 64] = {
        let mut numbers = [0; 64];
        let mut i = 0;
        while i < 64 {
            numbers[i] = i as u8;
            i += 1;
        }
        numbers
    };
    let count = set.count();
    debug_assert!(count <= 32);
    simd! {
        let numbers = _mm512_loadu_si512(NUMBERS.as_ptr().cast());
        let squares = _mm512_castsi512_si256(_mm512_maskz_compress_epi8(set.0, numbers));
        let base = _mm256_set1_epi16(base as i16);
        let words = |squares: __m128i| {
            let words = _mm256_cvtepu8_epi16(squares);
            let scale = _mm256_set1_epi16(SCALE as i16);
            let scaled = if SCALE == 1 { words } else { _mm256_mullo_epi16(words, scale) };
            _mm256_add_epi16(scaled, base)
        };
        let out = out.as_mut_ptr().cast::<__m256i>();
        _mm256_storeu_si256(out, words(_mm256_castsi256_si128(squares)));
        if count > 16 {
            _mm256_storeu_si256(out.add(1), words(_mm256_extracti128_si256::<1>(squares)));
        }
    }
    count
}

/// The sums of the weights of all squares of all sets, by the first and by the second table of each
/// set's pair. A set masks a load of bytes, which `vpdpbusd` adds up by fours.
#[inline(always)]
pub fn weigh<const N: usize>(sets: &[Bitboard; N], tables: &[&[SquareTable; 2]; N]) -> [i32; 2] {
    simd! {
        let ones = _mm512_set1_epi8(1);
        let mut sums = [[_mm512_setzero_si512(); 2]; 2];
        let mut turn = 0;
        while turn < N {
            let sums = &mut sums[turn % 2];
            let [first, second] = tables[turn];
            let first = _mm512_maskz_loadu_epi8(sets[turn].0, first.0.as_ptr());
            let second = _mm512_maskz_loadu_epi8(sets[turn].0, second.0.as_ptr());
            sums[0] = _mm512_dpbusd_epi32(sums[0], ones, first);
            sums[1] = _mm512_dpbusd_epi32(sums[1], ones, second);
            turn += 1;
        }
        let [even, odd] = sums;
        let first = _mm512_add_epi32(even[0], odd[0]);
        let second = _mm512_add_epi32(even[1], odd[1]);
        // Lanes of the two sums alternate, so that three halvings add up both at once.
        let both = _mm512_add_epi32(
            _mm512_unpacklo_epi32(first, second),
            _mm512_unpackhi_epi32(first, second),
        );
        let half = _mm256_add_epi32(
            _mm512_castsi512_si256(both),
            _mm512_extracti64x4_epi64::<1>(both),
        );
        let quarter = _mm_add_epi32(
            _mm256_castsi256_si128(half),
            _mm256_extracti128_si256::<1>(half),
        );
        let pair = _mm_add_epi32(quarter, _mm_unpackhi_epi64(quarter, quarter));
        [_mm_cvtsi128_si32(pair), _mm_extract_epi32::<1>(pair)]
    }
}

/// Eight sets, one for each direction, in lanes numbered as [`Direction`] is.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Rays(__m512i);

#[inline(always)]
fn lanes_of(lanes: [u64; 8]) -> __m512i {
    simd! {
        let [a, b, c, d, e, f, g, h] = lanes.map(|lane| lane as i64);
        _mm512_setr_epi64(a, b, c, d, e, f, g, h)
    }
}

#[inline(always)]
fn splat(set: Bitboard) -> __m512i {
    simd! {
        _mm512_set1_epi64(set.0 as i64)
    }
}

#[inline(always)]
fn shifts() -> __m512i {
    lanes_of(SHIFT.map(u64::from))
}

#[inline(always)]
fn wrap() -> __m512i {
    lanes_of([
        WRAP[0].0, WRAP[1].0, WRAP[2].0, WRAP[3].0, WRAP[4].0, WRAP[5].0, WRAP[6].0, WRAP[7].0,
    ])
}

/// The two words of a register as sets.
#[inline(always)]
fn two_sets(words: __m128i) -> (Bitboard, Bitboard) {
    simd! {
        let (low, high) = (_mm_cvtsi128_si64(words), _mm_extract_epi64::<1>(words));
        (Bitboard(low as u64), Bitboard(high as u64))
    }
}

/// The union of all lanes of each of two registers.
#[inline(always)]
fn unions(a: __m512i, b: __m512i) -> __m128i {
    simd! {
        let pairs = _mm512_or_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
        let high = _mm512_extracti64x4_epi64::<1>(pairs);
        let half = _mm256_or_si256(_mm512_castsi512_si256(pairs), high);
        let high = _mm256_extracti128_si256::<1>(half);
        _mm_or_si128(_mm256_castsi256_si128(half), high)
    }
}

/// The unions of all lanes of each of two registers, as two sets.
#[inline(always)]
fn union_two(a: __m512i, b: __m512i) -> (Bitboard, Bitboard) {
    two_sets(unions(a, b))
}

impl Rays {
    /// Whether counting the squares of all lanes ([`Rays::count_with`]) costs little more than
    /// counting one set. Then knight moves are best counted in lanes as well.
    pub const COUNTS_LANES: bool = true;

    /// Nothing in any lane.
    // SAFETY: a register is valid with any bits, zero among them.
    pub const EMPTY: Rays = Rays(unsafe { std::mem::zeroed() });

    /// The lanes from eight words of memory.
    #[inline(always)]
    pub fn load(words: &[u64; 8]) -> Rays {
        simd! { Rays(_mm512_loadu_si512(words.as_ptr().cast())) }
    }

    /// The lanes in place, as eight words of memory.
    #[inline(always)]
    pub fn words(&self) -> &[u64; 8] {
        // SAFETY: a register is 64 bytes, in which any bits are valid words, and it is aligned more
        // strictly than words. `Rays` holds nothing else.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// A set in the first lane, nothing in the others.
    #[inline(always)]
    pub fn first(set: Bitboard) -> Rays {
        simd! { Rays(_mm512_zextsi128_si512(_mm_cvtsi64_si128(set.0 as i64))) }
    }

    /// One set in all lanes.
    #[inline(always)]
    pub fn all(set: Bitboard) -> Rays {
        Rays(splat(set))
    }

    /// The sliders in the lanes along which they move: rooks and queens in `orthogonal`, bishops
    /// and queens in `diagonal`.
    #[inline(always)]
    pub fn sliders(orthogonal: Bitboard, diagonal: Bitboard) -> Rays {
        simd! {
            let lanes = lanes_of(const { lanes_in(DIAGONAL) });
            let (orthogonal, diagonal) = (splat(orthogonal), splat(diagonal));
            Rays(_mm512_ternarylogic_epi64::<B_IN_A_ELSE_C>(lanes, diagonal, orthogonal))
        }
    }

    /// The eight sets as they are.
    #[inline(always)]
    pub fn from_lanes(lanes: [Bitboard; 8]) -> Rays {
        Rays(lanes_of(lanes.map(|set| set.0)))
    }

    /// The first sets of eight pairs, in the lanes, and their second sets.
    #[inline(always)]
    pub fn transposed(pairs: [Pair; 8]) -> [Rays; 2] {
        simd! {
            let [a, b, c, d, e, f, g, h] = pairs.map(Pair::register);
            let joined = |a, b, c, d| {
                let low = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), b);
                let high = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(c), d);
                Rays(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
            };
            [
                joined(
                    _mm_unpacklo_epi64(a, b),
                    _mm_unpacklo_epi64(c, d),
                    _mm_unpacklo_epi64(e, f),
                    _mm_unpacklo_epi64(g, h),
                ),
                joined(
                    _mm_unpackhi_epi64(a, b),
                    _mm_unpackhi_epi64(c, d),
                    _mm_unpackhi_epi64(e, f),
                    _mm_unpackhi_epi64(g, h),
                ),
            ]
        }
    }

    /// The eight sets, in the order of the lanes.
    #[inline(always)]
    pub fn lanes(self) -> [Bitboard; 8] {
        simd! {
            let mut lanes = [0u64; 8];
            _mm512_storeu_si512(lanes.as_mut_ptr().cast(), self.0);
            lanes.map(Bitboard)
        }
    }

    /// The set of one lane.
    #[inline(always)]
    pub fn lane(self, direction: Direction) -> Bitboard {
        simd! {
            let one = _mm512_maskz_compress_epi64(1 << direction.lane(), self.0);
            Bitboard(_mm_cvtsi128_si64(_mm512_castsi512_si128(one)) as u64)
        }
    }

    /// The attack fill of every lane's sliders over `empty`: a dumb7fill of six cycles and a step.
    #[inline(always)]
    pub fn attacks(self, empty: Bitboard) -> Rays {
        simd! {
            let (shifts, wrap) = (shifts(), wrap());
            let open = _mm512_and_si512(splat(empty), wrap);
            let mut flood = self.0;
            macro_rules! cycle {
                () => {
                    let step = _mm512_rolv_epi64(flood, shifts);
                    flood = _mm512_ternarylogic_epi64::<A_OR_BC>(flood, open, step);
                };
            }
            cycle!();
            cycle!();
            cycle!();
            cycle!();
            cycle!();
            cycle!();
            Rays(_mm512_and_si512(_mm512_rolv_epi64(flood, shifts), wrap))
        }
    }

    /// Every lane's set one step further: a king's move in each direction.
    #[inline(always)]
    pub fn step(self) -> Rays {
        simd! {
            Rays(_mm512_and_si512(_mm512_rolv_epi64(self.0, shifts()), wrap()))
        }
    }

    /// The moves of the knights of a set, one of the eight knight directions in each lane.
    #[inline(always)]
    pub fn knight_attacks(knights: Bitboard) -> Rays {
        simd! {
            let jumps = _mm512_rolv_epi64(splat(knights), lanes_of(KNIGHT_SHIFT.map(u64::from)));
            Rays(_mm512_and_si512(jumps, lanes_of(KNIGHT_WRAP)))
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
        static LANES: [[u64; 8]; 2] = [lanes_in(0b0000_1100), lanes_in(0b1100_0000)];
        let lanes = Rays::load(&LANES[usize::from(pawn_lanes >> 7)]);
        let (king, pawns) = (splat(king), splat(pawns));
        let near = simd! { Rays(_mm512_ternarylogic_epi64::<A_OR_BC>(king, pawns, lanes.0)) };
        near.step() | Rays::knight_attacks(knights)
    }

    /// The rays from a square over an empty board, without a fill: each is a ray from a corner,
    /// shifted.
    #[inline(always)]
    pub fn empty_board_rays(square: Square) -> Rays {
        simd! {
            let s = square as i64;
            let file = square as u32 & 7;
            let (right, left) = ((0xfeu64 << file) & 0xff, 0xffu64 >> (8 - file));
            let east = (0x0101_0101_0101_0101 * right) as i64;
            let west = (0x0101_0101_0101_0101 * left) as i64;
            let north = lanes_of([
                0x0101_0101_0101_0100,
                0x0000_0000_0000_00fe,
                0x8040_2010_0804_0200,
                0x0002_0408_1020_4080,
                0,
                0,
                0,
                0,
            ]);
            let south = lanes_of([
                0,
                0,
                0,
                0,
                0x0080_8080_8080_8080,
                0x7f00_0000_0000_0000,
                0x0040_2010_0804_0201,
                0x0102_0408_1020_4000,
            ]);
            let (easterly, westerly) = const { (lanes_in(0b1000_0110), lanes_in(0b0110_1000)) };
            let files = _mm512_ternarylogic_epi64::<B_IN_A_ELSE_C>(
                lanes_of(easterly),
                _mm512_set1_epi64(east),
                _mm512_set1_epi64(-1),
            );
            let files = _mm512_ternarylogic_epi64::<B_IN_A_ELSE_C>(
                lanes_of(westerly),
                _mm512_set1_epi64(west),
                files,
            );
            let empty_board_rays = _mm512_or_si512(
                _mm512_sllv_epi64(north, _mm512_set1_epi64(s)),
                _mm512_srlv_epi64(south, _mm512_set1_epi64(63 - s)),
            );
            Rays(_mm512_and_si512(empty_board_rays, files))
        }
    }

    /// Each lane swapped with its opposite.
    #[inline(always)]
    pub fn reversed(self) -> Rays {
        simd! {
            Rays(_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0))
        }
    }

    /// The union of all lanes.
    #[inline(always)]
    pub fn union(self) -> Bitboard {
        simd! {
            Bitboard(_mm512_reduce_or_epi64(self.0) as u64)
        }
    }

    /// The unions of all lanes of this set and of another, for little more than the cost of one.
    #[inline(always)]
    pub fn unions(self, other: Rays) -> (Bitboard, Bitboard) {
        union_two(self.0, other.0)
    }

    /// The union of all lanes of each of the two.
    #[inline(always)]
    pub fn pair_unions([a, b]: [Rays; 2]) -> Pair {
        Pair::from_register(unions(a.0, b.0))
    }

    /// The squares of each of the two that are in more than one lane.
    #[inline(always)]
    pub fn pair_overlaps([a, b]: [Rays; 2]) -> Pair {
        simd! {
            let (low, high) = (_mm512_unpacklo_epi64(a.0, b.0), _mm512_unpackhi_epi64(a.0, b.0));
            let (once, twice) = (_mm512_or_si512(low, high), _mm512_and_si512(low, high));
            let (a, b) = (_mm512_castsi512_si256(once), _mm512_extracti64x4_epi64::<1>(once));
            let twice = _mm256_or_si256(
                _mm512_castsi512_si256(twice),
                _mm512_extracti64x4_epi64::<1>(twice),
            );
            overlaps(_mm256_or_si256(a, b), _mm256_or_si256(twice, _mm256_and_si256(a, b)))
        }
    }

    /// The unions of the four rook lanes of each of the two, and of the four bishop lanes.
    #[inline(always)]
    pub fn pair_by_line([a, b]: [Rays; 2]) -> (Pair, Pair) {
        simd! {
            let (low, high) = (_mm512_unpacklo_epi64(a.0, b.0), _mm512_unpackhi_epi64(a.0, b.0));
            let pairs = _mm512_or_si512(low, high);
            let half = _mm256_or_si256(
                _mm512_castsi512_si256(pairs),
                _mm512_extracti64x4_epi64::<1>(pairs),
            );
            let (orthogonal, diagonal) =
                (_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
            (Pair::from_register(orthogonal), Pair::from_register(diagonal))
        }
    }

    /// The unions of the four rook lanes and of the four bishop lanes.
    #[inline(always)]
    pub fn by_line(self) -> (Bitboard, Bitboard) {
        simd! {
            let high = _mm512_extracti64x4_epi64::<1>(self.0);
            let half = _mm256_or_si256(_mm512_castsi512_si256(self.0), high);
            let rook = _mm256_castsi256_si128(half);
            let bishop = _mm256_extracti128_si256::<1>(half);
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
            _mm512_reduce_add_epi64(_mm512_popcnt_epi64(self.0)) as u32
        }
    }

    /// The number of squares in all lanes of this and of another together.
    #[inline(always)]
    pub fn count_with(self, other: Rays) -> u32 {
        simd! {
            let (mine, theirs) = (_mm512_popcnt_epi64(self.0), _mm512_popcnt_epi64(other.0));
            _mm512_reduce_add_epi64(_mm512_add_epi64(mine, theirs)) as u32
        }
    }

    /// The lanes in which the two have a square in common, as bits.
    #[inline(always)]
    pub fn meeting(self, other: Rays) -> u8 {
        simd! {
            _mm512_test_epi64_mask(self.0, other.0)
        }
    }

    /// The chosen lanes, given as bits; the others become empty.
    #[inline(always)]
    pub fn only(self, chosen: u8) -> Rays {
        simd! {
            Rays(_mm512_maskz_mov_epi64(chosen, self.0))
        }
    }

    /// The lanes that hold `square`, as bits.
    #[inline(always)]
    pub fn holding(self, square: Square) -> u8 {
        simd! {
            _mm512_test_epi64_mask(self.0, _mm512_set1_epi64(1 << square as u64))
        }
    }
}

impl BitAnd for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitand(self, other: Rays) -> Rays {
        simd! {
            Rays(_mm512_and_si512(self.0, other.0))
        }
    }
}

impl BitOr for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitor(self, other: Rays) -> Rays {
        simd! {
            Rays(_mm512_or_si512(self.0, other.0))
        }
    }
}

impl BitXor for Rays {
    type Output = Rays;
    #[inline(always)]
    fn bitxor(self, other: Rays) -> Rays {
        simd! { Rays(_mm512_xor_si512(self.0, other.0)) }
    }
}
