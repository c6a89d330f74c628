//! Looking ahead: from a position and limits to a move.
//!
//! [`think`] starts one [`Worker`](worker::Worker) per thread; each deepens (`deepen.rs`) and asks `node.rs` for
//! the value of each position: alpha-beta with the rules of `rules.rs`, ending in quiescence (`quiesce.rs`). The
//! threads share the [`TranspositionTable`] and nothing else (Lazy SMP).

mod ablation;
mod correction;
mod history;
mod huge_pages;
mod node;
mod ordering;
mod params;
mod quiescence;
mod report;
mod root;
mod rules;
mod strength;
mod table;
mod tablebases;
mod time;
mod window;
mod worker;

pub use ablation::{Ablation, Rule};
pub use params::{Declared, Params};
pub use report::{Line, Report, Reporter};
pub use strength::Strength;
pub use table::{Bound, Entry, TranspositionTable};
pub use tablebases::{Probing, Tablebases};
pub use time::{Clock, Limits, StopFlag};

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crate::board::{Move, Position};
use crate::score::Score;
use correction::Corrections;
use history::Histories;
use huge_pages::{Pages, Zeroed};
use worker::Worker;

/// What one thread has learned about moves and evaluations: two huge pages, for it is read all over the place.
#[repr(align(0x20_0000))]
struct ThreadState {
    histories: Histories,
    corrections: Corrections,
}

const _: () = assert!(align_of::<ThreadState>() == huge_pages::HUGE);

// SAFETY: numbers, all of which may be zero and need no drop.
unsafe impl Zeroed for ThreadState {}

/// What searches work with and remember from one to the next.
pub struct SearcherState {
    /// The transposition table, shared by all threads.
    pub table: TranspositionTable,
    /// What each thread has learned.
    threads: Vec<Pages<ThreadState>>,
    /// The numbers of the rules.
    pub params: Params,
    /// Endgame tables, if any.
    pub tablebases: Option<Tablebases>,
    /// How many best moves, each with its line, are asked for.
    pub lines: usize,
    /// How strong to play if not as well as possible. [`think`] heeds the misjudgement, the nodes are for [`SearcherState::limited`].
    pub strength: Option<Strength>,
}

impl SearcherState {
    /// An empty memory: a table of `mib` MiB, and so many threads. An error says why the table cannot be had.
    pub fn new(mib: usize, threads: usize) -> Result<SearcherState, String> {
        let threads = (0..threads.max(1)).map(|_| Pages::of_one()).collect();
        Ok(SearcherState {
            table: TranspositionTable::new(mib)?,
            threads,
            params: Params::default(),
            tablebases: None,
            lines: 1,
            strength: None,
        })
    }

    /// Searches from here on have so many threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads.resize_with(threads.max(1), Pages::of_one);
    }

    /// Forgets everything but settings.
    pub fn clear(&mut self) {
        self.table.clear(self.threads.len());
        self.threads.fill_with(Pages::of_one);
    }

    /// The limits, with no more nodes than the strength allows.
    pub fn limited(&self, limits: &Limits) -> Limits {
        let most = self.strength.map(|strength| strength.nodes);
        let nodes = [limits.nodes, most].into_iter().flatten().min();
        Limits { nodes, ..limits.clone() }
    }

    /// Searches a position to limits that need no clock: nodes or depth.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> SearchResult {
        let control = StopFlag::default();
        let limits = &self.limited(limits);
        let clock = Clock::new(limits, position, 0, Instant::now(), &control);
        search(position, &limits.search_moves, &clock, &control, self, &mut ())
    }
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The line expected; its first move is the best one. Empty only where there is no legal move.
    pub line: Line,
    /// The score for the side to move.
    pub score: Score,
    /// Plies of the last complete iteration.
    pub depth: i32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// What the threads of one search share.
struct Shared<'a> {
    table: &'a TranspositionTable,
    clock: &'a Clock<'a>,
    control: &'a StopFlag,
    params: &'a Params,
    /// Endgame tables to ask below the root; none where they have ranked the moves of the root by distance already.
    tablebases: Option<&'a Tablebases>,
    lines: usize,
    strength: Option<Strength>,
    /// Nodes of each thread, told now and then.
    nodes: Vec<AtomicU64>,
    /// Answers of the endgame tables.
    hits: AtomicU64,
}

impl Shared<'_> {
    fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// Searches a position with all threads of the memory until the clock or the control ends it. `only` are the moves to
/// choose from, all if it is empty.
pub fn search(
    position: &Position,
    only: &[Move],
    clock: &Clock<'_>,
    control: &StopFlag,
    memory: &mut SearcherState,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let mut moves = position.moves();
    if only.iter().any(|m| moves.contains(m)) {
        moves.retain(|m| only.contains(m));
    }
    let SearcherState { table, threads, params, tablebases, lines, strength } = memory;
    let ranks = tablebases.as_ref().and_then(|tables| tables.rank(position, &moves));
    let sure = ranks.as_ref().is_some_and(|ranks| ranks.iter().any(|rank| rank.rank > 0));
    let shared = Shared {
        table,
        clock,
        control,
        params,
        tablebases: tablebases.as_ref().filter(|_| !sure),
        lines: *lines,
        strength: *strength,
        nodes: threads.iter().map(|_| AtomicU64::new(0)).collect(),
        hits: AtomicU64::new(ranks.as_ref().map_or(0, |ranks| ranks.len() as u64)),
    };
    let roots = RootMove::all(&moves, ranks.as_deref());
    let Some((first, others)) = threads.split_first_mut() else {
        unreachable!("a search has at least one thread");
    };
    let (best, told) = std::thread::scope(|scope| {
        let (shared, roots) = (&shared, &roots);
        // Helpers end when the control says so, also if this thread should panic.
        let helpers_end = EndHelpers(control);
        let helpers: Vec<_> = others
            .iter_mut()
            .enumerate()
            .filter_map(|(index, learned)| {
                let search = move || {
                    Worker::new(index + 1, position.clone(), &mut learned[0], shared)
                        .deepen(roots.clone(), &mut ())
                };
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).ok()
            })
            .collect();
        let mut found = vec![
            Worker::new(0, position.clone(), &mut first[0], shared).deepen(roots.clone(), reporter),
        ];
        drop(helpers_end);
        found.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        let best = if shared.lines > 1 { 0 } else { vote(&found) };
        (found.swap_remove(best), best == 0)
    });
    let found = SearchResult { nodes: shared.all_nodes(), ..best };
    if !told {
        reporter.report(&Report {
            depth: found.depth,
            selective_depth: found.line.len(),
            number: 1,
            score: found.score,
            bound: Bound::Exact,
            nodes: found.nodes,
            hits: shared.hits.load(Relaxed),
            time: clock.elapsed(),
            hashfull: table.hashfull(),
            line: found.line.clone(),
        });
    }
    found
}

/// Which thread's answer to play: the threads vote for their moves, with more weight the deeper they have searched and the
/// better they like it. A shorter mate needs no votes.
fn vote(found: &[SearchResult]) -> usize {
    let least = found.iter().map(|found| found.score).min().unwrap_or_default();
    let weight = |found: &SearchResult| {
        i64::from(found.score.raw() - least.raw() + 14) * i64::from(found.depth)
    };
    let votes = |m: Option<&Move>| -> i64 {
        found.iter().filter(|other| other.line.first() == m).map(weight).sum()
    };
    let mut best = 0;
    for (index, other) in found.iter().enumerate().skip(1) {
        let chosen = &found[best];
        if other.depth == 0 || other.line.is_empty() {
            continue;
        }
        let better = if chosen.score.is_decided() || other.score.is_win() {
            other.score > chosen.score
        } else {
            let (ours, theirs) = (votes(other.line.first()), votes(chosen.line.first()));
            ours > theirs || (ours == theirs && weight(other) > weight(chosen))
        };
        if better {
            best = index;
        }
    }
    best
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    m: Move,
    /// From the last search that found it best; below all scores otherwise.
    score: Score,
    /// The score of the iteration before.
    last_score: Score,
    line: Line,
    nodes: u64,
    /// What the endgame tables say.
    rank: Option<tablebases::Rank>,
}

impl RootMove {
    /// All moves, the best by the endgame tables first.
    fn all(moves: &[Move], ranks: Option<&[tablebases::Rank]>) -> Vec<RootMove> {
        let mut roots: Vec<RootMove> = moves
            .iter()
            .enumerate()
            .map(|(index, &m)| RootMove {
                m,
                score: -Score::INFINITE,
                last_score: -Score::INFINITE,
                line: Line::from_iter([m]),
                nodes: 0,
                rank: ranks.map(|ranks| ranks[index]),
            })
            .collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.class()));
        roots
    }

    /// Moves of a lower class are not looked at before all of a higher class have a line.
    fn class(&self) -> i32 {
        self.rank.map_or(0, |rank| rank.rank)
    }

    /// The score to show: what the tables say, unless a mate was found.
    fn shown(&self) -> Score {
        self.rank.filter(|_| !self.score.is_mate()).map_or(self.score, |rank| rank.score)
    }
}

/// The stack of a helper, in bytes: a line of play of the greatest length takes less than half of it.
const STACK: usize = 16 << 20;

/// Ends the helpers of a search when it goes.
struct EndHelpers<'a>(&'a StopFlag);

impl Drop for EndHelpers<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}
