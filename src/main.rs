//! The door.

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut position = freshet::board::Position::start();
    let depth = args.get(1).and_then(|d| d.parse().ok()).unwrap_or(5);
    let _ = freshet::tools::perft::divide(&mut position, depth, false, &mut std::io::stdout());
}
