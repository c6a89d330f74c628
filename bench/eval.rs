//! Benchmark of the evaluation and of other functions that the search calls all the time (check
//! info, move generation, SEE): median nanoseconds per position, over a quarter of the positions
//! two plies from the bench positions.
//!
//!     cargo bench --bench eval

use std::hint::black_box;
use std::time::Instant;

use freshet::board::{GenType, MoveList, Position};
use freshet::chess::{Color, Role};
use freshet::eval::evaluate;
use freshet::known::fortress::king_pairs::{Conversions, KingPairBitbase};
use freshet::known::fortress::structure::PawnStructure;
use freshet::tools::bench::POSITIONS;

/// The suite of blocked endings.
const BLOCKED: &str = include_str!("../engine-tests/suites/blocked.epd");

fn main() {
    let mut positions = Vec::new();
    for fen in POSITIONS {
        let mut position = Position::from_fen(fen).expect("a legal FEN");
        for m in position.moves() {
            position.play(m);
            for reply in position.moves().into_iter().step_by(4) {
                position.play(reply);
                positions.push(position.clone());
                position.undo();
            }
            position.undo();
        }
    }
    println!("{} positions, {}: ns a position", positions.len(), freshet::fill::BACKEND);
    let measure = |name: &str, f: &dyn Fn(&Position) -> u64| {
        let mut times: Vec<f64> = (0..15)
            .map(|_| {
                let start = Instant::now();
                for position in &positions {
                    black_box(f(black_box(position)));
                }
                start.elapsed().as_nanos() as f64 / positions.len() as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("{name:28}{:8.1}", times[times.len() / 2]);
    };
    measure("evaluate", &|p| evaluate(p).raw() as u64);
    measure("check info: attacks, pins", &|p| p.check_info().attacked.0);
    measure("checkers", &|p| p.checkers().0);
    measure("count of legal moves", &|p| u64::from(p.count_moves()));
    measure("list of legal moves", &|p| p.moves().len() as u64);
    measure("list of noisy moves", &|p| {
        let mut list = MoveList::new();
        p.generate(&p.check_info(), GenType::Noisy, &mut list);
        list.len() as u64
    });
    measure("SEE of a capture", &|p| {
        let m = p.moves().into_iter().find(|&m| p.captured_by(m).is_some());
        u64::from(m.is_some_and(|m| p.see_ge(m, 0)))
    });

    let structures: Vec<PawnStructure> = BLOCKED
        .lines()
        .filter_map(|line| {
            Position::from_fen(&line.split_whitespace().take(4).collect::<Vec<_>>().join(" ")).ok()
        })
        .map(|p| PawnStructure {
            ours: p.set(Color::White, Role::Pawn),
            theirs: p.set(Color::Black, Role::Pawn),
        })
        .filter(|structure| structure.is_locked())
        .collect();
    let start = Instant::now();
    for &structure in &structures {
        black_box(KingPairBitbase::solve(
            black_box(structure),
            &Conversions::FIRST_CAPTURE_WINS,
            None,
        ));
    }
    let each = start.elapsed().as_micros() as f64 / structures.len() as f64;
    println!("king-pair bitbase, one side  {each:8.1} µs ({} structures)", structures.len());
}
