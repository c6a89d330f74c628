//! `freshet explain` and `freshet why`.

use clap::Args;
use freshet::board::{Move, Position};
use freshet::explain::explanation::Explanation;
use freshet::explain::moves::{self, Explainer};

use super::output::Bar;
use super::prompt::Here;
use super::{CommandError, Outcome, fen, values};

/// Explain a move: why it is good or bad, and what would be better
///
/// The move is searched, and so is the best one. The explanation says what the line shows: mate,
/// what it wins and by which motif (a fork, a pin, a trapped piece), otherwise what is proven, what it
/// threatens or meets, and what it does for its side.
#[derive(Args)]
pub struct ExplainArgs {
    /// A position as a FEN, in one argument or six [default: the start position], and a move in SAN
    /// or UCI notation
    #[arg(value_name = "FEN MOVE", required = true, num_args = 1..)]
    words: Vec<String>,
    /// As JSON: verdict, motifs, facts, line and the better move
    #[arg(long, conflicts_with = "terms")]
    json: bool,
    /// Show what changes in the evaluation, term by term
    #[arg(long)]
    terms: bool,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Compare two moves: why one is better than the other
#[derive(Args)]
#[command(override_usage = "freshet why [OPTIONS] [FEN] MOVE MOVE")]
pub struct WhyArgs {
    /// A position as a FEN, in one argument or six [default: the start position], and two moves in
    /// SAN or UCI notation
    #[arg(value_name = "FEN MOVE MOVE", required = true, num_args = 2..)]
    words: Vec<String>,
    /// As JSON, as `explain` gives it, of the worse move beside the better one
    #[arg(long, conflicts_with = "terms")]
    json: bool,
    /// Show what is different in the evaluation, term by term
    #[arg(long)]
    terms: bool,
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

/// Prints an explanation, as JSON on one line at the prompt of a session.
fn say(explanation: &Explanation, explainer: &mut Explainer, as_json: bool, here: &Here<'_>) {
    (here.say)(&match as_json {
        true => explanation.json(explainer, here.position.is_none()),
        false => explanation.text(),
    });
}

impl ExplainArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let (position, [m]) = parse(&self.words, here)?;
        let mut explainer = Explainer::new(self.limit.nodes, here.weights.as_ref())?;
        if self.terms {
            (here.say)(&explainer.explain(&position, m));
            return Ok(Outcome::Success);
        }
        let explanation = explainer.explanation(&position, m, &Bar::new());
        say(&explanation, &mut explainer, self.json, here);
        Ok(Outcome::Success)
    }
}

impl WhyArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let (position, moves) = parse(&self.words, here)?;
        if moves[0] == moves[1] {
            return Err(format!("{} twice: nothing to compare", position.san(moves[0])).into());
        }
        let mut explainer = Explainer::new(self.limit.nodes, here.weights.as_ref())?;
        if self.terms {
            (here.say)(&explainer.why(&position, moves));
            return Ok(Outcome::Success);
        }
        let explanation = explainer.comparison(&position, moves, &Bar::new());
        say(&explanation, &mut explainer, self.json, here);
        Ok(Outcome::Success)
    }
}
