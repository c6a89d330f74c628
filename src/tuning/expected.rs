//! Expected points: the scale on which scores are compared with results.

use super::TuningError;

/// The number between 0.0005 and 0.02 for which a function with one minimum there is least, by
/// golden-section search: the range of the factor from centipawns to the exponent of the sigmoid.
pub(super) fn golden_section(
    loss: impl Fn(f64) -> Result<f64, TuningError>,
) -> Result<f64, TuningError> {
    let (mut low, mut high) = (0.0005, 0.02);
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    for _ in 0..30 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a)? < loss(b)? { high = b } else { low = a }
    }
    Ok((low + high) / 2.0)
}

/// The expected points of a side, 0 to 1.
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
