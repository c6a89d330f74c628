//! Laws of positions, moves and their notations.

use std::collections::BTreeSet;

use freshet::board::{
    Epd, GenType, IllegalMoveError, Move, MoveKind, MoveList, ParseMoveError, Position,
    ReplyCounter, see_value,
};
use freshet::chess::Role;
use freshet::score::Score;
use freshet::tools::perft::SuiteLine;
use freshet::tuning::data::Record;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _};

use super::assert_message;
use super::input::Input;

/// The most plies of a game: an input must end soon.
const PLIES: usize = 150;

/// Reads a text as a FEN. An accepted FEN is written and read again. A FEN that shakmaty accepts
/// unchanged must be accepted.
pub fn fen(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Position::from_fen(&text) {
        Ok(position) => {
            comes_back(&position);
            generates(&position);
            assert_eq!(text.parse(), Ok(position));
        }
        Err(error) => assert_message(error),
    }
    if let Ok(fen) = text.parse::<Fen>()
        && let Ok(chess) = Chess::from_setup(fen.into_setup(), CastlingMode::Chess960)
    {
        let position = Position::from_fen(&text).expect("shakmaty has accepted it");
        assert_eq!(position.to_shakmaty(), chess);
        let pseudo_legal = EnPassantMode::PseudoLegal;
        assert_eq!(position.pseudo_legal_en_passant(), chess.ep_square(pseudo_legal));
        assert_eq!(freshet::book::key(&position), chess.zobrist_hash::<Zobrist64>(pseudo_legal).0);
    }
}

/// A position without history comes back from every form in which it can be written.
pub fn comes_back(position: &Position) {
    assert!(position.is_consistent(), "{position}");
    let fen = position.fen();
    let again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!((again.fen(), again.key()), (fen, position.key()));
    assert_eq!(again, *position);
    assert_eq!(Position::from_setup(position.to_setup()).as_ref(), Ok(position));
    assert_eq!(Position::from_shakmaty(&position.to_shakmaty()), *position);
    let mirrored = position.mirrored();
    assert!(mirrored.is_consistent() && mirrored.key() != position.key(), "{position}");
    assert_eq!(mirrored.turn(), position.turn().other());
    assert_eq!(mirrored.count_moves(), position.count_moves(), "{position}");
    assert_eq!(mirrored.mirrored(), *position);
    assert_eq!(position.picture().lines().count(), 18);
    if position.occupied().count() <= 32 {
        let record = Record::new(position, Score::cp(17));
        let board = record.position().expect("a legal position").to_setup().board;
        assert_eq!(board, position.to_setup().board);
    }
}

/// Moves in the order of their bits.
fn sorted(moves: impl IntoIterator<Item = Move>) -> BTreeSet<u16> {
    moves.into_iter().map(Move::bits).collect()
}

/// The moves of a position equal shakmaty's, however they are generated, counted and tested.
fn generates(position: &Position) {
    let chess = position.to_shakmaty();
    let moves = position.moves();
    let legal = sorted(moves.iter().copied());
    assert_eq!(legal.len(), moves.len(), "a move twice: {position}");
    let theirs = chess.legal_moves();
    assert_eq!(legal, sorted(theirs.into_iter().filter_map(Move::from_shakmaty)), "{position}");
    assert_eq!(position.count_moves() as usize, moves.len(), "{position}");
    assert_eq!(position.checkers(), chess.checkers(), "{position}");
    let info = position.check_info();
    assert_eq!(info.checkers, chess.checkers(), "{position}");
    let of_type = |gen_type| {
        let mut list = MoveList::new();
        position.generate(&info, gen_type, &mut list);
        list
    };
    let (noisy, quiet) = (of_type(GenType::Noisy), of_type(GenType::Quiet));
    assert!(noisy.iter().all(|&m| position.is_noisy(m)), "{position}");
    assert!(!quiet.iter().any(|&m| position.is_noisy(m)), "{position}");
    assert_eq!(sorted(noisy.into_iter().chain(quiet)), legal, "{position}");
    for &m in &moves {
        let captured = position.captured_by(m).map_or(0, see_value);
        assert_eq!(position.captured_value(m), captured, "{m} in {position}");
        // These squares with any kind of move.
        for kind in 0..8 {
            if let Some(m) = Move::from_bits(m.bits() & 0xfff | kind << 12) {
                let is_legal = position.is_legal(m, &info);
                assert_eq!(is_legal, legal.contains(&m.bits()), "{m} {kind} in {position}");
            }
        }
    }
}

/// A move of any bits is legal if it is generated, and refused otherwise.
fn is_played_if_generated(position: &Position, m: Move) {
    let mut other = position.clone();
    let played = other.try_play(m);
    if position.moves().contains(&m) {
        assert_eq!((played, other.last_move()), (Ok(()), Some(m)), "{position}");
    } else {
        assert_eq!(played, Err(IllegalMoveError(m)), "{position}");
        assert_eq!(other, *position);
    }
}

/// Plays a game, each move chosen by a byte, with shakmaty alongside.
pub fn moves(bytes: &[u8]) {
    let mut input = Input(bytes);
    let mut position = input.start();
    comes_back(&position);
    let mut chess = position.to_shakmaty_pseudo_legal();
    let mut earlier: Vec<(Zobrist64, Position)> = Vec::new();
    loop {
        generates(&position);
        is_as_shakmaty_says(&position, &chess, &mut earlier);
        plays_and_undoes(&mut position, input.0.len());
        let bits = input.word();
        if let Some(m) = Move::from_bits(bits) {
            is_played_if_generated(&position, m);
        }
        let m = input.choose(&position);
        let Some(m) = m.filter(|_| !input.is_empty() && earlier.len() < PLIES) else { break };
        chess.play_unchecked(position.to_shakmaty_move(m));
        position.play(m);
        assert_eq!(position.last_move(), Some(m));
    }
    // Back to the start, over the same positions.
    for (_, before) in earlier.iter().rev() {
        assert_eq!(position, *before);
        position.undo();
    }
    let start = position.clone();
    position.undo();
    assert_eq!(position, start, "there is nothing before the start");
}

/// A position with history equals shakmaty's after the same moves, and is a draw if the rules say
/// so. Adds this position to the `earlier` ones.
fn is_as_shakmaty_says(
    position: &Position,
    chess: &Chess,
    earlier: &mut Vec<(Zobrist64, Position)>,
) {
    assert!(position.is_consistent(), "{position}");
    assert_eq!(position.to_shakmaty(), *chess);
    assert_eq!(position.fen(), Fen::from_position(chess, EnPassantMode::Legal).to_string());
    assert_eq!(position.fifty(), chess.halfmoves());
    assert_eq!(position.ply() as usize, earlier.len() + first_ply(position, earlier));
    let pseudo_legal = EnPassantMode::PseudoLegal;
    let polyglot: Zobrist64 = chess.zobrist_hash(pseudo_legal);
    assert_eq!(freshet::book::key(position), polyglot.0, "{position}");
    let key: Zobrist64 = chess.zobrist_hash(EnPassantMode::Legal);
    earlier.push((key, position.clone()));
    let times = earlier.iter().filter(|(earlier, _)| *earlier == key).count();
    assert_eq!(position.is_threefold(), times >= 3, "{position}");
    assert_eq!(position.is_repetition(1000), times >= 2, "{position}");
    assert_eq!(position.is_dead_material(), chess.is_insufficient_material(), "{position}");
    let is_fifty = chess.halfmoves() >= 100 && !chess.is_checkmate();
    assert_eq!(position.is_fifty_move_draw(), is_fifty, "{position}");
}

fn first_ply(position: &Position, earlier: &[(Zobrist64, Position)]) -> usize {
    earlier.first().map_or(position, |(_, first)| first).ply() as usize
}

/// Everything known of a move before it is played is right, and undoing it restores everything.
/// `number` chooses one of the moves after which the whole position is checked.
fn plays_and_undoes(position: &mut Position, number: usize) {
    let before = position.clone();
    let checks = before.check_squares();
    let moves = before.moves();
    for (index, &m) in moves.iter().enumerate() {
        let gives_check = before.gives_check(m, &checks);
        let mut replies = ReplyCounter::new(&before, before.turn().other());
        replies.add(&before, &[m]);
        exchanges(&before, m);
        let key = before.key_after(m);
        position.play(m);
        assert_eq!(gives_check, position.checkers().any(), "{m} in {before}");
        assert_eq!(replies.finish(), u64::from(position.count_moves()), "{m} in {before}");
        let is_plain = m.is_normal()
            && position.castling_rights() == before.castling_rights()
            && (before.en_passant(), position.en_passant()) == (None, None);
        assert!(!is_plain || key == position.key(), "{m} in {before}");
        if index == number % moves.len() {
            assert!(position.is_consistent(), "{m} in {before}");
        }
        position.undo();
        assert!(*position == before, "{m} in {before}");
        assert_eq!(position.piece_at(m.from()), before.piece_at(m.from()));
    }
    if before.checkers().is_empty() {
        position.play_null();
        assert!(position.is_consistent() && position.last_move().is_none(), "{before}");
        assert_eq!(position.turn(), before.turn().other());
        position.undo();
        assert_eq!(*position, before);
    }
}

/// A static exchange wins at most the captured piece and loses at most the moved one. If it wins an
/// amount, it wins any smaller amount too.
fn exchanges(position: &Position, m: Move) {
    let promoted = m.promotion().map_or(0, |role| see_value(role) - see_value(Role::Pawn));
    let most = position.captured_by(m).map_or(0, see_value) + promoted;
    let at_stake = m.promotion().unwrap_or(position.moved_by(m).role);
    let least = match m.kind() {
        MoveKind::Castle => 0,
        _ => most - see_value(at_stake),
    };
    assert!(position.see_ge(m, least) && !position.see_ge(m, most + 1), "{m} in {position}");
    let thresholds = [-950, -500, -320, -220, -100, 0, 1, 100, 220, 320, 500, 950];
    let wins = thresholds.map(|threshold| position.see_ge(m, threshold));
    assert!(wins.is_sorted_by(|less, more| less >= more), "{m} in {position}: {wins:?}");
}

/// The first line is a FEN, or nothing for the start; each other line is a move in either notation,
/// which is played if it is legal.
pub fn san(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let mut position = Position::from_fen(lines.next().unwrap_or_default()).unwrap_or_default();
    are_written_and_read(&position);
    for line in lines.take(PLIES) {
        let chess = position.to_shakmaty();
        let by_san = position.parse_san(line);
        let by_uci = position.parse_uci(line);
        if let Ok(san) = SanPlus::from_ascii(line.as_bytes()) {
            let theirs = san.san.to_move(&chess).ok().and_then(Move::from_shakmaty);
            assert_eq!(by_san.ok(), theirs, "{line} in {position}");
        }
        let theirs = UciMove::from_ascii(line.as_bytes()).ok();
        if let Some(theirs) = theirs.and_then(|uci| uci.to_move(&chess).ok()) {
            assert_eq!(by_uci.ok(), Move::from_shakmaty(theirs), "{line} in {position}");
        }
        assert_ne!(by_uci, Err(ParseMoveError::Ambiguous));
        for error in [by_san, by_uci].into_iter().filter_map(Result::err) {
            assert_message(error);
        }
        let Ok(m) = by_san.or(by_uci) else { continue };
        position.try_play(m).expect("a parser returns legal moves");
        if line.len() % 2 == 0 {
            are_written_and_read(&position);
        }
    }
}

/// Every legal move comes back from each notation, and no two are written alike.
fn are_written_and_read(position: &Position) {
    let moves = position.moves();
    let mut texts = BTreeSet::new();
    for &m in &moves {
        let san = position.san(m);
        assert_eq!(position.parse_san(&san), Ok(m), "{san} in {position}");
        for chess960 in [false, true] {
            let uci = position.uci(m, chess960);
            assert_eq!(position.parse_uci(&uci), Ok(m), "{uci} in {position}");
        }
        texts.insert(san);
    }
    assert_eq!(texts.len(), moves.len(), "{position}");
}

/// Reads a text as lines of EPD. Accepted lines are written and read again.
pub fn epd(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for (number, epd) in Epd::lines(&text).take(50) {
        assert!((1..=text.lines().count()).contains(&number));
        let Epd { position, operations } = match epd {
            Ok(epd) => epd,
            Err(error) => {
                assert_message(error);
                continue;
            }
        };
        assert!(position.is_consistent(), "{position}");
        let mut line = position.fen();
        for (opcode, operand) in &operations {
            assert!(!opcode.is_empty() && !opcode.contains(char::is_whitespace), "{opcode:?}");
            line.push_str(&format!(" {opcode} \"{operand}\";"));
        }
        let is_quoted =
            |(opcode, operand): &(String, String)| opcode.contains('"') || operand.contains('"');
        let again: Epd = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(again.position, position);
        if !operations.iter().any(is_quoted) {
            assert_eq!(again.operations, operations, "{line}");
        }
        match SuiteLine::try_from(again) {
            Ok(line) => assert!(line.counts.contains(&line.within(1000))),
            Err(error) => assert_message(error),
        }
    }
}
