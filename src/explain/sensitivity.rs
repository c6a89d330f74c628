//! Which weights the score of a position depends on, and how much.
//!
//! The derivative of the score by a weight says how many centipawns the score changes if the weight
//! is one centipawn more. Where the evaluation is a plain sum it is a count, blended by the phase;
//! king danger, initiative and scale come from the same formulas in real numbers
//! ([`total`](crate::eval::total)), by differences.

use std::fmt::Write;

use crate::board::Position;
use crate::chess::ByColor;
use crate::eval::terms::{Purpose, TERMS, Terms};
use crate::eval::total::{Sums, balance, total};
use crate::eval::weights::WEIGHTS;
use crate::eval::{Evaluator, Trace};
use crate::score::pawns;
use crate::wdl::{hidden, shown};

/// A weight that the score depends on.
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    /// The index of the term in [`TERMS`].
    pub term: usize,
    /// The index of the weight in its term.
    pub index: usize,
    /// How often it is counted for White.
    pub white: i32,
    /// How often it is counted for Black.
    pub black: i32,
    /// How the score changes with the middlegame weight: centipawns a unit, White's view.
    pub mg: f64,
    /// How the score changes with the endgame weight.
    pub eg: f64,
}

impl Dependence {
    /// The name of the weight as in the source: `passed_rank[5]`, without an index where the term
    /// has one weight.
    pub fn name(&self) -> String {
        let info = &TERMS[self.term];
        if info.size == 1 { info.name.into() } else { format!("{}[{}]", info.name, self.index) }
    }

    /// The title of its term as people read it, with the number of the weight if there are several.
    pub fn title(&self) -> String {
        let info = &TERMS[self.term];
        match info.size {
            1 => info.title.to_string(),
            _ => format!("{}, {}", info.title, self.index + 1),
        }
    }

    /// How much the score depends on it: the larger derivative.
    pub fn strength(&self) -> f64 {
        self.mg.abs().max(self.eg.abs())
    }
}

/// The weights that a position's score depends on.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// The weights that are counted, the strongest first. Known endgames can make the score
    /// independent of some or all; these have derivatives of 0.
    pub weights: Vec<Dependence>,
    /// The score in centipawns, White's view.
    pub score: i32,
    /// The number of weights of the evaluation.
    pub all: usize,
    /// A known endgame or material that cannot win decides the score, so that its derivatives by
    /// all weights are taken as 0.
    pub is_decided: bool,
    /// How much of the score before known endgames is left in it: 1 but for endgames that are
    /// known, and for these, too, if they are won.
    pub left: f64,
}

/// The score in real numbers, before known endgames.
fn score(sums: &Sums<f64>, phase: i32) -> f64 {
    total(balance(sums), sums.scale, phase) / hidden(1)
}

fn real(sums: &Sums<i32>) -> Sums<f64> {
    Sums {
        value: sums.value.map(f64::from),
        danger: sums.danger.map(|side| side.map(f64::from)),
        initiative: f64::from(sums.initiative),
        scale: f64::from(sums.scale),
    }
}

/// How the score changes with one unit more of a sum, by the difference of both sides.
fn slope(sums: &Sums<f64>, phase: i32, change: impl Fn(&mut Sums<f64>, f64)) -> f64 {
    const STEP: f64 = 1e-3;
    let at = |step: f64| {
        let mut sums = *sums;
        change(&mut sums, step);
        score(&sums, phase)
    };
    (at(STEP) - at(-STEP)) / (2.0 * STEP)
}

/// The change of the score for one unit more of each sum, middlegame and endgame.
struct Slopes {
    value: [f64; 2],
    danger: [[f64; 2]; 2],
    initiative: f64,
    scale: f64,
}

impl Slopes {
    fn of(trace: &Trace) -> Slopes {
        let (sums, phase) = (real(&trace.steps.sums), trace.steps.phase);
        let by = |change: &dyn Fn(&mut Sums<f64>, f64)| slope(&sums, phase, change);
        Slopes {
            value: [0, 1].map(|part| by(&|sums, step| sums.value[part] += step)),
            danger: [0, 1]
                .map(|side| [0, 1].map(|part| by(&|sums, step| sums.danger[side][part] += step))),
            initiative: by(&|sums, step| sums.initiative += step),
            scale: by(&|sums, step| sums.scale += step),
        }
    }

    /// The derivatives by a weight that counts this often for White and for Black.
    fn by_weight(&self, purpose: Purpose, white: i32, black: i32) -> [f64; 2] {
        let (white, black) = (f64::from(white), f64::from(black));
        match purpose {
            Purpose::Value => self.value.map(|slope| slope * (white - black)),
            Purpose::Danger => {
                [0, 1].map(|part| self.danger[0][part] * white + self.danger[1][part] * black)
            }
            Purpose::Initiative => [0.0, self.initiative * (white + black)],
            Purpose::Scale => [0.0, self.scale * (white + black)],
        }
    }
}

fn rows(counts: &Terms<i32>) -> Vec<Vec<i32>> {
    let mut rows = Vec::new();
    counts.each(|_, _, row| rows.push(row.to_vec()));
    rows
}

/// What the static evaluation of a position depends on.
///
/// ```
/// use freshet::board::Position;
/// use freshet::eval::Evaluator;
/// use freshet::explain::sensitivity::sensitivity;
///
/// // A rook up: with the weight of a rook one higher, the score is about one higher.
/// let position = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1").unwrap();
/// let found = sensitivity(&position, &mut Evaluator::new());
/// let rook = found.weights.iter().find(|weight| weight.name() == "material[3]").unwrap();
/// assert_eq!((rook.white, rook.black), (1, 0));
/// assert!(rook.eg > 0.7);
/// ```
pub fn sensitivity(position: &Position, evaluator: &mut Evaluator) -> Sensitivity {
    evaluator.prepare(position);
    let trace = evaluator.trace(position);
    let left = trace.steps.correction_slope();
    let is_decided = trace.steps.cannot_win || left == 0.0;
    let slopes = Slopes::of(&trace);
    let ByColor { white, black } = trace.counts.as_ref().map(rows);
    let mut weights = Vec::new();
    let (mut term, mut all) = (0, 0);
    WEIGHTS.each(|group, _, row| {
        for index in 0..row.len() {
            let (white, black) = (white[term][index], black[term][index]);
            if white == 0 && black == 0 {
                continue;
            }
            let slope = slopes.by_weight(group.purpose(), white, black);
            let [mg, eg] = if is_decided { [0.0; 2] } else { slope.map(|s| s * left) };
            weights.push(Dependence { term, index, white, black, mg, eg });
        }
        all += 2 * row.len();
        term += 1;
    });
    weights.sort_by(|a, b| b.strength().total_cmp(&a.strength()));
    Sensitivity { weights, score: shown(trace.steps.total), all, is_decided, left }
}

/// Below this a derivative is zero: two sides' counts that cancel.
const NOTHING: f64 = 5e-4;

/// The weights that matter as a table: name, counts, derivatives. `most` limits the lines.
pub fn table(position: &Position, evaluator: &mut Evaluator, most: usize) -> String {
    let found = sensitivity(position, evaluator);
    let matters: Vec<_> =
        found.weights.iter().filter(|weight| weight.strength() >= NOTHING).collect();
    let mut text = format!(
        "Score {} (White's view). It depends on {} of {} weights; the others have no effect here.\n",
        pawns(found.score),
        matters
            .iter()
            .map(|w| usize::from(w.mg.abs() >= NOTHING) + usize::from(w.eg.abs() >= NOTHING))
            .sum::<usize>(),
        found.all,
    );
    if found.is_decided {
        text.push_str("A known result decides the score, not the weights.\n");
        return text;
    }
    let head = ["White", "Black", "Midgame", "Endgame"].map(|word| format!("{word:>9}")).concat();
    let _ = writeln!(text, "Centipawns of the score for one centipawn of the weight:\n");
    let _ = writeln!(text, "{:40}{head}  name", "weight");
    for weight in matters.iter().take(most) {
        let Dependence { white, black, mg, eg, .. } = weight;
        let (title, name) = (weight.title(), weight.name());
        let _ = writeln!(text, "{title:40}{white:9}{black:9}{mg:+9.3}{eg:+9.3}  {name}");
    }
    if matters.len() > most {
        let _ = writeln!(text, "... and {} more with less", matters.len() - most);
    }
    text
}
