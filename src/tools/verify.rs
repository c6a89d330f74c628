//! Verify: is this program, on this machine, what it should be? A line for each question.

use std::time::Instant;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::bench;
use crate::board::Position;
use crate::chess::Bitboard;
use crate::eval::total::{balance, total};
use crate::eval::{evaluate, trace};
use crate::fill::{Direction, Rays, scalar};

/// Positions with the number of move sequences of a length, from the Chessprogramming wiki's "Perft Results".
const PERFT: [(&str, u32, u64); 6] = [
    (Position::START, 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
];

/// Asks all questions; `say` hears each answer at once. True if all is well.
pub fn run(say: &mut dyn FnMut(&str)) -> bool {
    type Ask = fn() -> Result<String, String>;
    let questions: [(&str, Ask); 5] = [
        ("fills of this backend against the definition", fills),
        ("moves counted", perft),
        ("evaluation: colours are equal", colours),
        ("evaluation: the trace adds up", traces),
        ("bench signature", signature),
    ];
    let mut well = true;
    for (question, ask) in questions {
        let start = Instant::now();
        let answer = ask();
        let (word, text) = match &answer {
            Ok(text) => ("ok  ", text),
            Err(text) => ("FAIL", text),
        };
        say(&format!("{word} {question}: {text} ({:.1} s)", start.elapsed().as_secs_f64()));
        well &= answer.is_ok();
    }
    well
}

fn fills() -> Result<String, String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    const SETS: usize = 200_000;
    for _ in 0..SETS {
        let lanes: [Bitboard; 8] =
            std::array::from_fn(|_| Bitboard(random.next_u64() & random.next_u64()));
        let empty = Bitboard(random.next_u64() | random.next_u64());
        let attacks = Rays::from_lanes(lanes).attacks(empty).lanes();
        for direction in Direction::ALL {
            let lane = direction.lane();
            if attacks[lane] != scalar::attacks(direction, lanes[lane], empty) {
                return Err(format!("{direction:?} from {:?} over {empty:?}", lanes[lane]));
            }
        }
    }
    Ok(format!("{SETS} random sets by {}", crate::fill::BACKEND))
}

fn perft() -> Result<String, String> {
    let mut all = 0;
    for (fen, depth, known) in PERFT {
        let mut position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let counted = super::perft::perft(&mut position, depth);
        if counted != known {
            return Err(format!("{fen}: {counted} at depth {depth}, should be {known}"));
        }
        all += counted;
    }
    Ok(format!("{all} in {} positions", PERFT.len()))
}

/// Positions of random games, and what is wrong with the first one that is.
fn in_games(check: impl Fn(&Position) -> Option<String>) -> Result<String, String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut count = 0;
    for fen in bench::POSITIONS.into_iter().cycle().take(200) {
        let mut position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        for _ in 0..60 {
            let moves = position.moves();
            let Some(&m) = moves.choose(&mut random) else { break };
            position.play(m);
            count += 1;
            if let Some(wrong) = check(&position) {
                return Err(format!("{}: {wrong}", position.fen()));
            }
        }
    }
    Ok(format!("{count} positions"))
}

fn colours() -> Result<String, String> {
    in_games(|position| {
        let other = position.mirrored();
        let (a, b) = (evaluate(position), evaluate(&other));
        (a != b).then(|| format!("{a}, with colours changed {b}"))
    })
}

fn traces() -> Result<String, String> {
    in_games(|position| {
        let steps = trace(position).steps;
        let again = match steps.tapered {
            0 => 0,
            _ => total(balance(&steps.sums), steps.sums.scale, steps.phase),
        };
        let white =
            if position.turn().is_white() { evaluate(position) } else { -evaluate(position) };
        (again + steps.endgame_correction != steps.total || white.as_cp() != Some(steps.total))
            .then(|| format!("{white}, traced {}", steps.total))
    })
}

fn signature() -> Result<String, String> {
    let measured = bench::run();
    if measured.nodes == bench::SIGNATURE {
        Ok(measured.to_string())
    } else {
        Err(format!("{} nodes, should be {}", measured.nodes, bench::SIGNATURE))
    }
}
