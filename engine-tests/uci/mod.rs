//! The UCI protocol, tested with the real program through pipes: cases known to cause trouble with
//! GUIs and match runners.

mod commands;
mod corpora;
mod explaining;
#[cfg(feature = "fault-injection")]
mod faults;
mod files;
mod going;
mod lines;
mod mates;
mod options;
mod positions;
mod prompt;
mod resources;
mod searching;
mod settings;
mod wiring;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A running engine process with its pipes.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

/// The time limit for immediate answers, long enough for a busy machine.
const SOON: Duration = Duration::from_secs(20);

impl Engine {
    fn start() -> Engine {
        Engine::start_with(&[])
    }

    /// An engine with these environment variables.
    fn start_with(variables: &[(&str, &str)]) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_freshet"));
        command.envs(variables.iter().copied());
        Engine::of(command)
    }

    /// An engine that this command starts.
    fn of(mut command: Command) -> Engine {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = process.stdin.take();
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(n) if n > 0) {
                let text = String::from_utf8(std::mem::take(&mut line)).expect("UTF-8");
                let text = text.strip_suffix('\n').expect("whole lines");
                assert!(!text.contains('\r') && !text.contains('\t'), "{text:?}");
                assert!(
                    text == text.trim() || text.starts_with([' ', '|']) || text.contains('|'),
                    "{text:?}"
                );
                if sender.send(text.to_string()).is_err() {
                    return;
                }
            }
        });
        Engine { process, input, output: receiver }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        input.write_all(bytes).expect("the engine reads");
        input.flush().expect("the engine reads");
    }

    fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// All lines up to and including the first that starts with `start`.
    fn until(&mut self, start: &str, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let done = line.starts_with(start);
                    lines.push(line);
                    if done {
                        return lines;
                    }
                }
                Err(error) => panic!("no {start:?} ({error}) after {lines:#?}"),
            }
        }
    }

    /// Checks that nothing is written in this time.
    fn assert_silent(&mut self, time: Duration) {
        match self.output.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("not silent: {other:?}"),
        }
    }

    /// Sends `isready`, and returns all lines up to `readyok`.
    fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok", SOON)
    }

    /// Searches and gives the move.
    fn best(&mut self, go: &str) -> String {
        self.send(go);
        self.best_move(SOON)
    }

    fn best_move(&mut self, patience: Duration) -> String {
        let lines = self.until("bestmove", patience);
        lines[lines.len() - 1].split(' ').nth(1).expect("a move").to_string()
    }

    /// Whether the process ends in this time.
    fn exits_within(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if self.process.try_wait().expect("a process").is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        false
    }

    /// Waits for the end of the process, whose exit status must be 0.
    fn assert_exit(&mut self, patience: Duration) {
        assert!(self.exits_within(patience), "still running");
        let status = self.process.wait().expect("a process");
        assert!(status.success(), "{status}");
    }

    /// Quits, and returns what was written to standard error.
    fn silent_end(&mut self) -> String {
        self.send("quit");
        self.assert_exit(SOON);
        self.standard_error()
    }

    #[cfg(unix)]
    fn id(&self) -> u32 {
        self.process.id()
    }

    /// Everything written to standard error; waits for the end of the process.
    fn standard_error(&mut self) -> String {
        let mut text = String::new();
        let mut error = self.process.stderr.take().expect("a pipe");
        error.read_to_string(&mut text).expect("UTF-8");
        text
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
