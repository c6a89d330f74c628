//! Explanations: a breakdown adds up to the score, and every term has words.

use std::collections::HashSet;

use freshet::board::Position;
use freshet::chess::Bitboard;
use freshet::eval::evaluate;
use freshet::eval::terms::{TERMS, Terms};
use freshet::explain::breakdown::{Breakdown, RESULTS, Section};
use freshet::wdl::shown;

use crate::support::{position, random, random_game, suite};

/// More than a thousand positions: random games from the start, endings with locked pawns, and
/// endings that are known.
fn positions() -> Vec<Position> {
    let mut random = random(21);
    let mut positions = Vec::new();
    for _ in 0..12 {
        random_game(&mut random, Position::START, |position| positions.push(position.clone()));
    }
    let endings = ["blocked", "blocked_minor", "blocked_in_check"];
    for line in endings.iter().flat_map(|name| suite(name)) {
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        positions.push(position(&fen.join(" ")));
    }
    for fen in [
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",
        "8/8/8/8/1p6/1k6/8/K6R w - - 0 1",
        "7k/8/7P/8/8/8/6B1/6K1 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 b - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQ4/8/8/8/k7/7K b - - 0 1",
        "QQQQQQQQ/Q7/8/8/8/8/k7/7K b - - 0 1",
        "8/8/8/8/8/1k6/8/KR5n b - - 0 1",
    ] {
        positions.push(position(fen));
    }
    assert!(positions.len() > 1000);
    positions
}

#[test]
fn breakdowns_add_up_to_the_score() {
    for position in positions() {
        let (breakdown, fen) = (Breakdown::of(&position), position.fen());
        let score = evaluate(&position).for_white(position.turn());
        assert_eq!(breakdown.total, shown(score.raw()), "{fen}");
        assert_eq!(breakdown.rows.len(), TERMS.len() + RESULTS.len());
        let sum: i32 = breakdown.rows.iter().map(|row| row.cp).sum();
        assert_eq!(sum, breakdown.total, "{fen}");
        let by_section: i32 = Section::all()
            .map(|section| breakdown.section(section).map(|row| row.cp).sum::<i32>())
            .sum();
        assert_eq!(by_section, breakdown.total, "{fen}");
        for row in &breakdown.rows {
            assert_eq!(row.cp, row.white.cp - row.black.cp, "{fen} {}", row.name);
            let error = (f64::from(row.cp) - row.exact()).abs();
            assert!(error <= 1.5, "{fen} {}: {} for {}", row.name, row.cp, row.exact());
        }
        // Before rounding they miss it only by what the evaluation itself rounds.
        let exact: f64 = breakdown.rows.iter().map(|row| row.exact()).sum();
        assert!((exact - f64::from(breakdown.total)).abs() < 1.6, "{fen}: {exact}");
    }
}

#[test]
fn parts_add_up_to_their_rows() {
    for position in positions().iter().step_by(7) {
        for row in &Breakdown::of(position).rows {
            for side in freshet::chess::Color::ALL {
                let (share, fen) = (row.share(side), position.fen());
                let parts = || row.parts.iter().filter(|part| part.side == side);
                let exact: f64 = parts().map(|part| part.exact).sum();
                assert!((exact - share.exact).abs() < 1e-6, "{fen} {}", row.name);
                assert_eq!(parts().map(|part| part.count).sum::<i32>(), share.count);
                let squares = parts().fold(Bitboard::EMPTY, |all, part| all | part.squares);
                assert_eq!(squares, share.squares, "{fen} {}", row.name);
            }
        }
    }
}

/// Both sides' columns are exchanged with the colours, and nothing else changes.
#[test]
fn breakdowns_are_the_same_for_both_colours() {
    for position in positions().iter().step_by(5) {
        let breakdown = Breakdown::of(position);
        let other = Breakdown::of(&position.mirrored());
        for (row, mirrored) in breakdown.rows.iter().zip(&other.rows) {
            let what = format!("{} {}", position.fen(), row.name);
            assert!((row.exact() + mirrored.exact()).abs() < 1e-6, "{what}");
            let other = mirrored.black.squares.flip_vertical();
            assert_eq!(row.white.squares, other, "{what}");
        }
    }
}

#[test]
fn every_term_has_words() {
    let mut names = Vec::new();
    Terms::all(0).each(|group, name, row| names.push((group, name, row.len())));
    let described: Vec<_> = TERMS.iter().map(|info| (info.group, info.name, info.size)).collect();
    assert_eq!(names, described);
    let words = TERMS.iter().map(|info| (info.name, info.title, info.legend));
    let words: Vec<_> = words.chain(RESULTS.map(|i| (i.name, i.title, i.legend))).collect();
    let titles: HashSet<&str> = words.iter().map(|(_, title, _)| *title).collect();
    assert_eq!(titles.len(), words.len(), "no two have the same title");
    for (name, title, legend) in words {
        assert!(title.len() <= 42 && !title.contains('_') && !title.is_empty(), "{name}");
        assert!(legend.starts_with(|c: char| c.is_uppercase()), "{name}");
        assert!(legend.ends_with('.') && legend.len() <= 120, "{name}: {legend}");
        assert_eq!(legend.matches(". ").count(), 0, "{name}: one sentence");
        for code in ["psqt", "ring", "xray", "span", "_", "mg", "eg "] {
            let has = legend.split([' ', ',', '.']).any(|word| word == code.trim());
            assert!(!has, "{name}: {code} is no word of chess players");
        }
    }
}
