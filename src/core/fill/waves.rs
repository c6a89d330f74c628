//! King and knight waves: the number of moves in which a piece reaches each square.
//!
//! A wave is a flood fill that spreads one king (or knight) move at a time over the squares that
//! it may enter: a breadth-first search, set-wise. From it come distance layers, all shortest paths
//! between two sets (Steffan Westcott, CCC, 13 September 2002, and Edmund Moshammer's shorter form)
//! and the squares that one of two pieces reaches first (Voronoi cells).
//!
//! All squares on the shortest paths of a king from a1 to h1, around a wall (`#`) of enemy
//! attacks:
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::{Bitboard, Square, bit, diagram, parse_diagram};
//! use freshet::fill::waves::all_shortest_paths;
//!
//! let wall = parse_diagram("\
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . # . . . .
//! . . . # . . . .
//! . . . # . . . .").expect("64 squares");
//! let layers = all_shortest_paths(bit(Square::A1), bit(Square::H1), !wall).expect("a way around");
//! assert_eq!(layers.len() - 1, 7, "moves");
//! let on_the_way: Bitboard = layers.into_iter().fold(Bitboard::EMPTY, |all, layer| all | layer);
//! assert_eq!(
//!     diagram(on_the_way).to_string(),
//!     ". . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . . . . . .
//! . . . x x . . .
//! . . x . x x . .
//! . x . . . x x .
//! x . . . . . x x"
//! );
//! ```

use arrayvec::ArrayVec;

use super::direction::{Direction, NOT_AB, NOT_GH};
use crate::chess::{Bitboard, BySquare, Square, bit};

/// The squares that kings on the set attack. Includes a square of the set only if one of its
/// neighbours is in the set too; [`king_fill`] always includes it.
#[inline(always)]
pub const fn king_attacks(set: Bitboard) -> Bitboard {
    use Direction::{East, North, South, West};
    let sides = Bitboard(East.step(set).0 | West.step(set).0);
    let row = Bitboard(set.0 | sides.0);
    Bitboard(sides.0 | North.step(row).0 | South.step(row).0)
}

/// The set and all its neighbours (`fillKing` in Westcott's article).
#[inline(always)]
pub const fn king_fill(set: Bitboard) -> Bitboard {
    Bitboard(set.0 | king_attacks(set).0)
}

/// The squares that knights on the set attack.
#[inline(always)]
pub const fn knight_attacks(set: Bitboard) -> Bitboard {
    let near = Direction::East.step(set).0 | Direction::West.step(set).0;
    let far = (set.0 << 2 & NOT_AB) | (set.0 >> 2 & NOT_GH);
    Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// The squares that a knight attacks from each square.
pub static KNIGHT_ATTACKS: BySquare<Bitboard> = {
    let mut table = BySquare::all(Bitboard::EMPTY);
    let mut square = 0;
    while square < 64 {
        table.0[square] = knight_attacks(Bitboard(1 << square));
        square += 1;
    }
    table
};

/// All squares that a wave from `start` ever reaches over `path`, with `start` itself. `step` is
/// one move of all pieces of a set, such as [`king_attacks`].
pub fn flood(start: Bitboard, path: Bitboard, step: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    let mut reached = start;
    let mut edge = start;
    while edge.any() {
        edge = step(edge) & path & !reached;
        reached |= edge;
    }
    reached
}

/// A wave move by move: layer 0 is the start, layer `n` holds the squares first reached in `n`
/// moves.
pub type Layers = ArrayVec<Bitboard, 64>;

/// The distance layers of a wave from `start` over `path`; the start need not be part of the path.
pub fn layers(start: Bitboard, path: Bitboard, step: impl Fn(Bitboard) -> Bitboard) -> Layers {
    let mut layers = Layers::new();
    let mut reached = Bitboard::EMPTY;
    let mut edge = start;
    while edge.any() {
        reached |= edge;
        layers.push(edge);
        edge = step(edge) & path & !reached;
    }
    layers
}

/// The number of moves to every square, from the layers of a wave; `None` for squares not reached.
pub fn distances(layers: &Layers) -> BySquare<Option<u8>> {
    let mut map = BySquare::all(None);
    for (moves, layer) in layers.iter().enumerate() {
        for square in *layer {
            map[square] = Some(moves as u8);
        }
    }
    map
}

/// The number of moves after which a wave from `start` over `path` first reaches a square of
/// `goal`; `None` if it never does.
#[inline]
pub fn moves_to(
    start: Bitboard,
    goal: Bitboard,
    path: Bitboard,
    step: impl Fn(Bitboard) -> Bitboard,
) -> Option<u32> {
    let mut reached = start;
    let mut moves = 0;
    while (reached & goal).is_empty() {
        let next = reached | (step(reached) & path);
        if next == reached {
            return None;
        }
        reached = next;
        moves += 1;
    }
    Some(moves)
}

/// All shortest king paths from a square of `from` to a square of `to` over `path`, in Westcott's
/// form. Both ends must lie on the path.
///
/// Layer `n` of the result holds the squares on which the king may stand after `n` moves of some
/// shortest path; the last layer holds the nearest goals. The number of moves is one less than the
/// number of layers. `None` if no path leads there. (The published function returns the number of
/// *squares* on the path, 0 for none, and the layers by reference.)
///
/// ```
/// # extern crate freshet_core as freshet;
/// use freshet::chess::{Bitboard, Square, bit};
/// use freshet::fill::waves::all_shortest_paths;
///
/// let layers = all_shortest_paths(bit(Square::A1), bit(Square::C1), Bitboard::FULL);
/// let middle = bit(Square::B1) | bit(Square::B2);
/// assert_eq!(layers.as_deref(), Some(&[bit(Square::A1), middle, bit(Square::C1)][..]));
/// ```
pub fn all_shortest_paths(from: Bitboard, to: Bitboard, path: Bitboard) -> Option<Layers> {
    let (mut flood, mut goal) = (from & path, to & path);
    if flood.is_empty() || goal.is_empty() {
        return None;
    }
    let mut layers = Layers::new();
    layers.push(flood);
    while (flood & goal).is_empty() {
        let before = flood;
        flood = king_fill(flood) & path;
        if flood == before {
            return None;
        }
        layers.push(flood & !before);
    }
    let (last, earlier) = layers.split_last_mut()?;
    goal &= flood;
    *last = goal;
    for layer in earlier.iter_mut().rev() {
        let before = goal;
        goal = king_fill(goal) & path;
        *layer &= goal & !before;
    }
    Some(layers)
}

/// All shortest paths in Moshammer's form, which keeps only the frontier and counts *moves*.
///
/// As published, its loop never ends when the goal cannot be reached: it removes only the previous
/// frontier from the next one, so a wave in a closed region goes back and forth over squares it has
/// left. It also keeps unreached goals in its last layer. Both are corrected here, by a set of all
/// visited squares and by an AND.
///
/// ```
/// # extern crate freshet_core as freshet;
/// use freshet::chess::{Bitboard, Square, bit};
/// use freshet::fill::waves::{all_shortest_paths, all_shortest_paths_frontier};
///
/// let (from, to) = (bit(Square::E4), bit(Square::A1) | bit(Square::H8));
/// let layers = all_shortest_paths_frontier(from, to, Bitboard::FULL);
/// assert_eq!(layers.as_ref().map(|layers| layers.len() - 1), Some(4));
/// assert_eq!(layers, all_shortest_paths(from, to, Bitboard::FULL));
/// // No way out of a corner that is cut off.
/// assert_eq!(all_shortest_paths_frontier(from, to, from | to), None);
/// ```
pub fn all_shortest_paths_frontier(from: Bitboard, to: Bitboard, path: Bitboard) -> Option<Layers> {
    let goal = to & path;
    let mut layers = Layers::new();
    let mut frontier = from & path;
    let mut visited = frontier;
    while (frontier & goal).is_empty() {
        if frontier.is_empty() {
            return None;
        }
        layers.push(frontier);
        frontier = king_fill(frontier) & path & !visited;
        visited |= frontier;
    }
    let mut back = frontier & goal;
    layers.push(back);
    for layer in layers.iter_mut().rev().skip(1) {
        *layer &= king_fill(back);
        back = *layer;
    }
    Some(layers)
}

/// Whether a king can walk over `path` from a square of one set to a square of the other. Both ends
/// must lie on the path.
///
/// ```
/// # extern crate freshet_core as freshet;
/// use freshet::chess::{Bitboard, File, Square, bit};
/// use freshet::fill::waves::squares_are_connected;
///
/// let (a, b) = (bit(Square::A1), bit(Square::H1));
/// assert!(squares_are_connected(a, b, Bitboard::FULL));
/// assert!(!squares_are_connected(a, b, !Bitboard::from_file(File::D)));
/// ```
pub fn squares_are_connected(a: Bitboard, b: Bitboard, path: Bitboard) -> bool {
    (flood(a & path, path, king_attacks) & b & path).any()
}

/// The connections of a board on which some steps are forbidden: for each direction, by lane, the
/// squares that may be *left* that way (wlesavo, "BFS and Voronoi diagrams using bit-shift
/// operations").
#[derive(Clone, Copy, Debug)]
pub struct Connections(pub [Bitboard; 8]);

impl Connections {
    /// Every step that stays on the board.
    pub const OPEN: Connections = Connections([Bitboard::FULL; 8]);

    /// All squares one allowed step away from the set.
    pub fn step(&self, set: Bitboard) -> Bitboard {
        Direction::ALL
            .iter()
            .zip(self.0)
            .fold(Bitboard::EMPTY, |all, (direction, open)| all | direction.step(set & open))
    }

    /// The number of steps from `start` to every square over the connections; `None` for squares
    /// not reached.
    pub fn distances(&self, start: Square) -> BySquare<Option<u8>> {
        distances(&layers(bit(start), Bitboard::FULL, |set| self.step(set)))
    }
}

/// A wave: where it starts, and the squares that it may enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wave {
    /// The squares of the pieces.
    pub start: Bitboard,
    /// The squares that the wave may enter.
    pub path: Bitboard,
}

impl Wave {
    /// A wave from `start` over `path`.
    #[inline(always)]
    pub const fn new(start: Bitboard, path: Bitboard) -> Wave {
        Wave { start, path }
    }
}

/// Which of two waves reaches each square first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Squares that the first wave reaches in fewer moves.
    pub first: Bitboard,
    /// Squares that the second wave reaches in fewer moves.
    pub second: Bitboard,
    /// Squares that both reach in the same number of moves.
    pub tie: Bitboard,
}

/// The Voronoi cells of two waves, each over its own path and undisturbed by the other. Compares
/// distances regardless of the side to move. Squares that neither reaches belong to no cell.
pub fn voronoi(first: Wave, second: Wave, step: impl Fn(Bitboard) -> Bitboard) -> Cells {
    let (mut a, mut b) = (first.start, second.start);
    let mut cells = Cells { first: a & !b, second: b & !a, tie: a & b };
    loop {
        let next_a = a | (step(a) & first.path);
        let next_b = b | (step(b) & second.path);
        if next_a == a && next_b == b {
            return cells;
        }
        let (new_a, new_b) = (next_a & !a & !b, next_b & !b & !a);
        cells.first |= new_a & !new_b;
        cells.second |= new_b & !new_a;
        cells.tie |= new_a & new_b;
        (a, b) = (next_a, next_b);
    }
}
