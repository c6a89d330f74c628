//! Ablation: what each rule of the search and each term group of the evaluation is worth, by the
//! moves that the engine chooses with it and without it (see [`choices`](super::choices)).

use std::fmt;
use std::path::PathBuf;

use super::TuningError;
use super::choices::{Comparison, Gain, Nodes, OPENINGS};
use super::selfplay::read_positions;
use crate::progress::Progress;
use crate::search::Ablation;

/// What to measure.
#[derive(Clone, Debug)]
pub struct AblationSettings {
    /// EPD file of the positions from which games start.
    pub openings: PathBuf,
    /// Games for each rule or group.
    pub games: u64,
    /// Nodes of the players and of the judge.
    pub nodes: Nodes,
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
            openings: OPENINGS.into(),
            games: 100,
            nodes: Nodes::default(),
            threads: 1,
            seed: 1,
            names: Vec::new(),
        }
    }
}

/// What a rule or group is worth.
#[derive(Clone, Debug)]
pub struct AblationResult {
    /// The name of the rule or group.
    pub name: String,
    /// How much better the moves with it are than those without it.
    pub gain: Gain,
}

impl fmt::Display for AblationResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:21} {}", self.name, self.gain)
    }
}

/// Compares the engine with and without each rule or group; `report` is called after each.
///
/// # Errors
///
/// If this is no build with the feature `tune`, a name is not known, the openings cannot be read,
/// or there is no memory for the players.
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
    let AblationSettings { games, nodes, threads, seed, .. } = *settings;
    let comparison = Comparison { openings, games, nodes, threads, seed };
    progress.start("games", games.saturating_mul(names.len() as u64));
    for (name, ablation) in names.into_iter().zip(ablations) {
        let gain = comparison.run(
            |engine, player| {
                engine.params_mut().ablation =
                    if player == 0 { Ablation::default() } else { ablation };
            },
            progress,
        )?;
        report(&AblationResult { name, gain });
    }
    progress.finish();
    Ok(())
}
