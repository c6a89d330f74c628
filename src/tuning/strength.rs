//! The levels of limited strength against each other: how many Elo are between them?

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::Rng;

use super::selfplay::{Adjudication, Match, read_positions};
use crate::search::Strength;
use crate::tools::Progress;

/// Plays `pairs` pairs of games between neighbours of the ladder, from below, and says a row of a table as each match ends:
/// the difference with its error of 95 %.
pub fn run(
    openings: &Path,
    pairs: u64,
    threads: usize,
    seed: u64,
    say: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let openings = read_positions(openings)?;
    say("level  Elo   nodes  error  against the level below");
    let progress = Progress::new("pairs", pairs * (Strength::LEVEL_COUNT as u64 - 1));
    let finished = AtomicU64::new(0);
    for level in 1..Strength::LEVEL_COUNT {
        // Weak players throw away what is won: their games are played to the end. Their nodes are those of their level.
        let rules = Adjudication { decisive: 2500, ..Adjudication::default() };
        let seed = seed << 8 ^ level as u64;
        let openings = &openings;
        let difference = Match { openings, pairs, nodes: u64::MAX, rules, threads, seed }.play(
            |memory, number, random| {
                let strength = Strength::level(level - number);
                memory.strength = Some(Strength { seed: random.next_u64(), ..strength });
            },
            || progress.show(finished.fetch_add(1, Relaxed) + 1),
        )?;
        let Strength { nodes, noise: error, .. } = Strength::level(level);
        say(&format!("{level:5} {:5} {nodes:7} {error:6}  {difference}", Strength::elo_of(level)));
    }
    Ok(())
}
