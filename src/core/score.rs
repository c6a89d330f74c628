//! Scores: centipawns, tablebase wins and mates in one number.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::Color;
//! use freshet::score::Score;
//!
//! // Mates are counted in plies from the root, and shown in moves.
//! assert_eq!(Score::mate_in(3).to_string(), "mate 2");
//! assert_eq!(Score::mated_in(2).to_string(), "mate -1");
//! // A faster mate is the better score, and every mate is better than any evaluation.
//! assert!(Score::mate_in(1) > Score::mate_in(3) && Score::mate_in(99) > Score::cp(29_000));
//! assert_eq!(-Score::mated_in(4), Score::mate_in(4));
//!
//! // Scores are those of the side to move; reports are White's.
//! assert_eq!(Score::cp(34).for_white(Color::Black), Score::cp(-34));
//! ```

use std::fmt;
use std::ops::Neg;

use crate::chess::Color;

/// The largest distance from the root that the search reaches, in plies.
pub(crate) const MAX_PLY: usize = 200;

/// Centipawns as people read them, in pawns with their sign: `+0.34`, `0.00`.
pub fn pawns(cp: i32) -> String {
    if cp == 0 { "0.00".to_string() } else { format!("{:+.2}", f64::from(cp) / 100.0) }
}

const MATE: i16 = 32_000;
const MATE_BOUND: i16 = MATE - 1000;
/// A tablebase win: below every mate, above every evaluation.
const TABLEBASE: i16 = MATE_BOUND - 1;
const TABLEBASE_BOUND: i16 = MATE - 2000;
/// The centipawns that a GUI sees for a tablebase win.
const TABLEBASE_SHOWN: i16 = 20_000;

/// A value of a position from the view of the side to move.
///
/// Strictly between -30,000 and 30,000 it is an evaluation in centipawns. From 30,000 on, in either
/// direction, it is a tablebase win or loss and, from 31,000 on, a mate, both counted in plies from
/// the root. Adding centipawns never reaches either. Inside a search, evaluations far from level are
/// compressed; the scores that it reports are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Score(i16);

impl Score {
    /// The score of a draw: zero.
    pub const DRAW: Score = Score(0);
    /// Above every score. Stands, with either sign, for a bound or score that is not known yet.
    pub const INFINITE: Score = Score(MATE + 1);
    /// The largest evaluation; higher scores are tablebase wins and mates.
    pub const MAX_EVAL: Score = Score(TABLEBASE_BOUND - 1);

    /// An evaluation of `centipawns`, limited to plus or minus [`MAX_EVAL`](Score::MAX_EVAL).
    #[inline(always)]
    pub const fn cp(centipawns: i32) -> Score {
        let limit = TABLEBASE_BOUND as i32 - 1;
        if centipawns > limit {
            Score(limit as i16)
        } else if centipawns < -limit {
            Score(-limit as i16)
        } else {
            Score(centipawns as i16)
        }
    }

    /// The side to move mates `ply` plies from the root.
    #[inline(always)]
    pub const fn mate_in(ply: usize) -> Score {
        Score(MATE - ply as i16)
    }

    /// The side to move is mated `ply` plies from the root.
    #[inline(always)]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i16 - MATE)
    }

    /// The side to move wins by the tablebases, which were probed `ply` plies from the root.
    #[inline(always)]
    pub const fn tablebase_win(ply: usize) -> Score {
        Score(TABLEBASE - ply as i16)
    }

    /// The centipawns of an evaluation; `None` for a mate or a tablebase result.
    pub fn as_cp(self) -> Option<i32> {
        (!self.is_decided()).then_some(i32::from(self.0))
    }

    /// Whether either side mates.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_BOUND
    }

    /// Moves to mate: negative if the side to move will be mated, 0 if it is mated already, `None`
    /// if the score is no mate. Half moves are rounded up: in a score from the view of the side not
    /// to move, being mated may take an odd number of plies.
    pub const fn mate_moves(self) -> Option<i64> {
        let moves = match self.is_mate() {
            false => return None,
            true if self.0 > 0 => (MATE - self.0 + 1) / 2,
            true => -((MATE + self.0 + 1) / 2),
        };
        Some(moves as i64)
    }

    /// Whether the side to move mates, or wins by the tablebases.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= TABLEBASE_BOUND
    }

    /// Whether the side to move is mated, or loses by the tablebases.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -TABLEBASE_BOUND
    }

    /// Whether it is a mate or a tablebase result, for either side, and not an evaluation.
    #[inline(always)]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= TABLEBASE_BOUND
    }

    /// The number itself, for comparisons and margins: centipawns if it is an evaluation.
    #[inline(always)]
    pub const fn raw(self) -> i32 {
        self.0 as i32
    }

    /// `centipawns` more. A decided score stays as it is, and an evaluation does not become one.
    #[inline(always)]
    pub const fn plus(self, centipawns: i32) -> Score {
        if self.is_decided() { self } else { Score::cp(self.0 as i32 + centipawns) }
    }

    /// Converts a score from the view of the side `turn` to White's.
    #[inline(always)]
    pub const fn for_white(self, turn: Color) -> Score {
        self.for_side(turn)
    }

    /// Converts a score from White's view to that of `side`.
    #[inline(always)]
    pub const fn for_side(self, side: Color) -> Score {
        if side.is_white() { self } else { Score(-self.0) }
    }

    /// The next score above, for a null window.
    #[inline(always)]
    pub(crate) const fn bound_above(self) -> Score {
        Score(self.0 + 1)
    }

    /// The next score below, for a null window.
    #[inline(always)]
    pub(crate) const fn bound_below(self) -> Score {
        Score(self.0 - 1)
    }

    /// The score that this one gives the position a ply before it, for the other side: a mate or tablebase
    /// result is a ply further away.
    pub const fn one_ply_earlier(self) -> Score {
        Score(-Score::from_table(self.0, 1).0)
    }

    /// The score as the transposition table keeps it: mates and tablebase results are counted from
    /// the node at `ply` instead of from the root.
    #[inline(always)]
    pub(crate) const fn to_table(self, ply: usize) -> i16 {
        if self.is_win() {
            self.0 + ply as i16
        } else if self.is_loss() {
            self.0 - ply as i16
        } else {
            self.0
        }
    }

    /// The score at `ply` of a transposition table entry: the inverse of
    /// [`to_table`](Score::to_table).
    #[inline(always)]
    pub(crate) const fn from_table(bits: i16, ply: usize) -> Score {
        if bits >= TABLEBASE_BOUND {
            Score(bits - ply as i16)
        } else if bits <= -TABLEBASE_BOUND {
            Score(bits + ply as i16)
        } else {
            Score(bits)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Writes the score as UCI does after `score`: `cp 34` or `mate -3` (in moves).
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.mate_moves() {
            write!(f, "mate {moves}")
        } else if self.is_win() {
            write!(f, "cp {}", TABLEBASE_SHOWN - (TABLEBASE - self.0))
        } else if self.is_loss() {
            write!(f, "cp -{}", TABLEBASE_SHOWN - (TABLEBASE + self.0))
        } else {
            write!(f, "cp {}", self.0)
        }
    }
}
