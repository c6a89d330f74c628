//! King and rook against king and pawn (KRKP): a bitbase of the positions in which the rook wins,
//! solved by retrograde analysis.
//!
//! For every square of the pawn, the rook and the rook's king, a bitboard holds the squares of the
//! pawn's king with which the rook wins. The pawn moves north and stands on the files a to d; other
//! positions are flipped or mirrored. Squares of the pawn are solved from the seventh rank down,
//! each to its fixpoint.
//!
//! Exact except for promotions: unless the new piece can be captured at once, a promotion counts as
//! no win for the rook's side. So every claimed win is a win, but a few wins against a surviving
//! queen or knight are missed. (All endings of three to five pieces: Thompson, 1986.)

use std::sync::OnceLock;

use super::kpk::pawn_view;
use super::{Judged, Known, Reason, owner};
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Role, Square, bit, square_at};
use crate::fill::spans::pawn_attacks;
use crate::fill::waves::king_attacks;
use crate::fill::{Direction, Rays};

/// A position of king and rook against king and pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Krkp {
    /// The side with the pawn.
    pub weak: Color,
    /// The square of the only pawn.
    pub pawn: Square,
    /// The king of the side with the pawn.
    pub weak_king: Square,
    /// The rook, which belongs to the side without the pawn.
    pub rook: Square,
    /// The king of the side with the rook.
    pub king: Square,
    /// The side to move.
    pub turn: Color,
}

impl Krkp {
    /// Reads the pieces from a position; `None` if it is another endgame.
    fn from_position(position: &Position) -> Option<Krkp> {
        let (rooks, pawns) = (position.role(Role::Rook), position.role(Role::Pawn));
        if position.occupied().count() != 4 || rooks.count() != 1 {
            return None;
        }
        let (rook, pawn) = (rooks.first()?, pawns.first()?);
        let (strong, weak) = (owner(position, rooks), owner(position, pawns));
        (strong != weak).then(|| Krkp {
            weak,
            pawn,
            weak_king: position.king(weak),
            rook,
            king: position.king(strong),
            turn: position.turn(),
        })
    }

    /// Whether the side with the rook wins. The position must be legal. The first call solves the
    /// endgame, unless `prepare` has.
    pub fn rook_wins(self) -> bool {
        self.rook_wins_by(solved())
    }

    fn rook_wins_by(self, bitbase: &KrkpBitbase) -> bool {
        let view = pawn_view(self.weak, self.pawn);
        let wins = if self.turn == self.weak { &bitbase.waiting } else { &bitbase.to_move };
        wins[pawn_index(view(self.pawn))][view(self.rook) as usize][view(self.king) as usize]
            .contains(view(self.weak_king))
    }
}

/// What is known about king and rook against king and pawn; `None` if the position is another
/// endgame, or this one is not solved yet. "The rook does not win" is not quite proven, and the
/// pawn's side may even win.
pub(super) fn ask(position: &Position) -> Option<Known> {
    let krkp = Krkp::from_position(position)?;
    let rook_wins = krkp.rook_wins_by(BITBASE.get()?);
    let strong = krkp.weak.other();
    let can_win = ByColor::new_with(|side| side == strong || !rook_wins);
    let judged = if rook_wins { Judged::Won(strong) } else { Judged::NotWon(strong) };
    Some(Known { can_win, judged, reason: Reason::RookAgainstPawn })
}

/// Solves the endgame, unless it is solved already. Takes about 50 milliseconds, which a search
/// should not spend while its clock runs.
pub(super) fn prepare() {
    solved();
}

/// Whether the endgame is solved.
pub(super) fn is_solved() -> bool {
    BITBASE.get().is_some()
}

/// Solves the endgame, if this position belongs to it.
pub(super) fn prepare_for(position: &Position) {
    if Krkp::from_position(position).is_some() {
        solved();
    }
}

/// For each square of the rook and of its king, the squares of the other king with which the rook
/// wins.
type KrkpWins = [[Bitboard; 64]; 64];

/// Squares of the pawn: ranks 2 to 7, files a to d.
const PAWN_SQUARES: usize = 24;

/// The index of a square of the pawn, 0 to 23.
fn pawn_index(pawn: Square) -> usize {
    4 * (pawn as usize / 8 - 1) + pawn as usize % 8
}

/// All wins of the rook, by the square of the pawn.
struct KrkpBitbase {
    /// The side with the rook is to move.
    to_move: Vec<KrkpWins>,
    /// The side with the pawn is to move.
    waiting: Vec<KrkpWins>,
}

static BITBASE: OnceLock<KrkpBitbase> = OnceLock::new();

/// The bitbase, solved on first use.
fn solved() -> &'static KrkpBitbase {
    BITBASE.get_or_init(solve_all)
}

fn solve_all() -> KrkpBitbase {
    let nothing = vec![[[Bitboard::EMPTY; 64]; 64]; PAWN_SQUARES];
    let mut bitbase = KrkpBitbase { to_move: nothing.clone(), waiting: nothing };
    for rank in (1..7).rev() {
        for file in 0..4 {
            bitbase.solve(square_at(8 * rank + file));
        }
    }
    bitbase
}

/// The squares a rook attacks, with `others` as blockers.
fn rook_attacks(rook: Square, others: Bitboard) -> Bitboard {
    Rays::sliders(bit(rook), Bitboard::EMPTY).attacks(!others).orthogonal()
}

/// King and rook against a bare king that is to move: the squares of the bare king that lose.
fn lost_for_bare_king(rook: Square, king: Square) -> Bitboard {
    let near = king_attacks(bit(king)) | bit(king);
    let attacked = rook_attacks(rook, bit(king));
    let can_move = king_attacks(!(near | attacked));
    let captures = if near.contains(rook) { Bitboard::EMPTY } else { king_attacks(bit(rook)) };
    (can_move | attacked) & !(near | bit(rook) | captures)
}

/// Sets of squares of the pawn's king that stay constant during the fixpoint, for one square each
/// of pawn, rook and rook's king.
struct FixedKingSquares {
    /// Squares the rook attacks, with the pawn's king transparent.
    attacked: Bitboard,
    /// Legal positions, the side with the rook to move.
    legal_to_move: Bitboard,
    /// Legal positions, the side with the pawn to move.
    legal_waiting: Bitboard,
    /// The pawn is captured and the rook wins.
    captures: Bitboard,
    /// Squares the pawn's king may step on.
    free: Bitboard,
    /// The pawn captures the rook, or promotes and is not captured.
    saved: Bitboard,
    /// A single push is legal, and a double push.
    pushes: [Bitboard; 2],
}

impl FixedKingSquares {
    fn new(pawn: Square, rook: Square, king: Square) -> FixedKingSquares {
        let pieces = bit(pawn) | bit(rook) | bit(king);
        let near = king_attacks(bit(king)) | bit(king);
        let attacked = rook_attacks(rook, bit(pawn) | bit(king));
        let apart = !(near | pieces);
        let in_check = pawn_attacks(bit(pawn)).contains(king);
        let mut captures = Bitboard::EMPTY;
        if attacked.contains(pawn) {
            captures |= lost_for_bare_king(pawn, king);
        }
        if near.contains(pawn) {
            captures |= lost_for_bare_king(rook, pawn);
        }
        let to = Direction::North.step(bit(pawn));
        let push = |to: Bitboard| match to.first().filter(|_| !pieces.intersects(to)) {
            // The pawn's king must not be in the way, nor in check after the push.
            Some(to) => !(rook_attacks(rook, bit(to) | bit(king)) | bit(to)),
            None => Bitboard::EMPTY,
        };
        let single = push(to);
        let far = Direction::North.step(to & Bitboard(0xff_0000));
        let double = if single.is_empty() { Bitboard::EMPTY } else { push(far) & !to };
        let mut saved = Bitboard::EMPTY;
        if pawn_attacks(bit(pawn)).contains(rook) {
            saved = Bitboard::FULL;
        }
        let mut pushes = [single, double];
        if let Some(last) = to.first().filter(|&to| to as u32 >= 56) {
            let mut won_back = Bitboard::EMPTY;
            if rook_attacks(rook, bit(king)).contains(last) {
                won_back |= lost_for_bare_king(last, king);
            }
            if near.contains(last) {
                won_back |= lost_for_bare_king(rook, last);
            }
            saved |= single & !won_back;
            pushes = [Bitboard::EMPTY; 2];
        }
        FixedKingSquares {
            attacked,
            legal_to_move: apart & !attacked,
            legal_waiting: if in_check { Bitboard::EMPTY } else { apart },
            captures,
            free: !(attacked | near | bit(pawn)),
            saved,
            pushes,
        }
    }
}

impl KrkpBitbase {
    /// Solves one square of the pawn. Squares further north have been solved.
    fn solve(&mut self, pawn: Square) {
        let squares = !bit(pawn);
        let fixed: Vec<FixedKingSquares> = Square::ALL
            .into_iter()
            .flat_map(|rook| Square::ALL.map(|king| FixedKingSquares::new(pawn, rook, king)))
            .collect();
        loop {
            let mut grown = false;
            for rook in squares {
                for king in squares & !bit(rook) {
                    let fixed = &fixed[64 * rook as usize + king as usize];
                    grown |= self.add_wins(pawn, rook, king, fixed);
                }
            }
            for rook in squares {
                for king in squares & !bit(rook) {
                    let fixed = &fixed[64 * rook as usize + king as usize];
                    self.update_waiting(pawn, rook, king, fixed);
                }
            }
            if !grown {
                return;
            }
        }
    }

    /// One step of the fixpoint with the side with the rook to move: adds the positions from which
    /// a capture or a move to a won position wins. Returns whether there are new ones.
    fn add_wins(
        &mut self,
        pawn: Square,
        rook: Square,
        king: Square,
        fixed: &FixedKingSquares,
    ) -> bool {
        let (p, r, k) = (pawn_index(pawn), rook as usize, king as usize);
        let checks = pawn_attacks(bit(pawn));
        let mut won = self.to_move[p][r][k] | fixed.captures;
        for to in fixed.attacked & !bit(pawn) & !bit(king) {
            won |= self.waiting[p][to as usize][k];
        }
        for to in king_attacks(bit(king)) & !bit(pawn) & !bit(rook) & !checks {
            won |= self.waiting[p][r][to as usize];
        }
        won &= fixed.legal_to_move;
        let grown = won != self.to_move[p][r][k];
        self.to_move[p][r][k] = won;
        grown
    }

    /// One step of the fixpoint with the side with the pawn to move: the positions in which all its
    /// moves lose.
    fn update_waiting(
        &mut self,
        pawn: Square,
        rook: Square,
        king: Square,
        fixed: &FixedKingSquares,
    ) {
        let (p, r, k) = (pawn_index(pawn), rook as usize, king as usize);
        let mut escapes = fixed.saved | king_attacks(fixed.free & !self.to_move[p][r][k]);
        for (ranks, pushes) in fixed.pushes.into_iter().enumerate() {
            if pushes.any() {
                // Each rank has four pawn squares.
                escapes |= pushes & !self.to_move[p + 4 + 4 * ranks][r][k];
            }
        }
        let can_move = king_attacks(fixed.free) | fixed.pushes[0] | fixed.saved;
        self.waiting[p][r][k] = fixed.legal_waiting & !escapes & (can_move | fixed.attacked);
    }
}
