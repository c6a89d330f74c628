//! Forks, and attacks and checks that a move discovers.

use super::line::{PlayedLine, attackers, is_in_bad_spot, is_undefended, worth};
use super::{Fact, Motif};
use crate::chess::{Role, Square, between, bit};

/// Adds forks, double and discovered checks, and discovered attacks.
pub(super) fn find(line: &PlayedLine, facts: &mut Vec<Fact>) {
    for ply in line.ours(0) {
        let m = line.moves[ply];
        let after = line.after(ply);
        let checkers = after.checkers();
        if checkers.more_than_one() {
            facts.push(Fact::new(Motif::DoubleCheck, line, ply, checkers));
        }
        let castles = line.mover(ply) == Role::King && m.from().distance(m.to()) > 1;
        if checkers.any() && !checkers.contains(m.to()) && !castles {
            facts.push(Fact::new(Motif::DiscoveredCheck, line, ply, checkers));
            let king = after.king(line.us.other());
            facts.push(Fact::new(Motif::DiscoveredAttack, line, ply, [king]));
        }
        fork(line, ply, facts);
        discovered_capture(line, ply, facts);
    }
}

/// A piece that is not captured at once attacks two that are worth more than it, or undefended; one
/// of them falls, or the line ends with the attack.
fn fork(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    let (m, after) = (line.moves[ply], line.after(ply));
    let role = after.piece_at(m.to()).map_or(Role::Pawn, |piece| piece.role);
    if role == Role::King || is_in_bad_spot(after, m.to()) || ply + 1 >= line.moves.len() {
        return;
    }
    let them = line.us.other();
    let targets: Vec<Square> = (after.attacks_from(m.to()) & after.of(them))
        .into_iter()
        .filter(|&square| {
            let target = after.piece_at(square).map_or(Role::Pawn, |piece| piece.role);
            let is_loose =
                is_undefended(after, square) && !attackers(after, m.to(), them).contains(square);
            target != Role::Pawn && (worth(target) > worth(role) || is_loose)
        })
        .collect();
    if targets.len() > 1 && one_falls(line, ply, targets.clone()) {
        facts.push(Fact::new(Motif::Fork, line, ply, targets));
    }
}

/// Whether the line captures one of the pieces that a move attacks, wherever it has gone, or ends before
/// our next move.
fn one_falls(line: &PlayedLine, ply: usize, mut targets: Vec<Square>) -> bool {
    if ply + 2 >= line.moves.len() {
        return true;
    }
    for later in ply + 1..line.moves.len() {
        let m = line.moves[later];
        let is_target = targets.contains(&m.to());
        if (later - ply).is_multiple_of(2) {
            if line.captured(later).is_some() && is_target {
                return true;
            }
        } else if let Some(target) = targets.iter_mut().find(|target| **target == m.from()) {
            *target = m.to();
        }
    }
    false
}

/// A piece captures along a line that our move before has opened.
fn discovered_capture(line: &PlayedLine, ply: usize, facts: &mut Vec<Fact>) {
    if ply < 2 || line.captured(ply).is_none() || line.moves[ply - 1].to() == line.moves[ply].to() {
        return;
    }
    let (m, opener) = (line.moves[ply], line.moves[ply - 2]);
    let way = between(m.from(), m.to());
    if way.intersects(bit(opener.from()))
        && opener.to() != m.to()
        && opener.to() != m.from()
        && !way.contains(opener.to())
    {
        facts.push(Fact::new(Motif::DiscoveredAttack, line, ply - 2, [m.to()]));
    }
}
