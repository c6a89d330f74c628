//! Laws: properties that hold for every input, whatever its bytes.
//!
//! A law takes bytes and panics if the engine breaks it. The fuzz targets in `fuzz/` call laws with
//! bytes that lead to code not reached before, and the tests in `engine-tests/fuzz.rs` call them
//! with seeds and mutated seeds. Laws use public functions only.

pub mod board;
pub mod eval;
pub mod files;
pub mod input;
pub mod seeds;
pub mod session;

/// A fuzz target: a law, and inputs to begin with.
pub struct Target {
    /// The name of the fuzz target.
    pub name: &'static str,
    /// Panics if the engine breaks the law on these bytes.
    pub law: fn(&[u8]),
    /// Inputs that reach most of the code, from which a fuzzer makes others.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every fuzz target, by name.
pub const TARGETS: [Target; 11] = [
    Target { name: "uci", law: session::uci, seeds: seeds::uci },
    Target { name: "fen", law: board::fen, seeds: seeds::fen },
    Target { name: "moves", law: board::moves, seeds: seeds::choices },
    Target { name: "san", law: board::san, seeds: seeds::san },
    Target { name: "pgn", law: files::pgn, seeds: seeds::pgn },
    Target { name: "polyglot", law: files::polyglot, seeds: seeds::polyglot },
    Target { name: "hash_file", law: files::hash_file, seeds: seeds::hash_file },
    Target { name: "data", law: files::data, seeds: seeds::data },
    Target { name: "weights", law: files::weights, seeds: seeds::weights },
    Target { name: "epd", law: board::epd, seeds: seeds::epd },
    Target { name: "eval", law: eval::eval, seeds: seeds::choices },
];

/// An error message is a line that says something.
fn assert_message(error: impl std::fmt::Display) {
    let text = error.to_string();
    assert!(!text.trim().is_empty() && !text.contains('\n'), "{text:?}");
}
