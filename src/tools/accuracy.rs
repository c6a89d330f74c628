//! How well a side has played: marks for moves, and the accuracy of a game, by the formulas that
//! lichess.org publishes (<https://lichess.org/page/accuracy>; `AccuracyPercent.scala` and
//! `Advice.scala` of github.com/lichess-org/lila).
//!
//! Everything is computed from winning chances: a score becomes a percentage, 50 for an equal
//! position. A move loses the difference between the chances before and after it, so losing two
//! pawns is a blunder in an equal position but hardly matters in a won one.

use std::fmt;

use crate::chess::{ByColor, Color};
use crate::score::Score;
use crate::wdl::shown;

/// The winning chances of a side, in percent, from the score from its point of view. Scores are
/// capped at ten pawns; a mate or a tablebase win counts as ten.
pub(crate) fn win_percent(score: Score) -> f64 {
    let cp = score.as_cp().map_or(if score.is_win() { 1000 } else { -1000 }, shown);
    let cp = f64::from(cp.clamp(-1000, 1000));
    100.0 / (1.0 + (-0.003_682_08 * cp).exp())
}

/// The quality of a move, by the winning chances it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The best move, or nearly as good.
    Good,
    /// `?!`: loses at least 5 percent of winning chances.
    Inaccuracy,
    /// `?`: loses at least 10 percent.
    Mistake,
    /// `??`: loses at least 15 percent.
    Blunder,
}

impl Mark {
    /// The mark of a move that loses this many percent of winning chances.
    pub(crate) fn of_loss(percent: f64) -> Mark {
        match percent {
            15.0.. => Mark::Blunder,
            10.0.. => Mark::Mistake,
            5.0.. => Mark::Inaccuracy,
            _ => Mark::Good,
        }
    }

    /// The mark of a move that scores `played` when `best` was available. A move that allows a mate
    /// is judged by how bad the position already was; one that misses a mate, by what remains.
    pub(crate) fn of_scores(best: Score, played: Score) -> Mark {
        let by = |cp: i32| match cp {
            1000.. => Mark::Inaccuracy,
            701.. => Mark::Mistake,
            _ => Mark::Blunder,
        };
        let centipawns = |score: Score| score.as_cp().map(shown);
        if best.is_mate() && best.is_win() && !(played.is_mate() && played.is_win()) {
            return by(centipawns(played).unwrap_or(if played.is_win() { 1000 } else { -1000 }));
        }
        if played.is_mate() && played.is_loss() && !best.is_loss() {
            return by(-centipawns(best).unwrap_or_default());
        }
        Mark::of_loss(win_percent(best) - win_percent(played))
    }

    /// The numeric annotation glyph of PGN; `None` for a good move.
    pub(crate) fn nag(self) -> Option<u16> {
        match self {
            Mark::Good => None,
            Mark::Inaccuracy => Some(6),
            Mark::Mistake => Some(2),
            Mark::Blunder => Some(4),
        }
    }

    /// The mark as the end of a sentence: `a mistake`.
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Mark::Good => "good",
            Mark::Inaccuracy => "an inaccuracy",
            Mark::Mistake => "a mistake",
            Mark::Blunder => "a blunder",
        }
    }

    /// The mark as the word that begins a comment.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Mark::Good => "Good",
            Mark::Inaccuracy => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }
}

/// Writes the mark as it follows a move: `?!`.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mark::Good => "",
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        })
    }
}

/// The accuracy of a move in percent, by the winning chances of its side before and after it.
fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let raw = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp();
    // Add one percent, since the analysis is not perfect.
    (raw - 3.166_924_740_191_411 + 1.0).clamp(0.0, 100.0)
}

/// The quality of a player's moves in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// All moves of the player, with and without a mark.
    moves: usize,
    /// Moves marked `?!`.
    inaccuracies: usize,
    /// Moves marked `?`.
    mistakes: usize,
    /// Moves marked `??`.
    blunders: usize,
    /// Accuracy in percent; `None` without moves.
    pub(crate) accuracy: Option<f64>,
    /// The mean loss per move in centipawns, with scores capped at ten pawns.
    mean_loss: f64,
}

/// White's winning chances and the marks of a game, in the order of its positions.
#[derive(Clone, Debug, Default)]
pub(super) struct GameChances {
    /// White's chances in percent in each position, including the first.
    white: Vec<f64>,
    /// The side, mark and centipawn loss of each move.
    moves: Vec<(Color, Mark, i32)>,
}

impl GameChances {
    /// A game whose first position has this score for the side `turn`.
    pub(super) fn new(score: Score, turn: Color) -> GameChances {
        GameChances { white: vec![win_percent(score.for_white(turn))], moves: Vec::new() }
    }

    /// Adds a move of `side` that scores `score` when `best` was available.
    pub(super) fn add(&mut self, side: Color, mark: Mark, score: Score, best: Score) {
        let cp = |score: Score| match score.as_cp() {
            Some(cp) => shown(cp).clamp(-1000, 1000),
            None if score.is_win() => 1000,
            None => -1000,
        };
        self.white.push(win_percent(score.for_white(side)));
        self.moves.push((side, mark, (cp(best) - cp(score)).max(0)));
    }

    /// Adds a null move, after which the score for `turn` is `score`. It counts for neither player.
    pub(super) fn pass(&mut self, score: Score, turn: Color) {
        if let Some(last) = self.white.last_mut() {
            *last = win_percent(score.for_white(turn));
        }
    }

    /// The summary of both players.
    pub(super) fn summaries(&self) -> ByColor<Summary> {
        ByColor::new_with(|side| self.summary(side))
    }

    fn summary(&self, side: Color) -> Summary {
        let moves: Vec<(Mark, i32)> = self
            .moves
            .iter()
            .filter(|(mover, ..)| *mover == side)
            .map(|&(_, mark, loss)| (mark, loss))
            .collect();
        let count = |wanted| moves.iter().filter(|(mark, _)| *mark == wanted).count();
        let loss: i32 = moves.iter().map(|(_, loss)| loss).sum();
        Summary {
            moves: moves.len(),
            inaccuracies: count(Mark::Inaccuracy),
            mistakes: count(Mark::Mistake),
            blunders: count(Mark::Blunder),
            accuracy: self.accuracy(side),
            mean_loss: f64::from(loss) / moves.len().max(1) as f64,
        }
    }

    /// The average of two means over a side's moves: the harmonic mean, and one weighted by how
    /// much the chances change around each move.
    fn accuracy(&self, side: Color) -> Option<f64> {
        let count = self.moves.len();
        let size = (count / 10).clamp(2, 8);
        let (mut sum, mut weights, mut inverse, mut moves) = (0.0, 0.0, 0.0, 0.0);
        for (index, (mover, ..)) in self.moves.iter().enumerate() {
            if *mover != side {
                continue;
            }
            // The window ends with the position after the move. The first few moves share the first
            // window.
            let first = (index + 2).saturating_sub(size).min((count + 1).saturating_sub(size));
            let window = &self.white[first..(first + size).min(count + 1)];
            let weight = standard_deviation(window).clamp(0.5, 12.0);
            let chance = |index: usize| match side {
                Color::White => self.white[index],
                Color::Black => 100.0 - self.white[index],
            };
            let accuracy = move_accuracy(chance(index), chance(index + 1));
            sum += weight * accuracy;
            weights += weight;
            inverse += 1.0 / accuracy.max(1.0);
            moves += 1.0;
        }
        (moves > 0.0).then(|| (sum / weights + moves / inverse) / 2.0)
    }
}

/// The standard deviation of a population.
fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// One line: `accuracy 87 %, 1 inaccuracy, 0 mistakes, 2 blunders, loss 34 centipawns a move`.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(accuracy) = self.accuracy else { return f.write_str("no moves") };
        let plural = |count: usize, one: &str, many: &str| {
            format!("{count} {}", if count == 1 { one } else { many })
        };
        write!(
            f,
            "accuracy {accuracy:.0} %, {}, {}, {}, loss {:.0} centipawns a move",
            plural(self.inaccuracies, "inaccuracy", "inaccuracies"),
            plural(self.mistakes, "mistake", "mistakes"),
            plural(self.blunders, "blunder", "blunders"),
            self.mean_loss
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases of lila's own test of the formula.
    #[test]
    fn chances_are_those_of_lichess() {
        assert_eq!(win_percent(Score::DRAW), 50.0);
        assert!((win_percent(Score::mate_in(3)) - 97.54).abs() < 0.01);
        assert!((move_accuracy(50.0, 40.0) - 64.58).abs() < 0.01);
        assert_eq!(move_accuracy(40.0, 50.0), 100.0);
        assert_eq!(move_accuracy(100.0, 0.0), 0.0);
    }

    #[test]
    fn blunders_are_marked_by_what_they_change() {
        let loss = |before: i32, after: i32| {
            Mark::of_loss(win_percent(Score::cp(before)) - win_percent(Score::cp(after)))
        };
        assert_eq!(loss(0, -300), Mark::Blunder);
        assert_eq!(loss(0, -120), Mark::Mistake);
        assert_eq!(loss(0, -60), Mark::Inaccuracy);
        assert_eq!(loss(0, -20), Mark::Good);
        assert_eq!(loss(1500, 1200), Mark::Good, "it is won all the same");
    }

    #[test]
    fn a_game_without_errors_is_accurate() {
        let mut game = GameChances::new(Score::DRAW, Color::White);
        assert_eq!(game.summaries().white.accuracy, None);
        for side in [Color::White, Color::Black].repeat(20) {
            game.add(side, Mark::Good, Score::DRAW, Score::DRAW);
        }
        game.add(Color::White, Mark::Blunder, Score::cp(-500), Score::DRAW);
        let ByColor { white, black } = game.summaries();
        assert_eq!(black.accuracy, Some(100.0));
        assert!(white.accuracy.is_some_and(|percent| (40.0..95.0).contains(&percent)), "{white}");
        assert_eq!((white.moves, white.blunders, black.blunders), (21, 1, 0));
    }
}
