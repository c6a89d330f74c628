//! Computes the [`Conversions`] of a pawn structure with kings alone. They say where captures,
//! pushes and promotions win, and come from the bitbases of the structures after each move.

use std::ops::Deref;

use super::king_pairs::{Conversions, KingPairBitbase, add_pairs};
use super::structure::{PawnMove, PawnStructure};
use crate::chess::{Bitboard, Rank, Square, bit};
use crate::fill::waves::king_attacks;
use crate::fill::{Direction, Rays};

/// How promotions and en passant count for the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Every doubt favours the attacker, so if it still does not win, it is proven that it cannot.
    /// Its promotion wins unless the new piece is captured at once, and so does its double push if
    /// en passant could capture it. The defender is saved neither by promotions nor by double
    /// pushes that en passant could capture.
    Proven,
    /// As such endings usually go. A promotion of the attacker wins unless the new piece is
    /// captured at once or the defender promotes on its next move. A promotion of the defender
    /// saves it unless the new piece is captured at once. There is no en passant.
    Judged,
}

/// All structures that a move of either side can lead to. A promotion counts only if the new piece
/// is captured, which leaves a structure without it.
pub(super) fn structures_after(structure: PawnStructure) -> impl Iterator<Item = PawnStructure> {
    let after_ours = |seen: PawnStructure| {
        let pawns = seen.pawn_moves().map(move |m| seen.moved(m).without_promoted());
        pawns.chain(seen.capturable().into_iter().map(move |pawn| seen.without(pawn)))
    };
    let after_theirs = after_ours(structure.flipped()).map(PawnStructure::flipped);
    after_ours(structure).chain(after_theirs)
}

/// Which conversions win for the attacker of a structure. `after` returns the attacker's bitbase of
/// the structure after a conversion. If it returns `None`, the conversion counts for the attacker.
pub(super) fn conversions_of<B: Deref<Target = KingPairBitbase>>(
    structure: PawnStructure,
    claim: Claim,
    mut after: impl FnMut(PawnStructure) -> Option<B>,
) -> Conversions {
    let mut conversions = Conversions::FIRST_CAPTURE_WINS;
    for pawn in structure.capturable() {
        if let Some(next) = after(structure.without(pawn)) {
            // The attacker's king now stands on the pawn's square, the defender is to move.
            conversions.winning_captures[pawn as usize] = next.won_against(pawn, false).0;
        }
    }
    for pawn in structure.flipped().capturable().flip_vertical() {
        if let Some(next) = after(structure.without(pawn)) {
            conversions.losing_captures[pawn as usize] = wins_against(&next, pawn).0;
        }
    }
    for pawn_move in structure.pawn_moves() {
        add_attackers_move(&mut conversions, structure, pawn_move, claim, &mut after);
    }
    for pawn_move in structure.flipped().pawn_moves() {
        add_defenders_move(&mut conversions, structure, pawn_move, claim, &mut after);
    }
    conversions
}

/// The squares of the attacker's king from which it wins, with the attacker to move and the
/// defender's king on `defender`.
pub(super) fn wins_against(bitbase: &KingPairBitbase, defender: Square) -> Bitboard {
    let wins = |king: &Square| bitbase.won_against(*king, true).contains(defender);
    Square::ALL.into_iter().filter(wins).collect()
}

/// Adds a move of an attacker's pawn.
fn add_attackers_move<B: Deref<Target = KingPairBitbase>>(
    conversions: &mut Conversions,
    structure: PawnStructure,
    pawn_move: PawnMove,
    claim: Claim,
    after: &mut impl FnMut(PawnStructure) -> Option<B>,
) {
    let moved = structure.moved(pawn_move);
    let en_passant = claim == Claim::Proven && pawn_move.allows_en_passant(structure.theirs);
    let next = if en_passant { None } else { after(moved.without_promoted()) };
    let in_check = moved.their_attacks();
    if !pawn_move.promotes() {
        add_pairs(&mut conversions.winning_pawn_moves, pawn_move.path(), |king| match &next {
            _ if in_check.contains(king) => Bitboard::EMPTY,
            Some(next) => next.won_against(king, false),
            None => Bitboard::FULL,
        });
        return;
    }
    let promoted = bit(pawn_move.to);
    let guarded = moved.our_attacks().intersects(promoted);
    // Squares of the attacker's king with which it still wins after the defender's king has
    // captured the new piece.
    let still_wins = match &next {
        Some(next) => wins_against(next, pawn_move.to),
        None => Bitboard::FULL,
    };
    let attacked = Rays::sliders(promoted, promoted).attacks(!(moved.ours | moved.theirs)).union();
    let answers = match claim {
        Claim::Proven => Bitboard::EMPTY,
        Claim::Judged => promotions_next(moved),
    };
    add_pairs(&mut conversions.winning_pawn_moves, pawn_move.path(), |king| {
        if in_check.contains(king) {
            return Bitboard::EMPTY;
        }
        let reach = king_attacks(bit(king));
        let safe = guarded || reach.intersects(promoted) || still_wins.contains(king);
        let captured = if safe { Bitboard::EMPTY } else { king_attacks(promoted) };
        let mut answered = Bitboard::EMPTY;
        for answer in answers & !bit(king) {
            // If the defender's king guards its new piece, it takes two attackers to capture it.
            answered |= match (attacked.contains(answer), reach.contains(answer)) {
                (false, false) => !bit(answer),
                (true, true) => Bitboard::EMPTY,
                _ => king_attacks(bit(answer)),
            };
        }
        // Not while in check.
        let answered = answered & !attacked;
        !captured & !answered
    });
}

/// Squares on which the defender can promote with its next move, ignoring kings.
fn promotions_next(structure: PawnStructure) -> Bitboard {
    let seventh = structure.theirs & Bitboard::from_rank(Rank::Second);
    Direction::South.step(seventh) & !(structure.ours | structure.theirs)
}

/// Adds a move of a defender's pawn, given from the defender's point of view.
fn add_defenders_move<B: Deref<Target = KingPairBitbase>>(
    conversions: &mut Conversions,
    structure: PawnStructure,
    pawn_move: PawnMove,
    claim: Claim,
    after: &mut impl FnMut(PawnStructure) -> Option<B>,
) {
    let seen = structure.flipped();
    let path = pawn_move.path().flip_vertical();
    add_pairs(&mut conversions.defender_pawn_moves, path, |_| Bitboard::FULL);
    let excluded = pawn_move.promotes() || pawn_move.allows_en_passant(seen.theirs);
    if claim == Claim::Proven && excluded {
        return;
    }
    let moved = seen.moved(pawn_move);
    let Some(next) = after(moved.without_promoted().flipped()) else { return };
    let in_check = moved.flipped().our_attacks();
    if !pawn_move.promotes() {
        add_pairs(&mut conversions.saving_pawn_moves, path, |king| {
            !next.won_against(king, true) & !in_check
        });
        return;
    }
    let promoted = pawn_move.to.flip_vertical();
    let near = king_attacks(bit(promoted));
    let guarded = moved.our_attacks().contains(pawn_move.to);
    let after_capture = next.won_against(promoted, false);
    add_pairs(&mut conversions.saving_pawn_moves, path, |king| {
        if guarded || !near.contains(king) {
            !in_check
        } else {
            // The king captures the new piece, unless the other king guards it.
            (near | !after_capture) & !in_check
        }
    });
}
