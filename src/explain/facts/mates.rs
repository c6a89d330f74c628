//! Mates: in how many moves, and what shuts the king in.

use super::line::{PlayedLine, attackers};
use super::{Fact, Motif};
use crate::chess::{Bitboard, Rank, Role, bit};
use crate::fill::waves::king_attacks;

/// Adds the mate at the end of a line.
pub(super) fn find(line: &PlayedLine, facts: &mut Vec<Fact>) {
    if !line.is_mate() {
        return;
    }
    let last = line.moves.len() - 1;
    let end = line.after(last);
    let them = line.us.other();
    let king = end.king(them);
    let motif = match last / 2 {
        0 => Motif::MateIn1,
        1 => Motif::MateIn2,
        2 => Motif::MateIn3,
        3 => Motif::MateIn4,
        _ => Motif::MateIn5,
    };
    facts.push(Fact::new(motif, line, last, [king]));
    let checkers = end.checkers();
    let first_rank = Bitboard::from_rank(if them.is_white() { Rank::First } else { Rank::Eighth });
    let ahead = king_attacks(bit(king)) & !first_rank;
    let own = end.of(them);
    let attacked_ahead = ahead.into_iter().any(|square| attackers(end, square, line.us).any());
    // Its own pieces take the squares before the king, not the pieces that attack them.
    if first_rank.contains(king)
        && checkers.intersects(first_rank)
        && (ahead & !own).is_empty()
        && !attacked_ahead
    {
        facts.push(Fact::new(Motif::BackRankMate, line, last, [king]));
    }
    let knights = checkers & end.role(Role::Knight);
    if knights.any() && (king_attacks(bit(king)) & !own).is_empty() {
        facts.push(Fact::new(Motif::SmotheredMate, line, last, [king]));
    }
}
