//! The engine thread of a session: commands to the engine, its answers to the output.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use super::command::{Command, Go};
use super::options::{self, Failure, Settings, Target};
use super::output::Output;
use super::print::InfoPrinter;
use super::{Commands, Prompt};
use crate::board::{Move, ParseMoveError, Position};
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::fault::{Place, inject};
use crate::score::Score;
use crate::search::{Bound, Line, MemoryError, Report, Reporter, SearchResult, StopFlag};
use crate::text;
use crate::tools::analyse::LineTable;

/// A command in the queue, with its stop flag if it is a search.
pub(super) struct Queued {
    pub(super) command: Command,
    pub(super) flag: Option<Arc<StopFlag>>,
}

/// Help for the prompt, printed before and after that of the program's own commands.
const HELP: [&str; 2] = [
    "\
position startpos|fen FEN [moves ...]   set the position; a FEN alone sets and shows it
d                                       show the board
MOVE [MOVE ...]                         play moves: e2e4, or Nf3 d5
flip                                    exchange the sides: colours and side to move",
    "\
go [depth N] [movetime MS] [infinite]   search; all of UCI's words are known
setoption name Readable value false     show searches as UCI lines, not as a table for people
stop                                    end the search
setoption name NAME value VALUE         set an option; uci lists them
quit                                    end at once, without the answers still to come
All else is the UCI protocol; freshet --help lists the commands of the command line.",
];

/// The engine with the GUI's settings.
pub(super) struct Session {
    engine: Engine,
    settings: Settings,
    output: Output,
    /// Commands besides UCI's.
    commands: Box<dyn Commands>,
}

impl Session {
    /// A session with default options.
    ///
    /// # Errors
    ///
    /// If the system has too little memory for even the smallest table.
    pub(super) fn new(
        output: Output,
        weights: Option<Weights>,
        commands: Box<dyn Commands>,
    ) -> Result<Session, MemoryError> {
        let (mut engine, settings) = (Engine::new(1, 1)?, Settings::default());
        engine.set_weights(weights);
        let mut session = Session { engine, settings, output, commands };
        session.change(options::set_defaults);
        Ok(session)
    }

    /// Changes a setting, and tells the GUI if that fails.
    fn change(&mut self, change: impl FnOnce(&mut Target<'_>) -> Result<(), Failure>) {
        let Session { engine, settings, output, .. } = self;
        if let Err(error) = change(&mut Target { engine, settings, output }) {
            output.error(error);
        }
    }

    /// Runs commands from the queue until it is closed. `searching` counts the searches in it.
    pub(super) fn serve(&mut self, queue: &Receiver<Queued>, searching: &AtomicUsize) {
        for Queued { command, flag } in queue {
            match (command, flag) {
                (Command::Go(go), Some(flag)) => {
                    let line = self.search(&go, &flag);
                    // From here on `isready` waits in the queue: after `bestmove`, a GUI takes
                    // `readyok` as a sign that everything it has sent since is done.
                    searching.fetch_sub(1, SeqCst);
                    self.answer(line);
                }
                (command, _) => {
                    if catch_unwind(AssertUnwindSafe(|| self.run(command))).is_err() {
                        self.output.error("internal error, please report it");
                    }
                }
            }
        }
    }

    fn run(&mut self, command: Command) {
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
            Command::Help => {
                let [before, after] = HELP;
                output.say(&[before, self.commands.help(), after].join("\n"));
            }
            Command::SetOption(name, value) => {
                self.change(|target| options::set(target, &name, value.as_deref()));
            }
            Command::Extra(line) => self.run_extra(&line),
            Command::Display => self.display(),
            Command::Wrong(reason) => output.error(reason),
            Command::Flip => {
                self.engine.set_position(self.engine.position().mirrored());
                self.display();
            }
            Command::Unknown(line) => self.play(&line),
            // The input thread handles these.
            Command::Go(_)
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Ignored
            | Command::Empty => {}
        }
    }

    /// Sets the position and returns whether that worked. If not, writes an error and keeps the old
    /// position.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> bool {
        match read_position(fen, moves) {
            Ok(position) => {
                self.engine.set_position(position);
                true
            }
            Err(reason) => {
                self.output.error(format!("{reason}; keeping the previous position"));
                false
            }
        }
    }

    /// Plays the moves in a line that is not a command.
    fn play(&mut self, line: &str) {
        let mut position = self.engine.position().clone();
        for (index, text) in line.split_whitespace().enumerate() {
            match position.parse_move(text) {
                Ok(m) => position.play(m),
                Err(problem) if index > 0 || problem != ParseMoveError::Syntax => {
                    return self.output.error(format!("{text}: {problem}"));
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

    /// Draws the board as text, with its FEN.
    fn display(&self) {
        let position = self.engine.position();
        let checkers = position.checkers().into_iter().map(|square| square.to_string());
        let checkers = checkers.collect::<Vec<_>>().join(" ");
        let (fen, key) = (position.fen(), position.key());
        let text =
            format!("{}\n\nFen: {fen}\nKey: {key:016X}\nCheckers: {checkers}", position.picture());
        self.output.say(text.trim_end());
    }

    /// Runs a command of the program.
    fn run_extra(&mut self, line: &str) {
        let Session { engine, settings, output, commands } = self;
        let chess960 = settings.style.chess960;
        let mut prompt = Prompt { engine, chess960, say: &|text| output.say(text) };
        if let Err(error) = commands.run(line, &mut prompt) {
            output.error(error);
        }
    }

    /// Searches, and waits until the GUI may be sent the answer (after an infinite or pondering
    /// search, until `stop` or `ponderhit`). After an internal error, the answer is the last
    /// reported line.
    fn search(&mut self, go: &Go, flag: &StopFlag) -> Line {
        let position = self.engine.position().clone();
        let mut limits = go.limits.clone();
        for problem in &go.problems {
            self.output.error(problem);
        }
        for text in &go.search_moves {
            match position.parse_uci(text) {
                Ok(m) => limits.search_moves.push(m),
                Err(_) => self.output.error(format!("searchmoves: {text} is not legal")),
            }
        }
        let mut printer =
            InfoPrinter::new(position.clone(), self.settings.style, self.output.clone());
        let mut row = |line: &str| self.output.say(line);
        let mut table = LineTable::new(position, &mut row);
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
                self.output.error("internal error in the search, please report it");
                (last_line, None)
            }
        };
        if let Some(problem) = self.engine.take_tablebase_problem() {
            self.output.error(format!("{problem}; continuing without it"));
        }
        flag.wait_for_gui(&limits);
        if limits.ponder {
            // Print again, since GUIs ignore lines printed on the opponent's time.
            printer.repeat();
        }
        // Searching for the reason delays the answer. Do it only without a clock and before `stop`.
        let may_search = limits.is_reproducible() && !flag.is_told_to_stop();
        if let Some(score) = score.filter(|_| self.settings.explain)
            && catch_unwind(AssertUnwindSafe(|| self.tell_reason(&line, score, may_search)))
                .is_err()
        {
            // The answer must come anyway.
            self.output.error("internal error in the explanation, please report it");
        }
        line
    }

    /// Tells the GUI why a line is played.
    fn tell_reason(&mut self, line: &Line, score: Score, may_search: bool) {
        if let Some(reason) = self.commands.reason(&mut self.engine, line, score, may_search) {
            self.output.tell(&format!("explain {reason}"));
        }
    }

    /// Tells the GUI what is special about a result.
    fn tell_about(&self, result: &SearchResult) {
        if let Some(choices) = result.book_choices {
            self.output.tell(&format!("book move, one of {choices}"));
        }
        if result.failed_threads > 0 {
            let count = result.failed_threads;
            self.output.error(format!("internal error in {count} threads, please report it"));
        }
        if result.line.is_empty() {
            self.output.say(&format!("info depth 0 score {}", text::uci_score(result.score)));
        }
    }

    /// Answers with the first move of a line, or with any legal move if the line is empty.
    fn answer(&self, line: Line) {
        let position = self.engine.position();
        let any = || position.moves().first().copied().into_iter().collect();
        let line = if line.is_empty() { any() } else { line };
        if self.settings.readable && !line.is_empty() {
            let best = text::line_text(position, &line[..1]);
            let mut after = position.clone();
            after.play(line[0]);
            let reply = line.get(1).map(|&reply| format!(", expecting {}", after.san(reply)));
            self.output.say(&format!("Best move: {best}{}", reply.unwrap_or_default()));
        }
        let text =
            text::uci_line(position, &line[..line.len().min(2)], self.settings.style.chess960);
        let answer = match text.split_once(' ') {
            Some((best, reply)) => format!("bestmove {best} ponder {reply}"),
            None if text.is_empty() => "bestmove (none)".to_string(),
            None => format!("bestmove {text}"),
        };
        self.output.say(&answer);
    }
}

/// Passes reports on, and keeps the last reported best line, to play it if the search fails.
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

    /// The output of a session for these lines of input.
    fn said(lines: &[&str]) -> Vec<String> {
        let output = Output::kept_only();
        let mut session = SingleThread::new(output.clone(), || None, Box::new(())).expect("memory");
        lines.iter().for_each(|line| session.run_line(line));
        output.kept()
    }

    #[test]
    fn what_is_not_understood_is_told() {
        for (line, reason) in [
            ("setoption name WeightsFile value /no/such/file", "keeping the previous weights"),
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
    fn boards_are_shown() {
        assert!(said(&["d"]).join("\n").contains(&format!("Fen: {}\n", Position::START)));
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
        assert_eq!(output.kept(), expected);
    }

    /// Adds up the move numbers passed to [`Reporter::current_move`].
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
