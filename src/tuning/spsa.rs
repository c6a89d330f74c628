//! Tuning the numbers of the search by games: simultaneous perturbation (SPSA, J. C. Spall 1992), in the form of Fishtest.
//!
//! Each step moves all numbers a little up or down at random, plays a pair of games between this and the opposite, and
//! moves towards the winner. What has been reached is kept in a file of text, from which the next run goes on.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::selfplay::{Adjudication, on_threads, play, read_positions};
use crate::chess::{ByColor, Color};
use crate::search::{Params, SearcherState};
use crate::tools::Progress;

/// SpsaSettings to tune.
#[derive(Clone, Debug)]
pub struct SpsaSettings {
    /// EPD file of the positions from which games start.
    pub openings: PathBuf,
    /// File of what has been reached.
    pub state: PathBuf,
    /// Pairs of games in all, those of earlier runs counted.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// Games at the same time.
    pub threads: usize,
    /// What the random numbers start from.
    pub seed: u64,
}

impl Default for SpsaSettings {
    fn default() -> SpsaSettings {
        SpsaSettings {
            openings: "openings/freshet.epd".into(),
            state: "spsa.txt".into(),
            pairs: 10_000,
            nodes: 4000,
            threads: 1,
            seed: 1,
        }
    }
}

/// The steps shrink with the share of games played: the exponents are those that Spall recommends.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The perturbation at the end is this part of the range.
const PART: f64 = 1.0 / 20.0;
/// SpsaSettings far a won pair moves a number at the end, in perturbations, in a run of [`PAIRS`]: what Fishtest takes. Shorter runs move
/// them further each time: with so small a rate they would not get anywhere.
const RATE: f64 = 0.002;
const PAIRS: f64 = 30_000.0;
/// MiB for the table of each player.
const HASH: usize = 4;
/// Pairs between two savings.
const SAVE_EVERY: u64 = 50;

/// SpsaSettings far the tuning has come.
#[derive(Clone, Debug, PartialEq)]
struct State {
    pairs: u64,
    values: Vec<f64>,
}

impl State {
    fn new() -> State {
        State {
            pairs: 0,
            values: Params::ALL.iter().map(|declared| f64::from(declared.default)).collect(),
        }
    }

    /// Reads what [`State::text`] has written; numbers it does not name are as by default.
    fn parse(text: &str) -> Result<State, String> {
        let mut state = State::new();
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), Some(value)) = (words.next(), words.next()) else { continue };
            let value: f64 = value.parse().map_err(|_| format!("not a number: {line}"))?;
            if name == "pairs" {
                state.pairs = value as u64;
            } else if let Some(index) =
                Params::ALL.iter().position(|declared| declared.name == name)
            {
                state.values[index] = value;
            }
        }
        Ok(state)
    }

    fn text(&self) -> String {
        let mut text = format!("pairs {}\n", self.pairs);
        for (declared, value) in Params::ALL.iter().zip(&self.values) {
            let _ = writeln!(text, "{} {value:.3}", declared.name);
        }
        text
    }

    fn params(&self, offset: impl Fn(usize) -> f64) -> Params {
        let mut params = Params::default();
        for (index, declared) in Params::ALL.iter().enumerate() {
            let value = (self.values[index] + offset(index)).round() as i32;
            if let Some(number) = params.number(index) {
                *number = value.clamp(declared.low, declared.high);
            }
        }
        params
    }

    /// Moves towards the winner of a pair: `points` is from -2, all lost by the perturbed numbers, to 2.
    fn update(&mut self, signs: &[f64], points: f64, pairs: u64) {
        for (index, declared) in Params::ALL.iter().enumerate() {
            let (size, rate) = step(declared.high - declared.low, self.pairs, pairs);
            let value = self.values[index] + rate * size * points * signs[index];
            self.values[index] = value.clamp(declared.low.into(), declared.high.into());
        }
        self.pairs += 1;
    }
}

/// The size of the perturbation of a number with this range at this step of so many, and how far a point moves it, in sizes.
fn step(range: i32, done: u64, all: u64) -> (f64, f64) {
    let (k, all) = (done as f64 + 1.0, all as f64);
    let start = 0.1 * all;
    let last = f64::from(range) * PART;
    let size = last * (all / k).powf(GAMMA);
    let rate =
        RATE * (PAIRS / all).min(10.0) * last * last * ((start + all) / (start + k)).powf(ALPHA);
    (size, rate / (size * size))
}

/// Plays until the number of pairs is reached, and answers the declarations for `params.rs`.
pub fn run(settings: &SpsaSettings) -> Result<String, String> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let openings = read_positions(&settings.openings)?;
    let state =
        if settings.state.exists() { State::parse(&read(&settings.state)?)? } else { State::new() };
    let save = |state: &State| {
        std::fs::write(&settings.state, state.text())
            .map_err(|error| format!("{}: {error}", settings.state.display()))
    };
    save(&state)?;

    let next = AtomicU64::new(state.pairs);
    let progress = Progress::new("pairs", settings.pairs);
    let state = Mutex::new((state, Ok(())));
    let lock = || state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let worker = || -> Result<(), String> {
        let (mut up, mut down) = (SearcherState::new(HASH, 1)?, SearcherState::new(HASH, 1)?);
        loop {
            let pair = next.fetch_add(1, Relaxed);
            if pair >= settings.pairs {
                return Ok(());
            }
            // Every pair has numbers of its own: which thread plays it makes no difference.
            let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ pair << 20);
            let opening = &openings[random.random_range(0..openings.len())];
            let signs: Vec<f64> = Params::ALL
                .iter()
                .map(|_| if random.random_range(0..2) == 0 { 1.0 } else { -1.0 })
                .collect();
            {
                let now = &lock().0;
                let offset = |index: usize| {
                    let declared = Params::ALL[index];
                    signs[index] * step(declared.high - declared.low, now.pairs, settings.pairs).0
                };
                up.params = now.params(offset);
                down.params = now.params(|index| -offset(index));
            }
            let rules = Adjudication::default();
            let mut points = 0;
            for side in [Color::White, Color::Black] {
                up.clear();
                down.clear();
                let players = match side {
                    Color::White => ByColor { white: &mut up, black: &mut down },
                    Color::Black => ByColor { white: &mut down, black: &mut up },
                };
                points += play(opening, players, settings.nodes, &rules, |_, _, _| {})
                    .half_points(side)
                    - 1;
            }
            let mut now = lock();
            now.0.update(&signs, f64::from(points), settings.pairs);
            progress.show(now.0.pairs);
            if now.0.pairs.is_multiple_of(SAVE_EVERY) {
                now.1 = save(&now.0);
            }
        }
    };
    let played = on_threads(settings.threads, worker);
    drop(progress);
    played?;
    let (state, saved) = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    saved?;
    save(&state)?;
    Ok(declarations(&state.params(|_| 0.0)))
}

/// The lines for `params.rs`.
fn declarations(params: &Params) -> String {
    let mut params = params.clone();
    let mut text = String::new();
    for (index, declared) in Params::ALL.iter().enumerate() {
        let value = params.number(index).map_or(0, |number| *number);
        let _ =
            writeln!(text, "{} = {value}, {} to {};", declared.name, declared.low, declared.high);
    }
    text
}

/// The lines that OpenBench takes: name, type, value, least, most, perturbation at the end, rate.
pub fn lines() -> String {
    let mut text = String::new();
    for declared in Params::ALL {
        let size = (f64::from(declared.high - declared.low) * PART).max(0.5);
        let _ = writeln!(
            text,
            "{}, int, {}, {}, {}, {size:.2}, {RATE}",
            declared.name, declared.default, declared.low, declared.high
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_comes_back_from_its_text() {
        let mut state = State::new();
        let signs: Vec<f64> =
            (0..Params::ALL.len()).map(|index| if index % 3 == 0 { 1.0 } else { -1.0 }).collect();
        state.update(&signs, 2.0, 100);
        let again = State::parse(&state.text()).expect("our own text");
        assert_eq!(again.pairs, 1);
        for (a, b) in again.values.iter().zip(&state.values) {
            assert!((a - b).abs() < 0.001);
        }
        assert!(State::parse("razor much").is_err());
    }

    #[test]
    fn the_numbers_follow_the_winner_and_stay_in_range() {
        let mut state = State::new();
        let signs = vec![1.0; Params::ALL.len()];
        let before = state.values.clone();
        state.update(&signs, 1.0, 1000);
        assert!(state.values.iter().zip(&before).all(|(now, before)| now >= before));
        for _ in 0..100_000 {
            state.update(&signs, 2.0, 1000);
        }
        let most = state.params(|_| 1e6);
        assert_eq!(most, state.params(|_| 0.0), "all at the top of their ranges");
    }
}
