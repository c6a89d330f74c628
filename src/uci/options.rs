//! UCI options as data: each has one row by which it is declared, printed, parsed, bounded and
//! applied.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::command::number;
use super::output::Output;
use super::print::Style;
use crate::book::Book;
use crate::engine::{BookUse, Engine};
use crate::search::{MAX_HASH, MAX_THREADS, Params, Probing, Strength, Tablebases};
use crate::tools::weights;

/// Options of the GUI that the engine does not keep itself. The defaults come from `ROWS`.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// The format of printed reports.
    pub(super) style: Style,
    /// Show a search as a table for people.
    pub(super) readable: bool,
    /// Send the reason for the move before `bestmove`.
    pub(super) explain: bool,
    hash_file: String,
    syzygy_path: String,
    probing: Probing,
    limit_strength: bool,
    elo: i32,
    own_book: bool,
    book_file: String,
    book_depth: u32,
    best_book_move: bool,
}

/// The objects that setting an option may change.
pub(super) struct Target<'a> {
    /// Keeps the options that change the search, the evaluation or the book.
    pub(super) engine: &'a mut Engine,
    /// Options that the engine does not keep itself.
    pub(super) settings: &'a mut Settings,
    /// Receives messages to the GUI.
    pub(super) output: &'a Output,
}

/// The error of setting an option.
pub(super) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The kind of an option, with its default, its bounds, and what setting it does.
enum Kind {
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Target<'_>, i64) -> Result<(), Failure>,
    },
    Check {
        default: bool,
        set: fn(&mut Target<'_>, bool),
    },
    Text {
        default: &'static str,
        set: fn(&mut Target<'_>, &str) -> Result<(), Failure>,
    },
    Button {
        press: fn(&mut Target<'_>) -> Result<(), Failure>,
    },
    /// The log file. The input thread sets it at once, so that the log includes what it reads next.
    Log {
        set: fn(&Output, &str) -> Result<(), Failure>,
    },
    /// A search parameter, by its index in [`Params::ALL`].
    Param {
        index: usize,
    },
}

/// The declaration of an option.
struct Row {
    name: &'static str,
    kind: Kind,
}

const fn spin(
    name: &'static str,
    default: i64,
    [min, max]: [i64; 2],
    set: fn(&mut Target<'_>, i64) -> Result<(), Failure>,
) -> Row {
    Row { name, kind: Kind::Spin { default, min, max, set } }
}

const fn check(name: &'static str, default: bool, set: fn(&mut Target<'_>, bool)) -> Row {
    Row { name, kind: Kind::Check { default, set } }
}

const fn text(
    name: &'static str,
    default: &'static str,
    set: fn(&mut Target<'_>, &str) -> Result<(), Failure>,
) -> Row {
    Row { name, kind: Kind::Text { default, set } }
}

const fn button(name: &'static str, press: fn(&mut Target<'_>) -> Result<(), Failure>) -> Row {
    Row { name, kind: Kind::Button { press } }
}

/// The text that a GUI shows about the engine.
const ABOUT: &str = "Freshet, a classical chess engine made of fills, by the Freshet developers";

/// The options, in the order in which they are shown.
const ROWS: [Row; 29] = [
    spin("Hash", 16, [1, MAX_HASH as i64], |target, mib| target.resize(mib as usize)),
    button("Clear Hash", |target| {
        target.engine.clear();
        Ok(())
    }),
    text("Hash File", "freshet.hash", |target, file| {
        target.settings.hash_file = file.to_string();
        Ok(())
    }),
    button("Save Hash", |target| {
        let path = target.hash_file()?;
        target.engine.save_table(&path)?;
        target.output.tell(&format!("saved to {}", path.display()));
        Ok(())
    }),
    button("Load Hash", |target| {
        let path = target.hash_file()?;
        target.engine.load_table(&path)?;
        target.output.tell(&format!("loaded from {}", path.display()));
        Ok(())
    }),
    spin("Threads", 1, [1, MAX_THREADS as i64], |target, threads| {
        Ok(target.engine.set_threads(threads as usize)?)
    }),
    spin("MultiPV", 1, [1, 256], |target, lines| {
        target.engine.set_multi_pv(lines as usize);
        Ok(())
    }),
    // Tells the GUI that the engine can ponder. The engine itself ignores it.
    check("Ponder", false, |_, _| {}),
    spin("Move Overhead", 20, [0, 5000], |target, milliseconds| {
        target.engine.set_move_overhead(milliseconds);
        Ok(())
    }),
    check("UCI_Chess960", false, |target, on| target.settings.style.chess960 = on),
    text("SyzygyPath", "", |target, folders| {
        target.settings.syzygy_path = folders.to_string();
        target.open_tablebases();
        Ok(())
    }),
    spin("SyzygyProbeDepth", 1, [1, 100], |target, depth| {
        target.settings.probing.depth = depth as i32;
        target.engine.set_probing(target.settings.probing);
        Ok(())
    }),
    spin("SyzygyProbeLimit", 7, [0, 7], |target, pieces| {
        target.settings.probing.limit = pieces as usize;
        target.engine.set_probing(target.settings.probing);
        Ok(())
    }),
    check("Syzygy50MoveRule", true, |target, on| {
        target.settings.probing.fifty_moves = on;
        target.engine.set_probing(target.settings.probing);
    }),
    check("OwnBook", false, |target, on| {
        target.settings.own_book = on;
        target.open_book();
    }),
    text("Book File", "", |target, file| {
        target.settings.book_file = file.to_string();
        target.open_book();
        Ok(())
    }),
    spin("Book Depth", 20, [1, 200], |target, moves| {
        target.settings.book_depth = moves as u32;
        target.apply_book_settings();
        Ok(())
    }),
    check("Best Book Move", false, |target, on| {
        target.settings.best_book_move = on;
        target.apply_book_settings();
    }),
    check("UCI_LimitStrength", false, |target, on| {
        target.settings.limit_strength = on;
        target.limit_strength();
    }),
    spin("UCI_Elo", 2000, [Strength::LEAST as i64, Strength::FULL as i64], |target, elo| {
        target.settings.elo = elo as i32;
        target.limit_strength();
        Ok(())
    }),
    check("UCI_AnalyseMode", false, |target, on| target.engine.set_analyse(on)),
    check("UCI_ShowWDL", false, |target, on| target.settings.style.wdl[0] = on),
    // The same, since some GUIs hide options that begin with UCI_. A GUI may send both: one that is
    // off must not undo the other.
    check("Show WDL", false, |target, on| target.settings.style.wdl[1] = on),
    check("Minimal", false, |target, on| target.settings.style.minimal = on),
    check("Readable", false, |target, on| target.settings.readable = on),
    check("Explain", false, |target, on| target.settings.explain = on),
    text("WeightsFile", "", |target, file| target.load_weights(file)),
    Row {
        name: "Debug Log File",
        kind: Kind::Log {
            set: |output, file| {
                let path = (!file.is_empty()).then(|| Path::new(file));
                match (output.is_recorded(), path) {
                    // GUIs send the default of every option.
                    (true, None) => Ok(()),
                    (true, Some(_)) => Err("freshet record writes the transcript".into()),
                    (false, path) => Ok(output.open_transcript(path)?),
                }
            },
        },
    },
    text("UCI_EngineAbout", ABOUT, |_, _| Ok(())),
];

/// All options. A tuning build adds the tuned search parameters.
fn rows() -> impl Iterator<Item = Row> {
    let tune = cfg!(feature = "tune");
    let params = if tune { Params::ALL } else { &[] };
    let numbers = params
        .iter()
        .enumerate()
        .map(|(index, declared)| Row { name: declared.name, kind: Kind::Param { index } });
    ROWS.into_iter().chain(numbers)
}

/// The UCI declarations of all options, one line each.
pub(super) fn list() -> String {
    let mut list = String::new();
    for Row { name, kind } in rows() {
        let kind = match kind {
            Kind::Spin { default, min, max, .. } => spin_text(default, min, max),
            Kind::Param { index } => {
                let declared = Params::ALL[index];
                spin_text(declared.default.into(), declared.low.into(), declared.high.into())
            }
            Kind::Check { default, .. } => format!("check default {default}"),
            Kind::Text { default: "", .. } | Kind::Log { .. } => {
                "string default <empty>".to_string()
            }
            Kind::Text { default, .. } => format!("string default {default}"),
            Kind::Button { .. } => "button".to_string(),
        };
        let _ = writeln!(list, "option name {name} type {kind}");
    }
    list
}

fn spin_text(default: i64, min: i64, max: i64) -> String {
    format!("spin default {default} min {min} max {max}")
}

/// Sets all options to their defaults.
///
/// # Errors
///
/// If the system has too little memory for the table. All other options are still set.
pub(super) fn set_defaults(target: &mut Target<'_>) -> Result<(), Failure> {
    rows().map(|row| set_default(target, row.kind)).fold(Ok(()), Result::and)
}

fn set_default(target: &mut Target<'_>, kind: Kind) -> Result<(), Failure> {
    match kind {
        Kind::Spin { default, set, .. } => set(target, default),
        // Nothing is set yet, and weights loaded by the command line must stay.
        Kind::Text { default: "", .. } => Ok(()),
        Kind::Text { default, set } => set(target, default),
        Kind::Check { default, set } => {
            set(target, default);
            Ok(())
        }
        Kind::Button { .. } | Kind::Log { .. } | Kind::Param { .. } => Ok(()),
    }
}

/// Sets an option from the text a GUI sends; names in any case. A number out of range is clamped,
/// with a message to the GUI.
///
/// # Errors
///
/// If there is no such option, or its value is malformed or cannot be applied.
pub(super) fn set(target: &mut Target<'_>, name: &str, value: Option<&str>) -> Result<(), Failure> {
    let Some(Row { kind, .. }) = rows().find(|row| row.name.eq_ignore_ascii_case(name)) else {
        return Err(format!("no such option: \"{name}\"").into());
    };
    let text = value.unwrap_or_default();
    match kind {
        Kind::Button { press } => press(target),
        Kind::Text { set, .. } => set(target, without_placeholder(text)),
        Kind::Log { .. } => Ok(()),
        Kind::Check { set, .. } => {
            let on = match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" | "yes" => true,
                "false" | "off" | "0" | "no" => false,
                _ => return Err(format!("{name} is true or false, not \"{text}\"").into()),
            };
            if !["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
                target.output.tell(&format!("{name} is true or false: \"{text}\" is {on}"));
            }
            set(target, on);
            Ok(())
        }
        Kind::Spin { min, max, set, .. } => {
            let value = bounded(target, name, text, [min, max])?;
            set(target, value)
        }
        Kind::Param { index } => {
            let declared = Params::ALL[index];
            let range = [declared.low.into(), declared.high.into()];
            let value = bounded(target, name, text, range)?;
            if let Some(number) = target.engine.params_mut().number(index) {
                *number = value as i32;
            }
            Ok(())
        }
    }
}

/// Opens the log, if this option names its file.
///
/// # Errors
///
/// If the file cannot be written.
pub(super) fn set_log(output: &Output, name: &str, value: Option<&str>) -> Result<(), Failure> {
    let row = rows().find(|row| row.name.eq_ignore_ascii_case(name));
    match row.map(|row| row.kind) {
        Some(Kind::Log { set }) => set(output, without_placeholder(value.unwrap_or_default())),
        _ => Ok(()),
    }
}

/// The text of an option, with the placeholders of GUIs for an empty text removed.
fn without_placeholder(text: &str) -> &str {
    let empty = ["<empty>", "<none>", "none"];
    if empty.iter().any(|word| text.eq_ignore_ascii_case(word)) { "" } else { text }
}

/// Parses a number and clamps it to its range, with a message to the GUI if it was outside.
fn bounded(
    target: &Target<'_>,
    name: &str,
    text: &str,
    [min, max]: [i64; 2],
) -> Result<i64, Failure> {
    let Some(value) = number(text) else {
        return Err(format!("{name} is a number from {min} to {max}, not \"{text}\"").into());
    };
    let near = value.clamp(min, max);
    if near != value {
        target.output.tell(&format!("{name} is from {min} to {max}: set to {near}"));
    }
    Ok(near)
}

impl Target<'_> {
    /// Loads weights from a file, or restores the built-in ones.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or has a bad line. The old weights then stay in use.
    fn load_weights(&mut self, file: &str) -> Result<(), Failure> {
        if file.is_empty() {
            self.engine.set_weights(None);
            self.output.tell("using the built-in weights");
            return Ok(());
        }
        let weights = weights::read(Path::new(file))
            .map_err(|error| format!("weights {error}; keeping the previous weights"))?;
        self.engine.set_weights(Some(weights));
        self.output.tell(&format!("using the weights in {file}"));
        Ok(())
    }

    /// Resizes the transposition table. With too little memory it keeps its size. If there is no memory
    /// even for that, it gets the smallest size.
    fn resize(&mut self, mib: usize) -> Result<(), Failure> {
        let before = self.engine.table_size();
        if mib == before {
            return Ok(());
        }
        let resized = self.engine.resize_table(mib);
        Ok(resized
            .map_err(|error| format!("{error}; Hash stays at {} MB", self.engine.table_size()))?)
    }

    /// The file of the option `Hash File`.
    fn hash_file(&self) -> Result<PathBuf, Failure> {
        match self.settings.hash_file.as_str() {
            "" => Err("no Hash File is set".into()),
            file => Ok(PathBuf::from(file)),
        }
    }

    fn limit_strength(&mut self) {
        let elo = self.settings.limit_strength.then_some(self.settings.elo);
        self.engine.set_elo(elo);
    }

    /// Opens the tablebases, with messages about files found and files that cannot be used.
    fn open_tablebases(&mut self) {
        let (tables, problems) =
            Tablebases::open(&self.settings.syzygy_path, self.settings.probing);
        for problem in &problems {
            self.output.error(problem);
        }
        if !self.settings.syzygy_path.is_empty() {
            self.output.tell(&match &tables {
                Some(tables) => {
                    format!(
                        "{} tablebase files, up to {} pieces",
                        tables.files,
                        tables.max_pieces()
                    )
                }
                None => "no tablebase files found; continuing without".to_string(),
            });
        }
        self.engine.set_tablebases(tables);
    }

    /// Opens the book if it is switched on, with a message about its size or its error.
    fn open_book(&mut self) {
        self.engine.set_book(None);
        if !self.settings.own_book || self.settings.book_file.is_empty() {
            return;
        }
        match Book::open(Path::new(&self.settings.book_file)) {
            Ok(book) => {
                self.output.tell(&format!("book of {} moves", book.len()));
                let (depth, best) = (self.settings.book_depth, self.settings.best_book_move);
                self.engine.set_book(Some(BookUse { book, depth, best }));
            }
            Err(error) => self.output.error(format!("book {error}; continuing without")),
        }
    }

    /// Applies depth and move choice to the open book.
    fn apply_book_settings(&mut self) {
        if let Some(book) = self.engine.book_mut() {
            book.depth = self.settings.book_depth;
            book.best = self.settings.best_book_move;
        }
    }
}
