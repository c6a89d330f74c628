//! Threats: how pieces and pawns are attacked and defended, and what may be attacked next.

use super::side::{Side, SliderAttacks};
use super::tally::{On, Tally, Tracer, count};
use super::terms::cell;
use crate::chess::{Bitboard, Square, bit};
use crate::fill::Rays;
use crate::fill::spans::{pawn_attacks, pushes};
use crate::fill::waves::knight_attacks;

/// Rows of the table `defence` for each kind of men.
pub const ROWS: usize = 10;

/// Counts the group for one side.
#[inline(always)]
pub fn count(
    us: &Side,
    sliders: &SliderAttacks,
    them: &Side,
    to_move: bool,
    tally: &mut Tally<impl Tracer>,
) {
    count_defence(us, them, to_move, tally);
    count_next(us, sliders, them, to_move, tally);

    let restricted =
        us.attacked & them.attacked & !them.by_pawns & (us.attacked_twice | !them.attacked_twice);
    count!(tally, us, restricted[0], restricted);
}

/// Counts what we could attack with our next move.
#[inline(always)]
fn count_next(
    us: &Side,
    sliders: &SliderAttacks,
    them: &Side,
    to_move: bool,
    tally: &mut Tally<impl Tracer>,
) {
    let mover = usize::from(to_move);
    let empty = !(us.all | them.all);
    let pieces = them.pieces();
    let loose = pieces & !them.attacked;
    let safe = us.safe_squares(them);

    let targets = them.rooks | them.queens | loose;
    let jumps = Rays::knight_attacks(targets | them.king);
    count!(tally, us, knight_forks[mover], us.by_knights & safe & jumps.overlaps());
    count!(tally, us, knight_threats[mover], us.by_knights & safe & knight_attacks(targets));

    let unattacked = loose & !us.attacked;
    if unattacked.any() {
        let (orthogonal, diagonal) = Rays::all(unattacked).attacks(empty).by_line();
        let by_sliders = ((us.by_rooks | us.by_queens) & orthogonal)
            | ((us.by_bishops | us.by_queens) & diagonal);
        count!(tally, us, slider_threats[mover], by_sliders & safe);
    }

    // Through the pieces that sliders attack, to those behind them.
    let (lanes, theirs) = (sliders.rooks_and_bishops | sliders.queens, Rays::all(pieces));
    if lanes.meeting(theirs) != 0 {
        let (orthogonal, diagonal) = (lanes & theirs).attacks(empty).by_line();
        count!(tally, us, xrays_at_loose[mover], (orthogonal | diagonal) & loose);
        let behind = (orthogonal & them.queens) | (diagonal & (them.rooks | them.queens));
        count!(tally, us, skewers[mover], behind);
    }

    count!(tally, us, discovered_checks[mover], them.discoverers & !us.pinned);

    let safe_pushes = pushes(us.pawns, empty) & !them.by_pawns & (us.attacked | !them.attacked);
    count!(tally, us, threat_by_pawn_push[0], pawn_attacks(safe_pushes) & pieces & !us.by_pawns);

    let knights = us.by_knights & knight_attacks(them.queens);
    count!(tally, us, threat_on_queen[0], knights & safe);
    let by_line = (us.by_bishops & them.queens_diagonal) | (us.by_rooks & them.queens_orthogonal);
    count!(tally, us, threat_on_queen[1], by_line & safe);
}

/// Counts how our pieces and pawns are attacked and defended. What that is worth depends on whose
/// move it is: only one capture, or one escape, can be made at a time.
#[inline(always)]
fn count_defence(us: &Side, them: &Side, to_move: bool, tally: &mut Tally<impl Tracer>) {
    let up_to_minors = them.by_pawns | them.by_knights | them.by_bishops;
    let up_to_rooks = up_to_minors | them.by_rooks;
    // On how many of these sets a square lies: the class of its least valuable attacker.
    let attackers = [
        them.attacked,
        them.attacked & !them.by_pawns,
        them.attacked & !up_to_minors,
        them.attacked & !up_to_rooks,
        them.attacked & !up_to_rooks & !them.by_queens,
    ];
    // The same for its defence: none, once, twice or more often, by a pawn.
    let defenders = [us.attacked, us.attacked_twice | us.by_pawns, us.by_pawns];
    let on = |sets: &[Bitboard], square: Square| -> usize {
        sets.iter().map(|set| usize::from(set.contains(square))).sum()
    };

    let [once, twice, by_pawn] = defenders;
    let calm = [!once, once & !twice, twice & !by_pawn, by_pawn].map(|set| set & !them.attacked);
    let men = [us.pawns, us.knights, us.bishops, us.rooks, us.queens];
    for (kind, men) in men.into_iter().enumerate() {
        for (column, set) in calm.into_iter().enumerate() {
            count!(tally, us, defence[cell(ROWS * kind, column, to_move)], men & set);
        }
    }
    let pieces = us.pieces();
    let majors = us.rooks | us.queens;
    // The same for the kind of a piece, pawn to queen.
    let kinds = [pieces, us.bishops | majors, majors, us.queens];
    for square in us.all & !us.king & them.attacked {
        let twice = usize::from(them.attacked_twice.contains(square));
        let row = ROWS * on(&kinds, square) + 2 * on(&attackers, square) - 1 + twice;
        let index = cell(row, on(&defenders, square), to_move);
        count!(tally, us, defence[index], On(1, bit(square)));
    }

    for square in us.pinned {
        let index = cell(on(&attackers, square), on(&kinds, square) - 1, to_move);
        count!(tally, us, pinned[index], On(1, bit(square)));
    }

    let by_less = ((us.knights | us.bishops) & them.by_pawns)
        | (us.rooks & up_to_minors)
        | (us.queens & up_to_rooks);
    let outnumbered = them.attacked_twice & !us.attacked_twice & !us.by_pawns;
    let en_prise = by_less | (pieces & them.attacked & (!us.attacked | outnumbered));
    if en_prise.any() {
        let index = cell(0, en_prise.count().min(3) - 1, to_move);
        count!(tally, us, en_prise[index], On(1, en_prise));
    }
    let by_king_alone = us.all & us.by_king & !us.attacked_twice & them.attacked;
    count!(tally, us, defended_by_king[usize::from(to_move)], by_king_alone);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::chess::{ByColor, Color};
    use crate::eval::tally::TermCounts;
    use crate::eval::terms::Terms;

    /// What the group counts for a side.
    fn counts(fen: &str, side: Color) -> Terms<i32> {
        let position = Position::from_fen(fen).expect("a legal FEN");
        let none: TermCounts = ByColor { white: Terms::all(0), black: Terms::all(0) };
        let mut tally = Tally::new(none);
        let (us, sliders) = Side::new(&position, side);
        let (them, _) = Side::new(&position, side.other());
        count(&us, &sliders, &them.flipped(), position.turn() == side, &mut tally);
        tally.tracer.get(side).clone()
    }

    /// The weights of a row that are counted, each with its count.
    fn counted<const N: usize>(row: [i32; N]) -> Vec<(usize, i32)> {
        row.into_iter().enumerate().filter(|&(_, count)| count != 0).collect()
    }

    #[test]
    fn defence_by_kind_attacker_defender_and_mover() {
        let index = |kind: usize, row, column, to_move| cell(ROWS * kind + row, column, to_move);
        // A rook attacked by a pawn, defended by the king; White is to move.
        let fen = "k7/8/1b6/8/3p4/4R3/5K2/8 w - - 0 1";
        assert_eq!(counted(counts(fen, Color::White).defence), [(index(3, 1, 1, true), 1)]);
        // By a pawn and a bishop, and Black is to move.
        let fen = "k7/8/8/2b5/5p2/4R3/5K2/8 b - - 0 1";
        let white = counts(fen, Color::White);
        assert_eq!(counted(white.defence), [(index(3, 2, 1, false), 1)]);
        assert_eq!(counted(white.en_prise), [(0, 1)], "one piece, the enemy to move");
        assert_eq!(white.defended_by_king, [1, 0]);
        // The black men are neither attacked nor defended.
        let black = counts(fen, Color::Black);
        assert_eq!(counted(black.defence), [(index(0, 0, 0, true), 1), (index(2, 0, 0, true), 1)]);
    }

    #[test]
    fn pinned_pieces_by_attacker_and_kind() {
        let white = counts("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", Color::White);
        assert_eq!(counted(white.pinned), [(cell(3, 0, true), 1)], "a knight, attacked by a rook");
    }

    #[test]
    fn attacks_with_the_next_move() {
        // From c7 the knight would attack the king and a rook.
        let white = counts("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", Color::White);
        assert_eq!(white.knight_forks, [0, 1]);
        let white = counts("4k2q/8/8/4n3/8/2B5/8/4K3 b - - 0 1", Color::White);
        assert_eq!((white.skewers, white.xrays_at_loose), ([1, 0], [1, 0]));
        let white = counts("4k3/8/8/8/4N3/8/4R3/K7 w - - 0 1", Color::White);
        assert_eq!(white.discovered_checks, [0, 1]);
        let white = counts("4k3/8/8/4P3/8/8/4R3/K7 w - - 0 1", Color::White);
        assert_eq!(white.discovered_checks, [0, 0], "a pawn on the king's file");
        // The rook can attack the bishop on b6 from b1 and e6; on c1 and h1 it would not.
        let white = counts("7k/8/1b6/8/8/8/8/K3R3 w - - 0 1", Color::White);
        assert_eq!(white.slider_threats, [0, 2]);
    }
}
