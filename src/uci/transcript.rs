//! Transcripts: everything that is read and written, with the time, for bug reports; and playing them again.
//!
//! A line of a transcript is milliseconds since the start, `<` for what the engine reads or `>` for what it writes, and
//! the text.

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

struct Transcript {
    file: File,
    start: Instant,
}

/// The one transcript of the process, as there is one input and one output.
static TRANSCRIPT: Mutex<Option<Transcript>> = Mutex::new(None);
/// What stood after `bestmove` in the lines written so far.
static ANSWERS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// From here on everything is written to this file, or to none if the path is empty.
pub fn open(path: &str) -> Result<(), String> {
    let transcript = if path.is_empty() {
        None
    } else {
        let file = File::create(path).map_err(|error| format!("{path}: {error}"))?;
        Some(Transcript { file, start: Instant::now() })
    };
    *TRANSCRIPT.lock().unwrap_or_else(PoisonError::into_inner) = transcript;
    Ok(())
}

fn note(sign: char, text: &str) {
    let mut transcript = TRANSCRIPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Transcript { file, start }) = transcript.as_mut() {
        let time = start.elapsed().as_millis();
        for line in text.lines() {
            let _ = writeln!(file, "{time} {sign} {line}");
        }
    }
}

/// A line was read.
pub fn heard(line: &str) {
    note('<', line);
}

/// Lines were written.
pub fn said(text: &str) {
    note('>', text);
    if let Some(answer) = text.strip_prefix("bestmove ") {
        ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).push(answer.trim_end().to_string());
    }
}

/// What stood after `bestmove` in the lines written so far.
pub fn answers() -> Vec<String> {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    time: Duration,
    heard: bool,
    text: String,
}

fn parse(number: usize, line: &str) -> Result<Line, String> {
    let wrong = || format!("line {}: not milliseconds, < or >, and a text", number + 1);
    let (time, rest) = line.split_once(' ').ok_or_else(wrong)?;
    let (sign, text) = rest.split_once(' ').unwrap_or((rest, ""));
    if sign != "<" && sign != ">" {
        return Err(wrong());
    }
    let time = Duration::from_millis(time.parse().map_err(|_| wrong())?);
    Ok(Line { time, heard: sign == "<", text: text.to_string() })
}

/// An input that says what a transcript says was read, at the same pace: after an answer not before that answer has come.
#[derive(Debug)]
pub struct Replay {
    lines: std::vec::IntoIter<Line>,
    /// When the event before happened in the transcript.
    before: Duration,
    /// Answers awaited so far.
    awaited: usize,
    /// What is read now, and how much of it is.
    now: Vec<u8>,
    used: usize,
}

impl Replay {
    /// Reads a transcript.
    pub fn open(path: &Path) -> Result<Replay, String> {
        let complain = |error: String| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| complain(error.to_string()))?;
        let lines: Result<Vec<Line>, String> =
            text.lines().enumerate().map(|(number, line)| parse(number, line)).collect();
        let lines = lines.map_err(complain)?.into_iter();
        Ok(Replay { lines, before: Duration::ZERO, awaited: 0, now: Vec::new(), used: 0 })
    }

    /// Answers of the transcript, in order.
    pub fn answers(&self) -> Vec<String> {
        let answers = self.lines.as_slice().iter().filter(|line| !line.heard);
        answers.filter_map(|line| line.text.strip_prefix("bestmove ")).map(str::to_string).collect()
    }

    fn next(&mut self) {
        for line in self.lines.by_ref() {
            let pause = line.time.saturating_sub(self.before);
            if line.heard {
                std::thread::sleep(pause);
                self.before = line.time;
                self.now = format!("{}\n", line.text).into_bytes();
                self.used = 0;
                return;
            }
            if line.text.starts_with("bestmove") {
                self.awaited += 1;
                // An answer that does not come within the time it took, and a minute, will not come.
                let deadline = Instant::now() + pause * 3 + Duration::from_secs(60);
                while answers().len() < self.awaited && Instant::now() < deadline {
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
