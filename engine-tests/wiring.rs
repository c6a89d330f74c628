//! Checks the code that passes on a side, a ply or a piece type: from the search to the table, from
//! the board to scale factors and chances, from files to their users.

use std::path::PathBuf;
use std::process::Command;

use freshet::board::{Epd, Position};
use freshet::chess::{Color, Role};
use freshet::engine::Engine;
use freshet::eval::{evaluate, trace};
use freshet::known::Knowledge;
use freshet::known::fortress::flood::confinement_within;
use freshet::pgn::{Reader, write};
use freshet::score::Score;
use freshet::search::{Limits, TranspositionTable};
use freshet::tuning::data::{self, Record};
use freshet::wdl::{MaterialClass, hidden};

use crate::support::{Folder, position};

/// Runs the program, which must succeed, and returns what it has printed.
fn output(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_freshet"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The table after a search of this position.
fn table_after(position: &Position, limits: &Limits) -> TranspositionTable {
    let folder = Folder::new("wiring table");
    let path = folder.0.join("hash");
    let mut engine = Engine::new(1, 1).expect("one MiB");
    engine.search(position, limits);
    engine.save_table(&path).expect("it can be written");
    let mut table = TranspositionTable::new(1).expect("one MiB");
    table.load(&path).expect("it can be read");
    table
}

/// Calls `visit` with all positions that the table leads to within this many plies.
fn for_each_in_table(
    position: &mut Position,
    plies: u32,
    table: &TranspositionTable,
    visit: &mut impl FnMut(&Position),
) {
    visit(position);
    if plies == 0 || table.probe(position.key()).is_none() {
        return;
    }
    for m in position.moves() {
        position.play(m);
        for_each_in_table(position, plies - 1, table, visit);
        position.undo();
    }
}

/// A side that is mated on the board has a mate in zero in the table, at whatever ply the search
/// met it.
#[test]
fn the_table_counts_mates_from_the_position() {
    let mut mated = 0;
    for fen in [
        "6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1",
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
        "3r1r1k/1p4pp/8/4N3/8/1Q6/PP4PP/6K1 w - - 0 1",
        "6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1",
    ] {
        let mut root = position(fen);
        let table = table_after(&root, &Limits::nodes(20_000));
        for_each_in_table(&mut root, 5, &table, &mut |position| {
            let over = position.checkers().any() && position.moves().is_empty();
            if let Some(entry) = table.probe(position.key()).filter(|_| over) {
                assert_eq!(entry.score(0), Score::mated_in(0), "{}", position.fen());
                mated += 1;
            }
        });
    }
    assert!(mated > 5, "{mated} positions");
}

/// A pawn that promotes by capture gets through a wall even if its file is blocked, so nothing may
/// claim that its side cannot win.
#[test]
fn a_pawn_that_captures_and_promotes_refutes_a_wall() {
    // White's rooks and king are behind the wall, and a knight stops the pawn.
    let wall = "1k4nr/6P1/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/RRR1K3 w - - 0 1";
    for fen in [wall, &wall.replace(" w ", " b ")] {
        let board = position(fen);
        for (position, attacker) in [(board.mirrored(), Color::Black), (board, Color::White)] {
            let fen = position.fen();
            assert!(confinement_within(&position, attacker, 100_000).is_none(), "{fen}");
            assert!(!Knowledge::new().cannot_win(&position, attacker), "{fen}");
            assert!(!trace(&position).steps.cannot_win, "{fen}");
            assert_ne!(evaluate(&position), Score::DRAW, "{fen}");
        }
    }
    let mut engine = Engine::new(1, 1).expect("one MiB");
    let result = engine.search(&position(wall), &Limits::depth(6));
    assert_eq!(result.line[0].to_string(), "g7h8q");
    assert!(result.score > Score::cp(500), "{}", result.score);
    // Without the rook there is nothing to capture, and it is a wall.
    let closed = position(&wall.replace("1k4nr", "1k4n1"));
    assert!(Knowledge::new().cannot_win(&closed, Color::White));
    assert_eq!(evaluate(&closed), Score::DRAW);
}

/// Any piece other than king and pawn makes a class other than pawn endings.
#[test]
fn every_piece_counts_in_the_material_class() {
    let class = |fen: &str| MaterialClass::of(&position(fen));
    assert_eq!(class("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"), MaterialClass::PawnEnding);
    for (role, points) in [('n', 3), ('b', 3), ('r', 5), ('q', 9)] {
        for letter in [role, role.to_ascii_uppercase()] {
            let fen = format!("4k3/p7/{letter}7/8/8/8/P7/4K3 w - - 0 1");
            assert_eq!(class(&fen), MaterialClass::Material(2 + points), "{fen}");
            let record = Record::new(&position(&fen), Score::DRAW);
            assert_eq!(record.class(), MaterialClass::Material(2 + points), "{fen}");
        }
    }
    let record = Record::new(&position("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"), Score::DRAW);
    assert_eq!(record.class(), MaterialClass::PawnEnding);
    assert_eq!(class(Position::START), MaterialClass::Material(78));
    assert_eq!(class("4k3/8/8/8/8/8/8/2N1K1N1 w - - 0 1"), MaterialClass::Material(6));
    for dead in ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1"] {
        assert_eq!(class(dead), MaterialClass::Dead, "{dead}");
    }
}

/// A variation that is nothing but a comment is part of the game: it is read, written as it was
/// read, and kept by `annotate`.
#[test]
fn variations_of_a_comment_alone_are_kept() {
    let text = "[Event \"x\"]\n\n1. e4 ({why not d4}) e5 (c5 ({or this})) ({one} {two}) 2. Nf3 *\n";
    let mut reader = Reader::new(text.as_bytes());
    let game = reader.next_game().expect("it can be read").expect("a game");
    assert_eq!(game.problem, None);
    let line = game.main_line().expect("legal moves");
    assert_eq!(line.moves.len(), 3);
    let comments = |index: usize, variation: usize| {
        let variation = &game.moves.nodes[index].variations[variation];
        (variation.nodes.len(), variation.comments.clone())
    };
    let one = |text: &str| vec![text.to_string()];
    assert_eq!(comments(0, 0), (0, one("why not d4")));
    assert_eq!(comments(1, 0), (1, Vec::new()));
    let inner = &game.moves.nodes[1].variations[0].nodes[0].variations;
    assert_eq!((inner.len(), &inner[0].comments), (1, &one("or this")));
    assert_eq!(comments(1, 1), (0, vec!["one".to_string(), "two".to_string()]));

    let mut movetext = write::Movetext::new();
    write::add_line(&mut movetext, &line.start, &game.moves).expect("legal moves");
    let written = movetext.finish("*");
    let folder = Folder::new("comment variations");
    let annotated = output(&["annotate", "--nodes", "200", &folder.write("games.pgn", text)]);
    for (what, text) in [("written", written), ("annotated", annotated)] {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["({why not d4})", "({or this})", "({one} {two})"] {
            assert_eq!(words.matches(part).count(), 1, "{what}: {part} in {text}");
        }
    }
}

/// The own scores of a game belong to the player's moves, whichever side begins: for White in
/// centipawns, with the side to move of each move.
#[test]
fn own_scores_are_those_of_the_mover() {
    let moves = [
        ("e5", "+0.40", Color::Black),
        ("Nf3", "-3.00", Color::White),
        ("Nc6", "+0.20", Color::Black),
        ("Bb5", "-5.00", Color::White),
        ("a6", "-0.30", Color::Black),
        ("Ba4", "+7.00", Color::White),
    ];
    let movetext: Vec<String> =
        moves.iter().map(|(san, score, _)| format!("{san} {{{score}/9 0.1s}}")).collect();
    let folder = Folder::new("black begins");
    let path = PathBuf::from(folder.file("games.pgn"));
    for (white, black, own) in [
        ("Other", "Freshet 0.1", &[Color::Black][..]),
        ("Freshet 0.1", "Other", &[Color::White]),
        ("Freshet 0.1", "Freshet 0.2", &Color::ALL),
    ] {
        let game = format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n\
             [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n{} 1/2-1/2\n",
            movetext.join(" ")
        );
        std::fs::write(&path, game).expect("a file");
        let records = data::read(&path, None).expect("a game");
        let read: Vec<(Color, i32)> = records
            .iter()
            .map(|record| (record.position().expect("legal").turn(), record.score()))
            .collect();
        let expected: Vec<(Color, i32)> = moves
            .iter()
            .filter(|(_, _, side)| own.contains(side))
            .map(|&(_, score, side)| {
                let shown = (100.0 * score.parse::<f64>().expect("a number")).round() as i32;
                let white = if side == Color::White { shown } else { -shown };
                (side, hidden(white).round() as i32)
            })
            .collect();
        assert_eq!(read, expected, "{white} - {black}");
    }
}

/// A null move is a ply without capture or pawn move: the fifty-move counter goes on, and undoing
/// restores it.
#[test]
fn a_null_move_counts_for_the_fifty_move_rule() {
    for (fifty, drawn) in [(0, false), (37, false), (98, false), (99, true), (100, true)] {
        let mut position = position(&format!("4k3/8/8/8/8/8/4P3/R3K3 w - - {fifty} 80"));
        let before = position.fen();
        position.play_null();
        assert_eq!((position.fifty(), position.turn()), (fifty + 1, Color::Black));
        assert_eq!(position.is_fifty_move_draw(), drawn, "{fifty}");
        position.play(position.parse_uci("e8d8").expect("a legal move"));
        assert_eq!(position.fifty(), fifty + 2);
        position.play_null();
        position.play(position.parse_uci("d8e8").expect("a legal move"));
        // The board and the side to move of the second ply, but null moves lie between.
        assert!(!position.has_repeated() && !position.is_repetition(4), "{fifty}");
        for _ in 0..4 {
            position.undo();
        }
        assert_eq!(position.fen(), before);
    }
}

/// The counts of the scale terms of the side ahead, White, by name, and the scale factor.
fn scales(fen: &str) -> (Vec<&'static str>, i32) {
    let trace = trace(&position(fen));
    let mut names = Vec::new();
    trace.counts.white.each(|_, name, row| {
        if name.starts_with("scale") && row.iter().any(|&count| count != 0) {
            names.push(name);
        }
    });
    (names, trace.steps.sums.scale)
}

/// An extra pawn counts for less with opposite-coloured bishops than with bishops of one colour.
/// The positions differ only by one step of a bishop.
#[test]
fn opposite_coloured_bishops_are_scaled_and_others_are_not() {
    for (pieces, opposite, term) in [
        (
            "4k3/1p4pp/8/8/8/1B6/PP4PP/4K3",
            [("3b4", true), ("2b5", false)],
            "scale_opposite_bishops",
        ),
        (
            "4k2r/1p4pp/8/8/8/1B6/PP4PP/R3K3",
            [("3b4", true), ("2b5", false)],
            "scale_opposite_bishops_plus",
        ),
    ] {
        let [(with, factor), (without, full)] = opposite.map(|(rank, is_opposite)| {
            // The black bishop on d6 or c6: the white one on b3 is light-squared.
            let fen =
                format!("{} w - - 0 1", pieces.replacen("/8/8/8/", &format!("/{rank}/8/8/"), 1));
            let board = position(&fen);
            let [white, black] = Color::ALL.map(|side| board.set(side, Role::Bishop));
            let light = freshet::chess::Bitboard::LIGHT_SQUARES;
            assert_eq!(white.intersects(light) != black.intersects(light), is_opposite, "{fen}");
            scales(&fen)
        });
        assert_eq!(with, [term], "opposite colours");
        assert!(!without.iter().any(|name| name.contains("bishops")), "same colour: {without:?}");
        assert!(factor < full, "{term}: {factor} of 64 and {full}");
    }
}

/// The last operation of an EPD line needs no semicolon.
#[test]
fn the_last_operation_needs_no_semicolon() {
    let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for (text, expected) in [
        ("bm Kd2; id \"x\"", &[("bm", "Kd2"), ("id", "x")][..]),
        ("bm Kd2; id \"x\";", &[("bm", "Kd2"), ("id", "x")]),
        ("bm Kd2", &[("bm", "Kd2")]),
        ("0 1 id \"a; b\"", &[("id", "a; b")]),
        (";D1 6 ;D2 30", &[("D1", "6"), ("D2", "30")]),
        ("draw_offer", &[("draw_offer", "")]),
    ] {
        let epd: Epd = format!("{board} {text}").parse().expect("a position");
        let operations: Vec<(&str, &str)> =
            epd.operations.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(operations, expected, "{text}");
    }
    // The last term counted is checked too.
    let folder = Folder::new("last operation");
    let suite = folder.write("suite.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 26\n");
    let run = Command::new(env!("CARGO_BIN_EXE_freshet"))
        .args(["perft", "--suite", &suite])
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(told.starts_with("line 1: depth 2: 25 instead of 26"), "{told}");
    assert_eq!(run.status.code(), Some(1));
}
