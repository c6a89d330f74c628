//! Commands while the engine searches.

use std::io::Write;
use std::time::{Duration, Instant};

use super::{Engine, SOON};

/// Commands sent during a search are answered.
#[test]
fn answers_while_it_searches() {
    let mut engine = Engine::start();
    for disturbance in [
        "isready",
        "setoption name Hash value 8",
        "position startpos moves e2e4",
        "ponderhit",
        "d",
        "go infinite",
        "ucinewgame",
    ] {
        engine.send("position startpos");
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(30));
        engine.send(disturbance);
        let start = Instant::now();
        let mut lines = engine.ready();
        assert!(start.elapsed() < SOON);
        // Another search or game ends the first search by itself: its answer may come before or
        // after `readyok`.
        let answers = 1 + usize::from(disturbance == "go infinite");
        if disturbance != "ucinewgame" {
            engine.send("stop");
        }
        while lines.iter().filter(|line| line.starts_with("bestmove")).count() < answers {
            lines.extend(engine.until("bestmove", SOON));
        }
        engine.ready();
        if disturbance == "isready" {
            assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 2);
        }
    }
    engine.send("stop");
    engine.send("ponderhit");
    engine.assert_silent(Duration::from_millis(100));
}

/// A search stopped before it has begun answers once.
#[test]
fn go_and_stop_in_one_write() {
    let mut engine = Engine::start();
    for _ in 0..200 {
        engine.send("go infinite\nstop");
        engine.best_move(SOON);
    }
    engine.ready();
    engine.assert_silent(Duration::from_millis(50));
}

/// The end of a session.
#[test]
fn ends_when_it_is_told_to() {
    for (last, close) in
        [("quit", false), ("go infinite\nquit", false), ("go infinite", true), ("", true)]
    {
        let mut engine = Engine::start();
        engine.ready();
        engine.send(last);
        if close {
            engine.input = None;
        }
        engine.assert_exit(SOON);
    }
}

/// `quit` waits for a search to end, but no longer, and not for work that cannot be stopped.
#[test]
fn quit_waits_for_the_best_move_alone() {
    // The engine waits half a second, so on a busy machine three of five tries must do.
    let ends_with_a_move = || {
        let mut engine = Engine::start();
        engine.send("go infinite");
        engine.until("info depth 1 ", SOON);
        engine.send("quit");
        engine.assert_exit(SOON);
        engine.output.iter().any(|line| line.starts_with("bestmove "))
    };
    assert!(std::iter::repeat_with(ends_with_a_move).take(5).filter(|&moved| moved).count() >= 3);
    // An idle engine ends at once.
    let time_to_end = || {
        let mut engine = Engine::start();
        engine.ready();
        let told = Instant::now();
        engine.send("quit");
        engine.assert_exit(SOON);
        told.elapsed()
    };
    let shortest = std::iter::repeat_with(time_to_end).take(5).min().expect("five");
    assert!(shortest < Duration::from_millis(400), "{shortest:?}");
    let mut engine = Engine::start();
    engine.send("go perft 30");
    engine.send("quit");
    engine.assert_exit(SOON);
}

/// At the end of input a search that ends by itself is finished first.
#[test]
fn the_end_of_input_ends_no_limited_search() {
    for (go, told) in [
        ("go depth 9", "info depth 9 "),
        // There is no mate, so the engine looks for a good move.
        ("go mate 2", "info depth 12 "),
    ] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.input = None;
        let lines = engine.until("bestmove", SOON);
        assert!(lines.iter().any(|line| line.contains(told)), "{lines:#?}");
        engine.assert_exit(SOON);
    }
}

/// Searches that wait for the GUI.
#[test]
fn pondering_and_infinite_searches_wait() {
    let mut engine = Engine::start();
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000 btime 1000", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
        ("go ponder movetime 50", "ponderhit"),
    ] {
        engine.send(mate);
        engine.send(go);
        let quiet = Instant::now() + Duration::from_millis(150);
        while Instant::now() < quiet {
            if let Ok(line) = engine.output.recv_timeout(Duration::from_millis(20)) {
                assert!(!line.starts_with("bestmove"), "{go}");
            }
        }
        engine.send(end);
        assert_eq!(engine.best_move(SOON), "a1a8");
    }
    engine.send("position startpos");
    engine.send("go ponder wtime 500 btime 500");
    std::thread::sleep(Duration::from_millis(50));
    engine.send("ponderhit");
    engine.best_move(SOON);
}

/// An ending that takes a while to solve is solved while an analysis runs, which then shows the draw.
/// `stop` does not wait for it.
#[test]
fn an_analysis_shows_what_is_solved_in_the_background() {
    let mut engine = Engine::start();
    engine.send("position fen 8/8/3kP3/8/B4K2/7P/1b6/8 w - - 0 1");
    let is_draw = |line: &str| line.contains(" score cp 0 ");
    let line =
        |engine: &mut Engine, patience| engine.until("info depth", patience).pop().expect("a line");
    for is_solved in [false, true] {
        engine.send("go infinite");
        if is_solved {
            let deadline = Instant::now() + 3 * SOON;
            while !is_draw(&line(&mut engine, deadline - Instant::now())) {}
        } else {
            let first = line(&mut engine, SOON);
            assert!(!is_draw(&first), "{first}");
            engine.until("info depth 8 ", SOON);
        }
        let start = Instant::now();
        engine.send("stop");
        engine.best_move(SOON);
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
}

/// The largest ending of three pieces takes seconds to solve, and a single round of the solver a third of
/// a second in a release. `stop` does not wait for it.
#[test]
fn stop_does_not_wait_for_three_pieces() {
    let mut engine = Engine::start();
    for delay in [200, 600, 1000, 1500, 2000, 2500] {
        engine.send("ucinewgame\nposition fen 6k1/4K1b1/8/4nQ2/8/8/8/8 w - - 0 1\ngo infinite");
        std::thread::sleep(Duration::from_millis(delay));
        let start = Instant::now();
        engine.send("stop");
        engine.best_move(SOON);
        let time = start.elapsed();
        assert!(time < Duration::from_millis(400), "after {delay} ms: {time:?}");
    }
}

/// How long `stop` and `isready` take during a search. `FRESHET_STORM=1000 cargo test
/// --release storm -- --nocapture` asks as often and prints percentiles.
#[test]
fn a_storm_of_go_and_stop() {
    let rounds =
        std::env::var("FRESHET_STORM").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    let mut engine = Engine::start();
    let (mut ready, mut stop) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        engine.send("position startpos moves e2e4 c7c5 g1f3");
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(8));
        let start = Instant::now();
        engine.ready();
        ready.push(start.elapsed());
        let start = Instant::now();
        engine.send("stop");
        engine.best_move(SOON);
        stop.push(start.elapsed());
    }
    for (what, times) in [("readyok", &mut ready), ("stop", &mut stop)] {
        times.sort();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!(
            "{what}: median {:?}, p90 {:?}, p99 {:?}, longest {:?}",
            at(50),
            at(90),
            at(99),
            at(100)
        );
        assert!(at(50) < Duration::from_secs(5), "{what}: {:?}", at(50));
    }
}

/// `readyok` comes only once the table is allocated.
#[test]
fn ready_when_the_table_is_there() {
    let mut engine = Engine::start();
    for mib in [1, 2, 3, 1000, 16] {
        engine.send(&format!("setoption name Hash value {mib}\nisready"));
        assert_eq!(engine.until("readyok", SOON).len(), 1, "{mib}");
        engine.best("go nodes 2000");
    }
}

/// The reader of the output is gone.
#[test]
fn ends_when_nobody_reads() {
    for last in ["uci", "go infinite"] {
        let mut engine = Engine::start();
        engine.ready();
        // The reading thread ends and closes the pipe when it has a line and no receiver.
        engine.output = std::sync::mpsc::channel().1;
        engine.send(last);
        std::thread::sleep(Duration::from_millis(50));
        // The engine may have noticed already.
        let mut input = engine.input.take().expect("input is open");
        let _ = input.write_all(b"isready\nisready\n");
        assert!(engine.exits_within(SOON), "{last}");
        assert_eq!(engine.standard_error(), "");
    }
}

/// The system ends the program, idle or in the middle of a search.
#[cfg(unix)]
#[test]
fn ends_by_signal() {
    for last in ["isready", "go infinite"] {
        let mut engine = Engine::start();
        engine.ready();
        engine.send(last);
        std::thread::sleep(Duration::from_millis(30));
        let kill = std::process::Command::new("kill")
            .args(["-s", "TERM", &engine.id().to_string()])
            .status();
        assert!(kill.expect("it runs").success());
        assert!(engine.exits_within(SOON), "{last}");
        assert_eq!(engine.standard_error(), "");
    }
}

/// After `ucinewgame` a search limited by nodes repeats the same lines, except for time and speed;
/// so does another process. Ignores bounds, current moves and iterations deeper than 40, whose
/// output depends on time.
#[test]
fn a_search_of_nodes_repeats_itself() {
    let lines = |engine: &mut Engine, position: &str| -> Vec<String> {
        engine.send("ucinewgame");
        engine.send(&format!("position {position}"));
        engine.send("go nodes 20000");
        let timeless = |line: &String| {
            let mut words: Vec<&str> = line.split(' ').collect();
            for name in ["time", "nps"] {
                if let Some(at) = words.iter().position(|word| *word == name) {
                    words.drain(at..at + 2);
                }
            }
            words.join(" ")
        };
        // Whether bounds, current moves and deep iterations are shown depends on time.
        let is_fleeting = |line: &String| {
            let words: Vec<&str> = line.split(' ').collect();
            let is_deep = words.windows(2).any(|pair| {
                pair[0] == "depth" && pair[1].parse().is_ok_and(|depth: u32| depth > 40)
            });
            is_deep || ["lowerbound", "upperbound", "currmove"].iter().any(|w| words.contains(w))
        };
        let lines = engine.until("bestmove", SOON);
        lines.iter().filter(|line| !is_fleeting(line)).map(timeless).collect()
    };
    let (mut engine, mut other) = (Engine::start(), Engine::start());
    for position in [
        "startpos moves e2e4 c7c5",
        "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "fen 7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1",
    ] {
        let first = lines(&mut engine, position);
        assert!(first.len() > 5, "{first:#?}");
        assert_eq!(lines(&mut engine, position), first, "{position}");
        assert_eq!(lines(&mut other, position), first, "{position}");
    }
}
