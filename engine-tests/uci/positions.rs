//! The `position` command: odd, wrong and very long input.

use std::time::Instant;

use super::{Engine, SOON};

/// Positions, odd and wrong.
#[test]
fn odd_positions() {
    let mut engine = Engine::start();
    let good = "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for wrong in [
        "position fen garbage",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 8/8/8/8/8/8/8/K7 w - - 0 1",
        "position fen k7/8/8/8/8/8/8/RK6 w - - 0 1",
        "position fen k6P/8/8/8/8/8/8/K7 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e7e5 e1e3",
    ] {
        engine.send(good);
        engine.send(wrong);
        let lines = engine.ready();
        let told = lines.iter().filter(|line| line.starts_with("info string error: ")).count();
        assert_eq!(told, 1, "{wrong}: {lines:?}");
        engine.send("d");
        let board = engine.until("Checkers", SOON);
        assert!(
            board.iter().any(|line| line.ends_with("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")),
            "{wrong}"
        );
        engine.best("go depth 2");
    }
    for right in [
        "position startpos moves",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w   KQkq - 0 0  moves",
        "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "position fen QQQQQQQQ/QQ6/8/8/8/8/8/k1K5 b - - 0 1",
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ] {
        engine.send(right);
        let lines = engine.ready();
        assert_eq!(lines.len(), 1, "{right}: {lines:?}");
    }
    // The meaning is ambiguous.
    engine.send("position");
    assert!(engine.ready()[0].starts_with("info string error: position needs startpos or fen"));
    engine.send(&"x".repeat(65_536));
    assert_eq!(engine.ready().len(), 2, "one complaint about the junk line");
    engine.send_bytes(b"\0\xff\xfe go \0 nonsense\r\n");
    engine.send("stop");
    engine.best_move(SOON);
    for _ in 0..30 {
        engine.send("position startpos moves e2e4 e7e5");
    }
    assert_eq!(engine.ready().len(), 1);
}

/// A game of 6,000 plies is read quickly.
#[test]
fn a_very_long_game() {
    let mut engine = Engine::start();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(1500);
    engine.ready();
    let start = Instant::now();
    engine.send(&format!("position startpos moves {moves}"));
    assert_eq!(engine.ready().len(), 1);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    engine.best("go depth 6");
}

impl Engine {
    /// The FEN and key of the position the engine has.
    fn shown(&mut self) -> (String, String) {
        self.send("d");
        let lines = self.until("Checkers", SOON);
        let after = |start: &str| {
            lines.iter().find_map(|line| line.strip_prefix(start)).expect("a line").to_string()
        };
        (after("Fen: "), after("Key: "))
    }
}

/// An en passant square that no pawn can use makes no difference.
#[test]
fn en_passant_that_is_none() {
    let mut engine = Engine::start();
    let mut shown = Vec::new();
    for square in ["e3", "-"] {
        engine.send(&format!(
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq {square} 0 1"
        ));
        shown.push(engine.shown());
    }
    engine.send("position startpos moves e2e4");
    shown.push(engine.shown());
    assert!(shown.iter().all(|one| *one == shown[0]), "{shown:?}");
}

/// Castling is read in both notations, whatever the option says.
#[test]
fn castling_in_both_notations() {
    let mut engine = Engine::start();
    let mut shown = Vec::new();
    for chess960 in ["false", "true"] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        for castling in ["e1g1", "e1h1"] {
            engine.send(&format!("position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves {castling}"));
            shown.push(engine.shown());
        }
    }
    assert!(shown[0].0.starts_with("4k3/8/8/8/8/8/8/R4RK1 b"), "{shown:?}");
    assert!(shown.iter().all(|one| *one == shown[0]), "{shown:?}");
    // King and rook castle without the king moving.
    engine.send("position fen 4k3/8/8/8/8/8/8/6KR w H - 0 1 moves g1h1");
    assert!(engine.shown().0.starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
}

/// FENs with one oddity each: accepted, or refused with one line.
#[test]
fn strange_fens() {
    let mut engine = Engine::start();
    for (fen, fine) in [
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw\tKQkq\t-\t0\t1", true),
        ("4k3/8/8/8/8/8/8/4K3 w - - -5 1", true),
        ("kk6/8/8/8/8/8/8/KK6 w - - 0 1", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", false),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", false),
    ] {
        engine.send(&format!("position fen {fen}"));
        assert_eq!(engine.ready().len() == 1, fine, "{fen}");
        assert_eq!(engine.best("go depth 2").len(), 4, "{fen}");
    }
}
