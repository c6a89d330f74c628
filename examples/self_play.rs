//! A game of the engine against itself, printed as moves and a picture of the end.
//!
//!     cargo run --release --example self_play -- [NODES_PER_MOVE]

use std::error::Error;

use freshet::board::Position;
use freshet::engine::Engine;
use freshet::search::{Limits, StopFlag};

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = match std::env::args().nth(1) {
        Some(text) => text.parse().map_err(|_| format!("\"{text}\" is no number of nodes"))?,
        None => 5000,
    };
    let mut engine = Engine::new(16, 1)?;
    let mut position = Position::start();
    while !position.is_threefold() && !position.is_draw(0) && position.ply() < 400 {
        engine.set_position(position.clone());
        let result = engine.go(&Limits::nodes(nodes), &StopFlag::new(), &mut ());
        let Some(&best) = result.line.first() else { break };
        if position.turn().is_white() {
            print!("{}. ", position.ply() / 2 + 1);
        }
        print!("{} ", position.san(best));
        position.play(best);
    }
    println!("\n\n{}", position.picture());
    Ok(())
}
