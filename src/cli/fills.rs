//! `freshet fills` and `freshet svg`.

use std::path::PathBuf;

use clap::Args;
use freshet::eval::Evaluator;
use freshet::explain::pictures::{self, Picture, svg, text};
use freshet::files;

use super::prompt::Here;
use super::{CommandError, Outcome};

/// Draw the sets of squares that the engine thinks in
///
/// Without a name the pictures are listed; without a position each has an example. king-paths takes
/// goals as well: fills king-paths d4 g7 FEN.
#[derive(Args)]
pub struct FillsArgs {
    /// Use ASCII letters and signs instead of chess symbols
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    what: WhatArgs,
}

/// Draw the same sets as an SVG file
///
/// Self-contained, in light and dark. Without a name the pictures are listed.
#[derive(Args)]
pub struct SvgArgs {
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    what: WhatArgs,
}

/// What is to be drawn.
#[derive(Args)]
struct WhatArgs {
    /// The picture, squares as goals, and a FEN, in one argument or six
    #[arg(value_name = "NAME [SQUARE]... [FEN]", num_args = 0..)]
    what: Vec<String>,
}

impl WhatArgs {
    /// The picture; `None` if no name is given.
    fn picture(&self, here: &Here<'_>) -> Result<Option<Picture>, CommandError> {
        let mut evaluator = Evaluator::with_weights(here.weights.clone());
        let words = self.what.iter().flat_map(|word| word.split_whitespace());
        Ok(pictures::asked_for(&words.collect::<Vec<_>>(), here.position.as_ref(), &mut evaluator)?)
    }
}

impl FillsArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        let symbols = if self.ascii { text::Symbols::Ascii } else { text::Symbols::Unicode };
        (here.say)(&match self.what.picture(here)? {
            Some(picture) => text::draw(&picture, symbols),
            None => text::list(),
        });
        Ok(Outcome::Success)
    }
}

impl SvgArgs {
    pub fn run(self, here: &Here<'_>) -> Result<Outcome, CommandError> {
        match (self.what.picture(here)?, self.output) {
            (None, None) => (here.say)(&text::list()),
            (None, Some(_)) => {
                return Err("which picture is to be written? freshet svg lists them".into());
            }
            (Some(picture), None) => (here.say)(&svg::draw(&picture)),
            (Some(picture), Some(file)) => files::replace(&file, svg::draw(&picture))?,
        }
        Ok(Outcome::Success)
    }
}
