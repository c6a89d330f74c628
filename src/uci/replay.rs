//! Replays a transcript: an input for the session.

use std::io::{self, BufRead, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use super::output::Output;
use super::transcript::{Direction, Noted};
use crate::files::{FileError, read_text};

/// An input that replays the lines a session has read, with the pauses of the transcript. Lines
/// that were read after a `bestmove` wait until the session has written its own `bestmove`.
pub struct Replay {
    lines: std::vec::IntoIter<Noted>,
    /// The time of the last line in the transcript.
    before: Duration,
    /// The number of `bestmove` lines awaited so far.
    awaited: usize,
    /// The line being read, and the number of its bytes already read.
    now: Vec<u8>,
    used: usize,
    /// The session's output, which counts its answers.
    output: Output,
}

impl Replay {
    /// Reads a transcript. The replayed session must write to `output`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is not a transcript.
    pub fn open(path: &Path, output: Output) -> Result<Replay, FileError> {
        let text = read_text(path)?;
        let parse = |(index, line)| {
            let problem = "not milliseconds, < or >, and a text";
            Noted::parse(line).ok_or_else(|| FileError::line(path, index + 1, problem))
        };
        let lines: Vec<Noted> = text.lines().enumerate().map(parse).collect::<Result<_, _>>()?;
        if lines.is_empty() {
            return Err(FileError::content(path, "nothing is recorded"));
        }
        Ok(Replay::of(lines, output))
    }

    fn of(lines: Vec<Noted>, output: Output) -> Replay {
        let lines = lines.into_iter();
        Replay { lines, before: Duration::ZERO, awaited: 0, now: Vec::new(), used: 0, output }
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
                // If the answer takes over three times the recorded pause plus a minute, it will
                // not come.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_is_none_is_named() {
        let path = std::env::temp_dir().join(format!("freshet-replay-{}", std::process::id()));
        std::fs::write(&path, "0 < uci\n0 > uciok\n0 quit\n").expect("a file");
        let opened = Replay::open(&path, Output::new(std::io::sink(), |_| {}));
        std::fs::remove_file(&path).expect("the file");
        let error = opened.err().expect("no transcript").to_string();
        assert!(error.contains("line 3"), "{error}");
    }

    /// The recorded input comes again, in pieces of any size, with its pauses and after the
    /// answers.
    #[test]
    fn lines_are_read_again() {
        let output = Output::new(std::io::sink(), |_| {});
        let text =
            "0 < go nodes 1\n0 > info depth 1\n0 > bestmove a2a3\n70 < isready\n70 > x\n90 <\n";
        let lines = text.lines().map(|line| Noted::parse(line).expect("noted")).collect();
        let mut replay = Replay::of(lines, output.clone());
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
}
