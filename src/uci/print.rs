//! Reports of a search as `info` lines.

use std::time::{Duration, Instant};

use super::output::Output;
use crate::board::{Move, Position};
use crate::score::Score;
use crate::search::{Bound, Report, Reporter};
use crate::wdl::{MaterialClass, chances, shown};

/// Bounds and current moves are printed only after this time, since some GUIs take a bound for a
/// score.
const PATIENCE: Duration = Duration::from_secs(3);
/// The shortest time between two lines of deep iterations.
const PAUSE: Duration = Duration::from_millis(50);
/// Iterations up to this depth are always printed.
const FIRST: i32 = 40;

/// How reports are printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Castling as king takes rook.
    pub chess960: bool,
    /// With wins, draws and losses.
    pub wdl: bool,
    /// Only the last lines.
    pub minimal: bool,
}

/// Prints the reports of a search as `info` lines.
pub struct InfoPrinter {
    position: Position,
    /// The material of the root, on which win, draw and loss chances depend.
    material: MaterialClass,
    style: Style,
    output: Output,
    /// When a line was last printed.
    printed: Option<Instant>,
    /// Lines that came too soon: printed later unless newer ones replace them.
    held: Vec<String>,
    /// The newest line for each number of `multipv`.
    newest: Vec<String>,
}

impl InfoPrinter {
    /// A printer for a search from this position.
    pub fn new(position: Position, style: Style, output: Output) -> InfoPrinter {
        InfoPrinter {
            material: MaterialClass::of(&position),
            position,
            style,
            output,
            printed: None,
            held: Vec::new(),
            newest: Vec::new(),
        }
    }

    fn print(&mut self, line: &str) {
        self.output.say(line);
        self.held.clear();
        self.printed = Some(Instant::now());
    }

    /// Prints the newest lines again.
    pub fn repeat(&mut self) {
        for line in &self.newest {
            self.output.say(line);
        }
    }

    /// Prints what was held back: the last line before `bestmove` is the newest.
    pub fn finish(&mut self) {
        for line in self.held.drain(..) {
            self.output.say(&line);
        }
    }
}

/// A score as the protocol writes it: centipawns, of which a hundred are an even chance to win, or
/// moves to mate.
pub fn score_text(score: Score) -> String {
    match score.as_cp() {
        Some(cp) => format!("cp {}", shown(cp)),
        None => score.to_string(),
    }
}

/// The moves of a line as the protocol writes them.
pub fn line_text(position: &Position, line: &[Move], chess960: bool) -> String {
    let mut position = position.clone();
    let words: Vec<String> = line
        .iter()
        .map(|&m| {
            let text = position.uci(m, chess960);
            position.play(m);
            text
        })
        .collect();
    words.join(" ")
}

impl Reporter for InfoPrinter {
    fn report(&mut self, report: &Report) {
        // Not so bounds of mates: they are wins in any case, and may be the last line.
        let is_early = report.time < PATIENCE || self.style.minimal;
        if report.bound != Bound::Exact && is_early && !report.score.is_mate() {
            return;
        }
        let bound = match report.bound {
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
            _ => "",
        };
        let wdl = match self.style.wdl {
            true => {
                let [win, draw, loss] = chances(report.score, self.material);
                format!(" wdl {win} {draw} {loss}")
            }
            false => String::new(),
        };
        let time = report.time.as_millis().min(i32::MAX as u128);
        let speed = (report.nodes as f64 / report.time.as_secs_f64().max(1e-3)) as u64;
        let line = format!(
            "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {speed} hashfull {} tbhits {} time {time} pv {}",
            report.depth,
            report.selective_depth,
            report.multi_pv,
            score_text(report.score),
            report.nodes,
            report.hashfull,
            report.tablebase_hits,
            line_text(&self.position, &report.line, self.style.chess960),
        );
        if report.multi_pv == 1 {
            self.held.clear();
            self.newest.clear();
        }
        self.newest.push(line.clone());
        let wait = self.style.minimal || report.depth > FIRST;
        let soon =
            self.style.minimal || self.printed.is_some_and(|printed| printed.elapsed() < PAUSE);
        let hold = if report.multi_pv == 1 { soon } else { !self.held.is_empty() };
        if wait && hold {
            self.held.push(line);
        } else {
            self.print(&line);
        }
    }

    fn current_move(&mut self, depth: i32, m: Move, number: usize, elapsed: Duration) {
        if elapsed >= PATIENCE
            && !self.style.minimal
            && self.printed.is_none_or(|printed| printed.elapsed() >= PAUSE)
        {
            let m = self.position.uci(m, self.style.chess960);
            self.printed = Some(Instant::now());
            self.output.say(&format!("info depth {depth} currmove {m} currmovenumber {number}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Line;

    fn printed(bound: Bound, score: Score, time: Duration) -> Vec<String> {
        let output = Output::new(std::io::sink(), || {});
        output.keep();
        let position = Position::start();
        let line = Line::from_iter(position.moves().first().copied());
        let mut printer = InfoPrinter::new(position, Style::default(), output.clone());
        let report = Report {
            depth: 9,
            selective_depth: 12,
            multi_pv: 1,
            score,
            bound,
            nodes: 60_000,
            tablebase_hits: 0,
            time,
            hashfull: 1,
            line,
        };
        printer.report(&report);
        printer.finish();
        output.kept().into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn bounds_are_named_and_held_back_at_first() {
        let (soon, late) = (Duration::from_secs(1), Duration::from_secs(4));
        let cp = Score::cp(30);
        assert!(printed(Bound::Lower, cp, late)[0].contains(" lowerbound "));
        assert!(printed(Bound::Upper, cp, late)[0].contains(" upperbound "));
        assert!(!printed(Bound::Exact, cp, late)[0].contains("bound"));
        assert!(printed(Bound::Lower, cp, soon).is_empty());
        let mate = printed(Bound::Lower, Score::mate_in(5), soon);
        assert!(mate[0].contains(" score mate 3 lowerbound "), "{mate:?}");
    }

    #[test]
    fn speed_is_nodes_a_second() {
        let line = &printed(Bound::Exact, Score::DRAW, Duration::from_secs(4))[0];
        assert!(line.contains(" nodes 60000 nps 15000 "), "{line}");
        assert!(line.contains(" time 4000 "), "{line}");
    }
}
