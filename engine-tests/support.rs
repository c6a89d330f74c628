//! Shared by several test modules: positions, suites, strategies for proptest, random games, naive
//! walks over the board.

use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;

use freshet::board::{Epd, Move, Position};
use freshet::chess::{Bitboard, Color, Piece, Role, Square, square_at};
use freshet::eval::Evaluator;
use freshet::explain::breakdown::Breakdown;
use freshet::fill::Direction;
use freshet::known::fortress::pawns::{BlockedVerdict, PawnFortresses};
use freshet::tools::blocked;
use proptest::prelude::*;
use proptest::sample::Index;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;

/// The position of a FEN, which must be legal.
#[track_caller]
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

thread_local! {
    static BLOCKED: RefCell<PawnFortresses> = RefCell::default();
}

/// The verdict on a blocked pawn ending, without a pawn ending solved at a root.
pub fn blocked_verdict(position: &Position) -> Option<BlockedVerdict> {
    BLOCKED.with_borrow_mut(|fortresses| fortresses.ask(position))
}

/// The breakdown of an evaluation with the built-in weights.
pub fn breakdown_of(position: &Position) -> Breakdown {
    Breakdown::of(position, &mut Evaluator::new())
}

/// The lines of a suite in `engine-tests/suites`, without comments.
pub fn suite(name: &str) -> Vec<String> {
    let path = format!("{}/engine-tests/suites/{name}.epd", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_string).collect()
}

/// Judges every `step`th position of a suite by the evaluation alone: the percentage of right results
/// must reach `least`, and no proof may be false.
pub fn check_suite(name: &str, step: usize, least: f64) {
    let lines = suite(name).into_iter().step_by(step);
    let epds: Vec<Epd> = lines.map(|line| line.parse().expect("a position")).collect();
    let table = blocked::judge(&epds, None, None, &()).expect("a suite").to_string();
    let all = table.lines().find(|line| line.starts_with("~ all")).expect("the sum");
    let columns: Vec<f64> =
        all.split_whitespace().filter_map(|word| word.trim_end_matches('%').parse().ok()).collect();
    let [_, _, share, _, _, false_proofs] = columns[..] else { panic!("{all}") };
    assert!(share >= least && false_proofs == 0.0, "{name}: {all}");
}

/// The folder of the Syzygy tables: that of the variable `FRESHET_TABLES`, or the one of the tests.
pub fn tables_folder() -> String {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/suites/syzygy");
    std::env::var("FRESHET_TABLES").unwrap_or_else(|_| own.to_string())
}

/// The endgame tables among the suites (public data by Ronald de Man).
pub fn tables() -> Tablebase<Chess> {
    let mut tables = Tablebase::new();
    tables.add_directory(tables_folder()).expect("the tables are there");
    tables
}

/// The position with these pieces; `None` if it is not legal.
pub fn with_pieces(pieces: &[(Square, Color, Role)], turn: Color) -> Option<Chess> {
    let mut setup = shakmaty::Setup::empty();
    for &(square, color, role) in pieces {
        setup.board.set_piece_at(square, Piece { color, role });
    }
    setup.turn = turn;
    setup.position(shakmaty::CastlingMode::Standard).ok()
}

/// A seeded generator; every test has its own seed.
pub fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Calls `visit` with every position of a random game from the start or from a suite's position.
pub fn random_game(random: &mut Xoshiro256PlusPlus, from: &str, mut visit: impl FnMut(&Position)) {
    let mut position = position(from);
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

/// Proptest with this number of cases.
pub fn cases(count: u32) -> ProptestConfig {
    ProptestConfig::with_cases(count)
}

/// Sets of all densities, with one square in two to one in sixteen.
pub fn any_set() -> impl Strategy<Value = Bitboard> {
    let bits = || proptest::bits::u64::ANY;
    prop_oneof![
        bits(),
        (bits(), bits()).prop_map(|(a, b)| a & b),
        (bits(), bits(), bits()).prop_map(|(a, b, c)| a & b & c),
        (bits(), bits(), bits(), bits()).prop_map(|(a, b, c, d)| a & b & c & d),
    ]
    .prop_map(Bitboard)
}

/// Sets with many squares, over which waves get far.
pub fn any_path() -> impl Strategy<Value = Bitboard> {
    (any_set(), any_set()).prop_map(|(a, b)| a | b)
}

/// Eight sets, one for each lane.
pub fn eight_sets() -> impl Strategy<Value = [Bitboard; 8]> {
    proptest::array::uniform8(any_set())
}

/// Any square.
pub fn any_square() -> impl Strategy<Value = Square> {
    (0u32..64).prop_map(square_at)
}

/// A game of random legal moves.
#[derive(Clone)]
pub struct Game {
    /// The FEN of its first position.
    pub start: String,
    /// Its moves; fewer than asked for if the game ended early.
    pub moves: Vec<Move>,
}

impl Game {
    /// A game in which each number chooses a legal move.
    fn new(start: &str, choices: &[Index]) -> Game {
        let (mut position, mut moves) = (position(start), Vec::new());
        for choice in choices {
            let legal = position.moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[choice.index(legal.len())];
            position.play(m);
            moves.push(m);
        }
        Game { start: start.to_string(), moves }
    }

    /// The last position, with its history.
    pub fn end(&self) -> Position {
        let mut position = position(&self.start);
        self.moves.iter().for_each(|&m| position.play(m));
        position
    }

    /// All its positions, from the first to the last.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let first = position(&self.start);
        let later = self.moves.iter().scan(first.clone(), |position, &m| {
            position.play(m);
            Some(position.clone())
        });
        std::iter::once(first).chain(later)
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fen {} moves {:?} to {}", self.start, self.moves, self.end())
    }
}

/// Games of up to `plies` random moves from one of these positions. They shrink to fewer moves.
pub fn any_game(starts: &'static [String], plies: usize) -> impl Strategy<Value = Game> {
    (0..starts.len(), proptest::collection::vec(any::<Index>(), 0..=plies))
        .prop_map(|(start, choices)| Game::new(&starts[start], &choices))
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

/// The squares from a square in one direction, up to and including the first blocker.
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

/// A temporary folder, removed when the test is over.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A folder in the system's folder for temporary files.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("freshet {name} {}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file, and returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).expect("a file");
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
