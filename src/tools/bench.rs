//! Bench: a fixed search of fixed positions. Its node count is the signature of what the engine plays; its speed is
//! comparable on one machine.

use std::fmt;
use std::time::{Duration, Instant};

use crate::board::Position;
use crate::search::{Limits, SearcherState};

/// Openings, middlegames, endgames, blocked and sharp positions, written down for this purpose.
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

/// The depth of the search, in plies.
const DEPTH: i64 = 14;

/// What a bench has measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Nodes: the same on every machine.
    pub nodes: u64,
    /// Time it took.
    pub time: Duration,
}

/// `N nodes M nps`, without separators.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64;
        write!(f, "{} nodes {speed} nps", self.nodes)
    }
}

/// The node count of this version, with what is set by default.
pub const SIGNATURE: u64 = 1556351;

/// BenchSettings to measure.
#[derive(Clone, Debug)]
pub struct BenchSettings {
    /// MiB for the table.
    pub hash: usize,
    /// Threads of each search.
    pub threads: usize,
    /// The limit of each search.
    pub limits: Limits,
    /// The positions.
    pub positions: Vec<Position>,
}

impl Default for BenchSettings {
    fn default() -> BenchSettings {
        let position =
            |fen: &str| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        BenchSettings {
            hash: 16,
            threads: 1,
            limits: Limits { depth: Some(DEPTH), ..Limits::default() },
            positions: POSITIONS.into_iter().map(position).collect(),
        }
    }
}

impl BenchSettings {
    /// Reads what may stand after `bench`, in the order of Stockfish and Fishtest: MiB, threads, limit, a file of positions or
    /// `default` or `current`, and whether the limit is `depth`, `nodes`, `movetime`.
    pub fn parse(words: &[&str], current: &Position) -> Result<BenchSettings, String> {
        let mut settings = BenchSettings::default();
        let number = |at: usize, what: &str| -> Result<Option<i64>, String> {
            let Some(word) = words.get(at) else { return Ok(None) };
            let number = word.parse::<i64>().ok().filter(|number| *number > 0);
            number.map(Some).ok_or_else(|| format!("{word} is not {what}"))
        };
        if let Some(hash) = number(0, "a size in MB")? {
            settings.hash = hash as usize;
        }
        if let Some(threads) = number(1, "a number of threads")? {
            settings.threads = (threads as usize).min(256);
        }
        let limit = number(2, "a limit")?.unwrap_or(DEPTH);
        match words.get(3).copied() {
            None | Some("default") => {}
            Some("current") => settings.positions = vec![current.clone()],
            Some(file) => {
                settings.positions = crate::tuning::selfplay::read_positions(file.as_ref())?;
            }
        }
        settings.limits = match words.get(4).copied() {
            None | Some("depth") => Limits { depth: Some(limit), ..Limits::default() },
            Some("nodes") => Limits { nodes: Some(limit as u64), ..Limits::default() },
            Some("movetime") => Limits { move_time: Some(limit), ..Limits::default() },
            Some(word) => return Err(format!("{word} is not depth, nodes or movetime")),
        };
        Ok(settings)
    }
}

/// Tells what was measured: the last line is that of [`Measured`].
pub fn report(measured: &Measured) -> String {
    format!("fills by {}\n{measured}", crate::fill::BACKEND)
}

/// The bench with all as it is by default.
pub fn run() -> Measured {
    measure(&BenchSettings::default()).unwrap_or_else(|error| panic!("bench: {error}"))
}

/// Searches all positions, everything forgotten before each, which is not timed.
pub fn measure(settings: &BenchSettings) -> Result<Measured, String> {
    let mut memory = SearcherState::new(settings.hash, settings.threads)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for position in &settings.positions {
        memory.clear();
        let start = Instant::now();
        nodes += memory.search(position, &settings.limits).nodes;
        time += start.elapsed();
    }
    Ok(Measured { nodes, time })
}
