//! Transcripts: everything that is read and written, with the time, for bug reports.
//!
//! A line of a transcript is milliseconds since the start, `<` for what the engine reads or `>` for
//! what it writes, and the text.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::files::FileError;

/// Which way a line goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The engine reads it.
    Read,
    /// The engine writes it.
    Written,
}

/// A transcript being written.
pub struct Transcript {
    path: PathBuf,
    file: File,
    start: Instant,
}

impl Transcript {
    /// An empty transcript in a file, in the place of one that may exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn create(path: &Path) -> Result<Transcript, FileError> {
        let file = File::create(path).map_err(FileError::io(path))?;
        Ok(Transcript { path: path.into(), file, start: Instant::now() })
    }

    /// Notes a text of one or more lines.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn note(&mut self, direction: Direction, text: &str) -> Result<(), FileError> {
        let time = self.start.elapsed().as_millis();
        let sign = if direction == Direction::Read { '<' } else { '>' };
        text.lines()
            .try_for_each(|line| writeln!(self.file, "{time} {sign} {line}"))
            .map_err(FileError::io(&self.path))
    }
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Since the start of the transcript.
    pub time: Duration,
    /// Read or written.
    pub direction: Direction,
    /// The line itself.
    pub text: String,
}

impl Noted {
    /// Reads a line of a transcript.
    pub fn parse(line: &str) -> Option<Noted> {
        let (time, rest) = line.split_once(' ')?;
        let (sign, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let direction = match sign {
            "<" => Direction::Read,
            ">" => Direction::Written,
            _ => return None,
        };
        let time = Duration::from_millis(time.parse().ok()?);
        Some(Noted { time, direction, text: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_noted_and_read() {
        let path = std::env::temp_dir().join(format!("freshet-noted-{}", std::process::id()));
        let mut transcript = Transcript::create(&path).expect("a file");
        transcript.note(Direction::Read, "go nodes 1").expect("written");
        transcript.note(Direction::Written, "one\ntwo  words").expect("written");
        drop(transcript);
        let text = std::fs::read_to_string(&path).expect("the file");
        std::fs::remove_file(&path).expect("the file");
        let noted: Vec<Noted> = text.lines().map(|line| Noted::parse(line).expect(line)).collect();
        let texts = noted.iter().map(|line| (line.direction, line.text.as_str()));
        let (read, written) = (Direction::Read, Direction::Written);
        let expected = [(read, "go nodes 1"), (written, "one"), (written, "two  words")];
        assert!(texts.eq(expected), "{noted:?}");
    }

    #[test]
    fn what_is_no_line_of_a_transcript() {
        for line in ["", "7", "7 x", "7 <go", "x < go", "-1 < go", "< go"] {
            assert_eq!(Noted::parse(line), None, "{line}");
        }
        let empty = Noted::parse("1500 <").expect("an empty line");
        assert_eq!((empty.time, empty.text.as_str()), (Duration::from_millis(1500), ""));
    }
}
