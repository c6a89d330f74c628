//! The commands of the command line at the prompt of a session.

use super::{Engine, SOON};

/// The lines that answer these lines of input.
fn said(lines: &[&str]) -> Vec<String> {
    let mut engine = Engine::start();
    let mut said = Vec::new();
    for line in lines {
        engine.send(line);
        if line.starts_with("go ") && !line.starts_with("go perft") {
            said.extend(engine.until("bestmove", SOON));
        }
        let mut answer = engine.ready();
        answer.pop();
        said.extend(answer);
    }
    said
}

#[test]
fn perft_writes_castling_as_the_gui_does() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let castling = |before: &[&str]| {
        let lines = said(&[before, &[position, "go perft 1"]].concat());
        lines.into_iter().filter(|line| line.starts_with("e1")).collect::<Vec<_>>()
    };
    assert!(castling(&[]).contains(&"e1g1: 1".to_string()));
    let chess960 = castling(&["setoption name UCI_Chess960 value true"]);
    assert!(chess960.contains(&"e1h1: 1".to_string()), "{chess960:?}");
}

#[test]
fn pictures_are_drawn_with_the_symbols_asked_for() {
    let is_ascii = |line: &str| said(&[line]).iter().all(|line| line.is_ascii());
    assert!(is_ascii("fills king-paths e8 ascii"));
    assert!(!is_ascii("fills king-paths e8"));
    assert!(!said(&["fills king-paths e8 ascii"])[0].starts_with("info string"));
}

#[test]
fn positions_are_evaluated() {
    let shown = |line: &str| said(&[line]).join("\n");
    assert!(shown("eval json").starts_with('{'));
    let [plain, phases, legend] = ["eval", "eval phases", "eval legend"].map(shown);
    assert!(plain.contains("Final evaluation: "), "{plain}");
    assert!(!plain.contains("Midgame") && phases.contains("Midgame"), "{phases}");
    assert!(legend.contains("It is this side's turn to move."), "{legend}");
    let all = shown("eval all");
    assert!(all.len() > plain.len() + 500 && !all.contains("left out"), "{all}");
    assert!(shown("eval x").starts_with("info string error: "));
}

#[test]
fn what_a_line_changes_is_told() {
    let explained = said(&["setoption name Explain value true", "go depth 2"]);
    let told = &explained[explained.len() - 2];
    assert!(told.starts_with("info string explain ") && told.contains(": it "), "{told}");
    // Mate on f7 is threatened.
    let fen = "position fen r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let explained = said(&["setoption name Explain value true", fen, "go nodes 20000"]);
    let told = &explained[explained.len() - 2];
    assert!(told.ends_with("it meets the threat of 4.Qxf7#"), "{told}");
    let plain = said(&["go depth 2"]);
    assert!(!plain.iter().any(|line| line.contains("explain")), "{plain:?}");
}

#[test]
fn a_bench_is_reported() {
    assert!(said(&["bench 1 1 1"]).iter().any(|line| line.contains(" nodes ")));
}

#[test]
fn what_cannot_be_explained_is_told() {
    for (line, reason) in [
        ("explain Ke3", "Ke3\": not a legal move here"),
        ("why e4 Ke3", "Ke3\": not a legal move here"),
        ("explain", "required arguments"),
        ("why e4", "required"),
        ("bench fast", "fast"),
        ("weights", "subcommand"),
        ("eval --depth 3", "--depth"),
    ] {
        let lines = said(&[line]);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{line}: {lines:?}");
        assert!(lines[0].contains(reason), "{line}: {lines:?}");
    }
}

/// Each command of the command line that a session knows is in its help.
#[test]
fn all_commands_are_known() {
    let help = said(&["help"]);
    let name = |line: &String| line.split(' ').next().map(str::to_string);
    let names: Vec<String> = help.iter().filter_map(name).collect();
    let place = |name: &str| names.iter().position(|other| other == name).expect("it is there");
    let commands = &names[place("flip") + 1..place("go")];
    assert_eq!(commands.len(), 8, "{commands:?}");
    for name in commands {
        let usage = said(&[&format!("{name} --no-such-option")]);
        assert!(usage[0].starts_with("info string error: unexpected argument"), "{usage:?}");
    }
}
