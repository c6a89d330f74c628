//! King and knight waves: who can be where in how many moves.
//!
//! A wave spreads one king (or knight) move at a time over the squares it may enter. From it come distance
//! layers, all shortest paths between two sets (Steffan Westcott, CCC, 13 September 2002, and Edmund
//! Moshammer's shorter form) and who reaches a square first (Voronoi cells).

use arrayvec::ArrayVec;

use super::Direction;
use crate::chess::{Bitboard, BySquare, Square, bit};

/// The squares one king move away from the set. Squares of the set itself only where a neighbour attacks
/// them: "the set may stay where it is" is a different question, see [`king_fill`].
#[inline(always)]
pub const fn king_attacks(set: Bitboard) -> Bitboard {
    use Direction::{East, North, South, West};
    let sides = Bitboard(East.step(set).0 | West.step(set).0);
    let row = Bitboard(set.0 | sides.0);
    Bitboard(sides.0 | North.step(row).0 | South.step(row).0)
}

/// The set and all its neighbours (`fillKing` of the articles).
#[inline(always)]
pub const fn king_fill(set: Bitboard) -> Bitboard {
    Bitboard(set.0 | king_attacks(set).0)
}

/// The squares one knight move away from the set.
#[inline(always)]
pub const fn knight_attacks(set: Bitboard) -> Bitboard {
    const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
    const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;
    let near = Direction::East.step(set).0 | Direction::West.step(set).0;
    let far = (set.0 << 2 & NOT_AB) | (set.0 >> 2 & NOT_GH);
    Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// All squares that a wave from `start` ever reaches over `path`, with `start` itself. `step` is one move
/// of a set of pieces.
pub fn flood(start: Bitboard, path: Bitboard, step: impl Fn(Bitboard) -> Bitboard) -> Bitboard {
    let mut reached = start;
    let mut edge = start;
    while edge.any() {
        edge = step(edge) & path & !reached;
        reached |= edge;
    }
    reached
}

/// Where a wave is after each move: layer 0 is the start, layer `n` the squares first reached in `n` moves.
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

/// The number of moves to every square, `None` where no way leads, from layers.
pub fn distances(layers: &Layers) -> BySquare<Option<u8>> {
    let mut map = BySquare::all(None);
    for (moves, layer) in layers.iter().enumerate() {
        for square in *layer {
            map[square] = Some(moves as u8);
        }
    }
    map
}

/// Moves of a wave from `start` over `path` until it first touches `goal`; `None` if it never does.
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

/// Every shortest king path from a square of `from` to a square of `to` over `path`, in Westcott's form.
///
/// Layer `n` of the result holds the squares on which the king may stand after `n` moves on some
/// shortest path; the last layer holds the goals that are nearest. The published function returns the
/// number of *squares* on the path, and 0 for no path; here both forms return the layers, whose number of
/// moves is one less than their length, and `None` where no path leads.
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

/// The same in Moshammer's form, which keeps only the frontier and counts *moves*.
///
/// As published its loop never ends when the goal cannot be reached: it removes only the frontier before
/// from the next one, so a wave in a closed room sloshes back and forth over squares it has left behind.
/// It also keeps goals in its last layer that were not reached. Both are guarded here, by the set of all
/// visited squares and by an AND.
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

/// Whether a king can walk over `path` from a square of one set to a square of the other: both ends must
/// lie on the path.
pub fn squares_are_connected(a: Bitboard, b: Bitboard, path: Bitboard) -> bool {
    (flood(a & path, path, king_attacks) & b & path).any()
}

/// The connections of a board on which not every step is allowed: for each direction, the squares that
/// may be *left* that way (wlesavo, "BFS and Voronoi diagrams using bit-shift operations").
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

    /// The number of steps from `start` to every square over the connections, `None` where no way leads.
    pub fn distances(&self, start: Square) -> BySquare<Option<u8>> {
        distances(&layers(bit(start), Bitboard::FULL, |set| self.step(set)))
    }
}

/// Which of two sides reaches each square first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Squares the first side reaches in fewer moves.
    pub first: Bitboard,
    /// Squares the second side reaches in fewer moves.
    pub second: Bitboard,
    /// Squares both reach in the same number of moves.
    pub tie: Bitboard,
}

/// The Voronoi cells of two waves, each over its own path and undisturbed by the other: distances are
/// compared, nobody is to move. Squares that neither reaches belong to no cell.
pub fn voronoi(
    (first, first_path): (Bitboard, Bitboard),
    (second, second_path): (Bitboard, Bitboard),
    step: impl Fn(Bitboard) -> Bitboard,
) -> Cells {
    let (mut a, mut b) = (first, second);
    let mut cells = Cells { first: a & !b, second: b & !a, tie: a & b };
    loop {
        let next_a = a | (step(a) & first_path);
        let next_b = b | (step(b) & second_path);
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
