//! Analysis: a search as a table for people, of one position or of every position of games.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::accuracy::{GameChances, Mark, Summary, win_percent};
use super::{ToolError, coloured};
use crate::board::{Epd, Move, Position};
use crate::chess::{ByColor, Color, side_name};
use crate::engine::Engine;
use crate::files::FileError;
use crate::pgn::{self, MainLine, PgnProblem, Reader};
use crate::progress::Progress;
use crate::score::{Score, pawns};
use crate::search::{Bound, Limits, Line, Report, Reporter, SearchResult, StopFlag};
use crate::wdl::shown;

/// Whose view the scores are: the head of every table.
pub const VIEW: &str = "Scores are in pawns; + is good for White, - for Black, #3 is mate in 3.";

/// How long and with what to search each position.
#[derive(Clone, Debug)]
pub struct AnalyseSettings {
    /// Milliseconds a position; without this and `nodes` two seconds.
    pub time: Option<i64>,
    /// Nodes a position.
    pub nodes: Option<u64>,
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of the search.
    pub threads: usize,
}

impl Default for AnalyseSettings {
    fn default() -> AnalyseSettings {
        AnalyseSettings { time: None, nodes: None, hash: 64, threads: 1 }
    }
}

impl AnalyseSettings {
    /// The limits of a search of a position.
    pub fn limits(&self) -> Limits {
        let time = self.time.or(self.nodes.is_none().then_some(2000));
        Limits { move_time: time, nodes: self.nodes, ..Limits::default() }
    }
}

/// A score from the side to move as people read it, from White's view: `+0.34`, `#5`, `#-3`; `#`
/// where a side is mated on the board. A win by the tablebases is `+200.00`.
pub fn score_text(score: Score, position: &Position) -> String {
    let white = score.for_white(position.turn());
    match white.as_cp() {
        Some(cp) => pawns(shown(cp)),
        None if score == Score::mated_in(0) || -score == Score::mated_in(0) => "#".to_string(),
        None => match white.to_string().strip_prefix("mate ") {
            Some(moves) => format!("#{moves}"),
            None => pawns(if white.is_win() { 20_000 } else { -20_000 }),
        },
    }
}

/// Moves in standard algebraic notation with their numbers: `12... Nf6 13. O-O`.
pub fn line_text(position: &Position, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for (index, &m) in line.iter().enumerate() {
        let number = position.ply() / 2 + 1;
        let san = position.san(m);
        words.push(match (position.turn().is_white(), index) {
            (true, _) => format!("{number}. {san}"),
            (false, 0) => format!("{number}... {san}"),
            (false, _) => san,
        });
        position.play(m);
    }
    words.join(" ")
}

/// A reporter that makes each completed iteration a row of a table, with scores from White's view.
/// What a stopped search reports once more is left out. Further lines (MultiPV) follow with their
/// numbers in place of the depth. Scores of half a pawn and more are coloured by ANSI escape codes:
/// green for White, red for Black.
pub struct SearchTable<'a> {
    position: Position,
    say: &'a mut dyn FnMut(&str),
    /// Depth, number and line of the last row.
    last: Option<(i32, usize, Line)>,
}

impl<'a> SearchTable<'a> {
    /// A table of a search from this position; `say` is called with each row.
    pub fn new(position: Position, say: &'a mut dyn FnMut(&str)) -> SearchTable<'a> {
        SearchTable { position, say, last: None }
    }
}

impl Reporter for SearchTable<'_> {
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

/// Why there is nothing to search in a position: `White is mated.`; `None` if a move is legal.
pub fn game_over(position: &Position) -> Option<String> {
    if !position.moves().is_empty() {
        return None;
    }
    let side = side_name(position.turn());
    Some(match position.checkers().is_empty() {
        true => format!("{side} has no legal move and is not in check: stalemate, a draw."),
        false => format!("{side} is mated."),
    })
}

/// Searches a position; `say` is called with each row of a [`SearchTable`], or with the reason why
/// there is nothing to search.
///
/// # Errors
///
/// If there is no memory for the transposition table.
pub fn position(
    position: &Position,
    settings: &AnalyseSettings,
    say: &mut dyn FnMut(&str),
) -> Result<(), ToolError> {
    let mut engine = Engine::new(settings.hash, settings.threads)?;
    search_table(&mut engine, position, settings, say);
    Ok(())
}

/// Searches a position as [`position`] does and returns the result.
fn search_table(
    engine: &mut Engine,
    position: &Position,
    settings: &AnalyseSettings,
    say: &mut dyn FnMut(&str),
) -> SearchResult {
    if let Some(reason) = game_over(position) {
        say(&reason);
    }
    engine.set_position(position.clone());
    let mut table = SearchTable::new(position.clone(), say);
    engine.go(&settings.limits(), &StopFlag::new(), &mut table)
}

/// Searches the positions of an EPD file one after the other; `say` is called with each row. Best
/// moves that a line names (operation `bm`) are compared with what was found.
///
/// # Errors
///
/// If the file cannot be read or a line has no legal position, or there is no memory for the
/// transposition table.
pub fn epd(
    path: &Path,
    settings: &AnalyseSettings,
    progress: &dyn Progress,
    say: &mut dyn FnMut(&str),
) -> Result<(), ToolError> {
    let epds = Epd::read(path)?;
    let mut engine = Engine::new(settings.hash, settings.threads)?;
    progress.start("positions", epds.len() as u64);
    for (index, epd) in epds.iter().enumerate() {
        let id = epd.operand("id").map_or(String::new(), |id| format!(" ({id})"));
        say(&format!("position {}{id}: {}", index + 1, epd.position.fen()));
        engine.clear();
        let result = search_table(&mut engine, &epd.position, settings, say);
        if let (Some(wanted), Some(&found)) = (epd.operand("bm"), result.line.first()) {
            let is_right = wanted
                .split_ascii_whitespace()
                .any(|text| epd.position.parse_move(text) == Ok(found));
            let verdict = if is_right { "found" } else { "not found" };
            say(&format!("best move {wanted}: {verdict}"));
        }
        progress.advance();
    }
    progress.finish();
    Ok(())
}

/// A move of a game with the engine's score and the better line.
#[derive(Clone, Debug)]
pub struct MoveReport {
    /// The position before the move.
    pub position: Position,
    /// The move played.
    pub played: Move,
    /// The score after the move, for the side that made it.
    pub score: Score,
    /// The line that is expected after the move.
    pub reply: Line,
    /// How bad it is.
    pub mark: Mark,
    /// The line that would have been best.
    pub best: Line,
    /// The score of that line, for the same side.
    pub best_score: Score,
}

impl fmt::Display for MoveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        let played = format!("{}{}", line_text(position, &[self.played]), self.mark);
        write!(f, "{played:16} {:>8}", score_text(self.score, position))?;
        if self.mark != Mark::Good {
            let line = line_text(position, &self.best[..self.best.len().min(6)]);
            write!(f, "   better {} {line}", score_text(self.best_score, position))?;
        }
        Ok(())
    }
}

/// What is reported of the games of a file, in the order of the games; shown as one line each.
#[derive(Clone, Debug)]
pub enum GameReport {
    /// A game begins.
    Game {
        /// Its number in the file, from 1.
        number: usize,
        /// The names of White and Black.
        names: [String; 2],
    },
    /// A move of the game.
    Move(Box<MoveReport>),
    /// How a player has played the game that has ended.
    Summary {
        /// The player's name.
        name: String,
        /// The player's side.
        side: Color,
        /// Accuracy and errors.
        summary: Summary,
    },
    /// A game that is skipped.
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
                write!(f, "{} ({name}): {summary}", side_name(*side))
            }
            GameReport::Bad(game) => game.fmt(f),
        }
    }
}

/// A game, or a variation of it, that is skipped, since not all of it could be read and played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The line of the file it begins on, from 1.
    pub line: usize,
    /// Only a variation is skipped.
    pub variation: bool,
    /// What is wrong.
    pub problem: PgnProblem,
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadGame { number, line, variation, problem } = self;
        let part = if *variation { "a variation of " } else { "" };
        write!(f, "{part}game {number} (line {line}) is skipped: {problem}")
    }
}

/// How many games of a file were read, and how many of them skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCount {
    /// Games in the file.
    pub games: usize,
    /// Games skipped.
    pub bad: usize,
}

/// The games of a PGN file, read one after the other, whatever its length.
pub struct GameFile<'a> {
    path: &'a Path,
    reader: Reader<BufReader<File>>,
    count: GameCount,
}

/// A game of a file with its main line.
pub struct PlayableGame {
    /// The game as it was read.
    pub game: pgn::Game,
    /// Its moves.
    pub line: MainLine,
}

impl<'a> GameFile<'a> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(path: &'a Path) -> Result<GameFile<'a>, FileError> {
        let file = File::open(path).map_err(FileError::io(path))?;
        let reader = Reader::new(BufReader::new(file));
        Ok(GameFile { path, reader, count: GameCount::default() })
    }

    /// The next game, or what is wrong with it; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has no games.
    pub fn next_game(&mut self) -> Result<Option<Result<PlayableGame, BadGame>>, FileError> {
        let Some(game) = self.reader.next_game().map_err(FileError::io(self.path))? else {
            return match self.count.games {
                0 => Err(FileError::content(self.path, "no games")),
                _ => Ok(None),
            };
        };
        self.count.games += 1;
        Ok(Some(match game.main_line() {
            Ok(line) => Ok(PlayableGame { game, line }),
            Err(problem) => {
                self.count.bad += 1;
                let (number, line) = (game.number, game.line);
                Err(BadGame { number, line, variation: false, problem })
            }
        }))
    }

    /// How many games were read.
    pub fn count(&self) -> GameCount {
        self.count
    }
}

/// Begins a stage of `progress` with all positions of the games of a file. These are counted before,
/// which is a stage of its own; moves are not checked yet.
///
/// # Errors
///
/// If the file cannot be read.
pub fn start_progress(path: &Path, progress: &dyn Progress) -> Result<(), ToolError> {
    let mut positions = 0;
    let mut file = GameFile::open(path)?;
    let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
    progress.start("bytes read", bytes);
    while let Some(game) = file.reader.next_game().map_err(FileError::io(path))? {
        positions += game.moves.nodes.len() as u64 + 1;
        progress.set(file.reader.bytes());
    }
    progress.finish();
    progress.start("positions", positions);
    Ok(())
}

/// Searches every position of the games of a PGN file and reports each move: what was played, its
/// score, and what would have been better; and how well both players have played.
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
        let PlayableGame { game, line } = match game {
            Ok(playable) => playable,
            Err(bad) => {
                report(&GameReport::Bad(bad));
                continue;
            }
        };
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

/// Searches all positions of games.
pub struct Analyst<'a> {
    engine: Engine,
    limits: Limits,
    progress: &'a dyn Progress,
}

impl<'a> Analyst<'a> {
    /// An engine with an empty transposition table; each search is a part of `progress`.
    ///
    /// # Errors
    ///
    /// If there is no memory for the transposition table.
    pub fn new(
        settings: &AnalyseSettings,
        progress: &'a dyn Progress,
    ) -> Result<Analyst<'a>, ToolError> {
        let engine = Engine::new(settings.hash, settings.threads)?;
        Ok(Analyst { engine, limits: settings.limits(), progress })
    }

    fn search(&mut self, position: &Position) -> SearchResult {
        let result = self.engine.search(position, &self.limits);
        self.progress.advance();
        result
    }

    /// Searches the positions of a game and reports its moves; returns how well the sides have
    /// played. What was found does not depend on games before.
    pub fn game(
        &mut self,
        line: &MainLine,
        report: &mut dyn FnMut(MoveReport),
    ) -> ByColor<Summary> {
        self.engine.clear();
        let mut position = line.start.clone();
        let mut before = self.search(&position);
        let mut chances = GameChances::new(before.score, position.turn());
        for &played in &line.moves {
            let start = position.clone();
            position.play(played);
            let after = self.search(&position);
            let (score, best_score) = (-after.score, before.score);
            let is_best = before.line.first() == Some(&played);
            let loss = win_percent(best_score) - win_percent(score);
            let mark = if is_best { Mark::Good } else { Mark::of_loss(loss) };
            // The best move loses nothing; that its score falls is what a deeper search has seen.
            let best = if is_best { score } else { best_score };
            chances.add(start.turn(), mark, score, best);
            let reply = after.line.clone();
            let best = std::mem::replace(&mut before, after).line;
            report(MoveReport { position: start, played, score, reply, mark, best, best_score });
        }
        chances.summaries()
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

    /// A mate in three is one for both sides, whoever is to move.
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
