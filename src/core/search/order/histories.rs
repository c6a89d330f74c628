//! History heuristics: how often moves have caused cutoffs before, for move ordering, reductions
//! and pruning. Butterfly, pawn, continuation and capture history.

use std::cell::OnceCell;

use bytemuck::Zeroable;

use crate::board::{CheckSquares, Move, Position};
use crate::chess::{Bitboard, Role};
use crate::search::numbers::ParamsInUse;

/// The largest absolute value of a history.
pub(super) const LIMIT: i32 = 16_384;

/// A history value with gravity: the closer the value is to its limit, the less a bonus adds.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
pub(super) struct HistoryEntry(i16);

impl HistoryEntry {
    /// Adds a bonus, or a malus if negative; less the closer the value already is to that limit.
    #[inline(always)]
    pub(super) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - i32::from(self.0) * bonus.abs() / LIMIT) as i16;
    }

    /// The number, between plus and minus [`LIMIT`].
    #[inline(always)]
    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// A piece and the square it goes to, as one index below [`PIECE_TO`].
#[inline(always)]
pub(crate) fn piece_to(position: &Position, m: Move) -> usize {
    position.code_at(m.from()).index() * 64 + m.to() as usize
}

/// Piece codes times squares.
pub(super) const PIECE_TO: usize = 16 * 64;

/// Stands for "no move" where an index of [`piece_to`] is expected. No move has this index: it
/// would be an empty square moving to a1.
pub(crate) const NO_MOVE: usize = 0;

/// Continuation histories: how many plies back the earlier move of each lies. They share one table:
/// the colour of the earlier piece separates replies to the opponent's moves from continuations of
/// our own.
pub(crate) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];

/// Pawn structures that the pawn history distinguishes, by their key.
const STRUCTURES: usize = 512;

/// All histories of quiet moves and captures of one thread. Too large for the stack: part of
/// `ThreadMemory`.
#[derive(Zeroable)]
pub(crate) struct Histories {
    /// Butterfly history: by side, whether origin and target are attacked, and both squares.
    butterfly: [[[HistoryEntry; 4096]; 4]; 2],
    /// Pawn history: by pawn structure, piece and target.
    pawns: [[HistoryEntry; PIECE_TO]; STRUCTURES],
    /// Capture history: by moved piece, target and captured piece.
    capture: [[HistoryEntry; 7]; PIECE_TO],
    /// Continuation history: by the earlier move and the move. The row of [`NO_MOVE`] stays zero,
    /// so that a sum needs no branch.
    continuation: [[HistoryEntry; PIECE_TO]; PIECE_TO],
}

/// The moves before a node that [`CONTINUATIONS`] names, as indices of [`piece_to`] or [`NO_MOVE`].
pub(crate) type PriorMoves = [usize; CONTINUATIONS.len()];

/// What the histories of a move depend on besides the move: earlier moves, attacked squares, pawns.
#[derive(Clone, Debug)]
pub(crate) struct Context<'a> {
    /// The tuned search parameters.
    pub(crate) params: ParamsInUse<'a>,
    /// The moves that led to the node.
    pub(crate) before: PriorMoves,
    /// Squares that the opponent attacks, on the board without our king.
    pub(crate) attacked: Bitboard,
    /// Index of the pawn structure in the pawn history.
    structure: usize,
    check_squares: OnceCell<CheckSquares>,
}

impl<'a> Context<'a> {
    /// The context of a node.
    #[inline(always)]
    pub(crate) fn new(
        params: ParamsInUse<'a>,
        position: &Position,
        before: PriorMoves,
        attacked: Bitboard,
    ) -> Context<'a> {
        let structure = position.keys().pawns() as usize % STRUCTURES;
        Context { params, before, attacked, structure, check_squares: OnceCell::new() }
    }

    /// Whether a move of the node gives check; `position` must be the node's. The first call
    /// computes the check squares.
    #[inline(always)]
    pub(crate) fn gives_check(&self, position: &Position, m: Move) -> bool {
        position.gives_check(m, self.check_squares.get_or_init(|| position.check_squares()))
    }

    /// The indices of a quiet move in the main histories.
    #[inline(always)]
    pub(crate) fn history_index(&self, position: &Position, m: Move) -> HistoryIndex {
        HistoryIndex {
            side: position.turn() as usize,
            threats: threats(self.attacked, m),
            squares: m.squares(),
            structure: self.structure,
            piece_to: piece_to(position, m),
        }
    }
}

/// The indices of a quiet move in the main histories, which do not depend on earlier moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryIndex {
    side: usize,
    threats: usize,
    squares: usize,
    structure: usize,
    piece_to: usize,
}

/// The rows of the histories that the quiet moves of a node share.
pub(super) struct QuietHistories<'a> {
    butterfly: &'a [[HistoryEntry; 4096]; 4],
    pawns: &'a [HistoryEntry; PIECE_TO],
    continuation: [&'a [HistoryEntry; PIECE_TO]; CONTINUATIONS.len()],
    attacked: Bitboard,
}

impl QuietHistories<'_> {
    /// The sum of a quiet move's butterfly, pawn and continuation histories.
    #[inline(always)]
    pub(super) fn sum(&self, position: &Position, m: Move) -> i32 {
        let index = piece_to(position, m);
        let mut sum = self.butterfly[threats(self.attacked, m)][m.squares()].get();
        sum += self.pawns[index].get();
        for row in self.continuation {
            sum += row[index].get();
        }
        sum
    }
}

/// Whether the opponent attacks the origin (one bit) and the target (the other) of a move: 0 to 3.
#[inline(always)]
fn threats(attacked: Bitboard, m: Move) -> usize {
    usize::from(attacked.contains(m.from())) * 2 + usize::from(attacked.contains(m.to()))
}

impl Histories {
    /// The rows for the quiet moves of a node.
    #[inline(always)]
    pub(super) fn quiets(&self, position: &Position, context: &Context<'_>) -> QuietHistories<'_> {
        QuietHistories {
            butterfly: &self.butterfly[position.turn() as usize],
            pawns: &self.pawns[context.structure],
            continuation: context.before.map(|earlier| &self.continuation[earlier]),
            attacked: context.attacked,
        }
    }

    /// The sum of a quiet move's butterfly, pawn and continuation histories.
    #[inline(always)]
    pub(crate) fn quiet(&self, position: &Position, m: Move, context: &Context<'_>) -> i32 {
        self.quiets(position, context).sum(position, m)
    }

    /// Whether the continuation histories of a quiet move are bad for both the last move and the
    /// one before.
    #[inline(always)]
    pub(crate) fn has_failed(&self, position: &Position, m: Move, context: &Context<'_>) -> bool {
        let index = piece_to(position, m);
        context.before[..2].iter().all(|&earlier| self.continuation[earlier][index].get() < 0)
    }

    /// Updates all histories of quiet moves.
    pub(crate) fn update_quiet(
        &mut self,
        position: &Position,
        m: Move,
        context: &Context<'_>,
        bonus: i32,
    ) {
        let index = context.history_index(position, m);
        self.update_main(index, bonus);
        self.update_continuation(index.piece_to, &context.before, bonus);
    }

    /// Updates the main histories, which do not depend on earlier moves.
    pub(crate) fn update_main(&mut self, index: HistoryIndex, bonus: i32) {
        self.butterfly[index.side][index.threats][index.squares].update(bonus);
        self.pawns[index.structure][index.piece_to].update(bonus);
    }

    /// Updates the continuation histories of the move with this index after each of the earlier
    /// moves.
    pub(crate) fn update_continuation(&mut self, index: usize, before: &PriorMoves, bonus: i32) {
        for &earlier in before.iter().filter(|&&earlier| earlier != NO_MOVE) {
            self.continuation[earlier][index].update(bonus);
        }
    }

    #[inline(always)]
    fn victim(position: &Position, m: Move) -> usize {
        position.captured_by(m).map_or(0, |role: Role| role as usize)
    }

    /// The history of a capture or promotion.
    #[inline(always)]
    pub(crate) fn capture(&self, position: &Position, m: Move) -> i32 {
        let index = piece_to(position, m);
        self.capture[index][Histories::victim(position, m)].get()
    }

    /// Updates the history of captures and promotions.
    pub(crate) fn update_capture(&mut self, position: &Position, m: Move, bonus: i32) {
        let index = piece_to(position, m);
        self.capture[index][Histories::victim(position, m)].update(bonus);
    }
}
