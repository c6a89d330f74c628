//! The door: logging on, arguments to a command.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use freshet::board::Position;
use freshet::fill::processor;
use freshet::{explain, tools, tuning, uci};

const HELP: &str = "\
freshet                              talk UCI on standard input and output
freshet uci                          answer `uci` and end
freshet bench [MB THREADS LIMIT FILE|default depth|nodes|movetime]
                                     search fixed positions: `N nodes M nps`
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
                                     [--without ROOM|TERM] [--fresh ROOM|TERM] [--threads N] [--seed N]
                                     tune the weights of the evaluation on such positions: prints weights.rs
freshet tune wdl DATA...             fit what scores promise to own games: files of datagen, or .pgn files of match
                                     runners with scores of this version in the comments
freshet tune strength [--pairs N] [--threads N] [--openings FILE]
                                     play the levels of limited strength against their neighbours
freshet tune worth [NAME...] [--pairs N] [--nodes N] [--threads N] [--seed N] [--openings FILE]
                                     play with and without each rule of the search and group of the evaluation (200
                                     pairs of 4000 nodes a move; only in a build with --features tune)
freshet analyse FEN|FILE.pgn [--time MS] [--nodes N] [--threads N] [--hash MB]
                                     search a position, or every position of games, and show it as a table
freshet verify                       are fills, moves, evaluation and bench as they should be on this machine?
freshet record FILE                  as without arguments, everything read and written going to the file
freshet replay FILE                  play such a file again and compare the answers
freshet book build GAMES... BOOK     make a Polyglot book of PGN files or tables of opening lines
freshet book show BOOK [FEN]         moves of a book, with their weights
freshet genfens N seed S book FILE|None
                                     start positions in the form of OpenBench
freshet spsa                         the numbers of the search in the form of OpenBench
freshet openings FOLDER              make start positions from the opening lines in a folder of .tsv files
freshet --version                    name and version
freshet --help                       this text

Set RUST_LOG=info to have the conversation logged on standard error.";

fn main() -> ExitCode {
    let missing = processor::missing();
    if missing != 0 {
        processor::write_missing(missing, &mut std::io::stderr());
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
        [] => uci::run(std::io::stdin().lock(), &output()),
        // As Fishtest asks: what the command answers, and the end.
        ["uci"] => uci::run(&b"uci\n"[..], &output()),
        ["record", file] => {
            let output = output();
            output.open_transcript(Some(file.as_ref())).map_err(|error| error.to_string())?;
            uci::run(std::io::stdin().lock(), &output);
        }
        ["replay", file] => {
            let output = output();
            let replay = uci::replay::Replay::open(file.as_ref(), output.clone())?;
            let recorded = replay.answers();
            uci::run(replay, &output);
            let same = recorded == output.answers();
            let _ = writeln!(
                std::io::stderr(),
                "{}",
                if same {
                    "all answers are as recorded"
                } else {
                    "answers differ from the recorded ones"
                }
            );
            return Ok(same);
        }
        ["bench", rest @ ..] => {
            let settings = tools::bench::BenchSettings::parse(rest, &Position::start())?;
            let measured = tools::bench::measure(&settings)?;
            let milliseconds = measured.time.as_millis().max(1);
            let _ = writeln!(
                std::io::stderr(),
                "===========================\nTotal time (ms) : {milliseconds}\nNodes searched  : {}\nNodes/second    : {}",
                measured.nodes,
                u128::from(measured.nodes) * 1000 / milliseconds
            );
            say(&tools::bench::report(&measured));
        }
        // OpenBench gives every command as one argument.
        [command, ..] if command.starts_with("genfens ") => {
            let words: Vec<&str> = command.split_whitespace().collect();
            genfens(&words)?;
        }
        ["genfens", ..] => genfens(words)?,
        ["verify"] => return Ok(tools::verify::run(&mut |line| say(line))),
        ["analyse" | "analyze", rest @ ..] => return analyse(rest).map(|()| true),
        ["book", "build", sources @ .., output] if !sources.is_empty() => {
            let mut builder = freshet::book::build::Builder::default();
            for source in sources {
                builder.add_path(source.as_ref())?;
            }
            let book = builder.book();
            std::fs::write(output, &book).map_err(|error| format!("{output}: {error}"))?;
            say(&format!(
                "{} games, {} refused, {} entries",
                builder.games,
                builder.refused,
                book.len() / 16
            ));
        }
        ["book", "show", file, fen @ ..] => {
            let position = position(fen)?;
            let book = freshet::book::Book::open(file.as_ref())?;
            for (m, weight) in book.moves(&position) {
                say(&format!("{weight:6} {}", position.san(m)));
            }
        }
        ["perft", "--suite", file, rest @ ..] => {
            let bound = Flags::of(rest, &["--nodes"])?.optional("--nodes")?.unwrap_or(100_000_000);
            let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            return Ok(tools::perft::suite(&text, bound, out).unwrap_or(false));
        }
        ["perft", depth, rest @ ..] => {
            let depth = parse(depth, "a depth")?;
            let (fen, options) = before_flags(rest);
            let mut settings = tools::perft::PerftSettings::default();
            let flags = Flags::of(options, &["--leaves", "--threads", "--hash"])?;
            if let Some(leaves) = flags.text("--leaves") {
                settings.leaves = leaves.parse()?;
            }
            flags.number("--threads", &mut settings.threads)?;
            flags.number("--hash", &mut settings.hash)?;
            tools::perft::divide(&mut position(fen)?, depth, &settings, false, out)?;
        }
        ["eval", fen @ ..] => say(&explain::table::table(&position(fen)?)),
        ["blocked", file, rest @ ..] => {
            let nodes = Flags::of(rest, &["--nodes"])?.optional("--nodes")?;
            let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            say(&tools::blocked::run(&text, nodes)?);
        }
        ["openings", folder] => {
            let epd = tools::openings::make(std::path::Path::new(folder))?;
            say(&epd);
        }
        ["spsa"] => say(&tuning::spsa::lines()),
        ["datagen", rest @ ..] => {
            let mut settings = tuning::datagen::DatagenSettings::default();
            let names = ["--openings", "--output", "--games", "--nodes", "--threads", "--seed"];
            let flags = Flags::of(rest, &names)?;
            flags.path("--openings", &mut settings.openings);
            flags.path("--output", &mut settings.output);
            flags.number("--games", &mut settings.games)?;
            flags.number("--nodes", &mut settings.nodes)?;
            flags.number("--threads", &mut settings.threads)?;
            flags.number("--seed", &mut settings.seed)?;
            say(&format!("{} positions", tuning::datagen::run(&settings)?));
        }
        ["tune", "eval", rest @ ..] => {
            let mut settings = tuning::texel::TexelSettings::default();
            let names = [
                "--data",
                "--epochs",
                "--rate",
                "--without",
                "--fresh",
                "--prior",
                "--results",
                "--threads",
                "--seed",
            ];
            let flags = Flags::of(rest, &names)?;
            settings.data = flags.all("--data").map(Into::into).collect();
            settings.without = flags.all("--without").map(str::to_string).collect();
            settings.fresh = flags.all("--fresh").map(str::to_string).collect();
            flags.number("--epochs", &mut settings.epochs)?;
            flags.number("--rate", &mut settings.rate)?;
            flags.number("--prior", &mut settings.prior)?;
            flags.number("--results", &mut settings.result_share)?;
            flags.number("--threads", &mut settings.threads)?;
            flags.number("--seed", &mut settings.seed)?;
            let mut say = |line: &str| {
                let _ = writeln!(std::io::stderr(), "{line}");
            };
            print(tuning::texel::run(&settings, &mut say)?.trim_end());
        }
        ["tune", "wdl", files @ ..] if !files.is_empty() => {
            let files: Vec<_> = files.iter().map(Into::into).collect();
            let mut say = |line: &str| {
                let _ = writeln!(std::io::stderr(), "{line}");
            };
            print(&tuning::wdl::run(&files, &mut say)?);
        }
        ["tune", "strength", rest @ ..] => {
            let (mut pairs, mut threads, mut openings) =
                (200, 1, PathBuf::from("openings/freshet.epd"));
            let flags = Flags::of(rest, &["--pairs", "--threads", "--openings"])?;
            flags.number("--pairs", &mut pairs)?;
            flags.number("--threads", &mut threads)?;
            flags.path("--openings", &mut openings);
            let mut say = |line: &str| say(line);
            tuning::strength::run(&openings, pairs, threads, 1, &mut say)?;
        }
        ["tune", "worth", rest @ ..] => {
            let mut settings = tuning::ablation::AblationSettings::default();
            let (names, options) = before_flags(rest);
            settings.names = names.iter().map(|name| name.to_string()).collect();
            let flags =
                Flags::of(options, &["--openings", "--pairs", "--nodes", "--threads", "--seed"])?;
            flags.path("--openings", &mut settings.openings);
            flags.number("--pairs", &mut settings.pairs)?;
            flags.number("--nodes", &mut settings.nodes)?;
            flags.number("--threads", &mut settings.threads)?;
            flags.number("--seed", &mut settings.seed)?;
            tuning::ablation::run(&settings, &mut |line| say(line))?;
        }
        ["tune", "search", rest @ ..] => {
            let mut settings = tuning::spsa::SpsaSettings::default();
            let names = ["--openings", "--state", "--pairs", "--nodes", "--threads", "--seed"];
            let flags = Flags::of(rest, &names)?;
            flags.path("--openings", &mut settings.openings);
            flags.path("--state", &mut settings.state);
            flags.number("--pairs", &mut settings.pairs)?;
            flags.number("--nodes", &mut settings.nodes)?;
            flags.number("--threads", &mut settings.threads)?;
            flags.number("--seed", &mut settings.seed)?;
            say(&tuning::spsa::run(&settings)?);
        }
        ["--version" | "-V"] => {
            say(&format!("{}, fills by {}", uci::name(), freshet::fill::BACKEND));
        }
        ["--help" | "-h" | "help"] => say(HELP),
        [word, ..] => return Err(format!("unknown command: {word} (see freshet --help)")),
    }
    Ok(true)
}

/// `genfens N seed S book FILE|None`: positions to start games from.
fn genfens(words: &[&str]) -> Result<(), String> {
    let after =
        |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1));
    let count = parse(words.get(1).ok_or("genfens needs a number")?, "a number of positions")?;
    let seed = after("seed").map_or(Ok(1), |seed| parse(seed, "a number"))?;
    let book = after("book").filter(|file| !file.eq_ignore_ascii_case("none"));
    for fen in tuning::datagen::genfens(count, seed, book.map(AsRef::as_ref))? {
        say(&format!("info string genfens {fen}"));
    }
    Ok(())
}

/// `analyse FEN|PGN` with how long to look.
fn analyse(words: &[&str]) -> Result<(), String> {
    let (what, options) = before_flags(words);
    let mut settings = tools::analyse::AnalyseSettings::default();
    let flags = Flags::of(options, &["--time", "--nodes", "--hash", "--threads"])?;
    settings.time = flags.optional("--time")?;
    settings.nodes = flags.optional("--nodes")?;
    flags.number("--hash", &mut settings.hash)?;
    flags.number("--threads", &mut settings.threads)?;
    let mut say = |line: &str| say(line);
    match what {
        [file] if file.ends_with(".pgn") => {
            tools::analyse::games(file.as_ref(), &settings, &mut say)
        }
        fen => tools::analyse::position(&position(fen)?, &settings, &mut say),
    }
}

/// What comes before the first flag, and the rest.
fn before_flags<'a, 'b>(words: &'b [&'a str]) -> (&'b [&'a str], &'b [&'a str]) {
    words.split_at(words.iter().position(|word| word.starts_with("--")).unwrap_or(words.len()))
}

/// Pairs of `--name value` in any order.
struct Flags<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Flags<'a> {
    /// The pairs of which `words` are made, all with known names.
    fn of(words: &[&'a str], known: &[&str]) -> Result<Flags<'a>, String> {
        let pairs = words.chunks(2).map(|pair| match *pair {
            [name, value] if known.contains(&name) => Ok((name, value)),
            [name] if known.contains(&name) => Err(format!("{name} needs a value")),
            _ => Err(format!("unknown argument: {}", pair[0])),
        });
        Ok(Flags(pairs.collect::<Result<_, String>>()?))
    }

    /// All values of a name.
    fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The last value of a name.
    fn text(&self, name: &str) -> Option<&'a str> {
        self.all(name).last()
    }

    fn optional<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        let value = self.text(name);
        value
            .map(|value| value.parse().map_err(|_| format!("{name}: {value} is no such number")))
            .transpose()
    }

    /// Sets a number if there is a value for it.
    fn number<T: std::str::FromStr>(&self, name: &str, number: &mut T) -> Result<(), String> {
        if let Some(value) = self.optional(name)? {
            *number = value;
        }
        Ok(())
    }

    /// Sets a path if there is a value for it.
    fn path(&self, name: &str, path: &mut PathBuf) {
        if let Some(value) = self.text(name) {
            *path = value.into();
        }
    }
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

/// Standard output, without which there is nothing left to do.
fn output() -> uci::output::Output {
    uci::output::Output::new(std::io::stdout(), || std::process::exit(1))
}

fn say(text: &str) {
    output().say(text);
}

fn print(text: &str) {
    output().say(text);
}
