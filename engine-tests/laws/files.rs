//! Laws of files: games, books, saved tables, training data and weights.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use freshet::board::{Move, MoveKind, Position};
use freshet::book::build::Builder;
use freshet::book::games::{self, Game};
use freshet::book::{Book, BookError, Entry, code, key};
use freshet::chess::{File, Square};
use freshet::engine::Engine;
use freshet::eval::phased::s;
use freshet::eval::weights::WEIGHTS;
use freshet::explain::annotate::{self, Annotated};
use freshet::files::FileError;
use freshet::score::Score;
use freshet::search::{Limits, SearchResult};
use freshet::tools::ToolError;
use freshet::tools::analyse::{self, AnalyseSettings};
use freshet::tools::weights::{dump, parse};
use freshet::tuning::data::{self, Record};
use freshet::tuning::datagen::{self, DatagenSettings};
use freshet::tuning::eval::{self, EvalSettings};
use freshet::tuning::{spsa, wdl, weights_file};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::assert_message;
use super::input::Input;

/// A file of this process and thread among the system's temporary files.
pub fn scratch(name: &str) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let number: String = thread.chars().filter(char::is_ascii_digit).collect();
    let folder = std::env::temp_dir().join(format!("freshet-laws-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(format!("{number}-{name}"))
}

fn scratch_with(name: &str, content: &[u8]) -> PathBuf {
    let path = scratch(name);
    std::fs::write(&path, content).expect("a file");
    path
}

/// An error of a file begins with its path.
fn assert_names(error: &FileError, path: &Path) {
    assert_message(error);
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
}

fn read_games(path: &Path) -> Result<Vec<Game>, FileError> {
    let mut all = Vec::new();
    games::read::<FileError>(path, |game| {
        all.push(game);
        Ok(())
    })?;
    Ok(all)
}

/// The moves of a game up to the first illegal one, and a PGN file with them.
fn pgn_text(game: &Game, start: &Position) -> (Vec<String>, String) {
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut text = format!("[FEN \"{}\"]\n\n", start.fen());
    for (san, score) in game.moves.iter().zip(&game.scores) {
        let Ok(m) = position.parse_san(san) else { break };
        moves.push(position.san(m));
        let number = position.ply() / 2 + 1;
        let dots = if position.turn().is_white() { "." } else { "..." };
        text.push_str(&format!("{number}{dots} {} ", position.san(m)));
        if let Some(score) = score {
            text.push_str(&format!("{{{:+.2}/9 0.1s}} ", f64::from(*score) / 100.0));
        }
        position.play(m);
    }
    text.push_str(match game.white {
        Some(2) => "1-0\n",
        Some(1) => "1/2-1/2\n",
        Some(_) => "0-1\n",
        None => "*\n",
    });
    (moves, text)
}

/// Bytes are read as a PGN file and as a table of openings. The legal moves of each game come back
/// when they are written and read again, and a book of the games has legal moves only.
pub fn pgn(bytes: &[u8]) {
    let path = scratch_with("games.pgn", bytes);
    let all = match read_games(&path) {
        Ok(all) => all,
        Err(error) => return assert_names(&error, &path),
    };
    for game in all.iter().take(8) {
        assert_eq!(game.moves.len(), game.scores.len());
        assert!(game.white.is_none_or(|points| points <= 2));
        let Some(start) = &game.start else { continue };
        let (moves, text) = pgn_text(game, start);
        let again = read_games(&scratch_with("again.pgn", text.as_bytes())).expect("our own game");
        let [again] = &again[..] else { panic!("{} games of one: {text}", again.len()) };
        assert_eq!(again.start.as_ref(), Some(start), "{text}");
        assert_eq!((&again.moves, again.white), (&moves, game.white), "{text}");
        assert_eq!(again.scores, game.scores[..moves.len()], "{text}");
    }
    for name in ["games.pgn", "lines.tsv"] {
        makes_a_book(&scratch_with(name, bytes), &all);
    }
    if let Err(error) = wdl::run(std::slice::from_ref(&path), &()) {
        assert_message(error);
    }
    is_training_data(&path);
    let plies: usize = all.iter().map(|game| game.moves.len() + 1).sum();
    if plies <= 12 && bytes.len().is_multiple_of(4) {
        let settings = AnalyseSettings { nodes: Some(30), hash: 1, ..AnalyseSettings::default() };
        let report = &mut |report: &analyse::GameReport| assert_message(report);
        if let Err(error) = analyse::games(&path, &settings, &(), report) {
            assert_message(error);
        }
        is_annotated(&path, &settings);
    }
}

/// The quiet positions of games are training data like any other.
fn is_training_data(path: &Path) {
    match data::read(path, None) {
        Ok(records) => {
            for record in records {
                assert!(record.position().is_some() && record.score().abs() <= 1500, "{record:?}");
            }
        }
        Err(error) => assert_names(&error, path),
    }
}

/// An annotated game is a game that can be read and played.
fn is_annotated(path: &Path, settings: &AnalyseSettings) {
    let annotated = annotate::games(path, None, settings, &(), &mut |annotated| {
        let text = match annotated {
            Annotated::Game(text) => text,
            Annotated::Bad(game) => {
                assert_message(game);
                return Ok(());
            }
        };
        let games = read_games(&scratch_with("annotated.pgn", text.as_bytes())).expect("a game");
        let [game] = &games[..] else { panic!("{} games of one: {text}", games.len()) };
        assert_eq!(game.problem, None, "{text}");
        let mut position = game.start.clone().expect("a position");
        for m in &game.moves {
            let m = position.parse_san(m).unwrap_or_else(|error| panic!("{error}: {text}"));
            position.play(m);
        }
        Ok::<(), ToolError>(())
    });
    if let Err(error) = annotated {
        assert_message(error);
    }
}

/// A book is made of a file. Of all positions of the games, it has legal moves with weights.
fn makes_a_book(path: &Path, games: &[Game]) {
    let mut builder = Builder::default();
    if let Err(error) = builder.add_file(path, &mut |error| assert_names(error, path)) {
        return assert_names(&error, path);
    }
    let book = Book::parse(&builder.book()).expect("our own book");
    let mut found = 0;
    for game in games {
        let Some(mut position) = game.start.clone() else { continue };
        for san in &game.moves {
            found += has_legal_moves(&book, &position);
            let Ok(m) = position.parse_san(san) else { break };
            position.play(m);
        }
    }
    let is_pgn = path.extension().is_some_and(|extension| extension == "pgn");
    assert!(!is_pgn || book.is_empty() || found > 0, "the book knows none of its positions");
}

/// The number of moves that a book has for a position. They are legal and have weights, and those
/// that it chooses are among them.
fn has_legal_moves(book: &Book, position: &Position) -> usize {
    let moves = book.moves(position);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(position.key());
    for choice in &moves {
        assert!(choice.weight > 0 && position.moves().contains(&choice.m), "{position}");
    }
    let heaviest = moves.iter().map(|choice| choice.weight).max();
    let best = book.choose(position, true, &mut random);
    let is_best = |m| moves.iter().any(|choice| choice.m == m && Some(choice.weight) == heaviest);
    assert!(best.map_or(moves.is_empty(), is_best), "{position}");
    let any = book.choose(position, false, &mut random);
    let is_known = |m| moves.iter().any(|choice| choice.m == m);
    assert!(any.map_or(moves.is_empty(), is_known), "{position}");
    moves.len()
}

/// The legal move that a code of a book stands for, by the definition of the format.
fn of_code(position: &Position, wanted: u16) -> Option<Move> {
    let moves = position.moves();
    let exact = moves.iter().find(|&&m| code(m) == wanted);
    let king_step = moves.iter().find(|m| {
        let file = if m.to() > m.from() { File::G } else { File::C };
        let to = Square::from_coords(file, m.from().rank());
        m.kind() == MoveKind::Castle
            && m.from().distance(to) > 1
            && wanted == (m.from() as u16) << 6 | to as u16
    });
    exact.or(king_step).copied()
}

/// A book of any entries for a position has exactly the legal moves among them; any bytes are a
/// book or are refused.
pub fn polyglot(bytes: &[u8]) {
    let mut input = Input(bytes);
    let mut position = input.start();
    for _ in 0..input.byte() % 8 {
        let Some(m) = input.choose(&position) else { break };
        position.play(m);
    }
    match Book::parse(input.0) {
        Ok(book) => {
            assert_eq!(book.len() * 16, input.0.len());
            has_legal_moves(&book, &position);
        }
        Err(error @ BookError::PartialEntry { rest }) => {
            assert_message(error);
            assert_eq!(rest, input.0.len() % 16);
        }
        Err(error @ BookError::Unsorted) => assert_message(error),
    }
    let here = key(&position);
    let mut entries = Vec::new();
    while !input.is_empty() {
        let flags = input.byte();
        // Most for this position, some for none.
        let key = if flags & 7 == 7 { here ^ u64::from(flags) << 32 } else { here };
        let legal = position.moves();
        let code = match flags & 8 {
            8 if !legal.is_empty() => code(legal[usize::from(input.byte()) % legal.len()]),
            _ => input.word(),
        };
        entries.push(Entry { key, code, weight: input.word() });
    }
    let text = Book::bytes(entries.clone());
    let book = Book::open(&scratch_with("book.bin", &text)).expect("our own book");
    assert_eq!(book.len(), entries.len());
    has_legal_moves(&book, &position);
    let with_weight = entries.iter().filter(|entry| entry.key == here && entry.weight > 0);
    let mut known: Vec<(u16, u16)> = with_weight
        .filter_map(|entry| Some((of_code(&position, entry.code)?.bits(), entry.weight)))
        .collect();
    let moves = book.moves(&position);
    let mut found: Vec<_> = moves.iter().map(|choice| (choice.m.bits(), choice.weight)).collect();
    known.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, known, "{position}");
}

/// MiB of the table, and its words: four slots of two words make a bucket.
const HASH: usize = 1;
const WORDS: usize = (HASH << 20) / 8;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new(HASH, 1).expect("memory"));
}

/// Any file is a saved table or is refused. A loaded table is saved as it was read, and whatever
/// its entries say about a position, searching it plays legal moves.
pub fn hash_file(bytes: &[u8]) {
    let mut input = Input(bytes);
    let form = input.byte();
    let position = input.start();
    let age = input.byte();
    let mut file = format!("freshet-hash-1 {HASH} {age}\n").into_bytes();
    match form % 4 {
        0 => file = input.rest().to_vec(),
        1 => {
            let rest = input.rest();
            let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
            file = rest[..end].to_vec();
            file.extend(rest[end..].iter().cycle().take(8 * WORDS));
        }
        2 => file.extend(input.rest().iter().cycle().take(8 * WORDS)),
        _ => file.extend(entries_for(&position, &mut input)),
    }
    ENGINE.with_borrow_mut(|engine| {
        engine.clear();
        let path = scratch_with("hash", &file);
        match engine.load_table(&path) {
            // The other forms check that everything is saved.
            Ok(()) if form % 4 == 3 => {}
            Ok(()) => {
                let saved = scratch("saved");
                engine.save_table(&saved).expect("a file");
                let saved = std::fs::read(saved).expect("a file");
                let body = saved.len() - 8 * WORDS;
                let start = file.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
                assert!(saved[body..] == file[start..start + 8 * WORDS], "other entries");
            }
            Err(error) => assert_names(&error, &path),
        }
        plays_legal_moves(&position, &engine.search(&position, &Limits::nodes(200)));
    });
}

/// The content of a table with entries, made from the input, for a position and those up to two
/// moves later.
fn entries_for(position: &Position, input: &mut Input<'_>) -> Vec<u8> {
    let mut content = vec![0; 8 * WORDS];
    let mut position = position.clone();
    let mut keys = vec![position.key()];
    for m in position.moves() {
        position.play(m);
        keys.push(position.key());
        for reply in position.moves().into_iter().take(4) {
            position.play(reply);
            keys.push(position.key());
            position.undo();
        }
        position.undo();
    }
    for (number, key) in keys.into_iter().enumerate() {
        if input.is_empty() {
            break;
        }
        let data = input.long();
        let bucket = ((u128::from(key) * (WORDS / 8) as u128) >> 64) as usize;
        let slot = 64 * bucket + 16 * (number % 4);
        content[slot..slot + 8].copy_from_slice(&(key ^ data).to_le_bytes());
        content[slot + 8..slot + 16].copy_from_slice(&data.to_le_bytes());
    }
    content
}

fn plays_legal_moves(position: &Position, result: &SearchResult) {
    let SearchResult { line, score, nodes, .. } = result;
    assert_eq!(line.is_empty(), position.moves().is_empty(), "{position}");
    assert!(*score < Score::INFINITE && *score > -Score::INFINITE, "{score} in {position}");
    assert!(*nodes < 10_000);
    assert_message(score);
    let mut position = position.clone();
    for &m in line {
        position.try_play(m).unwrap_or_else(|error| panic!("{error} in {position}: {line:?}"));
    }
}

/// Any bytes are training data or are refused. A record of a position comes back from that
/// position. Weights of any size come back from their printed source.
pub fn data(bytes: &[u8]) {
    let mut input = Input(bytes);
    match input.byte() % 8 {
        0 => weights_come_back(&mut input),
        1 => interrupted_data_goes_on(&mut input),
        2 => {
            let position = input.start();
            let records = [Record::new(&position, Score::cp(input.word().into()))];
            read_records(&records.map(|record| record.with_result(1).0).concat());
        }
        _ => read_records(input.rest()),
    }
}

fn read_records(bytes: &[u8]) {
    let path = scratch_with("data.bin", bytes);
    let records = match data::read(&path, None) {
        Ok(records) => records,
        Err(error) => return assert_names(&error, &path),
    };
    assert_eq!(records.len() * 32, bytes.len());
    for record in &records {
        assert!(record.result().is_none_or(|result| (0.0..=1.0).contains(&result)), "{record:?}");
        let _ = record.class();
        let Some(position) = record.position() else { continue };
        let score = Score::cp(record.score()).for_white(position.turn());
        let again = Record::new(&position, score);
        let most = Score::MAX_EVAL.raw();
        assert_eq!(again.score(), record.score().clamp(-most, most), "{position}");
        let same = again.position().expect("a legal position");
        assert_eq!(same, position);
    }
    // Both report what they cannot do; a fit to so few positions means nothing.
    let settings = EvalSettings { data: vec![path.clone()], ..Default::default() };
    if let Err(error) = eval::run(&settings, &()) {
        assert_message(error);
    }
    if (1..=256).contains(&bytes.len()) {
        let many: Vec<u8> = bytes.iter().copied().cycle().take(32 * 1024).collect();
        match wdl::run(&[scratch_with("many.bin", &many)], &()) {
            Ok(fit) => assert!(!fit.to_string().contains("NaN"), "{fit}"),
            Err(error) => assert_message(error),
        }
    }
}

/// A run of datagen with enough games keeps whole records, or refuses files that are not its own.
fn interrupted_data_goes_on(input: &mut Input<'_>) {
    let length = usize::from(input.byte());
    let content: Vec<u8> = std::iter::repeat_with(|| input.byte()).take(length).collect();
    let counts = input.rest();
    let openings = scratch_with("openings.epd", Position::START.as_bytes());
    let output = scratch_with("games.bin", &content);
    let games = scratch_with("games.bin.games", counts);
    let settings =
        DatagenSettings { openings, output: output.clone(), games: 0, ..Default::default() };
    let run = datagen::run(&settings, &());
    let left = std::fs::read(&output).expect("the file");
    match run {
        Ok(added) => {
            assert_eq!(added, 0);
            assert!(content.starts_with(&left));
            let records = data::read(&output, None);
            assert!(records.is_ok(), "{} bytes, {records:?}", left.len());
        }
        Err(error) => {
            assert_message(error);
            assert_eq!(left, content);
            assert_eq!(std::fs::read(games).expect("the file"), counts);
        }
    }
}

/// A text of weights, or the output of an OpenBench tuning job, is read or refused. What was read
/// comes back from its printed form.
pub fn weights(bytes: &[u8]) {
    match parse(&String::from_utf8_lossy(bytes)) {
        Ok(weights) => assert!(parse(&dump(&weights)) == Ok(weights)),
        Err(error) => assert_message(error),
    }
    let (mut input, mut changed) = (Input(bytes), WEIGHTS);
    changed.each_mut(|row| {
        for weight in row {
            let [mg, eg] = [(); 2].map(|()| i32::from(input.byte() % 64));
            *weight = s(mg, eg);
        }
    });
    assert!(parse(&dump(&changed)) == Ok(changed), "small weights come back");
    let path = scratch_with("outputs.txt", bytes);
    match spsa::from_openbench(&path) {
        Ok(text) => {
            // Lines of a name, ` = ` and a value before the first comma.
            let values = text.lines().filter_map(|line| line.split_once(','));
            let outputs: String =
                values.map(|(value, _)| value.replace(" =", ",") + "\n").collect();
            let again = spsa::from_openbench(&scratch_with("again.txt", outputs.as_bytes()));
            assert_eq!(again.expect("our own numbers"), text);
        }
        Err(error) => assert_names(&error, &path),
    }
}

fn weights_come_back(input: &mut Input<'_>) {
    let mut weights = WEIGHTS;
    let mut numbers = Vec::new();
    weights.each_mut(|row| {
        for weight in row {
            let [mg, eg] = [(); 2].map(|()| i32::from(input.word() as i16).max(-32_767));
            *weight = s(mg, eg);
            numbers.extend([mg, eg]);
        }
    });
    let text = weights_file::source(&weights);
    let (_, table) = text.split_once("pub const WEIGHTS").expect("a table");
    let printed: Vec<i32> = table
        .split("s(")
        .skip(1)
        .filter_map(|weight| weight.split_once(')'))
        .flat_map(|(pair, _)| pair.split(',').map(|number| number.trim().parse::<i32>()))
        .collect::<Result<_, _>>()
        .expect("numbers");
    assert_eq!(printed, numbers);
}
