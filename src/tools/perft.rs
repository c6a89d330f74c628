//! Perft: counts the leaves of the tree of legal moves, to find faults of a generator.

use std::io::{self, Write};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use crate::board::{GenType, MoveList, Position};

/// What is done with the moves of the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Only counted, and the positions they are counted in not played but for the sets of their pieces.
    Bare,
    /// Only counted.
    Counted,
    /// Written into a list.
    Listed,
    /// Written into a list, and each played and taken back.
    Played,
}

impl FromStr for Leaves {
    type Err = String;

    fn from_str(word: &str) -> Result<Leaves, String> {
        match word {
            "bare" => Ok(Leaves::Bare),
            "counted" => Ok(Leaves::Counted),
            "listed" => Ok(Leaves::Listed),
            "played" => Ok(Leaves::Played),
            _ => Err(format!("leaves are bare, counted, listed or played, not {word}")),
        }
    }
}

/// The number of move sequences of this length; the moves of the last ply are counted.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    perft_with(position, depth, Leaves::Counted)
}

/// The same, with more work for the last ply.
pub fn perft_with(position: &mut Position, depth: u32, leaves: Leaves) -> u64 {
    match leaves {
        _ if depth == 0 => 1,
        Leaves::Counted => count::<0>(position, depth),
        Leaves::Listed => count::<1>(position, depth),
        Leaves::Played => count::<2>(position, depth),
        Leaves::Bare => count::<3>(position, depth),
    }
}

fn count<const LEAVES: u8>(position: &mut Position, depth: u32) -> u64 {
    if (LEAVES == 0 || LEAVES == 3) && depth == 1 {
        return u64::from(position.count_moves());
    }
    let mut moves = MoveList::new();
    position.generate(&position.check_info(), GenType::All, &mut moves);
    if LEAVES == 1 && depth == 1 {
        return std::hint::black_box(&moves).len() as u64;
    }
    if LEAVES == 2 && depth == 1 {
        for &m in &moves {
            position.play(m);
            position.undo();
        }
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for &m in &moves {
        if LEAVES == 3
            && depth == 2
            && let Some(replies) = position.count_replies(m)
        {
            nodes += u64::from(replies);
            continue;
        }
        position.play(m);
        nodes += if LEAVES == 0 && depth == 2 {
            u64::from(position.count_moves())
        } else {
            count::<LEAVES>(position, depth - 1)
        };
        position.undo();
    }
    nodes
}

/// PerftSettings a perft is done.
#[derive(Clone, Copy, Debug)]
pub struct PerftSettings {
    /// What is done with the last ply.
    pub leaves: Leaves,
    /// Threads.
    pub threads: usize,
    /// MiB of a table of counts, 0 for none.
    pub hash: usize,
}

impl Default for PerftSettings {
    fn default() -> PerftSettings {
        PerftSettings { leaves: Leaves::Counted, threads: 1, hash: 0 }
    }
}

/// Counts of positions, shared by all threads: the key with the depth mixed in, XOR the count, and the count.
struct Counts(Vec<[AtomicU64; 2]>);

impl Counts {
    fn new(mib: usize) -> Result<Counts, String> {
        let mut table = Vec::new();
        let length = (mib << 20) / 16;
        table.try_reserve_exact(length).map_err(|error| format!("a table of {mib} MB: {error}"))?;
        table.resize_with(length, Default::default);
        Ok(Counts(table))
    }

    fn place(&self, key: u64) -> &[AtomicU64; 2] {
        &self.0[((u128::from(key) * self.0.len() as u128) >> 64) as usize]
    }

    /// Perft with the table, for depths of two and more, leaves counted.
    fn count(&self, position: &mut Position, depth: u32) -> u64 {
        if depth < 3 {
            return perft(position, depth);
        }
        let key = position.key() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let [check, nodes] = self.place(key);
        let known = nodes.load(Relaxed);
        if check.load(Relaxed) ^ known == key {
            return known;
        }
        let mut sum = 0;
        for m in position.moves() {
            position.play(m);
            sum += self.count(position, depth - 1);
            position.undo();
        }
        check.store(key ^ sum, Relaxed);
        nodes.store(sum, Relaxed);
        sum
    }
}

/// Prints `move: count` for each move of the root, an empty line and `Nodes searched: N`, the form
/// that generators are compared in; then time and speed. An error says which option is not possible.
pub fn divide(
    position: &mut Position,
    depth: u32,
    settings: &PerftSettings,
    chess960: bool,
    out: &mut impl Write,
) -> Result<u64, String> {
    if settings.hash > 0 && settings.leaves != Leaves::Counted {
        return Err("a table of counts leaves nothing to be listed or played".to_string());
    }
    let table = if settings.hash > 0 { Some(Counts::new(settings.hash)?) } else { None };
    let start = Instant::now();
    let moves = if depth == 0 { MoveList::new() } else { position.moves() };
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = |position: &mut Position| {
        while let index = next.fetch_add(1, Relaxed)
            && let Some(&m) = moves.get(index)
        {
            position.play(m);
            let count = match &table {
                Some(table) => table.count(position, depth - 1),
                None => perft_with(position, depth - 1, settings.leaves),
            };
            position.undo();
            counts[index].store(count, Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..settings.threads.clamp(1, 256) {
            let mut position = position.clone();
            let work = &work;
            scope.spawn(move || work(&mut position));
        }
        work(position);
    });
    let time = start.elapsed();

    let mut nodes = u64::from(depth == 0);
    let mut text = String::new();
    for (&m, count) in moves.iter().zip(&counts) {
        let count = count.load(Relaxed);
        text += &format!("{}: {count}\n", position.uci(m, chess960));
        nodes += count;
    }
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    text += &format!(
        "\nNodes searched: {nodes}\n\nTime: {} ms, {speed} nodes/second\n",
        time.as_millis()
    );
    // A reader that has gone away is no fault of the count.
    let _ = out.write_all(text.as_bytes());
    Ok(nodes)
}

/// A line of a perft suite: `FEN ;D1 20 ;D2 400`.
#[derive(Clone, Debug)]
pub struct SuiteLine {
    /// The position.
    pub fen: String,
    /// Depths and their counts.
    pub counts: Vec<(u32, u64)>,
}

impl FromStr for SuiteLine {
    type Err = String;

    fn from_str(line: &str) -> Result<SuiteLine, String> {
        let mut parts = line.split(';');
        let fen = parts.next().unwrap_or_default().trim().to_string();
        let counts = parts
            .map(|part| {
                let mut words = part.split_whitespace();
                let depth = words.next()?.strip_prefix('D')?.parse().ok()?;
                Some((depth, words.next()?.parse().ok()?))
            })
            .collect::<Option<Vec<_>>>()
            .ok_or("counts are written as `;D1 20 ;D2 400`")?;
        if counts.is_empty() {
            return Err("no counts".to_string());
        }
        Ok(SuiteLine { fen, counts })
    }
}

/// Runs a suite, each line to the deepest count of at most `bound` nodes, and says what differs. The
/// answer is whether all counts are right.
pub fn suite(text: &str, bound: u64, out: &mut impl Write) -> io::Result<bool> {
    let start = Instant::now();
    let (mut lines, mut wrong, mut nodes) = (0u64, 0u64, 0u64);
    let progress = crate::tools::Progress::new("perft", text.lines().count() as u64);
    for (number, line) in text.lines().enumerate() {
        progress.show(number as u64);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        lines += 1;
        let parsed = line.parse::<SuiteLine>().and_then(|line| {
            let position = Position::from_fen(&line.fen).map_err(|error| error.to_string())?;
            Ok((line, position))
        });
        let (line, mut position) = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                wrong += 1;
                writeln!(out, "line {}: {error}", number + 1)?;
                continue;
            }
        };
        let deepest = line.counts.iter().filter(|(_, count)| *count <= bound).max();
        let &(depth, expected) = deepest.unwrap_or(&line.counts[0]);
        let counted = perft(&mut position, depth);
        nodes += counted;
        if counted != expected {
            wrong += 1;
            writeln!(
                out,
                "line {}: depth {depth}: {counted} instead of {expected}: {}",
                number + 1,
                line.fen
            )?;
        }
    }
    drop(progress);
    let time = start.elapsed();
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    writeln!(out, "{} of {lines} positions right", lines - wrong)?;
    writeln!(out, "Nodes searched: {nodes}\nTime: {} ms, {speed} nodes/second", time.as_millis())?;
    Ok(wrong == 0)
}
