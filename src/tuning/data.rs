//! Training positions, records of 32 bytes.
//!
//! | bytes | content |
//! |---|---|
//! | 0 to 7 | occupied squares, little-endian, a1 in the lowest bit |
//! | 8 to 23 | the pieces on them, from the lowest square up, four bits each |
//! | 24, 25 | the score of the search in centipawns for White, little-endian |
//! | 26 | the result for White: 0 lost, 1 drawn, 2 won, 3 unknown |
//! | 27 | bit 0: Black is to move; bits 1 to 4: castling rights |
//! | 28, 29 | plies since the last capture or pawn move, little-endian |
//! | 30, 31 | plies since the game began, little-endian |
//!
//! Of two pieces in a byte the first is in the lower half. The codes 0 to 5 are White's pawn,
//! knight, bishop, rook, queen and king, and 8 to 13 Black's. Castling rights are Black's king side
//! and queen side, then White's.

use std::path::Path;

use shakmaty::Setup;

use super::expected::{SCALE, sigmoid};
use crate::board::{Move, Position};
use crate::book::games::{self, Game};
use crate::chess::{Bitboard, Color, Piece, Role, Square};
use crate::files::{FileError, has_extension, read_bytes};
use crate::score::Score;
use crate::wdl::{MaterialClass, hidden};

/// The size of a record in bytes.
pub(super) const SIZE: usize = 32;
/// The largest score, in centipawns. Game positions with larger scores are dropped. Positions
/// visited by searches and means of later scores are capped.
const MAX_SCORE: i32 = 1500;

/// Stands for an unknown result.
const UNKNOWN: u8 = 3;

/// A position with its score and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record(pub [u8; SIZE]);

impl Record {
    /// A position with the score the mover gave it; the result is unknown.
    pub fn new(position: &Position, score: Score) -> Record {
        let mut bytes = [0; SIZE];
        let occupied = position.occupied();
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        for (index, square) in occupied.into_iter().take(32).enumerate() {
            if let Some(piece) = position.piece_at(square) {
                let code = piece.role as u8 - 1 + 8 * u8::from(piece.color.is_black());
                bytes[8 + index / 2] |= code << (4 * (index % 2));
            }
        }
        let white = if position.turn().is_white() { score.raw() } else { -score.raw() };
        bytes[24..26].copy_from_slice(&(white as i16).to_le_bytes());
        bytes[26] = UNKNOWN;
        bytes[27] = u8::from(position.turn().is_black()) | position.castling_rights() << 1;
        bytes[28..30].copy_from_slice(&(position.fifty() as u16).to_le_bytes());
        bytes[30..32].copy_from_slice(&(position.ply().min(65_535) as u16).to_le_bytes());
        Record(bytes)
    }

    /// The record of a quiet position with this score, capped at 15 pawns, mates included. Dropping
    /// high scores instead would drop the successful attacks on the king, and teach the tuner that
    /// attacks never succeed. `None` if there is next to nothing on the board.
    pub(super) fn capped(position: &Position, score: Score) -> Option<Record> {
        let score = Score::cp(score.raw().clamp(-MAX_SCORE, MAX_SCORE));
        (position.occupied().count() > 3).then(|| Record::new(position, score))
    }

    /// The record of a position in which the mover plays `m` with this score. `None` if it is
    /// useless for tuning: `m` is a capture or promotion, the side to move is in check, or the game
    /// is decided.
    pub(super) fn quiet(position: &Position, m: Move, score: Score) -> Option<Record> {
        let is_quiet = !position.is_noisy(m) && position.checkers().is_empty();
        let is_open = score.as_cp().is_some_and(|cp| cp.abs() <= MAX_SCORE);
        if is_quiet && is_open { Record::capped(position, score) } else { None }
    }

    /// This record with the result in half points for White: 0, 1 or 2.
    pub fn with_result(mut self, half_points: i32) -> Record {
        self.0[26] = half_points as u8;
        self
    }

    /// The score for White in centipawns.
    pub fn score(&self) -> i32 {
        i16::from_le_bytes([self.0[24], self.0[25]]).into()
    }

    /// The result for White: 0, 0.5 or 1; `None` for a position that did not occur in a game.
    pub fn result(&self) -> Option<f64> {
        (self.0[26] != UNKNOWN).then_some(f64::from(self.0[26]) / 2.0)
    }

    fn occupied(&self) -> Bitboard {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.0[..8]);
        Bitboard(u64::from_le_bytes(bytes))
    }

    /// The material on which win, draw and loss chances depend.
    pub fn class(&self) -> MaterialClass {
        let codes = self.0[8..24].iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let roles = codes.take(self.occupied().count()).map(|code| usize::from(code & 7));
        MaterialClass::of_pieces(roles)
    }

    /// The part that identifies a position: pieces and side to move. Positions that differ only in
    /// castling rights count as one.
    pub(super) fn identity(&self) -> [u8; 25] {
        let mut identity = [0; 25];
        identity[..24].copy_from_slice(&self.0[..24]);
        identity[24] = self.0[27] & 1;
        identity
    }

    /// The position, without en passant. A castling right is assumed to belong to the rook in the
    /// corner, since the record does not say which rook has it, and is dropped if there is none.
    /// `None` if the position is not legal.
    pub fn position(&self) -> Option<Position> {
        let mut setup = Setup::empty();
        for (index, square) in self.occupied().into_iter().enumerate() {
            let code = self.0.get(8 + index / 2).filter(|_| index < 32)? >> (4 * (index % 2)) & 15;
            let role = *Role::ALL.get(usize::from(code & 7))?;
            let color = if code & 8 == 0 { Color::White } else { Color::Black };
            setup.board.set_piece_at(square, Piece { color, role });
        }
        setup.turn = if self.0[27] & 1 == 0 { Color::White } else { Color::Black };
        // `Position::from_setup` drops rights that do not fit king and rook.
        for (bit, rook) in [(2, Square::H8), (4, Square::A8), (8, Square::H1), (16, Square::A1)] {
            if self.0[27] & bit != 0 {
                setup.castling_rights.add(rook);
            }
        }
        Position::from_setup(setup).ok()
    }
}

/// All records of a datagen file, or the quiet positions of the games in a PGN file. With
/// `Some(ahead)`, the score of each is replaced by the mean of own scores `ahead` to three times
/// `ahead` plies later in the game (see `later`).
///
/// # Errors
///
/// If the file cannot be read, its last record is cut off, or a result is invalid. Also if `ahead`
/// is given for a file whose name does not end in `.pgn`.
pub fn read(path: &Path, ahead: Option<u16>) -> Result<Vec<Record>, FileError> {
    match (has_extension(path, "pgn"), ahead) {
        (true, _) => records_of_games(path, ahead),
        (false, None) => records_of_datagen(path),
        (false, Some(_)) => {
            Err(FileError::content(path, "later scores are taken from .pgn files only"))
        }
    }
}

/// A position from a game of a match runner.
pub(super) struct ScoredPosition<'a> {
    /// The position before the move.
    pub(super) position: &'a Position,
    /// The move; `None` if it is illegal, which ends the game.
    m: Option<Move>,
    /// The score for White in centipawns.
    pub(super) score: f64,
    /// The result in half points for White.
    pub(super) result: u32,
}

/// Calls `take` for each position with an own score in the games of a PGN file, except games
/// without a result. With `Some(ahead)`, calls it for each position with the mean of later scores.
/// Own scores are those in the comments of the player whose name begins with `Freshet`, or of both
/// players if both names do or neither does. They must come from a version with the same model of
/// wins, draws and losses, because that model converts them back from the displayed scale.
///
/// # Errors
///
/// If the file cannot be read or has no such position.
pub(super) fn scored_positions(
    path: &Path,
    ahead: Option<u16>,
    mut take: impl FnMut(ScoredPosition<'_>),
) -> Result<(), FileError> {
    let mut is_empty = true;
    games::read::<FileError>(path, |game| {
        let (Some(mut position), Some(result)) = (game.start.clone(), game.white) else {
            return Ok(());
        };
        let own = own_scores(&game, position.turn());
        let scores = match ahead {
            Some(plies) => later(&own, result, plies.into()),
            None => own,
        };
        for (san, score) in game.moves.iter().zip(scores) {
            let m = position.parse_move(san).ok();
            if let Some(score) = score {
                take(ScoredPosition { position: &position, m, score, result });
                is_empty = false;
            }
            let Some(m) = m else { break };
            position.play(m);
        }
        Ok(())
    })?;
    if is_empty {
        return Err(FileError::content(path, "no games with a result and scores"));
    }
    Ok(())
}

/// Whether the names of White and of Black begin with Freshet.
pub(super) fn own_sides(game: &Game) -> [bool; 2] {
    game.names.each_ref().map(|name| name.to_lowercase().starts_with("freshet"))
}

/// The own scores of the moves of a game that starts with this side to move, for White in
/// centipawns.
fn own_scores(game: &Game, mut turn: Color) -> Vec<Option<f64>> {
    let [white, black] = own_sides(game);
    let score = |&shown: &Option<i32>| {
        let is_own = white == black || turn.fold_wb(white, black);
        let sign = turn.fold_wb(1.0, -1.0);
        turn = !turn;
        shown.filter(|_| is_own).map(|shown| sign * hidden(shown))
    };
    game.scores.iter().map(score).collect()
}

/// For each position of a game, the mean (in expected points) of the scores `ahead` to three times
/// `ahead` plies later, as a score for White in centipawns; `None` if there are none. Each ply
/// after the end counts as the result, which is in half points for White. Against another engine
/// only every second ply has a score, so there the result weighs twice. Mates are left out, since
/// the result includes them.
///
/// Misjudgements of an evaluation show up as changes of the score in the following moves (temporal
/// differences, Richard Sutton 1988). These depend less on chance than the result of the game does.
fn later(scores: &[Option<f64>], result: u32, ahead: usize) -> Vec<Option<f64>> {
    let result = f64::from(result) / 2.0;
    let mean = |ply: usize| {
        let window = ply + ahead..=ply + 3 * ahead;
        let expected = window.filter_map(|later| match scores.get(later) {
            Some(score) => score.map(|score| sigmoid(SCALE * score)),
            None => Some(result),
        });
        let (count, sum) = expected.fold((0, 0.0), |(count, sum), e| (count + 1, sum + e));
        let mean = (count > 0).then(|| sum / f64::from(count))?;
        let most = f64::from(MAX_SCORE);
        Some(((mean / (1.0 - mean)).ln() / SCALE).clamp(-most, most))
    };
    (0..scores.len()).map(mean).collect()
}

/// The quiet positions of the games of a PGN file.
fn records_of_games(path: &Path, ahead: Option<u16>) -> Result<Vec<Record>, FileError> {
    let mut records = Vec::new();
    scored_positions(path, ahead, |ScoredPosition { position, m, score, result }| {
        let white = score.round() as i32;
        let score = Score::cp(position.turn().fold_wb(white, -white));
        let record = m.and_then(|m| Record::quiet(position, m, score));
        records.extend(record.map(|record| record.with_result(result as i32)));
    })?;
    Ok(records)
}

fn records_of_datagen(path: &Path) -> Result<Vec<Record>, FileError> {
    let bytes = read_bytes(path)?;
    let (records, rest) = bytes.as_chunks::<SIZE>();
    if !rest.is_empty() {
        let problem = format!("{} bytes after the last whole record of {SIZE}", rest.len());
        return Err(FileError::content(path, problem));
    }
    let read = |(index, &bytes): (usize, &[u8; SIZE])| match bytes[26] {
        0..=UNKNOWN => Ok(Record(bytes)),
        result => {
            let problem = format!(
                "record {}: {result} is no result: 0 lost, 1 drawn, 2 won, 3 unknown",
                index + 1
            );
            Err(FileError::content(path, problem))
        }
    };
    records.iter().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game as OpenBench returns it: no move numbers, and scores and depths in the comments.
    const GAME: &str = "[White \"a\"]\n[Black \"b\"]\n[Result \"1/2-1/2\"]\n\
        [FEN \"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n[SetUp \"1\"]\n\n\
        Nc3 {+0.50/10} dxe4 {-0.40/9} Bb5 {+0.30/9} c6 {-0.30/9} Be2 {unknown} Nf6 {book} \
        d3 {-99.00/3} a6 {-M9/12} a3 {unknown} h6 {-0.20/8} Ke9 {+0.10/8} h5 {+0.10/8} 1/2-1/2\n\n";

    #[test]
    fn mates_count_like_the_highest_score() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
        let white = Position::from_fen(fen).expect("a legal FEN");
        let score = |position: &Position, score| {
            Record::capped(position, score).map(|record| record.score())
        };
        assert_eq!(score(&white, Score::mate_in(1)), Some(MAX_SCORE));
        assert_eq!(score(&white, Score::cp(-4000)), Some(-MAX_SCORE));
        assert_eq!(score(&white, Score::cp(40)), Some(40));
        assert_eq!(score(&white.mirrored(), Score::mate_in(1)), Some(-MAX_SCORE), "White's view");
        let bare = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("a legal FEN");
        assert_eq!(score(&bare, Score::cp(0)), None);
    }

    #[test]
    fn quiet_positions_of_games_are_taken() {
        let folder = std::env::temp_dir().join(format!("freshet-games-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("games.PGN");
        std::fs::write(&path, GAME.repeat(2) + &GAME.replace("1/2-1/2", "*")).expect("a file");
        let records = read(&path, None).expect("a file of games");
        // Left out: the capture, the side to move in check, no score, a mate, a decided score,
        // everything after an invalid move, and the game without a result.
        let scores: Vec<i32> = records.iter().map(Record::score).collect();
        let cp = |pawns: f64| hidden((100.0 * pawns) as i32).round() as i32;
        assert_eq!(scores, [cp(0.5), cp(0.3), cp(0.2)].repeat(2), "White's view");
        assert!(records.iter().all(|record| record.result() == Some(0.5)));
        let first = records[0].position().expect("a legal position").fen();
        let fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
        assert!(first.starts_with(fen), "{first}");
        assert!(read(&folder.join("none.pgn"), None).is_err());
        for other in ["no games\n".to_string(), GAME.replace("1/2-1/2", "*")] {
            std::fs::write(&path, other).expect("a file");
            let error = read(&path, None).expect_err("no scores").to_string();
            assert!(error.contains("no games with a result"), "{error}");
        }
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }

    #[test]
    fn later_scores_stand_for_the_result_in_the_end() {
        let scores = [Some(0.0), None, Some(100.0), None, Some(-300.0)];
        let later = later(&scores, 2, 1);
        let known = |score: f64| sigmoid(SCALE * score);
        let expected = [known(100.0), (known(100.0) + known(-300.0)) / 2.0];
        for (later, expected) in later.iter().zip(expected) {
            assert!((known(later.expect("a mean")) - expected).abs() < 1e-9);
        }
        // Ply 3 is followed by one score and two results, ply 4 by results alone.
        let third = known(later[3].expect("a mean"));
        assert!((third - (known(-300.0) + 2.0) / 3.0).abs() < 1e-9);
        assert_eq!(later[4], Some(f64::from(MAX_SCORE)));
    }

    #[test]
    fn scores_of_others_are_no_own_scores() {
        let game = |names: [&str; 2]| Game {
            names: names.map(str::to_string),
            scores: vec![Some(100), Some(100), None, Some(100)],
            ..Game::default()
        };
        let score = hidden(100);
        let own = |names, turn| own_scores(&game(names), turn);
        let black = [None, Some(-score), None, Some(-score)];
        assert_eq!(own(["b", "freshet 0.1"], Color::White), black);
        let first = [Some(score), None, None, None];
        assert_eq!(own(["Freshet", "b"], Color::White), first);
        let both = [Some(-score), Some(score), None, Some(score)];
        assert_eq!(own(["a", "b"], Color::Black), both);
        assert_eq!(own(["Freshet 1", "Freshet 2"], Color::Black), both);
    }

    #[test]
    fn later_scores_are_taken_from_games_only() {
        let folder = std::env::temp_dir().join(format!("freshet-later-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (games, other) = (folder.join("games.pgn"), folder.join("data.bin"));
        std::fs::write(&games, GAME.replace("1/2-1/2", "1-0")).expect("a file of games");
        std::fs::write(&other, []).expect("a file");
        let records = read(&games, Some(30)).expect("a file of games");
        // All quiet positions, including those without a score. Their windows lie beyond the end.
        assert_eq!(records.len(), 8);
        assert!(records.iter().all(|record| record.score() == MAX_SCORE));
        assert!(read(&other, Some(30)).is_err());
        std::fs::remove_dir_all(&folder).expect("our own folder");
    }
}
