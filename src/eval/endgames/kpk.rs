//! King and pawn against king, solved by fills: for every square of the pawn and of its king, the set of squares of the other
//! king with which the pawn wins. (`kervinck/pfkpk` keeps the same 64 squares in a word.)
//!
//! The pawn is White's and on the files a to d; other positions are turned. It is worked out once, from the seventh rank
//! down, in less than a millisecond.

use std::sync::LazyLock;

use crate::chess::{Bitboard, Color, Square, bit, square_at};
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;

/// For each square of the pawn's king, the squares of the other king with which the pawn wins.
type Wins = [Bitboard; 64];

/// The same by square of the pawn, with the pawn's side to move and with the other.
struct Bitbase {
    to_move: Vec<Wins>,
    waiting: Vec<Wins>,
}

static BITBASE: LazyLock<Bitbase> = LazyLock::new(|| {
    let nothing = vec![[Bitboard::EMPTY; 64]; 64];
    let mut table = Bitbase { to_move: nothing.clone(), waiting: nothing };
    for rank in (1..7).rev() {
        for file in 0..4 {
            table.solve(square_at(8 * rank + file));
        }
    }
    table
});

impl Bitbase {
    /// Solves one square of the pawn; those further on are solved.
    fn solve(&mut self, pawn: Square) {
        let (s, on) = (pawn as usize, bit(pawn));
        let checks = pawn_attacks(on);
        let apart = |king: Square| !(king_attacks(bit(king)) | bit(king) | on);
        let pushes = Square::ALL
            .map(|king| if king == pawn { Bitboard::EMPTY } else { self.pushes(pawn, king) });
        loop {
            let mut grown = false;
            for king in !on {
                let near = king_attacks(bit(king));
                let steps: Bitboard = (near & !on)
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, to| all | self.waiting[s][to as usize]);
                let now = (pushes[king as usize] | steps) & apart(king) & !checks;
                grown |= now != self.to_move[s][king as usize];
                self.to_move[s][king as usize] = now;
            }
            if !grown {
                return;
            }
            for king in !on {
                let free = apart(king) & !checks;
                let takes = if near_to(king, pawn) { Bitboard::EMPTY } else { king_attacks(on) };
                let escapes = king_attacks(free & !self.to_move[s][king as usize]) | takes;
                let stalemate = !king_attacks(free) & !checks;
                self.waiting[s][king as usize] = apart(king) & !escapes & !stalemate;
            }
        }
    }

    /// Where the other king may stand so that pushing the pawn wins.
    fn pushes(&self, pawn: Square, king: Square) -> Bitboard {
        let to = square_at(pawn as u32 + 8);
        if to == king {
            return Bitboard::EMPTY;
        }
        if to as u32 >= 56 {
            // The new queen lives where the other king does not take it.
            let taken = if near_to(king, to) { Bitboard::EMPTY } else { king_attacks(bit(to)) };
            return !taken & !bit(to);
        }
        let one = self.waiting[to as usize][king as usize] & !bit(to);
        let far = square_at(to as u32 + 8);
        if pawn as u32 >= 16 || far == king {
            return one;
        }
        one | (self.waiting[far as usize][king as usize] & !bit(to) & !bit(far))
    }
}

fn near_to(king: Square, square: Square) -> bool {
    king_attacks(bit(king)).contains(square)
}

/// Squares as the side of a lone pawn sees them where the pawn is to move north and to stand on the files a to d.
pub(super) fn seen_by_pawn(side: Color, pawn: Square) -> impl Fn(Square) -> Square {
    let mirrored = pawn as u32 & 7 > 3;
    move |square| {
        let north = if side.is_white() { square } else { square.flip_vertical() };
        if mirrored { north.flip_horizontal() } else { north }
    }
}

/// Whether the side with the pawn, `strong`, wins.
pub fn wins(strong: Color, pawn: Square, king: Square, other: Square, turn: Color) -> bool {
    let see = seen_by_pawn(strong, pawn);
    let table = if turn == strong { &BITBASE.to_move } else { &BITBASE.waiting };
    table[see(pawn) as usize][see(king) as usize].contains(see(other))
}
