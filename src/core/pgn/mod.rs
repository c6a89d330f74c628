//! PGN (Edwards, "Portable Game Notation Specification and Implementation Guide"): games as trees
//! of moves, read one after the other from a stream ([`Reader`]) and written
//! ([`write`](mod@write)).
//!
//! The reader is liberal: files by people and old programs have moves in long notation, other signs
//! and letters, assessments as signs, and null moves. The first unreadable part ends the game and
//! is reported ([`Game::problem`], [`MainLine::problem`]); everything before it is kept.
//!
//! This does not use `pgn-reader`, which silently skips what it does not know, and reads the move
//! `g1f3`, as match runners write it, as the pawn move f3.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::pgn::Reader;
//!
//! let text = "[White \"A\"]\n\n1. e4 {the best} e7e5 2. Nf3 (2. f4 exf4) 2... Nc6 1-0\n";
//! let mut reader = Reader::new(text.as_bytes());
//! let game = reader.next_game()?.expect("a game");
//! assert_eq!(game.tag("White"), Some("A"));
//! assert_eq!(game.main_line()?.moves.len(), 4);
//! assert!(reader.next_game()?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod letters;
mod reader;
pub mod write;

use std::fmt;

pub use reader::Reader;

use crate::board::{Move, ParseMoveError, Position};
use crate::files::shortened;

/// A tag pair: `[White "Anderssen"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, such as `White`.
    pub name: String,
    /// The value, without quotes and backslashes.
    pub value: String,
}

/// A move with its annotations and variations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The move as written, not checked; `--` for a null move.
    pub text: String,
    /// Numeric annotation glyphs: 1 for `!`, 4 for `??`. The standard has 0 to 255.
    pub nags: Vec<u16>,
    /// The comments after the move, without braces.
    pub comments: Vec<String>,
    /// Lines that replace this move by another one.
    pub variations: Vec<Variation>,
}

impl Node {
    /// The move, its glyphs, comments and variations as words, comments in parentheses.
    fn words(&self) -> Vec<String> {
        let mut words = vec![self.text.clone()];
        words.extend(self.nags.iter().map(|nag| format!("${nag}")));
        words.extend(self.comments.iter().map(|comment| format!("({comment})")));
        let variations = self.variations.iter();
        words.extend(variations.map(|variation| format!("({})", variation.text())));
        words
    }
}

/// A line of moves: the game itself or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves in order, each with its annotations.
    pub nodes: Vec<Node>,
}

impl Variation {
    /// The line with its comments and variations as one text, comments in parentheses.
    fn text(&self) -> String {
        let comments = self.comments.iter().map(|comment| format!("({comment})"));
        comments.chain([moves_text(&self.nodes)]).collect::<Vec<_>>().join(" ")
    }
}

/// The first words of the comment that takes the place of what is left out.
pub const CUT_SHORT: &str = "cut short here, ";

/// What is left of a line that cannot be played on, as a comment: why, the moves and the text that was
/// not read.
pub fn left_out(nodes: &[Node], unread: &str, problem: &PgnProblem) -> String {
    let moves = moves_text(nodes);
    let words: Vec<&str> = moves.split_whitespace().chain(unread.split_whitespace()).collect();
    let rest = if words.is_empty() { String::new() } else { format!(": {}", words.join(" ")) };
    write::without_braces(&format!("{CUT_SHORT}{problem}{rest}"))
}

/// Moves with their glyphs, comments and variations as one text, comments in parentheses: what is left
/// of a game that cannot be played goes into a comment, which may hold no braces.
fn moves_text(nodes: &[Node]) -> String {
    nodes.iter().flat_map(Node::words).collect::<Vec<_>>().join(" ")
}

/// A game of a PGN file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The line of the file on which the game begins, from 1.
    pub line: usize,
    /// The tag pairs in their order.
    pub tags: Vec<Tag>,
    /// The main line, with all variations.
    pub moves: Variation,
    /// The game termination marker: `1-0`, `0-1`, `1/2-1/2`, or `*`, also if there is none.
    pub result: String,
    /// The first unreadable part. The moves before it are kept.
    pub problem: Option<PgnProblem>,
    /// The text that was not read: variations that had not ended where the problem is, and all after
    /// it. Empty if the game is too long or has too many parts.
    pub unread: String,
}

/// An error in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnProblem {
    /// A word that PGN does not have.
    #[error("\"{0}\" is neither a move nor part of PGN")]
    Word(String),
    /// A comment without its closing brace.
    #[error("a comment is not closed")]
    OpenComment,
    /// A variation without its closing parenthesis.
    #[error("a variation is not closed")]
    OpenVariation,
    /// A variation before the first move of a line.
    #[error("a variation comes before the first move")]
    EarlyVariation,
    /// Variations inside one another, more than [`MAX_NESTING`] of them.
    #[error("variations are nested too deeply")]
    Nesting,
    /// A game of more than [`MAX_BYTES`] bytes.
    #[error("the game is longer than {} MB", MAX_BYTES >> 20)]
    Length,
    /// A game of more than [`MAX_PARTS`] tags, moves, comments and glyphs.
    #[error("the game has more than {MAX_PARTS} tags, moves and comments")]
    Parts,
    /// The first position is not legal.
    #[error("bad FEN: {0}")]
    Fen(String),
    /// The game is of this chess variant, which is not supported.
    #[error("the variant {0} is not chess")]
    Variant(String),
    /// A null move in check, with its number.
    #[error("move {0} is a null move in check")]
    NullInCheck(String),
    /// A move that cannot be played.
    #[error("move {number} \"{text}\": {problem}")]
    Move {
        /// The move number as written: `12.` or `12...`.
        number: String,
        /// The move as written.
        text: String,
        /// The error in the move.
        problem: ParseMoveError,
    },
}

/// The deepest nesting of variations.
pub const MAX_NESTING: usize = 64;

/// The longest game, in bytes. Limits how much is read of a file that holds no games.
pub const MAX_BYTES: usize = 16 << 20;

/// The most tags, moves, comments and glyphs of a game. Bounds its memory.
pub const MAX_PARTS: usize = 200_000;

/// The moves of a game's main line, all of them legal.
#[derive(Clone, Debug)]
pub struct MainLine {
    /// The position before the first move.
    pub start: Position,
    /// The moves, up to the first that cannot be played.
    pub moves: Vec<PgnMove>,
    /// The reason why the line ends before the game does.
    pub problem: Option<PgnProblem>,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// The names of White and Black from the tags; `White` and `Black` if a tag is missing.
    pub fn names(&self) -> [String; 2] {
        ["White", "Black"].map(|side| self.tag(side).unwrap_or(side).to_string())
    }

    /// Whether the tag `Variant` says that this is Chess960, where UCI notation writes castling as
    /// king takes rook.
    pub fn is_chess960(&self) -> bool {
        self.tag("Variant").is_some_and(|variant| {
            let variant = variant.to_ascii_lowercase();
            let names = ["960", "fischer", "frc", "wild/fr"];
            names.iter().any(|part| variant.contains(part))
        })
    }

    /// The position before the first move.
    ///
    /// # Errors
    ///
    /// If it is not legal, or the game is a variant.
    pub fn start(&self) -> Result<Position, PgnProblem> {
        let variant = self.tag("Variant").unwrap_or("Standard");
        let lower = variant.to_ascii_lowercase();
        let is_chess = ["standard", "chess", "normal", "from position", "?", "-", ""]
            .contains(&lower.as_str())
            || lower.starts_with("standard")
            // The wild variants 0 to 8 of the Internet Chess Club are normal chess from other start
            // positions.
            || lower.strip_prefix("wild/").is_some_and(|number| {
                self.tag("FEN").is_some() && matches!(number.parse(), Ok(0..=8))
            });
        if !is_chess && !self.is_chess960() {
            return Err(PgnProblem::Variant(variant.to_string()));
        }
        match self.tag("FEN") {
            None => Ok(Position::start()),
            Some(fen) => {
                Position::from_fen(fen).map_err(|error| PgnProblem::Fen(error.to_string()))
            }
        }
    }

    /// The main line with its moves checked, up to the first illegal or unreadable one.
    ///
    /// # Errors
    ///
    /// If the first position is not legal, or the game is a variant.
    pub fn main_line(&self) -> Result<MainLine, PgnProblem> {
        let start = self.start()?;
        let (mut position, mut moves) = (start.clone(), Vec::new());
        let mut problem = None;
        for node in &self.moves.nodes {
            match PgnMove::read(&position, &node.text) {
                Ok(m) => {
                    moves.push(m);
                    m.play(&mut position);
                }
                Err(illegal) => {
                    problem = Some(illegal);
                    break;
                }
            }
        }
        let problem = problem.or_else(|| self.problem.clone());
        Ok(MainLine { start, moves, problem })
    }
}

impl Variation {
    /// Cuts the variations of this line short before their first illegal move, nested ones too, and
    /// returns the error of each. What is left of a variation becomes a comment at its end. The moves of
    /// the line itself, from `start` on, should be legal; stops at the first that is not.
    pub fn cut_variations_short(&mut self, start: &Position) -> Vec<PgnProblem> {
        let mut problems = Vec::new();
        // An error here would belong to the line itself.
        let _ = self.check(start, &mut problems);
        problems
    }

    /// Cuts variations short and collects their problems. Returns the index of the first move of the
    /// line itself that cannot be played, and why.
    fn check(
        &mut self,
        start: &Position,
        problems: &mut Vec<PgnProblem>,
    ) -> Result<(), (usize, PgnProblem)> {
        let mut position = start.clone();
        for (index, node) in self.nodes.iter_mut().enumerate() {
            let m = PgnMove::read(&position, &node.text).map_err(|problem| (index, problem))?;
            for variation in &mut node.variations {
                if let Err((at, problem)) = variation.check(&position, problems) {
                    let rest = variation.nodes.split_off(at);
                    let comment = left_out(&rest, "", &problem);
                    let last = variation.nodes.last_mut().map(|node| &mut node.comments);
                    last.unwrap_or(&mut variation.comments).push(comment);
                    problems.push(problem);
                }
            }
            m.play(&mut position);
        }
        Ok(())
    }
}

/// A move of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnMove {
    /// A move of a piece, legal in the position.
    Move(Move),
    /// A null move: the side to move passes. Annotators use it to show a threat, and records of old
    /// games and odds games to fill a missing move. Not legal in check.
    Null,
}

/// The spellings of null moves.
const NULL_MOVES: [&str; 7] = ["--", "Z0", "null", "@@@@", "<>", "0000", "pass"];

impl PgnMove {
    /// Reads a move, which may be a null move.
    ///
    /// # Errors
    ///
    /// [`PgnProblem::Move`], with the number of the move; [`PgnProblem::NullInCheck`] for a null
    /// move in check.
    pub fn read(position: &Position, text: &str) -> Result<PgnMove, PgnProblem> {
        let is_null = NULL_MOVES.iter().any(|null| text.eq_ignore_ascii_case(null));
        if is_null {
            return match position.checkers().is_empty() {
                true => Ok(PgnMove::Null),
                false => Err(PgnProblem::NullInCheck(move_number(position))),
            };
        }
        read_move(position, text).map(PgnMove::Move)
    }

    /// Plays the move or null move.
    pub fn play(self, position: &mut Position) {
        match self {
            PgnMove::Move(m) => position.play(m),
            PgnMove::Null => position.play_null(),
        }
    }

    /// The move in SAN, `--` for a null move.
    pub fn san(self, position: &Position) -> String {
        match self {
            PgnMove::Move(m) => position.san(m),
            PgnMove::Null => "--".to_string(),
        }
    }
}

/// Writes UCI notation, `--` for a null move.
impl fmt::Display for PgnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnMove::Move(m) => m.fmt(f),
            PgnMove::Null => f.write_str("--"),
        }
    }
}

/// Reads a legal move as [`Position::parse_move`] does.
///
/// # Errors
///
/// [`PgnProblem::Move`], with the number of the move.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move, PgnProblem> {
    position.parse_move(text).map_err(|problem| PgnProblem::Move {
        number: move_number(position),
        text: shortened(text),
        problem,
    })
}

/// The number of the next move as PGN writes it: `12.` or, for Black, `12...`.
fn move_number(position: &Position) -> String {
    let dots = if position.turn().is_white() { "." } else { "..." };
    format!("{}{dots}", position.ply() / 2 + 1)
}

/// Writes the tag pair as in a file.
impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.replace('\\', "\\\\").replace('"', "\\\"");
        write!(f, "[{} \"{value}\"]", self.name)
    }
}
