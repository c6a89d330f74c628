//! Window: the scores a search still cares about.

use std::ops::Neg;

use crate::score::Score;

/// Scores between alpha (we have that much already) and beta (more the opponent will not allow).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What is already certain.
    pub alpha: Score,
    /// What would be too good to be allowed.
    pub beta: Score,
}

impl Window {
    /// Every score.
    pub const FULL: Window = Window { alpha: Score::mated_in(0), beta: Score::mate_in(0) };

    /// Only whether the score is above alpha.
    #[inline(always)]
    pub fn null_window(self) -> Window {
        Window { alpha: self.alpha, beta: Score::bound_above(self.alpha) }
    }

    /// A window without width just under beta: only whether the score reaches beta.
    #[inline(always)]
    pub fn below(beta: Score) -> Window {
        Window { alpha: Score::bound_below(beta), beta }
    }

    /// Nothing lies between: mates already found decide.
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

/// The same window seen by the opponent.
impl Neg for Window {
    type Output = Window;
    #[inline(always)]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
