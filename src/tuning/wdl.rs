//! Fits what a score promises to the results of own games: the numbers of `eval/outcome.rs`.
//!
//! The games are records of `datagen`, or PGN files with scores in their comments, as match runners write them: the scores
//! must be those of this version, which are taken back from the scale they are shown in.

use std::path::{Path, PathBuf};

use super::data::{Record, read};
use crate::book::games;
use crate::wdl::{MODEL, MaterialClass, Model, hidden, parameters, win_chance};

/// Positions that are looked at, at most: every so-manieth of the files.
const MOST: usize = 400_000;

/// From so many positions on all numbers are fitted; fewer tell no more than by what factors `a` and `b` are to be changed.
const MANY: usize = 200_000;

/// A position as the fit sees it.
struct Sample {
    stage: MaterialClass,
    score: f64,
    /// Won, drawn or lost for White: 2, 1, 0.
    result: u8,
}

fn sample(record: &Record) -> Sample {
    Sample {
        stage: record.stage(),
        score: record.score().into(),
        result: (2.0 * record.result()) as u8,
    }
}

/// The positions of the games in a PGN file whose moves have scores.
fn samples_of_games(path: &Path) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    games::read(path, |game| {
        let (Some(mut position), Some(result)) = (game.start, game.white) else { return Ok(()) };
        for (san, score) in game.moves.iter().zip(&game.scores) {
            if let Some(score) = score.map(hidden) {
                let score = if position.turn().is_white() { score } else { -score };
                samples.push(Sample {
                    stage: MaterialClass::of(&position),
                    score,
                    result: result as u8,
                });
            }
            let Ok(m) = position.parse_san(san) else { break };
            position.play(m);
        }
        Ok(())
    })?;
    Ok(samples)
}

/// Minus the mean logarithm of the chances the model gives to what happened.
fn loss(samples: &[Sample], model: &Model) -> f64 {
    // Parameters once for each stage.
    let table: Vec<[f64; 2]> =
        (0..=120).map(|material| parameters(model, MaterialClass::Material(material))).collect();
    let pawn_ending = parameters(model, MaterialClass::PawnEnding);
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            let parameters = match sample.stage {
                MaterialClass::Material(material) => table[material.clamp(0, 120) as usize],
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

/// Coordinate search from `start`: each number is tried a step up and down, and the steps are halved when none of that helps, until
/// they are below `finest`.
fn descend<const N: usize>(
    start: [f64; N],
    mut step: f64,
    finest: f64,
    loss: impl Fn(&[f64; N]) -> f64,
    say: &mut dyn FnMut(&str),
) -> [f64; N] {
    let mut numbers = start;
    let mut best = loss(&numbers);
    while step > finest {
        let before = best;
        for number in 0..N {
            for sign in [1.0, -1.0] {
                let mut moved = numbers;
                moved[number] += sign * step;
                let now = loss(&moved);
                if now < best {
                    (best, numbers) = (now, moved);
                }
            }
        }
        if best > before - 1e-7 {
            step /= 2.0;
        }
        say(&format!("loss {best:.6}, steps of {step}"));
    }
    numbers
}

/// Fits the model to files of records or games, and answers the numbers for `outcome.rs` with what it means; `say` hears how it gets on.
pub fn run(files: &[PathBuf], say: &mut dyn FnMut(&str)) -> Result<String, String> {
    let mut samples = Vec::new();
    for path in files {
        if path.extension().is_some_and(|extension| extension == "pgn") {
            samples.extend(samples_of_games(path)?);
        } else {
            samples.extend(read(path)?.iter().map(sample));
        }
    }
    samples.retain(|sample| sample.stage != MaterialClass::Dead);
    if samples.len() < 1000 {
        return Err(format!("{} positions are not enough", samples.len()));
    }
    let step = samples.len().div_ceil(MOST);
    let samples: Vec<Sample> = samples.into_iter().step_by(step).collect();
    say(&format!("{} positions", samples.len()));

    let scaled = |factors: &[f64; 2]| Model {
        pawn_ending: [0, 1].map(|number| MODEL.pawn_ending[number] * factors[number]),
        material: [0, 1].map(|number| MODEL.material[number].map(|part| part * factors[number])),
    };
    let factors = descend([1.0; 2], 0.25, 0.001, |factors| loss(&samples, &scaled(factors)), say);
    let mut model = scaled(&factors);
    if samples.len() >= MANY {
        let Model { pawn_ending: [pa, pb], material: [[a, b, c], [d, e, f]] } = model;
        let whole = |&[a, b, c, d, e, f, pa, pb]: &[f64; 8]| Model {
            pawn_ending: [pa, pb],
            material: [[a, b, c], [d, e, f]],
        };
        let start = [a, b, c, d, e, f, pa, pb];
        model = whole(&descend(start, 64.0, 0.5, |numbers| loss(&samples, &whole(numbers)), say));
    }
    let mut text = format!("{model:.0?}\n");
    let stages = [10, 24, 40, 58, 78].map(MaterialClass::Material);
    for stage in stages.into_iter().chain([MaterialClass::PawnEnding]) {
        let [a, b] = parameters(&model, stage);
        text.push_str(&format!("{stage:?}: an even chance with {a:.0}, width {b:.0}\n"));
    }
    Ok(text)
}
