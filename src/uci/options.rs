//! Options as data: one list prints itself, parses itself and bounds itself.

use std::fmt::Write;

use super::command::number;
use crate::search::{Declared, Params, Probing, Strength};

/// What kind of option it is, with bounds and default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Spin { default: i64, min: i64, max: i64 },
    Check { default: bool },
    Text { default: &'static str },
    Button,
}

/// The options, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// Size of the table in MiB.
    Hash,
    /// Forgets everything.
    ClearHash,
    /// Threads of a search.
    Threads,
    /// Whether the GUI may let the engine ponder.
    Ponder,
    /// Milliseconds kept for the way from and to the GUI.
    MoveOverhead,
    /// Castling is written as king takes rook.
    Chess960,
    /// How many best moves are shown, each with its line.
    MultiPv,
    /// Folders of endgame tables.
    SyzygyPath,
    /// The least depth at which the largest tables are asked.
    SyzygyProbeDepth,
    /// The most pieces for which tables are asked.
    SyzygyProbeLimit,
    /// Wins that the fifty-move rule spoils are draws.
    SyzygyFiftyMoves,
    /// Chances are shown with the score.
    ShowWdl,
    /// The engine plays at the strength of [`Name::Elo`].
    LimitStrength,
    /// How strong it plays then.
    Elo,
    /// The GUI analyses: no book, full strength.
    AnalyseMode,
    /// Who made this, for the GUI to show.
    About,
    /// Only the last line of a search is shown.
    Minimal,
    /// A search is shown as a table for people.
    Readable,
    /// Moves of the book are played.
    OwnBook,
    /// The file of the book.
    BookFile,
    /// Up to which move of the game the book is asked.
    BookDepth,
    /// Always the best move of the book.
    BestBookMove,
    /// The file the table is saved to and loaded from.
    HashFile,
    /// Saves the table.
    SaveHash,
    /// Loads the table.
    LoadHash,
    /// The file that gets everything that is read and written.
    LogFile,
    /// A number of the search, by its place in [`Params::ALL`]: shown in tuning builds only.
    Param(usize),
    /// Rules and rooms that are left out: shown in tuning builds only.
    Ablation,
}

const ALL: [(Name, &str, Kind); 27] = [
    (Name::Hash, "Hash", Kind::Spin { default: 16, min: 1, max: 1 << 20 }),
    (Name::ClearHash, "Clear Hash", Kind::Button),
    (Name::HashFile, "Hash File", Kind::Text { default: "freshet.hash" }),
    (Name::SaveHash, "Save Hash", Kind::Button),
    (Name::LoadHash, "Load Hash", Kind::Button),
    (Name::Threads, "Threads", Kind::Spin { default: 1, min: 1, max: 256 }),
    (Name::MultiPv, "MultiPV", Kind::Spin { default: 1, min: 1, max: 256 }),
    (Name::Ponder, "Ponder", Kind::Check { default: false }),
    (Name::MoveOverhead, "Move Overhead", Kind::Spin { default: 20, min: 0, max: 5000 }),
    (Name::Chess960, "UCI_Chess960", Kind::Check { default: false }),
    (Name::SyzygyPath, "SyzygyPath", Kind::Text { default: "" }),
    (Name::SyzygyProbeDepth, "SyzygyProbeDepth", Kind::Spin { default: 1, min: 1, max: 100 }),
    (Name::SyzygyProbeLimit, "SyzygyProbeLimit", Kind::Spin { default: 7, min: 0, max: 7 }),
    (Name::SyzygyFiftyMoves, "Syzygy50MoveRule", Kind::Check { default: true }),
    (Name::OwnBook, "OwnBook", Kind::Check { default: false }),
    (Name::BookFile, "Book File", Kind::Text { default: "" }),
    (Name::BookDepth, "Book Depth", Kind::Spin { default: 20, min: 1, max: 200 }),
    (Name::BestBookMove, "Best Book Move", Kind::Check { default: false }),
    (Name::LimitStrength, "UCI_LimitStrength", Kind::Check { default: false }),
    (
        Name::Elo,
        "UCI_Elo",
        Kind::Spin { default: 2000, min: Strength::LEAST as i64, max: Strength::FULL as i64 },
    ),
    (Name::AnalyseMode, "UCI_AnalyseMode", Kind::Check { default: false }),
    (Name::ShowWdl, "UCI_ShowWDL", Kind::Check { default: false }),
    // The same for GUIs that keep what begins with UCI_ to themselves.
    (Name::ShowWdl, "Show WDL", Kind::Check { default: false }),
    (Name::Minimal, "Minimal", Kind::Check { default: false }),
    (Name::Readable, "Readable", Kind::Check { default: false }),
    (Name::LogFile, "Debug Log File", Kind::Text { default: "" }),
    (Name::About, "UCI_EngineAbout", Kind::Text { default: ABOUT }),
];

/// What a GUI shows about the engine.
const ABOUT: &str = "Freshet, a classical chess engine made of fills, by the Freshet developers";

/// All options: in a tuning build the numbers of the search too.
fn all() -> impl Iterator<Item = (Name, &'static str, Kind)> {
    let params = if cfg!(feature = "tune") { Params::ALL } else { &[] };
    let numbers = params.iter().enumerate().map(|(index, declared)| {
        let Declared { name, default, low, high } = *declared;
        let spin = Kind::Spin { default: default.into(), min: low.into(), max: high.into() };
        (Name::Param(index), name, spin)
    });
    let without =
        cfg!(feature = "tune").then_some((Name::Ablation, "Ablation", Kind::Text { default: "" }));
    ALL.into_iter().chain(numbers).chain(without)
}

/// The values that options have now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// MiB.
    pub hash: usize,
    /// How many.
    pub threads: usize,
    /// Milliseconds.
    pub move_overhead: i64,
    /// Castling as king takes rook.
    pub chess960: bool,
    /// Allowed by the GUI; the search does not need to know.
    pub ponder: bool,
    /// How many best moves are shown.
    pub lines: usize,
    /// Folders, separated as in the variable PATH.
    pub syzygy_path: String,
    /// When endgame tables are asked.
    pub probing: Probing,
    /// Chances are shown with the score.
    pub show_wdl: bool,
    /// The engine plays at the strength of `elo`.
    pub limit_strength: bool,
    /// Elo.
    pub elo: i32,
    /// The GUI analyses.
    pub analyse_mode: bool,
    /// Only the last line of a search is shown.
    pub minimal: bool,
    /// A search is shown as a table for people.
    pub readable: bool,
    /// Moves of the book are played.
    pub own_book: bool,
    /// A file in the Polyglot format.
    pub book_file: String,
    /// Moves of each side.
    pub book_depth: u32,
    /// Always the best move of the book.
    pub best_book_move: bool,
    /// A file for the table.
    pub hash_file: String,
    /// A file for everything that is read and written.
    pub log_file: String,
    /// The value of the number of the search that was set last.
    pub param: i32,
    /// Names of rules and rooms, separated by commas.
    pub without: String,
}

impl Default for Options {
    fn default() -> Options {
        let mut options = Options {
            hash: 0,
            threads: 0,
            move_overhead: 0,
            chess960: false,
            ponder: false,
            lines: 0,
            syzygy_path: String::new(),
            probing: Probing::default(),
            show_wdl: false,
            limit_strength: false,
            elo: 0,
            analyse_mode: false,
            minimal: false,
            readable: false,
            own_book: false,
            book_file: String::new(),
            book_depth: 0,
            best_book_move: false,
            hash_file: String::new(),
            log_file: String::new(),
            param: 0,
            without: String::new(),
        };
        for (name, _, kind) in ALL {
            match kind {
                Kind::Spin { default, .. } => options.put(name, default),
                Kind::Check { default } => options.put(name, i64::from(default)),
                Kind::Text { default } => options.put_text(name, default),
                Kind::Button => {}
            }
        }
        options
    }
}

impl Options {
    /// The lines that tell a GUI what can be set.
    pub fn list() -> String {
        let mut text = String::new();
        for (_, name, kind) in all() {
            let _ = match kind {
                Kind::Spin { default, min, max } => {
                    writeln!(
                        text,
                        "option name {name} type spin default {default} min {min} max {max}"
                    )
                }
                Kind::Check { default } => {
                    writeln!(text, "option name {name} type check default {default}")
                }
                Kind::Text { default } => {
                    let default = if default.is_empty() { "<empty>" } else { default };
                    writeln!(text, "option name {name} type string default {default}")
                }
                Kind::Button => writeln!(text, "option name {name} type button"),
            };
        }
        text
    }

    /// Sets an option from the text a GUI sends; names in any case. Says which was set, with a note where not to what was
    /// asked for, or why none was.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<(Name, Option<String>), String> {
        let Some((id, name, kind)) = all().find(|(_, known, _)| known.eq_ignore_ascii_case(name))
        else {
            return Err(format!("no such option: \"{name}\""));
        };
        let text = value.unwrap_or_default();
        let mut note = None;
        match kind {
            Kind::Button => {}
            Kind::Text { .. } => {
                let empty = ["<empty>", "<none>", "none"]
                    .iter()
                    .any(|word| text.eq_ignore_ascii_case(word));
                self.put_text(id, if empty { "" } else { text });
            }
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" | "yes" => self.put(id, 1),
                "false" | "off" | "0" | "no" => self.put(id, 0),
                _ => return Err(format!("{name} is true or false, not \"{text}\"")),
            },
            Kind::Spin { min, max, .. } => match number(text) {
                Some(value) => {
                    let near = value.clamp(min, max);
                    note = (near != value)
                        .then(|| format!("{name} is from {min} to {max}: set to {near}"));
                    self.put(id, near);
                }
                None => {
                    return Err(format!("{name} is a number from {min} to {max}, not \"{text}\""));
                }
            },
        }
        Ok((id, note))
    }

    fn put(&mut self, name: Name, value: i64) {
        match name {
            Name::Hash => self.hash = value as usize,
            Name::Threads => self.threads = value as usize,
            Name::MoveOverhead => self.move_overhead = value,
            Name::Chess960 => self.chess960 = value != 0,
            Name::Ponder => self.ponder = value != 0,
            Name::MultiPv => self.lines = value as usize,
            Name::SyzygyProbeDepth => self.probing.depth = value as i32,
            Name::SyzygyProbeLimit => self.probing.limit = value as usize,
            Name::SyzygyFiftyMoves => self.probing.fifty_moves = value != 0,
            Name::ShowWdl => self.show_wdl = value != 0,
            Name::LimitStrength => self.limit_strength = value != 0,
            Name::Elo => self.elo = value as i32,
            Name::AnalyseMode => self.analyse_mode = value != 0,
            Name::Minimal => self.minimal = value != 0,
            Name::Readable => self.readable = value != 0,
            Name::OwnBook => self.own_book = value != 0,
            Name::BookDepth => self.book_depth = value as u32,
            Name::BestBookMove => self.best_book_move = value != 0,
            Name::Param(_) => self.param = value as i32,
            Name::ClearHash
            | Name::SaveHash
            | Name::LoadHash
            | Name::SyzygyPath
            | Name::BookFile
            | Name::HashFile
            | Name::LogFile
            | Name::Ablation
            | Name::About => {}
        }
    }

    fn put_text(&mut self, name: Name, value: &str) {
        match name {
            Name::SyzygyPath => self.syzygy_path = value.to_string(),
            Name::BookFile => self.book_file = value.to_string(),
            Name::HashFile => self.hash_file = value.to_string(),
            Name::LogFile => self.log_file = value.to_string(),
            Name::Ablation => self.without = value.to_string(),
            _ => {}
        }
    }
}
