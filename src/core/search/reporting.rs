//! How the main thread reports its lines while it searches.

use std::sync::atomic::Ordering::Relaxed;

use super::memory::table::Bound;
use super::node::static_eval::expand;
use super::report::{Line, Report, SearchResult};
use super::root_moves::RootMove;
use super::worker::Worker;
use crate::score::Score;

impl Worker<'_> {
    /// Reports a mate that starts with the root move at `index`, and returns it as the result.
    pub(super) fn report_mate(&mut self, index: usize, line: Line, plies: usize) -> SearchResult {
        let (score, depth) = (Score::mate_in(plies), plies as i32);
        let root = RootMove { score, line, ..self.roots.moves[index].clone() };
        self.report(depth, 1, &root, Bound::Exact, false);
        SearchResult::new(root.line, score, depth)
    }

    /// Reports that there is no mate in `moves` moves, if all root moves were searched.
    pub(super) fn report_no_mate(&mut self, moves: usize) {
        if self.shared.limits.search_moves.is_empty() {
            self.reporter.no_mate(moves);
        }
    }

    /// Reports the line of a root move, if this is the main thread; `is_last` if the search was
    /// stopped.
    pub(super) fn report(
        &mut self,
        depth: i32,
        multi_pv: usize,
        root: &RootMove,
        bound: Bound,
        is_last: bool,
    ) {
        if self.id > 0 {
            return;
        }
        if multi_pv == 1 {
            self.reported = (bound == Bound::Exact).then_some((root.m, depth));
        }
        self.reporter.report(&Report {
            depth,
            selective_depth: self.selective_depth.max(1),
            multi_pv,
            score: expand(self.params, root.best_known()),
            bound,
            nodes: self.shared.all_nodes().max(self.nodes),
            tablebase_hits: self.shared.tablebase_hits.load(Relaxed),
            time: self.shared.clock.elapsed(),
            hashfull: self.shared.table.hashfull(),
            line: root.line.clone(),
            is_last,
        });
    }
}
