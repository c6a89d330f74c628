//! Positions visited by a search, for tuning. Most positions that the evaluation sees are unlike
//! those of games: after bad moves, pieces hang, kings stand in the open, and pawns are lost for
//! nothing.
//!
//! They come from a random walk through the search's transposition table, or from the ends of
//! principal variations.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::board::{Move, Position};
use crate::search::TranspositionTable;

/// The approximate factor by which a ply of depth multiplies the nodes of a search. With it, a walk
/// takes a move roughly in proportion to the size of the search below it. Not measured.
const BRANCHING: f64 = 1.8;

/// The most plies of a walk.
const LONGEST: usize = 40;

/// A random position that the search that filled `table` visited below `root`, roughly in
/// proportion to the nodes in each part of the tree. `None` if the walk ends at the root.
pub(super) fn visited(
    root: &Position,
    table: &TranspositionTable,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position> {
    let mut position = root.clone();
    let mut depth = table.probe(root.key())?.depth;
    for plies in 0..LONGEST {
        let Some((m, below)) = next_move(&mut position, table, depth, plies, random) else { break };
        position.play(m);
        depth = below;
    }
    (position.ply() > root.ply()).then_some(position)
}

/// The next move of a walk after `plies` plies, at a position searched to `depth`, and the depth of
/// the search below the move. `None` means stay, which is as likely as a move with a single node
/// below it. Skips positions searched deeper than their predecessor, which come from earlier
/// searches, and repetitions, which are draws: neither was searched from here.
fn next_move(
    position: &mut Position,
    table: &TranspositionTable,
    depth: i32,
    plies: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Option<(Move, i32)> {
    let mut sum = 1.0;
    let mut chosen = None;
    for &m in &position.moves() {
        position.play(m);
        let entry = table.probe(position.key()).filter(|entry| entry.depth <= depth);
        // One ply more than the distance to the root, so that a return to the root is a repetition
        // too.
        let entry = entry.filter(|_| !position.is_repetition(plies + 2));
        position.undo();
        let Some(entry) = entry else { continue };
        let weight = BRANCHING.powi(entry.depth);
        sum += weight;
        if random.random_bool(weight / sum) {
            chosen = Some((m, entry.depth));
        }
    }
    chosen
}

/// The position at the end of a principal variation. Its evaluation is usually the score of the
/// search, so its errors decide the move.
pub(super) fn end(root: &Position, line: &[Move]) -> Position {
    let mut position = root.clone();
    line.iter().for_each(|&m| position.play(m));
    position
}

/// Whether the position is quiet enough for a static evaluation: the side to move is not in check,
/// nor stalemated, and no capture or promotion wins material by static exchange (SEE).
pub(super) fn is_quiet(position: &Position) -> bool {
    let wins = |&m: &Move| position.is_noisy(m) && position.see_ge(m, 1);
    let moves = position.moves();
    position.checkers().is_empty() && !moves.is_empty() && !moves.iter().any(wins)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::engine::Engine;
    use crate::search::Limits;

    /// The sample has many positions, not only those of the principal variation, and never the
    /// root.
    #[test]
    fn walks_end_at_many_positions_of_the_search() {
        let mut engine = Engine::new(4, 1).expect("four MiB");
        let root = Position::start();
        engine.search(&root, &Limits { nodes: Some(20_000), ..Limits::default() });
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut keys = std::collections::HashSet::new();
        for _ in 0..200 {
            let Some(position) = visited(&root, engine.table(), &mut random) else { continue };
            assert_ne!(position.key(), root.key());
            assert!(position.ply() > root.ply());
            assert!(engine.table().probe(position.key()).is_some(), "{position}");
            keys.insert(position.key());
        }
        assert!(keys.len() > 150, "{} positions", keys.len());
        engine.clear();
        assert!(visited(&root, engine.table(), &mut random).is_none(), "nothing was visited");
    }

    #[test]
    fn a_variation_ends_where_its_moves_lead() {
        let mut engine = Engine::new(4, 1).expect("four MiB");
        let root = Position::start();
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        let line = engine.search(&root, &limits).line;
        let last = end(&root, &line);
        assert_eq!(last.ply(), root.ply() + line.len() as u32);
        assert_eq!(end(&root, &[]).key(), root.key());
    }

    #[test]
    fn what_wins_material_or_answers_check_is_not_quiet() {
        let quiet = |fen: &str| is_quiet(&Position::from_fen(fen).expect("a legal FEN"));
        assert!(quiet(Position::START));
        assert!(quiet("4k3/4p3/3p4/8/8/8/3R4/4K3 w - - 0 1"), "the rook would be lost");
        assert!(!quiet("4k3/8/3p4/8/8/8/3R4/4K3 w - - 0 1"), "a pawn hangs");
        assert!(!quiet("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"), "check");
        assert!(!quiet("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"), "a promotion");
        assert!(!quiet("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1"), "stalemate");
    }
}
