//! The rules against shakmaty, move for move, over random games.

use std::collections::BTreeSet;

use freshet::board::{GenType, Move, MoveKind, Position};
use freshet::chess::{Color, Role, Square};
use rand::RngExt;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::support::{random, random_game, suite};

/// Start positions of every kind: the usual one, and one in three from the Chess960 and trap suites.
fn starts() -> Vec<String> {
    let fen = |line: String| line.split(';').next().unwrap_or_default().trim().to_string();
    suite("perft_chess960").into_iter().chain(suite("perft_tricky")).map(fen).collect()
}

#[test]
fn thousand_random_games_as_shakmaty_plays_them() {
    let mut random = random(10);
    let starts = starts();
    for game in 0..1200 {
        let start = if game % 3 == 0 {
            &starts[random.random_range(0..starts.len())]
        } else {
            Position::START
        };
        let mut position = Position::from_fen(start).expect("a legal FEN");
        let first = position.clone();
        let mut chess: Chess = position.to_shakmaty();
        let mut seen = vec![chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal)];
        for _ in 0..160 {
            let ours: BTreeSet<String> =
                position.moves().iter().map(|&m| position.uci(m, true)).collect();
            let legal = chess.legal_moves();
            let theirs: BTreeSet<String> =
                legal.iter().map(|m| m.to_uci(CastlingMode::Chess960).to_string()).collect();
            assert_eq!(ours, theirs, "{}", position.fen());
            assert_eq!(position.checkers(), chess.checkers());
            assert_eq!(position.check_info().checkers, chess.checkers());
            assert_eq!(
                position.fen(),
                Fen::from_position(&chess, EnPassantMode::Legal).to_string()
            );
            assert_eq!(position.is_dead_material(), dead(&chess), "{}", position.fen());
            let key = seen[seen.len() - 1];
            let times = seen.iter().filter(|&&k| k == key).count();
            assert_eq!(position.is_threefold(), times >= 3, "{}", position.fen());
            assert_eq!(position.is_repetition(1000), times >= 2, "{}", position.fen());
            assert!(position.is_consistent(), "{}", position.fen());
            if legal.is_empty() {
                break;
            }
            let m = legal[random.random_range(0..legal.len())];
            let text = m.to_uci(CastlingMode::Chess960).to_string();
            let found = position.parse_uci(&text).expect("shakmaty's move is ours");
            let checks = position.check_squares();
            let gives_check = position.gives_check(found, &checks);
            position.play(found);
            chess = chess.play(m).expect("a legal move");
            assert_eq!(gives_check, chess.is_check(), "{text} to {}", position.fen());
            seen.push(chess.zobrist_hash(EnPassantMode::Legal));
        }
        while position.last_move().is_some() {
            position.undo();
        }
        assert_eq!(position.fen(), first.fen());
        assert_eq!(position.keys(), first.keys());
    }
}

/// Dead by material as this engine counts it: shakmaty's insufficient material.
fn dead(chess: &Chess) -> bool {
    chess.is_insufficient_material()
}

/// Everything that can be asked of a position is the same.
fn assert_same(a: &Position, b: &Position) {
    assert_eq!(a.fen(), b.fen());
    assert_eq!(a.keys(), b.keys());
    assert_eq!(a.picture(), b.picture());
    assert_eq!(a.last_move(), b.last_move());
    assert_eq!(a.ply(), b.ply());
    assert_eq!(a.is_repetition(100), b.is_repetition(100));
    for role in Role::ALL {
        assert_eq!(a.role(role), b.role(role));
    }
    for side in Color::ALL {
        assert_eq!(a.of(side), b.of(side));
    }
}

#[test]
fn undo_restores_everything() {
    let mut random = random(11);
    for start in starts().iter().step_by(7) {
        random_game(&mut random, start, |position| {
            let before = position.clone();
            let mut position = position.clone();
            for m in before.moves() {
                position.play(m);
                position.undo();
                assert_same(&position, &before);
            }
            if !before.check_info().in_check() {
                position.play_null();
                assert!(position.is_consistent());
                position.undo();
                assert_same(&position, &before);
            }
        });
    }
}

#[test]
fn every_bit_pattern_is_legal_or_not() {
    let mut random = random(12);
    for start in starts().iter().step_by(40) {
        let mut turn = 0;
        random_game(&mut random, start, |position| {
            turn += 1;
            if turn % 10 != 0 {
                return;
            }
            let info = position.check_info();
            let legal: BTreeSet<u16> = position.moves().iter().map(|m| m.bits()).collect();
            for bits in 0..=u16::MAX {
                if let Some(m) = Move::from_bits(bits) {
                    assert_eq!(
                        position.is_legal(m, &info),
                        legal.contains(&bits),
                        "{m:?} in {}",
                        position.fen()
                    );
                }
            }
        });
    }
}

#[test]
fn noisy_and_quiet_make_all() {
    let mut random = random(13);
    for start in starts().iter().step_by(10) {
        random_game(&mut random, start, |position| {
            let info = position.check_info();
            let list = |wanted| {
                let mut list = freshet::board::MoveList::new();
                position.generate(&info, wanted, &mut list);
                list.into_iter().map(|m| m.bits()).collect::<Vec<_>>()
            };
            let (noisy, quiet) = (list(GenType::Noisy), list(GenType::Quiet));
            let mut both: Vec<u16> = noisy.iter().chain(&quiet).copied().collect();
            let mut all = list(GenType::All);
            both.sort_unstable();
            all.sort_unstable();
            assert_eq!(both, all);
            for bits in noisy {
                assert!(position.is_noisy(Move::from_bits(bits).expect("a move")));
            }
            for bits in quiet {
                assert!(!position.is_noisy(Move::from_bits(bits).expect("a move")));
            }
        });
    }
}

#[test]
fn san_and_uci_come_back() {
    let mut random = random(14);
    for start in starts().iter().step_by(60) {
        let mut turn = 0;
        random_game(&mut random, start, |position| {
            turn += 1;
            if turn % 8 != 0 {
                return;
            }
            for m in position.moves() {
                assert_eq!(position.parse_uci(&position.uci(m, true)), Ok(m));
                assert_eq!(position.parse_san(&position.san(m)), Ok(m), "{}", position.fen());
            }
        });
    }
    let castling = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("a legal FEN");
    let short = Move::new(Square::E1, Square::H1, MoveKind::Castle);
    assert_eq!(castling.parse_uci("e1g1"), Ok(short));
    assert_eq!(castling.parse_uci("e1h1"), Ok(short));
    assert_eq!(castling.uci(short, false), "e1g1");
    assert_eq!(castling.uci(short, true), "e1h1");
    assert_eq!(castling.san(short), "O-O");
}

#[test]
fn fens_are_forgiven_or_refused_with_a_reason() {
    let accepted = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", Position::START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0", Position::START),
        ("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w  KQkq\t-  0  1 ", Position::START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - zero one", Position::START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", Position::START),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        // A raw en passant square that nobody can use is no part of the position.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        ("QQQQQQQQ/QQ6/8/8/8/8/8/k1K5 b - - 0 1", "QQQQQQQQ/QQ6/8/8/8/8/8/k1K5 b - - 0 1"),
    ];
    for (text, fen) in accepted {
        let position = Position::from_fen(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.fen(), fen);
        assert!(position.is_consistent());
    }
    let refused = [
        ("", "fen"),
        ("hello world", "board"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "empty"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "king is missing"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "more than one king"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn stands"),
        ("k7/8/8/8/8/8/8/RK6 w - - 0 1", "not to move is in check"),
    ];
    for (text, reason) in refused {
        let error = Position::from_fen(text).expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
        assert!(!error.contains('\n'));
    }
}

#[test]
fn draws_by_the_rules() {
    let draw = |fen: &str| Position::from_fen(fen).expect("a legal FEN").is_draw(0);
    assert!(draw("8/8/8/8/8/8/k7/7K w - - 0 1"));
    assert!(draw("8/8/8/8/8/8/k7/6NK w - - 0 1"));
    assert!(draw("8/8/8/8/8/8/k2b4/2B4K w - - 0 1"));
    assert!(!draw("8/8/8/8/8/8/k3b3/2B4K w - - 0 1"));
    assert!(!draw("8/8/8/8/8/8/k4n2/6NK w - - 0 1"));
    assert!(draw("8/8/8/8/8/4P3/k7/7K w - - 100 90"));
    assert!(!draw("8/8/8/8/8/4P3/k7/7K w - - 99 90"));
    // Mate with the hundredth half move counts before the draw.
    assert!(!draw("R5k1/5ppp/8/8/8/8/8/7K b - - 100 90"));
}

#[test]
fn exchanges_by_hand() {
    let cases = [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
        ("3k4/8/8/2pP4/8/8/8/3K4 w - c6 0 1", "d5c6", 100),
        ("8/2Pk4/8/8/8/8/8/3K4 w - - 0 1", "c7c8q", -100),
        ("4k3/2P5/8/8/8/8/8/3K4 w - - 0 1", "c7c8q", 850),
        // The king may take last only where nothing takes it.
        ("8/8/3k4/3p4/8/3R4/8/3RK3 w - - 0 1", "d3d5", 100),
        ("8/8/3k4/3p4/8/3R4/8/4K3 w - - 0 1", "d3d5", -400),
    ];
    for (fen, text, value) in cases {
        let position = Position::from_fen(fen).expect("a legal FEN");
        let m = position.parse_uci(text).expect("a legal move");
        assert!(position.see_ge(m, value), "{fen} {text} wins {value}");
        assert!(!position.see_ge(m, value + 1), "{fen} {text} wins no more than {value}");
    }
}

#[test]
fn a_gui_may_castle_both_ways() {
    // In Chess960 a king may castle by one step or none: as king takes rook it is never ambiguous.
    let position = Position::from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1").expect("a legal FEN");
    let castling = position.parse_uci("f1g1").expect("castling");
    assert_eq!(castling.kind(), MoveKind::Castle);
    let _: UciMove = "f1g1".parse().expect("a move");
}
