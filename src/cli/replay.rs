//! `freshet replay`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::uci::replay::{Comparison, Replay, compare};

use super::{CommandError, Outcome, uci};

/// Play a file of `record` again and compare all that does not depend on time
#[derive(Args)]
pub struct ReplayArgs {
    /// File that `freshet record` has written
    file: PathBuf,
}

impl ReplayArgs {
    /// Runs the command.
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let output = uci::output();
        output.keep();
        let replay = Replay::open(&self.file, output.clone())?;
        let recorded = replay.lines();
        freshet::uci::run_with(replay, &output, weights, Box::new(()));
        let Comparison { compared, timed, difference } = compare(&recorded, &output.kept());
        let (is_same, mut text) = match difference {
            None if compared == 0 => (false, "nothing to compare".to_string()),
            None => (true, format!("{compared} lines are as recorded")),
            Some(lines) => {
                let [before, now] = lines.map(|line| line.unwrap_or_else(|| "no line".to_string()));
                let text =
                    format!("line {} differs\nrecorded: {before}\nnow:      {now}", compared + 1);
                (false, text)
            }
        };
        if timed > 0 {
            text += &format!("\n{timed} searches that a clock or stop has ended are not compared");
        }
        let _ = writeln!(std::io::stderr(), "{text}");
        Ok(if is_same { Outcome::Success } else { Outcome::Failure })
    }
}
