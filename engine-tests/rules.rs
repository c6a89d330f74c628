//! The rules of chess: properties checked in random games, most of them against shakmaty, and
//! single cases.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use freshet::board::{
    GenType, IllegalMoveError, Move, MoveKind, MoveList, ParseMoveError, Position, PositionError,
    ReplyCounter,
};
use freshet::chess::{Bitboard, Color, File, Role, Square};
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::support::{Game, any_game, any_square, cases, position, random, random_game, suite};

/// Positions from which games start: those of the suites of Chess960 and of tricky positions, and
/// as often the usual start position.
static STARTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let fen = |line: String| line.split(';').next().unwrap_or_default().trim().to_string();
    let suites = suite("perft_chess960").into_iter().chain(suite("perft_tricky")).map(fen);
    let mut starts: Vec<String> = suites.collect();
    starts.extend(vec![Position::START.to_string(); starts.len()]);
    starts
});

/// Positions with few pieces, in which games repeat positions.
static ENDINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    [
        "k7/8/8/8/8/8/8/6RK w - - 0 1",
        "k7/p7/8/8/8/8/P7/K7 w - - 0 1",
        "8/8/8/8/8/k7/p7/K6N w - - 0 1",
    ]
    .map(str::to_string)
    .to_vec()
});

/// Games from any start.
fn games(plies: usize) -> impl Strategy<Value = Game> {
    any_game(&STARTS, plies)
}

/// The last positions of games.
fn positions() -> impl Strategy<Value = Game> {
    games(80)
}

fn moves_of_type(position: &Position, gen_type: GenType) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(&position.check_info(), gen_type, &mut list);
    list.into_iter().collect()
}

/// Moves as a set, to be compared in any order.
fn sorted(moves: impl IntoIterator<Item = Move>) -> BTreeSet<u16> {
    moves.into_iter().map(Move::bits).collect()
}

/// Two squares that differ.
fn two_squares() -> impl Strategy<Value = (Square, Square)> {
    (any_square(), any_square()).prop_filter("squares differ", |(from, to)| from != to)
}

fn any_kind() -> impl Strategy<Value = MoveKind> {
    proptest::sample::select(vec![
        MoveKind::Normal,
        MoveKind::Castle,
        MoveKind::EnPassant,
        MoveKind::ToKnight,
        MoveKind::ToBishop,
        MoveKind::ToRook,
        MoveKind::ToQueen,
    ])
}

// Moves survive conversion to and from their values.
proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn moves_keep_their_parts((from, to) in two_squares(), kind in any_kind()) {
        let m = Move::new(from, to, kind);
        assert_eq!((m.from(), m.to(), m.kind()), (from, to, kind));
        assert_eq!(Move::from_bits(m.bits()), Some(m));
        assert_eq!(m.is_normal(), kind == MoveKind::Normal);
    }

    #[test]
    fn promotions_keep_their_role((from, to) in two_squares(), kind in any_kind()) {
        let promotion = Move::new(from, to, kind).promotion();
        if !matches!(kind, MoveKind::Castle | MoveKind::EnPassant) {
            assert_eq!(MoveKind::of_promotion(promotion), Some(kind));
        } else {
            assert_eq!(promotion, None);
        }
    }

    #[test]
    fn bits_are_a_move_or_none(bits in any::<u16>()) {
        if let Some(m) = Move::from_bits(bits) {
            assert_eq!(m.bits(), bits);
            assert_ne!(m.from(), m.to());
        }
    }
}

#[test]
fn a_move_or_none_takes_two_bytes() {
    assert_eq!(size_of::<Option<Move>>(), 2);
    assert_eq!(MoveKind::of_promotion(Some(Role::King)), None);
}

// Every position of a game.
proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn moves_are_those_of_shakmaty(game in games(160)) {
        for position in game.positions() {
            let chess: Chess = position.to_shakmaty();
            let theirs = chess.legal_moves().into_iter().filter_map(Move::from_shakmaty);
            assert_eq!(sorted(position.moves()), sorted(theirs), "{position}");
            for m in position.moves() {
                assert!(chess.is_legal(position.to_shakmaty_move(m)), "{m} in {position}");
            }
        }
    }

    #[test]
    fn attacked_squares_shorten_exchanges_but_change_none(game in games(160)) {
        for position in game.positions() {
            let danger = position.check_info().attacked;
            for m in position.moves() {
                for threshold in [-950, -100, -1, 0, 1, 100, 101, 320, 321, 500, 950, 951] {
                    let short = position.see_ge_in(m, threshold, danger);
                    assert_eq!(short, position.see_ge(m, threshold), "{m} in {position}");
                }
            }
        }
    }

    #[test]
    fn moves_are_counted_as_they_are_listed(game in games(160)) {
        for mut position in game.positions() {
            let moves = position.moves();
            assert_eq!(position.count_moves() as usize, moves.len(), "{position}");
            let them = position.turn().other();
            let [mut replies, mut positions] = [(); 2].map(|()| ReplyCounter::new(&position, them));
            replies.add(&position, &moves);
            let mut listed = 0;
            for m in moves {
                position.play(m);
                positions.add_position(&position);
                listed += position.moves().len() as u64;
                position.undo();
            }
            assert_eq!([replies.finish(), positions.finish()], [listed; 2], "{position}");
        }
    }

    #[test]
    fn checks_are_those_of_shakmaty(game in games(160)) {
        for position in game.positions() {
            let checkers = position.to_shakmaty().checkers();
            assert_eq!(position.checkers(), checkers, "{position}");
            assert_eq!(position.check_info().checkers, checkers, "{position}");
            assert_eq!(position.check_info().in_check(), checkers.any());
        }
    }

    #[test]
    fn moves_that_give_check_are_known_before(game in games(160)) {
        for mut position in game.positions() {
            let checks = position.check_squares();
            for m in position.moves() {
                let gives_check = position.gives_check(m, &checks);
                position.play(m);
                assert_eq!(gives_check, position.checkers().any(), "{m} to {position}");
                position.undo();
            }
        }
    }

    #[test]
    fn squares_attacked_by_lower_values_are_those_of_shakmaty(game in games(160)) {
        for position in game.positions() {
            let chess = position.to_shakmaty();
            let (board, them) = (chess.board(), !chess.turn());
            let attacked_by = |roles: &[Role]| {
                let pieces = roles.iter().flat_map(|&role| board.by_piece(role.of(them)));
                pieces.fold(Bitboard::EMPTY, |all, square| all | board.attacks_from(square))
            };
            let attacked = position.attacked_by_lower_value();
            let minor = [Role::Pawn, Role::Knight, Role::Bishop];
            assert_eq!(attacked[Role::Pawn as usize], Bitboard::EMPTY);
            assert_eq!(attacked[Role::King as usize], Bitboard::EMPTY);
            for role in [Role::Knight, Role::Bishop] {
                assert_eq!(attacked[role as usize], attacked_by(&minor[..1]), "{position}");
            }
            assert_eq!(attacked[Role::Rook as usize], attacked_by(&minor), "{position}");
            let to_rook = attacked_by(&minor) | attacked_by(&[Role::Rook]);
            assert_eq!(attacked[Role::Queen as usize], to_rook, "{position}");
        }
    }

    #[test]
    fn fens_are_those_of_shakmaty(game in games(160)) {
        let mut chess: Chess = position(&game.start).to_shakmaty();
        for position in game.positions() {
            if let Some(m) = position.last_move() {
                let uci: shakmaty::uci::UciMove = m.to_string().parse().expect("a move");
                chess.play_unchecked(uci.to_move(&chess).expect("a legal move"));
            }
            let fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
            assert_eq!(position.fen(), fen);
        }
    }

    #[test]
    fn insufficient_material_is_that_of_shakmaty(game in any_game(&ENDINGS, 60)) {
        for position in game.positions() {
            let dead = position.to_shakmaty().is_insufficient_material();
            assert_eq!(position.is_dead_material(), dead, "{position}");
        }
    }

    #[test]
    fn repetitions_are_counted(game in any_game(&ENDINGS, 120)) {
        let mut keys: Vec<Zobrist64> = Vec::new();
        for position in game.positions() {
            let key = position.to_shakmaty().zobrist_hash(EnPassantMode::Legal);
            keys.push(key);
            let times = keys.iter().filter(|&&earlier| earlier == key).count();
            assert_eq!(position.is_threefold(), times >= 3, "{position}");
            assert_eq!(position.is_repetition(1000), times >= 2, "{position}");
        }
    }

    #[test]
    fn a_repetition_since_the_last_capture_is_found(game in any_game(&ENDINGS, 120)) {
        let mut seen: Vec<u64> = Vec::new();
        for position in game.positions() {
            if position.fifty() == 0 {
                seen.clear();
            }
            seen.push(position.key());
            let different: BTreeSet<u64> = seen.iter().copied().collect();
            assert_eq!(position.has_repeated(), different.len() < seen.len(), "{position}");
        }
    }

    #[test]
    fn all_parts_stay_consistent(game in games(160)) {
        for position in game.positions() {
            assert!(position.is_consistent(), "{position}");
        }
    }

    #[test]
    fn undo_restores_everything(game in games(80)) {
        for before in game.positions() {
            let mut position = before.clone();
            for m in before.moves() {
                position.play(m);
                assert_ne!(position, before);
                position.undo();
                assert_eq!(position, before, "{m} in {before}");
            }
        }
    }

    #[test]
    fn undo_goes_back_to_the_start(game in games(160)) {
        let mut position = game.end();
        game.moves.iter().for_each(|_| position.undo());
        assert_eq!(position, self::position(&game.start));
        // Another undo at the start changes nothing.
        position.undo();
        assert_eq!(position, self::position(&game.start));
    }

    #[test]
    fn null_moves_can_be_undone(game in games(80)) {
        for before in game.positions().filter(|position| position.checkers().is_empty()) {
            let mut position = before.clone();
            position.play_null();
            assert!(position.is_consistent(), "{before}");
            assert_eq!(position.turn(), before.turn().other());
            assert_eq!(position.last_move(), None);
            position.undo();
            assert_eq!(position, before);
        }
    }
}

// The last position of a game.
proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn all_but_legal_moves_are_refused(game in positions()) {
        let before = game.end();
        let legal = sorted(before.moves());
        let mut position = before.clone();
        for m in (0..=u16::MAX).filter_map(Move::from_bits) {
            if legal.contains(&m.bits()) {
                assert_eq!(position.try_play(m), Ok(()), "{m} in {before}");
                position.undo();
            } else {
                assert_eq!(position.try_play(m), Err(IllegalMoveError(m)), "{m} in {before}");
            }
        }
        assert_eq!(position, before);
    }

    #[test]
    fn noisy_and_quiet_moves_make_all_moves(game in positions()) {
        let position = game.end();
        let noisy = moves_of_type(&position, GenType::Noisy);
        let quiet = moves_of_type(&position, GenType::Quiet);
        let all = moves_of_type(&position, GenType::All);
        assert_eq!(noisy.len() + quiet.len(), all.len());
        assert!(noisy.iter().all(|&m| position.is_noisy(m)));
        assert!(!quiet.iter().any(|&m| position.is_noisy(m)));
        assert_eq!(sorted(noisy.into_iter().chain(quiet)), sorted(all));
    }

    #[test]
    fn fens_are_read_as_they_are_written(game in positions()) {
        let position = game.end();
        let again: Position = position.to_string().parse().expect("a legal FEN");
        assert_eq!(again.to_string(), position.to_string());
        assert_eq!(again.keys(), position.keys());
        assert_eq!(again.picture(), position.picture());
        assert_eq!(again.ply(), position.ply());
        assert_eq!(again.fifty(), position.fifty());
        assert_eq!(Position::from_setup(position.to_setup()).as_ref(), Ok(&again));
    }

    #[test]
    fn uci_is_read_as_it_is_written(game in positions()) {
        let position = game.end();
        for m in position.moves() {
            assert_eq!(position.uci(m, true), m.to_string());
            assert_eq!(position.parse_uci(&m.to_string()), Ok(m), "{m} in {position}");
            if game.start == Position::START {
                assert_eq!(position.parse_uci(&position.uci(m, false)), Ok(m), "{m}");
            }
        }
    }

    #[test]
    fn uci_is_that_of_shakmaty(game in positions()) {
        let position = game.end();
        for m in position.moves() {
            let theirs = position.to_shakmaty_move(m);
            let uci = |mode| theirs.to_uci(mode).to_string();
            assert_eq!(position.uci(m, true), uci(CastlingMode::Chess960));
            // From squares other than e1 and a1 or h1, a king move would be ambiguous.
            let standard = [Square::E1, Square::E8].contains(&m.from())
                && [File::A, File::H].contains(&m.to().file());
            if m.kind() != MoveKind::Castle || standard {
                assert_eq!(position.uci(m, false), uci(CastlingMode::Standard));
            } else {
                assert_eq!(position.uci(m, false), uci(CastlingMode::Chess960));
            }
            assert_eq!(Move::from_shakmaty(theirs), Some(m));
        }
    }

    #[test]
    fn san_is_read_as_it_is_written(game in positions()) {
        let position = game.end();
        for m in position.moves() {
            let san = position.san(m);
            assert_eq!(position.parse_san(&san), Ok(m), "{san} in {position}");
        }
    }

    #[test]
    fn the_mirrored_position_is_the_same_for_the_other_side(game in positions()) {
        let position = game.end();
        let mirrored = position.mirrored();
        assert_eq!(mirrored.turn(), position.turn().other());
        assert_eq!(mirrored.count_moves(), position.count_moves());
        for color in Color::ALL {
            assert_eq!(mirrored.of(color), position.of(color.other()).flip_vertical());
        }
        assert_eq!(mirrored.mirrored().to_setup(), position.to_setup());
    }
}

#[test]
fn castling_is_written_and_read_both_ways() {
    let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let short = Move::new(Square::E1, Square::H1, MoveKind::Castle);
    assert_eq!(position.parse_uci("e1g1"), Ok(short));
    assert_eq!(position.parse_uci("e1h1"), Ok(short));
    assert_eq!(position.uci(short, false), "e1g1");
    assert_eq!(position.uci(short, true), "e1h1");
    assert_eq!(position.san(short), "O-O");
}

#[test]
fn castling_by_one_step_is_never_ambiguous() {
    // In Chess960 a king may castle by one step or none. Writing it as king takes rook is
    // unambiguous.
    let position = position("4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    let castling = position.parse_uci("f1g1").expect("castling");
    assert_eq!(castling.kind(), MoveKind::Castle);
}

/// Moves after which more than one square is different: rare in random games.
#[test]
fn special_moves_that_give_check() {
    for (fen, uci, gives_check) in [
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", true),
        ("6k1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", false),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", true),
        // Along the first rank, over the square that the king leaves.
        ("8/8/8/8/8/8/8/R3K2k w Q - 0 1", "e1c1", true),
        ("8/8/8/8/8/8/8/k3K2R w K - 0 1", "e1g1", true),
        ("8/8/8/8/8/8/8/kn2K2R w K - 0 1", "e1g1", false),
        // En passant: by the pawn, over both squares that are left, over that of the captured pawn.
        ("8/3k4/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", true),
        ("8/8/8/R1pP3k/8/8/8/4K3 w - c6 0 1", "d5c6", true),
        ("5k2/8/8/2pP4/8/B7/8/4K3 w - c6 0 1", "d5c6", true),
        ("2k5/8/8/2pP4/8/8/8/2R1K3 w - c6 0 1", "d5c6", false),
        // Promotions, one of them over the square that the pawn leaves.
        ("7k/3P4/8/8/8/8/8/4K3 w - - 0 1", "d7d8b", false),
        ("7k/3P4/8/8/8/8/8/4K3 w - - 0 1", "d7d8r", true),
        ("8/3P4/8/6k1/8/8/8/4K3 w - - 0 1", "d7d8b", true),
        ("8/3P1k2/8/8/8/8/8/4K3 w - - 0 1", "d7d8n", true),
        ("8/3P1k2/8/8/8/8/8/4K3 w - - 0 1", "d7d8q", false),
        ("8/k2P3R/8/8/8/8/8/4K3 w - - 0 1", "d7d8n", true),
    ] {
        let position = position(fen);
        let m = position.parse_uci(uci).expect("a legal move");
        assert_eq!(position.gives_check(m, &position.check_squares()), gives_check, "{fen} {uci}");
    }
}

#[test]
fn texts_that_are_no_moves_are_refused_with_a_reason() {
    let position = Position::start();
    for text in ["", "e2", "e2e9", "E2E4", "e2e4e5", "♙e4"] {
        assert_eq!(position.parse_uci(text), Err(ParseMoveError::Syntax), "{text}");
    }
    for text in ["0000", "e2e5", "e7e5", "e2e4q", "a3a4"] {
        assert_eq!(position.parse_uci(text), Err(ParseMoveError::Illegal), "{text}");
    }
    for text in ["", "e", "Zf3", "e4 e5", "♘f3"] {
        assert_eq!(position.parse_san(text), Err(ParseMoveError::Syntax), "{text}");
    }
    for text in ["e5", "O-O", "--", "Ne2", "exd5"] {
        assert_eq!(position.parse_san(text), Err(ParseMoveError::Illegal), "{text}");
    }
}

#[test]
fn ambiguous_san_is_refused() {
    let position = position("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1");
    assert_eq!(position.parse_san("Ne2"), Err(ParseMoveError::Ambiguous));
    assert!(position.parse_san("Nge2").is_ok());
}

#[test]
fn the_default_position_is_the_start() {
    assert_eq!(Position::default(), Position::start());
    assert_eq!(Position::start(), position(Position::START));
}

#[test]
fn lenient_fens_are_accepted() {
    let accepted = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", Position::START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0", Position::START),
        ("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w  KQkq\t-  0  1 ", Position::START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - zero one", Position::START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", Position::START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_zero_one", Position::START),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        // An en passant square that no pawn can use is not part of the position.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        ("QQQQQQQQ/QQ6/8/8/8/8/8/k1K5 b - - 0 1", "QQQQQQQQ/QQ6/8/8/8/8/8/k1K5 b - - 0 1"),
    ];
    for (text, fen) in accepted {
        let position = position(text);
        assert_eq!(position.fen(), fen);
        assert!(position.is_consistent());
    }
}

#[test]
fn fens_are_refused_with_a_reason() {
    use shakmaty::fen::ParseFenError;
    let refused = [
        ("", PositionError::Syntax(ParseFenError::InvalidFen)),
        ("hello world", PositionError::Syntax(ParseFenError::InvalidBoard)),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", PositionError::Syntax(ParseFenError::InvalidTurn)),
        ("8/8/8/8/8/8/8/8 w - - 0 1", PositionError::EmptyBoard),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", PositionError::MissingKing),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", PositionError::TooManyKings),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", PositionError::PawnsOnBackRank),
        ("k7/8/8/8/8/8/8/RK6 w - - 0 1", PositionError::OppositeCheck),
        ("k7/8/8/8/8/8/8/1K6 w - - 0 1 b1b2", PositionError::StrayWord("b1b2".to_string())),
        ("k7/8/8/8/8/8/8/1K6 w - - b1b2", PositionError::StrayWord("b1b2".to_string())),
        ("k7/8/8/8/8/8/8/1K6 w - - 0 1 Kb2 e5", PositionError::StrayWord("Kb2".to_string())),
        ("k7/8/8/8/8/8/8/1K6[Q] w - - 0 1", PositionError::Variant),
        ("k7/8/8/8/8/8/8/1K6 w - - 3+3 0 1", PositionError::Variant),
    ];
    for (text, reason) in refused {
        let error = Position::from_fen(text).expect_err(text);
        assert_eq!(error, reason, "{text}");
        assert!(!error.to_string().contains('\n'));
    }
}

#[test]
fn knights_that_go_back_and_forth_repeat_the_position() {
    let mut position = Position::start();
    for (ply, text) in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(8).enumerate() {
        assert!(!position.is_threefold(), "after {ply} plies");
        assert_eq!(position.is_repetition(1000), ply >= 4, "after {ply} plies");
        let m = position.parse_uci(text).expect("a legal move");
        assert_eq!(position.try_play(m), Ok(()));
    }
    assert!(position.is_threefold());
}

#[test]
fn draws_by_the_rules() {
    let is_draw = |fen| position(fen).is_draw(0);
    assert!(is_draw("8/8/8/8/8/8/k7/7K w - - 0 1"));
    assert!(is_draw("8/8/8/8/8/8/k7/6NK w - - 0 1"));
    assert!(is_draw("8/8/8/8/8/8/k2b4/2B4K w - - 0 1"));
    assert!(!is_draw("8/8/8/8/8/8/k3b3/2B4K w - - 0 1"));
    assert!(!is_draw("8/8/8/8/8/8/k4n2/6NK w - - 0 1"));
    assert!(is_draw("8/8/8/8/8/4P3/k7/7K w - - 100 90"));
    assert!(!is_draw("8/8/8/8/8/4P3/k7/7K w - - 99 90"));
    // Mate with the hundredth half move counts before the draw.
    assert!(!is_draw("R5k1/5ppp/8/8/8/8/8/7K b - - 100 90"));
}

#[test]
fn see_of_known_exchanges() {
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
        // The pawn taken en passant stood between the rook and the exchange.
        ("6k1/2p5/8/3pP3/8/8/8/3R2K1 w - d6 0 1", "e5d6", 100),
        // The king captures last, and only undefended pieces.
        ("8/8/3k4/3p4/8/3R4/8/3RK3 w - - 0 1", "d3d5", 100),
        ("8/8/3k4/3p4/8/3R4/8/4K3 w - - 0 1", "d3d5", -400),
    ];
    for (fen, text, value) in cases {
        let position = position(fen);
        let m = position.parse_uci(text).expect("a legal move");
        assert!(position.see_ge(m, value), "SEE of {text} in {fen} is at least {value}");
        assert!(!position.see_ge(m, value + 1), "SEE of {text} in {fen} is at most {value}");
    }
}

/// Castling from non-standard squares is written as king takes rook even without Chess960. As a
/// king move it might be no move at all, or a different one.
#[test]
fn castling_from_other_squares_is_king_takes_rook() {
    let position = position("4k3/8/8/8/8/8/8/R1K5 w A - 0 1");
    let castling = position.moves().into_iter().find(|m| m.kind() == MoveKind::Castle);
    let castling = castling.expect("castling is legal");
    assert_eq!(position.uci(castling, false), "c1a1");
    assert_eq!(position.parse_uci("c1a1"), Ok(castling));
}

/// Ply counters stop before they overflow into the fields packed beside them.
#[test]
fn very_long_games_overflow_nothing() {
    let mut position = position("4k2r/8/8/8/8/8/8/4K1N1 b k - 9999 1");
    let moves = ["e8d8", "g1f3", "d8e8", "f3g1"];
    for text in moves.iter().cycle().take(140_000) {
        position.play(position.parse_uci(text).expect("a legal move"));
        assert_eq!(position.castling_rights(), 0, "after {} plies", position.ply());
        assert!(position.fifty() > 9999, "after {} plies", position.ply());
    }
    assert!(position.is_consistent());
    assert!(position.is_threefold());
}

/// Of two pawns that could capture en passant, one is pinned.
#[test]
fn a_pinned_pawn_does_not_capture_en_passant() {
    let position = position("4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
    let info = position.check_info();
    let capture = |from| Move::new(from, Square::D6, MoveKind::EnPassant);
    assert!(position.is_legal(capture(Square::C5), &info));
    assert!(!position.is_legal(capture(Square::E5), &info));
}

/// The prefetched key is the key of the position after the move.
#[test]
fn keys_are_known_before_a_move() {
    let mut random = random(37);
    let (mut captures, mut quiets) = (0, 0);
    for _ in 0..20 {
        random_game(&mut random, Position::START, |position| {
            for m in position.moves() {
                let mut after = position.clone();
                after.play(m);
                let rights = position.castling_rights() == after.castling_rights();
                let en_passant = position.en_passant().or(after.en_passant());
                if m.is_normal() && rights && en_passant.is_none() {
                    assert_eq!(position.key_after(m), after.key(), "{m} in {position}");
                    let count = if position.is_noisy(m) { &mut captures } else { &mut quiets };
                    *count += 1;
                }
            }
        });
    }
    assert!(captures > 1000 && quiets > 10_000, "{captures} {quiets}");
}

/// The fifty-move rule ends the game after a hundred half moves, in check as well, unless the last
/// of them has mated.
#[test]
fn the_fifty_move_rule_spares_a_mate() {
    for (fen, draw) in [
        ("7k/8/8/8/8/8/R7/K7 b - - 99 80", false),
        ("7k/8/8/8/8/8/R7/K7 b - - 100 80", true),
        ("R6k/8/8/8/8/8/8/K7 b - - 100 80", true),
        ("R6k/8/7K/8/8/8/8/8 b - - 100 80", false),
    ] {
        let position = Position::from_fen(fen).expect("a legal position");
        assert_eq!(position.is_fifty_move_draw(), draw, "{fen}");
    }
}
