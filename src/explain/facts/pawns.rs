//! Pawns that become pieces.

use super::line::PlayedLine;
use super::{Fact, Motif};
use crate::chess::Role;

/// Adds the promotions of a line.
pub(super) fn find(line: &PlayedLine, facts: &mut Vec<Fact>) {
    for ply in line.ours(0) {
        let m = line.moves[ply];
        let Some(role) = m.promotion() else { continue };
        facts.push(Fact::new(Motif::Promotion, line, ply, [m.to()]));
        if role != Role::Queen {
            facts.push(Fact::new(Motif::UnderPromotion, line, ply, [m.to()]));
        }
    }
}
