//! Pieces that hang, pieces that are trapped, and moves in between.

use super::line::{PlayedLine, attackers, is_in_bad_spot, is_undefended, pins, worth};
use super::{Fact, Motif};
use crate::board::Position;
use crate::chess::{Role, Square};

/// Adds hanging and trapped pieces, and moves before a recapture.
pub(super) fn find(line: &PlayedLine, facts: &mut Vec<Fact>) {
    hanging(line, facts);
    for ply in line.ours(1) {
        trapped(line, ply, facts);
        intermezzo(line, ply, facts);
    }
}

/// The first move captures a piece that nothing defends, and keeps what it has won.
fn hanging(line: &PlayedLine, facts: &mut Vec<Fact>) {
    let Some(captured) = line.moves.first().and_then(|_| line.captured(0)) else { return };
    let (m, start) = (line.moves[0], line.before(0));
    if captured == Role::Pawn || !is_undefended(start, m.to()) {
        return;
    }
    // An exchange: the piece has just captured one that is worth as much.
    if let Some((before, earlier)) = &line.earlier
        && earlier.to() == m.to()
        && before.captured_by(*earlier).is_some_and(|role| worth(role) >= worth(captured))
    {
        return;
    }
    let lead = |ply: usize| line.after(ply).material_lead(line.us);
    if line.moves.len() < 3 || lead(2) >= lead(0) {
        facts.push(Fact::new(Motif::HangingPiece, line, 0, [m.to()]));
    }
}

/// A piece is captured that was attacked and had no safe square.
fn trapped(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let m = line.moves[ply];
    if line.captured(ply).is_none_or(|role| role == Role::Pawn) {
        return;
    }
    let reply = line.moves[ply - 1];
    // Its square before the reply, when it could still move.
    let square = if reply.to() == m.to() { reply.from() } else { m.to() };
    if is_trapped(line.before(ply - 1), square) {
        facts.push(Fact::new(Motif::TrappedPiece, line, ply - 2, [square]));
    }
}

/// Whether a piece of the side to move is attacked and no move of it saves it.
fn is_trapped(position: &Position, square: Square) -> bool {
    let side = position.turn();
    let Some(piece) = position.piece_at(square).filter(|piece| piece.color == side) else {
        return false;
    };
    let is_pinned = pins(position, side).iter().any(|(pinned, _)| *pinned == square);
    if position.checkers().any()
        || is_pinned
        || matches!(piece.role, Role::Pawn | Role::King)
        || !is_in_bad_spot(position, square)
    {
        return false;
    }
    let mut after = position.clone();
    position.moves().iter().filter(|m| m.from() == square).all(|&m| {
        if position.captured_by(m).is_some_and(|role| worth(role) >= worth(piece.role)) {
            return false;
        }
        after.play(m);
        let lost = is_in_bad_spot(&after, m.to());
        after.undo();
        lost
    })
}

/// A capture that was possible at once is made a move later, after one in between.
fn intermezzo(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let m = line.moves[ply];
    if line.captured(ply).is_none() || line.moves[ply - 2].to() == m.to() {
        return;
    }
    let between = line.after(ply - 2);
    let reply = line.moves[ply - 1];
    if attackers(between, m.to(), line.us.other()).contains(reply.from()) {
        return;
    }
    let (before, capture) = if ply >= 4 {
        (line.before(ply - 3), line.moves[ply - 3])
    } else if let Some((before, earlier)) = &line.earlier {
        (before, *earlier)
    } else {
        return;
    };
    let start = line.before(ply - 2);
    if capture.to() == m.to() && before.captured_by(capture).is_some() && start.moves().contains(&m)
    {
        facts.push(Fact::new(Motif::Intermezzo, line, ply - 2, [m.to()]));
    }
}
