//! Guards: defenders that are drawn away, and pieces that are drawn to where they are attacked.

use super::line::{PlayedLine, attackers, worth};
use super::{Fact, Motif};
use crate::chess::Role;

/// Adds deflections and attractions.
pub(super) fn find(line: &PlayedLine, facts: &mut Vec<Fact>) {
    for ply in line.ours(1) {
        deflection(line, ply, facts);
        attraction(line, ply, facts);
    }
}

/// A forced reply (a recapture, or the answer to a check) leaves a square unguarded, on which a
/// piece is captured or a pawn promotes.
fn deflection(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let (m, reply, ours) = (line.moves[ply], line.moves[ply - 1], line.moves[ply - 2]);
    let (captured, promotes) = (line.captured(ply), m.promotion().is_some());
    if captured.is_none() && !promotes {
        return;
    }
    if captured.is_some_and(|role| worth(role) > worth(line.mover(ply))) {
        return;
    }
    let paid = line.captured(ply - 2).is_none_or(|role| worth(role) < worth(line.mover(ply - 2)));
    let between = line.after(ply - 2);
    let is_forced = reply.to() == ours.to() || between.checkers().any();
    let guards = between.attacks_from(reply.from());
    let guarded = guards.contains(m.to())
        || (promotes && m.to().file() == reply.from().file() && guards.contains(m.from()));
    let still = line.before(ply).attacks_from(reply.to()).contains(m.to());
    if paid && is_forced && guarded && !still && m.to() != reply.to() && m.to() != ours.to() {
        facts.push(Fact::new(Motif::Deflection, line, ply - 2, [reply.from(), m.to()]));
    }
}

/// A king, queen or rook takes on a square where it is attacked next.
fn attraction(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let (m, reply, ours) = (line.moves[ply], line.moves[ply - 1], line.moves[ply - 2]);
    let role = line.mover(ply - 1);
    if reply.to() != ours.to() || !matches!(role, Role::King | Role::Queen | Role::Rook) {
        return;
    }
    if !attackers(line.after(ply), reply.to(), line.us).contains(m.to()) {
        return;
    }
    let falls = line.moves.get(ply + 2).is_some_and(|next| next.to() == reply.to());
    if role == Role::King || falls {
        facts.push(Fact::new(Motif::Attraction, line, ply - 2, [reply.to()]));
    }
}
