//! Perft: the move generator against the leaf counts of the suites.

use freshet::tools::perft::{KnownCount, Leaves, SuiteLine, perft, perft_with};

use crate::support::suite;

/// Reads a line of a perft suite: a position and its counts.
fn parse(line: &str) -> SuiteLine {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Checks every line at the largest depth whose count is at most `bound`.
fn check(name: &str, bound: u64) {
    let lines = suite(name);
    assert!(lines.len() > 20, "{name} has only {} lines", lines.len());
    for line in lines {
        let line = parse(&line);
        let KnownCount { depth, nodes } = line.within(bound);
        let mut position = line.position;
        assert_eq!(perft(&mut position, depth), nodes, "{} at depth {depth}", position.fen());
    }
}

#[test]
fn tricky_positions() {
    check("perft_tricky", 5_000_000);
}

#[test]
fn random_positions() {
    check("perft_random", 500_000);
}

#[test]
fn chess960_positions() {
    check("perft_chess960", 500_000);
}

/// The number of leaves is the same for every treatment of them.
#[test]
fn all_ways_to_count_agree() {
    let chess960 = suite("perft_chess960").into_iter().step_by(10);
    for line in suite("perft_tricky").into_iter().chain(chess960) {
        let line = parse(&line);
        let mut position = line.position;
        let counts = line.counts.into_iter().filter(|count| count.nodes <= 500_000);
        for KnownCount { depth, nodes } in counts {
            for leaves in [Leaves::Bare, Leaves::Counted, Leaves::Listed, Leaves::Played] {
                let counted = perft_with(&mut position, depth, leaves);
                assert_eq!(counted, nodes, "{} {leaves:?}", position.fen());
            }
        }
    }
}
