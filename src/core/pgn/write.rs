//! Writing games: in the export format of the standard, with lines of at most 80 characters.

use super::{Game, PgnMove, PgnProblem, Variation, move_number};
use crate::board::Position;

/// The longest line, in characters.
const WIDTH: usize = 80;

/// Movetext, broken into lines between words.
#[derive(Clone, Debug, Default)]
pub struct Movetext {
    text: String,
    column: usize,
    /// Opening parentheses to put directly before the next word.
    opening: String,
    /// The next move needs its number: at the beginning, after a comment or a variation.
    needs_number: bool,
}

impl Movetext {
    /// Empty movetext.
    pub fn new() -> Movetext {
        Movetext { needs_number: true, ..Movetext::default() }
    }

    /// Adds a word, after a blank or on a new line.
    fn word(&mut self, word: &str) {
        let word = std::mem::take(&mut self.opening) + word;
        // Leave room for closing a comment and a variation.
        let length = word.chars().count() + 2;
        if self.column > 0 {
            // At the beginning of a line these would mean an escape or another game.
            let may_begin = !word.starts_with('%') && !word.starts_with("[Event");
            let is_full = may_begin && self.column + 1 + length > WIDTH;
            self.text.push(if is_full { '\n' } else { ' ' });
            self.column = if is_full { 0 } else { self.column + 1 };
        }
        self.text.push_str(&word);
        self.column += length - 2;
    }

    /// Adds the closing sign of a comment or variation, without a blank.
    fn close(&mut self, end: char) {
        self.text.push(end);
        self.column += 1;
    }

    /// Adds a move in SAN, with its number if needed.
    pub fn add_move(&mut self, position: &Position, san: &str) {
        if position.turn().is_white() || self.needs_number {
            self.word(&move_number(position));
        }
        self.needs_number = false;
        self.word(san);
    }

    /// Adds a numeric annotation glyph.
    pub fn add_nag(&mut self, nag: u16) {
        self.word(&format!("${nag}"));
    }

    /// Adds a comment, or nothing if it is empty. It must not contain braces: see [`without_braces`].
    pub fn add_comment(&mut self, comment: &str) {
        // Keep a command such as [%eval 0.34] together: readers expect it on one line.
        let mut words: Vec<String> = Vec::new();
        for word in comment.split_whitespace() {
            match words.last_mut() {
                Some(last) if last.starts_with("[%") && !last.contains(']') => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => words.push(word.to_string()),
            }
        }
        let Some((first, others)) = words.split_first() else { return };
        self.word(&format!("{{{first}"));
        others.iter().for_each(|word| self.word(word));
        self.close('}');
        self.needs_number = true;
    }

    /// Adds a variation, written by `write`.
    pub fn add_variation<E>(
        &mut self,
        write: impl FnOnce(&mut Movetext) -> Result<(), E>,
    ) -> Result<(), E> {
        self.opening.push('(');
        self.needs_number = true;
        write(self)?;
        self.close(')');
        self.needs_number = true;
        Ok(())
    }

    /// The movetext with the game termination marker, and a line feed at its end.
    pub fn finish(mut self, result: &str) -> String {
        self.word(result);
        self.text.push('\n');
        self.text
    }
}

/// Replaces braces by parentheses, since a closing brace ends a comment.
#[doc(hidden)]
pub fn without_braces(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// Adds a line as read, with its moves in SAN.
///
/// # Errors
///
/// If one of the moves is not legal.
pub fn add_line(
    movetext: &mut Movetext,
    start: &Position,
    line: &Variation,
) -> Result<(), PgnProblem> {
    let mut position = start.clone();
    line.comments.iter().for_each(|comment| movetext.add_comment(comment));
    for node in &line.nodes {
        let m = PgnMove::read(&position, &node.text)?;
        movetext.add_move(&position, &m.san(&position));
        node.nags.iter().for_each(|&nag| movetext.add_nag(nag));
        node.comments.iter().for_each(|comment| movetext.add_comment(comment));
        for variation in &node.variations {
            movetext.add_variation(|movetext| add_line(movetext, &position, variation))?;
        }
        m.play(&mut position);
    }
    Ok(())
}

/// The tag pairs of a game, one per line, and the empty line after them. The seven mandatory tags
/// come first, and missing ones are added.
pub fn tags(game: &Game) -> String {
    const ROSTER: [(&str, &str); 7] = [
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ];
    let mut text = String::new();
    for (name, unknown) in ROSTER {
        let default = if name == "Result" { game.result.as_str() } else { unknown };
        // A result after the moves says more than the tag.
        let is_replaced = name == "Result" && game.result != "*";
        let tag = game.tag(name).filter(|_| !is_replaced);
        let value = tag.unwrap_or(default).to_string();
        text.push_str(&format!("{}\n", super::Tag { name: name.to_string(), value }));
    }
    for tag in &game.tags {
        if !ROSTER.iter().any(|&(name, _)| name == tag.name) {
            text.push_str(&format!("{tag}\n"));
            if tag.name == "FEN" && game.tag("SetUp").is_none() {
                text.push_str("[SetUp \"1\"]\n");
            }
        }
    }
    text.push('\n');
    text
}
