//! The transposition table: what was found out about positions, shared by all threads.
//!
//! Four entries of sixteen bytes make a cluster of one cache line. An entry is two atomic words, the second the data
//! and the first the key XOR the data (Robert Hyatt's lockless hashing): a torn entry, written by two threads at once,
//! matches no key, and there is no data race to reason about.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::huge_pages::{Pages, Zeroed};
use super::window::Window;
use crate::board::Move;
use crate::score::Score;

/// On which side of the true score a stored score lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// Nothing is known but the evaluation.
    None = 0,
    /// The true score is at most this: no move reached alpha.
    Upper = 1,
    /// The true score is at least this: a move reached beta.
    Lower = 2,
    /// This is the score.
    Exact = 3,
}

impl Bound {
    /// What `best` says after a search with this window.
    #[inline(always)]
    pub fn of(best: Score, window: Window) -> Bound {
        if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move found best, if any. It may belong to another position with the same key: check it.
    pub best: Option<Move>,
    /// The score, mates counted from this position.
    score: i16,
    /// The static evaluation in centipawns, [`NO_EVAL`] in check.
    eval: i16,
    /// Plies searched below the position.
    pub depth: i32,
    /// What the score says.
    pub bound: Bound,
    /// The entry was made by a search with an open window.
    pub pv: bool,
    age: u8,
}

const NO_EVAL: i16 = i16::MIN;
/// Ages count from 0 to 31 and start again.
const AGES: u8 = 32;

impl Entry {
    /// An entry to be stored, from the view of a node at `ply`.
    pub fn new(
        best: Option<Move>,
        score: Score,
        eval: Option<Score>,
        depth: i32,
        bound: Bound,
        pv: bool,
        ply: usize,
    ) -> Entry {
        let eval = eval.map_or(NO_EVAL, |eval| eval.raw() as i16);
        Entry { best, score: score.to_table(ply), eval, depth, bound, pv, age: 0 }
    }

    /// The score as a node at `ply` sees it.
    #[inline(always)]
    pub fn score(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// The score at `ply`, if it decides a search with this window.
    #[inline(always)]
    pub fn cutoff(&self, window: Window, ply: usize) -> Option<Score> {
        let score = self.score(ply);
        let cuts = match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        cuts.then_some(score)
    }

    /// The evaluation, or the score where it says that the truth lies beyond.
    #[inline(always)]
    pub fn refine(&self, eval: Score, ply: usize) -> Score {
        let score = self.score(ply);
        match self.bound {
            _ if score.is_decided() => eval,
            Bound::Lower if score > eval => score,
            Bound::Upper if score < eval => score,
            Bound::Exact => score,
            _ => eval,
        }
    }

    /// The static evaluation, if the position was not in check.
    #[inline(always)]
    pub fn eval(&self) -> Option<Score> {
        (self.eval != NO_EVAL).then(|| Score::cp(i32::from(self.eval)))
    }

    #[inline(always)]
    fn pack(&self) -> u64 {
        let best = self.best.map_or(0, Move::bits);
        let flags = self.bound as u8 | u8::from(self.pv) << 2 | self.age << 3;
        u64::from(best)
            | u64::from(self.score as u16) << 16
            | u64::from(self.eval as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(flags) << 56
    }

    #[inline(always)]
    fn unpack(data: u64) -> Entry {
        let flags = (data >> 56) as u8;
        Entry {
            best: Move::from_bits(data as u16),
            score: (data >> 16) as i16,
            eval: (data >> 32) as i16,
            depth: i32::from((data >> 48) as u8),
            bound: match flags & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: flags & 4 != 0,
            age: flags >> 3,
        }
    }
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; 4]);

const _: () = assert!(size_of::<Cluster>() == 64);

// SAFETY: atomic integers may be zero and need no drop.
unsafe impl Zeroed for Cluster {}

/// The first word of a saved table: it changes when entries or keys do.
const MAGIC: &str = "freshet-hash-1";

/// The table. Its size in MiB is honoured exactly.
pub struct TranspositionTable {
    clusters: Pages<Cluster>,
    age: u8,
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TranspositionTable of {} clusters", self.clusters.len())
    }
}

/// SearcherState that the system can give at this moment, in MiB, where it says so.
fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok().map(|kib| kib / 1024)
}

impl TranspositionTable {
    /// The smallest and the largest size in MiB.
    pub const SIZES: (usize, usize) = (1, 1 << 20);

    /// An empty table of `mib` MiB, or why there is none. More than the system has available is refused here:
    /// it would be promised, and the process ended when the memory is used.
    pub fn new(mib: usize) -> Result<TranspositionTable, String> {
        TranspositionTable::check(mib, 0)?;
        TranspositionTable::allocate(mib)
    }

    /// Makes this an empty table of another size. If the system has no room for it, also not when this one is given
    /// back, it stays as it is and the answer says why.
    pub fn resize(&mut self, mib: usize) -> Result<(), String> {
        let old = size_of_val(&*self.clusters) >> 20;
        TranspositionTable::check(mib, old)?;
        *self = TranspositionTable::allocate(TranspositionTable::SIZES.0)?;
        *self = TranspositionTable::allocate(mib).or_else(|_| TranspositionTable::allocate(old))?;
        Ok(())
    }

    /// Whether the system has so much, with what is given back.
    fn check(mib: usize, given_back: usize) -> Result<(), String> {
        match available_memory().map(|available| available + given_back) {
            Some(available) if mib > available => {
                Err(format!("Hash {mib} MB is more than the {available} MB available"))
            }
            _ => Ok(()),
        }
    }

    fn allocate(mib: usize) -> Result<TranspositionTable, String> {
        let count =
            mib.clamp(TranspositionTable::SIZES.0, TranspositionTable::SIZES.1) * 1024 * 1024
                / size_of::<Cluster>();
        let clusters =
            Pages::new(count).ok_or_else(|| format!("Hash {mib} MB cannot be allocated"))?;
        Ok(TranspositionTable { clusters, age: 0 })
    }

    /// Forgets everything, with this many threads.
    pub fn clear(&mut self, threads: usize) {
        let part = self.clusters.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for clusters in self.clusters.chunks_mut(part) {
                scope.spawn(|| clusters.fill_with(Cluster::default));
            }
        });
        self.age = 0;
    }

    /// A new search begins: what is in the table is older now.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Has the cache line of a key fetched before it is needed.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch never faults, and the pointer comes from a reference.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Keeps an entry, in the place of what is known of the same position or else of what is worth least: shallow
    /// and old.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        entry.age = self.age;
        let mut place = &self.cluster(key).0[0];
        let mut least = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                let old = Entry::unpack(data);
                entry.best = entry.best.or(old.best);
                // A much shallower bound is not worth losing the deep one for.
                if (entry.bound != Bound::Exact || entry.depth == 0)
                    && old.age == entry.age
                    && old.bound != Bound::None
                    && entry.depth + 4 + 2 * i32::from(entry.pv) < old.depth
                {
                    return;
                }
                place = slot;
                break;
            }
            let worth = if data == 0 {
                i32::MIN
            } else {
                let old = Entry::unpack(data);
                old.depth - 8 * i32::from((AGES + self.age - old.age) % AGES)
            };
            if worth < least {
                least = worth;
                place = slot;
            }
        }
        let data = entry.pack();
        place.check.store(key ^ data, Relaxed);
        place.data.store(data, Relaxed);
    }

    /// Writes the table to a file: a line with its size and age, and then its words, little-endian.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
            writeln!(file, "{MAGIC} {} {}", size_of_val(&*self.clusters) >> 20, self.age)?;
            for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
                file.write_all(&slot.check.load(Relaxed).to_le_bytes())?;
                file.write_all(&slot.data.load(Relaxed).to_le_bytes())?;
            }
            file.flush()
        };
        write().map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Reads a table of a file that [`TranspositionTable::save`] wrote. One of another size cannot be read: the answer says which it is. If
    /// the file ends early the table is empty afterwards.
    pub fn load(&mut self, path: &Path) -> Result<(), String> {
        let complain = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
        let mut file =
            BufReader::with_capacity(1 << 20, File::open(path).map_err(|error| complain(&error))?);
        let mut line = Vec::new();
        // As many bytes as a first line can have: the file may be anything.
        let read = file.by_ref().take(64).read_until(b'\n', &mut line);
        read.map_err(|error| complain(&error))?;
        let line = String::from_utf8_lossy(&line);
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers = match words[..] {
            [MAGIC, mib, age] => mib.parse::<usize>().ok().zip(age.parse::<u8>().ok()),
            _ => None,
        };
        let Some((mib, age)) = numbers else { return Err(complain(&"no saved hash table")) };
        let own = size_of_val(&*self.clusters) >> 20;
        if mib != own {
            return Err(complain(&format!("saved with Hash {mib}, now it is {own}")));
        }
        let mut word = [0; 8];
        let slots = self.clusters.iter_mut().flat_map(|cluster| &mut cluster.0);
        let read = slots.flat_map(|slot| [&mut slot.check, &mut slot.data]).try_for_each(|place| {
            file.read_exact(&mut word)?;
            *place.get_mut() = u64::from_le_bytes(word);
            Ok::<(), std::io::Error>(())
        });
        self.age = age % AGES;
        if read.is_err() {
            self.clear(1);
        }
        read.map_err(|error| complain(&error))
    }

    /// How full the table is with entries of this search, in thousandths, from its first thousand entries.
    pub fn hashfull(&self) -> u32 {
        let clusters = &self.clusters[..250.min(self.clusters.len())];
        let used = clusters
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter(|slot| {
                let data = slot.data.load(Relaxed);
                data != 0 && Entry::unpack(data).age == self.age
            })
            .count();
        (used * 1000 / (clusters.len() * 4)) as u32
    }
}
