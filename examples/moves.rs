//! Shows the legal moves of a position, and the fills from which they come.
//!
//!     cargo run --example moves
//!     cargo run --example moves -- "4k3/8/8/8/1b6/8/3N4/4K2R w K - 0 1"

use std::process::ExitCode;

use freshet::board::{Position, PositionError};
use freshet::chess::{Bitboard, diagram};
use freshet::fill::Rays;

/// Prints a set of squares under its name.
fn show(name: &str, set: Bitboard) {
    println!("{name}:\n{}\n", diagram(set));
}

fn run(fen: &str) -> Result<(), PositionError> {
    let position: Position = fen.parse()?;
    println!("{}\n\n{position}\n", position.picture());

    // The attack fills of the sliders of the side to move, all eight directions at once. Each lane
    // holds the fill of one direction; here they are united by line.
    let side = position.turn();
    let sliders = Rays::sliders(position.orthogonal(side), position.diagonal(side));
    let (orthogonal, diagonal) = sliders.attacks(!position.occupied()).by_line();
    show("Attacked along ranks and files", orthogonal);
    show("Attacked along diagonals", diagonal);

    // Checks, pins and king danger squares, also from fills.
    let info = position.check_info();
    show("Squares attacked, without our king", info.attacked);
    if info.pinned.any() {
        show("Pinned pieces", info.pinned);
    }
    if info.in_check() {
        show("Check mask: where a piece other than the king must end its move", info.check_mask);
    }

    let moves: Vec<String> = position.moves().iter().map(|&m| position.san(m)).collect();
    println!("{} legal moves: {}", moves.len(), moves.join(" "));
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let fen = if words.is_empty() { Position::START.to_string() } else { words.join(" ") };
    match run(&fen) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: bad FEN \"{fen}\": {error}");
            ExitCode::FAILURE
        }
    }
}
