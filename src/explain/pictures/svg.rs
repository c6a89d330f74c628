//! Pictures as SVG: self-contained, with arrows for paths of kings, in light and dark.

use askama::Template;

use super::{Board, Mark, Picture};
use crate::chess::{Color, File, Rank, Square};

/// The side of a square.
const SQUARE: i32 = 45;
/// The side of a board.
const BOARD: i32 = 8 * SQUARE;
/// Around each board: room for its title, files and ranks.
const MARGIN: i32 = 36;
/// The most boards beside each other.
const COLUMNS: usize = 3;
/// Below the boards: the key.
const KEY: i32 = 34;

#[derive(Template)]
#[template(path = "picture.svg", escape = "html")]
struct PictureTemplate<'a> {
    name: &'a str,
    what: &'a str,
    fen: &'a str,
    width: i32,
    height: i32,
    boards: Vec<BoardView<'a>>,
    key: Vec<KeyEntry>,
}

struct BoardView<'a> {
    x: i32,
    y: i32,
    middle: i32,
    title: &'a str,
    squares: Vec<SquareView<'a>>,
    paths: Vec<String>,
    labels: Vec<Label>,
}

struct SquareView<'a> {
    x: i32,
    y: i32,
    shade: &'static str,
    /// The class of the mark, empty for none.
    mark: &'static str,
    /// Its opacity in percent; 100 for that of its class.
    strength: i32,
    piece: String,
    side: &'static str,
    text: &'a str,
    text_x: i32,
    text_y: i32,
}

struct Label {
    x: i32,
    y: i32,
    text: char,
}

struct KeyEntry {
    x: i32,
    y: i32,
    mark: &'static str,
    text: &'static str,
}

/// The class and the opacity of a mark.
fn class(mark: Mark) -> (&'static str, i32) {
    match mark {
        Mark::Plain | Mark::Value(0) => ("", 100),
        Mark::White => ("white", 100),
        Mark::Black => ("black", 100),
        Mark::Both => ("both", 100),
        Mark::Way => ("way", 100),
        Mark::Goal => ("goal", 100),
        Mark::Wall => ("wall", 100),
        // 60 centipawns have the full colour.
        Mark::Value(value) => {
            (if value > 0 { "plus" } else { "minus" }, 10 + value.abs().min(60) * 80 / 60)
        }
    }
}

/// The upper left corner of a square.
fn corner(square: Square) -> (i32, i32) {
    (SQUARE * square.file() as i32, SQUARE * (7 - square.rank() as i32))
}

impl<'a> BoardView<'a> {
    fn new(board: &'a Board, index: usize) -> BoardView<'a> {
        let (column, row) = ((index % COLUMNS) as i32, (index / COLUMNS) as i32);
        let centre = |square: &Square| {
            let (x, y) = corner(*square);
            format!("{},{}", x + SQUARE / 2, y + SQUARE / 2)
        };
        let line = |path: &Vec<Square>| path.iter().map(centre).collect::<Vec<_>>().join(" ");
        let file = |file: File| {
            let x = SQUARE * file as i32 + SQUARE / 2;
            Label { x, y: BOARD + 15, text: file.char() }
        };
        let rank = |rank: Rank| {
            let y = SQUARE * (7 - rank as i32) + SQUARE / 2 + 4;
            Label { x: -10, y, text: rank.char() }
        };
        BoardView {
            x: MARGIN + column * (BOARD + MARGIN),
            y: MARGIN + row * (BOARD + 2 * MARGIN),
            middle: BOARD / 2,
            title: &board.title,
            squares: Square::ALL.iter().map(|&square| SquareView::new(board, square)).collect(),
            paths: board.paths.iter().filter(|path| path.len() > 1).map(line).collect(),
            labels: File::ALL.into_iter().map(file).chain(Rank::ALL.map(rank)).collect(),
        }
    }
}

impl<'a> SquareView<'a> {
    fn new(board: &'a Board, square: Square) -> SquareView<'a> {
        let (x, y) = corner(square);
        let (mark, strength) = class(board.marks[square]);
        let piece = board.pieces[square];
        let has_piece = piece.is_some();
        SquareView {
            x,
            y,
            shade: if square.is_light() { "light" } else { "dark" },
            mark,
            strength,
            piece: piece.map_or(String::new(), |piece| piece.role.char().to_string()),
            side: if piece.is_some_and(|piece| piece.color == Color::White) { "w" } else { "b" },
            text: board.text(square),
            text_x: x + if has_piece { SQUARE - 9 } else { SQUARE / 2 },
            text_y: y + if has_piece { 13 } else { SQUARE / 2 + 5 },
        }
    }
}

/// The key: the marks that the picture uses.
fn key(picture: &Picture, y: i32) -> Vec<KeyEntry> {
    let used = |mark: &Mark| picture.boards.iter().any(|board| board.marks.0.contains(mark));
    let marks = [Mark::White, Mark::Black, Mark::Both, Mark::Way, Mark::Goal, Mark::Wall];
    let used = marks.into_iter().filter(used).filter_map(|mark| Some((mark, mark.meaning()?)));
    let place = |(index, (mark, text)): (usize, (Mark, &'static str))| KeyEntry {
        x: MARGIN + 80 * index as i32,
        y,
        mark: class(mark).0,
        text,
    };
    used.enumerate().map(place).collect()
}

/// The picture as an SVG document.
pub fn draw(picture: &Picture) -> String {
    let columns = picture.boards.len().clamp(1, COLUMNS) as i32;
    let rows = picture.boards.len().div_ceil(COLUMNS) as i32;
    let boards_height = rows * (BOARD + 2 * MARGIN);
    let key = key(picture, boards_height + 6);
    let template = PictureTemplate {
        name: picture.name,
        what: picture.what,
        fen: &picture.fen,
        width: MARGIN + columns * (BOARD + MARGIN),
        height: boards_height + if key.is_empty() { 0 } else { KEY },
        boards: picture.boards.iter().enumerate().map(|(i, b)| BoardView::new(b, i)).collect(),
        key,
    };
    // Writing to a string does not fail.
    template.render().unwrap_or_default()
}
