//! The commands beside play, a room each.

pub mod analyse;
pub mod bench;
pub mod blocked;
pub mod openings;
pub mod perft;
pub mod verify;

use std::io::{IsTerminal, Write, stderr, stdout};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whether standard output may have colours: only a terminal, and only if the user does not mind
/// (<https://no-color.org>).
fn may_colour() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    stdout().is_terminal() && !unwanted
}

/// A text in green where the value is `from` or more, in red where it is that far below zero; on a terminal only.
pub fn coloured(text: &str, value: i32, from: i32) -> String {
    match value {
        _ if value.abs() < from || !may_colour() => text.to_string(),
        0.. => format!("\x1b[32m{text}\x1b[0m"),
        _ => format!("\x1b[31m{text}\x1b[0m"),
    }
}

/// A line of progress on stderr, only where that is a terminal, at most ten times a second.
#[derive(Debug)]
pub struct Progress {
    what: &'static str,
    total: u64,
    shown: Mutex<Option<Instant>>,
    visible: bool,
}

impl Progress {
    /// A line for work of `total` parts.
    pub fn new(what: &'static str, total: u64) -> Progress {
        Progress { what, total, shown: Mutex::new(None), visible: stderr().is_terminal() }
    }

    /// Shows that `done` parts are done.
    pub fn show(&self, done: u64) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = shown.is_some_and(|at| at.elapsed() < Duration::from_millis(100));
        if self.visible && !recent {
            *shown = Some(Instant::now());
            let percent = done * 100 / self.total.max(1);
            let _ = write!(stderr(), "\r{}: {done}/{} ({percent} %)", self.what, self.total);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let shown = self.shown.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.visible && shown.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
