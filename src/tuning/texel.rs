//! Tuning the evaluation: gradient descent on positions of own games (the method of Peter Österlund's Texel, with Adam).
//!
//! The evaluation is not written a second time: [`trace`] gives the counts of every term and the phase, and
//! with these it is a sum of products, whose derivatives are the counts.

use std::collections::HashSet;
use std::path::PathBuf;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use super::data::{Record, read};
use super::weights_file;
use crate::chess::Color;
use crate::eval::phased::s;
use crate::eval::terms::{Purpose, TermGroup, Terms, WeightsOrigin};
use crate::eval::total::{Sums, UNSCALED, balance, total};
use crate::eval::trace;
use crate::eval::weights::WEIGHTS;
use crate::tools::Progress;

/// TexelSettings to tune.
#[derive(Clone, Debug)]
pub struct TexelSettings {
    /// Files of records, as datagen writes them.
    pub data: Vec<PathBuf>,
    /// Passes over all positions, at most.
    pub epochs: u32,
    /// TexelSettings far Adam moves a weight at once, in centipawns.
    pub rate: f64,
    /// The share of the game's result in what is aimed at; the rest is the score of the search.
    pub result_share: f64,
    /// The width of the Gauss curve that the weights of squares are believed to lie under, in centipawns.
    pub prior: f64,
    /// TermGroups or terms, by name, whose weights become and stay zero: what are they worth?
    pub without: Vec<String>,
    /// TermGroups or terms, by name, whose weights start from nothing, not from those in use, which have seen all games: only
    /// then are the games that are held out new to them.
    pub fresh: Vec<String>,
    /// Threads.
    pub threads: usize,
    /// What the random numbers start from.
    pub seed: u64,
}

impl Default for TexelSettings {
    fn default() -> TexelSettings {
        TexelSettings {
            data: Vec::new(),
            epochs: 60,
            rate: 0.6,
            result_share: 0.6,
            prior: 12.0,
            without: Vec::new(),
            fresh: Vec::new(),
            threads: 1,
            seed: 1,
        }
    }
}

/// Positions between two steps.
const BATCH: usize = 16_384;
/// One block of positions in so many is held out: the loss on these decides when to stop.
const HELD_OUT: usize = 20;
/// Positions of a block, in the order of the files: many games.
const BLOCK: usize = 4096;
/// Epochs without a better held-out loss until the end.
const PATIENCE: u32 = 4;

/// Weights of squares: many, small, and bytes in the fills.
fn is_of_squares(group: TermGroup) -> bool {
    matches!(group, TermGroup::Squares | TermGroup::Fills)
}

/// A position as the tuner sees it.
struct Sample {
    /// Where its counts begin in the list of all.
    start: u32,
    /// Where the counts of each part end, from there: value, White's and Black's attack, what makes a win likely.
    ends: [u16; 4],
    /// The one weight of the scale.
    scale: u16,
    /// 24 with all pieces on the board, 0 without.
    phase: u8,
    /// The result for White, 0 to 1.
    result: f32,
    /// The score of the search for White, in centipawns.
    score: f32,
}

/// All positions; counts are pairs of an index of a weight and a number, for values how much more White has of it.
#[derive(Default)]
struct Samples {
    counts: Vec<(u16, i16)>,
    samples: Vec<Sample>,
}

/// All values of a row of terms after the other.
fn flat<T: Copy>(terms: &Terms<T>) -> Vec<T> {
    let mut values = Vec::new();
    terms.each(|_, _, row| values.extend_from_slice(row));
    values
}

/// The room of each of those values.
fn groups() -> Vec<TermGroup> {
    let mut groups = Vec::new();
    WEIGHTS.each(|group, _, row| groups.extend(row.iter().map(|_| group)));
    groups
}

/// Which of those values belong to rooms or terms of these names.
fn named(names: &[String]) -> Result<Vec<bool>, String> {
    let mut values = Vec::new();
    let mut found = vec![false; names.len()];
    WEIGHTS.each(|group, term, row| {
        let matches =
            |name: &String| name == term || name.eq_ignore_ascii_case(&format!("{group:?}"));
        for (name, found) in names.iter().zip(&mut found) {
            *found |= matches(name);
        }
        values.extend(row.iter().map(|_| names.iter().any(matches)));
    });
    match found.iter().position(|found| !found) {
        Some(index) => Err(format!("no group and no term is called {}", names[index])),
        None => Ok(values),
    }
}

/// Middlegame and endgame of each weight.
type Weights = [[f64; 2]];

/// What the formula of the total takes: the value, both attacks, what makes a win likely, the scale.
const INPUTS: usize = 8;

/// The total for White in centipawns.
fn formula(inputs: [f64; INPUTS], phase: i32) -> f64 {
    let [v, w, a, b, c, d, initiative, scale] = inputs;
    total(
        balance(&Sums { value: [v, w], danger: [[a, b], [c, d]], initiative, scale }),
        scale,
        phase,
    )
}

impl Samples {
    /// Adds a position, unless its evaluation is not made of the terms alone. `indices` are those of the values of each use.
    fn add(&mut self, record: &Record, indices: &[Vec<usize>; Purpose::ALL.len()]) {
        let Some(position) = record.position() else { return };
        // TexelSettings to hunt a bare king is not learned from games in which it comes too seldom.
        if Color::ALL.into_iter().any(|side| position.is_bare(side)) {
            return;
        }
        let trace = trace(&position);
        let steps = trace.steps;
        if steps.endgame_correction != 0 || steps.sums.scale == 0 {
            return;
        }
        let start = self.counts.len();
        let (white, black) = (flat(&trace.counts.white), flat(&trace.counts.black));
        let mut scale = 0;
        let mut part = |purpose: Purpose, count: &dyn Fn(usize) -> i32| {
            for &index in &indices[purpose as usize] {
                let number = count(index);
                if number != 0 {
                    if purpose == Purpose::Scale {
                        scale = index;
                    } else {
                        self.counts.push((index as u16, number as i16));
                    }
                }
            }
            (self.counts.len() - start) as u16
        };
        let ends = [
            part(Purpose::Value, &|index| white[index] - black[index]),
            part(Purpose::Danger, &|index| white[index]),
            part(Purpose::Danger, &|index| black[index]),
            part(Purpose::Initiative, &|index| white[index]),
        ];
        part(Purpose::Scale, &|index| white[index] + black[index]);
        self.samples.push(Sample {
            start: start as u32,
            ends,
            scale: scale as u16,
            phase: steps.phase as u8,
            result: record.result() as f32,
            score: record.score() as f32,
        });
    }

    /// The counts of the four parts of a position.
    fn parts(&self, sample: &Sample) -> [&[(u16, i16)]; 4] {
        let mut begin = sample.start as usize;
        sample.ends.map(|end| {
            let end = sample.start as usize + usize::from(end);
            let part = &self.counts[begin..end];
            begin = end;
            part
        })
    }

    /// The inputs of the formula with these weights.
    fn inputs(&self, sample: &Sample, weights: &Weights) -> [f64; INPUTS] {
        let [value, ours, theirs, initiative] = self.parts(sample).map(|part| {
            let mut sums = [0.0; 2];
            for &(index, count) in part {
                let [mg, eg] = weights[usize::from(index)];
                sums[0] += mg * f64::from(count);
                sums[1] += eg * f64::from(count);
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

    /// Adds `slope` times the derivatives of the evaluation.
    fn add_gradient(
        &self,
        sample: &Sample,
        inputs: [f64; INPUTS],
        slope: f64,
        gradient: &mut Weights,
    ) {
        const STEP: f64 = 0.25;
        let slopes: [f64; INPUTS] = std::array::from_fn(|input| {
            let at = |step: f64| {
                let mut moved = inputs;
                moved[input] += step;
                formula(moved, sample.phase.into())
            };
            slope * (at(STEP) - at(-STEP)) / (2.0 * STEP)
        });
        let pairs = [
            [slopes[0], slopes[1]],
            [slopes[2], slopes[3]],
            [slopes[4], slopes[5]],
            [0.0, slopes[6]],
        ];
        for (part, [mg, eg]) in self.parts(sample).into_iter().zip(pairs) {
            for &(index, count) in part {
                gradient[usize::from(index)][0] += mg * f64::from(count);
                gradient[usize::from(index)][1] += eg * f64::from(count);
            }
        }
        gradient[usize::from(sample.scale)][1] += slopes[7];
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What is aimed at: a part of the result and a part of what the score of the search promises.
fn target(sample: &Sample, k: f64, settings: &TexelSettings) -> f64 {
    settings.result_share * f64::from(sample.result)
        + (1.0 - settings.result_share) * sigmoid(k * f64::from(sample.score))
}

/// The mean square error over some positions.
fn loss(
    samples: &Samples,
    indices: &[u32],
    weights: &Weights,
    k: f64,
    settings: &TexelSettings,
) -> f64 {
    let part = indices.len().div_ceil(settings.threads.max(1)).max(1);
    let sum: f64 = std::thread::scope(|scope| {
        let threads: Vec<_> = indices
            .chunks(part)
            .map(|indices| {
                scope.spawn(move || {
                    let error = |&index: &u32| {
                        let sample = &samples.samples[index as usize];
                        (sigmoid(k * samples.evaluate(sample, weights))
                            - target(sample, k, settings))
                        .powi(2)
                    };
                    indices.iter().map(error).sum::<f64>()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(f64::NAN)).sum()
    });
    sum / indices.len().max(1) as f64
}

/// The factor from centipawns to expected points that fits the results best, by golden section.
fn fit_k(samples: &Samples, indices: &[u32], weights: &Weights, settings: &TexelSettings) -> f64 {
    let results = TexelSettings { result_share: 1.0, ..settings.clone() };
    let error = |k: f64| loss(samples, indices, weights, k, &results);
    let (mut low, mut high) = (0.0005, 0.02);
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..30 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if error(a) < error(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

/// The sum of the derivatives of the square errors over a batch.
fn gradient(
    samples: &Samples,
    batch: &[u32],
    weights: &Weights,
    k: f64,
    settings: &TexelSettings,
) -> Vec<[f64; 2]> {
    let part = batch.len().div_ceil(settings.threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let threads: Vec<_> = batch
            .chunks(part)
            .map(|batch| {
                scope.spawn(move || {
                    let mut gradient = vec![[0.0; 2]; weights.len()];
                    for &index in batch {
                        let sample = &samples.samples[index as usize];
                        let inputs = samples.inputs(sample, weights);
                        let expected = sigmoid(k * formula(inputs, sample.phase.into()));
                        let slope = (expected - target(sample, k, settings))
                            * expected
                            * (1.0 - expected)
                            * 2.0
                            * k;
                        samples.add_gradient(sample, inputs, slope, &mut gradient);
                    }
                    gradient
                })
            })
            .collect();
        let mut sum = vec![[0.0; 2]; weights.len()];
        for gradient in threads.into_iter().filter_map(|thread| thread.join().ok()) {
            for (sum, part) in sum.iter_mut().zip(gradient) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        sum
    })
}

/// Adam (Kingma and Ba, 2014).
struct Adam {
    first: Vec<[f64; 2]>,
    second: Vec<[f64; 2]>,
    steps: i32,
}

impl Adam {
    fn step(&mut self, weights: &mut Weights, gradient: &Weights, rate: f64) {
        const BETA: [f64; 2] = [0.9, 0.999];
        self.steps += 1;
        for (index, weight) in weights.iter_mut().enumerate() {
            for phase in 0..2 {
                let slope = gradient[index][phase];
                let (first, second) =
                    (&mut self.first[index][phase], &mut self.second[index][phase]);
                *first = BETA[0] * *first + (1.0 - BETA[0]) * slope;
                *second = BETA[1] * *second + (1.0 - BETA[1]) * slope * slope;
                let first = *first / (1.0 - BETA[0].powi(self.steps));
                let second = *second / (1.0 - BETA[1].powi(self.steps));
                weight[phase] -= rate * first / (second.sqrt() + 1e-12);
            }
        }
    }
}

/// Tunes and answers the source of `weights.rs`; `say` hears of every epoch.
pub fn run(settings: &TexelSettings, say: &mut dyn FnMut(&str)) -> Result<String, String> {
    let mut samples = Samples::default();
    let groups = groups();
    let (left_out, fresh) = (named(&settings.without)?, named(&settings.fresh)?);
    let indices = Purpose::ALL.map(|purpose| -> Vec<usize> {
        (0..groups.len()).filter(|&index| groups[index].purpose() == purpose).collect()
    });
    let mut known = HashSet::new();
    let mut read_in_all = 0;
    for path in &settings.data {
        let records = read(path)?;
        let progress = Progress::new("positions", records.len() as u64);
        for (number, record) in records.iter().enumerate() {
            progress.show(number as u64);
            if known.insert(record.identity()) {
                samples.add(record, &indices);
            }
        }
        read_in_all += records.len();
    }
    drop(known);
    let count = samples.samples.len();
    if count < 2 * HELD_OUT {
        return Err(format!("{count} positions are not enough"));
    }
    say(&format!(
        "{count} positions of {read_in_all}, {} counts each",
        samples.counts.len() / count
    ));

    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    // Whole games are held out: positions of one game share its result, which weights of squares learn by heart.
    let in_games: Vec<u32> = (0..count as u32).collect();
    let mut blocks: Vec<&[u32]> = in_games.chunks(BLOCK.min(count.div_ceil(HELD_OUT))).collect();
    blocks.shuffle(&mut random);
    let held_out = blocks.split_off(blocks.len() - blocks.len().div_ceil(HELD_OUT)).concat();
    let mut order = blocks.concat();
    order.shuffle(&mut random);
    let mut weights: Vec<[f64; 2]> =
        flat(&WEIGHTS).into_iter().map(|weight| [weight.mg().into(), weight.eg().into()]).collect();
    let k = fit_k(&samples, &order[..order.len().min(1 << 18)], &weights, settings);
    for (index, weight) in
        weights.iter_mut().enumerate().filter(|(index, _)| left_out[*index] || fresh[*index])
    {
        *weight = [0.0, if groups[index] == TermGroup::Scale { UNSCALED.into() } else { 0.0 }];
    }
    let mut best = (loss(&samples, &held_out, &weights, k, settings), weights.clone());
    let first = best.0;
    say(&format!(
        "100 centipawns are {:.1} % of a point; held out {first:.6}",
        100.0 * sigmoid(100.0 * k)
    ));

    let zero = vec![[0.0; 2]; weights.len()];
    let mut adam = Adam { first: zero.clone(), second: zero, steps: 0 };
    let mut stale = 0;
    for epoch in 1..=settings.epochs {
        order.shuffle(&mut random);
        let progress = Progress::new("positions", order.len() as u64);
        // The steps shrink with the epochs, so that the weights come to rest.
        let rate = settings.rate
            * (1.0 - 0.9 * f64::from(epoch - 1) / f64::from(settings.epochs.max(2) - 1));
        for (number, batch) in order.chunks(BATCH).enumerate() {
            let mut gradient = gradient(&samples, batch, &weights, k, settings);
            // A weight of a square is believed to be small until many positions say otherwise.
            let doubt =
                2.0 * first / (settings.prior * settings.prior) * batch.len() as f64 / count as f64;
            for ((slope, weight), group) in gradient.iter_mut().zip(&weights).zip(&groups) {
                if is_of_squares(*group) {
                    *slope = [slope[0] + doubt * weight[0], slope[1] + doubt * weight[1]];
                }
            }
            for (slope, _) in gradient.iter_mut().zip(&left_out).filter(|(_, left_out)| **left_out)
            {
                *slope = [0.0; 2];
            }
            adam.step(&mut weights, &gradient, rate);
            for (weight, group) in weights.iter_mut().zip(&groups) {
                let (least, most) = match group {
                    _ if is_of_squares(*group) => (-127.0, 127.0),
                    TermGroup::Scale => (0.0, 192.0),
                    _ => continue,
                };
                *weight = weight.map(|value| value.clamp(least, most));
            }
            progress.show((number * BATCH) as u64);
        }
        drop(progress);
        let learned = loss(&samples, &order, &weights, k, settings);
        let held = loss(&samples, &held_out, &weights, k, settings);
        let bar = "#".repeat((60.0 * held / first).clamp(0.0, 60.0) as usize);
        say(&format!("epoch {epoch:3}  loss {learned:.6}  held out {held:.6}  {bar}"));
        if held < best.0 {
            best = (held, weights.clone());
            stale = 0;
        } else {
            stale += 1;
            if stale >= PATIENCE {
                break;
            }
        }
    }
    if best.0 == first {
        say("no epoch came below the loss of the start: these are the weights it started from");
    }
    Ok(source(&best.1, settings, count))
}

/// The source of `weights.rs`, weights rounded to centipawns.
fn source(weights: &Weights, settings: &TexelSettings, positions: usize) -> String {
    let mut rounded = WEIGHTS;
    let mut next = weights.iter();
    rounded.each_mut(|row| {
        for (weight, [mg, eg]) in row.iter_mut().zip(next.by_ref()) {
            *weight = s(mg.round() as i32, eg.round() as i32);
        }
    });
    let result_percent = (100.0 * settings.result_share).round() as u32;
    weights_file::source(&rounded, WeightsOrigin { positions, seed: settings.seed, result_percent })
}
