//! Opening books in the Polyglot format.
//!
//! A book is a list of entries of 16 bytes, big-endian, sorted by the first eight: the Zobrist key
//! of the position, a move, a weight, and four bytes for learning, which are not used here (Michel
//! Van den Bergh, "Polyglot book format"). The key is shakmaty's Zobrist hash, whose random numbers
//! are those of the format.

pub mod build;
pub mod games;

use std::path::Path;

use rand::{Rng, RngExt};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

use crate::board::{Move, MoveKind, Position};
use crate::chess::{File, Square};
use crate::files::{FileError, read_bytes};

/// The size of an entry in bytes.
const SIZE: usize = 16;

/// An entry of a book: a move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key of the position.
    pub key: u64,
    /// The move as the format encodes it, see [`code`].
    pub code: u16,
    /// The frequency of the move, relative to the other moves of the position.
    pub weight: u16,
}

/// A legal move that a book has for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// A legal move in the position asked about.
    pub m: Move,
    /// The frequency of the move, relative to the other moves of the position.
    pub weight: u16,
}

/// The reason why bytes are not a Polyglot book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The last entry is cut off.
    #[error("{rest} bytes after the last whole entry of {SIZE}")]
    PartialEntry {
        /// Bytes of the incomplete entry.
        rest: usize,
    },
    /// The keys are not in ascending order.
    #[error("the entries are not sorted by key; this is no Polyglot book")]
    Unsorted,
}

/// A book in memory.
#[derive(Clone, Debug, Default)]
pub struct Book {
    entries: Vec<Entry>,
}

/// The Zobrist key of a position in books.
pub fn key(position: &Position) -> u64 {
    position.to_shakmaty_pseudo_legal().zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

/// A move as the format encodes it: bits 0 to 5 the target square, 6 to 11 the origin, 12 to 14 the
/// promotion (0 for none, 1 knight, 2 bishop, 3 rook, 4 queen). Castling is king takes rook.
pub fn code(m: Move) -> u16 {
    let promotion = m.promotion().map_or(0, |role| role as u16 - 1);
    m.squares() as u16 | promotion << 12
}

/// The king's target square in castling.
fn castling_target(m: Move) -> Square {
    let file = if m.to() > m.from() { File::G } else { File::C };
    Square::from_coords(file, m.from().rank())
}

impl Entry {
    /// The legal move for this entry. Some books write castling as a king move of two squares; that
    /// is understood if it cannot mean a normal king move.
    fn find(self, position: &Position) -> Option<Move> {
        position.moves().into_iter().find(|&m| {
            let king_step = m.from() as u16 * 64 + castling_target(m) as u16;
            let is_king_step = m.kind() == MoveKind::Castle
                && self.code == king_step
                && m.from().distance(castling_target(m)) > 1;
            code(m) == self.code || is_king_step
        })
    }
}

impl Book {
    /// Reads a book file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no Polyglot book ([`BookError`]).
    pub fn open(path: &Path) -> Result<Book, FileError> {
        Book::parse(&read_bytes(path)?).map_err(|error| FileError::content(path, error))
    }

    /// Reads the bytes of a book.
    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        let (records, rest) = bytes.as_chunks::<SIZE>();
        if !rest.is_empty() {
            return Err(BookError::PartialEntry { rest: rest.len() });
        }
        let entries: Vec<Entry> = records
            .iter()
            .map(|&[a, b, c, d, e, f, g, h, move_high, move_low, high, low, ..]| Entry {
                key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
                code: u16::from_be_bytes([move_high, move_low]),
                weight: u16::from_be_bytes([high, low]),
            })
            .collect();
        if !entries.is_sorted_by_key(|entry| entry.key) {
            return Err(BookError::Unsorted);
        }
        Ok(Book { entries })
    }

    /// The bytes of a book with these entries, which may be in any order.
    pub fn bytes(mut entries: Vec<Entry>) -> Vec<u8> {
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
        let mut bytes = Vec::with_capacity(entries.len() * SIZE);
        for entry in entries {
            bytes.extend(entry.key.to_be_bytes());
            bytes.extend(entry.code.to_be_bytes());
            bytes.extend(entry.weight.to_be_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The legal moves of the book in a position. Moves of weight 0 are left out.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let key = key(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[first..].iter().take_while(|entry| entry.key == key);
        here.filter(|entry| entry.weight > 0)
            .filter_map(|entry| Some(BookMove { m: entry.find(position)?, weight: entry.weight }))
            .collect()
    }

    /// A move for the position: the one with the greatest weight if `best`, otherwise a random one
    /// in proportion to the weights. `None` if the book does not know the position.
    pub fn choose(&self, position: &Position, best: bool, random: &mut impl Rng) -> Option<Move> {
        let moves = self.moves(position);
        if best {
            let heaviest = moves.iter().map(|choice| choice.weight).max()?;
            return moves.into_iter().find(|choice| choice.weight == heaviest).map(|best| best.m);
        }
        let sum: u64 = moves.iter().map(|choice| u64::from(choice.weight)).sum();
        if sum == 0 {
            return None;
        }
        let mut drawn = random.random_range(0..sum);
        moves.into_iter().find_map(|BookMove { m, weight }| {
            match drawn.checked_sub(weight.into()) {
                Some(rest) => {
                    drawn = rest;
                    None
                }
                None => Some(m),
            }
        })
    }
}
