//! The score of positions about which something is [known](crate::known) beyond the terms.

use crate::known::mates::Ending;
use crate::known::{DISTANT_WIN, Judged, Known, Reason};

/// The bonus for a known win, in centipawns. It is added to the terms, which still guide the way to
/// mate.
const KNOWN_WIN: i32 = 500;

/// With bishop and knight: centipawns at mate.
const AT_MATE: i32 = 2500;
/// With bishop and knight: centipawns subtracted for each move to mate. Must be more than the fifty-move
/// rule takes off in a move.
const EACH_MOVE: i32 = 50;

/// White's score in centipawns, from the score of the terms (`tapered`), the proven bounds and the
/// judgement.
pub(super) fn corrected(known: &Known, tapered: i32) -> i32 {
    let for_side = |is_white: bool, value: i32| if is_white { value } else { -value };
    let score = match known.judged {
        Judged::Mate { side, plies }
            if known.reason == Reason::BareKing(Ending::BishopAndKnight) =>
        {
            for_side(side.is_white(), AT_MATE - EACH_MOVE * (plies as i32 + 1) / 2)
        }
        Judged::Mate { .. } | Judged::Open => tapered,
        Judged::Won(side) => tapered + for_side(side.is_white(), KNOWN_WIN),
        Judged::SeemsWon { side, moves } => {
            // Nine of ten such wins are real, more if all structures are followed. The bonus
            // reflects that chance.
            let bonus = 400 - 4 * moves.min(DISTANT_WIN) as i32;
            let ours = for_side(side.is_white(), tapered);
            let score = (ours / 2).max(0) + bonus;
            // With pieces on the board the judgement never lowers a score.
            let with_pieces = known.reason == Reason::PieceEnding;
            for_side(side.is_white(), if with_pieces { score.max(ours) } else { score })
        }
        Judged::SeemsDrawn => {
            // Both sides may end up with a queen, and then pawns still count.
            let both_may_promote =
                known.reason == Reason::PawnEnding && known.can_win.white && known.can_win.black;
            if both_may_promote { tapered / 2 } else { tapered / 8 }
        }
    };
    let most = if known.can_win.white { i32::MAX } else { 0 };
    let least = if known.can_win.black { i32::MIN } else { 0 };
    score.clamp(least, most)
}
