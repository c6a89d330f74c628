//! Expected points: the scale on which scores are compared with results.

use super::TuningError;

/// The factor from centipawns to the exponent of the sigmoid, for averages and comparisons of scores: a
/// score of S centipawns stands for 1 / (1 + exp(-S SCALE)) expected points. About what `tune eval` fits
/// to game results.
pub(super) const SCALE: f64 = 0.008;

/// The range of the factor from centipawns to the exponent of the sigmoid.
pub(super) const K_RANGE: [f64; 2] = [0.0005, 0.02];

/// The argument at which a function is least, by golden-section search. The function must have only
/// one minimum in the range.
pub(super) fn golden_section(
    [mut low, mut high]: [f64; 2],
    loss: impl Fn(f64) -> Result<f64, TuningError>,
) -> Result<f64, TuningError> {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..30 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a)? < loss(b)? { high = b } else { low = a }
    }
    Ok((low + high) / 2.0)
}

/// The logistic function: the expected points of a side, 0 to 1.
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
