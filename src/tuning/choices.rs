//! Compares two players by the moves they choose. This takes far fewer games than comparing
//! results, since most of what decides a game has nothing to do with a small change.
//!
//! Both players search every position of the same games. If they choose different moves, a deeper
//! search of these two moves judges the difference in expected points. One of the two is played, at
//! random.
//!
//! The judge is the engine itself. It can judge a search, but of two evaluations it prefers its
//! own, and a search that prunes the same moves as the judge may look better than it is. So confirm
//! every result by a match.

use std::path::PathBuf;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::expected::{SCALE, sigmoid};
use super::selfplay::{Adjudication, OPENINGS, new_player, play_by};
use crate::board::{Move, Position};
use crate::chess::ByColor;
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::score::Score;
use crate::search::{Limits, MemoryError, Report, Reporter, StopFlag};

/// The size of the transposition table of the judge in MiB.
const JUDGE_HASH: usize = 16;

/// The end of a game: once it is decided, choices of moves say little.
const RULES: Adjudication = Adjudication {
    decisive: 500,
    decisive_plies: 2,
    drawish: 5,
    drawish_plies: 6,
    drawish_from: 30,
    longest: 160,
};

/// The differing choices of two players in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Choices {
    /// Positions that both players searched.
    positions: u64,
    /// Positions in which they chose different moves.
    different: u64,
    /// Expected points by which the first player's moves are better.
    pub(super) points: f64,
}

/// The node limits of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// Nodes per move of each player.
    pub player: u64,
    /// Nodes of the judge for two moves.
    pub judge: u64,
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes { player: 20_000, judge: 120_000 }
    }
}

/// The settings of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonSettings {
    /// EPD file of the positions from which games start.
    pub openings: PathBuf,
    /// Nodes of the players and of the judge.
    pub nodes: Nodes,
    /// Games at the same time.
    pub threads: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The weights of the evaluation, if not the built-in ones.
    pub weights: Option<Weights>,
}

impl Default for ComparisonSettings {
    fn default() -> ComparisonSettings {
        ComparisonSettings {
            openings: OPENINGS.into(),
            nodes: Nodes::default(),
            threads: 1,
            seed: 1,
            weights: None,
        }
    }
}

/// Two players and a judge.
pub(super) struct Players {
    /// Each player has one engine for each side, because what an engine learned when it chose a
    /// move must not help it to answer that move.
    pair: [ByColor<Engine>; 2],
    judge: Engine,
}

impl Players {
    /// Two identical players and a judge, with these weights or the built-in ones.
    ///
    /// # Errors
    ///
    /// If there is no memory for their transposition tables.
    pub(super) fn new(weights: Option<&Weights>) -> Result<Players, MemoryError> {
        let player = || Ok(ByColor { white: new_player(weights)?, black: new_player(weights)? });
        let mut judge = Engine::new(JUDGE_HASH, 1)?;
        judge.set_multi_pv(2);
        judge.set_weights(weights.cloned());
        Ok(Players { pair: [player()?, player()?], judge })
    }

    /// Clears all engines. `prepare` then sets up each as the player with the given number, 0 or 1.
    pub(super) fn prepare(&mut self, mut prepare: impl FnMut(&mut Engine, usize)) {
        self.judge.clear();
        for (number, ByColor { white, black }) in self.pair.iter_mut().enumerate() {
            for engine in [white, black] {
                engine.clear();
                prepare(engine, number);
            }
        }
    }

    /// Compares the players in a game from this position.
    pub(super) fn play(
        &mut self,
        start: &Position,
        nodes: Nodes,
        random: &mut Xoshiro256PlusPlus,
    ) -> Choices {
        let limits = Limits::nodes(nodes.player);
        let mut choices = Choices::default();
        play_by(start, &RULES, |position| {
            let search = |player: &mut ByColor<Engine>| {
                player.get_mut(position.turn()).search(position, &limits)
            };
            let [first, second] = self.pair.each_mut().map(search);
            if let (Some(&one), Some(&other)) = (first.line.first(), second.line.first()) {
                choices.positions += 1;
                if one != other {
                    choices.different += 1;
                    let points = self.judge(position, [one, other], nodes.judge);
                    choices.points += points.unwrap_or(0.0);
                }
            }
            if random.random() { first } else { second }
        });
        choices
    }

    /// The expected points by which the first of two moves is better; `None` if there were too few
    /// nodes to search both.
    fn judge(&mut self, position: &Position, moves: [Move; 2], nodes: u64) -> Option<f64> {
        let limits = Limits { search_moves: moves.to_vec(), ..Limits::nodes(nodes) };
        let mut scores = Scores::default();
        self.judge.set_position(position.clone());
        self.judge.go(&limits, &StopFlag::new(), &mut scores);
        let points = |m| Some(sigmoid(SCALE * f64::from(scores.of(m)?.raw())));
        Some(points(moves[0])? - points(moves[1])?)
    }
}

/// The scores of the last iteration that searched both moves.
#[derive(Default)]
struct Scores {
    /// The depth, move and score of the last line numbered 1.
    first: Option<(i32, Move, Score)>,
    both: Option<[(Move, Score); 2]>,
}

impl Scores {
    fn of(&self, wanted: Move) -> Option<Score> {
        self.both?.into_iter().find_map(|(m, score)| (m == wanted).then_some(score))
    }
}

impl Reporter for Scores {
    fn report(&mut self, report: &Report) {
        let Some(&m) = report.line.first() else { return };
        if report.multi_pv == 1 {
            self.first = Some((report.depth, m, report.score));
        } else if let Some((depth, first, score)) = self.first
            && depth == report.depth
        {
            // A stopped search shows the other move's score from the previous iteration.
            self.both = Some([(first, score), (m, report.score)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rand::SeedableRng;

    use super::*;
    use crate::search::{Bound, Strength};

    /// The choices of players in a few games.
    fn compare(prepare: impl Fn(&mut Engine, usize)) -> Choices {
        let mut players = Players::new(None).expect("memory");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let nodes = Nodes { player: 400, judge: 2000 };
        let games = (0..4).map(|_| {
            players.prepare(&prepare);
            players.play(&Position::start(), nodes, &mut random)
        });
        games.fold(Choices::default(), |sum, game| Choices {
            positions: sum.positions + game.positions,
            different: sum.different + game.different,
            points: sum.points + game.points,
        })
    }

    #[test]
    fn equal_players_choose_the_same_moves() {
        let Choices { positions, different, points } = compare(|_, _| {});
        assert!(positions > 100 && different == 0 && points == 0.0);
    }

    #[test]
    fn the_better_player_gains_whoever_is_first() {
        let weak = |number| {
            move |engine: &mut Engine, player| {
                let strength = Strength { nodes: 20, noise: 200, seed: 3, elo: 600 };
                engine.set_strength((player == number).then_some(strength));
            }
        };
        let [ahead, behind] = [1, 0].map(|number| compare(weak(number)));
        assert!(ahead.points > 0.0 && 5 * ahead.different > ahead.positions, "{ahead:?}");
        assert!(behind.points < 0.0, "{behind:?}");
    }

    #[test]
    fn both_moves_are_judged_by_the_same_iteration() {
        let position = Position::start();
        let moves = ["e2e4", "a2a4"].map(|uci| position.parse_uci(uci).expect("a legal move"));
        let report = |multi_pv, depth, m, score| Report {
            depth,
            selective_depth: 0,
            multi_pv,
            score: Score::cp(score),
            bound: Bound::Exact,
            nodes: 0,
            tablebase_hits: 0,
            time: Duration::ZERO,
            hashfull: 0,
            line: [m].into_iter().collect(),
            is_last: false,
        };
        let mut scores = Scores::default();
        scores.report(&report(1, 4, moves[0], 50));
        assert_eq!(scores.of(moves[0]), None, "only one was searched");
        scores.report(&report(2, 4, moves[1], 30));
        // In the next iteration the other move is better, and the search is stopped.
        scores.report(&report(1, 5, moves[1], 20));
        scores.report(&report(2, 4, moves[0], 50));
        assert_eq!(moves.map(|m| scores.of(m)), [Some(Score::cp(50)), Some(Score::cp(30))]);
    }
}
