//! Attacks, checks and pins, all from set-wise fills.

use super::castling::castled;
use super::geometry::{en_passant_victim, on_one_line, pawn_attacks};
use super::moves::{Move, MoveKind};
use super::pieces::PieceSets;
use super::position::Position;
use crate::chess::{Bitboard, Color, Piece, Role, Square, bit};
use crate::fill::waves::{king_attacks, knight_attacks};
use crate::fill::{Direction, Rays, attacks_of};

/// Checks, pins and attacked squares for the side to move, which decide what moves are legal.
///
/// Computed once per node from two fills, one from the enemy's sliders and one from the king.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// The check mask: the targets allowed to pieces other than the king. All squares without a
    /// check; in a single check the checker and the squares between it and the king; in a double
    /// check none.
    pub check_mask: Bitboard,
    /// Squares that the enemy attacks on the board without our king, which cannot hide behind
    /// itself. The king may not move there.
    pub attacked: Bitboard,
    /// Our pieces that are pinned: alone between our king and an enemy slider.
    pub pinned: Bitboard,
    /// The pinned pieces, each in the lane of the direction from king to pinner.
    pin_rays: Rays,
}

impl CheckInfo {
    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Whether there is neither check nor pin, so that enemy attacks restrict only the king.
    #[inline(always)]
    pub(super) fn is_unrestricted(&self) -> bool {
        (self.checkers | self.pinned).is_empty()
    }

    /// A copy with constant fields, for the [unrestricted](CheckInfo::is_unrestricted) case. With
    /// these the processor can start to generate moves before the fills for checks and pins have
    /// finished.
    #[inline(always)]
    pub(super) fn unrestricted(&self) -> CheckInfo {
        CheckInfo {
            checkers: Bitboard::EMPTY,
            check_mask: Bitboard::FULL,
            attacked: self.attacked,
            pinned: Bitboard::EMPTY,
            pin_rays: Rays::EMPTY,
        }
    }

    /// The pieces of a set that are not pinned, or pinned along `direction`, and so may move that
    /// way.
    #[inline(always)]
    pub(super) fn unpinned_along(&self, set: Bitboard, direction: Direction) -> Bitboard {
        set & (!self.pinned | self.pin_lines().lane(direction))
    }

    /// The pinned pieces, each in the two lanes of the line along which it may still move.
    #[inline(always)]
    pub(super) fn pin_lines(&self) -> Rays {
        self.pin_rays | self.pin_rays.reversed()
    }
}

/// A table of squares by role; empty for the roles left out.
fn by_role<const N: usize>(squares: [(Role, Bitboard); N]) -> [Bitboard; 8] {
    let mut table = [Bitboard::EMPTY; 8];
    for (role, squares) in squares {
        table[role as usize] = squares;
    }
    table
}

/// The squares from which the side to move gives check, and its pieces that can give a discovered
/// check. Computed once per node from two fills, for [`Position::gives_check`].
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Square,
    /// The squares from which a piece of ours attacks the king, by role. A table, since a branch on
    /// the role is often mispredicted.
    squares: [Bitboard; 8],
    /// Our pieces that give a discovered check by leaving the line between a slider of ours and the
    /// king.
    discoverers: Bitboard,
}

impl PieceSets {
    /// Checks, pins and attacked squares for a side: see [`Position::check_info`].
    #[inline(always)]
    pub(super) fn check_info(&self, us: Color) -> CheckInfo {
        let them = us.other();
        let king = self.of(us, Role::King);
        let occupied = self.occupied();
        let (orthogonal, diagonal) = (self.orthogonal(them), self.diagonal(them));

        let theirs = Rays::sliders(orthogonal, diagonal).attacks(!(occupied ^ king));
        let ours = Rays::all(king).attacks(!occupied);
        let pin_rays = theirs.reversed() & ours & Rays::all(self.side(us));
        let leaper_attacks = Rays::leaper_attacks(
            self.of(them, Role::King),
            self.of(them, Role::Pawn),
            if them.is_white() { 0b0000_1100 } else { 0b1100_0000 },
            self.of(them, Role::Knight),
        );
        let (attacked, pinned) = (theirs | leaper_attacks).unions(pin_rays);

        let (mut checkers, mut check_mask) = (Bitboard::EMPTY, Bitboard::FULL);
        if (attacked & king).any() {
            let lines = ours.only(ours.meeting(Rays::sliders(orthogonal, diagonal))).union();
            let leapers = (knight_attacks(king) & self.of(them, Role::Knight))
                | (pawn_attacks(king, us) & self.of(them, Role::Pawn));
            checkers = leapers | (lines & (orthogonal | diagonal));
            check_mask = if checkers.more_than_one() { Bitboard::EMPTY } else { lines | checkers };
        }
        CheckInfo { checkers, check_mask, attacked, pinned, pin_rays }
    }

    /// The pieces of a side that attack a square on a board with these squares occupied: one fill
    /// from the square.
    #[inline(always)]
    pub(super) fn attackers(&self, square: Square, side: Color, occupied: Bitboard) -> Bitboard {
        let rays = Rays::all(bit(square)).attacks(!occupied);
        let (orthogonal, diagonal) = rays.by_line();
        (orthogonal & self.orthogonal(side))
            | (diagonal & self.diagonal(side))
            | (knight_attacks(bit(square)) & self.of(side, Role::Knight))
            | (pawn_attacks(bit(square), side.other()) & self.of(side, Role::Pawn))
            | (king_attacks(bit(square)) & self.of(side, Role::King))
    }

    /// Whether the pawn on `from` may capture en passant to `to`. The king must not be attacked
    /// after the capture, when two pawns have left their squares.
    pub(super) fn en_passant_is_legal(&self, from: Square, to: Square, side: Color) -> bool {
        let victim = bit(en_passant_victim(to, side));
        let occupied = (self.occupied() ^ bit(from) ^ victim) | bit(to);
        (self.attackers(self.king(side), side.other(), occupied) & !victim).is_empty()
    }
}

impl Position {
    /// Checks, pins and attacked squares for the side to move.
    #[inline(always)]
    pub fn check_info(&self) -> CheckInfo {
        self.state().sets.check_info(self.turn)
    }

    /// The enemy pieces that give check to the side to move. If you also need pins or attacked
    /// squares, [`Position::check_info`] computes all at once.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), self.turn.other(), self.occupied())
    }

    /// The pieces of a side that attack a square on a board with these squares occupied.
    #[inline(always)]
    pub fn attackers(&self, square: Square, side: Color, occupied: Bitboard) -> Bitboard {
        self.state().sets.attackers(square, side, occupied)
    }

    /// The squares that the piece on a square attacks; none if there is no piece.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        match self.piece_at(square) {
            Some(Piece { role: Role::Pawn, color }) => pawn_attacks(bit(square), color),
            Some(Piece { role, .. }) => attacks_of(role, bit(square), !self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// The squares from which moves of the side to move give check: for [`Position::gives_check`].
    #[inline]
    pub fn check_squares(&self) -> CheckSquares {
        let (us, them) = (self.turn, self.turn.other());
        let king = self.set(them, Role::King);
        let occupied = self.occupied();
        let rays = Rays::all(king).attacks(!occupied);
        let ours = Rays::sliders(self.orthogonal(us), self.diagonal(us)).attacks(!occupied);
        let (orthogonal, diagonal) = rays.by_line();
        CheckSquares {
            king: self.king(them),
            squares: by_role([
                (Role::Pawn, pawn_attacks(king, them)),
                (Role::Knight, knight_attacks(king)),
                (Role::Bishop, diagonal),
                (Role::Rook, orthogonal),
                (Role::Queen, orthogonal | diagonal),
            ]),
            discoverers: (ours.reversed() & rays & Rays::all(self.of(us))).union(),
        }
    }

    /// The squares attacked by enemy pieces of lower value, by our role (index: `role as usize`):
    /// for knights and bishops what pawns attack, for rooks what minor pieces attack as well, for
    /// queens what rooks attack as well. Empty for pawns and kings.
    #[inline]
    pub fn attacked_by_lower_value(&self) -> [Bitboard; 8] {
        let them = self.turn.other();
        let empty = !self.occupied();
        let set = |role| self.set(them, role);
        let (by_rooks, by_bishops) =
            Rays::sliders(set(Role::Rook), set(Role::Bishop)).attacks(empty).by_line();
        let by_pawns = pawn_attacks(set(Role::Pawn), them);
        let by_minors = by_pawns | knight_attacks(set(Role::Knight)) | by_bishops;
        by_role([
            (Role::Knight, by_pawns),
            (Role::Bishop, by_pawns),
            (Role::Rook, by_minors),
            (Role::Queen, by_minors | by_rooks),
        ])
    }

    /// Whether a legal move gives check. `checks` are the [`Position::check_squares`] of this
    /// position.
    #[inline]
    pub fn gives_check(&self, m: Move, checks: &CheckSquares) -> bool {
        let (from, to) = (m.from(), m.to());
        let role = self.moved_by(m).role;
        if m.is_normal() {
            return checks.squares[role as usize].contains(to)
                || (checks.discoverers.contains(from) && !on_one_line(checks.king, from, to));
        }
        self.special_move_gives_check(m, checks.king)
    }

    /// Whether a promotion, castling or en passant gives check. These change the role or more than
    /// two squares, so this looks at the board after the move.
    #[cold]
    fn special_move_gives_check(&self, m: Move, king: Square) -> bool {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let (mut orthogonal, mut diagonal) = (self.orthogonal(us), self.diagonal(us));
        let mut occupied = self.occupied() ^ bit(from);
        let mut knights = Bitboard::EMPTY;
        match m.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castled(from, to);
                occupied = (occupied & !bit(to)) | bit(king_to) | bit(rook_to);
                orthogonal = (orthogonal & !bit(to)) | bit(rook_to);
            }
            MoveKind::EnPassant => {
                occupied = (occupied ^ bit(en_passant_victim(to, us))) | bit(to);
                if pawn_attacks(bit(to), us).contains(king) {
                    return true;
                }
            }
            _ => {
                occupied |= bit(to);
                match m.promotion() {
                    Some(Role::Knight) => knights = bit(to),
                    Some(Role::Rook) => orthogonal |= bit(to),
                    Some(Role::Bishop) => diagonal |= bit(to),
                    _ => {
                        orthogonal |= bit(to);
                        diagonal |= bit(to);
                    }
                }
            }
        }
        let rays = Rays::all(bit(king)).attacks(!occupied);
        ((rays.orthogonal() & orthogonal)
            | (rays.diagonal() & diagonal)
            | (knight_attacks(bit(king)) & knights))
            .any()
    }
}
