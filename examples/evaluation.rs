//! Evaluates a position and shows the terms that contribute most.
//!
//!     cargo run --release --example evaluation -- "8/5k2/4p1p1/3bP1P1/1p1P4/1P2B3/4K3/8 w - - 0 1"

use std::process::ExitCode;

use freshet::board::Position;
use freshet::chess::ByColor;
use freshet::eval::terms::Purpose;
use freshet::eval::weights::WEIGHTS;
use freshet::eval::{Trace, trace};

/// How many terms are shown.
const SHOWN: usize = 10;

/// What a term brings White, less what it brings Black, in centipawns.
struct Contribution {
    term: &'static str,
    middlegame: i32,
    endgame: i32,
}

/// All terms that are added up to the value, largest first.
fn contributions(trace: &Trace) -> Vec<Contribution> {
    let mut differences: Vec<Vec<i32>> = Vec::new();
    let ByColor { white, black } = &trace.counts;
    white.each(|_, _, counts| differences.push(counts.to_vec()));
    let mut rows = differences.iter_mut();
    black.each(|_, _, counts| {
        for (difference, count) in rows.next().into_iter().flatten().zip(counts) {
            *difference -= count;
        }
    });

    let mut contributions = Vec::new();
    let mut rows = differences.iter();
    WEIGHTS.each(|group, term, weights| {
        let counts = rows.next().into_iter().flatten();
        let (mut middlegame, mut endgame) = (0, 0);
        for (weight, count) in weights.iter().zip(counts) {
            middlegame += weight.mg() * count;
            endgame += weight.eg() * count;
        }
        if group.purpose() == Purpose::Value {
            contributions.push(Contribution { term, middlegame, endgame });
        }
    });
    contributions.sort_by_key(|term| -(term.middlegame.abs() + term.endgame.abs()));
    contributions
}

fn main() -> ExitCode {
    let fen = std::env::args().nth(1).unwrap_or_else(|| Position::START.to_string());
    let position = match Position::from_fen(&fen) {
        Ok(position) => position,
        Err(error) => {
            eprintln!("\"{fen}\" is no position: {error}");
            return ExitCode::FAILURE;
        }
    };
    let trace = trace(&position);
    println!("{:24}{:>12}{:>9}", "Centipawns for White", "middlegame", "endgame");
    for Contribution { term, middlegame, endgame } in contributions(&trace).iter().take(SHOWN) {
        println!("{term:24}{middlegame:12}{endgame:9}");
    }
    let [middlegame, endgame] = trace.steps.balance;
    println!("{:24}{middlegame:12}{endgame:9}", "all, with king danger");
    println!("Evaluation, tapered and scaled: {}", trace.steps.total);
    ExitCode::SUCCESS
}
