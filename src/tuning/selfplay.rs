//! Games of the engine against itself, at a fixed number of nodes a move: what tuning learns from.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

use crate::board::{Move, Position};
use crate::chess::{ByColor, Color};
use crate::score::Score;
use crate::search::{Limits, SearcherState};

/// How a game ended, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// White has won.
    Win,
    /// Nobody has.
    Draw,
    /// Black has won.
    Loss,
}

impl Outcome {
    /// Half points for a side: 2, 1 or 0.
    pub fn half_points(self, side: Color) -> i32 {
        match (self, side) {
            (Outcome::Draw, _) => 1,
            (Outcome::Win, Color::White) | (Outcome::Loss, Color::Black) => 2,
            _ => 0,
        }
    }
}

/// When a game is over before it is over.
#[derive(Clone, Copy, Debug)]
pub struct Adjudication {
    /// A score this far from a draw, in centipawns, ...
    pub decisive: i32,
    /// ... that both sides agree on for so many plies, wins.
    pub decisive_plies: u32,
    /// A score this near to a draw, in centipawns, ...
    pub drawish: i32,
    /// ... for so many plies, draws.
    pub drawish_plies: u32,
    /// But not before this ply of the game.
    pub drawish_from: u32,
    /// Games end as draws after this many plies.
    pub longest: u32,
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

/// Plays a game from a position. `watch` sees every position with the move that is about to be played and the score the
/// mover gives it.
pub fn play(
    start: &Position,
    mut players: ByColor<&mut SearcherState>,
    nodes: u64,
    rules: &Adjudication,
    mut watch: impl FnMut(&Position, Move, Score),
) -> Outcome {
    let mut position = start.clone();
    let (mut decisive, mut drawish) = (0i32, 0);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    for ply in 0..rules.longest {
        if position.is_threefold() || position.is_fifty_move_draw() || position.is_dead_material() {
            return Outcome::Draw;
        }
        let side = position.turn();
        let memory = players.get_mut(side);
        memory.table.new_search();
        let found = memory.search(&position, &limits);
        let Some(&m) = found.line.first() else {
            let mated = position.checkers().any();
            return match (mated, side) {
                (false, _) => Outcome::Draw,
                (true, Color::White) => Outcome::Loss,
                (true, Color::Black) => Outcome::Win,
            };
        };
        watch(&position, m, found.score);
        let white = if side.is_white() { found.score.raw() } else { -found.score.raw() };
        decisive = match white {
            _ if white >= rules.decisive => decisive.max(0) + 1,
            _ if white <= -rules.decisive => decisive.min(0) - 1,
            _ => 0,
        };
        drawish =
            if white.abs() <= rules.drawish && ply >= rules.drawish_from { drawish + 1 } else { 0 };
        if decisive.unsigned_abs() >= rules.decisive_plies {
            return if decisive > 0 { Outcome::Win } else { Outcome::Loss };
        }
        if drawish >= rules.drawish_plies {
            return Outcome::Draw;
        }
        position.play(m);
    }
    Outcome::Draw
}

/// Pairs of games between two players, each pair from one position with colours reversed.
#[derive(Clone, Debug)]
pub struct Match<'a> {
    /// Where games start.
    pub openings: &'a [Position],
    /// How many pairs.
    pub pairs: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// When games are over before they are over.
    pub rules: Adjudication,
    /// Games at the same time.
    pub threads: usize,
    /// What the random numbers start from.
    pub seed: u64,
}

/// By how much the first player of a match is stronger than the second.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// In Elo.
    pub elo: f64,
    /// The error of 95 %.
    pub error: f64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:+5.0} +- {:.0}", self.elo, self.error)
    }
}

impl Difference {
    /// Of the half points of the first player in each pair. Pairs are what is independent: games from one opening are not.
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
    /// Plays it. `prepare` makes a fresh memory the player with this number, 0 or 1, before each game; `finished` is called
    /// after each pair.
    pub fn play(
        &self,
        prepare: impl Fn(&mut SearcherState, usize, &mut Xoshiro256PlusPlus) + Sync,
        finished: impl Fn() + Sync,
    ) -> Result<Difference, String> {
        let next = AtomicU64::new(0);
        let worker = || -> Result<Vec<i32>, String> {
            let mut players = [SearcherState::new(4, 1)?, SearcherState::new(4, 1)?];
            let mut points = Vec::new();
            loop {
                let pair = next.fetch_add(1, Relaxed);
                if pair >= self.pairs {
                    return Ok(points);
                }
                // Every pair has numbers of its own: which thread plays it makes no difference.
                let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed << 32 ^ pair);
                let opening = self.openings.choose(&mut random).ok_or("no openings")?;
                let mut sum = 0;
                for side in [Color::White, Color::Black] {
                    for (number, memory) in players.iter_mut().enumerate() {
                        memory.clear();
                        prepare(memory, number, &mut random);
                    }
                    let [first, second] = &mut players;
                    let players = match side {
                        Color::White => ByColor { white: first, black: second },
                        Color::Black => ByColor { white: second, black: first },
                    };
                    sum += play(opening, players, self.nodes, &self.rules, |_, _, _| {})
                        .half_points(side);
                }
                points.push(sum);
                finished();
            }
        };
        if self.pairs < 2 {
            return Err("a match takes two pairs of games at least".to_string());
        }
        Ok(Difference::of(&on_threads(self.threads, worker)?.concat()))
    }
}

/// Runs the same work on so many threads, with the stack that a search needs, and gathers what each answers.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl Fn() -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1))
            .map(|_| std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, &work))
            .collect();
        let answers = threads.into_iter().map(|thread| {
            match thread.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(answer)) => answer,
                _ => Err("a thread has ended early".to_string()),
            }
        });
        answers.collect()
    })
}

/// The positions of an EPD file, one a line; an error if there are none.
pub fn read_positions(path: &Path) -> Result<Vec<Position>, String> {
    let complain = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| complain(&error))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let positions: Vec<Position> = lines
        .map(|(number, line)| {
            let fen: Vec<&str> = line.split_whitespace().take(4).collect();
            let position = Position::from_fen(&fen.join(" "));
            position.map_err(|error| complain(&format!("line {}: {error}", number + 1)))
        })
        .collect::<Result<_, String>>()?;
    if positions.is_empty() { Err(complain(&"no positions")) } else { Ok(positions) }
}
