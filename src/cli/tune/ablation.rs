//! `freshet tune ablation`.

use clap::Args;
use freshet::tuning::ablation::{self, AblationSettings};

use super::comparison::ComparisonArgs;
use crate::cli::output::{Bar, Rows};
use crate::cli::{CommandError, Outcome, values};

/// Choose moves with and without each rule or group of terms: what are they worth?
///
/// Takes a build with `--features tune`. Where the moves differ, a deeper search with all rules and
/// terms decides which is better. It prefers what the terms prefer: that flatters groups of terms.
#[derive(Args)]
pub struct AblationArgs {
    /// Rules and groups to leave out, each for itself [default: all]
    names: Vec<String>,
    /// Games for each rule or group
    #[arg(
        long, value_name = "N", default_value_t = AblationSettings::default().games,
        value_parser = values::number::<u64, 2, { u64::MAX }>
    )]
    games: u64,
    #[command(flatten)]
    comparison: ComparisonArgs,
}

impl AblationArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Outcome, CommandError> {
        let AblationArgs { names, games, comparison } = self;
        let settings = AblationSettings { games, comparison: comparison.settings(), names };
        let bar = Bar::new();
        let header = format!(
            "worth in expected points in a thousand moves, {games} games each at {} nodes a move",
            settings.comparison.nodes.player
        );
        let mut rows = Rows::new(&bar, header);
        ablation::run(&settings, &bar, &mut |result| rows.print(&result.to_string()))?;
        Ok(Outcome::Success)
    }
}
