//! Games of the engine against itself at a fixed number of nodes per move, as data for tuning.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::TuningError;
use super::threads::on_threads;
use crate::board::{Epd, Position};
use crate::chess::{ByColor, Color};
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::files::FileError;
use crate::progress::Progress;
use crate::search::{Limits, MemoryError, SearchResult};

/// The result of a game for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// White has won, by mate or adjudication.
    Win,
    /// The game is drawn.
    Draw,
    /// Black has won, by mate or adjudication.
    Loss,
}

impl Outcome {
    /// Half points for a side: 2, 1 or 0.
    pub(super) fn half_points(self, side: Color) -> i32 {
        match (self, side) {
            (Outcome::Draw, _) => 1,
            (Outcome::Win, Color::White) | (Outcome::Loss, Color::Black) => 2,
            _ => 0,
        }
    }
}

/// The rules for adjudicating a game before its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjudication {
    /// The least score of an adjudicated win, in centipawns.
    pub(super) decisive: i32,
    /// Successive plies on which both sides must report such a score.
    pub(super) decisive_plies: u32,
    /// The largest score, for either side, of an adjudicated draw, in centipawns.
    pub(super) drawish: i32,
    /// Successive plies on which both sides must report such a score.
    pub(super) drawish_plies: u32,
    /// The ply of the game from which drawish plies are counted.
    pub(super) drawish_from: u32,
    /// Games are adjudicated as draws after this many plies.
    pub(super) longest: u32,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            decisive: 700,
            decisive_plies: 4,
            drawish: 8,
            drawish_plies: 10,
            drawish_from: 80,
            longest: 400,
        }
    }
}

/// Counts the plies towards an adjudication.
#[derive(Default)]
struct Adjudicator {
    /// Successive plies with a decisive score: positive for White, negative for Black.
    decisive: i32,
    /// Successive plies with a drawish score.
    drawish: u32,
}

impl Adjudicator {
    /// Takes the score of a ply for White, and decides.
    fn decide(&mut self, rules: &Adjudication, ply: u32, white: i32) -> Option<Outcome> {
        self.decisive = match white {
            _ if white >= rules.decisive => self.decisive.max(0) + 1,
            _ if white <= -rules.decisive => self.decisive.min(0) - 1,
            _ => 0,
        };
        let is_drawish = white.abs() <= rules.drawish && ply >= rules.drawish_from;
        self.drawish = if is_drawish { self.drawish + 1 } else { 0 };
        if self.decisive.unsigned_abs() >= rules.decisive_plies {
            return Some(if self.decisive > 0 { Outcome::Win } else { Outcome::Loss });
        }
        (self.drawish >= rules.drawish_plies).then_some(Outcome::Draw)
    }
}

/// Plays a game from a position. Calls `watch` for each move with the engine to move, the position,
/// and the search result, whose line has at least one move.
pub(super) fn play(
    start: &Position,
    mut players: ByColor<&mut Engine>,
    nodes: u64,
    rules: &Adjudication,
    mut watch: impl FnMut(&Engine, &Position, &SearchResult),
) -> Outcome {
    let limits = Limits::nodes(nodes);
    play_by(start, rules, |position| {
        let mover = players.get_mut(position.turn());
        let result = mover.search(position, &limits);
        if !result.line.is_empty() {
            watch(mover, position, &result);
        }
        result
    })
}

/// Plays a game from a position, with the moves that `search` finds.
pub(super) fn play_by(
    start: &Position,
    rules: &Adjudication,
    mut search: impl FnMut(&Position) -> SearchResult,
) -> Outcome {
    let mut position = start.clone();
    let mut adjudicator = Adjudicator::default();
    for ply in 0..rules.longest {
        if position.is_threefold() || position.is_fifty_move_draw() || position.is_dead_material() {
            return Outcome::Draw;
        }
        let side = position.turn();
        let result = search(&position);
        let Some(&m) = result.line.first() else {
            return match (position.checkers().any(), side) {
                (false, _) => Outcome::Draw,
                (true, Color::White) => Outcome::Loss,
                (true, Color::Black) => Outcome::Win,
            };
        };
        let white = if side.is_white() { result.score.raw() } else { -result.score.raw() };
        if let Some(outcome) = adjudicator.decide(rules, ply, white) {
            return outcome;
        }
        position.play(m);
    }
    Outcome::Draw
}

/// The default EPD file of start positions.
pub(super) const OPENINGS: &str = "openings/freshet.epd";

/// The size of the transposition table of a player in MiB.
const HASH: usize = 4;

/// A player with these weights, or the built-in ones.
pub(super) fn new_player(weights: Option<&Weights>) -> Result<Engine, MemoryError> {
    let mut engine = Engine::new(HASH, 1)?;
    engine.set_weights(weights.cloned());
    Ok(engine)
}

/// Two players, both with these weights, or the built-in ones.
pub(super) fn new_players(weights: Option<&Weights>) -> Result<[Engine; 2], MemoryError> {
    Ok([new_player(weights)?, new_player(weights)?])
}

/// The players with the first one on this side.
pub(super) fn seated([first, second]: &mut [Engine; 2], side: Color) -> ByColor<&mut Engine> {
    match side {
        Color::White => ByColor { white: first, black: second },
        Color::Black => ByColor { white: second, black: first },
    }
}

/// The random numbers of a game, whatever thread plays it: each seed and number have their own.
pub(super) fn random_of_game(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let mixed = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed ^ number)
}

/// Games, or pairs of games, shared among threads.
#[derive(Clone, Debug)]
pub(super) struct Series<'a> {
    /// Positions from which games start.
    pub(super) openings: &'a [Position],
    /// The number of games or pairs.
    pub(super) count: u64,
    /// Games at the same time.
    pub(super) threads: usize,
    /// Seed of the random numbers.
    pub(super) seed: u64,
}

impl Series<'_> {
    /// Plays each game, or pair, from an opening with `play`. Advances the progress without
    /// beginning a stage. `new_players` makes the players of a thread.
    pub(super) fn play<P, R: Send>(
        &self,
        new_players: impl Fn() -> Result<P, MemoryError> + Sync,
        play: impl Fn(&mut P, &Position, &mut Xoshiro256PlusPlus) -> R + Sync,
        progress: &dyn Progress,
    ) -> Result<Vec<R>, TuningError> {
        let next = AtomicU64::new(0);
        let worker = || -> Result<Vec<R>, TuningError> {
            // If there is no memory for one thread, the others end as well.
            let mut players = new_players().inspect_err(|_| next.store(self.count, Relaxed))?;
            let mut results = Vec::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= self.count {
                    return Ok(results);
                }
                let mut random = random_of_game(self.seed, number);
                let opening = self.openings.choose(&mut random).ok_or(TuningError::NoOpenings)?;
                results.push(play(&mut players, opening, &mut random));
                progress.advance();
            }
        };
        Ok(on_threads(self.threads, worker)?.into_iter().flatten().collect())
    }
}

/// Pairs of games between two players, each pair from one position with colours reversed. The
/// players themselves hold the limits of their searches.
#[derive(Clone, Debug)]
pub(super) struct Match<'a> {
    /// The pairs, at least two.
    pub(super) series: Series<'a>,
    /// The rules for adjudicating games.
    pub(super) rules: Adjudication,
    /// The weights of the evaluation, if not the built-in ones.
    pub(super) weights: Option<Weights>,
}

/// The advantage of the first player of a match over the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    /// The difference in Elo, positive if the first player is stronger.
    elo: f64,
    /// Half the width of the 95 % confidence interval, in Elo.
    error: f64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+5.0} +- {:.0}", self.elo, self.error)
    }
}

impl Difference {
    /// Computes the difference from the first player's half points in each pair. The variance is
    /// that of pairs (pentanomial), since two games from one opening are not independent.
    fn of(pairs: &[i32]) -> Difference {
        let elo = |share: f64| -400.0 * (1.0 / share.clamp(1e-3, 1.0 - 1e-3) - 1.0).log10();
        let count = pairs.len() as f64;
        let shares: Vec<f64> = pairs.iter().map(|&points| f64::from(points) / 4.0).collect();
        let mean = shares.iter().sum::<f64>() / count;
        let variance =
            shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let margin = 1.96 * (variance / count).sqrt();
        Difference { elo: elo(mean), error: (elo(mean + margin) - elo(mean - margin)) / 2.0 }
    }
}

impl Match<'_> {
    /// Plays the match, and advances the progress with each pair without beginning a stage. Before
    /// each game `prepare` sets up a cleared engine as the player with this number, 0 or 1.
    ///
    /// # Errors
    ///
    /// If there are fewer than two pairs, no openings, or not enough memory for the players.
    pub(super) fn play(
        &self,
        prepare: impl Fn(&mut Engine, usize, &mut Xoshiro256PlusPlus) + Sync,
        progress: &dyn Progress,
    ) -> Result<Difference, TuningError> {
        if self.series.count < 2 {
            return Err(TuningError::TooFewPairs);
        }
        let play_pair = |players: &mut [Engine; 2], opening: &Position, random: &mut _| {
            let mut sum = 0;
            for side in [Color::White, Color::Black] {
                for (number, engine) in players.iter_mut().enumerate() {
                    engine.clear();
                    prepare(engine, number, random);
                }
                let players = seated(players, side);
                sum +=
                    play(opening, players, u64::MAX, &self.rules, |_, _, _| {}).half_points(side);
            }
            sum
        };
        Ok(Difference::of(&self.series.play(
            || new_players(self.weights.as_ref()),
            play_pair,
            progress,
        )?))
    }
}

/// The positions of an EPD file; an error if there are none. The program also contains
/// [`OPENINGS`], in case that file is missing.
pub(super) fn read_positions(path: &Path) -> Result<Vec<Position>, FileError> {
    if path == Path::new(OPENINGS) && !path.exists() {
        let lines = Epd::lines(include_str!("../../openings/freshet.epd"));
        return Ok(lines.filter_map(|(_, epd)| Some(epd.ok()?.position)).collect());
    }
    Ok(Epd::read(path)?.into_iter().map(|epd| epd.position).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome for these scores for White, and the number of plies after ply 100.
    fn decided(scores: &[i32]) -> Option<(usize, Outcome)> {
        let (mut adjudicator, rules) = (Adjudicator::default(), Adjudication::default());
        let mut decide = |(index, &white): (usize, &i32)| {
            let outcome = adjudicator.decide(&rules, 100 + index as u32, white)?;
            Some((index + 1, outcome))
        };
        scores.iter().enumerate().find_map(&mut decide)
    }

    #[test]
    fn only_plies_in_a_row_decide() {
        assert_eq!(decided(&[0; 10]), Some((10, Outcome::Draw)));
        assert_eq!(decided(&[[0; 9].as_slice(), &[90], &[0; 9]].concat()), None);
        assert_eq!(decided(&[900; 4]), Some((4, Outcome::Win)));
        assert_eq!(decided(&[-900; 4]), Some((4, Outcome::Loss)));
        assert_eq!(decided(&[900, 900, 900, 100, 900, 900, -900, -900, -900]), None);
    }

    #[test]
    fn players_change_colours() {
        let mut players = new_players(None).expect("four MiB each");
        players[0].resize_table(1).expect("one MiB");
        assert_eq!(seated(&mut players, Color::White).white.table_size(), 1);
        assert_eq!(seated(&mut players, Color::White).black.table_size(), HASH);
        assert_eq!(seated(&mut players, Color::Black).black.table_size(), 1);
        assert_eq!(seated(&mut players, Color::Black).white.table_size(), HASH);
    }
}
