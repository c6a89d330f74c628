//! The stop flag: signals from outside to a running search, and the time it began.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::search::limits::Limits;

/// The stop flag of one search. It also records `ponderhit`.
///
/// Every search has its own, so that a late `stop` cannot reach the next search. All code that may
/// stop the search shares it. The clock of the search starts when the flag is created.
#[derive(Debug)]
pub struct StopFlag {
    started: Instant,
    /// Read often by all threads, so not behind the lock.
    stop: Arc<AtomicBool>,
    signals: Mutex<Signals>,
    changed: Condvar,
    /// Called at every check of the clock by a single-threaded session, which cannot receive `stop`
    /// otherwise.
    ask: Option<fn() -> Option<Signal>>,
}

/// A GUI's message to a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// UCI's `stop`.
    Stop,
    /// UCI's `ponderhit`: the opponent has played the move being pondered on.
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
    /// A flag for a search whose clock starts now.
    pub fn new() -> StopFlag {
        StopFlag::started_at(Instant::now())
    }

    /// A flag for a search whose clock started earlier, such as when the command was read.
    #[doc(hidden)]
    pub fn started_at(started: Instant) -> StopFlag {
        StopFlag {
            started,
            stop: Arc::default(),
            signals: Mutex::default(),
            changed: Condvar::new(),
            ask: None,
        }
    }

    /// A flag for a search on the program's only thread, as in a browser. The search calls `ask` at
    /// every check of the clock. [`StopFlag::wait_for_gui`] does not wait: the caller of an
    /// infinite or pondering search must hold back its answer until the GUI may see it.
    #[doc(hidden)]
    pub fn asking(ask: fn() -> Option<Signal>) -> StopFlag {
        StopFlag { ask: Some(ask), ..StopFlag::new() }
    }

    /// Calls `ask` for a signal, if the flag has it.
    pub(super) fn listen(&self) {
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
    pub(super) fn started(&self) -> Instant {
        self.started
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.signals().stopped = true;
        self.changed.notify_all();
    }

    /// Ends the threads of the search, but does not release [`StopFlag::wait_for_gui`].
    pub(crate) fn end_threads(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Records that the opponent has played the move being pondered on: our clock runs from now.
    pub fn ponder_hit(&self) {
        self.signals().ponder_hit.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    /// When [`StopFlag::ponder_hit`] was called.
    pub(crate) fn hit_at(&self) -> Option<Instant> {
        self.signals().ponder_hit
    }

    /// Whether the threads must end, for whatever reason.
    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The flag that [`StopFlag::is_stopped`] reads.
    pub(crate) fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Whether [`StopFlag::stop`] was called. A search that has ended by itself may still be
    /// waiting for it.
    #[doc(hidden)]
    pub fn is_told_to_stop(&self) -> bool {
        self.signals().stopped
    }

    /// Blocks, without using the processor, until the GUI may be sent the best move: after `stop`
    /// for an infinite search, after `stop` or `ponderhit` for a pondering one.
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
