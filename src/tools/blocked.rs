//! Blocked: runs a suite of endings with known results and says, by category, how often the engine is right.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::board::Position;
use crate::eval::{blocked_verdict, evaluate};
use crate::search::{Limits, SearcherState};
use crate::tools::Progress;
use crate::wdl::shown;

/// A draw is judged right within this many centipawns, a win from [`WIN`] on.
const DRAW: i32 = 50;
const WIN: i32 = 150;

/// The quoted value of an EPD operation.
fn operation<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let at = line.find(&format!(" {name} \""))? + name.len() + 3;
    line[at..].split('"').next()
}

/// What a category adds up to.
#[derive(Default)]
struct Sum {
    positions: u32,
    right: u32,
    exact: u32,
    proofs: u32,
    false_proofs: u32,
}

/// Judges every line of an EPD text, by the evaluation or after a search of so many nodes, and returns a table. The
/// operations `c0` (result: `draw`, `white wins`, `black wins`) and `c1` (category) are read.
pub fn run(text: &str, nodes: Option<u64>) -> Result<String, String> {
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let mut memory = SearcherState::new(16, 1)?;
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    let progress = Progress::new("blocked", lines.len() as u64);
    for (number, line) in lines.iter().enumerate() {
        progress.show(number as u64);
        let fen: Vec<&str> = line.split_whitespace().take(4).collect();
        let position = Position::from_fen(&fen.join(" "))
            .map_err(|error| format!("line {}: {error}", number + 1))?;
        let result =
            operation(line, "c0").ok_or_else(|| format!("line {}: no result (c0)", number + 1))?;
        let score = match nodes {
            None => evaluate(&position),
            Some(nodes) => {
                memory.clear();
                memory.search(&position, &Limits { nodes: Some(nodes), ..Limits::default() }).score
            }
        };
        // As a user sees it.
        let score = score.as_cp().map_or(score.raw(), shown);
        let white = if position.turn().is_white() { score } else { -score };
        let right = match result {
            "draw" => white.abs() <= DRAW,
            "white wins" => white >= WIN,
            _ => white <= -WIN,
        };
        let proof = blocked_verdict(&position).is_some_and(|verdict| verdict.is_draw());
        for category in [operation(line, "c1").unwrap_or("other"), "~ all"] {
            let sum = sums.entry(category.to_string()).or_default();
            sum.positions += 1;
            sum.right += u32::from(right);
            sum.exact += u32::from(result == "draw" && white.abs() <= 10);
            sum.proofs += u32::from(proof);
            sum.false_proofs += u32::from(proof && result != "draw");
        }
    }
    drop(progress);
    let mut table = String::new();
    let _ = writeln!(
        table,
        "{:22}{:>10}{:>8}{:>7}{:>9}{:>8}{:>7}",
        "category", "positions", "right", "%", "within 10", "proofs", "false"
    );
    for (name, sum) in sums {
        let percent = f64::from(sum.right) * 100.0 / f64::from(sum.positions);
        let _ = writeln!(
            table,
            "{name:22}{:10}{:8}{percent:7.1}{:9}{:8}{:7}",
            sum.positions, sum.right, sum.exact, sum.proofs, sum.false_proofs
        );
    }
    Ok(table)
}
