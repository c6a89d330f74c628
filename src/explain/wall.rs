//! Why a side cannot win: the wall in words, with the squares that decide.

use crate::board::Position;
use crate::chess::{Bitboard, Color, Rank, Role, bit, side_adjective, side_name};
use crate::known::Knowledge;
use crate::known::fortress::flood::{Confinement, confinement};
use crate::known::fortress::structure::PawnStructure;

/// What is proven of a position with pieces, a line each; empty where nothing is.
///
/// ```
/// use freshet::board::Position;
/// use freshet::explain::wall::describe;
/// use freshet::known::Knowledge;
///
/// let fen = "8/p7/kpP5/qrp1b3/rpP2b2/pP4b1/P3K3/8 w - - 0 1";
/// let lines = describe(&Position::from_fen(fen).unwrap(), &mut Knowledge::new());
/// assert_eq!(lines[0], "Wall: Black cannot win, by confinement");
/// assert_eq!(lines[1], "No black piece that can move ever reaches a light square");
/// ```
pub fn describe(position: &Position, knowledge: &mut Knowledge) -> Vec<String> {
    let mut lines = Vec::new();
    let with_pieces = !position.is_pawn_ending();
    let has_rams = PawnStructure::of(position).rams().any();
    for side in Color::ALL {
        if let Some(proof) = confinement(position, side) {
            lines.push(format!("Wall: {} cannot win, by confinement", side_name(side)));
            lines.extend(deciding(&proof));
            let king = side_name(side.other());
            lines.push(format!("{king}'s king is never attacked on {}", squares(proof.zone)));
            lines.extend(walled_in(&proof));
        } else if with_pieces && knowledge.cannot_win(position, side) {
            let kind = if has_rams { "Wall" } else { "Ending" };
            let side = side_name(side);
            lines.push(format!("{kind}: {side} cannot win, by retrograde analysis"));
        }
    }
    lines
}

/// The squares of a set, from a1 on.
fn squares(set: Bitboard) -> String {
    set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

/// What decides: where the pieces that can move never get.
fn deciding(proof: &Confinement) -> Option<String> {
    let side = proof.attacker;
    let moving =
        proof.pieces.iter().filter(|piece| piece.role != Role::Pawn && piece.reach.more_than_one());
    let reach = moving.fold(Bitboard::EMPTY, |all, piece| all | piece.reach);
    if reach.is_empty() {
        return Some(format!("No {} piece ever moves", side_adjective(side)));
    }
    for (colour, set) in [("light", Bitboard::LIGHT_SQUARES), ("dark", Bitboard::DARK_SQUARES)] {
        if !reach.intersects(set) {
            return Some(format!(
                "No {} piece that can move ever reaches a {colour} square",
                side_adjective(side)
            ));
        }
    }
    let ranks = Rank::ALL.into_iter().filter(|&rank| reach.intersects(Bitboard::from_rank(rank)));
    let furthest = if side.is_white() { ranks.max() } else { ranks.min() }?;
    let last = if side.is_white() { Rank::Eighth } else { Rank::First };
    if furthest != last {
        return Some(format!(
            "No {} piece ever passes rank {}",
            side_adjective(side),
            furthest.char()
        ));
    }
    let never = !(proof.reached() | proof.attacked);
    Some(format!(
        "No {} piece or pawn ever reaches or attacks {}",
        side_adjective(side),
        squares(never)
    ))
}

/// The pieces that never move.
fn walled_in(proof: &Confinement) -> Option<String> {
    let walled = proof.pieces.iter().filter(|piece| {
        piece.role != Role::Pawn && piece.role != Role::King && !piece.reach.more_than_one()
    });
    let names: Vec<String> = walled
        .map(|piece| {
            let square = piece.reach.first().map_or_else(String::new, |square| square.to_string());
            format!("{}{square}", piece.role.upper_char())
        })
        .collect();
    (!names.is_empty()).then(|| format!("Walled in for ever: {}", names.join(" ")))
}

/// The board with the sets of a proof: `z` the zone of the king, `+` where pieces of the other side
/// can get, `*` what they attack besides.
pub fn picture(proof: &Confinement) -> crate::chess::BySquare<char> {
    let mut board = crate::chess::BySquare::all('.');
    let reached = proof.reached();
    for square in crate::chess::Square::ALL {
        board[square] = match bit(square) {
            here if proof.zone.intersects(here) => 'z',
            here if reached.intersects(here) => '+',
            here if proof.attacked.intersects(here) => '*',
            _ => '.',
        };
    }
    board
}
