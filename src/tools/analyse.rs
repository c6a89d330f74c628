//! Analyse: a search as a table for people, of a position or of every position of a game.

use std::path::Path;

use super::coloured;
use crate::board::{Move, Position};
use crate::book::games;
use crate::score::Score;
use crate::search::{Bound, Clock, Limits, Report, Reporter, SearcherState, StopFlag, search};
use crate::wdl::shown;

/// AnalyseSettings long to look at a position.
#[derive(Clone, Debug)]
pub struct AnalyseSettings {
    /// Milliseconds; no limit of time if there is none.
    pub time: Option<i64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// MiB for the table.
    pub hash: usize,
    /// Threads.
    pub threads: usize,
}

impl Default for AnalyseSettings {
    fn default() -> AnalyseSettings {
        AnalyseSettings { time: None, nodes: None, hash: 64, threads: 1 }
    }
}

/// A score as people read it, from White's view: `+0.34`, `#5`, `#-3`.
fn score_text(score: Score, position: &Position) -> String {
    let white = if position.turn().is_white() { score } else { -score };
    match white.as_cp() {
        Some(cp) => format!("{:+.2}", f64::from(shown(cp)) / 100.0),
        None => match white.to_string().strip_prefix("mate ") {
            Some(moves) => format!("#{moves}"),
            None => white.to_string(),
        },
    }
}

/// Moves in standard algebraic notation with their numbers.
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

/// Prints every iteration as a row, further lines below it with their numbers, scores from White's view. On a terminal they are coloured: green for the better of
/// White, red for that of Black.
pub struct SearchTable<'a> {
    position: Position,
    say: &'a mut dyn FnMut(&str),
    begun: bool,
}

impl<'a> SearchTable<'a> {
    /// A table of a search from this position.
    pub fn new(position: Position, say: &'a mut dyn FnMut(&str)) -> SearchTable<'a> {
        SearchTable { position, say, begun: false }
    }
}

impl Reporter for SearchTable<'_> {
    fn report(&mut self, report: &Report) {
        if report.bound != Bound::Exact {
            return;
        }
        if !self.begun {
            (self.say)("depth    score  seconds        nodes  line");
            self.begun = true;
        }
        let white = if self.position.turn().is_white() { report.score } else { -report.score };
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

fn limits(settings: &AnalyseSettings) -> Limits {
    // Two seconds, if nothing else is said.
    let time = settings.time.or(settings.nodes.is_none().then_some(2000));
    Limits { move_time: time, nodes: settings.nodes, ..Limits::default() }
}

/// Searches a position and says each iteration as a row of a table.
pub fn position(
    position: &Position,
    settings: &AnalyseSettings,
    say: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let mut memory = SearcherState::new(settings.hash, settings.threads)?;
    let (stop, limits) = (StopFlag::new(), limits(settings));
    let clock = Clock::new(&limits, position, 0, &stop);
    let mut table = SearchTable::new(position.clone(), say);
    search(position, &limits, &clock, &stop, &mut memory, &mut table);
    Ok(())
}

/// Searches every position of the games of a PGN file: what was played, its score, and what would have been better.
pub fn games(
    path: &Path,
    settings: &AnalyseSettings,
    say: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let mut memory = SearcherState::new(settings.hash, settings.threads)?;
    let mut number = 0;
    games::read(path, |game| {
        number += 1;
        say(&format!("game {number}: {} - {}", game.names[0], game.names[1]));
        let mut position = game.start.ok_or_else(|| format!("game {number}: bad FEN"))?;
        memory.clear();
        let mut expected = memory.search(&position, &limits(settings));
        for san in &game.moves {
            let Ok(m) = position.parse_san(san) else {
                say(&format!("  {san} is not legal here; the rest is left out"));
                break;
            };
            let before = position.clone();
            let best = expected.line.first().copied();
            position.play(m);
            let now = memory.search(&position, &limits(settings));
            let lost = expected.score.raw() + now.score.raw();
            let mark = match lost {
                _ if Some(m) == best => "",
                300.. => "??",
                120.. => "?",
                50.. => "?!",
                _ => "",
            };
            let better = match best {
                Some(_) if !mark.is_empty() => {
                    let line = &expected.line[..expected.line.len().min(6)];
                    format!(
                        "   better {} {}",
                        score_text(expected.score, &before),
                        line_text(&before, line)
                    )
                }
                _ => String::new(),
            };
            let played = format!("{}{mark}", line_text(&before, &[m]));
            say(&format!("{played:16} {:>8}{better}", score_text(now.score, &position)));
            expected = now;
        }
        Ok(())
    })?;
    if number == 0 { Err(format!("{}: no games", path.display())) } else { Ok(()) }
}
