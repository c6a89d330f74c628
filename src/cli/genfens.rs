use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use freshet::tuning::datagen;

use super::output::print;
use super::{CommandError, Outcome, values};

/// Make random start positions in the form of OpenBench
///
/// OpenBench gives the command with all its words as one argument, which is understood as well.
#[derive(Args)]
pub struct GenfensArgs {
    /// Number of positions
    #[arg(value_name = "N", value_parser = values::positive::<usize>)]
    count: usize,
    /// Seed of the random numbers, 1 by default, and an EPD file of positions to start from; what
    /// OpenBench adds after the file is ignored
    #[arg(
        value_name = "seed S book FILE|None", num_args = 0.., trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<OsString>,
}

/// What the words after the number say.
struct Words {
    seed: u64,
    book: Option<PathBuf>,
}

impl Words {
    fn parse(words: &[OsString]) -> Result<Words, CommandError> {
        let mut parsed = Words { seed: 1, book: None };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let mut value = || {
                rest.next().ok_or_else(|| format!("a value is missing after {}", word.display()))
            };
            match word.to_str() {
                Some("seed") => {
                    let value = value()?.to_string_lossy();
                    parsed.seed = values::seed(&value)
                        .map_err(|problem| format!("seed {value}: {problem}"))?;
                }
                Some("book") => {
                    let file = value()?;
                    let is_file = !file.eq_ignore_ascii_case("none");
                    parsed.book = is_file.then(|| file.into());
                    // The extra arguments of OpenBench come last.
                    break;
                }
                _ => {
                    let problem = "is neither seed nor book (see freshet genfens --help)";
                    return Err(format!("{} {problem}", word.display()).into());
                }
            }
        }
        Ok(parsed)
    }
}

impl GenfensArgs {
    pub fn run(self) -> Result<Outcome, CommandError> {
        let Words { seed, book } = Words::parse(&self.words)?;
        for fen in datagen::genfens(self.count, seed, book.as_deref())? {
            print(&format!("info string genfens {fen}"));
        }
        Ok(Outcome::Success)
    }
}
