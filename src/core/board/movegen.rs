//! The generator of legal moves, made of fills.
//!
//! It takes set-wise fills of the enemy's sliders on the board without our king (attacked squares),
//! from our king (checks and pins; see [`CheckInfo`] for both), and from our own sliders (pinned
//! ones move only along their pins). To count moves, one fill for all our sliders is enough; to
//! list them, a rook and a bishop share a fill and each queen has its own. It never generates
//! pseudo-legal moves, so no move needs a legality test afterwards.

use super::attacks::CheckInfo;
use super::castling::{Castling, castling_right};
use super::geometry::pawn_attacks;
use super::moves::{Move, MoveKind, MoveList, MoveWriter};
use super::pieces::PieceSets;
use super::position::Position;
use super::state::State;
use crate::chess::{
    Bitboard, CastlingSide, Color, Rank, Role, Square, bit, facing_north, square_at,
};
use crate::fill::waves::{KNIGHT_ATTACKS, king_attacks};
use crate::fill::{Direction, Rays};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenType {
    /// Every legal move.
    All,
    /// Captures and promotions, including quiet promotions.
    Noisy,
    /// All other moves, including castling.
    Quiet,
}

/// The side to move at compile time, so that its directions and ranks are constants. Ranks are
/// counted from its own side.
pub(super) trait SideToMove {
    /// The opponent.
    type Them: SideToMove;
    const COLOR: Color;
    const UP: Direction = Direction::North.seen_by(Self::COLOR);
    const UP_EAST: Direction = Direction::NorthEast.seen_by(Self::COLOR);
    const UP_WEST: Direction = Direction::NorthWest.seen_by(Self::COLOR);
    const RANK_3: Bitboard = facing_north(Bitboard(0xff << 16), Self::COLOR);
    const RANK_7: Bitboard = facing_north(Bitboard(0xff << 48), Self::COLOR);
    const RANK_8: Bitboard = facing_north(Bitboard(0xff << 56), Self::COLOR);
}

pub(super) struct White;
pub(super) struct Black;

impl SideToMove for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl SideToMove for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}

/// The targets of pawn moves by direction, without en passant; promotions are on the last rank.
struct PawnMoves {
    push: Bitboard,
    double_push: Bitboard,
    capture_east: Bitboard,
    capture_west: Bitboard,
}

/// The input of move generation for one side: from a position, or from a board after a move that is
/// not actually played ([`Position::count_replies_to_double_push`]).
struct GenContext<'a> {
    sets: &'a PieceSets,
    rights: u8,
    /// The square that a pawn has just crossed by a double push. It may be set even if no en
    /// passant capture is possible.
    en_passant: Option<Square>,
    castling: &'a Castling,
}

impl GenContext<'_> {
    /// The number of legal moves of a side, given its checks and pins.
    #[inline(always)]
    fn count<Us: SideToMove>(&self, info: &CheckInfo) -> u32 {
        if info.is_unrestricted() {
            self.count_with::<Us>(&info.unrestricted())
        } else {
            self.count_with::<Us>(info)
        }
    }

    /// The body of [`GenContext::count`], compiled twice: with and without checks and pins.
    #[inline(always)]
    fn count_with<Us: SideToMove>(&self, info: &CheckInfo) -> u32 {
        let view = self.side_view(Us::COLOR);
        let mut count = (king_attacks(view.king) & !view.ours & !info.attacked).count();
        if info.checkers.more_than_one() {
            return count as u32;
        }
        if !info.in_check() && self.rights != 0 {
            for side in CastlingSide::ALL {
                count += usize::from(self.may_castle::<Us>(info, side));
            }
        }

        let PawnMoves { push, double_push, capture_east, capture_west } =
            pawn_moves::<Us>(&view, info);
        count += push.count() + double_push.count() + capture_east.count() + capture_west.count();
        if (view.pawns & Us::RANK_7).any() {
            // A promotion is four moves.
            count += 3 * (push & Us::RANK_8).count();
            count += 3 * (capture_east & Us::RANK_8).count();
            count += 3 * (capture_west & Us::RANK_8).count();
        }
        if let Some(to) = self.en_passant {
            count += self.en_passant_capturers::<Us>(to).count();
        }

        let targets = !view.ours & info.check_mask;
        let (orthogonal, diagonal) = (view.rooks | view.queens, view.bishops | view.queens);
        let slides = unpinned(info, orthogonal, diagonal).attacks(view.empty) & Rays::all(targets);
        let knights = view.knights & !info.pinned;
        if Rays::COUNTS_LANES {
            let knight_moves = Rays::knight_attacks(knights) & Rays::all(targets);
            return count as u32 + slides.count_with(knight_moves);
        }
        let knight_moves: usize =
            knights.into_iter().map(|from| (KNIGHT_ATTACKS[from] & targets).count()).sum();
        (count + knight_moves) as u32 + slides.count()
    }

    /// All moves except the king's, for a side that is not in double check. `destinations` are the
    /// squares to which pieces other than pawns may move by moves of that type.
    #[inline(always)]
    fn non_king_moves<Us: SideToMove>(
        &self,
        view: &SideView,
        info: &CheckInfo,
        gen_type: GenType,
        destinations: Bitboard,
        list: &mut MoveWriter<'_>,
    ) {
        let PawnMoves { push, double_push, capture_east, capture_west } =
            pawn_moves::<Us>(view, info);
        if gen_type != GenType::Quiet {
            let captures = [(capture_east, Us::UP_EAST), (capture_west, Us::UP_WEST)];
            for (targets, direction) in captures {
                list.push_shifted(targets & !Us::RANK_8, direction, 1, MoveKind::Normal);
            }
            if (view.pawns & Us::RANK_7).any() {
                let [east, west] = captures;
                for (targets, direction) in [east, west, (push, Us::UP)] {
                    let promotions = targets & Us::RANK_8;
                    if promotions.any() {
                        for kind in MoveKind::PROMOTIONS {
                            list.push_shifted(promotions, direction, 1, kind);
                        }
                    }
                }
            }
            if let Some(to) = self.en_passant {
                for from in self.en_passant_capturers::<Us>(to) {
                    list.push(Move::new(from, to, MoveKind::EnPassant));
                }
            }
        }
        if gen_type != GenType::Noisy {
            list.push_shifted(push & !Us::RANK_8, Us::UP, 1, MoveKind::Normal);
            list.push_shifted(double_push, Us::UP, 2, MoveKind::Normal);
        }

        let targets = destinations & info.check_mask;
        for from in view.knights & !info.pinned {
            list.push_targets(from, KNIGHT_ATTACKS[from] & targets);
        }
        slider_moves(view, info, targets, list);
    }

    /// The sets that the generator needs, loaded once.
    #[inline(always)]
    fn side_view(&self, us: Color) -> SideView {
        let (ours, theirs) = (self.sets.side(us), self.sets.side(us.other()));
        let set = |role| self.sets.role(role) & ours;
        SideView {
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

    /// The pawns that can legally capture en passant to a square.
    #[inline(always)]
    fn en_passant_capturers<Us: SideToMove>(&self, to: Square) -> Bitboard {
        let capturers =
            pawn_attacks(bit(to), Us::Them::COLOR) & self.sets.of(Us::COLOR, Role::Pawn);
        if capturers.is_empty() {
            capturers
        } else {
            self.legal_capturers(capturers, to, Us::COLOR)
        }
    }

    /// The pawns among `capturers` whose en passant capture is legal. Seldom called.
    #[inline(never)]
    fn legal_capturers(&self, capturers: Bitboard, to: Square, us: Color) -> Bitboard {
        capturers.into_iter().filter(|&from| self.sets.en_passant_is_legal(from, to, us)).collect()
    }

    /// Whether a side whose king is not in check may castle: no square that the king crosses is
    /// attacked, nothing stands between king, rook and their targets, and the rook does not shield
    /// the king from an attack along the rank (possible in Chess960 only). All conditions are
    /// combined before the one branch, since each alone is hard to predict.
    #[inline(always)]
    fn may_castle<Us: SideToMove>(&self, info: &CheckInfo, side: CastlingSide) -> bool {
        let path = self.castling.path(Us::COLOR, side);
        let obstacles = (path.empty & self.sets.occupied())
            | (path.safe & info.attacked)
            | (path.unpinned & info.pinned);
        obstacles.is_empty() & (self.rights & castling_right(Us::COLOR, side) != 0)
    }

    /// The castling move to a side, if it is legal; the king must not be in check.
    #[inline(always)]
    fn castling_move<Us: SideToMove>(&self, info: &CheckInfo, side: CastlingSide) -> Option<Move> {
        let path = self.castling.path(Us::COLOR, side);
        self.may_castle::<Us>(info, side).then(|| Move::new(path.king, path.rook, MoveKind::Castle))
    }
}

/// The board as the side to move sees it: its pieces by role, the enemy's, the empty squares.
struct SideView {
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

/// Sliders in the lanes along which they may move: pinned ones only in those of their pin.
#[inline(always)]
fn unpinned(info: &CheckInfo, orthogonal: Bitboard, diagonal: Bitboard) -> Rays {
    let sliders = Rays::sliders(orthogonal, diagonal);
    if ((orthogonal | diagonal) & info.pinned).is_empty() {
        return sliders;
    }
    sliders & (Rays::all(!info.pinned) | info.pin_lines())
}

/// Slider moves. A rook in the orthogonal lanes and a bishop in the diagonal lanes share a fill; a
/// queen has its own. One fill for all sliders would be enough, but finding the origin of each move
/// then costs more than the saved fills.
#[inline(always)]
fn slider_moves(view: &SideView, info: &CheckInfo, targets: Bitboard, list: &mut MoveWriter<'_>) {
    let (mut rooks, mut bishops) = (view.rooks, view.bishops);
    while (rooks | bishops).any() {
        let (rook, bishop) = (rooks.isolate_first(), bishops.isolate_first());
        let (orthogonal, diagonal) = unpinned(info, rook, bishop).attacks(view.empty).by_line();
        if let Some(from) = rook.first() {
            list.push_targets(from, orthogonal & targets);
        }
        if let Some(from) = bishop.first() {
            list.push_targets(from, diagonal & targets);
        }
        rooks ^= rook;
        bishops ^= bishop;
    }
    for from in view.queens {
        let queen = bit(from);
        list.push_targets(from, unpinned(info, queen, queen).attacks(view.empty).union() & targets);
    }
}

/// The targets of all pawn moves; pinned pawns move along their pin only.
#[inline(always)]
fn pawn_moves<Us: SideToMove>(view: &SideView, info: &CheckInfo) -> PawnMoves {
    let [mut pushing, mut capturing_east, mut capturing_west] = [view.pawns; 3];
    if (view.pawns & info.pinned).any() {
        pushing = info.unpinned_along(view.pawns, Us::UP);
        capturing_east = info.unpinned_along(view.pawns, Us::UP_EAST);
        capturing_west = info.unpinned_along(view.pawns, Us::UP_WEST);
    }
    let capturable = view.theirs & info.check_mask;
    let push = Us::UP.step(pushing) & view.empty;
    PawnMoves {
        push: push & info.check_mask,
        double_push: Us::UP.step(push & Us::RANK_3) & view.empty & info.check_mask,
        capture_east: Us::UP_EAST.step(capturing_east) & capturable,
        capture_west: Us::UP_WEST.step(capturing_west) & capturable,
    }
}

impl Position {
    /// All legal moves, in the order of the generator.
    #[inline]
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&self.check_info(), GenType::All, &mut list);
        list
    }

    /// Appends the legal moves of a type to a list. `info` is [`Position::check_info`] of this
    /// position.
    ///
    /// # Panics
    ///
    /// If the list overflows. An empty list holds all moves of any position: see
    /// [`MAX_MOVES`](super::MAX_MOVES).
    #[inline]
    pub fn generate(&self, info: &CheckInfo, gen_type: GenType, list: &mut MoveList) {
        match (self.turn, info.is_unrestricted()) {
            (Color::White, true) => {
                self.generate_for::<White>(&info.unrestricted(), gen_type, list)
            }
            (Color::White, false) => self.generate_for::<White>(info, gen_type, list),
            (Color::Black, true) => {
                self.generate_for::<Black>(&info.unrestricted(), gen_type, list)
            }
            (Color::Black, false) => self.generate_for::<Black>(info, gen_type, list),
        }
    }

    #[inline(always)]
    fn generate_for<Us: SideToMove>(
        &self,
        info: &CheckInfo,
        gen_type: GenType,
        list: &mut MoveList,
    ) {
        let context = self.gen_context();
        let view = context.side_view(Us::COLOR);
        let mut list = MoveWriter::new(list);
        let destinations = match gen_type {
            GenType::All => !view.ours,
            GenType::Noisy => view.theirs,
            GenType::Quiet => view.empty,
        };

        if !info.checkers.more_than_one() {
            context.non_king_moves::<Us>(&view, info, gen_type, destinations, &mut list);
        }
        // Exclude the king's own square, which occurs here only after illegal moves.
        let steps = king_attacks(view.king) & destinations & !info.attacked & !view.king;
        list.push_targets(context.sets.king(Us::COLOR), steps);
        if gen_type != GenType::Noisy && !info.in_check() && context.rights != 0 {
            for side in CastlingSide::ALL {
                if let Some(m) = context.castling_move::<Us>(info, side) {
                    list.push(m);
                }
            }
        }
        list.finish();
    }

    /// The number of legal moves, counted from the fills without making a list. Each square in a
    /// lane of a slider fill or a knight fill is exactly one move.
    #[inline]
    pub fn count_moves(&self) -> u32 {
        self.count_moves_in(&self.check_info())
    }

    /// The number of legal moves; `info` is [`Position::check_info`] of this position.
    #[inline]
    pub(crate) fn count_moves_in(&self, info: &CheckInfo) -> u32 {
        if self.turn.is_white() {
            self.gen_context().count::<White>(info)
        } else {
            self.gen_context().count::<Black>(info)
        }
    }

    /// The number of legal replies to a double push. Does not play it, but only computes the sets of
    /// pieces after it.
    #[inline]
    pub(super) fn count_replies_to_double_push(&self, m: Move) -> u32 {
        let (from, to) = (m.from(), m.to());
        let State { sets, packed, .. } = self.state();
        let context = GenContext {
            sets: &sets.toggled(self.mailbox[from], bit(from) | bit(to)),
            rights: packed.rights(),
            en_passant: Some(square_at((from as u32 + to as u32) / 2)),
            castling: &self.castling,
        };
        let info = context.sets.check_info(self.turn.other());
        match self.turn {
            Color::White => context.count::<Black>(&info),
            Color::Black => context.count::<White>(&info),
        }
    }

    #[inline(always)]
    fn gen_context(&self) -> GenContext<'_> {
        let State { sets, packed, .. } = self.state();
        GenContext {
            sets,
            rights: packed.rights(),
            en_passant: packed.en_passant(),
            castling: &self.castling,
        }
    }

    /// Whether a move from anywhere, such as the transposition table or a GUI, is legal here.
    /// `info` is [`Position::check_info`] of this position.
    pub fn is_legal(&self, m: Move, info: &CheckInfo) -> bool {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        match m.kind() {
            MoveKind::Castle => {
                let castling = |side| match us {
                    Color::White => self.gen_context().castling_move::<White>(info, side),
                    Color::Black => self.gen_context().castling_move::<Black>(info, side),
                };
                return !info.in_check()
                    && CastlingSide::ALL.into_iter().any(|side| castling(side) == Some(m));
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
            return king_attacks(bit(from)).contains(to) && !info.attacked.contains(to);
        }
        let pinned = info.pinned.contains(from)
            && info.pin_lines().holding(from) & Rays::empty_board_rays(from).holding(to) == 0;
        if pinned || !info.check_mask.contains(to) {
            return false;
        }
        match piece.role {
            Role::Pawn => self.pawn_reaches(from, to, us),
            Role::Knight => KNIGHT_ATTACKS[from].contains(to),
            role => {
                let rays = Rays::all(bit(from)).attacks(!self.occupied());
                (role != Role::Bishop && rays.orthogonal().contains(to))
                    || (role != Role::Rook && rays.diagonal().contains(to))
            }
        }
    }

    /// Whether a pawn reaches a square by a push or an ordinary capture.
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
