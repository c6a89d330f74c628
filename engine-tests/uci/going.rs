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

/// Root positions in which the game is over or drawn.
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

/// A position with very many moves, each with a line.
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

/// Words that are not understood are reported, and never taken for something else.
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
             keeping the previous position",
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

/// `go mate` finds short mates at once, ends when it has found one, and ends with some move if
/// there is none.
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

/// If only one clock is given, it counts for the side to move, and a fraction counts as its whole
/// part. At the end of input such a search ends by itself.
#[test]
fn any_clock_ends_a_search() {
    for (position, go) in [
        ("startpos", "go btime 300"),
        ("startpos moves e2e4", "go wtime 300"),
        ("startpos", "go wtime 300.5 btime 300.25"),
        ("startpos", "go movetime 30.7"),
    ] {
        let mut engine = Engine::start();
        engine.send(&format!("position {position}"));
        engine.send(go);
        engine.input = None;
        let best = engine.best_move(SOON);
        assert_eq!(best.len(), 4, "{go}");
        engine.assert_exit(SOON);
    }
}

/// At the end of input, searches that would not end by themselves are stopped.
#[test]
fn the_end_of_input_ends_endless_searches() {
    for go in ["go", "go infinite", "go ponder wtime 99999", "go mate 12", "go winc 100"] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.until("info depth 1 ", SOON);
        engine.input = None;
        engine.best_move(SOON);
        engine.assert_exit(SOON);
    }
}

/// King, bishop and knight against king at a fresh start: the table takes a second to compute.
/// Searches limited by time do not wait for it, and `stop` ends the wait of others. Takes the fastest
/// of five, since the machine may have other work to do.
#[test]
fn a_first_search_waits_for_no_table() {
    let fastest = |go: &str, stop: bool| {
        let time = |_| {
            let mut engine = Engine::start();
            engine.send("position fen 8/8/3N4/8/3K4/1B6/1n6/2k5 b - - 22 86");
            let start = Instant::now();
            engine.send(go);
            if stop {
                std::thread::sleep(Duration::from_millis(100));
                engine.send("stop");
            }
            engine.best_move(SOON);
            start.elapsed()
        };
        (0..5).map(time).min().expect("five")
    };
    let until_stopped = ["go infinite", "go depth 90", "go nodes 100000000"];
    let all = until_stopped.map(|go| (go, true)).into_iter().chain([("go movetime 20", false)]);
    for (go, stop) in all {
        let fastest = fastest(go, stop);
        // To solve the table takes more than a second.
        assert!(fastest < Duration::from_millis(600), "{go}: {fastest:?}");
    }
}

/// A search to a depth waits for a table. So it visits the same nodes as when the table was solved
/// before.
#[test]
fn a_search_to_a_depth_is_the_same_with_a_solved_table() {
    let mut engine = Engine::start();
    engine.send("position fen 8/8/3N4/8/3K4/1B6/1n6/2k5 b - - 22 86");
    let mut nodes = || {
        engine.send("ucinewgame");
        engine.send("go depth 9");
        let lines = engine.until("bestmove", SOON);
        let last = lines.iter().rev().find(|line| line.starts_with("info depth 9 "));
        let words = last.expect("a line of the last depth").split(' ');
        words.skip_while(|&word| word != "nodes").nth(1).expect("nodes").to_string()
    };
    assert_eq!(nodes(), nodes());
}

/// A search for a long mate leaves most of its time to the usual search, and reports the lengths
/// for which it has disproven a mate.
#[test]
fn a_search_for_a_long_mate_is_a_search() {
    let mut engine = Engine::start();
    engine.send(
        "position fen r1b1k2r/ppp1qppp/2n2n2/3pp3/1bP1P3/2NP1N2/PP2BPPP/R1BQK2R w KQkq - 0 1",
    );
    for (go, depth) in
        [("go mate 12 nodes 60000", 9), ("go mate 5 nodes 60000", 8), ("go mate 5 nodes 1000", 2)]
    {
        engine.send(go);
        let lines = engine.until("bestmove", SOON);
        assert!(lines.contains(&"info string no mate in 1 move".to_string()), "{lines:#?}");
        let deep = |line: &String| line.starts_with(&format!("info depth {depth} "));
        assert!(lines.iter().any(deep), "{go}: {lines:#?}");
    }
}

/// With several threads a search to a depth ends with a line of that depth.
#[test]
fn a_depth_is_that_of_the_last_line() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 4");
    for round in 0..30 {
        engine.send("ucinewgame");
        engine.send("position startpos moves e2e4 c7c5 g1f3");
        engine.send("go depth 8");
        let lines = engine.until("bestmove", SOON);
        let last = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
        assert!(last.starts_with("info depth 8 "), "{round}: {last}");
    }
}
