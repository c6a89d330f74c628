//! Counts the move sequences of a position: the classic test of a move generator.
//!
//!     cargo run --release --example perft -- 5
//!     cargo run --release --example perft -- 4 \
//!         "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use freshet::board::Position;

/// The number of sequences of `depth` legal moves.
fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        // The last ply needs no list: its moves are only counted.
        1 => u64::from(position.count_moves()),
        _ => {
            let mut nodes = 0;
            for m in position.moves() {
                position.play(m);
                nodes += perft(position, depth - 1);
                position.undo();
            }
            nodes
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [depth, fen @ ..] = arguments.as_slice() else {
        return Err("usage: perft DEPTH [FEN]".into());
    };
    let depth: u32 = depth.parse().map_err(|_| format!("\"{depth}\" is not a depth"))?;
    // The FEN may be one argument or several.
    let mut position: Position =
        if fen.is_empty() { Position::start() } else { fen.join(" ").parse()? };

    println!("{}\n", position.picture());
    let start = Instant::now();
    for depth in 1..=depth {
        let nodes = perft(&mut position, depth);
        println!("depth {depth}: {nodes} nodes after {} ms", start.elapsed().as_millis());
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
