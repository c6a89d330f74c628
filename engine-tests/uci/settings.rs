//! Options that read files or limit the strength, and the ranges of all options.

use std::process::Command;
use std::time::Duration;

use super::{Engine, SOON};
use crate::support::Folder;

/// Names that parsers can read and bots expect, defaults inside bounds.
#[test]
fn options_load_everywhere() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok", SOON);
    let mut names = Vec::new();
    for line in lines.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, rest) = line.split_once(" type ").expect("a type");
        for word in name.split(' ') {
            assert!(
                !["name", "type", "default", "min", "max", "var", "value"].contains(&word),
                "{name}"
            );
        }
        let words: Vec<&str> = rest.split(' ').collect();
        match words[..] {
            ["spin", "default", default, "min", min, "max", max] => {
                let [default, min, max] =
                    [default, min, max].map(|word| word.parse::<i64>().expect("a number"));
                assert!(min <= default && default <= max, "{line}");
            }
            ["check", "default", default] => {
                assert!(["true", "false"].contains(&default), "{line}")
            }
            ["string", "default", _, ..] | ["button"] => {}
            _ => panic!("{line}"),
        }
        names.push(name);
    }
    for name in
        ["Move Overhead", "Threads", "Hash", "SyzygyPath", "UCI_ShowWDL", "MultiPV", "Ponder"]
    {
        assert!(names.contains(&name), "{name}");
    }
    let mut once = names.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), names.len());
}

/// Tablebases that are missing, empty or damaged are reported, and play goes on.
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

/// The node count of the last `info` line that has one.
fn nodes_of(lines: &[String]) -> u64 {
    let nodes = lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)).expect("nodes");
    nodes.split(' ').next().expect("a word").parse().expect("a number")
}

/// A weaker engine answers at once, and still finds a mate in one.
#[test]
fn strength_can_be_limited() {
    let mut engine = Engine::start();
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 800");
    engine.send("position startpos");
    engine.send("go movetime 600000");
    let nodes = nodes_of(&engine.until("bestmove", SOON));
    assert!(nodes < 200, "{nodes}");
    engine.send("setoption name UCI_Elo value 100");
    assert_eq!(engine.ready().len(), 2, "outside its bounds");
    // At the upper end the strength is not limited.
    engine.send("setoption name UCI_Elo value 10000");
    engine.ready();
    engine.send("position startpos");
    engine.send("go nodes 500000");
    let nodes = nodes_of(&engine.until("bestmove", SOON));
    assert!(nodes > 150_000, "{nodes}");
    engine.send("setoption name UCI_Elo value 800");
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.send("position startpos");
    engine.send("go nodes 5000");
    let lines = engine.until("bestmove", SOON);
    assert!(
        lines.iter().any(|line| line.starts_with("info depth 5 ")),
        "full strength: {lines:#?}"
    );
}

/// The engine plays from the opening book, and reports a damaged or missing one.
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
    assert!(
        String::from_utf8_lossy(&output.stdout).starts_with("games: 2, left out: 0, entries: 5")
    );

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
    assert!(
        engine.until("bestmove", SOON).iter().any(|line| line.contains(" pv ")),
        "analysis has no book"
    );

    for analysis in ["go mate 1", "go searchmoves h2h4 depth 2"] {
        engine.send(analysis);
        assert!(engine.until("bestmove", SOON).iter().any(|line| line.contains(" pv ")));
    }
    engine.send("setoption name Book Depth value 1");
    engine.send("position startpos moves a2a3 e7e5");
    engine.send("go depth 2");
    let lines = engine.until("bestmove", SOON);
    assert!(lines.iter().any(|line| line.contains(" pv ")), "the second move has no book");
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.send("position startpos");
    engine.send("go depth 2");
    let lines = engine.until("bestmove", SOON);
    assert!(lines.iter().any(|line| line.contains(" pv ")), "nor has analysis");

    std::fs::write(folder.file("cut.bin"), b"seventeen bytes..").expect("a file");
    for file in [folder.file("cut.bin"), folder.file("none.bin")] {
        engine.send(&format!("setoption name Book File value {file}"));
        let lines = engine.ready();
        assert!(lines[0].starts_with("info string error: book "), "{lines:?}");
        engine.best("go nodes 500");
    }
}

/// The table can be saved, and loaded at the same size only. A search of one ply then gives the
/// result of an earlier deep search, which it could not find by itself.
#[test]
fn the_table_outlives_the_program() {
    let folder = Folder::new("hash");
    let file = folder.file("a table");
    // The bishop is trapped in a few moves.
    let caught = "position fen 6k1/p4ppp/8/8/8/1P6/b2K1PPP/8 w - - 0 1";
    let score = |engine: &mut Engine, go: &str| -> i32 {
        engine.send(caught);
        engine.send(go);
        let lines = engine.until("bestmove", SOON);
        let score = lines.iter().rev().find_map(|line| line.split(" score cp ").nth(1));
        let score = score.and_then(|rest| rest.split(' ').next()).expect("centipawns");
        score.parse().expect("a number")
    };
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    engine.send(&format!("setoption name Hash File value {file}"));
    let deep = score(&mut engine, "go depth 10");
    engine.send("setoption name Save Hash");
    assert!(engine.ready()[0].starts_with("info string saved"));

    let mut other = Engine::start();
    let shallow = score(&mut other, "go depth 1");
    assert!((shallow - deep).abs() > 100, "nothing to know: {shallow} {deep}");
    other.send("ucinewgame");
    other.send(&format!("setoption name Hash File value {file}"));
    other.send("setoption name Load Hash");
    assert!(other.ready()[0].contains("saved with Hash 1, now it is 16"));
    assert_eq!(score(&mut other, "go depth 1"), shallow, "nothing was loaded");
    other.send("setoption name Hash value 1");
    other.send("setoption name Load Hash");
    assert!(other.ready()[0].starts_with("info string loaded"));
    let known = score(&mut other, "go depth 1");
    assert!(4 * (known - deep).abs() < (shallow - deep).abs(), "{known}, not {deep}");

    std::fs::write(&file, b"freshet-hash-1 1 0\ntoo short").expect("a file");
    other.send("setoption name Load Hash");
    assert!(other.ready()[0].starts_with("info string error"));
    other.best("go nodes 1000");
    other.send("setoption name Hash File value /no/such/folder/x");
    other.send("setoption name Save Hash");
    assert!(other.ready()[0].starts_with("info string error"));
}

/// Transcripts: the file has all input and output, and replaying it gives the same answers.
#[test]
fn transcripts_are_written_and_replayed() {
    let folder = Folder::new("transcript");
    let file = folder.file("log");
    let mut engine = Engine::start();
    engine.send("setoption name Debug Log File value /no/such/folder/x");
    assert!(engine.ready()[0].starts_with("info string error"));
    // All in one burst: the log begins with the line after the option.
    engine.send(&format!(
        "setoption name Debug Log File value {file}\nposition startpos moves e2e4\ngo nodes 3000"
    ));
    engine.best_move(SOON);
    engine.send("position startpos moves d2d4");
    engine.best("go nodes 3000");
    engine.send("quit");
    engine.assert_exit(SOON);
    let text = std::fs::read_to_string(&file).expect("the transcript");
    assert_eq!(text.lines().filter(|line| line.ends_with("< go nodes 3000")).count(), 2);
    assert_eq!(text.lines().filter(|line| line.contains("> bestmove ")).count(), 2);

    let replay =
        |file: &str| Command::new(env!("CARGO_BIN_EXE_freshet")).args(["replay", file]).output();
    let output = replay(&file).expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let moves = |text: &str| -> Vec<String> {
        let of_line = |line: &str| Some(line[line.find("bestmove ")?..].to_string());
        text.lines().filter_map(of_line).collect()
    };
    assert_eq!(moves(&String::from_utf8_lossy(&output.stdout)), moves(&text));
    std::fs::write(&file, "no transcript").expect("a file");
    assert_eq!(replay(&file).expect("it runs").status.code(), Some(2));
}

/// Numbers out of range are clamped, with a message. Words that are not numbers change nothing.
#[test]
fn absurd_values() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 500");
    assert_eq!(engine.ready()[0], "info string MultiPV is from 1 to 256: set to 256");
    engine.send("go depth 2");
    let lines = engine.until("bestmove", SOON);
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("info depth 2 ")).count(),
        20,
        "{lines:#?}"
    );
    engine.send("setoption name MultiPV value -99999999999999999999999");
    engine.send("setoption name MultiPV value many");
    let lines = engine.ready();
    assert_eq!(lines[0], "info string MultiPV is from 1 to 256: set to 1");
    assert!(lines[1].starts_with("info string error: "), "{lines:?}");
    // More memory than there is: the old table stays.
    engine.send("setoption name Hash value 99999999999");
    let lines = engine.ready();
    assert!(lines[lines.len() - 2].contains("Hash stays at 16 MB"), "{lines:?}");
    engine.best("go nodes 2000");
}

/// The number of threads can go up and down.
#[test]
fn threads_come_and_go() {
    let mut engine = Engine::start();
    for threads in [2, 2, 64, 1, 3] {
        engine.send(&format!("setoption name Threads value {threads}"));
        assert_eq!(engine.ready().len(), 1);
        engine.best("go nodes 20000");
        #[cfg(target_os = "linux")]
        {
            let left = engine.held().threads;
            assert!(left <= 3, "{threads}: {left} threads are left");
        }
    }
}

/// No home directory, a deleted working directory, no output.
#[cfg(unix)]
#[test]
fn with_nothing_around_it() {
    use std::io::Write;
    use std::process::Stdio;

    let folder = Folder::new("nothing around");
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" $1";
    for (close, end) in [("", "a move"), (">&-", "no output"), ("2>&-", "no complaints")] {
        let output = Command::new("sh")
            .args(["-c", &format!("{script} {close}"), env!("CARGO_BIN_EXE_freshet")])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .current_dir(&folder.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .and_then(|mut child| {
                child
                    .stdin
                    .take()
                    .expect("a pipe")
                    .write_all(b"go nodes 1000\nsetoption name Save Hash\n")?;
                child.wait_with_output()
            })
            .expect("it runs");
        assert!(output.status.success(), "{end}: {output:?}");
        assert!(output.stderr.is_empty(), "{end}: {output:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.contains("bestmove "), close != ">&-", "{end}: {text}");
    }
}

/// Several folders, blanks in names, a separator at the end, a table cut short.
#[test]
fn endgame_tables_in_several_folders() {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    let folders = [Folder::new("tables one"), Folder::new("tables two")];
    for (folder, name) in folders.iter().zip(["KQvK", "KRvK"]) {
        for end in ["rtbw", "rtbz"] {
            let file = format!("{name}.{end}");
            std::fs::copy(format!("{suites}/{file}"), folder.file(&file)).expect("a table");
        }
    }
    let separator = if cfg!(windows) { ";" } else { ":" };
    let [one, two] = folders.each_ref().map(|folder| folder.0.display().to_string());
    let mut engine = Engine::start();
    for (path, files) in [
        (one.clone(), 2),
        (format!("{one}{separator}"), 2),
        (format!("{one}{separator}{two}"), 4),
        (format!("{separator}{two}{separator}{one}{separator}"), 4),
    ] {
        engine.send(&format!("setoption name SyzygyPath value {path}"));
        let lines = engine.ready();
        let told = format!("info string {files} tablebase files, up to 3 pieces");
        assert_eq!(lines, [told.as_str(), "readyok"], "{path}");
    }
    let whole = std::fs::read(format!("{suites}/KQvK.rtbw")).expect("a table");
    std::fs::write(folders[0].file("KQvK.rtbw"), &whole[..whole.len() / 2]).expect("a file");
    engine.send(&format!("setoption name SyzygyPath value {one}"));
    engine.ready();
    engine.send("position fen 8/8/8/4k3/8/8/8/3QK3 w - - 0 1");
    engine.best("go depth 6");
}

/// Values in forms that GUIs do not send are understood, and reported.
#[test]
fn other_words_for_true_are_told() {
    let mut engine = Engine::start();
    for (name, value, on) in
        [("Ponder", "yes", true), ("UCI_ShowWDL", "1", true), ("Minimal", "off", false)]
    {
        engine.send(&format!("setoption name {name} value {value}"));
        let told = format!("info string {name} is true or false: \"{value}\" is {on}");
        assert_eq!(engine.ready(), [told.as_str(), "readyok"]);
    }
    engine.send("setoption name Ponder value perhaps");
    assert!(engine.ready()[0].starts_with("info string error: Ponder is true or false"));
    engine.send("setoption name Ponder value true");
    assert_eq!(engine.ready(), ["readyok"]);
}
