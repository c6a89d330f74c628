//! The alpha-beta window: the scores that a node need tell apart.

use std::ops::Neg;

use crate::score::Score;

/// The scores between alpha, which the side to move already has elsewhere, and beta, which the
/// opponent will not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lower bound: a score at or below it fails low.
    pub alpha: Score,
    /// The upper bound: a score at or above it fails high.
    pub beta: Score,
}

impl Window {
    /// The full window: every score.
    pub const FULL: Window = Window { alpha: Score::mated_in(0), beta: Score::mate_in(0) };

    /// The null window above alpha, which tells only whether the score is above it.
    #[inline(always)]
    pub fn null_window(self) -> Window {
        Window { alpha: self.alpha, beta: Score::bound_above(self.alpha) }
    }

    /// The null window below a score, which tells only whether that score is reached.
    #[inline(always)]
    pub fn below(beta: Score) -> Window {
        Window { alpha: Score::bound_below(beta), beta }
    }

    /// Whether no score is left inside: alpha has reached beta.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// The part of this window that is also inside the other.
    #[inline(always)]
    pub fn narrow(self, other: Window) -> Window {
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
