//! What commands print: results on standard output, progress and remarks on standard error.

use std::io::{self, ErrorKind, Write};
use std::time::Duration;

use freshet::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Writes a text and a line feed, unless it ends with one, to standard output; colours only to a
/// terminal. Ends the program if nobody reads it any more, or if it cannot be written, as when the
/// disk is full.
pub fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    if let Err(error) = written.and_then(|()| out.flush()) {
        give_up(&error);
    }
}

/// Ends the program because standard output cannot be written: quietly if nobody reads it any more.
pub fn give_up(error: &io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(1);
    }
    let _ = writeln!(io::stderr(), "freshet: standard output: {error}");
    std::process::exit(super::ERROR_STATUS.into());
}

/// Prints the rows of a table while a bar is shown, and before the first one the header.
pub struct Rows<'a> {
    bar: &'a Bar,
    header: Option<String>,
}

impl<'a> Rows<'a> {
    /// A table with this header.
    pub fn new(bar: &'a Bar, header: impl Into<String>) -> Rows<'a> {
        Rows { bar, header: Some(header.into()) }
    }

    pub fn print(&mut self, row: &str) {
        if let Some(header) = self.header.take() {
            self.bar.print(&header);
        }
        self.bar.print(row);
    }
}

/// A bar on standard error that shows progress with the time left, if that is a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar that appears once a stage begins.
    pub fn new() -> Bar {
        let template = "{msg} {pos}/{len} [{bar:40}] {elapsed}, {eta} left";
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        Bar(bar.with_style(style))
    }

    /// Prints a warning on standard error; the work goes on.
    pub fn warn(&self, line: &str) {
        self.note(&format!("freshet: {line}"));
    }

    /// Prints a result while the bar is shown.
    pub fn print(&self, text: &str) {
        self.0.suspend(|| print(text));
    }
}

impl Progress for Bar {
    fn start(&self, unit: &str, total: u64) {
        self.0.set_length(total);
        self.0.set_message(unit.to_string());
        self.0.reset();
        self.0.enable_steady_tick(Duration::from_secs(1));
    }

    fn set(&self, done: u64) {
        let is_first = self.0.position() == 0;
        self.0.set_position(done);
        if is_first {
            // Work done by an earlier run took no time in this one.
            self.0.reset_eta();
        }
    }

    fn advance(&self) {
        self.0.inc(1);
    }

    fn finish(&self) {
        self.0.finish_and_clear();
    }

    fn note(&self, line: &str) {
        self.0.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{line}");
        });
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
