//! Reads and writes files, with one error type whose messages begin with the path. A file is
//! replaced as a whole or not at all ([`NewFile`]).

use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that cannot be read or written, or has wrong content.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The path as the user gave it.
    path: PathBuf,
    /// What went wrong: an error of the system, or wrong content.
    #[source]
    problem: FileProblem,
}

/// What can go wrong with a file.
#[derive(Debug, thiserror::Error)]
enum FileProblem {
    /// The system refused to read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The content is wrong.
    #[error("{0}")]
    Content(String),
}

impl FileError {
    /// Wraps a system error, for `map_err(FileError::io(path))`.
    pub fn io(path: &Path) -> impl Fn(io::Error) -> FileError {
        move |error| FileError { path: path.into(), problem: FileProblem::Io(error) }
    }

    /// An error about wrong content, with the reason.
    pub fn content(path: &Path, problem: impl fmt::Display) -> FileError {
        FileError { path: path.into(), problem: FileProblem::Content(problem.to_string()) }
    }

    /// An error in one line of the file; lines are counted from 1.
    #[doc(hidden)]
    pub fn line(path: &Path, number: usize, problem: impl fmt::Display) -> FileError {
        FileError::content(path, format!("line {number}: {problem}"))
    }
}

/// Whether a file has this extension, in upper or lower case.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|other| other.eq_ignore_ascii_case(extension))
}

/// The text of a file, decoded as [`decode`] does: UTF-8, UTF-16 with a byte-order mark, or ISO
/// 8859-1 in lines that are not UTF-8.
///
/// # Errors
///
/// If the file cannot be read.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    Ok(decode(&read_bytes(path)?))
}

/// Opens a text file for reading line by line.
///
/// # Errors
///
/// If it cannot be read, or is UTF-16, as some shells and editors of Windows write it.
#[doc(hidden)]
pub fn open_text(path: &Path) -> Result<BufReader<File>, FileError> {
    let mut input = BufReader::new(File::open(path).map_err(FileError::io(path))?);
    let begin = input.fill_buf().map_err(FileError::io(path))?;
    if begin.starts_with(b"\xff\xfe") || begin.starts_with(b"\xfe\xff") {
        return Err(FileError::content(path, "this is UTF-16: save it as UTF-8"));
    }
    // A stray zero byte is harmless, but every other byte of UTF-16 is zero.
    if 4 * begin.iter().filter(|byte| **byte == 0).count() >= begin.len().max(1) {
        return Err(FileError::content(path, "not text, or UTF-16: save it as UTF-8"));
    }
    Ok(input)
}

/// Whether this is a pipe or a device.
fn is_special(kind: &Metadata) -> bool {
    !kind.is_file() && !kind.is_dir()
}

/// Checks that there is something to read, before output is written. A named pipe is not opened: closing
/// it again could end the program that writes to it.
///
/// # Errors
///
/// If there is no such file, or it is a folder, or it is no pipe or device and may not be read.
#[doc(hidden)]
pub fn check_readable(path: &Path) -> Result<(), FileError> {
    let kind = path.metadata().ok();
    if kind.as_ref().is_some_and(|kind| kind.is_dir()) {
        return Err(FileError::io(path)(io::ErrorKind::IsADirectory.into()));
    }
    if !kind.as_ref().is_some_and(is_special) {
        File::open(path).map_err(FileError::io(path))?;
    }
    Ok(())
}

/// Shortens a text from a file for a one-line message: the first 20 characters that are not control
/// characters.
#[doc(hidden)]
pub fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(20).collect()
}

/// Decodes text as other programs write it: each line as UTF-8 or, if invalid, as ISO 8859-1. Drops
/// a byte-order mark at the beginning; one of UTF-16 selects that encoding.
pub fn decode(bytes: &[u8]) -> String {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xff, 0xfe, ..] => return utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return utf16(u16::from_be_bytes),
        _ => {}
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| match std::str::from_utf8(line) {
            Ok(text) => text.to_string(),
            Err(_) => line.iter().copied().map(char::from).collect(),
        })
        .collect()
}

/// Reads all bytes of a file.
#[doc(hidden)]
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    std::fs::read(path).map_err(FileError::io(path))
}

/// Writes a whole file, replacing an existing one, as [`NewFile`] does.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> Result<(), FileError> {
    let mut file = NewFile::create(path, &[])?;
    file.add(content)?;
    file.finish()
}

/// A file being written. An existing file at its path stays until [`NewFile::finish`]: the new
/// content goes to a temporary file in the same folder, which then replaces it. If anything goes
/// wrong before that, the temporary file is removed.
///
/// Pipes and devices are written directly, and `/dev/stdout` is standard output.
#[derive(Debug)]
pub struct NewFile {
    /// The path as the user gave it.
    path: PathBuf,
    file: BufWriter<Target>,
    /// The temporary file, and the file it will replace.
    temporary: Option<(PathBuf, PathBuf)>,
}

/// The destination of a [`NewFile`]'s content.
#[derive(Debug)]
enum Target {
    File(File),
    Stdout,
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(file) => file.write(bytes),
            Target::Stdout => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(file) => file.flush(),
            Target::Stdout => io::stdout().flush(),
        }
    }
}

impl NewFile {
    /// Begins a file. It must not be one of the files being `read`, not even through a symbolic or
    /// hard link.
    ///
    /// # Errors
    ///
    /// If the file is one of those, is a folder or read-only, or its folder does not exist or
    /// cannot be written.
    pub fn create(path: &Path, read: &[&Path]) -> Result<NewFile, FileError> {
        let before = path.metadata().ok();
        let is_special = before.as_ref().is_some_and(is_special);
        // Do not compare pipes. That would open the pipe and wait for its other end.
        let is_read = |other: &&Path| {
            other.is_file() && same_file::is_same_file(path, other).unwrap_or(false)
        };
        if !is_special && read.iter().any(is_read) {
            return Err(FileError::content(path, "is also the input file"));
        }
        let fail = FileError::io(path);
        let new = |target, temporary| NewFile {
            path: path.to_path_buf(),
            file: BufWriter::with_capacity(1 << 20, target),
            temporary,
        };
        // Standard output may be redirected to a file, which must not be replaced.
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
            .iter()
            .any(|name| path == Path::new(name))
        {
            return Ok(new(Target::Stdout, None));
        }
        if is_special {
            let file = OpenOptions::new().write(true).open(path).map_err(&fail)?;
            return Ok(new(Target::File(file), None));
        }
        // Follow a link, so that its target is replaced and not the link itself. The target may not
        // exist yet.
        let target = path.canonicalize().unwrap_or_else(|_| match std::fs::read_link(path) {
            Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => path.to_path_buf(),
        });
        if before.as_ref().is_some_and(|before| before.is_dir()) {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        if let Some(before) = &before
            && before.permissions().readonly()
        {
            return Err(fail(io::ErrorKind::PermissionDenied.into()));
        }
        let temporary = target.with_added_extension(format!("{}.new", std::process::id()));
        let file = File::create(&temporary).map_err(&fail)?;
        if let Some(before) = before {
            // Ignore errors: not every file system has permissions.
            let _ = file.set_permissions(before.permissions());
        }
        Ok(new(Target::File(file), Some((temporary, target))))
    }

    /// Adds content.
    ///
    /// # Errors
    ///
    /// If the system refuses, for instance because the disk is full.
    pub fn add(&mut self, content: impl AsRef<[u8]>) -> Result<(), FileError> {
        self.file.write_all(content.as_ref()).map_err(FileError::io(&self.path))
    }

    /// Writes the content so far to the temporary file, so that it survives if the program is
    /// interrupted.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn write_so_far(&mut self) -> Result<(), FileError> {
        self.file.flush().map_err(FileError::io(&self.path))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// If the rest cannot be written. The existing file then stays.
    pub fn finish(mut self) -> Result<(), FileError> {
        self.file.flush().map_err(FileError::io(&self.path))?;
        if let Some((temporary, target)) = &self.temporary {
            if let Target::File(file) = self.file.get_ref() {
                file.sync_all().map_err(FileError::io(&self.path))?;
            }
            std::fs::rename(temporary, target).map_err(FileError::io(&self.path))?;
            self.temporary = None;
        }
        Ok(())
    }
}

/// For content that is written piece by piece.
impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.temporary {
            let _ = std::fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for a test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("freshet-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("the folder");
        let name = |entry: io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_stays_until_the_new_one_is_whole() {
        let folder = folder("whole");
        let path = folder.join("text");
        replace(&path, "old").expect("written");
        let mut unfinished = NewFile::create(&path, &[]).expect("a file");
        unfinished.add("new").expect("written");
        assert_eq!(std::fs::read(&path).expect("the file"), b"old");
        drop(unfinished);
        assert_eq!(std::fs::read(&path).expect("the file"), b"old");
        let mut finished = NewFile::create(&path, &[]).expect("a file");
        finished.add("new").expect("written");
        finished.finish().expect("in its place");
        assert_eq!(std::fs::read(&path).expect("the file"), b"new");
        assert_eq!(names(&folder), ["text"], "no temporary file is left");
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn a_file_that_is_read_is_not_written() {
        let folder = folder("read");
        let (path, link) = (folder.join("text"), folder.join("link"));
        replace(&path, "old").expect("written");
        std::fs::hard_link(&path, &link).expect("a link");
        for target in [&path, &link, &folder.join(".").join("text")] {
            let error = NewFile::create(target, &[&path]).expect_err("the same file").to_string();
            assert!(error.ends_with(": is also the input file"), "{error}");
        }
        assert!(NewFile::create(&folder.join("other"), &[&path]).is_ok());
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    /// To open a named pipe and close it again could end the program that writes to it.
    #[cfg(unix)]
    #[test]
    fn input_is_checked_without_opening_a_pipe() {
        let folder = folder("checked");
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        // To open a pipe without a writer would block.
        check_readable(&pipe).expect("a pipe");
        replace(&folder.join("text"), "").expect("written");
        check_readable(&folder.join("text")).expect("a file");
        for wrong in [folder.join("missing"), folder.clone()] {
            let error = check_readable(&wrong).expect_err("nothing to read").to_string();
            assert!(error.starts_with(&wrong.display().to_string()), "{error}");
        }
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    /// Output can go to a pipe. To open it for a comparison with the input would block.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_written_to() {
        use std::io::Read;
        use std::os::fd::AsRawFd;

        let folder = folder("pipe");
        let path = folder.join("text");
        replace(&path, "old").expect("written");
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let name = PathBuf::from(format!("/proc/self/fd/{}", writer.as_raw_fd()));
        let mut file = NewFile::create(&name, &[&path]).expect("the pipe");
        file.add("new").expect("written");
        file.finish().expect("written");
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("the text");
        assert_eq!(text, "new");
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    /// The file behind a symbolic link is replaced; permissions stay.
    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;

        let folder = folder("links");
        let (path, link) = (folder.join("text"), folder.join("link"));
        replace(&path, "old").expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("set");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        replace(&link, "new").expect("written");
        assert_eq!(std::fs::read(&path).expect("the file"), b"new");
        assert!(link.symlink_metadata().expect("the link").is_symlink());
        let mode = path.metadata().expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn what_cannot_be_written_is_told_at_the_beginning() {
        let folder = folder("refused");
        for path in [folder.join("nowhere").join("text"), folder.clone()] {
            let error = NewFile::create(&path, &[]).expect_err("no file").to_string();
            assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
        }
        std::fs::remove_dir_all(folder).expect("the folder");
    }

    #[test]
    fn text_in_either_character_set() {
        assert_eq!(decode(b"\xff\xfea\0\xfc\0"), "aü");
        assert_eq!(decode(b"\xef\xbb\xbfone\nz\xfcrich\nZ\xc3\xbcrich"), "one\nzürich\nZürich");
    }
}
