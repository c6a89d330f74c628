//! Correction histories: in which direction, and how consistently, the static evaluation erred in
//! earlier positions with the same pawns, minor pieces, major pieces, pieces of a side, or moves
//! before the last. (Caissa's idea. The keys are those that Stockfish has or had, except for the moves:
//! Stockfish pairs the last two, Freshet the two before the last.)

use super::histories::{HistoryEntry, LIMIT, NO_MOVE, PIECE_TO};
use crate::board::Position;
use crate::chess::Color;
use crate::prefetch::prefetch;
use crate::search::numbers::{ParamsInUse, numbers};

numbers! {
    correction:
    /// Weight of the pawn structure's correction.
    pawns = 740, 0 to 3000;
    /// Weight of the correction by minor pieces.
    minors = 600, 0 to 3000;
    /// Weight of the correction by major pieces.
    majors = 350, 0 to 3000;
    /// Weight of the corrections by the pieces of each side.
    pieces = 900, 0 to 3000;
    /// Weight of the correction by the two moves that precede the last one.
    moves = 1050, 0 to 3000;
}

/// Entries of a table for each side to move.
const SIZE: usize = 1 << 14;

type Keyed = [[HistoryEntry; SIZE]; 2];

/// The corrections of one thread. Too large for the stack: part of
/// `ThreadMemory`.
#[derive(bytemuck::Zeroable)]
pub(crate) struct Corrections {
    pawns: Keyed,
    minors: Keyed,
    majors: Keyed,
    pieces: [Keyed; 2],
    /// By the third-to-last and the second-to-last move. The row and the column of [`NO_MOVE`] stay
    /// zero.
    moves: [[HistoryEntry; PIECE_TO]; PIECE_TO],
}

/// The two moves before the last one, the older first, as indices of
/// [`piece_to`](super::histories::piece_to) or [`NO_MOVE`].
pub(crate) type MovesBeforeLast = [usize; 2];

/// The sum of weight times entry that makes one centipawn.
const GRAIN: i32 = 1 << 18;

impl Corrections {
    /// The centipawns to add to the static evaluation.
    #[inline]
    pub(crate) fn correction(
        &self,
        params: ParamsInUse<'_>,
        position: &Position,
        moves: MovesBeforeLast,
    ) -> i32 {
        let numbers = Numbers::of(params);
        let side = position.turn() as usize;
        let keys = position.keys();
        let at = |table: &Keyed, key: u64| table[side][key as usize % SIZE].get();
        let pieces = at(&self.pieces[0], keys.pieces(Color::Black))
            + at(&self.pieces[1], keys.pieces(Color::White));
        let by_moves = self.moves[moves[0]][moves[1]].get();
        (numbers.pawns * at(&self.pawns, keys.pawns())
            + numbers.minors * at(&self.minors, keys.minors())
            + numbers.majors * at(&self.majors, keys.majors())
            + numbers.pieces * pieces
            + numbers.moves * by_moves)
            / GRAIN
    }

    /// Whether every entry is still zero.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        let Corrections { pawns, minors, majors, pieces, moves } = self;
        let keyed = [pawns, minors, majors, &pieces[0], &pieces[1]];
        let mut entries = keyed.into_iter().flatten().flatten().chain(moves.iter().flatten());
        entries.all(|entry| entry.get() == 0)
    }

    /// Prefetches the entries of a position.
    #[inline(always)]
    pub(crate) fn prefetch(&self, position: &Position, moves: MovesBeforeLast) {
        let side = position.turn() as usize;
        let keys = position.keys();
        let at = |table: &Keyed, key: u64| prefetch(&table[side][key as usize % SIZE]);
        at(&self.pawns, keys.pawns());
        at(&self.minors, keys.minors());
        at(&self.majors, keys.majors());
        at(&self.pieces[0], keys.pieces(Color::Black));
        at(&self.pieces[1], keys.pieces(Color::White));
        prefetch(&self.moves[moves[0]][moves[1]]);
    }

    /// Updates all entries of a position after a search to `depth` plies found the evaluation
    /// `error` centipawns too low.
    pub(crate) fn update(
        &mut self,
        position: &Position,
        moves: MovesBeforeLast,
        error: i32,
        depth: i32,
    ) {
        let side = position.turn() as usize;
        let keys = position.keys();
        // At most a quarter of the limit: an error of 128 centipawns at depth 4, for instance.
        let bonus = (8 * error * depth).clamp(-LIMIT / 4, LIMIT / 4);
        let update = |table: &mut Keyed, key: u64| table[side][key as usize % SIZE].update(bonus);
        update(&mut self.pawns, keys.pawns());
        update(&mut self.minors, keys.minors());
        update(&mut self.majors, keys.majors());
        update(&mut self.pieces[0], keys.pieces(Color::Black));
        update(&mut self.pieces[1], keys.pieces(Color::White));
        if !moves.contains(&NO_MOVE) {
            self.moves[moves[0]][moves[1]].update(bonus);
        }
    }
}
