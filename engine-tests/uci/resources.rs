//! Memory, threads and open files of the real program, over thousands of commands and at the limits
//! of the options.

use std::time::{Duration, Instant};

use freshet::board::Position;
#[cfg(target_os = "linux")]
use rand::RngExt;

use super::{Engine, SOON};
#[cfg(target_os = "linux")]
use crate::support::random;

/// A count from the environment, or the default.
fn count(variable: &str, default: usize) -> usize {
    let asked = std::env::var(variable).ok();
    asked.and_then(|number| number.parse().ok()).unwrap_or(default)
}

/// The resources of a process.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    /// Resident memory in KiB.
    memory: u64,
    pub(super) threads: usize,
    files: usize,
}

#[cfg(target_os = "linux")]
impl Engine {
    /// The resources of the idle process.
    pub(super) fn held(&mut self) -> Held {
        let id = self.id();
        let entries = |what: &str| -> usize {
            std::fs::read_dir(format!("/proc/{id}/{what}")).expect("a process").count()
        };
        // Threads of a search are joined before its answer; the kernel takes a moment to forget
        // them.
        let patience = Instant::now() + SOON;
        while entries("task") > 3 && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("a process");
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
        let memory = memory.trim().trim_end_matches(" kB").parse().expect("a number");
        Held { memory, threads: entries("task"), files: entries("fd") }
    }
}

/// A legal move at the start position.
fn assert_legal(best: &str) {
    assert!(Position::start().parse_uci(best).is_ok(), "{best}");
}

/// Starts games, searches, stops and sets options: memory, threads and open files stay constant.
/// `FRESHET_GAMES=5000 cargo test --release nothing_is_leaked -- --nocapture` does it as often.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_leaked() {
    let games = count("FRESHET_GAMES", 120);
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/freshet.bin");
    let mut random = random(95);
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 4");
    let mut first = None;
    for game in 0..games {
        engine.send("ucinewgame");
        engine.send(&format!("setoption name Threads value {}", 1 + game % 3));
        engine.send(&format!("setoption name Hash value {}", 1 + game % 4));
        if game % 10 == 0 {
            engine.send(&format!("setoption name SyzygyPath value {tables}"));
            engine.send(&format!("setoption name Book File value {book}"));
            engine.send(&format!("setoption name OwnBook value {}", game % 20 == 0));
        }
        engine.send("position startpos moves e2e4 e7e5 g1f3");
        engine.best("go nodes 300");
        engine.send("position fen 8/4p3/8/4k3/8/8/4P3/4K3 w - - 0 1");
        engine.best("go nodes 300");
        engine.send("position startpos");
        engine.send("go infinite");
        std::thread::sleep(Duration::from_micros(random.random_range(0..2000)));
        engine.send("stop");
        assert_legal(&engine.best_move(SOON));
        // By then every allocator has allocated its arenas.
        if game == 2 * games / 3 {
            engine.send("setoption name Hash value 4\nsetoption name Threads value 1");
            engine.ready();
            first = Some(engine.held());
        }
    }
    engine.send("setoption name Hash value 4\nsetoption name Threads value 1");
    engine.ready();
    let (first, last) = (first.expect("measured"), engine.held());
    println!("{games} games: {first:?}, then {last:?}");
    assert!(last.threads <= first.threads && last.files == first.files, "{first:?} {last:?}");
    // Without a leak resident memory grows by up to 7 MiB on a loaded machine: which pages of an
    // arena are touched depends on the moment at which a search is stopped. Twice that is allowed,
    // so that small leaks show with many games only.
    assert!(last.memory < first.memory + (16 << 10), "{first:?} {last:?}");
    // Resized and freed memory has gone back to the system.
    assert!(last.memory <= (4 + 64 + 8) << 10, "{last:?}");
    assert_eq!(engine.silent_end(), "");
}

/// Resident memory is at most Hash and 64 MiB, and 8 MiB for each thread.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_what_was_asked_for() {
    let long = count("FRESHET_GAMES", 0) > 0;
    for (hash, threads) in [(1, 1), (16, 1), (16, 4), (256, 2), (64, 64), (16, 256)] {
        if hash * threads > 1024 && !long {
            continue;
        }
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Hash value {hash}"));
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.ready();
        let mut most = 0;
        // A middlegame and a blocked ending, whose bitbases take memory.
        for position in ["startpos", "fen 7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1"] {
            engine.send(&format!("position {position}"));
            engine.send("go infinite");
            std::thread::sleep(Duration::from_millis(if long { 3000 } else { 150 }));
            let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id()));
            let status = status.expect("a process");
            let high = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
            let high: u64 = high.trim().trim_end_matches(" kB").parse().expect("a number");
            most = most.max(high >> 10);
            engine.send("stop");
            engine.best_move(3 * SOON);
        }
        println!("Hash {hash}, Threads {threads}: {most} MiB");
        assert!(most <= hash + 64 + 8 * threads, "Hash {hash}, Threads {threads}: {most} MiB");
    }
}

/// From the smallest table to one too large for any machine. If the memory is not available, the
/// engine says so and keeps its table.
#[test]
fn every_size_of_the_table() {
    let mut engine = Engine::start();
    let mut before = 16;
    for hash in [1, 2, 3, 7, 100, 1 << 20, 5, 1 << 20, 1] {
        engine.send(&format!("setoption name Hash value {hash}"));
        let lines = engine.ready();
        if hash == 1 << 20 {
            assert_eq!(lines.len(), 2, "{lines:#?}");
            let told = format!("info string error: Hash {hash} MB ");
            let stays = format!("; Hash stays at {before} MB");
            assert!(lines[0].starts_with(&told) && lines[0].ends_with(&stays), "{lines:#?}");
        } else {
            assert_eq!(lines, ["readyok"]);
            before = hash;
        }
        assert_legal(&engine.best("go nodes 3000"));
    }
    assert_eq!(engine.silent_end(), "");
}

/// Any number of threads, on any number of processors: `stop` is answered in time.
#[test]
fn every_number_of_threads() {
    let mut engine = Engine::start();
    for threads in [1, 2, 3, 7, 64, 256] {
        engine.send(&format!("setoption name Threads value {threads}"));
        assert_eq!(engine.ready(), ["readyok"]);
        let searches = ["go infinite", "go movetime 20", "go nodes 2000"];
        let is_long = count("FRESHET_GAMES", 0) > 0;
        for go in &searches[..if threads > 7 && !is_long { 1 } else { 3 }] {
            engine.send("position startpos");
            engine.send(go);
            std::thread::sleep(Duration::from_millis(40));
            let start = Instant::now();
            engine.send("stop");
            assert_legal(&engine.best_move(SOON));
            println!("{threads} threads, {go}: answered after {:?}", start.elapsed());
        }
    }
    assert_eq!(engine.silent_end(), "");
}

/// The system limits memory below the requested size: the old table stays.
#[cfg(target_os = "linux")]
#[test]
fn a_table_that_the_system_refuses() {
    let program = env!("CARGO_BIN_EXE_freshet");
    let mut process = std::process::Command::new("sh");
    process.args(["-c", "ulimit -v 600000; exec \"$0\"", program]);
    let mut engine = Engine::of(process);
    engine.send("setoption name Hash value 2000");
    let lines = engine.ready();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    let told = "info string error: Hash 2000 MB ";
    assert!(
        lines[0].starts_with(told) && lines[0].ends_with("; Hash stays at 16 MB"),
        "{lines:#?}"
    );
    assert_legal(&engine.best("go nodes 3000"));
    // Stacks of helpers need address space too: helpers without it are left out.
    engine.send("setoption name Threads value 64");
    engine.ready();
    assert_legal(&engine.best("go nodes 3000"));
}
