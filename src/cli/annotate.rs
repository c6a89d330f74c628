use std::path::{Path, PathBuf};

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::explain::annotate::{self, Annotated};
use freshet::files::{NewFile, check_readable};
use freshet::tools::analyse::AnalyseSettings;

use super::analyse::EngineArgs;
use super::output::Bar;
use super::{CommandError, Outcome, values};

/// Annotate games with scores, marks, reasons and better lines
///
/// Every move gets its score as [%eval], from White's view. Moves that lose 5, 10 or 15 percent of
/// winning chances get the glyph for ?!, ? or ??, a comment with the reasons, and the better line
/// as a variation. Comments and variations of the game are kept. A move that cannot be played cuts
/// its game or variation short: the rest becomes a comment, the move is named with the number of the
/// game, and the exit status is 1. With --output, the games annotated so far are in
/// FILE.NUMBER.new until all are done.
#[derive(Args)]
pub struct AnnotateArgs {
    /// PGN file
    file: PathBuf,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Nodes for each position [default: 200000, without --time]
    #[arg(long, value_name = "N", value_parser = values::positive::<u64>)]
    nodes: Option<u64>,
    /// Time for each position in milliseconds [default: no limit]
    #[arg(long, value_name = "MS", value_parser = values::number::<i64, 1, { u32::MAX as u64 }>)]
    time: Option<i64>,
    #[command(flatten)]
    engine: EngineArgs,
}

impl AnnotateArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let AnnotateArgs { file, output, nodes, time, engine } = self;
        let nodes = nodes.or(time.is_none().then_some(annotate::NODES));
        let EngineArgs { threads, hash } = engine;
        let settings =
            AnalyseSettings { time, nodes, hash, threads, weights, ..AnalyseSettings::default() };
        // Report a missing file before starting an output.
        check_readable(&file)?;
        let create = |path: &Path| NewFile::create(path, &[&file]);
        let mut target = output.as_deref().map(create).transpose()?;
        let bar = Bar::new();
        let (mut is_first, mut is_whole) = (true, true);
        annotate::games(&file, None, &settings, &bar, &mut |annotated| {
            match (annotated, &mut target) {
                (Annotated::Bad(game), _) => {
                    is_whole = false;
                    bar.warn(&game.to_string());
                }
                (Annotated::Game(text), target) => {
                    let separator = if std::mem::take(&mut is_first) { "" } else { "\n" };
                    let text = format!("{separator}{text}");
                    match target {
                        Some(file) => {
                            file.add(&text)?;
                            file.write_so_far()?;
                        }
                        None => bar.print(&text),
                    }
                }
            }
            Ok::<(), CommandError>(())
        })?;
        // If no game could be annotated, an existing file stays.
        if let Some(target) = target.filter(|_| !is_first) {
            target.finish()?;
        }
        Ok(if is_whole { Outcome::Success } else { Outcome::Failure })
    }
}
