//! A self-contained page for a browser: a position, or whole games, with its evaluation, best
//! lines, winning chances and the table of terms, whose squares light up on the board.
//!
//! The page needs no network. Its template is `templates/page.html`; what it shows is in it as JSON
//! and drawn by `templates/page.js`.

use std::path::{Path, PathBuf};

use askama::Template;
use serde::Serialize;

use super::breakdown::{Breakdown, RESULTS, Section};
use super::searches::refutation;
use crate::board::{Move, Position};
use crate::chess::{Bitboard, side_name};
use crate::engine::Engine;
use crate::eval::Evaluator;
use crate::eval::terms::TERMS;
use crate::eval::weights::Weights;
use crate::progress::Progress;
use crate::score::Score;
use crate::search::{Limits, SearchResult};
use crate::text::{line_text, score_text};
use crate::tools::ToolError;
use crate::tools::accuracy::Mark;
use crate::tools::analyse::{
    AnalyseSettings, Analyst, BadGame, GameFile, MoveReport, PlayableGame, draw_on_board,
    start_progress,
};
use crate::wdl::{MaterialClass, chances};

/// The size of the transposition table, in MiB.
const HASH: usize = 16;
/// The most moves of a best line that are shown, in plies.
const LINE: usize = 10;

/// Why no page can be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There is no memory for the transposition table, or the games cannot be read.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The file has no game of this number.
    #[error("{}: no game {number}, it has {games}", path.display())]
    NoGame {
        /// The file.
        path: PathBuf,
        /// The number asked for.
        number: usize,
        /// Games in the file.
        games: usize,
    },
    /// No game can be shown; the last one that cannot.
    #[error("{}: {bad}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// The game.
        bad: BadGame,
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
struct PageTemplate {
    title: String,
    subtitle: String,
    engine: String,
    nodes: u64,
    has_moves: bool,
    has_games: bool,
    data: String,
}

/// What the page shows.
#[derive(Serialize)]
struct Data {
    /// For each row of a breakdown its section, its title and its legend.
    terms: Vec<[&'static str; 3]>,
    games: Vec<PageGame>,
}

/// A game, or a single position.
#[derive(Serialize)]
struct PageGame {
    title: String,
    subtitle: String,
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
    /// The mark of the move that led here: `?!`, `?`, `??` or nothing.
    mark: String,
    /// If it has one, the line that would have been better, with its score, and what the reply to
    /// the move wins.
    better: String,
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
    /// A position with its score for the side to move and the line that is expected.
    fn new(position: &Position, score: Score, best: &[Move], evaluator: &mut Evaluator) -> Ply {
        let breakdown = Breakdown::with_walls(position, evaluator);
        let turn = position.turn();
        let is_stalemate = position.moves().is_empty() && position.checkers().is_empty();
        let [win, draw, loss] = match is_stalemate || draw_on_board(position).is_some() {
            true => [0, 1000, 0],
            false => chances(score, MaterialClass::of(position)),
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
            score: match score_text(score, position) {
                mated if mated == "#" => "mate".to_string(),
                score => score,
            },
            wdl: if turn.is_white() { [win, draw, loss] } else { [loss, draw, win] },
            line: line_text(position, &best[..best.len().min(LINE)]),
            best: best.first().map(|&m| squares(m)).unwrap_or_default(),
            mark: String::new(),
            better: String::new(),
            total: breakdown.total,
            rows: rows.collect(),
        }
    }

    /// The position after a move of a game.
    fn after(report: &MoveReport, evaluator: &mut Evaluator) -> Ply {
        let MoveReport { position, played, score, reply, mark, best, best_score } = report;
        let mut after = position.clone();
        after.play(*played);
        let better = match mark {
            Mark::Good => String::new(),
            _ => {
                let line = line_text(position, &best[..best.len().min(LINE)]);
                let why = refutation(report).map(|why| format!(" – {why}")).unwrap_or_default();
                format!("{} {line}{why}", score_text(*best_score, position))
            }
        };
        Ply {
            played: squares(*played),
            played_text: line_text(position, &[*played]),
            mark: mark.to_string(),
            better,
            ..Ply::new(&after, -*score, reply, evaluator)
        }
    }
}

/// JSON that may stand inside a `script` element.
fn embedded(data: &Data) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}

fn render(games: Vec<PageGame>, nodes: u64) -> Result<String, PageError> {
    let terms = TERMS.iter().map(|info| [info.group.title(), info.title, info.legend]);
    let results = RESULTS.iter().map(|info| [Section::Result.title(), info.title, info.legend]);
    let has_moves = games.iter().any(|game| game.plies.len() > 1);
    let has_games = games.len() > 1;
    let first = games.first().map(|game| (game.title.clone(), game.subtitle.clone()));
    let (title, subtitle) = first.unwrap_or_default();
    let data = embedded(&Data { terms: terms.chain(results).collect(), games })?;
    let engine = format!("Freshet {}", env!("CARGO_PKG_VERSION"));
    let page = PageTemplate { title, subtitle, engine, nodes, has_moves, has_games, data };
    Ok(page.render()?)
}

/// The page of a position, which is searched for so many nodes.
///
/// # Errors
///
/// If there is no memory for the transposition table.
pub fn of_position(
    position: &Position,
    nodes: u64,
    weights: Option<&Weights>,
) -> Result<String, PageError> {
    let result = match draw_on_board(position) {
        Some(_) => SearchResult::of_draw(),
        None => {
            let mut engine = Engine::new(HASH, 1).map_err(ToolError::from)?;
            engine.set_weights(weights.cloned());
            engine.search(position, &Limits::nodes(nodes))
        }
    };
    let mut evaluator = Evaluator::with_weights(weights.cloned());
    let title = "A position, explained".to_string();
    let plies = vec![Ply::new(position, result.score, &result.line, &mut evaluator)];
    render(vec![PageGame { title, subtitle: position.fen(), plies }], nodes)
}

/// The page of the games of a PGN file, or of the one with this number, counted from 1. Every
/// position is searched for so many nodes, and the moves are marked as by
/// [`analyse`](crate::tools::analyse::games). `warn` is called with each game that is skipped or
/// cut short.
///
/// # Errors
///
/// If the file cannot be read, no game of it can be shown, or there is no memory for the
/// transposition table.
pub fn of_games(
    path: &Path,
    number: Option<usize>,
    nodes: u64,
    weights: Option<&Weights>,
    progress: &dyn Progress,
    warn: &mut dyn FnMut(&BadGame),
) -> Result<String, PageError> {
    let settings = AnalyseSettings {
        nodes: Some(nodes),
        hash: HASH,
        weights: weights.cloned(),
        ..AnalyseSettings::default()
    };
    let mut evaluator = Evaluator::with_weights(weights.cloned());
    let mut analyst = Analyst::new(&settings, progress)?;
    if number.is_none() {
        start_progress(path, progress)?;
    }
    let mut file = GameFile::open(path).map_err(ToolError::from)?;
    let (mut games, mut skipped) = (Vec::new(), Vec::new());
    // Nothing is read after the game that is asked for.
    while number.is_none_or(|number| file.count().games < number) {
        let Some(game) = file.next_game().map_err(ToolError::from)? else { break };
        if number.is_some_and(|number| file.count().games < number) {
            continue;
        }
        match game {
            Ok(playable) => {
                if let Some(bad) = playable.cut_short() {
                    warn(&bad);
                }
                if number.is_some() {
                    progress.start("positions", playable.line.moves.len() as u64 + 1);
                }
                games.push(page_game(&playable, &mut analyst, &mut evaluator));
            }
            Err(bad) => skipped.push(bad),
        }
    }
    progress.finish();
    match (number, skipped.pop()) {
        (_, last) if !games.is_empty() => {
            skipped.iter().chain(&last).for_each(warn);
            render(games, nodes)
        }
        (_, Some(bad)) => Err(PageError::Bad { path: path.to_path_buf(), bad }),
        (number, None) => Err(PageError::NoGame {
            path: path.to_path_buf(),
            number: number.unwrap_or(1),
            games: file.count().games,
        }),
    }
}

/// A game with the score of each of its positions.
fn page_game(
    PlayableGame { game, line }: &PlayableGame,
    analyst: &mut Analyst<'_>,
    evaluator: &mut Evaluator,
) -> PageGame {
    let mut plies: Vec<Ply> = Vec::new();
    let first = analyst.game(line, &mut |report| {
        if plies.is_empty() {
            plies.push(Ply::new(&report.position, report.best_score, &report.best, evaluator));
        }
        plies.push(Ply::after(&report, evaluator));
    });
    if plies.is_empty() {
        plies.push(Ply::new(&line.start, first.start.score, &first.start.line, evaluator));
    }
    let [white, black] = game.names();
    let result = match game.result.as_str() {
        "1/2-1/2" => "½-½",
        result => result,
    };
    let details = ["Event", "Date"].into_iter().filter_map(|name| game.tag(name));
    let details = details.filter(|text| !text.starts_with('?') && !text.is_empty());
    let moves = format!("{} moves", line.moves.len().div_ceil(2));
    let subtitle: Vec<&str> = [result, &moves].into_iter().chain(details).collect();
    PageGame { title: format!("{white} – {black}"), subtitle: subtitle.join(", "), plies }
}
