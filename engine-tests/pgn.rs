//! PGN files: reading, refusing, and writing them as they were read.

use freshet::board::Position;
use freshet::pgn::{Game, PgnProblem, Reader, write};

/// All games of a text.
fn games(text: impl AsRef<[u8]>) -> Vec<Game> {
    let mut reader = Reader::new(text.as_ref());
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().expect("bytes can be read") {
        games.push(game);
    }
    assert_eq!(reader.bytes(), text.as_ref().len() as u64);
    games
}

/// The only game of a text.
#[track_caller]
fn game(text: impl AsRef<[u8]>) -> Game {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0)
}

/// The main line in UCI notation.
#[track_caller]
fn line(text: &str) -> String {
    let line = game(text).main_line().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(line.problem, None, "{text}");
    let words: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// The reason why the only game of a text is refused or cut short.
#[track_caller]
fn problem(text: &str) -> String {
    let problem = match game(text).main_line() {
        Err(problem) => problem,
        Ok(line) => line.problem.expect(text),
    };
    problem.to_string()
}

#[test]
fn moves_are_read_in_any_notation() {
    let same = "e2e4 e7e5 g1f3 b8c6";
    for text in [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6",
        "1. e2e4 e7e5 2. g1f3 b8c6 1-0",
        "e4 e5\r\n\r\nNf3\rNc6 1/2-1/2\r\n",
        "1 e4 e5 2 Nf3! Nc6?? 0-1",
        "1. e4 $1 {x} 1... e5 ; rest\n2. Ng1f3 (2. f4 (2. d4)) Nc6 *",
        "\u{feff}[Event \"x\"]\n% escaped )\n1. e4 e5 2. Nf3 Nc6 1–0",
    ] {
        assert_eq!(line(text), same, "{text}");
    }
    assert_eq!(line("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *").split(' ').nth(6), Some("e1h1"));
    assert_eq!(line("1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 f8c5 4. e1g1").len(), 34);
    assert_eq!(line("1. e4 Nf6 2. e5 d5 3. exd6 e.p. *").split(' ').nth(4), Some("e5d6"));
    assert_eq!(line("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q Kg7 2. Qb8 *").len(), 15);
    assert_eq!(line("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a7a8q *"), "a7a8q");
}

#[test]
fn games_are_told_apart() {
    let text = "[Event \"a\"]\n[White \"W \\\"x\\\" \\\\\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n*\n\n\
                [Event \"c\"]\n[Event \"d\"]\n\n1. d4 1. c4 *\n1. c4 1-0 1. f4 0-1";
    let games = games(text);
    let events: Vec<_> = games.iter().map(|game| game.tag("Event").unwrap_or("-")).collect();
    assert_eq!(events, ["a", "b", "c", "d", "-", "-"]);
    assert_eq!(games[0].tag("White"), Some("W \"x\" \\"));
    let numbers: Vec<usize> = games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert_eq!(games[3].line, 11);
    assert_eq!(games[5].result, "0-1");
    let cut = games[3].main_line().expect("a legal position");
    assert!(cut.moves.len() == 1 && cut.problem.is_some(), "1. c4 is no move of Black");
}

/// A comment belongs to the game before it on its line, or to the next one. It never makes a game
/// of its own.
#[test]
fn comments_between_games_are_no_games() {
    let text = "; made by x\n{y}\n[Event \"a\"]\n\n1. e4 1-0 {White\nresigns} ; z\n\n{of b}\n\
                [Event \"b\"]\n\n1. d4 *\n{end}\n";
    let games = games(text);
    let [a, b] = &games[..] else { panic!("{} games", games.len()) };
    assert_eq!((a.tag("Event"), a.number), (Some("a"), 1));
    assert_eq!(a.moves.comments, ["made by x", "y"]);
    assert_eq!(a.moves.nodes[0].comments, ["White resigns", "z"]);
    assert_eq!((b.tag("Event"), b.number, b.moves.nodes.len()), (Some("b"), 2, 1));
    assert_eq!(b.moves.comments, ["of b"]);
}

/// If the marker at the end is missing, the tag gives the result.
#[test]
fn the_result_is_that_of_the_marker_or_the_tag() {
    for (text, result) in [
        ("[Result \"1-0\"]\n\n1. e4", "1-0"),
        ("[Result \"1-0\"]\n\n1. e4 *", "*"),
        ("[Result \"won\"]\n\n1. e4", "*"),
        ("1. e4 1/2", "1/2-1/2"),
    ] {
        assert_eq!(game(text).result, result, "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    assert_eq!(problem("1. e4 e5 2. Ke3 *"), "move 2. \"Ke3\": not a legal move here");
    assert_eq!(problem("1. e4 xyz *"), "move 1... \"xyz\": not written as a move");
    assert_eq!(problem("1. e4 e2e4"), "move 1... \"e2e4\": not a legal move here");
    assert_eq!(problem("1. e4 e5 2. Qh5 Nf6 3. Qxf7+ -- *"), "move 3... is a null move in check");
    assert_eq!(problem("1. e4 {and so on"), "a comment is not closed");
    assert_eq!(problem("1. e4 (1. d4 *"), "a variation is not closed");
    assert_eq!(problem("(1. d4) 1. e4 *"), "a variation comes before the first move");
    assert_eq!(problem("1. e4 <x> *"), "\"<\" is neither a move nor part of PGN");
    assert!(problem("[FEN \"8/8\"]\n\n*").starts_with("bad FEN: "));
    assert_eq!(problem("[Variant \"Atomic\"]\n\n1. e4 *"), "the variant Atomic is not chess");
    let nested = format!("1. e4 {}", "(1. d4 ".repeat(100_000));
    assert_eq!(problem(&nested), "variations are nested too deeply");
    let broken = games("[Event \"a\"]\n\n1. e4 {no end\n\n[Event \"b\"]\n\n1. d4 *");
    let whole = |game: &Game| game.main_line().is_ok_and(|line| line.problem.is_none());
    assert!(!whole(&broken[0]) && whole(&broken[1]));
}

/// Files with oversized games, or without games, do not fill the memory.
#[test]
fn what_is_no_pgn_ends() {
    assert!(games("").is_empty() && games("\n \r\n").is_empty());
    let zeros = game(vec![b'a'; 20 << 20]);
    assert_eq!(
        zeros.problem.map(|error| error.to_string()).as_deref(),
        Some("the game is longer than 16 MB")
    );
}

#[test]
fn text_is_utf8_or_latin1() {
    assert_eq!(game(b"[White \"M\xfcller\"]\n\n*").tag("White"), Some("Müller"));
    assert_eq!(game("[White \"Müller\"]\n\n*").tag("White"), Some("Müller"));
}

#[test]
fn variations_are_cut_short_at_an_illegal_move() {
    let mut read = game(
        "1. e4 (1. e4 (1. c4 (1. Ke2)) 1... e4) (1. d4 -- $1 (1... d5 (1... Ke7)) 2. c4) (1. Ke2) e5 *",
    );
    let problems = read.moves.cut_variations_short(&Position::start());
    let problems: Vec<String> = problems.iter().map(PgnProblem::to_string).collect();
    let illegal = |text: &str| format!("move {text}: not a legal move here");
    assert_eq!(problems, ["1. \"Ke2\"", "1... \"e4\"", "1... \"Ke7\"", "1. \"Ke2\""].map(illegal),);
    let mut movetext = write::Movetext::new();
    write::add_line(&mut movetext, &Position::start(), &read.moves).expect("legal moves");
    let cut = |text: &str| format!("{{cut short here, move {text}}}");
    let [king, pawn, other] = [
        cut("1. \"Ke2\": not a legal move here: Ke2"),
        cut("1... \"e4\": not a legal move here: e4"),
        cut("1... \"Ke7\": not a legal move here: Ke7"),
    ];
    let expected = format!(
        "1. e4 (1. e4 {pawn} (1. c4 ({king}))) (1. d4 -- $1 (1... d5 ({other})) 2. c4) ({king}) \
         1... e5 *\n"
    );
    let one_line = movetext.finish("*").replace('\n', " ");
    assert_eq!(one_line.trim_end(), expected.trim_end());
}

/// Games without tags and results are separated by the move number 1.
#[test]
fn games_without_tags_and_results_are_told_apart() {
    let moves = |text: &str| -> Vec<usize> {
        games(text).iter().map(|game| game.moves.nodes.len()).collect()
    };
    assert_eq!(moves("1. e4 e5\n\n1. d4 d5 2. c4\n\n1.c4 c5\n"), [2, 3, 2]);
    assert_eq!(moves("1. e4 e5 Ke7x?y\n\n1. d4 d5\n").len(), 2);
    // Move numbers of variations, of Black's moves and in comments.
    assert_eq!(moves("1. e4\n(\n1. d4 d5\n)\n1... e5\n2. Nf3 {as after\n1. Nf3 e5} *"), [3]);
}

/// Quotes inside a value are often not escaped, and some values have none.
#[test]
fn values_of_tags_are_whole() {
    let read = game(
        "[Event \"Match \"A\" vs B\"] [Site \"x\"]\n[Black unquoted]\n[White \"\\\"C\\\" D\"]\n\n*",
    );
    let tags = ["Event", "Site", "Black", "White"].map(|name| read.tag(name).unwrap_or_default());
    assert_eq!(tags, ["Match \"A\" vs B", "x", "unquoted", "\"C\" D"]);
    assert_eq!(game("[Site \"x\" rest]\n\n*").tag("Site"), Some("x"));
}

#[test]
fn games_are_written_as_they_were_read() {
    let text = "[Event \"x\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 4\"]\n\n\
                {first} 4... e7e5 $1 {[%clk 0:01:00] one} {two} (4... c5 5. Nf3 (5. c3 {x}) 5... --\n\
                6. d4) 5. g1f3 1-0\n";
    let first = game(text);
    let write = |game: &Game| {
        let mut movetext = write::Movetext::new();
        let start = game.start().expect("a legal FEN");
        write::add_line(&mut movetext, &start, &game.moves).expect("legal moves");
        write::tags(game) + &movetext.finish(&game.result)
    };
    let written = write(&first);
    assert!(written.lines().all(|line| line.chars().count() <= 80), "{written}");
    let (_, movetext) = written.split_once("[SetUp \"1\"]\n\n").expect("tags");
    assert_eq!(
        movetext.replace('\n', " "),
        "{first} 4... e5 $1 {[%clk 0:01:00] one} {two} (4... c5 5. Nf3 (5. c3 {x}) 5... -- 6. d4) \
         5. Nf3 1-0 "
    );
    assert_eq!(write(&game(&written)), written);
    // There is no variation without a move, and no line of a comment begins with an escape.
    for (text, moves) in [
        ("1. e4 () ($5) e5 *", "1. e4 e5 *"),
        ("1. e4 {fifty\n% of all} e5 *", "1. e4 {fifty % of all} 1... e5 *"),
    ] {
        assert!(write(&game(text)).ends_with(&format!("\n\n{moves}\n")), "{text}");
    }
    let comment = "50 % ".repeat(40);
    let again = game(write(&game(format!("1. e4 {{{comment}}} e5 *"))));
    assert_eq!((again.moves.nodes.len(), &*again.moves.nodes[0].comments[0]), (2, comment.trim()));
}

/// Forms that old programs and people write, and that pgn-extract and python-chess read too.
#[test]
fn other_peoples_moves_are_read() {
    let uci = |text: &str, moves: &str| assert_eq!(line(text), moves, "{text}");
    uci("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *", "e2e4 e7e5 g1f3 b8c6");
    uci("1.e4 e5 2.Nf3 2…Nc6 *", "e2e4 e7e5 g1f3 b8c6");
    uci("1. e4 d5 2. e:d5 Q:d5 *", "e2e4 d7d5 e4d5 d8d5");
    uci("1. e4 d5 2. ed *", "e2e4 d7d5 e4d5");
    uci("1. f3 e5 2. g4 Qh4 mate 0-1", "f2f3 e7e5 g2g4 d8h4");
    uci("1. e4 a6 2. e5 d5 3. exd6 ep cxd6 *", "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6");
    uci("[FEN \"8/P6k/8/8/8/8/7p/K7 w - - 0 1\"]\n\n1. a8(Q) h1=Q+ *", "a7a8q h2h1q");
    uci("1. e4 e5 2. Nf3 -- 3. Nxe5 *", "e2e4 e7e5 g1f3 -- f3e5");
    for null in ["--", "<>", "0000", "Z0", "null", "@@@@", "pass"] {
        uci(&format!("1. e4 {null} 2. d4 e6 *"), "e2e4 -- d2d4 e7e6");
        let read = game(format!("1. e4 e5 (1... {null} 2. d4) 2. Nf3 *"));
        let mut moves = read.moves.clone();
        assert!(moves.cut_variations_short(&Position::start()).is_empty(), "{null}");
    }
}

#[test]
fn results_in_other_forms_are_read() {
    for (text, result) in [
        ("½-½", "1/2-1/2"),
        ("1/2:1/2", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("1:0", "1-0"),
        ("0–1", "0-1"),
        ("+:-", "1-0"),
    ] {
        let read = game(format!("1. e4 e5 {text}"));
        assert_eq!((read.result.as_str(), read.problem, read.moves.nodes.len()), (result, None, 2));
    }
}

#[test]
fn assessments_are_glyphs() {
    for (text, nag) in [
        ("Nf3 =", 10),
        ("Nf3 +=", 14),
        ("Nf3+-", 18),
        ("Nf3 ±", 16),
        ("Nf3-/+", 17),
        ("Nf3 N", 146),
        ("Nf3 !!!", 3),
        ("Nf3!?", 5),
        ("Nf3 $256", 256),
        ("Nf3 ⁈", 6),
    ] {
        let read = game(format!("1. e4 e5 2. {text} Nc6 *"));
        assert_eq!(read.problem, None, "{text}");
        let node = &read.moves.nodes[2];
        assert_eq!((node.text.as_str(), &node.nags[..]), ("Nf3", &[nag][..]), "{text}");
        assert_eq!(read.moves.nodes.len(), 4, "{text}");
    }
    let many = game("1. e4 $99999999999 e5 *");
    assert!(many.problem.is_none() && many.moves.nodes[0].nags.is_empty());
}

/// A comment goes on after a brace in it, if another closing brace follows.
#[test]
fn braces_inside_comments() {
    for (text, comment) in [
        ("1. e4 {a {b} c} e5 *", "a (b) c"),
        ("1. e4 {a {b {c} d} e4 d5 2. c4\nfits} e5 *", "a (b (c) d) e4 d5 2. c4 fits"),
        ("1. e4 {a {b} e5 *", "a (b"),
        ("1. e4 {a { } e5 2. Nf3 } Nc6 *", "a ("),
    ] {
        let read = game(text);
        assert_eq!(read.problem, None, "{text}");
        assert_eq!(read.moves.nodes[0].comments, [comment], "{text}");
        assert_eq!(read.moves.nodes[1].text, "e5", "{text}");
        let moves = if text.contains("2. Nf3 }") { 4 } else { 2 };
        assert_eq!(read.moves.nodes.len(), moves, "{text}");
    }
}

#[test]
fn piece_letters_of_other_languages() {
    let english = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Qd4 6. Nxd4 exd4 7. Re1 Kd8 *";
    for (letters, is_clear) in [
        (["K", "D", "T", "L", "S"], true),
        (["R", "D", "T", "F", "C"], true),
        (["R", "D", "T", "A", "C"], true),
        (["K", "D", "T", "L", "X"], false),
    ] {
        let foreign = english.replace("O-O", "0-0");
        let translated: String = foreign
            .chars()
            .map(|c| "KQRBN".find(c).map_or(c.to_string(), |index| letters[index].to_string()))
            .collect();
        let mut read =
            game(format!("{} (7. {}f1 {{x}})", translated.replace(" *", ""), letters[2]));
        assert_eq!(read.translate(), is_clear, "{translated}");
        let line = read.main_line().expect("the start position");
        assert_eq!(line.problem.is_none(), is_clear, "{translated}");
        if is_clear {
            let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
            assert_eq!(moves.join(" "), self::line(english), "{translated}");
        }
    }
    assert!(!game(english).translate(), "it is English");
    // The moves override a contradicting tag.
    for tag in ["de", "Estonian", "English"] {
        let mut read = game(format!("[Language \"{tag}\"]\n\n{english}"));
        assert!(!read.translate(), "{tag}");
        assert_eq!(read.main_line().expect("a start").problem, None, "{tag}");
    }
    // One bad token does not cost the moves before it.
    let mut cut = game("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 5. Xx7 *");
    assert!(cut.translate());
    assert_eq!(cut.main_line().expect("a start").moves.len(), 8);
    // A white king or rook: the tag decides.
    let mut tagged =
        game("[Language \"fr\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Rd1 *");
    assert!(tagged.translate());
    let moves = tagged.main_line().expect("a FEN").moves;
    assert_eq!(moves[0].to_string(), "e1d1");
}

#[test]
fn variants_that_are_chess() {
    for (variant, chess960) in [
        ("Standard chess", Some(false)),
        ("standard", Some(false)),
        ("Chess960", Some(true)),
        ("wild/fr", Some(true)),
        ("Fischerandom", Some(true)),
        ("Atomic", None),
        ("Antichess", None),
        ("wild/17", None),
    ] {
        let read = game(format!("[Variant \"{variant}\"]\n\n1. e4 *"));
        assert_eq!(read.start().ok().map(|_| read.is_chess960()), chess960, "{variant}");
    }
}

/// A game of millions of tags, moves or comments keeps as many as the limit allows.
#[test]
fn the_parts_of_a_game_are_limited() {
    for (part, many) in
        [("[A \"b\"]\n", 300_000), ("e4 ", 300_000), ("{a} ", 300_000), ("$1 ", 300_000)]
    {
        let read = game(format!("[Event \"x\"]\n{}", part.repeat(many)));
        assert_eq!(read.problem, Some(PgnProblem::Parts), "{part}");
        let nodes = &read.moves.nodes;
        let kept = read.tags.len()
            + nodes.len()
            + read.moves.comments.len()
            + nodes.iter().map(|node| node.nags.len()).sum::<usize>();
        assert!(kept <= freshet::pgn::MAX_PARTS, "{part}: {kept}");
    }
}

/// Lines end with a line feed, a carriage return, or both.
#[test]
fn lines_end_in_any_way() {
    let text = "[Event \"a\"]\n\n1. e4 ; good\n1... e5\n\n[Event \"b\"]\n\n1. d4 d5 0-1\n";
    for end in ["\n", "\r\n", "\r"] {
        let games = games(text.replace('\n', end));
        let [a, b] = &games[..] else { panic!("{end:?}: {} games", games.len()) };
        assert_eq!((a.moves.nodes.len(), a.result.as_str()), (2, "*"), "{end:?}");
        assert_eq!(a.moves.nodes[0].comments, ["good"], "{end:?}");
        assert_eq!((b.moves.nodes.len(), b.result.as_str(), b.line), (2, "0-1", 6), "{end:?}");
    }
}

/// A closing sign without an opening one is ignored, and so is a second result.
#[test]
fn signs_too_many_are_overlooked() {
    for text in ["1. e4 e5 } 2. Nf3 *", "1. e4 e5 ) 2. Nf3 *", "1. e4 e5 2. Nf3 1-0 *\n1-0\n"] {
        assert_eq!(line(text), "e2e4 e7e5 g1f3", "{text}");
    }
    assert_eq!(game("1. e4 e5 1/2 : 1/2\n").result, "1/2-1/2");
}

/// The text of a comment or variation that does not end is kept.
#[test]
fn what_does_not_end_is_kept() {
    let unread = |text: &str| game(text).unread.trim().to_string();
    assert_eq!(unread("1. e4 e5 {and so on 2. Nf3"), "{and so on 2. Nf3");
    let ended = game("1. e4 e5 1-0 {and so on");
    assert_eq!(
        (ended.moves.nodes[1].comments.as_slice(), ended.problem),
        (&["and so on".into()][..], None)
    );
    let open = "1. e4 (1. d4 {a pawn} d5 $1 (1... Nf6 (1... f5) 2. c4) 2. c4 (2. Nf3 c5 1-0";
    assert_eq!(game(open).moves.nodes.len(), 1);
    assert_eq!(unread(open), "(d4 (a pawn) d5 $1 (Nf6 (f5) c4) c4 (Nf3 c5");
}

/// The text of a game that cannot be read to its end is kept.
#[test]
fn what_is_unread_is_kept() {
    let read = game("1. e4 e5 <x> 2. Nf3 {good\nmove} Nc6 1-0");
    let unread: Vec<&str> = read.unread.split_whitespace().collect();
    assert_eq!(unread.join(" "), "<x> 2. Nf3 {good move} Nc6 1-0");
    assert_eq!((read.moves.nodes.len(), read.result.as_str()), (2, "1-0"));
}

/// Lines of more than a mebibyte are read in pieces: a word, a comment, a tag stay what they are.
#[test]
fn long_lines_are_read_in_pieces() {
    let long = "Nf3 ".repeat(400_000);
    let read = game(format!("[Event \"{long}\"]\n\n1. e4 ; {long}\n1... e5 {{{long}}} *"));
    assert_eq!(read.moves.nodes.len(), 2);
    assert_eq!(read.moves.nodes[1].comments[0].len(), long.len() - 1);
    assert!(games(format!("% {long}\n")).is_empty());
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(40_000);
    assert_eq!(game(moves).main_line().expect("a start").moves.len(), 160_000);
}

/// Many braces do not take long.
#[test]
fn braces_are_read_quickly() {
    for text in ["{a{} ".repeat(20_000), "{".repeat(300_000) + &"}".repeat(300_000)] {
        game(format!("1. e4 {text} e5 *"));
    }
}
