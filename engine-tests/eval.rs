//! The evaluation: symmetric, equal to its trace, and right about endgames with known results.

use freshet::board::Position;
use freshet::chess::{ByColor, Color, Role, Square};
use freshet::eval::terms::{Purpose, Terms};
use freshet::eval::total::{balance, total};
use freshet::eval::weights::WEIGHTS;
use freshet::eval::{Evaluator, Trace, evaluate, trace};
use freshet::explain::table::{TableOptions, table};
use freshet::known::fortress::pawns::BlockedVerdict;
use freshet::known::kpk::Kpk;
use freshet::score::Score;
use freshet::wdl::{MaterialClass, chances, shown};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseError;
use shakmaty_syzygy::Wdl;

use crate::support::{blocked_verdict, position, suite, tables, with_pieces};

/// The score of a FEN for the side to move.
fn score(fen: &str) -> Score {
    evaluate(&position(fen))
}

/// A game of random moves: its start, and the index of each legal move to play. A failing game
/// shrinks to a shorter one.
#[derive(Clone, Debug)]
struct RandomGame {
    start: String,
    moves: Vec<Index>,
}

impl RandomGame {
    /// Checks a property of every position of the game.
    fn check(
        &self,
        mut property: impl FnMut(&Position) -> Result<(), TestCaseError>,
    ) -> Result<(), TestCaseError> {
        let mut position = position(&self.start);
        property(&position)?;
        for index in &self.moves {
            let moves = position.moves();
            if moves.is_empty() || position.is_dead_material() {
                break;
            }
            position.play(moves[index.index(moves.len())]);
            property(&position)?;
        }
        Ok(())
    }
}

/// Games from the start position, and from blocked endings of the suite.
fn random_games() -> impl Strategy<Value = RandomGame> {
    let endings: Vec<String> = suite("blocked").iter().step_by(8).map(|line| fen(line)).collect();
    let start = prop_oneof![
        2 => Just(Position::START.to_string()),
        1 => proptest::sample::select(endings),
    ];
    (start, prop::collection::vec(any::<Index>(), 0..200))
        .prop_map(|(start, moves)| RandomGame { start, moves })
}

/// The number of games for each property; failures are not written to files.
fn config() -> ProptestConfig {
    ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() }
}

/// The FEN at the start of an EPD line.
fn fen(line: &str) -> String {
    line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
}

/// The position with colours changed, made from the text of the FEN.
fn with_colours_changed(position: &Position) -> Position {
    let fen = position.fen();
    let words: Vec<&str> = fen.split(' ').collect();
    let swap_case = |text: &str| -> String {
        let swap = |c: char| {
            if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(swap).collect()
    };
    let board: Vec<String> = words[0].split('/').rev().map(swap_case).collect();
    let turn = if words[1] == "w" { "b" } else { "w" };
    let en_passant = words[3].replace('3', "x").replace('6', "3").replace('x', "6");
    self::position(&format!(
        "{} {turn} {} {en_passant} {} {}",
        board.join("/"),
        swap_case(words[2]),
        words[4],
        words[5]
    ))
}

/// The position with files mirrored; `None` if a side may castle.
fn with_files_mirrored(position: &Position) -> Option<Position> {
    let fen = position.fen();
    let words: Vec<&str> = fen.split(' ').collect();
    let board: Vec<String> = words[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    let mirror =
        |c: char| if ('a'..='h').contains(&c) { (b'a' + b'h' - c as u8) as char } else { c };
    let en_passant: String = words[3].chars().map(mirror).collect();
    (words[2] == "-").then(|| {
        let board = board.join("/");
        self::position(&format!("{board} {} - {en_passant} {} {}", words[1], words[4], words[5]))
    })
}

/// Counts times weights of one side, summed over all groups of a purpose, middlegame and endgame.
/// Unlike in the evaluation the sums are not packed, so this finds overflows.
fn sum(counts: &Terms<i32>, purpose: Purpose) -> [i32; 2] {
    let mut rows = Vec::new();
    WEIGHTS.each(|group, _, weights| rows.push((group, weights.to_vec())));
    let (mut sum, mut row) = ([0; 2], 0);
    counts.each(|_, _, counts| {
        let (group, weights) = &rows[row];
        row += 1;
        if group.purpose() == purpose {
            for (count, weight) in counts.iter().zip(weights) {
                sum = [sum[0] + weight.mg() * count, sum[1] + weight.eg() * count];
            }
        }
    });
    sum
}

/// The sums of both sides' values by counts and weights, White less Black.
fn value_by_counts(trace: &Trace) -> [i32; 2] {
    let [white, black] =
        [&trace.counts.white, &trace.counts.black].map(|counts| sum(counts, Purpose::Value));
    [white[0] - black[0], white[1] - black[1]]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn both_colours_are_evaluated_alike(game in random_games()) {
        game.check(|position| {
            let other = with_colours_changed(position);
            prop_assert_eq!(evaluate(position), evaluate(&other), "{}", position.fen());
            Ok(())
        })?;
    }

    #[test]
    fn mirrored_files_are_evaluated_alike(game in random_games()) {
        game.check(|position| {
            if let Some(other) = with_files_mirrored(position) {
                prop_assert_eq!(evaluate(position), evaluate(&other), "{}", position.fen());
            }
            Ok(())
        })?;
    }

    #[test]
    fn traced_counts_times_weights_are_the_value(game in random_games()) {
        game.check(|position| {
            let trace = trace(position);
            prop_assert_eq!(value_by_counts(&trace), trace.steps.sums.value, "{}", position.fen());
            Ok(())
        })?;
    }

    #[test]
    fn traced_counts_times_weights_are_the_danger(game in random_games()) {
        game.check(|position| {
            let trace = trace(position);
            let ByColor { white, black } = trace.counts.map(|counts| sum(&counts, Purpose::Danger));
            prop_assert_eq!([white, black], trace.steps.sums.danger, "{}", position.fen());
            Ok(())
        })?;
    }

    #[test]
    fn traced_counts_times_weights_are_initiative_and_scale(game in random_games()) {
        game.check(|position| {
            let trace = trace(position);
            let initiative = sum(&trace.counts.white, Purpose::Initiative);
            prop_assert_eq!(initiative[1], trace.steps.sums.initiative, "{}", position.fen());
            let ByColor { white, black } = trace.counts.map(|counts| sum(&counts, Purpose::Scale));
            prop_assert_eq!(white[1] + black[1], trace.steps.sums.scale, "{}", position.fen());
            Ok(())
        })?;
    }

    #[test]
    fn traced_sums_lead_to_the_score(game in random_games()) {
        game.check(|position| {
            let steps = trace(position).steps;
            prop_assert_eq!(balance(&steps.sums), steps.balance, "{}", position.fen());
            // A tapered score of zero may stand for material that cannot win.
            if steps.tapered != 0 {
                let tapered = total(steps.balance, steps.sums.scale, steps.phase);
                prop_assert_eq!(tapered, steps.tapered, "{}", position.fen());
            }
            prop_assert_eq!(steps.tapered + steps.endgame_correction, steps.total);
            let white = evaluate(position).for_white(position.turn());
            prop_assert_eq!(white.as_cp(), Some(steps.total), "{}", position.fen());
            Ok(())
        })?;
    }

    /// Normalised centipawns keep order and sign, and are odd.
    #[test]
    fn shown_scores_keep_their_order(cp in -3000..3000) {
        prop_assert!(shown(cp) >= shown(cp - 1));
        prop_assert_eq!(shown(cp).signum(), if cp.abs() > 1 { cp.signum() } else { 0 });
        prop_assert_eq!(shown(-cp), -shown(cp));
    }

    /// Chances add up and grow with the score.
    #[test]
    fn chances_grow_with_the_score(cp in -3000..3000, material in 3..120) {
        for class in [MaterialClass::Material(material), MaterialClass::PawnEnding] {
            let (before, now) = (chances(Score::cp(cp - 1), class), chances(Score::cp(cp), class));
            prop_assert_eq!(now.iter().sum::<i32>(), 1000);
            prop_assert!(now.iter().all(|chance| *chance >= 0), "{:?}", now);
            prop_assert!(now[0] >= before[0] && now[2] <= before[2], "{:?} {:?}", before, now);
        }
    }
}

#[test]
fn chances_of_decided_positions_are_certain() {
    for class in [MaterialClass::Material(40), MaterialClass::PawnEnding] {
        assert_eq!(chances(Score::mate_in(9), class), [1000, 0, 0]);
        assert_eq!(chances(Score::mated_in(9), class), [0, 0, 1000]);
    }
    assert_eq!(chances(Score::cp(1), MaterialClass::Dead), [0, 1000, 0]);
}

/// The output of `eval`, without colours. Its snapshots change with the weights: after tuning,
/// review them with `cargo insta review`, or accept them with `INSTA_UPDATE=always cargo test`.
fn plain_table(fen: &str) -> String {
    let options = TableOptions { phases: true, legend: false, all: true };
    anstream::adapter::strip_str(&table(&position(fen), &mut Evaluator::new(), options)).to_string()
}

#[test]
fn table_of_a_middlegame() {
    insta::assert_snapshot!(plain_table(
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 b - - 0 9"
    ));
}

#[test]
fn table_of_an_endgame_with_opposite_bishops() {
    insta::assert_snapshot!(plain_table("8/5k2/4p1p1/3bP1P1/1p1P4/1P2B3/4K3/8 w - - 0 1"));
}

#[test]
fn table_of_a_fortress() {
    insta::assert_snapshot!(plain_table("7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1"));
}

/// More pieces than a game can have: all sums still fit into the packed numbers.
#[test]
fn many_queens_do_not_overflow() {
    for fen in [
        "kn6/nn6/8/QQQQQQQQ/QQQQQQQ1/8/8/7K b - - 0 1",
        "kn6/nn6/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/7K b - - 0 1",
        "8/8/8/NNNNNNNN/NNNNNNNN/8/8/K1k5 w - - 0 1",
        "7k/rrrrrrr1/rrrrrrrr/8/8/QQQQQQQ1/QQQQQQQQ/7K w - - 0 1",
        "QR1bK3/r4QBk/4Qr2/2R1q1Q1/Q4Qq1/1q2q1Qb/4qqqQ/NNn4n w - - 0 1",
    ] {
        let position = position(fen);
        let trace = trace(&position);
        assert_eq!(value_by_counts(&trace), trace.steps.sums.value, "{fen}");
    }
}

/// More than eight pawns, which a FEN may have, are scaled like eight.
#[test]
fn nine_pawns_are_evaluated() {
    assert!(score("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1").raw() > 500);
    assert!(score("r3k3/8/8/8/8/PP6/PPPPPPPP/R3K3 w - - 0 1").raw() > 0);
}

/// Positions of some suites of blocked endings, with their result and category.
fn blocked_endings() -> impl Iterator<Item = (Position, String, String)> {
    let operand = |line: &str, code: &str| -> String {
        let rest = line.split(&format!(" {code} \"")).nth(1).unwrap_or_default();
        rest.split('"').next().unwrap_or_default().to_string()
    };
    ["blocked", "blocked_in_check", "blocked_symmetry", "blocked_known"]
        .into_iter()
        .flat_map(suite)
        .map(move |line| (position(&fen(&line)), operand(&line, "c0"), operand(&line, "c1")))
}

#[test]
fn fortresses_are_draws() {
    let mut fortresses = 0;
    for (position, _, category) in blocked_endings() {
        if category.starts_with("fortress") {
            fortresses += 1;
            let is_proven = |verdict: BlockedVerdict| verdict.is_fortress() && verdict.is_draw();
            assert!(blocked_verdict(&position).is_some_and(is_proven), "{}", position.fen());
            assert_eq!(evaluate(&position).as_cp(), Some(0), "{}", position.fen());
        }
    }
    assert!(fortresses > 100, "{fortresses}");
}

#[test]
fn no_win_of_the_suites_is_called_impossible() {
    let mut wins = 0;
    for (position, result, _) in blocked_endings() {
        if result.contains("wins") {
            wins += 1;
            let winner = if result.starts_with("white") { Color::White } else { Color::Black };
            let verdict = blocked_verdict(&position);
            assert!(
                verdict.is_none_or(|verdict| verdict.can_win[winner]),
                "{verdict:?} {}",
                position.fen()
            );
        }
    }
    assert!(wins > 300, "{wins}");
}

#[test]
fn material_that_cannot_win_scores_about_zero() {
    for (name, fen) in [
        ("two knights", "8/8/8/4k3/8/8/8/2NNK3 w - - 0 1"),
        ("wrong rook pawn", "k7/8/8/8/P7/8/8/2B1K3 w - - 0 1"),
        ("lone knight", "8/8/8/4k3/8/4n3/8/4K3 w - - 0 1"),
    ] {
        let score = score(fen);
        assert!(score.as_cp().is_some_and(|cp| cp.abs() <= 30), "{name}: {score}");
    }
}

#[test]
fn a_queen_against_a_bare_king_is_a_win() {
    assert!(score("8/8/8/4k3/8/8/8/3QK3 w - - 0 1").raw() > 800);
}

/// A side that is a rook or more ahead wins without pawns, whatever the colours of the bishops.
#[test]
fn opposite_bishops_do_not_make_up_for_a_rook() {
    for pieces in ["2RRK3", "3QK3", "3RK3"] {
        let with_bishop =
            |rank: &str| score(&format!("6k1/8/8/{rank}/8/8/3B4/{pieces} w - - 0 1")).raw();
        let (opposite, same) = (with_bishop("3b4"), with_bishop("4b3"));
        assert!(opposite > same - 60, "{pieces}: {opposite} instead of {same}");
    }
}

#[test]
fn an_unstoppable_pawn_scores_more_than_a_stopped_one() {
    let unstoppable = score("8/8/8/P6k/8/8/8/K7 w - - 0 1").raw();
    let stopped = score("8/8/2k5/P7/8/8/8/K7 w - - 0 1").raw();
    assert!(unstoppable > stopped + 200, "{unstoppable} {stopped}");
}

/// By the rule of the square the king is in time, but its path around its own pawns is too long.
#[test]
fn pawns_in_the_way_of_a_king_let_a_passed_pawn_through() {
    let fenced = score("8/8/6p1/P4pPk/5P2/8/8/K7 w - - 0 1").raw();
    assert!(fenced > 200, "{fenced}");
}

/// The pawn on a4 is lost before it reaches the squares that its king guards.
#[test]
fn a_king_at_the_end_of_the_path_does_not_escort_a_pawn() {
    for (fen, runs) in
        [("8/1K3ppp/8/2k5/P7/8/5PPP/8 b - - 0 1", 0), ("8/1K6/8/P2k4/8/8/8/8 b - - 0 1", 1)]
    {
        assert_eq!(trace(&position(fen)).counts.white.unstoppable, [runs], "{fen}");
    }
}

/// An enemy pawn on our second rank is not blocked if we have no pawn there.
#[test]
fn a_storm_is_blocked_by_pawns_only() {
    let blocked = |fen: &str| trace(&position(fen)).counts.white.storm_blocked;
    assert_eq!(blocked("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"), [0; 8]);
    assert_eq!(blocked("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1"), [0, 0, 1, 0, 0, 0, 0, 0]);
}

/// Every position of king and pawn against king, checked against the Syzygy tables (public data by
/// Ronald de Man).
#[test]
fn kpk_agrees_with_the_tables() {
    let tables = tables();
    let (mut wins, mut draws) = (0, 0);
    for pawn in Square::ALL.into_iter().filter(|&square| (8..56).contains(&(square as u32))) {
        for king in Square::ALL {
            for bare_king in Square::ALL {
                if king == pawn || bare_king == pawn || king.distance(bare_king) < 2 {
                    continue;
                }
                // Both colours in turn.
                let strong = Color::from_white((king as u32 + bare_king as u32).is_multiple_of(2));
                for turn in Color::ALL {
                    let pieces = [
                        (pawn, strong, Role::Pawn),
                        (king, strong, Role::King),
                        (bare_king, strong.other(), Role::King),
                    ];
                    let Some(chess) = with_pieces(&pieces, turn) else { continue };
                    let wdl = tables.probe_wdl_after_zeroing(&chess).expect("the table is there");
                    let won = matches!(wdl, Wdl::Win | Wdl::Loss);
                    let kpk = Kpk { strong, pawn, king, bare_king, turn };
                    assert_eq!(kpk.is_won(), won, "{kpk:?}");
                    wins += u32::from(won);
                    draws += u32::from(!won);
                }
            }
        }
    }
    assert!(wins > 100_000 && draws > 30_000, "{wins} {draws}");
}

/// A rook pawn and the wrong bishop do not win against a king that gets into the corner.
#[test]
fn the_wrong_bishop_draws_only_in_the_corner() {
    assert_eq!(score("8/1k6/8/P7/8/4K3/8/2B5 w - - 0 1"), Score::DRAW);
    assert_eq!(score("8/2k5/8/P7/8/4K3/8/2B5 w - - 0 1"), Score::DRAW);
    assert!(score("8/4k3/8/P7/8/4K3/8/2B5 w - - 0 1") > Score::cp(100), "too far away");
    assert!(score("8/1k6/8/P7/8/4K3/8/3B4 w - - 0 1") > Score::cp(100), "the right bishop");
    assert!(score("1k6/1p6/PK6/8/3B4/8/8/8 w - - 0 1") > Score::cp(100), "Be5+ and axb7 win");
}

/// With bishop and knight the bare king is mated in a corner of the bishop's colour.
#[test]
fn the_bare_king_is_driven_to_the_right_corner() {
    for (bishop, right, wrong) in [("B3", "7k", "k7"), ("1B2", "k7", "7k")] {
        let score = |corner: &str| score(&format!("{corner}/8/8/3K4/3N4/8/8/4{bishop} w - - 0 1"));
        assert!(
            score(right) > score(wrong).plus(20),
            "{bishop}: {} {}",
            score(right),
            score(wrong)
        );
    }
}

/// Whether a king catches a pawn depends on who is to move.
#[test]
fn a_tempo_decides_whether_a_pawn_is_caught() {
    for (turn, runs) in [("w", 1), ("b", 0)] {
        let trace = trace(&position(&format!("8/8/8/8/P4k1p/7P/8/7K {turn} - - 0 1")));
        assert_eq!(trace.counts.white.unstoppable, [runs], "{turn} to move");
    }
}
