//! Books: keys and moves of the Polyglot format, and books made of games.

use freshet::board::{Move, MoveKind, Position};
use freshet::book::build::{Builder, game_files};
use freshet::book::{Book, BookError, Entry, code, key};
use freshet::chess::{Role, Square};
use proptest::prelude::*;

use crate::support::{position, random, suite};

/// The moves of a book that has one entry for each of these codes.
fn moves_of_codes(position: &Position, codes: impl IntoIterator<Item = u16>) -> Vec<Move> {
    let key = key(position);
    let entries = codes.into_iter().map(|code| Entry { key, code, weight: 3 }).collect();
    let book = Book::parse(&Book::bytes(entries)).expect("our own book");
    book.moves(position).into_iter().map(|choice| choice.m).collect()
}

/// All legal moves come back from their codes, and no two share a code.
fn check_round_trip(position: &Position) {
    let mut all = position.moves().to_vec();
    let mut codes: Vec<u16> = all.iter().map(|&m| code(m)).collect();
    let mut moves = moves_of_codes(position, codes.iter().copied());
    moves.sort_by_key(|m| m.bits());
    all.sort_by_key(|m| m.bits());
    assert_eq!(moves, all, "{}", position.fen());
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), all.len(), "{}", position.fen());
}

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
        assert_eq!(key(&position(fen)), known, "{fen}");
    }
}

/// Castling, promotions and en passant captures come back from their codes.
#[test]
fn moves_come_back_from_their_codes() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ] {
        check_round_trip(&position(fen));
    }
    for line in suite("perft_chess960") {
        let fen = line.split(';').next().unwrap_or_default();
        check_round_trip(&position(fen));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// All moves of the positions of a random game come back from their codes.
    #[test]
    fn moves_of_games_come_back_from_their_codes(seed: u64) {
        let mut random = random(seed);
        crate::support::random_game(&mut random, Position::START, check_round_trip);
    }
}

/// The code of each promotion has the format's number, and is read back as that piece.
#[test]
fn promotions_have_the_numbers_of_the_format() {
    for (fen, from, to) in [
        ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", Square::A7, Square::A8),
        ("1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", Square::A7, Square::B8),
        ("4k3/8/8/8/8/8/7p/K7 b - - 0 1", Square::H2, Square::H1),
    ] {
        let position = position(fen);
        for (kind, number, role) in [
            (MoveKind::ToKnight, 1, Role::Knight),
            (MoveKind::ToBishop, 2, Role::Bishop),
            (MoveKind::ToRook, 3, Role::Rook),
            (MoveKind::ToQueen, 4, Role::Queen),
        ] {
            let m = Move::new(from, to, kind);
            let known = number << 12 | (from as u16) << 6 | to as u16;
            assert_eq!(code(m), known, "{fen} {m:?}");
            assert_eq!(moves_of_codes(&position, [known]), [m], "{fen} {m:?}");
            assert_eq!(m.promotion(), Some(role));
        }
        // Without a promotion, and with numbers that the format does not know.
        for number in [0, 5, 6, 7, 8, 15] {
            let unknown = number << 12 | (from as u16) << 6 | to as u16;
            assert_eq!(moves_of_codes(&position, [unknown]), [], "{fen} {number}");
        }
    }
}

/// Castling is written as king takes rook; the king's step is understood where it is unambiguous.
#[test]
fn castling_is_king_takes_rook() {
    let normal = "r3k2r/8/8/8/8/8/8/R3K2R";
    // King on b1: c1 is a normal king move, and castling on the other side goes to g1.
    let chess960 = "1k5r/8/8/8/8/8/8/RK4R1";
    for (fen, king, rook, step) in [
        (format!("{normal} w KQkq - 0 1"), Square::E1, Square::H1, Some(Square::G1)),
        (format!("{normal} w KQkq - 0 1"), Square::E1, Square::A1, Some(Square::C1)),
        (format!("{normal} b KQkq - 0 1"), Square::E8, Square::H8, Some(Square::G8)),
        (format!("{normal} b KQkq - 0 1"), Square::E8, Square::A8, Some(Square::C8)),
        (format!("{chess960} w AGh - 0 1"), Square::B1, Square::G1, Some(Square::G1)),
        (format!("{chess960} w AGh - 0 1"), Square::B1, Square::A1, None),
    ] {
        let position = position(&fen);
        let squares = |to: Square| (king as u16) << 6 | to as u16;
        let m = Move::new(king, rook, MoveKind::Castle);
        assert_eq!(code(m), squares(rook), "{fen}");
        assert_eq!(moves_of_codes(&position, [squares(rook)]), [m], "{fen}");
        if let Some(step) = step {
            assert_eq!(moves_of_codes(&position, [squares(step)]), [m], "{fen}");
        }
    }
    let normal_move = Move::new(Square::B1, Square::C1, MoveKind::Normal);
    let position = position(&format!("{chess960} w AGh - 0 1"));
    assert_eq!(moves_of_codes(&position, [code(normal_move)]), [normal_move]);
}

/// Moves are drawn as often as their weights say.
#[test]
fn weights_are_chances() {
    let start = Position::start();
    let entry = |text: &str, weight| {
        let m = start.parse_uci(text).expect("legal");
        Entry { key: key(&start), code: code(m), weight }
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
    let unknown = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(book.choose(&unknown, false, &mut random), None);
}

/// Weights that together do not fit into 32 bits.
#[test]
fn very_many_entries_of_a_position_are_drawn_from() {
    let start = Position::start();
    let m = start.moves()[0];
    let entry = Entry { key: key(&start), code: code(m), weight: u16::MAX };
    let book = Book::parse(&Book::bytes(vec![entry; 65_540])).expect("our own book");
    assert_eq!(book.choose(&start, false, &mut random(61)), Some(m));
}

#[test]
fn damaged_books_are_refused() {
    assert_eq!(Book::parse(&[0; 17]).err(), Some(BookError::PartialEntry { rest: 1 }));
    let mut bytes = [0; 32];
    bytes[0] = 1;
    assert_eq!(Book::parse(&bytes).err(), Some(BookError::Unsorted));
    let error = Book::open("/nowhere/book.bin".as_ref()).expect_err("no such file");
    assert!(error.to_string().starts_with("/nowhere/book.bin: "), "{error}");
}

/// Files without games are errors; files are known by extensions in any case.
#[test]
fn books_are_made_of_files_with_games() {
    let folder = std::env::temp_dir().join(format!("freshet-book-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    assert!(game_files(&folder).is_err(), "an empty folder");
    let games = write("games.PGN", "[White \"A\"]\n\n1. e4 e5 1-0\n\n1. d4 d5 1/2-1/2\n");
    write("table.tsv", "eco\tname\tpgn\nA00\tName\t1. e4 c5\n");
    let empty = write("notes.txt", "\n");
    let mut builder = Builder::default();
    assert_eq!(game_files(&folder).expect("two files").len(), 2);
    for file in game_files(&folder).expect("two files") {
        builder.add_file(&file, &mut |_| {}).expect("games");
    }
    assert_eq!((builder.games, builder.refused), (3, 0));
    let book = Book::parse(&builder.book()).expect("our own book");
    // 1. e4 won once and drew once: three half points. 1. d4 drew once: one.
    let weights: Vec<u16> =
        book.moves(&Position::start()).into_iter().map(|choice| choice.weight).collect();
    assert_eq!(weights, [3, 1]);
    let error = Builder::default().add_file(&empty, &mut |_| {}).expect_err("no games");
    assert_eq!(error.to_string(), format!("{}: no games", empty.display()));
    assert_eq!(game_files(&games).expect("itself"), [games]);
    std::fs::remove_dir_all(&folder).expect("our own folder");
}

/// The Polyglot key includes an en passant square if a pawn attacks it, even if that pawn is pinned
/// and may not capture. The key after the move equals that from a FEN.
#[test]
fn keys_count_pseudo_legal_en_passant() {
    let pinned = Position::from_fen("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1").expect("a legal FEN");
    assert_eq!(pinned.en_passant(), None);
    assert_eq!(freshet::book::key(&pinned), 0x2004_29d3_a5ab_9df1);
    let mut played = Position::from_fen("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1").expect("a legal FEN");
    played.play(played.parse_uci("d7d5").expect("a legal move"));
    assert_eq!(freshet::book::key(&played), freshet::book::key(&pinned));
}
