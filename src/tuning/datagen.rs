//! Datagen: plays games of the engine against itself and keeps the quiet positions, with score and result.
//!
//! Every game has a number and from it its own random numbers: the same seed gives the same file, whatever the number of
//! threads, and a run that was cut off goes on where the last whole block of games ended.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::data::{Record, SIZE};
use super::selfplay::{Adjudication, on_threads, play, read_positions};
use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Piece, Role, Square};
use crate::search::SearcherState;
use crate::tools::Progress;

/// DatagenSettings to play.
#[derive(Clone, Debug)]
pub struct DatagenSettings {
    /// EPD file of the positions from which most games start.
    pub openings: PathBuf,
    /// The file of records; the number of games in it stands beside it, with `.games` added to the name.
    pub output: PathBuf,
    /// Games in all, those already in the file counted.
    pub games: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// Games at the same time.
    pub threads: usize,
    /// What the random numbers start from.
    pub seed: u64,
}

impl Default for DatagenSettings {
    fn default() -> DatagenSettings {
        DatagenSettings {
            openings: "openings/freshet.epd".into(),
            output: "data.bin".into(),
            games: 10_000,
            nodes: 5000,
            threads: 1,
            seed: 1,
        }
    }
}

/// Games that are written together.
const BLOCK: u64 = 512;
/// Scores beyond this teach nothing, in centipawns.
const MOST: i32 = 1500;
/// MiB for the table of a player.
const HASH: usize = 4;

/// Plays until the file holds so many games. Answers the number of records written.
pub fn run(settings: &DatagenSettings) -> Result<u64, String> {
    let complain = |error: std::io::Error| format!("{}: {error}", settings.output.display());
    let openings = read_positions(&settings.openings)?;
    let mut state = settings.output.clone().into_os_string();
    state.push(".games");
    let (mut done, mut length) = match std::fs::read_to_string(&state) {
        Ok(text) => {
            let numbers: Vec<u64> =
                text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let [games, length] = numbers[..] else {
                return Err(format!("{}: not two numbers", PathBuf::from(&state).display()));
            };
            (games, length)
        }
        Err(_) => (0, 0),
    };
    let mut file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&settings.output)
        .map_err(complain)?;
    // What a run that was cut off has written after its last whole block goes.
    file.set_len(length).map_err(complain)?;
    append_at(&mut file, length).map_err(complain)?;

    let progress = Progress::new("games", settings.games);
    let before = length;
    while done < settings.games {
        let end = (done + BLOCK).min(settings.games);
        let next = AtomicU64::new(done);
        let finished = AtomicU64::new(done);
        let worker = || -> Result<Vec<(u64, Vec<Record>)>, String> {
            let mut memory = (SearcherState::new(HASH, 1)?, SearcherState::new(HASH, 1)?);
            let mut games = Vec::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= end {
                    return Ok(games);
                }
                games.push((number, game(settings, number, &openings, &mut memory)));
                progress.show(finished.fetch_add(1, Relaxed) + 1);
            }
        };
        let mut games = on_threads(settings.threads, worker)?.concat();
        games.sort_by_key(|(number, _)| *number);
        for record in games.iter().flat_map(|(_, records)| records) {
            file.write_all(&record.0).map_err(complain)?;
            length += SIZE as u64;
        }
        file.flush().map_err(complain)?;
        done = end;
        std::fs::write(&state, format!("{done} {length}\n")).map_err(complain)?;
    }
    Ok((length - before) / SIZE as u64)
}

fn append_at(file: &mut File, length: u64) -> std::io::Result<()> {
    use std::io::{Seek, SeekFrom};
    file.seek(SeekFrom::Start(length)).map(|_| ())
}

/// Plays the game of this number and keeps its quiet positions.
fn game(
    settings: &DatagenSettings,
    number: u64,
    openings: &[Position],
    memory: &mut (SearcherState, SearcherState),
) -> Vec<Record> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed << 40 ^ number);
    let start = start(&mut random, openings);
    memory.0.clear();
    memory.1.clear();
    let mut records = Vec::new();
    let players = ByColor { white: &mut memory.0, black: &mut memory.1 };
    let outcome =
        play(&start, players, settings.nodes, &Adjudication::default(), |position, m, score| {
            let quiet = !position.is_noisy(m) && position.checkers().is_empty();
            if quiet
                && score.as_cp().is_some_and(|cp| cp.abs() <= MOST)
                && position.occupied().count() > 3
            {
                records.push(Record::new(position, score));
            }
        });
    let half_points = outcome.half_points(Color::White);
    records.into_iter().map(|record| record.with_result(half_points)).collect()
}

/// `count` positions to start games from, each after some random moves from an opening of the file, or from the first
/// position without one: what OpenBench asks of `genfens`.
pub fn genfens(count: usize, seed: u64, openings: Option<&Path>) -> Result<Vec<String>, String> {
    let openings = match openings {
        None => vec![Position::start()],
        Some(path) => read_positions(path)?,
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut fens = Vec::with_capacity(count);
    while fens.len() < count {
        let mut position = openings.choose(&mut random).ok_or("no positions")?.clone();
        for _ in 0..random.random_range(7..10) {
            if let Some(&m) = position.moves().choose(&mut random) {
                position.play(m);
            }
        }
        if !position.moves().is_empty() {
            fens.push(position.fen());
        }
    }
    Ok(fens)
}

/// Where a game starts: most from an opening or the first position and some random moves, some from an ending or a closed
/// position made up at random.
fn start(random: &mut Xoshiro256PlusPlus, openings: &[Position]) -> Position {
    loop {
        let (position, plies) = match random.random_range(0..20) {
            0..12 => (openings.choose(random).cloned(), random.random_range(0..5)),
            12..16 => (Some(Position::start()), random.random_range(6..11)),
            16 | 17 => (ending(random, false), 0),
            18 => (ending(random, true), 0),
            _ => (closed(random), 2),
        };
        let Some(mut position) = position else { continue };
        for _ in 0..plies {
            if let Some(&m) = position.moves().choose(random) {
                position.play(m);
            }
        }
        if !position.moves().is_empty() {
            return position;
        }
    }
}

/// Pieces and pawns of both sides at random, about as much on each side; `None` if that is no legal position.
fn ending(random: &mut Xoshiro256PlusPlus, pawns_only: bool) -> Option<Position> {
    const PIECES: [&[Role]; 9] = [
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
    let pawns = random.random_range(1..8usize);
    let pieces = *PIECES.choose(random)?;
    let mut board = shakmaty::Board::empty();
    for color in Color::ALL {
        let count = (pawns + random.random_range(0..3)).saturating_sub(1);
        let mut men = vec![Role::King];
        men.extend(std::iter::repeat_n(Role::Pawn, count));
        if !pawns_only {
            // Now and then another minor piece or rook of the same worth.
            let other = PIECES.choose(random)?;
            men.extend(if random.random_range(0..3) == 0 && other.len() == pieces.len() {
                *other
            } else {
                pieces
            });
        }
        for role in men {
            let squares = if role == Role::Pawn { !Bitboard::BACKRANKS } else { Bitboard::FULL };
            let free: Vec<Square> = (squares & !board.occupied()).into_iter().collect();
            board.set_piece_at(*free.choose(random)?, Piece { color, role });
        }
    }
    legal(board, random)
}

/// The first position with pawns rammed against each other on most files.
fn closed(random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let mut board = shakmaty::Board::new();
    let all_pawns = board.pawns();
    for square in all_pawns {
        board.discard_piece_at(square);
    }
    let mut rank = random.random_range(2..5u32);
    for file in 0..8 {
        let put = |board: &mut shakmaty::Board, rank: u32, color| {
            board.set_piece_at(Square::new(8 * rank + file), Piece { color, role: Role::Pawn });
        };
        if random.random_range(0..4) == 0 {
            put(&mut board, 1, Color::White);
            put(&mut board, 6, Color::Black);
        } else {
            rank = (rank + random.random_range(0..3)).saturating_sub(1).clamp(2, 4);
            put(&mut board, rank, Color::White);
            put(&mut board, rank + 1, Color::Black);
        }
    }
    legal(board, random)
}

fn legal(board: shakmaty::Board, random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let mut setup = shakmaty::Setup::empty();
    setup.board = board;
    setup.turn = if random.random_range(0..2) == 0 { Color::White } else { Color::Black };
    let fen = shakmaty::fen::Fen::try_from_setup(setup).ok()?;
    Position::from_fen(&fen.to_string()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_as_they_were() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        for _ in 0..300 {
            let position = start(&mut random, &[Position::start()]);
            let record = Record::new(&position, crate::score::Score::cp(-77)).with_result(2);
            let again = record.position().expect("a legal position");
            assert_eq!(again.fen().split(' ').next(), position.fen().split(' ').next());
            assert_eq!(again.turn(), position.turn());
            let white = if position.turn().is_white() { -77 } else { 77 };
            assert_eq!((record.score(), record.result()), (white, 1.0));
        }
    }

    #[test]
    fn a_run_that_is_cut_off_goes_on_to_the_same_file() {
        let folder = std::env::temp_dir().join(format!("freshet-datagen-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let openings = folder.join("openings.epd");
        std::fs::write(&openings, format!("{}\n", Position::START)).expect("a file");
        let settings = |name: &str, games, threads| DatagenSettings {
            openings: openings.clone(),
            output: folder.join(name),
            games,
            nodes: 60,
            threads,
            seed: 5,
        };
        let whole = run(&settings("whole", 6, 2)).expect("games");
        assert!(whole > 20, "{whole}");
        run(&settings("parts", 2, 1)).expect("games");
        // Half a record too many, as if the power had gone.
        let mut cut = OpenOptions::new().append(true).open(folder.join("parts")).expect("the file");
        cut.write_all(&[7; 11]).expect("bytes");
        run(&settings("parts", 6, 1)).expect("games");
        let read = |name: &str| std::fs::read(folder.join(name)).expect("the file");
        assert_eq!(read("whole"), read("parts"));
        assert!(
            super::super::data::read(&folder.join("whole"))
                .is_ok_and(|records| records.len() as u64 == whole)
        );
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
