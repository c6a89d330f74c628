//! What each rule of the search and each room of the evaluation is worth: games with it against games without.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::selfplay::{Adjudication, Match, read_positions};
use crate::search::Ablation;
use crate::tools::Progress;

/// What to measure.
#[derive(Clone, Debug)]
pub struct AblationSettings {
    /// EPD file of the positions from which games start.
    pub openings: PathBuf,
    /// Pairs of games for each rule or room.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// Games at the same time.
    pub threads: usize,
    /// What the random numbers start from.
    pub seed: u64,
    /// Names of rules and rooms; all if there are none.
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

/// Plays the matches, and says a row of a table as each ends: the Elo that are lost without the rule or room, with the error
/// of 95 %.
pub fn run(settings: &AblationSettings, say: &mut dyn FnMut(&str)) -> Result<(), String> {
    if !cfg!(feature = "tune") {
        return Err("only a build with `--features tune` can leave rules out".to_string());
    }
    let names = if settings.names.is_empty() { Ablation::names() } else { settings.names.clone() };
    let all: Vec<Ablation> = names
        .iter()
        .map(|name| {
            Ablation::named(name).ok_or_else(|| format!("no rule and no group is called {name}"))
        })
        .collect::<Result<_, String>>()?;
    let openings = &read_positions(&settings.openings)?;
    let AblationSettings { pairs, nodes, threads, seed, .. } = *settings;
    let progress = Progress::new("pairs", pairs * names.len() as u64);
    let finished = AtomicU64::new(0);
    say(&format!("worth in Elo, {} games each at {nodes} nodes a move", 2 * pairs));
    for (name, without) in names.iter().zip(all) {
        let rules = Adjudication::default();
        let difference = Match { openings, pairs, nodes, rules, threads, seed }.play(
            |memory, number, _| {
                memory.params.ablation = if number == 0 { Ablation::default() } else { without };
            },
            || progress.show(finished.fetch_add(1, Relaxed) + 1),
        )?;
        say(&format!("{name:21} {difference}"));
    }
    Ok(())
}
