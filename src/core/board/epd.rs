//! EPD: positions with operations, one per line.
//!
//! A line is the first four fields of a FEN, with or without its two counters, and operations that
//! end with a semicolon: an opcode and its operands, in quotes or not (Edwards, "Portable Game
//! Notation Specification", section 16.2). Perft suites, in which a semicolon begins an operation
//! (`;D1 20 ;D2 400`), are read too. The operations `hmvc` and `fmvn` set the counters of the
//! position. A byte-order mark, an extra dash and a semicolon right after the position are ignored.

use std::path::Path;
use std::str::FromStr;

use super::fen::PositionError;
use super::position::Position;
use crate::files::{FileError, read_text};

/// A position with its operations.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position of the line, with the counters of `hmvc` and `fmvn` if given.
    pub position: Position,
    /// Opcodes and the text of their operands, without quotes, in their order.
    pub operations: Vec<(String, String)>,
}

/// The number of a line in a file, from 1, and its position or error.
type NumberedLine = (usize, Result<Epd, FileError>);

impl Epd {
    /// The operands of the first operation with this opcode.
    ///
    /// ```
    /// # extern crate freshet_core as freshet;
    /// # use freshet::board::Epd;
    /// let epd: Epd = "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2; id \"king; first\";".parse()?;
    /// assert_eq!(epd.operand("bm"), Some("Kd2"));
    /// assert_eq!(epd.operand("id"), Some("king; first"));
    /// assert_eq!(epd.operand("am"), None);
    /// # Ok::<(), freshet::board::PositionError>(())
    /// ```
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operations.iter().find(|(name, _)| name == opcode).map(|(_, text)| text.as_str())
    }

    /// All positions of a text, each with its line number, counted from 1. Empty lines and lines
    /// that begin with `#` are skipped.
    pub fn lines(text: &str) -> impl Iterator<Item = (usize, Result<Epd, PositionError>)> {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(number, line)| (number, line.parse()))
    }

    /// All positions of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, a line has no legal position, or there are no positions at all.
    #[doc(hidden)]
    pub fn read(path: &Path) -> Result<Vec<Epd>, FileError> {
        Epd::read_lines(path)?.into_iter().map(|(_, epd)| epd).collect()
    }

    /// The lines of a file with their numbers, counted from 1: positions, or errors for lines
    /// without one.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has only empty lines and comments.
    pub fn read_lines(path: &Path) -> Result<Vec<NumberedLine>, FileError> {
        let named = |(number, epd): (usize, Result<Epd, PositionError>)| {
            (number, epd.map_err(|error| FileError::line(path, number, error)))
        };
        let lines: Vec<_> = Epd::lines(&read_text(path)?).map(named).collect();
        if lines.is_empty() { Err(FileError::content(path, "no positions")) } else { Ok(lines) }
    }
}

impl FromStr for Epd {
    type Err = PositionError;

    fn from_str(line: &str) -> Result<Epd, PositionError> {
        let (mut fields, mut rest) = (Vec::new(), line.trim_start_matches('\u{feff}').trim());
        while fields.len() < 6 {
            let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            // After four fields come operations, or the two counters of a FEN.
            let is_counter = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            let is_stray = fields.len() == 4 && word == "-";
            if word.is_empty() || (fields.len() >= 4 && !is_counter && !is_stray) {
                break;
            }
            if !is_stray {
                fields.push(word);
            }
            rest = after.trim_start();
        }
        let operations = operations(rest);
        let counter = |name: &str| {
            let found = operations.iter().find(|(opcode, _)| opcode == name);
            found.and_then(|(_, operand)| operand.parse::<u32>().ok()).map(|n| n.to_string())
        };
        let (halfmoves, fullmoves) = (counter("hmvc"), counter("fmvn"));
        if fields.len() >= 4 && (halfmoves.is_some() || fullmoves.is_some()) {
            fields.resize(4, "");
            fields.push(halfmoves.as_deref().unwrap_or("0"));
            fields.push(fullmoves.as_deref().unwrap_or("1"));
        }
        let position = Position::from_fen(&fields.join(" "))?;
        Ok(Epd { position, operations })
    }
}

/// The operations of a text, split at semicolons outside quotes.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut quoted = false;
    let separators = |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    let parts = text.split(separators).map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (opcode, operands) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            let operands = operands.trim();
            let inner = operands.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            (opcode.to_string(), inner.unwrap_or(operands).to_string())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Epd {
        line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn what_other_programs_write() {
        const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for line in [
            "bm Kd2; id \"a\";",
            "bm Kd2; id \"a\"",
            "- bm Kd2; id \"a\";",
            "0 1 bm Kd2; id \"a\";",
            "0 1; bm Kd2; id \"a\";",
            ";bm Kd2;id \"a\"",
        ] {
            let epd = read(&format!("\u{feff}{FEN} {line}"));
            assert_eq!((epd.operand("bm"), epd.operand("id")), (Some("Kd2"), Some("a")), "{line}");
            assert_eq!(epd.position.fen(), format!("{FEN} 0 1"), "{line}");
        }
        let glued = read("4k3/8/8/8/8/8/4P3/4K3 w - -; bm Kd2;");
        assert_eq!(glued.operand("bm"), Some("Kd2"));
        let counts = read("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;D1 6;D2 30 ;id \"x\"");
        assert_eq!((counts.operand("D1"), counts.operand("D2")), (Some("6"), Some("30")));
    }

    #[test]
    fn operations_set_the_counters() {
        let both = read("2k5/8/8/8/8/8/8/3KQ3 w - - hmvc 99; fmvn 60;").position;
        assert_eq!((both.fifty(), both.ply()), (99, 118));
        let one = read("2k5/8/8/8/8/8/8/3KQ3 w - - 7 9 fmvn 3;").position;
        assert_eq!((one.fifty(), one.ply()), (0, 4));
        assert_eq!(read("2k5/8/8/8/8/8/8/3KQ3 w - - hmvc many;").position.fifty(), 0);
    }
}
