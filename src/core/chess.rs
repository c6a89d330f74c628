//! Basic types: shakmaty's squares, bitboards (sets of squares) and pieces, with helpers that
//! shakmaty lacks.
//!
//! Other modules import these types from here, so that few of them depend on shakmaty by name.
//! Sets of squares can be drawn and read as diagrams, which have White below and a blank between
//! squares:
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::{Bitboard, Color, Square, bit, diagram, facing_north, parse_diagram};
//!
//! let bishops = bit(Square::C1) | bit(Square::F1);
//! let drawn = "\
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . x . . x . .";
//! assert_eq!(diagram(bishops).to_string(), drawn);
//! assert_eq!(parse_diagram(drawn), Some(bishops));
//!
//! // As Black sees these squares.
//! let turned = facing_north(bishops, Color::Black);
//! assert_eq!(turned, bit(Square::C8) | bit(Square::F8));
//! ```

use std::fmt;
use std::ops::{Index, IndexMut};

pub use shakmaty::attacks::between;
pub use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingSide, Color, File, Piece, Rank, Role, Square,
};

/// One value for each square, indexed by [`Square`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BySquare<T>(pub [T; 64]);

impl<T: Copy> BySquare<T> {
    /// The same value on every square.
    pub const fn all(value: T) -> Self {
        BySquare([value; 64])
    }
}

impl<T> Index<Square> for BySquare<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, square: Square) -> &T {
        &self.0[square as usize]
    }
}

impl<T> IndexMut<Square> for BySquare<T> {
    #[inline(always)]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square as usize]
    }
}

/// The board as a diagram: eight lines, White below, a blank between squares, without a line feed
/// at the end.
impl fmt::Display for BySquare<char> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let separator = match (rank, file) {
                    (Rank::Eighth, File::A) => "",
                    (_, File::A) => "\n",
                    _ => " ",
                };
                write!(f, "{separator}{}", self[Square::from_coords(file, rank)])?;
            }
        }
        Ok(())
    }
}

/// A set of squares as a diagram: `x` for its squares, `.` for the others.
pub fn diagram(set: Bitboard) -> BySquare<char> {
    BySquare(std::array::from_fn(
        |index| {
            if set.contains(square_at(index as u32)) { 'x' } else { '.' }
        },
    ))
}

/// Reads a diagram as a set of squares: 64 marks from a8 to h1, where `.` is a square outside the
/// set and any other mark a square in it. Blanks and line feeds do not count. `None` if there are
/// not 64 marks.
pub fn parse_diagram(text: &str) -> Option<Bitboard> {
    let marks: Vec<char> = text.chars().filter(|mark| !mark.is_whitespace()).collect();
    let square = |index: usize| square_at(index as u32).flip_vertical();
    let squares = marks.iter().enumerate().filter(|(_, mark)| **mark != '.');
    (marks.len() == 64).then(|| squares.map(|(index, _)| square(index)).collect())
}

/// The English name of a piece, in lower case.
#[doc(hidden)]
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The traditional value of a piece in pawns; 0 for a king, which is never lost.
#[doc(hidden)]
pub const fn points(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// The side as the subject of a sentence: `White` or `Black`.
pub const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The side as an adjective, and as files name it: `white` or `black`.
#[doc(hidden)]
pub const fn side_adjective(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The set that holds only this square.
#[inline(always)]
pub const fn bit(square: Square) -> Bitboard {
    Bitboard(1 << square as u64)
}

/// The square with this index, 0 for a1 to 63 for h8. Higher bits of the index are ignored.
#[inline(always)]
pub const fn square_at(index: u32) -> Square {
    Square::new(index & 63)
}

/// The set as `side` sees it: flipped for Black, so that either side moves north. Flipping twice
/// gives the same set.
#[inline(always)]
pub const fn facing_north(set: Bitboard, side: Color) -> Bitboard {
    match side {
        Color::White => set,
        Color::Black => set.flip_vertical(),
    }
}

/// The square as `side` sees it: flipped for Black, so that either side moves north. Flipping twice
/// gives the same square.
#[inline(always)]
#[doc(hidden)]
pub fn square_facing_north(square: Square, side: Color) -> Square {
    if side.is_white() { square } else { square.flip_vertical() }
}
