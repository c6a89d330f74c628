//! Measures the Elo differences between neighbouring levels of limited strength.

use std::fmt;
use std::path::PathBuf;

use rand::Rng;

use super::TuningError;
use super::selfplay::{
    Adjudication, Difference, Match, OPENINGS, Series, random_of_game, read_positions,
};
use crate::eval::weights::Weights;
use crate::progress::Progress;
use crate::search::Strength;

/// The settings of the measurement.
#[derive(Clone, Debug)]
pub struct StrengthSettings {
    /// EPD file of the positions from which games start.
    pub openings: PathBuf,
    /// Pairs of games between two levels.
    pub pairs: u64,
    /// Games at the same time.
    pub threads: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The weights of the evaluation, if not the built-in ones.
    pub weights: Option<Weights>,
}

impl Default for StrengthSettings {
    fn default() -> StrengthSettings {
        StrengthSettings {
            openings: OPENINGS.into(),
            pairs: 200,
            threads: 1,
            seed: 1,
            weights: None,
        }
    }
}

/// A level against the one below it.
#[derive(Clone, Copy, Debug)]
pub struct LevelResult {
    /// The number of the level, 0 for the weakest.
    level: usize,
    /// The declared Elo of the level.
    elo: i32,
    /// The level's nodes per move and evaluation noise.
    strength: Strength,
    /// The result of the match.
    difference: Difference,
}

impl LevelResult {
    /// The column names for the display of [`LevelResult`].
    pub const HEADER: &str = "level  Elo   nodes  noise  against the level below";
}

impl fmt::Display for LevelResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LevelResult { level, elo, strength: Strength { nodes, noise, .. }, difference } = self;
        write!(f, "{level:5} {elo:5} {nodes:7} {noise:6}  {difference}")
    }
}

/// Plays a match between each two neighbouring levels, from the weakest up, and calls `report`
/// after each.
///
/// # Errors
///
/// If the openings cannot be read or a match cannot be played.
pub fn run(
    settings: &StrengthSettings,
    progress: &dyn Progress,
    report: &mut dyn FnMut(&LevelResult),
) -> Result<(), TuningError> {
    let openings = &read_positions(&settings.openings)?;
    let StrengthSettings { pairs, threads, .. } = *settings;
    // Weak players throw away won games, so play these to the end.
    let rules = Adjudication { decisive: 2500, ..Adjudication::default() };
    progress.start("pairs", pairs.saturating_mul(Strength::LEVEL_COUNT as u64 - 1));
    for level in 1..Strength::LEVEL_COUNT {
        let seed = random_of_game(settings.seed, level as u64).next_u64();
        let game = Match {
            series: Series { openings, count: pairs, threads, seed },
            rules,
            weights: settings.weights.clone(),
        };
        let difference = game.play(
            |engine, player, random| {
                let strength = Strength::level(level - player);
                engine.set_strength(Some(Strength { seed: random.next_u64(), ..strength }));
            },
            progress,
        )?;
        let (elo, strength) = (Strength::elo_of(level), Strength::level(level));
        report(&LevelResult { level, elo, strength, difference });
    }
    progress.finish();
    Ok(())
}
