//! Threats: how pieces and pawns are attacked and defended, and what can be attacked next.

use super::side::{Side, SliderAttacks};
use super::tally::{BY_MOVER, On, Tally, Tracer, count, count_both};
use super::terms::cell;
use crate::chess::{Bitboard, Square, bit};
use crate::fill::{Pair, Rays, per_lane};

/// Rows of the table `defence` for each piece type.
pub const ROWS: usize = 10;

/// Counts the group for both sides.
#[inline(always)]
pub(super) fn count(
    us: &Side<Pair>,
    sliders: &[SliderAttacks; 2],
    them: &Side<Pair>,
    tally: &mut Tally<impl Tracer>,
) {
    count_defence(us, them, tally);
    count_next(us, sliders, them, tally);

    let restricted =
        us.attacked & them.attacked & !them.by_pawns & (us.attacked_twice | !them.attacked_twice);
    count_both!(tally, us, restricted[0], restricted);
}

/// Counts what each side could attack with its next move.
#[inline(always)]
fn count_next(
    us: &Side<Pair>,
    sliders: &[SliderAttacks; 2],
    them: &Side<Pair>,
    tally: &mut Tally<impl Tracer>,
) {
    let empty = !(us.all | them.all);
    let pieces = them.pieces();
    let loose = pieces & !them.attacked;
    let safe = us.safe_squares(them);

    let jumps = us.by_knights & safe;
    if jumps.any() {
        let targets = them.rooks | them.queens | loose;
        let forked = targets | them.king;
        let forks = per_lane(|lane| Rays::knight_attacks(forked.lane(lane)));
        let forks = Rays::pair_overlaps(forks);
        count_both!(tally, us, knight_forks[BY_MOVER], jumps & forks);
        count_both!(tally, us, knight_threats[BY_MOVER], jumps & targets.knight_attacks());
    }

    let unattacked = loose & !us.attacked;
    if unattacked.any() {
        let rays = per_lane(|lane| Rays::all(unattacked.lane(lane)).attacks(empty.lane(lane)));
        let (orthogonal, diagonal) = Rays::pair_by_line(rays);
        let by_sliders = ((us.by_rooks | us.by_queens) & orthogonal)
            | ((us.by_bishops | us.by_queens) & diagonal);
        count_both!(tally, us, slider_threats[BY_MOVER], by_sliders & safe);
    }

    // Squares that sliders see through the pieces they attack.
    let reached = per_lane(|lane| {
        (sliders[lane].rooks_and_bishops | sliders[lane].queens) & Rays::all(pieces.lane(lane))
    });
    if reached.iter().any(|rays| rays.meeting(*rays) != 0) {
        let beyond = per_lane(|lane| reached[lane].attacks(empty.lane(lane)));
        let (orthogonal, diagonal) = Rays::pair_by_line(beyond);
        count_both!(tally, us, xrays_at_loose[BY_MOVER], (orthogonal | diagonal) & loose);
        let behind = (orthogonal & them.queens) | (diagonal & (them.rooks | them.queens));
        count_both!(tally, us, skewers[BY_MOVER], behind);
    }

    count_both!(tally, us, discovered_checks[BY_MOVER], them.discoverers & !us.pinned);

    let pushes = us.pawns.pushes(empty);
    let safe_pushes = pushes & !them.by_pawns & (us.attacked | !them.attacked);
    let threats = safe_pushes.pawn_attacks() & pieces & !us.by_pawns;
    count_both!(tally, us, threat_by_pawn_push[0], threats);

    let knights = us.by_knights & them.queens.knight_attacks();
    count_both!(tally, us, threat_on_queen[0], knights & safe);
    let by_line = (us.by_bishops & them.queens_diagonal) | (us.by_rooks & them.queens_orthogonal);
    count_both!(tally, us, threat_on_queen[1], by_line & safe);
}

/// Counts how the pieces and pawns of both sides are attacked and defended. The weights depend on
/// the side to move, since only one capture or one escape can be made at a time.
#[inline(always)]
fn count_defence(us: &Side<Pair>, them: &Side<Pair>, tally: &mut Tally<impl Tracer>) {
    let up_to_minors = them.by_pawns | them.by_knights | them.by_bishops;
    let up_to_rooks = up_to_minors | them.by_rooks;
    let pieces = us.pieces();

    // Unattacked pieces and pawns, by their defence: none, once, twice or more, by a pawn.
    let (once, by_pawn) = (us.attacked, us.by_pawns);
    let twice = us.attacked_twice | by_pawn;
    let calm = [!once, once & !twice, twice & !by_pawn, by_pawn].map(|set| set & !them.attacked);
    let by_type = [us.pawns, us.knights, us.bishops, us.rooks, us.queens];
    for (kind, pieces) in by_type.into_iter().enumerate() {
        for (column, set) in calm.into_iter().enumerate() {
            let index = [true, false].map(|to_move| cell(ROWS * kind, column, to_move));
            count_both!(tally, us, defence[index], pieces & set);
        }
    }

    // Attacked pieces one by one. Eight sets are the eight bits of a code for each square: the
    // least valuable attacker in bits 0 to 2, the defence in bits 3 and 4, the piece itself in bits
    // 5 to 7.
    let by_minors = up_to_minors & !them.by_pawns;
    let by_rooks = them.by_rooks & !up_to_minors;
    let by_queens = them.by_queens & !up_to_rooks;
    let by_king = them.attacked & !(up_to_rooks | them.by_queens);
    let codes = Rays::transposed([
        // The least valuable attacker: pawn 1, minor piece 2, rook 3, queen 4, king 5.
        them.by_pawns | by_rooks | by_king,
        by_minors | by_rooks,
        by_queens | by_king,
        // The defence: none 0, once 1, twice 2, by a pawn 3.
        (once & !twice) | by_pawn,
        twice,
        // The piece: pawn 0 to queen 4.
        us.knights | us.rooks,
        us.bishops | us.rooks,
        us.queens,
    ]);
    let by_less = ((us.knights | us.bishops) & them.by_pawns)
        | (us.rooks & up_to_minors)
        | (us.queens & up_to_rooks);
    let outnumbered = them.attacked_twice & !us.attacked_twice & !by_pawn;
    let en_prise = by_less | (pieces & them.attacked & (!once | outnumbered));
    let attacked_pieces = us.all & !us.king & them.attacked;
    macro_rules! count_lane {
        ($lane:literal) => {{
            let side = us.of::<$lane>();
            let attacked = Attacked {
                codes: codes[$lane],
                pieces: attacked_pieces.lane($lane),
                twice: them.attacked_twice.lane($lane),
                en_prise: en_prise.lane($lane),
            };
            count_attacked(&side, &attacked, $lane == 0, tally);
        }};
    }
    count_lane!(0);
    count_lane!(1);
    let by_king_alone = us.all & us.by_king & !us.attacked_twice & them.attacked;
    count_both!(tally, us, defended_by_king[BY_MOVER], by_king_alone);
}

/// The attacked pieces of one side.
struct Attacked {
    /// A code for each square, see `count_defence`.
    codes: Rays,
    /// The pieces and pawns, without the king.
    pieces: Bitboard,
    /// Squares that the enemy attacks twice.
    twice: Bitboard,
    /// Pieces that can be captured with profit.
    en_prise: Bitboard,
}

/// Counts the pieces of one side that are attacked, its pinned pieces, and its pieces en prise.
#[inline(always)]
fn count_attacked(
    us: &Side<Bitboard>,
    attacked: &Attacked,
    to_move: bool,
    tally: &mut Tally<impl Tracer>,
) {
    let decoded = |square: Square| {
        let code = usize::from(attacked.codes.holding(square));
        (code & 7, code >> 3 & 3, code >> 5)
    };
    for square in attacked.pieces {
        let (attacker, defence, kind) = decoded(square);
        let twice = usize::from(attacked.twice.contains(square));
        let row = ROWS * kind + 2 * attacker - 1 + twice;
        count!(tally, us, defence[cell(row, defence, to_move)], On(1, bit(square)));
    }
    for square in us.pinned {
        let (attacker, _, kind) = decoded(square);
        count!(tally, us, pinned[cell(attacker, kind - 1, to_move)], On(1, bit(square)));
    }
    if attacked.en_prise.any() {
        let index = cell(0, attacked.en_prise.count().min(3) - 1, to_move);
        count!(tally, us, en_prise[index], On(1, attacked.en_prise));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::chess::Color;
    use crate::eval::loaded::LoadedWeights;
    use crate::eval::square_tables::SquareTables;
    use crate::eval::tally::{Recorded, Recorder};
    use crate::eval::terms::Terms;
    use crate::eval::weights::WEIGHTS;

    /// The counts of the group for a side.
    fn counts(fen: &str, side: Color) -> Terms<i32> {
        let position = Position::from_fen(fen).expect("a legal FEN");
        let tables = SquareTables::new(&WEIGHTS);
        let weights = LoadedWeights { weights: WEIGHTS, tables };
        let recorder = Recorder { weights: &weights, recorded: Recorded::nothing() };
        let mut tally = Tally::new(recorder);
        let (us, sliders) = Side::new(&position);
        count(&us, &sliders, &us.opponents(), &mut tally);
        tally.tracer.recorded.counts.get(side).clone()
    }

    /// The indices of the nonzero counts of a row, each with its count.
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
        // The black pieces are neither attacked nor defended.
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
