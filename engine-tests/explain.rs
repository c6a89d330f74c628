//! Explanations: a breakdown adds up to the score, and every term has words.

use std::collections::HashSet;
use std::path::Path;

use freshet::board::Position;
use freshet::chess::{Bitboard, Color};
use freshet::eval::phased::Phased;
use freshet::eval::terms::{TERMS, TermGroup, Terms};
use freshet::eval::{Evaluator, FULL_PHASE, evaluate, trace};
use freshet::explain::breakdown::{Breakdown, RESULTS, Section};
use freshet::explain::json::json;
use freshet::explain::moves::Explainer;
use freshet::explain::pictures::{self, PICTURES, svg, text};
use freshet::explain::sensitivity::{self, sensitivity};
use freshet::explain::table::{TableOptions, table};
use freshet::wdl::{hidden, shown};
use freshet::{page, service};
use serde_json::Value;

use crate::support::{Folder, breakdown_of, position, random, random_game, suite};

/// More than a thousand positions: random games from the start, endings with locked pawns, and
/// endings that are known.
fn positions() -> Vec<Position> {
    let mut random = random(21);
    let mut positions = Vec::new();
    for _ in 0..12 {
        random_game(&mut random, Position::START, |position| positions.push(position.clone()));
    }
    let endings = ["blocked", "blocked_minor", "blocked_in_check"];
    for line in endings.iter().flat_map(|name| suite(name)) {
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        positions.push(position(&fen.join(" ")));
    }
    for fen in [
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",
        "8/8/8/8/1p6/1k6/8/K6R w - - 0 1",
        "7k/8/7P/8/8/8/6B1/6K1 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 b - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQ4/8/8/8/k7/7K b - - 0 1",
        "QQQQQQQQ/Q7/8/8/8/8/k7/7K b - - 0 1",
        "8/8/8/8/8/1k6/8/KR5n b - - 0 1",
    ] {
        positions.push(position(fen));
    }
    assert!(positions.len() > 1000);
    positions
}

#[test]
fn breakdowns_add_up_to_the_score() {
    for position in positions() {
        let (breakdown, fen) = (breakdown_of(&position), position.fen());
        let score = evaluate(&position).for_white(position.turn());
        assert_eq!(breakdown.total, shown(score.raw()), "{fen}");
        assert_eq!(breakdown.rows.len(), TERMS.len() + RESULTS.len());
        let sum: i32 = breakdown.rows.iter().map(|row| row.cp).sum();
        assert_eq!(sum, breakdown.total, "{fen}");
        let by_section: i32 = Section::all()
            .map(|section| breakdown.section(section).map(|row| row.cp).sum::<i32>())
            .sum();
        assert_eq!(by_section, breakdown.total, "{fen}");
        for row in &breakdown.rows {
            assert_eq!(row.cp, row.white.cp - row.black.cp, "{fen} {}", row.name);
            let error = (f64::from(row.cp) - row.exact()).abs();
            assert!(error <= 1.5, "{fen} {}: {} for {}", row.name, row.cp, row.exact());
        }
        // Before rounding, they differ only by the evaluation's own rounding.
        let exact: f64 = breakdown.rows.iter().map(|row| row.exact()).sum();
        assert!((exact - f64::from(breakdown.total)).abs() < 1.6, "{fen}: {exact}");
    }
}

#[test]
fn parts_add_up_to_their_rows() {
    for position in positions().iter().step_by(7) {
        for row in &breakdown_of(position).rows {
            for side in Color::ALL {
                let (share, fen) = (row.share(side), position.fen());
                let parts = || row.parts.iter().filter(|part| part.side == side);
                let exact: f64 = parts().map(|part| part.exact).sum();
                assert!((exact - share.exact).abs() < 1e-6, "{fen} {}", row.name);
                assert_eq!(parts().map(|part| part.count).sum::<i32>(), share.count);
                let squares = parts().fold(Bitboard::EMPTY, |all, part| all | part.squares);
                assert_eq!(squares, share.squares, "{fen} {}", row.name);
            }
        }
    }
}

/// Swapping the colours swaps both sides' columns, and changes nothing else.
#[test]
fn breakdowns_are_the_same_for_both_colours() {
    for position in positions().iter().step_by(5) {
        let breakdown = breakdown_of(position);
        let other = breakdown_of(&position.mirrored());
        for (row, mirrored) in breakdown.rows.iter().zip(&other.rows) {
            let what = format!("{} {}", position.fen(), row.name);
            assert!((row.exact() + mirrored.exact()).abs() < 1e-6, "{what}");
            let other = mirrored.black.squares.flip_vertical();
            assert_eq!(row.white.squares, other, "{what}");
        }
    }
}

#[test]
fn every_term_has_words() {
    let mut names = Vec::new();
    Terms::all(0).each(|group, name, row| names.push((group, name, row.len())));
    let described: Vec<_> = TERMS.iter().map(|info| (info.group, info.name, info.size)).collect();
    assert_eq!(names, described);
    let words = TERMS.iter().map(|info| (info.name, info.title, info.legend));
    let words: Vec<_> = words.chain(RESULTS.map(|i| (i.name, i.title, i.legend))).collect();
    let titles: HashSet<&str> = words.iter().map(|(_, title, _)| *title).collect();
    assert_eq!(titles.len(), words.len(), "no two have the same title");
    for (name, title, legend) in words {
        assert!(title.len() <= 42 && !title.contains('_') && !title.is_empty(), "{name}");
        assert!(legend.starts_with(|c: char| c.is_uppercase()), "{name}");
        assert!(legend.ends_with('.') && legend.len() <= 120, "{name}: {legend}");
        assert_eq!(legend.matches(". ").count(), 0, "{name}: one sentence");
        for code in ["psqt", "ring", "xray", "span", "_", "mg", "eg "] {
            let has = legend.split([' ', ',', '.']).any(|word| word == code.trim());
            assert!(!has, "{name}: {code} is no word of chess players");
        }
    }
}

/// The values by square add up to their groups.
#[test]
fn square_values_add_up_to_their_groups() {
    for position in positions().iter().step_by(20) {
        let sum =
            trace(position).square_values.into_iter().fold(Phased::ZERO, |sum, value| sum + value);
        let breakdown = breakdown_of(position);
        let groups = [TermGroup::Squares, TermGroup::Fills].map(Section::Group);
        let rows = || groups.into_iter().flat_map(|group| breakdown.section(group));
        let mg: f64 = rows().map(|row| row.white.mg - row.black.mg).sum();
        let eg: f64 = rows().map(|row| row.white.eg - row.black.eg).sum();
        let shown = [sum.mg(), sum.eg()].map(|value| f64::from(value) / hidden(1));
        // With more pieces than a game can have, only material counts.
        if breakdown.row("king_psqt").is_some_and(|row| row.white.count == 1) {
            assert!((mg - shown[0]).abs() < 1e-6 && (eg - shown[1]).abs() < 1e-6, "{position}");
        }
    }
}

#[test]
fn json_follows_its_schema() {
    let schema = include_str!("../docs/eval.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for position in positions().iter().step_by(40) {
        let value: Value =
            serde_json::from_str(&json(position, &mut Evaluator::new(), false)).expect("JSON");
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{position}: {errors:?}");
        let rows = value["rows"].as_array().expect("rows");
        let sum: i64 = rows.iter().filter_map(|row| row["cp"].as_i64()).sum();
        assert_eq!(Some(sum), value["score"].as_i64(), "{position}");
        assert_eq!(
            serde_json::from_str::<Value>(&json(position, &mut Evaluator::new(), true))
                .expect("JSON"),
            value
        );
    }
    // The schema refuses what it should.
    let mut value: Value =
        serde_json::from_str(&json(&Position::start(), &mut Evaluator::new(), false))
            .expect("JSON");
    value["rows"][0]["white"]["squares"][0] = "a9".into();
    assert!(!validator.is_valid(&value));
}

#[test]
fn pictures_of_the_examples() {
    for info in &PICTURES {
        let picture = info.example(&mut Evaluator::new());
        let drawn = text::draw(&picture, text::Symbols::Unicode);
        let drawn = anstream::adapter::strip_str(&drawn).to_string();
        assert!(drawn.lines().skip(1).all(|line| line.chars().count() <= 104), "{drawn}");
        insta::assert_snapshot!(format!("fills_{}", info.name), drawn);
        let ascii = text::draw(&picture, text::Symbols::Ascii);
        assert!(ascii.is_ascii(), "{ascii}");
    }
}

/// In any position, and as SVG without anything from outside.
#[test]
fn pictures_of_any_position() {
    for position in positions().iter().step_by(25) {
        for info in &PICTURES {
            let picture = info.of(position, Bitboard::EMPTY, &mut Evaluator::new());
            assert!(!picture.boards.is_empty());
            let drawn = svg::draw(&picture);
            assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>"));
            assert_eq!(drawn.matches("http").count(), 1, "only the name space");
            assert_eq!(drawn.matches("<use ").count(), {
                let pieces = |board: &pictures::Board| board.pieces.0.iter().flatten().count();
                picture.boards.iter().map(pieces).sum::<usize>()
            });
        }
    }
}

/// The king cannot enter b8 or a8, which Kb7 guards.
#[test]
fn a_king_guards_the_path_of_its_pawn() {
    let passers = PICTURES.iter().find(|info| info.name == "passers").expect("a picture");
    let picture = passers.of(
        &position("8/1K1k4/8/P7/8/8/8/8 b - - 0 1"),
        Bitboard::EMPTY,
        &mut Evaluator::new(),
    );
    let drawn = text::draw(&picture, text::Symbols::Ascii);
    assert!(drawn.contains("Black's king cannot reach a8"), "{drawn}");
}

/// The derivatives match the formulas: a term counted for White changes the score by its count per
/// unit of weight.
#[test]
fn sensitivities_of_plain_sums_are_counts() {
    for position in positions().iter().step_by(30) {
        let (found, trace) = (sensitivity(position, &mut Evaluator::new()), trace(position));
        let share = f64::from(trace.steps.phase) / f64::from(FULL_PHASE);
        let scale = f64::from(trace.steps.sums.scale) / 64.0;
        for weight in &found.weights {
            let info = &TERMS[weight.term];
            let plain = info.group.purpose() == freshet::eval::terms::Purpose::Value;
            if found.is_decided || !plain {
                continue;
            }
            let count = found.left * f64::from(weight.white - weight.black) / hidden(1);
            let what = format!("{position} {}", weight.name());
            assert!((weight.mg - count * share).abs() < 1e-6, "{what}");
            // A capped initiative takes away half of what the endgame gains.
            let eg = count * (1.0 - share) * scale;
            let is_eg = |eg: f64| (weight.eg - eg).abs() < 1e-6;
            assert!(is_eg(eg) || is_eg(eg / 2.0), "{what}");
        }
        let strengths: Vec<f64> = found.weights.iter().map(|weight| weight.strength()).collect();
        assert!(strengths.is_sorted_by(|a, b| a >= b));
    }
    let ending = position("8/5k2/4p1p1/3bP1P1/1p1P4/1P2B3/4K3/8 w - - 0 1");
    insta::assert_snapshot!(sensitivity::table(&ending, &mut Evaluator::new(), 12));
}

/// The proof of a wall against two pieces takes time, so only an immediate evaluation lacks it.
#[test]
fn walls_against_two_pieces_are_explained() {
    let wall = position("1k6/6p1/5pPp/N1p1pP1P/1pPpP3/pP1P1B2/P7/7K b - - 0 1");
    assert!(breakdown_of(&wall).total > 500);
    assert_eq!(Breakdown::with_walls(&wall, &mut Evaluator::new()).total, 0);
    assert!(
        table(&wall, &mut Evaluator::new(), TableOptions::default())
            .contains("Final evaluation: 0.00")
    );
    let value: Value =
        serde_json::from_str(&json(&wall, &mut Evaluator::new(), false)).expect("JSON");
    assert_eq!(value["score"], 0);
    let data = recorded(&service::page_of_position(&wall, 100, None, &()).expect("a page"));
    let evaluation = &data["evaluations"]["1k6/6p1/5pPp/N1p1pP1P/1pPpP3/pP1P1B2/P7/7K b"];
    assert_eq!(evaluation[0], 0);
    assert!(evaluation[2][0].as_str().is_some_and(|line| line.starts_with("Wall: ")));
    assert!(sensitivity(&wall, &mut Evaluator::new()).is_decided);
    let mut explainer = Explainer::new(500, None).expect("memory");
    let [holds, loses] = ["Kc7", "Ka7"].map(|san| wall.parse_san(san).expect("a legal move"));
    assert!(explainer.explain(&wall, holds).contains("goes from 0.00 here to 0.00"));
    assert!(explainer.why(&wall, [holds, loses]).contains("no longer counts: wall"));
}

/// A page holds its data as JSON, which no player's name can break out of.
#[test]
fn pages_are_self_contained() {
    let folder = Folder::new("page");
    let tags = "[White \"</script><b>A\"]\n[Black \"B & \\\"C\\\"\"]\n\n";
    let games = folder.write("games.pgn", &format!("{tags}1. f3 e5 2. g2g4 Qh4# 0-1\n"));
    let of_games = |file: &str, number| {
        page::of_games(Path::new(file), number, 200, None, &(), &mut |_| panic!("all are whole"))
    };
    let page = of_games(&games, None).expect("a page");
    assert!(page.contains("<title>&#60;/script&#62;&#60;b&#62;A – B &#38; &#34;C&#34;</title>"));
    assert_eq!(page.matches("</script>").count(), 2);
    let data = recorded(&page);
    let pgn = data["start"]["pgn"].as_str().expect("games");
    assert!(pgn.contains("g4 $4 {[%eval #-1] Blunder: "), "{pgn}");
    let evaluations = data["evaluations"].as_object().expect("evaluations");
    assert_eq!(evaluations.len(), 5);
    for evaluation in evaluations.values() {
        let rows = evaluation[1].as_array().expect("rows");
        let difference = |row: &Value| Some(row[1].as_i64()? - row[2].as_i64()?);
        assert_eq!(rows.iter().filter_map(difference).sum::<i64>(), evaluation[0]);
    }
    assert!(of_games(&games, Some(2)).is_err());
    let atomic = folder.write("atomic.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n");
    let error = of_games(&atomic, Some(1)).expect_err("another game").to_string();
    assert!(error.ends_with("the variant Atomic is not chess"), "{error}");
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let data = recorded(&service::page_of_position(&stalemate, 10, None, &()).expect("a page"));
    assert_eq!(data["answers"]["analyse 7k/5Q2/6K1/8/8/8/8/8 b"], serde_json::json!([]));
    assert!(
        table(&stalemate, &mut Evaluator::new(), TableOptions::default())
            .contains("over by stalemate")
    );
}

/// The page of a position answers what the board asks there: lines, their reasons, the threat and
/// all pictures.
#[test]
fn pages_of_positions_have_the_answers() {
    let fen = "r2q1rk1/1p2bppp/p1n1b3/3pPp2/3P4/PQN1BN2/1P3PPP/R4RK1 w - - 2 14";
    let data =
        recorded(&service::page_of_position(&position(fen), 5000, None, &()).expect("a page"));
    let place = fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let answer = |key: String| data["answers"][&key][0].clone();
    let lines = answer(format!("analyse {place}"))["lines"].clone();
    assert_eq!(lines.as_array().map(Vec::len), Some(3));
    for line in lines.as_array().into_iter().flatten() {
        let told =
            answer(format!("explain {place} {}", line["moves"][0].as_str().expect("a move")));
        assert_eq!(told["explanation"]["move"], line["sans"][0]);
    }
    assert_eq!(answer(format!("threat {place}"))["type"], "threat");
    let pictures = answer(format!("fills {place}"))["pictures"].clone();
    for picture in pictures.as_array().expect("pictures") {
        let name = picture["name"].as_str().expect("a name");
        assert_eq!(answer(format!("fills {place} {name}"))["type"], "picture", "{name}");
    }
}

/// What is written into a page.
fn recorded(page: &str) -> Value {
    let data = page.split("FRESHET_PAGE = ").nth(1);
    let data = data.and_then(|rest| rest.split(";</script>").next());
    serde_json::from_str(data.expect("the data")).expect("JSON")
}
