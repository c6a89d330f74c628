//! From the sums of all terms to the score: the nonlinear part of the evaluation.
//!
//! Everything before this is a sum of counts times weights. This module squares king danger, caps
//! the initiative, scales the endgame and blends the phases (tapered evaluation). The functions are
//! generic over [`Number`]: `i32` in play, and `f64` in the tuner, which differentiates them.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::FULL_PHASE;

/// The arithmetic that `i32` and `f64` share.
pub trait Number:
    Copy
    + PartialOrd
    + From<i32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
}

impl Number for i32 {}
impl Number for f64 {}

/// The sums of an evaluation, one field for each [`Purpose`](super::terms::Purpose). Pairs are
/// middlegame and endgame.
#[derive(Clone, Copy, Debug)]
pub struct Sums<N> {
    /// Centipawns, White less Black.
    pub value: [N; 2],
    /// The strength of White's attack on the king and of Black's, in units of the formula.
    pub danger: [[N; 2]; 2],
    /// Centipawns added to the endgame value of the side that is ahead in the endgame.
    pub initiative: N,
    /// The scale factor of the endgame value, in 64ths.
    pub scale: N,
}

/// The scale factor that leaves the endgame value unchanged.
#[doc(hidden)]
pub const UNSCALED: i32 = 64;

fn at_least<N: Number>(x: N, least: N) -> N {
    if x > least { x } else { least }
}

/// The centipawns of an attack on the king: quadratic in the middlegame, linear in the endgame,
/// zero where the sum is negative (the shape of Stockfish's and Ethereal's formula).
///
/// The divisor of the middlegame was 1024 until weights tuned on self-play proved to undervalue
/// attacks (docs/experiments.md, "What self-play hides"); the current weights were tuned with 640.
#[inline(always)]
#[doc(hidden)]
pub fn attack<N: Number>([mg, eg]: [N; 2]) -> [N; 2] {
    let (mg, eg) = (at_least(mg, 0.into()), at_least(eg, 0.into()));
    [mg * mg / 640.into(), eg / 16.into()]
}

/// Value, king danger and initiative combined, White less Black, in the middlegame and the endgame,
/// before scaling.
#[inline(always)]
pub fn balance<N: Number>(sums: &Sums<N>) -> [N; 2] {
    let [white, black] = sums.danger.map(attack);
    let mg = sums.value[0] + white[0] - black[0];
    let eg = sums.value[1] + white[1] - black[1];
    // The initiative never takes more than half of an advantage.
    let zero: N = 0.into();
    let eg = if eg > zero {
        eg + at_least(sums.initiative, -eg / 2.into())
    } else if eg < zero {
        eg - at_least(sums.initiative, eg / 2.into())
    } else {
        eg
    };
    [mg, eg]
}

/// The tapered score in centipawns for White: middlegame and scaled endgame blended by the phase,
/// 24 for all pieces on the board to 0 for none.
#[inline(always)]
pub fn total<N: Number>([mg, eg]: [N; 2], scale: N, phase: i32) -> N {
    let full = FULL_PHASE * UNSCALED;
    (mg * (phase * UNSCALED).into() + eg * scale * (FULL_PHASE - phase).into()) / full.into()
}
