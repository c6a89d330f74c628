//! Weights as text, to be read, changed and tried.
//!
//! A line is the name of a term, `=`, and its weights: middlegame and endgame in centipawns,
//! separated by a comma. Long rows continue on the next lines, and maps are laid out as a board,
//! rank 1 first. `#` begins a comment, and `[Group]` is a heading. Terms that a text leaves out
//! keep their built-in weights. The source of `weights.rs`, as printed by `freshet tune eval` or `tune moves`, can
//! be read too.
//!
//! ```
//! use freshet::eval::weights::WEIGHTS;
//! use freshet::tools::weights::{dump, parse};
//!
//! assert_eq!(parse(&dump(&WEIGHTS))?, WEIGHTS);
//! assert_eq!(parse("bishop_pair = 20,40 # more than before")?.bishop_pair[0].eg(), 40);
//! assert_eq!(parse(&std::fs::read_to_string("src/core/eval/weights.rs")?)?, WEIGHTS);
//! let error = parse("bishop_pair = 20,40\nbishop_pear = 1,1").unwrap_err();
//! assert_eq!(error.to_string(), "line 2: there is no term \"bishop_pear\"");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

use crate::board::Position;
use crate::eval::Evaluator;
use crate::eval::phased::{Phased, s};
use crate::eval::terms::{Purpose, TERMS, TermGroup};
use crate::eval::weights::{WEIGHTS, Weights};
use crate::files::{FileError, read_text, shortened};
use crate::tools::bench;

/// The weights per line of a long row: a rank of the board.
const RANK: usize = 8;

/// An error in a text of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct WeightsError {
    /// The line, from 1.
    line: usize,
    /// The error in that line.
    problem: WeightsProblem,
}

/// An error in a line of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum WeightsProblem {
    /// There is no such term.
    #[error("there is no term \"{0}\"")]
    Term(String),
    /// A term occurs twice.
    #[error("{0} stands here a second time")]
    Twice(&'static str),
    /// Weights without a term before them.
    #[error("weights without the name of a term: \"{0}\"")]
    Nameless(String),
    /// A word that is not a pair of numbers.
    #[error("\"{0}\" is not a middlegame and an endgame weight, as 12,-3")]
    Pair(String),
    /// A number outside the range of its term.
    #[error("{number} is not between {low} and {high}, as the weights of {term} must be")]
    Range {
        /// The number as read.
        number: i32,
        /// The smallest weight the term allows.
        low: i32,
        /// The greatest weight the term allows.
        high: i32,
        /// The name of the term.
        term: &'static str,
    },
    /// A term has the wrong number of weights.
    #[error("{term} has {wanted} weights, not {found}")]
    Count {
        /// The name of the term.
        term: &'static str,
        /// The number of weights the term needs.
        wanted: usize,
        /// The number of weights found.
        found: usize,
    },
    /// The sums of a position would overflow the numbers of the evaluation.
    #[error("together these weights are too large: {0} cannot be evaluated")]
    Sum(String),
}

/// The least and the greatest weight of a term.
fn range(group: TermGroup) -> [i32; 2] {
    match group {
        // The tables hold signed bytes.
        TermGroup::Squares | TermGroup::Fills => [-127, 127],
        TermGroup::Material => [-5000, 5000],
        // 64ths; a negative factor would change who is ahead.
        TermGroup::Scale => [0, 256],
        _ => [-2000, 2000],
    }
}

/// Writes weights as text.
pub fn dump(weights: &Weights) -> String {
    let mut text = format!(
        "# Weights of the evaluation of Freshet {}: middlegame,endgame in centipawns.\n\
         # Change them and load them with the UCI option WeightsFile, or freshet --weights FILE.\n",
        env!("CARGO_PKG_VERSION")
    );
    let mut infos = TERMS.iter();
    let mut last = None;
    weights.each(|group, name, row| {
        if last.replace(group) != Some(group) {
            let _ = write!(text, "\n[{group:?}]\n");
        }
        let pairs: Vec<String> =
            row.iter().map(|weight| format!("{},{}", weight.mg(), weight.eg())).collect();
        if let Some(info) = infos.next() {
            let _ = writeln!(text, "# {}", info.legend);
        }
        if row.len() <= RANK + 2 {
            let _ = writeln!(text, "{name} = {}", pairs.join(" "));
            return;
        }
        let width = pairs.iter().map(String::len).max().unwrap_or_default();
        let _ = writeln!(text, "{name} =");
        for rank in pairs.chunks(RANK) {
            let cells: Vec<String> = rank.iter().map(|pair| format!("{pair:>width$}")).collect();
            let _ = writeln!(text, "    {}", cells.join(" "));
        }
    });
    text
}

/// A term of a text with the weights read so far.
struct Entry {
    line: usize,
    index: usize,
    weights: Vec<Phased>,
}

impl Entry {
    fn check(&self) -> Result<(), WeightsError> {
        let (wanted, found) = (TERMS[self.index].size, self.weights.len());
        if wanted == found {
            return Ok(());
        }
        let term = TERMS[self.index].name;
        Err(WeightsError {
            line: self.line,
            problem: WeightsProblem::Count { term, wanted, found },
        })
    }

    /// Adds a pair of weights.
    fn add(&mut self, word: &str) -> Result<(), WeightsProblem> {
        let pair = word.split_once(',').and_then(|(mg, eg)| {
            let number = |text: &str| text.parse::<i32>().ok();
            Some([number(mg)?, number(eg)?])
        });
        let Some([mg, eg]) = pair else { return Err(WeightsProblem::Pair(shortened(word))) };
        let info = &TERMS[self.index];
        let [low, high] = range(info.group);
        if let Some(&number) = [mg, eg].iter().find(|number| !(low..=high).contains(*number)) {
            return Err(WeightsProblem::Range { number, low, high, term: info.name });
        }
        if self.weights.len() < info.size {
            self.weights.push(s(mg, eg));
            return Ok(());
        }
        let (term, wanted) = (info.name, info.size);
        Err(WeightsProblem::Count { term, wanted, found: wanted + 1 })
    }
}

/// The beginning of the weights in the source of `weights.rs`.
const SOURCE: &str = "pub const WEIGHTS: Weights";

/// Converts a line of that source to a line of text: `name: [s(1, -2), s(3, 4)],` as
/// `name = 1,-2 3,4`.
fn from_source(line: &str) -> String {
    let dense: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let named = dense.trim_end_matches(['}', ';']).replace(":[", "=");
    named.replace("s(", " ").replace("),", " ").replace([')', ']'], " ").replace(" ,", " ")
}

/// Reads weights.
///
/// # Errors
///
/// The first bad line. Weights that together are too large count as an error of the last line.
pub fn parse(text: &str) -> Result<Weights, WeightsError> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut seen, mut last_line) = (HashSet::new(), 1);
    let has_source = text.lines().any(|line| line.starts_with(SOURCE));
    let mut is_source = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        last_line = number;
        if line.starts_with(SOURCE) {
            is_source = true;
            continue;
        }
        if has_source && !is_source {
            // Skip the head of the source.
            continue;
        }
        let line = if is_source { &from_source(line) } else { line };
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.starts_with('[') && line.ends_with(']') {
            continue;
        }
        let failed = |problem| WeightsError { line: number, problem };
        let words = match line.split_once('=') {
            None => line,
            Some((name, words)) => {
                entries.last().map_or(Ok(()), Entry::check)?;
                let name = name.trim();
                let index = TERMS.iter().position(|info| info.name == name);
                let index = index.ok_or_else(|| failed(WeightsProblem::Term(shortened(name))))?;
                if !seen.insert(index) {
                    return Err(failed(WeightsProblem::Twice(TERMS[index].name)));
                }
                entries.push(Entry { line: number, index, weights: Vec::new() });
                words
            }
        };
        for word in words.split_whitespace() {
            let Some(entry) = entries.last_mut() else {
                return Err(failed(WeightsProblem::Nameless(shortened(word))));
            };
            entry.add(word).map_err(failed)?;
        }
    }
    entries.last().map_or(Ok(()), Entry::check)?;
    let weights = built_in_with(&entries);
    match misjudged(&weights) {
        None => Ok(weights),
        Some(fen) => Err(WeightsError { line: last_line, problem: WeightsProblem::Sum(fen) }),
    }
}

/// The built-in weights, overwritten by those that were read.
fn built_in_with(entries: &[Entry]) -> Weights {
    let (mut weights, mut index) = (WEIGHTS, 0);
    weights.each_mut(|row| {
        if let Some(entry) = entries.iter().find(|entry| entry.index == index) {
            row.copy_from_slice(&entry.weights);
        }
        index += 1;
    });
    weights
}

/// The number of weights that differ from the built-in ones.
pub fn changed(weights: &Weights) -> usize {
    let mut rows = Vec::new();
    WEIGHTS.each(|_, _, row| rows.extend_from_slice(row));
    let (mut built_in, mut count) = (rows.iter(), 0);
    weights.each(|_, _, row| {
        count += row.iter().zip(&mut built_in).filter(|(new, old)| new != old).count();
    });
    count
}

/// The sums of an evaluation are 16 bits wide. The positions below may use only half of that, to
/// leave room for positions with more of everything.
const ROOM: i64 = i16::MAX as i64 / 2;

/// A bench position whose sums are too large with these weights.
fn misjudged(weights: &Weights) -> Option<String> {
    let mut rows = Vec::new();
    weights.each(|group, _, row| rows.push((group.purpose(), row.to_vec())));
    let mut evaluator = Evaluator::new();
    let mut is_too_large = |position: &Position| {
        let counts = evaluator.trace(position).counts;
        [counts.white, counts.black].iter().any(|counts| {
            let mut sums = [[0_i64; 2]; 2];
            let mut rows = rows.iter();
            counts.each(|_, _, counts| {
                let Some((purpose, weights)) = rows.next() else { return };
                let sum = match purpose {
                    Purpose::Value => &mut sums[0],
                    Purpose::Danger => &mut sums[1],
                    Purpose::Initiative | Purpose::Scale => return,
                };
                for (&count, weight) in counts.iter().zip(weights) {
                    sum[0] += i64::from(count * weight.mg()).abs();
                    sum[1] += i64::from(count * weight.eg()).abs();
                }
            });
            sums.as_flattened().iter().any(|&sum| sum > ROOM)
        })
    };
    bench::POSITIONS
        .iter()
        .filter_map(|fen| Position::from_fen(fen).ok())
        .find_map(|position| is_too_large(&position).then(|| position.fen()))
}

/// Reads weights from a file.
///
/// # Errors
///
/// If the file cannot be read or has a bad line.
pub fn read(path: &Path) -> Result<Weights, FileError> {
    parse(&read_text(path)?).map_err(|error| FileError::content(path, error))
}
