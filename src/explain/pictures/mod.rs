//! Pictures of the sets that the engine thinks in: boards with marks, as text ([`text`]) or as SVG
//! ([`svg`]).
//!
//! [`PICTURES`] lists them. Each is drawn from a position; where none is given there is an example.
//!
//! ```
//! use freshet::eval::Evaluator;
//! use freshet::explain::pictures::{self, text};
//!
//! let picture = pictures::find("king-paths").unwrap().example(&mut Evaluator::new());
//! // The example of Westcott's article: a king on e4, goals on a1 and h8.
//! assert_eq!(picture.boards.len(), 6);
//! let drawn = text::draw(&picture, text::Symbols::Ascii);
//! assert!(drawn.contains("after 4 moves"));
//! ```

mod draw;
pub mod svg;
pub mod text;

use crate::board::Position;
use crate::chess::{Bitboard, BySquare, Piece, Square};
use crate::eval::Evaluator;

/// What a picture is called, what it shows and how it is drawn.
pub struct PictureInfo {
    /// The name users type.
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub what: &'static str,
    /// The FEN of the example.
    example: &'static str,
    draw: fn(&Request, &mut Evaluator) -> Vec<Board>,
}

/// What is to be drawn.
struct Request<'a> {
    position: &'a Position,
    /// Squares that the user has named; empty for those that the picture chooses itself.
    goals: Bitboard,
    /// The example of the picture, which may be drawn in a way of its own.
    is_example: bool,
}

/// The only picture to which the user gives squares: the king's goals.
const WITH_GOALS: &str = "king-paths";

/// All pictures.
pub static PICTURES: [PictureInfo; 11] = [
    PictureInfo {
        name: "king-moves",
        what: "How many moves each king needs to every square, around its own pieces and squares \
               that the enemy attacks.",
        example: "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 w - - 0 1",
        draw: draw::king_moves,
    },
    PictureInfo {
        name: WITH_GOALS,
        what: "All shortest paths of a king to its goals, move by move: squares that are named, \
               or the enemy's undefended pieces, or the centre.",
        example: "4k3/8/8/8/4K3/8/8/8 w - - 0 1",
        draw: draw::king_paths,
    },
    PictureInfo {
        name: "race",
        what: "Which king gets to each square first, and in how many moves.",
        example: "8/8/1p1k2p1/5p2/1P3P2/2K3P1/8/8 w - - 0 1",
        draw: draw::race,
    },
    PictureInfo {
        name: "attacks",
        what: "How many pieces of each side attack each square.",
        example: "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 b - - 0 9",
        draw: draw::attacks,
    },
    PictureInfo {
        name: "pawns",
        what: "Squares that pawns attack now or after moving up, and outposts: squares that they \
               defend and the enemy's pawns can never attack.",
        example: "r2q1rk1/pp2bppp/2np1n2/4p3/4P3/1NN1B3/PPP2PPP/R2Q1RK1 w - - 0 11",
        draw: draw::pawns,
    },
    PictureInfo {
        name: "passers",
        what: "The path of each passed pawn, and whether the enemy king catches it.",
        example: "8/8/5k2/8/P6p/8/1K6/8 w - - 0 1",
        draw: draw::passers,
    },
    PictureInfo {
        name: "weak-squares",
        what: "Squares in each camp that its own pawns can never defend; goals are those that only \
               the enemy attacks.",
        example: "r2q1rk1/pp2bppp/2np1n2/4p3/4P3/1NN1B3/PPP2PPP/R2Q1RK1 w - - 0 11",
        draw: draw::weak_squares,
    },
    PictureInfo {
        name: "weights",
        what: "What each square adds to the evaluation, White less Black, in centipawns.",
        example: "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 b - - 0 9",
        draw: draw::weights,
    },
    PictureInfo {
        name: "dumb7fill",
        what: "How the attacks of rooks, bishops and queens spread step by step, all at once.",
        example: "4k3/8/2p5/8/1p6/2R2P2/2P5/4KB2 w - - 0 1",
        draw: draw::dumb7fill,
    },
    PictureInfo {
        name: "wall",
        what: "The wall of a blocked ending: squares that enemy pawns close, and each king's ways \
               to a pawn that no pawn defends.",
        example: "7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1",
        draw: draw::wall,
    },
    PictureInfo {
        name: "fortress",
        what: "An ending with few pieces, with each king on other squares: where the weaker side is \
               proven to hold, and where the other wins or seems to.",
        example: "4k3/7R/r7/3KP3/8/8/8/8 b - - 0 1",
        draw: draw::fortress,
    },
];

/// Why no picture can be drawn.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PictureError {
    /// There is no picture of this name.
    #[error("no picture is called {0}; fills or svg alone lists them")]
    Unknown(String),
    /// Squares after the name of a picture that has no goals.
    #[error("{0} takes no squares; only {with_goals} does", with_goals = WITH_GOALS)]
    Goals(&'static str),
    /// A word after the name is neither a square nor a FEN.
    #[error("{0} is neither a square nor a FEN")]
    Word(String),
    /// The position is none.
    #[error("{0}")]
    Position(String),
}

/// The picture that some words ask for: its name, squares as goals, and a FEN. Without a FEN it is
/// drawn of `current`, and of its example if that is `None` too. `None` without any word.
///
/// # Errors
///
/// If the name or the FEN is wrong, or squares are given to a picture without goals.
pub fn asked_for(
    words: &[&str],
    current: Option<&Position>,
    evaluator: &mut Evaluator,
) -> Result<Option<Picture>, PictureError> {
    let Some((name, rest)) = words.split_first() else { return Ok(None) };
    let info = find(name).ok_or_else(|| PictureError::Unknown(name.to_string()))?;
    let goals = rest.iter().map_while(|word| word.parse::<Square>().ok());
    let goals: Vec<Square> = goals.collect();
    let goals_end = goals.len();
    let fen = rest[goals_end..].join(" ");
    let goals: Bitboard = goals.into_iter().collect();
    if goals.any() && info.name != WITH_GOALS {
        return Err(PictureError::Goals(info.name));
    }
    Ok(Some(match current {
        _ if !fen.is_empty() => {
            let position =
                Position::from_text(&fen).map_err(|problem| match &rest[goals_end..] {
                    [word] if *word != "startpos" => PictureError::Word(word.to_string()),
                    _ => PictureError::Position(problem),
                })?;
            info.of(&position, goals, evaluator)
        }
        Some(position) => info.of(position, goals, evaluator),
        None if goals.any() => info.of(&Position::start(), goals, evaluator),
        None => info.example(evaluator),
    }))
}

/// The picture of this name, in any case.
pub fn find(name: &str) -> Option<&'static PictureInfo> {
    PICTURES.iter().find(|picture| picture.name.eq_ignore_ascii_case(name))
}

impl PictureInfo {
    /// The picture of a position. `goals` are squares that the user has named, or none; only
    /// `king-paths` uses them.
    pub fn of(
        &'static self,
        position: &Position,
        goals: Bitboard,
        evaluator: &mut Evaluator,
    ) -> Picture {
        self.picture(&Request { position, goals, is_example: false }, evaluator)
    }

    /// The picture of its example.
    pub fn example(&'static self, evaluator: &mut Evaluator) -> Picture {
        let position = Position::from_fen(self.example).unwrap_or_else(|_| Position::start());
        let goals = Bitboard::EMPTY;
        self.picture(&Request { position: &position, goals, is_example: true }, evaluator)
    }

    fn picture(&'static self, request: &Request, evaluator: &mut Evaluator) -> Picture {
        Picture {
            name: self.name,
            what: self.what,
            fen: request.position.fen(),
            boards: (self.draw)(request, evaluator),
        }
    }
}

/// Boards that belong together.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of the picture.
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub what: &'static str,
    /// The position.
    pub fen: String,
    /// The boards, to be shown side by side.
    pub boards: Vec<Board>,
}

/// One board of a picture.
#[derive(Clone, Debug)]
pub struct Board {
    /// What this board shows.
    pub title: String,
    /// The pieces that are shown.
    pub pieces: BySquare<Option<Piece>>,
    /// What is marked.
    pub marks: BySquare<Mark>,
    /// A number or word on a square, mostly empty.
    pub texts: Vec<(Square, String)>,
    /// Ways over the board, for pictures that can have arrows.
    pub paths: Vec<Vec<Square>>,
}

/// The mark of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// None.
    #[default]
    Plain,
    /// White's.
    White,
    /// Black's.
    Black,
    /// Both sides'.
    Both,
    /// On the way.
    Way,
    /// A goal.
    Goal,
    /// Closed.
    Wall,
    /// A value in centipawns, good for White if positive.
    Value(i32),
}

impl Mark {
    /// What the mark means, for the key under a picture; `None` where it needs no words.
    pub fn meaning(self) -> Option<&'static str> {
        match self {
            Mark::Plain | Mark::Value(_) => None,
            Mark::White => Some("White"),
            Mark::Black => Some("Black"),
            Mark::Both => Some("both"),
            Mark::Way => Some("way"),
            Mark::Goal => Some("goal"),
            Mark::Wall => Some("closed"),
        }
    }
}

impl Board {
    /// A board with all pieces of a position and no marks.
    fn of(position: &Position, title: impl Into<String>) -> Board {
        let pieces = BySquare(Square::ALL.map(|square| position.piece_at(square)));
        Board { pieces, ..Board::empty(title) }
    }

    /// A board without pieces.
    fn empty(title: impl Into<String>) -> Board {
        Board {
            title: title.into(),
            pieces: BySquare::all(None),
            marks: BySquare::all(Mark::Plain),
            texts: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// Marks the squares of a set.
    fn mark(mut self, set: Bitboard, mark: Mark) -> Board {
        set.into_iter().for_each(|square| self.marks[square] = mark);
        self
    }

    /// Writes on a square.
    fn write(&mut self, square: Square, text: impl ToString) {
        self.texts.push((square, text.to_string()));
    }

    /// The text on a square; empty if there is none.
    pub fn text(&self, square: Square) -> &str {
        let found = self.texts.iter().find(|(on, _)| *on == square);
        found.map_or("", |(_, text)| text.as_str())
    }
}
