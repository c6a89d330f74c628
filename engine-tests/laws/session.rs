//! Laws of the UCI session.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use freshet::board::Position;
use freshet::uci;
use freshet::uci::command::{Command, number};
use freshet::uci::output::Output;

use super::files::scratch;

/// Nodes of each search.
const NODES: u64 = 300;
/// The most lines of a script, and searches among them.
const LINES: usize = 60;
const SEARCHES: usize = 6;

/// Output that is kept.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A script, and what a session must answer to it.
#[derive(Default)]
struct Script {
    lines: Vec<Vec<u8>>,
    position: Position,
    /// The position of each search.
    searched: Vec<Position>,
    /// FENs that are shown.
    shown: Vec<String>,
    /// The number of `uciok` and `readyok` lines expected.
    uci: usize,
    ready: usize,
    /// Ends with `quit`, which does not wait for answers.
    quits: bool,
}

/// Sends any lines to a session, except that lines that would take long or write files are changed.
/// The session answers each command once, with legal moves, from the positions it was given.
pub fn uci(bytes: &[u8]) {
    let mut script = Script::default();
    script.add(b"setoption name Hash value 1");
    script.add(b"setoption name Hash File value any");
    for line in bytes.split(|&byte| byte == b'\n').take(LINES) {
        script.add(line);
    }
    let kept = Kept::default();
    let input = script.lines.join(&b'\n');
    uci::run(&input[..], &Output::new(kept.clone(), |_| {}));
    let written = kept.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let text = String::from_utf8(written).expect("UTF-8");
    script.check(&text);
}

/// A file or folder of the repository.
fn of_repository(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = root.ancestors().take(2).map(|parent| parent.join(path));
    places.find(|place| place.exists()).expect("a part of the repository").display().to_string()
}

/// The path to use for an option that names a file or folder; `None` for other options.
fn redirected(name: &str, value: &str) -> Option<String> {
    let file = |name: &str| scratch(name).display().to_string();
    Some(match name.to_ascii_lowercase().as_str() {
        "hash file" => file("session.hash"),
        "debug log file" if value.len().is_multiple_of(4) => String::new(),
        "debug log file" => file("session.log"),
        "book file" if value.len().is_multiple_of(4) => file("session.log"),
        "book file" => of_repository("openings/freshet.bin"),
        "syzygypath" if value.len().is_multiple_of(4) => file("nothing"),
        "syzygypath" => of_repository("engine-tests/suites/syzygy"),
        _ => return None,
    })
}

impl Script {
    /// Adds a line, changed where it would take long or touch other files.
    fn add(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let command = Command::parse(&text, &[]);
        let mut line = line.to_vec();
        match command {
            _ if self.quits => return,
            Command::Quit => self.quits = true,
            Command::Uci => self.uci += 1,
            Command::IsReady => self.ready += 1,
            Command::Position(fen, moves) => {
                if let Some(position) = after(fen.as_deref(), &moves) {
                    self.position = position;
                }
            }
            Command::Paste(fen) => {
                if let Some(position) = after(Some(&fen), &[]) {
                    self.shown.push(position.fen());
                    self.position = position;
                }
            }
            Command::Display => self.shown.push(self.position.fen()),
            Command::Go(_) if self.searched.len() >= SEARCHES => return,
            Command::Go(_) => {
                line.extend_from_slice(format!(" nodes {NODES}").as_bytes());
                let command = Command::parse(&String::from_utf8_lossy(&line), &[]);
                let Command::Go(go) = command else { panic!("still a search: {text}") };
                assert_eq!(go.limits.nodes, Some(NODES), "{text}");
                self.searched.push(self.position.clone());
            }
            Command::SetOption(name, value) => match self.option(&name, value.as_deref()) {
                Some(Some(value)) => {
                    line = format!("setoption name {name} value {value}").into_bytes();
                }
                Some(None) => {}
                None => return,
            },
            _ => {}
        }
        self.lines.push(line);
    }

    /// Whether an option may be set (`None` if not), and to what instead.
    fn option(&self, name: &str, value: Option<&str>) -> Option<Option<String>> {
        let value = value.unwrap_or_default();
        let most = match name.to_ascii_lowercase().as_str() {
            "hash" => 4,
            "threads" => 3,
            "multipv" => 20,
            _ => i64::MAX,
        };
        // More MiB than any machine has are refused.
        let is_absurd = |number| name.eq_ignore_ascii_case("hash") && number >= 1 << 20;
        let is_allowed = number(value).is_none_or(|number| number <= most || is_absurd(number));
        is_allowed.then(|| redirected(name, value))
    }

    fn check(&self, text: &str) {
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        assert!(!text.contains("info string error: internal error"), "{text}");
        let count = |word: &str| text.lines().filter(|line| *line == word).count();
        let answers = |count: usize, asked: usize| count == asked || self.quits && count < asked;
        assert!(answers(count("uciok"), self.uci), "{text}");
        assert!(answers(count("readyok"), self.ready), "{text}");

        let mut shown = self.shown.iter();
        let mut searched = self.searched.iter();
        let mut now = searched.next();
        for line in text.lines() {
            if let Some(fen) = line.strip_prefix("Fen: ") {
                assert_eq!(Some(fen), shown.next().map(String::as_str), "{text}");
            }
            if let Some(answer) = line.strip_prefix("bestmove ") {
                let position = now.unwrap_or_else(|| panic!("one too many: {text}"));
                is_an_answer(position, answer);
                now = searched.next();
            }
            if line.starts_with("info depth")
                && let Some((_, line)) = line.split_once(" pv ")
            {
                let position = now.unwrap_or_else(|| panic!("nothing is searched: {text}"));
                play(position, line.split(' '));
            }
        }
        assert!(self.quits || shown.next().is_none() && now.is_none(), "{text}");
    }
}

/// `None` if anything is illegal.
fn after(fen: Option<&str>, moves: &[String]) -> Option<Position> {
    let mut position = fen.map_or(Some(Position::start()), |fen| Position::from_fen(fen).ok())?;
    for text in moves {
        position.play(position.parse_uci(text).ok()?);
    }
    Some(position)
}

fn is_an_answer(position: &Position, answer: &str) {
    if answer == "(none)" {
        assert!(position.moves().is_empty(), "{position}");
        return;
    }
    let words: Vec<&str> = answer.split(' ').collect();
    match words[..] {
        [best] => play(position, [best]),
        [best, "ponder", reply] => play(position, [best, reply]),
        _ => panic!("bestmove {answer}"),
    }
}

/// The moves of a line are legal.
fn play<'a>(position: &Position, line: impl IntoIterator<Item = &'a str>) {
    let mut position = position.clone();
    for text in line {
        let m = position.parse_uci(text);
        let m = m.unwrap_or_else(|error| panic!("{text}: {error} in {position}"));
        position.play(m);
    }
}
