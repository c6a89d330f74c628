//! The alpha-beta window.

use std::ops::Neg;

use crate::score::Score;

/// The scores between alpha, which the side to move is already sure of, and beta, which the opponent
/// will not allow. Outside of it a bound is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The lower bound: a score at or below it fails low.
    pub(super) alpha: Score,
    /// The upper bound: a score at or above it fails high.
    pub(super) beta: Score,
}

impl Window {
    /// The full window: every score.
    pub(super) const FULL: Window = Window { alpha: Score::mated_in(0), beta: Score::mate_in(0) };

    /// The null window above alpha, which tells only whether the score is above it.
    #[inline(always)]
    pub(super) fn null_window(self) -> Window {
        Window { alpha: self.alpha, beta: Score::bound_above(self.alpha) }
    }

    /// The null window below a score, which tells only whether that score is reached.
    #[inline(always)]
    pub(super) fn below(beta: Score) -> Window {
        Window { alpha: Score::bound_below(beta), beta }
    }

    /// Whether no score is left inside: alpha has reached beta.
    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// The part of this window that is also inside the other.
    #[inline(always)]
    pub(super) fn narrow(self, other: Window) -> Window {
        Window { alpha: self.alpha.max(other.alpha), beta: self.beta.min(other.beta) }
    }
}

/// The window as the opponent sees it.
impl Neg for Window {
    type Output = Window;
    #[inline(always)]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
