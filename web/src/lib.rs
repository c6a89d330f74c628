//! Freshet as a WebAssembly module: UCI lines in, UCI lines out; requests of the board in and answers
//! out, both as JSON on one line. `worker.js` is the other side.
//!
//! The module has one thread. While it searches, it asks the host for `stop` and `ponderhit`.

#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Arc;

use freshet::search::{Signal, StopFlag};
use freshet::service::Service;
use freshet::tools::bench::{self, BenchSettings};
use freshet::tools::perft::{self, PerftSettings};
use freshet::uci::output::Output;
use freshet::uci::single::SingleThread;
use freshet::uci::{CommandError, Commands, Prompt};

mod host {
    #[link(wasm_import_module = "freshet")]
    unsafe extern "C" {
        /// Takes bytes of output. They are read before it returns.
        pub unsafe fn write(bytes: *const u8, length: usize);
        /// 1 for `stop`, 2 for `ponderhit`, 0 for neither.
        pub safe fn signal() -> u32;
    }
}

/// The host as a writer.
struct Host;

impl Write for Host {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the bytes are those of a slice, and the host only reads them.
        unsafe { host::write(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Commands besides UCI: `perft DEPTH` and `bench`.
struct Counts;

impl Commands for Counts {
    fn names(&self) -> &'static [&'static str] {
        &["perft", "bench"]
    }

    fn help(&self) -> &'static str {
        "perft DEPTH                             count moves\n\
         bench                                   search fixed positions"
    }

    fn run(&mut self, line: &str, prompt: &mut Prompt<'_>) -> Result<(), CommandError> {
        if line.starts_with("bench") {
            let measured = bench::measure(&BenchSettings::default(), &())?;
            (prompt.say)(&bench::report(&measured));
            return Ok(());
        }
        let depth = line.split_whitespace().nth(1).and_then(|depth| depth.parse().ok());
        let depth = depth.ok_or("perft DEPTH")?;
        let settings = PerftSettings { chess960: prompt.chess960, ..PerftSettings::default() };
        let mut position = prompt.engine.position().clone();
        (prompt.say)(&perft::divide(&mut position, depth, &settings, &())?.to_string());
        Ok(())
    }
}

fn signal() -> Option<Signal> {
    match host::signal() {
        1 => Some(Signal::Stop),
        2 => Some(Signal::PonderHit),
        _ => None,
    }
}

/// The size of the transposition table for requests of the board, in MiB.
const HASH: usize = 16;

thread_local! {
    /// What answers requests of the board, once there is one.
    static SERVICE: RefCell<Option<Service>> = const { RefCell::new(None) };
    /// The line that the host writes next.
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SESSION: RefCell<Option<SingleThread>> = const { RefCell::new(None) };
}

/// Memory for a line of so many bytes, which the host fills before it calls [`freshet_line`].
#[unsafe(no_mangle)]
pub extern "C" fn freshet_buffer(length: usize) -> *mut u8 {
    LINE.with_borrow_mut(|line| {
        line.clear();
        line.resize(length, 0);
        line.as_mut_ptr()
    })
}

/// Runs the line in the buffer, to its end.
#[unsafe(no_mangle)]
pub extern "C" fn freshet_line() {
    let line = LINE.take();
    if line.first() == Some(&b'{') {
        return answer(&String::from_utf8_lossy(&line));
    }
    SESSION.with_borrow_mut(|session| {
        if session.is_none() {
            let output = Output::new(Host, |_| ());
            match SingleThread::new(output.clone(), signal, Box::new(Counts)) {
                Ok(new) => *session = Some(new),
                Err(error) => return output.error(error),
            }
        }
        if let Some(session) = session {
            session.run_line(&String::from_utf8_lossy(&line));
        }
    });
}

/// Answers a request of the board.
fn answer(request: &str) {
    let say = |answer: &str| {
        // The host takes whatever it is given.
        let _ = writeln!(Host, "{answer}");
    };
    SERVICE.with_borrow_mut(|service| {
        if service.is_none() {
            *service = Service::new(HASH, 1).ok();
        }
        match service {
            Some(service) => service.answer(request, &Arc::new(StopFlag::new()), &mut { say }),
            None => say(r#"{"type":"error","text":"no memory"}"#),
        }
    });
}
