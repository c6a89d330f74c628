//! Starts the build of Freshet that fits the processor best, of those that lie beside this program:
//! `freshet-x86-64-v3` and so on. It passes on its arguments, standard streams and exit status.
//!
//! On Unix the build takes the place of this program; on Windows it runs as a child process, which
//! ends when this program is ended. Nothing of it is left in the engine.
//!
//! `FRESHET_LEVEL=x86-64-v2` starts that build, whatever the processor.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A level of x86-64, which is a part of the name of its program.
struct Level {
    name: &'static str,
    /// Whether the processor, and the operating system, have what its program needs.
    fits: fn() -> bool,
}

/// All `is_x86_feature_detected!` of these features.
macro_rules! has {
    ($($feature:tt),*) => { true $(&& std::arch::is_x86_feature_detected!($feature))* };
}

/// The levels, best first, with the features of the psABI, and of AVX-512 those that the fills use
/// with what they imply.
const LEVELS: [Level; 4] = [
    Level { name: "x86-64-avx512", fits: has_avx512 },
    Level { name: "x86-64-v3", fits: has_v3 },
    Level { name: "x86-64-v2", fits: has_v2 },
    Level { name: "x86-64-v1", fits: || true },
];

fn has_v2() -> bool {
    has!("cmpxchg16b", "sse3", "ssse3", "sse4.1", "sse4.2", "popcnt")
}

fn has_v3() -> bool {
    has_v2() && has!("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe")
}

fn has_avx512() -> bool {
    has_v3()
        && has!("avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd", "avx512vbmi")
        && has!("avx512vbmi2", "avx512vnni", "avx512bitalg", "avx512vpopcntdq", "avx512ifma")
        && has!("gfni", "vaes", "vpclmulqdq")
}

/// Why nothing could be started.
#[derive(Debug)]
enum Problem {
    /// The system does not say where this program is.
    Here(io::Error),
    /// There is no program for any level that fits.
    NoBuild(PathBuf),
    /// `FRESHET_LEVEL` is none of the levels.
    UnknownLevel(OsString),
    /// A program could not be started.
    NotStarted(PathBuf, io::Error),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Here(error) => write!(f, "where this program is, is not known: {error}"),
            Problem::NoBuild(folder) => write!(
                f,
                "{}: no freshet-x86-64-... for this processor; unpack all files of the download \
                 into one folder",
                folder.display()
            ),
            Problem::UnknownLevel(name) => {
                let names = LEVELS.map(|level| level.name).join(", ");
                write!(f, "FRESHET_LEVEL={}: not one of {names}", name.display())
            }
            Problem::NotStarted(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

/// The program to start: of the level that is asked for, or else of the best one that fits and has
/// a program in this folder.
fn choose(folder: &Path, wanted: Option<OsString>) -> Result<PathBuf, Problem> {
    let program = |level: &Level| {
        folder.join(format!("freshet-{}{}", level.name, std::env::consts::EXE_SUFFIX))
    };
    if let Some(name) = wanted {
        let level = LEVELS.iter().find(|level| *level.name == name);
        return level.map(program).ok_or(Problem::UnknownLevel(name));
    }
    let mut programs = LEVELS.iter().filter(|level| (level.fits)()).map(program);
    programs.find(|path| path.is_file()).ok_or_else(|| Problem::NoBuild(folder.to_path_buf()))
}

fn run() -> Result<ExitCode, Problem> {
    // Without the links that lead here: the builds lie beside the program itself.
    let here =
        std::env::current_exe().and_then(|path| path.canonicalize()).map_err(Problem::Here)?;
    let folder = here.parent().unwrap_or(Path::new("."));
    let path = choose(folder, std::env::var_os("FRESHET_LEVEL"))?;
    let mut command = Command::new(&path);
    command.args(std::env::args_os().skip(1));
    start(command).map_err(|error| Problem::NotStarted(path, error))
}

/// Becomes the program.
#[cfg(unix)]
fn start(mut command: Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Runs the program to its end.
#[cfg(windows)]
fn start(mut command: Command) -> io::Result<ExitCode> {
    job::end_children_with_this_program();
    let status = command.status()?;
    // Exit statuses of Windows have 32 bits: those of a crash must not look like success.
    Ok(match status.code() {
        Some(0) => ExitCode::SUCCESS,
        Some(code) => ExitCode::from(u8::try_from(code).unwrap_or(1).max(1)),
        None => ExitCode::FAILURE,
    })
}

/// A GUI ends an engine that hangs by ending the process it knows, which is this program.
#[cfg(windows)]
mod job {
    use std::ptr::null;

    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
        SetInformationJobObject,
    };
    use windows_sys::Win32::System::Threading::GetCurrentProcess;

    /// Puts this process, and so its children, into a job that ends with it. Where the system
    /// refuses, children live on, as they do without a job.
    pub fn end_children_with_this_program() {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = size_of_val(&limits) as u32;
        // SAFETY: a new job without name or security attributes. Its handle is never closed, so
        // that the system closes it, and ends the job, when this process ends. The information is
        // of the kind and size that the call says.
        unsafe {
            let job = CreateJobObjectW(null(), null());
            if !job.is_null() {
                let kind = JobObjectExtendedLimitInformation;
                SetInformationJobObject(job, kind, (&raw const limits).cast(), size);
                AssignProcessToJobObject(job, GetCurrentProcess());
            }
        }
    }
}

fn main() -> ExitCode {
    run().unwrap_or_else(|problem| {
        eprintln!("freshet: {problem}");
        ExitCode::from(2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with empty programs for these levels.
    fn folder(name: &str, levels: &[&str]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("freshet-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for level in levels {
            let name = format!("freshet-{level}{}", std::env::consts::EXE_SUFFIX);
            std::fs::write(folder.join(name), "").expect("a file");
        }
        folder
    }

    #[test]
    fn the_best_level_that_is_there_is_chosen() {
        let all = folder("all", &LEVELS.map(|level| level.name));
        let best = LEVELS.iter().find(|level| (level.fits)()).expect("v1 fits");
        let chosen = choose(&all, None).expect("a program");
        assert!(chosen.ends_with(format!("freshet-{}{}", best.name, std::env::consts::EXE_SUFFIX)));

        let oldest = folder("oldest", &["x86-64-v1"]);
        let chosen = choose(&oldest, None).expect("a program");
        assert!(chosen.display().to_string().contains("x86-64-v1"));

        let empty = folder("empty", &[]);
        assert!(matches!(choose(&empty, None), Err(Problem::NoBuild(_))));
        for folder in [all, oldest, empty] {
            let _ = std::fs::remove_dir_all(folder);
        }
    }

    #[test]
    fn a_level_can_be_asked_for() {
        let folder = Path::new("folder");
        let chosen = choose(folder, Some("x86-64-v2".into())).expect("a program");
        assert!(chosen.display().to_string().contains("freshet-x86-64-v2"));
        assert!(matches!(choose(folder, Some("v9".into())), Err(Problem::UnknownLevel(_))));
    }
}
