//! Weights that replace the built-in ones.

use super::square_tables::SquareTables;
use super::weights::Weights;

/// Weights with the tables computed from them.
#[derive(Debug)]
pub struct LoadedWeights {
    pub weights: Weights,
    /// Tables of the square maps, computed from `weights`.
    pub tables: SquareTables,
}
