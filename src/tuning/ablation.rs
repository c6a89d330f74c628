//! Ablation: what each rule of the search and each term group of the evaluation is worth, by the
//! moves that the engine chooses with it and without it (see [`choices`](super::choices)).

use std::fmt;

use super::TuningError;
use super::choices::{Comparison, ComparisonSettings, Gain};
use super::selfplay::{Series, read_positions};
use crate::progress::Progress;
use crate::search::Ablation;

/// What to measure.
#[derive(Clone, Debug)]
pub struct AblationSettings {
    /// Games for each rule or group.
    pub games: u64,
    /// How the moves are compared.
    pub comparison: ComparisonSettings,
    /// Names of rules and groups; all if there are none.
    pub names: Vec<String>,
}

impl Default for AblationSettings {
    fn default() -> AblationSettings {
        AblationSettings {
            games: 100,
            comparison: ComparisonSettings::default(),
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
    let ComparisonSettings { ref openings, nodes, threads, seed } = settings.comparison;
    let openings = &read_positions(openings)?;
    let count = settings.games;
    let comparison = Comparison { series: Series { openings, count, threads, seed }, nodes };
    progress.start("games", count.saturating_mul(names.len() as u64));
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
