//! Many short searches with several threads, interrupted at any moment, with everything that a
//! session does between them. Also meant to run under sanitizers.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use freshet::board::Position;
use freshet::engine::Engine;
use freshet::search::{Limits, StopFlag};
use freshet::tools::bench::POSITIONS;
use rand::RngExt;

use crate::support::{position, random};

/// The number of searches: the default, or `FRESHET_INTERRUPTIONS`.
fn rounds() -> usize {
    let asked = std::env::var("FRESHET_INTERRUPTIONS").ok();
    asked.and_then(|number| number.parse().ok()).unwrap_or(40)
}

/// Another thread stops the search or sends `ponderhit`. Between searches the table is cleared,
/// resized or kept, and the number of threads changes.
#[test]
fn searches_are_interrupted_at_any_moment() {
    let mut random = random(81);
    let mut engine = Engine::new(2, 4).expect("two MiB");
    for round in 0..rounds() {
        match random.random_range(0..8) {
            0 => engine.new_game(),
            1 => engine.clear(),
            2 => engine.resize_table(random.random_range(1..6)).expect("a few MiB"),
            3 => engine.set_threads(random.random_range(2..6)).expect("a few threads"),
            4 => engine.set_multi_pv(random.random_range(1..4)),
            _ => {}
        }
        let start = position(POSITIONS[round % POSITIONS.len()]);
        let ponder = random.random_range(0..3) == 0;
        let limits = Limits { infinite: !ponder, ponder, ..Limits::default() };
        let flag = Arc::new(StopFlag::new());
        let (stopper, wait) = (Arc::clone(&flag), random.random_range(0..6_000));
        let other = thread::spawn(move || {
            thread::sleep(Duration::from_micros(wait));
            if ponder {
                stopper.ponder_hit();
            }
            stopper.stop();
        });
        engine.set_position(start.clone());
        let result = engine.go(&limits, &flag, &mut ());
        flag.wait_for_gui(&limits);
        other.join().expect("it only stops");
        assert_eq!(result.failed_threads, 0, "round {round}");
        check_line(&start, &result.line);
    }
}

/// Several engines search at the same time, as in data generation. They share only tables that are
/// computed once.
#[test]
fn engines_beside_each_other_do_not_meet() {
    let nodes = |fen: &str| {
        let mut engine = Engine::new(1, 1).expect("one MiB");
        let result = engine.search(&position(fen), &Limits::nodes(3000));
        (result.nodes, result.line, result.score)
    };
    let fens = &POSITIONS[..4];
    let alone: Vec<_> = fens.iter().map(|fen| nodes(fen)).collect();
    let together: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = fens.iter().map(|fen| scope.spawn(|| nodes(fen))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a result")).collect()
    });
    assert_eq!(alone, together);
}

/// A line begins with a legal move and goes on with legal ones.
fn check_line(start: &Position, line: &[freshet::board::Move]) {
    assert!(!line.is_empty(), "{start}");
    let mut position = start.clone();
    for &m in line {
        assert!(position.moves().contains(&m), "{start}: {line:?}");
        position.play(m);
    }
}
