//! Perft: counts the leaves of the tree of legal moves, to find errors in a move generator.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::ToolError;
use crate::board::{Epd, Move, MoveList, Position, PositionError, ReplyCounter};
use crate::chess::{Color, Role};
use crate::progress::Progress;
use crate::search::{MAX_THREADS, MemoryError};

/// The treatment of the moves of the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Only counted, for several positions at once. The moves before them are not fully played: only
    /// the sets of pieces are updated, not the hash key or history.
    Bare,
    /// Only counted ("bulk counting"), for several positions at once. All moves before them are
    /// played.
    Counted,
    /// Written into a list.
    Listed,
    /// Written into a list, and each played and undone.
    Played,
}

/// The number of move sequences of this length, counted the fastest way.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    perft_with(position, depth, Leaves::Bare)
}

/// The number of move sequences of this length, with the given treatment of the last ply.
pub fn perft_with(position: &mut Position, depth: u32, leaves: Leaves) -> u64 {
    match (leaves, depth) {
        (_, 0) => 1,
        (Leaves::Bare | Leaves::Counted, 1) => position.count_moves().into(),
        (Leaves::Bare, _) => count_in_bulk(position, depth, &|position, moves, counter| {
            counter.add(position, moves);
        }),
        (Leaves::Counted, _) => count_in_bulk(position, depth, &|position, moves, counter| {
            for &m in moves {
                position.play(m);
                counter.add_position(position);
                position.undo();
            }
        }),
        (Leaves::Listed, _) => count::<LISTED>(position, depth),
        (Leaves::Played, _) => count::<PLAYED>(position, depth),
    }
}

/// Counts to a depth of at least two. `last` adds the replies to the moves of the last ply but one.
fn count_in_bulk(
    position: &mut Position,
    depth: u32,
    last: &impl Fn(&mut Position, &[Move], &mut ReplyCounter),
) -> u64 {
    let turn = position.turn();
    let replies_by = if depth.is_multiple_of(2) { turn.other() } else { turn };
    let mut counter = ReplyCounter::new(position, replies_by);
    add_replies(position, depth, &mut counter, last);
    counter.finish()
}

fn add_replies(
    position: &mut Position,
    depth: u32,
    counter: &mut ReplyCounter,
    last: &impl Fn(&mut Position, &[Move], &mut ReplyCounter),
) {
    let moves = position.moves();
    if depth == 2 {
        return last(position, &moves, counter);
    }
    for &m in &moves {
        position.play(m);
        add_replies(position, depth - 1, counter, last);
        position.undo();
    }
}

const LISTED: u8 = Leaves::Listed as u8;
const PLAYED: u8 = Leaves::Played as u8;

fn count<const LEAVES: u8>(position: &mut Position, depth: u32) -> u64 {
    let moves = position.moves();
    if LEAVES == LISTED && depth == 1 {
        return std::hint::black_box(&moves).len() as u64;
    }
    if LEAVES == PLAYED && depth == 1 {
        for &m in &moves {
            position.play(m);
            position.undo();
        }
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &m in &moves {
        position.play(m);
        nodes += count::<LEAVES>(position, depth - 1);
        position.undo();
    }
    nodes
}

/// The settings of a perft.
#[derive(Clone, Copy, Debug)]
pub struct PerftSettings {
    /// The treatment of the last ply.
    pub leaves: Leaves,
    /// Threads, at most 256.
    pub threads: usize,
    /// The size of a table of counts in MiB, 0 for none.
    pub hash: usize,
    /// Write castling as king takes rook.
    pub chess960: bool,
}

impl Default for PerftSettings {
    fn default() -> PerftSettings {
        PerftSettings { leaves: Leaves::Bare, threads: 1, hash: 0, chess960: false }
    }
}

/// A table of counts, shared by all threads without locks. Each slot holds a count and two keys of
/// its position, each XOR the count, so that torn writes are detected (Hyatt and Mann). As the leading
/// bits of the first key choose the slot, that key alone would leave about 40 bits to compare: too few
/// for billions of look-ups.
struct CountTable {
    slots: Vec<[AtomicU64; 3]>,
    leaves: Leaves,
}

/// The least depth at which the table is asked.
const LEAST_TABLE_DEPTH: u32 = 3;

impl CountTable {
    fn new(mib: usize, leaves: Leaves) -> Result<CountTable, MemoryError> {
        let mut slots = Vec::new();
        let length = mib.saturating_mul(1 << 20) / size_of::<[AtomicU64; 3]>();
        slots.try_reserve_exact(length).map_err(|_| MemoryError::NotAllocated { mib })?;
        slots.resize_with(length, Default::default);
        Ok(CountTable { slots, leaves })
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 3] {
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }

    /// Perft with the table.
    fn count(&self, position: &mut Position, depth: u32) -> u64 {
        if depth < LEAST_TABLE_DEPTH {
            return perft_with(position, depth, self.leaves);
        }
        let keys = [position.key(), second_key(position)]
            .map(|key| key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let [first, second, nodes] = self.slot(keys[0]);
        let known = nodes.load(Relaxed);
        if [first, second].map(|key| key.load(Relaxed) ^ known) == keys {
            return known;
        }
        let sum = if depth == LEAST_TABLE_DEPTH {
            perft_with(position, depth, self.leaves)
        } else {
            position
                .moves()
                .into_iter()
                .map(|m| {
                    position.play(m);
                    let nodes = self.count(position, depth - 1);
                    position.undo();
                    nodes
                })
                .sum()
        };
        first.store(keys[0] ^ sum, Relaxed);
        second.store(keys[1] ^ sum, Relaxed);
        nodes.store(sum, Relaxed);
        sum
    }
}

/// A key of the pieces, castling rights and en passant that does not depend on the Zobrist key.
fn second_key(position: &Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    Role::ALL.map(|role| position.role(role).0).hash(&mut hasher);
    position.of(Color::White).0.hash(&mut hasher);
    position.castling_rights().hash(&mut hasher);
    position.en_passant().map(|square| square as u8).hash(&mut hasher);
    hasher.finish()
}

/// The count below one move of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RootCount {
    /// The move as UCI writes it.
    text: String,
    /// The number of leaves below the move.
    nodes: u64,
}

/// A perft with a count for each move of the root ("divide").
#[derive(Clone, Debug)]
pub struct Divided {
    /// The moves of the root in the order of the generator.
    roots: Vec<RootCount>,
    /// The number of leaves below all moves.
    nodes: u64,
    /// The time taken.
    time: Duration,
}

/// Writes `move: count` for each root move, an empty line and `Nodes searched: N`, the usual form
/// for comparing generators; then time and speed.
impl fmt::Display for Divided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for RootCount { text, nodes } in &self.roots {
            writeln!(f, "{text}: {nodes}")?;
        }
        let speed = speed(self.nodes, self.time);
        let time = self.time.as_millis();
        write!(f, "\nNodes searched: {}\n\nTime: {time} ms, {speed} nodes/second\n", self.nodes)
    }
}

/// The speed in nodes per second.
fn speed(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64
}

/// Counts below each move of the root.
///
/// # Errors
///
/// If there is no memory for the table of counts, or the settings combine a table with listing or
/// playing the moves of the last ply.
pub fn divide(
    position: &mut Position,
    depth: u32,
    settings: &PerftSettings,
    progress: &dyn Progress,
) -> Result<Divided, ToolError> {
    let PerftSettings { leaves, hash, .. } = *settings;
    if hash > 0 && !matches!(leaves, Leaves::Bare | Leaves::Counted) {
        return Err(ToolError::LeavesWithTable);
    }
    let table = if hash > 0 { Some(CountTable::new(hash, leaves)?) } else { None };
    let moves = if depth == 0 { MoveList::new() } else { position.moves() };
    progress.start("moves", moves.len() as u64);
    let start = Instant::now();
    let counts = count_roots(position, &moves, settings.threads, &|position| {
        let nodes = match &table {
            Some(table) => table.count(position, depth - 1),
            None => perft_with(position, depth - 1, leaves),
        };
        progress.advance();
        nodes
    });
    let time = start.elapsed();
    progress.finish();
    let roots: Vec<RootCount> = moves
        .iter()
        .zip(counts)
        .map(|(&m, nodes)| RootCount { text: position.uci(m, settings.chess960), nodes })
        .collect();
    let nodes = u64::from(depth == 0) + roots.iter().map(|root| root.nodes).sum::<u64>();
    Ok(Divided { roots, nodes, time })
}

/// The results of `count` after each of the moves. The threads share the moves.
fn count_roots(
    position: &mut Position,
    moves: &[Move],
    threads: usize,
    count: &(dyn Fn(&mut Position) -> u64 + Sync),
) -> Vec<u64> {
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = |position: &mut Position| {
        while let index = next.fetch_add(1, Relaxed)
            && let Some(&m) = moves.get(index)
        {
            position.play(m);
            counts[index].store(count(position), Relaxed);
            position.undo();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, MAX_THREADS) {
            let mut position = position.clone();
            let work = &work;
            // If the system has no more threads, the others do its share.
            if Builder::new().spawn_scoped(scope, move || work(&mut position)).is_err() {
                break;
            }
        }
        work(position);
    });
    counts.into_iter().map(AtomicU64::into_inner).collect()
}

/// The greatest depth of a suite, in plies. Deeper counts would take far too long.
const MAX_SUITE_DEPTH: u32 = 40;

/// The known perft of a position at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownCount {
    /// The depth in plies.
    pub depth: u32,
    /// The number of leaves.
    pub nodes: u64,
}

/// A line of a perft suite: `FEN ;D1 20 ;D2 400`.
#[derive(Clone, Debug)]
pub struct SuiteLine {
    /// The position to count from.
    pub position: Position,
    /// The known counts, at least one.
    pub counts: Vec<KnownCount>,
}

/// An error in a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// There is no legal position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// There are no counts, or one is not a number. Other operations are ignored.
    #[error("no counts in the form `;D1 20 ;D2 400`")]
    Counts,
    /// A depth above `MAX_SUITE_DEPTH`.
    #[error("depth {0} is above {MAX_SUITE_DEPTH}, the limit of a suite")]
    Depth(u32),
    /// This generator's count is different.
    #[error("depth {depth}: {counted} instead of {expected}: {fen}")]
    Mismatch {
        /// The position to count from.
        fen: String,
        /// The depth in plies.
        depth: u32,
        /// This generator's count.
        counted: u64,
        /// The suite's count.
        expected: u64,
    },
}

impl TryFrom<Epd> for SuiteLine {
    type Error = SuiteError;

    fn try_from(epd: Epd) -> Result<SuiteLine, SuiteError> {
        let mut counts = Vec::new();
        for (opcode, operand) in &epd.operations {
            let Some(depth) = opcode.strip_prefix(['D', 'd']) else { continue };
            let Ok(depth) = depth.parse() else { continue };
            if depth > MAX_SUITE_DEPTH {
                return Err(SuiteError::Depth(depth));
            }
            let nodes = operand.parse().map_err(|_| SuiteError::Counts)?;
            counts.push(KnownCount { depth, nodes });
        }
        if counts.is_empty() {
            return Err(SuiteError::Counts);
        }
        Ok(SuiteLine { position: epd.position, counts })
    }
}

impl FromStr for SuiteLine {
    type Err = SuiteError;

    fn from_str(line: &str) -> Result<SuiteLine, SuiteError> {
        SuiteLine::try_from(line.parse::<Epd>()?)
    }
}

impl SuiteLine {
    /// The count to check: the deepest one of at most `bound` nodes, or the first one if all are
    /// larger.
    pub fn within(&self, bound: u64) -> KnownCount {
        let counts = self.counts.iter().filter(|count| count.nodes <= bound);
        *counts.max_by_key(|count| count.depth).unwrap_or(&self.counts[0])
    }

    /// Counts to the depth of [`SuiteLine::within`] and returns the nodes.
    fn check(&self, bound: u64) -> Result<u64, SuiteError> {
        let known = self.within(bound);
        let counted = perft(&mut self.position.clone(), known.depth);
        if counted == known.nodes {
            return Ok(counted);
        }
        let (fen, depth) = (self.position.fen(), known.depth);
        Err(SuiteError::Mismatch { fen, depth, counted, expected: known.nodes })
    }
}

/// The result of a suite.
#[derive(Clone, Copy, Debug, Default)]
pub struct SuiteResult {
    /// All lines with positions, right or wrong.
    pub lines: usize,
    /// Lines with the right count.
    pub right: usize,
    /// Nodes counted on the right lines.
    nodes: u64,
    /// The time taken.
    time: Duration,
}

impl fmt::Display for SuiteResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SuiteResult { lines, right, nodes, time } = *self;
        let speed = speed(nodes, time);
        writeln!(f, "{right} of {lines} positions right")?;
        writeln!(f, "Nodes searched: {nodes}")?;
        writeln!(f, "Time: {} ms, {speed} nodes/second", time.as_millis())
    }
}

/// Checks a suite, each line to the deepest count of at most `bound` nodes. Calls `report` with the
/// number and the error of each wrong line.
pub fn suite(
    text: &str,
    bound: u64,
    progress: &dyn Progress,
    report: &mut dyn FnMut(usize, &SuiteError),
) -> SuiteResult {
    let start = Instant::now();
    let mut result = SuiteResult { lines: Epd::lines(text).count(), ..SuiteResult::default() };
    progress.start("positions", result.lines as u64);
    for (number, epd) in Epd::lines(text) {
        let line = epd.map_err(SuiteError::from).and_then(SuiteLine::try_from);
        match line.and_then(|line| line.check(bound)) {
            Ok(nodes) => {
                result.right += 1;
                result.nodes += nodes;
            }
            Err(error) => report(number, &error),
        }
        progress.advance();
    }
    progress.finish();
    result.time = start.elapsed();
    result
}
