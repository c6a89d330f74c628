//! Bench: a fixed search of fixed positions. Its node count is a signature of the engine's play.
//! Its speed compares versions on one machine.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::ToolError;
use crate::board::{Epd, Position};
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::files::FileError;
use crate::known;
use crate::progress::Progress;
use crate::search::Limits;

/// Openings, middlegames, endgames, blocked and sharp positions, composed for this purpose.
pub const POSITIONS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp3ppp/2n1pn2/2pp4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "rnbq1rk1/pp2ppbp/3p1np1/2p5/2PPP3/2N2N2/PP2BPPP/R1BQK2R w KQ - 0 7",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 10",
    "r1b2rk1/1pqnbppp/p2ppn2/8/3NPP2/2N1B3/PPPQB1PP/R4RK1 w - - 0 11",
    "r1bqr1k1/pp1nbppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R3K2R w KQ - 5 10",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2rq1rk1/pb2bppp/1pn1pn2/8/3P4/P1NB1N2/1P2QPPP/R1BR2K1 b - - 0 14",
    "r4rk1/1b2qppp/p1n1pb2/1p6/3P4/P1N2N2/1PB1QPPP/3R1RK1 w - - 0 17",
    "2kr3r/ppq2ppp/2nbpn2/8/2BP4/P1N2N2/1P2QPPP/R1B2RK1 b - - 0 13",
    "r1b2rk1/pp1p1ppp/1qn1pn2/8/1bP5/2N2NP1/PP2PPBP/R1BQ1RK1 w - - 4 9",
    "3r1rk1/p4ppp/1p2p3/2p5/2P1n3/1P2PN2/PB3PPP/3R1RK1 b - - 1 19",
    "8/2p2pk1/1p1p2p1/p2P3p/P1P1P2P/1P3P2/6K1/8 w - - 0 40",
    "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/8/8 b - - 0 40",
    "4k3/8/3pPp2/1p1P1P1p/1P5P/5P2/3K4/8 w - - 0 1",
    "8/1p3k2/p1p2p2/P1P1pPp1/1P2P1Pp/5K1P/8/8 w - - 0 1",
    "6k1/5ppp/8/3R4/8/6P1/r4PKP/8 w - - 0 35",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "4r1k1/1R3ppp/3b4/2p5/2P1p3/1P2P1P1/5PKP/3B4 w - - 0 30",
    "8/5k2/3p1p2/3P1P2/1p2PK2/8/1P6/8 w - - 0 50",
    "5rk1/q4p2/4p1p1/1p1pP1Pp/p2P1P1P/P2Q4/1P6/1K1R4 w - - 0 30",
    "3q2k1/1p3pp1/p6p/3P4/1P1b4/P4Q1P/5PP1/3R2K1 w - - 0 28",
    "7k/3p2pp/4q3/8/4Q3/5Kp1/P6b/8 w - - 0 1",
];

/// The default depth of the search in plies.
pub const DEPTH: i64 = 14;

/// The node count of this version with default settings.
pub const SIGNATURE: u64 = 1759617;

/// The result of a bench.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Nodes visited: the same on every machine.
    pub nodes: u64,
    /// Moves made, without null moves: what Stockfish counts as nodes.
    moves_made: u64,
    /// The total time of the searches.
    pub time: Duration,
}

/// `N nodes M nps`, without separators.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64;
        write!(f, "{} nodes {speed} nps", self.nodes)
    }
}

/// The positions and limits of a bench.
#[derive(Clone, Debug)]
pub struct BenchSettings {
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// Threads of each search.
    pub threads: usize,
    /// The limit of each search.
    pub limits: Limits,
    /// The positions to search.
    pub positions: Vec<Position>,
    /// The weights of the evaluation, if not the built-in ones.
    pub weights: Option<Weights>,
}

impl Default for BenchSettings {
    fn default() -> BenchSettings {
        BenchSettings {
            hash: 16,
            threads: 1,
            limits: LimitKind::Depth.limits(DEPTH),
            positions: default_positions(),
            weights: None,
        }
    }
}

fn default_positions() -> Vec<Position> {
    let position =
        |fen: &str| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    POSITIONS.into_iter().map(position).collect()
}

/// The kind of limit of each search in a bench.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitKind {
    /// The limit is a number of plies.
    #[default]
    Depth,
    /// The limit is a number of nodes.
    Nodes,
    /// The limit is a time in milliseconds.
    MoveTime,
}

impl LimitKind {
    /// The limits of a search that ends at this depth, node count or time.
    pub fn limits(self, limit: i64) -> Limits {
        match self {
            LimitKind::Depth => Limits { depth: Some(limit), ..Limits::default() },
            LimitKind::Nodes => Limits { nodes: Some(limit.max(1) as u64), ..Limits::default() },
            LimitKind::MoveTime => Limits { move_time: Some(limit), ..Limits::default() },
        }
    }
}

/// The positions for an argument of `bench`: `default` for the fixed ones, `current` for the given
/// position, otherwise those of an EPD file.
///
/// # Errors
///
/// If the file cannot be read, or a line has no legal position.
pub fn positions(name: &Path, current: &Position) -> Result<Vec<Position>, FileError> {
    match name.to_str() {
        Some("default") => Ok(default_positions()),
        Some("current") => Ok(vec![current.clone()]),
        _ => Ok(Epd::read(name)?.into_iter().map(|epd| epd.position).collect()),
    }
}

/// The report of a bench. Its last line is [`Measured`]'s.
pub fn report(measured: &Measured) -> String {
    format!("fills by {}\n{measured}", crate::fill::BACKEND)
}

/// Nodes visited and moves made, for comparison with engines that count either.
pub fn report_counts(measured: &Measured) -> String {
    let Measured { nodes, moves_made, time } = measured;
    let seconds = time.as_secs_f64().max(1e-9);
    let line = |name: &str, count: u64| {
        format!("{name:14} {count:12}  {:10.0} a second\n", count as f64 / seconds)
    };
    line("nodes visited", *nodes) + &line("moves made", *moves_made)
}

/// The bench with default settings.
pub fn run() -> Measured {
    measure(&BenchSettings::default(), &()).unwrap_or_else(|error| panic!("bench: {error}"))
}

/// Searches all positions. Clears the tables before each, and first solves the endgames that are
/// solved before games. Neither is timed.
///
/// # Errors
///
/// If there is no memory for the transposition table.
pub fn measure(settings: &BenchSettings, progress: &dyn Progress) -> Result<Measured, ToolError> {
    let mut engine = Engine::new(settings.hash, settings.threads)?;
    engine.set_weights(settings.weights.clone());
    known::prepare();
    let mut measured = Measured { nodes: 0, moves_made: 0, time: Duration::ZERO };
    progress.start("positions", settings.positions.len() as u64);
    for position in &settings.positions {
        engine.clear();
        let start = Instant::now();
        let result = engine.search(position, &settings.limits);
        measured.time += start.elapsed();
        measured.nodes += result.nodes;
        measured.moves_made += result.moves_made;
        progress.advance();
    }
    progress.finish();
    Ok(measured)
}
