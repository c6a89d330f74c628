//! Malformed FENs, extreme positions and very long games, through the real program.

use std::time::{Duration, Instant};

use freshet::board::Position;
use freshet::chess::Role;
use rand::RngExt;

use super::{Engine, SOON};
use crate::corpora::{EXTREME, malformed};
use crate::support::{position, random};

/// Malformed FENs, one by one: each is quickly refused with a reason, or set as the library reads
/// it. `FRESHET_FENS=10000 cargo test --release malformed_fens_through -- --nocapture` sends as
/// many and prints how long the answers took.
#[test]
fn malformed_fens_through_the_program() {
    let count = std::env::var("FRESHET_FENS").ok().and_then(|count| count.parse().ok());
    let mut engine = Engine::start();
    engine.ready();
    let (mut times, mut refused) = (Vec::new(), 0);
    let mut kept = Position::START.to_string();
    // A line feed ends a line, and the word `moves` a FEN.
    let sendable = |text: &String| !text.contains(['\n', '\r', '\0']) && !text.contains("moves");
    for text in malformed(72).filter(sendable).take(count.unwrap_or(400)) {
        let start = Instant::now();
        engine.send(&format!("position fen {text}"));
        let lines = engine.ready();
        times.push(start.elapsed());
        match Position::from_fen(&text) {
            Ok(position) => {
                assert_eq!(lines, ["readyok"], "{text:?}");
                kept = position.fen();
            }
            Err(error) => {
                let told =
                    format!("info string error: bad FEN: {error}; keeping the previous position");
                assert_eq!(lines, [told.as_str(), "readyok"], "{text:?}");
                refused += 1;
            }
        }
        if times.len() % 25 == 0 {
            engine.send("d");
            let lines = engine.until("Checkers", SOON);
            assert!(lines.contains(&format!("Fen: {kept}")), "{text:?}: {lines:#?}");
            check_best(&mut engine, &position(&kept), "go nodes 50");
        }
    }
    times.sort();
    let [median, p99, longest] = [50, 99, 100].map(|share| times[(times.len() - 1) * share / 100]);
    println!("{} FENs, {refused} refused", times.len());
    println!("answered: median {median:?}, p99 {p99:?}, longest {longest:?}");
    // A loaded machine may delay single answers.
    assert!(median < Duration::from_millis(10), "{median:?}");
    assert_eq!(engine.silent_end(), "");
}

/// Searches, and checks that the move is legal where there is any.
fn check_best(engine: &mut Engine, position: &Position, go: &str) {
    let best = engine.best(go);
    if position.moves().is_empty() {
        assert_eq!(best, "(none)", "{position}");
    } else {
        assert!(position.parse_uci(&best).is_ok(), "{position}: {best}");
    }
}

/// Checks that a position can be searched, evaluated and its moves counted.
fn check_position(engine: &mut Engine, position: &Position) {
    assert_eq!(engine.ready(), ["readyok"], "{position}");
    check_best(engine, position, "go nodes 1000");
    engine.send("eval");
    engine.until("Final evaluation", SOON);
    engine.send("go perft 1");
    let count = format!("Nodes searched: {}", position.moves().len());
    let lines = engine.until("Nodes searched", SOON);
    assert_eq!(lines.last(), Some(&count), "{position}");
    engine.ready();
}

#[test]
fn extreme_positions_are_played() {
    let mut engine = Engine::start();
    for fen in EXTREME {
        engine.send(&format!("position fen {fen}"));
        check_position(&mut engine, &position(fen));
    }
    assert_eq!(engine.silent_end(), "");
}

/// Games of 5,898 plies: one of knight moves only, in which the fifty-move counter runs far beyond
/// its limit, and one of any moves, down to bare kings.
#[test]
fn very_long_games_are_played_on() {
    let mut engine = Engine::start();
    let mut random = random(73);
    for is_quiet in [true, false] {
        let (mut position, mut moves) = (Position::start(), String::new());
        let mut plies = 0;
        while plies < 5898 {
            let mut legal = position.moves();
            if is_quiet {
                legal.retain(|m| {
                    let is_knight = position.role(Role::Knight).contains(m.from());
                    is_knight && !position.is_noisy(*m)
                });
            }
            let m = legal[random.random_range(0..legal.len())];
            let mut next = position.clone();
            next.play(m);
            // Stop if the game has ended, or in the game of knights if they cannot move.
            let is_check = next.checkers().any();
            if !next.moves().is_empty() && (!is_quiet || !is_check) {
                moves += &format!(" {}", position.uci(m, false));
                position = next;
                plies += 1;
            }
        }
        assert_eq!(position.fifty() == 5898, is_quiet);
        engine.send(&format!("position startpos moves{moves}"));
        engine.send("d");
        let lines = engine.until("Checkers", SOON);
        assert!(lines.contains(&format!("Fen: {}", position.fen())), "{lines:#?}");
        check_position(&mut engine, &position);
    }
    assert_eq!(engine.silent_end(), "");
}
