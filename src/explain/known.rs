//! What is known of an endgame, in words: one result and its reason, and only what is proven.

use crate::chess::{Color, Role, role_name, side_name};
use crate::known::four_pieces::Material;
use crate::known::mates::Ending;
use crate::known::{Judged, Known, Reason};

/// The material of an endgame: `queen against pawn`.
fn names(material: Material) -> String {
    match material {
        Material::Duel(first, second) => {
            format!("{} against {}", role_name(first), role_name(second))
        }
        Material::WithPawn(Role::Pawn) => "two pawns against king".to_string(),
        Material::WithPawn(role) => format!("{} and pawn against king", role_name(role)),
        Material::WithMajor(major, other) => {
            format!("{} and {} against king", role_name(major), role_name(other))
        }
    }
}

/// A sentence without its full stop; `None` where nothing is proven.
pub(super) fn words(known: &Known) -> Option<String> {
    let four_pieces;
    let ending = match known.reason {
        Reason::PawnAgainstKing => "king and pawn against king",
        Reason::FourPieces(material) => {
            four_pieces = names(material);
            &four_pieces
        }
        Reason::BareKing(Ending::Queen) => "queen against king",
        Reason::BareKing(Ending::Rook) => "rook against king",
        Reason::BareKing(Ending::TwoBishops) => "two bishops against king",
        Reason::BareKing(Ending::BishopAndKnight) => "bishop and knight against king",
        Reason::LockedPawns | Reason::PawnEnding => "this pawn ending",
        Reason::Wall => "this fortress",
        Reason::PieceEnding => "this ending",
    };
    if known.is_draw() {
        return Some(match known.reason {
            Reason::LockedPawns => {
                "the pawns are locked and neither king can break through, a proven draw".to_string()
            }
            Reason::PawnEnding => {
                "neither side can force a pawn through, a proven draw".to_string()
            }
            Reason::Wall => "neither side can break through the wall, a proven draw".to_string(),
            Reason::PieceEnding => "neither side can win this ending, a proven draw".to_string(),
            _ => format!("{ending} is a draw here"),
        });
    }
    match known.judged {
        Judged::Mate { side, plies } => {
            let moves = plies.div_ceil(2);
            Some(format!("{ending} is won: {} mates in {moves} moves at most", side_name(side)))
        }
        Judged::Won(side) => {
            let mut words = format!("{ending} is won for {}", side_name(side));
            if known.reason == Reason::PieceEnding {
                words += ", unless the fifty-move rule comes first";
            }
            Some(words)
        }
        _ => {
            let cannot = Color::ALL.into_iter().find(|&side| !known.can_win[side])?;
            Some(format!("{} is proven unable to win {ending}", side_name(cannot)))
        }
    }
}
