//! Files that commands write: replaced as a whole or left as they are.

use std::process::Command;

use crate::support::Folder;

const GAME: &str = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n";

/// A command line for the shell, run in this folder; returns its exit status, if it was not killed.
#[cfg(unix)]
fn shell(folder: &Folder, line: &str) -> Option<i32> {
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(&folder.0)
        .env("freshet", env!("CARGO_BIN_EXE_freshet"))
        .output()
        .expect("it runs");
    output.status.code()
}

/// The names of all files in a folder except those of the tests.
fn others(folder: &Folder, known: &[&str]) -> Vec<String> {
    let entries = std::fs::read_dir(&folder.0).expect("the folder");
    let names = entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into());
    names.filter(|name: &String| !known.contains(&name.as_str())).collect()
}

/// Commands that write a file called `kept`, and what each needs.
const COMMANDS: [&str; 6] = [
    "annotate game.pgn --nodes 10 --hash 1 -o kept",
    "html game.pgn --nodes 10 -o kept",
    "html --nodes 10 -o kept",
    "svg attacks -o kept",
    "weights dump kept",
    "book build game.pgn kept",
];

/// Every command that writes a file does so, which makes the checks below meaningful.
#[cfg(unix)]
#[test]
fn files_are_written() {
    let folder = Folder::new("written");
    folder.write("game.pgn", GAME);
    for command in COMMANDS {
        folder.write("kept", "keep");
        assert_eq!(shell(&folder, &format!("\"$freshet\" {command}")), Some(0), "{command}");
        let written = std::fs::read(folder.file("kept")).expect("the file");
        assert!(written != b"keep" && written.len() > 10, "{command}");
        assert_eq!(others(&folder, &["game.pgn", "kept"]), [""; 0], "{command}");
    }
}

/// On a full disk (here a limit on file sizes), the old file stays and the error names it. The old
/// file also stays if the program is killed in the middle.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    folder.write("game.pgn", &GAME.replace("2. Nf3 *", &"2. Nf3 Nc6 3. Ng1 Nb8 ".repeat(20)));
    for command in ["html game.pgn --nodes 1 -o kept", "weights dump kept"] {
        folder.write("kept", "keep");
        let limited = format!("ulimit -f 1; exec \"$freshet\" {command}");
        assert_eq!(shell(&folder, &format!("trap '' XFSZ; {limited}")), Some(2), "{command}");
        assert_eq!(std::fs::read(folder.file("kept")).expect("the file"), b"keep", "{command}");
        assert_eq!(others(&folder, &["game.pgn", "kept"]), [""; 0], "{command}");
        // Killed by the signal.
        assert_ne!(shell(&folder, &limited), Some(0), "{command}");
        assert_eq!(std::fs::read(folder.file("kept")).expect("the file"), b"keep", "{command}");
        for rest in others(&folder, &["game.pgn", "kept"]) {
            std::fs::remove_file(folder.file(&rest)).expect("a file");
        }
    }
    assert_eq!(shell(&folder, "\"$freshet\" weights dump > /dev/full"), Some(2));
}

/// A command that cannot succeed leaves the file unchanged.
#[cfg(unix)]
#[test]
fn errors_leave_the_file_as_it_was() {
    let folder = Folder::new("refused");
    folder.write("game.pgn", GAME);
    folder.write("empty.pgn", "");
    folder.write("atomic.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n");
    for command in [
        "annotate empty.pgn -o kept",
        "annotate nowhere.pgn -o kept",
        "annotate game.pgn --nodes 0 -o kept",
        "annotate atomic.pgn -o kept",
        "annotate kept -o kept",
        "annotate link -o kept",
        "annotate kept -o link",
        "html empty.pgn -o kept",
        "html atomic.pgn -o kept",
        "html game.pgn --game 2 -o kept",
        "html 8/8 -o kept",
        "svg -o kept",
        "svg nosuch -o kept",
        "book build empty.pgn kept",
        "record kept",
    ] {
        folder.write("kept", "1. e4 e5 *\n");
        let _ = std::fs::remove_file(folder.file("link"));
        std::fs::hard_link(folder.file("kept"), folder.file("link")).expect("a link");
        let line = format!("\"$freshet\" {command} </dev/null");
        assert_ne!(shell(&folder, &line), Some(0), "{command}");
        let left = std::fs::read(folder.file("kept")).expect("the file");
        assert_eq!(left, b"1. e4 e5 *\n", "{command}");
        let known = ["game.pgn", "empty.pgn", "atomic.pgn", "kept", "link"];
        assert_eq!(others(&folder, &known), [""; 0], "{command}");
    }
}

/// A million tags are not all kept. (An address space of 400 MB holds the stacks of all threads.)
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_by_the_parts_of_a_game() {
    let folder = Folder::new("many tags");
    let tags: String = (0..1_000_000).map(|number| format!("[T{number} \"x\"]\n")).collect();
    folder.write("tags.pgn", &tags);
    let limited = "ulimit -v 400000; exec \"$freshet\" annotate tags.pgn --nodes 1 --hash 1";
    assert_eq!(shell(&folder, limited), Some(1), "cut short, not out of memory");
}
