//! What becomes of each term from one position to another, and which terms are told together.

use super::breakdown::{Part, Row, Share};
use crate::chess::{Bitboard, Color, Role};
use crate::eval::wording::{About, Wording};

/// A term of one side in both positions.
#[derive(Clone, Debug)]
pub struct Delta {
    /// The name of the term: `passed_rank`.
    pub term: &'static str,
    /// What tables call it.
    pub title: &'static str,
    /// What it counts, in one sentence.
    pub legend: &'static str,
    /// What it is about; `None` for what is known of the result.
    pub about: Option<About>,
    /// How a change of it is told.
    pub wording: Wording,
    /// The side that has it.
    pub side: Color,
    /// What it gives that side before and after.
    pub shares: [Share; 2],
    /// Where the shares come from, before and after.
    pub parts: [Vec<Part>; 2],
}

impl Delta {
    pub(super) fn new([before, after]: [&Row; 2], side: Color) -> Delta {
        let parts =
            |row: &Row| row.parts.iter().filter(|part| part.side == side).copied().collect();
        Delta {
            term: before.name,
            title: before.title,
            legend: before.legend,
            about: before.about,
            wording: before.wording,
            side,
            shares: [before, after].map(|row| *row.share(side)),
            parts: [parts(before), parts(after)],
        }
    }

    /// Squares that the term has after and had not before.
    pub fn gained(&self) -> Bitboard {
        self.shares[1].squares & !self.shares[0].squares
    }

    /// Squares that the term had before and has no longer.
    pub fn lost(&self) -> Bitboard {
        self.shares[0].squares & !self.shares[1].squares
    }

    /// How often the term is counted before and after.
    pub fn counts(&self) -> [i32; 2] {
        self.shares.map(|share| share.count)
    }

    /// By how many centipawns the side has more of it after.
    pub fn cp(&self) -> i32 {
        self.shares[1].cp - self.shares[0].cp
    }

    /// By how many centipawns White has more of it, negative where Black has.
    pub fn white_cp(&self) -> i32 {
        if self.side.is_white() { self.cp() } else { -self.cp() }
    }

    /// What the squares gained and the squares lost are worth for the side, about: in centipawns.
    pub fn worth_of_squares(&self) -> [f64; 2] {
        let sum = |parts: &[Part], squares: Bitboard| -> f64 {
            let on = parts.iter().filter(|part| (part.squares & squares).any());
            on.map(|part| part.exact).sum()
        };
        [sum(&self.parts[1], self.gained()), -sum(&self.parts[0], self.lost())]
    }

    /// Whether anything of it is counted otherwise, and not only worth more or less.
    pub fn is_counted_anew(&self) -> bool {
        let key = |parts: &[Part]| -> Vec<(usize, i32, Bitboard)> {
            parts.iter().map(|part| (part.index, part.count, part.squares)).collect()
        };
        key(&self.parts[0]) != key(&self.parts[1])
    }
}

/// Terms that belong together, and that are told as one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The pieces and pawns of both sides; also where those stood that one position has and the
    /// other has not.
    Material,
    /// Whose move it is.
    Move,
    /// Where the pieces of a kind stand, what they attack and how far they can go.
    Pieces(Color, Role),
    /// The pawns and their structure.
    Pawns(Color),
    /// Passed pawns, and those that can become passed.
    Passers(Color),
    /// The place of the king, its shelter and the squares it can reach.
    King(Color),
    /// Squares a side controls, space.
    Control(Color),
    /// Threats of a side.
    Threats(Color),
    /// How a side's pieces and pawns are attacked and defended.
    Safety(Color),
    /// A side's attack on the king.
    Danger(Color),
    /// The initiative of the side that is ahead.
    Initiative,
    /// The scale factor of the endgame.
    Scale,
    /// Driving a bare king to mate.
    BareKing,
    /// What is known of the result, a row of its own.
    Result(&'static str),
}
