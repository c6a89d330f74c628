//! Replays a transcript: an input for the session.

use std::io::{self, BufRead, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use super::command::Command;
use super::output::Output;
use super::transcript::{Direction, Noted};
use crate::chess::ByColor;
use crate::files::{FileError, read_text};

/// An input that replays the lines a session has read, with the pauses of the transcript. Lines
/// that were read after a `bestmove` wait until the session has written its own `bestmove`.
pub struct Replay {
    lines: std::vec::IntoIter<Noted>,
    /// The time of the last line in the transcript.
    before: Duration,
    /// Answers awaited so far.
    awaited: usize,
    /// The line that is being read, and how many bytes of it were.
    now: Vec<u8>,
    used: usize,
    /// Where the session writes its answers.
    output: Output,
}

impl Replay {
    /// Reads a transcript; the session that is played again must write to `output`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no transcript.
    pub fn open(path: &Path, output: Output) -> Result<Replay, FileError> {
        let text = read_text(path)?;
        let parse = |(index, line)| {
            let problem = "not milliseconds, < or >, and a text";
            Noted::parse(line).ok_or_else(|| FileError::line(path, index + 1, problem))
        };
        let lines = text.lines().enumerate().map(parse).collect::<Result<_, _>>()?;
        Ok(Replay::of(lines, output))
    }

    fn of(lines: Vec<Noted>, output: Output) -> Replay {
        let lines = lines.into_iter();
        Replay { lines, before: Duration::ZERO, awaited: 0, now: Vec::new(), used: 0, output }
    }

    /// What was read and written according to the transcript, line by line.
    pub fn lines(&self) -> Vec<(Direction, String)> {
        let lines = self.lines.as_slice().iter();
        lines.map(|line| (line.direction, line.text.clone())).collect()
    }

    fn next(&mut self) {
        for line in self.lines.by_ref() {
            let pause = line.time.saturating_sub(self.before);
            if line.direction == Direction::Read {
                std::thread::sleep(pause);
                self.before = line.time;
                self.now = format!("{}\n", line.text).into_bytes();
                self.used = 0;
                return;
            }
            if line.text.starts_with("bestmove") {
                self.awaited += 1;
                // An answer that does not come within the time it took, and a minute, will not
                // come.
                let deadline = Instant::now() + pause * 3 + Duration::from_secs(60);
                while self.output.answers() < self.awaited && Instant::now() < deadline {
                    std::thread::sleep(Duration::from_millis(1));
                }
                self.before = line.time;
            }
        }
    }
}

impl Read for Replay {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Replay {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.now.len() {
            self.now.clear();
            self.used = 0;
            self.next();
        }
        Ok(&self.now[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used += count;
    }
}

/// What two sessions with the same input have written, as far as it does not depend on time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Lines that were compared, up to the first difference.
    pub compared: usize,
    /// Searches that were ended by a clock or by `stop`: what they say depends on time.
    pub timed: usize,
    /// The first difference: the line of each session, `None` where it has no more.
    pub difference: Option<[Option<String>; 2]>,
}

/// Compares what was written.
pub fn compare(before: &[(Direction, String)], now: &[(Direction, String)]) -> Comparison {
    let mut timed = timed_searches(before);
    for (search, is_timed) in timed.iter_mut().zip(timed_searches(now)) {
        *search |= is_timed;
    }
    let [before, now] = [before, now].map(|lines| timeless(lines, &timed));
    let timed = timed.into_iter().filter(|is_timed| *is_timed).count();
    let longest = before.len().max(now.len());
    let first = (0..longest).find(|&index| before.get(index) != now.get(index));
    let lines = |index| [before.get(index).cloned(), now.get(index).cloned()];
    Comparison { compared: first.unwrap_or(longest), timed, difference: first.map(lines) }
}

/// For each search, whether a clock has ended it, or `stop` or another command that ends a search.
fn timed_searches(lines: &[(Direction, String)]) -> Vec<bool> {
    let (mut timed, mut is_running) = (Vec::new(), false);
    for (direction, line) in lines {
        if *direction == Direction::Written {
            is_running &= !line.starts_with("bestmove");
            continue;
        }
        let Ok(command) = line.parse::<Command>();
        let ends_search =
            matches!(command, Command::Stop | Command::Quit | Command::NewGame | Command::Go(_));
        if let Some(is_timed) = timed.last_mut().filter(|_| is_running && ends_search) {
            *is_timed = true;
        }
        if let Command::Go(go) = command {
            let limits = &go.limits;
            let by_clock = limits.move_time.is_some() || limits.time != ByColor::default();
            // Searches for a mate are not compared either: they may take very long.
            timed.push(by_clock || limits.is_endless() || limits.mate.is_some());
            is_running = true;
        }
    }
    timed
}

/// The written lines that do not depend on time, without the numbers that do. `timed` says it of
/// each search.
fn timeless(lines: &[(Direction, String)], timed: &[bool]) -> Vec<String> {
    let (mut kept, mut answered) = (Vec::new(), 0);
    for (direction, line) in lines {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        if *direction == Direction::Read {
            continue;
        }
        let is_timed = timed.get(answered).copied().unwrap_or_default();
        answered += usize::from(first == "bestmove");
        let of_search = first == "bestmove" || (first == "info" && words.get(1) != Some(&"string"));
        if (of_search && is_timed) || first == "readyok" {
            continue;
        }
        // Bounds, current moves and deep iterations are shown or not as time goes.
        let is_fleeting = |word: &&str| ["lowerbound", "upperbound", "currmove"].contains(word);
        let depth = words.iter().position(|word| *word == "depth").and_then(|at| words.get(at + 1));
        let is_deep =
            depth.and_then(|depth| depth.parse().ok()).is_some_and(|depth: u32| depth > 40);
        if of_search && (words.iter().any(is_fleeting) || is_deep) {
            continue;
        }
        let depends = |word: &str| ["time", "nps", "elapsed"].contains(&word);
        let shown: Vec<&str> = (0..words.len())
            .filter(|&at| !(depends(words[at]) || at > 0 && depends(words[at - 1])))
            .map(|at| words[at])
            .collect();
        kept.push(shown.join(" "));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(best: &str, time: u32) -> Vec<(Direction, String)> {
        let lines = [
            "< go depth 3".to_string(),
            format!("> info depth 3 score cp 20 time {time} nps {} pv e2e4", 1000 * time),
            format!("> bestmove {best}"),
            "< go movetime 100".to_string(),
            format!("> info depth {time} score cp 3"),
            format!("> bestmove a{time}"),
        ];
        let parse = |line: &String| {
            let direction =
                if line.starts_with('<') { Direction::Read } else { Direction::Written };
            (direction, line[2..].to_string())
        };
        lines.iter().map(parse).collect()
    }

    /// The lines of a text that begin with `<` or `>`, as read and written.
    fn lines(text: &str) -> Vec<(Direction, String)> {
        let line = |line: &str| {
            let Noted { direction, text, .. } = Noted::parse(&format!("0 {line}")).expect("noted");
            (direction, text)
        };
        text.lines().map(line).collect()
    }

    /// What is kept of a text, and the searches left out.
    fn kept(text: &str) -> (Vec<String>, usize) {
        let lines = lines(text);
        let timed = timed_searches(&lines);
        (timeless(&lines, &timed), timed.into_iter().filter(|is_timed| *is_timed).count())
    }

    #[test]
    fn searches_by_clock_or_stop_are_left_out() {
        let answer = "> info depth 1 score cp 1\n> bestmove a2a3\n> info string told";
        for (go, is_timed) in [
            ("depth 3", false),
            ("nodes 3", false),
            ("movetime 3", true),
            ("wtime 3", true),
            ("btime 3 depth 3", true),
            ("infinite", true),
            ("mate 3", true),
            ("", true),
        ] {
            let (lines, timed) = kept(&format!("< go {go}\n{answer}"));
            assert_eq!(timed, usize::from(is_timed), "{go}");
            let all = ["info depth 1 score cp 1", "bestmove a2a3", "info string told"];
            assert_eq!(lines, if is_timed { &all[2..] } else { &all[..] }, "{go}");
        }
        let (lines, timed) = kept("< go depth 40\n> info depth 9\n< stop\n> bestmove a2a3");
        assert_eq!((lines.len(), timed), (0, 1));
        let late = "< go depth 1\n> bestmove a2a3\n< stop\n< go depth 2\n> bestmove a2a3";
        assert_eq!((kept(late).0.len(), kept(late).1), (2, 0));
        let interrupted = "< go depth 40\n< go depth 1\n> bestmove a2a3\n> bestmove a2a4";
        assert_eq!(kept(interrupted), (vec!["bestmove a2a4".to_string()], 1));
        let two = "< go infinite\n> bestmove a2a3\n< go movetime 1\n> bestmove a2a4\n< go nodes 1";
        assert_eq!(kept(two), (Vec::new(), 2));
    }

    #[test]
    fn fleeting_lines_are_left_out() {
        for line in [
            "readyok",
            "info depth 3 score cp 3 lowerbound pv e2e4",
            "info depth 3 score cp 3 upperbound pv e2e4",
            "info depth 3 currmove e2e4 currmovenumber 1",
            "info depth 41 score cp 3 pv e2e4",
        ] {
            assert_eq!(kept(&format!("> {line}")), (Vec::new(), 0), "{line}");
        }
        for line in [
            "info depth 40 score cp 3 pv e2e4",
            "info score cp 3",
            "info",
            "info string depth 41 lowerbound",
            "uciok",
            "name currmove",
            "bestmove e2e4",
            "",
        ] {
            assert_eq!(kept(&format!("> {line}")), (vec![line.to_string()], 0), "{line}");
        }
    }

    #[test]
    fn numbers_that_depend_on_time_are_left_out() {
        for (line, without) in [
            ("info depth 3 time 17 nps 1000 pv e2e4", "info depth 3 pv e2e4"),
            ("time 17 nodes 3 elapsed 4 seconds", "nodes 3 seconds"),
            ("info depth 3  nodes 7   time", "info depth 3 nodes 7"),
        ] {
            assert_eq!(kept(&format!("> {line}")).0, [without], "{line}");
        }
    }

    #[test]
    fn the_first_line_that_is_none_is_named() {
        let path = std::env::temp_dir().join(format!("freshet-replay-{}", std::process::id()));
        std::fs::write(&path, "0 < uci\n0 > uciok\n0 quit\n").expect("a file");
        let opened = Replay::open(&path, Output::new(std::io::sink(), || {}));
        std::fs::remove_file(&path).expect("the file");
        let error = opened.err().expect("no transcript").to_string();
        assert!(error.contains("line 3"), "{error}");
    }

    /// What was read comes again, in any pieces, with its pauses, and after the answers.
    #[test]
    fn lines_are_read_again() {
        let output = Output::new(std::io::sink(), || {});
        let text =
            "0 < go nodes 1\n0 > info depth 1\n0 > bestmove a2a3\n70 < isready\n70 > x\n90 <\n";
        let lines = text.lines().map(|line| Noted::parse(line).expect("noted")).collect();
        let mut replay = Replay::of(lines, output.clone());
        let all = Replay::lines(&replay);
        assert_eq!(all.len(), 6);
        assert_eq!(all[1], (Direction::Written, "info depth 1".to_string()));
        let mut line = String::new();
        assert_eq!(replay.read_line(&mut line).ok(), Some(11));
        assert_eq!(line, "go nodes 1\n");
        // The next line comes seventy milliseconds after the answer.
        let answer = Duration::from_millis(40);
        let start = Instant::now();
        let answering = std::thread::spawn(move || {
            std::thread::sleep(answer);
            output.say("bestmove a2a3");
        });
        let mut piece = [0; 5];
        assert_eq!(replay.read(&mut piece).ok(), Some(5));
        assert_eq!(&piece, b"isrea");
        let waited = start.elapsed();
        assert!(waited >= answer + Duration::from_millis(70), "{waited:?}");
        assert!(waited < Duration::from_secs(20), "{waited:?}");
        let mut rest = String::new();
        assert_eq!(replay.read_to_string(&mut rest).ok(), Some(4));
        assert_eq!(rest, "dy\n\n");
        answering.join().expect("no panic");
    }

    #[test]
    fn what_depends_on_time_is_not_compared() {
        let comparison = compare(&session("e2e4", 1), &session("e2e4", 7));
        assert_eq!(comparison, Comparison { compared: 2, timed: 1, difference: None });
    }

    /// In one of the sessions `stop` came before the search had ended by itself.
    #[test]
    fn a_search_stopped_in_one_session_is_not_compared() {
        let stopped = lines("< go depth 9\n> info depth 8\n< stop\n> bestmove a2a3");
        let ended = lines("< go depth 9\n> info depth 9\n> bestmove a2a4\n< stop");
        let same = Comparison { compared: 0, timed: 1, difference: None };
        assert_eq!(compare(&stopped, &ended), same);
        assert_eq!(compare(&ended, &stopped), same);
    }

    #[test]
    fn the_first_difference_is_named() {
        let comparison = compare(&session("e2e4", 1), &session("d2d4", 1));
        let lines = ["bestmove e2e4", "bestmove d2d4"].map(|line| Some(line.to_string()));
        assert_eq!(comparison.difference, Some(lines));
        let empty = compare(&[], &session("d2d4", 1));
        assert_eq!((empty.compared, empty.difference.is_some()), (0, true));
    }
}
