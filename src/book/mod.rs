//! Opening books in the Polyglot format.
//!
//! A book is a list of entries of 16 bytes, big-endian, sorted by the first eight: the key of the position, a move, a weight,
//! and four bytes for learning that are not used here (Michel Van den Bergh, "Polyglot book format"). The key is
//! shakmaty's Zobrist hash, which has the numbers of the format.

pub mod build;
pub mod games;

use std::path::Path;

use rand::{Rng, RngExt};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

use crate::board::{Move, Position};
use crate::chess::{File, Rank, Role, Square};

/// Bytes of an entry.
const SIZE: usize = 16;

/// A move of the book for some position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key of the position.
    pub key: u64,
    /// The move: to and from square and promotion, three bits for each file and rank, as the format has it.
    pub code: u16,
    /// How often it is to be played, in comparison with the other moves of the position.
    pub weight: u16,
}

/// A book, in memory.
#[derive(Clone, Debug, Default)]
pub struct Book {
    entries: Vec<Entry>,
}

/// The key of a position in books.
pub fn key(position: &Position) -> u64 {
    position.to_shakmaty_pseudo_legal().zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

/// A move as the format writes it: castling as king takes rook.
pub fn code(position: &Position, m: Move) -> u16 {
    let text = position.uci(m, true);
    let square = |text: &str| -> u16 { text.parse::<Square>().map_or(0, |square| square as u16) };
    let promotion = match text.as_bytes().get(4) {
        Some(b'n') => 1,
        Some(b'b') => 2,
        Some(b'r') => 3,
        Some(b'q') => 4,
        _ => 0,
    };
    let (from, to) = (text.get(0..2).unwrap_or_default(), text.get(2..4).unwrap_or_default());
    square(to) | square(from) << 6 | promotion << 12
}

impl Entry {
    /// The legal move of a position that this entry means.
    fn find(self, position: &Position) -> Option<Move> {
        let square = |code: u16| {
            Square::from_coords(File::new(u32::from(code & 7)), Rank::new(u32::from(code >> 3 & 7)))
        };
        let role =
            [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)]
                .get(usize::from(self.code >> 12))
                .copied()?;
        let promotion = role.map_or(String::new(), |role| role.char().to_string());
        position
            .parse_uci(&format!("{}{}{promotion}", square(self.code >> 6), square(self.code)))
            .ok()
    }
}

impl Book {
    /// Reads a book; the error says what is wrong with the file.
    pub fn open(path: &Path) -> Result<Book, String> {
        let bytes =
            std::fs::read(path).map_err(|error| format!("book {}: {error}", path.display()))?;
        Book::parse(&bytes).map_err(|error| format!("book {}: {error}", path.display()))
    }

    /// Reads the bytes of a book.
    pub fn parse(bytes: &[u8]) -> Result<Book, String> {
        let (records, rest) = bytes.as_chunks::<SIZE>();
        if !rest.is_empty() {
            return Err(format!("{} bytes too many for whole entries of {SIZE}", rest.len()));
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
            return Err("the entries are not in order; this is no Polyglot book".to_string());
        }
        Ok(Book { entries })
    }

    /// The bytes of a book of these entries, in any order.
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

    /// No entries at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The legal moves of the book for a position, with their weights, those of weight nought left out.
    pub fn moves(&self, position: &Position) -> Vec<(Move, u16)> {
        let key = key(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[first..].iter().take_while(|entry| entry.key == key);
        here.filter(|entry| entry.weight > 0)
            .filter_map(|entry| Some((entry.find(position)?, entry.weight)))
            .collect()
    }

    /// A move for the position: the one of the greatest weight, or any, as often as its weight says.
    pub fn choose(&self, position: &Position, best: bool, random: &mut impl Rng) -> Option<Move> {
        let moves = self.moves(position);
        if best {
            let heaviest = moves.iter().map(|&(_, weight)| weight).max()?;
            return moves.into_iter().find(|&(_, weight)| weight == heaviest).map(|(m, _)| m);
        }
        let sum: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
        if sum == 0 {
            return None;
        }
        let mut drawn = random.random_range(0..sum);
        moves.into_iter().find_map(|(m, weight)| match drawn.checked_sub(weight.into()) {
            Some(rest) => {
                drawn = rest;
                None
            }
            None => Some(m),
        })
    }
}
