//! Territory: room behind the pawns, who gets where first, and the hunt for a bare king.

use super::side::Side;
use super::tally::{Tally, Tracer, count};
use crate::chess::{Bitboard, Square};
use crate::fill::spans::south_fill;
use crate::fill::waves::{Wave, king_attacks, knight_attacks, voronoi};
use crate::fill::{Direction, Rays};

/// Who holds which squares and can get where: what a side makes of both sides' fills.
#[derive(Clone, Copy, Debug)]
pub struct Territory {
    /// Squares we attack with less than the enemy does.
    pub held: Bitboard,
    /// Squares our knights, bishops and rooks attack with one move more and not now.
    pub second_wave: Bitboard,
    /// Squares our king reaches within three moves over what the enemy does not attack.
    pub king_wave: Bitboard,
    /// Squares on ranks 4 to 7 that no enemy pawn can ever attack.
    pub holes: Bitboard,
    /// Squares behind our pawns.
    pub behind_pawns: Bitboard,
    /// Pawns of ours that an enemy pawn blocks.
    pub rams: Bitboard,
}

impl Territory {
    /// The territory of one side.
    #[inline(always)]
    pub fn new(us: &Side, them: &Side) -> Territory {
        // The Voronoi cells of all pieces at once, one move wide: a square falls to the side whose least attacker is of
        // less worth.
        let ours =
            [us.by_pawns, us.by_knights | us.by_bishops, us.by_rooks, us.by_queens, us.by_king];
        let theirs = [
            them.by_pawns,
            them.by_knights | them.by_bishops,
            them.by_rooks,
            them.by_queens,
            them.by_king,
        ];
        let (mut held, mut settled) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            held |= ours & !theirs & !settled;
            settled |= ours | theirs;
        }

        let occupied = us.all | them.all;
        let safe = (held | !them.attacked) & !us.all;
        let sliders = Rays::sliders(us.by_rooks & safe, us.by_bishops & safe).attacks(!occupied);
        let second = sliders.union() | knight_attacks(us.by_knights & safe);

        let path = !(them.attacked | us.pawns);
        let mut king_wave = us.king;
        for _ in 0..3 {
            king_wave |= king_attacks(king_wave) & path;
        }
        Territory {
            held,
            second_wave: second & !us.attacked,
            king_wave,
            holes: !them.cone & Bitboard(0x00ff_ffff_ff00_0000),
            behind_pawns: south_fill(us.pawns) & !us.pawns,
            rams: us.pawns & Direction::South.step(them.pawns),
        }
    }
}

/// Counts the room for one side.
#[inline(always)]
pub fn count(us: &Side, them: &Side, tally: &mut Tally<impl Tracer>) {
    let middle = Bitboard(0x0000_0000_3c3c_3c00);
    let safe = middle & !us.pawns & !them.by_pawns;
    let behind = safe & south_fill(us.pawns) & !them.attacked;
    let group = safe.count() + behind.count();
    count!(tally, us, space[0], group);
    count!(tally, us, space_pieces[0], group * (us.all & !us.pawns).count());

    if us.has_no_pieces() && them.has_no_pieces() {
        let pawns = us.pawns | them.pawns;
        let (path, their_path) = (!(pawns | them.by_pawns), !(pawns | us.by_pawns));
        let cells =
            voronoi(Wave::new(us.king, path), Wave::new(them.king, their_path), king_attacks);
        count!(tally, us, king_cells[0], cells.first.count());
    }

    if them.is_bare()
        && let (Some(hunter), Some(hunted)) = (us.king.first(), them.king.first())
    {
        let mates = us.bishops.count() > 1 || (us.bishops.any() && us.knights.any());
        let mates = mates || us.rooks.any() || us.queens.any();
        count!(tally, us, bare_king[0], us.pawns.is_empty() && mates);
        count!(tally, us, bare_king_edge[0], from_centre(hunted));
        count!(tally, us, bare_king_near[0], 7 - hunter.distance(hunted));
        if us.pawns.is_empty() && us.bishops.count() == 1 && us.knights.any() {
            count!(tally, us, bare_king_corner[0], from_corners(hunted, us.bishops));
        }
    }
}

/// King moves a square is away from the four central squares, rank and file added: 0 to 6.
fn from_centre(square: Square) -> i32 {
    let away = |line: i32| (2 * line - 7).abs() / 2;
    away(square.file() as i32) + away(square.rank() as i32)
}

/// King moves a square is away from the nearer corner of the bishop's colour, 0 to 7.
fn from_corners(square: Square, bishop: Bitboard) -> i32 {
    let corners = [(Square::A1, Square::H8), (Square::H1, Square::A8)];
    let (a, b) = corners[usize::from((bishop & Bitboard::LIGHT_SQUARES).any())];
    square.distance(a).min(square.distance(b)) as i32
}
