//! Forced mates: found, with the right distance, and with a line that ends in mate.
//!
//! `suites/mates.epd` has positions whose shortest mate was proven by [`Solver`], an exhaustive
//! search with shakmaty's rules, which shares nothing with the engine.
//!
//!     FRESHET_MATES=all cargo test --release mates:: -- --nocapture     # all lines, with totals
//!     cargo test --release make_mates -- --ignored                      # makes the suite again

use std::collections::HashMap;
use std::fmt::Write;

use freshet::board::{Epd, Move, Position};
use freshet::chess::{Color, Role, Square};
use freshet::engine::Engine;
use freshet::score::Score;
use freshet::search::{Bound, Limits, Report, Reporter, StopFlag};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};

use crate::support::{random, suite, with_pieces};

/// Proves mates by trying everything: an AND/OR search.
pub struct Solver {
    /// Moves that may still be made before the search gives up.
    budget: u64,
    /// Results for positions with this many moves to go.
    known: HashMap<(Zobrist64, u32), bool>,
}

/// More moves were needed than allowed.
#[derive(Debug)]
pub struct GaveUp;

impl Solver {
    /// A solver that makes at most this many moves.
    pub fn new(budget: u64) -> Solver {
        Solver { budget, known: HashMap::new() }
    }

    /// The length of the shortest mate by the side to move, if at most `most`.
    pub fn shortest(&mut self, chess: &Chess, most: u32) -> Result<Option<u32>, GaveUp> {
        for moves in 1..=most {
            if self.mates_in(chess, moves)? {
                return Ok(Some(moves));
            }
        }
        Ok(None)
    }

    /// Whether the side to move can force mate in at most this many moves.
    pub fn mates_in(&mut self, chess: &Chess, moves: u32) -> Result<bool, GaveUp> {
        let key = (chess.zobrist_hash(EnPassantMode::Legal), moves);
        if moves > 1
            && let Some(&known) = self.known.get(&key)
        {
            return Ok(known);
        }
        // Checks first: most mates are all checks.
        let mut children = Vec::new();
        for m in chess.legal_moves() {
            self.budget = self.budget.checked_sub(1).ok_or(GaveUp)?;
            let mut after = chess.clone();
            after.play_unchecked(m);
            if after.is_checkmate() {
                return Ok(true);
            }
            if moves > 1 {
                children.push(after);
            }
        }
        children.sort_by_key(|after| !after.is_check());
        let mut mates = false;
        for after in children {
            if self.is_mated_in(&after, moves - 1)? {
                mates = true;
                break;
            }
        }
        if moves > 1 {
            self.known.insert(key, mates);
        }
        Ok(mates)
    }

    /// Whether every reply of the side to move allows a mate in this many moves.
    fn is_mated_in(&mut self, chess: &Chess, moves: u32) -> Result<bool, GaveUp> {
        let replies = chess.legal_moves();
        if replies.is_empty() {
            return Ok(chess.is_check());
        }
        for m in replies {
            self.budget = self.budget.checked_sub(1).ok_or(GaveUp)?;
            let mut after = chess.clone();
            after.play_unchecked(m);
            if !self.mates_in(&after, moves)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A position and the length of its shortest mate, in moves.
struct Puzzle {
    position: Position,
    moves: u32,
}

/// The lines of the suite: one in `FEW`, or all of them if `FRESHET_MATES` is set.
fn puzzles() -> Vec<Puzzle> {
    const FEW: usize = 7;
    let every = if std::env::var_os("FRESHET_MATES").is_some() { 1 } else { FEW };
    let puzzle = |line: String| {
        let epd: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let moves = epd.operand("dm").and_then(|moves| moves.parse().ok());
        Puzzle { position: epd.position, moves: moves.expect("dm and a number") }
    };
    suite("mates").into_iter().step_by(every).map(puzzle).collect()
}

/// The plies to mate of a score, positive for the side to move; `None` if it is not a mate.
pub fn plies_to_mate(score: Score) -> Option<i32> {
    let plies = Score::mate_in(0).raw() - score.raw().abs();
    score.is_mate().then_some(if score.raw() > 0 { plies } else { -plies })
}

/// Whether a line of legal moves ends in mate by the right side.
pub fn ends_in_mate(position: &Position, line: &[Move], plies: i32) -> bool {
    let mut position = position.clone();
    for &m in line {
        if position.try_play(m).is_err() {
            return false;
        }
    }
    line.len() == plies.unsigned_abs() as usize
        && position.checkers().any()
        && position.moves().is_empty()
}

/// The reports about a position with a mate in a known number of moves.
struct Referee<'a> {
    puzzle: &'a Puzzle,
    /// Reports of a mate with a line that does not end in it.
    bad_lines: u32,
    /// False mates: shorter than the shortest, or for the other side.
    wrong: Vec<String>,
}

impl Reporter for Referee<'_> {
    fn report(&mut self, report: &Report) {
        let Some(plies) = plies_to_mate(report.score) else { return };
        // An upper bound on mating, or a lower bound on being mated, claims nothing.
        let claims = match report.bound {
            Bound::Upper => plies < 0,
            Bound::Lower => plies > 0,
            _ => true,
        };
        let shortest = 2 * self.puzzle.moves as i32 - 1;
        if claims && plies < shortest {
            self.wrong.push(format!("depth {}: {}", report.depth, report.score));
        }
        if report.bound == Bound::Exact && !ends_in_mate(&self.puzzle.position, &report.line, plies)
        {
            self.bad_lines += 1;
        }
    }
}

/// Totals as matetrack counts them.
#[derive(Debug, Default)]
struct Totals {
    positions: u32,
    /// A mate was reported in the end.
    found: u32,
    /// The shortest mate was reported in the end.
    best: u32,
    bad_lines: u32,
    wrong: Vec<String>,
}

/// Searches every position, with limits that may depend on the length of the mate.
fn search_all(limits: impl Fn(&Puzzle) -> Limits) -> Totals {
    let mut totals = Totals::default();
    let mut engine = Engine::new(16, 1).expect("sixteen MiB");
    for puzzle in puzzles() {
        engine.clear();
        engine.set_position(puzzle.position.clone());
        let mut referee = Referee { puzzle: &puzzle, bad_lines: 0, wrong: Vec::new() };
        let result = engine.go(&limits(&puzzle), &StopFlag::new(), &mut referee);
        let plies = plies_to_mate(result.score).filter(|&plies| plies > 0);
        let fen = puzzle.position.fen();
        if plies.is_some_and(|plies| !ends_in_mate(&puzzle.position, &result.line, plies)) {
            referee.bad_lines += 1;
        }
        if referee.bad_lines > 0 {
            println!("{fen} dm {}: {} bad lines", puzzle.moves, referee.bad_lines);
        }
        totals.positions += 1;
        totals.found += u32::from(plies.is_some());
        totals.best += u32::from(plies == Some(2 * puzzle.moves as i32 - 1));
        totals.bad_lines += referee.bad_lines;
        totals.wrong.extend(referee.wrong.into_iter().map(|wrong| format!("{fen}: {wrong}")));
    }
    println!("{totals:?}");
    totals
}

/// `go mate` finds the shortest mate of every position.
#[test]
fn go_mate_finds_the_shortest_mate() {
    let totals =
        search_all(|puzzle| Limits { mate: Some(puzzle.moves.into()), ..Limits::default() });
    assert_eq!(totals.best, totals.positions, "{totals:?}");
    assert_eq!((totals.bad_lines, totals.wrong.len()), (0, 0), "{totals:?}");
}

/// `go mate` for a move less than the shortest mate finds none, and plays some move.
#[test]
fn go_mate_finds_no_mate_that_is_not_there() {
    let totals = search_all(|puzzle| {
        let moves = i64::from(puzzle.moves) - 1;
        let nodes = (moves == 0).then_some(1);
        Limits { mate: Some(moves), nodes, depth: Some(1), ..Limits::default() }
    });
    assert_eq!(totals.wrong.len(), 0, "{totals:?}");
}

/// An ordinary search finds most of them within few nodes, and never reports a false one.
#[test]
fn a_search_reports_true_mates_only() {
    let totals = search_all(|puzzle| Limits::nodes(6000 * u64::from(puzzle.moves)));
    assert_eq!((totals.bad_lines, totals.wrong.len()), (0, 0), "{totals:?}");
    assert!(10 * totals.found >= 9 * totals.positions, "{totals:?}");
    assert!(10 * totals.best >= 8 * totals.positions, "{totals:?}");
}

/// Mate searches and ordinary searches do not use each other's TT entries.
#[test]
fn searches_for_mates_share_no_entries() {
    let mut engine = Engine::new(16, 1).expect("sixteen MiB");
    for puzzle in puzzles().iter().filter(|puzzle| puzzle.moves < 4) {
        let Puzzle { position, moves } = puzzle;
        for limits in [
            Limits::nodes(3000),
            Limits { mate: Some((*moves).into()), ..Limits::default() },
            Limits::nodes(3000),
        ] {
            engine.set_position(position.clone());
            let mut referee = Referee { puzzle, bad_lines: 0, wrong: Vec::new() };
            let result = engine.go(&limits, &StopFlag::new(), &mut referee);
            assert!(referee.wrong.is_empty(), "{position}: {:?}", referee.wrong);
            let is_best = result.score == Score::mate_in(2 * *moves as usize - 1);
            assert!(is_best || limits.mate.is_none(), "{position}: {}", result.score);
        }
    }
}

/// The solver agrees with the suite.
#[test]
fn the_suite_is_proven() {
    let most = if std::env::var_os("FRESHET_MATES").is_some() { u32::MAX } else { 2 };
    for Puzzle { position, moves } in puzzles().iter().filter(|puzzle| puzzle.moves <= most) {
        let shortest = Solver::new(u64::MAX).shortest(&position.to_shakmaty(), *moves);
        assert!(matches!(shortest, Ok(Some(shortest)) if shortest == *moves), "{position}");
    }
}

/// The side that will be mated knows it, and how long it takes.
#[test]
fn being_mated_is_known() {
    let mut engine = Engine::new(16, 1).expect("sixteen MiB");
    for Puzzle { position, moves } in puzzles().iter().filter(|puzzle| puzzle.moves == 2) {
        engine.clear();
        let limits = Limits { mate: Some(2), ..Limits::default() };
        let mut after = position.clone();
        after.play(engine.search(position, &limits).line[0]);
        let result = engine.search(&after, &Limits::nodes(20_000));
        assert_eq!(result.score, Score::mated_in(2 * *moves as usize - 2), "{after}");
        assert!(ends_in_mate(&after, &result.line, 2), "{after}");
    }
}

/// The number of positions of each length in the suite, from mate in one on.
const WANTED: [usize; 4] = [40, 110, 100, 50];

/// Makes the suite: half of random positions with few pieces, half of games of the engine against
/// a player who moves at random.
#[test]
#[ignore = "writes engine-tests/suites/mates.epd"]
fn make_mates() {
    let mut random = random(41);
    let mut text = HEAD.to_string();
    for source in [random_ending as Source, from_a_game] {
        let mut lines: [Vec<String>; 4] = Default::default();
        while lines.iter().zip(WANTED).any(|(lines, wanted)| lines.len() < wanted / 2) {
            let Some(chess) = source(&mut random) else { continue };
            let full = |moves: usize| lines[moves - 1].len() >= WANTED[moves - 1] / 2;
            let Ok(Some(moves)) = Solver::new(2_000_000).shortest(&chess, 4) else { continue };
            if !full(moves as usize) {
                let position = Position::from_shakmaty(&chess);
                let fen = position.fen();
                let fields: Vec<&str> = fen.split(' ').take(4).collect();
                lines[moves as usize - 1].push(format!("{} dm {moves};", fields.join(" ")));
            }
        }
        for line in lines.concat() {
            let _ = writeln!(text, "{line}");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/mates.epd");
    std::fs::write(path, text).expect("the suite can be written");
}

const HEAD: &str = "\
# Forced mates; `dm` is the length of the shortest, in moves. Made by the project's own tools:
# random positions with few pieces, then positions of games between the engine at 200 nodes a move
# and a player who moves at random. Each length was proven by an exhaustive search with shakmaty's
# rules (`Solver` in engine-tests/mates.rs), which also proved that there is no shorter mate.
# Made again by `cargo test --release make_mates -- --ignored`, proven again by
# `FRESHET_MATES=all cargo test --release the_suite_is_proven`.
";

type Source = fn(&mut Xoshiro256PlusPlus) -> Option<Chess>;

/// Two to three pieces of one side on random squares, up to four of the other.
fn random_ending(random: &mut Xoshiro256PlusPlus) -> Option<Chess> {
    const ROLES: [Role; 6] =
        [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn, Role::Pawn];
    let turn = if random.random() { Color::White } else { Color::Black };
    let mut pieces: Vec<(Square, Color, Role)> = Vec::new();
    let counts = [random.random_range(2..4), random.random_range(0..5)];
    for (color, count) in [turn, turn.other()].into_iter().zip(counts) {
        let roles = (0..count).filter_map(|_| ROLES.choose(random).copied()).collect::<Vec<_>>();
        for role in std::iter::once(Role::King).chain(roles) {
            let square = Square::new(random.random_range(0..64));
            if pieces.iter().any(|&(other, ..)| other == square) {
                return None;
            }
            pieces.push((square, color, role));
        }
    }
    with_pieces(&pieces, turn)
}

/// A position shortly before the engine mates in a game.
fn from_a_game(random: &mut Xoshiro256PlusPlus) -> Option<Chess> {
    let mut engine = Engine::new(1, 1).expect("one MiB");
    let mut position = Position::start();
    let us = if random.random() { Color::White } else { Color::Black };
    // The number of moves before the end at which the position is taken.
    let before = random.random_range(1..5);
    let mut ours = Vec::new();
    for _ in 0..160 {
        let moves = position.moves();
        if moves.is_empty() {
            let is_mate = position.checkers().any() && position.turn() != us;
            return ours.iter().rev().nth(before - 1).filter(|_| is_mate).cloned();
        }
        let m = if position.turn() == us && position.ply() > 7 {
            ours.push(position.to_shakmaty());
            engine.search(&position, &Limits::nodes(200)).line[0]
        } else {
            moves[random.random_range(0..moves.len())]
        };
        position.play(m);
    }
    None
}
