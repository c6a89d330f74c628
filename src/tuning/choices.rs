//! Two players compared by the moves that they choose. It takes far fewer games than comparing
//! results, since most of what decides a game has nothing to do with a small change.
//!
//! Both players search every position of the same games. Where they choose different moves, a
//! deeper search of these two moves judges by how many expected points they differ. One of the two,
//! at random, is played.
//!
//! The judge is the engine itself. It says how good a search is; of two evaluations it prefers its
//! own. A search that prunes what the judge prunes as well may look better than it is. So what is
//! chosen by this measure is confirmed by a match.

use std::fmt;
use std::path::PathBuf;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::TuningError;
use super::selfplay::{Adjudication, OPENINGS, Series, new_player, play_by};
use super::texel::sigmoid;
use crate::board::{Move, Position};
use crate::chess::ByColor;
use crate::engine::Engine;
use crate::eval::endgames;
use crate::progress::Progress;
use crate::score::Score;
use crate::search::{Limits, MemoryError, Report, Reporter, StopFlag};

/// The factor from centipawns to the exponent of the sigmoid, about what the tuner of the
/// evaluation fits to results.
const SCALE: f64 = 0.008;

/// The size of the transposition table of the judge in MiB.
const JUDGE_HASH: usize = 16;

/// When a game ends: no choice of a move says much where the game is decided.
const RULES: Adjudication = Adjudication {
    decisive: 500,
    decisive_plies: 2,
    drawish: 5,
    drawish_plies: 6,
    drawish_from: 30,
    longest: 160,
};

/// What two players have chosen in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Choices {
    /// Positions that both have searched.
    pub positions: u64,
    /// Positions in which they have chosen different moves.
    pub different: u64,
    /// Expected points by which the moves of the first player are better.
    pub points: f64,
}

/// Nodes of the searches of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// Nodes a move of each player.
    pub player: u64,
    /// Nodes of the judge for two moves.
    pub judge: u64,
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes { player: 20_000, judge: 120_000 }
    }
}

/// How players are compared.
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
}

impl Default for ComparisonSettings {
    fn default() -> ComparisonSettings {
        ComparisonSettings {
            openings: OPENINGS.into(),
            nodes: Nodes::default(),
            threads: 1,
            seed: 1,
        }
    }
}

/// Two players and a judge.
pub struct Players {
    /// Each player has an engine for either side: what an engine learns from its own moves must not
    /// help it to answer them.
    pair: [ByColor<Engine>; 2],
    judge: Engine,
}

impl Players {
    /// Two players that are the same, and a judge.
    ///
    /// # Errors
    ///
    /// If there is no memory for their transposition tables.
    pub fn new() -> Result<Players, MemoryError> {
        let player = || Ok(ByColor { white: new_player()?, black: new_player()? });
        let mut judge = Engine::new(JUDGE_HASH, 1)?;
        judge.set_multi_pv(2);
        Ok(Players { pair: [player()?, player()?], judge })
    }

    /// Clears all engines; `prepare` makes each the player with its number, 0 or 1.
    pub fn prepare(&mut self, mut prepare: impl FnMut(&mut Engine, usize)) {
        self.judge.clear();
        for (number, ByColor { white, black }) in self.pair.iter_mut().enumerate() {
            for engine in [white, black] {
                engine.clear();
                prepare(engine, number);
            }
        }
    }

    /// Compares the players in a game from this position.
    pub fn play(
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

    /// By how many expected points the first of two moves is better; `None` if the nodes were too
    /// few to search both.
    fn judge(&mut self, position: &Position, moves: [Move; 2], nodes: u64) -> Option<f64> {
        let limits = Limits { search_moves: moves.to_vec(), ..Limits::nodes(nodes) };
        let mut scores = Scores::default();
        self.judge.set_position(position.clone());
        self.judge.go(&limits, &StopFlag::new(), &mut scores);
        let points = |m| Some(sigmoid(SCALE * f64::from(scores.of(m)?.raw())));
        Some(points(moves[0])? - points(moves[1])?)
    }
}

/// The scores of the last iteration that has searched both moves.
#[derive(Default)]
struct Scores {
    /// The depth of the last first line, its move and its score.
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
            // A search that was stopped shows the other move's score of the iteration before.
            self.both = Some([(first, score), (m, report.score)]);
        }
    }
}

/// Games in which two players are compared.
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// The games, at least two.
    pub series: Series<'a>,
    /// Nodes of the players and of the judge.
    pub nodes: Nodes,
}

/// How much better the moves of the first player are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Expected points in a thousand moves.
    pub points: f64,
    /// Half the width of the 95 % confidence interval of [`Gain::points`].
    pub error: f64,
    /// The share of positions in which the players have chosen different moves.
    pub different: f64,
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gain { points, error, different } = self;
        write!(f, "{points:+6.2} +- {error:.2}  {:3.0} % different", 100.0 * different)
    }
}

impl Gain {
    /// From what was chosen in each game. The moves of a game are not independent, so that the
    /// error is that of a ratio of sums over games.
    fn of(games: &[Choices]) -> Gain {
        let count = games.len() as f64;
        let sum = |value: fn(&Choices) -> f64| games.iter().map(value).sum::<f64>();
        let positions = sum(|game| game.positions as f64).max(1.0);
        let points = sum(|game| game.points) / positions;
        let variance = games
            .iter()
            .map(|game| (game.points - points * game.positions as f64).powi(2))
            .sum::<f64>()
            * count
            / (count - 1.0);
        Gain {
            points: 1000.0 * points,
            error: 1000.0 * 1.96 * variance.sqrt() / positions,
            different: sum(|game| game.different as f64) / positions,
        }
    }
}

impl Comparison<'_> {
    /// Plays the games and advances the progress with each, without beginning a stage. `prepare`
    /// makes a cleared engine the player with this number, 0 or 1, before each game.
    ///
    /// # Errors
    ///
    /// If there are fewer than two games, no openings, or not enough memory for the players.
    pub fn run(
        &self,
        prepare: impl Fn(&mut Engine, usize) + Sync,
        progress: &dyn Progress,
    ) -> Result<Gain, TuningError> {
        if self.series.count < 2 {
            return Err(TuningError::TooFewGames);
        }
        endgames::prepare();
        let play_game = |players: &mut Players, opening: &Position, random: &mut _| {
            players.prepare(&prepare);
            players.play(opening, self.nodes, random)
        };
        Ok(Gain::of(&self.series.play(Players::new, play_game, progress)?))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::{Bound, Strength};

    fn compare(threads: usize, prepare: impl Fn(&mut Engine, usize) + Sync) -> Gain {
        let openings = &[Position::start()];
        let nodes = Nodes { player: 400, judge: 2000 };
        let series = Series { openings, count: 4, threads, seed: 1 };
        Comparison { series, nodes }.run(prepare, &()).expect("four games")
    }

    #[test]
    fn equal_players_choose_the_same_moves() {
        let gain = compare(1, |_, _| {});
        assert_eq!(gain, Gain { points: 0.0, error: 0.0, different: 0.0 });
    }

    #[test]
    fn the_better_player_gains_whoever_is_first() {
        let weak = |number| {
            move |engine: &mut Engine, player| {
                let strength = Strength { nodes: 20, noise: 200, seed: 3, elo: 600 };
                engine.set_strength((player == number).then_some(strength));
            }
        };
        let [ahead, behind] = [1, 0].map(|number| compare(2, weak(number)));
        assert!(ahead.points > 0.0 && ahead.different > 0.2, "{ahead}");
        assert!(behind.points < 0.0, "{behind}");
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

    #[test]
    fn the_error_is_that_of_games() {
        let game = |points| Choices { positions: 100, different: 10, points };
        let gain = Gain::of(&[game(0.3), game(0.1), game(0.3), game(0.1)]);
        assert_eq!((gain.points.round(), gain.different), (2.0, 0.1));
        assert!((gain.error - 1.13).abs() < 0.01, "{gain}");
        assert_eq!(gain.to_string(), " +2.00 +- 1.13   10 % different");
    }
}
