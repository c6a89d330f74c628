//! Legal moves, from fills.
//!
//! Three set-wise fills make a generator (see [`CheckInfo`] for the first two): the enemy's sliders with our king
//! lifted off the board (danger), a fill out of our king (checks and pins), and our own sliders, each in the lanes
//! it may use. What comes out is legal: nothing has to be tried and taken back.

use super::attacks::CheckInfo;
use super::castling::{Castling, castling_right};
use super::geometry::pawn_attacks;
use super::moves::{Move, MoveKind, MoveList, Writer};
use super::pieces::{PieceCode, Sets};
use super::position::Position;
use super::state::State;
use crate::chess::{
    Bitboard, BySquare, CastlingSide, Color, Piece, Rank, Role, Square, bit, facing_north,
    square_at,
};
use crate::fill::waves::{king_attacks, knight_attacks};
use crate::fill::{Direction, Rays};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenType {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// All others.
    Quiet,
}

/// The squares a knight attacks, for emission of its moves one by one.
static KNIGHT: BySquare<Bitboard> = {
    let mut table = BySquare::all(Bitboard::EMPTY);
    let mut square = 0;
    while square < 64 {
        table.0[square] = knight_attacks(Bitboard(1 << square));
        square += 1;
    }
    table
};

/// A side at compile time: its forward directions are constants.
trait Mover {
    type Them: Mover;
    const COLOR: Color;
    const NORTH: Direction = Direction::North.seen_by(Self::COLOR);
    const EAST: Direction = Direction::NorthEast.seen_by(Self::COLOR);
    const WEST: Direction = Direction::NorthWest.seen_by(Self::COLOR);
    const THIRD: Bitboard = facing_north(Bitboard(0xff << 16), Self::COLOR);
    const SEVENTH: Bitboard = facing_north(Bitboard(0xff << 48), Self::COLOR);
    const EIGHTH: Bitboard = facing_north(Bitboard(0xff << 56), Self::COLOR);
}

struct White;
struct Black;

impl Mover for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl Mover for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}

/// The pawn moves of a side, by direction; promotions are on the last rank.
struct PawnMoves {
    push: Bitboard,
    double: Bitboard,
    east: Bitboard,
    west: Bitboard,
}

/// All that decides which moves are legal.
struct Scene<'a> {
    sets: &'a Sets,
    rights: u8,
    /// A square that a pawn has just passed, whether or not a pawn can take there.
    en_passant: Option<Square>,
    castling: &'a Castling,
}

impl Scene<'_> {
    /// The number of legal moves of a side.
    #[inline(always)]
    fn count<Us: Mover>(&self) -> u32 {
        let info = self.sets.check_info(Us::COLOR);
        if info.is_unrestricted() {
            self.count_with::<Us>(&info.without_pins())
        } else {
            self.count_with::<Us>(&info)
        }
    }

    #[inline(always)]
    fn count_with<Us: Mover>(&self, info: &CheckInfo) -> u32 {
        let pieces = self.pieces(Us::COLOR);
        let mut count = (king_attacks(pieces.king) & !pieces.ours & !info.danger).count();
        if info.checkers.more_than_one() {
            return count as u32;
        }
        if !info.in_check() && self.rights != 0 {
            for castling_side in CastlingSide::ALL {
                count += usize::from(self.may_castle::<Us>(info, castling_side));
            }
        }

        let PawnMoves { push, double, east, west } = pawn_moves::<Us>(&pieces, info);
        count += push.count() + double.count() + east.count() + west.count();
        if (pieces.pawns & Us::SEVENTH).any() {
            let last = Us::EIGHTH;
            count += 3 * ((push & last).count() + (east & last).count() + (west & last).count());
        }
        if let Some(to) = self.en_passant {
            count += self.en_passant_takers::<Us>(to).count();
        }

        let targets = !pieces.ours & info.check_mask;
        let (orthogonal, diagonal) = (pieces.rooks | pieces.queens, pieces.bishops | pieces.queens);
        let slides =
            unpinned(info, orthogonal, diagonal).attacks(pieces.empty) & Rays::all(targets);
        let knights = pieces.knights & !info.pinned;
        if Rays::COUNTS_LANES {
            return count as u32
                + slides.count_with(Rays::knight_attacks(knights) & Rays::all(targets));
        }
        let jumps: usize = knights.into_iter().map(|from| (KNIGHT[from] & targets).count()).sum();
        (count + jumps) as u32 + slides.count()
    }

    /// All moves but the king's, for a side that is not in double check.
    #[inline(always)]
    fn other_moves<Us: Mover>(
        &self,
        pieces: &PieceSets,
        info: &CheckInfo,
        wanted: GenType,
        wanted_squares: Bitboard,
        list: &mut Writer<'_>,
    ) {
        let PawnMoves { push, double, east, west } = pawn_moves::<Us>(pieces, info);
        if wanted != GenType::Quiet {
            for (targets, direction) in [(east, Us::EAST), (west, Us::WEST)] {
                list.march(targets & !Us::EIGHTH, direction, 1, MoveKind::Normal);
            }
            if (pieces.pawns & Us::SEVENTH).any() {
                for (targets, direction) in [(east, Us::EAST), (west, Us::WEST), (push, Us::NORTH)]
                {
                    let arriving = targets & Us::EIGHTH;
                    if arriving.any() {
                        for kind in MoveKind::PROMOTIONS {
                            list.march(arriving, direction, 1, kind);
                        }
                    }
                }
            }
            if let Some(to) = self.en_passant {
                for from in self.en_passant_takers::<Us>(to) {
                    list.push(Move::new(from, to, MoveKind::EnPassant));
                }
            }
        }
        if wanted != GenType::Noisy {
            list.march(push & !Us::EIGHTH, Us::NORTH, 1, MoveKind::Normal);
            list.march(double, Us::NORTH, 2, MoveKind::Normal);
        }

        let targets = wanted_squares & info.check_mask;
        for from in pieces.knights & !info.pinned {
            list.fan(from, KNIGHT[from] & targets);
        }
        slider_moves(pieces, info, targets, list);
    }

    /// The sets a generator needs, looked up once.
    #[inline(always)]
    fn pieces(&self, us: Color) -> PieceSets {
        let (ours, theirs) = (self.sets.side(us), self.sets.side(us.other()));
        let set = |role| self.sets.role(role) & ours;
        PieceSets {
            ours,
            theirs,
            empty: !(ours | theirs),
            pawns: set(Role::Pawn),
            knights: set(Role::Knight),
            bishops: set(Role::Bishop),
            rooks: set(Role::Rook),
            queens: set(Role::Queen),
            king: set(Role::King),
        }
    }

    /// The pawns that may legally take in passing on a square.
    #[inline(always)]
    fn en_passant_takers<Us: Mover>(&self, to: Square) -> Bitboard {
        let takers = pawn_attacks(bit(to), Us::Them::COLOR) & self.sets.of(Us::COLOR, Role::Pawn);
        if takers.is_empty() { takers } else { self.legal_takers(takers, to, Us::COLOR) }
    }

    #[inline(never)]
    fn legal_takers(&self, takers: Bitboard, to: Square, us: Color) -> Bitboard {
        takers.into_iter().filter(|&from| self.sets.en_passant_is_legal(from, to, us)).collect()
    }

    /// Whether a side whose king is not in check may castle: the way of the king is safe, the way of both is free, and the
    /// rook does not shield the king from its own rank (possible in Chess960 only). All asked at once, since the
    /// answers are hard to foresee.
    #[inline(always)]
    fn may_castle<Us: Mover>(&self, info: &CheckInfo, castling_side: CastlingSide) -> bool {
        let path = self.castling.path(Us::COLOR, castling_side);
        let closed = (path.empty & self.sets.occupied())
            | (path.safe & info.danger)
            | (path.unpinned & info.pinned);
        closed.is_empty() & (self.rights & castling_right(Us::COLOR, castling_side) != 0)
    }

    #[inline(always)]
    fn castling_move<Us: Mover>(
        &self,
        info: &CheckInfo,
        castling_side: CastlingSide,
    ) -> Option<Move> {
        let path = self.castling.path(Us::COLOR, castling_side);
        self.may_castle::<Us>(info, castling_side)
            .then(|| Move::new(path.king, path.rook, MoveKind::Castle))
    }
}

/// The pieces of the side to move, and what else is on the board.
struct PieceSets {
    ours: Bitboard,
    theirs: Bitboard,
    empty: Bitboard,
    pawns: Bitboard,
    knights: Bitboard,
    bishops: Bitboard,
    rooks: Bitboard,
    queens: Bitboard,
    king: Bitboard,
}

/// Sliders in the lanes they may use: pinned ones only in those of their pin.
#[inline(always)]
fn unpinned(info: &CheckInfo, orthogonal: Bitboard, diagonal: Bitboard) -> Rays {
    let sliders = Rays::sliders(orthogonal, diagonal);
    if ((orthogonal | diagonal) & info.pinned).is_empty() {
        return sliders;
    }
    sliders & (Rays::all(!info.pinned) | info.axis())
}

/// Slider moves: a rook in the rook lanes and a bishop in the bishop lanes share a fill, a queen has its own. One
/// fill for all sliders would do as well, but to find out then whose each move is takes longer than a fill.
#[inline(always)]
fn slider_moves(pieces: &PieceSets, info: &CheckInfo, targets: Bitboard, list: &mut Writer<'_>) {
    let (mut rooks, mut bishops) = (pieces.rooks, pieces.bishops);
    while (rooks | bishops).any() {
        let (rook, bishop) = (rooks.isolate_first(), bishops.isolate_first());
        let (files, slants) = unpinned(info, rook, bishop).attacks(pieces.empty).by_line();
        if let Some(from) = rook.first() {
            list.fan(from, files & targets);
        }
        if let Some(from) = bishop.first() {
            list.fan(from, slants & targets);
        }
        rooks ^= rook;
        bishops ^= bishop;
    }
    for from in pieces.queens {
        let queen = bit(from);
        list.fan(from, unpinned(info, queen, queen).attacks(pieces.empty).union() & targets);
    }
}

/// Where pawns may go, all at once; those that are pinned go along their pin only.
#[inline(always)]
fn pawn_moves<Us: Mover>(pieces: &PieceSets, info: &CheckInfo) -> PawnMoves {
    let [mut pushers, mut easterly, mut westerly] = [pieces.pawns; 3];
    if (pieces.pawns & info.pinned).any() {
        pushers = info.free(pieces.pawns, Us::NORTH);
        easterly = info.free(pieces.pawns, Us::EAST);
        westerly = info.free(pieces.pawns, Us::WEST);
    }
    let capturable = pieces.theirs & info.check_mask;
    let push = Us::NORTH.step(pushers) & pieces.empty;
    PawnMoves {
        push: push & info.check_mask,
        double: Us::NORTH.step(push & Us::THIRD) & pieces.empty & info.check_mask,
        east: Us::EAST.step(easterly) & capturable,
        west: Us::WEST.step(westerly) & capturable,
    }
}

impl Position {
    /// All legal moves.
    #[inline]
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&self.check_info(), GenType::All, &mut list);
        list
    }

    /// Appends the wanted legal moves.
    #[inline]
    pub fn generate(&self, info: &CheckInfo, wanted: GenType, list: &mut MoveList) {
        match (self.turn, info.is_unrestricted()) {
            (Color::White, true) => self.generate_for::<White>(&info.without_pins(), wanted, list),
            (Color::White, false) => self.generate_for::<White>(info, wanted, list),
            (Color::Black, true) => self.generate_for::<Black>(&info.without_pins(), wanted, list),
            (Color::Black, false) => self.generate_for::<Black>(info, wanted, list),
        }
    }

    #[inline(always)]
    fn generate_for<Us: Mover>(&self, info: &CheckInfo, wanted: GenType, list: &mut MoveList) {
        let scene = self.scene();
        let pieces = scene.pieces(Us::COLOR);
        let mut list = Writer::new(list);
        let wanted_squares = match wanted {
            GenType::All => !pieces.ours,
            GenType::Noisy => pieces.theirs,
            GenType::Quiet => pieces.empty,
        };

        if !info.checkers.more_than_one() {
            scene.other_moves::<Us>(&pieces, info, wanted, wanted_squares, &mut list);
        }
        let steps = king_attacks(pieces.king) & wanted_squares & !info.danger;
        list.fan(scene.sets.king(Us::COLOR), steps);
        if wanted != GenType::Noisy && !info.in_check() && scene.rights != 0 {
            for castling_side in CastlingSide::ALL {
                if let Some(m) = scene.castling_move::<Us>(info, castling_side) {
                    list.push(m);
                }
            }
        }
        list.finish();
    }

    /// The number of legal moves, without a list: the squares of the same fills, counted. In the lanes of a slider fill
    /// each square is exactly one move, and so it is in the lanes of knight jumps.
    #[inline]
    pub fn count_moves(&self) -> u32 {
        if self.turn.is_white() {
            self.scene().count::<White>()
        } else {
            self.scene().count::<Black>()
        }
    }

    /// The number of legal replies to a legal move, which is not played: only the sets it leaves are worked out. `None`
    /// for castling and en passant.
    #[inline]
    pub fn count_replies(&self, m: Move) -> Option<u32> {
        if matches!(m.kind(), MoveKind::Castle | MoveKind::EnPassant) {
            return None;
        }
        Some(if self.turn.is_white() {
            self.replies_to::<White>(m)
        } else {
            self.replies_to::<Black>(m)
        })
    }

    #[inline(always)]
    fn replies_to<Us: Mover>(&self, m: Move) -> u32 {
        let (from, to) = (m.from(), m.to());
        let (code, captured) = (self.mailbox[from], self.mailbox[to]);
        let sets = self.state().sets.with(captured, bit(to));
        let sets = match m.promotion() {
            None => sets.with(code, bit(from) | bit(to)),
            Some(role) => {
                let promoted = PieceCode::new(Piece { color: Us::COLOR, role });
                sets.with(code, bit(from)).with(promoted, bit(to))
            }
        };
        let double = code.is_pawn() && (from as u32) ^ (to as u32) == 16;
        let scene = Scene {
            sets: &sets,
            rights: self.state().packed.rights()
                & self.castling.kept_rights[from]
                & self.castling.kept_rights[to],
            en_passant: double.then(|| square_at((from as u32 + to as u32) / 2)),
            castling: &self.castling,
        };
        scene.count::<Us::Them>()
    }

    #[inline(always)]
    fn scene(&self) -> Scene<'_> {
        let State { sets, packed, .. } = self.state();
        Scene {
            sets,
            rights: packed.rights(),
            en_passant: packed.en_passant(),
            castling: &self.castling,
        }
    }

    /// Whether any move, from the table or a GUI, is legal here.
    pub fn is_legal(&self, m: Move, info: &CheckInfo) -> bool {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        match m.kind() {
            MoveKind::Castle => {
                let castling = |castling_side| match us {
                    Color::White => self.scene().castling_move::<White>(info, castling_side),
                    Color::Black => self.scene().castling_move::<Black>(info, castling_side),
                };
                return !info.in_check()
                    && CastlingSide::ALL
                        .into_iter()
                        .any(|castling_side| castling(castling_side) == Some(m));
            }
            MoveKind::EnPassant => {
                return piece.role == Role::Pawn
                    && self.state().packed.en_passant() == Some(to)
                    && pawn_attacks(bit(from), us).contains(to)
                    && self.state().sets.en_passant_is_legal(from, to, us);
            }
            _ => {}
        }
        let last = us.relative_rank(Rank::Eighth);
        if m.promotion().is_some() != (piece.role == Role::Pawn && to.rank() == last)
            || self.of(us).contains(to)
        {
            return false;
        }
        if piece.role == Role::King {
            return king_attacks(bit(from)).contains(to) && !info.danger.contains(to);
        }
        let pinned = info.pinned.contains(from)
            && info.axis().holding(from) & Rays::empty_board_rays(from).holding(to) == 0;
        if pinned || !info.check_mask.contains(to) {
            return false;
        }
        match piece.role {
            Role::Pawn => self.pawn_reaches(from, to, us),
            Role::Knight => KNIGHT[from].contains(to),
            role => {
                let rays = Rays::all(bit(from)).attacks(!self.occupied());
                (role != Role::Bishop && rays.orthogonal().contains(to))
                    || (role != Role::Rook && rays.diagonal().contains(to))
            }
        }
    }

    fn pawn_reaches(&self, from: Square, to: Square, us: Color) -> bool {
        if self.of(us.other()).contains(to) {
            return pawn_attacks(bit(from), us).contains(to);
        }
        let north = Direction::North.seen_by(us);
        let empty = !self.occupied();
        let push = north.step(bit(from)) & empty;
        let third = Bitboard::from_rank(us.relative_rank(Rank::Third));
        (push | (north.step(push & third) & empty)).contains(to)
    }
}
