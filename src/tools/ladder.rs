//! The levels of limited strength against each other: how many Elo are between them?

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::Progress;
use super::selfplay::{Adjudication, on_threads, play, read_positions};
use crate::chess::{ByColor, Color};
use crate::search::{Memory, Strength};

/// Elo of a share of points.
fn elo(share: f64) -> f64 {
    let share = share.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / share - 1.0).log10()
}

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
    let progress = Progress::new("pairs", pairs * (Strength::LEVELS as u64 - 1));
    let finished = AtomicU64::new(0);
    for level in 1..Strength::LEVELS {
        let next = AtomicU64::new(0);
        let worker = || -> Result<Vec<i32>, String> {
            let (mut upper, mut lower) = (Memory::new(4, 1)?, Memory::new(4, 1)?);
            let mut points = Vec::new();
            loop {
                let pair = next.fetch_add(1, Relaxed);
                if pair >= pairs {
                    return Ok(points);
                }
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed << 32 ^ (level as u64) << 24 ^ pair);
                let opening = openings.choose(&mut random).ok_or("no openings")?;
                let mut sum = 0;
                for side in [Color::White, Color::Black] {
                    for (memory, level) in [(&mut upper, level), (&mut lower, level - 1)] {
                        memory.forget();
                        memory.strength =
                            Some(Strength { seed: random.next_u64(), ..Strength::level(level) });
                    }
                    let players = match side {
                        Color::White => ByColor { white: &mut upper, black: &mut lower },
                        Color::Black => ByColor { white: &mut lower, black: &mut upper },
                    };
                    // Weak players throw away what is won: their games are played to the end.
                    let rules = Adjudication { decisive: 2500, ..Adjudication::default() };
                    sum += play(opening, players, u64::MAX, &rules, |_, _, _| {}).half_points(side);
                }
                points.push(sum);
                progress.show(finished.fetch_add(1, Relaxed) + 1);
            }
        };
        let results = on_threads(threads, worker)?.concat();
        // Pairs are what is independent: four half points each.
        let count = results.len().max(2) as f64;
        let shares: Vec<f64> = results.iter().map(|&points| f64::from(points) / 4.0).collect();
        let mean = shares.iter().sum::<f64>() / count;
        let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let margin = 1.96 * (variance / count).sqrt();
        let strength = Strength::level(level);
        say(&format!(
            "{level:5} {:5} {:7} {:6}  {:+5.0} +- {:.0}",
            Strength::elo_of(level),
            strength.nodes,
            strength.error,
            elo(mean),
            (elo(mean + margin) - elo(mean - margin)) / 2.0
        ));
    }
    Ok(())
}
