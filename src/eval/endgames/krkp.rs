//! King and rook against king and pawn, solved by fills: for every square of the pawn, the rook and the rook's king, the set of
//! squares of the pawn's king with which the rook wins.
//!
//! The pawn moves north and stands on the files a to d; other positions are turned. All squares of the pawn's king are
//! solved at once, from the seventh rank down. A new piece counts as won back if it can be taken at once and as no loss of
//! the rook's side otherwise: the few positions in which the rook wins against a queen or knight that lives are not told.
//! (All 3-4-5 men endings: Thompson, 1986.)

use std::sync::LazyLock;

use super::kpk::seen_by_pawn;
use crate::chess::{Bitboard, Color, Square, bit, square_at};
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;
use crate::fill::{Direction, Rays};

/// For each square of the rook and of its king, the squares of the other king with which the rook wins.
type Wins = [[Bitboard; 64]; 64];

/// Squares of the pawn: ranks 2 to 7, files a to d.
const PAWNS: usize = 24;

/// The number of a square of the pawn.
fn row(pawn: Square) -> usize {
    4 * (pawn as usize / 8 - 1) + pawn as usize % 8
}

/// The same for each square of the pawn, the rook's side to move and the other.
struct Bitbase {
    to_move: Vec<Wins>,
    waiting: Vec<Wins>,
}

static BITBASE: LazyLock<Bitbase> = LazyLock::new(|| {
    let nothing = vec![[[Bitboard::EMPTY; 64]; 64]; PAWNS];
    let mut table = Bitbase { to_move: nothing.clone(), waiting: nothing };
    for rank in (1..7).rev() {
        for file in 0..4 {
            table.solve(square_at(8 * rank + file));
        }
    }
    table
});

/// Solves the ending, if that is not done yet: it takes some 50 milliseconds, which a search on the clock should not
/// spend.
pub fn prepare() {
    LazyLock::force(&BITBASE);
}

/// What a rook attacks over a board with these men.
fn rook_attacks(rook: Square, men: Bitboard) -> Bitboard {
    Rays::sliders(bit(rook), Bitboard::EMPTY).attacks(!men).orthogonal()
}

/// Rook and king against a king that is to move: where it is lost.
fn bare(rook: Square, king: Square) -> Bitboard {
    let near = king_attacks(bit(king)) | bit(king);
    let attacked = rook_attacks(rook, bit(king));
    let ways = king_attacks(!(near | attacked));
    let takes = if near.contains(rook) { Bitboard::EMPTY } else { king_attacks(bit(rook)) };
    (ways | attacked) & !(near | bit(rook) | takes)
}

/// What does not change while a square of the pawn is solved, for a square of the rook and of its king: sets of squares of the
/// other king.
struct Field {
    /// Squares the rook attacks, also through the other king.
    attacked: Bitboard,
    /// Where the other king may stand at all, with the rook's side to move and with its own.
    legal_to_move: Bitboard,
    legal_waiting: Bitboard,
    /// Where the pawn is taken for good.
    takes: Bitboard,
    /// Squares to which the other king may go.
    open: Bitboard,
    /// Where the pawn takes the rook, or becomes a piece that stays.
    saved: Bitboard,
    /// Where pushes of one and two squares are legal.
    pushes: [Bitboard; 2],
}

impl Field {
    fn new(pawn: Square, rook: Square, king: Square) -> Field {
        let men = bit(pawn) | bit(rook) | bit(king);
        let near = king_attacks(bit(king)) | bit(king);
        let attacked = rook_attacks(rook, bit(pawn) | bit(king));
        let apart = !(near | men);
        let checked = pawn_attacks(bit(pawn)).contains(king);
        let mut takes = Bitboard::EMPTY;
        if attacked.contains(pawn) {
            takes |= bare(pawn, king);
        }
        if near.contains(pawn) {
            // The king goes there, and the rook must not be lost for it.
            takes |= bare(rook, pawn);
        }
        let to = Direction::North.step(bit(pawn));
        let push = |to: Bitboard| match to.first().filter(|_| !men.intersects(to)) {
            // The other king must not be in the way, nor in check afterwards.
            Some(to) => !(rook_attacks(rook, bit(to) | bit(king)) | bit(to)),
            None => Bitboard::EMPTY,
        };
        let one = push(to);
        let far = Direction::North.step(to & Bitboard(0xff_0000));
        let two = if one.is_empty() { Bitboard::EMPTY } else { push(far) & !to };
        let mut saved = Bitboard::EMPTY;
        if pawn_attacks(bit(pawn)).contains(rook) {
            saved = Bitboard::FULL;
        }
        let mut pushes = [one, two];
        if let Some(last) = to.first().filter(|&to| to as u32 >= 56) {
            let mut won_back = Bitboard::EMPTY;
            if rook_attacks(rook, bit(king)).contains(last) {
                won_back |= bare(last, king);
            }
            if near.contains(last) {
                won_back |= bare(rook, last);
            }
            saved |= one & !won_back;
            pushes = [Bitboard::EMPTY; 2];
        }
        Field {
            attacked,
            legal_to_move: apart & !attacked,
            legal_waiting: if checked { Bitboard::EMPTY } else { apart },
            takes,
            open: !(attacked | near | bit(pawn)),
            saved,
            pushes,
        }
    }
}

impl Bitbase {
    /// Solves one square of the pawn; those further on are solved.
    fn solve(&mut self, pawn: Square) {
        let p = row(pawn);
        let places = !bit(pawn);
        let fields: Vec<Field> = Square::ALL
            .into_iter()
            .flat_map(|rook| Square::ALL.map(|king| Field::new(pawn, rook, king)))
            .collect();
        let checks = pawn_attacks(bit(pawn));
        loop {
            let mut grown = false;
            for rook in places {
                for king in places & !bit(rook) {
                    let (r, k) = (rook as usize, king as usize);
                    let field = &fields[64 * r + k];
                    let legal = field.legal_to_move;
                    let mut won = self.to_move[p][r][k] | field.takes;
                    for to in field.attacked & places & !bit(king) {
                        won |= self.waiting[p][to as usize][k];
                    }
                    for to in king_attacks(bit(king)) & places & !bit(rook) & !checks {
                        won |= self.waiting[p][r][to as usize];
                    }
                    won &= legal;
                    grown |= won != self.to_move[p][r][k];
                    self.to_move[p][r][k] = won;
                }
            }
            for rook in places {
                for king in places & !bit(rook) {
                    let (r, k) = (rook as usize, king as usize);
                    let field = &fields[64 * r + k];
                    let mut escapes =
                        field.saved | king_attacks(field.open & !self.to_move[p][r][k]);
                    for (steps, pushes) in field.pushes.into_iter().enumerate() {
                        if pushes.any() {
                            escapes |= pushes & !self.to_move[p + 4 + 4 * steps][r][k];
                        }
                    }
                    let moves = king_attacks(field.open) | field.pushes[0] | field.saved;
                    let lost = field.legal_waiting & !escapes & (moves | field.attacked);
                    self.waiting[p][r][k] = lost;
                }
            }
            if !grown {
                return;
            }
        }
    }
}

/// Whether the side with the rook wins against that with the pawn, `weak`.
pub fn rook_wins(
    weak: Color,
    pawn: Square,
    weak_king: Square,
    rook: Square,
    king: Square,
    turn: Color,
) -> bool {
    let see = seen_by_pawn(weak, pawn);
    let wins = if turn == weak { &BITBASE.waiting } else { &BITBASE.to_move };
    wins[row(see(pawn))][see(rook) as usize][see(king) as usize].contains(see(weak_king))
}
