//! Explanations, and weights from a file.

use std::time::{Duration, Instant};

use super::{Engine, SOON};
use crate::support::Folder;

/// Explanations of moves, and refused commands.
#[test]
fn moves_are_explained() {
    let mut engine = Engine::start();
    engine.send("position fen 5bk1/3n1pp1/7p/3p4/3P4/5N2/q4PPP/1Q3BK1 w - - 0 1");
    for text in ["explain Qxa2", "explain b1a2"] {
        engine.send(text);
        let lines = engine.ready();
        assert!(lines[0].starts_with("Qxa2 is the best move found. It takes"), "{lines:#?}");
    }
    engine.send("why Qxa2 h3");
    let lines = engine.ready();
    let overlooked =
        "h3 is a blunder. It overlooks the threat: 1...Qxb1 takes the undefended queen";
    assert!(lines[0].starts_with(overlooked), "{lines:#?}");
    // The better move is said to meet the threat, not to give the queen squares.
    engine
        .send("position fen r1bq1r1k/pppp2pp/1bn3n1/3QPpN1/2B1NP2/4P3/PPP3PP/R1B1K2R b KQ - 1 10");
    engine.send("explain fxe4");
    let lines = engine.ready();
    let text = lines.join(" ");
    assert!(text.contains("It overlooks the threat: 11.Qg8+ forces mate in 2"), "{text}");
    assert!(text.contains(", which meets the threat."), "{text}");
    engine.send("position fen 5bk1/3n1pp1/7p/3p4/3P4/5N2/q4PPP/1Q3BK1 w - - 0 1");
    engine.send("explain Qxa2 terms");
    let lines = engine.until("This is the best move found.", SOON);
    assert!(lines.iter().any(|line| line.contains("1 queen less")), "{lines:#?}");
    for (text, reason) in [
        ("explain", "required arguments were not provided"),
        ("explain Ke3", "Ke3\": not a legal move here"),
        ("explain hello", "hello\": not written as a move"),
        ("why Qxa2", "required"),
        ("weights", "subcommand"),
    ] {
        engine.send(text);
        let lines = engine.ready();
        assert_eq!(lines.len(), 2, "{text}: {lines:?}");
        assert!(
            lines[0].starts_with("info string error: ") && lines[0].contains(reason),
            "{lines:?}"
        );
    }
}

/// A line for logs before `bestmove`, even if the line ends in mate or there is no move.
#[test]
fn matches_are_told_why() {
    let mut engine = Engine::start();
    engine.send("setoption name Explain value true");
    engine.send("position startpos moves e2e4");
    engine.send("go nodes 5000");
    let lines = engine.until("bestmove ", SOON);
    let text = &lines[lines.len() - 2];
    assert!(text.starts_with("info string explain ") && text.contains(": it "), "{lines:#?}");
    for (fen, expected) in [
        (
            "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
            "info string explain Ra8#: 1.Ra8# mates on the back rank, where the king is shut in by its own pieces",
        ),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "info depth 0 score mate 0"),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 3");
        let lines = engine.until("bestmove ", SOON);
        assert_eq!(lines[lines.len() - 2], expected);
    }
    engine.send("setoption name Explain value false");
    engine.send("position startpos");
    engine.send("go nodes 5000");
    let lines = engine.until("bestmove ", SOON);
    assert!(lines.iter().all(|line| !line.contains("explain")), "{lines:#?}");
}

/// On the clock an answer does not wait for its reason: here the threat would be looked for in an ending
/// that takes two seconds to solve.
#[test]
fn reasons_take_no_time_on_the_clock() {
    let mut engine = Engine::start();
    engine.send("setoption name Explain value true");
    engine.send("position fen 8/4kp2/6p1/7p/P6P/6P1/3K1P2/8 w - - 0 1");
    for (go, stop) in [("go movetime 50", false), ("go infinite", true)] {
        let began = Instant::now();
        engine.send(go);
        if stop {
            engine.send("stop");
        }
        let lines = engine.until("bestmove ", SOON);
        assert!(lines.iter().any(|line| line.starts_with("info string explain ")), "{lines:#?}");
        assert!(began.elapsed() < Duration::from_millis(800), "{go}: {:?}", began.elapsed());
    }
}

/// With `Readable`, the answer is also given in SAN.
#[test]
fn readable_to_the_end() {
    let mut engine = Engine::start();
    engine.send("setoption name Readable value true");
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 12");
    engine.send("go depth 3");
    let lines = engine.until("bestmove ", SOON);
    assert_eq!(lines[lines.len() - 2], "Best move: 12. Ra8#");
    assert_eq!(lines[lines.len() - 1], "bestmove a1a8");
}

fn nodes(engine: &mut Engine) -> String {
    engine.send("bench 1 1 6");
    let lines = engine.ready();
    let line = lines.iter().find(|line| line.contains(" nodes ")).expect("a count");
    line.split(' ').next().unwrap_or_default().to_string()
}

/// Weights dumped and loaded again play the same. Other weights take effect at once, without old
/// table entries. An error names its line and changes nothing.
#[test]
fn weights_are_loaded() {
    let folder = Folder::new("weights");
    let mut engine = Engine::start();
    let built_in = nodes(&mut engine);
    engine.send("weights dump");
    let dump = engine.ready();
    let dump = dump[..dump.len() - 1].join("\n");
    let same = folder.write("same.txt", &dump);
    let other =
        folder.write("other.txt", &dump.replace("bishop_pair = ", "bishop_pair = 300,-80 # "));
    let wrong = folder.write("wrong.txt", &dump.replace("bishop_pair = ", "bishop_pair = x # "));

    engine.send(&format!("setoption name WeightsFile value {same}"));
    assert_eq!(nodes_after_message(&mut engine, "using the weights in"), built_in);
    engine.send(&format!("setoption name WeightsFile value {other}"));
    let changed = nodes_after_message(&mut engine, "using the weights in");
    assert_ne!(changed, built_in);
    engine.send("position fen 4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1");
    engine.send("eval");
    let table = engine.ready().join("\n");
    engine.send(&format!("setoption name WeightsFile value {wrong}"));
    let line = dump.lines().position(|line| line.starts_with("bishop_pair")).expect("a term") + 1;
    let complaint =
        format!("wrong.txt: line {line}: \"x\" is not a middlegame and an endgame weight");
    assert_eq!(nodes_after_message(&mut engine, &complaint), changed);
    engine.send("setoption name WeightsFile value <empty>");
    assert_eq!(nodes_after_message(&mut engine, "using the built-in weights"), built_in);
    engine.send("eval");
    assert_ne!(engine.ready().join("\n"), table);
}

fn nodes_after_message(engine: &mut Engine, message: &str) -> String {
    let lines = engine.ready();
    assert!(lines.len() == 2 && lines[0].contains(message), "{message}: {lines:?}");
    nodes(engine)
}
