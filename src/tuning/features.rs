//! Searches for terms that the evaluation lacks. Intersects sets of squares, and ranks the
//! intersections by how much they would improve the evaluation's prediction of results.
//!
//! Every set has a name that a chess player understands ("attacked by our pawns"), so has every
//! intersection of two or three. A candidate is a number of squares, with a middlegame and an
//! endgame weight, or a map, with two weights for each square. How much the mean square error would
//! fall is computed for all candidates in one pass over the positions, from the derivatives of the
//! error at weight zero (a Gauss-Newton step for each candidate alone). This is boosting: the best
//! candidate becomes a term, all weights are tuned, and the rest is ranked again.
//!
//! The gain is cross-validated: the weights from one half of the positions are tried on the other.
//! Tune the weights in use on the same positions first; otherwise candidates gain by doing what
//! existing terms could do.

use std::path::PathBuf;
use std::thread::Builder;

use super::TuningError;
use super::data::{Record, read};
use super::eval::{BLOCK, MIN_RESULTS, Objective, trace_of_terms};
use super::expected::{K_RANGE, golden_section, sigmoid};
use super::threads::in_parts;
use crate::board::Position;
use crate::chess::{Bitboard, Color};
use crate::eval::side::Side;
use crate::eval::total::UNSCALED;
use crate::eval::weights::Weights;
use crate::eval::{Evaluator, FULL_PHASE, Steps};
use crate::fill::spans::{file_fill, north_fill, south_fill};
use crate::progress::Progress;

/// The settings of a feature search.
#[derive(Clone, Debug)]
pub struct FeatureSettings {
    /// Files of records, as datagen writes them, or PGN files of a match runner.
    pub data: Vec<PathBuf>,
    /// With `Some(n)`, the target uses the mean of own scores n to 3n plies later in the game (PGN
    /// files only); with `None`, the position's own score.
    pub ahead: Option<u16>,
    /// The most sets in an intersection: 1 to 3.
    pub sets: usize,
    /// Whether candidates are maps, with weights for each square, instead of numbers of squares.
    pub maps: bool,
    /// The number of candidates to return.
    pub most: usize,
    /// The share of the game's result in the target, 0 to 1. The rest is the score of the search,
    /// at this position or later.
    pub result_share: f64,
    /// The standard deviation of the Gaussian prior of the weights of maps, in centipawns.
    pub prior: f64,
    /// The number of threads.
    pub threads: usize,
    /// The weights whose error is to be explained; the built-in ones if `None`.
    pub weights: Option<Weights>,
}

impl Default for FeatureSettings {
    fn default() -> FeatureSettings {
        FeatureSettings {
            data: Vec::new(),
            ahead: None,
            sets: 2,
            maps: false,
            most: 40,
            result_share: 0.6,
            prior: 12.0,
            threads: 1,
            weights: None,
        }
    }
}

/// A candidate term, with its gain.
#[derive(Clone, Debug)]
pub struct Feature {
    /// The names of the intersected sets, joined by ` & `.
    pub name: String,
    /// The fall of the mean square error on unseen positions, in millionths; negative if it rises.
    pub gain: f64,
    /// The middlegame and the endgame weight in centipawns; for a map, their mean over its squares.
    pub weights: [f64; 2],
    /// The average number of squares of a side.
    pub mean: f64,
}

/// Declares the sets: their names, and a function that computes them.
macro_rules! base_sets {
    ($us:ident, $them:ident { $($name:literal => $set:expr,)+ }) => {
        /// The names of the sets.
        pub(crate) const NAMES: &[&str] = &[$($name),+];

        /// The sets of one side, which moves north.
        fn base_sets($us: &Side<Bitboard>, $them: &Side<Bitboard>) -> [Bitboard; NAMES.len()] {
            [$($set),+]
        }
    };
}

base_sets!(us, them {
    "our pawns" => us.pawns,
    "our knights" => us.knights,
    "our bishops" => us.bishops,
    "our rooks" => us.rooks,
    "our queens" => us.queens,
    "our king" => us.king,
    "our pieces" => us.all & !us.pawns & !us.king,
    "attacked by our pawns" => us.by_pawns,
    "attacked by our knights" => us.by_knights,
    "attacked by our bishops" => us.by_bishops,
    "attacked by our rooks" => us.by_rooks,
    "attacked by our queens" => us.by_queens,
    "attacked by our king" => us.by_king,
    "attacked by us" => us.attacked,
    "attacked twice by us" => us.attacked_twice,
    "not attacked by us" => !us.attacked,
    "our pawns' attack span" => us.attack_span,
    "outside our pawns' attack span" => !us.attack_span,
    "in front of our pawns" => north_fill(us.pawns) & !us.pawns,
    "behind our pawns" => south_fill(us.pawns) & !us.pawns,
    "files without our pawns" => !file_fill(us.pawns),
    "our king's ring" => us.king_ring,
    "their pawns" => them.pawns,
    "their knights" => them.knights,
    "their bishops" => them.bishops,
    "their rooks" => them.rooks,
    "their queens" => them.queens,
    "their king" => them.king,
    "their pieces" => them.all & !them.pawns & !them.king,
    "attacked by their pawns" => them.by_pawns,
    "attacked by their knights" => them.by_knights,
    "attacked by their bishops" => them.by_bishops,
    "attacked by their rooks" => them.by_rooks,
    "attacked by their queens" => them.by_queens,
    "attacked by their king" => them.by_king,
    "attacked by them" => them.attacked,
    "attacked twice by them" => them.attacked_twice,
    "not attacked by them" => !them.attacked,
    "their pawns' attack span" => them.attack_span,
    "outside their pawns' attack span" => !them.attack_span,
    "in front of their pawns" => south_fill(them.pawns) & !them.pawns,
    "files without their pawns" => !file_fill(them.pawns),
    "their king's ring" => them.king_ring,
    "rook checks" => them.rook_checks,
    "bishop checks" => them.bishop_checks,
    "safe for our pieces" => us.safe_squares(them),
    "empty" => !(us.all | them.all),
    "our half" => Bitboard(0x0000_0000_ffff_ffff),
    "their half" => Bitboard(0xffff_ffff_0000_0000),
    "the centre" => Bitboard(0x0000_3c3c_3c3c_0000),
    "the flanks" => Bitboard(0xc3c3_c3c3_c3c3_c3c3),
    "light squares" => Bitboard::LIGHT_SQUARES,
});

/// The number of squares of a map, with files mirrored.
const MAP: usize = 32;

/// The index of a square in a map.
fn place(square: usize) -> usize {
    let file = square % 8;
    square / 8 * 4 + file.min(7 - file)
}

/// An intersection of sets, by their numbers; unused places repeat the first.
type Sets = [u8; 3];

/// All intersections of up to `most` sets.
fn intersections(most: usize) -> Vec<Sets> {
    let count = NAMES.len() as u8;
    let mut all: Vec<Sets> = (0..count).map(|a| [a; 3]).collect();
    if most >= 2 {
        all.extend((0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b, a])));
    }
    if most >= 3 {
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        all.extend(pairs.flat_map(|(a, b)| (b + 1..count).map(move |c| [a, b, c])));
    }
    all
}

/// The name of an intersection.
fn name(sets: Sets) -> String {
    let mut sets = sets.to_vec();
    sets.sort_unstable();
    sets.dedup();
    sets.into_iter().map(|set| NAMES[usize::from(set)]).collect::<Vec<_>>().join(" & ")
}

/// A position of the data.
struct Sample {
    /// The sets of both sides.
    sets: [[Bitboard; NAMES.len()]; 2],
    /// The derivatives of the evaluation by a middlegame and an endgame value of White.
    phase: [f64; 2],
    /// The evaluation for White, in centipawns.
    eval: f64,
    result: Option<f64>,
    /// The score of the search for White, in centipawns.
    score: f64,
}

impl Sample {
    /// `None` if the evaluation depends on more than the terms.
    fn of(record: &Record, evaluator: &mut Evaluator) -> Option<Sample> {
        let position = record.position()?;
        let Steps { sums, phase, total, .. } = trace_of_terms(&position, evaluator)?.steps;
        let middlegame = f64::from(phase) / f64::from(FULL_PHASE);
        let scale = f64::from(sums.scale) / f64::from(UNSCALED);
        Some(Sample {
            sets: Color::ALL.map(|side| sets_of(&position, side)),
            phase: [middlegame, (1.0 - middlegame) * scale],
            eval: total.into(),
            result: record.result(),
            score: record.score().into(),
        })
    }

    /// The squares of a candidate, White's and Black's.
    fn squares(&self, sets: Sets) -> [Bitboard; 2] {
        self.sets.each_ref().map(|side| {
            let [a, b, c] = sets.map(|set| side[usize::from(set)]);
            a & b & c
        })
    }
}

/// The sets of a side, seen as moving north.
fn sets_of(position: &Position, side: Color) -> [Bitboard; NAMES.len()] {
    let (sides, _) = Side::new(position);
    let opponents = sides.opponents();
    if side == position.turn() {
        base_sets(&sides.of::<0>(), &opponents.of::<0>())
    } else {
        base_sets(&sides.of::<1>(), &opponents.of::<1>())
    }
}

/// A sample with its error and slope.
struct Judged<'a> {
    sample: &'a Sample,
    /// The half of the positions that contains it.
    half: usize,
    /// The expected result less the target.
    error: f64,
    /// The derivative of the expected result by a centipawn.
    slope: f64,
}

impl<'a> Judged<'a> {
    fn new(sample: &'a Sample, half: usize, objective: &Objective) -> Judged<'a> {
        let expected = sigmoid(objective.k * sample.eval);
        let error = expected - objective.target(sample.result, sample.score);
        Judged { sample, half, error, slope: expected * (1.0 - expected) * objective.k }
    }
}

/// Sums over positions for a pair of weights: the gradient of half the square error, and the matrix
/// of its second derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Slopes {
    gradient: [f64; 2],
    matrix: [f64; 3],
}

impl Slopes {
    fn add(&mut self, error: f64, [mg, eg]: [f64; 2]) {
        self.gradient[0] += error * mg;
        self.gradient[1] += error * eg;
        self.matrix[0] += mg * mg;
        self.matrix[1] += mg * eg;
        self.matrix[2] += eg * eg;
    }

    fn merge(&mut self, other: &Slopes) {
        for (sum, part) in self.gradient.iter_mut().zip(other.gradient) {
            *sum += part;
        }
        for (sum, part) in self.matrix.iter_mut().zip(other.matrix) {
            *sum += part;
        }
    }

    /// The weights with the least error, under a Gaussian prior of this strength.
    fn weights(&self, prior: f64) -> [f64; 2] {
        let [a, b, d] = self.matrix;
        // The tiny part keeps the matrix regular if a candidate counts in only one phase.
        let tiny = 1e-6 * (a + d) + f64::MIN_POSITIVE;
        let (a, d) = (a + prior + tiny, d + prior + tiny);
        let determinant = a * d - b * b;
        let [mg, eg] = self.gradient;
        [(b * eg - d * mg) / determinant, (b * mg - a * eg) / determinant]
    }

    /// The change of the sum of square errors with these weights.
    fn change(&self, [mg, eg]: [f64; 2]) -> f64 {
        let [a, b, d] = self.matrix;
        2.0 * (self.gradient[0] * mg + self.gradient[1] * eg)
            + a * mg * mg
            + 2.0 * b * mg * eg
            + d * eg * eg
    }
}

/// The sums for one candidate.
#[derive(Clone)]
struct Sums {
    /// By half of the positions and by index in a map; a number of squares has one index.
    slopes: [Vec<Slopes>; 2],
    /// Squares of both sides.
    squares: u64,
}

impl Sums {
    fn new(places: usize) -> Sums {
        Sums {
            slopes: [vec![Slopes::default(); places], vec![Slopes::default(); places]],
            squares: 0,
        }
    }

    fn add(&mut self, judged: &Judged<'_>, sets: Sets) {
        let &Judged { sample, half, error, slope } = judged;
        let slopes = &mut self.slopes[half];
        let at = |count: i32| sample.phase.map(|phase| phase * slope * f64::from(count));
        let squares = sample.squares(sets);
        let [white, black] = squares.map(|squares| squares.count() as i32);
        self.squares += (white + black) as u64;
        if slopes.len() == 1 {
            if white != black {
                slopes[0].add(error, at(white - black));
            }
        } else {
            let mut counts = [0; MAP];
            for (squares, sign) in squares.into_iter().zip([1, -1]) {
                for square in squares {
                    counts[place(square as usize)] += sign;
                }
            }
            for (slopes, &count) in slopes.iter_mut().zip(&counts) {
                if count != 0 {
                    slopes.add(error, at(count));
                }
            }
        }
    }

    /// The candidate's gain, from each half with the weights of the other half.
    fn feature(&self, sets: Sets, positions: usize, prior: f64) -> Feature {
        let [first, second] = &self.slopes;
        let prior = if first.len() == 1 { 0.0 } else { prior };
        let (mut change, mut weights) = (0.0, [0.0; 2]);
        for (a, b) in first.iter().zip(second) {
            change += b.change(a.weights(prior)) + a.change(b.weights(prior));
            let mut both = *a;
            both.merge(b);
            for (sum, weight) in weights.iter_mut().zip(both.weights(prior)) {
                *sum += weight / first.len() as f64;
            }
        }
        let count = positions.max(1) as f64;
        Feature {
            name: name(sets),
            gain: -1e6 * change / count,
            weights,
            mean: self.squares as f64 / (2.0 * count),
        }
    }
}

/// The number of positions processed at a time.
const BATCH: usize = 1 << 15;

/// The samples of some records, computed by several threads.
fn samples(
    records: &[Record],
    weights: Option<&Weights>,
    threads: usize,
) -> Result<Vec<Option<Sample>>, TuningError> {
    let of_part = |part: &[Record]| {
        let mut evaluator = Evaluator::with_weights(weights.cloned());
        part.iter().map(|record| Sample::of(record, &mut evaluator)).collect::<Vec<_>>()
    };
    Ok(in_parts(records, threads, of_part)?.into_iter().flatten().collect())
}

/// The best candidates, the best first.
///
/// # Errors
///
/// If a file cannot be read or has too few positions.
pub fn run(
    settings: &FeatureSettings,
    progress: &dyn Progress,
) -> Result<Vec<Feature>, TuningError> {
    let mut records = Vec::new();
    for path in &settings.data {
        records.extend(read(path, settings.ahead)?);
    }
    if records.len() < 2 * BLOCK {
        return Err(TuningError::TooFewPositions(records.len()));
    }
    let FeatureSettings { result_share, threads, .. } = *settings;
    let weights = settings.weights.as_ref();
    let objective = Objective { k: fitted_k(&records, weights, threads)?, result_share, threads };
    let candidates = intersections(settings.sets);
    let places = if settings.maps { MAP } else { 1 };
    let mut sums = vec![Sums::new(places); candidates.len()];
    let (mut positions, mut errors) = (0, 0.0);
    progress.start("positions", records.len() as u64);
    for (batch, part) in records.chunks(BATCH).enumerate() {
        let samples = samples(part, weights, threads)?;
        let judged: Vec<Judged> = samples
            .iter()
            .enumerate()
            .filter_map(|(number, sample)| {
                // Put whole blocks of many games into one half.
                let half = (batch * BATCH + number) / BLOCK % 2;
                Some(Judged::new(sample.as_ref()?, half, &objective))
            })
            .collect();
        positions += judged.len();
        errors += judged.iter().map(|judged| judged.error * judged.error).sum::<f64>();
        let share = candidates.len().div_ceil(threads.max(1)).max(1);
        let judged = &judged;
        let mut shares = sums.chunks_mut(share).zip(candidates.chunks(share));
        std::thread::scope(|scope| {
            shares.try_for_each(|(sums, candidates)| {
                let add = move || {
                    for (sums, &sets) in sums.iter_mut().zip(candidates) {
                        judged.iter().for_each(|judged| sums.add(judged, sets));
                    }
                };
                Builder::new().spawn_scoped(scope, add).map(drop)
            })
        })
        .map_err(|_| TuningError::Thread)?;
        progress.set((batch * BATCH) as u64);
    }
    progress.finish();
    progress.note(&format!(
        "{positions} positions, mean square error {:.6}, {} candidates",
        errors / positions.max(1) as f64,
        candidates.len()
    ));
    // The tuner's prior: as strong as in a position with the mean error.
    let prior = errors / positions.max(1) as f64 / (settings.prior * settings.prior);
    Ok(best(&candidates, &sums, positions, prior, settings.most))
}

/// The factor from centipawns to the exponent of the sigmoid that fits the results best.
fn fitted_k(
    records: &[Record],
    weights: Option<&Weights>,
    threads: usize,
) -> Result<f64, TuningError> {
    let some = &records[..records.len().min(1 << 18)];
    let samples = samples(some, weights, threads)?;
    let known: Vec<(f64, f64)> =
        samples.iter().flatten().filter_map(|s| Some((s.eval, s.result?))).collect();
    if known.len() < MIN_RESULTS {
        return Err(TuningError::TooFewResults(known.len()));
    }
    golden_section(K_RANGE, |k| {
        Ok(known.iter().map(|&(eval, result)| (sigmoid(k * eval) - result).powi(2)).sum())
    })
}

/// The candidates that gain most. Of candidates with the same counts in all positions, keeps the
/// one with the fewest sets.
fn best(
    candidates: &[Sets],
    sums: &[Sums],
    positions: usize,
    prior: f64,
    most: usize,
) -> Vec<Feature> {
    let mut order: Vec<(Feature, usize)> = candidates
        .iter()
        .zip(sums)
        .enumerate()
        .map(|(index, (&sets, sums))| (sums.feature(sets, positions, prior), index))
        .filter(|(feature, _)| feature.mean > 0.0 && feature.gain.is_finite())
        .collect();
    order.sort_by(|(a, i), (b, j)| b.gain.total_cmp(&a.gain).then(i.cmp(j)));
    order.dedup_by(|(_, later), (_, earlier)| sums[*later].slopes == sums[*earlier].slopes);
    order.into_iter().take(most).map(|(feature, _)| feature).collect()
}
