//! The command line, and commands for people.

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

/// The words of `eval`, pictures, and what the evaluation depends on.
#[test]
fn positions_are_explained() {
    let mut engine = Engine::start();
    engine.send("position fen 8/8/8/8/8/4k3/8/4K2R w - - 0 1");
    engine.send("eval json");
    let lines = engine.until("{", SOON);
    assert!(lines[lines.len() - 1].ends_with('}'), "{lines:?}");
    engine.send("eval phases legend");
    let lines = engine.until("Final evaluation: ", SOON);
    assert!(lines.iter().any(|line| line.contains("Midgame Endgame")));
    assert!(
        lines.contains(&"    How near the side's own king has come to a bare king.".to_string())
    );
    engine.send("eval quickly");
    assert!(engine.ready()[0].starts_with("info string error: "));
    for help in ["eval help", "eval --help"] {
        engine.send(help);
        let lines = engine.ready();
        assert!(lines[0].starts_with("Show how a position is evaluated"), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("Usage: freshet eval")), "{lines:#?}");
    }
    engine.send("fills");
    assert_eq!(engine.ready().len(), 12);
    engine.send("fills king-paths e8 ascii");
    let lines = engine.ready();
    assert!(lines.contains(&"x way   * goal   # closed".to_string()), "{lines:#?}");
    engine.send("fills race 4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert!(engine.ready().contains(&"4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_string()));
    for wrong in ["fills nothing", "fills race a9", "fills race 8/8 w - - 0 1"] {
        engine.send(wrong);
        assert!(engine.ready()[0].starts_with("info string error: "), "{wrong}");
    }
    engine.send("sensitivity");
    assert!(engine.ready()[0].starts_with("Score +"));
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
