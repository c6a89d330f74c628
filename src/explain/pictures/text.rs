//! Pictures as text, for a terminal: boards side by side, coloured by ANSI escape codes.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::{Board, Mark, PICTURES, Picture};
use crate::chess::{File, Piece, Rank, Square};

/// The widest line of boards side by side.
const WIDTH: usize = 104;
/// Between two boards.
const GAP: &str = "    ";

/// How pieces and marks are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symbols {
    /// Chess pieces and signs of Unicode.
    #[default]
    Unicode,
    /// Letters and signs of ASCII.
    Ascii,
}

impl Symbols {
    fn piece(self, piece: Piece) -> char {
        let letter = piece.char();
        match self {
            Symbols::Ascii => letter,
            Symbols::Unicode => {
                let index = "KQRBNPkqrbnp".find(letter).unwrap_or_default();
                "♔♕♖♗♘♙♚♛♜♝♞♟".chars().nth(index).unwrap_or(letter)
            }
        }
    }

    fn mark(self, mark: Mark) -> char {
        let [unicode, ascii] = match mark {
            Mark::Plain | Mark::Value(_) => ['·', '.'],
            Mark::White => ['○', '+'],
            Mark::Black => ['●', '-'],
            Mark::Both => ['◐', '='],
            Mark::Way => ['×', 'x'],
            Mark::Goal => ['◎', '*'],
            Mark::Wall => ['▒', '#'],
        };
        if self == Symbols::Unicode { unicode } else { ascii }
    }
}

fn colour(mark: Mark) -> Option<Style> {
    let colour = match mark {
        Mark::Plain => return None,
        Mark::Value(value) if value.abs() < 5 => return None,
        Mark::Value(0..) => AnsiColor::Green,
        Mark::Value(_) => AnsiColor::Red,
        Mark::White => AnsiColor::BrightCyan,
        Mark::Black => AnsiColor::BrightMagenta,
        Mark::Both => AnsiColor::Yellow,
        Mark::Way => AnsiColor::BrightGreen,
        Mark::Goal => AnsiColor::BrightYellow,
        Mark::Wall => AnsiColor::Red,
    };
    Some(colour.on_default())
}

/// What stands on a square: a piece with its number or mark, a number, or a mark.
fn cell(board: &Board, square: Square, symbols: Symbols) -> String {
    let (mark, text) = (board.marks[square], board.text(square));
    let piece = board.pieces[square].map(|piece| symbols.piece(piece));
    match piece {
        // A board of values has no room for pieces.
        _ if matches!(mark, Mark::Value(_)) => text.to_string(),
        Some(piece) if !text.is_empty() => format!("{piece}{text}"),
        Some(piece) if mark != Mark::Plain => format!("{piece}{}", symbols.mark(mark)),
        Some(piece) => piece.to_string(),
        None if !text.is_empty() => text.to_string(),
        None => symbols.mark(mark).to_string(),
    }
}

/// The lines of a board, all of the same width on a screen: its title, eight ranks and the files.
struct Lines {
    lines: Vec<String>,
    width: usize,
}

impl Lines {
    fn of(board: &Board, symbols: Symbols) -> Lines {
        let widest = Square::ALL.into_iter().map(|square| cell(board, square, symbols));
        let cell_width = widest.map(|text| text.chars().count()).max().unwrap_or(1);
        let title = &board.title;
        let width = title.chars().count().max(1 + 8 * (cell_width + 1));
        let mut lines = vec![format!("{title:width$}")];
        for rank in Rank::ALL.into_iter().rev() {
            let mut line = rank.char().to_string();
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                let text = format!(" {:>cell_width$}", cell(board, square, symbols));
                match colour(board.marks[square]) {
                    Some(style) => {
                        let _ = write!(line, "{style}{text}{style:#}");
                    }
                    None => line.push_str(&text),
                }
            }
            line.push_str(&" ".repeat(width - 1 - 8 * (cell_width + 1)));
            lines.push(line);
        }
        let files: String = File::ALL.map(|file| format!(" {:>cell_width$}", file.char())).concat();
        lines.push(format!(" {files:0$}", width - 1));
        Lines { lines, width }
    }
}

/// The signs that a picture uses, in words.
fn key(picture: &Picture, symbols: Symbols) -> String {
    let uses = |mark: Mark| {
        let has = |board: &Board| {
            Square::ALL.into_iter().any(|square| {
                let bare = cell(board, square, symbols).ends_with(symbols.mark(mark));
                board.marks[square] == mark && bare
            })
        };
        picture.boards.iter().any(has)
    };
    let marks = [Mark::White, Mark::Black, Mark::Both, Mark::Way, Mark::Goal, Mark::Wall];
    let words: Vec<String> = marks
        .into_iter()
        .filter(|&mark| uses(mark))
        .filter_map(|mark| Some(format!("{} {}", symbols.mark(mark), mark.meaning()?)))
        .collect();
    words.join("   ")
}

/// The picture as text: its sentence, its boards side by side, and a key.
pub fn draw(picture: &Picture, symbols: Symbols) -> String {
    let mut text = format!("{}\n{}\n", picture.what, picture.fen);
    let mut row: Vec<Lines> = Vec::new();
    let flush = |row: &mut Vec<Lines>, text: &mut String| {
        let height = row.first().map_or(0, |lines| lines.lines.len());
        text.push_str(if height > 0 { "\n" } else { "" });
        for index in 0..height {
            let parts: Vec<&str> = row.iter().map(|board| board.lines[index].as_str()).collect();
            text.push_str(parts.join(GAP).trim_end());
            text.push('\n');
        }
        row.clear();
    };
    for board in &picture.boards {
        let lines = Lines::of(board, symbols);
        let used: usize = row.iter().map(|lines| lines.width + GAP.len()).sum();
        if used + lines.width > WIDTH {
            flush(&mut row, &mut text);
        }
        row.push(lines);
    }
    flush(&mut row, &mut text);
    let key = key(picture, symbols);
    if !key.is_empty() {
        let _ = write!(text, "\n{key}\n");
    }
    text
}

/// The names of all pictures with what they show.
pub fn list() -> String {
    let lines = PICTURES.iter().map(|info| format!("{:14}{}\n", info.name, info.what));
    lines.collect()
}
