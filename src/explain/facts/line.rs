//! A line of moves with all its positions, and attacks in them.

use crate::board::{Move, Position};
use crate::chess::{Bitboard, Color, Role, Square, between, bit, points};

/// The plies kept of a line that wins nothing.
const QUIET: usize = 6;

/// A line of moves: those of the side that begins it have even indices.
#[derive(Clone, Debug)]
pub struct PlayedLine {
    /// The side that begins.
    pub us: Color,
    /// The position before the line, and the move that led to its start, if known.
    pub earlier: Option<(Position, Move)>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position before each move, and the last one.
    pub positions: Vec<Position>,
}

impl PlayedLine {
    /// The line of these legal moves.
    pub fn new(start: &Position, earlier: Option<(Position, Move)>, moves: &[Move]) -> PlayedLine {
        let mut positions = vec![start.clone()];
        for &m in moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play(m);
            positions.push(next);
        }
        PlayedLine { us: start.turn(), earlier, moves: moves.to_vec(), positions }
    }

    /// The indices of the moves of the side that begins, from the first or a later one.
    pub fn ours(&self, first: usize) -> impl Iterator<Item = usize> + use<> {
        (2 * first..self.moves.len()).step_by(2)
    }

    /// The position before a move.
    pub fn before(&self, ply: usize) -> &Position {
        &self.positions[ply]
    }

    /// The position after a move.
    pub fn after(&self, ply: usize) -> &Position {
        &self.positions[ply + 1]
    }

    /// The piece that makes a move.
    pub fn mover(&self, ply: usize) -> Role {
        self.before(ply).moved_by(self.moves[ply]).role
    }

    /// What a move captures.
    pub fn captured(&self, ply: usize) -> Option<Role> {
        self.before(ply).captured_by(self.moves[ply])
    }

    /// Whether the line ends in mate of the other side.
    pub fn is_mate(&self) -> bool {
        let end = &self.positions[self.moves.len()];
        end.turn() != self.us && end.checkers().any() && end.moves().is_empty()
    }

    /// The line up to the move that secures its gain: there our material is what it is at the end
    /// of the line, and it is never less later. A line that wins nothing is cut where it has won
    /// nothing; a line that mates stays whole.
    pub fn until_won(&self) -> PlayedLine {
        if self.is_mate() {
            return self.clone();
        }
        let whole = self.with_exchange();
        let plies = whole.moves.len();
        let leads: Vec<i32> =
            (0..plies).map(|ply| whole.after(ply).material_lead(self.us)).collect();
        let Some(&last) = leads.last() else { return whole };
        let start = self.positions[0].material_lead(self.us);
        if last <= start {
            let wins_nothing = |&ply: &usize| leads[ply] <= start;
            let near = (0..plies.min(QUIET)).rev().find(wins_nothing);
            let until = near.or_else(|| (0..plies).find(wins_nothing));
            return whole.cut(until.map_or(plies, |ply| ply + 1));
        }
        // What the first move wins stays won if there is an even exchange on another square.
        let is_exchange = |from: usize, ply: usize| {
            let to = whole.moves[ply].to();
            let recapture = whole.moves.get(ply + 1).is_some_and(|m| m.to() == to);
            from == 0 && to != whole.moves[0].to() && recapture && leads[ply + 1] >= last
        };
        let is_reached = |&from: &usize| {
            let mut later = from..plies;
            leads[from] == last && later.all(|ply| leads[ply] >= last || is_exchange(from, ply))
        };
        let won = (0..plies).find(is_reached).unwrap_or(plies - 1);
        // A promotion soon after belongs to it.
        let promotes = |&ply: &usize| whole.moves[ply].promotion().is_some() && ply <= won + 2;
        let until = whole.ours(0).filter(promotes).last().unwrap_or(won);
        whole.cut(until.max(won) + 1)
    }

    /// The line with the recaptures on its last square that pay, each by the least valuable piece:
    /// a search may have cut the exchange short.
    fn with_exchange(&self) -> PlayedLine {
        let mut line = self.clone();
        while let Some(&last) = line.moves.last()
            && line.captured(line.moves.len() - 1).is_some()
        {
            let end = &line.positions[line.moves.len()];
            let takes = |m: &Move| m.to() == last.to() && end.see_ge(*m, 1);
            let least = |m: &Move| worth(end.moved_by(*m).role);
            let Some(m) = end.moves().iter().copied().filter(takes).min_by_key(least) else {
                break;
            };
            let mut next = end.clone();
            next.play(m);
            line.moves.push(m);
            line.positions.push(next);
        }
        line
    }

    /// The first `plies` moves of the line.
    pub fn cut(&self, plies: usize) -> PlayedLine {
        let plies = plies.min(self.moves.len());
        PlayedLine {
            us: self.us,
            earlier: self.earlier.clone(),
            moves: self.moves[..plies].to_vec(),
            positions: self.positions[..=plies].to_vec(),
        }
    }
}

/// The value of a piece in pawns; a king is above all.
pub fn worth(role: Role) -> i32 {
    if role == Role::King { 99 } else { points(role) }
}

/// The pieces of a side that attack a square, with nothing in between.
pub fn attackers(position: &Position, square: Square, side: Color) -> Bitboard {
    position.attackers(square, side, position.occupied())
}

/// Whether nothing of its own side defends the piece on a square, x-rays through attackers counted.
pub fn is_undefended(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_at(square) else { return false };
    let side = piece.color;
    if attackers(position, square, side).any() {
        return false;
    }
    // A defender behind an attacking slider.
    let them = side.other();
    let sliders =
        attackers(position, square, them) & (position.orthogonal(them) | position.diagonal(them));
    let open = position.occupied() & !sliders;
    position.attackers(square, side, open).is_empty()
}

/// Whether the piece on a square is attacked by one of lower value, or attacked and undefended.
pub fn is_in_bad_spot(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_at(square) else { return false };
    let enemies = attackers(position, square, piece.color.other());
    enemies.any()
        && (is_undefended(position, square)
            || enemies.into_iter().any(|from| {
                let role = position.piece_at(from).map(|piece| piece.role);
                role.is_some_and(|role| role != Role::King && worth(role) < worth(piece.role))
            }))
}

/// The pieces of `side` that are pinned to their king, each with the squares that it may still go
/// to: the line from the king to the pinner.
pub fn pins(position: &Position, side: Color) -> Vec<(Square, Bitboard)> {
    let king = position.king(side);
    let them = side.other();
    let sliders = position.orthogonal(them) | position.diagonal(them);
    let mut pins = Vec::new();
    for sniper in position.attackers(king, them, Bitboard::EMPTY) & sliders {
        let between = between(king, sniper);
        if let Some(pinned) = (between & position.occupied()).single_square()
            && position.of(side).contains(pinned)
        {
            pins.push((pinned, between | bit(sniper)));
        }
    }
    pins
}
