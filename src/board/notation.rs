//! FEN, UCI and SAN, through shakmaty; and the board as a picture.

use std::fmt::{self, Write};
use std::num::NonZeroU32;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{
    Board, CastlingMode, CastlingSide, Chess, FromSetup, Position as _, PositionErrorKinds, Setup,
};

use super::castling::{Castling, castled, castling_right};
use super::pieces::{PieceCode, Sets};
use super::state::PackedState;
use super::{Keys, Kind, Move, Position, State, Zobrist};
use crate::chess::{Bitboard, BySquare, Color, Piece, Rank, Role, Square};

/// Why a FEN is refused. The text is one line, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError(String);

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PositionError {}

/// The reason in chess words, the gravest first.
fn reason(kinds: PositionErrorKinds) -> &'static str {
    let reasons = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
    ];
    reasons.iter().find(|(kind, _)| kinds.contains(*kind)).map_or("impossible position", |r| r.1)
}

impl Position {
    /// The FEN of the start position.
    pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The start position of chess.
    pub fn start() -> Position {
        Position::from_setup(Setup::initial()).expect("the start position is legal")
    }

    /// Reads a FEN: X-FEN and Shredder-FEN castling, counters and more may be missing, blanks may be doubled.
    /// Castling rights without king and rook, a wrong en passant square and too much material are
    /// forgiven; what remains wrong is an error.
    pub fn from_fen(fen: &str) -> Result<Position, PositionError> {
        let words: Vec<&str> = fen.split_ascii_whitespace().collect();
        let parsed = Fen::from_ascii(words.join(" ").as_bytes()).or_else(|error| {
            // Counters that are no numbers are worth less than the board they follow.
            let board = words.get(..4).ok_or(error)?;
            Fen::from_ascii(board.join(" ").as_bytes())
        });
        let setup = parsed.map_err(|error| PositionError(error.to_string()))?.into_setup();
        Position::from_setup(setup)
    }

    /// The position of a shakmaty setup, with the same leniency as [`Position::from_fen`].
    pub fn from_setup(setup: Setup) -> Result<Position, PositionError> {
        let chess = Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(|error| error.ignore_invalid_castling_rights())
            .or_else(|error| error.ignore_invalid_ep_square())
            .or_else(|error| error.ignore_too_much_material())
            .or_else(|error| error.ignore_impossible_check())
            .map_err(|error| PositionError(reason(error.kinds()).to_string()))?;
        Ok(Position::from_shakmaty(&chess))
    }

    /// The same position, without history, from shakmaty.
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
            sets: Sets::EMPTY,
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
            zobrist,
        };
        for (square, piece) in chess.board().clone() {
            position.put(PieceCode::new(piece), square);
        }
        if let Some(square) = chess.maybe_ep_square() {
            position.offer_en_passant(square);
        }
        position
    }

    fn setup(&self) -> Setup {
        let mut setup = Setup::empty();
        setup.board = self
            .occupied()
            .into_iter()
            .filter_map(|s| Some((s, self.piece_at(s)?)))
            .fold(Board::empty(), |mut board, (square, piece)| {
                board.set_piece_at(square, piece);
                board
            });
        setup.turn = self.turn;
        for color in Color::ALL {
            for castling_side in CastlingSide::ALL {
                if self.state().packed.rights() & castling_right(color, castling_side) != 0 {
                    setup.castling_rights.add(self.castling.path(color, castling_side).rook);
                }
            }
        }
        setup.ep_square = self.state().packed.en_passant();
        setup.halfmoves = self.fifty();
        setup.fullmoves = NonZeroU32::MIN.saturating_add(self.ply() / 2);
        setup
    }

    /// The same position, without history, with colours changed: pieces, side to move and rights.
    pub fn with_colours_changed(&self) -> Position {
        let mut setup = self.setup();
        let mut board = Board::empty();
        for (square, piece) in setup.board {
            board.set_piece_at(
                square.flip_vertical(),
                Piece { color: piece.color.other(), ..piece },
            );
        }
        setup.board = board;
        setup.turn = setup.turn.other();
        setup.castling_rights = setup.castling_rights.flip_vertical();
        setup.ep_square = setup.ep_square.map(Square::flip_vertical);
        Position::from_setup(setup).expect("a position with colours changed stays legal")
    }

    /// The same position, without history, for shakmaty.
    pub fn to_shakmaty(&self) -> Chess {
        Chess::from_setup(self.setup(), CastlingMode::Chess960)
            .or_else(|error| error.ignore_too_much_material())
            .or_else(|error| error.ignore_impossible_check())
            .expect("a position that was accepted stays acceptable")
    }

    /// The FEN: X-FEN castling, en passant square only where the capture is legal.
    pub fn fen(&self) -> String {
        match Fen::try_from_setup(self.setup()) {
            Ok(fen) => fen.to_string(),
            Err(lossy) => lossy.ignore().to_string(),
        }
    }

    /// Finds the legal move that a GUI means: lower case, castling as king move or as king takes rook.
    pub fn parse_uci(&self, text: &str) -> Option<Move> {
        let UciMove::Normal { from, to, promotion } = text.parse().ok()? else { return None };
        self.moves().into_iter().find(|m| {
            if m.from() != from {
                return false;
            }
            match m.kind() {
                // As the king's step only where that is no ordinary king move as well.
                Kind::Castle => {
                    m.to() == to || (castled(m.from(), m.to()).0 == to && from.distance(to) > 1)
                }
                _ => m.to() == to && m.promotion() == promotion,
            }
        })
    }

    /// The move as the protocol writes it: castling as king takes rook in Chess960, else as a king move.
    pub fn uci(&self, m: Move, chess960: bool) -> String {
        if m.kind() == Kind::Castle && !chess960 {
            return format!("{}{}", m.from(), castled(m.from(), m.to()).0);
        }
        format!("{m:?}")
    }

    /// The move in standard algebraic notation, with `+` or `#`.
    pub fn san(&self, m: Move) -> String {
        let chess = self.to_shakmaty();
        match self.to_shakmaty_move(&chess, m) {
            Some(san) => SanPlus::from_move(chess, san).to_string(),
            None => format!("{m:?}"),
        }
    }

    /// Finds the legal move of a text in standard algebraic notation.
    pub fn parse_san(&self, text: &str) -> Option<Move> {
        let chess = self.to_shakmaty();
        let m =
            text.parse::<SanPlus>().map_or_else(|_| text.parse::<San>(), |san| Ok(san.san)).ok()?;
        self.parse_uci(&m.to_move(&chess).ok()?.to_uci(CastlingMode::Chess960).to_string())
    }

    fn to_shakmaty_move(&self, chess: &Chess, m: Move) -> Option<shakmaty::Move> {
        self.uci(m, true).parse::<UciMove>().ok()?.to_move(chess).ok()
    }

    /// The pieces as a set for each side and role, recomputed keys and all, are as the position says: what a
    /// test asks after every move.
    pub fn is_consistent(&self) -> bool {
        let fresh = Position::from_shakmaty(&self.to_shakmaty());
        let counted = Role::ALL.iter().fold(Bitboard::EMPTY, |all, &role| all | self.role(role));
        fresh.state().keys == self.state().keys
            && fresh.state().sets == self.state().sets
            && fresh.mailbox == self.mailbox
            && fresh.state().packed.en_passant() == self.state().packed.en_passant()
            && counted == self.occupied()
    }
}

/// The board as a picture, White below.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LINE: &str = " +---+---+---+---+---+---+---+---+";
        writeln!(f, "{LINE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            for file in crate::chess::File::ALL {
                let piece = self.piece_at(Square::from_coords(file, rank)).map_or(' ', Piece::char);
                write!(f, " | {piece}")?;
            }
            writeln!(f, " | {}\n{LINE}", rank.char())?;
        }
        let mut files = String::new();
        for file in crate::chess::File::ALL {
            write!(files, "   {}", file.char())?;
        }
        write!(f, "{files}")
    }
}
