//! Finds the result of a position with few pieces by retrograde analysis over sets, as far as
//! memory allows.
//!
//! Solves piece bitbases for the pawns and pieces of the position, and for everything that
//! captures, pawn moves and promotions make of them. Each step follows one more pawn change in a
//! row. Changes not followed count for the attacker in one bitbase and for the defender in another.
//! The truth lies between the two, so a result is claimed only if both agree.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::{Move, MoveKind, Position};
use crate::chess::{Bitboard, ByColor, Color, Rank, Role, Square, bit, side_name};
use crate::fill::attacks_of;
use crate::fill::spans::beside;
use crate::fill::waves::king_attacks;
use crate::known::fortress::piece_bitbases::{
    Change, Keep, MAX_PIECES, PawnChanges, PieceBitbase, PieceKind, PieceSquares, Pieces,
};
use crate::known::fortress::pieces::View;
use crate::known::fortress::structure::{PawnStructure, double_push};
use crate::progress::Progress;

/// The reason why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The position has more than three pieces besides kings and pawns.
    #[error("more than {MAX_PIECES} pieces besides kings and pawns")]
    Pieces,
    /// A side may still castle.
    #[error("a side may still castle")]
    Castling,
    /// The first bitbase does not fit into memory.
    #[error("{needed} MB are needed, {limit} are allowed")]
    Memory {
        /// The size of the first bitbase, in MiB.
        needed: usize,
        /// The limit, in MiB.
        limit: usize,
    },
}

/// The limits of memory, depth and time.
#[derive(Clone, Copy, Debug)]
pub struct SolveLimits {
    /// The most memory for all bitbases together, in MiB.
    pub memory: usize,
    /// The number of pawn changes in a row to follow.
    pub changes: u32,
    /// No further step begins after this time.
    pub time: Duration,
}

/// The result of a position, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side wins by force.
    Win(Color),
    /// Neither side can win.
    Draw,
    /// Unknown, with the sides that may still be able to win.
    Unknown(ByColor<bool>),
}

/// The solution of a position.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The result, as far as known.
    pub outcome: Outcome,
    /// The side that forces a change (a capture or pawn move) or mate, and the number of moves, 0 if it
    /// has mated. If the outcome is unknown, so is the value of that change.
    pub forces: Option<(Color, u32)>,
    /// Whether this is the least number of moves. If not, a change that was not followed may win
    /// sooner.
    pub is_least: bool,
    /// The line to that change, against the longest defence.
    pub line: Vec<Move>,
    /// The number of bitbases solved.
    pub bitbases: usize,
    /// The memory of the bitbases, in bytes.
    pub memory: usize,
    /// The number of pawn changes in a row that were followed.
    pub changes: u32,
    /// The number of changes not followed in the last step.
    pub not_followed: u64,
}

/// Solves a position.
///
/// # Errors
///
/// If there are more than three pieces or castling rights, or not even the first bitbase fits into
/// memory.
pub fn solve(
    position: &Position,
    limits: &SolveLimits,
    progress: &dyn Progress,
) -> Result<Solution, SolveError> {
    Explorer::new().solve(position, limits, progress)
}

impl Solution {
    /// The solution of a position without a legal move.
    fn of_end(position: &Position) -> Solution {
        let winner = position.checkers().any().then(|| position.turn().other());
        Solution {
            outcome: winner.map_or(Outcome::Draw, Outcome::Win),
            forces: winner.map(|winner| (winner, 0)),
            is_least: true,
            line: Vec::new(),
            bitbases: 0,
            memory: 0,
            changes: 0,
            not_followed: 0,
        }
    }
}

/// The pawns and pieces of a bitbase, and whether unknown outcomes count for the attacker.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    pawns: PawnStructure,
    pieces: Pieces,
    optimistic: bool,
}

/// A bitbase and the number of changes followed.
#[derive(Clone)]
struct Table {
    bitbase: Arc<PieceBitbase>,
    changes: u32,
    /// No change was left out, so the bitbase is exact.
    exact: bool,
}

/// All bitbases solved so far, for use with successive positions. Each is seen by its attacker, who
/// moves north.
#[derive(Default)]
pub struct Explorer {
    tables: RefCell<HashMap<Key, Table>>,
    used: Cell<usize>,
    limit: Cell<usize>,
    /// A bitbase did not fit into memory.
    full: Cell<bool>,
    not_followed: Cell<u64>,
}

impl Explorer {
    /// An explorer without bitbases.
    pub fn new() -> Explorer {
        Explorer::default()
    }

    /// Solves a position, reusing earlier bitbases.
    ///
    /// # Errors
    ///
    /// As [`solve`].
    pub fn solve(
        &self,
        position: &Position,
        limits: &SolveLimits,
        progress: &dyn Progress,
    ) -> Result<Solution, SolveError> {
        self.check(position, limits)?;
        if position.moves().is_empty() {
            return Ok(Solution::of_end(position));
        }
        let began = Instant::now();
        progress.start("changes followed", u64::from(limits.changes) + 1);
        for changes in 0.. {
            self.not_followed.set(0);
            self.full.set(false);
            let outcome = self.outcome(position, changes);
            progress.advance();
            let known = !matches!(outcome, Outcome::Unknown(_));
            let over = changes >= limits.changes || began.elapsed() >= limits.time;
            let not_followed = self.not_followed.get();
            if known || over || self.full.get() {
                progress.finish();
                let (forces, is_least, line) = self.line(position, outcome, changes);
                let (bitbases, memory) = (self.tables.borrow().len(), self.used.get());
                return Ok(Solution {
                    outcome,
                    forces,
                    is_least,
                    line,
                    bitbases,
                    memory,
                    changes,
                    not_followed,
                });
            }
        }
        unreachable!("the number of changes is limited")
    }

    /// Whether a position can be solved at all.
    fn check(&self, position: &Position, limits: &SolveLimits) -> Result<(), SolveError> {
        if position.castling_rights() != 0 {
            return Err(SolveError::Castling);
        }
        let placed = View::of(position, Color::White, MAX_PIECES).ok_or(SolveError::Pieces)?;
        let needed = PieceBitbase::size_while_solving(PawnStructure::of(position), &placed.pieces);
        if needed >> 20 >= limits.memory {
            return Err(SolveError::Memory { needed: (needed >> 20) + 1, limit: limits.memory });
        }
        self.limit.set(limits.memory << 20);
        Ok(())
    }

    fn known(&self, key: &Key, changes: u32) -> Option<Table> {
        let tables = self.tables.borrow();
        let other = Key { optimistic: !key.optimistic, ..key.clone() };
        let exact = tables.get(&other).filter(|table| table.exact);
        let table = tables.get(key).filter(|table| table.exact || table.changes >= changes);
        table.or(exact).cloned()
    }

    /// The bitbase of these pawns and pieces, following this many further changes; `None` if it is
    /// out of reach.
    fn table(
        &self,
        pawns: PawnStructure,
        pieces: &Pieces,
        optimistic: bool,
        changes: u32,
        keep: Keep,
    ) -> Option<Table> {
        let key = Key { pawns, pieces: pieces.clone(), optimistic };
        if keep == Keep::Results
            && let Some(known) = self.known(&key, changes)
        {
            return Some(known);
        }
        if pieces.count() > MAX_PIECES {
            return None;
        }
        let mut exact = true;
        let mut smaller = Vec::new();
        for piece in 0..pieces.count() {
            let table =
                self.table(pawns, &pieces.without(piece), optimistic, changes, Keep::Results)?;
            exact &= table.exact;
            smaller.push(table.bitbase);
        }
        if self.used.get() + PieceBitbase::size_while_solving(pawns, pieces) > self.limit.get() {
            self.full.set(true);
            return None;
        }
        let unknown = Cell::new(false);
        let pawn_changes =
            Follow { explorer: self, pawns, pieces, optimistic, changes, unknown: &unknown };
        let bitbase = PieceBitbase::solve(pawns, pieces, &smaller, &pawn_changes, keep, &|| false)?;
        exact &= !unknown.get();
        let table = Table { bitbase: Arc::new(bitbase), changes, exact };
        let replaced = self.tables.borrow_mut().insert(key, table.clone());
        let freed = replaced.map_or(0, |old| old.bitbase.size());
        self.used.set(self.used.get() + table.bitbase.size() - freed);
        Some(table)
    }

    /// Whether `attacker` wins if unknown outcomes count for it (`optimistic`) or against it.
    fn wins(&self, position: &Position, attacker: Color, optimistic: bool, changes: u32) -> Won {
        let Some(placed) = View::of(position, attacker, MAX_PIECES) else {
            return Won { wins: optimistic, exact: false };
        };
        let pawns = PawnStructure::of(position).seen_by(attacker);
        let Some(table) = self.table(pawns, &placed.pieces, optimistic, changes, Keep::Results)
        else {
            return Won { wins: optimistic, exact: false };
        };
        let attacks = position.turn() == attacker;
        let bitbase = &table.bitbase;
        let wins = match attacks {
            true => !bitbase.holds(&placed.squares).contains(placed.defender),
            false => bitbase.won(&placed.squares).contains(placed.defender),
        };
        if position.en_passant().is_none() {
            return Won { wins, exact: table.exact };
        }
        // An en passant capture is an extra choice for the side to move. Where the defender has no
        // other move, the bitbase takes the position for mate or stalemate.
        let mut after = position.clone();
        let moves = position.moves();
        let is_forced = !attacks && moves.iter().all(|m| m.kind() == MoveKind::EnPassant);
        let mut result = Won { wins: wins || is_forced, exact: table.exact };
        for m in moves {
            if m.kind() == MoveKind::EnPassant {
                after.play(m);
                let then = self.wins(&after, attacker, optimistic, changes.saturating_sub(1));
                after.undo();
                result.exact &= then.exact;
                result.wins =
                    if attacks { result.wins | then.wins } else { result.wins & then.wins };
            }
        }
        result
    }

    /// The result of a position as far as known when following this many changes.
    fn outcome(&self, position: &Position, changes: u32) -> Outcome {
        let upper = ByColor::new_with(|side| self.wins(position, side, true, changes));
        if let Some(side) = Color::ALL.into_iter().find(|&side| {
            let Won { wins, exact } = upper[side];
            wins && (exact || self.wins(position, side, false, changes).wins)
        }) {
            return Outcome::Win(side);
        }
        let may_win = upper.map(|won| won.wins);
        if may_win.white || may_win.black { Outcome::Unknown(may_win) } else { Outcome::Draw }
    }

    /// The side that forces a change or mate and the number of moves, whether that is the least
    /// number, and the line.
    fn line(
        &self,
        position: &Position,
        outcome: Outcome,
        changes: u32,
    ) -> (Option<(Color, u32)>, bool, Vec<Move>) {
        // The optimistic bitbase takes every change that was not followed for a win, so nothing is
        // faster than its number.
        let (attacker, optimistic) = match outcome {
            Outcome::Draw => return (None, true, Vec::new()),
            Outcome::Win(side) => (side, self.wins(position, side, true, changes).exact),
            Outcome::Unknown(may_win) => {
                (if may_win.white { Color::White } else { Color::Black }, true)
            }
        };
        let mut line = Vec::new();
        let mut forces = None;
        if let Some(placed) = View::of(position, attacker, MAX_PIECES) {
            let pawns = PawnStructure::of(position).seen_by(attacker);
            let table = self.table(pawns, &placed.pieces, optimistic, changes, Keep::Distances);
            if let Some(Table { bitbase, .. }) = table {
                let walk = Walk { explorer: self, bitbase, attacker, optimistic, changes };
                let mut here = position.clone();
                forces = walk.moves_to_change(&mut here).map(|moves| (attacker, moves));
                while let Some(m) = walk.next(&mut here) {
                    line.push(m);
                    let changed =
                        here.captured_by(m).is_some() || here.moved_by(m).role == Role::Pawn;
                    here.play(m);
                    if changed || line.len() > 200 {
                        break;
                    }
                }
            }
        }
        (forces, optimistic, line)
    }
}

/// An answer of the bitbases.
#[derive(Clone, Copy)]
struct Won {
    wins: bool,
    /// The answer is exact.
    exact: bool,
}

/// A walk through one bitbase.
struct Walk<'a> {
    explorer: &'a Explorer,
    bitbase: Arc<PieceBitbase>,
    attacker: Color,
    optimistic: bool,
    changes: u32,
}

impl Walk<'_> {
    /// The attacker's moves to a forced change; `None` if it cannot force one.
    fn moves_to_change(&self, position: &mut Position) -> Option<u32> {
        if position.turn() != self.attacker {
            let placed = View::of(position, self.attacker, MAX_PIECES)?;
            let distance = self.bitbase.distance(&placed.squares, placed.defender)?;
            // Bitbases leave out en passant. If it is the only legal move, this is not mate.
            return (distance > 0 || position.moves().is_empty()).then_some(distance);
        }
        let moves = position.moves();
        moves.iter().filter_map(|&m| self.after(position, m)).min().map(|moves| moves + 1)
    }

    /// The attacker's further moves to the change after it plays `m`.
    fn after(&self, position: &mut Position, m: Move) -> Option<u32> {
        let captured = position.captured_by(m);
        let pawns_change = position.moved_by(m).role == Role::Pawn || captured == Some(Role::Pawn);
        position.play(m);
        let mates = position.checkers().any() && position.moves().is_empty();
        let further = if mates {
            Some(0)
        } else if pawns_change && self.changes == 0 {
            self.optimistic.then_some(0)
        } else if captured.is_some() || pawns_change {
            let left = self.changes - u32::from(pawns_change);
            let won = self.explorer.wins(position, self.attacker, self.optimistic, left);
            won.wins.then_some(0)
        } else {
            self.moves_to_change(position)
        };
        position.undo();
        further
    }

    /// The next move: the attacker's fastest, or the other side's longest defence.
    fn next(&self, position: &mut Position) -> Option<Move> {
        let moves = position.moves();
        if position.turn() == self.attacker {
            let rated = moves.iter().filter_map(|&m| Some((self.after(position, m)?, m)));
            return rated.min_by_key(|&(further, _)| further).map(|(_, m)| m);
        }
        let rated = moves.iter().map(|&m| {
            let changes =
                position.captured_by(m).is_some() || position.moved_by(m).role == Role::Pawn;
            position.play(m);
            let further = if changes { None } else { self.moves_to_change(position) };
            position.undo();
            (further.unwrap_or(0), m)
        });
        rated.max_by_key(|&(further, _)| further).map(|(_, m)| m)
    }
}

/// Decides pawn changes by the bitbases after them.
struct Follow<'a> {
    explorer: &'a Explorer,
    pawns: PawnStructure,
    pieces: &'a Pieces,
    optimistic: bool,
    changes: u32,
    unknown: &'a Cell<bool>,
}

impl Follow<'_> {
    fn note(&self) {
        self.unknown.set(true);
        self.explorer.not_followed.set(self.explorer.not_followed.get() + 1);
    }

    /// The pieces after a change that captures one.
    fn left(&self, captured: Option<usize>) -> Pieces {
        captured.map_or_else(|| self.pieces.clone(), |piece| self.pieces.without(piece))
    }

    /// The answer of the bitbase one change further.
    fn ask(
        &self,
        pawns: PawnStructure,
        pieces: &Pieces,
        answer: impl Fn(&PieceBitbase) -> Bitboard,
    ) -> Option<Bitboard> {
        let table = match self.changes {
            0 => None,
            changes => {
                self.explorer.table(pawns, pieces, self.optimistic, changes - 1, Keep::Results)
            }
        };
        let Some(table) = table else {
            self.note();
            return None;
        };
        if !table.exact {
            self.unknown.set(true);
        }
        Some(answer(&table.bitbase))
    }

    /// Asks the bitbases after a promotion on `square`, for each piece that the pawn can become.
    fn ask_promoted(
        &self,
        pawns: PawnStructure,
        pieces: &Pieces,
        promoted: Promoted<'_>,
        answer: fn(&PieceBitbase, &PieceSquares) -> Bitboard,
    ) -> Option<Bitboard> {
        let mut all = Bitboard::EMPTY;
        for kind in
            PieceKind::ALL.into_iter().filter(|kind| kind.squares().contains(promoted.square))
        {
            if pieces.count() == MAX_PIECES {
                self.note();
                return None;
            }
            let mut pieces = pieces.clone();
            let list =
                if promoted.by_attacker { &mut pieces.attacker } else { &mut pieces.defender };
            let place = list.iter().take_while(|&&other| other < kind).count();
            list.insert(place, kind);
            let offset = if promoted.by_attacker { 0 } else { pieces.attacker.len() };
            let mut squares = promoted.squares.clone();
            squares.pieces.insert(offset + place, promoted.square);
            all |= self.ask(pawns, &pieces, |bitbase| answer(bitbase, &squares))?;
        }
        Some(all)
    }

    /// The squares where the defender's king is not in check and has no move.
    fn immobile(&self, pawns: PawnStructure, pieces: &Pieces, squares: &PieceSquares) -> Bitboard {
        let placed =
            squares.pieces.iter().fold(bit(squares.king), |all, &square| all | bit(square));
        let occupied = pawns.ours | pawns.theirs | placed;
        let by_pieces = pieces
            .attacker
            .iter()
            .zip(&squares.pieces)
            .fold(Bitboard::EMPTY, |all, (kind, &square)| {
                all | attacks_of(kind.role(), bit(square), !occupied)
            });
        let attacked = pawns.our_attacks() | king_attacks(bit(squares.king)) | by_pieces;
        !attacked & !king_attacks(!(attacked | (occupied & !pawns.ours)))
    }
}

/// A pawn that has just promoted.
struct Promoted<'a> {
    square: Square,
    by_attacker: bool,
    /// The squares of the other pieces.
    squares: &'a PieceSquares,
}

impl PawnChanges for Follow<'_> {
    fn attacker_wins(&self, change: &Change<'_>) -> Bitboard {
        let unknown = if self.optimistic { Bitboard::FULL } else { Bitboard::EMPTY };
        let (pieces, squares) = (self.left(change.captured), change.squares);
        let last = change.pawns.ours & Bitboard::from_rank(Rank::Eighth);
        if let Some(square) = last.first() {
            let pawns = PawnStructure { ours: change.pawns.ours & !last, ..change.pawns };
            let promoted = Promoted { square, by_attacker: true, squares };
            return self
                .ask_promoted(pawns, &pieces, promoted, PieceBitbase::won)
                .unwrap_or(unknown);
        }
        let won = self.ask(change.pawns, &pieces, |bitbase| bitbase.won(squares));
        let Some(won) = won else { return unknown };
        let push = double_push(self.pawns.ours, change.pawns.ours);
        let Some(push) = push.filter(|_| change.pawns.theirs == self.pawns.theirs) else {
            return won;
        };
        let capturers = beside(bit(push.to)) & change.pawns.theirs;
        if capturers.is_empty() {
            return won;
        }
        let mut saved = Bitboard::EMPTY;
        for pawn in capturers {
            let pawns = PawnStructure {
                ours: change.pawns.ours & !bit(push.to),
                theirs: (change.pawns.theirs & !bit(pawn)) | bit(push.passed),
            };
            let missing = if self.optimistic { Bitboard::EMPTY } else { Bitboard::FULL };
            saved |= self.ask(pawns, &pieces, |bitbase| bitbase.holds(squares)).unwrap_or(missing);
        }
        // An apparent stalemate does not count if the pawn can be captured.
        let stalemates = self.immobile(change.pawns, &pieces, squares) & !won & !saved;
        if stalemates.any() {
            self.note();
        }
        (if self.optimistic { won | stalemates } else { won }) & !saved
    }

    fn defender_saved(&self, change: &Change<'_>) -> Bitboard {
        let unknown = if self.optimistic { Bitboard::EMPTY } else { Bitboard::FULL };
        let (pieces, squares) = (self.left(change.captured), change.squares);
        let last = change.pawns.theirs & Bitboard::from_rank(Rank::First);
        if let Some(square) = last.first() {
            let pawns = PawnStructure { theirs: change.pawns.theirs & !last, ..change.pawns };
            let promoted = Promoted { square, by_attacker: false, squares };
            return self
                .ask_promoted(pawns, &pieces, promoted, PieceBitbase::holds)
                .unwrap_or(unknown);
        }
        let Some(holds) = self.ask(change.pawns, &pieces, |bitbase| bitbase.holds(squares)) else {
            return unknown;
        };
        let push = double_push(self.pawns.theirs, change.pawns.theirs);
        let Some(push) = push.filter(|_| change.pawns.ours == self.pawns.ours) else {
            return holds;
        };
        let mut lost = Bitboard::EMPTY;
        for pawn in beside(bit(push.to)) & change.pawns.ours {
            let pawns = PawnStructure {
                ours: (change.pawns.ours & !bit(pawn)) | bit(push.passed),
                theirs: change.pawns.theirs & !bit(push.to),
            };
            let missing = if self.optimistic { Bitboard::FULL } else { Bitboard::EMPTY };
            lost |= self.ask(pawns, &pieces, |bitbase| bitbase.won(squares)).unwrap_or(missing);
        }
        holds & !lost
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Outcome::Win(side) => write!(f, "{} wins", side_name(side)),
            Outcome::Draw => write!(f, "draw"),
            Outcome::Unknown(ByColor { white: true, black: true }) => write!(f, "not known"),
            Outcome::Unknown(ByColor { white, .. }) => {
                let side = if white { Color::White } else { Color::Black };
                write!(f, "not known, but {} cannot win", side_name(side.other()))
            }
        }
    }
}
