//! Openings: balanced start positions from named opening lines.
//!
//! Reads tables of `eco`, `name` and `pgn` (the public-domain collection of lichess-org/chess-openings has this
//! form), plays every line of at least [`LEAST`] plies, lets the engine look at where it ends, and keeps what is balanced,
//! quiet and not there yet.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use crate::board::Position;
use crate::search::{Limits, SearcherState};
use crate::tools::Progress;

/// Plies a line must have, and may have.
const LEAST: usize = 6;
const MOST: usize = 20;
/// Nodes the engine looks at each position.
const NODES: u64 = 50_000;
/// The most either side may be ahead, in centipawns.
const BALANCED: i32 = 60;

/// Plays the moves of a line like `1. e4 e5 2. Nf3`.
fn play(pgn: &str) -> Option<(Position, usize)> {
    let mut position = Position::start();
    let mut plies = 0;
    for word in pgn.split_whitespace().filter(|word| !word.ends_with('.')) {
        let m = position.parse_san(word).ok()?;
        position.play(m);
        plies += 1;
    }
    Some((position, plies))
}

/// The lines of all `.tsv` files of a folder as an EPD text, in a seeded random order.
pub fn make(folder: &Path) -> Result<String, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "tsv"))
        .collect();
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        lines.extend(text.lines().skip(1).map(str::to_string));
    }
    if lines.is_empty() {
        return Err(format!("{}: no lines in .tsv files", folder.display()));
    }

    let mut memory = SearcherState::new(16, 1)?;
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    let progress = Progress::new("openings", lines.len() as u64);
    for (number, line) in lines.iter().enumerate() {
        progress.show(number as u64);
        let mut fields = line.split('\t');
        let (Some(eco), Some(name), Some(pgn)) = (fields.next(), fields.next(), fields.next())
        else {
            return Err(format!("not eco, name and pgn: {line}"));
        };
        let (position, plies) = play(pgn).ok_or_else(|| format!("no legal line: {pgn}"))?;
        if !(LEAST..=MOST).contains(&plies)
            || position.check_info().in_check()
            || !seen.insert(position.key())
        {
            continue;
        }
        memory.clear();
        let found = memory.search(&position, &Limits { nodes: Some(NODES), ..Limits::default() });
        let quiet = found.line.first().is_some_and(|&m| !position.is_noisy(m));
        if quiet && found.score.as_cp().is_some_and(|cp| cp.abs() <= BALANCED) {
            let fen = position.fen();
            let board: Vec<&str> = fen.split(' ').take(4).collect();
            kept.push(format!("{} c0 \"{eco} {}\";", board.join(" "), name.replace('"', "'")));
        }
    }
    drop(progress);
    kept.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(1));
    let mut text = String::new();
    for line in kept {
        let _ = writeln!(text, "{line}");
    }
    Ok(text)
}
