//! Large corpora of bad and of extreme input, made by rules from a seed: malformed FENs, and the
//! positions that strain sizes and counters.

use freshet::board::{Position, PositionError};
use freshet::chess::{Color, Piece, Role, Square};
use freshet::eval::evaluate;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::support::{position, random, suite};

/// FENs that people and programs have been seen to get wrong, one fault each.
const BY_HAND: [&str; 40] = [
    "",
    " ",
    "w",
    "-",
    "8",
    "/",
    "////////",
    "8/8/8/8/8/8/8/8",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/8/K7 w - - 0 1",
    "8/8/8/8/8/8/8/K7 b - - 0 1",
    "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
    "k7/8/8/8/8/8/8/KK6 w - - 0 1",
    "kK6/8/8/8/8/8/8/8 w - - 0 1",
    "k6P/8/8/8/8/8/8/K7 w - - 0 1",
    "k7/8/8/8/8/8/8/K6p b - - 0 1",
    "k7/8/8/8/8/8/8/RK6 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1",
    "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/0/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/44/35/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1",
    "rnbqkbnr\\pppppppp\\8\\8\\8\\8\\PPPPPPPP\\RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqKQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w xyz - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 -1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999999999999999999 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4294967295 4294967295",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0.5 1e3",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR,w,KQkq,-,0,1",
    "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
    "♜♞♝♛♚♝♞♜/♟♟♟♟♟♟♟♟/8/8/8/8/♙♙♙♙♙♙♙♙/♖♘♗♕♔♗♘♖ w KQkq - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/kQK5 b - - 0 1",
    "kqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqK w KQkq a3 0 1",
];

/// Positions that are extreme but legal, or that the rules of the game cannot reach but that can be
/// played from: the most moves, the most queens, counters at and beyond the fifty-move rule.
pub const EXTREME: [&str; 17] = [
    // 218 moves, the most of any known position of a game (Petrović 1964).
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    // More moves than any game allows: 270.
    "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    // The least: one legal move, and a board where nothing can move but kings.
    "k7/8/8/8/8/8/1r6/K7 w - - 0 1",
    "8/k7/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/K7 w - - 99 200",
    // Nine queens each, with their rooks, bishops and knights.
    "rqqnkqbr/qqqqqb1n/8/8/8/8/QQQQQB1N/RQQNKQBR w - - 0 40",
    "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ b - - 3 60",
    "QQQQQQQQ/Q7/8/8/8/8/8/k1K5 b - - 0 1",
    // Ten of a kind.
    "4k3/nnnnnnnn/n6n/8/8/N6N/NNNNNNNN/4K3 w - - 0 1",
    "4k3/bbbbbbbb/b6b/8/8/B6B/BBBBBBBB/4K3 b - - 0 1",
    "r3k2r/rrrrrrrr/8/8/8/8/RRRRRRRR/R3K2R w KQkq - 0 1",
    // The fifty-move rule: one ply before it, on it, beyond it.
    "4k3/8/8/8/8/8/4P3/4K2R w K - 99 120",
    "4k3/8/8/8/8/8/4P3/4K2R w K - 100 120",
    "r3k3/8/8/8/8/8/8/4K2R b Kq - 150 5898",
    "7k/8/6K1/8/8/8/8/R7 w - - 99 90",
    "8/8/8/4k3/8/8/8/4K3 w - - 10000 100000",
    // Eight pawns that promote.
    "nnnn2k1/PPPP4/8/8/8/8/4pppp/1K2NNNN w - - 0 1",
];

/// What a mutation puts into a FEN.
const PARTS: [&str; 24] = [
    "/",
    "//",
    "8",
    "9",
    "0",
    "k",
    "K",
    "p",
    "P",
    "-",
    "w",
    "b",
    "KQkq",
    "HAha",
    "e3",
    "e6",
    "z9",
    "99999999999999999999",
    "-7",
    " ",
    "\t",
    "é",
    "♔",
    "\u{0}",
];

/// A seeded stream of malformed FENs: those by hand, and then mutants of legal ones. A mutant may
/// still be a FEN.
pub fn malformed(seed: u64) -> impl Iterator<Item = String> {
    let fen = |line: String| line.split(';').next().unwrap_or_default().trim().to_string();
    let mut seeds: Vec<String> = suite("perft_tricky").into_iter().map(fen).collect();
    seeds.extend(suite("perft_chess960").into_iter().map(fen));
    seeds.extend(EXTREME.map(str::to_string));
    seeds.push(Position::START.to_string());
    let mut random = random(seed);
    let mutants = std::iter::repeat_with(move || {
        let mut text = seeds.choose(&mut random).expect("a FEN").clone();
        for _ in 0..random.random_range(1..4) {
            text = mutated(&text, &mut random);
        }
        text
    });
    BY_HAND.into_iter().map(str::to_string).chain(mutants)
}

/// The text after one mutation.
fn mutated(text: &str, random: &mut Xoshiro256PlusPlus) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let at = random.random_range(0..=letters.len());
    let part = *PARTS.choose(random).expect("a part");
    match random.random_range(0..10) {
        0 => letters.truncate(at),
        1 if at < letters.len() => drop(letters.remove(at)),
        2 => drop(letters.splice(at..at, part.chars())),
        3 if at < letters.len() => drop(letters.splice(at..=at, part.chars())),
        4 => letters.rotate_left(at),
        5 if at < letters.len() => {
            let code = random.random_range(1..0x250);
            letters[at] = char::from_u32(code).filter(|c| !c.is_control()).unwrap_or('?');
        }
        6 => return text[..text.len().min(200)].repeat(random.random_range(2..12)),
        // Whole fields: one less, one twice, one that is another's, one that is nonsense.
        kind => {
            let (one, other) = (random.next_u32() as usize, random.next_u32() as usize);
            let (one, other) = (one % fields.len(), other % fields.len());
            match kind {
                7 => drop(fields.remove(one)),
                8 => fields.insert(one, fields[other]),
                _ if random.random() => fields.swap(one, other),
                _ => fields[one] = part,
            }
            return fields.join(" ");
        }
    }
    letters.into_iter().collect()
}

/// The pieces of the first field of a FEN, read here by its definition; `None` if it is none.
fn pieces(field: &str) -> Option<Vec<(Square, Piece)>> {
    let mut pieces = Vec::new();
    let ranks: Vec<&str> = field.split('/').collect();
    for (row, rank) in ranks.iter().enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(empty @ 1..=8) => file += empty,
                _ => {
                    let index = 7u32.checked_sub(row as u32)? * 8 + file;
                    pieces.push((Square::try_from(index).ok()?, Piece::from_char(letter)?));
                    file += 1;
                }
            }
        }
        (file == 8).then_some(())?;
    }
    (ranks.len() == 8).then_some(pieces)
}

/// Checks what is read from a text that may be no FEN: either a reason of one line, or a position
/// that has the pieces and the side to move of the text and can be played.
pub fn check_reading(text: &str) -> Result<Position, PositionError> {
    let position = Position::from_fen(text).inspect_err(|error| {
        let reason = error.to_string();
        assert!(!reason.is_empty() && !reason.contains('\n'), "{text:?}: {reason:?}");
    })?;
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let mut declared = pieces(fields[0]).unwrap_or_else(|| panic!("{text:?} is no board"));
    let mut present: Vec<(Square, Piece)> = (position.occupied().into_iter())
        .filter_map(|square| Some((square, position.piece_at(square)?)))
        .collect();
    declared.sort_by_key(|&(square, _)| square);
    present.sort_by_key(|&(square, _)| square);
    assert_eq!(present, declared, "{text:?}");
    let turn = if fields.get(1) == Some(&"b") { Color::Black } else { Color::White };
    assert!(position.turn() == turn && matches!(fields.get(1), None | Some(&"w" | &"b")), "{text}");
    for color in Color::ALL {
        let kings = |&&(_, piece): &&(Square, Piece)| piece == Piece { color, role: Role::King };
        assert_eq!(present.iter().filter(kings).count(), 1, "{text:?}");
    }
    assert!(position.is_consistent(), "{text:?}");
    let fen = position.fen();
    assert_eq!(Position::from_fen(&fen).map(|again| again.fen()).as_ref(), Ok(&fen), "{text:?}");
    for m in position.moves() {
        let mut next = position.clone();
        next.play(m);
        assert!(next.is_consistent(), "{text:?} {m}");
    }
    evaluate(&position);
    Ok(position)
}

/// Ten thousand malformed FENs: each is refused with a reason or repaired as documented.
#[test]
fn malformed_fens_are_refused_or_repaired() {
    let (mut refused, mut taken) = (0, 0);
    for text in malformed(71).take(10_000) {
        match check_reading(&text) {
            Ok(_) => taken += 1,
            Err(_) => refused += 1,
        }
    }
    // Both happen often, or the corpus tests nothing.
    assert!(refused > 3000 && taken > 1000, "{refused} refused, {taken} taken");
}

/// The extreme positions are read as they stand, and played from.
#[test]
fn extreme_positions_are_read_and_played() {
    for fen in EXTREME {
        let read = check_reading(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(read.fen(), fen);
    }
    assert_eq!(position(EXTREME[0]).moves().len(), 218);
}
