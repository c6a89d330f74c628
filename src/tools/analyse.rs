//! Analysis: a search as a table for people, of one position or of every position of games.

use std::fmt;
use std::path::Path;

use super::{ToolError, coloured};
use crate::board::{Move, Position};
use crate::book::games::{self, Game};
use crate::engine::Engine;
use crate::files::FileError;
use crate::progress::Progress;
use crate::score::Score;
use crate::search::{Bound, Limits, Line, Report, Reporter, SearchResult, StopFlag};
use crate::wdl::shown;

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
    fn limits(&self) -> Limits {
        let time = self.time.or(self.nodes.is_none().then_some(2000));
        Limits { move_time: time, nodes: self.nodes, ..Limits::default() }
    }
}

/// A score from the side to move as people read it, from White's view: `+0.34`, `#5`, `#-3`.
fn score_text(score: Score, position: &Position) -> String {
    let white = score.for_white(position.turn());
    match white.as_cp() {
        Some(cp) => format!("{:+.2}", f64::from(shown(cp)) / 100.0),
        None => match white.to_string().strip_prefix("mate ") {
            Some(moves) => format!("#{moves}"),
            None => white.to_string(),
        },
    }
}

/// Moves in standard algebraic notation with their numbers: `12... Nf6 13. O-O`.
fn line_text(position: &Position, line: &[Move]) -> String {
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
/// Further lines (MultiPV) follow with their numbers in place of the depth. Scores of half a pawn
/// and more are coloured by ANSI escape codes: green for White, red for Black.
pub struct SearchTable<'a> {
    position: Position,
    say: &'a mut dyn FnMut(&str),
    has_header: bool,
}

impl<'a> SearchTable<'a> {
    /// A table of a search from this position; `say` is called with each row.
    pub fn new(position: Position, say: &'a mut dyn FnMut(&str)) -> SearchTable<'a> {
        SearchTable { position, say, has_header: false }
    }
}

impl Reporter for SearchTable<'_> {
    fn report(&mut self, report: &Report) {
        if report.bound != Bound::Exact {
            return;
        }
        if !self.has_header {
            (self.say)("depth    score  seconds        nodes  line");
            self.has_header = true;
        }
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

/// Searches a position; `say` is called with each row of a [`SearchTable`].
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
    engine.set_position(position.clone());
    let mut table = SearchTable::new(position.clone(), say);
    engine.go(&settings.limits(), &StopFlag::new(), &mut table);
    Ok(())
}

/// How bad a move is, by what it loses against the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The best move, or nearly as good.
    Good,
    /// `?!`: loses at least 50 centipawns.
    Inaccuracy,
    /// `?`: loses at least 120 centipawns.
    Mistake,
    /// `??`: loses at least 300 centipawns.
    Blunder,
}

impl Mark {
    /// The mark of a move that loses so many centipawns.
    fn of_loss(loss: i32) -> Mark {
        match loss {
            300.. => Mark::Blunder,
            120.. => Mark::Mistake,
            50.. => Mark::Inaccuracy,
            _ => Mark::Good,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::Good => "",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        })
    }
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
    /// The game has a move that is not legal: the rest of it is skipped.
    IllegalMove(String),
}

impl fmt::Display for GameReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameReport::Game { number, names: [white, black] } => {
                write!(f, "game {number}: {white} - {black}")
            }
            GameReport::Move(report) => report.fmt(f),
            GameReport::IllegalMove(san) => {
                write!(f, "  {san} is not legal here; the rest of the game is skipped")
            }
        }
    }
}

/// Searches every position of the games of a PGN file and reports each move: what was played, its
/// score, and what would have been better.
///
/// # Errors
///
/// If the file cannot be read, has no games or a wrong FEN, or there is no memory for the
/// transposition table.
pub fn games(
    path: &Path,
    settings: &AnalyseSettings,
    progress: &dyn Progress,
    report: &mut dyn FnMut(&GameReport),
) -> Result<(), ToolError> {
    let mut games = Vec::new();
    games::read::<FileError>(path, |game| {
        games.push(game);
        Ok(())
    })?;
    if games.iter().all(|game| game.moves.is_empty()) {
        return Err(FileError::content(path, "no games").into());
    }
    let mut analysis =
        Analysis { engine: Engine::new(settings.hash, settings.threads)?, settings, progress };
    let positions = games.iter().map(|game| game.moves.len() as u64 + 1).sum();
    progress.start("positions", positions);
    for (index, game) in games.into_iter().enumerate() {
        let number = index + 1;
        report(&GameReport::Game { number, names: game.names.clone() });
        analysis
            .game(game, report)
            .ok_or_else(|| FileError::content(path, format!("game {number}: bad FEN")))?;
    }
    progress.finish();
    Ok(())
}

/// The analysis of games under way.
struct Analysis<'a> {
    engine: Engine,
    settings: &'a AnalyseSettings,
    progress: &'a dyn Progress,
}

impl Analysis<'_> {
    fn search(&mut self, position: &Position) -> SearchResult {
        let result = self.engine.search(position, &self.settings.limits());
        self.progress.advance();
        result
    }

    /// Reports the moves of a game; `None` if its first position is not legal.
    fn game(&mut self, game: Game, report: &mut dyn FnMut(&GameReport)) -> Option<()> {
        let mut position = game.start?;
        self.engine.clear();
        let mut before = self.search(&position);
        for san in game.moves {
            let Ok(played) = position.parse_san(&san) else {
                report(&GameReport::IllegalMove(san));
                break;
            };
            let start = position.clone();
            position.play(played);
            let after = self.search(&position);
            let is_best = before.line.first() == Some(&played);
            let loss = before.score.raw() + after.score.raw();
            let mark = if is_best { Mark::Good } else { Mark::of_loss(loss) };
            report(&GameReport::Move(Box::new(MoveReport {
                position: start,
                played,
                score: -after.score,
                mark,
                best: before.line,
                best_score: before.score,
            })));
            before = after;
        }
        Some(())
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
}
