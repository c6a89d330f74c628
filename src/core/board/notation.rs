//! Moves as text, UCI and SAN, and as values of shakmaty.

use shakmaty::san::{San, SanError, SanPlus};
use shakmaty::uci::UciMove;

use super::castling::castled;
use super::moves::{Move, MoveKind};
use super::position::Position;
use crate::chess::File;

/// Why a text is not a move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// The text does not have the form of a move.
    #[error("not written as a move")]
    Syntax,
    /// The text is a move, but not a legal one in this position.
    #[error("not a legal move here")]
    Illegal,
    /// The text, in SAN, fits several legal moves.
    #[error("more than one legal move is meant")]
    Ambiguous,
}

impl From<SanError> for ParseMoveError {
    fn from(error: SanError) -> ParseMoveError {
        match error {
            SanError::IllegalSan => ParseMoveError::Illegal,
            SanError::AmbiguousSan => ParseMoveError::Ambiguous,
        }
    }
}

impl Move {
    /// Converts shakmaty's move; `None` for the drops of Crazyhouse.
    pub fn from_shakmaty(m: shakmaty::Move) -> Option<Move> {
        match m {
            shakmaty::Move::Normal { from, to, promotion, .. } => {
                Some(Move::new(from, to, MoveKind::of_promotion(promotion)?))
            }
            shakmaty::Move::EnPassant { from, to } => {
                Some(Move::new(from, to, MoveKind::EnPassant))
            }
            shakmaty::Move::Castle { king, rook } => Some(Move::new(king, rook, MoveKind::Castle)),
            shakmaty::Move::Put { .. } => None,
        }
    }
}

impl Position {
    /// Converts a legal move to shakmaty's.
    pub fn to_shakmaty_move(&self, m: Move) -> shakmaty::Move {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Castle => shakmaty::Move::Castle { king: from, rook: to },
            MoveKind::EnPassant => shakmaty::Move::EnPassant { from, to },
            _ => shakmaty::Move::Normal {
                role: self.moved_by(m).role,
                from,
                capture: self.captured_by(m),
                to,
                promotion: m.promotion(),
            },
        }
    }

    /// Finds the legal move that a GUI means: in lower case, castling as a king move (`e1g1`) or
    /// as king takes rook (`e1h1`).
    ///
    /// # Errors
    ///
    /// If the text is not a move in UCI's form, or not legal here; never
    /// [`ParseMoveError::Ambiguous`].
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseMoveError> {
        let uci: UciMove = text.parse().map_err(|_| ParseMoveError::Syntax)?;
        let UciMove::Normal { from, to, promotion } = uci else {
            return Err(ParseMoveError::Illegal);
        };
        let is_meant = |m: &Move| match m.kind() {
            // In Chess960 a king may castle by one step or none. Such text then means the plain
            // king move.
            MoveKind::Castle => {
                m.to() == to || (castled(m.from(), m.to()).0 == to && from.distance(to) > 1)
            }
            _ => m.to() == to && m.promotion() == promotion,
        };
        let found = self.moves().into_iter().find(|m| m.from() == from && is_meant(m));
        found.ok_or(ParseMoveError::Illegal)
    }

    /// A legal move as the protocol writes it: castling as king takes rook in Chess960, else as a
    /// king move. From non-standard squares, castling as a king move might be no move at all or a
    /// different one, so it is always written as king takes rook.
    pub fn uci(&self, m: Move, chess960: bool) -> String {
        match m.kind() {
            MoveKind::Castle if !chess960 && is_standard(m) => {
                let (king_to, _) = castled(m.from(), m.to());
                UciMove::Normal { from: m.from(), to: king_to, promotion: None }.to_string()
            }
            _ => m.to_string(),
        }
    }

    /// A legal move in standard algebraic notation, with `+` or `#`.
    pub fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.to_shakmaty(), self.to_shakmaty_move(m)).to_string()
    }

    /// Finds the legal move for a text in standard algebraic notation. `+` and `#` may be missing
    /// or wrong.
    ///
    /// # Errors
    ///
    /// If the text is not a move in SAN, or fits no legal move or several.
    ///
    /// ```
    /// # extern crate freshet_core as freshet;
    /// use freshet::board::{ParseMoveError, Position};
    ///
    /// let position: Position = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1".parse()?;
    /// assert_eq!(position.parse_san("Nce2").map(|m| m.to_string()), Ok("c3e2".to_string()));
    /// assert_eq!(position.parse_san("Ne2"), Err(ParseMoveError::Ambiguous));
    /// assert_eq!(position.parse_san("Ne7"), Err(ParseMoveError::Illegal));
    /// assert_eq!(position.parse_san("knight"), Err(ParseMoveError::Syntax));
    /// # Ok::<(), freshet::board::PositionError>(())
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        let san: San = text.parse().map_err(|_| ParseMoveError::Syntax)?;
        let m = san.to_move(&self.to_shakmaty())?;
        Move::from_shakmaty(m).ok_or(ParseMoveError::Illegal)
    }

    /// Finds the legal move for a text as people and other programs write moves: in SAN, in UCI
    /// notation, in long notation (`Ng1-f3`), with other signs (`e:d5`, `a8(Q)`, `o-o`). A text in
    /// the form of a UCI move is read as one.
    ///
    /// # Errors
    ///
    /// If the text does not have the form of a move, or fits no legal move or several.
    ///
    /// ```
    /// # extern crate freshet_core as freshet;
    /// use freshet::board::Position;
    ///
    /// let start = Position::start();
    /// assert_eq!(start.parse_move("g1f3"), start.parse_move("Nf3"));
    /// assert_eq!(start.parse_move("g1f3"), start.parse_move("Ng1-f3!"));
    /// assert!(start.parse_move("g1f4").is_err());
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        match self.parse_uci(text) {
            Err(ParseMoveError::Syntax) => match self.parse_san(text) {
                Err(ParseMoveError::Syntax | ParseMoveError::Illegal) => self.parse_written(text),
                result => result,
            },
            // A pawn move with the file and rank of the pawn, as e2e4, is the same in both.
            result => result,
        }
    }
}

/// Whether castling starts from the squares of standard chess.
fn is_standard(castling: Move) -> bool {
    castling.from().file() == File::E && matches!(castling.to().file(), File::A | File::H)
}
