//! Move (two bytes, `Option<Move>` too) and the lists of them.

use std::fmt;
use std::mem::MaybeUninit;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;
use shakmaty::uci::UciMove;

use crate::chess::{Bitboard, Role, Square, square_at};
use crate::fill::{Direction, expand};

/// What a move is besides its two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum MoveKind {
    /// A piece goes from one square to another.
    Normal = 0,
    /// The king goes to the square of the rook it castles with (as Chess960 writes it).
    Castle = 1,
    /// A pawn takes the pawn that has just passed it.
    EnPassant = 2,
    /// A pawn becomes a knight.
    ToKnight = 4,
    /// A pawn becomes a bishop.
    ToBishop = 5,
    /// A pawn becomes a rook.
    ToRook = 6,
    /// A pawn becomes a queen.
    ToQueen = 7,
}

impl MoveKind {
    /// The four promotions, the queen first.
    pub const PROMOTIONS: [MoveKind; 4] =
        [MoveKind::ToQueen, MoveKind::ToKnight, MoveKind::ToRook, MoveKind::ToBishop];

    /// The kind of a move that is neither castling nor en passant, by what the pawn becomes;
    /// `None` for what no pawn becomes.
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

/// A move: target in bits 0 to 5, origin in bits 6 to 11, [`MoveKind`] above. Never zero, since a
/// move changes squares, so that `Option<Move>` is two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move of this kind. From and to must differ.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        match NonZeroU16::new(to as u16 | (from as u16) << 6 | (kind as u16) << 12) {
            Some(bits) => Move(bits),
            None => panic!("a move changes squares"),
        }
    }

    /// The sixteen bits, for the table.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Back from the bits of a move that was played, zero for none.
    #[inline(always)]
    pub(super) const fn from_played(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// Back from the table's bits, zero for none. The bits may be any: check the move before it is played.
    #[inline(always)]
    pub fn from_bits(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits)
            .map(Move)
            .filter(|m| m.from() != m.to() && bits >> 12 != 3 && bits < 0x8000)
    }

    /// The square the move starts from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        square_at((self.0.get() >> 6) as u32)
    }

    /// The square the move goes to; for castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        square_at(self.0.get() as u32)
    }

    /// What the move is.
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

    /// Neither castling nor en passant nor a promotion.
    #[inline(always)]
    pub const fn is_normal(self) -> bool {
        self.0.get() < 1 << 12
    }

    /// What a pawn becomes by this move.
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
    pub const fn squares(self) -> usize {
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

/// The most moves a list can hold. The richest position known from play has 218; positions with more
/// queens than any game can have may exceed 256 (270 are in the tests), and this no board can reach:
/// `q` sliders and `n` other pieces leave `63 - q - n` targets, each reached at most once along each of
/// eight lines and by eight knights, so there are fewer than `8 * (63 - q) + 32` moves.
pub const MAX_MOVES: usize = 512;

/// Moves, in the order in which they were generated.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Appends many moves to a list. It counts them by itself and tells the list when it is done: a length that is written
/// and read again for every handful of moves costs more than the moves.
pub(super) struct Writer<'a> {
    list: &'a mut MoveList,
    length: usize,
}

impl<'a> Writer<'a> {
    /// A writer at the end of a list.
    #[inline(always)]
    pub fn new(list: &'a mut MoveList) -> Writer<'a> {
        let length = list.len();
        Writer { list, length }
    }

    /// The list is as long as what was written.
    #[inline(always)]
    pub fn finish(self) {
        // SAFETY: `append` has written all moves up to this length, which is never above the capacity.
        unsafe { self.list.set_len(self.length) };
    }

    /// Appends the moves `base + SCALE * target` for every target: `SCALE` is 1 where they share the origin, which is
    /// then in `base`, and 65 where they share the distance.
    #[inline(always)]
    fn append<const SCALE: u16>(&mut self, targets: Bitboard, base: u16) {
        if self.length + 32 > MAX_MOVES || targets.count() > 32 {
            return self.append_slowly::<SCALE>(targets, base);
        }
        // SAFETY: the list has room for 32 more, checked above; `expand` writes as many as it says; and a move, whose
        // squares differ, is never zero.
        unsafe {
            let end = self.list.as_mut_ptr().add(self.length).cast::<[MaybeUninit<u16>; 32]>();
            self.length += expand::<SCALE>(targets, base, &mut *end);
        }
    }

    #[cold]
    fn append_slowly<const SCALE: u16>(&mut self, targets: Bitboard, base: u16) {
        for to in targets {
            if let Some(m) = Move::from_bits(base.wrapping_add(SCALE.wrapping_mul(to as u16))) {
                self.push(m);
            }
        }
    }

    /// Appends one move.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        assert!(self.length < MAX_MOVES, "no position has so many moves");
        // SAFETY: there is room for one more.
        unsafe { self.list.as_mut_ptr().add(self.length).write(m) };
        self.length += 1;
    }

    /// Appends a normal move from one square to every square of the set.
    #[inline(always)]
    pub fn fan(&mut self, from: Square, targets: Bitboard) {
        self.append::<1>(targets, (from as u16) << 6);
    }

    /// Appends moves of one kind by one distance: `steps` steps in one direction, to every square of the set.
    #[inline(always)]
    pub fn march(&mut self, targets: Bitboard, direction: Direction, steps: i32, kind: MoveKind) {
        let back = (direction.offset() * steps) as u16;
        self.append::<65>(targets, ((kind as u16) << 12).wrapping_sub(back << 6));
    }
}
