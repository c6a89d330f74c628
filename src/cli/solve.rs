use std::time::{Duration, Instant};

use clap::Args;
use freshet::board::Position;
use freshet::chess::side_name;
use freshet::tools::solve::{self, Solution, SolveLimits, solve};

use super::fen::FenArgs;
use super::output::{Bar, print};
use super::prompt::Here;
use super::{CommandError, Outcome, values};

/// Solve a position with locked pawns and up to three pieces: its result, the moves to a capture,
/// pawn move or mate that can be forced, and the line
///
/// Captures, pawn moves and promotions are followed as far as memory, --changes and --time allow. A
/// result is claimed only where what was not followed cannot change it. The fifty-move rule is left
/// out of account. A position with castling rights cannot be solved.
#[derive(Args)]
pub struct SolveArgs {
    /// Memory for bitbases, in MB
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = values::positive::<usize>)]
    memory: usize,
    /// The most captures of pawns and pawn moves in a row to follow
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = values::number::<u32, 0, 100>)]
    changes: u32,
    /// Seconds after which no further step begins
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = values::positive::<u64>)]
    time: u64,
    #[command(flatten)]
    fen: FenArgs,
}

impl SolveArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let position = self.fen.position(here)?;
        let limits = SolveLimits {
            memory: self.memory,
            changes: self.changes,
            time: Duration::from_secs(self.time),
        };
        let began = Instant::now();
        let solution = solve(&position, &limits, &Bar::new())?;
        print(&describe(&position, &solution, began.elapsed()));
        Ok(Outcome::Success)
    }
}

/// The solution as a text of a few lines.
fn describe(position: &Position, solution: &Solution, time: Duration) -> String {
    let mut text = format!("Result: {}\n", solution.outcome);
    if let Some((side, 0)) = solution.forces {
        text += &format!("{} has mated\n", side_name(side));
    } else if let Some((side, moves)) = solution.forces {
        let what = match solution.outcome {
            solve::Outcome::Win(_) => "can force a winning capture or pawn move, or mate,",
            _ => "forces a capture or pawn move, with a result that is not known,",
        };
        let at_most = if solution.is_least { "" } else { "at most " };
        let plural = if moves == 1 { "" } else { "s" };
        text += &format!("{} {what} in {at_most}{moves} move{plural}\n", side_name(side));
    }
    if !solution.line.is_empty() {
        text += &format!("Line: {}\n", line(position, solution));
    }
    text += &format!(
        "Bitbases: {}, {} MB, {:.1} s; pawn changes in a row followed: {}\n",
        solution.bitbases,
        solution.memory >> 20,
        time.as_secs_f64(),
        solution.changes
    );
    if solution.not_followed > 0 {
        let matters = match solution.outcome {
            solve::Outcome::Unknown(_) => "",
            _ => " (they cannot change the result)",
        };
        text += &format!("Pawn changes not followed: {}{matters}\n", solution.not_followed);
    }
    text
}

/// The line in SAN.
fn line(position: &Position, solution: &Solution) -> String {
    let mut here = position.clone();
    let moves = solution.line.iter().map(|&m| {
        let san = here.san(m);
        here.play(m);
        san
    });
    moves.collect::<Vec<_>>().join(" ")
}
