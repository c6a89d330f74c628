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
        let lines: Vec<Noted> = text.lines().enumerate().map(parse).collect::<Result<_, _>>()?;
        let lines = lines.into_iter();
        Ok(Replay { lines, before: Duration::ZERO, awaited: 0, now: Vec::new(), used: 0, output })
    }

    /// Answers of the transcript, in order.
    pub fn answers(&self) -> Vec<String> {
        let answers = self.lines.as_slice().iter();
        let answers = answers.filter(|line| line.direction == Direction::Written);
        answers.filter_map(|line| line.text.strip_prefix("bestmove ")).map(str::to_string).collect()
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
                while self.output.answers().len() < self.awaited && Instant::now() < deadline {
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
