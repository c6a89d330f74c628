//! Internal errors in a search, made on purpose: `cargo test --features fault-injection faults`.

use super::{Engine, SOON};

/// Wherever a search fails, the GUI gets a message and a legal move, and the next search works.
#[test]
fn a_failed_search_is_told_and_answered() {
    for (place, threads) in [("main", 1), ("main", 3), ("helper", 3), ("reporter", 1)] {
        let mut engine = Engine::start_with(&[("FRESHET_FAULT", place)]);
        engine.send(&format!("setoption name Threads value {threads}"));
        for fen in ["startpos", "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"] {
            engine.send(&format!("position {fen}"));
            engine.send("go wtime 5000 btime 5000");
            let lines = engine.until("bestmove", SOON);
            let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
            assert_eq!(best.len(), 4, "{place}: {lines:#?}");
            let told = lines.iter().any(|line| line.starts_with("info string error: internal"));
            // The mate is found before the fault.
            assert!(told || fen != "startpos", "{place}: {lines:#?}");
            // The engine plays the last reported best line.
            let last = lines.iter().rev().find_map(|line| line.split(" pv ").nth(1));
            let first = last.and_then(|line| line.split(' ').next()).expect("a line");
            assert!(place != "main" || first == best, "{place}: {lines:#?}");
        }
        engine.ready();
    }
}
