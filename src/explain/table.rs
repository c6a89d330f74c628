//! The evaluation as a table: every term with its middlegame and endgame value for both sides, and
//! the square maps as a board.

use std::fmt::Write;

use super::wall::describe;
use crate::board::Position;
use crate::chess::Color;
use crate::eval::endgames::solved::WorkingOn;
use crate::eval::phased::Phased;
use crate::eval::terms::TermGroup;
use crate::eval::weights::WEIGHTS;
use crate::eval::{FULL_PHASE, Steps, Trace, square_values, trace};
use crate::tools::coloured;
use crate::wdl::shown;

/// Width of the column of names.
const NAME: usize = 30;
/// Width of the whole table.
const WIDTH: usize = NAME + 54;

/// Writes a formatted line. Writing to a `String` does not fail.
macro_rules! line {
    ($text:expr, $($format:tt)*) => { let _ = writeln!($text, $($format)*); };
}

/// One term of the evaluation: its count times weight for both sides.
#[derive(Clone, Copy)]
struct Row {
    group: TermGroup,
    name: &'static str,
    white: Phased,
    black: Phased,
}

/// All terms of a trace, in the order of declaration.
fn rows(trace: &Trace) -> Vec<Row> {
    let mut rows = Vec::new();
    WEIGHTS.each(|group, name, _| {
        rows.push(Row { group, name, white: Phased::ZERO, black: Phased::ZERO });
    });
    let mut weights = Vec::new();
    WEIGHTS.each(|_, _, row| weights.push(row.to_vec()));
    for side in Color::ALL {
        let mut index = 0;
        trace.counts.get(side).each(|_, _, counts| {
            let row = &mut rows[index];
            let sum = if side.is_white() { &mut row.white } else { &mut row.black };
            for (&count, &weight) in counts.iter().zip(&weights[index]) {
                *sum += weight * count;
            }
            index += 1;
        });
    }
    rows
}

/// Centipawns in pawns.
fn pawns(cp: i32) -> f64 {
    f64::from(cp) / 100.0
}

/// A middlegame and an endgame value in pawns, in two columns.
fn pair(mg: i32, eg: i32) -> String {
    format!("{:7.2} {:7.2}", pawns(mg), pawns(eg))
}

/// A line of the table: White's value, Black's and the difference.
fn write_values(text: &mut String, name: &str, white: Phased, black: Phased) {
    let [white, black, total] =
        [white, black, white - black].map(|value| pair(value.mg(), value.eg()));
    line!(text, "{name:NAME$} | {white} | {black} | {total}");
}

/// All groups with those of their terms that are not zero.
fn write_terms(text: &mut String, trace: &Trace) {
    let rows = rows(trace);
    for group in TermGroup::ALL {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
        let sum =
            |value: fn(&Row) -> Phased| rows.iter().fold(Phased::ZERO, |sum, row| sum + value(row));
        line!(text, "{}", "-".repeat(WIDTH));
        write_values(text, &format!("{group:?}"), sum(|row| row.white), sum(|row| row.black));
        for row in rows {
            if [row.white, row.black] != [Phased::ZERO; 2] {
                let name = format!("  {}", row.name.replace('_', " "));
                write_values(text, &name, row.white, row.black);
            }
        }
    }
}

/// The board with the values of the groups `Squares` and `Fills` on each square, tapered, in
/// centipawns.
fn write_board(text: &mut String, position: &Position, phase: i32) {
    let values = square_values(position);
    line!(text, "\nSquares and Fills by square, White less Black, centipawns\n");
    for rank in (0..8).rev() {
        let _ = write!(text, "{}  ", rank + 1);
        for value in &values[8 * rank..8 * rank + 8] {
            let tapered = f64::from(value.mg() * phase + value.eg() * (FULL_PHASE - phase));
            let centipawns = (tapered / f64::from(FULL_PHASE)).round() as i32;
            text.push_str(&coloured(&format!("{centipawns:+5}"), centipawns, 10));
        }
        text.push('\n');
    }
    line!(text, "       a    b    c    d    e    f    g    h");
}

/// The steps from the sums to the total.
fn write_steps(text: &mut String, steps: &Steps) {
    let [value, balance] = [steps.sums.value, steps.balance].map(|[mg, eg]| pair(mg, eg));
    let blank = " ".repeat(15);
    line!(text, "{}", "-".repeat(WIDTH));
    line!(text, "{:NAME$} | {blank} | {blank} | {value}", "Value");
    line!(text, "{:NAME$} | {blank} | {blank} | {balance}", "With danger and initiative");
    line!(
        text,
        "Phase {}/{FULL_PHASE}, endgame scaled by {}/64: {:+.2}",
        steps.phase,
        steps.sums.scale,
        pawns(steps.tapered)
    );
    if steps.endgame_correction != 0 {
        line!(text, "Known endgame or locked pawns: {:+.2}", pawns(steps.endgame_correction));
    }
    line!(text, "Total: {:+.2}", pawns(steps.total));
}

/// The table of all terms of a position. Its last line is the evaluation in normalised pawns:
/// `Final evaluation: +0.34 (white side)`.
pub fn table(position: &Position) -> String {
    let _working = WorkingOn::position(position);
    let trace = trace(position);
    let mut text = String::new();
    line!(text, "{:NAME$} |      White      |      Black      |      Total", "Term");
    line!(text, "{:NAME$} |    MG      EG   |    MG      EG   |    MG      EG", "");
    write_terms(&mut text, &trace);
    text.push_str(&"-".repeat(WIDTH));
    write_board(&mut text, position, trace.steps.phase);
    write_steps(&mut text, &trace.steps);
    for line in describe(position) {
        line!(text, "{line}");
    }
    let shown = pawns(shown(trace.steps.total));
    line!(text, "\nFinal evaluation: {shown:+.2} (white side)");
    text
}
