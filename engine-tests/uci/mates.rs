//! Mates through the real program, in positions whose shortest mate is known.
//!
//! `suites/matetrack.epd` is public data of matetrack (`bm #n`, or `#-n` if the side to move is
//! mated).
//! `FRESHET_MATES=all FRESHET_NODES=1000000 cargo test --release mates_are_true -- --nocapture`
//! searches all of it with this node limit, and prints the number of mates found.

use std::time::Duration;

use freshet::board::{Epd, Position};

use super::Engine;
use crate::support::suite;

/// The output of a search about mates.
#[derive(Default)]
struct Said {
    /// The shortest mate claimed by an exact first line, negative for being mated.
    mate: Option<i64>,
    /// The move of the last first line.
    first: String,
}

/// The word after a name in an `info` line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|word| *word != name);
    words.nth(1)
}

/// Checks one `info` line: its moves are legal, and the line of a mate ends in mate.
fn check(line: &str, position: &Position, known: i64, said: &mut Said) {
    let Some((head, moves)) = line.split_once(" pv ") else { return };
    let mut after = position.clone();
    let mut plies = 0;
    for text in moves.split(' ') {
        let m = after.parse_uci(text).unwrap_or_else(|error| panic!("{position}: {line}: {error}"));
        after.play(m);
        plies += 1;
    }
    let is_first = field(head, "multipv") == Some("1");
    if is_first {
        said.first = moves.split(' ').next().expect("a move").to_string();
    }
    let Some(mate) = field(head, "mate").map(|moves| moves.parse::<i64>().expect("a number"))
    else {
        return;
    };
    assert!(!(mate > 0 && known < 0 && is_first), "the wrong side: {position}: {line}");
    assert!(!(mate < 0 && known > 0 && is_first), "the wrong side: {position}: {line}");
    // A bound to the other side claims no mate so soon.
    if mate > 0 && !head.contains("upperbound") {
        assert!(mate >= known, "too short: {position}: {line}");
    } else if known < 0 && is_first && !head.contains("lowerbound") {
        assert!(mate <= known, "too short: {position}: {line}");
    }
    if !head.contains("bound") {
        let length = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
        assert_eq!(plies, length, "{position}: {line}");
        assert!(after.moves().is_empty() && after.checkers().any(), "no mate: {position}: {line}");
        if is_first {
            said.mate = Some(mate);
        }
    }
}

#[test]
fn mates_are_true() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let all = std::env::var("FRESHET_MATES").is_ok_and(|value| value == "all");
    let nodes = number("FRESHET_NODES").unwrap_or(if all { 200_000 } else { 20_000 });
    let mut found_in_all = 0;
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    let tables = format!("setoption name SyzygyPath value {tables}");
    let suite = suite("matetrack");
    for (index, settings) in [
        "setoption name Threads value 1",
        "setoption name Threads value 4",
        "setoption name MultiPV value 3",
        &tables,
    ]
    .into_iter()
    .enumerate()
    {
        let mut engine = Engine::start();
        engine.send(settings);
        let (mut found, mut best, mut searched) = (0, 0, 0);
        let step = if all { 1 } else { 8 };
        for line in suite.iter().skip(if all { 0 } else { index }).step_by(step) {
            let epd: Epd = line.parse().expect("a position");
            let known = epd.operand("bm").and_then(|text| text.strip_prefix('#'));
            let known: i64 = known.and_then(|moves| moves.parse().ok()).expect("a mate");
            engine.send("ucinewgame");
            engine.send(&format!("position fen {}", epd.position.fen()));
            engine.send(&format!("go nodes {nodes}"));
            let lines = engine.until("bestmove", Duration::from_secs(600));
            let mut said = Said::default();
            lines.iter().for_each(|line| check(line, &epd.position, known, &mut said));
            let answer = lines.last().and_then(|line| line.split(' ').nth(1));
            assert_eq!(answer, Some(said.first.as_str()), "{line}: {lines:#?}");
            searched += 1;
            found += usize::from(said.mate.is_some());
            best += usize::from(said.mate == Some(known));
        }
        assert!(searched >= 25, "{settings}: {searched}");
        found_in_all += found;
        println!("{settings}: {found} mates of {searched}, {best} of the best length");
    }
    assert!(found_in_all >= 10, "{found_in_all}");
}
