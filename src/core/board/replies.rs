//! Counts the legal replies to many moves, several positions at a time.
//!
//! The generator takes one position, with all directions in the lanes of a register. Here each lane
//! is a position ([`Boards`]), and the directions come one after the other. That suits perft: nothing
//! is joined across lanes, no position waits for another, and hardly anything branches.
//!
//! The positions after the moves are collected in columns, the same set of all positions side by
//! side. The moves are played in lanes, too: origins and targets become sets, and a set of pieces
//! changes on the boards on which it meets the origin.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::board::{Position, ReplyCounter};
//! use freshet::chess::Color;
//!
//! let position = Position::start();
//! let mut counter = ReplyCounter::new(&position, Color::Black);
//! counter.add(&position, &position.moves());
//! assert_eq!(counter.finish(), 400);
//! ```

use super::castling::{Castling, castled, castling_right};
use super::geometry::en_passant_victim;
use super::movegen::{Black, SideToMove, White};
use super::moves::{Move, MoveKind};
use super::pieces::{PieceCode, PieceSets};
use super::position::Position;
use crate::chess::{Bitboard, CastlingSide, Color, Piece, Role, bit};
use crate::fill::{Boards, Direction, Tally};

/// How many positions are collected before they are counted. Enough that the words written first have
/// reached the cache when whole registers are read.
const COLLECTED: usize = 64;

/// One word for each position. Whole registers are stored, so there is room for one beyond the last
/// position.
type Column = [u64; COLLECTED + Boards::COUNT];

/// Counts the moves of many positions of a game with the same side to move.
pub struct ReplyCounter {
    /// The side to move.
    turn: Color,
    castling: Castling,
    /// The sets of each position that is not counted yet, in the order of [`PieceSets`].
    sets: [Column; 8],
    /// The castling rights of each position.
    rights: Column,
    /// The number of positions in the columns.
    collected: usize,
    total: u64,
}

/// What moves of a position have in common.
struct Parent<'a> {
    position: &'a Position,
    sets: [Boards; 8],
    /// The castling rights of both sides.
    rights: u8,
}

impl ReplyCounter {
    /// `turn` is the side that replies. All positions must come from the game of `position`, whose
    /// castling squares they share.
    pub fn new(position: &Position, turn: Color) -> ReplyCounter {
        ReplyCounter {
            turn,
            castling: position.castling.clone(),
            sets: [[0; COLLECTED + Boards::COUNT]; 8],
            rights: [0; COLLECTED + Boards::COUNT],
            collected: 0,
            total: 0,
        }
    }

    /// Adds the replies to legal moves of a position.
    pub fn add(&mut self, position: &Position, moves: &[Move]) {
        debug_assert_eq!(position.turn, self.turn.other());
        match self.turn {
            Color::White => self.add_for::<White>(position, moves),
            Color::Black => self.add_for::<Black>(position, moves),
        }
    }

    /// Adds the legal moves of a position.
    pub fn add_position(&mut self, position: &Position) {
        debug_assert_eq!(position.turn, self.turn);
        let state = position.state();
        if state.packed.en_passant().is_some() {
            self.total += u64::from(position.count_moves());
        } else {
            self.collect_one(&state.sets, state.packed.rights());
        }
    }

    /// The number of all replies.
    pub fn finish(mut self) -> u64 {
        // Empty boards have no moves.
        let end = self.collected.next_multiple_of(Boards::COUNT);
        for column in self.sets.iter_mut().chain([&mut self.rights]) {
            column[self.collected..end].fill(0);
        }
        self.count_all(end);
        self.total
    }

    #[inline(always)]
    fn add_for<Us: SideToMove>(&mut self, position: &Position, moves: &[Move]) {
        let state = position.state();
        let parent = Parent {
            position,
            sets: state.sets.words().map(|set| Boards::all(Bitboard(set))),
            rights: state.packed.rights(),
        };
        let mut rest = moves;
        while !rest.is_empty() {
            let normal = rest.iter().take_while(|m| m.is_normal()).count();
            for some in rest[..normal].chunks(Boards::COUNT) {
                self.add_normal::<Us>(&parent, some);
            }
            rest = &rest[normal..];
            if let Some((&m, others)) = rest.split_first() {
                self.add_special(&parent, m);
                rest = others;
            }
        }
    }

    /// Plays up to [`Boards::COUNT`] moves that are neither castling nor en passant nor promotions.
    #[inline(always)]
    fn add_normal<Us: SideToMove>(&mut self, parent: &Parent<'_>, moves: &[Move]) {
        let mut bits = [0; Boards::COUNT];
        bits.iter_mut().zip(moves).for_each(|(bits, m)| *bits = m.bits());
        let (from, to) = (Boards::squares::<6>(&bits), Boards::squares::<0>(&bits));
        let at = self.collected;
        let [roles @ .., _, _] = parent.sets;
        for (column, set) in self.sets.iter_mut().zip(roles) {
            let moved = (set & !(from | to)).or_where_meet(to, from, set);
            moved.store(&mut column[at..]);
        }
        let [ours, theirs] = [Us::COLOR, Us::Them::COLOR].map(|side| 6 + side as usize);
        (parent.sets[ours] & !to).store(&mut self.sets[ours][at..]);
        (parent.sets[theirs] & !from | to).store(&mut self.sets[theirs][at..]);
        let rights = self.rights_after_capture::<Us>(parent.rights, to);
        rights.store(&mut self.rights[at..]);

        let pawns = parent.sets[Role::Pawn as usize - 1];
        let double_pushed = (pawns & from).step(Us::Them::UP).step(Us::Them::UP) & to;
        let beside = double_pushed.step(Direction::East) | double_pushed.step(Direction::West);
        let capturers = beside & pawns & parent.sets[ours];
        if capturers.any() {
            self.count_apart(parent, moves, &capturers.words());
        }
        self.collect(moves.len());
    }

    /// Counts the replies to double pushes that may be answered by en passant, and takes them out of
    /// the columns.
    #[inline(never)]
    fn count_apart(&mut self, parent: &Parent<'_>, moves: &[Move], capturers: &[u64]) {
        for (index, (&m, &capturers)) in moves.iter().zip(capturers).enumerate() {
            if capturers != 0 {
                self.total += u64::from(parent.position.count_replies_to_double_push(m));
                for column in self.sets.iter_mut().chain([&mut self.rights]) {
                    column[self.collected + index] = 0;
                }
            }
        }
    }

    /// The castling rights of the side that replies after a capture on `to`.
    #[inline(always)]
    fn rights_after_capture<Us: SideToMove>(&self, rights: u8, to: Boards) -> Boards {
        let mut left = Boards::EMPTY;
        if rights != 0 {
            for side in CastlingSide::ALL {
                let right = rights & castling_right(Us::COLOR, side);
                let rook = bit(self.castling.path(Us::COLOR, side).rook);
                left |= Boards::all(Bitboard(right.into())).where_empty(to & Boards::all(rook));
            }
        }
        left
    }

    /// Castling, en passant and promotions.
    fn add_special(&mut self, parent: &Parent<'_>, m: Move) {
        let (from, to, mover) = (m.from(), m.to(), self.turn.other());
        let code = |role| PieceCode::new(Piece { color: mover, role });
        let pawn = code(Role::Pawn);
        let sets = parent.position.state().sets;
        let sets = match m.kind() {
            MoveKind::Castle => {
                let (king, rook) = castled(from, to);
                sets.toggled(code(Role::King), bit(from) ^ bit(king))
                    .toggled(code(Role::Rook), bit(to) ^ bit(rook))
            }
            MoveKind::EnPassant => {
                let victim = PieceCode::new(Piece { color: self.turn, role: Role::Pawn });
                sets.toggled(pawn, bit(from) | bit(to))
                    .toggled(victim, bit(en_passant_victim(to, mover)))
            }
            _ => {
                let promoted = m.promotion().map_or(pawn, code);
                sets.toggled(parent.position.mailbox[to], bit(to))
                    .toggled(pawn, bit(from))
                    .toggled(promoted, bit(to))
            }
        };
        let kept = &self.castling.kept_rights;
        self.collect_one(&sets, parent.rights & kept[from] & kept[to]);
    }

    /// Takes in a position without en passant.
    #[inline(always)]
    fn collect_one(&mut self, sets: &PieceSets, rights: u8) {
        for (column, &set) in self.sets.iter_mut().zip(sets.words()) {
            column[self.collected] = set;
        }
        self.rights[self.collected] = rights.into();
        self.collect(1);
    }

    /// Takes in positions that were written into the columns.
    #[inline(always)]
    fn collect(&mut self, count: usize) {
        self.collected += count;
        if self.collected >= COLLECTED {
            self.count_all(COLLECTED);
            // Move the positions beyond them to the front.
            for column in self.sets.iter_mut().chain([&mut self.rights]) {
                Boards::load(&column[COLLECTED..]).store(column);
            }
            self.collected -= COLLECTED;
        }
    }

    /// Counts the moves of the first positions in the columns.
    #[inline(never)]
    fn count_all(&mut self, end: usize) {
        match self.turn {
            Color::White => self.count_all_for::<White>(end),
            Color::Black => self.count_all_for::<Black>(end),
        }
    }

    #[inline(always)]
    fn count_all_for<Us: SideToMove>(&mut self, end: usize) {
        for at in (0..end).step_by(Boards::COUNT) {
            self.total += self.count::<Us>(at);
        }
    }

    /// The number of legal moves of [`Boards::COUNT`] positions, without en passant.
    #[inline(always)]
    fn count<Us: SideToMove>(&self, at: usize) -> u64 {
        let load = |column: &Column| Boards::load(&column[at..]);
        let role = |role| load(&self.sets[role as usize - 1]);
        let side = |side| load(&self.sets[6 + side as usize]);
        let (ours, theirs) = (side(Us::COLOR), side(Us::Them::COLOR));
        let empty = !(ours | theirs);
        let [pawns, knights, king, queens] =
            [Role::Pawn, Role::Knight, Role::King, Role::Queen].map(role);
        let (orthogonal, diagonal) = (role(Role::Rook) | queens, role(Role::Bishop) | queens);
        let (king, their_king) = (king & ours, king & theirs);

        let lines = Lines { ours, king, empty };
        let mut restrictions = Restrictions::NONE;
        let (their_orthogonal, their_diagonal) = (theirs & orthogonal, theirs & diagonal);
        if their_orthogonal.any() {
            lines.restrict(Direction::North, their_orthogonal, &mut restrictions);
            lines.restrict(Direction::East, their_orthogonal, &mut restrictions);
        }
        if their_diagonal.any() {
            lines.restrict(Direction::NorthEast, their_diagonal, &mut restrictions);
            lines.restrict(Direction::NorthWest, their_diagonal, &mut restrictions);
        }
        let Restrictions { mut attacked, check_lines, pins } = restrictions;
        let pinned = pins[0] | pins[1] | pins[2] | pins[3];

        let (their_pawns, their_knights) = (pawns & theirs, knights & theirs);
        attacked |= their_pawns.step(Us::Them::UP_EAST) | their_pawns.step(Us::Them::UP_WEST);
        attacked |= their_king.king_attacks();
        let mut checkers = check_lines & (their_orthogonal | their_diagonal);
        checkers |= (king.step(Us::UP_EAST) | king.step(Us::UP_WEST)) & their_pawns;
        if their_knights.any() {
            attacked |= their_knights.knight_attacks();
            checkers |= king.knight_attacks() & their_knights;
        }
        // A double check leaves only king moves.
        let check_mask =
            (check_lines | checkers | Boards::all(Bitboard::FULL).where_empty(checkers))
                .where_empty(checkers.without_first());

        let mut tally = Tally::default();
        tally.count(king.king_attacks() & !ours & !attacked);
        let rights = load(&self.rights);
        if rights.any() {
            let mut castling = Boards::EMPTY;
            for side in CastlingSide::ALL {
                let path = self.castling.path(Us::COLOR, side);
                let obstacles = (Boards::all(path.empty) & !empty)
                    | (Boards::all(path.safe) & attacked)
                    | (Boards::all(path.unpinned) & pinned)
                    | checkers;
                let right = Boards::all(Bitboard(castling_right(Us::COLOR, side).into()));
                castling |= (rights & right).where_empty(obstacles);
            }
            tally.count(castling);
        }

        // Pieces that may move along a line: those not pinned, or pinned along it.
        let movable = [!pinned | pins[0], !pinned | pins[1], !pinned | pins[2], !pinned | pins[3]];
        let our_pawns = pawns & ours;
        let [north, east, west] = [Us::UP, Us::UP_EAST, Us::UP_WEST];
        let push = (our_pawns & movable[north.lane() % 4]).step(north) & empty;
        let double_push = (push & Boards::all(Us::RANK_3)).step(north) & empty;
        let capturable = theirs & check_mask;
        let captures = [
            (our_pawns & movable[east.lane() % 4]).step(east) & capturable,
            (our_pawns & movable[west.lane() % 4]).step(west) & capturable,
        ];
        // Two pawns are never pushed to the same square.
        let pushes = (push | double_push) & check_mask;
        tally.count(pushes);
        tally.count(captures[0]);
        tally.count(captures[1]);
        if (our_pawns & Boards::all(Us::RANK_7)).any() {
            // A promotion is four moves.
            for targets in [pushes, captures[0], captures[1]] {
                let promotions = targets & Boards::all(Us::RANK_8);
                for _ in 0..3 {
                    tally.count(promotions);
                }
            }
        }

        let targets = !ours & check_mask;
        let our_knights = knights & ours & !pinned;
        if our_knights.any() {
            for moves in our_knights.knight_moves() {
                tally.count(moves & targets);
            }
        }
        let (our_orthogonal, our_diagonal) = (ours & orthogonal, ours & diagonal);
        if our_orthogonal.any() {
            lines.count(Direction::North, our_orthogonal & movable[0], targets, &mut tally);
            lines.count(Direction::East, our_orthogonal & movable[1], targets, &mut tally);
        }
        if our_diagonal.any() {
            lines.count(Direction::NorthEast, our_diagonal & movable[2], targets, &mut tally);
            lines.count(Direction::NorthWest, our_diagonal & movable[3], targets, &mut tally);
        }
        tally.sum()
    }
}

/// The lines of sliders. Each is named by one of its directions, of a lane below 4.
struct Lines {
    ours: Boards,
    king: Boards,
    empty: Boards,
}

/// What the enemy's sliders forbid.
struct Restrictions {
    /// The squares that they attack on the board without our king.
    attacked: Boards,
    /// The squares from our king to the sliders that give check, and the squares of these.
    check_lines: Boards,
    /// Our pinned pieces, by the line of the pin.
    pins: [Boards; 4],
}

impl Restrictions {
    const NONE: Restrictions = Restrictions {
        attacked: Boards::EMPTY,
        check_lines: Boards::EMPTY,
        pins: [Boards::EMPTY; 4],
    };
}

impl Lines {
    /// Adds what the enemy's sliders forbid along a line.
    #[inline(always)]
    fn restrict(&self, line: Direction, sliders: Boards, all: &mut Restrictions) {
        let &Lines { ours, king, empty } = self;
        let [to, from_king] = Boards::slides(line, [sliders, king], empty);
        let [to_back, from_king_back] = Boards::slides(line.opposite(), [sliders, king], empty);
        all.attacked |= to | to_back;
        // The king does not shield the squares behind it from a slider that gives check.
        all.attacked = all.attacked.or_where_meet(from_king, king, to);
        all.attacked = all.attacked.or_where_meet(from_king_back, king, to_back);
        all.check_lines = all.check_lines.or_where_meet(from_king, from_king, sliders);
        all.check_lines = all.check_lines.or_where_meet(from_king_back, from_king_back, sliders);
        all.pins[line.lane()] = ((from_king & to_back) | (from_king_back & to)) & ours;
    }

    /// Counts the moves of sliders of ours along a line.
    #[inline(always)]
    fn count(&self, line: Direction, sliders: Boards, targets: Boards, tally: &mut Tally) {
        let [slides] = Boards::slides(line, [sliders], self.empty);
        let [back] = Boards::slides(line.opposite(), [sliders], self.empty);
        tally.count(slides & targets);
        tally.count(back & targets);
    }
}
