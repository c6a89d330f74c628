//! Draws: repetition, the fifty-move rule, insufficient material.

use super::position::Position;
use super::zobrist::ReversibleMoves;
use crate::chess::{Bitboard, Role, bit};
use crate::fill::Rays;
use crate::fill::waves::knight_attacks;

impl Position {
    /// Whether the position counts as a repetition: it has occurred before, once after the root or
    /// twice at or before it (threefold repetition). Once after the root is enough, since a side
    /// that could repeat once can do so again. `within` is the number of plies from the root to
    /// this position.
    #[inline]
    pub fn is_repetition(&self, within: usize) -> bool {
        let packed = self.state().packed;
        let back = usize::from(packed.fifty().min(packed.since_null())).min(self.height);
        let mut before_root = false;
        let mut distance = 4;
        while distance <= back {
            if self.stack[self.height - distance].keys.full() == self.key() {
                if distance < within || before_root {
                    return true;
                }
                before_root = true;
            }
            distance += 2;
        }
        false
    }

    /// Whether any position since the last capture, pawn move or null move has occurred twice.
    pub fn has_repeated(&self) -> bool {
        let packed = self.state().packed;
        let back = usize::from(packed.fifty().min(packed.since_null())).min(self.height);
        let keys = || self.stack[self.height - back..=self.height].iter().map(|s| s.keys.full());
        keys().enumerate().any(|(index, key)| keys().take(index).any(|earlier| earlier == key))
    }

    /// Upcoming repetition: whether the side to move can reach a position from after the root
    /// (which is `within` plies back) by one reversible move. (Marcel van Kervinck, 2013: a table
    /// of the key differences of single moves.)
    #[inline]
    pub fn can_repeat(&self, within: usize) -> bool {
        let packed = self.state().packed;
        let back = usize::from(packed.fifty().min(packed.since_null()))
            .min(self.height)
            .min(within.saturating_sub(1));
        back >= 3 && self.can_repeat_one_of(back)
    }

    fn can_repeat_one_of(&self, back: usize) -> bool {
        let (moves, now, them) = (ReversibleMoves::get(), self.keys(), self.turn.other());
        (3..=back).step_by(2).any(|distance| {
            let earlier = &self.stack[self.height - distance].keys;
            // Usually the opponent's pieces stood elsewhere, and this test is cheaper than a
            // lookup. If they did not, the move found belongs to the side to move.
            if earlier.pieces(them) != now.pieces(them) {
                return false;
            }
            moves.find(earlier.full() ^ now.full()).is_some_and(|(a, b)| {
                let ends = bit(a) | bit(b);
                let is_knight_move =
                    knight_attacks(bit(a)).contains(b) && self.role(Role::Knight).intersects(ends);
                is_knight_move || Rays::all(bit(a)).attacks(!self.occupied()).union().contains(b)
            })
        })
    }

    /// Threefold repetition: whether this position occurs for at least the third time.
    pub fn is_threefold(&self) -> bool {
        self.is_repetition(0)
    }

    /// The fifty-move rule: a hundred half moves without capture or pawn move, unless the last of
    /// them mates.
    #[inline]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state().packed.fifty() >= 100
            && (self.checkers().is_empty() || !self.moves().is_empty())
    }

    /// Insufficient material, with which no mate is possible: bare kings, one minor piece, or
    /// bishops of one square colour only.
    #[inline]
    pub fn is_dead_material(&self) -> bool {
        let heavy = self.role(Role::Pawn) | self.role(Role::Rook) | self.role(Role::Queen);
        if heavy.any() {
            return false;
        }
        let (knights, bishops) = (self.role(Role::Knight), self.role(Role::Bishop));
        if knights.any() {
            return bishops.is_empty() && knights.count() == 1;
        }
        (bishops & Bitboard::LIGHT_SQUARES).is_empty()
            || (bishops & Bitboard::DARK_SQUARES).is_empty()
    }

    /// A draw by repetition, the fifty-move rule or insufficient material; `within` as in
    /// [`Position::is_repetition`]. Does not detect stalemate.
    #[inline]
    pub fn is_draw(&self, within: usize) -> bool {
        self.is_repetition(within) || self.is_fifty_move_draw() || self.is_dead_material()
    }
}
