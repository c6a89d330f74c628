//! Changes between two positions: the parts add up, and the words agree with the trace.

use freshet::board::Position;
use freshet::chess::{Bitboard, Color, Square};
use freshet::eval::terms::Terms;
use freshet::eval::{Trace, trace};
use freshet::explain::breakdown::{Breakdown, Part};
use freshet::explain::changes::{Change, Changes, Delta};
use freshet::explain::moves::{Explainer, SearchedMove, summary};
use freshet::score::Score;
use freshet::search::Line;
use rand::RngExt;

use crate::support::{breakdown_of, position, random, random_game, suite};

/// More than a thousand pairs of positions, a few plies apart, from random games and from endings
/// with locked pawns.
fn pairs() -> Vec<[Position; 2]> {
    let mut random = random(22);
    let mut pairs = Vec::new();
    for _ in 0..9 {
        let mut game = Vec::new();
        random_game(&mut random, Position::START, |position| game.push(position.clone()));
        for (index, before) in game.iter().enumerate() {
            let plies = random.random_range(1..12);
            let after = &game[(index + plies).min(game.len() - 1)];
            pairs.push([before.clone(), after.clone()]);
        }
    }
    for line in suite("blocked").iter().take(60) {
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        let before = position(&fen.join(" "));
        random_game(&mut random, &before.fen(), |after| {
            if after.ply() == before.ply() + 3 {
                pairs.push([before.clone(), after.clone()]);
            }
        });
    }
    assert!(pairs.len() > 1000, "{}", pairs.len());
    pairs
}

#[test]
fn changes_add_up() {
    for [before, after] in pairs() {
        let [a, b] = [&before, &after].map(breakdown_of);
        let changes = Changes::between(&a, &b);
        let context = format!("{before} to {after}");
        assert_eq!([changes.before, changes.after], [a.total, b.total]);
        let sum: i32 = changes.list.iter().map(|change| change.cp).sum();
        assert_eq!(sum, b.total - a.total, "{context}");
        for change in &changes.list {
            let parts: i32 = change.deltas.iter().map(Delta::white_cp).sum();
            assert_eq!(parts, change.cp, "{context}: {}", change.words);
        }
        assert!(changes.list.windows(2).all(|two| two[0].cp.abs() >= two[1].cp.abs()));
        let named = changes.named(4, 10);
        let largest: i32 = named.largest.iter().map(|change| change.cp).sum();
        assert_eq!(largest + named.others.1, sum, "{context}");
        assert_eq!(named.largest.len() + named.others.0, changes.list.len());
    }
}

/// Counts and squares of a term of a side, as the evaluation itself has traced them.
fn traced(trace: &Trace, term: &str, side: Color) -> (i32, Bitboard) {
    let mut found = (0, Bitboard::EMPTY);
    trace.counts.get(side).each(|_, name, row| {
        if name == term {
            found.0 = row.iter().sum();
        }
    });
    let squares: &Terms<Bitboard> = trace.squares.get(side);
    squares.each(|_, name, row| {
        if name == term {
            found.1 = row.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
        }
    });
    found
}

/// All squares that a text names.
fn squares_named(text: &str) -> Bitboard {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.parse::<Square>().ok()).collect()
}

/// Every named square was gained or lost by a term of the change, as the words say. Every number is
/// a count, and better and worse match the sign.
#[test]
fn words_say_what_the_trace_holds() {
    let mut named = 0;
    for [before, after] in pairs() {
        let traces = [&before, &after].map(trace);
        let changes = Changes::between(&breakdown_of(&before), &breakdown_of(&after));
        for change in &changes.list {
            let context = format!("{before} to {after}: {}", change.words);
            for delta in &change.deltas {
                if delta.term == "material" {
                    // Its squares are not traced, but those of the board.
                    let pieces = |position: &Position| {
                        position.of(delta.side)
                            & !position.set(delta.side, freshet::chess::Role::King)
                    };
                    assert_eq!(delta.gained(), pieces(&after) & !pieces(&before), "{context}");
                    continue;
                }
                if ["initiative", "scale"].iter().any(|group| delta.term.starts_with(group)) {
                    // Rows of the side that is ahead, whichever side they were counted for.
                    continue;
                }
                let [(was, lost), (is, gained)] =
                    traces.each_ref().map(|trace| traced(trace, delta.term, delta.side));
                if was == 0 && is == 0 {
                    continue;
                }
                assert_eq!(delta.counts(), [was, is], "{context} {}", delta.term);
                assert_eq!(delta.gained(), gained & !lost, "{context} {}", delta.term);
                assert_eq!(delta.lost(), lost & !gained, "{context} {}", delta.term);
            }
            named += squares_named(&change.words).count();
            check_squares(change, &context);
            check_direction(change, &context);
        }
    }
    assert!(named > 5000, "{named} squares named");
}

/// Squares after "no longer" were lost, and squares after "now" gained. Others belong to one term.
fn check_squares(change: &Change, context: &str) {
    let any = |set: fn(&Delta) -> Bitboard| {
        change.deltas.iter().fold(Bitboard::EMPTY, |all, delta| all | set(delta))
    };
    let (gained, lost) = (any(Delta::gained), any(Delta::lost));
    let standing = any(|delta| delta.shares[1].squares);
    // Counted by another weight than before.
    let recounted = any(|delta| {
        let [before, after] = &delta.parts;
        let on = |parts: &[Part], index: usize| {
            let same = parts.iter().filter(|part| part.index == index);
            same.fold(Bitboard::EMPTY, |all, part| all | part.squares)
        };
        let indices = before.iter().chain(after).map(|part| part.index);
        indices.fold(Bitboard::EMPTY, |all, index| all | (on(before, index) ^ on(after, index)))
    });
    // "can no longer defend" means a gain for the other side: a hole.
    for reason in change.words.split("; ") {
        for part in reason.split(" and no longer ").enumerate() {
            let (index, text) = part;
            let squares = squares_named(text);
            let text_lost = index > 0 || text.contains("no longer");
            let allowed = match text {
                _ if text.contains("attacked by") || text.contains("advance safely") => recounted,
                _ if text.contains("defend") || text.contains("passed pawn on") => {
                    gained | lost | standing
                }
                _ if text_lost && index == 0 && text.contains(" now ") => gained | lost,
                _ if text_lost => lost,
                _ => gained,
            };
            assert!((squares & !allowed).is_empty(), "{context}: {text}");
        }
    }
}

/// Words of comparison go the way of the centipawns.
fn check_direction(change: &Change, context: &str) {
    let head = change.words.split(": ").next().unwrap_or_default();
    let Some((side, rest)) = head.split_once("'s ") else { return };
    let cp = if side == "White" { change.cp } else { -change.cp };
    for (word, sign) in [
        (" better", 1),
        (" worse", -1),
        ("count more", 1),
        ("count less", -1),
        (" stronger", 1),
        (" weaker", -1),
        (" less safe", -1),
        (" safer", 1),
    ] {
        if rest.ends_with(word) {
            assert!(cp * sign > 0, "{context}: {cp}");
        }
    }
    // "Counts less" is not explained by control or threats gained, nor "counts more" by those lost.
    let reasons = change.words.split_once(": ").map_or("", |(_, reasons)| reasons);
    if rest.starts_with("control") || rest.starts_with("threats") {
        for reason in reasons.split("; ") {
            let mut told = [" now ", "no longer "].map(|word| reason.contains(word));
            if reason.contains("s pawns can ") {
                // A hole of the other side.
                told.reverse();
            }
            assert!(!told[usize::from(cp > 0)], "{context}: {reason}");
        }
    }
}

/// A king that was bare only after the move is not said to have been driven away.
#[test]
fn a_king_that_is_now_bare_has_not_moved() {
    let before = position("7k/8/8/3n4/8/2K5/P7/3R4 w - - 0 1");
    let mut after = before.clone();
    after.play(before.parse_san("Rxd5").expect("a legal move"));
    let [a, b] = [&before, &after].map(breakdown_of);
    let words: Vec<String> =
        Changes::between(&a, &b).list.into_iter().map(|change| change.words).collect();
    let words = words.join("\n");
    assert!(words.contains("the bare black king is 6 steps away"), "{words}");
}

/// A breakdown with fixed numbers instead of the weights: the traditional values for pieces, and
/// the index for everything else, which in tables of squares is the square.
fn with_fixed_numbers(position: &Position) -> Breakdown {
    const PIECES: [i32; 5] = [100, 300, 300, 500, 900];
    let mut breakdown = breakdown_of(position);
    for row in &mut breakdown.rows {
        let is_material = row.name == "material";
        let worth = |index: usize| if is_material { PIECES[index] } else { 1 + index as i32 };
        for part in &mut row.parts {
            part.exact = f64::from(part.count * worth(part.index));
        }
        let parts = &row.parts;
        let sum = |side: Color| -> f64 {
            parts.iter().filter(|part| part.side == side).map(|part| part.exact).sum()
        };
        (row.white.exact, row.black.exact) = (sum(Color::White), sum(Color::Black));
        for share in [&mut row.white, &mut row.black] {
            share.cp = share.exact as i32;
        }
        row.cp = row.white.cp - row.black.cp;
    }
    breakdown.total = breakdown.rows.iter().map(|row| row.cp).sum();
    breakdown
}

/// A line in SAN.
fn line_of(position: &Position, san: &str) -> Line {
    let mut position = position.clone();
    san.split(' ')
        .map(|word| {
            let m = position.parse_san(word).expect("a legal move");
            position.play(m);
            m
        })
        .collect()
}

/// A line, its score and fixed numbers always give the same words, whatever the search and the
/// weights say. The same search gives the same text.
#[test]
fn explanations_repeat() {
    // The text says what a line changes on the board.
    for (fen, san, shown, told) in [
        (
            "6k1/5pp1/7p/8/8/8/q4PPP/1Q4K1 w - - 0 1",
            "Qxa2 g6 h4 h5 Qd5 Kf8",
            "1. Qxa2 g6 2. h4 h5 3. Qd5 Kf8",
            &[
                "Black has 1 queen less",
                "White's queen stands better: ",
                "; now stands on d5",
                "White no longer has a queen on b1 attacked by a queen",
                "Black no longer has a safe check on b1",
            ][..],
        ),
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "Nd4 Nxe5 Nh6 Nc3",
            "3... Nd4 4. Nxe5 Nh6 5. Nc3",
            &[
                "Black has 1 pawn less",
                "; now stand on d4 and h6",
                "; now stand on c3 and e5",
                "Black's pawns now threaten to advance and attack the pieces on c4 and e5",
                "White no longer has a pawn blocked by a pawn on e4",
            ],
        ),
        (
            "8/2p2pk1/1p1p2p1/p2P3p/P1P1P2P/1P3P2/6K1/8 w - - 0 40",
            "f4 f6 Kf3 Kf8",
            "40. f4 f6 41. Kf3 Kf8",
            &[
                "White now has pawns beside others on e4 and f4",
                "Black now has pawns beside others on f6 and g6",
                "Black's king stands worse: ",
                "; no longer stands on g7",
            ],
        ),
    ] {
        let position = position(fen);
        let searched = SearchedMove::new(&position, line_of(&position, san), Score::cp(30));
        assert_eq!((searched.ending, searched.ending_text()), (None, None), "{fen}");
        assert_eq!(searched.line_text(), shown, "{fen}");
        let changes = searched.changes(with_fixed_numbers);
        assert_eq!(changes.list.iter().map(|change| change.cp).sum::<i32>(), {
            changes.after - changes.before
        });
        let words: Vec<&str> = changes.list.iter().map(|change| change.words.as_str()).collect();
        let all = words.join("\n");
        for part in told {
            assert!(all.contains(part), "{fen} {san}: not {part:?} in\n{all}");
        }
        let again = searched.changes(with_fixed_numbers);
        assert!(again.list.iter().map(|change| change.words.as_str()).eq(words), "{fen}");
    }
    // The text says how a line ends, if the evaluation does not.
    let knight = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    for (fen, san, score, ending) in [
        (knight, "Nd4 Qxf7#", Score::mated_in(2), "White mates (#1)"),
        ("k7/8/K7/1Q6/8/8/8/8 w - - 0 1", "Qc6+ Kb8 Qb7#", Score::mate_in(3), "White mates (#2)"),
        ("k7/8/1K6/7Q/8/8/8/8 w - - 0 1", "Qc5", Score::cp(500), ""),
        ("k7/8/1K6/8/2Q5/8/8/8 w - - 0 1", "Qc7", Score::DRAW, "the line ends in stalemate"),
        (
            "4k3/8/8/8/8/3p4/4K3/8 w - - 0 1",
            "Kxd3",
            Score::DRAW,
            "the line ends in a draw by the rules",
        ),
    ] {
        let position = position(fen);
        let searched = SearchedMove::new(&position, line_of(&position, san), score);
        assert_eq!(searched.ending_text().unwrap_or_default(), ending, "{fen} {san}");
    }
    // The largest changes in one line.
    let change = |cp, words: &str| Change { cp, words: words.to_string(), deltas: Vec::new() };
    let list = vec![change(81, "a"), change(-34, "b"), change(28, "c"), change(2, "d")];
    let changes = Changes { before: 4, after: 81, list };
    assert_eq!(summary(&changes, 2), "+0.81 a; -0.34 b");
    assert_eq!(summary(&changes, 9), "+0.81 a; -0.34 b; +0.28 c", "not the smallest");
    // Results of searches, in positions with a forced result.
    let mut explainer = Explainer::new(4000, None).expect("memory for a small table");
    for (fen, san, told) in [
        (knight, "Nd4", "Nd4 is a blunder. Against it: 4. Qxf7#"),
        (knight, "a6", "With a6 White mates (#1)."),
        ("k7/8/K7/1Q6/8/8/8/8 w - - 0 1", "Qc6", "Best is Qb7#: #1   1. Qb7#"),
        ("6k1/5pp1/7p/8/8/8/q4PPP/1Q4K1 w - - 0 1", "Qxa2", "This is the best move found."),
    ] {
        let position = position(fen);
        let m = position.parse_move(san).expect("a legal move");
        let first = explainer.explain(&position, m);
        assert!(first.contains(told), "{fen} {san}: not {told:?} in\n{first}");
        assert_eq!(explainer.explain(&position, m), first);
    }
    let start = Position::start();
    let moves = ["Nf3", "a4"].map(|san| start.parse_move(san).expect("a legal move"));
    assert_eq!(explainer.why(&start, moves), explainer.why(&start, moves));
}

/// The part of a line that is explained ends neither in the middle of an exchange nor with the
/// other side to move.
#[test]
fn lines_end_before_their_last_captures() {
    let after_e4 = position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    for (moves, plies) in [
        ("e7e5 g1f3 b8c6 d2d3 g8f6 b1c3 d7d5 e4d5", 6),
        ("e7e5 g1f3 b8c6 d2d3 g8f6 b1c3 d7d5 e4d5 f6d5", 6),
        ("e7e5 g1f3 b8c6 d2d3", 4),
        ("e7e5 g1f3 b8c6", 2),
        ("d7d5 e4d5 d8d5", 1),
    ] {
        let (mut line, mut position) = (Line::new(), after_e4.clone());
        for word in moves.split(' ') {
            let m = position.parse_uci(word).expect("a legal move");
            line.push(m);
            position.play(m);
        }
        let searched = SearchedMove::new(&after_e4, line, Score::cp(10));
        assert_eq!(searched.with_comparable_end().line.len(), plies, "{moves}");
    }
}
