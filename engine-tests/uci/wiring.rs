//! Checks what the session passes on: options and words of `go` to the search, notation to the
//! answer, the order of answers.

use std::time::{Duration, Instant};

use freshet::score::Score;
use freshet::wdl::{MaterialClass, chances, shown};

use super::{Engine, SOON};

/// The word after a name in a line.
pub(super) fn word_after<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|word| *word != name);
    words.nth(1)
}

/// The last line with a score.
pub(super) fn last_info(lines: &[String]) -> &str {
    lines.iter().rev().find(|line| line.contains(" score ")).expect("a line with a score")
}

/// `searchmoves` names a move with its promotion: no other promotion on the same squares is
/// searched, however much better it is.
#[test]
fn searchmoves_tells_promotions_apart() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 4");
    engine.send("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for only in ["a7a8n", "a7a8b", "a7a8r", "a7a8q"] {
        engine.send(&format!("go depth 4 searchmoves {only}"));
        let lines = engine.until("bestmove", SOON);
        let answer = lines[lines.len() - 1].split(' ').nth(1);
        assert_eq!(answer, Some(only), "{lines:#?}");
        let firsts: Vec<&str> = lines.iter().filter_map(|line| word_after(line, "pv")).collect();
        assert!(!firsts.is_empty() && firsts.iter().all(|first| *first == only), "{lines:#?}");
    }
    engine.send("go depth 4 searchmoves a7a8n a7a8r");
    let lines = engine.until("bestmove a7a8r", SOON);
    let second = lines.iter().filter(|line| line.contains(" multipv 2 "));
    assert!(second.clone().count() > 0, "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains(" multipv 3 ")), "{lines:#?}");
}

/// `isready` after `stop` is answered after `bestmove`, when everything the GUI has sent is done.
#[test]
fn readyok_after_stop_comes_after_the_best_move() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 2");
    for round in 0..20 {
        engine.send("position startpos moves e2e4 c7c5");
        engine.send(if round % 2 == 0 { "go infinite" } else { "go ponder wtime 9000 btime 9000" });
        engine.until("info depth 3 ", SOON);
        engine.send("stop\nisready");
        let lines = engine.until("readyok", SOON);
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 1, "round {round}: readyok comes first: {lines:#?}");
    }
}

/// Positions with one legal move, after which only castling mates, so castling is in every line.
/// With both moves, the second in Chess960 and in standard notation.
const CASTLING_MATES: [(&str, &str, [&str; 2]); 2] = [
    ("4k2r/3p3p/2n4p/5K2/r7/8/8/8 w k - 0 1", "f5f6", ["e8h8", "e8g8"]),
    ("8/8/8/R7/5k2/2N4P/3P3P/4K2R b K - 0 1", "f4f3", ["e1h1", "e1g1"]),
];

/// With UCI_Chess960 castling is written as king takes rook everywhere: as the ponder move and
/// inside lines.
#[test]
fn castling_is_written_alike_in_lines_and_answers() {
    let mut engine = Engine::start();
    for (fen, m, [chess960, standard]) in CASTLING_MATES {
        for (on, reply) in [(true, chess960), (false, standard)] {
            engine.send(&format!("setoption name UCI_Chess960 value {on}"));
            engine.send(&format!("position fen {fen}"));
            engine.send("go depth 4");
            let lines = engine.until("bestmove", SOON);
            assert_eq!(lines[lines.len() - 1], format!("bestmove {m} ponder {reply}"), "{fen}");
            let info = last_info(&lines);
            assert!(info.contains(" score mate -1 "), "{info}");
            assert!(info.ends_with(&format!(" pv {m} {reply}")), "{info}");
            // As the first move.
            engine.send(&format!("position fen {fen} moves {m}"));
            assert_eq!(engine.best("go depth 3"), reply, "{fen}");
        }
    }
}

/// The nodes of a search with this node limit.
fn nodes_of(engine: &mut Engine, nodes: u32) -> u32 {
    engine.send("ucinewgame");
    engine.send("position startpos moves e2e4");
    engine.send(&format!("go nodes {nodes}"));
    let lines = engine.until("bestmove", SOON);
    word_after(last_info(&lines), "nodes").and_then(|word| word.parse().ok()).expect("nodes")
}

/// UCI_Elo counts only with UCI_LimitStrength, whichever is set first.
#[test]
fn the_elo_counts_where_strength_is_limited() {
    let set = |engine: &mut Engine, name: &str, value: &str| {
        engine.send(&format!("setoption name {name} value {value}"));
    };
    let mut engine = Engine::start();
    let all = 4000;
    for elo in ["600", "1500", "700"] {
        set(&mut engine, "UCI_Elo", elo);
        assert_eq!(nodes_of(&mut engine, all), all, "UCI_Elo {elo} without UCI_LimitStrength");
    }
    set(&mut engine, "UCI_LimitStrength", "true");
    assert!(nodes_of(&mut engine, all) < all / 4, "the Elo that was set before");
    set(&mut engine, "UCI_Elo", "3260");
    assert_eq!(nodes_of(&mut engine, all), all, "the highest");
    set(&mut engine, "UCI_Elo", "600");
    assert!(nodes_of(&mut engine, all) < all / 4, "the Elo that is set after");
    set(&mut engine, "UCI_LimitStrength", "false");
    assert_eq!(nodes_of(&mut engine, all), all, "not limited any more");
}

/// Whether the chances shown with a score belong to this class of material, for one of the
/// evaluations that are shown as this score.
fn fits(class: MaterialClass, cp: i32, wdl: &[i32]) -> bool {
    let hidden = (-2000..=2000).filter(|&hidden| shown(hidden) == cp);
    hidden.map(|cp| chances(Score::cp(cp), class)).any(|chances| chances == wdl)
}

/// The chances depend on the material on the board: every piece changes its class.
#[test]
fn chances_are_those_of_the_material() {
    use MaterialClass::{Dead, Material, PawnEnding};

    let mut engine = Engine::start();
    engine.send("setoption name UCI_ShowWDL value true");
    for (fen, class) in [
        ("4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1", PawnEnding),
        ("4k1n1/pp6/8/8/8/8/PPP5/4K1N1 w - - 0 1", Material(11)),
        ("4k3/ppppp3/8/8/8/8/PPP5/4K1N1 w - - 0 1", Material(11)),
        ("4k1b1/pp6/8/8/8/8/PPPP4/4K1B1 w - - 0 1", Material(12)),
        ("4k2r/pp6/8/8/8/8/PPPP4/R3K3 w - - 0 1", Material(16)),
        ("q3k3/pp6/8/8/8/8/PPP5/3QK3 w - - 0 1", Material(23)),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Material(78)),
        ("8/8/8/4k3/8/8/8/4KB2 w - - 0 1", Dead),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 1");
        let lines = engine.until("bestmove", SOON);
        let info = last_info(&lines);
        let cp = word_after(info, "cp").and_then(|word| word.parse().ok()).expect("centipawns");
        let wdl = info.split(" wdl ").nth(1).expect("chances").split(' ').take(3);
        let wdl: Vec<i32> = wdl.map(|word| word.parse().expect("a number")).collect();
        assert!(fits(class, cp, &wdl), "{fen}: not {class:?}: {info}");
        // The numbers fit no class that a mistake could lead to.
        let others = [PawnEnding, Material(10), Material(48), Dead, Material(78)];
        for other in others.into_iter().filter(|&other| other != class) {
            assert!(!fits(other, cp, &wdl), "{fen}: {other:?} fits as well: {info}");
        }
    }
}

/// A thread of a process.
#[cfg(target_os = "linux")]
pub(super) struct Task {
    /// The name, which threads have from those that start them.
    name: String,
    /// Processor time it has used, in hundredths of a second.
    pub(super) ticks: u64,
}

#[cfg(target_os = "linux")]
impl Engine {
    /// The searching threads: the engine thread and those it started. Their name differs from that
    /// of the reading thread and the threads which that one started.
    pub(super) fn searching_tasks(&self) -> Vec<Task> {
        let folder = format!("/proc/{}/task", self.id());
        let task = |number: &str| -> Option<Task> {
            // A thread that is just ending has nothing left to read.
            let stat = std::fs::read_to_string(format!("{folder}/{number}/stat")).ok()?;
            let (start, rest) = stat.rsplit_once(')')?;
            let words: Vec<&str> = rest.split_whitespace().collect();
            let ticks = |index: usize| words.get(index)?.parse::<u64>().ok();
            let name = start.split_once('(')?.1.to_string();
            Some(Task { name, ticks: ticks(11)? + ticks(12)? })
        };
        let reader = task(&self.id().to_string()).expect("a process").name;
        let entries = std::fs::read_dir(&folder).expect("a process");
        entries
            .filter_map(|entry| task(&entry.ok()?.file_name().to_string_lossy()))
            .filter(|task| task.name != reader)
            .collect()
    }

    /// The processor time of all threads that search.
    pub(super) fn searching_time(&self) -> Duration {
        let ticks: u64 = self.searching_tasks().iter().map(|task| task.ticks).sum();
        Duration::from_millis(10 * ticks)
    }

    /// Waits until `wanted` accepts the searching threads.
    fn wait_for_tasks(&self, what: &str, mut wanted: impl FnMut(&[Task]) -> bool) {
        let patience = Instant::now() + SOON;
        loop {
            let tasks = self.searching_tasks();
            if wanted(&tasks) {
                return;
            }
            let ticks: Vec<u64> = tasks.iter().map(|task| task.ticks).collect();
            assert!(Instant::now() < patience, "{what}: {ticks:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The requested number of threads search, and all of them do work.
#[cfg(target_os = "linux")]
#[test]
fn as_many_threads_search_as_were_asked_for() {
    let mut engine = Engine::start();
    for threads in [1, 2, 5, 3, 1] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.ready();
        engine.send("position startpos");
        engine.send("go infinite");
        // Each has its share of the processor time, however long it has to wait for its turn.
        let all_work = |tasks: &[Task]| {
            let most = tasks.iter().map(|task| task.ticks).max().unwrap_or_default();
            let is_fair = tasks.iter().all(|task| 4 * task.ticks >= most);
            tasks.len() >= threads && most >= 6 && is_fair
        };
        engine.wait_for_tasks(&format!("{threads} threads work"), all_work);
        assert_eq!(engine.searching_tasks().len(), threads);
        engine.send("stop");
        engine.best_move(SOON);
        engine.wait_for_tasks("one thread is left", |tasks| tasks.len() == 1);
    }
}

/// A search ends when its time is over, and takes no more processor time than that on any machine.
/// It does not end long before either, though the engine may keep half of its time if it has to
/// wait for the processor.
#[cfg(target_os = "linux")]
#[test]
fn searches_keep_to_their_time() {
    // Allow for a thousand nodes after the last check of the clock, and the resolution of the
    // measurement.
    const MORE: Duration = Duration::from_millis(60);
    let mut engine = Engine::start();
    for (go, most) in [
        ("go movetime 100", 80),
        ("go movetime 300", 280),
        // The last move before the time control takes at most three quarters.
        ("go wtime 600000 btime 320 movestogo 1", 225),
        // Every other move takes at most a quarter.
        ("go wtime 600000 btime 2000", 500),
    ] {
        let most = Duration::from_millis(most);
        // On a loaded machine, only one of five tries may run undelayed.
        let is_on_time = (0..5).any(|_| {
            engine.send("ucinewgame");
            engine.send("position startpos moves e2e4");
            engine.ready();
            let (begun, before) = (Instant::now(), engine.searching_time());
            engine.send(go);
            engine.best_move(SOON);
            let (wall, used) = (begun.elapsed(), engine.searching_time() - before);
            assert!(used <= most + MORE, "{go}: {used:?} of {most:?}");
            let is_fixed = go.contains("movetime");
            assert!(!is_fixed || wall >= most / 2, "{go}: {wall:?} of {most:?}");
            wall <= most + MORE
        });
        assert!(is_on_time, "{go}: always later than {most:?}");
    }
}
