//! Every form of `go`.

use std::time::{Duration, Instant};

use super::{Engine, SOON};

/// Every form of `go` is answered with a legal move.
#[test]
fn every_go_is_answered() {
    let mut engine = Engine::start();
    let mut mover = |go: &str| {
        let start = Instant::now();
        let best = engine.best(go);
        assert!(best.len() >= 4 && best != "0000" && best != "(none)", "{go}: {best}");
        (best, start.elapsed())
    };
    for go in [
        "go wtime 100",
        "go btime 100 winc 0 binc 0 wtime 100",
        "go wtime -50 btime -50",
        "go wtime 0 btime 0",
        "go wtime 1 winc 0",
        "go movetime 1",
        "go movestogo 1 wtime 200",
        "go nodes 1",
        "go depth 1",
        "go depth 0",
        "go searchmoves 0000 depth 3",
        "go foo bar depth 3",
        "go depth 9999 movetime 20",
        "go depth 5 nodes 100 movetime 50",
        "go movetime -1",
        "go nodes 0",
        "go mate 0",
        "go movestogo 0 wtime 300",
        "go depth abc wtime 100",
        "go wtime btime 100 wtime 100",
        "go depth 99999999999999999999999 movetime 30",
    ] {
        let (_, time) = mover(go);
        assert!(time < SOON, "{go}: {time:?}");
    }
    assert_eq!(mover("go searchmoves a2a3 depth 2").0, "a2a3");
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    assert_eq!(engine.best("go mate 1"), "a1a8");
    // One legal move and a clock: no time is spent.
    engine.send("position fen 7k/6pp/8/8/8/8/r7/r5K1 w - - 0 1");
    engine.send("position fen k7/8/8/8/8/8/1r6/K7 w - - 0 1");
    let start = Instant::now();
    assert_eq!(engine.best("go wtime 6000000"), "a1b2");
    assert!(start.elapsed() < SOON);
    // More time than fits.
    engine.send("go wtime 2147483653");
    engine.send("stop");
    engine.best_move(SOON);
}

/// An infinite search that has ended by itself waits for `stop`, and the GUI may ask before.
#[test]
fn isready_is_answered_before_stop() {
    let mut engine = Engine::start();
    engine.send("position fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(200));
    engine.ready();
    engine.send("stop");
    engine.best_move(SOON);
    engine.ready();
}

/// Roots at which the game is over or drawn.
#[test]
fn finished_games() {
    let mut engine = Engine::start();
    for fen in ["8/8/8/8/8/2k5/1q6/K7 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        engine.send(&format!("position fen {fen}"));
        assert_eq!(engine.best("go depth 3"), "(none)");
    }
    for fen in ["8/8/8/4k3/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 100 90"] {
        engine.send(&format!("position fen {fen}"));
        let best = engine.best("go depth 5");
        assert!(best.starts_with("e1") || best.starts_with("e2"), "{best}");
    }
    engine.send("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(engine.best("go depth 5").len(), 4);
}

/// More moves than most have ever seen, each with a line.
#[test]
fn very_many_moves() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 256");
    engine.send("position fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    engine.send("go depth 1");
    let lines = engine.until("bestmove", SOON);
    assert_eq!(lines.iter().filter(|line| line.contains(" multipv ")).count(), 218);
}

/// A mate on the hundredth ply is a mate, not a draw.
#[test]
fn mate_on_the_last_move_of_fifty() {
    let mut engine = Engine::start();
    engine.send("position fen 7k/8/6K1/8/8/8/8/R7 w - - 99 90");
    engine.send("go depth 6");
    let lines = engine.until("bestmove a1a8", SOON);
    assert!(lines[lines.len() - 2].contains("score mate 1 "), "{lines:#?}");
    engine.send("position fen 7k/8/5K2/8/8/8/8/R7 w - - 99 90");
    engine.send("go depth 6");
    let lines = engine.until("bestmove", SOON);
    assert!(lines[lines.len() - 2].contains("score cp "), "too late: {lines:#?}");
}

/// Whichever limit is reached first.
#[test]
fn the_first_limit_counts() {
    let mut engine = Engine::start();
    let start = Instant::now();
    engine.send("go infinite depth 3");
    std::thread::sleep(Duration::from_millis(100));
    engine.send("stop");
    let lines = engine.until("bestmove", SOON);
    assert!(lines.iter().all(|line| !line.starts_with("info depth 4 ")), "{lines:#?}");
    engine.best("go depth 50 nodes 2000 movetime 60000");
    engine.best("go depth 2 nodes 2000000000 wtime 6000000");
    engine.best("go movetime 30 wtime 6000000 depth 90");
    assert!(start.elapsed() < 2 * SOON);
}

/// What is not understood is reported, and never taken for something else.
#[test]
fn words_without_sense_are_reported() {
    let mut engine = Engine::start();
    for (go, problem) in [
        ("go depth abc", "go: depth needs a number"),
        ("go depth", "go: depth needs a number"),
        ("go wtime btime 100 wtime 100", "go: wtime needs a number"),
        ("go deepth 3", "go: \"deepth\" is not understood"),
        ("go searchmoves e2e5 depth 1", "searchmoves: e2e5 is not legal"),
    ] {
        engine.send(go);
        let lines = engine.until("bestmove", SOON);
        assert_eq!(lines[0], format!("info string error: {problem}"), "{go}");
    }
    for (line, problem) in [
        ("go perft", "go perft needs a depth"),
        ("go perft depth", "go perft needs a depth"),
        (
            "position startpos e2e4",
            "position: \"e2e4\" is not understood, moves come after the word moves; \
             the position before is kept",
        ),
    ] {
        engine.send(line);
        let lines = engine.ready();
        assert_eq!(lines[0], format!("info string error: {problem}"), "{line}");
        assert_eq!(lines.len(), 2, "{line}: {lines:#?}");
    }
}

/// After `ponderhit` the GUI is shown depth and score again before the move.
#[test]
fn a_pondered_move_has_a_line() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 300 btime 300");
    std::thread::sleep(Duration::from_millis(600));
    engine.ready();
    engine.send("ponderhit");
    let lines = engine.until("bestmove", SOON);
    let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
    let line = lines.iter().find(|line| line.starts_with("info depth")).expect("a line");
    assert!(line.contains(&format!(" pv {best}")), "{lines:#?}");
}

/// `go mate` finds short mates at once, ends when one is found, and ends with some move where there
/// is none.
#[test]
fn mates_are_found_at_once() {
    let mut engine = Engine::start();
    for (fen, mate, best) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2, "d2h6"),
        ("1K1k4/8/8/5N2/3p4/p2B4/P6B/8 w - - 0 1", 2, "d3b5"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "a1a8"),
    ] {
        for asked in [mate, mate + 1] {
            engine.send("ucinewgame");
            engine.send(&format!("position fen {fen}"));
            engine.send(&format!("go mate {asked}"));
            let lines = engine.until(&format!("bestmove {best}"), SOON);
            let line = &lines[lines.len() - 2];
            assert!(line.contains(&format!(" score mate {mate} ")), "{fen}: {line}");
            let nodes = line.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next());
            let nodes: u32 = nodes.and_then(|nodes| nodes.parse().ok()).expect("nodes");
            assert!(nodes < 1000, "{fen}: {nodes} nodes");
        }
    }
    engine.send("position startpos");
    assert_eq!(engine.best("go mate 3").len(), 4);
}
