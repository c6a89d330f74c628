//! The moves of the root, with their scores and lines.

use std::cmp::Reverse;
use std::ops::Range;

use super::report::Line;
use super::tablebases::Rank;
use crate::board::Move;
use crate::score::Score;

/// A root move with its score, its line and its node count.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// From the last search that found this move best; below all scores otherwise.
    pub(super) score: Score,
    /// The move failed high with this score.
    pub(super) failed_high: bool,
    /// The line that begins with this move, from the same search as `score`.
    pub(super) line: Line,
    /// The score of the previous iteration.
    pub(super) last_score: Score,
    /// The line of the previous iteration.
    pub(super) last_line: Line,
    /// The index of this move when the previous iteration ended.
    pub(super) last_place: usize,
    /// Nodes visited in its searches.
    pub(super) nodes: u64,
    /// The tablebase rank, if tablebases were probed.
    pub(super) rank: Option<Rank>,
}

impl RootMove {
    /// This move with the score and line of the previous iteration.
    pub(super) fn before(&self) -> RootMove {
        RootMove { score: self.last_score, line: self.last_line.clone(), ..self.clone() }
    }

    /// The tablebase rank, 0 without one. In MultiPV all moves of a higher class get their lines
    /// before those of a lower one.
    pub(super) fn class(&self) -> i32 {
        self.rank.map_or(0, |rank| rank.rank)
    }

    /// The score of the search if that is a mate, or if there are no tablebases; else theirs.
    pub(super) fn best_known(&self) -> Score {
        self.rank.filter(|_| !self.score.is_mate()).map_or(self.score, |rank| rank.score)
    }

    /// Plies to mate, if a mate was found for either side.
    pub(super) fn mate_plies(&self) -> Option<i32> {
        let score = self.score;
        score.is_mate().then(|| Score::mate_in(0).raw() - score.raw().abs())
    }
}

/// The moves of the root, the best first, and which of them are searched.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    pub(super) moves: Vec<RootMove>,
    /// The moves that compete for the line being searched.
    pub(super) competing: Range<usize>,
}

impl RootMoves {
    /// All moves, the best by tablebase rank first.
    pub(super) fn new(moves: &[Move], ranks: Option<&[Rank]>) -> RootMoves {
        let root_move = |(index, &m): (usize, &Move)| RootMove {
            m,
            score: -Score::INFINITE,
            failed_high: false,
            line: Line::from_iter([m]),
            last_score: -Score::INFINITE,
            last_line: Line::from_iter([m]),
            last_place: index,
            nodes: 0,
            rank: ranks.map(|ranks| ranks[index]),
        };
        let mut roots: Vec<RootMove> = moves.iter().enumerate().map(root_move).collect();
        roots.sort_by_key(|root| Reverse(root.class()));
        RootMoves { competing: 0..roots.len(), moves: roots }
    }

    /// The best `count` lines of the previous iteration, without the first `done` moves. The search may
    /// already have reordered the moves below these.
    pub(super) fn lines_before(&self, done: usize, count: usize) -> Vec<RootMove> {
        let mut others: Vec<&RootMove> = self.moves[done..].iter().collect();
        others.sort_by_key(|root| root.last_place);
        let lines = others.into_iter().take(count).map(RootMove::before);
        lines.filter(|root| root.score > -Score::INFINITE).collect()
    }
}
