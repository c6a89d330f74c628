//! The transposition table (TT): results of earlier searches of positions, shared by all threads.
//!
//! Four entries of sixteen bytes make a bucket of one cache line. An entry is two atomic words, the
//! second the data and the first the key XOR the data (Robert Hyatt's lockless hashing): an entry
//! that two threads have written at once matches no key, and there is no data race.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use super::huge_pages::HugePages;
use crate::board::Move;
use crate::files::{FileError, NewFile};
use crate::prefetch::prefetch;
use crate::score::Score;
use crate::search::window::Window;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// There is no score, only the static evaluation.
    None = 0,
    /// The true score is at most this: no move reached alpha.
    Upper = 1,
    /// The true score is at least this: a move reached beta.
    Lower = 2,
    /// The true score is exactly this.
    Exact = 3,
}

impl Bound {
    /// The kind of bound that the best score is after a search with this window.
    #[inline(always)]
    pub(crate) fn of(best: Score, window: Window) -> Bound {
        if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// What the table holds about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move found best, if any. It may belong to another position with the same key: check it.
    pub best: Option<Move>,
    /// The score; mates count plies from this position, not from the root.
    score: i16,
    /// The static evaluation in centipawns; [`NO_EVAL`] in check and where nothing was evaluated.
    eval: i16,
    /// Plies searched below the position.
    pub depth: i32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The node is or was a PV node.
    pub pv: bool,
    age: u8,
}

const NO_EVAL: i16 = i16::MIN;
/// Ages count from 0 to 31 and start again.
const AGES: u8 = 32;

impl Entry {
    /// An entry to store from a node at `ply`; converts mate scores to count from the node.
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

    /// The score for a node at `ply`: mate scores count from the root again.
    #[inline(always)]
    pub fn score(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// The score for a node at `ply`, if it causes a cutoff with this window.
    #[inline(always)]
    pub(crate) fn cutoff(&self, window: Window, ply: usize) -> Option<Score> {
        let score = self.score(ply);
        let cuts = match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        cuts.then_some(score)
    }

    /// The evaluation, or the stored score if that is exact, a lower bound above the evaluation, or
    /// an upper bound below it. Mate and tablebase scores do not refine it.
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

    /// The static evaluation, if there was one: not in check.
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

#[derive(Default, bytemuck::Zeroable)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default, bytemuck::Zeroable)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The first word of a saved table. Change it whenever the format of entries or keys changes.
const MAGIC: &str = "freshet-hash-1";

/// The transposition table. It takes exactly the given number of MiB.
pub struct TranspositionTable {
    buckets: HugePages<Bucket>,
    age: u8,
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TranspositionTable of {} buckets", self.buckets.len())
    }
}

/// The system has no memory for a table or for threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// The system has less memory to give.
    #[error("Hash {mib} MB is more than the {available} MB available")]
    NotAvailable {
        /// The size asked for, in MiB.
        mib: usize,
        /// Memory the system has, in MiB.
        available: usize,
    },
    /// The system refused the allocation.
    #[error("Hash {mib} MB cannot be allocated")]
    NotAllocated {
        /// The size asked for, in MiB.
        mib: usize,
    },
    /// The system refused memory for the histories of threads.
    #[error("there is no memory for {threads} threads")]
    NoThreads {
        /// The number of threads asked for.
        threads: usize,
    },
}

/// Memory the system has available now, in MiB; `None` if it does not say, and under Miri, which
/// cannot ask.
fn available_memory() -> Option<usize> {
    if cfg!(miri) || !sysinfo::IS_SUPPORTED_SYSTEM {
        return None;
    }
    let mut system = sysinfo::System::new();
    system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
    let available = (system.available_memory() >> 20) as usize;
    (available > 0).then_some(available)
}

/// The size of the largest transposition table in MiB.
pub const MAX_HASH: usize = 1 << 20;

impl TranspositionTable {
    /// The smallest and the largest size in MiB.
    const SIZES: (usize, usize) = (1, MAX_HASH);

    /// An empty table of `mib` MiB.
    ///
    /// # Errors
    ///
    /// If the system has too little memory. A size above the available memory is refused here:
    /// systems that overcommit would grant it and kill the process when it uses the memory.
    pub fn new(mib: usize) -> Result<TranspositionTable, MemoryError> {
        TranspositionTable::check(mib, 0)?;
        TranspositionTable::allocate(mib)
    }

    /// The size in MiB.
    pub fn mib(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    /// Makes this an empty table of another size.
    ///
    /// # Errors
    ///
    /// If the system has too little memory, even with the old table freed. The table then keeps its
    /// size, but loses its entries if the allocation itself failed; if there is no memory for the old
    /// size either, it has the smallest.
    pub fn resize(&mut self, mib: usize) -> Result<(), MemoryError> {
        let old = self.mib();
        TranspositionTable::check(mib, old)?;
        *self = TranspositionTable::allocate(TranspositionTable::SIZES.0)?;
        match TranspositionTable::allocate(mib) {
            Ok(table) => *self = table,
            Err(error) => {
                if let Ok(table) = TranspositionTable::allocate(old) {
                    *self = table;
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Checks that the system has `mib` MiB available, counting the `given_back` MiB about to be
    /// freed.
    fn check(mib: usize, given_back: usize) -> Result<(), MemoryError> {
        TranspositionTable::fits(mib, available_memory().map(|available| available + given_back))
    }

    fn fits(mib: usize, available: Option<usize>) -> Result<(), MemoryError> {
        match available {
            Some(available) if mib > available => Err(MemoryError::NotAvailable { mib, available }),
            _ => Ok(()),
        }
    }

    fn allocate(mib: usize) -> Result<TranspositionTable, MemoryError> {
        let mib = mib.clamp(TranspositionTable::SIZES.0, TranspositionTable::SIZES.1);
        // On 32-bit systems the size in bytes may overflow.
        let bytes = mib.checked_mul(1 << 20).ok_or(MemoryError::NotAllocated { mib })?;
        let buckets =
            HugePages::new(bytes / size_of::<Bucket>()).ok_or(MemoryError::NotAllocated { mib })?;
        Ok(TranspositionTable { buckets, age: 0 })
    }

    /// Empties the table, using this many threads, or fewer if the system has no more.
    pub fn clear(&mut self, threads: usize) {
        let part = self.buckets.len().div_ceil(threads.max(1));
        let parts = Mutex::new(self.buckets.chunks_mut(part));
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let clear = || {
            while let Some(buckets) = next() {
                buckets.fill_with(Bucket::default);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                if Builder::new().spawn_scoped(scope, clear).is_err() {
                    break;
                }
            }
            clear();
        });
        self.age = 0;
    }

    /// Starts a new search: all present entries become one search older.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Prefetches the cache line of a key.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// The entry of the position with this key. In rare cases it belongs to another position with
    /// the same key, so check that its move is legal.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry. It replaces the entry of the same position or, if there is none, the least
    /// valuable one of the bucket by depth and age. A bound does not replace a much deeper entry of
    /// the same position and search.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        entry.age = self.age;
        let mut place = &self.bucket(key).0[0];
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                let old = Entry::unpack(data);
                entry.best = entry.best.or(old.best);
                // A much shallower bound does not replace a deep one.
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
            let value = if data == 0 {
                i32::MIN
            } else {
                let old = Entry::unpack(data);
                old.depth - 8 * i32::from((AGES + self.age - old.age) % AGES)
            };
            if value < least {
                least = value;
                place = slot;
            }
        }
        let data = entry.pack();
        place.check.store(key ^ data, Relaxed);
        place.data.store(data, Relaxed);
    }

    /// Writes the table to a file: a line with its size and age, and then its words, little-endian.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or if it already has other content than a saved table.
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        if path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0) {
            let old = File::open(path).map_err(FileError::io(path))?;
            let mut begin = Vec::new();
            old.take(MAGIC.len() as u64).read_to_end(&mut begin).map_err(FileError::io(path))?;
            if begin != MAGIC.as_bytes() {
                return Err(FileError::content(path, "exists and is not a saved hash table"));
            }
        }
        let mut file = NewFile::create(path, &[])?;
        file.add(format!("{MAGIC} {} {}\n", self.mib(), self.age))?;
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            file.add(slot.check.load(Relaxed).to_le_bytes())?;
            file.add(slot.data.load(Relaxed).to_le_bytes())?;
        }
        file.finish()
    }

    /// Replaces the content by that of a file that [`TranspositionTable::save`] wrote.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a saved table, or holds a table of another size; this
    /// table then stays as it is. Also if the file ends early; this table is then empty.
    pub fn load(&mut self, path: &Path) -> Result<(), FileError> {
        let file = File::open(path).map_err(FileError::io(path))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let (mib, age) = read_head(&mut file)
            .map_err(FileError::io(path))?
            .ok_or_else(|| FileError::content(path, "no saved hash table"))?;
        if mib != self.mib() {
            let problem = format!("saved with Hash {mib}, now it is {}", self.mib());
            return Err(FileError::content(path, problem));
        }
        let mut word = [0; 8];
        let slots = self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0);
        let mut words = slots.flat_map(|slot| [&mut slot.check, &mut slot.data]);
        let read = words.try_for_each(|place| {
            file.read_exact(&mut word)?;
            *place.get_mut() = u64::from_le_bytes(word);
            Ok(())
        });
        drop(words);
        self.age = age % AGES;
        if read.is_err() {
            self.clear(1);
        }
        read.map_err(FileError::io(path))
    }

    /// The share of entries from this search, in thousandths, sampled from the first thousand
    /// entries.
    pub fn hashfull(&self) -> u32 {
        let buckets = &self.buckets[..250.min(self.buckets.len())];
        let used = buckets
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let data = slot.data.load(Relaxed);
                data != 0 && Entry::unpack(data).age == self.age
            })
            .count();
        (used * 1000 / (buckets.len() * 4)) as u32
    }
}

/// Size and age of a saved table, from the first line of its file; `None` if the file is not one.
fn read_head(file: &mut impl BufRead) -> std::io::Result<Option<(usize, u8)>> {
    let mut line = Vec::new();
    // Reads no more than a first line can have: the file may be anything.
    file.take(64).read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line);
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        [MAGIC, mib, age] => mib.parse().ok().zip(age.parse().ok()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    const WINDOW: Window = Window { alpha: Score::cp(10), beta: Score::cp(20) };

    fn entry(score: i32, bound: Bound, depth: i32) -> Entry {
        Entry::new(None, Score::cp(score), Some(Score::cp(-7)), depth, bound, false, 0)
    }

    #[test]
    fn bounds_go_by_the_window() {
        let scores = [9, 10, 11, 19, 20, 21].map(|cp| Bound::of(Score::cp(cp), WINDOW));
        let [upper, exact, lower] = [Bound::Upper, Bound::Exact, Bound::Lower];
        assert_eq!(scores, [upper, upper, exact, exact, lower, lower]);
    }

    #[test]
    fn every_field_is_stored() {
        let moves = Position::start().moves();
        let best = [None, moves.first().copied(), moves.last().copied()];
        let bounds = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];
        for (number, bound) in bounds.into_iter().enumerate() {
            for (best, score) in best.into_iter().zip([-32_000, 0, 31_999]) {
                for eval in [NO_EVAL, -1, 0, 300] {
                    for (pv, age, depth) in [(false, 31, 0), (true, 0, 255), (true, 21, 85)] {
                        let score = score + number as i16;
                        let entry = Entry { best, score, eval, depth, bound, pv, age };
                        assert_eq!(Entry::unpack(entry.pack()), entry);
                    }
                }
            }
        }
        let clamped =
            |depth| Entry::unpack(Entry { depth, ..entry(0, Bound::Exact, 0) }.pack()).depth;
        assert_eq!([-1, 256, 1000].map(clamped), [0, 255, 255]);
    }

    #[test]
    fn evaluations_are_none_in_check() {
        let eval = |eval| Entry::new(None, Score::DRAW, eval, 1, Bound::None, false, 0).eval();
        for score in [None, Some(Score::DRAW), Some(Score::cp(-7)), Some(Score::MAX_EVAL)] {
            assert_eq!(eval(score), score);
        }
    }

    #[test]
    fn scores_decide_where_their_bound_lets_them() {
        let cutoffs = |bound| {
            [9, 10, 11, 19, 20, 21].map(|cp| entry(cp, bound, 1).cutoff(WINDOW, 0).is_some())
        };
        assert_eq!(cutoffs(Bound::None), [false; 6]);
        assert_eq!(cutoffs(Bound::Exact), [true; 6]);
        assert_eq!(cutoffs(Bound::Lower), [false, false, false, false, true, true]);
        assert_eq!(cutoffs(Bound::Upper), [true, true, false, false, false, false]);
        let mate = Entry::new(None, Score::mate_in(9), None, 1, Bound::Lower, false, 3);
        assert_eq!(mate.cutoff(WINDOW, 5), Some(Score::mate_in(11)), "as seen from the root");
    }

    #[test]
    fn scores_refine_evaluations() {
        let refined = |bound| [9, 10, 11].map(|cp| entry(cp, bound, 1).refine(Score::cp(10), 0));
        let cp = |numbers: [i32; 3]| numbers.map(Score::cp);
        assert_eq!(refined(Bound::None), cp([10, 10, 10]));
        assert_eq!(refined(Bound::Exact), cp([9, 10, 11]));
        assert_eq!(refined(Bound::Lower), cp([10, 10, 11]));
        assert_eq!(refined(Bound::Upper), cp([9, 10, 10]));
        for score in [Score::mate_in(8), Score::mated_in(8), Score::tablebase_win(3)] {
            let decided = Entry::new(None, score, None, 1, Bound::Exact, false, 0);
            assert_eq!(decided.refine(Score::cp(10), 0), Score::cp(10));
        }
    }

    /// The depth that is stored after two entries of the same position.
    #[test]
    fn much_shallower_bounds_of_the_same_search_replace_nothing() {
        let kept = |searches: usize, old: Entry, new: Entry| {
            let mut table = TranspositionTable::new(1).expect("one MiB");
            table.store(5, old);
            for _ in 0..searches {
                table.new_search();
            }
            table.store(5, new);
            table.probe(5).expect("just stored").depth
        };
        let [lower, exact] = [Bound::Lower, Bound::Exact];
        assert_eq!(kept(0, entry(1, lower, 10), entry(2, lower, 6)), 6);
        assert_eq!(kept(0, entry(1, lower, 10), entry(2, lower, 5)), 10);
        let pv = |depth| Entry { pv: true, ..entry(2, lower, depth) };
        assert_eq!(kept(0, entry(1, lower, 10), pv(4)), 4);
        assert_eq!(kept(0, entry(1, lower, 10), pv(3)), 10);
        assert_eq!(kept(0, entry(1, lower, 10), entry(2, exact, 1)), 1);
        assert_eq!(kept(0, entry(1, lower, 10), entry(2, exact, 0)), 10, "of quiescence");
        assert_eq!(kept(0, entry(1, Bound::None, 10), entry(2, lower, 1)), 1);
        assert_eq!(kept(1, entry(1, lower, 10), entry(2, lower, 1)), 1);
        assert_eq!(kept(usize::from(AGES), entry(1, lower, 10), entry(2, lower, 1)), 10);
    }

    /// An entry loses eight plies of value for each search since.
    #[test]
    fn depth_and_age_decide_what_is_replaced() {
        // The age of the first entry, the searches after it, its depth, and which entry is
        // replaced.
        let last = AGES - 1;
        let cases = [(0, 1, 12, 0), (0, 1, 14, 1), (last, 1, 12, 0), (last, 1, 14, 1)];
        let older = [(last, 2, 20, 0), (last, 2, 22, 1)];
        for (age, searches, depth, replaced) in cases.into_iter().chain(older) {
            let mut table = TranspositionTable::new(1).expect("one MiB");
            (0..age).for_each(|_| table.new_search());
            // Keys that differ in their lowest bits only share a bucket.
            table.store(1, entry(1, Bound::Exact, depth));
            (0..searches).for_each(|_| table.new_search());
            (2..=4).for_each(|key| table.store(key, entry(1, Bound::Exact, 5)));
            table.store(5, entry(1, Bound::Exact, 3));
            let left = [1, 2, 3, 4].map(|key| table.probe(key).is_some());
            assert_eq!(left.iter().position(|left| !left), Some(replaced), "{left:?}");
        }
    }

    #[test]
    fn a_table_is_emptied_by_any_number_of_threads() {
        for threads in [0, 1, 3] {
            let mut table = TranspositionTable::new(2).expect("two MiB");
            table.new_search();
            let keys = (0..1000).map(|number: u64| number << 54 | number);
            keys.clone().for_each(|key| table.store(key, entry(1, Bound::Exact, 5)));
            assert!(table.hashfull() > 0);
            table.clear(threads);
            assert!(keys.clone().all(|key| table.probe(key).is_none()), "{threads}");
            assert_eq!((table.age, table.mib()), (0, 2));
        }
    }

    #[cfg(all(any(target_os = "linux", windows, target_os = "macos"), not(miri)))]
    #[test]
    fn more_than_the_system_has_is_refused() {
        let available = available_memory().expect("these systems say it");
        assert!((1..1 << 30).contains(&available), "{available}");
        let check = TranspositionTable::check;
        assert!(check(available / 2, 0).is_ok());
        assert!(matches!(check(2 * available, 0), Err(MemoryError::NotAvailable { .. })));
        assert!(check(2 * available, 2 * available).is_ok(), "with what is given back");
    }

    #[test]
    fn all_that_there_is_may_be_asked_for() {
        let fits = TranspositionTable::fits;
        assert!(fits(16, Some(16)).is_ok() && fits(1 << 20, None).is_ok());
        let error = fits(17, Some(16)).expect_err("one MiB too much");
        assert!(matches!(error, MemoryError::NotAvailable { mib: 17, available: 16 }));
    }

    #[test]
    fn hashfull_counts_entries_of_this_search_in_the_first_buckets() {
        let mut table = TranspositionTable::new(1).expect("one MiB");
        let buckets = table.buckets.len() as u64;
        let store = |table: &TranspositionTable, bucket: u64, entries: u64| {
            for number in 0..entries {
                table.store(bucket * (u64::MAX / buckets + 1) + number, entry(1, Bound::Exact, 5));
            }
        };
        (0..50).for_each(|bucket| store(&table, bucket, 4));
        assert_eq!(table.hashfull(), 200);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        (100..buckets).for_each(|bucket| store(&table, bucket, 2));
        assert_eq!(table.hashfull(), 300);
    }

    /// An age beyond 31 can only come from a file that this program did not write.
    #[test]
    fn ages_of_files_wrap_around() {
        let path = std::env::temp_dir().join(format!("freshet-ages-{}", std::process::id()));
        let mut table = TranspositionTable::new(1).expect("one MiB");
        (0..5).for_each(|_| table.new_search());
        table.save(&path).expect("a file");
        let bytes = std::fs::read(&path).expect("a file");
        let words = &bytes[b"freshet-hash-1 1 5\n".len()..];
        let age = 5 + AGES;
        let changed = [format!("freshet-hash-1 1 {age}\n").as_bytes(), words].concat();
        std::fs::write(&path, changed).expect("a file");
        let mut loaded = TranspositionTable::new(1).expect("one MiB");
        loaded.load(&path).expect("a saved table");
        std::fs::remove_file(&path).expect("our own file");
        assert_eq!(loaded.age, 5);
    }

    #[test]
    fn heads_of_files() {
        let head = |text: &[u8]| read_head(&mut &text[..]).expect("bytes can be read");
        assert_eq!(head(b"freshet-hash-1 16 3\nwords"), Some((16, 3)));
        for text in [&b""[..], b"freshet-hash-1 16\n", b"freshet-hash-2 16 3\n", b"x 16 3\n"] {
            assert_eq!(head(text), None);
        }
        for text in [&b"freshet-hash-1 -1 3\n"[..], b"freshet-hash-1 16 256\n", b"\xff 16 3\n"] {
            assert_eq!(head(text), None);
        }
    }
}
