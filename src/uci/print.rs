//! The one writer of the protocol: whole lines, flushed, and a quiet end if nobody reads them any more.

use std::io::{ErrorKind, Write};
use std::time::{Duration, Instant};

use super::transcript;
use crate::board::{Move, Position};
use crate::score::Score;
use crate::search::{Bound, Report, Reporter};
use crate::wdl::{Stage, chances, shown};

/// Writes text that ends with a line feed, in one piece; colours only to a terminal. Ends the program
/// if whoever was reading is gone.
pub fn say(text: &str) {
    let mut out = anstream::stdout().lock();
    transcript::said(&anstream::adapter::strip_str(text).to_string());
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    if let Err(error) = written.and_then(|()| out.flush())
        && error.kind() == ErrorKind::BrokenPipe
    {
        std::process::exit(1);
    }
}

/// Tells the GUI something for people, on one line.
pub fn tell(text: &str) {
    say(&format!("info string {}", text.replace(['\r', '\n'], " ")));
}

/// Bounds and current moves are told only in searches that last, since some GUIs take a bound for a score.
const PATIENCE: Duration = Duration::from_secs(3);
/// Lines come at most this often, after the first few.
const PAUSE: Duration = Duration::from_millis(50);
/// Iterations that are always told.
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
    stage: Stage,
    style: Style,
    printed: Option<Instant>,
    /// Lines that came too soon: printed later unless newer ones replace them.
    held: Vec<String>,
}

impl InfoPrinter {
    /// A printer for a search from this position.
    pub fn new(position: Position, style: Style) -> InfoPrinter {
        InfoPrinter {
            stage: Stage::of(&position),
            position,
            style,
            printed: None,
            held: Vec::new(),
        }
    }

    fn print(&mut self, line: &str) {
        say(line);
        self.held.clear();
        self.printed = Some(Instant::now());
    }

    /// Prints what was held back: the last line before `bestmove` is the newest.
    pub fn finish(&mut self) {
        for line in self.held.drain(..) {
            say(&line);
        }
    }
}

/// A score as the protocol writes it: centipawns of which a hundred are an even chance to win, or moves to mate.
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
        if report.bound != Bound::Exact && (report.time < PATIENCE || self.style.minimal) {
            return;
        }
        let bound = match report.bound {
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
            _ => "",
        };
        let wdl = match self.style.wdl {
            true => {
                let [win, draw, loss] = chances(report.score, self.stage);
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
            report.number,
            score_text(report.score),
            report.nodes,
            report.hashfull,
            report.hits,
            line_text(&self.position, &report.line, self.style.chess960),
        );
        if report.number == 1 {
            self.held.clear();
        }
        let wait = self.style.minimal || report.depth > FIRST;
        let soon =
            self.style.minimal || self.printed.is_some_and(|printed| printed.elapsed() < PAUSE);
        let hold = if report.number == 1 { soon } else { !self.held.is_empty() };
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
            say(&format!("info depth {depth} currmove {m} currmovenumber {number}"));
        }
    }
}
