//! The opening: development, castling, the centre, and time lost.

use super::{Idea, Them, Us, View, by_pawns, set, undeveloped};
use crate::board::Position;
use crate::chess::{Bitboard, Color, File, Rank, Role, Square, bit, role_name};
use crate::explain::facts::line::PlayedLine;
use crate::fill::Direction;
use crate::text::listed;

/// The four squares in the middle.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The long diagonals, but for their corners and the centre.
const LONG_DIAGONALS: Bitboard = Bitboard(0x0042_2400_0024_4200);

/// Adds the ideas of the opening.
pub(super) fn find(view: &View, line: &PlayedLine, ideas: &mut Vec<Idea>) {
    if view.castles {
        ideas.push(castling(view));
        return;
    }
    lost_castling(view, ideas);
    if !view.is_opening() {
        return;
    }
    match view.role {
        Role::Pawn => pawn(view, ideas),
        Role::Knight | Role::Bishop => minor(view, ideas),
        Role::Queen => queen(view, line, ideas),
        _ => {}
    }
    hindered(view, ideas);
}

fn castling(view: &View) -> Idea {
    let centre = Bitboard::from_file(File::D) | Bitboard::from_file(File::E);
    let words = match centre.contains(view.from) {
        true => "takes the king out of the centre and brings the rook into play",
        false => "castles and brings the rook into play",
    };
    view.good("castling", 30, bit(view.to), words.to_string())
}

/// The king or a rook has moved, and castling is no longer possible at all.
fn lost_castling(view: &View, ideas: &mut Vec<Idea>) {
    let rights = |position: &Position| position.castling_targets(Color::White);
    let queens = set(&view.before, Them, Role::Queen).any();
    if queens && rights(&view.before).any() && rights(&view.after).is_empty() {
        let words = "gives up the right to castle".to_string();
        ideas.push(view.bad("castlingLost", 31, bit(view.from), words));
    }
}

/// A knight or bishop leaves its first square, or moves again while others wait.
fn minor(view: &View, ideas: &mut Vec<Idea>) {
    let name = role_name(view.role);
    let home = undeveloped(&view.before, Us);
    // A capture of more than a pawn is not told as development.
    let takes_piece = view.captured.is_some_and(|role| role != Role::Pawn);
    if home.contains(view.from) {
        let is_fianchetto = view.role == Role::Bishop
            && LONG_DIAGONALS.contains(view.to)
            && view.to.rank() == Rank::Second;
        let (label, words) = match is_fianchetto {
            true => ("fianchetto", "develops the bishop to the long diagonal".to_string()),
            false => ("development", format!("develops the {name}")),
        };
        if !takes_piece {
            ideas.push(view.good(label, 40, bit(view.to), words));
        }
        if opens_castling(view) {
            let words = "clears the way to castle".to_string();
            ideas.push(view.good("preparesCastling", 44, bit(view.from), words));
        }
    } else if view.captured.is_none() && home.count() > 1 && !is_attacked(view) {
        let words = format!("moves the {name} again while other pieces are still at home");
        ideas.push(view.bad("tempo", 45, bit(view.to), words));
    }
}

/// Whether the piece that moves was attacked by something of lower value, or attacked and not
/// defended.
fn is_attacked(view: &View) -> bool {
    crate::explain::facts::line::is_in_bad_spot(&view.before, view.from)
}

/// The last piece between the king and the rook has gone.
fn opens_castling(view: &View) -> bool {
    let targets = view.after.castling_targets(Color::White);
    let way = Bitboard::from_rank(Rank::First);
    let kingside = bit(Square::F1) | bit(Square::G1);
    let king = view.after.king(Color::White);
    let is_free = |position: &Position| (kingside & position.occupied() & way).is_empty();
    // The king may not be in check, pass an attacked square, or go to one.
    let is_safe = (kingside | bit(Square::E1))
        .into_iter()
        .all(|square| view.after.attackers(square, Color::Black, view.after.occupied()).is_empty());
    king == Square::E1
        && (targets & (kingside | bit(Square::H1))).any()
        && is_safe
        && is_free(&view.after)
        && !is_free(&view.before)
}

/// A pawn takes the centre, and lets pieces out.
fn pawn(view: &View, ideas: &mut Vec<Idea>) {
    if view.captured.is_some() {
        return;
    }
    if CENTRE.contains(view.to) && view.to.rank() == Rank::Fourth {
        let words = "takes space in the centre".to_string();
        ideas.push(view.good("centre", 38, bit(view.to), words));
    } else if view.to.rank() <= Rank::Fourth {
        let new = by_pawns(&view.after, Us) & CENTRE & !by_pawns(&view.before, Us);
        let held = new & set(&view.after, Us, Role::Pawn);
        if let Some(pawn) = held.first() {
            let words = format!("defends the pawn on {}", view.square(pawn));
            ideas.push(view.good("centre", 42, held, words));
        } else if new.any() {
            let words = format!("fights for {} with a pawn", super::squares_text(view, new));
            ideas.push(view.good("centre", 42, new, words));
        } else if view.to.rank() == Rank::Fourth && (File::C..=File::F).contains(&view.to.file()) {
            ideas.push(view.good("space", 42, bit(view.to), "takes more space".to_string()));
        }
    }
    if view.to.rank() == Rank::Fifth && (File::C..=File::F).contains(&view.to.file()) {
        let own = set(&view.after, Us, Role::Pawn);
        let blocked = own & Direction::South.step(set(&view.after, Them, Role::Pawn));
        let is_closed = [File::D, File::E].into_iter().all(|file| {
            let file = Bitboard::from_file(file);
            (own & file).any() && (own & file & !blocked).is_empty()
        });
        let words = if is_closed { "closes the centre and gains space" } else { "gains space" };
        ideas.push(view.good("space", 39, bit(view.to), words.to_string()));
    }
    // Pieces at home that could not move and now can.
    let first = Bitboard::from_rank(Rank::First);
    let pieces = (set(&view.before, Us, Role::Bishop) | set(&view.before, Us, Role::Queen)) & first;
    let reach = |position: &Position, square: Square| {
        (position.attacks_from(square) & !position.of(Color::White)).count()
    };
    let freed: Vec<Square> = pieces
        .into_iter()
        .filter(|&square| reach(&view.before, square) == 0 && reach(&view.after, square) > 0)
        .collect();
    if !freed.is_empty() {
        let mut names: Vec<String> = freed
            .iter()
            .filter_map(|&square| view.before.piece_at(square))
            .map(|piece| role_name(piece.role).to_string())
            .collect();
        names.sort();
        let words = format!("opens a way out for the {}", listed(&names));
        ideas.push(view.good("opensLines", 43, freed.into_iter().collect(), words));
    }
    let king = view.before.king(Color::White);
    if view.from == Square::F2 && [Square::E1, Square::G1].contains(&king) {
        let words = format!("moves the f-pawn that shelters the {} king", view.adjective(Us));
        ideas.push(view.bad("weakensKing", 35, bit(view.from), words));
    }
}

/// The queen comes out before the pieces, and a developing move attacks it.
fn queen(view: &View, line: &PlayedLine, ideas: &mut Vec<Idea>) {
    let home = undeveloped(&view.before, Us);
    let Some(&reply) = line.moves.get(1) else { return };
    if home.count() < 3 || view.captured.is_some() {
        return;
    }
    let replier = line.before(1).moved_by(reply).role;
    let queen = crate::chess::square_facing_north(view.to, view.side);
    let is_attacked = line.after(1).attacks_from(reply.to()).contains(queen);
    let from = crate::chess::square_facing_north(reply.from(), view.side);
    if is_attacked && undeveloped(&view.before, Them).contains(from) {
        let words = format!(
            "lets {} develop the {} with an attack on the queen",
            view.name(Them),
            role_name(replier)
        );
        ideas.push(view.bad("queenOut", 34, bit(view.to), words));
    }
}

/// A piece stands in the way of a centre pawn, or shuts in a bishop that could move.
fn hindered(view: &View, ideas: &mut Vec<Idea>) {
    let behind = view.to.offset(-8).filter(|_| view.role != Role::Pawn);
    if let Some(behind) = behind.filter(|&square| [Square::D2, Square::E2].contains(&square))
        && set(&view.after, Us, Role::Pawn).contains(behind)
    {
        let words = format!("stands in the way of the pawn on {}", view.square(behind));
        ideas.push(view.bad("blocksPawn", 37, bit(behind), words));
    }
    let first = Bitboard::from_rank(Rank::First);
    let reach = |position: &Position, square: Square| {
        (position.attacks_from(square) & !position.of(Color::White)).count()
    };
    for bishop in set(&view.before, Us, Role::Bishop) & set(&view.after, Us, Role::Bishop) & first {
        if reach(&view.before, bishop) > 1 && reach(&view.after, bishop) == 0 {
            let words = format!("shuts in the bishop on {}", view.square(bishop));
            ideas.push(view.bad("shutIn", 36, bit(bishop), words));
        }
    }
}
