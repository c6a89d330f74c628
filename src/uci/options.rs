//! Options as data: one list prints itself, parses itself and bounds itself.

use std::fmt::Write;

/// What kind of option it is, with bounds and default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Spin { default: i64, min: i64, max: i64 },
    Check { default: bool },
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
}

const ALL: [(Name, &str, Kind); 6] = [
    (Name::Hash, "Hash", Kind::Spin { default: 16, min: 1, max: 1 << 20 }),
    (Name::ClearHash, "Clear Hash", Kind::Button),
    (Name::Threads, "Threads", Kind::Spin { default: 1, min: 1, max: 256 }),
    (Name::Ponder, "Ponder", Kind::Check { default: false }),
    (Name::MoveOverhead, "Move Overhead", Kind::Spin { default: 20, min: 0, max: 5000 }),
    (Name::Chess960, "UCI_Chess960", Kind::Check { default: false }),
];

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
}

impl Default for Options {
    fn default() -> Options {
        let mut options = Options { hash: 0, threads: 0, move_overhead: 0, chess960: false, ponder: false };
        for (name, _, kind) in ALL {
            match kind {
                Kind::Spin { default, .. } => options.put(name, default),
                Kind::Check { default } => options.put(name, i64::from(default)),
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
        for (_, name, kind) in ALL {
            let _ = match kind {
                Kind::Spin { default, min, max } => {
                    writeln!(text, "option name {name} type spin default {default} min {min} max {max}")
                }
                Kind::Check { default } => {
                    writeln!(text, "option name {name} type check default {default}")
                }
                Kind::Button => writeln!(text, "option name {name} type button"),
            };
        }
        text
    }

    /// Sets an option from the text a GUI sends; names in any case. Says which was set, or why none was.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Name, String> {
        let Some((id, name, kind)) = ALL.into_iter().find(|(_, known, _)| known.eq_ignore_ascii_case(name))
        else {
            return Err(format!("no such option: \"{name}\""));
        };
        let text = value.unwrap_or_default();
        match kind {
            Kind::Button => {}
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" | "yes" => self.put(id, 1),
                "false" | "off" | "0" | "no" => self.put(id, 0),
                _ => return Err(format!("{name} is true or false, not \"{text}\"")),
            },
            Kind::Spin { min, max, .. } => match text.parse::<i64>() {
                Ok(value) if (min..=max).contains(&value) => self.put(id, value),
                _ => return Err(format!("{name} is a number from {min} to {max}, not \"{text}\"")),
            },
        }
        Ok(id)
    }

    fn put(&mut self, name: Name, value: i64) {
        match name {
            Name::Hash => self.hash = value as usize,
            Name::Threads => self.threads = value as usize,
            Name::MoveOverhead => self.move_overhead = value,
            Name::Chess960 => self.chess960 = value != 0,
            Name::Ponder => self.ponder = value != 0,
            Name::ClearHash => {}
        }
    }
}
