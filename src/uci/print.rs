//! Reports of a search as `info` lines.

use std::time::{Duration, Instant};

use super::output::Output;
use crate::board::{Move, Position};
use crate::search::{Bound, Report, Reporter};
use crate::text::{uci_line, uci_score};
use crate::wdl::{MaterialClass, chances};

/// Bounds and current moves are printed only after this time, since some GUIs mistake a bound for a
/// score.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);
/// The shortest time between two lines of deep iterations.
const PAUSE: Duration = Duration::from_millis(50);
/// Iterations up to this depth are always printed.
const FIRST: i32 = 40;

/// The format of printed reports.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// Write castling as king takes rook.
    pub(super) chess960: bool,
    /// Add win, draw and loss chances, if `UCI_ShowWDL` or `Show WDL` is on.
    pub(super) wdl: [bool; 2],
    /// Print only the last lines.
    pub(super) minimal: bool,
}

/// Prints the reports of a search as `info` lines.
pub(super) struct InfoPrinter {
    position: Position,
    /// The root's material, on which win, draw and loss chances depend.
    material: MaterialClass,
    style: Style,
    output: Output,
    /// When a line was last printed.
    printed: Option<Instant>,
    /// Lines that came too soon. They are printed later, unless newer ones replace them.
    held: Vec<String>,
    /// The newest line for each number of `multipv`.
    newest: Vec<String>,
}

impl InfoPrinter {
    /// A printer for a search from this position.
    pub(super) fn new(position: Position, style: Style, output: Output) -> InfoPrinter {
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
    pub(super) fn repeat(&mut self) {
        for line in &self.newest {
            self.output.say(line);
        }
    }

    /// Prints the held lines, so that the last line before `bestmove` is the newest.
    pub(super) fn finish(&mut self) {
        for line in self.held.drain(..) {
            self.output.say(&line);
        }
    }
}

impl Reporter for InfoPrinter {
    fn no_mate(&mut self, moves: usize) {
        if !self.style.minimal {
            let plural = if moves == 1 { "" } else { "s" };
            self.output.tell(&format!("no mate in {moves} move{plural}"));
        }
    }

    fn report(&mut self, report: &Report) {
        // The last line is always printed: `bestmove` is its first move.
        let is_early = report.time < BOUNDS_AFTER || self.style.minimal;
        if report.bound != Bound::Exact && is_early && !report.is_last {
            return;
        }
        let bound = match report.bound {
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
            _ => "",
        };
        let wdl = match self.style.wdl.contains(&true) {
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
            uci_score(report.score),
            report.nodes,
            report.hashfull,
            report.tablebase_hits,
            uci_line(&self.position, &report.line, self.style.chess960),
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
        if elapsed >= BOUNDS_AFTER
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
    use crate::score::Score;
    use crate::search::Line;

    fn report(multi_pv: usize, depth: i32) -> Report {
        let line = Line::from_iter(Position::start().moves().first().copied());
        Report {
            depth,
            selective_depth: 12,
            multi_pv,
            score: Score::DRAW,
            bound: Bound::Exact,
            nodes: 60_000,
            tablebase_hits: 0,
            time: Duration::from_secs(4),
            hashfull: 1,
            line,
            is_last: false,
        }
    }

    /// A printer for the start position, and a function that returns its output.
    fn printer(style: Style) -> (InfoPrinter, impl Fn() -> Vec<String>) {
        let output = Output::kept_only();
        let printer = InfoPrinter::new(Position::start(), style, output.clone());
        (printer, move || output.kept())
    }

    /// The lines printed for a report after this time.
    fn printed(bound: Bound, score: Score, time: Duration) -> Vec<String> {
        let (mut printer, printed) = printer(Style::default());
        printer.report(&Report { bound, score, time, ..report(1, 9) });
        printer.finish();
        printed()
    }

    #[test]
    fn bounds_are_named_and_held_back_at_first() {
        let (soon, late) = (Duration::from_secs(1), Duration::from_secs(4));
        let cp = Score::cp(30);
        assert!(printed(Bound::Lower, cp, late)[0].contains(" lowerbound "));
        assert!(printed(Bound::Upper, cp, late)[0].contains(" upperbound "));
        assert!(!printed(Bound::Exact, cp, late)[0].contains("bound"));
        assert!(printed(Bound::Lower, cp, soon).is_empty());
        let (mut printer, printed) = printer(Style::default());
        printer.report(&report(1, 9));
        let last = Report { bound: Bound::Lower, time: soon, is_last: true, ..report(1, 10) };
        printer.report(&last);
        printer.finish();
        let lines = printed();
        assert!(lines.len() == 2 && lines[1].contains(" lowerbound "), "{lines:?}");
    }

    #[test]
    fn speed_is_nodes_a_second() {
        let line = &printed(Bound::Exact, Score::DRAW, Duration::from_secs(4))[0];
        assert!(line.contains(" nodes 60000 nps 15000 "), "{line}");
        assert!(line.contains(" time 4000 "), "{line}");
    }

    #[test]
    fn early_and_late_end_at_three_seconds() {
        let just = printed(Bound::Lower, Score::DRAW, BOUNDS_AFTER);
        assert_eq!(just.len(), 1);
        assert!(
            printed(Bound::Lower, Score::DRAW, BOUNDS_AFTER - Duration::from_nanos(1)).is_empty()
        );
    }

    #[test]
    fn under_minimal_only_the_last_lines_are_printed() {
        let (mut printer, printed) = printer(Style { minimal: true, ..Style::default() });
        let bound = Bound::Upper;
        for report in [report(1, 3), report(2, 3), report(1, 4), report(2, 4)] {
            printer.report(&report);
            printer.report(&Report { bound, depth: 5, ..report });
        }
        printer.current_move(4, Position::start().moves()[0], 1, BOUNDS_AFTER);
        assert!(printed().is_empty());
        printer.finish();
        let lines = printed();
        assert_eq!(lines.len(), 2, "{lines:?}");
        for (line, number) in lines.iter().zip(["multipv 1", "multipv 2"]) {
            assert!(line.starts_with("info depth 4 ") && line.contains(number), "{line}");
        }
        printer.finish();
        assert_eq!(printed().len(), 2);
    }

    /// The first forty iterations are printed at once, later ones only after the pause.
    #[test]
    fn deep_iterations_are_printed_after_a_pause() {
        let (mut printer, printed) = printer(Style::default());
        let last = FIRST + 20;
        for depth in FIRST - 1..=last {
            printer.report(&report(1, depth));
            printer.report(&report(2, depth));
        }
        // A slow machine may have taken longer than the pause, but not for each line.
        let lines = printed();
        assert!((4..40).contains(&lines.len()), "{lines:?}");
        assert!(lines[3].starts_with(&format!("info depth {FIRST} ")), "{lines:?}");
        printer.finish();
        let newest = printed().split_off(printed().len() - 2);
        let is_last = |line: &String| line.starts_with(&format!("info depth {last} "));
        assert!(newest.iter().all(is_last), "{newest:?}");
        std::thread::sleep(PAUSE);
        let before = printed().len();
        printer.report(&report(1, last + 1));
        printer.report(&report(2, last + 1));
        assert_eq!(printed().len(), before + 2);
    }

    #[test]
    fn the_newest_lines_are_repeated() {
        let (mut printer, printed) = printer(Style::default());
        for report in [report(1, 3), report(2, 3), report(1, 4), report(2, 4)] {
            printer.report(&report);
        }
        let newest = printed().split_off(2);
        printer.repeat();
        assert_eq!(printed().split_off(4), newest);
    }

    #[test]
    fn current_moves_are_told_after_three_seconds_with_pauses() {
        let m = Position::start().parse_uci("e2e4").expect("legal");
        let (mut printer, printed) = printer(Style::default());
        printer.current_move(9, m, 2, BOUNDS_AFTER - Duration::from_nanos(1));
        assert!(printed().is_empty());
        printer.current_move(9, m, 2, BOUNDS_AFTER);
        let told = "info depth 9 currmove e2e4 currmovenumber 2";
        assert_eq!(printed(), [told]);
        std::thread::sleep(PAUSE);
        printer.current_move(9, m, 2, BOUNDS_AFTER);
        for number in 3..100 {
            printer.current_move(9, m, number, BOUNDS_AFTER);
        }
        // A slow machine may have taken longer than the pause, but not for each move.
        assert!((2..20).contains(&printed().len()), "{:?}", printed());
    }

    #[test]
    fn chances_and_castling_by_style() {
        let style = Style { wdl: [true, false], chess960: true, ..Style::default() };
        let (mut printer, printed) = printer(style);
        printer.report(&report(1, 3));
        assert!(printed()[0].contains(" score cp 0 wdl "), "{:?}", printed());
        let castling = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a FEN");
        let line = ["e1g1", "e8e7"].map(|text| {
            let mut position = castling.clone();
            if text == "e8e7" {
                position.play(castling.parse_uci("e1g1").expect("legal"));
            }
            position.parse_uci(text).expect("legal")
        });
        assert_eq!(uci_line(&castling, &line, false), "e1g1 e8e7");
        assert_eq!(uci_line(&castling, &line, true), "e1h1 e8e7");
    }
}
