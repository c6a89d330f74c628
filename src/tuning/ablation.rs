//! Ablation: how many Elo each rule of the search and each term group of the evaluation gains, by
//! matches of the engine with it against the engine without it.

use std::fmt;
use std::path::PathBuf;

use super::TuningError;
use super::selfplay::{Adjudication, Difference, Match, read_positions};
use crate::progress::Progress;
use crate::search::Ablation;

/// What to measure.
#[derive(Clone, Debug)]
pub struct AblationSettings {
    /// EPD file of the positions from which games start.
    pub openings: PathBuf,
    /// Pairs of games for each rule or group.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// Games at the same time.
    pub threads: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Names of rules and groups; all if there are none.
    pub names: Vec<String>,
}

impl Default for AblationSettings {
    fn default() -> AblationSettings {
        AblationSettings {
            openings: "openings/freshet.epd".into(),
            pairs: 200,
            nodes: 4000,
            threads: 1,
            seed: 1,
            names: Vec::new(),
        }
    }
}

/// How many Elo a rule or group gains.
#[derive(Clone, Debug)]
pub struct AblationResult {
    /// The name of the rule or group.
    pub name: String,
    /// The Elo that are lost without it.
    pub difference: Difference,
}

impl fmt::Display for AblationResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:21} {}", self.name, self.difference)
    }
}

/// Plays a match for each rule or group; `report` is called after each.
///
/// # Errors
///
/// If this is no build with the feature `tune`, a name is not known, the openings cannot be read,
/// or a match cannot be played.
pub fn run(
    settings: &AblationSettings,
    progress: &dyn Progress,
    report: &mut dyn FnMut(&AblationResult),
) -> Result<(), TuningError> {
    if !cfg!(feature = "tune") {
        return Err(TuningError::NeedsTuneFeature);
    }
    let names = if settings.names.is_empty() { Ablation::names() } else { settings.names.clone() };
    let ablations: Vec<Ablation> = names
        .iter()
        .map(|name| Ablation::named(name).ok_or_else(|| TuningError::UnknownRule(name.clone())))
        .collect::<Result<_, _>>()?;
    let openings = &read_positions(&settings.openings)?;
    let AblationSettings { pairs, nodes, threads, seed, .. } = *settings;
    let rules = Adjudication::default();
    let game = Match { openings, pairs, nodes, rules, threads, seed };
    progress.start("pairs", pairs.saturating_mul(names.len() as u64));
    for (name, ablation) in names.into_iter().zip(ablations) {
        let difference = game.play(
            |engine, player, _| {
                engine.set_ablation(if player == 0 { Ablation::default() } else { ablation });
            },
            progress,
        )?;
        report(&AblationResult { name, difference });
    }
    progress.finish();
    Ok(())
}
