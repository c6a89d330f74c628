//! Tunes the evaluation on positions from Freshet's games: moves the weights, by least squares
//! (`least_squares.rs`), towards those that best predict results and later scores (a form of Texel
//! tuning, Peter Österlund).
//!
//! The tuner needs no second evaluation: the [trace](Evaluator::trace) gives the coefficient of
//! every term and the phase. With these the evaluation is a sum of products, and the coefficients
//! are its derivatives.

use std::collections::HashSet;
use std::path::PathBuf;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use super::TuningError;
use super::data::{Record, read};
use super::expected::{K_RANGE, golden_section, sigmoid};
use super::least_squares::{Parts, Problem, is_of_squares, merged, rounded};
use super::threads::{in_parts, sum_vectors};
use super::weights_file;
use crate::board::Position;
use crate::chess::Color;
use crate::eval::phased::s;
use crate::eval::terms::{Purpose, TermGroup, Terms};
use crate::eval::total::{Sums, UNSCALED, balance, total};
use crate::eval::weights::{self, WEIGHTS};
use crate::eval::{Evaluator, FULL_PHASE, Steps, Trace};
use crate::progress::Progress;

/// The settings of a tuning run.
#[derive(Clone, Debug)]
pub struct EvalSettings {
    /// Files of records, as datagen writes them, or PGN files of a match runner.
    pub data: Vec<PathBuf>,
    /// With `Some(n)`, the target uses the mean of own scores n to 3n plies later in the game (PGN
    /// files only); with `None`, the position's own score.
    pub ahead: Option<u16>,
    /// The maximum number of Gauss-Newton steps. The prior of each is centred on the weights before
    /// it.
    pub steps: u32,
    /// The share of the game's result in the target, 0 to 1. The rest is the score of the search,
    /// at this position or later.
    pub result_share: f64,
    /// The standard deviation, in centipawns, of the prior for the change of a square weight in one
    /// step; see `least_squares.rs`.
    pub prior: f64,
    /// Names of groups or terms to tune; all other weights stay fixed. Empty means tune all.
    pub only: Vec<String>,
    /// The scale of the sigmoid: a score of S centipawns stands for 1 / (1 + exp(-k S)) expected
    /// points. `None` fits the scale to the results with the weights in use. With positions of one
    /// kind (endings, say) that would hide that their scores are too high, so give the scale of all
    /// kinds.
    pub k: Option<f64>,
    /// Names of groups or terms whose weights become and stay zero; scale factors become full scale.
    pub without: Vec<String>,
    /// Names of groups or terms whose weights start from zero. The weights in use were fitted to
    /// all games, so the held-out games are unseen only without them. Weights that are set by
    /// hand (`SET_BY_HAND`) stay as they are.
    pub fresh: Vec<String>,
    /// Names of groups or terms that have not been tuned before. The prior of their weights, except
    /// square weights, is at least 8 centipawns wide in each step.
    pub new: Vec<String>,
    /// The starting weights, if not the built-in ones.
    pub weights: Option<weights::Weights>,
    /// The number of threads.
    pub threads: usize,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for EvalSettings {
    fn default() -> EvalSettings {
        EvalSettings {
            data: Vec::new(),
            ahead: None,
            steps: 1,
            result_share: 0.1,
            prior: 0.2,
            only: Vec::new(),
            k: None,
            without: Vec::new(),
            fresh: Vec::new(),
            new: Vec::new(),
            weights: None,
            threads: 1,
            seed: 1,
        }
    }
}

/// One in this many blocks of positions is held out for validation.
const HELD_OUT: usize = 20;
/// The positions of a block, in file order: a hundred or so games, or a dozen with visited
/// positions.
pub(super) const BLOCK: usize = 4096;
/// The fewest positions with a result to which the scale of the sigmoid is fitted.
pub(super) const MIN_RESULTS: usize = 20;
/// The most positions to which the scale of the sigmoid is fitted.
const K_POSITIONS: usize = 1 << 18;

/// Terms whose weights are set by hand. Positions in which they count are left out of tuning.
const SET_BY_HAND: [&str; 5] =
    ["bare_king", "bare_king_edge", "bare_king_proximity", "scale_bare_king", "scale_no_pawns"];

/// The coefficient of a weight in the evaluation of a position.
struct Coefficient {
    /// The index of the weight.
    weight: u16,
    /// The count of the term; for values, White's count less Black's.
    count: i16,
}

/// A training position.
struct Sample {
    /// The index of its first coefficient in the list of all.
    start: u32,
    /// The ends of the coefficients of each part, relative to `start`: value, White's and Black's
    /// king danger, initiative.
    ends: [u16; 4],
    /// The weight that scales the endgame part.
    scale: u16,
    /// The game phase, 24 with all pieces on the board, 0 without.
    phase: u8,
    /// White's result, 0 to 1, if known.
    result: Option<f32>,
    /// The score of the search for White in centipawns.
    score: f32,
}

/// All positions with their coefficients.
#[derive(Default)]
pub(super) struct Samples {
    coefficients: Vec<Coefficient>,
    samples: Vec<Sample>,
}

/// The values of all rows of terms, one after the other.
fn flat<T: Copy>(terms: &Terms<T>) -> Vec<T> {
    let mut values = Vec::new();
    terms.each(|_, _, row| values.extend_from_slice(row));
    values
}

/// The middlegame and the endgame value of each weight, in the order of [`flat`].
pub(super) fn pairs(weights: &weights::Weights) -> Vec<[f64; 2]> {
    let weights = flat(weights).into_iter();
    weights.map(|weight| [weight.mg().into(), weight.eg().into()]).collect()
}

/// The group of each value in [`flat`].
pub(super) fn groups() -> Vec<TermGroup> {
    let mut groups = Vec::new();
    WEIGHTS.each(|group, _, row| groups.extend(row.iter().map(|_| group)));
    groups
}

/// Marks the values that belong to groups or terms of these names.
fn named(names: &[impl AsRef<str>]) -> Result<Vec<bool>, TuningError> {
    let mut values = Vec::new();
    let mut known = vec![false; names.len()];
    WEIGHTS.each(|group, term, row| {
        let matches = |name: &str| name == term || name.eq_ignore_ascii_case(&format!("{group:?}"));
        let mut is_named = false;
        for (name, known) in names.iter().map(AsRef::as_ref).zip(&mut known) {
            *known |= matches(name);
            is_named |= matches(name);
        }
        values.extend(row.iter().map(|_| is_named));
    });
    match known.iter().position(|known| !known) {
        Some(index) => Err(TuningError::UnknownTerm(names[index].as_ref().to_string())),
        None => Ok(values),
    }
}

/// The middlegame and endgame part of each weight.
type Weights = [[f64; 2]];

/// The number of inputs of [`formula`].
pub(super) const INPUTS: usize = 8;

/// The evaluation for White in centipawns, from value, both king dangers, initiative and scale.
fn formula(inputs: [f64; INPUTS], phase: i32) -> f64 {
    let [v, w, a, b, c, d, initiative, scale] = inputs;
    total(
        balance(&Sums { value: [v, w], danger: [[a, b], [c, d]], initiative, scale }),
        scale,
        phase,
    )
}

/// The indices of the weights of each purpose.
pub(super) type PurposeIndices = [Vec<usize>; Purpose::ALL.len()];

/// The indices of the weights of each purpose, for these groups of all weights.
pub(super) fn purpose_indices(groups: &[TermGroup]) -> PurposeIndices {
    Purpose::ALL.map(|purpose| {
        (0..groups.len()).filter(|&index| groups[index].purpose() == purpose).collect()
    })
}

impl Samples {
    /// Reads files of records, and skips duplicate positions.
    fn read(
        files: &[PathBuf],
        ahead: Option<u16>,
        groups: &[TermGroup],
        weights: Option<&weights::Weights>,
        progress: &dyn Progress,
    ) -> Result<Samples, TuningError> {
        let indices = purpose_indices(groups);
        let mut samples = Samples::default();
        let mut known = HashSet::new();
        let mut evaluator = Evaluator::with_weights(weights.cloned());
        let mut records_read = 0;
        for path in files {
            let records = read(path, ahead)?;
            progress.start("positions", records.len() as u64);
            for (number, record) in records.iter().enumerate() {
                progress.set(number as u64);
                if known.insert(record.identity()) {
                    samples.add(record, &indices, &mut evaluator);
                }
            }
            progress.finish();
            records_read += records.len();
        }
        let count = samples.samples.len();
        if count < 2 * HELD_OUT {
            return Err(TuningError::TooFewPositions(count));
        }
        progress.note(&format!(
            "{count} positions of {records_read}, {} coefficients each",
            samples.coefficients.len() / count
        ));
        Ok(samples)
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Adds a position, unless its evaluation depends on more than the terms. Returns whether it was
    /// added.
    pub(super) fn add(
        &mut self,
        record: &Record,
        indices: &PurposeIndices,
        evaluator: &mut Evaluator,
    ) -> bool {
        let Some(position) = record.position() else { return false };
        let Some(trace) = trace_of_terms(&position, evaluator) else { return false };
        let start = self.coefficients.len();
        let (white, black) = (flat(&trace.counts.white), flat(&trace.counts.black));
        // Material that no game can lead to has no scale.
        let mut scales = indices[Purpose::Scale as usize].iter().rev();
        let Some(&scale) = scales.find(|&&index| white[index] + black[index] != 0) else {
            return false;
        };
        // The end of the coefficients of this purpose.
        let mut part = |purpose: Purpose, count: &dyn Fn(usize) -> i32| {
            for &index in &indices[purpose as usize] {
                let count = count(index);
                if count != 0 {
                    let coefficient = Coefficient { weight: index as u16, count: count as i16 };
                    self.coefficients.push(coefficient);
                }
            }
            (self.coefficients.len() - start) as u16
        };
        let ends = [
            part(Purpose::Value, &|index| white[index] - black[index]),
            part(Purpose::Danger, &|index| white[index]),
            part(Purpose::Danger, &|index| black[index]),
            part(Purpose::Initiative, &|index| white[index]),
        ];
        self.samples.push(Sample {
            start: start as u32,
            ends,
            scale: scale as u16,
            phase: trace.steps.phase as u8,
            result: record.result().map(|result| result as f32),
            score: record.score() as f32,
        });
        true
    }

    /// The coefficients of the four parts of a position.
    fn parts(&self, sample: &Sample) -> [&[Coefficient]; 4] {
        let mut begin = sample.start as usize;
        sample.ends.map(|end| {
            let end = sample.start as usize + usize::from(end);
            let part = &self.coefficients[begin..end];
            begin = end;
            part
        })
    }

    /// The inputs of the formula with these weights.
    fn inputs(&self, sample: &Sample, weights: &Weights) -> [f64; INPUTS] {
        let [value, ours, theirs, initiative] = self.parts(sample).map(|part| {
            let mut sums = [0.0; 2];
            for coefficient in part {
                let [mg, eg] = weights[usize::from(coefficient.weight)];
                sums[0] += mg * f64::from(coefficient.count);
                sums[1] += eg * f64::from(coefficient.count);
            }
            sums
        });
        let scale = weights[usize::from(sample.scale)][1];
        [value[0], value[1], ours[0], ours[1], theirs[0], theirs[1], initiative[1], scale]
    }

    /// The evaluation of a position with these weights, in centipawns for White.
    fn evaluate(&self, sample: &Sample, weights: &Weights) -> f64 {
        formula(self.inputs(sample, weights), sample.phase.into())
    }

    /// The derivatives of the evaluation by the inputs of the formula: central differences.
    fn slopes(sample: &Sample, inputs: [f64; INPUTS]) -> [f64; INPUTS] {
        const STEP: f64 = 0.25;
        std::array::from_fn(|input| {
            let at = |step: f64| {
                let mut moved = inputs;
                moved[input] += step;
                formula(moved, sample.phase.into())
            };
            (at(STEP) - at(-STEP)) / (2.0 * STEP)
        })
    }

    /// The game phase of the position with this number: from 0 (no pieces) to 1 (all pieces).
    pub(super) fn phase_at(&self, number: usize) -> f64 {
        f64::from(self.samples[number].phase) / f64::from(FULL_PHASE)
    }

    /// The derivatives of the evaluation of a position, by its number, with these weights.
    pub(super) fn slopes_at(&self, number: usize, weights: &Weights) -> [f64; INPUTS] {
        let sample = &self.samples[number];
        Samples::slopes(sample, self.inputs(sample, weights))
    }

    /// [`Samples::derivatives`] of a position by its number.
    #[inline(always)]
    pub(super) fn derivatives_of(
        &self,
        number: usize,
        slopes: &[f32; INPUTS],
        visit: impl FnMut(usize, [f64; 2]),
    ) {
        self.derivatives(&self.samples[number], slopes, visit);
    }

    /// Calls `visit` with each weight on which a position depends, and the derivatives by its
    /// middlegame and endgame part. `slopes` are the derivatives by the inputs of the formula.
    #[inline(always)]
    fn derivatives(
        &self,
        sample: &Sample,
        slopes: &[f32; INPUTS],
        mut visit: impl FnMut(usize, [f64; 2]),
    ) {
        let slopes = slopes.map(f64::from);
        let pairs = [
            [slopes[0], slopes[1]],
            [slopes[2], slopes[3]],
            [slopes[4], slopes[5]],
            [0.0, slopes[6]],
        ];
        for (part, pair) in self.parts(sample).into_iter().zip(pairs) {
            for coefficient in part {
                let count = f64::from(coefficient.count);
                visit(usize::from(coefficient.weight), pair.map(|slope| slope * count));
            }
        }
        visit(usize::from(sample.scale), [0.0, slopes[7]]);
    }
}

/// The evaluation of a position with its counts; `None` if it does not depend on the tuned weights
/// alone: with a bare king, a known result, material that cannot win, or a scale set by hand.
pub(super) fn trace_of_terms(position: &Position, evaluator: &mut Evaluator) -> Option<Trace> {
    // There are too few games against a bare king to learn mating from.
    if Color::ALL.into_iter().any(|side| position.is_bare(side)) {
        return None;
    }
    let trace = evaluator.trace(position);
    let Steps { endgame_correction, cannot_win, .. } = trace.steps;
    // `scale_no_pawns` is set by hand, so its positions are left out. Positions of any other scale
    // stay even where its weight is 0: it could not rise otherwise.
    let sides = [&trace.counts.white, &trace.counts.black];
    let is_by_hand = sides.iter().any(|side| side.scale_no_pawns[0] != 0);
    (endgame_correction == 0 && !cannot_win && !is_by_hand).then_some(trace)
}

/// The parameters of the loss besides positions and weights.
#[derive(Clone, Copy)]
pub(super) struct Objective {
    /// The factor from centipawns to the exponent of the sigmoid.
    pub(super) k: f64,
    /// The share of the game's result in the target.
    pub(super) result_share: f64,
    /// Threads that share the work.
    pub(super) threads: usize,
}

impl Objective {
    /// The target: a mix of White's result and the expected points of the search's score (for
    /// White, in centipawns). Only the score counts if the result is unknown.
    pub(super) fn target(&self, result: Option<f64>, score: f64) -> f64 {
        let expected = sigmoid(self.k * score);
        result.map_or(expected, |result| expected + self.result_share * (result - expected))
    }

    fn target_of(&self, sample: &Sample) -> f64 {
        self.target(sample.result.map(f64::from), sample.score.into())
    }

    /// The mean square error over some positions.
    fn loss(
        &self,
        samples: &Samples,
        indices: &[u32],
        weights: &Weights,
    ) -> Result<f64, TuningError> {
        let error = |&index: &u32| {
            let sample = &samples.samples[index as usize];
            (sigmoid(self.k * samples.evaluate(sample, weights)) - self.target_of(sample)).powi(2)
        };
        let of_part = |indices: &[u32]| indices.iter().map(error).sum::<f64>();
        let sums = in_parts(indices, self.threads, of_part)?;
        Ok(sums.into_iter().sum::<f64>() / indices.len().max(1) as f64)
    }

    /// The objective with the `k` that best fits the known results, by golden-section search.
    fn fitted(
        self,
        samples: &Samples,
        indices: &[u32],
        weights: &Weights,
    ) -> Result<Objective, TuningError> {
        let is_known = |&&index: &&u32| samples.samples[index as usize].result.is_some();
        let known: Vec<u32> = indices.iter().filter(is_known).copied().collect();
        if known.len() < MIN_RESULTS {
            return Err(TuningError::TooFewResults(known.len()));
        }
        let loss =
            |k: f64| Objective { k, result_share: 1.0, ..self }.loss(samples, &known, weights);
        Ok(Objective { k: golden_section(K_RANGE, loss)?, ..self })
    }
}

/// The least squares problem of a step: the training positions, with expected points linearised in
/// the change of the weights.
struct TrainingPositions<'a> {
    tuner: &'a Tuner<'a>,
    positions: Vec<Linear>,
}

/// A position in the least squares problem.
struct Linear {
    sample: u32,
    /// The expected points less the target.
    error: f32,
    /// The derivatives of the expected points by the inputs of the formula.
    slopes: [f32; INPUTS],
}

impl<'a> TrainingPositions<'a> {
    fn new(tuner: &'a Tuner<'a>) -> TrainingPositions<'a> {
        let Tuner { samples, objective, weights, .. } = tuner;
        let linear = |&index: &u32| {
            let sample = &samples.samples[index as usize];
            let inputs = samples.inputs(sample, weights);
            let expected = sigmoid(objective.k * formula(inputs, sample.phase.into()));
            let slope = objective.k * expected * (1.0 - expected);
            Linear {
                sample: index,
                error: (expected - objective.target_of(sample)) as f32,
                slopes: Samples::slopes(sample, inputs).map(|input| (slope * input) as f32),
            }
        };
        TrainingPositions { tuner, positions: tuner.split.training.iter().map(linear).collect() }
    }

    /// Sums the contributions that `add` makes for each position, using all threads.
    fn sum(&self, add: impl Fn(&Linear, &mut [f64]) + Sync) -> Result<Vec<f64>, TuningError> {
        let numbers = 2 * self.tuner.weights.len();
        sum_vectors(&self.positions, self.tuner.settings.threads, numbers, add)
    }

    /// Calls `visit` with the index of each number on which a position's expected points depend,
    /// and the derivative by it.
    #[inline(always)]
    fn derivatives(&self, position: &Linear, mut visit: impl FnMut(usize, f64)) {
        let samples = &self.tuner.samples;
        let sample = &samples.samples[position.sample as usize];
        samples.derivatives(sample, &position.slopes, |weight, [mg, eg]| {
            visit(2 * weight, mg);
            visit(2 * weight + 1, eg);
        });
    }
}

impl Problem for TrainingPositions<'_> {
    fn gradient(&self) -> Result<Vec<f64>, TuningError> {
        self.sum(|position, sum| {
            let error = f64::from(position.error);
            self.derivatives(position, |index, slope| sum[index] += error * slope);
        })
    }

    fn times(&self, vector: &[f64]) -> Result<Vec<f64>, TuningError> {
        self.sum(|position, sum| {
            let mut change = 0.0;
            self.derivatives(position, |index, slope| change += slope * vector[index]);
            self.derivatives(position, |index, slope| sum[index] += change * slope);
        })
    }

    fn diagonal(&self) -> Result<Vec<f64>, TuningError> {
        self.sum(|position, sum| {
            let mut derivatives = Vec::new();
            self.derivatives(position, |index, slope| derivatives.push((index, slope)));
            merged(derivatives).into_iter().for_each(|(index, slope)| sum[index] += slope * slope);
        })
    }
}

/// Positions to learn from and positions held out for validation, by index.
struct Split {
    training: Vec<u32>,
    held_out: Vec<u32>,
}

impl Split {
    /// Holds out whole blocks, and so whole games: positions of one game share its result, which
    /// square weights would memorise.
    fn random(count: usize, random: &mut Xoshiro256PlusPlus) -> Split {
        let indices: Vec<u32> = (0..count as u32).collect();
        let mut blocks: Vec<&[u32]> = indices.chunks(BLOCK.min(count.div_ceil(HELD_OUT))).collect();
        blocks.shuffle(random);
        let held_out = blocks.split_off(blocks.len() - blocks.len().div_ceil(HELD_OUT)).concat();
        let mut training = blocks.concat();
        training.shuffle(random);
        Split { training, held_out }
    }
}

/// A running tuning.
struct Tuner<'a> {
    settings: &'a EvalSettings,
    progress: &'a dyn Progress,
    samples: Samples,
    split: Split,
    objective: Objective,
    /// The group of each weight.
    groups: Vec<TermGroup>,
    /// The weights that are not tuned.
    fixed: Vec<bool>,
    /// The weights that have not been tuned before.
    new: Vec<bool>,
    weights: Vec<[f64; 2]>,
    /// The validation loss at the start.
    start_loss: f64,
}

impl<'a> Tuner<'a> {
    fn new(
        settings: &'a EvalSettings,
        random: &mut Xoshiro256PlusPlus,
        progress: &'a dyn Progress,
    ) -> Result<Tuner<'a>, TuningError> {
        let groups = groups();
        let (left_out, fresh) = (named(&settings.without)?, named(&settings.fresh)?);
        let (only, new) = (named(&settings.only)?, named(&settings.new)?);
        let by_hand = named(&SET_BY_HAND)?;
        let EvalSettings { data, ahead, weights, .. } = settings;
        let samples = Samples::read(data, *ahead, &groups, weights.as_ref(), progress)?;
        let split = Split::random(samples.samples.len(), random);
        let mut weights = pairs(settings.weights.as_ref().unwrap_or(&WEIGHTS));
        let EvalSettings { result_share, threads, .. } = *settings;
        let some = &split.training[..split.training.len().min(K_POSITIONS)];
        let objective = match settings.k {
            Some(k) => Objective { k, result_share, threads },
            None => Objective { k: 0.0, result_share, threads }.fitted(&samples, some, &weights)?,
        };
        for (index, weight) in weights.iter_mut().enumerate() {
            if left_out[index] || (fresh[index] && !by_hand[index]) {
                let eg = if groups[index] == TermGroup::Scale { UNSCALED.into() } else { 0.0 };
                *weight = [0.0, eg];
            }
        }
        let is_fixed = |index: usize| left_out[index] || !(settings.only.is_empty() || only[index]);
        let fixed = (0..weights.len()).map(is_fixed).collect();
        let start_loss = objective.loss(&samples, &split.held_out, &weights)?;
        progress.note(&format!(
            "100 centipawns are {:.1} % of a point; validation loss {start_loss:.6}",
            100.0 * sigmoid(100.0 * objective.k)
        ));
        Ok(Tuner {
            settings,
            progress,
            samples,
            split,
            objective,
            groups,
            fixed,
            new,
            weights,
            start_loss,
        })
    }

    fn loss(&self, indices: &[u32]) -> Result<f64, TuningError> {
        self.objective.loss(&self.samples, indices, &self.weights)
    }

    /// Makes steps until the validation loss no longer falls, and keeps the weights with the
    /// smallest loss.
    fn train(&mut self) -> Result<(), TuningError> {
        let mut best_loss = self.start_loss;
        for step in 1..=self.settings.steps {
            let numbers = self.weights.as_flattened();
            let prior = self.settings.prior;
            let parts = Parts::new(numbers, &self.fixed, &self.new, prior, self.start_loss);
            let change = parts.solve(&TrainingPositions::new(self), self.progress)?;
            let mut weights = self.weights.clone();
            weights.as_flattened_mut().iter_mut().zip(change).for_each(|(w, by)| *w += by);
            clamp(&mut weights, &self.groups);
            let before = std::mem::replace(&mut self.weights, weights);
            let (training, validation) =
                (self.loss(&self.split.training)?, self.loss(&self.split.held_out)?);
            self.progress.note(&format!(
                "step {step:3}  training loss {training:.6}  validation loss {validation:.6}"
            ));
            if validation >= best_loss {
                self.weights = before;
                break;
            }
            best_loss = validation;
        }
        if best_loss == self.start_loss {
            self.progress
                .note("no step has lowered the validation loss: the weights are unchanged");
        }
        Ok(())
    }

    /// Rounds the weights to whole numbers, unless no step has changed them.
    fn round(&mut self) -> Result<(), TuningError> {
        if self.weights.as_flattened().iter().all(|number| number.fract() == 0.0) {
            return Ok(());
        }
        let training = TrainingPositions::new(self);
        let whole = rounded(&training, self.weights.as_flattened(), self.progress)?;
        self.weights.as_flattened_mut().copy_from_slice(&whole);
        let validation = self.loss(&self.split.held_out)?;
        self.progress.note(&format!("rounded  validation loss {validation:.6}"));
        Ok(())
    }
}

/// Clamps weights to the ranges of their types and formulas.
pub(super) fn clamp(weights: &mut Weights, groups: &[TermGroup]) {
    for (weight, &group) in weights.iter_mut().zip(groups) {
        let (least, most) = match group {
            _ if is_of_squares(group) => (-127.0, 127.0),
            TermGroup::Scale => (0.0, 192.0),
            _ => continue,
        };
        *weight = weight.map(|value| value.clamp(least, most));
    }
}

/// Tunes the weights. Returns the source of `weights.rs`.
///
/// # Errors
///
/// If a file cannot be read, there are too few positions, or a name is unknown.
pub fn run(settings: &EvalSettings, progress: &dyn Progress) -> Result<String, TuningError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut tuner = Tuner::new(settings, &mut random, progress)?;
    tuner.train()?;
    tuner.round()?;
    Ok(source(&tuner.weights))
}

/// The source of `weights.rs` with these weights, which are whole numbers.
pub(super) fn source(weights: &Weights) -> String {
    let mut new = WEIGHTS;
    let mut next = weights.iter();
    new.each_mut(|row| {
        for (weight, [mg, eg]) in row.iter_mut().zip(next.by_ref()) {
            *weight = s(*mg as i32, *eg as i32);
        }
    });
    weights_file::source(&new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::tools::bench;

    #[test]
    fn only_named_weights_are_tuned() {
        let folder = std::env::temp_dir().join(format!("freshet-only-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let data = folder.join("data");
        let positions = bench::POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok());
        let positions = positions.flat_map(|position| [position.mirrored(), position]);
        let bytes: Vec<u8> =
            positions.flat_map(|position| Record::new(&position, Score::cp(0)).0).collect();
        std::fs::write(&data, bytes).expect("a file");
        let settings = EvalSettings {
            data: vec![data],
            only: vec!["Scale".to_string(), "tempo".to_string()],
            without: vec!["scale_rook_ending".to_string()],
            k: Some(0.004),
            ..EvalSettings::default()
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let tuner = Tuner::new(&settings, &mut random, &()).expect("positions");
        assert_eq!(tuner.objective.k, 0.004);
        let mut fixed = tuner.fixed.iter();
        WEIGHTS.each(|group, term, row| {
            let is_of_scale = group == TermGroup::Scale && term != "scale_rook_ending";
            let is_tuned = is_of_scale || term == "tempo";
            for _ in row {
                assert_eq!(fixed.next(), Some(&!is_tuned), "{term}");
            }
        });
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn positions_with_a_scale_of_zero_are_tuned_on() {
        let position = Position::from_fen("6k1/5nn1/8/3b4/8/8/3B4/2RRK3 w - - 0 1").expect("legal");
        let mut weights = WEIGHTS;
        weights.scale_opposite_bishops_plus[0] = Default::default();
        assert_eq!(weights.scale_opposite_bishops_plus[0].eg(), 0);
        let mut evaluator = Evaluator::with_weights(Some(weights));
        let trace = trace_of_terms(&position, &mut evaluator).expect("a position to tune on");
        assert_eq!(trace.counts.white.scale_opposite_bishops_plus[0], 1);
    }

    #[test]
    fn no_position_with_weights_set_by_hand_is_tuned_on() {
        let by_hand = named(&SET_BY_HAND).expect("terms");
        let mut counted = vec![false; by_hand.len()];
        for fen in ["8/8/4k3/8/8/8/8/2B1K1N1 w - - 0 1", "8/8/4k1n1/8/8/8/8/R3K3 b - - 0 1"] {
            let position = Position::from_fen(fen).expect("a legal FEN");
            let mut evaluator = Evaluator::new();
            assert!(trace_of_terms(&position, &mut evaluator).is_none(), "{fen}");
            let counts = evaluator.trace(&position).counts.map(|side| flat(&side));
            for (index, counted) in counted.iter_mut().enumerate() {
                *counted |= counts.iter().any(|side| side[index] != 0) && by_hand[index];
            }
        }
        assert_eq!(counted, by_hand);
    }
}
