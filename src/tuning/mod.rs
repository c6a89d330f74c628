//! Tuning: games of the engine against itself, what is learned from them, and what each part is worth.

pub mod ablation;
pub mod data;
pub mod datagen;
pub mod selfplay;
pub mod spsa;
pub mod strength;
pub mod texel;
pub mod wdl;
pub mod weights_file;
