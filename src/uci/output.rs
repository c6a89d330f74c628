//! The only writer of the protocol. It writes whole lines and flushes them. An open transcript receives
//! everything that is read and written.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::transcript::{Direction, Transcript};
use crate::files::FileError;

/// The output of a session. Clones write to the same place.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Writer>>);

struct Writer {
    out: Box<dyn Write + Send>,
    transcript: Option<Transcript>,
    /// The number of `bestmove` lines written.
    answers: usize,
    /// The lines written, for tests.
    #[cfg(test)]
    kept: Vec<String>,
    /// Called when a line cannot be written.
    failed: Box<dyn FnMut(&io::Error) + Send>,
    /// A transcript could not be written to its end.
    lost_transcript: bool,
    /// The transcript is that of the whole session: no option ends it.
    is_recorded: bool,
}

impl Output {
    /// Writes to `out`; calls `failed` if a line cannot be written, for instance because the reader is
    /// gone.
    pub fn new(
        out: impl Write + Send + 'static,
        failed: impl FnMut(&io::Error) + Send + 'static,
    ) -> Output {
        Output(Arc::new(Mutex::new(Writer {
            out: Box::new(out),
            transcript: None,
            answers: 0,
            #[cfg(test)]
            kept: Vec::new(),
            failed: Box::new(failed),
            lost_transcript: false,
            is_recorded: false,
        })))
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes text in one piece, with a line feed at its end.
    pub fn say(&self, text: &str) {
        let mut writer = self.writer();
        let text = text.strip_suffix('\n').unwrap_or(text);
        writer.note(Direction::Written, text);
        writer.answers += usize::from(text.starts_with("bestmove "));
        writer.write(text);
    }

    /// Writes a message for people as one `info string` line.
    pub(super) fn tell(&self, text: &str) {
        self.say(&format!("info string {}", text.replace(['\r', '\n'], " ")));
    }

    /// Writes an error as `info string error: ...`.
    pub fn error(&self, error: impl std::fmt::Display) {
        self.tell(&format!("error: {error}"));
    }

    /// Records a line of input in the transcript.
    pub(super) fn note_read(&self, line: &str) {
        self.writer().note(Direction::Read, line);
    }

    /// Records everything in this file from now on; `None` ends the transcript. If this file is
    /// already the open transcript, it goes on.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. The previous transcript then goes on.
    pub fn open_transcript(&self, path: Option<&Path>) -> Result<(), FileError> {
        let is_open = |transcript: &Transcript| Some(transcript.path()) == path;
        if self.writer().transcript.as_ref().is_some_and(is_open) {
            return Ok(());
        }
        let transcript = path.map(Transcript::create).transpose()?;
        self.writer().transcript = transcript;
        Ok(())
    }

    /// Records the whole session in this file, as [`Output::open_transcript`] does; no option ends it.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn record(&self, path: &Path) -> Result<(), FileError> {
        self.open_transcript(Some(path))?;
        self.writer().is_recorded = true;
        Ok(())
    }

    /// Whether the whole session is recorded.
    pub(super) fn is_recorded(&self) -> bool {
        self.writer().is_recorded
    }

    /// Whether a transcript could not be written to its end.
    pub fn has_lost_transcript(&self) -> bool {
        self.writer().lost_transcript
    }

    /// The number of `bestmove` lines written.
    pub(super) fn answers(&self) -> usize {
        self.writer().answers
    }
}

#[cfg(test)]
impl Output {
    /// An output that only keeps its lines.
    pub(super) fn kept_only() -> Output {
        Output::new(std::io::sink(), |_| {})
    }

    /// The lines written.
    pub(super) fn kept(&self) -> Vec<String> {
        self.writer().kept.clone()
    }
}

impl Writer {
    fn write(&mut self, text: &str) {
        let out = &mut self.out;
        let written = out.write_all(format!("{text}\n").as_bytes()).and_then(|()| out.flush());
        if let Err(error) = written {
            (self.failed)(&error);
        }
    }

    /// Records a text that was read or written, without the colours of the option `Readable`.
    fn note(&mut self, direction: Direction, text: &str) {
        #[cfg(test)]
        if direction == Direction::Written {
            self.kept.extend(text.lines().map(str::to_string));
        }
        if self.transcript.is_none() {
            return;
        }
        let text = anstream::adapter::strip_str(text).to_string();
        if let Some(transcript) = &mut self.transcript
            && let Err(error) = transcript.note(direction, &text)
        {
            (self.transcript, self.lost_transcript) = (None, true);
            self.write(&format!("info string error: {error}; the transcript ends"));
        }
    }
}
