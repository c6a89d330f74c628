//! Moves in two bytes (`Option<Move>` too), and lists of them.

use std::fmt;
use std::mem::MaybeUninit;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;
use shakmaty::uci::UciMove;

use crate::chess::{Bitboard, Role, Square, square_at};
use crate::fill::{Direction, expand};

/// The kind of a move, which together with its two squares defines the move. All kinds from
/// [`MoveKind::EnPassant`] on change the material:
/// [`Position::is_noisy`](super::Position::is_noisy) compares the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum MoveKind {
    /// A piece goes from one square to another, where it may capture; not a promotion.
    Normal = 0,
    /// Castling, written as king takes rook: the target is the square of the rook.
    Castle = 1,
    /// A pawn captures en passant.
    EnPassant = 2,
    /// A pawn promotes to a knight.
    ToKnight = 4,
    /// A pawn promotes to a bishop.
    ToBishop = 5,
    /// A pawn promotes to a rook.
    ToRook = 6,
    /// A pawn promotes to a queen.
    ToQueen = 7,
}

impl MoveKind {
    /// The four promotions, the queen first.
    pub(super) const PROMOTIONS: [MoveKind; 4] =
        [MoveKind::ToQueen, MoveKind::ToKnight, MoveKind::ToRook, MoveKind::ToBishop];

    /// The kind of a move other than castling and en passant, by the promotion role; `None` for
    /// roles to which no pawn promotes.
    pub const fn of_promotion(role: Option<Role>) -> Option<MoveKind> {
        match role {
            None => Some(MoveKind::Normal),
            Some(Role::Knight) => Some(MoveKind::ToKnight),
            Some(Role::Bishop) => Some(MoveKind::ToBishop),
            Some(Role::Rook) => Some(MoveKind::ToRook),
            Some(Role::Queen) => Some(MoveKind::ToQueen),
            Some(Role::Pawn | Role::King) => None,
        }
    }
}

/// A move: target in bits 0 to 5, origin in bits 6 to 11, [`MoveKind`] in bits 12 to 15.
/// Never zero, since origin and target differ, so that `Option<Move>` is two bytes as well.
///
/// A value does not depend on a position. [`Position::is_legal`] says whether it is legal in one.
///
/// [`Position::is_legal`]: super::Position::is_legal
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of this kind.
    ///
    /// # Panics
    ///
    /// If origin and target are the same square.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        match NonZeroU16::new(to as u16 | (from as u16) << 6 | (kind as u16) << 12) {
            Some(bits) => Move(bits),
            None => panic!("origin and target of a move are the same square"),
        }
    }

    /// The sixteen bits, for the transposition table.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The inverse of [`Move::bits`] for a move that was played, unchecked; `None` for zero.
    #[inline(always)]
    pub(super) const fn from_played(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The move with these bits; `None` if they do not form a move. The move need not be legal.
    #[inline(always)]
    pub fn from_bits(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits)
            .map(Move)
            .filter(|m| m.from() != m.to() && bits >> 12 != 3 && bits < 0x8000)
    }

    /// The square from which the piece moves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        square_at((self.0.get() >> 6) as u32)
    }

    /// The square to which the piece moves; for castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        square_at(self.0.get() as u32)
    }

    /// The kind of the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 12 {
            1 => MoveKind::Castle,
            2 => MoveKind::EnPassant,
            4 => MoveKind::ToKnight,
            5 => MoveKind::ToBishop,
            6 => MoveKind::ToRook,
            7 => MoveKind::ToQueen,
            _ => MoveKind::Normal,
        }
    }

    /// Whether the move is neither castling nor en passant nor a promotion.
    #[inline(always)]
    pub const fn is_normal(self) -> bool {
        self.0.get() < 1 << 12
    }

    /// The role to which a pawn promotes by this move.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind() {
            MoveKind::ToKnight => Some(Role::Knight),
            MoveKind::ToBishop => Some(Role::Bishop),
            MoveKind::ToRook => Some(Role::Rook),
            MoveKind::ToQueen => Some(Role::Queen),
            _ => None,
        }
    }

    /// Origin and target as one number below 4096, for history tables.
    #[inline(always)]
    pub(crate) const fn squares(self) -> usize {
        (self.0.get() & 0xfff) as usize
    }
}

/// The move as UCI writes it in Chess960: castling is king takes rook.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to, promotion) = (self.from(), self.to(), self.promotion());
        UciMove::Normal { from, to, promotion }.fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The most moves that a list can hold. No known position of a game has more than 218, but one with
/// more queens than a game allows may have more than 256 (the tests have one with 270).
///
/// No board has more than this. With `q` sliders and `n` other pieces, two kings among them, there
/// are `64 - q - n` targets, each of which sliders reach along at most eight rays. Of the others a
/// knight has at most 8 moves, a king 10, a pawn 4 or, on one of eight squares, 12. That makes at
/// most `8 * (64 - q) + 26` moves, which fits from four sliders on. With three sliders or fewer
/// there are at most 483: 81 of sliders, 10 of the king, 168 of knights (one for each pair of
/// squares a knight's move apart) and 224 of pawns (12 from the seventh rank, 4 from the second, 3
/// from the others).
pub const MAX_MOVES: usize = 512;

/// Moves, in the order in which they were generated.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Appends many moves to a list. Keeps the length itself until the end, because storing and loading
/// it for every few moves costs more than the moves.
pub(super) struct MoveWriter<'a> {
    list: &'a mut MoveList,
    length: usize,
}

impl<'a> MoveWriter<'a> {
    /// A writer at the end of a list.
    #[inline(always)]
    pub(super) fn new(list: &'a mut MoveList) -> MoveWriter<'a> {
        let length = list.len();
        MoveWriter { list, length }
    }

    /// Gives the list its new length.
    #[inline(always)]
    pub(super) fn finish(self) {
        // SAFETY: `append` and `push` have written every move below this length, and both check
        // that it stays within the capacity.
        unsafe { self.list.set_len(self.length) };
    }

    /// Appends the moves `base + SCALE * target` for every target. `SCALE` is 1 for moves with a
    /// common origin, which is in `base`, and 65 for moves over a common distance. None of these
    /// words may be zero: no target may be its own origin.
    #[inline(always)]
    fn append<const SCALE: u16>(&mut self, targets: Bitboard, base: u16) {
        if self.length + 32 > MAX_MOVES || targets.count() > 32 {
            return self.append_slowly::<SCALE>(targets, base);
        }
        // SAFETY: the list has room for 32 more moves, checked above, and `expand` writes as many
        // as it returns. A move has the layout of a `u16` that is not zero: `repr(transparent)`,
        // and `push_targets` and `push_shifted` make sure that origin and target differ.
        unsafe {
            let end = self.list.as_mut_ptr().add(self.length).cast::<[MaybeUninit<u16>; 32]>();
            self.length += expand::<SCALE>(targets, base, &mut *end);
        }
    }

    /// Appends targets one by one: near the end of the list, or for more than a piece can have.
    #[cold]
    fn append_slowly<const SCALE: u16>(&mut self, targets: Bitboard, base: u16) {
        for to in targets {
            if let Some(m) = Move::from_bits(base.wrapping_add(SCALE.wrapping_mul(to as u16))) {
                self.push(m);
            }
        }
    }

    /// Appends one move, with a bounds check.
    #[inline(always)]
    pub(super) fn push(&mut self, m: Move) {
        assert!(self.length < MAX_MOVES, "no position has so many moves");
        // SAFETY: the line above checks that there is room for one more.
        unsafe { self.list.as_mut_ptr().add(self.length).write(m) };
        self.length += 1;
    }

    /// Appends a normal move from one square to every square of the set, which does not hold the
    /// origin.
    #[inline(always)]
    pub(super) fn push_targets(&mut self, from: Square, targets: Bitboard) {
        debug_assert!(!targets.contains(from));
        self.append::<1>(targets, (from as u16) << 6);
    }

    /// Appends pawn moves of one kind to every square of the set. Each starts `steps` (1 or 2)
    /// steps back from its target.
    #[inline(always)]
    pub(super) fn push_shifted(
        &mut self,
        targets: Bitboard,
        direction: Direction,
        steps: i32,
        kind: MoveKind,
    ) {
        let back = (direction.offset() * steps) as u16;
        self.append::<65>(targets, ((kind as u16) << 12).wrapping_sub(back << 6));
    }
}
