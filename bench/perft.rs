//! The speed of move generation, in leaves of perft a second, next to cozy-chess and shakmaty.
//!
//! The six classic positions, in four modes for the last ply: its moves are counted on the bare
//! sets of pieces, counted on the full position, listed, or listed, played and undone. Each backend
//! of the fills is built for the processor level for which it is made.
//!
//!     cargo bench --bench perft              # quick: a few seconds for each row
//!     cargo bench --bench perft -- --full    # deeper, more rounds
//!     cargo bench --bench perft -- --here    # without the builds for other levels
//!
//! cozy-chess looks up sliding attacks in magic tables, as any processor can, so that the tests,
//! which use it too, need no BMI2. For the comparison with PEXT tables, its fastest form:
//!
//!     cargo bench --bench perft --features bench-pext
//!
//! The rows of other levels come from builds of the engine that this program makes
//! (`target/levels`), so that no row profits from instructions that its level lacks. Rounds go
//! through all rows in turn and the median counts, so that a machine that slows down for a while
//! slows down all rows.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use cozy_chess::Board;
use freshet::board::Position;
use freshet::tools::perft::{Leaves, perft_with};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

/// Name, FEN, depth of a quick run and of a full one.
const POSITIONS: [(&str, &str, u32, u32); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 6),
    ("kiwi", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 5),
    ("p3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 7),
    ("p4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 5),
    ("p5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 5),
    ("p6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 5),
];

/// What is done with the last ply, by name.
const MODES: [(&str, Leaves); 4] = [
    ("bare", Leaves::Bare),
    ("counted", Leaves::Counted),
    ("listed", Leaves::Listed),
    ("played", Leaves::Played),
];

/// Levels for which the engine is built: name of the row, `target-cpu`.
const LEVELS: [(&str, &str); 2] =
    [("dumb7fill AVX2", "x86-64-v3"), ("dumb7fill scalar", "x86-64-v2")];

/// Perft by cozy-chess.
fn cozy(board: &Board, depth: u32, leaves: Leaves) -> u64 {
    let mut nodes = 0;
    match (leaves, depth) {
        (Leaves::Played, 0) => return 1,
        (Leaves::Bare | Leaves::Counted, 1) => {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
            return nodes;
        }
        (Leaves::Listed, 1) => {
            let mut list = arrayvec::ArrayVec::<cozy_chess::Move, 256>::new();
            board.generate_moves(|moves| {
                list.extend(moves);
                false
            });
            return std::hint::black_box(&list).len() as u64;
        }
        _ => {}
    }
    let mut list = arrayvec::ArrayVec::<cozy_chess::Move, 256>::new();
    board.generate_moves(|moves| {
        list.extend(moves);
        false
    });
    for m in list {
        let mut child = board.clone();
        child.play_unchecked(m);
        nodes += cozy(&child, depth - 1, leaves);
    }
    nodes
}

/// Perft by shakmaty.
fn shakmaty(position: &Chess, depth: u32, leaves: Leaves) -> u64 {
    if leaves == Leaves::Played && depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if leaves != Leaves::Played && depth == 1 {
        return std::hint::black_box(&moves).len() as u64;
    }
    let mut nodes = 0;
    for m in moves {
        let mut child = position.clone();
        child.play_unchecked(m);
        nodes += shakmaty(&child, depth - 1, leaves);
    }
    nodes
}

/// The row of cozy-chess.
const COZY: &str =
    if cfg!(feature = "bench-pext") { "cozy-chess PEXT" } else { "cozy-chess magics" };

/// A row of the table: a generator, by name.
struct Row {
    name: String,
    generator: Generator,
}

enum Generator {
    /// Freshet as this build has it.
    Here,
    Cozy,
    Shakmaty,
    /// Freshet as another program.
    Binary(PathBuf),
}

impl Row {
    /// One perft: its nodes and nanoseconds.
    fn run(&self, fen: &str, depth: u32, (mode, leaves): (&str, Leaves)) -> (u64, f64) {
        let timed = |f: &mut dyn FnMut() -> u64| {
            let start = Instant::now();
            let nodes = f();
            (nodes, start.elapsed().as_nanos() as f64)
        };
        match &self.generator {
            Generator::Here => {
                let mut position = Position::from_fen(fen).expect("a legal FEN");
                timed(&mut || perft_with(&mut position, depth, leaves))
            }
            Generator::Cozy => {
                let board: Board = fen.parse().expect("a legal FEN");
                timed(&mut || cozy(&board, depth, leaves))
            }
            Generator::Shakmaty => {
                let position: Chess = fen
                    .parse::<Fen>()
                    .ok()
                    .and_then(|fen| fen.into_position(CastlingMode::Standard).ok())
                    .expect("a legal FEN");
                timed(&mut || shakmaty(&position, depth, leaves))
            }
            Generator::Binary(path) => {
                let output = Command::new(path)
                    .args(["perft", &depth.to_string(), fen, "--leaves", mode])
                    .output()
                    .expect("the build runs");
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                let number = |before: &str| -> f64 {
                    let at = text.find(before).map(|at| at + before.len()).expect("perft's form");
                    let word = text[at..].split_whitespace().next().unwrap_or_default();
                    word.parse().expect("a number")
                };
                let nodes = number("Nodes searched: ");
                (nodes as u64, nodes / number(" ms, ") * 1e9)
            }
        }
    }
}

/// Builds the engine for a processor level; `None` if that fails.
fn build(cpu: &str) -> Option<PathBuf> {
    let target = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/levels").join(cpu);
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--bin", "freshet", "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", format!("-C target-cpu={cpu}"))
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .ok()?;
    status.success().then(|| target.join("release/freshet"))
}

/// The median of a few speeds.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The geometric mean.
fn mean(speeds: &[f64]) -> f64 {
    (speeds.iter().map(|speed| speed.ln()).sum::<f64>() / speeds.len() as f64).exp()
}

/// The rows of the table; the first is the one with which the others are compared.
fn rows(only_here: bool) -> Vec<Row> {
    let mut rows = vec![
        Row { name: COZY.to_string(), generator: Generator::Cozy },
        Row { name: "shakmaty".to_string(), generator: Generator::Shakmaty },
        Row { name: format!("dumb7fill {}", freshet::fill::BACKEND), generator: Generator::Here },
    ];
    for (name, cpu) in LEVELS {
        if !name.ends_with(freshet::fill::BACKEND) && !only_here {
            eprintln!("building for {cpu} ...");
            let generator = build(cpu).map(Generator::Binary);
            rows.extend(generator.map(|generator| Row { name: name.to_string(), generator }));
        }
    }
    rows
}

/// The median speed of each row on one position, in million nodes a second.
fn measure(rows: &[Row], fen: &str, depth: u32, mode: (&str, Leaves), rounds: u32) -> Vec<f64> {
    let mut speeds = vec![Vec::new(); rows.len()];
    let mut counts = vec![0; rows.len()];
    for _ in 0..rounds {
        for (index, row) in rows.iter().enumerate() {
            let (nodes, time) = row.run(fen, depth, mode);
            counts[index] = nodes;
            speeds[index].push(nodes as f64 * 1000.0 / time);
        }
    }
    assert!(counts.iter().all(|&count| count == counts[0]), "{fen}: {counts:?}");
    speeds.into_iter().map(median).collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let full = arguments.iter().any(|word| word == "--full");
    let rows = rows(arguments.iter().any(|word| word == "--here"));
    for mode in MODES {
        println!("\nMillion nodes a second, leaves {}", mode.0);
        print!("{:20}", "");
        for (name, ..) in POSITIONS {
            print!("{name:>8}");
        }
        println!("{:>9}{:>9}", "geomean", "to cozy");
        let positions: Vec<Vec<f64>> = POSITIONS
            .into_iter()
            .map(|(_, fen, quick, deep)| {
                let (depth, rounds) = if full { (deep, 7) } else { (quick, 5) };
                measure(&rows, fen, depth, mode, rounds)
            })
            .collect();
        let speeds = |row: usize| positions.iter().map(|speeds| speeds[row]).collect::<Vec<_>>();
        let base = mean(&speeds(0));
        for (index, row) in rows.iter().enumerate() {
            let speeds = speeds(index);
            print!("{:20}", row.name);
            for speed in &speeds {
                print!("{speed:8.0}");
            }
            println!("{:9.0}{:9.2}", mean(&speeds), mean(&speeds) / base);
        }
    }
}
