//! Weights that take the place of the built-in ones.

use super::square_tables::SquareTables;
use super::weights::Weights;

/// Weights with the tables that are made of them.
#[derive(Debug)]
pub struct LoadedWeights {
    /// The weights.
    pub weights: Weights,
    /// Those of the square maps.
    pub tables: SquareTables,
}
