//! Talking: the UCI protocol.
//!
//! Two threads. The *input thread* reads lines and never waits for the engine: while a search runs it answers `isready` at
//! once and passes `stop`, `ponderhit` and the end of input to the search; everything else goes into a queue. The
//! *engine thread* takes commands from the queue, one after the other, and searches.

pub mod command;
pub mod options;
pub mod print;
pub mod transcript;

use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use crate::board::{Move, Position};
use crate::book::Book;
use crate::score::Score;
use crate::search::{
    Ablation, Clock, Line, Reporter, SearchResult, SearcherState, StopFlag, Strength, Tablebases,
    search,
};
use crate::tools;
use crate::tools::analyse::SearchTable;
use command::{Command, Go};
use options::{Name, Options};
use print::{InfoPrinter, Style, say, score_text, tell};

/// A command in the queue, with what stops it if it is a search.
struct Queued {
    command: Command,
    control: Option<Arc<StopFlag>>,
    received: Instant,
}

/// What can be typed at the prompt.
const HELP: &str = "\
position startpos|fen FEN [moves ...]   set the position; a FEN alone sets and shows it
d                                       show the board
eval                                    show how the position is evaluated, term by term and square by square
go [depth N] [movetime MS] [infinite]   search; all of UCI's words are known
setoption name Readable value true      show searches as a table for people
stop                                    end the search
go perft DEPTH                          count moves
bench                                   search fixed positions
setoption name NAME value VALUE         set an option; uci lists them
quit                                    end
All else is the UCI protocol; freshet --help lists the commands of the command line.";

/// Something else at every start.
fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64) ^ u64::from(std::process::id()) << 32
}

/// Who we are, as in `id name`.
pub fn name() -> String {
    format!("Freshet {}", env!("CARGO_PKG_VERSION"))
}

/// Reads commands until `quit` or the end of input.
pub fn run(input: impl BufRead) {
    let searching = Arc::new(AtomicUsize::new(0));
    // Ready long before a game comes to it; without this thread the search that does works it out.
    let _ = std::thread::Builder::new().spawn(crate::eval::endgames::krkp::prepare);
    let (sender, receiver) = channel();
    let engine = {
        let searching = Arc::clone(&searching);
        std::thread::Builder::new()
            .name("engine".to_string())
            .stack_size(64 << 20)
            .spawn(move || Engine::new().serve(&receiver, &searching))
    };
    match engine {
        Ok(engine) => {
            let told_to_quit = read(input, &sender, &searching);
            drop(sender);
            // At the end of input whatever is under way is finished; `quit` waits for nothing but a search that stops.
            let patience = Instant::now() + Duration::from_millis(500);
            while told_to_quit && !engine.is_finished() && Instant::now() < patience {
                std::thread::sleep(Duration::from_millis(1));
            }
            if !told_to_quit || engine.is_finished() {
                let _ = engine.join();
            }
        }
        Err(error) => tell(&format!("error: no thread for the engine: {error}")),
    }
}

/// The input thread, until `quit` (then the answer is true) or the end of input. `searching` counts searches that are
/// queued or under way.
fn read(mut input: impl BufRead, queue: &Sender<Queued>, searching: &AtomicUsize) -> bool {
    let mut told_to_quit = false;
    let mut control: Option<Arc<StopFlag>> = None;
    let stop = |control: &Option<Arc<StopFlag>>| {
        if let Some(control) = control {
            control.stop();
        }
    };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                log::warn!("input: {error}");
                break;
            }
        }
        let line = String::from_utf8_lossy(&bytes);
        log::info!("< {}", line.trim_end());
        transcript::heard(line.trim_end());
        let received = Instant::now();
        let Ok(command) = line.parse::<Command>();
        match command {
            Command::Empty | Command::Ignored => {}
            Command::Quit => {
                told_to_quit = true;
                break;
            }
            Command::Stop => stop(&control),
            Command::PonderHit => {
                if let Some(control) = &control {
                    control.ponder_hit();
                }
            }
            Command::IsReady if searching.load(SeqCst) > 0 => say("readyok"),
            command => {
                let mut own = None;
                if let Command::Go(_) | Command::NewGame = command {
                    stop(&control);
                }
                if let Command::Go(_) = command {
                    own = Some(Arc::new(StopFlag::default()));
                    control.clone_from(&own);
                    searching.fetch_add(1, SeqCst);
                }
                if queue.send(Queued { command, control: own, received }).is_err() {
                    break;
                }
            }
        }
    }
    stop(&control);
    told_to_quit
}

/// The engine: a position, options and what was learned.
pub struct Engine {
    position: Position,
    options: Options,
    memory: SearcherState,
    book: Option<Book>,
    random: Xoshiro256PlusPlus,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine at the start position with options as they are by default.
    pub fn new() -> Engine {
        let options = Options::default();
        let memory = SearcherState::new(options.hash, options.threads)
            .or_else(|_| SearcherState::new(1, options.threads))
            .unwrap_or_else(|error| panic!("not even the smallest table: {error}"));
        let random = Xoshiro256PlusPlus::seed_from_u64(seed());
        Engine { position: Position::start(), options, memory, book: None, random }
    }

    fn serve(&mut self, queue: &Receiver<Queued>, searching: &AtomicUsize) {
        for Queued { command, control, received } in queue {
            match (command, control) {
                (Command::Go(go), Some(control)) => {
                    let found = self.search(&go, &control, received);
                    // From here on `isready` waits in the queue: after `bestmove` a GUI takes its answer as a sign that
                    // what it has sent since then is done.
                    searching.fetch_sub(1, SeqCst);
                    self.answer(found);
                }
                (command, _) => {
                    if catch_unwind(AssertUnwindSafe(|| self.obey(command))).is_err() {
                        tell("error: internal error, please report it");
                    }
                }
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => say(&format!(
                "id name {}\nid author the Freshet developers\n\n{}uciok",
                name(),
                Options::list()
            )),
            Command::IsReady => say("readyok"),
            Command::NewGame => {
                self.memory.clear();
                self.limit_strength();
            }
            Command::Position(fen, moves) => {
                self.take_position(fen.as_deref(), &moves);
            }
            Command::Paste(fen) => {
                if self.take_position(Some(&fen), &[]) {
                    self.display();
                }
            }
            Command::Help => say(HELP),
            Command::SetOption(name, value) => self.set_option(&name, value.as_deref()),
            Command::Perft(depth) => {
                let settings = tools::perft::PerftSettings {
                    chess960: self.options.chess960,
                    ..tools::perft::PerftSettings::default()
                };
                match tools::perft::divide(&mut self.position, depth, &settings, &()) {
                    Ok(divided) => say(&divided.to_string()),
                    Err(error) => tell(&format!("error: {error}")),
                }
            }
            Command::Display => self.display(),
            Command::Eval => say(&crate::explain::table::table(&self.position)),
            Command::Bench(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let settings = tools::bench::BenchSettings::parse(&words, &self.position);
                match settings.and_then(|settings| tools::bench::measure(&settings, &())) {
                    Ok(measured) => say(&tools::bench::report(&measured)),
                    Err(reason) => tell(&format!("error: {reason}")),
                }
            }
            Command::Unknown(line) => {
                let short: String = line.chars().take(80).collect();
                tell(&format!("unknown command: {short}"));
            }
            Command::Go(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Ignored
            | Command::Empty => {}
        }
    }

    /// Sets the position, and tells the GUI what is wrong if that cannot be; whether it could.
    fn take_position(&mut self, fen: Option<&str>, moves: &[String]) -> bool {
        let set = self.set_position(fen, moves);
        if let Err(reason) = &set {
            tell(&format!("error: {reason}; the position before is kept"));
        }
        set.is_ok()
    }

    /// Shows the board.
    fn display(&self) {
        let position = &self.position;
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        let text = format!(
            "{position}\n\nFen: {}\nKey: {:016X}\nCheckers: {}",
            position.fen(),
            position.key(),
            checkers.join(" "),
        );
        say(text.trim_end());
    }

    /// Sets the position; if anything is wrong the one before is kept.
    pub fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String> {
        let mut position = match fen {
            None => Position::start(),
            Some(fen) => Position::from_fen(fen).map_err(|error| format!("bad FEN: {error}"))?,
        };
        for (number, text) in moves.iter().enumerate() {
            let m = position.parse_uci(text).ok_or_else(|| {
                format!("move {} of the list, \"{text}\", is not legal", number + 1)
            })?;
            position.play(m);
        }
        self.position = position;
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let before = self.options.clone();
        let set = self.options.set(name, value).map(|(name, note)| {
            if let Some(note) = note {
                tell(&note);
            }
            name
        });
        match set {
            Err(reason) => tell(&format!("error: {reason}")),
            Ok(Name::Hash) if before.hash != self.options.hash => self.resize(before.hash),
            Ok(Name::Threads) => self.memory.set_threads(self.options.threads),
            Ok(Name::MultiPv) => self.memory.lines = self.options.lines,
            Ok(Name::SyzygyPath) => self.open_tablebases(),
            Ok(Name::SyzygyProbeDepth | Name::SyzygyProbeLimit | Name::SyzygyFiftyMoves) => {
                let probing = self.options.probing;
                if let Some(tables) = &mut self.memory.tablebases {
                    tables.probing = probing;
                }
            }
            Ok(Name::Param(index)) => {
                if let Some(number) = self.memory.params.number(index) {
                    *number = self.options.param;
                }
            }
            Ok(Name::Ablation) => match Ablation::of_names(&self.options.without) {
                Ok(without) => {
                    // What the table holds was found with the others.
                    self.memory.params.ablation = without;
                    self.memory.clear();
                }
                Err(reason) => tell(&format!("error: {reason}")),
            },
            Ok(Name::ClearHash) => self.memory.clear(),
            Ok(Name::LimitStrength | Name::Elo | Name::AnalyseMode) => {
                let limited = self.memory.strength.is_some();
                self.limit_strength();
                // What one strength has learned would help, or mislead, the other.
                if limited || self.memory.strength.is_some() {
                    self.memory.clear();
                }
            }
            Ok(Name::BookFile | Name::OwnBook) => self.open_book(),
            Ok(Name::SaveHash) => {
                let path = PathBuf::from(&self.options.hash_file);
                match self.memory.table.save(&path) {
                    Ok(()) => tell(&format!("saved to {}", path.display())),
                    Err(reason) => tell(&format!("error: {reason}")),
                }
            }
            Ok(Name::LoadHash) => {
                let path = PathBuf::from(&self.options.hash_file);
                match self.memory.table.load(&path) {
                    Ok(()) => tell(&format!("loaded from {}", path.display())),
                    Err(reason) => tell(&format!("error: {reason}")),
                }
            }
            Ok(Name::LogFile) => {
                if let Err(reason) = transcript::open(&self.options.log_file) {
                    tell(&format!("error: {reason}"));
                }
            }
            Ok(_) => {}
        }
    }

    /// Opens the endgame tables, and says what was found and what was wrong.
    fn open_tablebases(&mut self) {
        let (tables, complaints) =
            Tablebases::open(&self.options.syzygy_path, self.options.probing);
        for complaint in &complaints {
            tell(&format!("error: {complaint}"));
        }
        if !self.options.syzygy_path.is_empty() {
            match &tables {
                Some(tables) => tell(&format!(
                    "{} tablebase files, up to {} pieces",
                    tables.files,
                    tables.reach()
                )),
                None => tell("no tablebase files found; play goes on without"),
            }
        }
        self.memory.tablebases = tables;
    }

    /// Opens the book if it is to be used, and says what was wrong.
    fn open_book(&mut self) {
        self.book = None;
        if self.options.own_book && !self.options.book_file.is_empty() {
            match Book::open(Path::new(&self.options.book_file)) {
                Ok(book) => {
                    tell(&format!("book of {} moves", book.len()));
                    self.book = Some(book);
                }
                Err(reason) => tell(&format!("error: book {reason}; play goes on without")),
            }
        }
    }

    /// A move of the book, where one is wanted and known.
    fn book_move(&mut self, go: &Go) -> Option<SearchResult> {
        let limits = &go.limits;
        let analysis =
            limits.infinite || limits.ponder || limits.mate.is_some() || self.options.analyse_mode;
        if analysis
            || !go.search_moves.is_empty()
            || self.position.ply() / 2 >= self.options.book_depth
        {
            return None;
        }
        let book = self.book.as_ref()?;
        let m = book.choose(&self.position, self.options.best_book_move, &mut self.random)?;
        let choices = book.moves(&self.position).len();
        tell(&format!("book move, one of {choices}"));
        Some(SearchResult { line: Line::from_iter([m]), score: Score::DRAW, depth: 0, nodes: 0 })
    }

    /// Takes up the strength the options ask for, with other misjudgements for another game.
    fn limit_strength(&mut self) {
        let limited = self.options.limit_strength && !self.options.analyse_mode;
        let strength = Strength::of(self.options.elo).filter(|_| limited);
        self.memory.strength =
            strength.map(|strength| Strength { seed: self.random.next_u64(), ..strength });
    }

    /// A table of the new size, or the old one if the system has no room for it.
    fn resize(&mut self, before: usize) {
        if let Err(reason) = self.memory.table.resize(self.options.hash) {
            tell(&format!("error: {reason}; it stays {before} MB"));
            self.options.hash = before;
        }
    }

    /// Searches until there is an answer and the GUI wants it; none if the search has failed.
    fn search(&mut self, go: &Go, control: &StopFlag, received: Instant) -> Option<SearchResult> {
        if let Some(found) = self.book_move(go) {
            return Some(found);
        }
        let mut limits = self.memory.limited(&go.limits);
        limits.search_moves =
            go.search_moves.iter().filter_map(|text| self.position.parse_uci(text)).collect();
        self.memory.table.new_search();
        let clock =
            Clock::new(&limits, &self.position, self.options.move_overhead, received, control);
        let Options { chess960, show_wdl: wdl, minimal, .. } = self.options;
        let mut printer = InfoPrinter::new(self.position.clone(), Style { chess960, wdl, minimal });
        let mut row = |line: &str| say(line);
        let mut table = SearchTable::new(self.position.clone(), &mut row);
        let reporter: &mut dyn Reporter =
            if self.options.readable { &mut table } else { &mut printer };
        let found = catch_unwind(AssertUnwindSafe(|| {
            search(
                &self.position,
                &limits.search_moves,
                &clock,
                control,
                &mut self.memory,
                reporter,
            )
        }));
        printer.finish();
        control.wait_for_gui(&limits);
        found.ok()
    }

    fn answer(&mut self, found: Option<SearchResult>) {
        let line: Vec<Move> = match found {
            Some(found) => {
                if found.line.is_empty() {
                    let score = score_text(found.score);
                    say(&format!("info depth 0 score {score}"));
                }
                found.line.to_vec()
            }
            None => {
                tell("error: internal error in the search, please report it");
                self.position.moves().first().copied().into_iter().collect()
            }
        };
        let chess960 = self.options.chess960;
        let mut words = line_words(&self.position, &line, chess960);
        match (words.next(), words.next()) {
            (Some(best), Some(reply)) => say(&format!("bestmove {best} ponder {reply}")),
            (Some(best), None) => say(&format!("bestmove {best}")),
            (None, _) => say("bestmove (none)"),
        }
    }
}

fn line_words(position: &Position, line: &[Move], chess960: bool) -> impl Iterator<Item = String> {
    let text = print::line_text(position, &line[..line.len().min(2)], chess960);
    text.split_whitespace().map(str::to_string).collect::<Vec<_>>().into_iter()
}
