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

/// A folder of our own that goes when the test is over.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("freshet {name} {}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// D17, D18: names that parsers can read and bots expect, defaults inside bounds.
#[test]
fn options_load_everywhere() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok", SOON);
    let mut names = Vec::new();
    for line in lines.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, rest) = line.split_once(" type ").expect("a type");
        for word in name.split(' ') {
            assert!(!["name", "type", "default", "min", "max", "var", "value"].contains(&word), "{name}");
        }
        let words: Vec<&str> = rest.split(' ').collect();
        match words[..] {
            ["spin", "default", default, "min", min, "max", max] => {
                let [default, min, max] =
                    [default, min, max].map(|word| word.parse::<i64>().expect("a number"));
                assert!(min <= default && default <= max, "{line}");
            }
            ["check", "default", default] => assert!(["true", "false"].contains(&default), "{line}"),
            ["string", "default", _, ..] | ["button"] => {}
            _ => panic!("{line}"),
        }
        names.push(name);
    }
    for name in ["Move Overhead", "Threads", "Hash", "SyzygyPath", "UCI_ShowWDL", "MultiPV", "Ponder"] {
        assert!(names.contains(&name), "{name}");
    }
    let mut once = names.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), names.len());
}

/// D16, D27: as many lines as there are moves, in order, with different first moves.
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
    let deep: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth 6 ")).collect();
    assert_eq!(deep.len(), 8, "{lines:#?}");
    let mut moves: Vec<String> = deep.iter().map(|line| field(line, "pv")).collect();
    for (index, line) in deep.iter().enumerate() {
        assert_eq!(field(line, "multipv"), (index + 1).to_string());
    }
    let scores: Vec<i32> = deep.iter().map(|line| field(line, "cp").parse().expect("a score")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert!(lines[lines.len() - 1].starts_with(&format!("bestmove {}", moves[0])));
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 8);
    engine.send("setoption name multipv value 1");
    engine.send("go depth 3");
    assert!(engine.until("bestmove", SOON).iter().all(|line| !line.contains("multipv 2")));
}

/// D28: chances add up, and a dead draw is one.
#[test]
fn chances_are_shown() {
    let mut engine = Engine::start();
    for option in ["UCI_ShowWDL", "Show WDL"] {
        engine.send(&format!("setoption name {option} value true"));
        let mut before = -1;
        for fen in ["8/8/8/4k3/8/8/8/4KB2 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPPP3/4K3 w - - 0 1", Q_UP] {
            engine.send(&format!("position fen {fen}"));
            engine.send("go depth 5");
            let lines = engine.until("bestmove", SOON);
            let info = lines.iter().rev().find(|line| line.contains(" wdl ")).expect("chances");
            let wdl = info.split(" wdl ").nth(1).expect("chances");
            let wdl: Vec<i32> = wdl.split(' ').take(3).map(|word| word.parse().expect("a number")).collect();
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

/// D10, D32: endgame tables that are missing, empty or not there at all are told of, and play goes on.
#[test]
fn endgame_tables_that_are_none() {
    let folder = Folder::new("tables");
    std::fs::write(folder.file("KQvK.rtbw"), b"").expect("a file");
    std::fs::write(folder.file("KRvK.rtbw"), b"this is no table of endings").expect("a file");
    let mut engine = Engine::start();
    for (path, complains) in [
        ("<empty>".to_string(), false),
        ("/no/such/folder".to_string(), true),
        (folder.0.display().to_string(), true),
        (format!("{}:/no/such/folder:", folder.0.display()), true),
    ] {
        engine.send(&format!("setoption name SyzygyPath value {path}"));
        let lines = engine.ready();
        assert_eq!(lines.len() > 1, complains, "{path}: {lines:?}");
        assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info string ")));
        engine.send("position fen 8/8/8/4k3/8/8/8/3QK3 w - - 0 1");
        engine.best("go depth 6");
    }
}

/// A weaker engine answers at once, and still finds the mate that is on the board.
#[test]
fn strength_can_be_limited() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 800");
    engine.send("position startpos");
    engine.send("go movetime 3000");
    let lines = engine.until("bestmove", Duration::from_secs(2));
    let nodes = lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)).expect("nodes");
    let nodes: u64 = nodes.split(' ').next().expect("a word").parse().expect("a number");
    assert!(nodes < 200, "{nodes}");
    engine.send("setoption name UCI_Elo value 100");
    assert_eq!(engine.ready().len(), 2, "outside its bounds");
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.send("position startpos");
    engine.send("go nodes 5000");
    let lines = engine.until("bestmove", SOON);
    assert!(lines.iter().any(|line| line.starts_with("info depth 5 ")), "full strength: {lines:#?}");
}

/// The own book is played from, and a damaged or missing one is told of.
#[test]
fn books_are_played() {
    let folder = Folder::new("books");
    std::fs::write(
        folder.file("games.pgn"),
        "[White \"A\"]\n[Result \"1-0\"]\n\n1. a3 {odd} e5 (1... d5 2. h4) 2. h3 $1 d5 1/2-1/2\n\n1. h4 e5 0-1\n",
    )
    .expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_freshet"))
        .args(["book", "build", &folder.file("games.pgn"), &folder.file("own.bin")])
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("2 games, 0 refused, 5 entries"));

    let mut engine = Engine::start();
    engine.send("setoption name OwnBook value true");
    engine.send(&format!("setoption name Book File value {}", folder.file("own.bin")));
    assert_eq!(engine.ready().len(), 2);
    // The move that lost all its games is left out.
    assert_eq!(engine.best("go movetime 1000"), "a2a3");
    engine.send("position startpos moves a2a3");
    engine.send("setoption name Best Book Move value true");
    assert_eq!(engine.best("go movetime 1000"), "e7e5");
    engine.send("position startpos moves a2a3 e7e5 h2h3 d7d5");
    assert_ne!(engine.best("go nodes 2000"), "0000");
    engine.send("position startpos");
    engine.send("go infinite");
    std::thread::sleep(Duration::from_millis(50));
    engine.send("stop");
    assert!(engine.until("bestmove", SOON).iter().any(|line| line.contains(" pv ")), "analysis has no book");

    std::fs::write(folder.file("cut.bin"), b"seventeen bytes..").expect("a file");
    for file in [folder.file("cut.bin"), folder.file("none.bin")] {
        engine.send(&format!("setoption name Book File value {file}"));
        let lines = engine.ready();
        assert!(lines[0].starts_with("info string error: book "), "{lines:?}");
        engine.best("go nodes 500");
    }
}

/// The table can be saved and loaded, by the same size only.
#[test]
fn the_table_outlives_the_program() {
    let folder = Folder::new("hash");
    let file = folder.file("a table");
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    engine.send(&format!("setoption name Hash File value {file}"));
    engine.send("go nodes 20000");
    engine.best_move(SOON);
    engine.send("setoption name Save Hash");
    assert!(engine.ready()[0].starts_with("info string saved"));

    let mut other = Engine::start();
    other.send(&format!("setoption name Hash File value {file}"));
    other.send("setoption name Load Hash");
    assert!(other.ready()[0].contains("saved with Hash 1, now it is 16"));
    other.send("setoption name Hash value 1");
    other.send("setoption name Load Hash");
    assert!(other.ready()[0].starts_with("info string loaded"));
    let nodes = |engine: &mut Engine| -> u64 {
        engine.send("go depth 6");
        let lines = engine.until("bestmove", SOON);
        let last = lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)).expect("nodes");
        last.split(' ').next().expect("a word").parse().expect("a number")
    };
    let (knowing, fresh) = (nodes(&mut other), nodes(&mut Engine::start()));
    assert!(2 * knowing < fresh, "{knowing} {fresh}");

    std::fs::write(&file, b"freshet-hash-1 1 0\ntoo short").expect("a file");
    other.send("setoption name Load Hash");
    assert!(other.ready()[0].starts_with("info string error"));
    other.best("go nodes 1000");
    other.send("setoption name Hash File value /no/such/folder/x");
    other.send("setoption name Save Hash");
    assert!(other.ready()[0].starts_with("info string error"));
}

/// D33, and transcripts: what was read and written is in the file, and played again gives the same answers.
#[test]
fn transcripts_are_written_and_replayed() {
    let folder = Folder::new("transcript");
    let file = folder.file("log");
    let mut engine = Engine::start();
    engine.send("setoption name Debug Log File value /no/such/folder/x");
    assert!(engine.ready()[0].starts_with("info string error"));
    engine.send(&format!("setoption name Debug Log File value {file}"));
    engine.ready();
    engine.send("position startpos moves e2e4");
    engine.best("go nodes 3000");
    engine.send("position startpos moves d2d4");
    engine.best("go nodes 3000");
    engine.send("quit");
    engine.ended(SOON);
    let text = std::fs::read_to_string(&file).expect("the transcript");
    assert!(text.lines().any(|line| line.ends_with("< go nodes 3000")));
    assert_eq!(text.lines().filter(|line| line.contains("> bestmove ")).count(), 2);

    let replay = |file: &str| Command::new(env!("CARGO_BIN_EXE_freshet")).args(["replay", file]).output();
    let output = replay(&file).expect("it runs");
    assert!(output.status.success(), "{output:?}");
    std::fs::write(&file, text.replace("bestmove ", "bestmove a")).expect("a file");
    assert_eq!(replay(&file).expect("it runs").status.code(), Some(1));
    std::fs::write(&file, "no transcript").expect("a file");
    assert_eq!(replay(&file).expect("it runs").status.code(), Some(2));
}

/// Minimal: one line for a search, with all that the last one says.
#[test]
fn only_the_last_line() {
    let mut engine = Engine::start();
    engine.send("setoption name Minimal value true");
    engine.send("go depth 9");
    let lines = engine.until("bestmove", SOON);
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(lines[0].starts_with("info depth 9 "));
}

/// The forms in which OpenBench and Fishtest call the program.
#[test]
fn workers_are_served() {
    let run = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_freshet")).args(words).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, _) = run(&["genfens 5 seed 42 book None", "quit"]);
    assert_eq!(code, Some(0));
    let fens: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    assert_eq!(fens.len(), 5, "{out}");
    assert!(fens.iter().all(|fen| freshet::board::Position::from_fen(fen).is_ok()));
    assert_eq!(run(&["genfens 5 seed 42 book None", "quit"]).1, out, "the same seed");
    assert_ne!(run(&["genfens 5 seed 43 book None", "quit"]).1, out);

    let (code, out, error) = run(&["bench", "4", "1", "4", "default", "depth"]);
    assert_eq!(code, Some(0));
    let last = out.lines().last().expect("a line");
    assert!(last.contains(" nodes ") && last.ends_with(" nps"), "{last}");
    let nodes = last.split(' ').next().expect("a number");
    assert!(error.contains(&format!("Nodes searched  : {nodes}")), "{error}");
    assert!(error.contains("Total time (ms) : "), "{error}");
    assert_eq!(run(&["bench", "4", "1", "4", "default", "weeks"]).0, Some(2));

    let (code, out, _) = run(&["uci"]);
    assert_eq!(code, Some(0));
    assert!(out.trim_end().ends_with("uciok"));
}

/// A1, A2: how long `stop` and `isready` take during a search. `FRESHET_STORM=1000 cargo test --release storm -- --nocapture`
/// asks as often and prints percentiles.
#[test]
fn a_storm_of_go_and_stop() {
    let rounds = std::env::var("FRESHET_STORM").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    let mut engine = Engine::start();
    let (mut ready, mut stop) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        engine.send("position startpos moves e2e4 c7c5 g1f3");
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(8));
        let asked = Instant::now();
        engine.ready();
        ready.push(asked.elapsed());
        let asked = Instant::now();
        engine.send("stop");
        engine.best_move(SOON);
        stop.push(asked.elapsed());
    }
    for (what, times) in [("readyok", &mut ready), ("stop", &mut stop)] {
        times.sort();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!("{what}: median {:?}, p90 {:?}, p99 {:?}, longest {:?}", at(50), at(90), at(99), at(100));
        assert!(at(50) < Duration::from_millis(100), "{what}: {:?}", at(50));
    }
}
