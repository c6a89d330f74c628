//! Draws all shortest paths of a king between two squares, move by move, as boards side by side.
//!
//!     cargo run --example shortest_paths -- e4 h8
//!     cargo run --example shortest_paths -- a1 h1 d1 d2 d3 d4 d5    # around these squares
//!
//! On each board, `K` are the squares on which the king may stand after that number of moves of a
//! shortest path, `#` the squares that it may not enter.

use std::error::Error;
use std::process::ExitCode;

use freshet::chess::{Bitboard, BySquare, Square, bit, diagram};
use freshet::fill::waves::all_shortest_paths;

/// How many boards fit beside each other.
const BOARDS_A_ROW: usize = 4;

/// One layer of the paths as a board, under its title.
fn board(moves: usize, layer: Bitboard, walls: Bitboard) -> String {
    let mut marks: BySquare<char> = diagram(Bitboard::EMPTY);
    walls.into_iter().for_each(|square| marks[square] = '#');
    layer.into_iter().for_each(|square| marks[square] = 'K');
    format!("{:15}\n{marks}", format!("after {moves} moves"))
}

/// Boards beside each other: their lines joined one by one.
fn side_by_side(boards: &[String]) -> String {
    let boards: Vec<Vec<&str>> = boards.iter().map(|board| board.lines().collect()).collect();
    let line = |index: usize| -> String {
        let parts: Vec<&str> = boards.iter().map(|lines| lines[index]).collect();
        parts.join("    ")
    };
    (0..9).map(|index| line(index).trim_end().to_string() + "\n").collect()
}

fn run() -> Result<(), Box<dyn Error>> {
    let squares: Vec<Square> = std::env::args()
        .skip(1)
        .map(|word| word.parse().map_err(|_| format!("\"{word}\" is not a square")))
        .collect::<Result<_, _>>()?;
    let [from, to, walls @ ..] = squares.as_slice() else {
        return Err("usage: shortest_paths FROM TO [SQUARES NOT TO ENTER]".into());
    };
    let walls: Bitboard = walls.iter().copied().collect();
    let layers = all_shortest_paths(bit(*from), bit(*to), !walls)
        .ok_or_else(|| format!("no path leads from {from} to {to}"))?;

    let boards: Vec<String> =
        layers.iter().enumerate().map(|(moves, &layer)| board(moves, layer, walls)).collect();
    let rows: Vec<String> = boards.chunks(BOARDS_A_ROW).map(side_by_side).collect();
    print!("{}", rows.join("\n"));
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
