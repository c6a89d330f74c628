//! Move counts of the suites.

use freshet::tools::perft::{KnownCount, Leaves, SuiteLine, perft, perft_with};

use crate::support::suite;

/// Every line to the deepest count within the bound.
fn check(name: &str, bound: u64) {
    let mut positions = 0;
    for line in suite(name) {
        let line: SuiteLine = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let KnownCount { depth, nodes } = line.within(bound);
        let mut position = line.position;
        assert_eq!(perft(&mut position, depth), nodes, "{} at depth {depth}", position.fen());
        positions += 1;
    }
    assert!(positions > 20, "{name} has only {positions} lines");
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

/// Whatever is done with the leaves, there are as many.
#[test]
fn all_ways_to_count_agree() {
    for line in
        suite("perft_tricky").into_iter().chain(suite("perft_chess960").into_iter().step_by(10))
    {
        let line: SuiteLine = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut position = line.position;
        for KnownCount { depth, nodes } in line.counts {
            if nodes > 500_000 {
                continue;
            }
            for leaves in [Leaves::Bare, Leaves::Counted, Leaves::Listed, Leaves::Played] {
                assert_eq!(
                    perft_with(&mut position, depth, leaves),
                    nodes,
                    "{} {leaves:?}",
                    position.fen()
                );
            }
        }
    }
}
