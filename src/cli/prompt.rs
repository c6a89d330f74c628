//! The commands of the command line at the prompt of a session, parsed by the command line's
//! parser, with the position and weights of the session.

use clap::FromArgMatches;
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
        parse(line)?.run(&here).map(|_| ())
    }

    /// The reason that the line shows or, if there is none, the largest changes in the evaluation
    /// by its end.
    fn reason(&mut self, engine: &mut Engine, line: &Line, score: Score) -> Option<String> {
        if line.is_empty() {
            return None;
        }
        let mut searched = SearchedMove::new(engine.position(), line.clone(), score);
        let weights = engine.evaluator().loaded_weights().cloned();
        let shown = match Explainer::new(moves::NODES, weights.as_ref()) {
            Ok(mut explainer) => explainer.with_danger(&searched),
            Err(_) => at_a_glance(&searched),
        };
        if searched.ending.is_none() {
            searched = searched.with_comparable_end();
        }
        let ending = shown.or_else(|| searched.ending_text());
        let text = ending.unwrap_or_else(|| {
            // The clock runs until the answer, so do not solve endgames for this.
            let evaluator = engine.evaluator();
            let changes = searched.changes(|position| Breakdown::of(position, evaluator));
            let [before, after] = [changes.before, changes.after].map(pawns);
            format!("from {before} to {after}: {}", summary(&changes, EXPLAINED))
        });
        Some(format!("{}: {text}", searched.san()))
    }
}

/// Parses a line. At the prompt, options may omit their hyphens: `eval all`.
fn parse(line: &str) -> Result<Command, CommandError> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let cli = command();
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
        Ok(Cli { command: Some(command), .. }) => Ok(command),
        Ok(_) => Err(format!("{name} is no command").into()),
        Err(error) => Err(one_line(&error.render().to_string()).into()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use freshet::uci::output::Output;
    use freshet::uci::single::SingleThread;

    use super::*;

    /// A writer that keeps its output.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The output of a session for these lines of input.
    fn said(lines: &[&str]) -> Vec<String> {
        let kept = Kept::default();
        let output = Output::new(kept.clone(), || {});
        let mut session = SingleThread::new(output, || None, Box::new(AtPrompt)).expect("memory");
        lines.iter().for_each(|line| session.run_line(line));
        let bytes = kept.0.lock().expect("no panic");
        String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect()
    }

    #[test]
    fn perft_writes_castling_as_the_gui_does() {
        let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let castling = |before: &[&str]| {
            let lines = said(&[before, &[position, "go perft 1"]].concat());
            lines.into_iter().filter(|line| line.starts_with("e1")).collect::<Vec<_>>()
        };
        assert!(castling(&[]).contains(&"e1g1: 1".to_string()));
        let chess960 = castling(&["setoption name UCI_Chess960 value true"]);
        assert!(chess960.contains(&"e1h1: 1".to_string()), "{chess960:?}");
    }

    #[test]
    fn pictures_are_drawn_with_the_symbols_asked_for() {
        let is_ascii = |line: &str| said(&[line]).iter().all(|line| line.is_ascii());
        assert!(is_ascii("fills king-paths e8 ascii"));
        assert!(!is_ascii("fills king-paths e8"));
        assert!(!said(&["fills king-paths e8 ascii"])[0].starts_with("info string"));
    }

    #[test]
    fn positions_are_evaluated() {
        let shown = |line: &str| said(&[line]).join("\n");
        assert!(shown("eval json").starts_with('{'));
        let [plain, phases, legend] = ["eval", "eval phases", "eval legend"].map(shown);
        assert!(plain.contains("Final evaluation: "), "{plain}");
        assert!(!plain.contains("Midgame") && phases.contains("Midgame"), "{phases}");
        assert!(legend.contains("It is this side's turn to move."), "{legend}");
        let all = shown("eval all");
        assert!(all.len() > plain.len() + 500 && !all.contains("left out"), "{all}");
        assert!(shown("eval x").starts_with("info string error: "));
    }

    #[test]
    fn what_a_line_changes_is_told() {
        let explained = said(&["setoption name Explain value true", "go depth 2"]);
        let told = &explained[explained.len() - 2];
        assert!(told.starts_with("info string explain ") && told.contains(": it "), "{told}");
        // Mate on f7 is threatened.
        let fen = "position fen r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
        let explained = said(&["setoption name Explain value true", fen, "go nodes 20000"]);
        let told = &explained[explained.len() - 2];
        assert!(told.ends_with("it meets the threat of 4.Qxf7#"), "{told}");
        let plain = said(&["go depth 2"]);
        assert!(!plain.iter().any(|line| line.contains("explain")), "{plain:?}");
    }

    #[test]
    fn a_bench_is_reported() {
        assert!(said(&["bench 1 1 1"]).iter().any(|line| line.contains(" nodes ")));
    }

    #[test]
    fn what_cannot_be_explained_is_told() {
        for (line, reason) in [
            ("explain Ke3", "Ke3\": not a legal move here"),
            ("why e4 Ke3", "Ke3\": not a legal move here"),
            ("explain", "required arguments"),
            ("why e4", "required"),
            ("bench fast", "fast"),
            ("weights", "subcommand"),
            ("eval --depth 3", "--depth"),
        ] {
            let lines = said(&[line]);
            assert_eq!(lines.len(), 1, "{line}: {lines:?}");
            assert!(lines[0].starts_with("info string error: "), "{line}: {lines:?}");
            assert!(lines[0].contains(reason), "{line}: {lines:?}");
        }
    }

    /// Each name is a command of the command line, and `help` lists it.
    #[test]
    fn all_commands_are_known() {
        for name in AtPrompt.names() {
            assert!(command().find_subcommand(name).is_some(), "{name}");
            assert!(AtPrompt.help().lines().any(|line| line.starts_with(name)), "{name}");
        }
        assert_eq!(AtPrompt.help().lines().count(), AtPrompt.names().len());
    }
}
