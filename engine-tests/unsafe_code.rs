//! The uses of `unsafe`: a fixed number in each of these files, each with the reason why it is
//! sound.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The number of uses of `unsafe` in each file. Adding one requires a change of this list, so that
/// the reviewer asks why.
const KNOWN: [(&str, usize); 14] = [
    ("bench/fill.rs", 2),
    ("engine-tests/backends.rs", 1),
    ("engine-tests/laws/eval.rs", 1),
    ("src/core/board/moves.rs", 3),
    ("src/core/fill/avx2.rs", 4),
    ("src/core/fill/avx512.rs", 3),
    ("src/core/fill/boards/avx2.rs", 2),
    ("src/core/fill/boards/avx512.rs", 2),
    ("src/core/fill/neon.rs", 3),
    ("src/core/fill/pair/counts_register.rs", 1),
    ("src/core/fill/pair/words_register.rs", 1),
    ("src/core/fill/processor.rs", 4),
    ("src/core/prefetch.rs", 2),
    ("src/core/search/memory/huge_pages.rs", 32),
];

/// All source files below a folder.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// A line without its comment and quoted texts.
fn code(line: &str) -> String {
    let line = line.split("//").next().unwrap_or_default();
    line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// Whether a line of code has this word.
fn has_word(line: &str, word: &str) -> bool {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    code(line).split(|letter| !is_of_word(letter)).any(|part| part == word)
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// Whether the comment right above the statement of this line gives the reason.
fn has_reason(lines: &[&str], at: usize) -> bool {
    // Go back to the first line of the statement: the line before it is a comment or ends another
    // statement.
    let ends = |line: &str| line.is_empty() || line.ends_with([';', '{', '}', ',', ']']);
    let mut first = at;
    while first > 0 && !is_comment(lines[first - 1]) && !ends(lines[first - 1].trim_end()) {
        first -= 1;
    }
    let above = lines[..first].iter().rev().take_while(|line| is_comment(line));
    above.into_iter().any(|line| line.contains("SAFETY: ") || line.contains("# Safety"))
}

#[test]
fn unsafe_code_is_where_it_was_and_has_its_reasons() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "engine-tests", "examples", "bench"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "{} files", files.len());
    let mut found = BTreeMap::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let name = path.strip_prefix(root).expect("below the root").display().to_string();
        let name = name.replace('\\', "/");
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| has_word(line, "unsafe")) {
            *found.entry(name.clone()).or_insert(0) += 1;
            assert!(has_reason(&lines, at), "{name} line {}: no SAFETY: {line}", at + 1);
        }
    }
    assert_eq!(found, BTreeMap::from(KNOWN.map(|(name, count)| (name.to_string(), count))));
}

#[test]
fn reasons_are_looked_for_where_they_belong() {
    let reason = "    // SAFETY: it is checked above.";
    for (lines, fine) in [
        (vec![reason, "    unsafe { f() };"], true),
        (vec![reason, "    let x =", "        unsafe { f() };"], true),
        (vec!["/// # Safety", "/// As `f`.", "pub unsafe fn g() {"], true),
        (vec!["    unsafe { f() };"], false),
        (vec![reason, "    f();", "    unsafe { f() };"], false),
        (vec![reason, "", "    unsafe { f() };"], false),
        (vec!["    // It is checked above.", "    unsafe { f() };"], false),
    ] {
        let at = lines.len() - 1;
        assert!(has_word(lines[at], "unsafe"), "{lines:?}");
        assert_eq!(has_reason(&lines, at), fine, "{lines:?}");
    }
    for line in ["// unsafe", "danger_unsafe_checks: 1,", "let x = \"unsafe\";"] {
        assert!(!has_word(line, "unsafe"), "{line}");
    }
}
