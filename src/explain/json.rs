//! The evaluation as JSON, by the schema in `docs/eval.schema.json`.

use serde::Serialize;

use super::breakdown::{Breakdown, Part, Row, Share};
use crate::board::Position;
use crate::chess::{Bitboard, side_adjective};
use crate::eval::{Evaluator, FULL_PHASE};
use crate::text::json_text;

/// A whole evaluation.
#[derive(Serialize)]
struct Evaluation {
    fen: String,
    side_to_move: &'static str,
    score: i32,
    phase: i32,
    full_phase: i32,
    endgame_scale: f64,
    rows: Vec<RowJson>,
}

/// A row of the breakdown.
#[derive(Serialize)]
struct RowJson {
    section: &'static str,
    name: &'static str,
    title: &'static str,
    legend: &'static str,
    cp: i32,
    white: ShareJson,
    black: ShareJson,
    parts: Vec<PartJson>,
}

/// What a row gives a side.
#[derive(Serialize)]
struct ShareJson {
    cp: i32,
    exact: f64,
    middlegame: f64,
    endgame: f64,
    count: i32,
    squares: Vec<String>,
}

/// A weight that is counted.
#[derive(Serialize)]
struct PartJson {
    side: &'static str,
    index: usize,
    count: i32,
    cp: f64,
    squares: Vec<String>,
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

/// Thousandths of a centipawn are enough.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl From<&Share> for ShareJson {
    fn from(share: &Share) -> ShareJson {
        ShareJson {
            cp: share.cp,
            exact: rounded(share.exact),
            middlegame: rounded(share.mg),
            endgame: rounded(share.eg),
            count: share.count,
            squares: squares(share.squares),
        }
    }
}

impl From<&Part> for PartJson {
    fn from(part: &Part) -> PartJson {
        PartJson {
            side: side_adjective(part.side),
            index: part.index,
            count: part.count,
            cp: rounded(part.exact),
            squares: squares(part.squares),
        }
    }
}

impl From<&Row> for RowJson {
    fn from(row: &Row) -> RowJson {
        RowJson {
            section: row.section.title(),
            name: row.name,
            title: row.title,
            legend: row.legend,
            cp: row.cp,
            white: (&row.white).into(),
            black: (&row.black).into(),
            parts: row.parts.iter().map(PartJson::from).collect(),
        }
    }
}

/// The evaluation of a position as JSON: on one line, or indented for people.
pub fn json(position: &Position, evaluator: &mut Evaluator, pretty: bool) -> String {
    let breakdown = Breakdown::with_walls(position, evaluator);
    let evaluation = Evaluation {
        fen: position.fen(),
        side_to_move: side_adjective(position.turn()),
        score: breakdown.total,
        phase: breakdown.phase,
        full_phase: FULL_PHASE,
        endgame_scale: f64::from(breakdown.scale) / 64.0,
        rows: breakdown.rows.iter().map(RowJson::from).collect(),
    };
    json_text(&evaluation, pretty)
}
