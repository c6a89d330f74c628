//! Suites of blocked endings with known results: counts how often the engine is right, by category.

use std::collections::BTreeMap;
use std::fmt;

use super::ToolError;
use crate::board::{Epd, Position};
use crate::chess::ByColor;
use crate::engine::Engine;
use crate::eval::Evaluator;
use crate::eval::weights::Weights;
use crate::known::{Known, Reason};
use crate::progress::Progress;
use crate::search::Limits;
use crate::wdl::shown;

/// A draw is judged right if the displayed score is at most this, in centipawns.
const DRAW: i32 = 50;
/// A win is judged right if the score is at least this.
const WIN: i32 = 150;
/// A draw is judged exactly within this many centipawns.
const EXACT: i32 = 10;

/// The possible results of a position.
const RESULTS: [&str; 3] = ["draw", "white wins", "black wins"];

/// The category in which all positions are counted. Sorted last.
const ALL: &str = "~ all";

/// The counts of a category.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    positions: u32,
    right: u32,
    exact: u32,
    proofs: u32,
    false_proofs: u32,
}

/// The judgements of a suite: a table by category.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    categories: BTreeMap<String, Counts>,
}

/// The known result of a position, from the operation `c0`.
///
/// # Errors
///
/// If it has none.
pub fn result_of(epd: &Epd) -> Result<&str, ToolError> {
    let result = epd.operand("c0").filter(|result| RESULTS.contains(result));
    result.ok_or_else(|| ToolError::NoResult { fen: epd.position.fen() })
}

/// Judges the positions of a suite, by the static evaluation or after a search of `nodes` nodes.
/// The operations `c0` (result: `draw`, `white wins`, `black wins`) and `c1` (category) are read.
///
/// # Errors
///
/// If a position has no result or there is no memory for the transposition table.
pub fn judge(
    suite: &[Epd],
    nodes: Option<u64>,
    weights: Option<Weights>,
    progress: &dyn Progress,
) -> Result<Judgement, ToolError> {
    let mut engine = Engine::new(16, 1)?;
    engine.set_weights(weights);
    let mut judgement = Judgement::default();
    progress.start("positions", suite.len() as u64);
    for epd in suite {
        let position = &epd.position;
        engine.evaluator().prepare(position);
        let result = result_of(epd)?;
        let score = score_for_white(position, nodes, &mut engine);
        let holds = proven_to_hold(position, engine.evaluator());
        for category in [epd.operand("c1").unwrap_or("other"), ALL] {
            let counts = judgement.categories.entry(category.to_string()).or_default();
            counts.add(result, score, holds);
        }
        progress.advance();
    }
    progress.finish();
    Ok(judgement)
}

/// The sides that are proven unable to win.
fn proven_to_hold(position: &Position, evaluator: &mut Evaluator) -> ByColor<bool> {
    let knowledge = evaluator.knowledge();
    let is_complete = |known: &Known| !matches!(known.reason, Reason::Wall | Reason::PieceEnding);
    match knowledge.ask(position).filter(is_complete) {
        Some(known) => known.can_win.map(|can_win| !can_win),
        // With pieces, also ask whether the side behind cannot win. Nothing else asks that.
        None => ByColor::new_with(|side| knowledge.cannot_win(position, side)),
    }
}

/// The score in centipawns as shown to the user.
fn score_for_white(position: &Position, nodes: Option<u64>, engine: &mut Engine) -> i32 {
    let score = match nodes {
        None => engine.evaluator().evaluate(position),
        Some(nodes) => {
            engine.clear();
            engine.search(position, &Limits { nodes: Some(nodes), ..Limits::default() }).score
        }
    };
    let score = score.as_cp().map_or(score.raw(), shown);
    if position.turn().is_white() { score } else { -score }
}

impl Counts {
    /// Adds a position with this result, score for White, and the sides proven unable to win. A
    /// proof that the side behind cannot win is counted only if it is false.
    fn add(&mut self, result: &str, score: i32, cannot_win: ByColor<bool>) {
        let false_proof = match result {
            "white wins" => cannot_win.white,
            "black wins" => cannot_win.black,
            _ => false,
        };
        let proof = false_proof || (score == 0 && (cannot_win.white || cannot_win.black));
        let right = match result {
            "draw" => score.abs() <= DRAW,
            "white wins" => score >= WIN,
            _ => score <= -WIN,
        };
        self.positions += 1;
        self.right += u32::from(right);
        self.exact += u32::from(result == "draw" && score.abs() <= EXACT);
        self.proofs += u32::from(proof);
        self.false_proofs += u32::from(false_proof);
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:22}{:>10}{:>8}{:>7}{:>9}{:>8}{:>7}",
            "category", "positions", "right", "%", "within 10", "proofs", "false"
        )?;
        for (name, counts) in &self.categories {
            let percent = f64::from(counts.right) * 100.0 / f64::from(counts.positions);
            writeln!(
                f,
                "{name:22}{:10}{:8}{percent:7.1}{:9}{:8}{:7}",
                counts.positions, counts.right, counts.exact, counts.proofs, counts.false_proofs
            )?;
        }
        Ok(())
    }
}
