//! King and pawn against king (KPK): an exact bitbase of wins and draws, solved by retrograde
//! analysis.
//!
//! For every square of the pawn and of its king, a bitboard holds the squares of the other king
//! with which the pawn wins (as in Marcel van Kervinck's `pfkpk`). The pawn moves north and stands
//! on the files a to d; other positions are flipped or mirrored. Pawn squares are solved from the
//! seventh rank down, each to its fixpoint. This happens once and takes less than a millisecond.

use std::sync::LazyLock;

use super::{Judged, Known, Reason, owner};
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Role, Square, bit, square_at, square_facing_north};
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;

/// A position of king and pawn against king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kpk {
    /// The side with the pawn.
    pub strong: Color,
    /// The square of the only pawn.
    pub pawn: Square,
    /// The king of the side with the pawn.
    pub king: Square,
    /// The king of the side without the pawn.
    pub bare_king: Square,
    /// The side to move.
    pub turn: Color,
}

impl Kpk {
    /// Reads the pieces from a position; `None` if it is another endgame.
    fn from_position(position: &Position) -> Option<Kpk> {
        let pawns = position.role(Role::Pawn);
        if !position.is_pawn_ending() || pawns.count() != 1 {
            return None;
        }
        let strong = owner(position, pawns);
        Some(Kpk {
            strong,
            pawn: pawns.first()?,
            king: position.king(strong),
            bare_king: position.king(strong.other()),
            turn: position.turn(),
        })
    }

    /// Whether the side with the pawn wins; if not, the position is drawn. The position must be
    /// legal.
    pub fn is_won(self) -> bool {
        let view = pawn_view(self.strong, self.pawn);
        let table = if self.turn == self.strong { &BITBASE.to_move } else { &BITBASE.waiting };
        table[view(self.pawn) as usize][view(self.king) as usize].contains(view(self.bare_king))
    }
}

/// What is known about king and pawn against king; `None` if the position is another endgame.
pub(super) fn ask(position: &Position) -> Option<Known> {
    let kpk = Kpk::from_position(position)?;
    let is_won = kpk.is_won();
    let can_win = ByColor::new_with(|side| is_won && side == kpk.strong);
    let judged = if is_won { Judged::Won(kpk.strong) } else { Judged::Open };
    Some(Known { can_win, judged, reason: Reason::PawnAgainstKing })
}

/// The squares of the bare king with which a white pawn wins, with its side `to_move` or waiting.
pub(super) fn wins(pawn: Square, king: Square, to_move: bool) -> Bitboard {
    let view = pawn_view(Color::White, pawn);
    let table = if to_move { &BITBASE.to_move } else { &BITBASE.waiting };
    let wins = table[view(pawn) as usize][view(king) as usize];
    if view(pawn) == pawn { wins } else { wins.flip_horizontal() }
}

/// Maps squares to the view of the bitbase: the pawn moves north and stands on the files a to d.
fn pawn_view(side: Color, pawn: Square) -> impl Fn(Square) -> Square {
    let mirrored = pawn as u32 & 7 > 3;
    move |square| {
        let north = square_facing_north(square, side);
        if mirrored { north.flip_horizontal() } else { north }
    }
}

/// For each square of the pawn's king, the squares of the bare king with which the pawn wins.
type KpkWins = [Bitboard; 64];

/// All wins, by the square of the pawn.
struct KpkBitbase {
    /// The side with the pawn is to move.
    to_move: Vec<KpkWins>,
    /// The bare king is to move.
    waiting: Vec<KpkWins>,
}

static BITBASE: LazyLock<KpkBitbase> = LazyLock::new(|| {
    let nothing = vec![[Bitboard::EMPTY; 64]; 64];
    let mut bitbase = KpkBitbase { to_move: nothing.clone(), waiting: nothing };
    for rank in (1..7).rev() {
        for file in 0..4 {
            bitbase.solve(square_at(8 * rank + file));
        }
    }
    bitbase
});

impl KpkBitbase {
    /// Solves one square of the pawn. Squares further north have been solved.
    fn solve(&mut self, pawn: Square) {
        let (s, pawn_set) = (pawn as usize, bit(pawn));
        let checks = pawn_attacks(pawn_set);
        let apart = |king: Square| !(king_attacks(bit(king)) | bit(king) | pawn_set);
        let pushes = Square::ALL.map(|king| {
            if king == pawn { Bitboard::EMPTY } else { self.winning_pushes(pawn, king) }
        });
        loop {
            let mut grown = false;
            for king in !pawn_set {
                let king_moves: Bitboard = (king_attacks(bit(king)) & !pawn_set)
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, to| all | self.waiting[s][to as usize]);
                let now = (pushes[king as usize] | king_moves) & apart(king) & !checks;
                grown |= now != self.to_move[s][king as usize];
                self.to_move[s][king as usize] = now;
            }
            if !grown {
                return;
            }
            for king in !pawn_set {
                let free = apart(king) & !checks;
                let captures =
                    if is_beside(king, pawn) { Bitboard::EMPTY } else { king_attacks(pawn_set) };
                let escapes = king_attacks(free & !self.to_move[s][king as usize]) | captures;
                let stalemate = !king_attacks(free) & !checks;
                self.waiting[s][king as usize] = apart(king) & !escapes & !stalemate;
            }
        }
    }

    /// The squares of the bare king with which a push of the pawn wins.
    fn winning_pushes(&self, pawn: Square, king: Square) -> Bitboard {
        let to = square_at(pawn as u32 + 8);
        if to == king {
            return Bitboard::EMPTY;
        }
        if to as u32 >= 56 {
            // The new queen wins unless the bare king captures it.
            let captured =
                if is_beside(king, to) { Bitboard::EMPTY } else { king_attacks(bit(to)) };
            return !captured & !bit(to);
        }
        let single = self.waiting[to as usize][king as usize] & !bit(to);
        let far = square_at(to as u32 + 8);
        if pawn as u32 >= 16 || far == king {
            return single;
        }
        single | (self.waiting[far as usize][king as usize] & !bit(to) & !bit(far))
    }
}

/// Whether a king stands next to a square.
fn is_beside(king: Square, square: Square) -> bool {
    king_attacks(bit(king)).contains(square)
}
