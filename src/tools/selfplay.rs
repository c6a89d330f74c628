//! Games of the engine against itself, at a fixed number of nodes a move: what tuning learns from.

use std::path::Path;

use crate::board::{Move, Position};
use crate::chess::{ByColor, Color};
use crate::score::Score;
use crate::search::{Limits, Memory};

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
    mut players: ByColor<&mut Memory>,
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
        memory.table.grow_older();
        let found = memory.look(&position, &limits);
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
        drawish = if white.abs() <= rules.drawish && ply >= rules.drawish_from { drawish + 1 } else { 0 };
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

/// Runs the same work on so many threads, with the stack that a search needs, and gathers what each answers.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl Fn() -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1))
            .map(|_| std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, &work))
            .collect();
        let answers =
            threads.into_iter().map(|thread| match thread.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(answer)) => answer,
                _ => Err("a thread has ended early".to_string()),
            });
        answers.collect()
    })
}

/// The positions of an EPD file, one a line; an error if there are none.
pub fn read_positions(path: &Path) -> Result<Vec<Position>, String> {
    let complain = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| complain(&error))?;
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let positions: Vec<Position> = lines
        .map(|(number, line)| {
            let fen: Vec<&str> = line.split_whitespace().take(4).collect();
            let position = Position::from_fen(&fen.join(" "));
            position.map_err(|error| complain(&format!("line {}: {error}", number + 1)))
        })
        .collect::<Result<_, String>>()?;
    if positions.is_empty() { Err(complain(&"no positions")) } else { Ok(positions) }
}
