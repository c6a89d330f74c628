//! A session on one thread, for programs that have no other, as in a browser. Each line is run
//! before the next one is read.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::Commands;
use super::command::Command;
use super::output::Output;
use super::session::{Queued, Session};
use crate::search::{MemoryError, Signal, StopFlag};

/// A session whose caller passes it lines one by one.
pub struct SingleThread {
    session: Session,
    ask: fn() -> Option<Signal>,
    /// The first words of commands that are not UCI's.
    own: &'static [&'static str],
}

impl SingleThread {
    /// A session with default options. A search calls `ask` at every check of the clock, about
    /// every millisecond.
    ///
    /// # Errors
    ///
    /// If there is no memory for even the smallest table.
    pub fn new(
        output: Output,
        ask: fn() -> Option<Signal>,
        commands: Box<dyn Commands>,
    ) -> Result<SingleThread, MemoryError> {
        let own = commands.names();
        Ok(SingleThread { session: Session::new(output, None, commands)?, ask, own })
    }

    /// Runs a line to its end: `go` returns after it has written `bestmove`. So `stop` and
    /// `ponderhit` come too late here and are ignored; a search learns of them from `ask`. The
    /// answer to an infinite or pondering search may come early, and the caller must hold it back.
    pub fn run_line(&mut self, line: &str) {
        let command = Command::parse(line, self.own);
        let flag = match &command {
            Command::Go(_) => Some(Arc::new(StopFlag::asking(self.ask))),
            _ => None,
        };
        let (sender, receiver): (Sender<Queued>, Receiver<Queued>) = channel();
        let _ = sender.send(Queued { command, flag });
        drop(sender);
        self.session.serve(&receiver, &AtomicUsize::new(1));
    }
}
