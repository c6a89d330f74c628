//! Histories: how moves have done before, to try the promising ones first.

use crate::board::{Move, Position};
use crate::chess::{Piece, Role, Square};

/// Histories stay within plus and minus this.
pub const LIMIT: i32 = 16_384;

/// One number with gravity: what it learns weighs less the nearer it is to the limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gravity(i16);

impl Gravity {
    /// Moves the number towards the sign of the bonus.
    #[inline(always)]
    pub fn learn(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - i32::from(self.0) * bonus.abs() / LIMIT) as i16;
    }

    /// The number, between plus and minus [`LIMIT`].
    #[inline(always)]
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// A piece and a square it goes to, as one index.
#[inline(always)]
pub fn piece_to(piece: Piece, to: Square) -> usize {
    (piece.color as usize * 6 + piece.role as usize - 1) * 64 + to as usize
}

const PIECE_TO: usize = 12 * 64;

/// What each number of moves further back is called: replies to the last move, to our own last, and so on.
pub const CONTINUATIONS: [usize; 2] = [1, 2];

type Continuation = [[Gravity; PIECE_TO]; PIECE_TO];

/// All histories of one thread.
#[derive(Clone)]
pub struct Histories {
    butterfly: Box<[[Gravity; 4096]; 2]>,
    capture: Box<[[Gravity; 7]; PIECE_TO]>,
    continuation: [Box<Continuation>; CONTINUATIONS.len()],
}

/// A boxed array that is never on the stack, where megabytes have no room.
fn boxed<T: Clone, const N: usize>(row: T) -> Box<[T; N]> {
    match vec![row; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the vector has N rows"),
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            butterfly: boxed([Gravity(0); 4096]),
            capture: boxed([Gravity(0); 7]),
            continuation: [(); CONTINUATIONS.len()].map(|()| boxed([Gravity(0); PIECE_TO])),
        }
    }
}

/// The moves that led to a node, as indices of [`piece_to`]: the last, the one before, and so on.
pub type Before = [Option<usize>; CONTINUATIONS.len()];

impl Histories {
    /// How a quiet move has done: at all, and as an answer to the moves before.
    #[inline(always)]
    pub fn quiet(&self, position: &Position, m: Move, before: &Before) -> i32 {
        let index = piece_to(position.moved_by(m), m.to());
        let mut sum = self.butterfly[position.turn() as usize][m.squares()].get();
        for (table, earlier) in self.continuation.iter().zip(before) {
            if let Some(earlier) = earlier {
                sum += table[*earlier][index].get();
            }
        }
        sum
    }

    /// Teaches all histories of quiet moves.
    pub fn learn_quiet(&mut self, position: &Position, m: Move, before: &Before, bonus: i32) {
        let index = piece_to(position.moved_by(m), m.to());
        self.butterfly[position.turn() as usize][m.squares()].learn(bonus);
        for (table, earlier) in self.continuation.iter_mut().zip(before) {
            if let Some(earlier) = earlier {
                table[*earlier][index].learn(bonus);
            }
        }
    }

    #[inline(always)]
    fn victim(position: &Position, m: Move) -> usize {
        position.captured_by(m).map_or(0, |role: Role| role as usize)
    }

    /// How a capture has done.
    #[inline(always)]
    pub fn capture(&self, position: &Position, m: Move) -> i32 {
        let index = piece_to(position.moved_by(m), m.to());
        self.capture[index][Histories::victim(position, m)].get()
    }

    /// Teaches the history of captures.
    pub fn learn_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let index = piece_to(position.moved_by(m), m.to());
        self.capture[index][Histories::victim(position, m)].learn(bonus);
    }
}
