//! Files damaged in every way: a message, a legal move, never an internal error.

use std::path::Path;

use freshet::board::Position;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};

use super::{Engine, SOON};
use crate::support::{Folder, random};

/// The number of files with flipped bits: the default, or `FRESHET_FLIPS`.
fn flips() -> usize {
    let asked = std::env::var("FRESHET_FLIPS").ok();
    asked.and_then(|number| number.parse().ok()).unwrap_or(12)
}

/// A file after each kind of damage, with the name of the kind.
fn damaged(whole: &[u8], random: &mut Xoshiro256PlusPlus) -> Vec<(String, Vec<u8>)> {
    let length = whole.len();
    let cut = |at: usize| whole[..at.min(length)].to_vec();
    let mut files = vec![
        ("empty".to_string(), Vec::new()),
        ("one byte".to_string(), cut(1)),
        ("half".to_string(), cut(length / 2)),
        ("without its last byte".to_string(), cut(length - 1)),
        ("without its last 64 bytes".to_string(), cut(length.saturating_sub(64))),
        ("one byte more".to_string(), [whole, b"x"].concat()),
        ("twice".to_string(), [whole, whole].concat()),
        ("zeros".to_string(), vec![0; length]),
        ("ones".to_string(), vec![0xff; length]),
        ("noise".to_string(), (0..length).map(|_| random.next_u32() as u8).collect()),
    ];
    for number in 0..flips() {
        let mut bytes = whole.to_vec();
        for _ in 0..1 << (number % 8) {
            // Half of them in the head, where they do the most.
            let end = if random.random() { length.min(64) } else { length };
            bytes[random.random_range(0..end)] ^= 1 << random.random_range(0..8);
        }
        files.push((format!("flips {number}"), bytes));
    }
    files
}

impl Engine {
    /// Sends an option; expects at most one message.
    fn set(&mut self, name: &str, value: &str) -> Option<String> {
        self.send(&format!("setoption name {name} value {value}"));
        self.one_message(value)
    }

    /// Presses a button; expects one message.
    fn press(&mut self, name: &str) -> String {
        self.send(&format!("setoption name {name}"));
        self.one_message(name).unwrap_or_else(|| panic!("{name}: no message"))
    }

    fn one_message(&mut self, what: &str) -> Option<String> {
        let mut lines = self.ready();
        lines.pop();
        assert!(lines.len() <= 1, "{what}: {lines:#?}");
        let told = lines.pop();
        assert!(told.iter().all(|line| line.starts_with("info string ")), "{what}: {told:?}");
        told
    }

    /// Searches, and checks that the move is legal and there was no internal error. Returns all
    /// messages.
    fn plays_on(&mut self, fen: &str, go: &str) -> Vec<String> {
        let position = Position::from_fen(fen).expect("a FEN");
        self.send(&format!("position fen {fen}"));
        self.send(go);
        let mut lines = self.until("bestmove", SOON);
        let best = lines.pop().expect("an answer");
        let best = best.split(' ').nth(1).expect("a move");
        assert!(position.parse_uci(best).is_ok(), "{fen}: {best} after {lines:#?}");
        lines.retain(|line| line.starts_with("info string"));
        assert!(!lines.iter().any(|line| line.contains("internal error")), "{lines:#?}");
        lines
    }
}

fn write(path: &str, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("a file");
}

/// Makes a file unreadable, and says whether it is: root reads everything.
#[cfg(unix)]
fn is_unreadable(path: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;

    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).expect("our own file");
    let refused = std::fs::File::open(path).is_err();
    if !refused {
        println!("{path} can be read all the same: this user may read everything");
    }
    refused
}

#[cfg(not(unix))]
fn is_unreadable(_: &str) -> bool {
    println!("permissions of files are not changed on this system");
    false
}

const START: &str = Position::START;

#[test]
fn damaged_books() {
    let folder = Folder::new("damaged books");
    let file = folder.file("book.bin");
    let whole = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/openings/freshet.bin"))
        .expect("our own book");
    let mut engine = Engine::start();
    engine.set("OwnBook", "true");
    let refused = |told: Option<String>, what: &str| {
        let told = told.unwrap_or_else(|| panic!("{what}: no message"));
        let start = format!("info string error: book {file}: ");
        assert!(told.starts_with(&start) && told.ends_with("; continuing without"), "{told}");
    };
    for (kind, bytes) in damaged(&whole, &mut random(91)) {
        write(&file, &bytes);
        let told = engine.set("Book File", &file);
        if bytes.len() % 16 != 0 || ["twice", "noise"].contains(&kind.as_str()) {
            refused(told, &kind);
        } else {
            // Any sorted entries make a book; its legal moves are played.
            let told = told.unwrap_or_else(|| panic!("{kind}: no message"));
            assert!(told.contains("book "), "{kind}: {told}");
        }
        engine.plays_on(START, "go nodes 100");
    }
    // Removed after it was read: it is in memory.
    write(&file, &whole);
    engine.set("Book File", &file);
    std::fs::remove_file(&file).expect("our own file");
    assert!(engine.plays_on(START, "go nodes 100")[0].contains("book move"));
    refused(engine.set("Book File", &file), "removed");
    std::fs::create_dir(&file).expect("a folder");
    refused(engine.set("Book File", &file), "a folder");
    std::fs::remove_dir(&file).expect("our own folder");
    write(&file, &whole);
    if is_unreadable(&file) {
        refused(engine.set("Book File", &file), "unreadable");
    }
    assert_eq!(engine.plays_on(START, "go nodes 100").len(), 0, "without a book");
    assert_eq!(engine.silent_end(), "");
}

#[test]
fn damaged_saved_tables() {
    let folder = Folder::new("damaged hash");
    let file = folder.file("hash");
    let mut engine = Engine::start();
    engine.set("Hash", "1");
    engine.set("Hash File", &file);
    engine.plays_on(START, "go nodes 30000");
    assert_eq!(engine.press("Save Hash"), format!("info string saved to {file}"));
    let whole = std::fs::read(&file).expect("the table");
    let refused = format!("info string error: {file}: ");
    let head = whole.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
    let mut random = random(92);
    for (kind, bytes) in damaged(&whole, &mut random) {
        write(&file, &bytes);
        let told = engine.press("Load Hash");
        if bytes.len() < whole.len() || !bytes.starts_with(&whole[..head - 3]) {
            assert!(told.starts_with(&refused), "{kind}: {told}");
        }
        engine.plays_on(START, "go nodes 1000");
    }
    // The worst case: every entry matches its position and has arbitrary content.
    for _ in 0..flips().div_ceil(4) {
        let mut bytes = whole.clone();
        for slot in bytes[head..].chunks_exact_mut(16) {
            let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            let (check, data) = (word(&slot[..8]), word(&slot[8..]));
            if data != 0 {
                let wrong = random.next_u64();
                slot[..8].copy_from_slice(&(check ^ data ^ wrong).to_le_bytes());
                slot[8..].copy_from_slice(&wrong.to_le_bytes());
            }
        }
        write(&file, &bytes);
        assert!(engine.press("Load Hash").starts_with("info string loaded"));
        engine.plays_on(START, "go nodes 30000");
        engine.plays_on(START, "go depth 8");
    }
    std::fs::remove_file(&file).expect("our own file");
    assert!(engine.press("Load Hash").starts_with(&refused), "removed");
    std::fs::create_dir(&file).expect("a folder");
    assert!(engine.press("Load Hash").starts_with(&refused), "a folder");
    assert!(engine.press("Save Hash").starts_with(&refused), "a folder");
    std::fs::remove_dir(&file).expect("our own folder");
    write(&file, b"1. e4 e5 *\n");
    assert!(engine.press("Save Hash").starts_with(&refused), "another file");
    assert_eq!(std::fs::read(&file).expect("the file"), b"1. e4 e5 *\n", "it stays");
    engine.set("Hash File", "");
    assert_eq!(engine.press("Save Hash"), "info string error: no Hash File is set");
    engine.set("Hash File", &file);
    write(&file, &whole);
    if is_unreadable(&file) {
        assert!(engine.press("Load Hash").starts_with(&refused), "unreadable");
        assert!(engine.press("Save Hash").starts_with(&refused), "unreadable");
    }
    #[cfg(target_os = "linux")]
    {
        engine.set("Hash File", "/dev/full");
        assert!(engine.press("Save Hash").starts_with("info string error: /dev/full: No space"));
    }
    engine.plays_on(START, "go nodes 1000");
    assert_eq!(engine.silent_end(), "");
}

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");

/// A table, and a position to probe in it.
const PROBED: [(&str, &str); 6] = [
    ("KRvK.rtbw", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"),
    ("KRvK.rtbz", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"),
    ("KPvK.rtbw", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"),
    ("KPvK.rtbz", "8/8/8/4k3/8/8/4P3/4K3 b - - 3 1"),
    ("KPPvK.rtbz", "8/8/8/4k3/8/3P4/4P3/4K3 w - - 7 1"),
    ("KPvKP.rtbw", "8/4p3/8/4k3/8/8/4P3/4K3 w - - 0 1"),
];

/// Copies all tables to a folder.
fn copy_tables(folder: &Folder) {
    for entry in std::fs::read_dir(TABLES).expect("the tables are there") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        std::fs::copy(&path, folder.file(name)).expect("a table");
    }
}

/// A damaged table is reported when it is opened or, if only reading it shows the damage, once
/// after the search that read it.
#[test]
fn damaged_endgame_tables() {
    let folder = Folder::new("damaged tables");
    copy_tables(&folder);
    let path = folder.0.display().to_string();
    let mut engine = Engine::start();
    let mut random = random(93);
    let mut told_late = 0;
    for (name, fen) in PROBED {
        let file = folder.file(name);
        let whole = std::fs::read(Path::new(TABLES).join(name)).expect("a table");
        for (kind, bytes) in damaged(&whole, &mut random) {
            write(&file, &bytes);
            engine.send(&format!("setoption name SyzygyPath value {path}"));
            let lines = engine.ready();
            let told = format!("info string error: table {file}: ");
            let problems = lines.iter().filter(|line| line.starts_with(&told)).count();
            // One line for the damage, one for the tables that are left.
            assert_eq!(lines.len(), 2 + problems, "{name} {kind}: {lines:#?}");
            assert!(problems == 1 || bytes.len() % 64 == 16, "{name} {kind}: {lines:#?}");
            let late = engine.plays_on(fen, "go nodes 500");
            assert!(problems + late.len() <= 1, "{name} {kind}: {late:#?}");
            for line in &late {
                let ends = line.ends_with("; continuing without it");
                assert!(line.starts_with("info string error: ") && ends, "{name} {kind}: {line}");
            }
            told_late += late.len();
            assert_eq!(engine.plays_on(fen, "go nodes 500").len(), 0, "{name} {kind}: told twice");
        }
        write(&file, &whole);
    }
    assert!(told_late > 3, "{told_late}");
    assert_eq!(engine.silent_end(), "");
}

/// Tables that vanish, become folders or become unreadable after the folder was scanned.
#[test]
fn endgame_tables_that_go_while_they_are_open() {
    let fen = PROBED[0].1;
    for gone in ["removed", "a folder", "emptied", "unreadable"] {
        for was_read in [true, false] {
            let folder = Folder::new("going tables");
            copy_tables(&folder);
            let mut engine = Engine::start();
            engine.set("SyzygyPath", &folder.0.display().to_string());
            if was_read {
                assert_eq!(engine.plays_on(fen, "go nodes 500").len(), 0);
            }
            let mut expected = 1;
            for name in ["KRvK.rtbw", "KRvK.rtbz"] {
                let file = folder.file(name);
                match gone {
                    "emptied" => write(&file, b""),
                    "unreadable" if is_unreadable(&file) => {}
                    "unreadable" => expected = 0,
                    _ => std::fs::remove_file(&file).expect("our own file"),
                }
                if gone == "a folder"
                    && let Err(error) = std::fs::create_dir(&file)
                {
                    assert!(
                        cfg!(windows) && was_read,
                        "Windows keeps the name of an open file: {error}"
                    );
                }
            }
            // An open file stays readable after its name is removed; a truncated one is empty.
            if was_read && gone != "emptied" {
                expected = 0;
            }
            let told = engine.plays_on(fen, "go nodes 500");
            assert_eq!(told.len(), expected, "{gone} {was_read}: {told:#?}");
            assert_eq!(engine.plays_on(fen, "go nodes 500").len(), 0, "{gone}: told twice");
            assert_eq!(engine.silent_end(), "");
        }
    }
}

/// The log: places where no file can be created, one that disappears, and a full disk.
#[test]
fn logs_that_cannot_be_written() {
    let folder = Folder::new("logs");
    let file = folder.file("log");
    let mut engine = Engine::start();
    for place in [folder.0.display().to_string(), folder.file("no/such/folder")] {
        let told = engine.set("Debug Log File", &place).expect("a message");
        assert!(told.starts_with(&format!("info string error: {place}: ")), "{told}");
        engine.plays_on(START, "go nodes 100");
    }
    engine.set("Debug Log File", &file);
    std::fs::remove_file(&file).expect("the log");
    assert_eq!(engine.plays_on(START, "go nodes 100").len(), 0);
    write(&file, b"of another time");
    if is_unreadable(&file) {
        let told = engine.set("Debug Log File", &file).expect("a message");
        assert!(told.starts_with(&format!("info string error: {file}: ")), "{told}");
    }
    #[cfg(target_os = "linux")]
    {
        // The log begins with the line after the option.
        let told = engine.set("Debug Log File", "/dev/full").expect("a message");
        let start = "info string error: /dev/full: No space";
        assert!(told.starts_with(start) && told.ends_with("; the transcript ends"), "{told}");
        assert_eq!(engine.plays_on(START, "go nodes 100").len(), 0, "told once");
    }
    assert_eq!(engine.silent_end(), "");
}
