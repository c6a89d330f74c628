//! Pages that need neither an engine nor a network: the analysis board in one file, with what the
//! engine has to say about a position, or about games, written into it.
//!
//! What is written are the answers of the [`service`](crate::service) to the requests that the
//! board makes. Of games these are the PGN with its annotations and the evaluations of all
//! positions; of a position also lines, reasons, the threat and the pictures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use askama::Template;
use serde::Serialize;
use serde_json::{Value, json};

use crate::board::Position;
use crate::chess::Bitboard;
use crate::eval::Evaluator;
use crate::eval::terms::TERMS;
use crate::eval::weights::Weights;
use crate::explain::annotate::{self, Annotated};
use crate::explain::breakdown::{Breakdown, RESULTS, Section};
use crate::explain::wall;
use crate::progress::Progress;
use crate::search::{MemoryError, StopFlag};
use crate::text::json_text;
use crate::tools::ToolError;
use crate::tools::analyse::{AnalyseSettings, BadGame, GameFile, PlayableGame};

/// The page of the board, which loads [`SCRIPT`] and [`STYLE`]. All three are built from
/// `web/board` (see `docs/board.md`).
pub const HTML: &str = include_str!("../templates/board/index.html");
/// The script of the board.
pub const SCRIPT: &str = include_str!("../templates/board/app.js");
/// The style sheet of the board.
pub const STYLE: &str = include_str!("../templates/board/app.css");

/// The size of the transposition table, in MiB.
pub(crate) const HASH: usize = 16;

/// Why no page can be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] MemoryError),
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
}

#[derive(Template)]
#[template(path = "page.html")]
struct PageTemplate<'a> {
    title: &'a str,
    style: &'a str,
    script: &'a str,
    data: &'a str,
}

/// What is written into a page, the answers to what the board asks: its `engine.js` reads them.
#[derive(Serialize)]
pub(crate) struct Recording {
    /// The engine with its version.
    engine: String,
    /// What the board shows first: `pgn` or `fen`.
    start: Value,
    /// For each row of a breakdown its section, its title and its legend.
    terms: Vec<[&'static str; 3]>,
    /// Evaluations by board and side to move.
    evaluations: BTreeMap<String, Recorded>,
    /// Answers by the request: what is done, board and side to move, and the move or name.
    answers: BTreeMap<String, Vec<Value>>,
}

/// A recorded evaluation: the total in centipawns, the rows, and what is proven.
#[derive(Serialize)]
struct Recorded(i32, Vec<RecordedRow>, Vec<String>);

/// The index of a term, its centipawns for White and Black, and its squares for both as
/// hexadecimal numbers.
#[derive(Serialize)]
struct RecordedRow(usize, i32, i32, String, String);

impl Recording {
    pub(crate) fn new(start: Value) -> Recording {
        let terms = TERMS.iter().map(|info| [info.group.title(), info.title, info.legend]);
        let results = RESULTS.iter().map(|info| [Section::Result.title(), info.title, info.legend]);
        Recording {
            engine: format!("Freshet {}", env!("CARGO_PKG_VERSION")),
            start,
            terms: terms.chain(results).collect(),
            evaluations: BTreeMap::new(),
            answers: BTreeMap::new(),
        }
    }

    /// Records the evaluation of a position.
    pub(crate) fn evaluate(&mut self, position: &Position, evaluator: &mut Evaluator) {
        let breakdown = Breakdown::with_walls(position, evaluator);
        let rows = breakdown.rows.iter().enumerate().filter(|(_, row)| !row.is_zero());
        let rows = rows.map(|(index, row)| {
            let (white, black) = (&row.white, &row.black);
            RecordedRow(index, white.cp, black.cp, hex(white.squares), hex(black.squares))
        });
        let walls = wall::describe(position, evaluator.knowledge());
        self.evaluations.insert(place(position), Recorded(breakdown.total, rows.collect(), walls));
    }

    /// Records the answer to a request of the board about a position, if there is one.
    pub(crate) fn answer(&mut self, position: &Position, request: &Value, answer: Option<Value>) {
        let mut key = format!("{} {}", word(&request["do"]), place(position));
        for detail in ["move", "name"] {
            if let Some(detail) = request[detail].as_str() {
                key = format!("{key} {detail}");
            }
        }
        self.answers.insert(key, answer.into_iter().collect());
    }

    /// The page with this recording.
    pub(crate) fn page(&self, title: &str) -> Result<String, PageError> {
        // JSON that may stand inside a `script` element.
        let data = json_text(self, false).replace('<', "\\u003c");
        let page = PageTemplate { title, style: STYLE, script: SCRIPT, data: &data };
        Ok(page.render()?)
    }
}

pub(crate) fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn hex(set: Bitboard) -> String {
    if set.is_empty() { String::new() } else { format!("{:x}", set.0) }
}

/// The board and the side to move, as in a FEN.
fn place(position: &Position) -> String {
    let fen = position.fen();
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The page of the games of a PGN file, or of the one with this number, counted from 1, annotated
/// as by [`annotate`] with this many `nodes` for each search. `warn` is called with all that is left
/// out.
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
    let (mut games, mut left_out) = (Vec::new(), Vec::new());
    let count = annotate::games(path, number, &settings, progress, &mut |part| {
        match part {
            Annotated::Game(game) => games.push(game),
            Annotated::Bad(bad) => left_out.push(bad),
        }
        Ok::<(), ToolError>(())
    })?;
    match (number, left_out.last()) {
        _ if !games.is_empty() => {
            left_out.iter().for_each(warn);
            of_annotated(&games.join("\n"), weights, &StopFlag::new())
        }
        (_, Some(bad)) => Err(PageError::Bad { path: path.to_path_buf(), bad: bad.clone() }),
        (number, None) => Err(PageError::NoGame {
            path: path.to_path_buf(),
            number: number.unwrap_or(1),
            games: count.games,
        }),
    }
}

/// The page of games as they are: with the scores and comments that they have. Once `stop` is set,
/// the other games have no evaluations.
///
/// # Errors
///
/// If the text has no game that can be played.
pub fn of_annotated(
    pgn: &str,
    weights: Option<&Weights>,
    stop: &StopFlag,
) -> Result<String, PageError> {
    let mut evaluator = Evaluator::with_weights(weights.cloned());
    let mut recording = Recording::new(json!({ "pgn": pgn }));
    let mut file = GameFile::of_text(pgn);
    let mut title = None;
    let mut last_bad = None;
    while let Some(game) = file.next_game().map_err(ToolError::from)? {
        let PlayableGame { game, line } = match game {
            Ok(playable) => playable,
            Err(bad) => {
                last_bad = Some(bad);
                continue;
            }
        };
        title.get_or_insert_with(|| game.names().join(" – "));
        if stop.is_told_to_stop() {
            break;
        }
        let mut position = line.start.clone();
        recording.evaluate(&position, &mut evaluator);
        for m in &line.moves {
            m.play(&mut position);
            recording.evaluate(&position, &mut evaluator);
        }
    }
    match (title, last_bad) {
        (None, Some(bad)) => Err(PageError::Bad { path: "PGN".into(), bad }),
        (title, _) => recording.page(&title.unwrap_or_default()),
    }
}
