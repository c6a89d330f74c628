//! The command line, and commands for people.

use freshet::board::Position;
use freshet::eval::phased::Phased;

use super::{Engine, SOON};

/// `go perft` has the form that generators are compared in.
#[test]
fn perft_for_people() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    engine.send("go perft 3");
    let lines = engine.until("Nodes searched: 13160", SOON);
    assert_eq!(lines.len(), 22);
    assert_eq!(lines[20], "");
    let counts = lines[..20].iter().map(|line| line.split_once(": ").expect("a count").1);
    assert_eq!(counts.map(|count| count.parse::<u64>().expect("a number")).sum::<u64>(), 13160);
}

#[test]
fn eval_ends_with_the_evaluation() {
    let mut engine = Engine::start();
    engine.send("eval");
    let lines = engine.until("Final evaluation: ", SOON);
    let last = &lines[lines.len() - 1];
    assert!(last.ends_with(" (white side)"), "{last}");
}

/// A pasted FEN is set and shown; `help` helps; a search can be shown as a table, without colours
/// in a pipe.
#[test]
fn a_prompt_for_people() {
    let mut engine = Engine::start();
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40";
    engine.send(fen);
    assert!(engine.until("Checkers", SOON).contains(&format!("Fen: {fen}")));
    engine.send("8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(engine.ready()[0].starts_with("info string error: "));
    engine.send("help");
    engine.until("All else is the UCI protocol", SOON);
    engine.send("setoption name Readable value true");
    engine.send("go depth 5");
    let lines = engine.until("bestmove", SOON);
    assert!(lines[0].starts_with("Scores are in pawns; + is good for White"), "{lines:#?}");
    assert_eq!(lines[1], "depth    score  seconds        nodes  line");
    assert!(lines[2].starts_with("    1 ") && lines[2].contains("  40... K"), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.contains('\x1b') && !line.starts_with("info depth")));
}

/// The values by square that `eval` shows add up to the term groups they are taken from.
#[test]
fn square_values_add_up_to_their_groups() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 b - - 0 9";
    let shares = freshet::eval::square_values(&Position::from_fen(fen).expect("a FEN"));
    let sum = shares.into_iter().fold(Phased::ZERO, |sum, share| sum + share);
    let mut engine = Engine::start();
    engine.send(&format!("position fen {fen}"));
    engine.send("eval");
    let lines = engine.until("Final evaluation", SOON);
    let total = |group: &str| -> [f64; 2] {
        let row = lines.iter().find(|line| line.starts_with(group)).expect("the group");
        let words: Vec<f64> =
            row.split_whitespace().rev().take(2).map(|w| w.parse().expect("a number")).collect();
        [words[1], words[0]]
    };
    let (squares, fills) = (total("Squares  "), total("Fills  "));
    let near = |a: f64, b: i32| (a - f64::from(b) / 100.0).abs() < 0.001;
    assert!(
        near(squares[0] + fills[0], sum.mg()) && near(squares[1] + fills[1], sum.eg()),
        "{sum:?}"
    );
}
