//! The commands beside play, a room each.

pub mod analyse;
pub mod bench;
pub mod blocked;
pub mod data;
pub mod datagen;
pub mod explain;
pub mod ladder;
pub mod openings;
pub mod perft;
pub mod selfplay;
pub mod spsa;
pub mod tuner;
pub mod verify;
pub mod wdl;
pub mod worth;

use std::io::{IsTerminal, Write, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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
