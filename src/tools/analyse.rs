//! Analysis: shows the search of a position, or of every position of games, as a table for people.

use std::fmt;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use super::accuracy::{GameChances, Mark, Summary};
use super::{ToolError, coloured};
use crate::board::{Epd, Move, Position};
use crate::chess::{ByColor, Color, side_name};
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::files::{self, FileError};
use crate::pgn::{self, MainLine, PgnMove, PgnProblem, Reader};
use crate::progress::Progress;
use crate::score::Score;
use crate::search::{Bound, Limits, Line, MemoryError, Report, Reporter, SearchResult, StopFlag};
use crate::text::{line_text, score_text};

/// The point of view of the scores: the head of every table.
pub const VIEW: &str = "Scores are in pawns; + is good for White, - for Black, #3 is mate in 3.";

/// The limits and resources for searching each position.
#[derive(Clone, Debug)]
pub struct AnalyseSettings {
    /// Milliseconds per position. Two seconds if neither this nor `nodes` is given.
    pub time: Option<i64>,
    /// Nodes per position; `None` for no limit.
    pub nodes: Option<u64>,
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of the search.
    pub threads: usize,
    /// The number of best moves shown for a position, each with its line. Always one for games.
    pub lines: usize,
    /// The weights of the evaluation, if not the built-in ones.
    pub weights: Option<Weights>,
    /// Once this is set, the analysis of games ends early, and its result is of no use.
    pub stop: Arc<StopFlag>,
}

impl Default for AnalyseSettings {
    fn default() -> AnalyseSettings {
        AnalyseSettings {
            time: None,
            nodes: None,
            hash: 64,
            threads: 1,
            lines: 1,
            weights: None,
            stop: Arc::default(),
        }
    }
}

impl AnalyseSettings {
    /// The limits of a search of a position.
    fn limits(&self) -> Limits {
        let time = self.time.or(self.nodes.is_none().then_some(2000));
        Limits { move_time: time, nodes: self.nodes, ..Limits::default() }
    }

    /// An engine with these settings.
    fn engine(&self) -> Result<Engine, MemoryError> {
        let mut engine = Engine::new(self.hash, self.threads)?;
        engine.set_multi_pv(self.lines);
        engine.set_weights(self.weights.clone());
        Ok(engine)
    }
}

/// A reporter that shows each completed iteration as a row of a table, with scores from White's
/// view. Skips the repeated report of a stopped search. Further lines (MultiPV) follow with their
/// numbers in place of the depth. Scores of half a pawn and more are coloured by ANSI escape codes:
/// green for White, red for Black.
pub(crate) struct LineTable<'a> {
    position: Position,
    say: &'a mut dyn FnMut(&str),
    /// Depth, number and line of the last row.
    last: Option<(i32, usize, Line)>,
}

impl<'a> LineTable<'a> {
    /// A table for a search from this position. Calls `say` with each row.
    pub(crate) fn new(position: Position, say: &'a mut dyn FnMut(&str)) -> LineTable<'a> {
        LineTable { position, say, last: None }
    }
}

impl Reporter for LineTable<'_> {
    fn report(&mut self, report: &Report) {
        let row = Some((report.depth, report.multi_pv, report.line.clone()));
        if report.bound != Bound::Exact || row == self.last {
            return;
        }
        if self.last.is_none() {
            (self.say)(VIEW);
            (self.say)("depth    score  seconds        nodes  line");
        }
        self.last = row;
        let white = report.score.for_white(self.position.turn());
        let score = format!("{:>8}", score_text(report.score, &self.position));
        let depth = match report.multi_pv {
            1 => report.depth.to_string(),
            number => format!("{number}."),
        };
        (self.say)(&format!(
            "{depth:>5} {} {:8.2} {:>12}  {}",
            coloured(&score, white.raw(), 50),
            report.time.as_secs_f64(),
            report.nodes,
            line_text(&self.position, &report.line)
        ));
    }
}

/// The kind of draw on the board although there are legal moves: threefold repetition, the
/// fifty-move rule, or insufficient material.
pub(crate) fn draw_on_board(position: &Position) -> Option<&'static str> {
    if position.moves().is_empty() {
        return None;
    }
    [
        (position.is_dead_material(), "neither side has enough material to mate"),
        (position.is_threefold(), "the position occurs for the third time"),
        (position.is_fifty_move_draw(), "fifty moves without a capture or a pawn move"),
    ]
    .into_iter()
    .find_map(|(is_draw, reason)| is_draw.then_some(reason))
}

/// The reason why there is nothing to search: `White is mated.`; `None` if there is a legal move
/// and the game is not drawn.
fn game_over(position: &Position) -> Option<String> {
    if let Some(reason) = draw_on_board(position) {
        return Some(format!("A draw: {reason}."));
    }
    if !position.moves().is_empty() {
        return None;
    }
    let side = side_name(position.turn());
    Some(match position.checkers().is_empty() {
        true => format!("{side} has no legal move and is not in check: stalemate, a draw."),
        false => format!("{side} is mated."),
    })
}

/// Searches a position. Calls `say` with each row of a `LineTable`, or with the reason why there
/// is nothing to search.
///
/// # Errors
///
/// If there is no memory for the transposition table.
pub fn position(
    position: &Position,
    settings: &AnalyseSettings,
    say: &mut dyn FnMut(&str),
) -> Result<SearchResult, ToolError> {
    Ok(search_table(&mut settings.engine()?, position, settings, say))
}

/// Like [`position`], with an engine.
fn search_table(
    engine: &mut Engine,
    position: &Position,
    settings: &AnalyseSettings,
    say: &mut dyn FnMut(&str),
) -> SearchResult {
    if let Some(reason) = game_over(position) {
        say(&reason);
        if draw_on_board(position).is_some() {
            say(&format!("score {}", score_text(Score::DRAW, position)));
            return SearchResult::of_draw();
        }
    }
    engine.set_position(position.clone());
    let mut table = LineTable::new(position.clone(), say);
    engine.go(&settings.limits(), &StopFlag::new(), &mut table)
}

/// The moves that an EPD line asks to find or avoid: operations `bm` and `am`.
#[derive(Clone, Debug, Default)]
struct Wanted {
    best: Vec<Goal>,
    avoided: Vec<Move>,
}

/// A best move, or a mate in a number of moves: negative if the side to move is mated.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Move(Move),
    Mate(i64),
}

impl Wanted {
    /// Reads moves in any notation, separated by commas or blanks, and mates (`#4`, `#-2`).
    fn of(epd: &Epd) -> Result<Wanted, String> {
        let words = |opcode: &str| -> Vec<&str> {
            let operand = epd.operand(opcode).unwrap_or_default();
            operand.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect()
        };
        let parse = |opcode: &str, text: &str| {
            let m = epd.position.parse_move(text);
            m.map_err(|problem| format!("{opcode} {text}: {problem}"))
        };
        let mut wanted = Wanted::default();
        for text in words("bm") {
            let mate = text.strip_prefix('#').and_then(|moves| moves.parse().ok());
            wanted.best.push(match mate {
                Some(moves) => Goal::Mate(moves),
                None => Goal::Move(parse("bm", text)?),
            });
        }
        for text in words("am") {
            wanted.avoided.push(parse("am", text)?);
        }
        Ok(wanted)
    }

    fn is_some(&self) -> bool {
        !(self.best.is_empty() && self.avoided.is_empty())
    }

    /// Whether a best move was found, and whether all moves to avoid were avoided. True if the line
    /// does not ask for it.
    fn is_found(&self, result: &SearchResult) -> [bool; 2] {
        let played = result.line.first();
        let is_reached = |goal: &Goal| match *goal {
            Goal::Move(m) => played == Some(&m),
            Goal::Mate(moves) => result.score.mate_moves().is_some_and(|found| match moves > 0 {
                true => (1..=moves).contains(&found),
                false => found == moves,
            }),
        };
        let avoids = played.is_none_or(|played| !self.avoided.contains(played));
        [self.best.is_empty() || self.best.iter().any(is_reached), avoids]
    }
}

/// The results of an EPD file, in lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EpdCount {
    /// Lines that name best moves, moves to avoid or mates.
    wanted: usize,
    /// Lines of these that the search solved.
    found: usize,
    /// Lines skipped because of an error.
    pub bad: usize,
}

/// Searches the positions of an EPD file one by one, and calls `say` with each row. Compares the
/// result with the operations `bm` and `am` of the line. Skips lines with an illegal position or
/// move, and calls `warn` with the error.
///
/// # Errors
///
/// If the file cannot be read or has no lines, or there is no memory for the transposition table.
pub fn epd(
    path: &Path,
    settings: &AnalyseSettings,
    progress: &dyn Progress,
    say: &mut dyn FnMut(&str),
    warn: &mut dyn FnMut(&FileError),
) -> Result<EpdCount, ToolError> {
    let mut lines = Epd::read_lines(path)?;
    if lines.iter().all(|(_, epd)| epd.is_err()) {
        // The file holds no positions.
        lines.swap_remove(0).1?;
    }
    let mut engine = settings.engine()?;
    let mut count = EpdCount::default();
    progress.start("positions", lines.len() as u64);
    for (index, (number, epd)) in lines.into_iter().enumerate() {
        let wanted = epd.and_then(|epd| match Wanted::of(&epd) {
            Ok(wanted) => Ok((epd, wanted)),
            Err(problem) => Err(FileError::line(path, number, problem)),
        });
        let (epd, wanted) = match wanted {
            Ok(wanted) => wanted,
            Err(error) => {
                warn(&error);
                count.bad += 1;
                progress.advance();
                continue;
            }
        };
        let id = epd.operand("id").map_or(String::new(), |id| format!(" ({id})"));
        say(&format!("position {}{id}: {}", index + 1, epd.position.fen()));
        engine.clear();
        let result = search_table(&mut engine, &epd.position, settings, say);
        if wanted.is_some() {
            let is_found = wanted.is_found(&result);
            count.wanted += 1;
            count.found += usize::from(is_found == [true, true]);
            let goals = [("bm", "best move"), ("am", "a move other than")];
            for ((opcode, what), is_found) in goals.into_iter().zip(is_found) {
                if let Some(operand) = epd.operand(opcode) {
                    let verdict = if is_found { "found" } else { "not found" };
                    say(&format!("{what} {operand}: {verdict}"));
                }
            }
        }
        progress.advance();
    }
    progress.finish();
    if count.wanted > 0 {
        say(&format!("found {} of {}", count.found, count.wanted));
    }
    Ok(count)
}

/// A move of a game with the engine's score and the better line.
#[derive(Clone, Debug)]
pub struct MoveReport {
    /// The position before the move.
    pub(crate) position: Position,
    /// The move that was played in the game.
    pub(crate) played: Move,
    /// The score after the move, for the side that made it.
    pub(crate) score: Score,
    /// The expected line after the move; empty if the game is over by mate or a draw.
    pub(crate) reply: Line,
    /// The quality of the move played.
    pub(crate) mark: Mark,
    /// The best line instead of the move played.
    pub(crate) best: Line,
    /// The score of the best line, for the side that moved.
    pub(crate) best_score: Score,
}

impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        let played = format!("{}{}", line_text(position, &[self.played]), self.mark);
        write!(f, "{played:16} {:>8}", score_text(self.score, position))?;
        if self.mark != Mark::Good && !self.best.is_empty() {
            let line = line_text(position, &self.best[..self.best.len().min(6)]);
            write!(f, "   better {} {line}", score_text(self.best_score, position))?;
        }
        Ok(())
    }
}

/// A report about a game of a file, shown as one line. Reports come in the order of the games.
#[derive(Clone, Debug)]
pub enum GameReport {
    /// The start of a game.
    Game {
        /// The number of the game in the file, from 1.
        number: usize,
        /// The names of White and Black.
        names: [String; 2],
    },
    /// A move of the game.
    Move(Box<MoveReport>),
    /// A player's results, at the end of the game.
    Summary {
        /// From the tag `White` or `Black`.
        name: String,
        /// The side whose moves are summed up.
        side: Color,
        /// The number of moves by mark, the accuracy and the mean loss.
        summary: Summary,
    },
    /// A game that is skipped or cut short.
    Bad(BadGame),
}

impl fmt::Display for GameReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameReport::Game { number, names: [white, black] } => {
                write!(f, "game {number}: {white} - {black}")
            }
            GameReport::Move(report) => report.fmt(f),
            GameReport::Summary { name, side, summary } => {
                let side = side_name(*side);
                // If the file names no player, the name is that of the side.
                if name == side {
                    write!(f, "{side}: {summary}")
                } else {
                    write!(f, "{side} ({name}): {summary}")
                }
            }
            GameReport::Bad(game) => game.fmt(f),
        }
    }
}

/// The part of a game that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeftOut {
    /// The whole game.
    Game,
    /// Everything from one move on.
    Rest,
    /// One variation; the main line stays.
    Variation,
}

/// A game that could not be fully read and played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGame {
    /// The number of the game in the file, from 1.
    number: usize,
    /// The line of the file on which the game begins, from 1.
    line: usize,
    /// The part that is left out.
    left_out: LeftOut,
    /// The first error in that part.
    problem: PgnProblem,
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadGame { number, line, left_out, problem } = self;
        let (part, is) = match left_out {
            LeftOut::Game => ("", "is skipped"),
            LeftOut::Rest => ("", "is cut short"),
            LeftOut::Variation => ("a variation of ", "is cut short"),
        };
        write!(f, "{part}game {number} (line {line}) {is}: {problem}")
    }
}

/// The numbers of games read from a file, and of those with errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCount {
    /// Games in the file.
    pub(crate) games: usize,
    /// Games skipped or cut short.
    pub bad: usize,
}

/// The games of a PGN file of any length, read one by one.
pub(crate) struct GameFile<'a> {
    path: &'a Path,
    reader: Reader<Box<dyn BufRead + 'a>>,
    count: GameCount,
}

/// A game of a file with its main line.
pub(crate) struct PlayableGame {
    /// The game as read.
    pub(crate) game: pgn::Game,
    /// The main line, with moves checked.
    pub(crate) line: MainLine,
}

impl<'a> GameFile<'a> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn open(path: &'a Path) -> Result<GameFile<'a>, FileError> {
        let reader = Reader::new(Box::new(files::open_text(path)?) as Box<dyn BufRead>);
        Ok(GameFile { path, reader, count: GameCount::default() })
    }

    /// The games of a text.
    pub(crate) fn of_text(text: &'a str) -> GameFile<'a> {
        let reader = Reader::new(Box::new(text.as_bytes()) as Box<dyn BufRead + 'a>);
        GameFile { path: Path::new("PGN"), reader, count: GameCount::default() }
    }

    /// The next game, or its error; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no games.
    pub(crate) fn next_game(&mut self) -> Result<Option<Result<PlayableGame, BadGame>>, FileError> {
        let Some(mut game) = self.reader.next_game().map_err(FileError::io(self.path))? else {
            return match self.count.games {
                0 => Err(FileError::content(self.path, "no games")),
                _ => Ok(None),
            };
        };
        self.count.games += 1;
        game.translate();
        let skipped = match game.main_line() {
            Ok(MainLine { problem: Some(problem), moves, .. })
                if moves.is_empty() && game.tags.is_empty() =>
            {
                problem
            }
            Ok(line) => {
                self.count.bad += usize::from(line.problem.is_some());
                return Ok(Some(Ok(PlayableGame { game, line })));
            }
            Err(problem) => problem,
        };
        self.count.bad += 1;
        Ok(Some(Err(BadGame::of(&game, LeftOut::Game, skipped))))
    }

    /// The counts so far.
    pub(crate) fn count(&self) -> GameCount {
        self.count
    }
}

impl BadGame {
    /// The report about a part of `game` that is left out.
    fn of(game: &pgn::Game, left_out: LeftOut, problem: PgnProblem) -> BadGame {
        BadGame { number: game.number, line: game.line, left_out, problem }
    }
}

impl PlayableGame {
    /// What is left out of the game, if it is cut short.
    pub(crate) fn cut_short(&self) -> Option<BadGame> {
        Some(BadGame::of(&self.game, LeftOut::Rest, self.line.problem.clone()?))
    }

    /// Cuts short the variations that cannot be played to their end, and returns a report for each.
    pub(crate) fn cut_variations_short(&mut self) -> Vec<BadGame> {
        let problems = self.game.moves.cut_variations_short(&self.line.start);
        problems
            .into_iter()
            .map(|problem| BadGame::of(&self.game, LeftOut::Variation, problem))
            .collect()
    }
}

/// Begins a stage of `progress` with all positions of the games of a file. A stage before that
/// counts the positions, without checking moves.
///
/// # Errors
///
/// If the file cannot be read.
pub(crate) fn start_progress(path: &Path, progress: &dyn Progress) -> Result<(), ToolError> {
    if !path.is_file() {
        // A pipe can be read only once.
        progress.start("positions", 0);
        return Ok(());
    }
    let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
    count_positions(GameFile::open(path)?, bytes, progress)
}

/// Like [`start_progress`], for the games of a text.
pub(crate) fn start_progress_of_text(text: &str, progress: &dyn Progress) -> Result<(), ToolError> {
    count_positions(GameFile::of_text(text), text.len() as u64, progress)
}

fn count_positions(
    mut file: GameFile<'_>,
    bytes: u64,
    progress: &dyn Progress,
) -> Result<(), ToolError> {
    let mut positions = 0;
    progress.start("bytes read", bytes);
    while let Some(game) = file.reader.next_game().map_err(FileError::io(file.path))? {
        positions += game.moves.nodes.len() as u64 + 1;
        progress.set(file.reader.bytes());
    }
    progress.finish();
    progress.start("positions", positions);
    Ok(())
}

/// Searches every position of the games of a PGN file. Reports each move with its score and the
/// better line, and the accuracy of both players.
///
/// # Errors
///
/// If the file cannot be read or has no games, or there is no memory for the transposition table.
pub fn games(
    path: &Path,
    settings: &AnalyseSettings,
    progress: &dyn Progress,
    report: &mut dyn FnMut(&GameReport),
) -> Result<GameCount, ToolError> {
    let mut analyst = Analyst::new(settings, progress)?;
    start_progress(path, progress)?;
    let mut file = GameFile::open(path)?;
    while let Some(game) = file.next_game()? {
        let playable = match game {
            Ok(playable) => playable,
            Err(bad) => {
                report(&GameReport::Bad(bad));
                continue;
            }
        };
        if let Some(bad) = playable.cut_short() {
            report(&GameReport::Bad(bad));
        }
        let PlayableGame { game, line } = playable;
        let names = game.names();
        report(&GameReport::Game { number: game.number, names: names.clone() });
        let summaries = analyst.game(&line, &mut |played| {
            report(&GameReport::Move(Box::new(played)));
        });
        for (name, side) in names.into_iter().zip(Color::ALL) {
            let summary = *summaries.get(side);
            report(&GameReport::Summary { name, side, summary });
        }
    }
    progress.finish();
    Ok(file.count())
}

/// The score and the line of a move, by the search of the position `then` after it. The score is that
/// of `then` for the mover: a mate has as many plies as it has there.
fn with_reply(m: Move, then: &Position, reply: &SearchResult) -> (Score, Line) {
    let score = if draw_on_board(then).is_some() { Score::DRAW } else { -reply.score };
    let line = [m].into_iter().chain(reply.line.iter().copied());
    (score, line.take(reply.line.capacity()).collect())
}

/// Searches all positions of games.
pub(crate) struct Analyst<'a> {
    engine: Engine,
    limits: Limits,
    stop: Arc<StopFlag>,
    progress: &'a dyn Progress,
}

impl<'a> Analyst<'a> {
    /// An analyst with an empty transposition table. Each search advances `progress`.
    ///
    /// # Errors
    ///
    /// If there is no memory for the transposition table.
    pub(crate) fn new(
        settings: &AnalyseSettings,
        progress: &'a dyn Progress,
    ) -> Result<Analyst<'a>, ToolError> {
        let settings = AnalyseSettings { lines: 1, ..settings.clone() };
        let engine = settings.engine()?;
        let stop = Arc::clone(&settings.stop);
        Ok(Analyst { engine, limits: settings.limits(), stop, progress })
    }

    /// Searches a position and advances the progress.
    fn search(&mut self, position: &Position) -> SearchResult {
        let result = self.search_aside(position);
        self.progress.advance();
        result
    }

    /// Searches a position without advancing the progress.
    fn search_aside(&mut self, position: &Position) -> SearchResult {
        self.engine.set_position(position.clone());
        // The clock of the flag runs since it was made: each search has its own.
        let stop = match self.stop.is_told_to_stop() {
            true => &*self.stop,
            false => &StopFlag::new(),
        };
        self.engine.go(&self.limits, stop, &mut ())
    }

    /// Searches a position again, in which the move thought best has turned out worse. The score is that
    /// of a search after the new best move, as for the move that was played.
    fn best_again(&mut self, position: &Position) -> SearchResult {
        let mut best = self.search_aside(position);
        if let Some(&m) = best.line.first() {
            let mut then = position.clone();
            then.play(m);
            let reply = self.search_aside(&then);
            (best.score, best.line) = with_reply(m, &then, &reply);
        }
        best
    }

    /// Searches the positions of a game, reports its moves and returns both players' results.
    /// Earlier games do not affect them.
    ///
    /// Where the next move of the game turns out clearly better than the search before it has seen,
    /// that move is the best reply, and the move before it is judged by it. A move that was thought
    /// best and turns out worse is compared with a new search of the position before it.
    pub(crate) fn game(
        &mut self,
        line: &MainLine,
        report: &mut dyn FnMut(MoveReport),
    ) -> ByColor<Summary> {
        self.engine.clear();
        let mut position = line.start.clone();
        let mut before = self.search(&position);
        let mut chances = GameChances::new(before.score, position.turn());
        // The search of the position after the next move, once it is made.
        let mut ahead = None;
        for (index, &m) in line.moves.iter().enumerate() {
            let here = position.clone();
            m.play(&mut position);
            let is_last = index + 1 == line.moves.len();
            let mut after = ahead.take().unwrap_or_else(|| self.search_in_game(&position, is_last));
            if let Some(&PgnMove::Move(next)) = line.moves.get(index + 1) {
                let mut then = position.clone();
                then.play(next);
                let result = self.search_in_game(&then, index + 2 == line.moves.len());
                let (score, line) = with_reply(next, &then, &result);
                if Mark::of_scores(score, after.score) != Mark::Good {
                    // `with_reply` counts mates from `then`; this position is a ply earlier.
                    (after.score, after.line) = ((-score).one_ply_earlier(), line);
                }
                ahead = Some(result);
            }
            let PgnMove::Move(played) = m else {
                chances.pass(after.score, position.turn());
                before = after;
                continue;
            };
            let is_draw = draw_on_board(&position).is_some();
            let score = if is_draw { Score::DRAW } else { -after.score };
            let was_best = before.line.first() == Some(&played);
            if was_best && Mark::of_scores(before.score, score) != Mark::Good {
                before = self.best_again(&here);
            }
            let best_score = before.score;
            let is_best = before.line.first() == Some(&played);
            let mark = if is_best { Mark::Good } else { Mark::of_scores(best_score, score) };
            // The best move loses nothing: if its score falls, only a deeper search has seen more.
            let best = if is_best { score } else { best_score };
            chances.add(here.turn(), mark, score, best);
            let reply = if is_draw { Line::new() } else { after.line.clone() };
            let best = std::mem::replace(&mut before, after).line;
            report(MoveReport { position: here, played, score, reply, mark, best, best_score });
        }
        chances.summaries()
    }

    /// Searches a position of a game. A draw by the rules ends the game, whatever a search says; but
    /// if the game goes on, its next move is judged.
    fn search_in_game(&mut self, position: &Position, is_last: bool) -> SearchResult {
        match is_last && draw_on_board(position).is_some() {
            true => SearchResult::of_draw(),
            false => self.search(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_white() {
        let black = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").expect("a legal FEN");
        assert!(score_text(Score::cp(100), &Position::start()).starts_with('+'));
        assert!(score_text(Score::cp(100), &black).starts_with('-'));
        assert_eq!(score_text(Score::mate_in(3), &Position::start()), "#2");
        assert_eq!(score_text(Score::mate_in(3), &black), "#-2");
    }

    /// A mate in three has the same length for both sides, whoever is to move.
    #[test]
    fn mates_are_as_long_for_either_side() {
        let (white, black) = (Position::start(), {
            let mut position = Position::start();
            position.play(position.parse_san("e4").expect("a legal move"));
            position
        });
        assert_eq!(score_text(Score::mate_in(5), &white), "#3");
        assert_eq!(score_text(Score::mated_in(6), &black), "#3");
        assert_eq!(score_text(-Score::mated_in(6), &white), "#3", "after the move of a game");
        assert_eq!(score_text(-Score::mate_in(5), &white), "#-3");
        assert_eq!(score_text(Score::mate_in(1), &black), "#-1");
        assert_eq!(score_text(-Score::mated_in(1), &black), "#-1");
        assert_eq!(score_text(Score::mated_in(0), &black), "#");
        assert_eq!(score_text(-Score::mated_in(0), &white), "#");
    }

    #[test]
    fn the_end_of_a_game_is_named() {
        let over = |fen| game_over(&Position::from_fen(fen).expect("a legal FEN"));
        assert_eq!(over(Position::START), None);
        let mated = over("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
        assert_eq!(mated.as_deref(), Some("Black is mated."));
        let stalemate = over("k7/8/1Q6/8/8/8/8/6K1 b - - 0 1").expect("no move");
        assert!(stalemate.starts_with("Black has no legal move"), "{stalemate}");
    }
}
