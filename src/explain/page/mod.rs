//! A self-contained page for a browser: a position, or a whole game, with its evaluation, best
//! lines, winning chances and the table of terms, whose squares light up on the board.
//!
//! The page needs no network. Its template is `templates/page.html`; what it shows is in it as JSON
//! and drawn by `templates/page.js`.

use askama::Template;
use serde::Serialize;

use super::breakdown::{Breakdown, RESULTS, Section};
use crate::board::{Move, Position};
use crate::book::games::Game;
use crate::chess::{Bitboard, side_name};
use crate::engine::Engine;
use crate::eval::terms::TERMS;
use crate::progress::Progress;
use crate::search::{Limits, MemoryError};
use crate::tools::analyse::{line_text, score_text};
use crate::wdl::{MaterialClass, chances};

/// The size of the transposition table, in MiB.
const HASH: usize = 16;
/// The most moves of a best line that are shown, in plies.
const LINE: usize = 10;
/// A move that loses at least this much of the expected score is a turning point, in percent.
const TURNING: i32 = 15;

/// Why no page can be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The FEN of the game is no legal position.
    #[error("bad FEN")]
    BadFen,
    /// A move of the game is not legal.
    #[error("move {number}, {text}, is not legal")]
    IllegalMove {
        /// Which move of the game, in plies from 1.
        number: usize,
        /// The move.
        text: String,
    },
    /// The template could not be filled.
    #[error("the page: {0}")]
    Template(#[from] askama::Error),
    /// The data could not be written as JSON.
    #[error("the data of the page: {0}")]
    Data(#[from] serde_json::Error),
}

/// The page around the data.
#[derive(Template)]
#[template(path = "page.html")]
struct PageTemplate<'a> {
    title: &'a str,
    subtitle: &'a str,
    engine: String,
    nodes: u64,
    has_moves: bool,
    data: String,
}

/// What the page shows.
#[derive(Serialize)]
struct Data {
    /// For each row of a breakdown its section, its title and its legend.
    terms: Vec<[&'static str; 3]>,
    plies: Vec<Ply>,
}

/// One position.
#[derive(Serialize)]
struct Ply {
    /// The move that led here, with its number; empty for the first position.
    #[serde(rename = "move")]
    played_text: String,
    /// The board as in a FEN.
    board: String,
    turn: &'static str,
    /// The squares of the move that led here.
    played: Vec<u32>,
    /// The score of the search, from White's view, in pawns or moves to mate.
    score: String,
    /// White's chances to win, draw and lose, in thousandths.
    wdl: [i32; 3],
    /// The best line.
    line: String,
    /// The squares of its first move.
    best: Vec<u32>,
    /// How much of the expected score the move that led here has lost, in percent, if that makes
    /// it a turning point.
    turning: Option<i32>,
    /// The static evaluation in centipawns.
    total: i32,
    rows: Vec<PageRow>,
}

/// The index of a term, its centipawns for White and Black, and its squares for both as
/// hexadecimal numbers.
#[derive(Serialize)]
struct PageRow(usize, i32, i32, String, String);

fn hex(set: Bitboard) -> String {
    if set.is_empty() { String::new() } else { format!("{:x}", set.0) }
}

/// The indices of the squares of a move.
fn squares(m: Move) -> Vec<u32> {
    vec![m.from() as u32, m.to() as u32]
}

impl Ply {
    /// A position with what a search of so many nodes says.
    fn of(position: &Position, engine: &mut Engine, nodes: u64) -> Ply {
        let result = engine.search(position, &Limits::nodes(nodes));
        let breakdown = Breakdown::with_walls(position);
        let turn = position.turn();
        let is_stalemate = position.moves().is_empty() && position.checkers().is_empty();
        let [win, draw, loss] = match is_stalemate {
            true => [0, 1000, 0],
            false => chances(result.score, MaterialClass::of(position)),
        };
        let rows = breakdown.rows.iter().enumerate().filter(|(_, row)| !row.is_zero());
        let rows = rows.map(|(index, row)| {
            let (white, black) = (&row.white, &row.black);
            PageRow(index, white.cp, black.cp, hex(white.squares), hex(black.squares))
        });
        let fen = position.fen();
        Ply {
            played_text: String::new(),
            board: fen.split(' ').next().unwrap_or_default().to_string(),
            turn: side_name(turn),
            played: Vec::new(),
            score: match score_text(result.score, position) {
                mated if mated == "#" => "mate".to_string(),
                score => score,
            },
            wdl: if turn.is_white() { [win, draw, loss] } else { [loss, draw, win] },
            line: line_text(position, &result.line[..result.line.len().min(LINE)]),
            best: result.line.first().map(|&m| squares(m)).unwrap_or_default(),
            turning: None,
            total: breakdown.total,
            rows: rows.collect(),
        }
    }

    /// White's expected score in percent.
    fn expected(&self) -> i32 {
        (self.wdl[0] + self.wdl[1] / 2) / 10
    }
}

/// JSON that may stand inside a `script` element.
fn embedded(data: &Data) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}

fn render(title: &str, subtitle: &str, nodes: u64, plies: Vec<Ply>) -> Result<String, PageError> {
    let terms = TERMS.iter().map(|info| [info.group.title(), info.title, info.legend]);
    let results = RESULTS.iter().map(|info| [Section::Result.title(), info.title, info.legend]);
    let has_moves = plies.len() > 1;
    let data = embedded(&Data { terms: terms.chain(results).collect(), plies })?;
    let engine = format!("Freshet {}", env!("CARGO_PKG_VERSION"));
    Ok(PageTemplate { title, subtitle, engine, nodes, has_moves, data }.render()?)
}

/// The page of a position, which is searched for so many nodes.
///
/// # Errors
///
/// If there is no memory for the transposition table.
pub fn of_position(position: &Position, nodes: u64) -> Result<String, PageError> {
    let mut engine = Engine::new(HASH, 1)?;
    let ply = Ply::of(position, &mut engine, nodes);
    render("A position, explained", &position.fen(), nodes, vec![ply])
}

/// The page of a game, of which every position is searched for so many nodes.
///
/// # Errors
///
/// If a move of the game is not legal, or there is no memory for the transposition table.
pub fn of_game(game: &Game, nodes: u64, progress: &dyn Progress) -> Result<String, PageError> {
    let mut position = game.start.clone().ok_or(PageError::BadFen)?;
    let mut engine = Engine::new(HASH, 1)?;
    progress.start("positions", game.moves.len() as u64 + 1);
    let mut plies = vec![Ply::of(&position, &mut engine, nodes)];
    progress.advance();
    for (index, text) in game.moves.iter().enumerate() {
        let m = position
            .parse_move(text)
            .map_err(|_| PageError::IllegalMove { number: index + 1, text: text.clone() })?;
        let (mover, played_text) = (position.turn(), line_text(&position, &[m]));
        position.play(m);
        let mut ply = Ply::of(&position, &mut engine, nodes);
        let gained = ply.expected() - plies.last().map_or(50, Ply::expected);
        let lost = if mover.is_white() { -gained } else { gained };
        ply.turning = (lost >= TURNING).then_some(lost);
        ply.played = squares(m);
        ply.played_text = played_text;
        plies.push(ply);
        progress.advance();
    }
    progress.finish();
    let [white, black] = &game.names;
    let result = match game.white {
        Some(2) => "1-0",
        Some(0) => "0-1",
        Some(_) => "½-½",
        None => "*",
    };
    let subtitle = format!("{result}, {} moves", game.moves.len().div_ceil(2));
    render(&format!("{white} – {black}"), &subtitle, nodes, plies)
}
