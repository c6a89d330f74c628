//! Stability: the more settled the best move and its score, the sooner a search on the clock ends.

use crate::score::Score;

/// The history of best move and score over the iterations of a search.
#[derive(Debug)]
pub(crate) struct Stability {
    /// The score of our previous search in this game.
    score_before: Option<Score>,
    /// The score of each iteration.
    scores: Vec<Score>,
    /// Iterations since the best move changed.
    unchanged: usize,
    /// How often another move became the best one. Each iteration counts half as much as the next.
    changes: f64,
}

impl Stability {
    /// The state at the start of a search.
    pub(crate) fn new(score_before: Option<Score>) -> Stability {
        Stability { score_before, scores: Vec::new(), unchanged: 0, changes: 0.0 }
    }

    /// Records a complete iteration: whether it kept the previous best move, how often another move
    /// became the best one during it, and its score.
    pub(crate) fn update(&mut self, same_move: bool, changes: usize, score: Score) {
        self.unchanged = if same_move { self.unchanged + 1 } else { 0 };
        self.changes = self.changes / 2.0 + changes as f64;
        self.scores.push(score);
    }

    /// The factor for the soft limit: about 0.7 in a calm search. In an unsettled one it may be
    /// several times that; the hard limit then ends the search. Smaller if the best move has stayed
    /// the same and taken nearly all nodes (`share`, 0 to 1); larger if it has changed often, or if
    /// the score has fallen since our last move or over the last four iterations (as in Stockfish).
    pub(crate) fn time_factor(&self, share: f64) -> f64 {
        let settled = [1.3, 1.2, 1.1, 1.0, 0.9][self.unchanged.min(4)];
        let effort = (1.7 - share).clamp(0.6, 1.5);
        let now = self.scores.last().copied();
        let fallen_from = |before: Option<Score>| {
            let fallen = now.zip(before).map_or(0, |(now, before)| before.raw() - now.raw());
            f64::from(fallen.clamp(-100, 100))
        };
        let four_ago = self.scores.iter().rev().nth(4).copied();
        // 0.8 for an unchanged score, plus a bit for each centipawn of fall.
        let trend = 0.8 + 0.02 * fallen_from(self.score_before) + 0.01 * fallen_from(four_ago);
        settled * effort * trend.clamp(0.6, 1.6) * (1.0 + 0.5 * self.changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(iterations: &[(bool, usize, i32)], share: f64) -> f64 {
        let mut stability = Stability::new(Some(Score::cp(20)));
        for &(same_move, changes, score) in iterations {
            stability.update(same_move, changes, Score::cp(score));
        }
        stability.time_factor(share)
    }

    #[test]
    fn an_unsettled_search_takes_longer() {
        let settled = [(true, 0, 20); 6];
        let usual = factor(&settled, 0.5);
        let with_last = |last| {
            let mut iterations = settled;
            iterations[5] = last;
            iterations
        };
        assert!(factor(&with_last((true, 0, -10)), 0.5) > usual, "the score has fallen");
        assert!(factor(&with_last((true, 0, 30)), 0.5) < usual, "it has risen");
        assert!(factor(&with_last((false, 1, 20)), 0.5) > usual, "another best move");
        assert!(factor(&with_last((true, 2, 20)), 0.5) > usual, "it has changed on the way");
        assert!(factor(&settled, 0.3) > factor(&settled, 0.9), "the effort is spread");
    }

    #[test]
    fn earlier_changes_count_less() {
        let early = [(true, 2, 20), (true, 0, 20), (true, 0, 20)];
        let late = [(true, 0, 20), (true, 0, 20), (true, 2, 20)];
        assert!(factor(&early, 0.5) < factor(&late, 0.5));
    }
}
