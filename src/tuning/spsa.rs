//! Tunes the search parameters by simultaneous perturbation stochastic approximation (SPSA, J.
//! C. Spall 1992), in the form of Fishtest, but judged by chosen moves instead of results.
//!
//! Each step perturbs all numbers a little up or down at random, compares these and the opposite
//! perturbations in a game (see [`choices`](super::choices)), and moves the numbers towards the
//! better ones. The state is kept in a text file, from which the next run continues.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rand::RngExt;

use super::TuningError;
use super::choices::{ComparisonSettings, Players};
use super::selfplay::{random_of_game, read_positions};
use super::threads::on_threads;
use crate::board::Position;
use crate::files::{FileError, read_text, replace};
use crate::progress::Progress;
use crate::search::{Declared, Params};

/// The settings of a tuning run.
#[derive(Clone, Debug)]
pub struct SpsaSettings {
    /// The file that keeps the state.
    pub state: PathBuf,
    /// Games in all, those of earlier runs included.
    pub games: u64,
    /// The settings for comparing moves.
    pub comparison: ComparisonSettings,
}

impl Default for SpsaSettings {
    fn default() -> SpsaSettings {
        SpsaSettings {
            state: "spsa.txt".into(),
            games: 2000,
            comparison: ComparisonSettings::default(),
        }
    }
}

/// The exponents by which the steps shrink with the number of games, as Spall recommends.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The perturbation at the end of a run, as a part of the range of a number.
const PART: f64 = 1.0 / 20.0;
/// How far a game in which one player is better by [`DEVIATION`] moves a number at the end of a run
/// of [`GAMES`] games, in perturbations. This is Fishtest's rate for a won pair of games. Shorter
/// runs move numbers further each time, since they would get nowhere otherwise.
const RATE: f64 = 0.002;
const GAMES: f64 = 30_000.0;
/// The approximate standard deviation of the difference in expected points over a game.
const DEVIATION: f64 = 0.3;
/// The number of games between two saves.
const SAVE_EVERY: u64 = 10;

/// The state of the tuning.
#[derive(Clone, Debug, PartialEq)]
struct State {
    /// Games played so far, in all runs.
    games: u64,
    /// The numbers, in the order of [`Params::ALL`].
    values: Vec<f64>,
}

impl State {
    /// The declared numbers, before any game.
    fn new() -> State {
        let values = Params::ALL.iter().map(|declared| f64::from(declared.default)).collect();
        State { games: 0, values }
    }

    /// Reads a file written by [`State::save`]; returns the initial state if there is none.
    fn open(path: &Path) -> Result<State, FileError> {
        if !path.exists() {
            return Ok(State::new());
        }
        let text = read_text(path)?;
        State::parse(&text)
            .map_err(|number| FileError::line(path, number, "not a name and a number"))
    }

    fn save(&self, path: &Path) -> Result<(), FileError> {
        replace(path, self.text())
    }

    /// Reads text written by [`State::text`]. Missing numbers have their declared values, and
    /// undeclared names are ignored. The error is the number of the bad line.
    fn parse(text: &str) -> Result<State, usize> {
        let mut state = State::new();
        if !text.starts_with("games ") {
            return Err(1);
        }
        for (index, line) in text.lines().enumerate() {
            let mut words = line.split_whitespace();
            let Some(name) = words.next() else { continue };
            let value = words.next().and_then(|word| word.parse::<f64>().ok());
            let value = value.filter(|value| value.is_finite()).ok_or(index + 1)?;
            if name == "games" {
                let games = (value >= 0.0).then_some(value as u64);
                state.games = games.ok_or(index + 1)?;
            } else if let Some(index) = Params::index(name) {
                state.values[index] = value;
            }
        }
        Ok(state)
    }

    fn text(&self) -> String {
        let mut text = format!("games {}\n", self.games);
        for (declared, value) in Params::ALL.iter().zip(&self.values) {
            let _ = writeln!(text, "{} {value:.3}", declared.name);
        }
        text
    }

    /// The search parameters with the perturbation of each added.
    fn params(&self, perturbation: impl Fn(usize) -> f64) -> Params {
        let mut params = Params::default();
        for (index, declared) in Params::ALL.iter().enumerate() {
            let value = (self.values[index] + perturbation(index)).round() as i32;
            if let Some(number) = params.number(index) {
                *number = value.clamp(declared.low, declared.high);
            }
        }
        params
    }

    /// The numbers of the two players of a game: perturbed by these signs, and by the opposite
    /// ones.
    fn opposed(&self, signs: &[f64], games: u64) -> [Params; 2] {
        let perturbation = |index: usize| {
            let range = Params::ALL[index].high - Params::ALL[index].low;
            signs[index] * step(range, self.games, games).size
        };
        [self.params(perturbation), self.params(|index| -perturbation(index))]
    }

    /// Moves the numbers towards the player whose choices are better. `points` is the advantage, in
    /// expected points, of the numbers perturbed by `signs`. `games` is the length of the whole
    /// run.
    fn update(&mut self, signs: &[f64], points: f64, games: u64) {
        // A single game must not count as much as many.
        let gain = (points / DEVIATION).clamp(-3.0, 3.0);
        for (index, declared) in Params::ALL.iter().enumerate() {
            let Step { size, rate } = step(declared.high - declared.low, self.games, games);
            let value = self.values[index] + rate * size * gain * signs[index];
            self.values[index] = value.clamp(declared.low.into(), declared.high.into());
        }
        self.games += 1;
    }
}

/// A step of the tuning for one number.
struct Step {
    /// The size of the perturbation (Spall's c).
    size: f64,
    /// How far a gain of 1 moves the number, in perturbations (Spall's a, divided by the square of
    /// c).
    rate: f64,
}

/// The perturbation of a number with this range at the end of a run. At least a half, so that the
/// rounded numbers of the two players differ by one.
fn last_size(range: i32) -> f64 {
    (f64::from(range) * PART).max(0.5)
}

/// The step of a number with this range after `done` games of a run of `all`.
fn step(range: i32, done: u64, all: u64) -> Step {
    let (k, all) = (done as f64 + 1.0, all as f64);
    let start = 0.1 * all;
    let last = last_size(range);
    let size = last * (all / k).powf(GAMMA);
    let rate =
        RATE * (GAMES / all).min(10.0) * last * last * ((start + all) / (start + k)).powf(ALPHA);
    Step { size, rate: rate / (size * size) }
}

/// A tuning run, shared by its threads.
struct Run<'a> {
    settings: &'a SpsaSettings,
    openings: Vec<Position>,
    state: Mutex<State>,
    /// The number of the next game.
    next: AtomicU64,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays games until all have been played.
    fn play_games(&self) -> Result<(), TuningError> {
        // If there is no memory for one thread, the others end as well.
        let end = || self.next.store(self.settings.games, Relaxed);
        let mut players =
            Players::new(self.settings.comparison.weights.as_ref()).inspect_err(|_| end())?;
        loop {
            let game = self.next.fetch_add(1, Relaxed);
            if game >= self.settings.games {
                return Ok(());
            }
            if let Err(error) = self.play_game(game, &mut players) {
                // If the state cannot be saved, the other threads end as well.
                end();
                return Err(error.into());
            }
        }
    }

    /// Plays the game of this number and moves the numbers towards the better player.
    fn play_game(&self, game: u64, players: &mut Players) -> Result<(), FileError> {
        let settings = self.settings;
        let mut random = random_of_game(settings.comparison.seed, game);
        let opening = &self.openings[random.random_range(0..self.openings.len())];
        let signs: Vec<f64> = Params::ALL
            .iter()
            .map(|_| if random.random_range(0..2) == 0 { 1.0 } else { -1.0 })
            .collect();
        let opposed = self.state().opposed(&signs, settings.games);
        players.prepare(|engine, player| engine.params_mut().clone_from(&opposed[player]));
        let choices = players.play(opening, settings.comparison.nodes, &mut random);
        let mut state = self.state();
        state.update(&signs, choices.points, settings.games);
        self.progress.set(state.games);
        if state.games.is_multiple_of(SAVE_EVERY) {
            state.save(&settings.state)?;
        }
        Ok(())
    }
}

/// Plays games until their number is reached. Returns the numbers as declarations for the rules'
/// source files.
///
/// # Errors
///
/// If this build lacks the feature `tune`, a file cannot be read or written, or there is no memory
/// for the players.
pub fn run(settings: &SpsaSettings, progress: &dyn Progress) -> Result<String, TuningError> {
    if !cfg!(feature = "tune") {
        return Err(TuningError::NeedsTuneFeature);
    }
    tune(settings, progress)
}

/// [`run`] in any build: without the feature both players are the same.
fn tune(settings: &SpsaSettings, progress: &dyn Progress) -> Result<String, TuningError> {
    let openings = read_positions(&settings.comparison.openings)?;
    let state = State::open(&settings.state)?;
    // Check now, rather than after hours, that the state can be written.
    state.save(&settings.state)?;
    progress.start("games", settings.games);
    progress.set(state.games);
    let next = AtomicU64::new(state.games);
    let run = Run { settings, openings, state: Mutex::new(state), next, progress };
    on_threads(settings.comparison.threads, || run.play_games())?;
    progress.finish();
    let state = run.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.save(&settings.state)?;
    Ok(declarations(&state.params(|_| 0.0)))
}

/// All numbers as declarations for the rules' source files, grouped by rule.
fn declarations(params: &Params) -> String {
    let mut params = params.clone();
    let mut text = String::new();
    let mut rule = "";
    for (index, declared) in Params::ALL.iter().enumerate() {
        if declared.rule != rule {
            rule = declared.rule;
            let _ = writeln!(text, "{rule}:");
        }
        let value = params.number(index).map_or(0, |number| *number);
        let Declared { low, high, .. } = declared;
        let _ = writeln!(text, "    {} = {value}, {low} to {high};", declared.own_name());
    }
    text
}

/// The lines in OpenBench's format: name, type, value, minimum, maximum, final perturbation, rate.
pub fn openbench_lines() -> String {
    let mut text = String::new();
    for declared in Params::ALL {
        let size = last_size(declared.high - declared.low);
        let _ = writeln!(
            text,
            "{}, int, {}, {}, {}, {size:.2}, {RATE}",
            declared.name, declared.default, declared.low, declared.high
        );
    }
    text
}

/// All numbers with the results of an OpenBench tuning job, read from a file of lines
/// `name, value`, as its button *Copy SPSA Outputs* gives them. Missing numbers have their declared
/// values.
///
/// # Errors
///
/// If the file cannot be read, has no such line, or names a number that is undeclared or out of
/// range.
pub fn from_openbench(path: &Path) -> Result<String, FileError> {
    let mut params = Params::default();
    let text = read_text(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let mut names = 0;
    for (index, line) in lines {
        let wrong = |problem: String| FileError::line(path, index + 1, problem);
        let (name, value) = line
            .split_once(',')
            .and_then(|(name, value)| Some((name.trim(), value.trim().parse::<i32>().ok()?)))
            .ok_or_else(|| wrong("not a name, a comma and a whole number".into()))?;
        let number = Params::index(name)
            .ok_or_else(|| wrong(format!("{name} is not a search parameter")))?;
        let Declared { low, high, .. } = Params::ALL[number];
        if !(low..=high).contains(&value) {
            return Err(wrong(format!("{name} is from {low} to {high}")));
        }
        if let Some(number) = params.number(number) {
            *number = value;
        }
        names += 1;
    }
    if names == 0 {
        return Err(FileError::content(path, "no lines of a name, a comma and a whole number"));
    }
    Ok(declarations(&params))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::choices::Nodes;

    #[test]
    fn the_outputs_of_openbench_come_back() {
        let path = std::env::temp_dir().join(format!("freshet-spsa-{}", std::process::id()));
        let outputs = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            from_openbench(&path).map_err(|error| error.to_string())
        };
        // The printed lines with the first number changed, as the server returns them.
        let inputs = openbench_lines();
        let values = inputs.lines().map(|line| {
            let fields: Vec<&str> = line.split(", ").collect();
            let value = if fields[0] == Params::ALL[0].name { "77" } else { fields[2] };
            format!("{}, {value}", fields[0])
        });
        let text = values.collect::<Vec<_>>().join("\r\n");
        let mut expected = Params::default();
        *expected.number(0).expect("a number") = 77;
        assert_eq!(outputs(&text), Ok(declarations(&expected)));
        for (text, problem) in [
            ("futility_razor 260", "not a name, a comma"),
            ("futility_razor, 260.5", "not a name, a comma"),
            ("futility_razr, 260", "not a search parameter"),
            ("futility_razor, 90", "futility_razor is from 100 to 500"),
            ("\n\n", "no lines"),
        ] {
            let error = outputs(text).expect_err(text);
            assert!(error.contains(problem), "{text}: {error}");
        }
        std::fs::remove_file(&path).expect("our own file");
    }

    #[test]
    fn a_run_is_kept_in_the_state_file() {
        let folder = std::env::temp_dir().join(format!("freshet-tune-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (state, openings) = (folder.join("state"), folder.join("openings.epd"));
        std::fs::write(&openings, format!("{}\n", crate::board::Position::START)).expect("a file");
        let nodes = Nodes { player: 50, judge: 100 };
        let comparison = ComparisonSettings { openings, nodes, ..ComparisonSettings::default() };
        let mut settings = SpsaSettings { games: 2, state, comparison };
        let out = tune(&settings, &()).expect("two games");
        let numbers = out.lines().filter(|line| line.starts_with("    "));
        assert_eq!(numbers.count(), Params::ALL.len());
        assert!(out.contains(" to ") && out.ends_with(";\n"), "{out}");
        let text = || std::fs::read_to_string(&settings.state).expect("a file");
        assert!(text().starts_with("games 2\n"));
        let before = text();
        assert_eq!(tune(&settings, &()).expect("nothing to do"), out);
        assert_eq!(text(), before);
        settings.games = 1;
        for (text, is_read) in [
            ("games 1\nnothing 3", true),
            ("", false),
            ("pairs 3", false),
            ("games", false),
            ("games x", false),
            ("games -1", false),
            ("\0", false),
        ] {
            std::fs::write(&settings.state, text).expect("a file");
            let result = tune(&settings, &());
            assert_eq!(result.is_ok(), is_read, "{text:?}");
            if let Err(error) = result {
                let error = error.to_string();
                assert!(error.starts_with(&settings.state.display().to_string()), "{error}");
            }
        }
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn the_state_comes_back_from_its_text() {
        let mut state = State::new();
        let signs: Vec<f64> =
            (0..Params::ALL.len()).map(|index| if index % 3 == 0 { 1.0 } else { -1.0 }).collect();
        state.update(&signs, 2.0, 100);
        let again = State::parse(&state.text()).expect("our own text");
        assert_eq!(again.games, 1);
        for (a, b) in again.values.iter().zip(&state.values) {
            assert!((a - b).abs() < 0.001);
        }
        assert_eq!(State::parse("games 1\nrazor much"), Err(2));
        assert_eq!(State::parse("games"), Err(1));
    }

    #[test]
    fn the_numbers_follow_the_better_player_and_stay_in_range() {
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

    #[test]
    fn the_players_of_a_game_are_perturbed_oppositely() {
        let signs: Vec<f64> =
            (0..Params::ALL.len()).map(|index| if index % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let [mut first, mut second] = State::new().opposed(&signs, 1000);
        let mut between = 0;
        for (index, declared) in Params::ALL.iter().enumerate() {
            let (first, second) = (first.number(index), second.number(index));
            let (first, second) = (*first.expect("a number"), *second.expect("a number"));
            let (low, high) = if signs[index] > 0.0 { (second, first) } else { (first, second) };
            assert!(low <= declared.default && declared.default <= high, "{}", declared.name);
            between += usize::from(low < declared.default && declared.default < high);
        }
        assert!(between > Params::ALL.len() / 2, "{between}");
    }
}
