//! Explain: the evaluation as a table, every term counted.

use std::fmt::Write;

use crate::board::Position;
use crate::chess::Color;
use crate::eval::terms::TermGroup;
use crate::eval::weights::WEIGHTS;
use crate::eval::{self, Trace};
use crate::tools::coloured;
use crate::wdl::shown;

/// The middlegame and endgame part of a row, in pawns.
fn pair((mg, eg): (i32, i32)) -> String {
    format!("{:7.2} {:7.2}", f64::from(mg) / 100.0, f64::from(eg) / 100.0)
}

/// Counts times weights of one side, one entry per term that has a name.
fn products(trace: &Trace, side: Color) -> Vec<(TermGroup, &'static str, i32, i32)> {
    let mut weights = Vec::new();
    WEIGHTS.each(|_, _, row| weights.push(row.to_vec()));
    let mut products = Vec::new();
    trace.counts.get(side).each(|group, name, counts| {
        let row = &weights[products.len()];
        let sum = |part: fn(&eval::phased::Phased) -> i32| {
            counts.iter().zip(row).map(|(count, weight)| count * part(weight)).sum()
        };
        products.push((group, name, sum(|w| w.mg()), sum(|w| w.eg())));
    });
    products
}

/// The board with what each square brings in the rooms of squares and fills, between the phases, in centipawns.
fn board_of_shares(position: &Position, phase: i32) -> String {
    let shares = eval::shares(position);
    let mut text = String::from("\nSquares and Fills by square, White less Black, centipawns\n\n");
    for rank in (0..8).rev() {
        let _ = write!(text, "{}  ", rank + 1);
        for file in 0..8 {
            let share = shares[8 * rank + file];
            let value = f64::from(share.mg() * phase + share.eg() * (eval::FULL_PHASE - phase));
            let value = (value / f64::from(eval::FULL_PHASE)).round() as i32;
            text.push_str(&coloured(&format!("{value:+5}"), value, 10));
        }
        text.push('\n');
    }
    text.push_str("       a    b    c    d    e    f    g    h\n");
    text
}

/// The table of all terms of a position, and as its last line `Final evaluation: +0.34 (white side)` in pawns.
pub fn table(position: &Position) -> String {
    let trace = eval::trace(position);
    let (white, black) = (products(&trace, Color::White), products(&trace, Color::Black));
    let mut text = String::new();
    let rule = "-".repeat(76);
    let _ = writeln!(text, "{:22} |      White      |      Black      |      Total", "Term");
    let _ = writeln!(text, "{:22} |    MG      EG   |    MG      EG   |    MG      EG", "");
    for group in TermGroup::ALL {
        let rows: Vec<_> = white.iter().zip(&black).filter(|(row, _)| row.0 == group).collect();
        let sum =
            rows.iter().fold([0; 4], |[a, b, c, d], (w, k)| [a + w.2, b + w.3, c + k.2, d + k.3]);
        let _ = writeln!(text, "{rule}");
        let mut line = |name: &str, [a, b, c, d]: [i32; 4]| {
            let _ = writeln!(
                text,
                "{name:22} | {} | {} | {}",
                pair((a, b)),
                pair((c, d)),
                pair((a - c, b - d))
            );
        };
        line(&format!("{group:?}"), sum);
        for (w, k) in rows {
            if [w.2, w.3, k.2, k.3] != [0; 4] {
                line(&format!("  {}", w.1.replace('_', " ")), [w.2, w.3, k.2, k.3]);
            }
        }
    }
    text.push_str(&rule);
    text.push_str(&board_of_shares(position, trace.steps.phase));
    let steps = trace.steps;
    let pawns = |cp: i32| f64::from(cp) / 100.0;
    let [value, balance] = [steps.sums.value, steps.balance].map(|[mg, eg]| pair((mg, eg)));
    let blank = " ".repeat(15);
    let _ = writeln!(text, "{rule}");
    let _ = writeln!(text, "{:22} | {blank} | {blank} | {value}", "Value");
    let _ = writeln!(text, "{:22} | {blank} | {blank} | {balance}", "With danger, winning");
    let _ = writeln!(
        text,
        "Phase {}/24, endgame scaled by {}/64: {:+.2}",
        steps.phase,
        steps.sums.scale,
        pawns(steps.tapered)
    );
    if steps.blocked != 0 {
        let _ = writeln!(text, "Solved or blocked ending: {:+.2}", pawns(steps.blocked));
    }
    let _ = writeln!(text, "Total: {:+.2}", pawns(steps.total));
    let _ = writeln!(text, "\nFinal evaluation: {:+.2} (white side)", pawns(shown(steps.total)));
    text
}
