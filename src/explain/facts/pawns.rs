//! Pawns that become pieces.

use super::line::PlayedLine;
use super::{Fact, Motif};
use crate::board::Move;
use crate::chess::Role;

/// Adds the promotions of a line.
pub(super) fn find(line: &PlayedLine, facts: &mut Vec<Fact>) {
    for ply in line.ours(0) {
        let m = line.moves[ply];
        let Some(role) = m.promotion() else { continue };
        facts.push(Fact::new(Motif::Promotion, line, ply, [m.to()]));
        if is_better_than_queen(line, ply, role) {
            facts.push(Fact::new(Motif::UnderPromotion, line, ply, [m.to()]));
        }
    }
}

/// Whether a promotion to something else does what a queen would not: a knight gives check or
/// attacks two pieces, a rook or bishop avoids stalemate.
fn is_better_than_queen(line: &PlayedLine, ply: usize, role: Role) -> bool {
    let (m, before, after) = (line.moves[ply], line.before(ply), line.after(ply));
    match role {
        Role::Queen => false,
        Role::Knight => {
            let pieces = after.of(line.us.other()) & !after.role(Role::Pawn);
            after.checkers().any() || (after.attacks_from(m.to()) & pieces).count() > 1
        }
        _ => {
            let is_queen = |other: &&Move| {
                let ends = |m: Move| (m.from(), m.to());
                ends(**other) == ends(m) && other.promotion() == Some(Role::Queen)
            };
            before.moves().iter().find(is_queen).is_some_and(|&queen| {
                let mut after = before.clone();
                after.play(queen);
                after.moves().is_empty() && after.checkers().is_empty()
            })
        }
    }
}
