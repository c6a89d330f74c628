//! The evaluation: symmetric, traced to the last centipawn, right on fortresses.

use freshet::board::Position;
use freshet::chess::{ByColor, Color, Role, Square};
use freshet::eval::phased::Phased;
use freshet::eval::terms::{Purpose, Terms};
use freshet::eval::total::{balance, total};
use freshet::eval::weights::WEIGHTS;
use freshet::eval::{Trace, blocked_verdict, evaluate, trace};

use crate::support::{random, random_game, suite, tables, with_men};

/// The same position with colours changed: pieces, side to move, castling rights and en passant square.
fn mirrored(position: &Position) -> Position {
    let fen = position.fen();
    let words: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let case = |c: char| {
            if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(case).collect()
    };
    let board: Vec<String> = words[0].split('/').rev().map(swap).collect();
    let turn = if words[1] == "w" { "b" } else { "w" };
    let en_passant = words[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let fen = format!(
        "{} {turn} {} {en_passant} {} {}",
        board.join("/"),
        swap(words[2]),
        words[4],
        words[5]
    );
    Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Start positions for random games, endings among them.
fn starts() -> Vec<String> {
    let fen = |line: String| {
        line.split(" c0")
            .next()
            .unwrap_or_default()
            .split(" bm")
            .next()
            .unwrap_or_default()
            .to_string()
    };
    let mut starts: Vec<String> = suite("blocked").into_iter().step_by(8).map(fen).collect();
    starts.extend(std::iter::repeat_n(Position::START.to_string(), 100));
    starts
}

#[test]
fn colours_are_equal() {
    let mut random = random(20);
    for start in starts() {
        random_game(&mut random, &start, |position| {
            assert_eq!(evaluate(position), evaluate(&mirrored(position)), "{}", position.fen());
        });
    }
}

/// Counts times weights of one side, summed up by what becomes of them.
fn sum(counts: &Terms<i32>, purpose: Purpose) -> Phased {
    let mut weights = Vec::new();
    WEIGHTS.each(|group, _, row| weights.push((group, row.to_vec())));
    let (mut sum, mut row) = (Phased::ZERO, 0);
    counts.each(|_, _, counts| {
        let (group, weights) = &weights[row];
        row += 1;
        if group.purpose() == purpose {
            for (count, weight) in counts.iter().zip(weights) {
                sum += *weight * *count;
            }
        }
    });
    sum
}

#[test]
fn counts_times_weights_are_the_score() {
    let mut random = random(21);
    for start in starts() {
        random_game(&mut random, &start, |position| {
            let Trace { counts: ByColor { white, black }, steps } = trace(position);
            let both = |sum: Phased| [sum.mg(), sum.eg()];
            assert_eq!(
                both(sum(&white, Purpose::Value) - sum(&black, Purpose::Value)),
                steps.sums.value
            );
            let danger = [&white, &black].map(|counts| both(sum(counts, Purpose::Danger)));
            assert_eq!(danger, steps.sums.danger);
            assert_eq!(sum(&white, Purpose::Initiative).eg(), steps.sums.initiative);
            assert_eq!(
                (sum(&white, Purpose::Scale) + sum(&black, Purpose::Scale)).eg(),
                steps.sums.scale
            );
            if steps.tapered != 0 {
                let again = total(balance(&steps.sums), steps.sums.scale, steps.phase);
                assert_eq!(again, steps.tapered, "{}", position.fen());
            }
            assert_eq!(steps.tapered + steps.blocked, steps.total);
            let white = if position.turn() == Color::White {
                evaluate(position)
            } else {
                -evaluate(position)
            };
            assert_eq!(white.as_cp(), Some(steps.total));
        });
    }
}

/// The same position with the files turned around; `None` if somebody may castle.
fn turned_around(position: &Position) -> Option<Position> {
    let fen = position.fen();
    let words: Vec<&str> = fen.split(' ').collect();
    let board: Vec<String> = words[0].split('/').map(|rank| rank.chars().rev().collect()).collect();
    let en_passant: String = words[3]
        .chars()
        .map(|c| if ('a'..='h').contains(&c) { (b'a' + b'h' - c as u8) as char } else { c })
        .collect();
    let fen = format!("{} {} - {en_passant} {} {}", board.join("/"), words[1], words[4], words[5]);
    (words[2] == "-")
        .then(|| Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

#[test]
fn wings_are_equal() {
    let (mut random, mut tried) = (random(22), 0);
    for start in starts() {
        random_game(&mut random, &start, |position| {
            if let Some(other) = turned_around(position) {
                tried += 1;
                assert_eq!(evaluate(position), evaluate(&other), "{}", position.fen());
            }
        });
    }
    assert!(tried > 1000, "{tried}");
}

/// FEN, result and category of the lines of a suite of blocked endings.
fn blocked(name: &str) -> Vec<(Position, String, String)> {
    let field = |line: &str, key: &str| -> String {
        let rest = line.split(&format!(" {key} \"")).nth(1).unwrap_or_default();
        rest.split('"').next().unwrap_or_default().to_string()
    };
    suite(name)
        .iter()
        .map(|line| {
            let fen: Vec<&str> = line.split_whitespace().take(4).collect();
            let position =
                Position::from_fen(&fen.join(" ")).unwrap_or_else(|e| panic!("{line}: {e}"));
            (position, field(line, "c0"), field(line, "c1"))
        })
        .collect()
}

#[test]
fn fortresses_are_draws_and_wins_are_none() {
    let (mut fortresses, mut wins) = (0, 0);
    for name in ["blocked", "blocked_in_check", "blocked_symmetry", "blocked_known"] {
        for (position, result, category) in blocked(name) {
            let verdict = blocked_verdict(&position);
            if category.starts_with("fortress") {
                fortresses += 1;
                assert!(
                    verdict.is_some_and(|verdict| verdict.is_fortress() && verdict.is_draw()),
                    "{}",
                    position.fen()
                );
                assert_eq!(evaluate(&position).as_cp(), Some(0), "{}", position.fen());
            }
            if result.contains("wins") {
                wins += 1;
                // Nobody says that the side that wins cannot.
                let winner = usize::from(result.starts_with("black"));
                assert!(
                    verdict.is_none_or(|verdict| verdict.can_win[winner]),
                    "{verdict:?} {}",
                    position.fen()
                );
            }
        }
    }
    assert!(fortresses > 100 && wins > 300, "{fortresses} fortresses, {wins} wins");
}

#[test]
fn endings_that_cannot_be_won() {
    let even = [
        "8/8/8/4k3/8/8/8/2NNK3 w - - 0 1",
        "k7/8/8/8/P7/8/8/2B1K3 w - - 0 1",
        "8/8/8/4k3/8/4n3/8/4K3 w - - 0 1",
    ];
    for fen in even {
        let score = evaluate(&Position::from_fen(fen).expect("a legal FEN"));
        assert!(score.as_cp().is_some_and(|cp| cp.abs() <= 30), "{fen}: {score}");
    }
    let won = Position::from_fen("8/8/8/4k3/8/8/8/3QK3 w - - 0 1").expect("a legal FEN");
    assert!(evaluate(&won).raw() > 800);
}

#[test]
fn a_pawn_out_of_the_square_is_worth_more() {
    let score = |fen: &str| evaluate(&Position::from_fen(fen).expect("a legal FEN")).raw();
    let runs = score("8/8/8/P6k/8/8/8/K7 w - - 0 1");
    let caught = score("8/8/2k5/P7/8/8/8/K7 w - - 0 1");
    assert!(runs > caught + 200, "{runs} {caught}");
    // The square rule alone would say that the king is in time: the way round its own pawns is too long.
    let fenced = score("8/8/6p1/P4pPk/5P2/8/8/K7 w - - 0 1");
    assert!(fenced > 200, "{fenced}");
}

/// Every position of king and pawn against king, against the Syzygy tables (public data by Ronald de Man).
#[test]
fn the_lone_pawn_is_solved_exactly() {
    use freshet::eval::endgames::kpk;
    use shakmaty_syzygy::Wdl;

    let tables = tables();
    let (mut wins, mut draws) = (0, 0);
    for pawn in Square::ALL.into_iter().filter(|&square| (8..56).contains(&(square as u32))) {
        for king in Square::ALL {
            for other in Square::ALL {
                if king == pawn || other == pawn || king.distance(other) < 2 {
                    continue;
                }
                for turn in Color::ALL {
                    let strong = if (king as u32 + other as u32).is_multiple_of(2) {
                        Color::White
                    } else {
                        Color::Black
                    };
                    let men = [
                        (pawn, strong, Role::Pawn),
                        (king, strong, Role::King),
                        (other, strong.other(), Role::King),
                    ];
                    let Some(chess) = with_men(&men, turn) else { continue };
                    let wdl = tables.probe_wdl_after_zeroing(&chess).expect("the table is there");
                    let won = matches!(wdl, Wdl::Win | Wdl::Loss);
                    assert_eq!(
                        kpk::wins(strong, pawn, king, other, turn),
                        won,
                        "{strong} {pawn} {king} {other} {turn}"
                    );
                    wins += u32::from(won);
                    draws += u32::from(!won);
                }
            }
        }
    }
    assert!(wins > 100_000 && draws > 30_000, "{wins} {draws}");
}

/// Shown centipawns keep order and sign; chances are monotone and add up.
#[test]
fn chances_grow_with_the_score() {
    use freshet::score::Score;
    use freshet::wdl::{Stage, chances, shown};
    let with = [6, 20, 40, 78].map(Stage::Material);
    for stage in with.into_iter().chain([Stage::PawnEnding]) {
        let mut before = [0, 0, 1000];
        for cp in -1200..=1200 {
            let now = chances(Score::cp(cp), stage);
            assert_eq!(now.iter().sum::<i32>(), 1000);
            assert!(now.iter().all(|chance| *chance >= 0), "{now:?}");
            assert!(now[0] >= before[0] && now[2] <= before[2], "{cp}: {before:?} {now:?}");
            assert!(shown(cp) >= shown(cp - 1));
            assert_eq!(shown(cp).signum(), if cp.abs() > 1 { cp.signum() } else { 0 });
            assert_eq!(shown(-cp), -shown(cp));
            before = now;
        }
        assert_eq!(chances(Score::mate_in(9), stage), [1000, 0, 0]);
    }
    assert_eq!(chances(Score::cp(1), Stage::Dead), [0, 1000, 0]);
}

/// Rook against pawn as the tables have it; the few wins against a new piece that lives are not known, and no win is claimed
/// that is none.
#[test]
fn the_rook_against_the_pawn_is_solved() {
    use freshet::eval::endgames::krkp;
    use rand::RngExt;
    use shakmaty_syzygy::Wdl;

    let tables = tables();
    let mut random = random(1);
    let (mut wins, mut others, mut missed) = (0, 0, 0);
    while wins + others < 200_000 {
        let mut square = || Square::ALL[random.random_range(0..64)];
        let (pawn, weak_king, rook, king) = (square(), square(), square(), square());
        let weak = if random.random() { Color::White } else { Color::Black };
        let turn = if random.random() { Color::White } else { Color::Black };
        let men = [pawn, weak_king, rook, king];
        let apart = (0..4).all(|one| men[..one].iter().all(|other| *other != men[one]));
        if !apart || !(8..56).contains(&(pawn as u32)) {
            continue;
        }
        let men = [
            (pawn, weak, Role::Pawn),
            (weak_king, weak, Role::King),
            (rook, weak.other(), Role::Rook),
            (king, weak.other(), Role::King),
        ];
        let Some(chess) = with_men(&men, turn) else { continue };
        let wdl = tables.probe_wdl_after_zeroing(&chess).expect("the table is there");
        let won = matches!((wdl, turn == weak), (Wdl::Win, false) | (Wdl::Loss, true));
        let told = krkp::rook_wins(weak, pawn, weak_king, rook, king, turn);
        assert!(won || !told, "{weak} {pawn} {weak_king} {rook} {king} {turn}");
        wins += u32::from(won);
        others += u32::from(!won);
        missed += u32::from(won && !told);
    }
    assert!(wins > 100_000 && others > 20_000 && missed * 200 < wins, "{wins} {others} {missed}");
}
