//! EPD: positions with operations, one a line.
//!
//! A line is the first four fields of a FEN, with or without its two counters, and operations that
//! end with a semicolon: an opcode and its operands, in quotes or not (Edwards, "Portable Game
//! Notation Specification", section 16.2). The form of perft suites, in which a semicolon begins an
//! operation (`;D1 20 ;D2 400`), is understood as well.

use std::path::Path;
use std::str::FromStr;

use super::fen::PositionError;
use super::position::Position;
use crate::files::{FileError, read_text};

/// A position with its operations.
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// Opcodes and the text of their operands, without quotes, in their order.
    pub operations: Vec<(String, String)>,
}

impl Epd {
    /// The operands of the first operation with this opcode.
    ///
    /// ```
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
    pub fn read(path: &Path) -> Result<Vec<Epd>, FileError> {
        let text = read_text(path)?;
        let epds: Vec<Epd> = Epd::lines(&text)
            .map(|(number, epd)| epd.map_err(|error| FileError::line(path, number, error)))
            .collect::<Result<_, _>>()?;
        if epds.is_empty() { Err(FileError::content(path, "no positions")) } else { Ok(epds) }
    }
}

impl FromStr for Epd {
    type Err = PositionError;

    fn from_str(line: &str) -> Result<Epd, PositionError> {
        let (mut fields, mut rest) = (Vec::new(), line.trim());
        while fields.len() < 6 {
            let word = rest.split_ascii_whitespace().next().unwrap_or_default();
            // After four fields come operations, or the two counters of a FEN.
            let is_counter = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            if word.is_empty() || (fields.len() >= 4 && !is_counter) {
                break;
            }
            fields.push(word);
            rest = rest[word.len()..].trim_start();
        }
        let position = Position::from_fen(&fields.join(" "))?;
        Ok(Epd { position, operations: operations(rest) })
    }
}

/// The operations of a text: what stands between semicolons that are not inside quotes.
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
