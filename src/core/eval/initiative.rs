//! The initiative: features that make a win more likely for the side that is ahead in the endgame,
//! whichever side that is (Stockfish's term).

use super::side::{PawnSide, Placement};
use super::tally::{Tally, Tracer, count};
use crate::board::Position;
use crate::chess::{Bitboard, Color};

/// The files a to d and e to h.
const FLANKS: [Bitboard; 2] = [Bitboard(0x0f0f_0f0f_0f0f_0f0f), Bitboard(0xf0f0_f0f0_f0f0_f0f0)];

/// The far half of the board for a side that moves north.
const FAR_HALF: Bitboard = Bitboard(!0 << 32);

/// Counts the term of the group that depends on pieces, once for both sides.
#[inline(always)]
pub(super) fn count(position: &Position, tally: &mut Tally<impl Tracer>) {
    // Terms shared by both sides are recorded for White.
    let white = Placement::new(position, Color::White);
    let pawn_ending = position.is_pawn_ending();
    count!(tally, white, initiative_pawn_ending[0], pawn_ending => tally.initiative);
}

/// Counts the terms of the group that depend on pawns and kings only, once for both sides.
#[inline(always)]
pub(super) fn count_pawns(us: &PawnSide, them: &PawnSide, tally: &mut Tally<impl Tracer>) {
    macro_rules! initiative {
        ($term:ident[$index:expr], $count:expr) => {
            count!(tally, us, $term[$index], $count => tally.initiative)
        };
    }
    let pawns = us.pawns | them.pawns;
    let infiltrating = [us.king & FAR_HALF, them.king & !FAR_HALF];
    initiative!(initiative_base[0], 1);
    initiative!(initiative_pawns[0], pawns);
    initiative!(initiative_flanks[0], FLANKS.into_iter().all(|flank| (pawns & flank).any()));
    initiative!(initiative_infiltration[0], infiltrating.into_iter().any(Bitboard::any));
    if let (Some(ours), Some(theirs)) = (us.king.first(), them.king.first()) {
        let apart = |a: u32, b: u32| a.abs_diff(b) as i32;
        let files = apart(ours.file() as u32, theirs.file() as u32);
        let ranks = apart(ours.rank() as u32, theirs.rank() as u32);
        initiative!(initiative_outflanking[0], files - ranks);
    }
}
