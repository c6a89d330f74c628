//! Moves as people and other programs write them, beyond SAN and UCI: `e2-e4`, `Ng1-f3`, `e:d5`,
//! `ed5`, `ed`, `Bd5:`, `a8Q`, `a8(Q)`, `a8/Q`, `o-o`, `OO`, `exd6ep`, `Qh4++`, `Qh4ch`,
//! `Qh4 mate`, `e4!`, `♘f3`, `nf3`. Modelled on what python-chess, pgn-extract and scalachess
//! accept.

use super::castling::castled;
use super::moves::{Move, MoveKind};
use super::notation::ParseMoveError;
use super::position::Position;
use crate::chess::{CastlingSide, File, Rank, Role};

/// Suffixes that do not change a move, in lower case.
const SUFFIXES: [&str; 9] = ["dblch", "e.p.", "e.p", "(ep)", "mate", "ep", "ch", "+", "#"];

/// The parts of a move that a text states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pattern {
    castling: Option<CastlingSide>,
    role: Option<Role>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to_file: Option<File>,
    /// Missing in `ed` and `exd`.
    to_rank: Option<Rank>,
    promotion: Option<Role>,
}

impl Pattern {
    /// `None` if the text does not have the form of a move.
    fn parse(text: &str) -> Option<Pattern> {
        let text = without_suffixes(text);
        let plain: String = text.chars().filter(|c| !"-–—".contains(*c)).collect();
        let castling = match plain.replace(['0', 'o'], "O").as_str() {
            "OO" => Some(CastlingSide::KingSide),
            "OOO" => Some(CastlingSide::QueenSide),
            _ => None,
        };
        if castling.is_some() {
            return Some(Pattern { castling, ..Pattern::default() });
        }
        let mut chars: Vec<char> = plain.chars().filter(|c| !"x:×".contains(*c)).collect();
        let promotion = take_promotion(&mut chars);
        let named = chars.first().and_then(|&first| piece(first));
        if named.is_some() {
            chars.remove(0);
        }
        // From square to square the piece may be left out, as in UCI notation.
        let role = named.or((chars.len() < 4).then_some(Role::Pawn));
        let file = |c: char| File::from_char(c);
        let rank = |c: char| Rank::from_char(c);
        let (mut from_file, mut from_rank, mut to_rank) = (None, None, None);
        let to_file = match chars[..] {
            [f, r] if rank(r).is_some() => {
                to_rank = rank(r);
                file(f)
            }
            // Files alone: a capture by a pawn.
            [f, t] if role == Some(Role::Pawn) => {
                from_file = Some(file(f)?);
                file(t)
            }
            [from, f, r] => {
                (from_file, from_rank) = (file(from), rank(from));
                if from_file.is_none() && from_rank.is_none() {
                    return None;
                }
                to_rank = Some(rank(r)?);
                file(f)
            }
            [ff, fr, f, r] => {
                (from_file, from_rank) = (Some(file(ff)?), Some(rank(fr)?));
                to_rank = Some(rank(r)?);
                file(f)
            }
            _ => None,
        };
        let to_file = Some(to_file?);
        Some(Pattern { castling, role, from_file, from_rank, to_file, to_rank, promotion })
    }

    fn fits(&self, position: &Position, m: Move) -> bool {
        if let Some(side) = self.castling {
            let is_east = m.to().file() > m.from().file();
            let is_side = is_east == (side == CastlingSide::KingSide);
            return m.kind() == MoveKind::Castle && is_side;
        }
        fn agrees<T: PartialEq>(wanted: Option<T>, is: T) -> bool {
            wanted.is_none_or(|wanted| wanted == is)
        }
        let to = match m.kind() {
            // Written as a king move from square to square.
            MoveKind::Castle if self.from_rank.is_some() => castled(m.from(), m.to()).0,
            MoveKind::Castle => return false,
            _ => m.to(),
        };
        agrees(self.role, position.moved_by(m).role)
            && agrees(self.from_file, m.from().file())
            && agrees(self.from_rank, m.from().rank())
            && agrees(self.to_file, to.file())
            && agrees(self.to_rank, to.rank())
            && m.promotion() == self.promotion
    }
}

/// The role for an English letter or a figurine.
fn piece(c: char) -> Option<Role> {
    Some(match c {
        'K' | '♔' | '♚' => Role::King,
        'Q' | '♕' | '♛' => Role::Queen,
        'R' | '♖' | '♜' => Role::Rook,
        'B' | '♗' | '♝' => Role::Bishop,
        'N' | '♘' | '♞' => Role::Knight,
        'P' | '♙' | '♟' => Role::Pawn,
        _ => return None,
    })
}

/// Takes `=Q`, `(Q)`, `/Q`, `Q` or `q` from the end of a move.
fn take_promotion(chars: &mut Vec<char>) -> Option<Role> {
    let mut rest = &chars[..];
    if let [before @ .., ')'] = rest
        && before.contains(&'(')
    {
        rest = before;
    }
    let (&last, mut rest) = rest.split_last()?;
    let role = piece(last).or_else(|| piece(last.to_ascii_uppercase()))?;
    if let [before @ .., '=' | '/' | '('] = rest {
        rest = before;
    }
    // `b` is a file as well. So without a sign before it (`ed=B`) the letter is a promotion only
    // after rank 1 or 8.
    let is_promotion =
        rest.last().is_some_and(|c| matches!(c, '1' | '8')) || rest.len() + 1 < chars.len();
    let role = Some(role).filter(|_| is_promotion && rest.len() >= 2)?;
    let length = rest.len();
    chars.truncate(length);
    Some(role)
}

/// The text without marks of check, mate, en passant and quality at its end.
fn without_suffixes(text: &str) -> &str {
    let mut rest = text.trim();
    loop {
        let before = rest;
        rest = rest.trim_end_matches(['!', '?', '‼', '⁇', '⁈', '⁉', '†', '‡']).trim_end();
        for suffix in SUFFIXES {
            let cut = rest.len().saturating_sub(suffix.len());
            if rest.get(cut..).is_some_and(|end| end.eq_ignore_ascii_case(suffix)) {
                rest = rest[..cut].trim_end();
            }
        }
        if rest == before {
            return rest;
        }
    }
}

impl Position {
    /// Finds the legal move for a text in neither SAN nor UCI notation.
    ///
    /// # Errors
    ///
    /// If the text does not have the form of a move, or fits no legal move or several.
    pub(super) fn parse_written(&self, text: &str) -> Result<Move, ParseMoveError> {
        let read = |text: &str| -> Result<Move, ParseMoveError> {
            let pattern = Pattern::parse(text).ok_or(ParseMoveError::Syntax)?;
            let moves = self.moves();
            let mut fitting: Vec<Move> =
                moves.iter().copied().filter(|&m| pattern.fits(self, m)).collect();
            // A king move that is both a step and castling, in Chess960, is a step.
            if fitting.len() > 1 {
                fitting.retain(|m| m.kind() != MoveKind::Castle);
            }
            match fitting[..] {
                [m] => Ok(m),
                [] => Err(ParseMoveError::Illegal),
                _ => Err(ParseMoveError::Ambiguous),
            }
        };
        let problem = match read(text) {
            Ok(m) => return Ok(m),
            Err(problem) => problem,
        };
        // Lower-case letters for pieces. `b` means a bishop only if no pawn move on the b file
        // fits, and not with a target on the last rank: that is a promotion without its piece.
        let promotes = Pattern::parse(text)
            .is_some_and(|pattern| matches!(pattern.to_rank, Some(Rank::First | Rank::Eighth)));
        let mut chars = text.chars();
        match chars.next() {
            Some('b') if promotes => Err(problem),
            Some(first @ ('n' | 'b' | 'r' | 'q' | 'k')) => {
                read(&format!("{}{}", first.to_ascii_uppercase(), chars.as_str()))
                    .map_err(|_| problem)
            }
            _ => Err(problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a move and returns it in UCI notation, or the error.
    fn read(fen: &str, text: &str) -> Result<String, ParseMoveError> {
        let position = Position::from_fen(fen).expect("a legal FEN");
        position.parse_move(text).map(|m| position.uci(m, false))
    }

    #[track_caller]
    fn all(fen: &str, expected: &str, texts: &str) {
        for text in texts.split("  ").filter(|text| !text.is_empty()) {
            assert_eq!(read(fen, text), Ok(expected.to_string()), "{text}");
        }
    }

    #[test]
    fn moves_in_every_notation() {
        const START: &str = Position::START;
        all(START, "e2e4", "e4  e2e4  e2-e4  e2–e4  e4!  e4?!  e4!!!  Pe4  Pe2-e4  e4+  ♙e4");
        all(START, "g1f3", "Nf3  Ng1f3  Ng1-f3  N1f3  Ngf3  ♘f3  nf3  Nf3‼  Nf3#");
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        all(castling, "e1g1", "O-O  0-0  o-o  OO  00  oo  O–O  O-O+  e1g1  e1-g1  Ke1-g1");
        all(castling, "e1c1", "O-O-O  0-0-0  o-o-o  OOO  O-O-O!?");
        let captures = "4k3/8/8/3p4/4P3/8/8/3QK3 w - - 0 1";
        all(captures, "e4d5", "exd5  e:d5  ed5  ed  exd  ed:  e4xd5  e4:d5  e4d5  e×d5  ed5:");
        all(captures, "d1d5", "Qd5  Qxd5  Q:d5  Qd5:  Qd1xd5  Qxd5+");
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        all(en_passant, "e5d6", "exd6  exd6ep  exd6e.p.  exd6 e.p.  exd6 ep  ed  exd6(ep)  ed6e.p");
        let promotion = "8/P6k/8/8/8/8/7p/K7 w - - 0 1";
        all(promotion, "a7a8q", "a8=Q  a8Q  a8(Q)  a8/Q  a8=q  a8q  a7a8Q  a7-a8Q  a7a8=Q  a8=Q+");
        all(promotion, "a7a8n", "a8=N  a8N  a8(N)  a8/N  a7-a8N");
        let taking = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
        all(taking, "a7b8q", "axb8=Q  axb8Q  ab8Q  a7xb8Q  ab8(Q)  ab=Q  axb/Q");
        all(taking, "a7b8b", "axb8=B  ab8B  axb8b  a7b8b");
        let mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        all(mate, "d8h4", "Qh4#  Qh4++  Qh4ch  Qh4 mate  Qh4mate  Qh4 dblch  qh4  Qd8-h4#");
    }

    #[test]
    fn what_is_meant_must_be_clear() {
        let fen = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1";
        assert_eq!(read(fen, "N-e2"), Err(ParseMoveError::Ambiguous));
        assert_eq!(read(fen, "Ncxe2"), Ok("c3e2".to_string()));
        assert_eq!(read(fen, "N:e7"), Err(ParseMoveError::Illegal));
        let two = "4k3/8/8/3p1p2/4P3/3P4/8/4K3 w - - 0 1";
        assert_eq!(read(two, "ed"), Ok("e4d5".to_string()));
        assert_eq!(read(two, "de"), Err(ParseMoveError::Illegal));
        // A pawn before a bishop.
        let both = "4k3/8/8/2p5/1P6/8/8/4KB2 w - - 0 1";
        assert_eq!(read(both, "bc5"), Ok("b4c5".to_string()));
        assert_eq!(read(both, "bc4"), Ok("f1c4".to_string()));
        let capture = "2r5/1P2k3/8/8/6B1/8/8/4K3 w - - 0 1";
        assert_eq!(read(capture, "bxc8"), Err(ParseMoveError::Illegal), "neither pawn nor bishop");
        let step = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1";
        assert_eq!(read(step, "Kf1-g1"), Ok("f1g1".to_string()));
        let promotion = "8/P6k/8/8/8/8/7p/K7 w - - 0 1";
        assert_eq!(read(promotion, "a8"), Err(ParseMoveError::Illegal));
        assert_eq!(read(promotion, "a8=K"), Err(ParseMoveError::Illegal));
        for text in
            ["", "-", "x", "e", "e9", "i4", "Ne", "N", "e4e", "hello", "=Q", "+", "()", "e2e4e5"]
        {
            assert_eq!(read(Position::START, text), Err(ParseMoveError::Syntax), "{text}");
        }
    }
}
