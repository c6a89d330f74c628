//! What several chapters need: suites, random games, naive walks over the board.

use freshet::board::Position;
use freshet::chess::{Bitboard, Color, Piece, Role, Square};
use freshet::fill::Direction;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};
use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;

/// The lines of a suite in `engine-tests/suites`, comments left out.
pub fn suite(name: &str) -> Vec<String> {
    let path = format!("{}/engine-tests/suites/{name}.epd", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_string).collect()
}

/// The endgame tables among the suites (public data by Ronald de Man).
pub fn tables() -> Tablebase<Chess> {
    let mut tables = Tablebase::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    tables.add_directory(folder).expect("the tables are there");
    tables
}

/// The position with these men; `None` if it is not legal.
pub fn with_men(men: &[(Square, Color, Role)], turn: Color) -> Option<Chess> {
    let mut setup = shakmaty::Setup::empty();
    for &(square, color, role) in men {
        setup.board.set_piece_at(square, Piece { color, role });
    }
    setup.turn = turn;
    setup.position(shakmaty::CastlingMode::Standard).ok()
}

/// A seeded generator; every test has its own seed.
pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A random set in which about one square in four is taken, or more or fewer.
pub fn random_set(random: &mut Xoshiro256PlusPlus) -> Bitboard {
    let mut set = random.next_u64();
    for _ in 0..random.random_range(0..4) {
        set &= random.next_u64();
    }
    Bitboard(set)
}

/// Calls `visit` with every position of a random game from the start or from a suite's position.
pub fn random_game(random: &mut Xoshiro256PlusPlus, from: &str, mut visit: impl FnMut(&Position)) {
    let mut position = Position::from_fen(from).expect("a legal FEN");
    visit(&position);
    for _ in 0..200 {
        let moves = position.moves();
        if moves.is_empty() || position.is_dead_material() {
            return;
        }
        position.play(moves[random.random_range(0..moves.len())]);
        visit(&position);
    }
}

/// The square one step away, by coordinates.
pub fn neighbour(square: Square, direction: Direction) -> Option<Square> {
    let (file, rank) = match direction {
        Direction::North => (0, 1),
        Direction::East => (1, 0),
        Direction::NorthEast => (1, 1),
        Direction::NorthWest => (-1, 1),
        Direction::South => (0, -1),
        Direction::West => (-1, 0),
        Direction::SouthWest => (-1, -1),
        Direction::SouthEast => (1, -1),
    };
    Some(Square::from_coords(square.file().offset(file)?, square.rank().offset(rank)?))
}

/// Walks from a square in one direction up to and with the first blocker.
pub fn walk(square: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut here = square;
    while let Some(next) = neighbour(here, direction) {
        seen.add(next);
        if occupied.contains(next) {
            break;
        }
        here = next;
    }
    seen
}

/// The position of a FEN that must be legal.
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}
