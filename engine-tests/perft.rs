//! Move counts of the suites.

use freshet::board::Position;
use freshet::tools::perft::{Leaves, SuiteLine, perft, perft_with};

use crate::support::suite;

/// Every line to the deepest count within the bound.
fn check(name: &str, bound: u64) {
    let mut positions = 0;
    for line in suite(name) {
        let line: SuiteLine = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut position = Position::from_fen(&line.fen).expect("a legal FEN");
        let deepest = line.counts.iter().filter(|(_, nodes)| *nodes <= bound).max();
        let &(depth, nodes) = deepest.unwrap_or(&line.counts[0]);
        assert_eq!(perft(&mut position, depth), nodes, "{} at depth {depth}", line.fen);
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
        let mut position = Position::from_fen(&line.fen).expect("a legal FEN");
        for &(depth, nodes) in line.counts.iter().filter(|(_, nodes)| *nodes <= 500_000) {
            for leaves in [Leaves::Bare, Leaves::Counted, Leaves::Listed, Leaves::Played] {
                assert_eq!(
                    perft_with(&mut position, depth, leaves),
                    nodes,
                    "{} {leaves:?}",
                    line.fen
                );
            }
        }
    }
}
