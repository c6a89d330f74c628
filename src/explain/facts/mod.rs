//! Facts: reasons with their evidence, found in a line of moves by set expressions.
//!
//! A [`Fact`] says which move of the line shows a [`Motif`], with which piece and against which
//! others, so that it can be checked by the rules of chess alone. Each family of motifs is a file:
//!
//! | Motifs | File |
//! |---|---|
//! | hanging piece, trapped piece, intermezzo | `captures.rs` |
//! | fork, discovered attack and check, double check | `attacks.rs` |
//! | pin, skewer, x-ray, interference, clearance | `lines.rs` |
//! | deflection, attraction | `guards.rs` |
//! | mate in n moves, back-rank and smothered mate | `mates.rs` |
//! | promotion, underpromotion | `pawns.rs` |
//! | zugzwang | `zugzwang.rs` |
//!
//! The names are those of the labels of lichess.org's puzzles, which people know.

mod attacks;
mod captures;
mod guards;
pub mod line;
mod lines;
mod mates;
mod pawns;
pub mod zugzwang;

use crate::board::Move;
use crate::chess::Square;
use line::PlayedLine;
use serde::Serialize;

/// What kind of reason a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Motif {
    /// Mate with the first move of the line's side.
    MateIn1,
    /// Mate with the second.
    MateIn2,
    /// Mate with the third.
    MateIn3,
    /// Mate with the fourth.
    MateIn4,
    /// Mate with the fifth or a later one.
    MateIn5,
    /// The king is mated on its first rank, behind its own pieces.
    BackRankMate,
    /// A knight mates a king that its own pieces shut in.
    SmotheredMate,
    /// A pawn becomes a queen, or another piece.
    Promotion,
    /// A pawn becomes a knight, bishop or rook.
    UnderPromotion,
    /// Two checks with one move.
    DoubleCheck,
    /// A move opens the line of another piece to the king.
    DiscoveredCheck,
    /// A move opens the line of another piece to what that piece takes.
    DiscoveredAttack,
    /// One piece attacks two.
    Fork,
    /// A piece that may not leave its line is won, or does not do its duty.
    Pin,
    /// A piece must leave the line to a less valuable one behind it.
    Skewer,
    /// A piece recaptures through one that has captured.
    XRayAttack,
    /// A piece is captured that nothing defends.
    HangingPiece,
    /// A piece is captured that had no safe square to go to.
    TrappedPiece,
    /// A defender is drawn away from what it guards.
    Deflection,
    /// A piece is drawn to a square where it is attacked.
    Attraction,
    /// A defender's line is blocked.
    Interference,
    /// A piece leaves a line or square for another.
    Clearance,
    /// A move in between, before a recapture.
    Intermezzo,
    /// Whoever has to move must spoil its position.
    Zugzwang,
}

impl Motif {
    /// Whether it says only in how many moves there is mate.
    pub fn is_mate(self) -> bool {
        use Motif::{MateIn1, MateIn2, MateIn3, MateIn4, MateIn5};
        matches!(self, MateIn1 | MateIn2 | MateIn3 | MateIn4 | MateIn5)
    }

    /// The label, as in JSON.
    pub fn label(self) -> String {
        let text = serde_json::to_string(&self).unwrap_or_default();
        text.trim_matches('"').to_string()
    }
}

/// A reason with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub motif: Motif,
    /// The index of the move in the line that shows it.
    pub ply: usize,
    /// That move.
    pub m: Move,
    /// The squares of the pieces that it is about, after that move: those attacked, the piece that
    /// is pinned, the square that is guarded no more.
    pub squares: Vec<Square>,
}

impl Fact {
    fn new(
        motif: Motif,
        line: &PlayedLine,
        ply: usize,
        squares: impl IntoIterator<Item = Square>,
    ) -> Fact {
        Fact { motif, ply, m: line.moves[ply], squares: squares.into_iter().collect() }
    }
}

/// The facts of a line, by the moves of the side that begins it, but for zugzwang.
pub fn of_line(line: &PlayedLine) -> Vec<Fact> {
    let mut facts = Vec::new();
    mates::find(line, &mut facts);
    pawns::find(line, &mut facts);
    attacks::find(line, &mut facts);
    lines::find(line, &mut facts);
    captures::find(line, &mut facts);
    guards::find(line, &mut facts);
    facts
}
