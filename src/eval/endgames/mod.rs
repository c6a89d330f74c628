//! Endgames whose result is known, or can be judged better than by counting terms.
//!
//! | Endgame | File | Method |
//! |---|---|---|
//! | king and pawn against king | [`kpk`] | bitbase, exact |
//! | king and rook against king and pawn | [`krkp`] | bitbase, exact but for rare wins |
//! | bare king against queen, rook, two bishops, or bishop and knight | [`bare_king`] | distances to mate, exact |
//! | kings and locked pawns | [`locked_pawns`], [`king_pairs`] | bitbase, proven and judged |
//! | kings and pawns that lead to few structures | [`pawn_endings`] | the same for all of them |
//! | locked pawns and up to two pieces (three in tools) | [`piece_bitbases`], [`exchanges`], [`solved`] | bitbase, proven |
//! | locked pawns and any pieces | [`confinement`] | floods, proven |
//! | all others | [`scale`] | scale factors |
//!
//! All bitbases are solved by retrograde analysis, set-wise: for fixed squares of the other pieces
//! the squares of one king form a bitboard, and "the king can step to a won square" is one king
//! fill for all 64 of them. Starting from nothing, the sets of won positions grow until nothing
//! changes (a least fixpoint). They are solved at run time, at their first use.
//!
//! ```
//! use freshet::board::Position;
//! use freshet::eval::evaluate;
//!
//! // The king on the sixth rank in front of its pawn wins, whoever is to move.
//! let won = Position::from_fen("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").unwrap();
//! assert!(evaluate(&won).raw() > 500);
//! // Here Black has the opposition.
//! let drawn = Position::from_fen("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1").unwrap();
//! assert_eq!(evaluate(&drawn).raw(), 0);
//! ```

pub mod bare_king;
pub(crate) mod cache;
pub mod confinement;
pub mod conversions;
pub mod exchanges;
pub mod king_pairs;
pub mod kpk;
pub mod krkp;
pub mod locked_pawns;
pub mod pawn_endings;
pub mod piece_bitbases;
pub mod scale;
pub mod solved;
pub mod structure;
pub mod walls;

use std::sync::Once;

use crate::board::Position;
use crate::chess::{Bitboard, Color};

/// The largest [phase](super::FULL_PHASE) at which a solved endgame without walls can be on the
/// board: that of a rook, or of two minor pieces.
pub const MAX_PHASE: i32 = 2;

/// The bonus for a known win in centipawns, on top of the terms, which guide the way to mate.
const KNOWN_WIN: i32 = 500;

/// Solves the endgames that take longer than a search should wait, unless that is done: some 850
/// milliseconds. A search uses those that are solved when it meets them.
pub fn prepare() {
    krkp::prepare();
    bare_king::prepare();
}

/// Solves them in the background, unless that has begun: at once where there are no threads.
pub fn prepare_in_background() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        // The two that take longest, side by side.
        let _ = std::thread::Builder::new().spawn(bare_king::prepare_two_bishops);
        if std::thread::Builder::new().spawn(prepare).is_err() {
            prepare();
        }
    });
}

/// Whether [`prepare`] has done its work.
pub(crate) fn are_prepared() -> bool {
    krkp::is_solved() && bare_king::are_solved()
}

/// Solves the endgame of this position, if it is one of those.
pub(super) fn prepare_for(position: &Position) {
    if position.occupied().count() <= 4 {
        krkp::prepare_for(position);
        bare_king::prepare_for(position);
    }
}

/// The score in centipawns for White, corrected if the endgame is solved or its pawns are locked.
/// `tapered` is the score without that. Not inlined: rare in most games.
#[inline(never)]
pub(super) fn corrected(position: &Position, phase: i32, tapered: i32) -> i32 {
    known(position, phase, tapered).map_or(tapered, |(_, score)| score)
}

/// An endgame whose score does not come from counted terms alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownEndgame {
    /// King and pawn against king.
    PawnAgainstKing,
    /// King and rook against king and pawn.
    RookAgainstPawn,
    /// King, bishop and knight against king.
    BishopAndKnight,
    /// Kings and pawns that are locked, or nearly so.
    LockedPawns,
    /// Kings and pawns that can move, followed to promotions.
    PawnEnding,
    /// A wall of locked pawns that holds against the pieces of the side ahead.
    Wall,
}

/// Which known endgame this is; `None` for all other positions. `tapered` is White's score without
/// that knowledge, in centipawns of the evaluation.
pub fn known_endgame(position: &Position, phase: i32, tapered: i32) -> Option<KnownEndgame> {
    known(position, phase, tapered).map(|(endgame, _)| endgame)
}

/// The endgame, and White's score in it.
fn known(position: &Position, phase: i32, tapered: i32) -> Option<(KnownEndgame, i32)> {
    let named = |endgame: KnownEndgame| move |score: i32| (endgame, score);
    let wall = || walls::score(position, phase, tapered).map(named(KnownEndgame::Wall));
    match phase {
        0..MAX_PHASE => kpk::score(position, tapered)
            .map(named(KnownEndgame::PawnAgainstKing))
            .or_else(|| locked_pawns::score(position, tapered))
            .or_else(wall),
        MAX_PHASE => krkp::score(position, tapered)
            .map(named(KnownEndgame::RookAgainstPawn))
            .or_else(|| {
                bare_king::bishop_and_knight(position).map(named(KnownEndgame::BishopAndKnight))
            })
            .or_else(wall),
        _ => wall(),
    }
}

/// White's centipawns where `side` is known to win.
fn with_known_win(side: Color, tapered: i32) -> i32 {
    tapered + if side.is_white() { KNOWN_WIN } else { -KNOWN_WIN }
}

/// The side that has pieces of this set, which must not be empty.
fn owner(position: &Position, pieces: Bitboard) -> Color {
    if position.of(Color::White).intersects(pieces) { Color::White } else { Color::Black }
}
