//! Fits what a score promises to the results of own games: the numbers of `eval/outcome.rs`.

use std::path::PathBuf;

use super::data::{Record, read};
use crate::eval::outcome::{MODEL, Model, Stage, parameters, win_chance};

/// Positions that are looked at, at most: every so-manieth of the files.
const MOST: usize = 400_000;

/// A position as the fit sees it.
struct Sample {
    stage: Stage,
    score: f64,
    /// Won, drawn or lost for White: 2, 1, 0.
    result: u8,
}

fn sample(record: &Record) -> Sample {
    Sample { stage: record.stage(), score: record.score().into(), result: (2.0 * record.result()) as u8 }
}

/// Minus the mean logarithm of the chances the model gives to what happened.
fn loss(samples: &[Sample], model: &Model) -> f64 {
    // Parameters once for each stage.
    let table: Vec<[f64; 2]> =
        (0..=120).map(|material| parameters(model, Stage::Material(material))).collect();
    let pawn_ending = parameters(model, Stage::PawnEnding);
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            let parameters = match sample.stage {
                Stage::Material(material) => table[material.clamp(0, 120) as usize],
                _ => pawn_ending,
            };
            let win = win_chance(parameters, sample.score);
            let loss = win_chance(parameters, -sample.score);
            let chance = match sample.result {
                2 => win,
                0 => loss,
                _ => 1.0 - win - loss,
            };
            -chance.max(1e-6).ln()
        })
        .sum();
    sum / samples.len().max(1) as f64
}

/// Fits the model to files of records, and answers the numbers for `outcome.rs` with what it means; `say` hears how it gets on.
pub fn run(files: &[PathBuf], say: &mut dyn FnMut(&str)) -> Result<String, String> {
    let mut records = Vec::new();
    for path in files {
        records.extend(read(path)?);
    }
    if records.len() < 1000 {
        return Err(format!("{} positions are not enough", records.len()));
    }
    let step = records.len().div_ceil(MOST);
    let samples: Vec<Sample> = records.iter().step_by(step).map(sample).collect();

    // Coordinate search: eight numbers, each tried a step up and down, the steps halved when none of them helps.
    let mut model = MODEL;
    let mut best = loss(&samples, &model);
    let mut width = 64.0;
    while width > 0.5 {
        let before = best;
        for number in 0..8 {
            for sign in [1.0, -1.0] {
                let mut moved = model;
                *match number {
                    0..6 => &mut moved.material[number / 3][number % 3],
                    _ => &mut moved.pawn_ending[number - 6],
                } += sign * width;
                let now = loss(&samples, &moved);
                if now < best {
                    (best, model) = (now, moved);
                }
            }
        }
        if best > before - 1e-7 {
            width /= 2.0;
        }
        say(&format!("loss {best:.6}, steps of {width}"));
    }
    let mut text = format!("{model:.0?}\n");
    let stages = [10, 24, 40, 58, 78].map(Stage::Material);
    for stage in stages.into_iter().chain([Stage::PawnEnding]) {
        let [a, b] = parameters(&model, stage);
        text.push_str(&format!("{stage:?}: an even chance with {a:.0}, width {b:.0}\n"));
    }
    Ok(text)
}
