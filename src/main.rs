//! The door: logging on, arguments to a command.

use std::io::Write;
use std::process::ExitCode;

use freshet::board::Position;
use freshet::fill::processor;
use freshet::{tools, uci};

const HELP: &str = "\
freshet                              talk UCI on standard input and output
freshet uci                          the same
freshet bench                        search fixed positions: `N nodes M nps`
freshet perft DEPTH [FEN]            count moves, `move: count` for each of the root
        --leaves bare|counted|listed|played
                                        what is done with the last ply (default counted)
        --threads N --hash MB           use threads and a table (default one and none)
freshet perft --suite FILE [--nodes N]
                                     check an EPD file of counts, each line up to N nodes (default 100000000)
freshet eval [FEN]                   show how a position is evaluated
freshet blocked FILE [--nodes N]     judge an EPD file of endings with known results, at once or after a search
freshet tune search [--pairs N] [--nodes N] [--threads N] [--seed N] [--openings FILE] [--state FILE]
                                     tune the numbers of the search by games against itself (10000 pairs of
                                     4000 nodes a move; what is reached is kept in spsa.txt and gone on from)
freshet datagen [--games N] [--nodes N] [--threads N] [--seed N] [--openings FILE] [--output FILE]
                                     play games against itself and keep quiet positions (10000 games of 5000
                                     nodes a move, in data.bin; a run that was cut off goes on)
freshet tune eval --data FILE [--data FILE] [--epochs N] [--rate R] [--results SHARE] [--prior CP]
                                     [--threads N] [--seed N]
                                     tune the weights of the evaluation on such positions: prints weights.rs
freshet spsa                         the numbers of the search in the form of OpenBench
freshet openings FOLDER              make start positions from the opening lines in a folder of .tsv files
freshet --version                    name and version
freshet --help                       this text

Set RUST_LOG=info to have the conversation logged on standard error.";

fn main() -> ExitCode {
    let missing = processor::missing();
    if missing != 0 {
        processor::complain(missing);
        return ExitCode::FAILURE;
    }
    start()
}

/// Everything after the check of the processor: not before it, whatever the compiler would like to do early.
#[inline(never)]
fn start() -> ExitCode {
    env_logger::init();
    log::info!("{}, fills by {}", uci::name(), freshet::fill::BACKEND);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "freshet: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; the answer is whether all is as it should be, an error what was wrong with the arguments.
fn run(words: &[&str]) -> Result<bool, String> {
    let out = &mut std::io::stdout();
    match words {
        [] | ["uci"] => uci::run(std::io::stdin().lock()),
        ["bench", ..] => uci::print::say(&tools::bench::report()),
        ["perft", "--suite", file, rest @ ..] => {
            let bound = match rest {
                [] => 100_000_000,
                ["--nodes", nodes] => parse(nodes, "a number of nodes")?,
                _ => return Err(format!("unknown argument: {}", rest[0])),
            };
            let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            return Ok(tools::perft::suite(&text, bound, out).unwrap_or(false));
        }
        ["perft", depth, rest @ ..] => {
            let depth = parse(depth, "a depth")?;
            let options_at = rest.iter().position(|word| word.starts_with("--")).unwrap_or(rest.len());
            let (fen, options) = rest.split_at(options_at);
            let mut how = tools::perft::How::default();
            for pair in options.chunks(2) {
                match pair {
                    ["--leaves", leaves] => how.leaves = leaves.parse()?,
                    ["--threads", threads] => how.threads = parse(threads, "a number of threads")?,
                    ["--hash", mib] => how.hash = parse(mib, "a number of MB")?,
                    _ => return Err(format!("unknown argument: {}", pair[0])),
                }
            }
            tools::perft::divide(&mut position(fen)?, depth, &how, false, out)?;
        }
        ["eval", fen @ ..] => uci::print::say(&tools::explain::table(&position(fen)?)),
        ["blocked", file, rest @ ..] => {
            let nodes = match rest {
                [] => None,
                ["--nodes", nodes] => Some(parse(nodes, "a number of nodes")?),
                _ => return Err(format!("unknown argument: {}", rest[0])),
            };
            let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            uci::print::say(&tools::blocked::run(&text, nodes)?);
        }
        ["openings", folder] => {
            let epd = tools::openings::make(std::path::Path::new(folder))?;
            uci::print::say(&epd);
        }
        ["spsa"] => uci::print::say(&tools::spsa::lines()),
        ["datagen", rest @ ..] => {
            let mut how = tools::datagen::How::default();
            for pair in rest.chunks(2) {
                match pair {
                    ["--openings", file] => how.openings = file.into(),
                    ["--output", file] => how.output = file.into(),
                    ["--games", games] => how.games = parse(games, "a number of games")?,
                    ["--nodes", nodes] => how.nodes = parse(nodes, "a number of nodes")?,
                    ["--threads", threads] => how.threads = parse(threads, "a number of threads")?,
                    ["--seed", seed] => how.seed = parse(seed, "a number")?,
                    _ => return Err(format!("unknown argument: {}", pair[0])),
                }
            }
            uci::print::say(&format!("{} positions", tools::datagen::run(&how)?));
        }
        ["tune", "eval", rest @ ..] => {
            let mut how = tools::tuner::How::default();
            for pair in rest.chunks(2) {
                match pair {
                    ["--data", file] => how.data.push(file.into()),
                    ["--epochs", epochs] => how.epochs = parse(epochs, "a number of epochs")?,
                    ["--rate", rate] => how.rate = parse(rate, "a number")?,
                    ["--prior", width] => how.prior = parse(width, "centipawns")?,
                    ["--results", share] => how.result_share = parse(share, "a share from 0 to 1")?,
                    ["--threads", threads] => how.threads = parse(threads, "a number of threads")?,
                    ["--seed", seed] => how.seed = parse(seed, "a number")?,
                    _ => return Err(format!("unknown argument: {}", pair[0])),
                }
            }
            let mut say = |line: &str| {
                let _ = writeln!(std::io::stderr(), "{line}");
            };
            uci::print::say(tools::tuner::run(&how, &mut say)?.trim_end());
        }
        ["tune", "search", rest @ ..] => {
            let mut how = tools::spsa::How::default();
            for pair in rest.chunks(2) {
                match pair {
                    ["--openings", file] => how.openings = file.into(),
                    ["--state", file] => how.state = file.into(),
                    ["--pairs", pairs] => how.pairs = parse(pairs, "a number of pairs")?,
                    ["--nodes", nodes] => how.nodes = parse(nodes, "a number of nodes")?,
                    ["--threads", threads] => how.threads = parse(threads, "a number of threads")?,
                    ["--seed", seed] => how.seed = parse(seed, "a number")?,
                    _ => return Err(format!("unknown argument: {}", pair[0])),
                }
            }
            uci::print::say(&tools::spsa::run(&how)?);
        }
        ["--version" | "-V"] => {
            uci::print::say(&format!("{}, fills by {}", uci::name(), freshet::fill::BACKEND));
        }
        ["--help" | "-h" | "help"] => uci::print::say(HELP),
        [word, ..] => return Err(format!("unknown command: {word} (see freshet --help)")),
    }
    Ok(true)
}

fn parse<T: std::str::FromStr>(word: &str, what: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word} is not {what}"))
}

/// The position of a FEN given as one argument or many, the start without.
fn position(fen: &[&str]) -> Result<Position, String> {
    if fen.is_empty() {
        return Ok(Position::start());
    }
    Position::from_fen(&fen.join(" ")).map_err(|error| format!("bad FEN: {error}"))
}
