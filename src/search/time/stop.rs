//! What stops a running search from outside, and when it began.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::search::limits::Limits;

/// The flag of one search: stopped or not, and whether the move it ponders on was played.
///
/// Every search has its own, so that a late `stop` cannot reach the next search. It is shared with
/// whoever may stop the search; the clock of the search starts when it is made.
#[derive(Debug)]
pub struct StopFlag {
    started: Instant,
    /// Read often by all threads, so not behind the lock.
    stop: AtomicBool,
    signals: Mutex<Signals>,
    changed: Condvar,
    /// Where nobody else can reach the flag: what is asked now and then.
    ask: Option<fn() -> Option<Signal>>,
}

/// What a GUI says to a search under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// End it.
    Stop,
    /// The move that is pondered on was played.
    PonderHit,
}

/// The signals of the GUI since the search began.
#[derive(Debug, Default)]
struct Signals {
    stopped: bool,
    ponder_hit: Option<Instant>,
}

impl Default for StopFlag {
    fn default() -> StopFlag {
        StopFlag::new()
    }
}

impl StopFlag {
    /// The flag of a search whose clock starts now.
    pub fn new() -> StopFlag {
        StopFlag::started_at(Instant::now())
    }

    /// The flag of a search whose clock has started before, as when the command was read.
    pub fn started_at(started: Instant) -> StopFlag {
        StopFlag {
            started,
            stop: AtomicBool::new(false),
            signals: Mutex::default(),
            changed: Condvar::new(),
            ask: None,
        }
    }

    /// The flag of a search that has the only thread of the program, as in a browser: it asks now
    /// and then whether there is a signal. [`StopFlag::wait_for_gui`] does not wait: whoever asked
    /// for an infinite or pondering search keeps its answer until it may be told.
    pub fn asking(ask: fn() -> Option<Signal>) -> StopFlag {
        StopFlag { ask: Some(ask), ..StopFlag::new() }
    }

    /// Asks for a signal, if this is a flag that asks.
    pub fn listen(&self) {
        match self.ask.and_then(|ask| ask()) {
            Some(Signal::Stop) => self.stop(),
            Some(Signal::PonderHit) => self.ponder_hit(),
            None => {}
        }
    }

    fn signals(&self) -> MutexGuard<'_, Signals> {
        self.signals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the clock of the search started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.signals().stopped = true;
        self.changed.notify_all();
    }

    /// Ends the threads of the search, but is no answer to [`StopFlag::wait_for_gui`].
    pub fn end_threads(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The opponent has played the move that is pondered on: the clock runs from now.
    pub fn ponder_hit(&self) {
        self.signals().ponder_hit.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// When the move that is pondered on was played.
    pub fn hit_at(&self) -> Option<Instant> {
        self.signals().ponder_hit
    }

    /// Whether to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether [`StopFlag::stop`] was called; a search that has ended by itself may still wait for it.
    pub fn is_told_to_stop(&self) -> bool {
        self.signals().stopped
    }

    /// Waits until the GUI may be told the best move: an infinite search ends with `stop` only, a
    /// pondering one with `stop` or `ponderhit`. Blocks without using the processor.
    pub fn wait_for_gui(&self, limits: &Limits) {
        if self.ask.is_some() {
            return;
        }
        let mut signals = self.signals();
        let waits =
            |signals: &Signals| limits.infinite || (limits.ponder && signals.ponder_hit.is_none());
        while !signals.stopped && waits(&signals) {
            signals = self.changed.wait(signals).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
