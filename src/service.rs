//! What a page asks of the engine: requests and answers as JSON. The program's server and the
//! WebAssembly module answer with this.
//!
//! A request is an object whose `do` names what is wanted; `docs/board.md` lists them. Positions are
//! written as in UCI: a FEN or `startpos`, and perhaps `moves` after it, so that repetitions are
//! known. A request has one answer or more; the last of them has the type `done` or `error`.
//!
//! ```
//! use std::sync::Arc;
//! use freshet::search::StopFlag;
//! use freshet::service::Service;
//!
//! let mut service = Service::new(1, 1)?;
//! let request = r#"{"do": "analyse", "position": "startpos", "nodes": 1000}"#;
//! let mut answers = Vec::new();
//! service.answer(request, &Arc::new(StopFlag::new()), &mut |answer| answers.push(answer.to_string()));
//! assert!(answers[0].starts_with(r#"{"type":"lines","depth":1,"#), "{}", answers[0]);
//! assert_eq!(answers.last().map(String::as_str), Some(r#"{"type":"done"}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::board::{Move, Position};
use crate::chess::Square;
use crate::engine::Engine;
use crate::eval::Evaluator;
use crate::eval::weights::Weights;
use crate::explain::annotate;
use crate::explain::explanation::Explanation;
use crate::explain::json;
use crate::explain::moves::{self, Explainer};
use crate::explain::pictures;
use crate::explain::wall;
use crate::page::{self, PageError, Recording, word};
use crate::progress::Progress;
use crate::search::{Bound, Limits, MemoryError, Report, Reporter, StopFlag};
use crate::text::{json_text, sans, score_text, uci_line};
use crate::tools::analyse::{AnalyseSettings, draw_on_board};

/// The most lines of an analysis.
const MOST_LINES: usize = 5;

/// The most nodes of each search of an explanation, which cannot be stopped.
const MOST_NODES: u64 = 2_000_000;

/// The most bytes of a request: long games have some kilobytes, collections megabytes.
pub const MOST_BYTES: usize = 16 << 20;

/// The interval between progress messages.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// A request of a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// The best lines, until the nodes or the milliseconds are used up, or until it is stopped.
    Analyse {
        position: String,
        #[serde(default = "one")]
        lines: usize,
        nodes: Option<u64>,
        milliseconds: Option<i64>,
    },
    /// A move for a game, at a strength in Elo or at full strength.
    Play { position: String, elo: Option<i32>, milliseconds: i64 },
    /// Why a move is good or bad.
    Explain {
        position: String,
        #[serde(rename = "move")]
        played: String,
        nodes: Option<u64>,
    },
    /// Why one move is better than another.
    Compare { position: String, moves: [String; 2], nodes: Option<u64> },
    /// What the other side would do if the side to move passed.
    Threat { position: String },
    /// The evaluation, term by term.
    Terms { position: String },
    /// The names of the pictures, or one of them.
    Fills {
        position: String,
        #[serde(default)]
        name: String,
    },
    /// The games of a PGN text with scores, marks, reasons, better lines and a summary.
    Annotate { pgn: String, nodes: Option<u64> },
    /// The games of a PGN text as a page of one file, without an engine.
    Page { pgn: String },
}

fn one() -> usize {
    1
}

/// An answer.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Answer<'a> {
    Lines {
        depth: i32,
        nodes: u64,
        milliseconds: u64,
        lines: &'a [LineJson],
    },
    Move {
        #[serde(rename = "move")]
        played: String,
    },
    /// As `docs/explain.schema.json` describes it.
    Explanation {
        explanation: Value,
    },
    /// Nothing but the type if nothing is threatened.
    Threat {
        #[serde(skip_serializing_if = "Option::is_none")]
        threat: Option<ThreatJson>,
    },
    /// The evaluation as `docs/eval.schema.json` describes it, and a line for all that is proven.
    Terms {
        evaluation: Value,
        walls: Vec<String>,
    },
    Pictures {
        pictures: Vec<PictureInfoJson>,
    },
    Picture {
        what: &'static str,
        boards: Vec<BoardJson>,
    },
    /// Why the game is drawn on the board.
    Over {
        text: &'static str,
    },
    Progress {
        done: u64,
        of: u64,
    },
    Annotated {
        pgn: String,
        warnings: Vec<String>,
    },
    Page {
        html: String,
    },
    Error {
        text: String,
    },
    Done,
}

/// A line of an analysis.
#[derive(Clone, Serialize)]
struct LineJson {
    /// From White's view, in pawns or moves to mate.
    score: String,
    /// UCI notation.
    moves: Vec<String>,
    sans: Vec<String>,
}

#[derive(Serialize)]
struct ThreatJson {
    /// The position with the other side to move.
    fen: String,
    moves: Vec<String>,
    sans: Vec<String>,
    text: String,
}

#[derive(Serialize)]
struct PictureInfoJson {
    name: &'static str,
    what: &'static str,
}

/// A board of a picture: its marked squares by what the mark means, and words on squares.
#[derive(Serialize)]
struct BoardJson {
    title: String,
    marks: Vec<(String, &'static str)>,
    texts: Vec<(String, String)>,
}

impl Answer<'_> {
    fn text(&self) -> String {
        json_text(self, false)
    }
}

/// Answers requests, one after the other.
pub struct Service {
    engine: Engine,
    threads: usize,
    hash: usize,
    weights: Option<Weights>,
}

/// The error of a request, as one line.
type RequestError = Box<dyn std::error::Error + Send + Sync>;

impl Service {
    /// A service with a transposition table of `hash` MiB and this many threads for analysis.
    ///
    /// # Errors
    ///
    /// If the system has too little memory for the table.
    pub fn new(hash: usize, threads: usize) -> Result<Service, MemoryError> {
        let mut engine = Engine::new(hash, threads)?;
        engine.set_analyse(true);
        Ok(Service { engine, threads, hash, weights: None })
    }

    /// The engine of its analysis, to be given tablebases.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Evaluates with other weights than the built-in ones.
    pub fn set_weights(&mut self, weights: Option<Weights>) {
        self.engine.set_weights(weights.clone());
        self.weights = weights;
    }

    /// The last answer to a request, errors aside; `None` if there is none.
    fn last_answer(&mut self, request: &Value) -> Option<Value> {
        let mut answers = Vec::new();
        self.answer(&request.to_string(), &Arc::new(StopFlag::new()), &mut |answer| {
            answers.extend(serde_json::from_str::<Value>(answer));
        });
        answers.retain(|answer| !["done", "error"].contains(&word(&answer["type"])));
        answers.pop()
    }

    /// Answers a request. An analysis, move, annotation or page ends early once `stop` is set.
    pub fn answer(
        &mut self,
        request: &str,
        stop: &Arc<StopFlag>,
        say: &mut (dyn FnMut(&str) + Send),
    ) {
        let result = match serde_json::from_str(request) {
            // Another request has come before this one could begin.
            Ok(_) if stop.is_told_to_stop() => Ok(()),
            Ok(request) => self.run(request, stop, say),
            Err(error) => Err(format!("not a request: {error}").into()),
        };
        let end = match result {
            Ok(()) => Answer::Done,
            Err(error) => Answer::Error { text: error.to_string() },
        };
        say(&end.text());
    }

    fn run(
        &mut self,
        request: Request,
        stop: &Arc<StopFlag>,
        say: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), RequestError> {
        let read = |text: &str| Position::from_text(text).map_err(RequestError::from);
        match request {
            Request::Analyse { position, lines, nodes, milliseconds } => {
                let limits = Limits {
                    nodes,
                    move_time: milliseconds.map(|time| time.max(1)),
                    infinite: nodes.is_none() && milliseconds.is_none(),
                    ..Limits::default()
                };
                self.analyse(read(&position)?, lines.clamp(1, MOST_LINES), &limits, stop, say);
            }
            Request::Play { position, elo, milliseconds } => {
                let position = read(&position)?;
                if position.moves().is_empty() {
                    return Err("the game is over".into());
                }
                // At most one move was played: this is a new game.
                if position.last_moves(2).count() < 2 {
                    self.engine.new_game();
                }
                self.engine.set_multi_pv(1);
                self.engine.set_analyse(false);
                self.engine.set_elo(elo);
                self.engine.set_position(position.clone());
                let time = Some(milliseconds.max(1));
                let limits = Limits { move_time: time, ..Limits::default() };
                let result = self.engine.go(&limits, stop, &mut ());
                self.engine.set_elo(None);
                self.engine.set_analyse(true);
                let played = uci(&position, &result.line[..1]).swap_remove(0);
                say(&Answer::Move { played }.text());
            }
            Request::Explain { position, played, nodes } => {
                let position = read(&position)?;
                let m = parse(&position, &played)?;
                let explain = |explainer: &mut Explainer| explainer.explanation(&position, m, &());
                say(&self.explained(nodes, explain)?.text());
            }
            Request::Compare { position, moves: [first, second], nodes } => {
                let position = read(&position)?;
                let both = [parse(&position, &first)?, parse(&position, &second)?];
                if both[0] == both[1] {
                    return Err("the same move twice".into());
                }
                let compare =
                    |explainer: &mut Explainer| explainer.comparison(&position, both, &());
                say(&self.explained(nodes, compare)?.text());
            }
            Request::Threat { position } => {
                let mut explainer = Explainer::new(moves::NODES, self.weights.as_ref())?;
                let threat = explainer.threat_against(&read(&position)?);
                let threat = threat.map(|reason| {
                    let start = reason.line.before(0);
                    ThreatJson {
                        fen: start.fen(),
                        moves: uci(start, &reason.line.moves),
                        sans: sans(start, &reason.line.moves),
                        text: reason.told().map(|told| told.object()).unwrap_or_default(),
                    }
                });
                say(&Answer::Threat { threat }.text());
            }
            Request::Terms { position } => {
                let (position, evaluator) = (read(&position)?, self.engine.evaluator());
                let text = json::json(&position, evaluator, false);
                let walls = wall::describe(&position, evaluator.knowledge());
                say(&Answer::Terms { evaluation: serde_json::from_str(&text)?, walls }.text());
            }
            Request::Fills { position, name } => {
                let position = read(&position)?;
                let answer = self.picture(&position, &name)?;
                say(&answer.text());
            }
            Request::Page { pgn } => {
                let html = page::of_annotated(&pgn, self.weights.as_ref(), stop)?;
                say(&Answer::Page { html }.text());
            }
            Request::Annotate { pgn, nodes } => {
                let settings = AnalyseSettings {
                    nodes: Some(nodes.unwrap_or(annotate::NODES)),
                    hash: self.hash,
                    threads: self.threads,
                    weights: self.weights.clone(),
                    stop: Arc::clone(stop),
                    ..AnalyseSettings::default()
                };
                let (pgn, warnings) = {
                    let progress = PageProgress::new(say);
                    annotate::text(&pgn, &settings, &progress)?
                };
                if stop.is_told_to_stop() {
                    return Err("cancelled".into());
                }
                match warnings.first() {
                    Some(warning) if pgn.is_empty() => return Err(warning.clone().into()),
                    _ => say(&Answer::Annotated { pgn, warnings }.text()),
                }
            }
        }
        Ok(())
    }

    fn analyse(
        &mut self,
        position: Position,
        lines: usize,
        limits: &Limits,
        stop: &StopFlag,
        say: &mut (dyn FnMut(&str) + Send),
    ) {
        if let Some(reason) = draw_on_board(&position) {
            return say(&Answer::Over { text: reason }.text());
        }
        if position.moves().is_empty() {
            return;
        }
        let lines = lines.min(position.moves().len());
        self.engine.set_multi_pv(lines);
        self.engine.set_position(position.clone());
        let mut lines = Lines { position, most: lines, found: Vec::new(), say };
        self.engine.go(limits, stop, &mut lines);
    }

    /// What `explain` says, with this many nodes for each search.
    fn explained(
        &self,
        nodes: Option<u64>,
        explain: impl FnOnce(&mut Explainer) -> Explanation,
    ) -> Result<Answer<'static>, RequestError> {
        let nodes = nodes.unwrap_or(moves::NODES).min(MOST_NODES);
        let mut explainer = Explainer::new(nodes, self.weights.as_ref())?;
        let explanation = explain(&mut explainer);
        Ok(Answer::Explanation {
            explanation: serde_json::from_str(&explanation.json(&mut explainer, false))?,
        })
    }

    fn picture(
        &mut self,
        position: &Position,
        name: &str,
    ) -> Result<Answer<'static>, RequestError> {
        if name.is_empty() {
            let info =
                |info: &pictures::PictureInfo| PictureInfoJson { name: info.name, what: info.what };
            return Ok(Answer::Pictures {
                pictures: pictures::PICTURES.iter().map(info).collect(),
            });
        }
        let info = pictures::find(name).ok_or_else(|| format!("no picture is called {name}"))?;
        let picture = info.of(position, Default::default(), self.engine.evaluator());
        let boards = picture.boards.into_iter().map(|board| BoardJson {
            marks: Square::ALL
                .into_iter()
                .filter_map(|square| Some((square.to_string(), board.marks[square].meaning()?)))
                .collect(),
            texts: board
                .texts
                .into_iter()
                .map(|(square, text)| (square.to_string(), text))
                .collect(),
            title: board.title,
        });
        Ok(Answer::Picture { what: picture.what, boards: boards.collect() })
    }
}

/// A move in any notation.
fn parse(position: &Position, text: &str) -> Result<Move, RequestError> {
    position.parse_move(text).map_err(|error| format!("move \"{text}\": {error}").into())
}

/// Moves in UCI notation.
fn uci(position: &Position, line: &[Move]) -> Vec<String> {
    uci_line(position, line, false).split_whitespace().map(str::to_string).collect()
}

/// Tells the lines of an analysis once an iteration has found all of them.
struct Lines<'a> {
    position: Position,
    most: usize,
    found: Vec<LineJson>,
    say: &'a mut (dyn FnMut(&str) + Send),
}

impl Reporter for Lines<'_> {
    fn report(&mut self, report: &Report) {
        if report.bound != Bound::Exact && !report.is_last {
            return;
        }
        let line = LineJson {
            score: score_text(report.score, &self.position),
            moves: uci(&self.position, &report.line),
            sans: sans(&self.position, &report.line),
        };
        let index = report.multi_pv - 1;
        self.found.truncate(index.max(if report.is_last { self.most } else { 0 }));
        match self.found.get_mut(index) {
            Some(found) => *found = line,
            None => self.found.push(line),
        }
        if self.found.len() == self.most {
            let answer = Answer::Lines {
                depth: report.depth,
                nodes: report.nodes,
                milliseconds: report.time.as_millis() as u64,
                lines: &self.found,
            };
            (self.say)(&answer.text());
        }
    }
}

/// The page of a position in one file, with the answers of a search of `nodes`.
///
/// # Errors
///
/// If there is no memory for the transposition table.
pub fn page_of_position(
    position: &Position,
    nodes: u64,
    weights: Option<&Weights>,
    progress: &dyn Progress,
) -> Result<String, PageError> {
    /// Best lines that the page shows.
    const LINES: usize = 3;
    // The search for the lines takes about as long as all their explanations.
    progress.start("searches", 2 * LINES as u64);
    let mut service = Service::new(page::HASH, 1)?;
    service.set_weights(weights.cloned());
    let mut recording = Recording::new(json!({ "fen": position.fen() }));
    recording.evaluate(position, &mut Evaluator::with_weights(weights.cloned()));
    let mut ask = |mut request: Value| {
        request["position"] = position.fen().into();
        let answer = service.last_answer(&request);
        recording.answer(position, &request, answer.clone());
        answer.unwrap_or_default()
    };
    let found = ask(json!({ "do": "analyse", "lines": LINES, "nodes": nodes }));
    progress.set(LINES as u64);
    for line in found["lines"].as_array().into_iter().flatten() {
        ask(json!({ "do": "explain", "move": line["moves"][0], "nodes": nodes }));
        progress.advance();
    }
    progress.finish();
    if !position.moves().is_empty() && position.checkers().is_empty() {
        ask(json!({ "do": "threat" }));
    }
    let names = ask(json!({ "do": "fills" }));
    for picture in names["pictures"].as_array().into_iter().flatten() {
        ask(json!({ "do": "fills", "name": picture["name"] }));
    }
    recording.page("A position, explained")
}

/// Progress messages to the page.
struct PageProgress<'a> {
    state: Mutex<PageProgressState<'a>>,
}

struct PageProgressState<'a> {
    done: u64,
    of: u64,
    last: Option<Instant>,
    say: &'a mut (dyn FnMut(&str) + Send),
}

impl<'a> PageProgress<'a> {
    fn new(say: &'a mut (dyn FnMut(&str) + Send)) -> PageProgress<'a> {
        PageProgress { state: Mutex::new(PageProgressState { done: 0, of: 0, last: None, say }) }
    }

    fn change(&self, change: impl FnOnce(&mut PageProgressState<'_>)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        let is_due = state.last.is_none_or(|last| last.elapsed() >= PROGRESS_EVERY);
        if state.of > 0 && is_due {
            state.last = Some(Instant::now());
            let answer = Answer::Progress { done: state.done, of: state.of };
            (state.say)(&answer.text());
        }
    }
}

impl Progress for PageProgress<'_> {
    /// Only positions are told: other stages are short.
    fn start(&self, unit: &str, total: u64) {
        let of = if unit == "positions" { total } else { 0 };
        self.change(|state| (state.done, state.of, state.last) = (0, of, None));
    }

    fn set(&self, done: u64) {
        self.change(|state| state.done = done);
    }

    fn advance(&self) {
        self.change(|state| state.done += 1);
    }
}
