//! Files that are read and written, and the one error they have: every message begins with the
//! path.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A file that cannot be read or written, or does not hold what it should.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub problem: FileProblem,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The content is not what it should be.
    #[error("{0}")]
    Content(String),
}

impl FileError {
    /// The system refuses: made for `map_err(FileError::io(path))`.
    pub fn io(path: &Path) -> impl Fn(io::Error) -> FileError {
        move |error| FileError { path: path.into(), problem: FileProblem::Io(error) }
    }

    /// The content is not what it should be.
    pub fn content(path: &Path, problem: impl fmt::Display) -> FileError {
        FileError { path: path.into(), problem: FileProblem::Content(problem.to_string()) }
    }

    /// The content of a line, counted from 1, is not what it should be.
    pub fn line(path: &Path, number: usize, problem: impl fmt::Display) -> FileError {
        FileError::content(path, format!("line {number}: {problem}"))
    }
}

/// Whether a file has this extension, in upper or lower case.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|other| other.eq_ignore_ascii_case(extension))
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(FileError::io(path))
}

/// The bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    std::fs::read(path).map_err(FileError::io(path))
}

/// Writes a file as a whole, in the place of one that may exist. If the program stops while it
/// is written, the file before is still there.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> Result<(), FileError> {
    let new = path.with_added_extension("new");
    write(&new, content)?;
    std::fs::rename(&new, path).map_err(FileError::io(path))
}

/// Writes a file as a whole, over one that may exist.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), FileError> {
    std::fs::write(path, content).map_err(FileError::io(path))
}
