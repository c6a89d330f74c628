//! Verification: checks that fills, move generation, evaluation and search work correctly on this
//! machine.

use std::fmt;
use std::time::{Duration, Instant};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::bench;
use crate::board::Position;
use crate::chess::Bitboard;
use crate::eval::Evaluator;
use crate::eval::total::{balance, total};
use crate::fill::{Direction, Rays, scalar};

/// FEN, depth and perft, from the Chessprogramming wiki's "Perft Results".
const PERFT: [(&str, u32, u64); 6] = [
    (Position::START, 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
];

/// The result of a check, shown as one line.
#[derive(Clone, Debug)]
pub struct Check {
    /// The part of the program that was checked.
    name: &'static str,
    /// The finding, or how it differs from the expected one.
    result: Result<String, Mismatch>,
    /// The time taken.
    time: Duration,
}

/// A difference from the expected result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
struct Mismatch(String);

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { name, result, time } = self;
        let seconds = time.as_secs_f64();
        match result {
            Ok(text) => write!(f, "ok   {name}: {text} ({seconds:.1} s)"),
            Err(mismatch) => write!(f, "FAIL {name}: {mismatch} ({seconds:.1} s)"),
        }
    }
}

/// Runs all checks and calls `report` after each. Returns whether all passed.
pub fn run(report: &mut dyn FnMut(&Check)) -> bool {
    type CheckFn = fn() -> Result<String, Mismatch>;
    let checks: [(&str, CheckFn); 5] = [
        ("fills of this backend against the definition", fills),
        ("moves counted", perft),
        ("evaluation: colours are equal", colours),
        ("evaluation: the trace adds up", traces),
        ("bench signature", signature),
    ];
    let mut all_passed = true;
    for (name, check) in checks {
        let start = Instant::now();
        let result = check();
        all_passed &= result.is_ok();
        report(&Check { name, result, time: start.elapsed() });
    }
    all_passed
}

/// Compares this backend with the scalar one on fills of random sets.
fn fills() -> Result<String, Mismatch> {
    const SETS: usize = 200_000;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..SETS {
        let lanes: [Bitboard; 8] =
            std::array::from_fn(|_| Bitboard(random.next_u64() & random.next_u64()));
        let empty = Bitboard(random.next_u64() | random.next_u64());
        let attacks = Rays::from_lanes(lanes).attacks(empty).lanes();
        for direction in Direction::ALL {
            let lane = direction.lane();
            if attacks[lane] != scalar::attacks(direction, lanes[lane], empty) {
                let from = lanes[lane];
                return Err(Mismatch(format!("{direction:?} from {from:?} over {empty:?}")));
            }
        }
    }
    Ok(format!("{SETS} random sets by {}", crate::fill::BACKEND))
}

/// Parses a FEN from the program's own constants.
fn position(fen: &str) -> Result<Position, Mismatch> {
    Position::from_fen(fen).map_err(|error| Mismatch(format!("{fen}: {error}")))
}

fn perft() -> Result<String, Mismatch> {
    let mut all = 0;
    for (fen, depth, known) in PERFT {
        let counted = super::perft::perft(&mut position(fen)?, depth);
        if counted != known {
            return Err(Mismatch(format!("{fen}: {counted} at depth {depth}, should be {known}")));
        }
        all += counted;
    }
    Ok(format!("{all} in {} positions", PERFT.len()))
}

/// Checks positions of random games until `check` finds an error.
fn in_games(mut check: impl FnMut(&Position) -> Option<String>) -> Result<String, Mismatch> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut count = 0;
    for fen in bench::POSITIONS.into_iter().cycle().take(200) {
        let mut position = position(fen)?;
        for _ in 0..60 {
            let moves = position.moves();
            let Some(&m) = moves.choose(&mut random) else { break };
            position.play(m);
            count += 1;
            if let Some(wrong) = check(&position) {
                return Err(Mismatch(format!("{}: {wrong}", position.fen())));
            }
        }
    }
    Ok(format!("{count} positions"))
}

/// Checks that the evaluation is the same with colours swapped.
fn colours() -> Result<String, Mismatch> {
    let mut evaluator = Evaluator::new();
    in_games(|position| {
        let [score, changed] =
            [position, &position.mirrored()].map(|position| evaluator.evaluate(position));
        (score != changed).then(|| format!("{score}, with colours changed {changed}"))
    })
}

/// Checks that the traced terms sum up to the evaluation.
fn traces() -> Result<String, Mismatch> {
    let mut evaluator = Evaluator::new();
    in_games(|position| {
        let steps = evaluator.trace(position).steps;
        let again = match steps.tapered {
            0 => 0,
            _ => total(balance(&steps.sums), steps.sums.scale, steps.phase),
        };
        let score = evaluator.evaluate(position);
        let white = score.for_white(position.turn());
        (again + steps.endgame_correction != steps.total || white.as_cp() != Some(steps.total))
            .then(|| format!("{white}, traced {}", steps.total))
    })
}

fn signature() -> Result<String, Mismatch> {
    let measured = bench::run();
    if measured.nodes == bench::SIGNATURE {
        return Ok(measured.to_string());
    }
    Err(Mismatch(format!("{} nodes, should be {}", measured.nodes, bench::SIGNATURE)))
}
