//! The engine thread of a session: commands to the engine, its answers to the output.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::command::{Command, Go};
use super::options::{self, Failure, Settings, Target};
use super::output::Output;
use super::print::{InfoPrinter, line_text, score_text};
use crate::board::{Move, ParseMoveError, Position};
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::explain;
use crate::explain::breakdown::Breakdown;
use crate::explain::moves::{Explainer, NODES, SearchedMove, summary};
use crate::explain::pictures::{self, text};
use crate::explain::table::TableOptions;
use crate::fault::{Place, inject};
use crate::progress::Progress;
use crate::score::{Score, pawns};
use crate::search::{Bound, Line, MemoryError, Report, Reporter, SearchResult, StopFlag};
use crate::tools::analyse::SearchTable;
use crate::tools::{analyse, bench, perft, weights};

/// A command in the queue, with its stop flag if it is a search.
pub struct Queued {
    pub command: Command,
    pub flag: Option<Arc<StopFlag>>,
}

/// How many weights `sensitivity` shows.
const SENSITIVITY: usize = 40;

/// What can be typed at the prompt.
const HELP: &str = "\
position startpos|fen FEN [moves ...]   set the position; a FEN alone sets and shows it
d                                       show the board
MOVE [MOVE ...]                         play moves: e2e4, or Nf3 d5
flip                                    exchange the sides: colours and side to move
eval [all] [phases] [legend] [json]     show how the position is evaluated, term by term
sensitivity                             show which weights the evaluation depends on
fills [NAME] [SQUARES] [FEN] [ascii]    draw sets of squares; without a name, list the pictures
explain MOVE                            what a move changes, term by term, and what would be better
why MOVE MOVE                           what is different after two moves, term by term
go [depth N] [movetime MS] [infinite]   search; all of UCI's words are known
setoption name Readable value false     show searches as UCI lines, not as a table for people
stop                                    end the search
go perft DEPTH                          count moves
bench                                   search fixed positions
weights dump, weights load FILE         show the weights of the evaluation, try others
setoption name NAME value VALUE         set an option; uci lists them
quit                                    end
All else is the UCI protocol; freshet --help lists the commands of the command line.";

/// The engine with what the GUI has set.
pub struct Session {
    engine: Engine,
    settings: Settings,
    output: Output,
    /// Of perft and bench.
    progress: Box<dyn Progress + Send>,
}

/// Terms that the option `Explain` sends.
const EXPLAINED: usize = 5;

impl Session {
    /// A session with options as they are by default.
    ///
    /// # Errors
    ///
    /// If the system has not enough memory for even the smallest table.
    pub fn new(
        output: Output,
        weights: Option<Weights>,
        progress: Box<dyn Progress + Send>,
    ) -> Result<Session, MemoryError> {
        let (mut engine, settings) = (Engine::new(1, 1)?, Settings::default());
        engine.set_weights(weights);
        let mut session = Session { engine, settings, output, progress };
        session.change(options::set_defaults);
        Ok(session)
    }

    /// Changes what can be set; if that fails, the GUI is told why.
    fn change(&mut self, change: impl FnOnce(&mut Target<'_>) -> Result<(), Failure>) {
        let Session { engine, settings, output, .. } = self;
        if let Err(error) = change(&mut Target { engine, settings, output }) {
            output.complain(error);
        }
    }

    /// Takes commands from the queue until it is closed. `searching` counts the searches in it.
    pub fn serve(&mut self, queue: &Receiver<Queued>, searching: &AtomicUsize) {
        for Queued { command, flag } in queue {
            match (command, flag) {
                (Command::Go(go), Some(flag)) => {
                    let line = self.search(&go, &flag);
                    // From here on `isready` waits in the queue: after `bestmove` a GUI takes its
                    // answer as a sign that what it has sent since then is done.
                    searching.fetch_sub(1, SeqCst);
                    self.answer(line);
                }
                (command, _) => {
                    if catch_unwind(AssertUnwindSafe(|| self.obey(command))).is_err() {
                        self.output.complain("internal error, please report it");
                    }
                }
            }
        }
    }

    fn obey(&mut self, command: Command) {
        let output = self.output.clone();
        match command {
            Command::Uci => {
                let (name, options) = (super::name(), options::list());
                output.say(&format!(
                    "id name {name}\nid author the Freshet developers\n\n{options}uciok"
                ));
            }
            Command::IsReady => output.say("readyok"),
            Command::NewGame => self.engine.new_game(),
            Command::Position(fen, moves) => {
                self.set_position(fen.as_deref(), &moves);
            }
            Command::Paste(fen) => {
                if self.set_position(Some(&fen), &[]) {
                    self.display();
                }
            }
            Command::Help => output.say(HELP),
            Command::SetOption(name, value) => {
                self.change(|target| options::set(target, &name, value.as_deref()));
            }
            Command::Perft(depth) => self.perft(depth),
            Command::Display => self.display(),
            Command::Eval(words) => self.eval(&words),
            Command::Fills(words) => self.fills(&words),
            Command::Sensitivity => {
                let position = self.engine.position().clone();
                let evaluator = self.engine.evaluator();
                output.say(&explain::sensitivity::table(&position, evaluator, SENSITIVITY));
            }
            Command::DumpWeights => output.say(&weights::dump(self.engine.evaluator().weights())),
            Command::LoadWeights(file) => {
                self.change(|target| target.load_weights(&file));
            }
            Command::Explain(m) => {
                self.explain([m], |explainer, position, [m]| explainer.explain(position, m))
            }
            Command::Why(moves) => self.explain(moves, Explainer::why),
            Command::Bench(words) => self.bench(&words),
            Command::Wrong(reason) => output.complain(reason),
            Command::Flip => {
                self.engine.set_position(self.engine.position().mirrored());
                self.display();
            }
            Command::Unknown(line) => self.play(&line),
            // These are for the input thread.
            Command::Go(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Ignored
            | Command::Empty => {}
        }
    }

    /// Sets the position and returns whether it was set: if anything is wrong, an error is written
    /// and the position before is kept.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> bool {
        match read_position(fen, moves) {
            Ok(position) => {
                self.engine.set_position(position);
                true
            }
            Err(reason) => {
                self.output.complain(format!("{reason}; the position before is kept"));
                false
            }
        }
    }

    /// Plays the moves of a line that is no command.
    fn play(&mut self, line: &str) {
        let mut position = self.engine.position().clone();
        for (index, text) in line.split_whitespace().enumerate() {
            match position.parse_move(text) {
                Ok(m) => position.play(m),
                Err(problem) if index > 0 || problem != ParseMoveError::Syntax => {
                    return self.output.complain(format!("{text}: {problem}"));
                }
                Err(_) => {
                    let short: String = line.chars().take(80).collect();
                    return self.output.tell(&format!("unknown command: {short} (type help)"));
                }
            }
        }
        self.engine.set_position(position);
        self.display();
    }

    /// Shows the board.
    fn display(&self) {
        let position = self.engine.position();
        let checkers = position.checkers().into_iter().map(|square| square.to_string());
        let checkers = checkers.collect::<Vec<_>>().join(" ");
        let (fen, key) = (position.fen(), position.key());
        let text =
            format!("{}\n\nFen: {fen}\nKey: {key:016X}\nCheckers: {checkers}", position.picture());
        self.output.say(text.trim_end());
    }

    /// Explains moves of the position.
    fn explain<const N: usize>(
        &mut self,
        texts: [String; N],
        explain: impl FnOnce(&mut Explainer, &Position, [Move; N]) -> String,
    ) {
        let position = self.engine.position().clone();
        let mut moves = Vec::new();
        for text in &texts {
            match position.parse_move(text) {
                Ok(m) => moves.push(m),
                Err(error) => return self.output.complain(format!("{text}: {error}")),
            }
        }
        let Ok(moves) = moves.try_into() else { return };
        match Explainer::new(NODES, Some(self.engine.evaluator().weights())) {
            Ok(mut explainer) => self.output.say(&explain(&mut explainer, &position, moves)),
            Err(error) => self.output.complain(error),
        }
    }

    /// Shows the evaluation as a table, or as JSON.
    fn eval(&mut self, words: &[String]) {
        let position = &self.engine.position().clone();
        let mut options = TableOptions::default();
        for word in words {
            match word.as_str() {
                "json" => {
                    return self.output.say(&explain::json::json(
                        position,
                        self.engine.evaluator(),
                        false,
                    ));
                }
                "phases" => options.phases = true,
                "legend" => options.legend = true,
                "all" => options.all = true,
                _ => self.output.complain(format!("eval: \"{word}\" is not understood")),
            }
        }
        let evaluator = self.engine.evaluator();
        self.output.say(&explain::table::table(position, evaluator, options));
    }

    /// Draws a picture, or lists all.
    fn fills(&mut self, words: &[String]) {
        let is_ascii = words.iter().any(|word| word == "ascii");
        let symbols = if is_ascii { text::Symbols::Ascii } else { text::Symbols::Unicode };
        let words = words.iter().map(String::as_str).filter(|&word| word != "ascii");
        let position = self.engine.position().clone();
        let (words, evaluator) = (words.collect::<Vec<_>>(), self.engine.evaluator());
        match pictures::asked_for(&words, Some(&position), evaluator) {
            Ok(Some(picture)) => self.output.say(&text::draw(&picture, symbols)),
            Ok(None) => self.output.say(&text::list()),
            Err(error) => self.output.complain(error),
        }
    }

    fn perft(&self, depth: u32) {
        let chess960 = self.settings.style.chess960;
        let settings = perft::PerftSettings { chess960, ..perft::PerftSettings::default() };
        let mut position = self.engine.position().clone();
        match perft::divide(&mut position, depth, &settings, &*self.progress) {
            Ok(divided) => self.output.say(&divided.to_string()),
            Err(error) => self.output.complain(error),
        }
    }

    fn bench(&mut self, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let settings = bench::BenchSettings::parse(&words, self.engine.position());
        let weights = Some(self.engine.evaluator().weights().clone());
        let with_weights = |settings| bench::BenchSettings { weights, ..settings };
        let settings = settings.map(with_weights);
        match settings.and_then(|settings| bench::measure(&settings, &*self.progress)) {
            Ok(measured) => self.output.say(&bench::report(&measured)),
            Err(error) => self.output.complain(error),
        }
    }

    /// Searches, and waits until the GUI may be sent the answer (`stop` or `ponderhit` after an
    /// infinite or pondering search). After an internal error the answer is the line reported last.
    fn search(&mut self, go: &Go, flag: &StopFlag) -> Line {
        let position = self.engine.position().clone();
        let mut limits = go.limits.clone();
        for problem in &go.problems {
            self.output.complain(problem);
        }
        for text in &go.search_moves {
            match position.parse_uci(text) {
                Ok(m) => limits.search_moves.push(m),
                Err(_) => self.output.complain(format!("searchmoves: {text} is not legal")),
            }
        }
        let mut printer =
            InfoPrinter::new(position.clone(), self.settings.style, self.output.clone());
        let mut row = |line: &str| self.output.say(line);
        let mut table = SearchTable::new(position, &mut row);
        let inner: &mut dyn Reporter =
            if self.settings.readable { &mut table } else { &mut printer };
        let mut reporter = LastLine { inner, line: Line::new() };
        let engine = &mut self.engine;
        let result = catch_unwind(AssertUnwindSafe(|| engine.go(&limits, flag, &mut reporter)));
        let last_line = reporter.line;
        printer.finish();
        let (line, score) = match result {
            Ok(result) => {
                self.tell_about(&result);
                (result.line, Some(result.score).filter(|_| result.book_choices.is_none()))
            }
            Err(_) => {
                self.output.complain("internal error in the search, please report it");
                (last_line, None)
            }
        };
        if let Some(problem) = self.engine.take_tablebase_problem() {
            self.output.complain(format!("{problem}; play goes on without it"));
        }
        flag.wait_for_gui(&limits);
        if limits.ponder {
            // GUIs ignore what was printed on the opponent's time.
            printer.repeat();
        }
        if let Some(score) = score.filter(|_| self.settings.explain)
            && catch_unwind(AssertUnwindSafe(|| self.tell_changes(&line, score))).is_err()
        {
            // The answer must come all the same.
            self.output.complain("internal error in the explanation, please report it");
        }
        line
    }

    /// Tells what changes in the evaluation from here to the end of a line, the largest first.
    fn tell_changes(&mut self, line: &Line, score: Score) {
        if line.is_empty() {
            return;
        }
        let mut searched = SearchedMove::new(self.engine.position(), line.clone(), score);
        if searched.ending.is_none() {
            searched = searched.with_comparable_end();
        }
        let text = searched.ending_text().unwrap_or_else(|| {
            // The clock runs until the answer: walls are not solved for this.
            let evaluator = self.engine.evaluator();
            let changes = searched.changes(|position| Breakdown::of(position, evaluator));
            let [before, after] = [changes.before, changes.after].map(pawns);
            format!("from {before} to {after}: {}", summary(&changes, EXPLAINED))
        });
        self.output.tell(&format!("explain {}: {text}", searched.san()));
    }

    /// Tells the GUI what is special about a result.
    fn tell_about(&self, result: &SearchResult) {
        if let Some(choices) = result.book_choices {
            self.output.tell(&format!("book move, one of {choices}"));
        }
        if result.failed_threads > 0 {
            let count = result.failed_threads;
            self.output.complain(format!("internal error in {count} threads, please report it"));
        }
        if result.line.is_empty() {
            self.output.say(&format!("info depth 0 score {}", score_text(result.score)));
        }
    }

    /// Answers with the first move of a line; with any legal one if the line is empty.
    fn answer(&self, line: Line) {
        let position = self.engine.position();
        let any = || position.moves().first().copied().into_iter().collect();
        let line = if line.is_empty() { any() } else { line };
        if self.settings.readable && !line.is_empty() {
            let best = analyse::line_text(position, &line[..1]);
            let mut after = position.clone();
            after.play(line[0]);
            let reply = line.get(1).map(|&reply| format!(", expecting {}", after.san(reply)));
            self.output.say(&format!("Best move: {best}{}", reply.unwrap_or_default()));
        }
        let text = line_text(position, &line[..line.len().min(2)], self.settings.style.chess960);
        let answer = match text.split_once(' ') {
            Some((best, reply)) => format!("bestmove {best} ponder {reply}"),
            None if text.is_empty() => "bestmove (none)".to_string(),
            None => format!("bestmove {text}"),
        };
        self.output.say(&answer);
    }
}

/// Passes reports on, and keeps the best line reported last: what is played if the search fails.
struct LastLine<'a> {
    inner: &'a mut dyn Reporter,
    line: Line,
}

impl Reporter for LastLine<'_> {
    fn report(&mut self, report: &Report) {
        if report.multi_pv == 1 && report.bound == Bound::Exact {
            self.line.clone_from(&report.line);
        }
        if report.depth > 4 {
            inject(Place::Reporter);
        }
        self.inner.report(report);
    }

    fn no_mate(&mut self, moves: usize) {
        self.inner.no_mate(moves);
    }

    fn current_move(&mut self, depth: i32, m: Move, number: usize, elapsed: Duration) {
        self.inner.current_move(depth, m, number, elapsed);
    }
}

/// The position of a FEN, or the start position, after some moves.
fn read_position(fen: Option<&str>, moves: &[String]) -> Result<Position, String> {
    let mut position = match fen {
        None => Position::start(),
        Some(fen) => Position::from_fen(fen).map_err(|error| format!("bad FEN: {error}"))?,
    };
    for (index, text) in moves.iter().enumerate() {
        let m = position
            .parse_uci(text)
            .map_err(|_| format!("move {} of the list, \"{text}\", is not legal", index + 1))?;
        position.play(m);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::super::single::SingleThread;
    use super::*;

    /// What a session writes when it is told these lines.
    fn said(lines: &[&str]) -> Vec<String> {
        let output = Output::kept_only();
        let mut session = SingleThread::new(output.clone(), || None).expect("memory");
        lines.iter().for_each(|line| session.hear(line));
        output.kept_lines()
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
    fn what_cannot_be_explained_is_told() {
        for (line, reason) in [
            ("explain Ke3", "Ke3: not a legal move here"),
            ("why e4 Ke3", "Ke3: not a legal move here"),
            ("bench fast", "fast"),
            ("weights load /no/such/file", "the weights before go on"),
            ("setoption name No", "no such option"),
            ("position startpos moves e2e5", "\"e2e5\", is not legal"),
            ("position fen 8/8", "bad FEN"),
            ("go depth x", "depth"),
            ("abc", "unknown command: abc (type help)"),
            ("e2e5", "e2e5: not a legal move here"),
            ("e4 e5 Ke3", "Ke3: not a legal move here"),
        ] {
            let lines = said(&[line]);
            assert!(lines[0].starts_with("info string "), "{line}: {lines:?}");
            assert!(lines[0].contains(reason), "{line}: {lines:?}");
        }
    }

    #[test]
    fn positions_are_shown() {
        let shown = |line: &str| said(&[line]).join("\n");
        assert!(shown("d").contains(&format!("Fen: {}\n", Position::START)));
        assert!(shown("eval json").starts_with('{'));
        let [plain, phases, legend] = ["eval", "eval phases", "eval legend"].map(shown);
        assert!(plain.contains("Final evaluation: "), "{plain}");
        assert!(!plain.contains("Midgame") && phases.contains("Midgame"), "{phases}");
        assert!(legend.contains("It is this side's turn to move."), "{legend}");
        let all = shown("eval all");
        assert!(all.len() > plain.len() + 500 && !all.contains("left out"), "{all}");
        assert!(shown("eval x").starts_with("info string error: eval: \"x\""));
    }

    #[test]
    fn moves_are_played_at_the_prompt() {
        let fen = |lines: &[&str]| {
            let lines = said(&[lines, &["d"]].concat());
            lines.into_iter().rfind(|line| line.starts_with("Fen: ")).expect("a board")
        };
        let after = "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(fen(&["e2e4", "e5"]), after);
        assert_eq!(fen(&["e4 e7-e5"]), after);
        assert_eq!(fen(&["e4 e5 Ke3"]), format!("Fen: {}", Position::START), "all or none");
        let black = "Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(fen(&["e4", "flip"]), black);
    }

    #[test]
    fn what_a_line_changes_is_told() {
        let explained = said(&["setoption name Explain value true", "go depth 2"]);
        let told = &explained[explained.len() - 2];
        assert!(told.starts_with("info string explain ") && told.contains(": from "), "{told}");
        let plain = said(&["go depth 2"]);
        assert!(!plain.iter().any(|line| line.contains("explain")), "{plain:?}");
    }

    #[test]
    fn a_bench_is_reported() {
        assert!(said(&["bench 1 1 1"]).iter().any(|line| line.contains(" nodes ")));
    }

    #[test]
    fn answers_name_the_best_move_and_the_reply() {
        let start = said(&["go depth 3"]);
        let answer: Vec<&str> = start[start.len() - 1].split(' ').collect();
        assert_eq!((answer[0], answer[2], answer.len()), ("bestmove", "ponder", 4));
        let mate = said(&["position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 2"]);
        assert_eq!(mate[mate.len() - 1], "bestmove a1a8");
        let mated = said(&["position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "go depth 2"]);
        assert_eq!(mated, ["info depth 0 score mate 0", "bestmove (none)"]);
        let readable = said(&["setoption name Readable value true", "go depth 3"]);
        let best = |line: &String| line.starts_with("Best move: 1. ") && line.contains("expecting");
        assert!(readable.iter().any(best), "{readable:?}");
        let none = said(&[
            "setoption name Readable value true",
            "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
            "go depth 2",
        ]);
        assert!(!none.iter().any(|line| line.contains("Best move")), "{none:?}");
    }

    #[test]
    fn results_are_told() {
        let output = Output::kept_only();
        let session = Session::new(output.clone(), None, Box::new(())).expect("memory");
        let any = Line::from_iter(Position::start().moves().first().copied());
        let result = SearchResult {
            line: any,
            score: Score::DRAW,
            bound: Bound::Exact,
            depth: 1,
            nodes: 20,
            moves_made: 20,
            failed_threads: 0,
            book_choices: None,
        };
        session.tell_about(&result);
        assert!(output.kept().is_empty());
        session.tell_about(&SearchResult { failed_threads: 2, ..result.clone() });
        session.tell_about(&SearchResult { book_choices: Some(3), ..result.clone() });
        session.tell_about(&SearchResult { line: Line::new(), ..result });
        let expected = [
            "info string error: internal error in 2 threads, please report it",
            "info string book move, one of 3",
            "info depth 0 score cp 0",
        ];
        assert_eq!(output.kept_lines(), expected);
    }

    /// Counts current moves.
    struct Count(usize);

    impl Reporter for Count {
        fn report(&mut self, _: &Report) {}

        fn current_move(&mut self, _: i32, _: Move, number: usize, _: Duration) {
            self.0 += number;
        }
    }

    #[test]
    fn the_last_exact_first_line_is_kept() {
        let moves = Position::start().moves();
        let line = |index: usize| Line::from_iter([moves[index]]);
        let report = |index, multi_pv, bound| Report {
            depth: 1,
            selective_depth: 1,
            multi_pv,
            score: Score::DRAW,
            bound,
            nodes: 1,
            tablebase_hits: 0,
            time: Duration::ZERO,
            hashfull: 0,
            line: line(index),
            is_last: false,
        };
        let mut count = Count(0);
        let mut last = LastLine { inner: &mut count, line: Line::new() };
        for (index, multi_pv, bound) in
            [(0, 1, Bound::Exact), (1, 2, Bound::Exact), (2, 1, Bound::Lower)]
        {
            last.report(&report(index, multi_pv, bound));
            assert_eq!(last.line, line(0));
        }
        last.report(&report(3, 1, Bound::Exact));
        assert_eq!(last.line, line(3));
        last.current_move(1, moves[0], 5, Duration::ZERO);
        assert_eq!(count.0, 5);
    }
}
