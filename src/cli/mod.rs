//! The command line: one file per subcommand, with its arguments, its work and its output.

mod analyse;
mod annotate;
mod bench;
mod blocked;
mod board;
mod book;
mod completions;
mod datagen;
mod eval;
mod explain;
mod fen;
mod fills;
mod genfens;
mod html;
mod openings;
mod output;
mod perft;
mod prompt;
mod reasons;
mod record;
mod replay;
mod sensitivity;
mod solve;
mod spsa;
mod tune;
mod uci;
mod values;
mod verify;
mod weights;

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use freshet::fill::{BACKEND, processor};
use freshet::tools;
use prompt::Here;

/// The end of a command without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The command succeeded: exit status 0.
    Success,
    /// A check failed: exit status 1.
    Failure,
}

/// The error of a command, as one line: exit status 2.
type CommandError = Box<dyn Error + Send + Sync>;

/// The exit status of usage errors and commands that cannot do their work.
const ERROR_STATUS: u8 = 2;

/// The version, with the instructions that the fills use, and those that a build for this processor
/// would use: `cargo install` builds for any x86-64.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let version = format!("{}, fills by {BACKEND}", env!("CARGO_PKG_VERSION"));
    match processor::unused() {
        Some(better) => format!(
            "{version}\nThis processor has {better}: a build with RUSTFLAGS=\"-C target-cpu=native\" \
             would use it."
        ),
        None => version,
    }
});

/// Freshet, a classical UCI chess engine. Without a command it talks UCI on standard input and
/// output.
#[derive(Parser)]
#[command(
    name = "freshet",
    bin_name = "freshet",
    display_name = "Freshet",
    version = VERSION.as_str(),
    max_term_width = 100,
    after_help = "Exit status: 0 if all is well, 1 if a check has failed (verify, \
                  perft --suite) or part of the input was left out (analyse, annotate, blocked, \
                  book build, html, reasons), 2 after an error.\n\
                  Set RUST_LOG=info to have the conversation logged on standard error."
)]
struct Cli {
    /// Weights of the evaluation to use instead of the built-in ones (see weights dump)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Uci(uci::UciArgs),
    Bench(bench::BenchArgs),
    Perft(perft::PerftArgs),
    Eval(eval::EvalArgs),
    Fills(fills::FillsArgs),
    Svg(fills::SvgArgs),
    Board(board::BoardArgs),
    Html(html::HtmlArgs),
    Sensitivity(sensitivity::SensitivityArgs),
    #[command(visible_alias = "analyze")]
    Analyse(analyse::AnalyseArgs),
    Annotate(annotate::AnnotateArgs),
    Explain(explain::ExplainArgs),
    Why(explain::WhyArgs),
    Weights(weights::WeightsArgs),
    Blocked(blocked::BlockedArgs),
    Reasons(reasons::ReasonsArgs),
    Solve(solve::SolveArgs),
    Verify(verify::VerifyArgs),
    Record(record::RecordArgs),
    Replay(replay::ReplayArgs),
    Book(book::BookArgs),
    Openings(openings::OpeningsArgs),
    Genfens(genfens::GenfensArgs),
    Spsa(spsa::SpsaArgs),
    Datagen(datagen::DatagenArgs),
    Tune(tune::TuneArgs),
    Completions(completions::CompletionsArgs),
}

impl Command {
    fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let weights = || here.weights.clone();
        match self {
            Command::Uci(args) => args.run(),
            Command::Bench(args) => args.run(here),
            Command::Perft(args) => args.run(here),
            Command::Eval(args) => args.run(here),
            Command::Fills(args) => args.run(here),
            Command::Svg(args) => args.run(here),
            Command::Board(args) => args.run(weights()),
            Command::Html(args) => args.run(weights()),
            Command::Sensitivity(args) => args.run(here),
            Command::Analyse(args) => args.run(weights()),
            Command::Annotate(args) => args.run(weights()),
            Command::Explain(args) => args.run(here),
            Command::Why(args) => args.run(here),
            Command::Weights(args) => args.run(here),
            Command::Reasons(args) => args.run(weights()),
            Command::Blocked(args) => args.run(weights()),
            Command::Solve(args) => args.run(here),
            Command::Verify(args) => args.run(),
            Command::Record(args) => args.run(weights()),
            Command::Replay(args) => args.run(weights()),
            Command::Book(args) => args.run(here),
            Command::Openings(args) => args.run(weights()),
            Command::Genfens(args) => args.run(),
            Command::Spsa(args) => args.run(),
            Command::Datagen(args) => args.run(weights()),
            Command::Tune(args) => args.run(weights()),
            Command::Completions(args) => args.run(),
        }
    }
}

/// The command line as a clap command. Arguments may look like negative numbers, so that clap
/// rejects these as bad numbers instead of unknown options.
fn command() -> clap::Command {
    with_negative_numbers(Cli::command())
}

fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// The arguments, with OpenBench's form resolved: it passes a command with all its arguments as one
/// argument, and `quit` as another.
fn resolved(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.collect();
    match &arguments[..] {
        [program, genfens, ..] => match genfens.to_str() {
            Some(text) if text.starts_with("genfens ") => {
                let words = text.split_whitespace().map(OsString::from);
                std::iter::once(program.clone()).chain(words).collect()
            }
            _ => arguments,
        },
        _ => arguments,
    }
}

/// Runs the command that the arguments ask for, and UCI without one.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments = resolved(arguments);
    let matches = command().try_get_matches_from(&arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, &arguments),
    };
    let weights = match cli.weights.as_deref().map(tools::weights::read).transpose() {
        Ok(weights) => weights,
        Err(error) => return print_error(&error.to_string()),
    };
    let outcome = match cli.command {
        Some(command) => command.run(&Here::shell(weights)),
        None => uci::talk(&uci::output(), weights),
    };
    match outcome {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::Failure) => ExitCode::FAILURE,
        Err(error) => print_error(&error.to_string()),
    }
}

/// Shows help or version if asked for, otherwise the error in the arguments.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
        // A closed output is not an error.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let problem = one_line(&error.render().to_string());
    print_error(&format!("{problem} (see {} --help)", command_name(arguments)))
}

/// The name of the command that the arguments are for: `freshet book build`.
fn command_name(arguments: &[OsString]) -> String {
    let mut command = &command();
    let mut name = command.get_name().to_string();
    for argument in arguments.iter().skip(1) {
        let Some(subcommand) = command.find_subcommand(argument) else { break };
        name = format!("{name} {}", subcommand.get_name());
        command = subcommand;
    }
    name
}

/// An error of clap on one line: without usage, and with its tips after semicolons.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let end = ["\nUsage:", "\nFor more information"].iter().filter_map(|start| text.find(start));
    let mut line = String::new();
    for part in text[..end.min().unwrap_or(text.len())].lines().map(str::trim) {
        let separator = match part {
            _ if line.is_empty() || part.is_empty() => "",
            _ if part.starts_with("tip: ") => "; ",
            _ => " ",
        };
        line.push_str(separator);
        line.push_str(part);
    }
    line
}

/// Prints on one line of standard error why a command cannot run.
fn print_error(text: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "freshet: {}", text.replace(['\r', '\n'], " "));
    ExitCode::from(ERROR_STATUS)
}
