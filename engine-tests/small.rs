//! Code that works with raw memory, in few enough steps for an interpreter (Miri): move lists to
//! their limits, the table, fills, the evaluation, a search of two threads.

use freshet::board::{MAX_MOVES, Move, MoveList, Position};
use freshet::chess::{Bitboard, Square, bit};
use freshet::engine::Engine;
use freshet::eval::evaluate;
use freshet::fill::{Direction, Rays, expand};
use freshet::score::Score;
use freshet::search::{Bound, Entry, Limits, TranspositionTable};
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::support::{position, walk};

/// Positions for each way of writing moves to a list: targets of a piece, shifted pawns,
/// promotions, castling, en passant, check, and enough moves to need the slow way.
const POSITIONS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/8/7b/8/5n2/4K2R w K - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
];

#[test]
fn small_move_lists() {
    for fen in POSITIONS {
        let mut position = position(fen);
        let moves = position.moves();
        let known: Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .expect("a FEN")
            .into_setup()
            .position(CastlingMode::Standard)
            .or_else(|error| error.ignore_too_much_material())
            .or_else(|error| error.ignore_impossible_check())
            .expect("a position");
        assert_eq!(moves.len(), known.legal_moves().len(), "{fen}");
        let before = position.fen();
        for &m in moves.iter().take(12) {
            position.play(m);
            position.moves();
            position.undo();
        }
        assert_eq!(position.fen(), before);
    }
}

/// Nearly full lists: the slow way stops at the end of the list.
#[test]
fn small_lists_that_are_nearly_full() {
    let position = position(POSITIONS[0]);
    let count = position.moves().len();
    for room in [count, count + 1, count + 31, count + 33] {
        let first = position.moves()[0];
        let mut list: MoveList = std::iter::repeat_n(first, MAX_MOVES - room).collect();
        position.generate(&position.check_info(), freshet::board::GenType::All, &mut list);
        assert_eq!(list.len(), MAX_MOVES - room + count);
        assert_eq!(list[MAX_MOVES - room..], position.moves()[..]);
    }
}

#[test]
fn small_expansions() {
    for set in [0, 1, 1 << 63, 0x8100_0000_0000_0081, 0x00ff_0000_ff00_ff00, 0xffff_ffff] {
        let mut words = [std::mem::MaybeUninit::uninit(); 32];
        let base = (Square::E4 as u16) << 6;
        let count = expand::<1>(Bitboard(set), base, &mut words);
        assert_eq!(count, set.count_ones() as usize);
    }
}

#[test]
fn small_fills() {
    let occupied = position(POSITIONS[0]).occupied();
    for square in [Square::A1, Square::E4, Square::H8, Square::B7] {
        let rays = Rays::sliders(bit(square), bit(square)).attacks(!occupied);
        for direction in Direction::ALL {
            assert_eq!(rays.lane(direction), walk(square, direction, occupied));
        }
    }
}

#[test]
fn small_tables() {
    let mut table = TranspositionTable::new(1).expect("one MiB");
    let start = Position::start();
    let store = |table: &TranspositionTable, key: u64, m: Move| {
        table.prefetch(key);
        let entry = Entry::new(Some(m), Score::cp(5), None, 3, Bound::Exact, false, 0);
        table.store(key, entry);
        assert_eq!(table.probe(key).and_then(|entry| entry.best), Some(m));
    };
    for (number, &m) in start.moves().iter().enumerate() {
        store(&table, (number as u64) << 60 | 1, m);
    }
    store(&table, u64::MAX, start.moves()[0]);
    // Miri cannot ask the system how much memory there is.
    assert!(cfg!(miri) || table.resize(1 << 20).is_err());
    table.resize(2).expect("two MiB");
    assert_eq!((table.mib(), table.hashfull()), (2, 0));
    // Threads that write to the same bucket at once.
    std::thread::scope(|scope| {
        for m in start.moves().into_iter().take(3) {
            let table = &table;
            scope.spawn(move || {
                for depth in 0..20 {
                    let entry =
                        Entry::new(Some(m), Score::cp(5), None, depth, Bound::Exact, false, 0);
                    table.store(77, entry);
                    table.probe(77);
                }
            });
        }
    });
    assert!(table.probe(77).is_some());
}

#[test]
fn small_evaluations() {
    for fen in &POSITIONS[..3] {
        let position = position(fen);
        assert_eq!(evaluate(&position), evaluate(&position.mirrored()), "{fen}");
    }
}

#[test]
fn small_searches() {
    let mut engine = Engine::new(1, 2).expect("one MiB");
    let start = position(POSITIONS[0]);
    for _ in 0..2 {
        let result = engine.search(&start, &Limits::nodes(40));
        assert_eq!(result.failed_threads, 0);
        assert!(start.moves().contains(&result.line[0]));
    }
    engine.set_threads(1).expect("one thread");
    engine.resize_table(2).expect("two MiB");
    assert!(!engine.search(&start, &Limits::nodes(40)).line.is_empty());
}
