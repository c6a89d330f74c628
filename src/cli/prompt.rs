//! The commands of the command line at the prompt of a session, parsed by the command line's
//! parser, with the position and weights of the session.

use clap::FromArgMatches;
use clap::error::ErrorKind;
use freshet::board::Position;
use freshet::engine::Engine;
use freshet::eval::weights::Weights;
use freshet::explain::breakdown::Breakdown;
use freshet::explain::moves::{self, Explainer, SearchedMove, summary};
use freshet::explain::searches::at_a_glance;
use freshet::score::{Score, pawns};
use freshet::search::Line;
use freshet::uci::{CommandError, Commands, Prompt};

use super::output::print;
use super::{Cli, Command, command, one_line};

/// The context of a command: the command line, or the prompt of a session.
pub struct Here<'a> {
    /// The position of the session.
    pub position: Option<Position>,
    /// The weights of the evaluation, if not the built-in ones.
    pub weights: Option<Weights>,
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
    /// Prints an answer.
    pub say: &'a dyn Fn(&str),
}

impl Here<'_> {
    /// The context of the command line itself.
    pub fn shell(weights: Option<Weights>) -> Here<'static> {
        Here { position: None, weights, chess960: false, say: &print }
    }
}

/// The commands of a session.
pub struct AtPrompt;

/// The help text for the prompt.
const HELP: &str = "\
eval [all] [phases] [legend] [json]     show how the position is evaluated, term by term
sensitivity                             show which weights the evaluation depends on
fills [NAME] [SQUARES] [FEN] [ascii]    draw sets of squares; without a name, list the pictures
explain MOVE [terms]                    why a move is good or bad, and what would be better
why MOVE MOVE [terms]                   why one move is better than another
perft DEPTH                             count moves
bench                                   search fixed positions
weights dump                            show the weights; setoption WeightsFile tries others";

/// Terms that the option `Explain` sends.
const EXPLAINED: usize = 5;

impl Commands for AtPrompt {
    fn names(&self) -> &'static [&'static str] {
        &["eval", "sensitivity", "fills", "explain", "why", "perft", "bench", "weights"]
    }

    fn help(&self) -> &'static str {
        HELP
    }

    fn run(&mut self, line: &str, prompt: &mut Prompt<'_>) -> Result<(), CommandError> {
        let here = Here {
            position: Some(prompt.engine.position().clone()),
            weights: prompt.engine.evaluator().loaded_weights().cloned(),
            chess960: prompt.chess960,
            say: prompt.say,
        };
        if let Some(command) = parse(line, &here)? {
            command.run(&here)?;
        }
        Ok(())
    }

    /// The reason that the line shows or, if there is none, the largest changes in the evaluation
    /// by its end.
    fn reason(
        &mut self,
        engine: &mut Engine,
        line: &Line,
        score: Score,
        may_search: bool,
    ) -> Option<String> {
        if line.is_empty() {
            return None;
        }
        let mut searched = SearchedMove::new(engine.position(), line.clone(), score);
        let weights = engine.evaluator().loaded_weights().cloned();
        let shown = match score.is_mate() {
            // The end of the line is told below.
            true if score.is_loss() => None,
            false if may_search => match Explainer::new(moves::NODES, weights.as_ref()) {
                Ok(mut explainer) => explainer.with_danger(&searched),
                Err(_) => at_a_glance(&searched),
            },
            _ => at_a_glance(&searched),
        };
        if searched.ending.is_none() {
            searched = searched.with_comparable_end();
        }
        let ending = shown.or_else(|| searched.ending_text());
        let text = ending.unwrap_or_else(|| {
            // The clock may run until the answer, so do not solve endgames for this.
            let evaluator = engine.evaluator();
            let changes = searched.changes(|position| Breakdown::of(position, evaluator));
            let [before, after] = [changes.before, changes.after].map(pawns);
            format!("from {before} to {after}: {}", summary(&changes, EXPLAINED))
        });
        Some(format!("{}: {text}", searched.san()))
    }
}

/// Parses a line. At the prompt, options may omit their hyphens: `eval all`. If the line asks
/// for help, shows it and returns `None`.
fn parse(line: &str, here: &Here<'_>) -> Result<Option<Command>, CommandError> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let mut cli = command();
    cli.build();
    let known = cli.find_subcommand(name).cloned().unwrap_or_default();
    let is_option = |word: &str| {
        let is_it =
            |arg: &clap::Arg| arg.get_long() == Some(word) && !arg.get_action().takes_values();
        known.get_arguments().any(is_it)
    };
    let words = words.map(|word| match is_option(word) {
        true => format!("--{word}"),
        false => word.to_string(),
    });
    let all = ["freshet".to_string(), name.to_string()].into_iter().chain(words);
    let parsed = cli.try_get_matches_from(all).and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(Cli { command: Some(command), .. }) => Ok(Some(command)),
        Ok(_) => Err(format!("{name} is no command").into()),
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            (here.say)(error.render().to_string().trim_end());
            Ok(None)
        }
        Err(error) => Err(one_line(&error.render().to_string()).into()),
    }
}
