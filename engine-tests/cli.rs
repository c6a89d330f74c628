//! The command line, through the real program: help texts, exit statuses, misuse.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use freshet::board::Position;

use crate::support::Folder;

/// The output of a run.
struct Run {
    status: Option<i32>,
    out: String,
    error: String,
}

/// Runs the program with these arguments, without a terminal.
fn run<A: AsRef<OsStr>>(arguments: &[A]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_freshet"))
        .args(arguments)
        .env_remove("COLUMNS")
        .env_remove("RUST_LOG")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { status: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
}

/// Runs the program with this standard input.
fn run_with(input: &str, arguments: &[&str]) -> Run {
    let mut program = Command::new(env!("CARGO_BIN_EXE_freshet"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = program.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = program.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { status: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
}

/// Runs the program and returns what it has printed; it must succeed.
fn output<A: AsRef<OsStr> + std::fmt::Debug>(arguments: &[A]) -> String {
    let Run { status, out, error } = run(arguments);
    assert_eq!(status, Some(0), "{arguments:?}: {error}");
    out
}

/// Checks that a run is refused: status 2, nothing on standard output, one line on standard error
/// with this text.
fn refused<A: AsRef<OsStr> + std::fmt::Debug>(arguments: &[A], text: &str) {
    let Run { status, out, error } = run(arguments);
    assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}: {error}");
    assert!(error.starts_with("freshet: ") && error.ends_with('\n'), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.contains(text), "{arguments:?}: {error}");
}

fn suite_file(name: &str) -> String {
    format!("{}/engine-tests/suites/{name}", env!("CARGO_MANIFEST_DIR"))
}

const OPENINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/freshet.epd");
const PGN: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";
const ENDING: [&str; 6] = ["8/8/8/8/8/4k3/8/4K2R", "w", "-", "-", "0", "1"];

/// The commands that a help text lists, and theirs.
fn commands(help: &str, of: &[String]) -> Vec<Vec<String>> {
    let listed = help.lines().skip_while(|&line| line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // Longer lines go on further to the right.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut all = Vec::new();
    for name in names.filter(|&name| !["", "help"].contains(&name)) {
        let command = [of, &[name.to_string()]].concat();
        let theirs = commands(&help_of(&command), &command);
        all.push(command);
        all.extend(theirs);
    }
    all
}

fn help_of(command: &[String]) -> String {
    let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
    arguments.push("--help");
    output(&arguments)
}

#[test]
fn help() {
    let help = output(&["--help"]);
    insta::assert_snapshot!("help", help);
    assert_eq!(output(&["help"]), help);
    let commands = commands(&help, &[]);
    assert!(commands.len() >= 36, "{commands:?}");
    for command in commands {
        let help = help_of(&command);
        insta::assert_snapshot!(format!("help_{}", command.join("_")), help);
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}

/// The options of `uci`, except those that only a tuning build has.
#[cfg(not(feature = "tune"))]
#[test]
fn uci_options() {
    let options = output(&["uci"]).replace(env!("CARGO_PKG_VERSION"), "[version]");
    insta::assert_snapshot!("uci", options);
}

#[test]
fn version() {
    let text = output(&["--version"]);
    let known = format!("Freshet {}, fills by ", env!("CARGO_PKG_VERSION"));
    assert!(text.starts_with(&known), "{text}");
    // A build that does not use all SIMD instructions of this processor says so in a second line.
    let leaves_some = freshet::fill::processor::unused().is_some();
    assert_eq!(text.lines().count(), 1 + usize::from(leaves_some), "{text}");
    assert_eq!(text.contains("\nThis processor has "), leaves_some, "{text}");
    assert_eq!(output(&["-V"]), text);
}

#[test]
fn completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = output(&["completions", shell]);
        assert!(script.contains("freshet") && script.contains("annotate"), "{shell}: {script}");
    }
    refused(&["completions", "dos"], "[possible values: bash, ");
}

#[test]
fn unknown_commands_and_options_are_refused() {
    refused(&["nonsense"], "unrecognized subcommand 'nonsense'");
    refused(&["bnech"], "a similar subcommand exists: 'bench'");
    refused(&["book", "bild"], "a similar subcommand exists: 'build'");
    refused(&["perft", "3", "--lieves", "bare"], "a similar argument exists: '--leaves'");
    refused(&["perft", "3", "--lieves", "bare"], "(see freshet perft --help)");
    refused(&["book"], "requires a subcommand");
    refused(&["tune"], "requires a subcommand");
    refused(&["uci", "now"], "unexpected argument 'now'");
    refused(&["verify", "--fast"], "unexpected argument '--fast'");
}

#[test]
fn numbers_must_be_in_their_range() {
    let depth = "not a whole number from 0 to 99";
    refused(&["perft", "x"], depth);
    refused(&["perft", "-3"], depth);
    refused(&["perft", "100"], depth);
    refused(&["perft"], "<DEPTH>");
    refused(&["perft", "3", "--threads", "0"], "from 1 to 256");
    refused(&["perft", "3", "--hash", "-1"], "from 0 to 1048576");
    refused(&["perft", "3", "--leaves", "eaten"], "[possible values: bare, ");
    refused(&["analyse", "--time", "0", Position::START], "'0' for '--time <MS>'");
    refused(&["analyse", "--time", "-5", Position::START], "'-5' for '--time <MS>'");
    refused(&["analyse", "--nodes", "many", Position::START], "'many' for '--nodes <N>'");
    refused(&["bench", "-4"], "from 1 to 1048576");
    refused(&["bench", "4", "1", "0"], "not a whole number");
    refused(&["bench", "4", "1", "4", "default", "weeks"], "depth, nodes, movetime");
    refused(&["datagen", "--games", "-1"], "'-1' for '--games <N>'");
    refused(&["tune", "strength", "--pairs", "1"], "not a whole number of at least 2");
    refused(&["tune", "search", "--games", "1.5"], "not a whole number of at least 1");
    refused(&["tune", "eval", "--data", "x", "--results", "2"], "not a number from 0 to 1");
    refused(&["tune", "eval", "--data", "x", "--prior", "nan"], "not a number above 0");
    refused(&["tune", "moves", "x", "--step", "2"], "not a number from 0 to 1");
    refused(&["blocked", "x", "--nodes", "0"], "'0' for '--nodes <N>'");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let error = "/nowhere: ";
    refused(&["perft", "--suite", "/nowhere"], error);
    refused(&["bench", "4", "1", "4", "/nowhere"], error);
    refused(&["blocked", "/nowhere"], error);
    refused(&["replay", "/nowhere"], error);
    refused(&["book", "show", "/nowhere"], error);
    refused(&["openings", "/nowhere"], error);
    refused(&["tune", "eval", "--data", "/nowhere"], error);
    refused(&["tune", "wdl", "/nowhere"], error);
    refused(&["tune", "moves", "/nowhere"], error);
    refused(&["tune", "strength", "--openings", "/nowhere"], error);
    refused(&["genfens", "3", "seed", "1", "book", "/nowhere"], error);
    refused(&["analyse", "/nowhere.pgn"], "/nowhere.pgn: ");
    refused(&["datagen", "--openings", "/nowhere"], error);
    refused(&["record", "/nowhere/file"], "/nowhere/file: ");
}

/// Arguments that are not UTF-8 are refused, or are names of files.
#[cfg(unix)]
#[test]
fn arguments_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt;

    let bytes = OsStr::from_bytes(b"\xff\xfe");
    for command in ["", "perft", "eval", "analyse", "blocked", "bench", "genfens", "tune"] {
        let arguments = [OsStr::new(command), bytes];
        refused(if command.is_empty() { &arguments[1..] } else { &arguments }, "");
    }
    refused(&[OsStr::new("record"), OsStr::from_bytes(b"/nowhere/\xff")], "");
    refused(&[OsStr::new("book"), OsStr::new("show"), bytes], "");
}

#[test]
fn perft_counts_and_checks() {
    let out = output(&["perft", "4"]);
    assert!(out.contains("\n\nNodes searched: 197281\n"), "{out}");
    let fen = ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", "w", "KQkq", "-"];
    let endgame = ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", "w", "-", "-"];
    let arguments: Vec<&str> = ["perft", "--hash", "1", "6"].into_iter().chain(endgame).collect();
    assert!(output(&arguments).contains("\n\nNodes searched: 11030083\n"));
    for leaves in ["bare", "counted"] {
        let settings = ["perft", "--threads", "2", "--hash", "1", "4", "--leaves", leaves];
        let arguments: Vec<&str> = settings.into_iter().chain(fen).collect();
        assert!(output(&arguments).contains("\n\nNodes searched: 4085603\n"), "{leaves}");
    }
    refused(&["perft", "3", "garbage"], "bad FEN");
    refused(&["perft", "3", "--hash", "1", "--leaves", "listed"], "can only be counted");
    refused(&["perft", "3", "--suite", "x"], "cannot be used with");
    refused(&["perft", "3", "--nodes", "5"], "cannot be used with");
    refused(&["datagen", "--playouts", "x", "--openings", "y"], "cannot be used with");

    let out = output(&["perft", "--suite", &suite_file("perft_tricky.epd"), "--nodes", "100000"]);
    assert!(out.starts_with("26 of 26 positions right"), "{out}");
    let folder = Folder::new("perft");
    let wrong = folder.write("wrong.epd", "# one line\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 6\nx\n");
    let Run { status, out, .. } = run(&["perft", "--suite", &wrong]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.starts_with("line 2: depth 1: 5 instead of 6: 4k3/"), "{out}");
    assert!(out.contains("\nline 3: ") && out.contains("\n0 of 2 positions right\n"), "{out}");
    refused(&["perft", "--suite", &folder.write("empty.epd", "\n")], "no positions");
}

#[test]
fn analyse_takes_options_anywhere() {
    let header = "Scores are in pawns; + is good for White, - for Black, #3 is mate in 3.\n\
                  depth    score  seconds        nodes  line\n";
    for before in [true, false] {
        for fen in [&ENDING[..], &[&ENDING.join(" ")]] {
            let options = ["--nodes", "500", "--hash", "1"];
            let (first, second) = if before { (&options[..], fen) } else { (fen, &options[..]) };
            let out = output(&[&["analyse"], first, second].concat());
            assert!(out.starts_with(header) && !out.contains('\x1b'), "{out}");
            let out = output(&[&["analyze"], first, second].concat());
            assert!(out.starts_with(header), "{out}");
        }
    }
    refused(&["analyse"], "<FEN|FILE>");
    refused(&["analyse", "8/8"], "bad FEN");
    let folder = Folder::new("analyse");
    for name in ["game.pgn", "game.PGN"] {
        let out = output(&["analyse", "--nodes", "1000", &folder.write(name, PGN)]);
        assert!(
            out.starts_with("Scores are in pawns; ") && out.contains("\ngame 1: A - B\n1. e4  ")
        );
        assert!(out.contains("2... Ke7??") && out.contains("\n3. Qxe5#  "), "{out}");
        assert!(out.contains("\n        3.Qxe5# is mate\n"), "{out}");
        assert!(out.contains("\nWhite (A): accuracy ") && out.contains(", 0 blunders"), "{out}");
        assert!(out.contains("\nBlack (B): accuracy ") && out.contains(", 1 blunder,"), "{out}");
    }
    refused(&["analyse", &folder.write("empty.pgn", "")], "empty.pgn: no games");
}

/// A match runner's game in UCI notation, one that is not chess, one in SAN.
const GAMES: &str = "[Event \"1\"]\n\n1. e2e4 {+0.31/12 0.07s} e7e5 2. g1f3 *\n\n\
                     [Event \"2\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"3\"]\n\n1. d4 d5 *\n";

#[test]
fn analyse_names_and_skips_bad_games() {
    let folder = Folder::new("analyse_bad");
    let file =
        folder.write("games.txt", &format!("{GAMES}\n[Event \"4\"]\n\n1. e4 e5 2. Qh5 Ke7 *\n"));
    let Run { status, out, error } = run(&["analyse", "--nodes", "1000", "--hash", "1", &file]);
    assert_eq!(status, Some(1), "{error}");
    assert_eq!(
        error,
        "freshet: game 2 (line 5) is cut short: move 2. \"Ke3\": not a legal move here\n"
    );
    assert!(out.contains("\n2. Nf3  ") && out.contains("game 3: White - Black\n1. d4"), "{out}");
    assert!(out.contains("game 2: White - Black\n1. e4") && !out.contains("Ke3"), "{out}");
    assert!(out.contains("game 4: White - Black\n") && out.contains("\n2... Ke7??  "), "{out}");
    assert!(out.contains("\nWhite: accuracy ") && !out.contains("(White)"), "no names: {out}");
}

/// Reads the annotated games again. They keep their moves, comments and variations, and have a
/// score for each move, and glyph, reason and variation at each turning point.
#[test]
fn annotated_games_are_games() {
    let folder = Folder::new("annotate");
    let text = GAMES.to_string()
        + "\n[Event \"4\"]\n[FEN \"5bk1/5pp1/7p/8/8/8/q4PPP/1Q3BK1 w - - 0 1\"]\n\n1. h3 $5 {a hope \
           [%eval 0.5] and a wish} (1. Qxa2 g6 {quiet}) 1... Qa6 2. Qb8+ Qc8 *\n";
    let file = folder.write("games.pgn", &text);
    let target = folder.file("annotated.pgn");
    let arguments = ["annotate", "--nodes", "400", "--hash", "1", &file, "-o"];
    let Run { status, out, error } = run(&[&arguments[..], &[&target]].concat());
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(
        error.starts_with("freshet: game 2 (line 5) is cut short: ") && error.lines().count() == 1
    );
    let annotated = std::fs::read_to_string(&target).expect("games");
    assert!(annotated.lines().all(|line| line.chars().count() <= 80), "{annotated}");
    let mut reader = freshet::pgn::Reader::new(annotated.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().expect("bytes") {
        let line = game.main_line().expect("the start position");
        assert_eq!(line.problem, None, "all moves are legal");
        games.push(game);
    }
    let events: Vec<_> = games.iter().map(|game| game.tag("Event").unwrap_or_default()).collect();
    assert_eq!(events, ["1", "2", "3", "4"]);
    // The moves before the bad one, and the rest as a comment.
    let cut = games.remove(1).moves.nodes;
    assert_eq!(cut.len(), 2, "{cut:?}");
    assert!(cut[1].comments[0].ends_with("not a legal move here: Ke3"), "{cut:?}");
    for node in games.iter().flat_map(|game| &game.moves.nodes) {
        let summaries = node.comments.iter().filter(|text| text.starts_with("Summary: ")).count();
        assert_eq!(node.comments.len(), 1 + summaries, "{node:?}");
        assert!(node.comments[0].starts_with("[%eval "), "{node:?}");
        assert_eq!(node.comments[0].matches("[%eval ").count(), 1, "{node:?}");
    }
    assert_eq!(games[0].moves.nodes[0].text, "e4");
    assert!(games[0].moves.nodes[0].comments[0].contains("] +0.31/12 0.07s"));
    let hope = &games[2].moves.nodes[0];
    assert_eq!(hope.nags, [5], "a glyph of the game stays");
    let comment = &hope.comments[0];
    assert!(comment.starts_with("[%eval -"), "{comment}");
    assert!(comment.contains("] a hope and a wish Blunder: -"), "{comment}");
    assert!(
        comment
            .contains(" with Qxa2. It overlooks the threat: 1...Qxb1 takes the undefended queen"),
        "{comment}"
    );
    assert_eq!(hope.variations.len(), 2);
    assert_eq!(hope.variations[0].nodes[1].comments, ["quiet"]);
    assert_eq!(hope.variations[1].nodes[0].text, "Qxa2");

    // Annotating the games again does not change them.
    assert_eq!(output(&["annotate", "--nodes", "400", "--hash", "1", &target]), annotated);
    refused(&["annotate", &file, "-o", &file], "is also the input file");
    let link = folder.file("link.pgn");
    std::fs::hard_link(&file, &link).expect("a link");
    refused(&["annotate", &file, "-o", &link], "is also the input file");
    assert_eq!(std::fs::read_to_string(&file).expect("the games"), text);
    refused(&["annotate", "/nowhere.pgn", "-o", &folder.file("x")], "/nowhere.pgn");
    assert!(!std::path::Path::new(&folder.file("x")).exists());
    refused(&["annotate", &folder.write("empty.pgn", " ")], "empty.pgn: no games");
    let only_bad = folder.write("bad.pgn", "1. Ke7 e5 2. d4 *");
    let kept = folder.write("kept.pgn", "old");
    let Run { status, out, error } = run(&["annotate", &only_bad, "-o", &kept]);
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(error.contains("game 1 (line 1) is skipped: move 1. \"Ke7\""), "{error}");
    assert_eq!(std::fs::read_to_string(&kept).expect("the file"), "old", "nothing was annotated");
}

/// If a variation of a game cannot be played, the rest is annotated.
#[test]
fn only_moves_are_praised() {
    let folder = Folder::new("only-moves");
    let game = "[FEN \"8/8/8/8/4k3/4p3/8/4K3 w - - 0 1\"]\n\n1. Ke2 Kd4 2. Ke1 *\n";
    let file = folder.write("game.pgn", game);
    let annotated = output(&["annotate", "--nodes", "5000", &file]);
    let once = "Only move:";
    assert!(annotated.contains("1. Ke2 $1") && annotated.contains(once), "{annotated}");
    let file = folder.write("annotated.pgn", &annotated);
    assert_eq!(output(&["annotate", "--nodes", "5000", &file]), annotated);
}

/// A move is judged by what its answer in the game turns out to be worth: 14...Nxh5 allows Lasker's
/// sacrifice of both bishops.
#[test]
fn moves_are_judged_by_their_answers() {
    let folder = Folder::new("answers");
    let fen = "r4rk1/1b2bppp/ppq1pn2/2ppB2N/5P2/1P1BP3/P1PPQ1PP/R4RK1 b - - 1 14";
    let game = format!(
        "[FEN \"{fen}\"]\n[Result \"1-0\"]\n\n14... Nxh5 15. Bxh7+ Kxh7 16. Qxh5+ Kg8 17. Bxg7 Kxg7 \
         18. Qg4+ Kh7 19. Rf3 e5 20. Rh3+ 1-0\n"
    );
    let annotated = output(&["annotate", "--nodes", "100000", &folder.write("game.pgn", &game)]);
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in ["14... Nxh5 $4", "15. Bxh7+ $1", "The turning point was 14...Nxh5, a blunder"] {
        assert!(annotated.contains(told), "{told}: {annotated}");
    }
}

/// A mate that an answer shows is counted from the position that is judged.
#[test]
fn a_mate_in_the_game_has_its_length() {
    let folder = Folder::new("mate_length");
    let game = folder.write("game.pgn", "[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let annotated = output(&["annotate", "--nodes", "10", &game]);
    assert!(annotated.contains("2. g4 $4 {[%eval #-1] Blunder:"), "{annotated}");
    assert!(annotated.contains("[Result \"0-1\"]"), "{annotated}");
}

#[test]
fn annotate_cuts_bad_variations_short() {
    let folder = Folder::new("annotate_variations");
    let text = "1. e4 (1. Ke2 e5 {lost}) (1. d4 d5 (1... Ke7 2. c4) 2. c4 {kept}) 1... e5 *";
    let file = folder.write("games.pgn", text);
    let Run { status, out, error } = run(&["annotate", "--nodes", "1000", "--hash", "1", &file]);
    assert_eq!(status, Some(1), "{error}");
    let problem = |text: &str| {
        format!(
            "freshet: a variation of game 1 (line 1) is cut short: move {text}: not a legal move \
             here\n"
        )
    };
    assert_eq!(error, problem("1. \"Ke2\"") + &problem("1... \"Ke7\""));
    let out = out.replace('\n', " ");
    let cut = |text: &str| format!("{{cut short here, move {text}}}");
    let king = cut("1. \"Ke2\": not a legal move here: Ke2 e5 (lost)");
    let other = cut("1... \"Ke7\": not a legal move here: Ke7 c4");
    let expected = format!("({king}) (1. d4 d5 ({other}) 2. c4 {{kept}})");
    assert!(out.contains(&expected), "{out}");
    assert!(out.contains("1... e5 {[%eval"), "{out}");
}

#[test]
fn moves_are_explained() {
    let queen = "5bk1/3n1pp1/7p/3p4/3P4/5N2/q4PPP/1Q3BK1 w - - 0 1";
    let text = output(&["explain", "--nodes", "2000", queen, "Qxa2"]);
    assert!(
        text.starts_with("Qxa2 is the best move found. It takes the undefended queen on a2."),
        "{text}"
    );
    let text = output(&["explain", "--terms", "--nodes", "2000", queen, "Qxa2"]);
    assert!(text.contains("1 queen less") && text.contains("the best move found"));
    let text = output(&["explain", "--json", "--nodes", "2000", queen, "h3"]);
    let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(told["verdict"], "Blunder");
    assert_eq!(told["better"]["move"], "Qxa2");
    assert_eq!(told["facts"][0]["motif"], "hangingPiece");
    let words: Vec<&str> =
        ["why"].into_iter().chain(queen.split(' ')).chain(["Qxa2", "h3"]).collect();
    let overlooked =
        "h3 is a blunder. It overlooks the threat: 1...Qxb1 takes the undefended queen on b1";
    assert!(output(&words).starts_with(overlooked));
    let terms = output(&["why", "--terms", "--nodes", "500", "e4", "d2d4"]);
    assert!(terms.contains("\nd4: "), "{terms}");
    refused(&["explain"], "<FEN MOVE>");
    refused(&["explain", "Ke2"], "move \"Ke2\": not a legal move here");
    refused(&["explain", "8/8", "Ke2"], "bad FEN");
    refused(&["why", "e4"], "<FEN MOVE MOVE>");
    refused(&["why", "e4", "e2e4"], "e4 twice: nothing to compare");
}

/// Two moves are compared with each other, and with the best one where both are bad.
#[test]
fn the_better_of_two_bad_moves_is_not_called_good() {
    let why = |fen: &str, first: &str, second: &str| {
        output(&["why", "--nodes", "20000", fen, first, second])
    };
    let text = why("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f8=Q", "f8=N+");
    assert!(text.starts_with("f8=Q is a blunder.") || text.starts_with("f8=N+ is a"), "{text}");
    assert!(text.contains(" is no better. ") && text.contains("Better is 1.f8=R"), "{text}");
    let text = why(Position::START, "d4", "e4");
    assert!(text.contains(" is nearly as good as ") || text.contains(" is as good as "), "{text}");
    let text = why("4k3/8/8/8/8/8/4q3/4RK2 w - - 0 1", "Rxe2+", "Kg1");
    assert!(text.contains("Better is 1.Rxe2+"), "{text}");
}

/// A draw by the fifty-move rule is the reason where it comes next, and too little material needs
/// no locked pawns.
#[test]
fn draws_by_the_rules_are_told() {
    let explain = |fen: &str, m: &str| output(&["explain", "--nodes", "5000", fen, m]);
    let text = explain("8/8/8/8/4k3/8/1R5P/K7 w - - 99 80", "Rb3");
    assert!(text.contains("It is a draw by the fifty-move rule. Better is 80.h"), "{text}");
    let text = explain("4k3/8/8/8/8/4K3/4P3/8 w - - 99 80", "Kd4");
    assert!(text.ends_with("It is a draw by the fifty-move rule.\n"), "{text}");
    let text = explain("8/8/8/3k4/8/3K4/8/8 w - - 0 1", "Ke3");
    assert!(text.contains("Neither side has enough pieces left to mate."), "{text}");
}

/// Weights are dumped, checked and loaded. Errors name their line.
#[test]
fn weights_are_a_text() {
    let folder = Folder::new("weights_text");
    let dump = output(&["weights", "dump"]);
    let file = folder.write("weights.txt", &dump);
    let same = output(&["weights", "check", &file]);
    assert!(same.ends_with(": weights that differ from the built-in ones: 0\n"), "{same}");
    assert_eq!(output(&["--weights", &file, "weights", "dump"]), dump);
    let nodes = |arguments: &[&str]| {
        let out = output(&[arguments, &["bench", "1", "1", "5"]].concat());
        out.lines().last().and_then(|line| line.split(' ').next().map(str::to_string))
    };
    let built_in = nodes(&[]);
    assert_eq!(nodes(&["--weights", &file]), built_in);
    let other = folder.write("other.txt", "# mine\n[Material]\nbishop_pair = 400,100\n");
    assert_ne!(nodes(&["--weights", &other]), built_in);
    let changed = output(&["--weights", &other, "weights", "dump"]);
    assert!(changed.contains("\nbishop_pair = 400,100\n"), "{changed}");
    for (text, problem) in [
        ("bishop_pair = 1,1\n\nbishops = 1,1", "line 3: there is no term \"bishops\""),
        ("bishop_pair = 1,1\nbishop_pair = 1,1", "line 2: bishop_pair stands here a second time"),
        ("bishop_pair = 1,1 2,2", "line 1: bishop_pair has 1 weights, not 2"),
        ("material = 1,1 2,2\n3,3\nbishop_pair = 1,1", "line 1: material has 5 weights, not 3"),
        ("bishop_pair =", "line 1: bishop_pair has 1 weights, not 0"),
        ("bishop_pair = 1", "line 1: \"1\" is not a middlegame and an endgame weight"),
        ("bishop_pair = 1,99999999999", "line 1: \"1,99999999999\" is not"),
        ("12,3", "line 1: weights without the name of a term: \"12,3\""),
        ("bishop_pair = 9000,1", "line 1: 9000 is not between -5000 and 5000"),
        ("rams =\n1,1 200,1", "line 2: 200 is not between -127 and 127"),
        ("scale_no_pawns = 0,-1", "line 1: -1 is not between 0 and 256"),
        ("material = 5000,1 1,1 1,1 1,1 1,1", "line 1: together these weights are too large"),
    ] {
        let wrong = folder.write("wrong.txt", text);
        refused(&["weights", "check", &wrong], &format!("wrong.txt: {problem}"));
        refused(&["--weights", &wrong, "bench", "1", "1", "1"], problem);
    }
    refused(&["--weights", "/nowhere.txt"], "/nowhere.txt: ");
}

#[test]
fn analyse_reads_positions() {
    let folder = Folder::new("analyse_epd");
    let text = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n\
                6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Kf1;\n";
    let out = output(&["analyse", "--nodes", "2000", "--hash", "1", &folder.write("a.EPD", text)]);
    assert!(out.starts_with("position 1 (back rank): 6k1/"), "{out}");
    assert!(out.contains("\nbest move Ra8#: found\n"), "{out}");
    assert!(
        out.contains("\nposition 2: 6k1/")
            && out.ends_with("best move Kf1: not found\nfound 1 of 2\n"),
        "{out}"
    );
    refused(&["analyse", &folder.write("b.epd", "x\n")], "b.epd: line 1: ");
    for (fen, over) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "Black is mated.\n"),
        ("k7/8/1Q6/8/8/8/8/6K1 b - - 0 1", "stalemate, a draw.\n"),
    ] {
        assert!(output(&["analyse", "--nodes", "100", fen]).ends_with(over));
    }
}

#[test]
fn recordings_are_replayed() {
    let folder = Folder::new("recordings");
    assert!(output(&["record", "--help"]).contains("Usage: freshet record"));
    let file = folder.write("file", "0 < foo\n1 > info string unknown command: foo (type help)\n");
    assert_eq!(output(&["replay", &file]), "info string unknown command: foo (type help)\n");
    refused(&["replay", &folder.write("empty", "")], "nothing is recorded");
    output(&["record", &folder.file("new")]);
    assert!(folder.0.join("new").exists());
    // A GUI that sends the default of every option does not end the recording.
    let file = folder.file("whole");
    let lines = "setoption name Debug Log File value <empty>\nisready\n";
    let Run { status, out, .. } = run_with(lines, &["record", &file]);
    assert_eq!((status, out.lines().last()), (Some(0), Some("readyok")));
    let recorded = std::fs::read_to_string(&file).expect("the transcript");
    assert!(recorded.contains("< isready") && recorded.contains("> readyok"), "{recorded}");
    if cfg!(target_os = "linux") {
        let Run { status, error, .. } = run_with("isready\n", &["record", "/dev/full"]);
        assert_eq!(status, Some(2), "{error}");
        assert!(error.contains("could not be written to its end"), "{error}");
    }
}

#[test]
fn books_are_built_and_shown() {
    let folder = Folder::new("book");
    let (games, book) = (folder.write("games.pgn", PGN), folder.file("book.bin"));
    let notes = folder.write("notes.txt", "no game\n");
    assert_eq!(output(&["book", "build", &games, &book]), "games: 1, left out: 0, entries: 3\n");
    assert_eq!(output(&["book", "show", &book]), "     2 e4\n");
    refused(&["book", "build", &notes, &folder.file("other")], "notes.txt: no games");
    refused(&["book", "build", &games, &folder.write("b.PGN", PGN)], "b.PGN: the last argument");
    refused(&["book", "build", &games], "required");
    refused(&["book", "show", &notes], "notes.txt: 8 bytes after the last whole entry");
    let illegal = folder.write("illegal.pgn", "1. e5 e4 1-0\n");
    let Run { status, error, .. } = run(&["book", "build", &illegal, &folder.file("other")]);
    assert!(status == Some(2) && error.contains("no games to make a book of"), "{error}");
    assert!(!folder.0.join("other").exists());
    let some = folder.write("some.pgn", &format!("{PGN}\n[White \"C\"]\n\n1. e5 e4 1-0\n"));
    let Run { status, out, error } = run(&["book", "build", &some, &folder.file("other")]);
    assert_eq!((status, out.as_str()), (Some(1), "games: 1, left out: 1, entries: 3\n"), "{error}");
    assert!(error.contains("game 2 (line 6) is left out: move 1. \"e5\""), "{error}");
    let table = folder.write("t.tsv", "eco\tname\tpgn\nA00\tx\t1. e4\nA00\ty\n");
    let Run { status, error, .. } = run(&["book", "build", &table, &folder.file("other")]);
    assert!(
        status == Some(1) && error.contains("line 3: left out: expected three columns"),
        "{error}"
    );
    assert_eq!(output(&["book", "show", &book, "startpos", "moves", "d4"]), "no moves\n");
}

#[test]
fn suites_are_judged() {
    let out = output(&["blocked", &suite_file("blocked_known.epd")]);
    assert!(out.starts_with("category ") && out.contains("\n~ all "), "{out}");
    refused(&["blocked", &suite_file("perft_tricky.epd")], "perft_tricky.epd: no result");
    let folder = Folder::new("suites");
    let text = "k7/8/8/8/8/8/8/K7 w - - c0 \"draw\";\nk7/8/8/8/8/8/8/K7 w - - c1 \"x\";\n";
    let Run { status, out, error } = run(&["blocked", &folder.write("some.epd", text)]);
    assert_eq!(status, Some(1), "{error}");
    assert!(out.contains("\nother ") && error.contains("line 2: no result"), "{out}{error}");
}

#[test]
fn eval_shows_a_table() {
    for out in [output(&["eval", &ENDING.join(" ")]), output(&[&["eval"], &ENDING[..]].concat())] {
        assert!(out.trim_end().ends_with("(white side)") && !out.contains('\x1b'), "{out}");
    }
    refused(&["eval", "8/8/8/8/8/8/8/8 w - - 0 1"], "bad FEN: ");
}

/// Pictures and pages: to standard output or to a file, refused in a line.
#[test]
fn positions_are_drawn() {
    let folder = Folder::new("pictures");
    assert_eq!(output(&["fills"]).lines().count(), 11);
    assert_eq!(output(&["svg"]), output(&["fills"]));
    let wall = output(&["fills", "WALL", "--ascii"]);
    assert!(wall.is_ascii() && wall.contains("proven draw"), "{wall}");
    assert_eq!(output(&[&["fills", "race"], &ENDING[..]].concat()).lines().count(), 15);
    refused(&["fills", "nothing"], "no picture is called nothing");
    refused(&["fills", "race", "8/8 w - - 0 1"], "bad FEN: ");
    let svg = folder.file("race.svg");
    output(&["svg", "race", "-o", &svg]);
    let drawn = std::fs::read_to_string(&svg).expect("a file");
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>"), "{drawn}");

    let games = folder.write("games.pgn", PGN);
    let page = output(&["html", &games, "--nodes", "100"]);
    assert!(page.contains("<title>A – B</title>") && page.contains("[%eval"), "{page}");
    let page = output(&[&["html", "--nodes", "100"], &ENDING[..]].concat());
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("\"start\":{\"fen\":"), "{page}");
    refused(&["html", &games, "--game", "2"], "games.pgn: no game 2, it has 1");
    refused(&["html", "nowhere.pgn"], "nowhere.pgn: ");
    let illegal = folder.write("illegal.pgn", "1. e4 e5 2. Ke3 1-0\n");
    let Run { status, out, error } = run(&["html", "--nodes", "10", &illegal]);
    assert_eq!(status, Some(1));
    assert!(
        out.contains("1. e4 {") && error.contains("game 1 (line 1) is cut short: move 2. \"Ke3\"")
    );
    refused(&["html", "8/8 w - - 0 1"], "bad FEN: ");
    refused(&["html", "-o", "/nowhere/page.html", "--nodes", "10"], "/nowhere/page.html: ");
}

/// Short runs on files: each writes what the next one reads.
#[test]
fn tuning() {
    let folder = Folder::new("tuning");
    let (data, state) = (folder.file("data.bin"), folder.file("spsa.txt"));
    let datagen =
        ["datagen", "--games", "2", "--nodes", "50", "--openings", OPENINGS, "--output", &data];
    assert!(output(&datagen).ends_with(" positions\n"));
    assert_eq!(output(&datagen), "0 positions\n", "all games are there");
    refused(&["tune", "wdl", &data], "positions are not enough");
    refused(&["tune", "eval", "--data", &data, "--without", "nothing"], "is called nothing");
    refused(&["tune", "eval"], "--data <FILE>");
    let games = folder.file("games.bin");
    let datagen = ["datagen", "--games", "6", "--nodes", "50", "--openings", OPENINGS];
    output(&[&datagen[..], &["--output", &games]].concat());
    let mut weights = output(&["weights", "dump"]);
    let row = weights.find("bishop_pair = ").expect("a term");
    let end = row + weights[row..].find('\n').expect("an end of line");
    weights.replace_range(row..end, "bishop_pair = 41,42");
    let weights = folder.write("weights.txt", &weights);
    let tune = ["--weights", &weights, "tune", "eval", "--data", &games];
    let out = output(&[&tune[..], &["--only", "tempo", "--k", "0.008"]].concat());
    assert!(
        out.contains("bishop_pair: [s(41, 42)],"),
        "it starts from the weights that were loaded"
    );
    let few = ["--games", "2", "--nodes", "50", "--judge", "100", "--openings", OPENINGS];
    if cfg!(feature = "tune") {
        let out = output(&[&["tune", "search", "--state", &state], &few[..]].concat());
        assert!(out.contains(" to ") && out.ends_with(";\n"), "{out}");
        assert!(std::fs::read_to_string(&state).expect("a file").starts_with("games 2\n"));
    } else {
        refused(&["tune", "search", "--state", &state], "--features tune");
    }
    assert!(output(&["spsa"]).contains(", int, "));
}

/// A seed gives the same bytes in another run and with another number of threads. Another seed
/// gives other bytes.
#[test]
fn data_files_repeat_themselves() {
    let folder = Folder::new("repeated data");
    let data = |name: &str, seed: &str, threads: &str| {
        let file = folder.file(name);
        output(
            &[
                &["datagen", "--games", "4", "--nodes", "60", "--openings", OPENINGS][..],
                &["--seed", seed, "--threads", threads, "--output", &file],
            ]
            .concat(),
        );
        std::fs::read(file).expect("the data")
    };
    let first = data("first", "7", "1");
    assert!(first.len() > 1000);
    assert_eq!(data("second", "7", "1"), first);
    assert_eq!(data("third", "7", "3"), first);
    assert_ne!(data("fourth", "8", "1"), first);
}

/// Data files that are damaged are refused in a line, or read as far as they make sense.
#[test]
fn damaged_data_files() {
    let folder = Folder::new("damaged data");
    let data = folder.file("data");
    let datagen = |games| {
        run(&[
            &["datagen", "--games", games, "--nodes", "50"][..],
            &["--openings", OPENINGS, "--output", &data],
        ]
        .concat())
    };
    assert_eq!(datagen("2").status, Some(0));
    let (whole, counts) = (data.clone(), format!("{data}.games"));
    let whole = std::fs::read(whole).expect("the data");
    let games = std::fs::read(&counts).expect("the counts");
    let told = |run: Run, what: &str| {
        let Run { status, out, error } = run;
        assert_eq!((status, out.as_str()), (Some(2), ""), "{what}: {error}");
        assert_eq!(error.lines().count(), 1, "{what}: {error}");
        assert!(error.starts_with(&format!("freshet: {data}")), "{what}: {error}");
    };
    // Cut off: fewer bytes than the counts say.
    for bytes in [&whole[..0], &whole[..1], &whole[..whole.len() - 32]] {
        std::fs::write(&data, bytes).expect("a file");
        told(datagen("4"), "cut");
    }
    std::fs::write(&data, &whole).expect("a file");
    for bytes in [&b""[..], b"2", b"2 x", b"-1 32", b"\xff\xfe 3", &[0; 40]] {
        std::fs::write(&counts, bytes).expect("a file");
        told(datagen("4"), "counts");
    }
    std::fs::write(&counts, b"2 18446744073709551615").expect("a file");
    told(datagen("4"), "counts");
    for file in [&data, &counts] {
        std::fs::write(&counts, &games).expect("a file");
        std::fs::remove_file(file).expect("our own file");
        std::fs::create_dir(file).expect("a folder");
        told(datagen("4"), "a folder");
        std::fs::remove_dir(file).expect("our own folder");
        std::fs::write(&data, &whole).expect("a file");
    }
    // The tuners: records cut off, no records, or nonsense that is not a position.
    for bytes in [&whole[..0], &whole[..31], &whole[..32], &[0xff; 3200], &[0; 3200]] {
        std::fs::write(&data, bytes).expect("a file");
        for tune in [&["tune", "wdl"][..], &["tune", "moves"], &["tune", "eval", "--data"]] {
            let Run { status, error, .. } = run(&[tune, &[data.as_str()]].concat());
            assert!(!error.contains("panicked"), "{tune:?}: {error}");
            assert_eq!(status, Some(2), "{tune:?} {} bytes: {error}", bytes.len());
        }
    }
}

/// The forms in which OpenBench and Fishtest call the program.
#[test]
fn workers_are_served() {
    let genfens = "genfens 5 seed 42 book None";
    let out = output(&[genfens, "quit"]);
    let fens: Vec<&str> =
        out.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    assert_eq!(fens.len(), 5, "{out}");
    assert!(fens.iter().all(|fen| Position::from_fen(fen).is_ok()));
    assert_eq!(output(&[&format!("{genfens} name=value --extra"), "quit"]), out);
    assert_eq!(output(&[&format!("{genfens} "), "quit"]), out, "a blank at the end");
    assert_eq!(output(&["genfens", "5", "seed", "42", "book", "none"]), out);
    assert_ne!(output(&["genfens 5 seed 43 book None", "quit"]), out);
    assert_eq!(output(&[&format!("genfens 3 seed 1 book {OPENINGS}")]).lines().count(), 3);
    refused(&["genfens five seed 1 book None"], "'five'");
    refused(&["genfens 5 seed -1 book None"], "seed -1: not a whole number");
    refused(&["genfens 5 seed"], "missing after seed");
    refused(&["genfens 5 sed 1"], "neither seed nor book");

    let Run { status, out, error } = run(&["bench", "4", "1", "4", "default", "depth"]);
    assert_eq!(status, Some(0));
    let last = out.lines().last().expect("a line");
    assert!(last.contains(" nodes ") && last.ends_with(" nps"), "{last}");
    let nodes = last.split(' ').next().expect("a number");
    assert!(error.contains(&format!("Nodes searched  : {nodes}\n")), "{error}");
    assert!(error.contains("Total time (ms) : "), "{error}");
    let verbose = output(&["bench", "4", "1", "4", "--verbose"]);
    let count = |name: &str| -> u64 {
        let line = verbose.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
        line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
    };
    let (visited, made) = (count("nodes visited"), count("moves made"));
    assert_eq!(visited.to_string(), nodes);
    assert!(made < visited && made > visited / 2, "{verbose}");
    for arguments in [["100", "current", "nodes"], ["5", "current", "movetime"]] {
        output(&[&["bench", "4", "1"], &arguments[..]].concat());
    }
    assert!(output(&["uci"]).trim_end().ends_with("uciok"));
}

/// Every mistake gets a one-line answer that says what is expected.
#[test]
fn mistakes_are_answered_with_help() {
    let folder = Folder::new("mistakes");
    let game = folder.write("game.pgn", PGN);
    let ending = ENDING.join(" ");
    refused(&["weights"], "requires a subcommand");
    refused(&["explain", &ending], "a move is missing: explain FEN MOVE");
    refused(&[&["explain"], &ENDING[..]].concat(), "a move is missing: explain FEN MOVE");
    refused(&["why", &ending, "Rh3+"], "a move is missing: why FEN MOVE MOVE");
    refused(&["fills", "king-paths", "z9"], "z9 is neither a square nor a FEN");
    refused(&["fills", "race", "d4"], "race takes no squares; only king-paths does");
    refused(&["eval", &game], "game.pgn: expected a position, not a file");
    refused(&["eval", "nowhere.pgn"], "nowhere.pgn: no such file");
    if cfg!(unix) {
        refused(&["eval", "/dev/null"], "expected a position, not a pipe or a device");
    }
    refused(&["eval", "startpos", "moves", "e5"], "move e5: not a legal move here");
    refused(&["svg", "-o", &folder.file("x.svg")], "which picture");
    refused(&["nosuch"], "see freshet --help");
    refused(&["html", "--game", "2", "startpos"], "--game needs a PGN file");
    refused(&["analyse", "--lines", "3", &game], "--lines is for positions");
    refused(&["eval", &folder.file("")], "expected a position, not a folder");
    refused(&["analyse", &game, &game], "one file at a time");
    let stray = "\"e2e4\" does not belong to a FEN";
    refused(&["perft", "1", Position::START, "e2e4"], stray);
    refused(&["explain", Position::START, "e2e4", "e5", "Nf3"], stray);
    let binary = folder.write("binary.pgn", "1\0.\0 \0e\x004\0 \0e\x005\0\n\0");
    refused(&["analyse", &binary], "binary.pgn: not text, or UTF-16: save it as UTF-8");
    refused(&["reasons", &folder.write("none.tsv", "")], "none.tsv: no puzzles");
}

/// Where nobody can see that output is lost, the exit status tells it.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let program = env!("CARGO_BIN_EXE_freshet");
    let output = Command::new(program).arg("uci").stdout(full).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.starts_with("freshet: standard output: No space left"), "{error}");
}

/// Wherever a FEN is wanted, startpos and moves will do.
#[test]
fn positions_are_startpos_and_moves() {
    let start = output(&["eval", "--json"]);
    assert_eq!(output(&["eval", "--json", "startpos"]), start);
    assert_eq!(output(&["eval", "--json", "fen", Position::START]), start);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let after = output(&["perft", "2", fen]);
    let nodes = |text: &str| text.split("Time").next().map(str::to_string);
    assert_eq!(nodes(&output(&["perft", "2", "startpos", "moves", "e4", "e7e5"])), nodes(&after));
    assert_eq!(nodes(&output(&["perft", "2", fen, "moves"])), nodes(&after));
    let explained = output(&["explain", "--nodes", "500", "startpos", "moves", "e4", "e5", "Nf3"]);
    assert!(explained.contains("Nf3 is "), "{explained}");
    let picture = output(&["fills", "attacks", "startpos", "moves", "e4"]);
    assert_ne!(picture, output(&["fills", "attacks", "startpos"]));
}

/// The table leaves out rows that are the same for both sides, unless all rows are asked for. A
/// score of zero has no sign.
#[test]
fn the_table_shows_what_differs() {
    let fen = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1";
    let [short, all] = [&["eval", fen][..], &["eval", "--all", fen]].map(output);
    assert!(all.lines().count() > short.lines().count() + 5, "{short}{all}");
    assert!(short.contains("are left out") && !all.contains("are left out"), "{short}");
    let sum = |text: &str| text.lines().find(|line| line.starts_with("Sum")).map(str::to_string);
    assert_eq!(sum(&short), sum(&all));
    let draw = output(&["eval", "8/8/8/4k3/8/8/8/4K3 w - - 0 1"]);
    assert!(draw.ends_with("Final evaluation: 0.00 (white side)\n"), "{draw}");
}

/// EPD files as other programs write them: reads every form of best moves and reports bad lines.
#[test]
fn analyse_reads_other_peoples_epd() {
    let folder = Folder::new("other_epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
    let text = format!(
        "\u{feff}{mate} bm #1;\n\
         {mate} bm Ra1-a8!;\n\
         {mate} - bm Kf1, Ra8#;\n\
         {mate}; am Kf1; id \"other\"\n\
         broken line\n\
         {mate} am Ra8;\n\
         {mate} bm Qh5;\n\
         8/8/8/8/8/5k2/7r/5K2 b - - bm #-1;\n\
         4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd1; am e3;\n\
         {start} hmvc 7; fmvn 9;\n"
    );
    let file = folder.write("a.epd", &text);
    let Run { status, out, error } = run(&["analyse", "--nodes", "500", "--hash", "1", &file]);
    assert_eq!(status, Some(1), "{error}");
    let verdicts: Vec<&str> =
        out.lines().filter(|line| line.ends_with("found") || line.starts_with("found")).collect();
    assert_eq!(
        verdicts,
        [
            "best move #1: found",
            "best move Ra1-a8!: found",
            "best move Kf1, Ra8#: found",
            "a move other than Kf1: found",
            "a move other than Ra8: not found",
            "best move #-1: not found",
            "best move Kd1: not found",
            "a move other than e3: found",
            "found 4 of 7",
        ],
        "{out}"
    );
    assert!(
        out.contains("position 4 (other): ") && out.contains(&format!("{start} 7 9\n")),
        "{out}"
    );
    let errors: Vec<&str> = error.lines().collect();
    assert_eq!(errors.len(), 2, "{error}");
    assert!(errors[0].contains("a.epd: line 5: "), "{error}");
    assert!(errors[1].ends_with("a.epd: line 7: bm Qh5: not a legal move here"), "{error}");

    // Games in a file without the extension .pgn.
    let games = folder.write("games.txt", &format!("\n\n{PGN}"));
    assert!(output(&["analyse", "--nodes", "100", &games]).contains("game 1: A - B"));
    let bare = folder.write("bare.txt", "1. e4 e5 *\n");
    assert!(output(&["analyse", "--nodes", "100", &bare]).contains("1... e5"));
    let lines = output(&["analyse", "--nodes", "2000", "--lines", "3", "startpos"]);
    assert!(lines.lines().any(|line| line.trim_start().starts_with("3. ")), "{lines}");
}

#[test]
fn perft_reads_other_peoples_suites() {
    let folder = Folder::new("other_perft");
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    let start = Position::START;
    for line in [
        format!("{start} ;D1 20 ;D2 400"),
        format!("{start};D1 20;D2 400"),
        format!("{start} ;d1 20 ;d2 400 ;id \"x\""),
    ] {
        bytes.extend(line.into_bytes());
        bytes.extend(b" ;c0 \"Z\xfcrich\"\n");
    }
    bytes.extend(format!("{start} ;D1 20 ;D99 1\n").into_bytes());
    let path = folder.file("suite.epd");
    std::fs::write(&path, bytes).expect("a file");
    let Run { status, out, .. } = run(&["perft", "--suite", &path]);
    assert_eq!(status, Some(1));
    assert!(out.starts_with("line 4: depth 99 is above 40, the limit of a suite\n"), "{out}");
    assert!(out.contains("3 of 4 positions right\nNodes searched: 1200\n"), "{out}");
}

/// A third occurrence and fifty moves are draws, whatever a search would say.
#[test]
fn draws_on_the_board_are_draws() {
    let folder = Folder::new("draws");
    let text = "[FEN \"6k1/5ppp/7n/8/8/7N/5PPP/R5K1 w - - 0 1\"]\n\n\
                1. Nf4 Nf5 2. Nh3 Nh6 3. Nf4 Nf5 4. Nh3 Nh6 1/2-1/2\n";
    let game = folder.write("game.pgn", text);
    let out = output(&["analyse", "--nodes", "1000", &game]);
    let last = out.lines().rfind(|line| line.starts_with("4... Nh6")).expect("the last move");
    assert!(last.contains("    0.00") && !last.contains('?'), "{out}");
    let annotated = output(&["annotate", "--nodes", "1000", &game]).replace('\n', " ");
    assert!(annotated.contains("4... Nh6 $1 {[%eval 0.00] Only"), "{annotated}");
    let fifty = output(&["analyse", "--nodes", "100", "4k3/8/8/8/8/8/8/R3K3 w - - 100 90"]);
    assert!(fifty.contains("A draw: fifty moves without a capture or a pawn move."), "{fifty}");
}

/// The page has all games or one, as annotate writes them.
#[test]
fn pages_have_the_games_as_annotated() {
    let folder = Folder::new("pages");
    let games =
        folder.write("games.pgn", &format!("{PGN}\n[White \"C\"]\n\n1. f3 e5 2. g4 Qh4# *\n"));
    let page = output(&["html", "--nodes", "1000", &games]);
    let data = |page: &str| {
        let data =
            page.split("FRESHET_PAGE = ").nth(1).and_then(|rest| rest.split(";</script>").next());
        let data: serde_json::Value = serde_json::from_str(data.expect("the data")).expect("JSON");
        data["start"]["pgn"].as_str().expect("games").to_string()
    };
    let annotated = output(&["annotate", "--nodes", "1000", "--hash", "16", &games]);
    assert!(annotated.contains("$4"), "{annotated}");
    assert_eq!(data(&page), annotated);
    let second = data(&output(&["html", "--nodes", "1000", "--game", "2", &games]));
    assert!(annotated.ends_with(&second) && !second.contains("White \"A\""), "{second}");
    refused(
        &["html", &folder.write("x.pgn", "[Variant \"Atomic\"]\n\n*\n")],
        "Atomic is not chess",
    );
}

/// Existing text stays, in the moves and in the tags.
#[test]
fn annotators_stay() {
    let folder = Folder::new("annotators");
    let text =
        "[Annotator \"Smith, J.\"]\n\n1. f3 $2 {weak} e5 2. g4 (2. e4 {solid}) 2... Qh4# 0-1\n";
    let first = output(&["annotate", "--nodes", "500", &folder.write("a.pgn", text)]);
    let name = format!("[Annotator \"Smith, J.:Freshet {}\"]", env!("CARGO_PKG_VERSION"));
    assert!(first.contains(&name), "{first}");
    assert!(first.contains("f3 $2 {[%eval") && first.contains("] weak"), "{first}");
    let flat = first.replace('\n', " ");
    assert!(
        flat.contains("(2. e4 {solid})") && flat.contains("g4 $4 {[%eval #-1] Blunder"),
        "{first}"
    );
    // With more nodes, a new better line replaces the first one.
    let file = folder.write("b.pgn", &first);
    let second = output(&["annotate", "--nodes", "3000", &file]).replace('\n', " ");
    assert_eq!(second.matches("(2. ").count(), 2, "{second}");
    assert_eq!(second.matches("Blunder").count(), 1, "{second}");
    assert_eq!(second.matches("$4").count(), 1, "{second}");
    assert!(
        !second.contains("()") && second.contains("weak") && second.contains(&name),
        "{second}"
    );
    // Text added by hand stays, whether it follows a generated remark or looks like one.
    let noted = first.replacen("$2 {", "$2 {Mistake: 0.3 instead of 0.1 with e4. So.} {", 1);
    let (before, after) = noted.split_once("[%freshet").expect("a remark");
    let noted = format!("{before}[%freshet{}", after.replacen(']', "] MY NOTE", 1));
    let noted = output(&["annotate", "--nodes", "500", &folder.write("c.pgn", &noted)]);
    let noted = noted.replace('\n', " ");
    assert!(noted.contains("Mistake: 0.3 instead of 0.1 with e4. So."), "{noted}");
    assert!(noted.contains("MY NOTE"), "{noted}");
}

/// What `tune eval` prints can be loaded, and so can a text with a byte-order mark.
#[test]
fn tuned_weights_are_loaded() {
    let folder = Folder::new("tuned");
    let source =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/core/eval/weights.rs"));
    let source = source.expect("the source");
    let (before, rest) = source.split_once("    tempo: [").expect("the term");
    let (_, after) = rest.split_once(']').expect("the end of its weights");
    let source = format!("{before}    tempo: [s(99, 3)]{after}");
    for (name, text) in [("a.rs", source), ("b.txt", "\u{feff}tempo = 99,3\n".to_string())] {
        let file = folder.write(name, &text);
        let checked = output(&["weights", "check", &file]);
        assert!(
            checked.ends_with(": weights that differ from the built-in ones: 1\n"),
            "{checked}"
        );
        assert_ne!(output(&["--weights", &file, "eval"]), output(&["eval"]), "{name}");
    }
}

/// The program contains the openings of datagen.
#[test]
fn default_openings_are_built_in() {
    let folder = Folder::new("built_in");
    let command = std::process::Command::new(env!("CARGO_BIN_EXE_freshet"))
        .args(["datagen", "--games", "1", "--nodes", "20", "--output", "data"])
        .current_dir(&folder.0)
        .output()
        .expect("it runs");
    assert!(command.status.success(), "{command:?}");
    assert!(std::fs::metadata(folder.file("data")).expect("data").len() > 0);
}
