//! Static exchange evaluation (SEE): who wins the captures on one square.

use super::geometry::{en_passant_victim, pawn_attacks};
use super::moves::{Move, MoveKind};
use super::pieces::PieceCode;
use super::position::Position;
use crate::chess::{Bitboard, Color, Role, bit};
use crate::fill::Rays;
use crate::fill::waves::{king_attacks, knight_attacks};

/// The value of a piece in an exchange, in centipawns. The king's is 0, since it is never captured.
#[inline(always)]
pub const fn see_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 320,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 0,
    }
}

/// The order in which pieces capture: the least valuable first.
const LEAST_VALUABLE_FIRST: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// [`see_value`] by the code of the piece, 0 for no piece.
static VALUE_OF_CODE: [i32; 16] = {
    let mut values = [0; 16];
    let mut code = 0;
    while code < 16 {
        if let Some(piece) = PieceCode::from_index(code as u8).piece() {
            values[code] = see_value(piece.role);
        }
        code += 1;
    }
    values
};

impl Position {
    /// The [`see_value`] of the piece that a legal move captures, 0 if it captures none.
    #[inline(always)]
    pub fn captured_value(&self, m: Move) -> i32 {
        VALUE_OF_CODE[self.captured_code(m).index()]
    }

    /// Returns the same as [`Position::see_ge`], but faster if nothing can recapture. `attacked`
    /// must be [`CheckInfo::attacked`](super::CheckInfo::attacked) of this position.
    #[inline(always)]
    pub fn see_ge_in(&self, m: Move, threshold: i32, attacked: Bitboard) -> bool {
        // A slider that attacks neither origin nor target does not attack the target after the
        // move.
        let is_safe = ((bit(m.from()) | bit(m.to())) & attacked).is_empty();
        if is_safe && m.is_normal() {
            return self.captured_value(m) >= threshold;
        }
        self.see_ge(m, threshold)
    }

    /// Static exchange evaluation: whether a legal move and the captures that follow on its target
    /// square win at least `threshold` centipawns for the side to move, if each side captures with
    /// its least valuable piece and stops when that is better. Pins are ignored.
    ///
    /// The attackers come from fills out of the target square. After a capture by a piece behind
    /// which a slider may stand (an x-ray attack), the fill is repeated on the emptier board.
    pub fn see_ge(&self, m: Move, threshold: i32) -> bool {
        let (from, to) = (m.from(), m.to());
        let us = self.turn;
        if m.kind() == MoveKind::Castle {
            return threshold <= 0;
        }

        // Our gain, less the threshold, if the enemy does not recapture.
        let mut balance = self.captured_value(m) - threshold;
        let mut next_victim = self.moved_by(m).role;
        if let Some(role) = m.promotion() {
            balance += see_value(role) - see_value(Role::Pawn);
            next_victim = role;
        }
        if balance < 0 {
            return false;
        }
        // The rest if the enemy recaptures and we do not.
        balance -= see_value(next_victim);
        if balance >= 0 {
            return true;
        }

        let mut occupied = (self.occupied() ^ bit(from)) | bit(to);
        if m.kind() == MoveKind::EnPassant {
            occupied ^= bit(en_passant_victim(to, us));
        }
        let target = bit(to);
        let orthogonal = self.orthogonal(Color::White) | self.orthogonal(Color::Black);
        let diagonal = self.diagonal(Color::White) | self.diagonal(Color::Black);
        let leapers = (knight_attacks(target) & self.role(Role::Knight))
            | (king_attacks(target) & self.role(Role::King))
            | (pawn_attacks(target, Color::Black) & self.set(Color::White, Role::Pawn))
            | (pawn_attacks(target, Color::White) & self.set(Color::Black, Role::Pawn));
        let sliders = |occupied: Bitboard| {
            let rays = Rays::all(target).attacks(!occupied);
            let (orthogonal_rays, diagonal_rays) = rays.by_line();
            (orthogonal_rays & orthogonal) | (diagonal_rays & diagonal)
        };

        let mut attackers = leapers | sliders(occupied);
        let mut side = us.other();
        loop {
            attackers &= occupied;
            let ours = attackers & self.of(side);
            if ours.is_empty() {
                break;
            }
            let Some((role, capturers)) = LEAST_VALUABLE_FIRST
                .iter()
                .map(|&role| (role, ours & self.role(role)))
                .find(|(_, capturers)| capturers.any())
            else {
                break;
            };
            side = side.other();
            if role == Role::King {
                // The king captures last, and only undefended pieces.
                if (attackers & self.of(side)).any() {
                    side = side.other();
                }
                break;
            }
            balance = -balance - 1 - see_value(role);
            if balance >= 0 {
                break;
            }
            occupied ^= capturers.isolate_first();
            if role != Role::Knight {
                attackers = leapers | sliders(occupied);
            }
        }
        // The loop ends on the turn of the side that has lost the exchange.
        side != us
    }
}
