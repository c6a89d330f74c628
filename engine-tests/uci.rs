//! The protocol, against the real program through pipes. Numbers like A4 are those of the list of cases that GUIs
//! and runners trip over.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A running engine.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

const SOON: Duration = Duration::from_secs(5);

impl Engine {
    fn start() -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_freshet"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = process.stdin.take();
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(n) if n > 0) {
                let text = String::from_utf8(std::mem::take(&mut line)).expect("UTF-8");
                let text = text.strip_suffix('\n').expect("whole lines");
                assert!(!text.contains('\r') && !text.contains('\t'), "{text:?}");
                assert!(
                    text == text.trim() || text.starts_with([' ', '|']) || text.contains('|'),
                    "{text:?}"
                );
                if sender.send(text.to_string()).is_err() {
                    return;
                }
            }
        });
        Engine { process, input, output: receiver }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        input.write_all(bytes).expect("the engine reads");
        input.flush().expect("the engine reads");
    }

    fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// All lines up to and with one that starts so.
    fn until(&mut self, start: &str, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let done = line.starts_with(start);
                    lines.push(line);
                    if done {
                        return lines;
                    }
                }
                Err(error) => panic!("no {start:?} ({error}) after {lines:#?}"),
            }
        }
    }

    fn silent(&mut self, time: Duration) {
        match self.output.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("not silent: {other:?}"),
        }
    }

    fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok", SOON)
    }

    /// Searches and gives the move.
    fn best(&mut self, go: &str) -> String {
        self.send(go);
        self.best_move(SOON)
    }

    fn best_move(&mut self, patience: Duration) -> String {
        let lines = self.until("bestmove", patience);
        lines[lines.len() - 1].split(' ').nth(1).expect("a move").to_string()
    }

    /// Waits for the end of the process.
    fn ended(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(status) = self.process.try_wait().expect("a process") {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(Instant::now() < deadline, "still running");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn says_who_it_is() {
    let mut engine = Engine::start();
    engine.send("xboard");
    engine.send("uci");
    let lines = engine.until("uciok", SOON);
    assert!(lines.iter().any(|line| line.starts_with("id name Freshet ")));
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    for name in ["Hash", "Threads", "Ponder", "Move Overhead", "UCI_Chess960", "Clear Hash"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    engine.send("uci");
    engine.until("uciok", SOON);
}

/// A1 to A11: during a search.
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
        assert!(start.elapsed() < Duration::from_millis(500));
        // Another search or game ends the first search by itself: its answer may come before or after `readyok`.
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
    engine.silent(Duration::from_millis(100));
}

/// A4: a search that is stopped before it has begun answers once.
#[test]
fn go_and_stop_in_one_write() {
    let mut engine = Engine::start();
    for _ in 0..200 {
        engine.send("go infinite\nstop");
        engine.best_move(SOON);
    }
    engine.ready();
    engine.silent(Duration::from_millis(50));
}

/// A8 to A10: the end of a session.
#[test]
fn ends_when_it_is_told_to() {
    for (last, close) in [("quit", false), ("go infinite\nquit", false), ("go infinite", true), ("", true)] {
        let mut engine = Engine::start();
        engine.ready();
        engine.send(last);
        if close {
            engine.input = None;
        }
        engine.ended(Duration::from_secs(1));
    }
}

/// B1 to B24: every form of `go` is answered with a legal move.
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
        assert!(time < Duration::from_millis(700), "{go}: {time:?}");
    }
    assert_eq!(mover("go searchmoves a2a3 depth 2").0, "a2a3");
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    assert_eq!(engine.best("go mate 1"), "a1a8");
    // One legal move and a clock: no time is spent.
    engine.send("position fen 7k/6pp/8/8/8/8/r7/r5K1 w - - 0 1");
    engine.send("position fen k7/8/8/8/8/8/1r6/K7 w - - 0 1");
    let start = Instant::now();
    assert_eq!(engine.best("go wtime 60000"), "a1b2");
    assert!(start.elapsed() < Duration::from_millis(300));
    // More time than fits.
    engine.send("go wtime 2147483653");
    engine.send("stop");
    engine.best_move(SOON);
}

/// B14, B15, B18, B19, C19: roots at which the game is over or drawn.
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

/// C1 to C15 and C21: positions, odd and wrong.
#[test]
fn odd_positions() {
    let mut engine = Engine::start();
    let good = "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for wrong in [
        "position fen garbage",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 8/8/8/8/8/8/8/K7 w - - 0 1",
        "position fen k7/8/8/8/8/8/8/RK6 w - - 0 1",
        "position fen k6P/8/8/8/8/8/8/K7 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e1e3",
    ] {
        engine.send(good);
        engine.send(wrong);
        let lines = engine.ready();
        let told = lines.iter().filter(|line| line.starts_with("info string error: ")).count();
        assert_eq!(told, 1, "{wrong}: {lines:?}");
        engine.send("d");
        let board = engine.until("Checkers", SOON);
        assert!(board.iter().any(|line| line.ends_with("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")), "{wrong}");
        engine.best("go depth 2");
    }
    for right in [
        "position startpos moves",
        "position",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w   KQkq - 0 0  moves",
        "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "position fen QQQQQQQQ/QQ6/8/8/8/8/8/k1K5 b - - 0 1",
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ] {
        engine.send(right);
        let lines = engine.ready();
        assert_eq!(lines.len(), 1, "{right}: {lines:?}");
    }
    engine.send(&"x".repeat(65_536));
    assert_eq!(engine.ready().len(), 2, "one complaint about the junk line");
    engine.send_bytes(b"\0\xff\xfe go \0 nonsense\r\n");
    engine.send("stop");
    engine.best_move(SOON);
    for _ in 0..30 {
        engine.send("position startpos moves e2e4 e7e5");
    }
    assert_eq!(engine.ready().len(), 1);
}

/// C18: a game of 6,000 plies is read in no time.
#[test]
fn a_very_long_game() {
    let mut engine = Engine::start();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(1500);
    engine.ready();
    let start = Instant::now();
    engine.send(&format!("position startpos moves {moves}"));
    assert_eq!(engine.ready().len(), 1);
    assert!(start.elapsed() < Duration::from_millis(300), "{:?}", start.elapsed());
    engine.best("go depth 6");
}

/// D1 to D8: the text of lines.
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
    // Set above: castling is written as king takes rook.
    engine.send("position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    engine.send("go perft 1");
    assert!(engine.until("Nodes searched", SOON).contains(&"e1h1: 1".to_string()));
}

/// D11 to D13: searches that wait for the GUI.
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

/// D14, D15, D21: the last line before `bestmove` is exact and begins with it.
#[test]
fn the_last_line_is_exact() {
    let mut engine = Engine::start();
    for go in ["go wtime 100 btime 100", "go nodes 1", "go nodes 3000", "go movetime 40", "go depth 7"] {
        engine.send("position startpos moves e2e4 c7c5");
        engine.send(go);
        let lines = engine.until("bestmove", SOON);
        let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
        let info = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
        assert!(!info.contains("bound"), "{info}");
        assert_eq!(info.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next()), Some(best), "{go}");
    }
}

/// `go perft` has the form that generators are compared in.
#[test]
fn perft_for_people() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    engine.send("go perft 3");
    let lines = engine.until("Nodes searched: 13160", SOON);
    assert_eq!(lines.len(), 22);
    assert!(lines.contains(&"e7e5: 798".to_string()) || lines.iter().any(|l| l.starts_with("e7e5: ")));
    assert_eq!(lines[20], "");
    assert!(lines[..20].iter().all(|line| line.split(": ").count() == 2));
}

#[test]
fn eval_ends_with_the_evaluation() {
    let mut engine = Engine::start();
    engine.send("eval");
    let lines = engine.until("Final evaluation: ", SOON);
    let last = &lines[lines.len() - 1];
    assert!(last.ends_with(" (white side)"), "{last}");
}

/// The command line: errors are one line on standard error and an exit code, not a panic.
#[test]
fn command_line() {
    let run = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_freshet")).args(words).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, _) = run(&["perft", "4"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("\n\nNodes searched: 197281\n"), "{out}");
    let tricky = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/perft_tricky.epd");
    let (code, out, _) = run(&["perft", "--suite", tricky, "--nodes", "100000"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("26 of 26 positions right"), "{out}");
    let (_, out, _) = run(&["eval", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]);
    assert!(out.trim_end().ends_with("(white side)"));
    for words in
        [&["nonsense"][..], &["perft", "x"], &["perft", "3", "garbage"], &["perft", "--suite", "/nowhere"]]
    {
        let (code, out, error) = run(words);
        assert_eq!((code, out.as_str(), error.lines().count()), (Some(2), "", 1), "{words:?}: {error}");
    }
}
