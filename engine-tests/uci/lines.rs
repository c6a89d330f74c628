//! Lines of input and output.

use std::time::{Duration, Instant};

use freshet::board::Position;

use super::{Engine, SOON};

#[test]
fn says_who_it_is() {
    let mut engine = Engine::start();
    engine.send("xboard");
    engine.send("uci");
    let lines = engine.until("uciok", SOON);
    assert!(lines.iter().any(|line| line.starts_with("id name Freshet ")));
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    for name in ["Hash", "Threads", "Ponder", "Move Overhead", "UCI_Chess960", "Clear Hash"] {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))),
            "{name}"
        );
    }
    engine.send("uci");
    engine.until("uciok", SOON);
}

/// Lines with any line ending, blanks, unknown words before a command, and names in any case.
#[test]
fn lines_in_any_form() {
    let mut engine = Engine::start();
    engine.send_bytes(b"isready\r\n");
    engine.until("readyok", SOON);
    engine.send_bytes(b"\t  isready  \n");
    engine.until("readyok", SOON);
    engine.send("joho isready");
    engine.until("readyok", SOON);
    for (option, fine) in [
        ("name Hash value abc", false),
        ("name Threads value -5", false),
        ("name Hash value 99999999999", false),
        ("name Nonsense value 3", false),
        ("name hash value 8", true),
        ("name THREADS value 2", true),
        ("name uci_chess960 value TRUE", true),
        ("name clear hash", true),
        ("Hash value 4", true),
        ("", false),
    ] {
        engine.send(&format!("setoption {option}"));
        assert_eq!(engine.ready().len() == 1, fine, "{option}");
    }
    // UCI_Chess960 was set above, so castling is written as king takes rook.
    engine.send("position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    engine.send("go perft 1");
    assert!(engine.until("Nodes searched", SOON).contains(&"e1h1: 1".to_string()));
}

/// The last line before `bestmove` begins with that move, even if the stopped iteration had just
/// found a better one. Its score is then a bound.
#[test]
fn the_best_move_is_that_of_the_last_line() {
    let mut engine = Engine::start();
    let mut bounds = 0;
    let mut check = |engine: &mut Engine, go: &str| -> String {
        engine.send(go);
        let lines = engine.until("bestmove", SOON);
        let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move").to_string();
        let last = lines.iter().rev().find(|line| line.contains(" multipv 1 ")).expect("a line");
        let first = last.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next());
        assert_eq!(first, Some(best.as_str()), "{go}: {lines:#?}");
        bounds += usize::from(last.contains(" lowerbound "));
        best
    };
    let fen = "r3k2r/2q2p2/p2bpPpp/1b1p4/1p1B1PPP/8/PPPQ4/1K1R1B1R w kq - 0 1";
    engine.send(&format!("position fen {fen}"));
    for nodes in (1_000..20_000).step_by(250) {
        engine.send("ucinewgame");
        check(&mut engine, &format!("go nodes {nodes}"));
    }
    // Games in which every search is stopped at some point.
    let (mut game, mut moves) = (Position::start(), String::new());
    for number in 0..60 {
        engine.send(&format!("position startpos moves{moves}"));
        let best = check(&mut engine, &format!("go nodes {}", 1500 + 37 * number));
        game.play(game.parse_uci(&best).expect("a legal move"));
        moves += &format!(" {best}");
        if game.moves().is_empty() {
            (game, moves) = (Position::start(), String::new());
        }
    }
    assert!(bounds > 0, "some iterations should be stopped after a better move was found");
}

/// The last line of a search that is not stopped is exact and begins with `bestmove`.
#[test]
fn the_last_line_is_exact() {
    let mut engine = Engine::start();
    for go in
        ["go wtime 100 btime 100", "go nodes 1", "go nodes 3000", "go movetime 40", "go depth 7"]
    {
        engine.send("position startpos moves e2e4 c7c5");
        engine.send(go);
        let lines = engine.until("bestmove", SOON);
        let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
        let info = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
        assert!(!info.contains("bound"), "{info}");
        assert_eq!(
            info.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next()),
            Some(best),
            "{go}"
        );
    }
}

/// With one thread the line before `bestmove` counts all nodes, including those of an unfinished
/// iteration.
#[test]
fn the_last_line_has_all_nodes() {
    let mut engine = Engine::start();
    for nodes in [3000, 12_345, 40_000] {
        engine.send("position startpos moves e2e4 c7c5");
        engine.send(&format!("go nodes {nodes}"));
        let lines = engine.until("bestmove", SOON);
        let info = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
        assert!(info.contains(&format!(" nodes {nodes} ")), "{info}");
    }
}

/// As many lines as there are moves, in order, with different first moves.
#[test]
fn several_lines() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 256");
    engine.send("position fen 7k/8/8/8/8/8/5PPP/6K1 w - - 0 1");
    engine.send("go depth 6");
    let lines = engine.until("bestmove", SOON);
    let field = |line: &str, name: &str| -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|word| *word == name).expect("the field");
        words[at + 1].to_string()
    };
    let deep: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("info depth 6 ")).collect();
    assert_eq!(deep.len(), 8, "{lines:#?}");
    let mut moves: Vec<String> = deep.iter().map(|line| field(line, "pv")).collect();
    for (index, line) in deep.iter().enumerate() {
        assert_eq!(field(line, "multipv"), (index + 1).to_string());
    }
    let scores: Vec<i32> =
        deep.iter().map(|line| field(line, "cp").parse().expect("a score")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert!(lines[lines.len() - 1].starts_with(&format!("bestmove {}", moves[0])));
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 8);
    engine.send("setoption name multipv value 1");
    engine.send("go depth 3");
    assert!(engine.until("bestmove", SOON).iter().all(|line| !line.contains("multipv 2")));
}

/// Chances add up, and a dead draw is one.
#[test]
fn chances_are_shown() {
    let mut engine = Engine::start();
    for option in ["UCI_ShowWDL", "Show WDL"] {
        engine.send(&format!("setoption name {option} value true"));
        let other = if option == "Show WDL" { "UCI_ShowWDL" } else { "Show WDL" };
        engine.send(&format!("setoption name {other} value false"));
        let mut before = -1;
        for fen in
            ["8/8/8/4k3/8/8/8/4KB2 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPPP3/4K3 w - - 0 1", Q_UP]
        {
            engine.send(&format!("position fen {fen}"));
            engine.send("go depth 5");
            let lines = engine.until("bestmove", SOON);
            let info = lines.iter().rev().find(|line| line.contains(" wdl ")).expect("chances");
            let wdl = info.split(" wdl ").nth(1).expect("chances");
            let wdl: Vec<i32> =
                wdl.split(' ').take(3).map(|word| word.parse().expect("a number")).collect();
            assert_eq!(wdl.iter().sum::<i32>(), 1000, "{info}");
            assert!(wdl[0] > before, "{info}");
            before = wdl[0];
            if fen.contains("4KB2") {
                assert_eq!(wdl, [0, 1000, 0], "{info}");
            }
        }
        engine.send(&format!("setoption name {option} value false"));
        engine.send("go depth 2");
        assert!(engine.until("bestmove", SOON).iter().all(|line| !line.contains("wdl")));
    }
}

const Q_UP: &str = "4k3/pppp4/8/8/8/8/PPPPP3/3QK3 w - - 0 1";

/// Minimal: one line per search, with everything the last one has.
#[test]
fn only_the_last_line() {
    let mut engine = Engine::start();
    engine.send("setoption name Minimal value true");
    engine.send("go depth 9");
    let lines = engine.until("bestmove", SOON);
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(lines[0].starts_with("info depth 9 "));
}

/// The engine answers `uci` at once after its start.
#[test]
fn starts_at_once() {
    let start = Instant::now();
    let mut engine = Engine::start();
    engine.send("uci");
    engine.until("uciok", SOON);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// No more lines than a GUI can read; no current moves before three seconds.
#[test]
fn few_lines() {
    let mut engine = Engine::start();
    for position in
        ["startpos", "fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1", "fen 8/8/8/8/8/8/4k3/K6r w - - 0 1"]
    {
        engine.send(&format!("position {position}"));
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(1000));
        engine.send("stop");
        let lines = engine.until("bestmove", SOON);
        assert!(lines.len() <= 120, "{position}: {}", lines.len());
        let last = lines.iter().rev().find_map(|line| line.split(" time ").nth(1)).expect("a time");
        let time: u32 = last.split(' ').next().expect("a word").parse().expect("a number");
        assert!(time >= 3000 || lines.iter().all(|line| !line.contains("currmove")), "{position}");
    }
}

/// The table fills, and is empty when it was cleared.
#[test]
fn the_table_fills() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    let mut hashfull = |before: &str| -> Vec<u32> {
        engine.send(before);
        engine.send("go nodes 60000");
        let lines = engine.until("bestmove", SOON);
        let words =
            lines.iter().filter_map(|line| line.split(" hashfull ").nth(1)?.split(' ').next());
        words.map(|word| word.parse().expect("a number")).collect()
    };
    for before in ["isready", "ucinewgame", "setoption name Clear Hash"] {
        let seen = hashfull(before);
        assert!(
            seen[0] < 5 && seen.is_sorted() && seen.iter().all(|&n| n <= 1000),
            "{before}: {seen:?}"
        );
        assert!(seen[seen.len() - 1] > 50, "{before}: {seen:?}");
    }
}

/// A mate in n has a line of 2 n - 1 or 2 n plies that ends in mate.
#[test]
fn lines_of_mates_end_in_mate() {
    let mut engine = Engine::start();
    for (fen, mate) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1),
        ("6k1/5ppp/8/8/8/8/1r6/R5K1 w - - 0 1", 2),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
        ("8/8/8/8/8/1k6/7r/K7 b - - 0 1", 1),
        ("7k/8/8/6K1/8/8/8/R7 w - - 0 1", 2),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
        ("4k3/8/4K3/8/8/8/8/3Q4 b - - 0 1", -2),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 16");
        let lines = engine.until("bestmove", SOON);
        let line = &lines[lines.len() - 2];
        assert!(line.contains(&format!(" score mate {mate} ")), "{fen}: {line}");
        let mut position = Position::from_fen(fen).expect("a FEN");
        let moves = line.split(" pv ").nth(1).expect("a line").split(' ');
        let mut plies = 0;
        for text in moves {
            position.play(position.parse_uci(text).expect("legal"));
            plies += 1;
        }
        assert!(position.moves().is_empty() && position.checkers().any(), "{fen}: {line}");
        assert_eq!(plies, if mate > 0 { 2 * mate - 1 } else { -2 * mate }, "{fen}");
    }
}
