//! Least squares: finds the change of the weights that best fits expected points to their targets.
//! Priors keep it from fitting noise.
//!
//! There are few games for the many weights, and a free fit would learn the noise of the results.
//! So the change is a sum of parts, each with a Gaussian prior around zero:
//!
//! - every term is scaled as a whole, separately for middlegame and endgame: one number for a map;
//! - every map is smoothed: its weights move towards the mean of the squares beside them;
//! - every weight changes by itself; the weight of a square takes nearby squares along.
//!
//! The endgame scales by the number of pawns are curves: a Gaussian prior on the difference of
//! neighbours keeps them smooth where there are few games.
//!
//! For a small change the expected points are linear in the weights (the method of Gauss and
//! Newton), so this is a linear problem, solved by conjugate gradients.

use super::TuningError;
use crate::eval::terms::TermGroup;
use crate::eval::weights::WEIGHTS;
use crate::progress::Progress;

/// Whether a group holds weights of squares, whose values must fit a signed byte.
pub(super) fn is_of_squares(group: TermGroup) -> bool {
    matches!(group, TermGroup::Squares | TermGroup::Fills)
}

/// The standard deviation of the prior for scaling terms and smoothing maps.
const FACTOR_PRIOR: f64 = 0.15;
/// The ratio of the prior's width for other weights to that for square weights.
const WIDER: f64 = 2.0;
/// The standard deviation of the prior of a new weight, other than a square weight, in centipawns.
const NEW: f64 = 8.0;
/// The standard deviation of the prior for the difference between a scale and the next, which has one
/// pawn more, in 64ths.
const SCALE_STEP: f64 = 8.0;
/// The standard deviation of the bell curve with which a square takes others along, in squares.
const REACH: f64 = 1.0;
/// The most iterations of conjugate gradients.
const ITERATIONS: usize = 60;
/// The iterations end when the squared preconditioned residual has fallen to this share of its
/// initial value.
const TOLERANCE: f64 = 1e-6;
/// The most iterations of rounding.
const ROUNDINGS: usize = 100;
/// The most numbers that an iteration flips, that is, rounds the other way.
const AT_ONCE: usize = 64;
/// Squares of a map.
const SQUARES: usize = 64;

/// What is to be minimised in the change of the weights: half the sum of square errors, or a negative
/// log-likelihood. Vectors hold the middlegame and endgame part of each weight in turn. Errors come
/// from threads.
pub(super) trait Problem {
    /// The gradient at zero change.
    fn gradient(&self) -> Result<Vec<f64>, TuningError>;
    /// The second derivatives times a vector.
    fn times(&self, vector: &[f64]) -> Result<Vec<f64>, TuningError>;
    /// The diagonal of the second derivatives.
    fn diagonal(&self) -> Result<Vec<f64>, TuningError>;
}

/// Derivatives by each number once. A weight counts twice where it counts for the attack on either king.
pub(super) fn merged(mut derivatives: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    derivatives.sort_unstable_by_key(|&(index, _)| index);
    derivatives.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    derivatives
}

/// A direction in which the weights may change, with a Gaussian prior on the amount.
struct Part {
    /// The inverse variance of the prior, in units of the sum of square errors.
    precision: f64,
    /// The indices of weights and their changes.
    changes: Vec<(usize, f64)>,
}

/// A prior that keeps two weights together.
struct Tie {
    /// The indices of the weights.
    ends: [usize; 2],
    /// The first weight less the second.
    difference: f64,
    /// As in [`Part`].
    precision: f64,
}

impl Tie {
    /// The difference in this vector over the weights.
    fn difference_in(&self, vector: &[f64]) -> f64 {
        vector[self.ends[0]] - vector[self.ends[1]]
    }
}

/// All parts that make up the change, and the priors between weights.
pub(super) struct Parts {
    parts: Vec<Part>,
    ties: Vec<Tie>,
}

impl Parts {
    /// The parts for the weights that are not `fixed`. `prior` is the standard deviation of the
    /// change of a weight of squares, in centipawns, and `error` the mean square error, or 1 with a
    /// log-likelihood. For `new`
    /// weights other than square weights it is at least [`NEW`].
    pub(super) fn new(
        weights: &[f64],
        fixed: &[bool],
        new: &[bool],
        prior: f64,
        error: f64,
    ) -> Parts {
        let (mut parts, mut ties) = (Vec::new(), Vec::new());
        let mut add = |deviation: f64, mut changes: Vec<(usize, f64)>| {
            changes.retain(|&(index, change)| change != 0.0 && !fixed[index / 2]);
            if !changes.is_empty() {
                parts.push(Part { precision: error / (deviation * deviation), changes });
            }
        };
        let bell = bell();
        let mut start = 0;
        WEIGHTS.each(|group: TermGroup, _, row| {
            for phase in 0..2 {
                let index = |place: usize| 2 * (start + place) + phase;
                let value = |place: usize| weights[index(place)];
                let scaled = (0..row.len()).map(|place| (index(place), value(place)));
                add(FACTOR_PRIOR, scaled.collect());
                if !is_of_squares(group) {
                    for place in 0..row.len() {
                        let least = if new[start + place] { NEW } else { 0.0 };
                        let deviation = least.max(WIDER * prior);
                        add(deviation, vec![(index(place), 1.0)]);
                    }
                    continue;
                }
                let smoothed = (0..row.len()).map(|place| {
                    let map = place - place % SQUARES;
                    let map_value = |square: usize| value(map + square);
                    (index(place), mean_beside(place % SQUARES, map_value) - value(place))
                });
                add(FACTOR_PRIOR, smoothed.collect());
                for place in 0..row.len() {
                    let map = place - place % SQUARES;
                    let nearby = bell[place % SQUARES].iter().enumerate();
                    let along = nearby.map(|(square, &share)| (index(map + square), share));
                    add(prior, along.collect());
                }
            }
            if group == TermGroup::Scale {
                for place in 1..row.len() {
                    let ends = [start + place, start + place - 1].map(|weight| 2 * weight + 1);
                    let difference = weights[ends[0]] - weights[ends[1]];
                    ties.push(Tie { ends, difference, precision: error / SCALE_STEP.powi(2) });
                }
            }
            start += row.len();
        });
        Parts { parts, ties }
    }

    /// The change of the weights with these amounts of the parts.
    fn change(&self, amounts: &[f64], weights: usize) -> Vec<f64> {
        let mut sum = vec![0.0; weights];
        for (part, amount) in self.parts.iter().zip(amounts) {
            part.changes.iter().for_each(|&(index, change)| sum[index] += amount * change);
        }
        sum
    }

    /// Projects a vector over the weights onto each part: the transpose of [`Parts::change`].
    fn project(&self, vector: &[f64]) -> Vec<f64> {
        let sum = |part: &Part| part.changes.iter().map(|&(index, by)| by * vector[index]).sum();
        self.parts.iter().map(sum).collect()
    }

    /// Adds the pull of the ties on both of their ends.
    fn add_ties(&self, sum: &mut [f64], difference: impl Fn(&Tie) -> f64) {
        for tie in &self.ties {
            let pull = tie.precision * difference(tie);
            sum[tie.ends[0]] += pull;
            sum[tie.ends[1]] -= pull;
        }
    }

    /// The best change of the weights, by conjugate gradients, preconditioned by the diagonal.
    /// A weight on which no position depends changes only by ties to its neighbours.
    ///
    /// # Errors
    ///
    /// The errors of the problem.
    pub(super) fn solve(
        &self,
        problem: &impl Problem,
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, TuningError> {
        let mut squares = problem.diagonal()?;
        for tie in &self.ties {
            tie.ends.iter().for_each(|&end| squares[end] += tie.precision);
        }
        let with_prior = |data: Vec<f64>, amounts: &[f64]| -> Vec<f64> {
            let priors =
                self.parts.iter().zip(amounts).map(|(part, amount)| part.precision * amount);
            data.into_iter().zip(priors).map(|(data, prior)| data + prior).collect()
        };
        let diagonal: Vec<f64> = (self.parts.iter())
            .map(|part| {
                let data = part.changes.iter().map(|&(index, by)| by * by * squares[index]);
                data.sum::<f64>() + part.precision
            })
            .collect();
        let precondition = |vector: &[f64]| -> Vec<f64> {
            vector.iter().zip(&diagonal).map(|(value, diagonal)| value / diagonal).collect()
        };
        let mut amounts = vec![0.0; self.parts.len()];
        let mut gradient = problem.gradient()?;
        self.add_ties(&mut gradient, |tie| tie.difference);
        let mut residual: Vec<f64> =
            self.project(&gradient).into_iter().map(|slope| -slope).collect();
        let mut direction = precondition(&residual);
        let mut square = dot(&residual, &direction);
        let enough = square * TOLERANCE;
        progress.start("iterations", ITERATIONS as u64);
        for iteration in 0..ITERATIONS {
            if square <= enough {
                break;
            }
            let change = self.change(&direction, squares.len());
            let mut product = problem.times(&change)?;
            self.add_ties(&mut product, |tie| tie.difference_in(&change));
            let product = with_prior(self.project(&product), &direction);
            let length = square / dot(&direction, &product);
            add_times(&mut amounts, length, &direction);
            add_times(&mut residual, -length, &product);
            let conditioned = precondition(&residual);
            let before = std::mem::replace(&mut square, dot(&residual, &conditioned));
            let kept = std::mem::replace(&mut direction, conditioned);
            add_times(&mut direction, square / before, &kept);
            progress.set(iteration as u64);
        }
        progress.finish();
        let mut change = self.change(&amounts, squares.len());
        for (change, &square) in change.iter_mut().zip(&squares) {
            if square == 0.0 {
                *change = 0.0;
            }
        }
        Ok(change)
    }
}

/// Rounds each number up or down so that the errors cancel. Starts from the nearest whole numbers, and
/// flips those that most reduce the loss `error * times(error) / 2`. Gradient and priors are left out.
pub(super) fn rounded(
    problem: &impl Problem,
    exact: &[f64],
    progress: &dyn Progress,
) -> Result<Vec<f64>, TuningError> {
    let diagonal = problem.diagonal()?;
    let mut best: Vec<f64> = exact.iter().map(|value| value.round()).collect();
    let (mut least, mut next, mut most) = (f64::MAX, best.clone(), AT_ONCE);
    let mut flips: Vec<(f64, usize, f64)> = Vec::new();
    progress.start("iterations", ROUNDINGS as u64);
    for iteration in 0..ROUNDINGS {
        progress.set(iteration as u64);
        let error: Vec<f64> = next.iter().zip(exact).map(|(next, exact)| next - exact).collect();
        let slopes = problem.times(&error)?;
        let loss = dot(&error, &slopes) / 2.0;
        if loss < least {
            (least, best) = (loss, next);
            most = (2 * most).min(AT_ONCE);
            flips.clear();
            for (index, (&slope, &error)) in slopes.iter().zip(&error).enumerate() {
                let by = -error.signum();
                let gain = -by * slope - diagonal[index] / 2.0;
                if error != 0.0 && gain > 0.0 {
                    flips.push((gain, index, by));
                }
            }
            flips.sort_by(|a, b| b.0.total_cmp(&a.0));
        } else {
            // Together they went too far.
            most = flips.len() / 2;
        }
        flips.truncate(most);
        if flips.is_empty() {
            break;
        }
        next = best.clone();
        flips.iter().for_each(|&(_, index, by)| next[index] += by);
    }
    progress.finish();
    Ok(best)
}

/// For each square, the amount by which each square of the map moves along: a bell curve,
/// normalised so that its squares sum to one.
fn bell() -> Vec<[f64; SQUARES]> {
    let distance = |a: usize, b: usize| a.abs_diff(b) as f64;
    let curve = |square: usize| {
        let mut shares: [f64; SQUARES] = std::array::from_fn(|other| {
            let (files, ranks) = (distance(square % 8, other % 8), distance(square / 8, other / 8));
            (-(files * files + ranks * ranks) / (2.0 * REACH * REACH)).exp()
        });
        let length = shares.iter().map(|share| share * share).sum::<f64>().sqrt();
        shares.iter_mut().for_each(|share| *share /= length);
        shares
    };
    (0..SQUARES).map(curve).collect()
}

/// The mean of the squares around one; diagonal neighbours count half. Ranks where the whole map is
/// zero, such as the first and last for pawns, do not count.
fn mean_beside(square: usize, value: impl Fn(usize) -> f64) -> f64 {
    let empty = |rank: usize| (0..8).all(|file| value(8 * rank + file) == 0.0);
    let skipped = |rank: usize| (rank == 0 || rank == 7) && empty(rank);
    let (file, rank) = (square % 8, square / 8);
    if skipped(rank) {
        return value(square);
    }
    let (mut sum, mut weight) = (0.0, 0.0);
    for other in 0..SQUARES {
        let (files, ranks) = (file.abs_diff(other % 8), rank.abs_diff(other / 8));
        let share = match (files, ranks) {
            (0, 1) | (1, 0) => 1.0,
            (1, 1) => 0.5,
            _ => continue,
        };
        if !skipped(other / 8) {
            sum += share * value(other);
            weight += share;
        }
    }
    sum / weight
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_times(sum: &mut [f64], factor: f64, vector: &[f64]) {
    sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += factor * value);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measurements of all weights, each repeated a given number of times.
    struct Measured {
        times: f64,
        errors: Vec<f64>,
    }

    impl Problem for Measured {
        fn gradient(&self) -> Result<Vec<f64>, TuningError> {
            Ok(self.errors.iter().map(|error| self.times * error).collect())
        }
        fn times(&self, vector: &[f64]) -> Result<Vec<f64>, TuningError> {
            Ok(vector.iter().map(|value| self.times * value).collect())
        }
        fn diagonal(&self) -> Result<Vec<f64>, TuningError> {
            Ok(vec![self.times; self.errors.len()])
        }
    }

    fn weights() -> Vec<f64> {
        let mut weights = Vec::new();
        WEIGHTS.each(|_, _, row| {
            weights.extend(
                row.iter().flat_map(|weight| [f64::from(weight.mg()), f64::from(weight.eg())]),
            );
        });
        weights
    }

    /// The change found for a weight that is a pawn too large and measured `times` times, if all
    /// weights are new or none is.
    fn found(times: f64, is_new: bool) -> f64 {
        let weights = weights();
        let mut errors = vec![0.0; weights.len()];
        errors[0] = 100.0;
        let all = |is: bool| vec![is; weights.len() / 2];
        let parts = Parts::new(&weights, &all(false), &all(is_new), 1.0, 1.0);
        parts.solve(&Measured { times, errors }, &()).expect("a solution")[0]
    }

    #[test]
    fn much_data_outweighs_the_prior() {
        for is_new in [false, true] {
            let [much, little] = [1e6, 1e-6].map(|times| found(times, is_new));
            assert!((much + 100.0).abs() < 1.0, "{much}");
            assert!(little.abs() < 1.0, "{little}");
        }
    }

    #[test]
    fn new_weights_change_more() {
        let [old, new] = [false, true].map(|is_new| found(0.01, is_new));
        assert!(new < old && old < 0.0, "{new} {old}");
    }

    /// The sum of all numbers, measured once, besides each number.
    struct Sum;

    impl Problem for Sum {
        fn gradient(&self) -> Result<Vec<f64>, TuningError> {
            Ok(vec![0.0])
        }
        fn times(&self, vector: &[f64]) -> Result<Vec<f64>, TuningError> {
            let sum: f64 = vector.iter().sum();
            Ok(vector.iter().map(|value| sum + 0.01 * value).collect())
        }
        fn diagonal(&self) -> Result<Vec<f64>, TuningError> {
            Ok(vec![1.01; 10])
        }
    }

    #[test]
    fn errors_of_rounding_cancel() {
        let mut exact = [0.4; 10];
        exact[9] = -2.0;
        let whole = rounded(&Sum, &exact, &()).expect("whole numbers");
        assert!(whole[..9].iter().all(|value| [0.0, 1.0].contains(value)), "{whole:?}");
        assert_eq!(whole[9], -2.0);
        assert_eq!(whole[..9].iter().sum::<f64>(), 4.0);
    }

    #[test]
    fn fixed_weights_do_not_change() {
        let weights = weights();
        let errors = vec![10.0; weights.len()];
        let none = vec![false; weights.len() / 2];
        let parts = Parts::new(&weights, &vec![true; weights.len() / 2], &none, 1.0, 1.0);
        let change = parts.solve(&Measured { times: 1e6, errors }, &()).expect("a solution");
        assert!(change.iter().all(|&change| change == 0.0));
    }

    /// A scale that stands out among its neighbours moves towards them, unless positions speak
    /// against it.
    #[test]
    fn scales_by_the_number_of_pawns_are_curves() {
        let mut weights = weights();
        let mut start = 0;
        let mut scales = None;
        WEIGHTS.each(|group, _, row| {
            if group == TermGroup::Scale && row.len() > 3 && scales.is_none() {
                scales = Some(start);
            }
            start += row.len();
        });
        let index = |pawns: usize| 2 * (scales.expect("scales") + pawns) + 1;
        for pawns in 0..4 {
            weights[index(pawns)] = if pawns == 2 { 100.0 } else { 60.0 };
        }
        let all = |is: bool| vec![is; weights.len() / 2];
        let parts = Parts::new(&weights, &all(false), &all(true), 1.0, 1.0);
        let [few, many] = [0.0, 1e3].map(|times| {
            let errors = vec![0.0; weights.len()];
            let change = parts.solve(&Measured { times, errors }, &()).expect("a solution");
            weights[index(2)] + change[index(2)]
        });
        assert!(few < 80.0, "{few}");
        assert!(many > 99.0, "{many}");
    }

    #[test]
    fn the_mean_of_the_squares_beside() {
        assert_eq!(mean_beside(9, |_| 3.0), 3.0);
        let file = |square: usize| (square % 8) as f64;
        assert!((mean_beside(9, file) - 1.0).abs() < 1e-9);
        assert_eq!(mean_beside(3, |square| f64::from(square > 7)), 0.0, "an empty rank stays");
    }
}
