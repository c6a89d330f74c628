//! The weights, in centipawns: set by hand.

use super::phased::{Phased, s};
use super::terms::Terms;

/// What each count of the evaluation is worth.
pub type Weights = Terms<Phased>;

/// How far a square is from the centre: 0 for the four central squares to 3 at the edge.
const fn ring(square: usize) -> usize {
    let file = (2 * (square % 8) as i32 - 7).abs() / 2;
    let rank = (2 * (square / 8) as i32 - 7).abs() / 2;
    (if file > rank { file } else { rank }) as usize
}

/// A square table from the rings around the centre, with something for each rank further north.
const fn rings(ring_values: [Phased; 4], per_rank: [Phased; 8]) -> [Phased; 64] {
    let mut table = [Phased::ZERO; 64];
    let mut square = 0;
    while square < 64 {
        let (a, b) = (ring_values[ring(square)], per_rank[square / 8]);
        table[square] = s(a.mg() + b.mg(), a.eg() + b.eg());
        square += 1;
    }
    table
}

/// Pawns: the centre files go forward, the wings stay.
const fn pawn_squares() -> [Phased; 64] {
    let file = [-6, -2, 2, 8, 8, 2, -2, -6];
    let rank = [s(0, 0), s(0, 0), s(1, 2), s(6, 6), s(12, 16), s(18, 34), s(24, 60), s(0, 0)];
    let mut table = [Phased::ZERO; 64];
    let mut square = 8;
    while square < 56 {
        let (f, r) = (file[square % 8], rank[square / 8]);
        let centre = if f > 0 && square / 8 >= 2 && square / 8 <= 4 { f } else { 0 };
        table[square] = s(r.mg() + f + centre, r.eg() - f / 2);
        square += 1;
    }
    table
}

/// The king: at home behind the wings while there are pieces, in the centre when they are gone.
const fn king_squares() -> [Phased; 64] {
    let file = [20, 30, 12, -12, -8, -4, 32, 24];
    let rank = [14, -8, -36, -60, -70, -70, -70, -70];
    let centre = [26, 16, -2, -26];
    let mut table = [Phased::ZERO; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = s(file[square % 8] + rank[square / 8], centre[ring(square)]);
        square += 1;
    }
    table
}

/// Danger grows with the square of the attack's weight, and then in a line.
const fn danger() -> [Phased; 64] {
    let mut table = [Phased::ZERO; 64];
    let mut units = 0;
    while units < 64 {
        let u = units as i32;
        let value = if u < 40 { u * u / 4 } else { 400 + (u - 40) * 18 };
        table[units] = s(value, value / 8);
        units += 1;
    }
    table
}

/// The weights in use.
pub const WEIGHTS: Weights = Terms {
    material: [s(84, 112), s(330, 318), s(348, 338), s(470, 560), s(1000, 1050)],
    bishop_pair: [s(26, 52)],
    pawn_on: pawn_squares(),
    knight_on: rings(
        [s(16, 12), s(10, 6), s(-4, -6), s(-24, -24)],
        [s(-12, -8), s(-4, -4), s(0, 0), s(6, 4), s(12, 6), s(14, 4), s(0, -2), s(-14, -8)],
    ),
    bishop_on: rings(
        [s(8, 6), s(8, 4), s(4, 0), s(-6, -6)],
        [s(-8, -4), s(4, 0), s(4, 2), s(4, 2), s(2, 2), s(0, 2), s(-8, 0), s(-10, -2)],
    ),
    rook_on: rings(
        [s(2, 0), s(2, 0), s(0, 0), s(-2, 0)],
        [s(0, -4), s(-6, -4), s(-6, -2), s(-6, 2), s(0, 4), s(6, 6), s(16, 10), s(8, 8)],
    ),
    queen_on: rings(
        [s(2, 22), s(2, 14), s(2, 2), s(-4, -14)],
        [s(2, -12), s(4, -8), s(2, 0), s(0, 6), s(-2, 10), s(0, 10), s(-2, 8), s(-2, 4)],
    ),
    king_on: king_squares(),
    knight_moves: [
        s(-38, -44),
        s(-22, -26),
        s(-10, -12),
        s(-2, -4),
        s(4, 4),
        s(10, 10),
        s(14, 14),
        s(18, 16),
        s(22, 16),
    ],
    bishop_moves: [s(5, 6)],
    rook_moves: [s(3, 6)],
    queen_moves: [s(2, 5)],
    rook_open_file: [s(30, 12)],
    rook_half_open_file: [s(13, 8)],
    bishop_pawns: [s(-3, -6)],
    knight_outpost: [s(28, 18)],
    bishop_outpost: [s(22, 8)],
    doubled: [s(-6, -20)],
    isolated: [s(-6, -9)],
    isolated_open: [s(-10, -8)],
    backward: [s(-9, -10)],
    phalanx: [s(0, 0), s(4, 2), s(8, 4), s(12, 8), s(24, 20), s(48, 44), s(70, 80), s(0, 0)],
    guarded: [s(0, 0), s(0, 0), s(9, 5), s(8, 6), s(14, 12), s(30, 26), s(60, 40), s(0, 0)],
    passed: [s(0, 0), s(2, 10), s(2, 14), s(8, 30), s(24, 54), s(60, 96), s(108, 160), s(0, 0)],
    passed_free: [s(0, 0), s(0, 2), s(0, 4), s(4, 10), s(8, 22), s(14, 44), s(24, 80), s(0, 0)],
    passed_guarded: [s(8, 12)],
    passed_our_king: [s(0, -3)],
    passed_their_king: [s(0, 6)],
    unstoppable: [s(0, 420)],
    danger: danger(),
    shelter: [s(-18, 0), s(20, -4), s(14, 0), s(2, 0), s(-4, 0), s(-8, 0), s(-10, 0), s(0, 0)],
    storm: [s(4, 0), s(0, 0), s(-26, 2), s(-18, 0), s(-6, 0), s(0, 0), s(0, 0), s(0, 0)],
    open_king_file: [s(-18, 0)],
    pawn_threat: [s(58, 40), s(60, 46), s(76, 40), s(66, 40)],
    minor_threat: [s(14, 24), s(18, 24), s(44, 34), s(40, 38)],
    rook_threat: [s(14, 26), s(14, 26), s(0, 6), s(46, 30)],
    hanging: [s(6, 20), s(36, 34), s(36, 34), s(46, 30), s(46, 26)],
    push_threat: [s(18, 16)],
    space: [s(3, 0)],
    king_cells: [s(0, 1)],
    bare_king_edge: [s(0, 24)],
    bare_king_near: [s(0, 12)],
};
