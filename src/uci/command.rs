//! Commands: one line of input, parsed by value.

use crate::search::Limits;

/// A parsed line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Send `id`, the options and `uciok`.
    Uci,
    /// Send `readyok` when all earlier commands are done.
    IsReady,
    /// The next position belongs to another game.
    NewGame,
    /// Set up a FEN, or the start position if `None`, and play these moves from it.
    Position(Option<String>, Vec<String>),
    /// A pasted FEN: set it up and show it.
    Paste(String),
    /// List the commands that can be typed.
    Help,
    /// Start a search.
    Go(Go),
    /// End the running search.
    Stop,
    /// The opponent has played the move being pondered on.
    PonderHit,
    /// End the session.
    Quit,
    /// Set the option with this name to this value.
    SetOption(String, Option<String>),
    /// Draw the board.
    Display,
    /// Swap the sides, and draw the board.
    Flip,
    /// A command of the program around the session, as typed: `eval`, `perft 5`.
    Extra(String),
    /// Known commands without effect: `debug`, `register`, `xboard`.
    Ignored,
    /// A malformed command, with the reason.
    Wrong(String),
    /// A line without a command word: perhaps moves to play.
    Unknown(String),
    /// A blank line.
    Empty,
}

/// A parsed `go`. The `searchmoves` are unchecked, since parsing does not know the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits, without `searchmoves`.
    pub limits: Limits,
    /// The words after `searchmoves`.
    pub(super) search_moves: Vec<String>,
    /// Words that were not understood. The search runs anyway, since the GUI waits for its answer.
    pub(super) problems: Vec<String>,
}

/// Words that belong to `go`.
const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// A whole number as GUIs write it, clamped to the range of `i64`; `None` if the word is not a
/// number.
pub fn number(word: &str) -> Option<i64> {
    match word.parse::<i128>() {
        Ok(value) => Some(value.clamp(i64::MIN as i128, i64::MAX as i128) as i64),
        Err(_) => {
            let digits = word.strip_prefix('-').unwrap_or(word);
            let numeric = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            numeric.then_some(if word.starts_with('-') { i64::MIN } else { i64::MAX })
        }
    }
}

/// The whole part of a number, for clocks sent with a fraction.
fn whole_number(word: &str) -> Option<i64> {
    let is_fraction = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    match word.split_once('.') {
        Some((whole, fraction)) if is_fraction(fraction) => number(whole),
        _ => number(word),
    }
}

/// Copies of the words.
fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

fn parse_go(words: &[&str]) -> Command {
    let mut go = Go::default();
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        at += 1;
        match word {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.limits.ponder = true,
            "searchmoves" => {
                while let Some(m) = words.get(at).filter(|word| !GO_WORDS.contains(word)) {
                    go.search_moves.push(m.to_string());
                    at += 1;
                }
            }
            _ if GO_WORDS.contains(&word) => {
                let value = words.get(at).and_then(|word| whole_number(word));
                match value {
                    Some(value) if word == "perft" => {
                        return Command::Extra(format!("perft {}", value.max(0)));
                    }
                    Some(value) => set_limit(&mut go.limits, word, value),
                    None if word == "perft" => {
                        return Command::Wrong("go perft needs a depth".to_string());
                    }
                    None => go.problems.push(format!("go: {word} needs a number")),
                }
                // A word that is not a number may be the next keyword.
                let is_word = words.get(at).is_some_and(|next| GO_WORDS.contains(next));
                at += usize::from(value.is_some() || !is_word);
            }
            _ => go.problems.push(format!("go: \"{word}\" is not understood")),
        }
    }
    if !go.problems.is_empty() && go.limits == Limits::default() {
        // Without limits this would be an infinite search, and a GUI that made a mistake may never
        // send `stop`.
        go.limits.depth = Some(1);
    }
    Command::Go(go)
}

fn set_limit(limits: &mut Limits, word: &str, value: i64) {
    match word {
        "wtime" => limits.time.white = Some(value),
        "btime" => limits.time.black = Some(value),
        "winc" => limits.increment.white = value,
        "binc" => limits.increment.black = value,
        "movestogo" => limits.moves_to_go = Some(value),
        "depth" => limits.depth = Some(value.max(1)),
        "nodes" => limits.nodes = Some(value.max(1) as u64),
        // No mate takes zero moves: run the shortest search instead.
        "mate" if value <= 0 => limits.depth = Some(1),
        "mate" => limits.mate = Some(value),
        _ => limits.move_time = Some(value.max(1)),
    }
}

fn parse_position(words: &[&str]) -> Command {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (place, moves) = words.split_at(moves_at);
    let moves = owned(moves.get(1..).unwrap_or_default());
    let fen = match place {
        ["startpos"] => None,
        [] => {
            return Command::Wrong(
                "position needs startpos or fen FEN; keeping the previous position".to_string(),
            );
        }
        ["startpos", word, ..] => {
            return Command::Wrong(format!(
                "position: \"{word}\" is not understood, moves come after the word moves; \
                 keeping the previous position"
            ));
        }
        ["fen", fen @ ..] | fen => Some(fen.join(" ")),
    };
    Command::Position(fen, moves)
}

/// `line` is the whole line, as blanks count in a value.
fn parse_option(line: &str, words: &[&str]) -> Command {
    let after_name = words.iter().position(|&word| word == "name").map_or(0, |at| at + 1);
    let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = words.get(after_name..value_at).unwrap_or_default().join(" ");
    let value = words.get(value_at).map(|word| {
        let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        line[end..].trim_ascii().to_string()
    });
    Command::SetOption(name, value)
}

/// Whether a word is the first of a FEN.
fn is_board(word: &str) -> bool {
    let of_board = |byte: u8| b"pnbrqkPNBRQK12345678/".contains(&byte);
    word.bytes().filter(|&byte| byte == b'/').count() == 7 && word.bytes().all(of_board)
}

impl Command {
    /// Parses a line, skipping words before the first known one, as the protocol demands. `extra`
    /// lists the first words of commands that are not UCI's.
    pub fn parse(line: &str, extra: &[&str]) -> Command {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words.first().is_some_and(|word| is_board(word)) {
            return Command::Paste(words.join(" "));
        }
        for (at, &word) in words.iter().enumerate() {
            let rest = &words[at + 1..];
            return match word {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "position" => parse_position(rest),
                "go" => parse_go(rest),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" | "exit" => Command::Quit,
                "help" => Command::Help,
                "setoption" => parse_option(line, rest),
                "d" => Command::Display,
                "flip" => Command::Flip,
                _ if extra.contains(&word) => Command::Extra(words[at..].join(" ")),
                "debug" | "register" | "xboard" => Command::Ignored,
                _ => continue,
            };
        }
        if words.is_empty() { Command::Empty } else { Command::Unknown(line.trim().to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        Command::parse(line, &["eval", "perft", "why"])
    }

    fn go(line: &str) -> Go {
        match command(line) {
            Command::Go(go) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn numbers_of_any_length() {
        let nines = "9".repeat(50);
        assert_eq!([number("-7"), number("+7"), number("0")], [Some(-7), Some(7), Some(0)]);
        assert_eq!(number(&nines), Some(i64::MAX));
        assert_eq!(number(&format!("-{nines}")), Some(i64::MIN));
        for word in ["", "-", "x", "1x", "--1", "1.5", &format!("{nines}x")] {
            assert_eq!(number(word), None, "{word}");
        }
    }

    #[test]
    fn limits_of_a_search() {
        let Go { limits, search_moves, problems } =
            go("go wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 \
             searchmoves e2e4 d2d4 ponder");
        assert_eq!((limits.time.white, limits.time.black), (Some(1), Some(2)));
        assert_eq!((limits.increment.white, limits.increment.black), (3, 4));
        assert_eq!((limits.moves_to_go, limits.move_time), (Some(5), Some(9)));
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(6), Some(7), Some(8)));
        assert!(limits.ponder && !limits.infinite && problems.is_empty());
        assert_eq!(search_moves, ["e2e4", "d2d4"]);
    }

    /// Blanks inside a value stay: a file name may have two in a row.
    #[test]
    fn blanks_in_a_value_stay() {
        let value = |line: &str| match command(line) {
            Command::SetOption(name, value) => (name, value),
            other => panic!("{line}: {other:?}"),
        };
        let (name, file) = value("setoption  name  Hash  File  value a  b\tc\u{3000} \r");
        assert_eq!((&*name, file.as_deref()), ("Hash File", Some("a  b\tc\u{3000}")));
        assert_eq!(value("setoption name F value "), ("F".to_string(), Some(String::new())));
    }

    #[test]
    fn fractions_count_as_their_whole_part() {
        let told = go("go wtime 10000.5 btime 2000. winc 0.9 movetime 7.25");
        assert_eq!((told.limits.time.white, told.limits.time.black), (Some(10_000), Some(2000)));
        assert_eq!((told.limits.increment.white, told.limits.move_time), (0, Some(7)));
        assert!(told.problems.is_empty());
        assert_eq!(go("go depth 3 movetime 1.x").problems, ["go: movetime needs a number"]);
    }

    #[test]
    fn a_position_is_startpos_or_a_fen() {
        for line in ["position", "position moves e2e4"] {
            assert!(matches!(command(line), Command::Wrong(_)), "{line}");
        }
        assert_eq!(command("position startpos"), Command::Position(None, Vec::new()));
    }

    #[test]
    fn words_of_other_programs() {
        assert_eq!(command("perft 3"), command("go perft 3"));
        for line in ["debug on", "register later", "xboard"] {
            assert_eq!(command(line), Command::Ignored, "{line}");
        }
    }

    #[test]
    fn what_is_no_number_is_told_and_left_out() {
        let told = go("go depth many nodes 5");
        assert_eq!((told.limits.depth, told.limits.nodes), (None, Some(5)));
        assert_eq!(told.problems, ["go: depth needs a number"]);
        let told = go("go depth nodes 5");
        assert_eq!((told.limits.depth, told.limits.nodes), (None, Some(5)));
        assert_eq!(told.problems, ["go: depth needs a number"]);
        assert_eq!(go("go depth many").limits.depth, Some(1), "it must end");
        assert_eq!(go("go infinite soon").limits.depth, None);
        assert_eq!(go("go").limits, Limits::default());
        assert_eq!(command("go perft -1"), Command::Extra("perft 0".into()));
        assert!(matches!(command("go perft deep"), Command::Wrong(_)));
    }

    #[test]
    fn words_of_the_program() {
        let extra = |text: &str| Command::Extra(text.to_string());
        assert_eq!(command("why Nf3  Nc3"), extra("why Nf3 Nc3"));
        assert_eq!(command("please eval all"), extra("eval all"));
        assert_eq!(command("fills"), Command::Unknown("fills".into()), "not one of those named");
    }

    #[test]
    fn a_line_that_begins_with_a_board_is_a_fen() {
        let pasted = |line: &str| matches!(command(line), Command::Paste(_));
        assert!(pasted("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        for line in ["4k3/8/8/8/8/8/4K3 w - -", "a/b/c/d/e/f/g/h", "8", "kqr"] {
            assert!(!pasted(line), "{line}");
        }
    }
}
