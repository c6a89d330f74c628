//! Transcripts: all input and output with the time, for bug reports.
//!
//! A line of a transcript has the milliseconds since the start, `<` for the engine's input or `>`
//! for its output, and the text.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::files::FileError;

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The engine reads it.
    Read,
    /// The engine writes it.
    Written,
}

/// A transcript being written.
pub(super) struct Transcript {
    path: PathBuf,
    file: File,
    start: Instant,
}

impl Transcript {
    /// Creates an empty transcript. An existing transcript is renamed to `FILE.old`, and replaces
    /// an older one of that name.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or exists and is not a transcript; it is then left unchanged.
    pub(super) fn create(path: &Path) -> Result<Transcript, FileError> {
        let fail = FileError::io(path);
        let old = path.with_added_extension("old");
        if path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0) {
            for file in [path, &old] {
                if file.exists() && !begins_as_transcript(file).map_err(FileError::io(file))? {
                    return Err(FileError::content(file, "already exists and is not a transcript"));
                }
            }
            std::fs::rename(path, &old).map_err(&fail)?;
        }
        let file = File::create(path).map_err(&fail)?;
        Ok(Transcript { path: path.into(), file, start: Instant::now() })
    }

    /// The file it is written to.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Records a text of one or more lines.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(super) fn note(&mut self, direction: Direction, text: &str) -> Result<(), FileError> {
        let time = self.start.elapsed().as_millis();
        let sign = if direction == Direction::Read { '<' } else { '>' };
        text.lines()
            .try_for_each(|line| writeln!(self.file, "{time} {sign} {line}"))
            .map_err(FileError::io(&self.path))
    }
}

/// Whether a file begins with a line of a transcript.
fn begins_as_transcript(path: &Path) -> std::io::Result<bool> {
    let mut line = Vec::new();
    // Reads no more than time and direction can take: the file may be anything.
    BufReader::new(File::open(path)?).take(32).read_until(b'\n', &mut line)?;
    Ok(Noted::parse(String::from_utf8_lossy(&line).trim_end()).is_some())
}

/// A line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Noted {
    /// Since the start of the transcript.
    pub(super) time: Duration,
    pub(super) direction: Direction,
    pub(super) text: String,
}

impl Noted {
    /// Reads a line of a transcript.
    pub(super) fn parse(line: &str) -> Option<Noted> {
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
    fn no_file_is_lost() {
        let folder = std::env::temp_dir().join(format!("freshet-kept-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("log");
        let write = |text: &str| {
            let mut transcript = Transcript::create(&path).expect("a file");
            transcript.note(Direction::Read, text).expect("written");
        };
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
        write("first");
        write("second");
        assert!(read("log.old").ends_with(" < first\n") && read("log").ends_with(" < second\n"));
        std::fs::write(&path, "1. e4 e5\n").expect("a file");
        let error = Transcript::create(&path).err().expect("no transcript").to_string();
        assert!(error.ends_with(": already exists and is not a transcript"), "{error}");
        assert_eq!(read("log"), "1. e4 e5\n");
        std::fs::rename(&path, folder.join("log.old")).expect("a file");
        write("third");
        assert!(Transcript::create(&path).is_err(), "the old one would be lost");
        assert!(read("log.old") == "1. e4 e5\n" && read("log").ends_with(" < third\n"));
        std::fs::remove_dir_all(folder).expect("the folder");
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
