//! Weights that replace the built-in ones.

use super::square_tables::SquareTables;
use super::weights::Weights;

/// Weights with the tables computed from them.
#[derive(Debug)]
pub(crate) struct LoadedWeights {
    pub(super) weights: Weights,
    /// Tables of the square maps, computed from `weights`.
    pub(super) tables: SquareTables,
}
