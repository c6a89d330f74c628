//! Reasons: motifs of known puzzles are named, and every fact is true by shakmaty's rules, which
//! share nothing with the detectors.
//!
//! `suites/puzzles.tsv` are puzzles of the lichess.org open database (CC0) with their labels.
//!
//!     freshet reasons engine-tests/suites/puzzles.tsv --list    # all puzzles, by motif

use std::collections::BTreeMap;
use std::path::Path;

use freshet::board::Position as Board;
use freshet::explain::facts::line::PlayedLine;
use freshet::explain::ideas;
use freshet::explain::moves::{Explainer, SearchedMove};
use freshet::explain::puzzles::{self, Puzzle};
use freshet::score::Score;
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, Square};

/// Motifs, with the least share of their puzzles in which they must be named, in percent.
const BARS: [(&str, u32); 19] = [
    ("fork", 90),
    ("pin", 90),
    ("skewer", 80),
    ("discoveredAttack", 90),
    ("doubleCheck", 90),
    ("hangingPiece", 90),
    ("trappedPiece", 90),
    ("backRankMate", 90),
    ("smotheredMate", 90),
    ("promotion", 80),
    ("mateIn2", 90),
    ("mateIn3", 90),
    ("deflection", 65),
    ("attraction", 65),
    ("interference", 65),
    ("clearance", 65),
    ("intermezzo", 65),
    ("xRayAttack", 65),
    ("zugzwang", 60),
];

/// The number of puzzles per motif; `FRESHET_PUZZLES` takes all.
const FEW: usize = 6;

fn puzzles() -> Vec<Puzzle> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/puzzles.tsv");
    let all = puzzles::read(Path::new(path), &mut |error| panic!("{error}")).expect("the suite");
    let most = if std::env::var_os("FRESHET_PUZZLES").is_some() { usize::MAX } else { FEW };
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let is_wanted = |puzzle: &Puzzle| BARS.iter().any(|(motif, _)| *motif == puzzle.theme);
    let few = all.into_iter().filter(is_wanted).filter(|puzzle| {
        let count = taken.entry(puzzle.theme.clone()).or_default();
        *count += 1;
        *count <= most
    });
    few.collect()
}

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a legal position")
}

/// The reason why a fact is false; `None` if it is true.
fn problem(fact: &Value) -> Option<String> {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().to_string();
    let before = chess(&text("fen"));
    let san: San = text("move").trim_end_matches(['+', '#']).parse().ok()?;
    let Ok(m) = san.to_move(&before) else { return Some("the move is not legal".to_string()) };
    let squares: Vec<Square> = (fact["squares"].as_array().into_iter().flatten())
        .filter_map(|square| square.as_str()?.parse().ok())
        .collect();
    let mut after = before.clone();
    after.play_unchecked(m);
    let is_true = match text("motif").as_str() {
        "fork" => forks(&after, m, &squares),
        "doubleCheck" => after.checkers().count() == 2,
        "discoveredCheck" => after.is_check() && !after.checkers().contains(m.to()),
        "promotion" => m.promotion().is_some(),
        "underPromotion" => m.promotion().is_some_and(|role| role != Role::Queen),
        "hangingPiece" => {
            m.capture().is_some_and(|role| role != Role::Pawn) && is_undefended(&before, m.to())
        }
        "backRankMate" | "smotheredMate" | "mateIn1" | "mateIn2" | "mateIn3" | "mateIn4"
        | "mateIn5" => after.is_checkmate(),
        "trappedPiece" => after.board().role_at(squares[0]).is_some_and(|role| role != Role::King),
        "pin" => is_pinned(&after, squares[0]),
        "zugzwang" => !after.is_check() && !after.legal_moves().is_empty(),
        motif => idea_is_true(motif, m, &before, &after, &squares),
    };
    (!is_true).then(|| "it is not so".to_string())
}

/// Whether an idea is true of the boards before and after a move. Ideas that follow from an exchange
/// are checked only where there is none.
fn idea_is_true(motif: &str, m: Move, before: &Chess, after: &Chess, squares: &[Square]) -> bool {
    let us = before.turn();
    let board = after.board();
    let pawns = |side: Color| board.by_color(side) & board.pawns();
    let role = board.role_at(m.to());
    let pawn_files = |side: Color| -> Vec<shakmaty::File> {
        pawns(side).into_iter().map(|pawn| pawn.file()).collect()
    };
    let is_quiet = !m.is_capture();
    match motif {
        "castling" => m.is_castle(),
        "castlingLost" => {
            before
                .castles()
                .castling_rights()
                .into_iter()
                .any(|rook| before.board().color_at(rook) == Some(us))
                && !after
                    .castles()
                    .castling_rights()
                    .into_iter()
                    .any(|rook| board.color_at(rook) == Some(us))
        }
        "development" | "fianchetto" => {
            matches!(m.role(), Role::Knight | Role::Bishop)
                && m.from().is_some_and(|from| {
                    from.rank() == us.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth)
                })
        }
        "outpost" => {
            let ahead = |pawn: Square| match us {
                Color::White => pawn.rank() > m.to().rank(),
                Color::Black => pawn.rank() < m.to().rank(),
            };
            matches!(role, Some(Role::Knight | Role::Bishop))
                && !pawns(us.other()).into_iter().any(|pawn| {
                    (pawn.file() as i32 - m.to().file() as i32).abs() == 1 && ahead(pawn)
                })
        }
        "isolatedPawn" if is_quiet => squares.iter().all(|pawn| {
            let side = board.color_at(*pawn).expect("a pawn");
            let files = pawn_files(side);
            board.role_at(*pawn) == Some(Role::Pawn)
                && !files.iter().any(|file| (*file as i32 - pawn.file() as i32).abs() == 1)
        }),
        "doubledPawns" if is_quiet => squares.iter().all(|pawn| {
            let side = board.color_at(*pawn).expect("a pawn");
            pawn_files(side).iter().filter(|file| **file == pawn.file()).count() > 1
        }),
        "passedPawn" if is_quiet => squares.iter().all(|pawn| {
            let side = board.color_at(*pawn).expect("a pawn");
            !pawns(side.other()).into_iter().any(|other| {
                let ahead = match side {
                    Color::White => other.rank() > pawn.rank(),
                    Color::Black => other.rank() < pawn.rank(),
                };
                ahead && (other.file() as i32 - pawn.file() as i32).abs() <= 1
            })
        }),
        "openFile" if is_quiet => {
            !board.pawns().into_iter().any(|pawn| pawn.file() == m.to().file())
        }
        "halfOpenFile" if is_quiet => !pawn_files(us).contains(&m.to().file()),
        "opposition" | "distantOpposition" => {
            let [a, b] = [us, us.other()].map(|side| board.king_of(side).expect("a king"));
            let files = (a.file() as i32 - b.file() as i32).abs();
            let ranks = (a.rank() as i32 - b.rank() as i32).abs();
            files % 2 == 0 && ranks % 2 == 0 && (files == 0 || ranks == 0 || files == ranks)
        }
        "attack" | "gainsTime" => {
            squares.iter().all(|square| board.attacks_from(m.to()).contains(*square))
        }
        "defence" => squares.iter().all(|square| board.attacks_from(m.to()).contains(*square)),
        "blockade" => squares.iter().all(|square| {
            board.role_at(*square) == Some(Role::Pawn) && square.file() == m.to().file()
        }),
        "pawnBreak" => board.attacks_from(m.to()).intersects(pawns(us.other())),
        _ => true,
    }
}

/// Whether the piece that has moved attacks all these enemies.
fn forks(after: &Chess, m: Move, squares: &[Square]) -> bool {
    let attacks = after.board().attacks_from(m.to());
    let is_enemy = |square: &Square| after.board().color_at(*square) == Some(after.turn());
    squares.len() > 1 && squares.iter().all(|square| attacks.contains(*square) && is_enemy(square))
}

/// Whether nothing could recapture on a square, the piece of the side not to move there.
fn is_undefended(before: &Chess, square: Square) -> bool {
    let side: Color = before.turn().other();
    before.board().attacks_to(square, side, before.board().occupied()).is_empty()
}

/// Whether the king or a queen of the piece's side is attacked once the piece is gone, and was not
/// before.
fn is_pinned(after: &Chess, square: Square) -> bool {
    let Some(piece) = after.board().piece_at(square) else { return false };
    let mut board = after.board().clone();
    board.discard_piece_at(square);
    let side = board.by_color(piece.color);
    let attackers = |board: &shakmaty::Board, square: Square| {
        board.attacks_to(square, piece.color.other(), board.occupied()).count()
    };
    (side & (board.kings() | board.queens()))
        .into_iter()
        .any(|square| attackers(&board, square) > attackers(after.board(), square))
}

/// Motifs are named, every fact is true, and the explanations are short and the same every time.
#[test]
fn motifs_of_puzzles_are_named_and_true() {
    let mut explainer = Explainer::new(50_000, None).expect("memory");
    let mut found: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let mut words = Vec::new();
    for puzzle in &puzzles() {
        let explanation = explainer.explanation(&puzzle.position, puzzle.blunder, &());
        let json = explanation.json(&mut explainer, false);
        let told: Value = serde_json::from_str(&json).expect("JSON");
        for fact in told["facts"].as_array().expect("facts") {
            if let Some(problem) = problem(fact) {
                panic!("{}: {problem}: {fact}", puzzle.id);
            }
        }
        let motifs = told["motifs"].as_array().expect("motifs");
        let (motif, _) = BARS.iter().find(|(motif, _)| *motif == puzzle.theme).expect("known");
        let counts = found.entry(motif).or_default();
        counts.0 += u32::from(motifs.iter().any(|named| named.as_str() == Some(motif)));
        counts.1 += 1;
        words.push(told["text"].as_str().expect("a text").split_whitespace().count());
    }
    for (motif, least) in BARS {
        let (named, all) = found[motif];
        // Of few puzzles one more may be missed; `freshet reasons` counts all.
        let wanted = (least * all / 100).saturating_sub(1);
        assert!(named >= wanted, "{motif}: {named} of {all}");
    }
    words.sort_unstable();
    assert!(words[words.len() / 2] <= 60, "{} words in the median", words[words.len() / 2]);
}

/// Every legal move of many positions: the ideas are the same for both colours.
#[test]
fn ideas_are_the_same_for_both_colours() {
    let labels = |position: &Board, m: freshet::board::Move| -> Vec<(&'static str, bool)> {
        let ideas = ideas::of_line(&PlayedLine::new(position, None, &[m]));
        let mut labels: Vec<_> = ideas.iter().map(|idea| (idea.label, idea.is_good)).collect();
        labels.sort_unstable();
        labels
    };
    let mut seen = BTreeMap::new();
    for puzzle in &puzzles() {
        let position = &puzzle.position;
        let mirrored = position.mirrored();
        for &m in &position.moves() {
            let flipped: String = position
                .uci(m, false)
                .chars()
                .map(|c| c.to_digit(10).map_or(c, |rank| char::from(b'9' - rank as u8)))
                .collect();
            let turned = mirrored.parse_uci(&flipped).expect("legal");
            let found = labels(position, m);
            assert_eq!(found, labels(&mirrored, turned), "{position} {flipped}");
            found.into_iter().for_each(|(label, _)| *seen.entry(label).or_insert(0) += 1);
        }
    }
    assert!(seen.len() > 30, "{seen:?}");
}

#[test]
fn explanations_are_the_same_every_time() {
    let position: Board = "5bk1/5pp1/7p/8/8/8/q4PPP/1Q3BK1 w - - 0 1".parse().expect("legal");
    let m = position.parse_san("h3").expect("legal");
    let explained = || {
        let mut explainer = Explainer::new(5000, None).expect("memory");
        explainer.explanation(&position, m, &()).json(&mut explainer, true)
    };
    assert_eq!(explained(), explained());
}

/// A line that is cut in the middle of an exchange still wins what its first move has won.
#[test]
fn a_line_may_end_in_an_exchange() {
    let fen = "r2q1rk1/pp2bppp/4pn2/3p4/3n4/2NBP3/PP3PPP/R1BQ1RK1 w - - 0 12";
    let position: Board = fen.parse().expect("legal");
    let moves = "exd4 a6 Be3 Rc8 a3 Kh8 h3 h6 Rc1 Rg8 Na4 Rxc1 Qxc1";
    let mut end = position.clone();
    let line = moves.split(' ').map(|san| {
        let m = end.parse_san(san).expect("legal");
        end.play(m);
        m
    });
    let searched = SearchedMove::new(&position, line.collect(), Score::cp(235));
    let mut explainer = Explainer::new(1000, None).expect("memory");
    let text = explainer.explained(searched, None).text();
    assert!(text.contains("It takes the undefended knight on d4."), "{text}");
}

/// The textbook reasons of positional moves and endgames: `freshet reasons` does not read them.
const TEXTBOOK: &str = include_str!("suites/textbook.tsv");

/// What explanations once said wrongly.
const FALSE: &str = include_str!("suites/false_reasons.tsv");

/// The lines of a table, without comments, in columns.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into().expect(line))
}

/// What was once said wrongly is not said again, and the right reason is.
#[test]
fn false_reasons_are_not_told() {
    let mut explainer = Explainer::new(50_000, None).expect("memory");
    let mut wrong = Vec::new();
    for [theme, fen, played, banned, wanted] in rows(FALSE) {
        let position: Board = fen.parse().expect("legal");
        let m = position.parse_san(played).expect(theme);
        let text = explainer.explanation(&position, m, &()).text();
        let has = |words: &str| words.split('|').any(|words| text.contains(words));
        if banned != "-" && has(banned) || wanted != "-" && !has(wanted) {
            wrong.push(format!("{theme}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of the textbook cases at least three quarters name their reason, and all facts are true.
#[test]
fn textbook_reasons_are_named() {
    let mut explainer = Explainer::new(50_000, None).expect("memory");
    let schema = include_str!("../docs/explain.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let (mut named, mut missed) = (0, Vec::new());
    for [theme, fen, played, wanted] in rows(TEXTBOOK) {
        let position: Board = fen.parse().expect("legal");
        let m = position.parse_san(played).expect(theme);
        let explanation = explainer.explanation(&position, m, &());
        let json = explanation.json(&mut explainer, false);
        let told: Value = serde_json::from_str(&json).expect("JSON");
        let errors: Vec<String> = validator.iter_errors(&told).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{theme}: {errors:?}");
        for fact in told["facts"].as_array().expect("facts") {
            if let Some(problem) = problem(fact) {
                panic!("{theme}: {problem}: {fact}");
            }
        }
        let text = told["text"].as_str().expect("a text");
        match wanted.split('|').any(|words| text.contains(words)) {
            true => named += 1,
            false => missed.push(format!("{theme}: {text}")),
        }
    }
    let all = named + missed.len();
    assert!(4 * named >= 3 * all, "{named} of {all}:\n{}", missed.join("\n"));
}

/// What earlier explanations said although it was not so.
#[test]
fn nothing_false_is_told() {
    for (fen, played, wanted, unwanted) in [
        // The threat is the next move of the line.
        (
            "r3kbnr/pp3ppp/3p4/1Pp4b/2P1P3/PR1q1P2/3N1P1P/2BQK2R b Kkq - 1 14",
            "Bxf3",
            "the best move",
            "meets the",
        ),
        // What threatens to take is taken.
        ("5k2/1p5R/p1p5/3bN3/2p3KP/P7/1P6/8 w - - 1 41", "Rd7", "a good move", "threatens"),
        (
            "5k2/3bbp2/p2pp2p/3P2p1/N1P1Pn2/4B2P/P1B2PP1/5K2 b - - 6 26",
            "Bxa4",
            "Bxa4 is a good move",
            "threatens",
        ),
        // It can be played at once.
        (
            "rnb1k1nr/ppppqpbp/8/8/2BPPp2/2N2Q2/PPP3PP/R1B2RK1 b kq - 0 3",
            "d6",
            "fights for e5",
            "threatens",
        ),
        // The pawn is captured en passant.
        ("8/8/4k3/8/2p5/8/1P2K3/8 w - - 0 1", "b4", "the best move", "passed pawn"),
        // Both moves do that.
        (
            "r2qkbnr/p2bpppp/2Q5/1p6/2pP4/4P3/1P3PPP/RNB1KBNR w KQkq - 1 8",
            "Qf3",
            "Better is 8.Qa6",
            "out of an attack",
        ),
        // The capture is the cause, not what comes after it.
        (
            "4rb1k/3n4/p5p1/3Pp1P1/q3P2p/2B2Q1P/4B1K1/5R2 w - - 2 41",
            "Qh5+",
            "wins a queen",
            "forks",
        ),
        (
            "r2qkb1r/2pn1ppp/p1N1b3/8/Q3p3/2N5/PP3PPP/R1B1K2R b KQkq - 1 10",
            "Bd6",
            "wins a queen",
            "makes",
        ),
        // The piece comes back two plies later.
        (
            "r1bq1rk1/pp3ppp/2np4/4p3/2B1n3/B1P2N2/P1P2PPP/R2Q1RK1 w - - 0 6",
            "Qe1",
            "threatens 7.Qxe4",
            "Qe1 wins",
        ),
        // No feature that is gone at the end of the line, or that was there before.
        ("8/2Q1nk2/8/1p5p/p6P/P1P3B1/7K/2q5 w - - 48 71", "Kg2", "Kg2 is", "passed pawn on h4"),
        ("1Rb1r3/1ppk4/1p1p2p1/4n2p/7P/P1PB4/2P3P1/5R1K w - - 3 21", "g3", "g3 is", "doubled pawn"),
        (
            "2r4r/p1R3p1/4P1kn/1Q1P1n1p/7q/7P/PP1B1PP1/5RK1 w - - 1 17",
            "Rxc8",
            "Rxc8 is",
            "gets a passed pawn",
        ),
        // The piece is taken next.
        ("8/1p3p2/p4n2/2p1k2N/8/4K3/PP4P1/8 w - - 0 39", "Nxf6", "pawn ending", "blockades"),
        ("r2r2k1/pp3pp1/4b2p/3n4/2P5/2N5/PP3PPP/R3R1K1 w - - 0 1", "Nxd5", "Nxd5 is", "outpost"),
        // Neither of the pieces that it attacks falls.
        ("2b3k1/p5r1/1p6/3PQ3/2p5/1n6/P5PP/5RK1 w - - 6 33", "Qe8+", "It wins a knight", "forks"),
        // A mate needs no fork.
        (
            "7r/5Q1p/3p2p1/3Pb1N1/8/1P2k2P/4q1P1/2R4K w - - 7 33",
            "Rc2",
            "33...Qd1+ forces mate in 2. ",
            "forks",
        ),
        // The bishop on a6 attacks f1, so there is no castling yet.
        (
            "rn1qk1nr/p1p2ppp/bp2p3/3p4/3P4/4PNP1/PPP2P1P/RNBQKB1R w KQkq - 0 5",
            "Bg2",
            "develops the bishop",
            "castle",
        ),
        // The better move has the same answer.
        ("8/1p6/2p1kn2/N5pp/p2P4/3K2PP/1P6/8 b - - 3 42", "Ng8", "Better is 42...Kd5", "Nxb7"),
        // White queens: that Black cannot win is no news.
        ("8/3k4/P7/2P4p/8/6P1/2K4P/8 b - - 0 45", "Kc7", "in a lost position", "proven"),
        // A king that moves to and fro loses no move on purpose.
        ("2k5/p7/2P5/1PP5/7p/6pK/8/8 w - - 13 65", "Kg2", "Kg2 is", "on purpose"),
        // The passed pawn is White's, and the rook was on the file before.
        (
            "r1bq1rk1/p2nbp1p/2pp1np1/1p2p3/3PP3/2PBBN1P/PP2NPP1/R2Q1RK1 b - - 2 10",
            "Re8",
            "Re8 is ",
            "White gets",
        ),
        (
            "r4r1k/2pbqnbp/p2pp1p1/np6/4PP2/P1P1BNNP/BP3RP1/R2Q2K1 b - - 8 17",
            "Nd8",
            "Nd8 is ",
            "half-open",
        ),
    ] {
        let mut explainer = Explainer::new(50_000, None).expect("memory");
        let position: Board = fen.parse().expect("legal");
        let m = position.parse_san(played).expect("legal");
        let text = explainer.explanation(&position, m, &()).text();
        assert!(text.contains(wanted) && !text.contains(unwanted), "{text}");
    }
}

/// Earlier wrong explanations.
#[test]
fn reasons_are_told_in_words() {
    let mut wrong = Vec::new();
    for (nodes, fen, played, wanted) in [
        (
            50_000,
            "4r3/ppk4p/1pp5/3bP1p1/5q2/1PP4P/PK2Q1P1/4RB1R w - - 5 26",
            "Qg4",
            "Qg4 is a blunder. 26...Qd2+ forks king and rook: Black wins back the exchange and two pawns",
        ),
        (
            50_000,
            "r2q1rk1/1p2bppp/p1n1b3/3pPp2/3P4/PQN1BN2/1P3PPP/R4RK1 w - - 2 14",
            "Qxb7",
            "Qxb7 is a blunder. After 14...Na5 the queen on b7 has no safe square: Black wins a queen",
        ),
        (50_000, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Kf1", "Better is 1.Ra8#"),
        // A new queen is not won.
        (3_000, "5k2/P4ppp/5n2/8/8/8/5PPP/6K1 w - - 0 1", "a8=Q+", "It promotes to a queen"),
        // If both sides promote, no queen is lost. If the old queens are exchanged, none is won.
        (3_000, "r7/1P3ppk/7p/8/4P3/2N5/PKP3p1/8 w - - 0 1", "bxa8=Q", "White wins a rook"),
        (
            3_000,
            "3q4/1P4k1/6p1/b6p/7P/6P1/6K1/3Q4 w - - 0 1",
            "Qxd8",
            "It leads to a promotion with 2.b8=Q",
        ),
        // The reply blocks the line, not the move itself.
        (
            20_000,
            "2rk3r/1b1p3p/p2Bnp2/1p4pB/6P1/P1PP1N2/1P3K1P/4R3 b - - 0 31",
            "Nc5",
            "32.Be7+ drives the king into the line from the rook on c8 to c5: White wins a bishop",
        ),
        (
            3_000,
            "3k3r/ppp4p/7r/4N3/3P4/8/PP3PPP/R5K1 w - - 0 1",
            "Nf7+",
            "It forks king and two rooks: White wins a rook",
        ),
        // That Black cannot win says nothing against a move of White.
        (
            20_000,
            "8/2p2KP1/2p2P1k/p1P5/P7/8/8/8 w - - 3 54",
            "Kf8",
            "Kf8 is an inaccuracy. Better is 54.g8=Q, which forces mate in 3: it promotes to a queen.",
        ),
        // A bishop that takes a rook is not developed.
        (
            20_000,
            "r5k1/1p3ppp/2p5/p1q1p3/1b6/P2r2P1/1P3PRP/3K1B2 w - - 0 27",
            "Bxd3",
            "in a lost position.",
        ),
        // The first move of the line captures what stood behind.
        (
            50_000,
            "7r/pp3p2/8/4k3/3N4/8/PB5P/7K w - - 0 1",
            "Nb5+",
            "takes the rook on h8, which stood behind the piece that moved away",
        ),
        // A lost rook is named even if its side stays far ahead.
        (
            50_000,
            "4k3/1pp3R1/p7/2p1N2p/4b3/P5K1/1P4PP/8 w - - 2 36",
            "Rh7",
            "36...Bxh7 takes the undefended rook on h7.",
        ),
        (
            50_000,
            "4k3/1pp4R/p7/2p1N2p/4b3/P5K1/1P4PP/8 b - - 3 36",
            "c4",
            "Better is 36...Bxh7, which takes the undefended rook on h7",
        ),
        // The first move wins a bishop. That knights are exchanged later is another matter.
        (
            20_000,
            "1r2kb1r/1pq1pppp/p2p1n2/3b4/4P3/1QPB4/P2P1PPP/1RB2RK1 w k - 0 15",
            "exd5",
            "It wins back a bishop.",
        ),
        // No move is good in a lost position.
        (
            20_000,
            "k7/P1K5/8/8/8/8/8/6r1 w - - 0 1",
            "Kb6",
            "Kb6 is no worse than other moves, in a lost position.",
        ),
        // Stalemate is the end of it.
        (
            20_000,
            "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1",
            "Ke3",
            "Ke3 is the best move found. 1...Ke3 is stalemate.",
        ),
        // The own king guards the pawn.
        (20_000, "8/6Pk/5K2/8/8/8/8/8 w - - 0 1", "Kf7", "It guards the path of the pawn on g7."),
        // The sacrifice is the reason, not the pawn structure that it leaves.
        (
            100_000,
            "r1bq1rk1/pp1n1ppp/2n1p3/2ppP3/3P4/2PB1N2/PP3PPP/R1BQK2R w KQ - 0 9",
            "Bxh7+",
            "It gives up the bishop to draw the king to h7.",
        ),
        // What the exchange wins, not what the line wins in the end.
        (
            100_000,
            "r1b2rk1/pp3ppp/2p1qn2/8/4P3/1BN5/PPP1QPPP/R3K2R w KQ - 0 12",
            "O-O-O",
            "Better is 12.Bxe6, which wins a queen for a bishop.",
        ),
        (
            100_000,
            "r2qk2r/ppp1bppp/1n1p1n2/4P3/8/1BN1BP2/PPP2PPP/R2QK2R b KQkq - 0 9",
            "Qb8",
            "Better is 9...dxe5, which wins back a pawn.",
        ),
        // The capture says more than the length of the mate.
        (
            100_000,
            "8/6nk/4p3/3pBp2/3P4/2p2P1P/2Bq4/3Q1K2 b - - 1 47",
            "Qe1+",
            "48.Qxe1 takes the queen on e1 and mates in ",
        ),
        (
            100_000,
            "6K1/4k1P1/8/8/8/8/5R2/7r w - - 0 1",
            "Rf4",
            "It builds a bridge (Lucena): the rook will shield the king from checks along the file.",
        ),
        // Mate comes too late.
        (50_000, "4k3/8/8/8/8/8/8/KR6 w - - 99 80", "Rb7", "Rb7"),
        (50_000, "8/8/8/3k4/8/8/8/KR6 w - - 85 100", "Rb4", "Rb4"),
    ] {
        let mut explainer = Explainer::new(nodes, None).expect("memory");
        let position: Board = fen.parse().expect("legal");
        let m = position.parse_san(played).expect("legal");
        let text = explainer.explanation(&position, m, &()).text();
        let never = ["develops", "is won", "wins a queen and a pawn"];
        if !text.contains(wanted) || never.iter().any(|words| text.contains(words)) {
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
