//! Legal moves, from fills.
//!
//! Three set-wise fills make a generator (see [`Sight`] for the first two): the enemy's sliders with our king
//! lifted off the board (danger), a fill out of our king (checks and pins), and our own sliders, each in the lanes
//! it may use. What comes out is legal: nothing has to be tried and taken back.

use super::moves::Writer;
use super::pieces::{Man, Sets};
use super::{Castling, Kind, Move, MoveList, Position, Sight, State, Wing};
use crate::chess::{Bitboard, BySquare, Color, Piece, Rank, Role, Square, bit, facing_north, square_at};
use crate::fill::waves::{king_attacks, knight_attacks};
use crate::fill::{Direction, Rays};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
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
        let sight = self.sets.sight(Us::COLOR);
        if sight.is_free() { self.count_with::<Us>(&sight.freed()) } else { self.count_with::<Us>(&sight) }
    }

    #[inline(always)]
    fn count_with<Us: Mover>(&self, sight: &Sight) -> u32 {
        let men = self.men(Us::COLOR);
        let mut count = (king_attacks(men.king) & !men.ours & !sight.danger).count();
        if sight.checkers.more_than_one() {
            return count as u32;
        }
        if !sight.in_check() && self.rights != 0 {
            for wing in Wing::BOTH {
                count += usize::from(self.may_castle::<Us>(sight, wing));
            }
        }

        let PawnMoves { push, double, east, west } = pawn_moves::<Us>(&men, sight);
        count += push.count() + double.count() + east.count() + west.count();
        if (men.pawns & Us::SEVENTH).any() {
            let last = Us::EIGHTH;
            count += 3 * ((push & last).count() + (east & last).count() + (west & last).count());
        }
        if let Some(to) = self.en_passant {
            count += self.en_passant_takers::<Us>(to).count();
        }

        let targets = !men.ours & sight.block;
        let (orthogonal, diagonal) = (men.rooks | men.queens, men.bishops | men.queens);
        let slides = unpinned(sight, orthogonal, diagonal).attacks(men.empty) & Rays::all(targets);
        let knights = men.knights & !sight.pinned;
        if Rays::COUNTS_LANES {
            return count as u32 + slides.count_with(Rays::leaps(knights) & Rays::all(targets));
        }
        let jumps: usize = knights.into_iter().map(|from| (KNIGHT[from] & targets).count()).sum();
        (count + jumps) as u32 + slides.count()
    }

    /// All moves but the king's, for a side that is not in double check.
    #[inline(always)]
    fn other_moves<Us: Mover>(
        &self,
        men: &Men,
        sight: &Sight,
        wanted: Wanted,
        wanted_squares: Bitboard,
        list: &mut Writer<'_>,
    ) {
        let PawnMoves { push, double, east, west } = pawn_moves::<Us>(men, sight);
        if wanted != Wanted::Quiet {
            for (targets, direction) in [(east, Us::EAST), (west, Us::WEST)] {
                list.march(targets & !Us::EIGHTH, direction, 1, Kind::Normal);
            }
            if (men.pawns & Us::SEVENTH).any() {
                for (targets, direction) in [(east, Us::EAST), (west, Us::WEST), (push, Us::NORTH)] {
                    let arriving = targets & Us::EIGHTH;
                    if arriving.any() {
                        for kind in Kind::PROMOTIONS {
                            list.march(arriving, direction, 1, kind);
                        }
                    }
                }
            }
            if let Some(to) = self.en_passant {
                for from in self.en_passant_takers::<Us>(to) {
                    list.push(Move::new(from, to, Kind::EnPassant));
                }
            }
        }
        if wanted != Wanted::Noisy {
            list.march(push & !Us::EIGHTH, Us::NORTH, 1, Kind::Normal);
            list.march(double, Us::NORTH, 2, Kind::Normal);
        }

        let targets = wanted_squares & sight.block;
        for from in men.knights & !sight.pinned {
            list.fan(from, KNIGHT[from] & targets);
        }
        slider_moves(men, sight, targets, list);
    }

    /// The sets a generator needs, looked up once.
    #[inline(always)]
    fn men(&self, us: Color) -> Men {
        let (ours, theirs) = (self.sets.side(us), self.sets.side(us.other()));
        let set = |role| self.sets.role(role) & ours;
        Men {
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
        let takers =
            super::attacks::pawn_attacks(bit(to), Us::Them::COLOR) & self.sets.of(Us::COLOR, Role::Pawn);
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
    fn may_castle<Us: Mover>(&self, sight: &Sight, wing: Wing) -> bool {
        let way = self.castling.way(Us::COLOR, wing);
        let closed =
            (way.free & self.sets.occupied()) | (way.safe & sight.danger) | (way.unpinned & sight.pinned);
        closed.is_empty() & (self.rights & wing.right(Us::COLOR) != 0)
    }

    #[inline(always)]
    fn castling_move<Us: Mover>(&self, sight: &Sight, wing: Wing) -> Option<Move> {
        let way = self.castling.way(Us::COLOR, wing);
        self.may_castle::<Us>(sight, wing).then(|| Move::new(way.king, way.rook, Kind::Castle))
    }
}

/// The pieces of the side to move, and what else is on the board.
struct Men {
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
fn unpinned(sight: &Sight, orthogonal: Bitboard, diagonal: Bitboard) -> Rays {
    let sliders = Rays::sliders(orthogonal, diagonal);
    if ((orthogonal | diagonal) & sight.pinned).is_empty() {
        return sliders;
    }
    sliders & (Rays::all(!sight.pinned) | sight.axis())
}

/// Slider moves: a rook in the rook lanes and a bishop in the bishop lanes share a fill, a queen has its own. One
/// fill for all sliders would do as well, but to find out then whose each move is takes longer than a fill.
#[inline(always)]
fn slider_moves(men: &Men, sight: &Sight, targets: Bitboard, list: &mut Writer<'_>) {
    let (mut rooks, mut bishops) = (men.rooks, men.bishops);
    while (rooks | bishops).any() {
        let (rook, bishop) = (rooks.isolate_first(), bishops.isolate_first());
        let (files, slants) = unpinned(sight, rook, bishop).attacks(men.empty).by_line();
        if let Some(from) = rook.first() {
            list.fan(from, files & targets);
        }
        if let Some(from) = bishop.first() {
            list.fan(from, slants & targets);
        }
        rooks ^= rook;
        bishops ^= bishop;
    }
    for from in men.queens {
        let queen = bit(from);
        list.fan(from, unpinned(sight, queen, queen).attacks(men.empty).union() & targets);
    }
}

/// Where pawns may go, all at once; those that are pinned go along their pin only.
#[inline(always)]
fn pawn_moves<Us: Mover>(men: &Men, sight: &Sight) -> PawnMoves {
    let [mut pushers, mut easterly, mut westerly] = [men.pawns; 3];
    if (men.pawns & sight.pinned).any() {
        pushers = sight.free(men.pawns, Us::NORTH);
        easterly = sight.free(men.pawns, Us::EAST);
        westerly = sight.free(men.pawns, Us::WEST);
    }
    let prey = men.theirs & sight.block;
    let push = Us::NORTH.step(pushers) & men.empty;
    PawnMoves {
        push: push & sight.block,
        double: Us::NORTH.step(push & Us::THIRD) & men.empty & sight.block,
        east: Us::EAST.step(easterly) & prey,
        west: Us::WEST.step(westerly) & prey,
    }
}

impl Position {
    /// All legal moves.
    #[inline]
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&self.sight(), Wanted::All, &mut list);
        list
    }

    /// Appends the wanted legal moves.
    #[inline]
    pub fn generate(&self, sight: &Sight, wanted: Wanted, list: &mut MoveList) {
        match (self.turn, sight.is_free()) {
            (Color::White, true) => self.generate_for::<White>(&sight.freed(), wanted, list),
            (Color::White, false) => self.generate_for::<White>(sight, wanted, list),
            (Color::Black, true) => self.generate_for::<Black>(&sight.freed(), wanted, list),
            (Color::Black, false) => self.generate_for::<Black>(sight, wanted, list),
        }
    }

    #[inline(always)]
    fn generate_for<Us: Mover>(&self, sight: &Sight, wanted: Wanted, list: &mut MoveList) {
        let scene = self.scene();
        let men = scene.men(Us::COLOR);
        let mut list = Writer::new(list);
        let wanted_squares = match wanted {
            Wanted::All => !men.ours,
            Wanted::Noisy => men.theirs,
            Wanted::Quiet => men.empty,
        };

        if !sight.checkers.more_than_one() {
            scene.other_moves::<Us>(&men, sight, wanted, wanted_squares, &mut list);
        }
        let steps = king_attacks(men.king) & wanted_squares & !sight.danger;
        list.fan(scene.sets.king(Us::COLOR), steps);
        if wanted != Wanted::Noisy && !sight.in_check() && scene.rights != 0 {
            for wing in Wing::BOTH {
                if let Some(m) = scene.castling_move::<Us>(sight, wing) {
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
        if self.turn.is_white() { self.scene().count::<White>() } else { self.scene().count::<Black>() }
    }

    /// The number of legal replies to a legal move, which is not played: only the sets it leaves are worked out. `None`
    /// for castling and en passant.
    #[inline]
    pub fn count_replies(&self, m: Move) -> Option<u32> {
        if matches!(m.kind(), Kind::Castle | Kind::EnPassant) {
            return None;
        }
        Some(if self.turn.is_white() { self.replies_to::<White>(m) } else { self.replies_to::<Black>(m) })
    }

    #[inline(always)]
    fn replies_to<Us: Mover>(&self, m: Move) -> u32 {
        let (from, to) = (m.from(), m.to());
        let (man, captured) = (self.mailbox[from], self.mailbox[to]);
        let sets = self.state().sets.with(captured, bit(to));
        let sets = match m.promotion() {
            None => sets.with(man, bit(from) | bit(to)),
            Some(role) => {
                let promoted = Man::new(Piece { color: Us::COLOR, role });
                sets.with(man, bit(from)).with(promoted, bit(to))
            }
        };
        let double = man.is_pawn() && (from as u32) ^ (to as u32) == 16;
        let scene = Scene {
            sets: &sets,
            rights: self.state().rest.rights() & self.castling.kept[from] & self.castling.kept[to],
            en_passant: double.then(|| square_at((from as u32 + to as u32) / 2)),
            castling: &self.castling,
        };
        scene.count::<Us::Them>()
    }

    #[inline(always)]
    fn scene(&self) -> Scene<'_> {
        let State { sets, rest, .. } = self.state();
        Scene { sets, rights: rest.rights(), en_passant: rest.en_passant(), castling: &self.castling }
    }

    /// Whether any move, from the table or a GUI, is legal here.
    pub fn is_legal(&self, m: Move, sight: &Sight) -> bool {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        match m.kind() {
            Kind::Castle => {
                let castling = |wing| match us {
                    Color::White => self.scene().castling_move::<White>(sight, wing),
                    Color::Black => self.scene().castling_move::<Black>(sight, wing),
                };
                return !sight.in_check() && Wing::BOTH.into_iter().any(|wing| castling(wing) == Some(m));
            }
            Kind::EnPassant => {
                return piece.role == Role::Pawn
                    && self.state().rest.en_passant() == Some(to)
                    && super::attacks::pawn_attacks(bit(from), us).contains(to)
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
            return king_attacks(bit(from)).contains(to) && !sight.danger.contains(to);
        }
        let pinned =
            sight.pinned.contains(from) && sight.axis().holding(from) & Rays::beams(from).holding(to) == 0;
        if pinned || !sight.block.contains(to) {
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
            return super::attacks::pawn_attacks(bit(from), us).contains(to);
        }
        let north = Direction::North.seen_by(us);
        let empty = !self.occupied();
        let push = north.step(bit(from)) & empty;
        let third = Bitboard::from_rank(us.relative_rank(Rank::Third));
        (push | (north.step(push & third) & empty)).contains(to)
    }
}
