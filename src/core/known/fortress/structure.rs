//! Pawn structures without pieces, and what pawns can still do in them.

use crate::board::Position;
use crate::chess::{Bitboard, Color, Rank, Role, Square, bit, square_at};
use crate::fill::Direction;
use crate::fill::spans::{beside, pawn_attacks};

/// A pawn structure, seen by the attacker, who moves north and whose winning chances are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PawnStructure {
    /// Pawns of the attacker.
    pub ours: Bitboard,
    /// Pawns of the defender.
    pub theirs: Bitboard,
}

impl PawnStructure {
    /// The pawns of a position, White's as the attacker's.
    pub fn of(position: &Position) -> PawnStructure {
        let pawns = |side| position.set(side, Role::Pawn);
        PawnStructure { ours: pawns(Color::White), theirs: pawns(Color::Black) }
    }

    /// The pawns of both sides.
    #[inline(always)]
    pub(crate) fn all(self) -> Bitboard {
        self.ours | self.theirs
    }

    /// Rams: the squares of the defender's pawns that stand before one of the attacker, so that
    /// neither can move.
    #[inline(always)]
    #[doc(hidden)]
    pub fn rams(self) -> Bitboard {
        Direction::North.step(self.ours) & self.theirs
    }

    /// Whether the structure is locked: no pawn of either side can move or capture.
    pub fn is_locked(self) -> bool {
        self.moves_at_most(0)
    }

    /// Whether no pawn of the attacker can move or capture.
    pub fn is_locked_for_attacker(self) -> bool {
        let occupied = self.ours | self.theirs;
        let pushes = Direction::North.step(self.ours) & !occupied;
        pushes.is_empty() && !self.our_attacks().intersects(self.theirs)
    }

    /// Whether at most this number of pawns of both sides can move, and none can capture.
    pub fn moves_at_most(self, pawns: usize) -> bool {
        let occupied = self.ours | self.theirs;
        let ours = Direction::North.step(self.ours) & !occupied;
        let theirs = Direction::South.step(self.theirs) & !occupied;
        ours.count() + theirs.count() <= pawns && (self.our_attacks() & self.theirs).is_empty()
    }

    /// The pushes of the attacker's pawns, ignoring kings.
    pub(super) fn pushes(self) -> impl Iterator<Item = PawnMove> {
        let free = !(self.ours | self.theirs);
        let single = Direction::North.step(self.ours) & free;
        let double = Direction::North.step(single & Bitboard::from_rank(Rank::Third)) & free;
        let by = |ranks: i32| {
            move |to: Square| PawnMove { from: to.offset(-8 * ranks).unwrap_or(to), to }
        };
        single.into_iter().map(by(1)).chain(double.into_iter().map(by(2)))
    }

    /// The moves of the attacker's pawns, ignoring en passant and kings.
    pub(super) fn pawn_moves(self) -> impl Iterator<Item = PawnMove> {
        let captures = self.ours.into_iter().flat_map(move |from| {
            let captured = pawn_attacks(bit(from)) & self.theirs;
            captured.into_iter().map(move |to| PawnMove { from, to })
        });
        self.pushes().chain(captures)
    }

    /// The structure after a move of an attacker's pawn; one that promotes stands on the last rank.
    pub(super) fn moved(self, PawnMove { from, to }: PawnMove) -> PawnStructure {
        PawnStructure { ours: (self.ours & !bit(from)) | bit(to), theirs: self.theirs & !bit(to) }
    }

    /// The structure after the attacker's new piece on the last rank was captured.
    pub(super) fn without_promoted(self) -> PawnStructure {
        PawnStructure { ours: self.ours & !Bitboard::from_rank(Rank::Eighth), ..self }
    }

    /// The defender's pawns that no pawn defends: a king can capture them.
    pub(super) fn capturable(self) -> Bitboard {
        self.theirs & !self.their_attacks()
    }

    /// The structure after a king has captured on a square.
    pub(super) fn without(self, pawn: Square) -> PawnStructure {
        PawnStructure { ours: self.ours & !bit(pawn), theirs: self.theirs & !bit(pawn) }
    }

    /// The structure seen by the other side, the defender becoming the attacker.
    pub(super) fn flipped(self) -> PawnStructure {
        PawnStructure { ours: self.theirs.flip_vertical(), theirs: self.ours.flip_vertical() }
    }

    /// Converts between White's view of a structure and that of `color`, in either direction.
    pub fn seen_by(self, color: Color) -> PawnStructure {
        if color.is_white() { self } else { self.flipped() }
    }

    /// Squares the attacker's pawns attack.
    #[doc(hidden)]
    pub fn our_attacks(self) -> Bitboard {
        pawn_attacks(self.ours)
    }

    /// Squares the defender's pawns attack.
    pub(super) fn their_attacks(self) -> Bitboard {
        attacks_south(self.theirs)
    }
}

/// A double push of a pawn.
#[doc(hidden)]
pub struct DoublePush {
    /// The square the pawn passes.
    pub passed: Square,
    /// The square the pawn goes to.
    pub to: Square,
}

/// The double push between two sets of pawns of one side, if it was one.
#[doc(hidden)]
pub fn double_push(before: Bitboard, after: Bitboard) -> Option<DoublePush> {
    let (from, to) = ((before & !after).single_square()?, (after & !before).single_square()?);
    let (a, b) = (from as u32, to as u32);
    (a.abs_diff(b) == 16).then(|| DoublePush { passed: square_at((a + b) / 2), to })
}

/// The squares that pawns that move south attack.
pub(in crate::known) fn attacks_south(pawns: Bitboard) -> Bitboard {
    pawn_attacks(pawns.flip_vertical()).flip_vertical()
}

/// A push, single or double, or a capture by a pawn that moves north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PawnMove {
    /// The square the pawn leaves.
    pub(super) from: Square,
    /// The square the pawn goes to.
    pub(super) to: Square,
}

impl PawnMove {
    /// The squares it crosses and ends on, which must be free of kings.
    pub(super) fn path(self) -> Bitboard {
        if self.is_capture() {
            return bit(self.to);
        }
        Direction::North.step(bit(self.from)) | bit(self.to)
    }

    /// Whether it is a double push that one of the opponent's pawns, `theirs`, could capture en
    /// passant.
    pub(super) fn allows_en_passant(self, theirs: Bitboard) -> bool {
        self.path().count() == 2 && beside(bit(self.to)).intersects(theirs)
    }

    /// Whether it is a capture.
    pub(super) fn is_capture(self) -> bool {
        self.from.file() != self.to.file()
    }

    /// Whether the pawn promotes.
    pub(super) fn promotes(self) -> bool {
        self.to.rank() == Rank::Eighth
    }
}
