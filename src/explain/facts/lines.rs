//! Lines of rooks, bishops and queens: pins, skewers, x-rays, interference and clearance.

use super::line::{PlayedLine, attackers, is_in_bad_spot, is_undefended, pins, worth};
use super::{Fact, Motif};
use crate::board::Position;
use crate::chess::{Bitboard, Role, Square, between, bit};

/// Whether a piece moves along lines.
fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// Adds what happens on lines.
pub(super) fn find(line: &PlayedLine, facts: &mut Vec<Fact>) {
    for ply in line.ours(0) {
        if let Some(pinned) = useful_pin(line, ply) {
            facts.push(Fact::new(Motif::Pin, line, ply, [pinned]));
        }
    }
    for ply in line.ours(1) {
        skewer(line, ply, facts);
        x_ray(line, ply, facts);
        interference(line, ply, facts);
        clearance(line, ply, facts);
    }
}

/// A piece of the other side that is pinned to its king after our move, so that it can neither
/// capture what it attacks nor escape an attack.
fn useful_pin(line: &PlayedLine, ply: usize) -> Option<Square> {
    let after = line.after(ply);
    let them = line.us.other();
    pins(after, them).into_iter().find_map(|(pinned, way)| {
        let piece = after.piece_at(pinned)?;
        (keeps_from_capturing(after, line, pinned, piece.role, way)
            || keeps_from_leaving(after, line, pinned, piece.role, way))
        .then_some(pinned)
    })
}

/// Without the pin it would win a piece of ours that it attacks.
fn keeps_from_capturing(
    after: &Position,
    line: &PlayedLine,
    pinned: Square,
    role: Role,
    way: Bitboard,
) -> bool {
    (after.attacks_from(pinned) & after.of(line.us) & !way).into_iter().any(|square| {
        let target = after.piece_at(square).map_or(Role::Pawn, |piece| piece.role);
        worth(target) > worth(role) || is_undefended(after, square)
    })
}

/// Without the pin it would escape an attack along the line: by a piece of lower value, or on an
/// undefended piece.
fn keeps_from_leaving(
    after: &Position,
    line: &PlayedLine,
    pinned: Square,
    role: Role,
    way: Bitboard,
) -> bool {
    let reach = after.attacks_from(pinned);
    let goes = (reach & !way & !after.of(line.us.other())).any();
    (attackers(after, pinned, line.us) & way).into_iter().any(|from| {
        let attacker = after.piece_at(from).map_or(Role::Pawn, |piece| piece.role);
        let hangs = goes && is_undefended(after, pinned) && !reach.contains(from);
        worth(role) > worth(attacker) || hangs
    })
}

/// A more valuable piece has moved off the line, and the piece behind it is captured.
fn skewer(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let (m, reply) = (line.moves[ply], line.moves[ply - 1]);
    let Some(captured) = line.captured(ply) else { return };
    if !is_slider(line.mover(ply)) || line.positions[ply + 1].moves().is_empty() {
        return;
    }
    let left = reply.to() != m.to() && between(m.from(), m.to()).contains(reply.from());
    if left
        && worth(line.mover(ply - 1)) > worth(captured)
        && is_in_bad_spot(line.before(ply), m.to())
    {
        let aimed = if line.moves[ply - 2].to() == m.from() { ply - 2 } else { ply };
        facts.push(Fact::new(Motif::Skewer, line, aimed, [reply.from(), m.to()]));
    }
}

/// A recapture by a piece that stood behind the one that has captured.
fn x_ray(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let (m, reply, ours) = (line.moves[ply], line.moves[ply - 1], line.moves[ply - 2]);
    if line.captured(ply).is_some()
        && reply.to() == m.to()
        && ours.to() == m.to()
        && line.mover(ply - 1) != Role::King
        && between(m.from(), m.to()).contains(reply.from())
    {
        facts.push(Fact::new(Motif::XRayAttack, line, ply, [reply.from(), m.to()]));
    }
}

/// A piece is captured because the line of its defender was blocked: by our move before, or by the
/// reply.
fn interference(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let (m, reply, ours) = (line.moves[ply], line.moves[ply - 1], line.moves[ply - 2]);
    if line.captured(ply).is_none() || !is_undefended(line.before(ply), m.to()) {
        return;
    }
    let start = line.before(ply - 2);
    let them = line.us.other();
    let defenders = attackers(start, m.to(), them);
    for defender in defenders {
        let is_line = start.piece_at(defender).is_some_and(|piece| is_slider(piece.role));
        let way = between(m.to(), defender);
        if is_line && (way.contains(ours.to()) || way.contains(reply.to())) {
            facts.push(Fact::new(Motif::Interference, line, ply - 2, [defender, m.to()]));
            return;
        }
    }
}

/// A piece of ours moves to, or through, the square that another piece left a move before.
fn clearance(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let (m, ours) = (line.moves[ply], line.moves[ply - 2]);
    if line.captured(ply).is_some()
        || !is_slider(line.mover(ply))
        || ours.promotion().is_some()
        || ours.to() == m.from()
        || ours.to() == m.to()
        || line.before(ply).checkers().any()
        || (line.after(ply).checkers().any() && line.mover(ply - 1) == Role::King)
    {
        return;
    }
    let way = between(m.from(), m.to()) | bit(m.to());
    let cleared = way.contains(ours.from());
    let costs = line.captured(ply - 2).is_none() || is_in_bad_spot(line.after(ply - 2), ours.to());
    // A check or a capture follows within two more moves, or the line ends before.
    let soon = ply + 4;
    let strikes =
        |later: usize| line.captured(later).is_some() || line.after(later).checkers().any();
    let works = line.moves.len() <= soon || (ply..=soon).step_by(2).any(strikes);
    if cleared && costs && works {
        facts.push(Fact::new(Motif::Clearance, line, ply - 2, [m.to()]));
    }
}
