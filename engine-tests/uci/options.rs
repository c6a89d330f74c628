//! Every option of `freshet uci` has an effect: a table with one row per option, of the behaviour
//! observed by default and with the option set.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::wiring::{last_info, word_after};
use super::{Engine, SOON};
use crate::support::Folder;

/// An engine under observation.
struct Probe<'a> {
    engine: Engine,
    /// The engine's working folder.
    folder: &'a Path,
    /// The line that sets the option; `None` for the default.
    set: Option<String>,
}

/// An option, and what setting it changes.
struct Row {
    name: &'static str,
    /// Other lines to send first, so that the option can have an effect.
    before: &'static [&'static str],
    /// The value to set; none for a button, which `observe` presses.
    value: Option<&'static str>,
    observe: fn(&mut Probe<'_>) -> String,
    /// The expected observation by default.
    default: &'static str,
    /// The expected observation with the option set.
    changed: &'static str,
}

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");

/// Two first moves, one of them a winner, and two moves after it.
const GAMES: &str =
    "[Result \"1-0\"]\n\n1. a3 e5 2. h3 1-0\n\n[Result \"1/2-1/2\"]\n\n1. h4 1/2-1/2\n";

/// White can capture a pawn, which leaves as many pieces as in the largest tables.
const CAPTURE: &str = "fen 8/4k3/8/3p4/4P3/8/4P3/4K3 w - - 0 1";

/// The bishop is trapped in a few moves, which a search of one ply does not see.
const CAUGHT: &str = "fen 6k1/p4ppp/8/8/8/1P6/b2K1PPP/8 w - - 0 1";

/// Options without an effect: a value, and the reason.
const WITHOUT_EFFECT: [(&str, &str, &str); 2] = [
    ("Ponder", "true", "tells that the GUI may ponder; `go ponder` is obeyed in any case"),
    ("UCI_EngineAbout", "x", "a text for the GUI to show"),
];

/// Rows that are observed in `/proc`.
const OF_LINUX: [&str; 1] = ["Threads"];

/// The table, threads and time.
const SEARCH: [Row; 8] = [
    Row {
        name: "Hash",
        before: &[],
        value: Some("3"),
        observe: |probe| {
            probe.press("Save Hash");
            let file = std::fs::metadata(probe.folder.join("freshet.hash")).expect("a file");
            format!("{} MiB", file.len() >> 20)
        },
        default: "16 MiB",
        changed: "3 MiB",
    },
    Row {
        name: "Clear Hash",
        before: &[],
        value: None,
        observe: |probe| {
            let first = probe.nodes("go depth 6");
            probe.press_option();
            let same = probe.nodes("go depth 6") == first;
            if same { "nothing is known" } else { "something is known" }.to_string()
        },
        default: "something is known",
        changed: "nothing is known",
    },
    Row {
        name: "Hash File",
        before: &[],
        value: Some("{folder}/other"),
        observe: |probe| {
            probe.press("Save Hash");
            let names = ["freshet.hash", "other"];
            names.into_iter().filter(|name| probe.folder.join(name).exists()).collect()
        },
        default: "freshet.hash",
        changed: "other",
    },
    Row {
        name: "Save Hash",
        before: &[],
        value: None,
        observe: |probe| {
            probe.press_option();
            let is_saved = probe.folder.join("freshet.hash").exists();
            if is_saved { "a file" } else { "no file" }.to_string()
        },
        default: "no file",
        changed: "a file",
    },
    Row {
        name: "Load Hash",
        before: &[],
        value: None,
        observe: |probe| {
            probe.position(CAUGHT);
            let deep = probe.score("go depth 10");
            probe.press("Save Hash");
            probe.press("Clear Hash");
            let shallow = probe.score("go depth 1");
            assert!((shallow - deep).abs() > 100, "nothing to know: {shallow} {deep}");
            probe.press("Clear Hash");
            probe.press_option();
            let now = probe.score("go depth 1");
            let is_known = (now - deep).abs() < (now - shallow).abs();
            if is_known { "the deep score" } else { "a shallow score" }.to_string()
        },
        default: "a shallow score",
        changed: "the deep score",
    },
    Row {
        name: "Threads",
        before: &[],
        value: Some("3"),
        observe: |probe| {
            probe.send("go infinite");
            probe.engine.until("info depth 1 ", SOON);
            let count = threads(&probe.engine);
            probe.send("stop");
            probe.engine.best_move(SOON);
            format!("{count} threads search")
        },
        default: "1 threads search",
        changed: "3 threads search",
    },
    Row {
        name: "MultiPV",
        before: &[],
        value: Some("3"),
        observe: |probe| {
            let lines = probe.lines("go depth 3");
            format!("{} lines", lines.iter().filter(|line| line.contains(" depth 3 ")).count())
        },
        default: "1 lines",
        changed: "3 lines",
    },
    Row {
        name: "Move Overhead",
        before: &[],
        value: Some("5000"),
        observe: |probe| {
            // Two of three, since a search that has to wait for the processor may end too early or
            // too late.
            let mut long = || {
                probe.send("ucinewgame");
                probe.engine.ready();
                let begun = Instant::now();
                probe.lines("go movetime 400");
                begun.elapsed() > Duration::from_millis(290)
            };
            let (first, second) = (long(), long());
            let is_long = if first == second { first } else { long() };
            if is_long { "more than half of the time" } else { "half of the time" }.to_string()
        },
        default: "more than half of the time",
        changed: "half of the time",
    },
];

/// Tables of endings and books.
const FILES: [Row; 8] = [
    Row {
        name: "SyzygyPath",
        before: &[],
        value: Some(TABLES),
        observe: |probe| {
            probe.position("fen 8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
            probe.table_hits("go depth 2")
        },
        default: "no hits",
        changed: "hits",
    },
    Row {
        name: "SyzygyProbeDepth",
        before: &["SyzygyPath value {tables}"],
        value: Some("100"),
        observe: |probe| {
            probe.position(CAPTURE);
            probe.table_hits("go depth 2")
        },
        default: "hits",
        changed: "no hits",
    },
    Row {
        name: "SyzygyProbeLimit",
        before: &["SyzygyPath value {tables}"],
        value: Some("3"),
        observe: |probe| {
            probe.position(CAPTURE);
            probe.table_hits("go depth 2")
        },
        default: "hits",
        changed: "no hits",
    },
    Row {
        name: "Syzygy50MoveRule",
        before: &["SyzygyPath value {tables}"],
        value: Some("false"),
        observe: |probe| {
            // The pawn, which blocks neither king, moves on ply 101.
            probe.position("fen 4k3/8/4K3/4P3/8/8/8/8 w - - 98 80");
            let score = probe.score("go depth 2");
            if score.abs() < 10 { "a draw" } else { "a win" }.to_string()
        },
        default: "a draw",
        changed: "a win",
    },
    Row {
        name: "OwnBook",
        before: &["Book File value {files}/own.bin"],
        value: Some("true"),
        observe: |probe| probe.source_of_move(),
        default: "a move of the search",
        changed: "a move of the book",
    },
    Row {
        name: "Book File",
        before: &["OwnBook value true"],
        value: Some("{files}/own.bin"),
        observe: |probe| probe.source_of_move(),
        default: "a move of the search",
        changed: "a move of the book",
    },
    Row {
        name: "Book Depth",
        before: &["OwnBook value true", "Book File value {files}/own.bin"],
        value: Some("1"),
        observe: |probe| {
            probe.position("startpos moves a2a3 e7e5");
            probe.source_of_move()
        },
        default: "a move of the book",
        changed: "a move of the search",
    },
    Row {
        name: "Best Book Move",
        before: &["OwnBook value true", "Book File value {files}/own.bin"],
        value: Some("true"),
        observe: |probe| {
            // One of three is h4, so that sixty in a row are the better move once in 10^10 times.
            let moves: BTreeSet<String> =
                (0..60).map(|_| probe.engine.best("go depth 1")).collect();
            moves.into_iter().collect::<Vec<_>>().join(" or ")
        },
        default: "a2a3 or h2h4",
        changed: "a2a3",
    },
];

/// Strength, weights, and output.
const OUTPUT: [Row; 11] = [
    Row {
        name: "UCI_Chess960",
        before: &[],
        value: Some("true"),
        observe: |probe| {
            probe.position("fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1");
            probe.send("go perft 1");
            let lines = probe.engine.until("Nodes searched", SOON);
            let castling = ["e1g1: 1", "e1h1: 1"];
            castling.into_iter().filter(|m| lines.iter().any(|line| line == m)).collect()
        },
        default: "e1g1: 1",
        changed: "e1h1: 1",
    },
    Row {
        name: "UCI_LimitStrength",
        before: &["UCI_Elo value 600"],
        value: Some("true"),
        observe: |probe| probe.share_of_nodes(),
        default: "all nodes",
        changed: "few nodes",
    },
    Row {
        name: "UCI_Elo",
        before: &["UCI_LimitStrength value true"],
        value: Some("600"),
        observe: |probe| probe.share_of_nodes(),
        default: "many nodes",
        changed: "few nodes",
    },
    Row {
        name: "UCI_AnalyseMode",
        before: &["UCI_LimitStrength value true", "UCI_Elo value 600"],
        value: Some("true"),
        observe: |probe| probe.share_of_nodes(),
        default: "few nodes",
        changed: "all nodes",
    },
    Row {
        name: "UCI_ShowWDL",
        before: &[],
        value: Some("true"),
        observe: |probe| probe.chances(),
        default: "scores",
        changed: "scores with chances",
    },
    Row {
        name: "Show WDL",
        before: &[],
        value: Some("true"),
        observe: |probe| probe.chances(),
        default: "scores",
        changed: "scores with chances",
    },
    Row {
        name: "Minimal",
        before: &[],
        value: Some("true"),
        observe: |probe| {
            let lines = probe.lines("go depth 5");
            let count = lines.iter().filter(|line| line.starts_with("info depth ")).count();
            if count == 1 { "one line" } else { "several lines" }.to_string()
        },
        default: "several lines",
        changed: "one line",
    },
    Row {
        name: "Readable",
        before: &[],
        value: Some("true"),
        observe: |probe| {
            let lines = probe.lines("go depth 3");
            let is_table = lines.iter().any(|line| line.starts_with("depth    score"));
            let is_protocol = lines.iter().any(|line| line.starts_with("info depth "));
            format!("a table: {is_table}, lines of the protocol: {is_protocol}")
        },
        default: "a table: false, lines of the protocol: true",
        changed: "a table: true, lines of the protocol: false",
    },
    Row {
        name: "Explain",
        before: &[],
        value: Some("true"),
        observe: |probe| {
            let lines = probe.lines("go depth 3");
            let is_told = lines.iter().any(|line| line.starts_with("info string explain "));
            if is_told { "an explanation" } else { "no explanation" }.to_string()
        },
        default: "no explanation",
        changed: "an explanation",
    },
    Row {
        name: "WeightsFile",
        before: &[],
        value: Some("{files}/weights.txt"),
        observe: |probe| {
            let score = |probe: &mut Probe<'_>, bishops: &str| -> f64 {
                probe.position(&format!("fen 4k3/pppp4/8/8/8/8/PPPP4/{bishops} w - - 0 1"));
                probe.send("eval");
                let lines = probe.engine.until("Final evaluation: ", SOON);
                let word = lines[lines.len() - 1].split(' ').nth(2).expect("a score");
                word.parse().expect("a number")
            };
            // Two bishops that are not a pair: both on dark squares.
            let pair = score(probe, "2B1KB2") - score(probe, "B1B1K3");
            if pair > 5.0 { "the pair is worth a rook" } else { "the pair is worth little" }
                .to_string()
        },
        default: "the pair is worth little",
        changed: "the pair is worth a rook",
    },
    Row {
        name: "Debug Log File",
        before: &[],
        value: Some("{folder}/log"),
        observe: |probe| {
            probe.position("startpos moves e2e4");
            probe.engine.ready();
            let text = std::fs::read_to_string(probe.folder.join("log")).unwrap_or_default();
            let is_noted = text.contains("< position startpos moves e2e4");
            if is_noted { "a transcript" } else { "no transcript" }.to_string()
        },
        default: "no transcript",
        changed: "a transcript",
    },
];

impl Probe<'_> {
    fn send(&mut self, line: &str) {
        self.engine.send(line);
    }

    fn position(&mut self, position: &str) {
        self.send(&format!("position {position}"));
    }

    /// Presses a button other than the row's.
    fn press(&mut self, name: &str) {
        self.set_line(&format!("setoption name {name}"));
    }

    /// Presses the row's button, if the row asks for it.
    fn press_option(&mut self) {
        if let Some(line) = self.set.clone() {
            self.set_line(&line);
        }
    }

    /// Sets an option, which must not be refused.
    fn set_line(&mut self, line: &str) {
        self.send(line);
        let told = self.engine.ready();
        assert!(!told.iter().any(|told| told.contains("error")), "{line}: {told:#?}");
    }

    /// All lines of a search.
    fn lines(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.engine.until("bestmove", SOON)
    }

    fn nodes(&mut self, go: &str) -> u32 {
        let lines = self.lines(go);
        word_after(last_info(&lines), "nodes").and_then(|word| word.parse().ok()).expect("nodes")
    }

    /// The score in centipawns; of a mate, more than any other.
    fn score(&mut self, go: &str) -> i32 {
        let lines = self.lines(go);
        let info = last_info(&lines);
        let mate = || word_after(info, "mate")?.parse::<i32>().ok().map(|mate| 30_000 * mate);
        let cp = word_after(info, "cp").and_then(|word| word.parse().ok());
        cp.or_else(mate).expect("a score")
    }

    fn table_hits(&mut self, go: &str) -> String {
        let lines = self.lines(go);
        let hits = word_after(last_info(&lines), "tbhits").expect("a count");
        if hits == "0" { "no hits" } else { "hits" }.to_string()
    }

    fn source_of_move(&mut self) -> String {
        let lines = self.lines("go depth 2");
        let is_book = lines.iter().any(|line| line.starts_with("info string book move"));
        if is_book { "a move of the book" } else { "a move of the search" }.to_string()
    }

    fn share_of_nodes(&mut self) -> String {
        match self.nodes("go nodes 4000") {
            4000 => "all nodes",
            400.. => "many nodes",
            _ => "few nodes",
        }
        .to_string()
    }

    fn chances(&mut self) -> String {
        let lines = self.lines("go depth 2");
        let has_chances = last_info(&lines).contains(" wdl ");
        if has_chances { "scores with chances" } else { "scores" }.to_string()
    }
}

#[cfg(target_os = "linux")]
fn threads(engine: &Engine) -> usize {
    engine.searching_tasks().len()
}

#[cfg(not(target_os = "linux"))]
fn threads(_: &Engine) -> usize {
    unreachable!("observed on Linux only")
}

/// Runs the program, which must succeed, and returns what it has printed.
fn output(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_freshet")).args(arguments).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The observation with or without the option set.
fn observed(row: &Row, is_set: bool, files: &Path) -> String {
    let folder = Folder::new(&format!("option {} {is_set}", row.name));
    let path = |text: &str| {
        text.replace("{folder}", &folder.0.display().to_string())
            .replace("{files}", &files.display().to_string())
            .replace("{tables}", TABLES)
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_freshet"));
    command.current_dir(&folder.0);
    let line = match row.value {
        Some(value) => format!("setoption name {} value {}", row.name, path(value)),
        None => format!("setoption name {}", row.name),
    };
    let set = is_set.then_some(line);
    let mut probe = Probe { engine: Engine::of(command), folder: &folder.0, set };
    for before in row.before {
        probe.set_line(&format!("setoption name {}", path(before)));
    }
    if row.value.is_some() {
        probe.press_option();
    }
    (row.observe)(&mut probe)
}

/// The names of all listed options, in order.
fn listed() -> Vec<String> {
    let text = output(&["uci"]);
    let names = text.lines().filter_map(|line| line.strip_prefix("option name "));
    names.map(|rest| rest.split_once(" type ").expect("a type").0.to_string()).collect()
}

/// Every option has a row, except those of a tuning build: these are tuned numbers of the search.
#[test]
fn every_option_has_a_row() {
    let mut names = listed();
    if cfg!(feature = "tune") {
        let declared = freshet::search::Params::ALL.iter().map(|declared| declared.name);
        let of_tuning: Vec<&str> = declared.chain(["Ablation"]).collect();
        names.retain(|name| !of_tuning.contains(&name.as_str()));
    }
    let rows = [&SEARCH[..], &FILES, &OUTPUT].into_iter().flatten().map(|row| row.name);
    let mut known: Vec<&str> = rows.chain(WITHOUT_EFFECT.map(|(name, ..)| name)).collect();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(names, known);
}

/// Checks the observation of each row, by default and with the option set.
fn check(rows: &[Row], name: &str) {
    let files = Folder::new(name);
    let games = files.write("games.pgn", GAMES);
    output(&["book", "build", &games, &files.file("own.bin")]);
    let weights = output(&["weights", "dump"]);
    let changed = weights.replace("\nbishop_pair = ", "\nbishop_pair = 900,900 # ");
    assert_ne!(weights, changed);
    files.write("weights.txt", &changed);
    for row in rows {
        if OF_LINUX.contains(&row.name) && cfg!(not(target_os = "linux")) {
            continue;
        }
        assert_ne!(row.default, row.changed, "{}", row.name);
        assert_eq!(observed(row, false, &files.0), row.default, "{} is not set", row.name);
        assert_eq!(observed(row, true, &files.0), row.changed, "{} is set", row.name);
    }
}

#[test]
fn options_of_the_search_have_an_effect() {
    check(&SEARCH, "search options");
}

#[test]
fn options_of_files_have_an_effect() {
    check(&FILES, "file options");
}

#[test]
fn options_of_strength_and_output_have_an_effect() {
    check(&OUTPUT, "output options");
}

/// Options without an effect are accepted silently.
#[test]
fn options_without_an_effect_are_accepted() {
    let mut engine = Engine::start();
    for (name, value, why) in WITHOUT_EFFECT {
        engine.send(&format!("setoption name {name} value {value}"));
        assert_eq!(engine.ready(), ["readyok"], "{name}: {why}");
    }
}
