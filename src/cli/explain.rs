//! `freshet explain` and `freshet why`.

use clap::Args;
use freshet::board::{Move, Position};
use freshet::explain::moves::{self, Explainer};

use super::prompt::Here;
use super::{CommandError, Outcome, fen, values};

/// Explain a move: what it changes, term by term, and what would be better
///
/// The move is searched. What changes in the evaluation from here to the end of its line is told in
/// words, the largest first; for a worse move also what answers it, and how the best one differs.
#[derive(Args)]
pub struct ExplainArgs {
    /// A position as a FEN, in one argument or six [default: the start position], and a move in SAN
    /// or UCI notation
    #[arg(value_name = "FEN MOVE", required = true, num_args = 1..)]
    words: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Compare two moves: what is different at the end of their lines, term by term
#[derive(Args)]
pub struct WhyArgs {
    /// A position as a FEN, in one argument or six [default: the start position], and two moves in
    /// SAN or UCI notation
    #[arg(value_name = "FEN MOVE MOVE", required = true, num_args = 2..)]
    words: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
}

/// The limit of each search.
#[derive(Args)]
struct LimitArgs {
    /// Nodes of each search
    #[arg(
        long, value_name = "N", default_value_t = moves::NODES,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
}

/// The position and the moves that stand at the end of the words.
fn parse<const N: usize>(
    words: &[String],
    here: &Here<'_>,
) -> Result<(Position, [Move; N]), CommandError> {
    let (place, moves) = words.split_at(words.len().saturating_sub(N));
    let position = fen::position(place, here.position.as_ref())?;
    let mut parsed = Vec::new();
    for text in moves {
        // The last part of a FEN, where a move should be.
        if text.contains(['/', ' ']) || text.bytes().all(|byte| byte.is_ascii_digit()) {
            let example = if N > 1 { "why FEN MOVE MOVE" } else { "explain FEN MOVE" };
            return Err(format!("a move is missing: {example}").into());
        }
        let problem = |error| format!("move \"{text}\": {error}");
        parsed.push(position.parse_move(text).map_err(problem)?);
    }
    let moves = parsed.try_into().map_err(|_| "a move is missing")?;
    Ok((position, moves))
}

impl ExplainArgs {
    /// Runs the command.
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let (position, [m]) = parse(&self.words, here)?;
        let mut explainer = Explainer::new(self.limit.nodes, here.weights.as_ref())?;
        (here.say)(&explainer.explain(&position, m));
        Ok(Outcome::Success)
    }
}

impl WhyArgs {
    /// Runs the command.
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let (position, moves) = parse(&self.words, here)?;
        let mut explainer = Explainer::new(self.limit.nodes, here.weights.as_ref())?;
        (here.say)(&explainer.why(&position, moves));
        Ok(Outcome::Success)
    }
}
