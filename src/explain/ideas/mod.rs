//! Ideas: what a move does for its side where nothing is won by force, and what it costs.
//!
//! An [`Idea`] compares the board before the move with the board after it (and after the exchange
//! that a capture begins) by sets of squares. It is true of these boards whatever is played later.
//! Each family is a file, in which an idea's condition and its words stand together:
//!
//! | Ideas | File |
//! |---|---|
//! | development, castling, centre, time lost | `opening.rs` |
//! | passed, isolated and doubled pawns, breaks, holes, blockade | `pawns.rs` |
//! | outposts, files, pins, attacks, defence, exchanges | `pieces.rs` |
//! | shelter, luft, lines against a king | `king.rs` |
//! | opposition, key squares, races, rook endings | `endings.rs` |
//!
//! A side is always seen moving north: for Black the boards are mirrored, and squares are named
//! after mirroring them back.

mod endings;
mod king;
mod opening;
mod pawns;
mod pieces;

use super::draws::is_over;
use super::facts::line::PlayedLine;
use crate::board::Position;
use crate::chess::{
    Bitboard, Color, File, Rank, Role, Square, bit, points, role_name, square_facing_north,
};
use crate::fill::spans::{beside, file_fill, front_span, passed_pawn_span, pawn_attacks};

/// Material of a side without pawns, in pawns, up to which an endgame is played if there are no
/// queens.
const ENDGAME: i32 = 13;

/// Labels of ideas that are by-products of a sacrifice, not its point.
const BY_PRODUCTS: [&str; 7] = [
    "isolatedPawn",
    "doubledPawns",
    "passedPawn",
    "hole",
    "oppositeBishops",
    "openFile",
    "halfOpenFile",
];

/// What a move does for its side, or what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idea {
    /// Its name in JSON, in the form of the labels of motifs: `outpost`.
    pub label: &'static str,
    /// Whether it is in favour of the side that moves.
    pub is_good: bool,
    /// How telling it is; ideas of lower rank are told first.
    pub rank: u8,
    /// The squares that it is about.
    pub squares: Vec<Square>,
    /// What the move does, as the rest of a sentence that begins with it: `develops the knight`.
    pub words: String,
}

impl Idea {
    /// Whether it is a small thing, which is not why a mistake is one.
    pub fn is_small(&self) -> bool {
        [
            "isolatedPawn",
            "doubledPawns",
            "hole",
            "openFile",
            "halfOpenFile",
            "outpost",
            "rim",
            "tempo",
            "blocksPawn",
            "mobility",
            "pawnBreak",
        ]
        .contains(&self.label)
    }

    /// Whether it says only that something is attacked.
    pub fn is_attack(&self) -> bool {
        ["attack", "gainsTime"].contains(&self.label)
    }
}

/// A move as its side sees it, moving north.
pub struct View {
    /// The side that moves, for the names of squares.
    side: Color,
    /// The board before the move.
    before: Position,
    /// The board after it.
    after: Position,
    /// The board after the exchange that a capture begins, as far as the line goes.
    settled: Position,
    /// The square that the piece leaves.
    from: Square,
    /// The square that it goes to; of a castling king, the king's own target.
    to: Square,
    /// The piece that moves.
    role: Role,
    /// What it captures.
    captured: Option<Role>,
    /// What the pawn becomes.
    promotes: bool,
    /// Whether the move castles.
    castles: bool,
    /// Whether the pawn that has moved can be captured en passant.
    is_capturable: bool,
    /// The square that the reply goes to.
    reply_to: Option<Square>,
}

/// Both sides of a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Us,
    Them,
}

use Who::{Them, Us};

impl View {
    /// The first move of a line.
    fn new(line: &PlayedLine) -> Option<View> {
        let &m = line.moves.first()?;
        let side = line.us;
        let (before, after) = (line.before(0), line.after(0));
        // The exchange that a capture begins, as long as both sides capture on its square.
        let begins = line.captured(0).is_some();
        let exchange = (1..line.moves.len()).take_while(|&ply| {
            begins && line.moves[ply].to() == m.to() && line.captured(ply).is_some()
        });
        let settled = &line.positions[1 + exchange.count()];
        let north = |position: &Position| match side {
            Color::White => position.clone(),
            Color::Black => position.mirrored(),
        };
        let role = line.mover(0);
        let to = if role == Role::King { after.king(side) } else { m.to() };
        let castles =
            role == Role::King && (m.from().distance(to) > 1 || before.of(side).contains(m.to()));
        Some(View {
            side,
            before: north(before),
            after: north(after),
            settled: north(settled),
            from: square_facing_north(m.from(), side),
            to: square_facing_north(to, side),
            role,
            captured: line.captured(0).filter(|_| !castles),
            promotes: m.promotion().is_some(),
            castles,
            is_capturable: after.en_passant().is_some(),
            reply_to: line.moves.get(1).map(|reply| square_facing_north(reply.to(), side)),
        })
    }

    /// Whether the piece that moves still stands on its square after the exchange.
    fn stands(&self) -> bool {
        let piece = self.settled.piece_at(self.to);
        piece.is_some_and(|piece| piece.color == Color::White && piece.role == self.role)
    }

    /// Whether the exchange loses material: the move is a sacrifice.
    fn gives_material(&self) -> bool {
        self.settled.material_lead(Color::White) < self.before.material_lead(Color::White)
    }

    fn has_exchange(&self) -> bool {
        self.captured.is_some() && self.settled.key() != self.after.key()
    }

    /// The name of the side that moves, or of the other one.
    fn name(&self, who: Who) -> &'static str {
        crate::chess::side_name(if who == Us { self.side } else { self.side.other() })
    }

    fn adjective(&self, who: Who) -> &'static str {
        crate::chess::side_adjective(if who == Us { self.side } else { self.side.other() })
    }

    /// The square as it is called on the board.
    fn square(&self, square: Square) -> Square {
        square_facing_north(square, self.side)
    }

    /// The piece on a square, as `knight on f6`.
    fn piece(&self, position: &Position, square: Square) -> String {
        let name = position.piece_at(square).map_or("piece", |piece| role_name(piece.role));
        format!("{name} on {}", self.square(square))
    }

    /// A file, as `d-file`.
    fn file(&self, square: Square) -> String {
        format!("{}-file", square.file().char())
    }

    fn good(&self, label: &'static str, rank: u8, squares: Bitboard, words: String) -> Idea {
        self.idea(label, true, rank, squares, words)
    }

    fn bad(&self, label: &'static str, rank: u8, squares: Bitboard, words: String) -> Idea {
        self.idea(label, false, rank, squares, words)
    }

    fn idea(
        &self,
        label: &'static str,
        is_good: bool,
        rank: u8,
        squares: Bitboard,
        words: String,
    ) -> Idea {
        let squares = squares.into_iter().map(|square| self.square(square)).collect();
        Idea { label, is_good, rank, squares, words }
    }

    /// Whether queens are gone and few pieces are left.
    fn is_endgame(&self) -> bool {
        let material = |who| {
            let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
            roles.map(|role| points(role) * self.before.set(color(who), role).count() as i32)
        };
        let [us, them] = [material(Us), material(Them)];
        us[3] + them[3] == 0
            && us.iter().sum::<i32>() <= ENDGAME
            && them.iter().sum::<i32>() <= ENDGAME
    }

    /// Whether our side still has knights or bishops to develop.
    fn is_opening(&self) -> bool {
        undeveloped(&self.before, Us).any() && !self.is_endgame()
    }
}

/// The colour of a side once the board is turned: we are White.
fn color(who: Who) -> Color {
    if who == Us { Color::White } else { Color::Black }
}

/// The pieces of a type.
fn set(position: &Position, who: Who, role: Role) -> Bitboard {
    position.set(color(who), role)
}

/// The pieces of a type as their own side sees them, moving north.
fn seen(position: &Position, who: Who, role: Role) -> Bitboard {
    turned(set(position, who, role), who)
}

/// A set as a side sees it, moving north.
fn turned(set: Bitboard, who: Who) -> Bitboard {
    if who == Us { set } else { set.flip_vertical() }
}

/// The squares of some files.
fn files<const N: usize>(files: [File; N]) -> Bitboard {
    files.into_iter().map(Bitboard::from_file).fold(Bitboard::EMPTY, |all, file| all | file)
}

/// Knights and bishops on their first squares, but for those that a king has castled past: they
/// have come back.
fn undeveloped(position: &Position, who: Who) -> Bitboard {
    let knights = (bit(Square::B1) | bit(Square::G1)) & seen(position, who, Role::Knight);
    let bishops = (bit(Square::C1) | bit(Square::F1)) & seen(position, who, Role::Bishop);
    let king = seen(position, who, Role::King) & Bitboard::from_rank(Rank::First);
    let wings = [files([File::A, File::B, File::C]), files([File::F, File::G, File::H])];
    let castled = wings.into_iter().find(|wing| wing.intersects(king));
    turned((knights | bishops) & !castled.unwrap_or(Bitboard::EMPTY), who)
}

/// Passed pawns: no enemy pawn before them or beside their way, and no own pawn before them.
fn passed(position: &Position, who: Who) -> Bitboard {
    let other = if who == Us { Them } else { Us };
    let own = seen(position, who, Role::Pawn);
    let enemy = turned(set(position, other, Role::Pawn), who);
    let is_passed = |&pawn: &Square| {
        (passed_pawn_span(bit(pawn)) & enemy).is_empty() && (front_span(bit(pawn)) & own).is_empty()
    };
    turned(own.into_iter().filter(is_passed).collect(), who)
}

/// Pawns without an own pawn on a neighbouring file.
fn isolated(position: &Position, who: Who) -> Bitboard {
    let pawns = set(position, who, Role::Pawn);
    pawns & !beside(file_fill(pawns))
}

/// Pawns behind another own pawn.
fn doubled(position: &Position, who: Who) -> Bitboard {
    let pawns = seen(position, who, Role::Pawn);
    turned(pawns & crate::fill::spans::rear_span(pawns), who)
}

/// The squares that a side's pawns attack.
fn by_pawns(position: &Position, who: Who) -> Bitboard {
    turned(pawn_attacks(seen(position, who, Role::Pawn)), who)
}

/// The squares that a side's pawns can ever attack.
fn span(position: &Position, who: Who) -> Bitboard {
    turned(crate::fill::spans::attack_span(seen(position, who, Role::Pawn)), who)
}

/// The first squares of a set in words: `d4`, `d4 and e5`.
fn squares_text(view: &View, squares: Bitboard) -> String {
    let names: Vec<String> =
        squares.into_iter().map(|square| view.square(square).to_string()).collect();
    crate::text::listed(&names)
}

/// The ideas of the first move of a line, the most telling first.
pub fn of_line(line: &PlayedLine) -> Vec<Idea> {
    // Nothing comes of a move that ends the game.
    if !line.moves.is_empty() && is_over(line.after(0)) {
        return Vec::new();
    }
    let Some(view) = View::new(line) else { return Vec::new() };
    let mut ideas = Vec::new();
    opening::find(&view, line, &mut ideas);
    pawns::find(&view, &mut ideas);
    pieces::find(&view, &mut ideas);
    king::find(&view, &mut ideas);
    endings::find(&view, line, &mut ideas);
    if view.gives_material() {
        ideas.retain(|idea| !BY_PRODUCTS.contains(&idea.label));
    }
    ideas.sort_by_key(|idea| idea.rank);
    ideas
}
