//! Books: the keys and moves of the format.

use freshet::board::Position;
use freshet::book::{Book, Entry, code, key};

use crate::support::random;

/// The examples of Michel Van den Bergh's page "Polyglot book format".
#[test]
fn keys_are_those_of_the_format() {
    for (fen, known) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c_u64),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
        ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
        ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
        ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
    ] {
        assert_eq!(key(&Position::from_fen(fen).expect("a legal FEN")), known, "{fen}");
    }
}

/// Every move of odd positions comes back from its code: castling, promotions, taking in passing.
#[test]
fn moves_come_back_from_their_codes() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ] {
        let position = Position::from_fen(fen).expect("a legal FEN");
        let entries = position
            .moves()
            .into_iter()
            .map(|m| Entry { key: key(&position), code: code(&position, m), weight: 3 })
            .collect();
        let book = Book::parse(&Book::bytes(entries)).expect("our own book");
        let mut moves: Vec<_> = book.moves(&position).into_iter().map(|(m, _)| m).collect();
        let mut all = position.moves().to_vec();
        moves.sort_by_key(|m| format!("{m:?}"));
        all.sort_by_key(|m| format!("{m:?}"));
        assert_eq!(moves, all);
    }
    // As the format has it, e1h1: king takes rook.
    let castles = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a legal FEN");
    let m = castles.parse_uci("e1g1").expect("legal");
    assert_eq!(code(&castles, m), 4 << 6 | 7);
}

/// Moves are drawn as often as their weights say.
#[test]
fn weights_are_chances() {
    let start = Position::start();
    let entry = |text: &str, weight| {
        let m = start.parse_uci(text).expect("legal");
        Entry { key: key(&start), code: code(&start, m), weight }
    };
    let entries = vec![entry("e2e4", 300), entry("d2d4", 100), entry("a2a3", 0)];
    let book = Book::parse(&Book::bytes(entries)).expect("our own book");
    let mut random = random(60);
    let (mut first, tries) = (0, 4000);
    for _ in 0..tries {
        let m = book.choose(&start, false, &mut random).expect("a move");
        assert_ne!(start.uci(m, false), "a2a3");
        first += i32::from(start.uci(m, false) == "e2e4");
    }
    assert!((2850..3150).contains(&first), "{first} of {tries}");
    let best = book.choose(&start, true, &mut random).expect("a move");
    assert_eq!(start.uci(best, false), "e2e4");
    let unknown = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a legal FEN");
    assert_eq!(book.choose(&unknown, false, &mut random), None);
    assert!(Book::parse(&[0; 17]).is_err());
}

/// The Polyglot key counts an en passant square where a pawn attacks it, even if it is pinned and
/// may not capture; it is the same after the move as from a FEN.
#[test]
fn keys_count_pseudo_legal_en_passant() {
    let pinned = Position::from_fen("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1").expect("a legal FEN");
    assert_eq!(pinned.en_passant(), None);
    assert_eq!(freshet::book::key(&pinned), 0x2004_29d3_a5ab_9df1);
    let mut played = Position::from_fen("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1").expect("a legal FEN");
    played.play(played.parse_uci("d7d5").expect("a legal move"));
    assert_eq!(freshet::book::key(&played), freshet::book::key(&pinned));
}
