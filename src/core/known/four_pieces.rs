//! Kings and two other pieces, which may be pawns: bitbases of wins, solved exactly by retrograde
//! analysis, set-wise. Two minor pieces alone are left out; queen or rook with another piece against a
//! bare king need no bitbase.
//!
//! A bitbase holds the positions that one side, the *attacker*, wins. For all squares of both pieces
//! and of the attacker's king, a bitboard holds the squares of the defender's king with which the
//! attacker wins. If each side has a piece, two bitbases answer for both. Pawns of the attacker move
//! north; the board is mirrored so that a pawn stands on the files a to d, or without pawns the
//! attacker's king on a1 to d4.
//!
//! Each step goes from the positions that are newly lost for the defender to those from which the
//! attacker moves there, which are won. Whenever a set of won positions has grown, the positions in
//! which the defender has a move into it are examined again (Thompson, 1986). Captures and promotions
//! lead to other endings, whose bitbases are solved before. The fifty-move rule is not considered.

use super::fortress::structure::attacks_south;
use super::{Bitbase, Judged, Known, Reason, Wait, kpk, mates};
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Rank, Role, Square, between, bit, square_at};
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;
use crate::fill::{Direction, attacks_of};

/// The two pieces besides the kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// A piece of the attacker's, and one of the defender's.
    Duel(Role, Role),
    /// A pawn of the attacker's, and another piece of the attacker's: bishop, knight or pawn.
    WithPawn(Role),
    /// A queen or rook of the attacker's, and another piece of the attacker's: a rule, no bitbase.
    WithMajor(Role, Role),
}

/// The roles of a piece, by their index in [`Material::index`].
const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// What the defender's pawn promotes to. With two pieces a rook or bishop never holds where a queen does
/// not, as the comparison of all positions with the Syzygy tables shows (the ignored test in
/// `engine-tests/four_pieces.rs`).
const DEFENDER_PROMOTES_TO: [Role; 2] = [Role::Queen, Role::Knight];

/// The second piece of [`Material::WithPawn`].
const BESIDES: [Role; 3] = [Role::Bishop, Role::Knight, Role::Pawn];

fn place_of(role: Role, roles: &[Role]) -> usize {
    roles.iter().position(|&other| other == role).unwrap_or_default()
}

impl Material {
    const COUNT: usize = ROLES.len() * ROLES.len() + BESIDES.len();

    /// The place of the bitbase among all.
    fn index(self) -> usize {
        match self {
            Material::WithMajor(..) => unreachable!("no bitbase"),
            Material::Duel(first, second) => 5 * place_of(first, &ROLES) + place_of(second, &ROLES),
            Material::WithPawn(role) => 25 + place_of(role, &BESIDES),
        }
    }

    /// The role of the first and of the second piece.
    fn roles(self) -> [Role; 2] {
        match self {
            Material::Duel(first, second) => [first, second],
            Material::WithPawn(role) => [Role::Pawn, role],
            Material::WithMajor(major, other) => [major, other],
        }
    }

    fn has_defender(self) -> bool {
        matches!(self, Material::Duel(..))
    }

    /// The number of pieces of the attacker. They come before the defender's.
    fn attackers(self) -> usize {
        if self.has_defender() { 1 } else { 2 }
    }
}

/// The squares of both pieces and of the attacker's king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Placement {
    pieces: [Square; 2],
    king: Square,
}

/// Whether the board is mirrored left to right, and top to bottom.
type Mirror = [bool; 2];

fn mirrored(square: Square, mirror: Mirror) -> Square {
    square_at(square as u32 ^ if mirror[0] { 7 } else { 0 } ^ if mirror[1] { 56 } else { 0 })
}

fn mirrored_set(mut set: Bitboard, mirror: Mirror) -> Bitboard {
    if mirror[0] {
        set = set.flip_horizontal();
    }
    if mirror[1] {
        set = set.flip_vertical();
    }
    set
}

impl Placement {
    fn occupied(self) -> Bitboard {
        bit(self.pieces[0]) | bit(self.pieces[1]) | bit(self.king)
    }

    /// Whether they are different squares, and no pawn stands on the first or last rank.
    fn is_valid(self, material: Material) -> bool {
        let is_on_its_board = |number: usize| {
            material.roles()[number] != Role::Pawn
                || (8..56).contains(&(self.pieces[number] as u32))
        };
        self.occupied().count() == 3 && is_on_its_board(0) && is_on_its_board(1)
    }
}

/// The squares a piece attacks; the attacker's pawns move north.
fn attacks(role: Role, from: Square, occupied: Bitboard, is_attacker: bool) -> Bitboard {
    match role {
        Role::Pawn if is_attacker => pawn_attacks(bit(from)),
        Role::Pawn => attacks_south(bit(from)),
        _ => attacks_of(role, bit(from), !occupied),
    }
}

/// How placements are numbered.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// The piece whose file decides how the board is mirrored: a pawn, if there is one.
    anchor: Option<usize>,
    /// The number of squares for each piece, and for the king.
    sizes: [usize; 3],
}

impl Layout {
    fn of(material: Material) -> Layout {
        let anchor = material.roles().iter().position(|&role| role == Role::Pawn);
        let sizes = match anchor {
            Some(0) => [24, 64, 64],
            Some(_) => [64, 24, 64],
            None => [64, 64, 16],
        };
        Layout { anchor, sizes }
    }

    /// The number of a placement, and how it is mirrored there.
    #[inline(always)]
    fn index(self, placement: Placement) -> (usize, Mirror) {
        let Placement { pieces: [first, second], king } = placement;
        let [_, seconds, kings] = self.sizes;
        let deciding = self.anchor.map_or(king, |anchor| placement.pieces[anchor]) as u32;
        let mirror = [deciding % 8 > 3, self.anchor.is_none() && deciding >= 32];
        let [first, second, king] = [first, second, king].map(|square| mirrored(square, mirror));
        // The place of a square on the files a to d, from this rank on.
        let left =
            |square: Square, rank: usize| 4 * (square as usize / 8 - rank) + square as usize % 8;
        let [first, second, king] = match self.anchor {
            Some(0) => [left(first, 1), second as usize, king as usize],
            Some(_) => [first as usize, left(second, 1), king as usize],
            None => [first as usize, second as usize, left(king, 0)],
        };
        ((first * seconds + second) * kings + king, mirror)
    }

    /// The inverse of [`Layout::index`].
    fn placement(self, index: usize) -> Placement {
        let [_, seconds, kings] = self.sizes;
        let [first, second, king] =
            [index / kings / seconds, index / kings % seconds, index % kings];
        let plain = |index: usize| square_at(index as u32);
        let left = |index: usize, rank: usize| plain(8 * (index / 4 + rank) + index % 4);
        match self.anchor {
            Some(0) => Placement { pieces: [left(first, 1), plain(second)], king: plain(king) },
            Some(_) => Placement { pieces: [plain(first), left(second, 1)], king: plain(king) },
            None => Placement { pieces: [plain(first), plain(second)], king: left(king, 0) },
        }
    }
}

/// Placements to be looked at, each once.
struct Marked {
    is_marked: Vec<bool>,
    list: Vec<usize>,
}

impl Marked {
    fn new(count: usize) -> Marked {
        Marked { is_marked: vec![false; count], list: Vec::new() }
    }

    fn add(&mut self, index: usize) {
        if !std::mem::replace(&mut self.is_marked[index], true) {
            self.list.push(index);
        }
    }

    /// All of them; none is marked any more.
    fn take(&mut self) -> Vec<usize> {
        let list = std::mem::take(&mut self.list);
        list.iter().for_each(|&index| self.is_marked[index] = false);
        list
    }
}

/// The positions in which the attacker wins.
struct Wins {
    material: Material,
    layout: Layout,
    /// The squares of the defender's king, the attacker to move.
    to_move: Vec<Bitboard>,
    /// The squares of the defender's king, the defender to move.
    waiting: Vec<Bitboard>,
}

static BITBASES: [Bitbase<Wins>; Material::COUNT] = [const { Bitbase::new() }; Material::COUNT];

/// The bitbase of this material, solved on first use.
fn solved(material: Material) -> &'static Wins {
    BITBASES[material.index()].solved(|| Wins::solve(material))
}

/// Solves all bitbases, unless they are solved already.
pub(super) fn prepare() {
    for first in ROLES {
        for second in ROLES {
            solved(Material::Duel(first, second));
        }
    }
    for role in BESIDES {
        solved(Material::WithPawn(role));
    }
}

/// What is known about kings and two other pieces; `None` in other endings, and if the bitbases are
/// not solved when the wait ends.
pub(super) fn ask(position: &Position, wait: &Wait) -> Option<Known> {
    if position.occupied().count() != 4
        || position.castling_rights() != 0
        || position.en_passant().is_some()
    {
        return None;
    }
    let kings = position.role(Role::King);
    let pieces_of = |side: Color| (position.of(side) & !kings).into_iter();
    let role = |square: Square| position.piece_at(square).map(|piece| piece.role);
    let count = ByColor::new_with(|side| pieces_of(side).count());
    let wins = |attacker: Color, material: Material, squares: [Square; 2]| -> Option<bool> {
        let bitbase = BITBASES[material.index()].get(wait, move || Wins::solve(material))?;
        let mirror = [false, !attacker.is_white()];
        let view = |square: Square| mirrored(square, mirror);
        let placement =
            Placement { pieces: squares.map(view), king: view(position.king(attacker)) };
        let table = if position.turn() == attacker { &bitbase.to_move } else { &bitbase.waiting };
        Some(bitbase.get(table, placement).contains(view(position.king(attacker.other()))))
    };
    let (can_win, reason) = if (count.white, count.black) == (1, 1) {
        let squares = ByColor {
            white: pieces_of(Color::White).next()?,
            black: pieces_of(Color::Black).next()?,
        };
        let roles = ByColor { white: role(squares.white)?, black: role(squares.black)? };
        let is_minor = |role: Role| matches!(role, Role::Bishop | Role::Knight);
        if is_minor(roles.white) && is_minor(roles.black) {
            return None;
        }
        let of = |attacker: Color| {
            let [ours, theirs] = [attacker, attacker.other()];
            let material = Material::Duel(roles[ours], roles[theirs]);
            wins(attacker, material, [squares[ours], squares[theirs]])
        };
        // Ask for both before using either: with `Wait::Never`, each call starts solving its own bitbase.
        let (white, black) = (of(Color::White), of(Color::Black));
        let can_win = ByColor { white: white?, black: black? };
        let stronger =
            Color::from_white(place_of(roles.white, &ROLES) <= place_of(roles.black, &ROLES));
        (can_win, Material::Duel(roles[stronger], roles[stronger.other()]))
    } else {
        let attacker = Color::from_white(count.white == 2);
        let mut squares = pieces_of(attacker);
        let (one, two) = (squares.next()?, squares.next()?);
        let mut pieces = [(role(one)?, one), (role(two)?, two)];
        pieces.sort_by_key(|&(role, _)| place_of(role, &ROLES));
        let (won, material) = match pieces {
            [(major @ (Role::Queen | Role::Rook), at), (other, other_at)] => {
                let view = |square: Square| mirrored(square, [false, !attacker.is_white()]);
                let [king, bare] =
                    [attacker, attacker.other()].map(|side| view(position.king(side)));
                let other_piece = Some((other, view(other_at)));
                let won = position.turn() == attacker
                    || lost_to_major(major, view(at), king, other_piece).contains(bare);
                (won, Material::WithMajor(major, other))
            }
            [(other, other_at), (Role::Pawn, pawn)] => {
                let material = Material::WithPawn(other);
                (wins(attacker, material, [pawn, other_at])?, material)
            }
            _ => return None,
        };
        (ByColor::new_with(|side| won && side == attacker), material)
    };
    let winner = Color::ALL.into_iter().find(|&side| can_win[side]);
    let judged = winner.map_or(Judged::Open, Judged::Won);
    Some(Known { can_win, judged, reason: Reason::FourPieces(reason) })
}

/// A lone queen, rook or pawn with its king, the bare king to move: the squares of the bare king
/// that lose. Bishop and knight cannot win.
fn lost_to_one(role: Role, piece: Square, king: Square) -> Bitboard {
    match role {
        Role::Pawn => kpk::wins(piece, king, false),
        Role::Queen | Role::Rook => lost_to_major(role, piece, king, None),
        _ => Bitboard::EMPTY,
    }
}

/// A queen or rook, perhaps with another piece, the bare king to move: the squares of the bare king
/// that lose. With the attacker to move, king and queen or rook always win.
fn lost_to_major(
    role: Role,
    major: Square,
    king: Square,
    other: Option<(Role, Square)>,
) -> Bitboard {
    let occupied = bit(major) | bit(king) | other.map_or(Bitboard::EMPTY, |(_, at)| bit(at));
    let mut attacked = king_attacks(bit(king)) | attacks(role, major, occupied, true);
    if let Some((role, at)) = other {
        attacked |= attacks(role, at, occupied, true);
    }
    let mut can_move = king_attacks(!(attacked | occupied));
    let mut escapes = Bitboard::EMPTY;
    if !attacked.contains(major) {
        let captures = king_attacks(bit(major));
        can_move |= captures;
        let still_wins = match other {
            Some((Role::Queen | Role::Rook, _)) => true,
            Some((Role::Pawn, pawn)) => kpk::wins(pawn, king, true).contains(major),
            _ => false,
        };
        if !still_wins {
            escapes |= captures;
        }
    }
    if let Some((_, at)) = other
        && !attacked.contains(at)
    {
        can_move |= king_attacks(bit(at));
    }
    let legal = !(occupied | king_attacks(bit(king)));
    legal & !escapes & (can_move | attacked)
}

/// The squares of the bare king, which is to move, on which a promotion to a knight on `to` wins beside the
/// bishop, while a rook there (and so a queen) would be stalemate.
fn lost_to_knight(to: Square, bishop: Square, king: Square) -> Bitboard {
    let occupied = bit(to) | bit(bishop) | bit(king);
    let attacked_by = |role: Role| {
        king_attacks(bit(king))
            | attacks(Role::Bishop, bishop, occupied, true)
            | attacks(role, to, occupied, true)
    };
    let by_rook = attacked_by(Role::Rook);
    let stalemates = !(occupied | by_rook | king_attacks(!(by_rook | occupied)));
    let checks = attacks(Role::Knight, to, occupied, true);
    let candidates = stalemates & (checks | king_attacks(!(attacked_by(Role::Knight) | occupied)));
    candidates
        .into_iter()
        .filter(|&bare_king| mates::bishop_and_knight_win(bishop, to, king, bare_king))
        .fold(Bitboard::EMPTY, |all, bare_king| all | bit(bare_king))
}

/// What stays the same while a bitbase is solved, for one placement.
#[derive(Clone, Copy, Default)]
struct Fixed {
    /// Squares of the defender's king with which the position is legal, the defender to move.
    legal_waiting: Bitboard,
    /// Squares that the attacker attacks; the defender's king blocks no line.
    attacked: Bitboard,
    /// Squares of the defender's king with which a capture or promotion escapes.
    escapes: Bitboard,
    /// Squares of the defender's king with which the defender has a move.
    can_move: Bitboard,
}

impl Wins {
    fn solve(material: Material) -> Wins {
        let layout = Layout::of(material);
        let count = layout.sizes.iter().product();
        let mut wins = Wins {
            material,
            layout,
            to_move: vec![Bitboard::EMPTY; count],
            waiting: vec![Bitboard::EMPTY; count],
        };
        let mut fixed = vec![Fixed::default(); count];
        let mut free = vec![Bitboard::EMPTY; count];
        let (mut todo, mut grown) = (Marked::new(count), Marked::new(count));
        for index in 0..count {
            let placement = layout.placement(index);
            if placement.is_valid(material) {
                fixed[index] = wins.fixed(placement);
                free[index] = !(placement.occupied() | fixed[index].attacked);
                wins.to_move[index] = wins.conversions(placement) & free[index];
                todo.add(index);
            }
        }
        loop {
            let mut newly_lost = Vec::new();
            for index in todo.take() {
                let placement = layout.placement(index);
                let lost = wins.lost(placement, &fixed[index], &free, index);
                let new = lost & !wins.waiting[index];
                if new.any() {
                    wins.waiting[index] = lost;
                    newly_lost.push((placement, new));
                }
            }
            if newly_lost.is_empty() {
                return wins;
            }
            for (placement, new) in newly_lost {
                wins.each_attacker_move_back(placement, |wins, before, blocked| {
                    let (index, mirror) = layout.index(before);
                    let won = mirrored_set(new & !blocked, mirror) & free[index];
                    if (won & !wins.to_move[index]).any() {
                        wins.to_move[index] |= won;
                        grown.add(index);
                    }
                });
            }
            for index in grown.take() {
                todo.add(index);
                if material.has_defender() {
                    let placement = layout.placement(index);
                    for from in wins.defender_moves_back(placement) {
                        let before = Placement { pieces: [placement.pieces[0], from], ..placement };
                        todo.add(layout.index(before).0);
                    }
                }
            }
        }
    }

    /// The set of a placement in a table, as seen by the placement.
    #[inline(always)]
    fn get(&self, table: &[Bitboard], placement: Placement) -> Bitboard {
        let (index, mirror) = self.layout.index(placement);
        mirrored_set(table[index], mirror)
    }

    /// The squares the attacker attacks; the defender's king blocks no line.
    fn attacked(&self, placement: Placement) -> Bitboard {
        let occupied = placement.occupied();
        let roles = self.material.roles();
        let mut attacked = king_attacks(bit(placement.king));
        attacked |= attacks(roles[0], placement.pieces[0], occupied, true);
        if !self.material.has_defender() {
            attacked |= attacks(roles[1], placement.pieces[1], occupied, true);
        }
        attacked
    }

    /// The squares on which the defender's king may stand with the attacker to move.
    fn free(&self, placement: Placement) -> Bitboard {
        !(placement.occupied() | self.attacked(placement))
    }

    /// The squares the defender's piece attacks.
    fn defended(&self, placement: Placement) -> Bitboard {
        attacks(self.material.roles()[1], placement.pieces[1], placement.occupied(), false)
    }

    fn fixed(&self, placement: Placement) -> Fixed {
        let Placement { pieces: [first, second], king } = placement;
        let [first_role, second_role] = self.material.roles();
        let occupied = placement.occupied();
        let attacked = self.attacked(placement);
        let mut legal_waiting = !(occupied | king_attacks(bit(king)));
        let mut can_move = king_attacks(!(occupied | attacked));
        let mut escapes = Bitboard::EMPTY;
        for number in 0..self.material.attackers() {
            let (captured, other) = (placement.pieces[number], placement.pieces[1 - number]);
            if !attacked.contains(captured) {
                let captures = king_attacks(bit(captured));
                can_move |= captures;
                // A pawn that is left may still win.
                let still_wins = !self.material.has_defender()
                    && self.material.roles()[1 - number] == Role::Pawn
                    && kpk::wins(other, king, true).contains(captured);
                if !still_wins {
                    escapes |= captures;
                }
            }
        }
        if !self.material.has_defender() {
            return Fixed { legal_waiting, attacked, escapes, can_move };
        }
        let defended = self.defended(placement);
        if defended.contains(king) {
            // Only the defender's king between them would block the check.
            legal_waiting &= between(second, king);
        }
        if defended.contains(first) {
            let captures = !between(second, first);
            can_move |= captures;
            escapes |= captures;
        }
        if second_role == Role::Pawn && (second as u32) < 16 {
            let to = square_at(second as u32 - 8);
            if !occupied.contains(to) {
                for role in &DEFENDER_PROMOTES_TO {
                    let bitbase = solved(Material::Duel(first_role, *role));
                    let after = Placement { pieces: [first, to], king };
                    let legal = bitbase.free(after);
                    can_move |= legal;
                    escapes |= legal & !bitbase.get(&bitbase.to_move, after);
                }
            }
        } else {
            for (to, blocked) in self.defender_moves(placement) {
                let after = Placement { pieces: [first, to], king };
                can_move |= self.free(after) & !blocked;
            }
        }
        Fixed { legal_waiting, attacked, escapes, can_move }
    }

    /// The squares of the defender's king, the attacker to move, with which a capture or promotion
    /// wins.
    fn conversions(&self, placement: Placement) -> Bitboard {
        let Placement { pieces: [first, second], king } = placement;
        let [first_role, second_role] = self.material.roles();
        let occupied = placement.occupied();
        let mut won = Bitboard::EMPTY;
        if self.material.has_defender() {
            if attacks(first_role, first, occupied, true).contains(second) {
                let promotes = first_role == Role::Pawn && second as u32 >= 56;
                let lost = match promotes {
                    true => {
                        lost_to_one(Role::Queen, second, king)
                            | lost_to_one(Role::Rook, second, king)
                    }
                    false => lost_to_one(first_role, second, king),
                };
                won |= lost & !between(first, second);
            }
            if king_attacks(bit(king)).contains(second) {
                won |= lost_to_one(first_role, first, second);
            }
        }
        let roles = self.material.roles();
        for number in 0..self.material.attackers() {
            let (pawn, other) = (placement.pieces[number], placement.pieces[1 - number]);
            if roles[number] != Role::Pawn || (pawn as u32) < 48 {
                continue;
            }
            let to = square_at(pawn as u32 + 8);
            if occupied.contains(to) {
                continue;
            }
            if self.material.has_defender() {
                for role in &ROLES[..4] {
                    let bitbase = solved(Material::Duel(*role, second_role));
                    let after = Placement { pieces: [to, other], king };
                    won |= bitbase.get(&bitbase.waiting, after);
                }
            } else {
                let other = Some((roles[1 - number], other));
                won |= lost_to_major(Role::Queen, to, king, other);
                won |= lost_to_major(Role::Rook, to, king, other);
                if let Some((Role::Bishop, bishop)) = other {
                    won |= lost_to_knight(to, bishop, king) & !won;
                }
            }
        }
        won
    }

    /// The squares of the defender's king with which the defender, to move, loses.
    fn lost(
        &self,
        placement: Placement,
        here: &Fixed,
        free: &[Bitboard],
        index: usize,
    ) -> Bitboard {
        let mut lost = here.legal_waiting
            & !here.escapes
            & (here.can_move | here.attacked)
            & !king_attacks(free[index] & !self.to_move[index]);
        if lost.is_empty() || !self.material.has_defender() {
            return lost;
        }
        for (to, blocked) in self.defender_moves(placement) {
            let after = Placement { pieces: [placement.pieces[0], to], ..placement };
            let (index, mirror) = self.layout.index(after);
            let mut escapes = free[index] & !self.to_move[index];
            escapes = mirrored_set(escapes, mirror);
            if self.material == Material::Duel(Role::Pawn, Role::Pawn) {
                escapes &= !self.lost_en_passant(placement, to);
            }
            lost &= !(escapes & !blocked);
            if lost.is_empty() {
                break;
            }
        }
        lost
    }

    /// After a double push of the defender's pawn to `to`, the squares of its king with which the
    /// attacker wins by capturing it en passant.
    fn lost_en_passant(&self, placement: Placement, to: Square) -> Bitboard {
        let (pawn, from) = (placement.pieces[0], placement.pieces[1]);
        let is_double = from as u32 == to as u32 + 16;
        let is_beside = pawn as u32 / 8 == to as u32 / 8 && pawn.distance(to) == 1;
        if !is_double || !is_beside {
            return Bitboard::EMPTY;
        }
        kpk::wins(square_at(to as u32 + 8), placement.king, false)
    }

    /// The squares to which the defender's piece can move without a capture or promotion, each with
    /// the squares on which its king would be in the way.
    fn defender_moves(
        &self,
        placement: Placement,
    ) -> impl Iterator<Item = (Square, Bitboard)> + use<> {
        let from = placement.pieces[1];
        let occupied = placement.occupied();
        let targets = match self.material.roles()[1] {
            Role::Pawn => {
                let step = |set: Bitboard| Direction::South.step(set) & !occupied;
                let single = step(bit(from)) & !Bitboard::from_rank(Rank::First);
                let double = step(single & Bitboard::from_rank(Rank::Sixth));
                single | double
            }
            _ => self.defended(placement) & !occupied,
        };
        targets.into_iter().map(move |to| (to, between(from, to)))
    }

    /// The squares from which the defender's piece can have moved here without capturing or promoting.
    fn defender_moves_back(&self, placement: Placement) -> Bitboard {
        let (to, occupied) = (placement.pieces[1], placement.occupied());
        match self.material.roles()[1] {
            Role::Pawn => {
                pawn_moves_back(bit(to).flip_vertical(), occupied.flip_vertical()).flip_vertical()
            }
            _ => self.defended(placement) & !occupied,
        }
    }

    /// Calls `visit` with the placement before each of the attacker's moves that leads here, and
    /// the squares on which the defender's king would have been in the way.
    fn each_attacker_move_back(
        &mut self,
        placement: Placement,
        mut visit: impl FnMut(&mut Wins, Placement, Bitboard),
    ) {
        let occupied = placement.occupied();
        for king in king_attacks(bit(placement.king)) & !occupied {
            visit(self, Placement { king, ..placement }, Bitboard::EMPTY);
        }
        for number in 0..self.material.attackers() {
            let (role, to) = (self.material.roles()[number], placement.pieces[number]);
            let mut origins = match role {
                Role::Pawn => pawn_moves_back(bit(to), occupied),
                _ => attacks(role, to, occupied, true) & !occupied,
            };
            // After a double push the defender captures en passant, if it can, and draws.
            if self.material == Material::Duel(Role::Pawn, Role::Pawn) {
                let other = placement.pieces[1];
                if to as u32 / 8 == 3 && other as u32 / 8 == 3 && other.distance(to) == 1 {
                    origins &= !Bitboard::from_rank(Rank::Second);
                }
            }
            for from in origins {
                let mut before = placement;
                before.pieces[number] = from;
                visit(self, before, between(from, to));
            }
        }
    }
}

/// The squares from which a pawn that moves north may have come without a capture.
fn pawn_moves_back(to: Bitboard, occupied: Bitboard) -> Bitboard {
    let step = |set: Bitboard| Direction::South.step(set) & !occupied;
    let single = step(to) & !Bitboard::from_rank(Rank::First);
    single | step(step(to & Bitboard::from_rank(Rank::Fourth)))
}
