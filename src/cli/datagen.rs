use std::path::PathBuf;

use clap::Args;
use freshet::eval::weights::Weights;
use freshet::tuning::datagen::{self, DatagenSettings};

use super::output::{Bar, print};
use super::{CommandError, Outcome, values};

/// Play games of the engine against itself and keep their quiet positions
///
/// With `--visited`, also keep positions that the searches have visited: the evaluation is asked
/// about these, and they are not like those of games. With `--ends`, also keep those at the ends of
/// the principal variations, whose evaluations decide what is played.
///
/// Positions are records of 32 bytes, whose format is described in `src/tuning/data.rs`. The same
/// seed gives the same file, whatever the number of threads. An interrupted run continues after the
/// last whole block of 512 games. For that, all options besides `--games` and `--threads`
/// must be the same.
#[derive(Args)]
pub struct DatagenArgs {
    /// Games in all, those already in the file included
    #[arg(
        long, value_name = "N", default_value_t = DatagenSettings::default().games,
        value_parser = values::positive::<u64>
    )]
    games: u64,
    /// Nodes a move
    #[arg(
        long, value_name = "N", default_value_t = DatagenSettings::default().nodes,
        value_parser = values::positive::<u64>
    )]
    nodes: u64,
    /// Search each kept position with N nodes for its score. Without this option a position of a game
    /// has the score of the search that chose the move, and other positions are searched with
    /// `--nodes` nodes
    #[arg(long, value_name = "N", value_parser = values::positive::<u64>)]
    score_nodes: Option<u64>,
    /// Keep each quiet position of a game or of `--ends` with a chance of one in N. `--visited` is not
    /// affected
    #[arg(
        long, value_name = "N", default_value_t = DatagenSettings::default().one_in,
        value_parser = values::positive::<u32>
    )]
    one_in: u32,
    /// Positions to sample, for each move of a game, from those that its search has visited; the
    /// quiet ones are searched and kept, with the score but without a result: up to N more searches a
    /// move
    #[arg(
        long, value_name = "N", default_value_t = DatagenSettings::default().visited,
        value_parser = values::number::<u32, 0, 1000>
    )]
    visited: u32,
    /// Also keep the position at the end of the principal variation of each move, if it is quiet,
    /// with the score of a search: up to one more search a move
    #[arg(long)]
    ends: bool,
    /// Games at the same time
    #[arg(
        long, value_name = "N", default_value_t = DatagenSettings::default().threads,
        value_parser = values::threads
    )]
    threads: usize,
    /// Seed of the random numbers, at most 16777215; another one on each machine, to play other games
    #[arg(
        long, value_name = "N", default_value_t = DatagenSettings::default().seed,
        value_parser = values::number::<u64, 0, { datagen::MAX_SEED }>
    )]
    seed: u64,
    /// EPD file of the positions from which most games start (built in if the default file is missing)
    #[arg(
        long, value_name = "FILE",
        default_value_os_t = DatagenSettings::default().openings
    )]
    openings: PathBuf,
    /// File of datagen whose positions are played out, each once, in place of games from openings:
    /// results for positions whose scores are in doubt. Castling rights are kept for rooks in the
    /// corners only. Positions with decided scores are left out. A run that is continued needs the
    /// same file
    #[arg(long, value_name = "FILE", conflicts_with = "openings")]
    playouts: Option<PathBuf>,
    /// The most pieces, kings and pawns included, of a position that is played out
    #[arg(
        long, value_name = "N", default_value_t = DatagenSettings::default().pieces,
        value_parser = values::number::<u32, 4, 32>, requires = "playouts"
    )]
    pieces: u32,
    /// File of the positions; the number and kind of its games are kept in `FILE.games`
    #[arg(
        long, value_name = "FILE",
        default_value_os_t = DatagenSettings::default().output
    )]
    output: PathBuf,
}

impl DatagenArgs {
    pub fn run(self, weights: Option<Weights>) -> Result<Outcome, CommandError> {
        let DatagenArgs {
            games,
            nodes,
            score_nodes,
            one_in,
            visited,
            ends,
            threads,
            seed,
            openings,
            playouts,
            pieces,
            output,
        } = self;
        let settings = DatagenSettings {
            openings,
            playouts,
            pieces,
            output,
            games,
            nodes,
            score_nodes,
            one_in,
            visited,
            ends,
            threads,
            seed,
            weights,
        };
        let records = datagen::run(&settings, &Bar::new())?;
        print(&format!("{records} positions"));
        Ok(Outcome::Success)
    }
}
