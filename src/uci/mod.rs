//! The UCI protocol: a session around the [`Engine`].
//!
//! A session has two threads. The *input thread* reads lines and never waits for the engine. While
//! a search runs, it passes `stop`, `ponderhit` and the end of input to the search, and answers
//! `isready` at once; after `stop`, `isready` waits in the queue. Everything else goes into the
//! queue too. The *engine thread* takes commands from the queue one by one, and searches.

pub mod command;
pub mod options;
pub mod output;
mod print;
pub mod replay;
mod session;
pub mod single;
mod transcript;

use std::error::Error;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::score::Score;
use crate::search::{Line, StopFlag};
use command::Command;
use output::Output;
use session::{Queued, Session};

/// The commands of a session besides UCI's, supplied by the program that runs it.
pub trait Commands: Send {
    /// The first words of the commands.
    fn names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The help text, one line per command.
    fn help(&self) -> &'static str {
        ""
    }

    /// Runs a line that begins with one of the names, in the engine's position.
    ///
    /// # Errors
    ///
    /// If the command fails; the message is one line.
    fn run(&mut self, _line: &str, _prompt: &mut Prompt<'_>) -> Result<(), CommandError> {
        Ok(())
    }

    /// Says why the engine plays this line with this score in its position, for the option
    /// `Explain`; `None` if there is nothing to say. The answer waits for it, so it may take time only
    /// if it `may_search`.
    fn reason(
        &mut self,
        _engine: &mut Engine,
        _line: &Line,
        _score: Score,
        _may_search: bool,
    ) -> Option<String> {
        None
    }
}

/// No commands but UCI's.
impl Commands for () {}

/// The error of a command, as one line.
pub type CommandError = Box<dyn Error + Send + Sync>;

/// The context in which a command runs.
pub struct Prompt<'a> {
    /// The engine, with its position and weights.
    pub engine: &'a mut Engine,
    /// Whether castling is written as in Chess960.
    pub chess960: bool,
    /// Writes an answer, of any number of lines.
    pub say: &'a dyn Fn(&str),
}

/// Name and version, as in `id name`.
pub fn name() -> String {
    format!("Freshet {}", env!("CARGO_PKG_VERSION"))
}

/// The stack of the engine thread, in bytes.
const STACK: usize = 64 << 20;

/// The longest time that `quit` waits for a search to stop.
const QUIT_WAIT: Duration = Duration::from_millis(500);

/// Runs a session: reads commands until `quit` or the end of input, and writes the answers.
pub fn run(input: impl BufRead, output: &Output) {
    run_with(input, output, None, Box::new(()));
}

/// Like [`run`], but with these weights (the built-in ones if `None`) and with commands besides
/// UCI's.
pub fn run_with(
    input: impl BufRead,
    output: &Output,
    weights: Option<Weights>,
    commands: Box<dyn Commands>,
) {
    let searching = Arc::new(AtomicUsize::new(0));
    let (sender, receiver) = channel();
    let extra = commands.names();
    let mut session = match Session::new(output.clone(), weights, commands) {
        Ok(session) => session,
        Err(error) => return output.error(error),
    };
    let engine = {
        let searching = Arc::clone(&searching);
        std::thread::Builder::new()
            .name("engine".to_string())
            .stack_size(STACK)
            .spawn(move || session.serve(&receiver, &searching))
    };
    match engine {
        Ok(engine) => {
            let told_to_quit = read(input, output, extra, &sender, &searching);
            drop(sender);
            // `quit` waits only for a search to stop.
            let deadline = Instant::now() + QUIT_WAIT;
            while told_to_quit && !engine.is_finished() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
            if !told_to_quit || engine.is_finished() {
                let _ = engine.join();
            }
        }
        Err(error) => output.error(format!("no thread for the engine: {error}")),
    }
}

/// The input thread. Runs until `quit`, and then returns true, or until the end of input.
/// `searching` counts queued and running searches.
fn read(
    mut input: impl BufRead,
    output: &Output,
    extra: &[&str],
    queue: &Sender<Queued>,
    searching: &AtomicUsize,
) -> bool {
    let mut told_to_quit = false;
    let mut last: Option<Arc<StopFlag>> = None;
    let mut is_endless = false;
    let stop = |last: &Option<Arc<StopFlag>>| last.iter().for_each(|flag| flag.stop());
    let is_told = |last: &Option<Arc<StopFlag>>| last.iter().any(|flag| flag.is_told_to_stop());
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
        output.note_read(line.trim_end());
        let received = Instant::now();
        let command = Command::parse(&line, extra);
        match command {
            Command::Empty | Command::Ignored => {}
            Command::Quit => {
                told_to_quit = true;
                break;
            }
            Command::Stop => stop(&last),
            Command::PonderHit => last.iter().for_each(|flag| flag.ponder_hit()),
            // After `stop` the answer waits for queued commands, such as clearing the table.
            Command::IsReady if searching.load(SeqCst) > 0 && !is_told(&last) => {
                output.say("readyok");
            }
            command => {
                if let Command::SetOption(name, value) = &command
                    && let Err(error) = options::set_log(output, name, value.as_deref())
                {
                    output.error(error);
                }
                let mut flag = None;
                if let Command::Go(_) | Command::NewGame = command {
                    stop(&last);
                }
                if let Command::Go(go) = &command {
                    is_endless = go.limits.is_endless();
                    flag = Some(Arc::new(StopFlag::started_at(received)));
                    last.clone_from(&flag);
                    searching.fetch_add(1, SeqCst);
                }
                if queue.send(Queued { command, flag }).is_err() {
                    break;
                }
            }
        }
    }
    // At the end of input, let a search finish if it ends by itself.
    if told_to_quit || is_endless {
        stop(&last);
    }
    told_to_quit
}
