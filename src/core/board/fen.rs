//! Converts positions from and to FEN and shakmaty's types, which validate them, and draws the
//! board as text.

use std::fmt::{self, Write};
use std::num::NonZeroU32;
use std::str::FromStr;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, PositionErrorKinds, Setup,
};

use super::castling::{Castling, castling_right};
use super::pieces::{PieceCode, PieceSets};
use super::position::Position;
use super::state::{Keys, PackedState, State};
use super::zobrist::Zobrist;
use crate::chess::{Bitboard, BySquare, CastlingSide, Color, File, Piece, Rank, Role, Square};

/// Why a position is refused. Each message is one line for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text is not a FEN.
    #[error("{0}")]
    Syntax(#[from] ParseFenError),
    /// A move follows the fields, or stands for a counter.
    #[error("\"{0}\" does not belong to a FEN (moves come after the word moves)")]
    StrayWord(String),
    /// The FEN has pieces in hand or counts checks.
    #[error("a position of another variant than chess")]
    Variant,
    /// There are no pieces.
    #[error("the board is empty")]
    EmptyBoard,
    /// A side has no king.
    #[error("a king is missing")]
    MissingKing,
    /// A side has several kings.
    #[error("a side has more than one king")]
    TooManyKings,
    /// A pawn stands where no pawn can stand.
    #[error("a pawn stands on the first or last rank")]
    PawnsOnBackRank,
    /// The side to move could capture the king.
    #[error("the side that is not to move is in check")]
    OppositeCheck,
    /// Anything else that makes a position unplayable.
    #[error("impossible position")]
    Impossible,
}

impl From<PositionErrorKinds> for PositionError {
    /// The most serious of the errors that shakmaty found.
    fn from(kinds: PositionErrorKinds) -> PositionError {
        let gravest_first = [
            (PositionErrorKinds::EMPTY_BOARD, PositionError::EmptyBoard),
            (PositionErrorKinds::MISSING_KING, PositionError::MissingKing),
            (PositionErrorKinds::TOO_MANY_KINGS, PositionError::TooManyKings),
            (PositionErrorKinds::PAWNS_ON_BACKRANK, PositionError::PawnsOnBackRank),
            (PositionErrorKinds::OPPOSITE_CHECK, PositionError::OppositeCheck),
        ];
        gravest_first
            .into_iter()
            .find(|(kind, _)| kinds.contains(*kind))
            .map_or(PositionError::Impossible, |(_, error)| error)
    }
}

/// The start position of chess.
impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

/// Reads a FEN, as [`Position::from_fen`] does.
impl FromStr for Position {
    type Err = PositionError;

    fn from_str(fen: &str) -> Result<Position, PositionError> {
        Position::from_fen(fen)
    }
}

/// Writes the FEN: X-FEN castling, and the en passant square only if the capture is legal.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Fen::try_from_setup(self.to_setup()).unwrap_or_else(|lossy| lossy.ignore()).fmt(f)
    }
}

/// Whether a word after four fields of a FEN may stand for a counter.
fn is_counter(word: &str) -> bool {
    !word.contains(|c: char| c.is_alphabetic())
}

/// Whether a word is written as a move. Stricter than [`Position::parse_move`], which takes the EPD
/// operation `ce` for a pawn capture.
fn is_move_like(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    let plain = word.trim_end_matches(['Q', 'R', 'B', 'N', 'q', 'r', 'b', 'n', '=']);
    let ends_on_square = matches!(plain.as_bytes(), [.., b'a'..=b'h', b'1'..=b'8']);
    word.starts_with("O-O")
        || (ends_on_square && plain.chars().all(|c| "KQRBNabcdefgh12345678x-".contains(c)))
}

impl Position {
    /// The FEN of the start position.
    pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The start position of chess.
    pub fn start() -> Position {
        Position::from_shakmaty(&Chess::default())
    }

    /// Reads a FEN, leniently: castling rights are X-FEN or Shredder-FEN, the counters may be
    /// missing or not numbers, remarks and EPD operations may follow but no moves, and blanks may be
    /// doubled or underscores. Ignores castling rights without king and rook, wrong en passant
    /// squares, too much material and impossible checks.
    ///
    /// # Errors
    ///
    /// If the text is no FEN, or the position cannot be played: see [`PositionError`].
    pub fn from_fen(fen: &str) -> Result<Position, PositionError> {
        let fen = fen.replace('_', " ");
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let parsed = Fen::from_ascii(fields.join(" ").as_bytes()).or_else(|error| {
            // Ignore the counters, if there are four fields before them.
            let first_four = fields.get(..4).ok_or(error)?;
            Fen::from_ascii(first_four.join(" ").as_bytes())
        });
        let setup = parsed?.into_setup();
        if setup.pockets.is_some() || setup.remaining_checks.is_some() {
            return Err(PositionError::Variant);
        }
        // EPD operations and remarks do not matter, but someone may have forgotten the word moves.
        let counters = fields.get(4..).unwrap_or_default().iter();
        let is_remark = |word: &str| word.contains(';') || !is_move_like(word) && !is_counter(word);
        let mut words = counters.take_while(|word| !is_remark(word));
        if let Some(word) = words.find(|word| is_move_like(word)) {
            return Err(PositionError::StrayWord(word.to_string()));
        }
        Position::from_setup(setup)
    }

    /// Reads a position as people write it: a FEN or `startpos`, then optionally the word `moves`
    /// and moves in any notation. An empty text is the start position.
    ///
    /// # Errors
    ///
    /// If the FEN is bad or a move is illegal. The message is one line for the user.
    ///
    /// ```
    /// # extern crate freshet_core as freshet;
    /// use freshet::board::Position;
    ///
    /// let position = Position::from_text("startpos moves e4 e7e5")?;
    /// assert_eq!(position.ply(), 2);
    /// assert!(Position::from_text("startpos moves e5").is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Position, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let mut position = match &words[..end] {
            [] | ["startpos"] => Position::start(),
            ["fen", fen @ ..] | fen => {
                Position::from_fen(&fen.join(" ")).map_err(|error| format!("bad FEN: {error}"))?
            }
        };
        for text in words.iter().skip(end + 1) {
            let m = position.parse_move(text).map_err(|error| format!("move {text}: {error}"))?;
            position.play(m);
        }
        Ok(position)
    }

    /// The position of shakmaty's setup, as lenient as [`Position::from_fen`].
    ///
    /// # Errors
    ///
    /// If the position cannot be played: any [`PositionError`] except [`PositionError::Syntax`].
    pub fn from_setup(setup: Setup) -> Result<Position, PositionError> {
        let chess = Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(|error| error.ignore_invalid_castling_rights())
            .or_else(|error| error.ignore_invalid_ep_square())
            .or_else(|error| error.ignore_too_much_material())
            .or_else(|error| error.ignore_impossible_check())
            .map_err(|error| PositionError::from(error.kinds()))?;
        Ok(Position::from_shakmaty(&chess))
    }

    /// Converts from shakmaty, which has no history.
    pub fn from_shakmaty(chess: &Chess) -> Position {
        let mut castling = Castling::NONE;
        let mut rights = 0;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let (Some(king), Some(rook)) =
                    (chess.board().king_of(color), chess.castles().rook(color, side))
                {
                    castling.allow(color, side, king, rook);
                    rights |= castling_right(color, side);
                }
            }
        }
        let zobrist = Zobrist::get();
        let key =
            zobrist.castling(rights) ^ if chess.turn().is_black() { zobrist.black } else { 0 };
        let state = State {
            keys: Keys::default().toggled(key),
            sets: PieceSets::EMPTY,
            packed: PackedState::first(chess.halfmoves().min(10_000) as u16, rights),
        };
        let moves = (chess.fullmoves().get() - 1).min(100_000) * 2;
        let mut position = Position {
            mailbox: BySquare::all(PieceCode::NONE),
            turn: chess.turn(),
            stack: vec![state],
            height: 0,
            castling,
            first_ply: moves + u32::from(chess.turn().is_black()),
            declared_en_passant: chess.ep_square(EnPassantMode::Always),
            zobrist,
        };
        for (square, piece) in chess.board() {
            position.put_piece(PieceCode::new(piece), square);
        }
        if let Some(square) = chess.ep_square(EnPassantMode::Always) {
            position.set_en_passant(square);
        }
        position
    }

    /// Converts to shakmaty's setup, without history.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                setup.board.set_piece_at(square, piece);
            }
        }
        setup.turn = self.turn;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if self.castling_rights() & castling_right(color, side) != 0 {
                    setup.castling_rights.add(self.castling.path(color, side).rook);
                }
            }
        }
        setup.ep_square = self.en_passant();
        setup.halfmoves = self.fifty();
        setup.fullmoves = NonZeroU32::MIN.saturating_add(self.ply() / 2);
        setup
    }

    /// Converts to shakmaty, without history.
    pub fn to_shakmaty(&self) -> Chess {
        Position::accepted(self.to_setup())
    }

    /// Converts to shakmaty. Keeps the en passant square even if the capture is only pseudo-legal,
    /// as some formats do.
    pub fn to_shakmaty_pseudo_legal(&self) -> Chess {
        let mut setup = self.to_setup();
        setup.ep_square = self.pseudo_legal_en_passant();
        Position::accepted(setup)
    }

    fn accepted(setup: Setup) -> Chess {
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(|error| error.ignore_too_much_material())
            .or_else(|error| error.ignore_impossible_check())
            .expect("a position that was accepted stays acceptable")
    }

    /// The position with ranks mirrored and colours swapped, without history: pieces, side to move,
    /// castling rights and en passant square. It has the same value for the side to move.
    pub fn mirrored(&self) -> Position {
        Position::from_setup(self.to_setup().into_mirrored())
            .expect("a legal position stays legal when mirrored")
    }

    /// The FEN, as `Display` writes it: X-FEN castling, and the en passant square only if the
    /// capture is legal.
    pub fn fen(&self) -> String {
        self.to_string()
    }

    /// Draws the board in 18 lines of text, White at the bottom, without a final line feed.
    pub fn picture(&self) -> String {
        const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
        let mut text = LINE.to_string();
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.piece_at(Square::from_coords(file, rank)).map_or(' ', Piece::char);
                text.extend([" | ", piece.encode_utf8(&mut [0; 4])]);
            }
            // Writing to a string cannot fail.
            let _ = write!(text, " | {}\n{LINE}", rank.char());
        }
        text.extend(File::ALL.map(|file| format!("   {}", file.char())));
        text
    }

    /// Whether keys, sets, mailbox and en passant square match a fresh computation. Tests check
    /// after every move that this holds.
    pub fn is_consistent(&self) -> bool {
        let fresh = Position::from_shakmaty(&self.to_shakmaty());
        let all_roles = Role::ALL.iter().fold(Bitboard::EMPTY, |all, &role| all | self.role(role));
        fresh.state().keys == self.state().keys
            && fresh.state().sets == self.state().sets
            && fresh.mailbox == self.mailbox
            && fresh.en_passant() == self.en_passant()
            && all_roles == self.occupied()
    }
}
