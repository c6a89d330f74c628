//! The king: pawns before it, luft, and lines of enemy pieces.

use super::{Idea, Them, Us, View, Who, set, turned};
use crate::board::Position;
use crate::chess::{Bitboard, Color, File, Rank, Role, Square, between, bit};
use crate::fill::spans::file_fill;
use crate::fill::waves::king_attacks;

/// Adds what happens around the kings; in an endgame only luft.
pub(super) fn find(view: &View, ideas: &mut Vec<Idea>) {
    luft(view, ideas);
    if view.is_endgame() {
        return;
    }
    shelter(view, ideas);
    line(view, ideas);
}

/// Whether a king stands on a wing of its first or second rank.
fn is_castled(king: Square, who: Who) -> bool {
    let own = turned(bit(king), who);
    let wings = !(Bitboard::from_file(File::D) | Bitboard::from_file(File::E));
    let ranks = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Second);
    (own & wings & ranks).any()
}

/// A pawn gives the king a square against mate on the back rank.
fn luft(view: &View, ideas: &mut Vec<Idea>) {
    let king = view.before.king(Color::White);
    let heavy = set(&view.before, Them, Role::Rook) | set(&view.before, Them, Role::Queen);
    // Rooks and queens come to the back rank by files without pawns.
    let pawns = file_fill(view.before.role(Role::Pawn));
    let is_home = is_castled(king, Us) && king.rank() == Rank::First && pawns != Bitboard::FULL;
    if view.role != Role::Pawn || !is_home || heavy.is_empty() {
        return;
    }
    let ways = |position: &Position| {
        let ahead = king_attacks(bit(king)) & Bitboard::from_rank(Rank::Second);
        let free = ahead & !position.of(Color::White);
        free.into_iter()
            .filter(|&square| {
                position.attackers(square, Color::Black, position.occupied()).is_empty()
            })
            .count()
    };
    if ways(&view.before) == 0 && ways(&view.after) > 0 && view.captured.is_none() {
        let words = "gives the king a way out of the back rank".to_string();
        ideas.push(view.good("luft", 32, bit(view.from), words));
    }
}

/// Pawns before a castled king that have moved, been exchanged or been drawn away.
fn shelter(view: &View, ideas: &mut Vec<Idea>) {
    for who in [Us, Them] {
        let other = if who == Us { Them } else { Us };
        let attackers = set(&view.before, other, Role::Queen);
        let king = view.before.king(super::color(who));
        if !is_castled(king, who)
            || attackers.is_empty()
            || view.settled.king(super::color(who)) != king
        {
            continue;
        }
        let files = file_fill(bit(king) | crate::fill::spans::beside(bit(king)));
        let near =
            turned(Bitboard::from_rank(Rank::Second) | Bitboard::from_rank(Rank::Third), who);
        let pawns = |position: &Position| set(position, who, Role::Pawn) & files & near;
        let (before, after) = (pawns(&view.before), pawns(&view.settled));
        if after.count() >= before.count() {
            continue;
        }
        let name = view.adjective(who);
        ideas.push(match who {
            Us => {
                let words = format!("weakens the pawns before the {name} king");
                view.bad("weakensKing", 22, before & !after, words)
            }
            Them => {
                let words = format!("breaks up the pawns before the {name} king");
                view.good("opensKing", 13, before & !after, words)
            }
        });
    }
}

/// The king leaves the line of an enemy bishop, rook or queen that one piece was between.
fn line(view: &View, ideas: &mut Vec<Idea>) {
    if view.role != Role::King || view.castles {
        return;
    }
    let aims = |position: &Position| -> Option<Square> {
        let king = position.king(Color::White);
        let lines = |role| crate::fill::attacks_of(role, bit(king), Bitboard::FULL);
        let snipers = (lines(Role::Bishop) & position.diagonal(Color::Black))
            | (lines(Role::Rook) & position.orthogonal(Color::Black));
        snipers
            .into_iter()
            .find(|&sniper| (between(king, sniper) & position.occupied()).count() == 1)
    };
    if let Some(sniper) = aims(&view.before).filter(|_| aims(&view.after).is_none()) {
        let words =
            format!("takes the king out of the line of the {}", view.piece(&view.before, sniper));
        ideas.push(view.good("kingSafety", 34, bit(sniper), words));
    }
}
