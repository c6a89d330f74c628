//! The evaluation as a table of text: every term that counts, in centipawns for White and Black.

use std::fmt::Write;

use super::breakdown::{Breakdown, Row, Section};
use super::wall::describe;
use crate::board::Position;
use crate::eval::{Evaluator, FULL_PHASE};
use crate::score::pawns;
use crate::tools::coloured;

/// Width of the column of names.
const NAME: usize = 44;
/// Width of a column of numbers.
const COLUMN: usize = 8;
/// Differences of at least this many centipawns are coloured.
const LARGE: i32 = 10;

/// What a table shows beside the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The middlegame and the endgame value of each row, White less Black.
    pub phases: bool,
    /// What each term counts, in a sentence.
    pub legend: bool,
    /// Also the rows that are the same for both sides.
    pub all: bool,
}

/// Writes a formatted line. Writing to a `String` does not fail.
macro_rules! line {
    ($text:expr, $($format:tt)*) => { let _ = writeln!($text, $($format)*); };
}

/// The numbers of a line: White's, Black's, the difference, and the difference in the middlegame
/// and in the endgame.
#[derive(Clone, Copy, Default)]
struct Numbers {
    white: i32,
    black: i32,
    cp: i32,
    mg: f64,
    eg: f64,
}

impl Numbers {
    fn of(row: &Row) -> Numbers {
        Numbers {
            white: row.white.cp,
            black: row.black.cp,
            cp: row.cp,
            mg: row.white.mg - row.black.mg,
            eg: row.white.eg - row.black.eg,
        }
    }

    fn sum<'a>(rows: impl Iterator<Item = &'a Row>) -> Numbers {
        rows.map(Numbers::of).fold(Numbers::default(), |a, b| Numbers {
            white: a.white + b.white,
            black: a.black + b.black,
            cp: a.cp + b.cp,
            mg: a.mg + b.mg,
            eg: a.eg + b.eg,
        })
    }
}

/// A number of centipawns with its sign; zero without.
fn signed(cp: i32) -> String {
    if cp == 0 { "0".to_string() } else { format!("{cp:+}") }
}

/// The text of a table under way.
struct Writer {
    text: String,
    options: TableOptions,
}

impl Writer {
    fn width(&self) -> usize {
        NAME + COLUMN * if self.options.phases { 5 } else { 3 }
    }

    fn rule(&mut self) {
        let width = self.width();
        line!(self.text, "{}", "-".repeat(width));
    }

    fn numbers(&mut self, name: &str, numbers: Numbers) {
        let Numbers { white, black, cp, mg, eg } = numbers;
        let difference = coloured(&format!("{:>COLUMN$}", signed(cp)), cp, LARGE);
        let phases = match self.options.phases {
            true => [mg, eg].map(|value| format!("{:>COLUMN$}", signed(value.round() as i32))),
            false => Default::default(),
        };
        let [mg, eg] = phases;
        line!(self.text, "{name:NAME$}{white:COLUMN$}{black:COLUMN$}{difference}{mg}{eg}");
    }

    fn section(&mut self, breakdown: &Breakdown, section: Section) {
        let all = self.options.all;
        let is_shown = |row: &&Row| if all { !row.is_zero() } else { row.cp != 0 };
        let rows: Vec<&Row> = breakdown.section(section).filter(is_shown).collect();
        if rows.is_empty() {
            return;
        }
        self.rule();
        self.numbers(section.title(), Numbers::sum(breakdown.section(section)));
        for row in rows {
            self.numbers(&format!("  {}", row.title), Numbers::of(row));
            if self.options.legend {
                line!(self.text, "    {}", row.legend);
            }
        }
    }
}

/// The table of a position. The rows of terms add up to those of their groups, and these to the
/// score, which is the last line in pawns: `Final evaluation: +0.34 (white side)`. Differences are
/// coloured by ANSI escape codes.
pub fn table(position: &Position, evaluator: &mut Evaluator, options: TableOptions) -> String {
    let breakdown = Breakdown::with_walls(position, evaluator);
    let mut writer = Writer { text: String::new(), options };
    let Breakdown { total, phase, scale, .. } = breakdown;
    line!(
        writer.text,
        "Centipawns, White's view. Middlegame {phase}/{FULL_PHASE}, endgame {}/{FULL_PHASE}, \
         its scale {scale}/64.\n",
        FULL_PHASE - phase
    );
    if position.moves().is_empty() {
        let end = if position.checkers().any() { "checkmate" } else { "stalemate" };
        line!(writer.text, "The game is over by {end}: this is what the pieces would be worth.\n");
    }
    let phases = if options.phases { " Midgame Endgame" } else { "" };
    line!(
        writer.text,
        "{:NAME$}{:>COLUMN$}{:>COLUMN$}{:>COLUMN$}{phases}",
        "",
        "White",
        "Black",
        "Diff"
    );
    for section in Section::all() {
        writer.section(&breakdown, section);
    }
    writer.rule();
    let is_even = |row: &Row| !row.is_zero() && row.cp == 0;
    if !options.all && breakdown.rows.iter().any(is_even) {
        line!(writer.text, "Rows that are the same for both sides are left out.");
    }
    writer.numbers("Sum: the score", Numbers::sum(breakdown.rows.iter()));
    for line in describe(position, evaluator.knowledge()) {
        line!(writer.text, "{line}");
    }
    line!(writer.text, "\nFinal evaluation: {} (white side)", pawns(total));
    writer.text
}
