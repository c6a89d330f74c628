//! From the sums to the score: the only place where weights do not simply add up.
//!
//! Written for any kind of number: whole ones in play, fractions in the tuner, which takes its derivatives from here.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::FULL_PHASE;

/// What both whole and broken numbers can do.
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

/// All sums of an evaluation, middlegame and endgame where there are two.
#[derive(Clone, Copy, Debug)]
pub struct Sums<N> {
    /// Centipawns for White.
    pub value: [N; 2],
    /// The strength of White's attack and of Black's.
    pub danger: [[N; 2]; 2],
    /// By how much the side ahead in the endgame is more ahead, in centipawns.
    pub initiative: N,
    /// 64ths of the endgame part that count.
    pub scale: N,
}

/// The scale where nothing is said of it: all of the endgame part counts.
pub const UNSCALED: i32 = 64;

fn at_least<N: Number>(x: N, least: N) -> N {
    if x > least { x } else { least }
}

/// What an attack on the king is worth: its square in the middlegame, a part of it in the endgame, nothing if it is
/// weaker than nothing (the shape of Stockfish's and Ethereal's).
#[inline(always)]
fn attack<N: Number>([mg, eg]: [N; 2]) -> [N; 2] {
    let (mg, eg) = (at_least(mg, 0.into()), at_least(eg, 0.into()));
    [mg * mg / 1024.into(), eg / 16.into()]
}

/// The value of White's sums before scaling, middlegame and endgame.
#[inline(always)]
pub fn balance<N: Number>(sums: &Sums<N>) -> [N; 2] {
    let [white, black] = sums.danger.map(attack);
    let mg = sums.value[0] + white[0] - black[0];
    let eg = sums.value[1] + white[1] - black[1];
    // What makes a win likely never changes who is ahead.
    let zero: N = 0.into();
    let eg = if eg > zero {
        eg + at_least(sums.initiative, -eg)
    } else if eg < zero {
        eg - at_least(sums.initiative, eg)
    } else {
        eg
    };
    [mg, eg]
}

/// The score in centipawns for White: the balance between the phases, the endgame part scaled.
#[inline(always)]
pub fn total<N: Number>([mg, eg]: [N; 2], scale: N, phase: i32) -> N {
    let full = FULL_PHASE * UNSCALED;
    (mg * (phase * UNSCALED).into() + eg * scale * (FULL_PHASE - phase).into()) / full.into()
}
