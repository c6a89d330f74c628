//! Datagen: plays games of the engine against itself. Keeps the quiet positions with score and
//! result, and quiet positions that the searches visited, with the score of a search.
//!
//! Every game has a number that seeds its own random numbers. So the same seed gives the same file
//! for any number of threads, and an interrupted run continues after the last whole block of games.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use shakmaty::{Board, Setup};

use super::TuningError;
use super::data::{self, Record, SIZE};
use super::leaves;
use super::output::{Output, weights_option};
use super::selfplay::{Adjudication, OPENINGS, new_player, new_players, play, read_positions};
use super::threads::on_threads;
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Piece, Role, Square};
use crate::engine::Engine;
use crate::eval::weights::Weights;
use crate::files::FileError;
use crate::progress::Progress;
use crate::search::{Limits, MemoryError, SearchResult};

/// The games to play and the files of their positions.
#[derive(Clone, Debug)]
pub struct DatagenSettings {
    /// EPD file of the positions from which most games start.
    pub openings: PathBuf,
    /// A file of records whose positions are played out, once each, instead of games from openings.
    /// Castling rights are kept only for rooks in the corners. Positions whose score would end the
    /// game at once are left out.
    pub playouts: Option<PathBuf>,
    /// The most pieces, kings and pawns included, of a position that is played out.
    pub pieces: u32,
    /// The file of records. A file of the same name plus `.games` holds the number and kind of its
    /// games.
    pub output: PathBuf,
    /// Games in all, those already in the file included.
    pub games: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Nodes of a search of each kept position for its score. With `None` a position of a game has
    /// the score of the search that chose the move, and other positions are searched with
    /// [`nodes`](Self::nodes) nodes.
    pub score_nodes: Option<u64>,
    /// Each quiet position of a game, and each end of a variation, is kept with a chance of one in
    /// this many; at least 1.
    pub one_in: u32,
    /// The number of positions to sample from those visited by the search of each move. The quiet
    /// ones are searched and kept.
    pub visited: u32,
    /// Whether to keep the ends of the principal variations too, with the score of a search.
    pub ends: bool,
    /// Games at the same time.
    pub threads: usize,
    /// Seed of the random numbers, up to [`MAX_SEED`].
    pub seed: u64,
    /// The weights of the evaluation, if not the built-in ones.
    pub weights: Option<Weights>,
}

impl Default for DatagenSettings {
    fn default() -> DatagenSettings {
        DatagenSettings {
            openings: OPENINGS.into(),
            playouts: None,
            pieces: 16,
            output: "data.bin".into(),
            games: 10_000,
            nodes: 5000,
            score_nodes: None,
            one_in: 1,
            visited: 0,
            ends: false,
            threads: 1,
            seed: 1,
            weights: None,
        }
    }
}

impl DatagenSettings {
    /// Everything besides the openings that decides the next records, as options of the command
    /// line, with the number of positions to play out and a checksum of the weights, if any were loaded.
    /// A file holds games of only one kind.
    fn kind(&self, starts: &Starts) -> String {
        let mut kind =
            format!("--seed {} --nodes {} --visited {}", self.seed, self.nodes, self.visited);
        if self.ends {
            kind += " --ends";
        }
        if let Some(nodes) = self.score_nodes {
            kind += &format!(" --score-nodes {nodes}");
        }
        if self.one_in > 1 {
            kind += &format!(" --one-in {}", self.one_in);
        }
        if let (Some(path), Starts::Playouts(records)) = (&self.playouts, starts) {
            let (path, pieces, positions) = (path.display(), self.pieces, records.len());
            kind += &format!(" --playouts {path} --pieces {pieces} ({positions} positions)");
        }
        kind + &weights_option(self.weights.as_ref())
    }
}

/// The greatest seed: the seed and the number of a game share 64 bits.
pub const MAX_SEED: u64 = (1 << 24) - 1;
/// Games that are written together.
const BLOCK: u64 = 512;

/// Plays until the file holds the wanted number of games. Returns the number of records added.
///
/// # Errors
///
/// If a file cannot be read or written or belongs to a run with other settings, or there is no
/// memory for the players.
pub fn run(settings: &DatagenSettings, progress: &dyn Progress) -> Result<u64, TuningError> {
    let starts = Starts::read(settings)?;
    let mut output = Output::open(&settings.output, settings.kind(&starts), SIZE)?;
    let length_before = output.length();
    let games = starts.max_games().map_or(settings.games, |most| most.min(settings.games));
    progress.start("games", games);
    progress.set(output.games());
    while output.games() < games {
        let end = (output.games() + BLOCK).min(games);
        let records = play_games(settings, &starts, output.games()..end, progress)?;
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.0).collect();
        output.append(&bytes, end)?;
    }
    progress.finish();
    Ok((output.length() - length_before) / SIZE as u64)
}

/// The quiet positions of a game and of its searches.
struct GameRecords {
    number: u64,
    records: Vec<Record>,
}

/// Plays the games of these numbers. Returns their records in the order of the games.
fn play_games(
    settings: &DatagenSettings,
    starts: &Starts,
    numbers: std::ops::Range<u64>,
    progress: &dyn Progress,
) -> Result<Vec<Record>, TuningError> {
    let next = AtomicU64::new(numbers.start);
    let worker = || -> Result<Vec<GameRecords>, TuningError> {
        let mut players = Players::new(settings.weights.as_ref())?;
        let mut games = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= numbers.end {
                return Ok(games);
            }
            let records = play_game(settings, number, starts, &mut players);
            games.push(GameRecords { number, records });
            progress.advance();
        }
    };
    let mut games: Vec<GameRecords> =
        on_threads(settings.threads, worker)?.into_iter().flatten().collect();
    games.sort_by_key(|game| game.number);
    Ok(games.into_iter().flat_map(|game| game.records).collect())
}

/// The engines of a thread.
struct Players {
    sides: ByColor<Engine>,
    /// Searches positions for their scores.
    labeller: Engine,
}

impl Players {
    fn new(weights: Option<&Weights>) -> Result<Players, MemoryError> {
        let [white, black] = new_players(weights)?;
        Ok(Players { sides: ByColor { white, black }, labeller: new_player(weights)? })
    }
}

/// Plays the game of this number. Keeps its quiet positions, or a share of them, and those that its
/// searches visited or expected, if the settings ask for them.
fn play_game(
    settings: &DatagenSettings,
    number: u64,
    starts: &Starts,
    players: &mut Players,
) -> Vec<Record> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed << 40 ^ number);
    let start = starts.of_game(number, &mut random);
    let Players { sides, labeller } = players;
    sides.white.clear();
    sides.black.clear();
    labeller.clear();
    let limits = Limits::nodes(settings.score_nodes.unwrap_or(settings.nodes));
    let (mut records, mut searched) = (Vec::new(), Vec::new());
    let mut ends = HashSet::new();
    let rules = Adjudication::default();
    let watch = |mover: &Engine, position: &Position, result: &SearchResult| {
        // Searches a position without the moves that led to it: a record does not hold them.
        let mut search = |position: &Position| {
            let position = Position::from_fen(&position.fen()).ok()?;
            Record::capped(&position, labeller.search(&position, &limits).score)
        };
        let one_in = settings.one_in;
        let is_chosen =
            |random: &mut Xoshiro256PlusPlus| one_in <= 1 || random.random_range(0..one_in) == 0;
        if let Some(record) = Record::quiet(position, result.line[0], result.score)
            && is_chosen(&mut random)
        {
            match settings.score_nodes {
                None => records.push(record),
                Some(_) => records.extend(search(position)),
            }
        }
        for _ in 0..settings.visited {
            let leaf = leaves::visited(position, mover.table(), &mut random);
            let leaf = leaf.filter(leaves::is_quiet);
            searched.extend(leaf.as_ref().and_then(&mut search));
        }
        if settings.ends && result.score.as_cp().is_some() {
            let end = leaves::end(position, &result.line);
            // If the game follows the variation, the next variation may end at the same position.
            if ends.insert(end.key()) && leaves::is_quiet(&end) && is_chosen(&mut random) {
                searched.extend(search(&end));
            }
        }
    };
    let outcome = play(&start, sides.as_mut(), settings.nodes, &rules, watch);
    let half_points = outcome.half_points(Color::White);
    let played = records.into_iter().map(|record| record.with_result(half_points));
    played.chain(searched).collect()
}

/// Plays up to `plies` random moves.
fn play_random_moves(position: &mut Position, plies: u32, random: &mut Xoshiro256PlusPlus) {
    for _ in 0..plies {
        if let Some(&m) = position.moves().choose(random) {
            position.play(m);
        }
    }
}

/// `count` FENs to start games from, each after some random moves from a position of an EPD file,
/// or from the start position without one: OpenBench's `genfens`.
///
/// # Errors
///
/// If the file cannot be read or has no positions from which moves can be played.
pub fn genfens(
    count: usize,
    seed: u64,
    openings: Option<&Path>,
) -> Result<Vec<String>, TuningError> {
    let openings = match openings {
        None => vec![Position::start()],
        Some(path) => {
            let mut positions = read_positions(path)?;
            positions.retain(|position| !position.moves().is_empty());
            positions
        }
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut fens = Vec::new();
    while fens.len() < count {
        let opening = openings.choose(&mut random).ok_or(TuningError::NoOpenings)?;
        let mut position = opening.clone();
        let plies = random.random_range(7..10);
        play_random_moves(&mut position, plies, &mut random);
        if !position.moves().is_empty() {
            fens.push(position.fen());
        }
    }
    Ok(fens)
}

/// The source of start positions.
enum Starts {
    /// These openings and other positions: see [`varied_start`].
    Openings(Vec<Position>),
    /// These positions, one after the other.
    Playouts(Vec<Record>),
}

impl Starts {
    fn read(settings: &DatagenSettings) -> Result<Starts, TuningError> {
        let Some(path) = &settings.playouts else {
            return Ok(Starts::Openings(read_positions(&settings.openings)?));
        };
        let mut records = data::read(path, None)?;
        let decisive = Adjudication::default().decisive;
        let can_be_played = |position: Position| {
            position.occupied().count() <= settings.pieces as usize
                && !position.is_dead_material()
                && !position.moves().is_empty()
        };
        let mut known = HashSet::new();
        records.retain(|record| {
            record.score().abs() < decisive
                && record.position().is_some_and(can_be_played)
                && known.insert(record.identity())
        });
        if records.is_empty() {
            let pieces = settings.pieces;
            let problem = format!("no undecided position with at most {pieces} pieces");
            return Err(FileError::content(path, problem).into());
        }
        records.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(settings.seed));
        Ok(Starts::Playouts(records))
    }

    /// The maximum number of games; `None` for no limit.
    fn max_games(&self) -> Option<u64> {
        match self {
            Starts::Openings(_) => None,
            Starts::Playouts(records) => Some(records.len() as u64),
        }
    }

    /// The start of the game of this number, below [`Starts::max_games`].
    fn of_game(&self, number: u64, random: &mut Xoshiro256PlusPlus) -> Position {
        match self {
            Starts::Openings(openings) => varied_start(random, openings),
            Starts::Playouts(records) => {
                let position = records[number as usize].position();
                position.expect("a record of which a position was made before")
            }
        }
    }
}

/// A start position: usually an opening or the start position plus some random moves, sometimes a
/// random ending or closed position.
fn varied_start(random: &mut Xoshiro256PlusPlus, openings: &[Position]) -> Position {
    loop {
        let (position, plies) = match random.random_range(0..20) {
            0..12 => (openings.choose(random).cloned(), random.random_range(0..5)),
            12..16 => (Some(Position::start()), random.random_range(6..11)),
            16 | 17 => (random_ending(random, false), 0),
            18 => (random_ending(random, true), 0),
            _ => (random_closed(random), 2),
        };
        let Some(mut position) = position else { continue };
        play_random_moves(&mut position, plies, random);
        if !position.moves().is_empty() {
            return position;
        }
    }
}

/// Pieces of a side in a random ending, besides king and pawns.
const ENDING_PIECES: [&[Role]; 9] = [
    &[Role::Knight],
    &[Role::Bishop],
    &[Role::Rook],
    &[Role::Rook, Role::Knight],
    &[Role::Rook, Role::Bishop],
    &[Role::Knight, Role::Bishop],
    &[Role::Rook, Role::Rook],
    &[Role::Queen],
    &[Role::Bishop, Role::Bishop],
];

/// An ending with pieces and pawns on random squares, about equal in number; `None` if the position
/// is illegal.
fn random_ending(random: &mut Xoshiro256PlusPlus, pawns_only: bool) -> Option<Position> {
    let pawns = random.random_range(1..8usize);
    let pieces = *ENDING_PIECES.choose(random)?;
    let mut board = Board::empty();
    for color in Color::ALL {
        let count = (pawns + random.random_range(0..3)).saturating_sub(1);
        let mut roles = vec![Role::King];
        roles.extend(std::iter::repeat_n(Role::Pawn, count));
        if !pawns_only {
            // Sometimes an imbalance: the same number of pieces, but different ones.
            let other = ENDING_PIECES.choose(random)?;
            roles.extend(if random.random_range(0..3) == 0 && other.len() == pieces.len() {
                *other
            } else {
                pieces
            });
        }
        for role in roles {
            let squares = if role == Role::Pawn { !Bitboard::BACKRANKS } else { Bitboard::FULL };
            let free: Vec<Square> = (squares & !board.occupied()).into_iter().collect();
            board.set_piece_at(*free.choose(random)?, Piece { color, role });
        }
    }
    legal(board, random)
}

/// The start position with pawns rammed against each other on most files.
fn random_closed(random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let mut board = Board::new();
    for square in board.pawns() {
        board.discard_piece_at(square);
    }
    let mut put = |file: u32, rank: u32, color| {
        board.set_piece_at(Square::new(8 * rank + file), Piece { color, role: Role::Pawn });
    };
    let mut rank = random.random_range(2..5u32);
    for file in 0..8 {
        if random.random_range(0..4) == 0 {
            put(file, 1, Color::White);
            put(file, 6, Color::Black);
        } else {
            rank = (rank + random.random_range(0..3)).saturating_sub(1).clamp(2, 4);
            put(file, rank, Color::White);
            put(file, rank + 1, Color::Black);
        }
    }
    legal(board, random)
}

/// The position of this board with a random side to move, if it is legal.
fn legal(board: Board, random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let turn = if random.random_range(0..2) == 0 { Color::White } else { Color::Black };
    Position::from_setup(Setup { board, turn, ..Setup::empty() }).ok()
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use super::*;

    /// A new folder, and in it an EPD file with the start position.
    fn folder_with_openings(name: &str) -> (PathBuf, PathBuf) {
        let folder = std::env::temp_dir().join(format!("freshet-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let openings = folder.join("openings.epd");
        std::fs::write(&openings, format!("{}\n", Position::START)).expect("a file");
        (folder, openings)
    }

    #[test]
    fn records_come_back_as_they_were() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let chess960: Position =
            "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1".parse().expect("a legal position");
        for number in 0..300 {
            let start = if number < 150 { Position::start() } else { chess960.clone() };
            let position = varied_start(&mut random, &[start]);
            let record = Record::new(&position, crate::score::Score::cp(-77)).with_result(2);
            let again = record.position().expect("a legal position");
            // Pieces, side to move and castling rights.
            let fields = |position: &Position| -> Vec<String> {
                position.fen().split(' ').take(3).map(str::to_string).collect()
            };
            assert_eq!(fields(&again), fields(&position));
            let white = if position.turn().is_white() { -77 } else { 77 };
            assert_eq!((record.score(), record.result()), (white, Some(1.0)));
        }
    }

    #[test]
    fn positions_are_played_out() {
        let folder = std::env::temp_dir().join(format!("freshet-playouts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let endings = std::iter::repeat_with(|| random_ending(&mut random, true)).flatten();
        let quiet = endings.filter(|p| leaves::is_quiet(p) && !p.is_dead_material());
        let score = crate::score::Score::cp;
        let starts: Vec<Record> =
            quiet.take(5).map(|position| Record::new(&position, score(20))).collect();
        let write = |name: &str, records: &[Record]| {
            let bytes: Vec<u8> = records.iter().flat_map(|record| record.0).collect();
            std::fs::write(folder.join(name), bytes).expect("a file");
        };
        let crowded = Record::new(&Position::start(), score(20));
        write("starts", &[&starts[..], &starts[..], &[crowded]].concat());
        write("decided", &[700, -700].map(|cp| Record::new(&Position::start(), score(cp))));
        let settings = |playouts: &str, pieces| DatagenSettings {
            openings: "nowhere.epd".into(),
            playouts: Some(folder.join(playouts)),
            pieces,
            output: folder.join(format!("output of {playouts}")),
            nodes: 60,
            ..DatagenSettings::default()
        };
        assert!(run(&settings("starts", 16), &()).expect("games") > 20);
        let output = folder.join("output of starts");
        let records = data::read(&output, None).expect("whole records");
        let count = |record: &Record| record.position().expect("legal").occupied().count();
        assert!(records.iter().all(|record| count(record) <= 16 && record.result().is_some()));
        let first = |start: &Record| records.iter().any(|r| r.identity() == start.identity());
        // A start is recorded only if the move played there is quiet.
        assert!(starts.iter().filter(|start| first(start)).count() >= 3);
        // Each is played once, although 10,000 games were wanted and every position occurred twice.
        let games = std::fs::read_to_string(folder.join("output of starts.games"));
        assert!(games.expect("a file").starts_with("5 "));
        for (name, pieces) in [("decided", 32), ("starts", 1)] {
            let error = run(&settings(name, pieces), &()).expect_err("no position").to_string();
            assert!(
                error.contains(&format!("{name}: no undecided position with at most {pieces} ")),
                "{error}"
            );
        }
        // The numbers and the count of positions are part of the games' kind.
        let refused = |pieces| run(&settings("starts", pieces), &()).expect_err("another kind");
        let error = refused(17).to_string();
        assert!(error.contains("--pieces 16 (5 positions)\", not"), "{error}");
        write("starts", &starts[1..]);
        let error = refused(16).to_string();
        assert!(error.ends_with("--pieces 16 (4 positions)\""), "{error}");
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn a_share_of_the_positions_is_kept_with_scores_of_its_own() {
        let (folder, openings) = folder_with_openings("scores");
        let records = |name: &str, score_nodes, one_in| {
            let output = folder.join(name);
            let settings = DatagenSettings {
                openings: openings.clone(),
                output: output.clone(),
                games: 12,
                nodes: 60,
                score_nodes,
                one_in,
                ends: true,
                ..DatagenSettings::default()
            };
            run(&settings, &()).expect("games");
            let kind = std::fs::read_to_string(folder.join(format!("{name}.games")));
            (data::read(&output, None).expect("whole records"), kind.expect("a file"))
        };
        let played = |records: &[Record]| -> Vec<Record> {
            records.iter().filter(|record| record.result().is_some()).copied().collect()
        };
        let same = |a: &Record, b: &Record| {
            a.identity() == b.identity() && a.result() == b.result() && a.0[27] == b.0[27]
        };
        let (all, kind) = records("all", None, 1);
        assert!(!kind.contains("score") && !kind.contains("one"), "{kind}");
        let (scored, kind) = records("scored", Some(400), 1);
        assert!(kind.contains("--score-nodes 400"), "{kind}");
        // The games are the same, but not the scores of their positions.
        let (all_played, scored_played) = (played(&all), played(&scored));
        assert_eq!((all_played.len(), all.len()), (scored_played.len(), scored.len()));
        let pairs = || all_played.iter().zip(&scored_played);
        assert!(pairs().all(|(a, b)| same(a, b)));
        let changed = pairs().filter(|(a, b)| a.score() != b.score()).count();
        assert!(2 * changed > all_played.len(), "{changed} of {}", all_played.len());
        let (some, kind) = records("some", Some(400), 4);
        assert!(kind.contains("--score-nodes 400 --one-in 4"), "{kind}");
        let is_a_quarter = |some: usize, all: usize| all / 8 < some && some < all / 2;
        assert!(is_a_quarter(some.len(), all.len()), "{} of {}", some.len(), all.len());
        let some_played = played(&some);
        assert!(is_a_quarter(some_played.len(), all_played.len()), "{}", some_played.len());
        assert!(some_played.iter().all(|one| all_played.iter().any(|other| same(one, other))));
        // Without scores of their own the positions keep those of the game.
        let (some, _) = records("share", None, 4);
        assert!(played(&some).iter().all(|record| all_played.contains(record)));
        assert!(is_a_quarter(played(&some).len(), all_played.len()));
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn an_interrupted_run_continues_to_the_same_file() {
        let (folder, openings) = folder_with_openings("datagen");
        let settings = |name: &str, games, threads| DatagenSettings {
            openings: openings.clone(),
            output: folder.join(name),
            games,
            nodes: 60,
            visited: 2,
            ends: true,
            threads,
            seed: 5,
            ..DatagenSettings::default()
        };
        let whole = run(&settings("whole", 6, 2), &()).expect("games");
        assert!(whole > 20, "{whole}");
        run(&settings("parts", 2, 1), &()).expect("games");
        // Half a record too many, as after a power failure.
        let mut cut = OpenOptions::new().append(true).open(folder.join("parts")).expect("the file");
        cut.write_all(&[7; 11]).expect("bytes");
        // Windows does not remove a folder with an open file.
        drop(cut);
        run(&settings("parts", 6, 1), &()).expect("games");
        let read = |name: &str| std::fs::read(folder.join(name)).expect("the file");
        assert_eq!(read("whole"), read("parts"));
        let records = data::read(&folder.join("whole"), None).expect("whole records");
        assert_eq!(records.len() as u64, whole);
        // Game positions have results; visited ones have none.
        let visited: Vec<&Record> = records.iter().filter(|r| r.result().is_none()).collect();
        assert!(visited.len() > 20 && records.len() > visited.len() + 20, "{}", visited.len());
        let quiet = |record: &&Record| record.position().is_some_and(|p| leaves::is_quiet(&p));
        assert!(visited.iter().all(quiet));
        // Positions whose best move is a capture are not left out.
        let mut engine = Engine::new(4, 1).expect("four MiB");
        let limits = Limits { nodes: Some(60), ..Limits::default() };
        let captures = |record: &&Record| {
            let position = record.position().expect("a legal position");
            engine.search(&position, &limits).line.first().is_some_and(|&m| position.is_noisy(m))
        };
        assert!(visited.iter().any(captures));
        // Games of another kind are not added.
        for other in [
            DatagenSettings { seed: 6, ..settings("parts", 8, 1) },
            DatagenSettings { nodes: 61, ..settings("parts", 8, 1) },
            DatagenSettings { visited: 0, ..settings("parts", 8, 1) },
            DatagenSettings { ends: false, ..settings("parts", 8, 1) },
            DatagenSettings { score_nodes: Some(61), ..settings("parts", 8, 1) },
            DatagenSettings { one_in: 2, ..settings("parts", 8, 1) },
            DatagenSettings {
                weights: Some(crate::eval::weights::WEIGHTS),
                ..settings("parts", 8, 1)
            },
        ] {
            let error = run(&other, &()).expect_err("another kind").to_string();
            let asked = "\"--seed 5 --nodes 60 --visited 2 --ends\", not \"--seed";
            assert!(error.contains(asked), "{error}");
        }
        assert_eq!(read("whole"), read("parts"));
        let other = OpenOptions::new().write(true).open(folder.join("parts")).expect("the file");
        other.lock().expect("a lock");
        let error = run(&settings("parts", 8, 1), &()).expect_err("two runs").to_string();
        assert!(error.ends_with("another run is writing this file"), "{error}");
        drop(other);
        // Never overwrite a file that is not known to come from an earlier run.
        std::fs::remove_file(folder.join("parts.games")).expect("the file");
        assert!(run(&settings("parts", 6, 1), &()).is_err());
        assert_eq!(read("whole"), read("parts"));
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
