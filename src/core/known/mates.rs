//! A bare king against queen, rook, two bishops, or bishop and knight: the moves to mate of every
//! position, solved by retrograde analysis.
//!
//! With bishop and knight the mate takes up to 33 moves and works in two corners only: no sum of
//! evaluation terms leads there from every position within the fifty-move rule. For all squares of
//! the pieces and their king, a table holds the moves to mate for each square of the bare king, the
//! side with the pieces to move. During the computation, bitboards hold the squares of the bare
//! king that are won or lost so far (retrograde analysis: Thompson, 1986). A capture by the bare
//! king is a draw. The fifty-move rule and repetitions are not considered.

use super::{Bitbase, Judged, Known, Reason, Wait};
use crate::board::{Move, Position};
use crate::chess::{Bitboard, ByColor, Color, Role, Square, between, bit};
use crate::fill::attacks_of;
use crate::fill::waves::king_attacks;

/// Which pieces the bare king faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// King and queen against king.
    Queen,
    /// King and rook against king.
    Rook,
    /// Two bishops, one on light and one on dark squares, in this order.
    TwoBishops,
    /// A bishop and a knight. The board is mirrored so that the bishop is on light squares.
    BishopAndKnight,
}

impl Ending {
    /// In the order in which they are solved.
    const ALL: [Ending; 4] =
        [Ending::Queen, Ending::Rook, Ending::BishopAndKnight, Ending::TwoBishops];

    const fn roles(self) -> &'static [Role] {
        match self {
            Ending::Queen => &[Role::Queen],
            Ending::Rook => &[Role::Rook],
            Ending::TwoBishops => &[Role::Bishop, Role::Bishop],
            Ending::BishopAndKnight => &[Role::Bishop, Role::Knight],
        }
    }

    /// The squares on which the piece with this number can stand.
    fn squares(self, number: usize) -> Bitboard {
        match (self.roles()[number], number) {
            (Role::Bishop, 0) => Bitboard::LIGHT_SQUARES,
            (Role::Bishop, _) => Bitboard::DARK_SQUARES,
            _ => Bitboard::FULL,
        }
    }
}

/// A position with a bare king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BareKing {
    /// The side with the pieces.
    strong: Color,
    /// The pieces of that side.
    pieces: Pieces,
    bare_king: Square,
    /// The side to move.
    turn: Color,
}

impl BareKing {
    /// Reads the pieces from a position; `None` if it is another endgame.
    #[inline(always)]
    pub fn from_position(position: &Position) -> Option<BareKing> {
        if position.occupied().count() <= 4 { BareKing::read(position) } else { None }
    }

    /// Not inlined, because positions with a bare king are rare.
    #[cold]
    fn read(position: &Position) -> Option<BareKing> {
        if position.castling_rights() != 0 {
            return None;
        }
        let strong = Color::ALL.into_iter().find(|&side| position.is_bare(side.other()))?;
        let pieces = position.of(strong) & !position.role(Role::King);
        let has = |ending: &Ending| {
            let sets = || ending.roles().iter().map(|&role| position.role(role));
            pieces.count() == ending.roles().len()
                && pieces == sets().fold(Bitboard::EMPTY, |all, set| all | set)
                && sets().all(Bitboard::any)
        };
        let ending = Ending::ALL.into_iter().find(has)?;
        let bishops = position.role(Role::Bishop);
        let is_mirrored =
            ending == Ending::BishopAndKnight && (bishops & Bitboard::LIGHT_SQUARES).is_empty();
        let view = |set: Bitboard| if is_mirrored { set.flip_horizontal() } else { set };
        let square_of = |number: usize| {
            let role = ending.roles()[number];
            (view(position.role(role)) & ending.squares(number)).first()
        };
        let first = square_of(0)?;
        let second = if ending.roles().len() > 1 { square_of(1)? } else { first };
        let king = |side| view(position.set(side, Role::King)).first();
        Some(BareKing {
            strong,
            pieces: Pieces { ending, squares: [first, second], king: king(strong)? },
            bare_king: king(strong.other())?,
            turn: position.turn(),
        })
    }

    /// The moves to mate against the best defence, 0 to 33; `None` if the position is drawn. The
    /// position must be legal. The first call solves the endgame.
    pub fn moves_to_mate(self) -> Option<u32> {
        self.moves_in(solved(self.pieces.ending))
    }

    /// Looks up the moves to mate in the endgame's table.
    fn moves_in(self, table: &[Distances]) -> Option<u32> {
        let distances = &table[self.pieces.index()];
        let moves_from = |square: Square| match distances[square as usize] {
            0 => None,
            moves => Some(u32::from(moves)),
        };
        if self.turn == self.strong {
            return moves_from(self.bare_king);
        }
        let attacked = self.pieces.attacked();
        let replies = king_attacks(bit(self.bare_king)) & !attacked;
        if replies.is_empty() && !attacked.contains(self.bare_king) {
            return None;
        }
        replies.into_iter().try_fold(0, |longest, to| Some(moves_from(to)?.max(longest)))
    }

    /// The plies to mate, ignoring the fifty-move rule; `None` if the position is drawn, or the
    /// endgame is not solved yet.
    fn plies_to_mate(self) -> Option<u32> {
        let moves = self.moves_in(DISTANCES[self.pieces.ending as usize].solved.get()?)?;
        Some(self.plies(moves))
    }

    /// The plies that this many moves of the stronger side take.
    fn plies(self, moves: u32) -> u32 {
        2 * moves - u32::from(self.turn == self.strong)
    }
}

/// What is known about pieces against a bare king; `None` in other positions, and if the endgame is
/// not solved when the wait ends.
pub(super) fn ask(position: &Position, wait: &Wait) -> Option<Known> {
    let ending = BareKing::from_position(position)?;
    let kind = ending.pieces.ending;
    let table = DISTANCES[kind as usize].get(wait, move || solve(kind))?;
    let moves = ending.moves_in(table);
    let can_win = ByColor::new_with(|side| moves.is_some() && side == ending.strong);
    let judged = match moves {
        Some(moves) => Judged::Mate { side: ending.strong, plies: ending.plies(moves) },
        None => Judged::Open,
    };
    Some(Known { can_win, judged, reason: Reason::BareKing(kind) })
}

/// Whether White's bishop and knight win against a bare king that is to move. The first call solves
/// the endgame.
pub(super) fn bishop_and_knight_win(
    bishop: Square,
    knight: Square,
    king: Square,
    bare_king: Square,
) -> bool {
    let is_mirrored = bishop.is_dark();
    let view = |square: Square| if is_mirrored { square.flip_horizontal() } else { square };
    let pieces = Pieces {
        ending: Ending::BishopAndKnight,
        squares: [view(bishop), view(knight)],
        king: view(king),
    };
    let (strong, turn) = (Color::White, Color::Black);
    BareKing { strong, pieces, bare_king: view(bare_king), turn }.moves_to_mate().is_some()
}

/// The best move if a king is bare: the fastest mate for the stronger side, the longest defence for the
/// bare king; `None` if there is no mate,
/// or the fifty-move rule comes first.
pub(crate) fn best_move(position: &Position) -> Option<Move> {
    let plies = BareKing::from_position(position)?.plies_to_mate()?;
    if position.fifty() + plies > 100 {
        return None;
    }
    let mates = plies % 2 == 1;
    let mut after = position.clone();
    let mut plies_after = |m: &Move| {
        after.play(*m);
        let plies = BareKing::from_position(&after).and_then(BareKing::plies_to_mate);
        after.undo();
        plies
    };
    let moves = position.moves().into_iter();
    if mates {
        moves.min_by_key(|m| plies_after(m).unwrap_or(u32::MAX))
    } else {
        moves.max_by_key(plies_after)
    }
}

/// Solves the endgames, unless they are solved already. Takes about 800 milliseconds.
pub(super) fn prepare() {
    Ending::ALL.into_iter().for_each(|ending| {
        solved(ending);
    });
}

/// The moves to mate by the square of the bare king, with the side with the pieces to move; 0 if
/// the position is drawn or illegal.
type Distances = [u8; 64];

/// For each [`Ending`], by [`Pieces::index`]: 13 MiB in all.
static DISTANCES: [Bitbase<Vec<Distances>>; 4] = [const { Bitbase::new() }; 4];

/// The table of an endgame, solved on first use.
fn solved(ending: Ending) -> &'static [Distances] {
    DISTANCES[ending as usize].solved(|| solve(ending))
}

/// The squares of the side with the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pieces {
    ending: Ending,
    /// In the order of [`Ending::roles`]; a single piece twice.
    squares: [Square; 2],
    king: Square,
}

impl Pieces {
    /// The number of values of [`Pieces::index`].
    fn count(ending: Ending) -> usize {
        (0..ending.roles().len()).map(|number| ending.squares(number).count()).product::<usize>()
            * 64
    }

    fn index(&self) -> usize {
        let place = |number: usize| {
            let square = self.squares[number] as usize;
            // Of two neighbours on a rank, one is light, so half the square number identifies a
            // light square.
            if self.ending.roles()[number] == Role::Bishop { square / 2 } else { square }
        };
        let pieces = match self.ending.roles().len() {
            1 => place(0),
            _ => place(0) * self.ending.squares(1).count() + place(1),
        };
        pieces * 64 + self.king as usize
    }

    /// The pieces with their squares.
    fn pieces(&self) -> impl Iterator<Item = (usize, Role, Square)> {
        let roles = self.ending.roles().iter().copied();
        roles.zip(self.squares).enumerate().map(|(number, (role, square))| (number, role, square))
    }

    fn occupied(&self) -> Bitboard {
        bit(self.squares[0]) | bit(self.squares[1]) | bit(self.king)
    }

    /// The squares a piece attacks, with the bare king transparent.
    fn attacks(&self, role: Role, square: Square) -> Bitboard {
        attacks_of(role, bit(square), !self.occupied())
    }

    /// The squares that king and pieces attack.
    fn attacked(&self) -> Bitboard {
        let king = king_attacks(bit(self.king));
        self.pieces().fold(king, |set, (_, role, square)| set | self.attacks(role, square))
    }

    /// The squares of the bare king, to move, that are mate or from which all moves lead to `won`
    /// positions.
    fn lost(&self, attacked: Bitboard, won: Bitboard) -> Bitboard {
        let legal = !(self.occupied() | king_attacks(bit(self.king)));
        let free = !attacked;
        // An undefended piece is a free square that is never won: its capture is an escape.
        legal & !king_attacks(free & !won) & (attacked | king_attacks(free))
    }

    /// Calls `visit` with the pieces after each of their moves. Without captures every move can be
    /// reversed, so these are also the positions before a move. The second argument is the squares
    /// between: a bare king there would block the move.
    #[inline(always)]
    fn each_move(&self, mut visit: impl FnMut(Pieces, Bitboard)) {
        let occupied = self.occupied();
        for king in king_attacks(bit(self.king)) & !occupied {
            visit(Pieces { king, ..*self }, Bitboard::EMPTY);
        }
        for (number, role, from) in self.pieces() {
            for to in self.attacks(role, from) & !occupied {
                let mut moved = *self;
                moved.squares[number] = to;
                if self.ending.roles().len() == 1 {
                    moved.squares = [to; 2];
                }
                visit(moved, between(from, to));
            }
        }
    }
}

/// Solves an endgame backwards. Each step adds one move to mate: it goes from the newly lost
/// positions of the bare king to the positions from which a move leads there.
fn solve(ending: Ending) -> Vec<Distances> {
    let mut grown = placements(ending);
    let mut distances = vec![[0; 64]; Pieces::count(ending)];
    let mut attacked = vec![Bitboard::FULL; distances.len()];
    for pieces in &grown {
        attacked[pieces.index()] = pieces.attacked();
    }
    let mut won = vec![Bitboard::EMPTY; distances.len()];
    let mut lost = won.clone();
    // The last step in which the won squares grew.
    let mut grown_in = vec![0; distances.len()];
    for moves in 1.. {
        let mut newly_lost = Vec::new();
        for pieces in grown.drain(..) {
            let index = pieces.index();
            let all = pieces.lost(attacked[index], won[index]);
            let new = all & !lost[index];
            lost[index] = all;
            if new.any() {
                newly_lost.push((pieces, new));
            }
        }
        for (pieces, lost) in newly_lost {
            pieces.each_move(|before, between| {
                let index = before.index();
                let new = lost & !(between | before.occupied() | attacked[index] | won[index]);
                if new.is_empty() {
                    return;
                }
                won[index] |= new;
                if std::mem::replace(&mut grown_in[index], moves) != moves {
                    grown.push(before);
                }
                for bare_king in new {
                    distances[index][bare_king as usize] = moves;
                }
            });
        }
        if grown.is_empty() {
            break;
        }
    }
    distances
}

/// All placements of the pieces.
fn placements(ending: Ending) -> Vec<Pieces> {
    let second = ending.roles().get(1).map(|_| ending.squares(1));
    let mut placements = Vec::new();
    for first in ending.squares(0) {
        for second in second.unwrap_or(bit(first)) {
            let squares = [first, second];
            let kings = Square::ALL.into_iter().filter(|king| !squares.contains(king));
            if ending.roles().len() == 1 || first != second {
                placements.extend(kings.map(|king| Pieces { ending, squares, king }));
            }
        }
    }
    placements
}
