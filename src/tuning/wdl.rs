//! Fits the model of wins, draws and losses to the results of own games: the numbers of
//! `src/core/wdl.rs`.
//!
//! The games are datagen records, or PGN files of match runners with scores in their comments.
//! Those scores must come from this version, since they are converted back from the displayed
//! scale.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::TuningError;
use super::data::{Record, ScoredPosition, read, scored_positions};
use crate::files::{FileError, has_extension};
use crate::progress::Progress;
use crate::wdl::{MODEL, MaterialClass, Model, parameters, win_chance};

/// The most positions to use. With more, take every second, third and so on.
const MAX_POSITIONS: usize = 400_000;

/// The least number of positions for fitting all parameters. With fewer, only two factors are
/// fitted, which multiply all `a` and all `b`.
const ENOUGH_FOR_ALL: usize = 200_000;

/// The least number of positions for a fit.
const MIN_POSITIONS: usize = 1000;

/// The factors by which a fit may multiply the parameters in use. A fit that reaches these bounds
/// is useless; the results may contradict the scores, for example.
const FACTORS: RangeInclusive<f64> = 1.0 / 16.0..=16.0;

/// A position for the fit.
struct Sample {
    class: MaterialClass,
    /// The score for White in centipawns.
    score: f64,
    /// Won, drawn or lost for White: 2, 1, 0.
    result: u8,
}

impl Sample {
    /// `None` if the result is unknown.
    fn of(record: &Record) -> Option<Sample> {
        Some(Sample {
            class: record.class(),
            score: record.score().into(),
            result: (2.0 * record.result()?) as u8,
        })
    }
}

/// The positions of the games of a PGN file whose moves have scores.
fn samples_of_games(path: &Path) -> Result<Vec<Sample>, FileError> {
    let mut samples = Vec::new();
    scored_positions(path, None, |ScoredPosition { position, score, result, .. }| {
        samples.push(Sample { class: MaterialClass::of(position), score, result: result as u8 });
    })?;
    Ok(samples)
}

/// The cross entropy: minus the mean logarithm of the model's probability of the actual result.
fn cross_entropy(samples: &[Sample], model: &Model) -> f64 {
    // The parameters of each class, computed once.
    let table: Vec<[f64; 2]> =
        (0..=120).map(|material| parameters(model, MaterialClass::Material(material))).collect();
    let pawn_ending = parameters(model, MaterialClass::PawnEnding);
    let loss = |sample: &Sample| {
        let parameters = match sample.class {
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
    };
    samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
}

/// Step sizes of a coordinate search.
struct Steps {
    first: f64,
    finest: f64,
}

/// Coordinate search for a minimum from `start`. Tries each number a step up and down, and halves
/// the step when nothing helps, until it is below the finest.
fn descend<const N: usize>(
    start: [f64; N],
    steps: Steps,
    loss: impl Fn(&[f64; N]) -> f64,
    progress: &dyn Progress,
) -> [f64; N] {
    let mut step = steps.first;
    let mut numbers = start;
    let mut best = loss(&numbers);
    // Progress counts the halvings.
    progress.start("halvings", (steps.first / steps.finest).log2().ceil() as u64);
    while step > steps.finest {
        let before = best;
        for number in 0..N {
            for sign in [1.0, -1.0] {
                let mut moved = numbers;
                moved[number] += sign * step;
                let loss = loss(&moved);
                if loss < best {
                    (best, numbers) = (loss, moved);
                }
            }
        }
        if best > before - 1e-7 {
            step /= 2.0;
            progress.advance();
        }
        progress.note(&format!("loss {best:.6}, steps of {step}"));
    }
    progress.finish();
    numbers
}

/// The model in use, with all `a` multiplied by one factor and all `b` by another.
fn scaled(factors: &[f64; 2]) -> Model {
    Model {
        pawn_ending: [0, 1].map(|number| MODEL.pawn_ending[number] * factors[number]),
        material: [0, 1].map(|number| MODEL.material[number].map(|part| part * factors[number])),
    }
}

/// The parameters of a model in a row.
fn numbers(model: &Model) -> [f64; 8] {
    let Model { pawn_ending: [pa, pb], material: [[a, b, c], [d, e, f]] } = *model;
    [a, b, c, d, e, f, pa, pb]
}

/// The model with these parameters.
fn model(&[a, b, c, d, e, f, pa, pb]: &[f64; 8]) -> Model {
    Model { pawn_ending: [pa, pb], material: [[a, b, c], [d, e, f]] }
}

/// A fitted model. Displays as the constant for `src/core/wdl.rs` and a table of its predictions.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// The fitted model.
    model: Model,
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:.0?}", self.model)?;
        let classes = [10, 24, 40, 58, 78].map(MaterialClass::Material);
        for class in classes.into_iter().chain([MaterialClass::PawnEnding]) {
            let [a, b] = parameters(&self.model, class);
            writeln!(f, "{class:?}: an even chance with {a:.0}, width {b:.0}")?;
        }
        Ok(())
    }
}

/// Fits the model to files of records and games.
///
/// # Errors
///
/// If a file cannot be read, there are too few positions, or no model near the one in use fits
/// their results.
pub fn run(files: &[PathBuf], progress: &dyn Progress) -> Result<Fit, TuningError> {
    let mut samples = Vec::new();
    for path in files {
        if has_extension(path, "pgn") {
            samples.extend(samples_of_games(path)?);
        } else {
            samples.extend(read(path, None)?.iter().filter_map(Sample::of));
        }
    }
    samples.retain(|sample| sample.class != MaterialClass::Dead);
    if samples.len() < MIN_POSITIONS {
        return Err(TuningError::TooFewPositions(samples.len()));
    }
    let step = samples.len().div_ceil(MAX_POSITIONS);
    let samples: Vec<Sample> = samples.into_iter().step_by(step).collect();
    progress.note(&format!("{} positions", samples.len()));

    let possible = |factors: &[f64; 2]| factors.iter().all(|factor| FACTORS.contains(factor));
    let loss = |factors: &[f64; 2]| {
        if possible(factors) { cross_entropy(&samples, &scaled(factors)) } else { f64::INFINITY }
    };
    let steps = Steps { first: 0.25, finest: 0.001 };
    let factors = descend([1.0; 2], steps, loss, progress);
    // A fit with a tiny slope may stop shortly before a bound.
    let inside = FACTORS.start() * 1.1..FACTORS.end() / 1.1;
    if !factors.iter().all(|factor| inside.contains(factor)) {
        return Err(TuningError::NoFit);
    }
    let mut fitted = scaled(&factors);
    if samples.len() >= ENOUGH_FOR_ALL {
        let loss = |numbers: &[f64; 8]| cross_entropy(&samples, &model(numbers));
        let steps = Steps { first: 64.0, finest: 0.5 };
        fitted = model(&descend(numbers(&fitted), steps, loss, progress));
    }
    Ok(Fit { model: fitted })
}
