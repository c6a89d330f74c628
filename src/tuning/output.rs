//! The output of long runs over games: an interrupted run continues after the last whole block.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::eval::weights::Weights;
use crate::files::{FileError, read_text, replace};

/// A file of what games gave, and the file that says how many complete games and bytes it holds.
pub(super) struct Output {
    path: PathBuf,
    file: File,
    games_path: PathBuf,
    /// What decided the games: a line of options. A file holds games of one kind only.
    kind: String,
    /// Games in the file.
    games: u64,
    /// The bytes of the complete games.
    length: u64,
}

impl Output {
    /// Opens the file, or creates it. Cuts off whatever an interrupted run wrote after its last
    /// whole block. If the file holds games of another kind, returns an error and leaves it
    /// unchanged, as it does while another run writes it. Its length must be a multiple of `record`, the
    /// size of a record in bytes.
    pub(super) fn open(path: &Path, kind: String, record: usize) -> Result<Output, FileError> {
        let games_path = path.with_added_extension("games");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(FileError::io(path))?;
        // A file system without locks is no reason to refuse.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(FileError::content(path, "another run is writing this file"));
        }
        let mut counts = Counts::default();
        if games_path.exists() {
            let text = read_text(&games_path)?;
            let (first, second) = text.trim().split_once('\n').unwrap_or((&text, ""));
            let is_whole = |counts: &Counts| counts.length.is_multiple_of(record as u64);
            counts = Counts::parse(first).filter(is_whole).ok_or_else(|| {
                FileError::content(&games_path, "not a number of games and one of whole records")
            })?;
            if second != kind {
                let problem = format!("it was made with \"{second}\", not \"{kind}\"");
                return Err(FileError::content(path, problem));
            }
        }
        let Counts { games, length } = counts;
        let present = file.metadata().map_err(FileError::io(path))?.len();
        if present > 0 && length == 0 && !games_path.exists() {
            let problem = format!("there is no {} for this file", games_path.display());
            return Err(FileError::content(path, problem));
        }
        if present < length {
            let problem = format!("{present} bytes, should be at least {length}");
            return Err(FileError::content(path, problem));
        }
        file.set_len(length).map_err(FileError::io(path))?;
        file.seek(SeekFrom::Start(length)).map_err(FileError::io(path))?;
        let output = Output { path: path.to_path_buf(), file, games_path, kind, games, length };
        output.write_counts()?;
        Ok(output)
    }

    fn write_counts(&self) -> Result<(), FileError> {
        replace(&self.games_path, format!("{} {}\n{}\n", self.games, self.length, self.kind))
    }

    /// Appends what the next games gave, up to this number of games in all.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub(super) fn append(&mut self, bytes: &[u8], games: u64) -> Result<(), FileError> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.flush());
        written.map_err(FileError::io(&self.path))?;
        self.length += bytes.len() as u64;
        self.games = games;
        self.write_counts()
    }

    /// Games in the file.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Bytes in the file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

/// The numbers in the first line of a `.games` file.
#[derive(Clone, Copy, Default)]
struct Counts {
    games: u64,
    /// The bytes of the complete games.
    length: u64,
}

impl Counts {
    fn parse(text: &str) -> Option<Counts> {
        let (games, length) = text.trim().split_once(' ')?;
        Some(Counts { games: games.parse().ok()?, length: length.parse().ok()? })
    }
}

/// Loaded weights as an option for the line that says how a file was made: their checksum.
pub(super) fn weights_option(weights: Option<&Weights>) -> String {
    let Some(weights) = weights else { return String::new() };
    // FNV-1a, which is the same with every compiler.
    let mut checksum: u64 = 0xcbf2_9ce4_8422_2325;
    weights.each(|_, _, row| {
        for value in row.iter().flat_map(|weight| [weight.mg(), weight.eg()]) {
            checksum = (checksum ^ value as u64).wrapping_mul(0x0100_0000_01b3);
        }
    });
    format!(" --weights (checksum {checksum:016x})")
}
