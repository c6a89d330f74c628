//! Draws: repetition, fifty moves, dead material.

use super::position::Position;
use super::zobrist::ReversibleMoves;
use crate::chess::{Bitboard, Color, Role, bit};
use crate::fill::Rays;
use crate::fill::waves::knight_attacks;

impl Position {
    /// Whether this position has been on the board before: once inside the search is enough, since what was
    /// repeated once can be repeated again; before or at the root it takes two. `within` is the number of
    /// plies from the root.
    #[inline]
    pub fn is_repetition(&self, within: usize) -> bool {
        let back = usize::from(self.state().packed.fifty().min(self.state().packed.since_null()))
            .min(self.height);
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

    /// Whether the side to move can, by one reversible move, bring back a position that stood on the board inside the search:
    /// the root, `within` plies back, lies before it. (Marcel van Kervinck, 2013: the difference of two keys that one
    /// move makes is looked up.)
    #[inline]
    pub fn can_repeat(&self, within: usize) -> bool {
        let packed = self.state().packed;
        let back = usize::from(packed.fifty().min(packed.since_null()))
            .min(self.height)
            .min(within.saturating_sub(1));
        back >= 3 && self.can_repeat_one_of(back)
    }

    fn can_repeat_one_of(&self, back: usize) -> bool {
        let reversals = ReversibleMoves::get();
        (3..=back).step_by(2).any(|distance| {
            let difference = self.stack[self.height - distance].keys.full() ^ self.key();
            reversals.find(difference).is_some_and(|(a, b)| {
                let ends = bit(a) | bit(b);
                let leap =
                    knight_attacks(bit(a)).contains(b) && self.role(Role::Knight).intersects(ends);
                // The difference may as well be a move of the other side.
                self.of(self.turn).intersects(ends)
                    && (leap || Rays::all(bit(a)).attacks(!self.occupied()).union().contains(b))
            })
        })
    }

    /// Whether this position stands on the board for at least the third time.
    pub fn is_threefold(&self) -> bool {
        self.is_repetition(0)
    }

    /// A hundred half moves without capture or pawn move, and not mate with the last of them.
    #[inline]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state().packed.fifty() >= 100
            && (self.checkers().is_empty() || !self.moves().is_empty())
    }

    /// Nobody can ever mate: bare kings, one minor piece, or bishops of one square colour only.
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

    /// A draw by the rules or, inside the search, as good as one; `within` as in
    /// [`Position::is_repetition`].
    #[inline]
    pub fn is_draw(&self, within: usize) -> bool {
        self.is_repetition(within) || self.is_fifty_move_draw() || self.is_dead_material()
    }

    /// Castling rights, one bit for each side and wing; zero where nobody will castle any more.
    #[inline(always)]
    pub fn castling_rights(&self) -> u8 {
        self.state().packed.rights()
    }

    /// A side has its king alone.
    #[inline(always)]
    pub fn is_bare(&self, side: Color) -> bool {
        self.of(side) == self.set(side, Role::King)
    }
}
