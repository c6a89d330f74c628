//! Pieces: where the one that moves stands, what it attacks, pins and defends, and exchanges.

use super::{Idea, Them, Us, View, Who, by_pawns, color, files, passed, set, span};
use crate::board::Position;
use crate::chess::{Bitboard, Color, File, Rank, Role, Square, between, bit, points, role_name};
use crate::explain::facts::line::{attackers, is_in_bad_spot, is_undefended, pins};
use crate::fill::spans::{front_span, rear_span};
use crate::fill::waves::king_attacks;

/// The sixteen squares in the middle.
const MIDDLE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);

/// Squares more to go to that are worth telling.
const MORE_ROOM: usize = 4;

/// Adds what the piece that moves does, and exchanges.
pub(super) fn find(view: &View, ideas: &mut Vec<Idea>) {
    exchange(view, ideas);
    let is_piece = !matches!(view.role, Role::Pawn | Role::King) && !view.castles;
    if is_piece && view.stands() && !is_in_bad_spot(&view.after, view.to) {
        outpost(view, ideas);
        if view.role == Role::Rook {
            rook(view, ideas);
        }
        pin(view, ideas);
        attack(view, ideas);
        offer(view, ideas);
        at_king(view, ideas);
        place(view, ideas);
    }
    sacrifice(view, ideas);
    defence(view, ideas);
}

/// A piece is given up to the enemy king, which takes it.
fn sacrifice(view: &View, ideas: &mut Vec<Idea>) {
    if view.gives_material() && view.settled.king(Color::Black) == view.to {
        let square = view.square(view.to);
        let words = format!("gives up the {} to draw the king to {square}", role_name(view.role));
        ideas.push(view.good("sacrifice", 13, bit(view.to), words));
    }
}

/// A knight or bishop on a square from which no pawn can drive it away.
fn outpost(view: &View, ideas: &mut Vec<Idea>) {
    let is_ahead = (Rank::Fourth..=Rank::Sixth).contains(&view.to.rank());
    let is_on_edge = matches!(view.to.file(), File::A | File::H);
    if !is_ahead
        || is_on_edge
        || !matches!(view.role, Role::Knight | Role::Bishop)
        || span(&view.after, Them).contains(view.to)
        || set(&view.after, Them, Role::Pawn).is_empty()
        || view.is_endgame() && view.role == Role::Bishop
    {
        return;
    }
    let (name, square) = (role_name(view.role), view.square(view.to));
    if by_pawns(&view.after, Us).contains(view.to) {
        let words = format!("puts the {name} on a defended outpost on {square}");
        ideas.push(view.good("outpost", 10, bit(view.to), words));
    } else {
        let words = format!("puts the {name} on {square} out of reach of pawns");
        ideas.push(view.good("outpost", 18, bit(view.to), words));
    }
}

/// Files, the seventh rank, and passed pawns from behind.
fn rook(view: &View, ideas: &mut Vec<Idea>) {
    let (from, to) = (view.from, view.to);
    let pawns = |position: &Position, who: Who| set(position, who, Role::Pawn);
    let file = Bitboard::from_file(to.file());
    let behind = |passers: Bitboard, ahead: Bitboard| {
        (passers & ahead & file)
            .into_iter()
            .find(|&pawn| (between(to, pawn) & view.after.occupied()).is_empty())
    };
    // A rook that moves along the file may have stood behind the pawn before.
    let was_behind =
        |pawn: Square| from.file() == to.file() && view.before.attacks_from(from).contains(pawn);
    let is_new = |pawn: &Square| !was_behind(*pawn);
    if let Some(pawn) = behind(passed(&view.after, Us), front_span(bit(to))).filter(is_new) {
        let words = format!("puts the rook behind the passed pawn on {}", view.square(pawn));
        ideas.push(view.good("rookBehindPawn", 11, bit(pawn), words));
    } else if let Some(pawn) = behind(passed(&view.after, Them), rear_span(bit(to))).filter(is_new)
    {
        let words = format!("attacks the passed pawn on {} from behind", view.square(pawn));
        ideas.push(view.good("rookBehindPawn", 11, bit(pawn), words));
    }
    let seventh = Bitboard::from_rank(Rank::Seventh);
    let prey = (pawns(&view.after, Them) & seventh).any()
        || view.after.king(Color::Black).rank() == Rank::Eighth;
    if to.rank() == Rank::Seventh && from.rank() != Rank::Seventh && prey {
        let rank = view.square(to).rank().char();
        let words = match rank {
            '7' => "puts the rook on the seventh rank".to_string(),
            _ if (pawns(&view.after, Them) & seventh).any() => {
                "puts the rook on the second rank, among the white pawns".to_string()
            }
            _ => "puts the rook on the second rank".to_string(),
        };
        ideas.push(view.good("seventhRank", 17, bit(to), words));
    }
    // The file is not why a move gives check.
    let is_new = from.file() != to.file() && view.after.checkers().is_empty();
    let others = set(&view.after, Us, Role::Rook) & file & !bit(to);
    let lined_up =
        others.into_iter().any(|rook| (between(rook, to) & view.after.occupied()).is_empty());
    let free_of = |who| (pawns(&view.after, who) & file).is_empty();
    let name = view.file(view.square(to));
    if is_new && lined_up && free_of(Us) {
        let words = format!("doubles the rooks on the {name}");
        ideas.push(view.good("doubledRooks", 19, bit(to) | others, words));
    } else if is_new && free_of(Us) && free_of(Them) && !view.is_endgame() {
        let words = format!("takes the open {name}");
        ideas.push(view.good("openFile", 21, bit(to), words));
    } else if is_new && free_of(Us) && !view.is_endgame() {
        let words = format!("puts the rook on the half-open {name}");
        ideas.push(view.good("halfOpenFile", 26, bit(to), words));
    }
}

/// An enemy piece that is newly pinned to its king, or to its queen.
fn pin(view: &View, ideas: &mut Vec<Idea>) {
    let was: Vec<Square> = pins(&view.before, Color::Black).into_iter().map(|(at, _)| at).collect();
    for (pinned, way) in pins(&view.after, Color::Black) {
        let is_pawn = view.after.role(Role::Pawn).contains(pinned);
        if way.contains(view.to) && !was.contains(&pinned) && !is_pawn {
            let words = format!("pins the {}", view.piece(&view.after, pinned));
            ideas.push(view.good("pin", 23, bit(pinned), words));
            return;
        }
    }
    if view.role != Role::Bishop {
        return;
    }
    // A bishop that aims at the queen through a knight.
    for queen in set(&view.after, Them, Role::Queen) {
        let way = between(view.to, queen);
        let aims = crate::fill::attacks_of(Role::Bishop, bit(view.to), Bitboard::FULL);
        if let Some(square) = (way & view.after.occupied()).single_square()
            && aims.contains(queen)
            && set(&view.after, Them, Role::Knight).contains(square)
        {
            let was_pinned = view.before.attacks_from(view.from).contains(square)
                && between(view.from, queen).contains(square);
            let piece = view.piece(&view.after, square);
            let words = match was_pinned {
                true => format!("keeps the {piece} pinned to the queen"),
                false => format!("pins the {piece} to the queen"),
            };
            ideas.push(view.good("pin", 24, bit(square), words));
        }
    }
}

/// Enemy pieces that this piece newly attacks and that are worth more, or not defended.
fn attack(view: &View, ideas: &mut Vec<Idea>) {
    let before = view.before.attacks_from(view.from);
    let new = view.after.attacks_from(view.to) & view.after.of(Color::Black) & !before;
    let worth = |square: Square| view.after.piece_at(square).map_or(0, |piece| points(piece.role));
    let targets = new.into_iter().filter(|&square| {
        !view.after.role(Role::King).contains(square)
            && (worth(square) > points(view.role) || is_undefended(&view.after, square))
    });
    let best = targets.max_by_key(|&square| (worth(square), square as u32));
    if let Some(square) = best {
        let words = format!("attacks the {}", view.piece(&view.after, square));
        let rank = if view.after.role(Role::Pawn).contains(square) { 41 } else { 28 };
        ideas.push(view.good("attack", rank, bit(square), words));
    }
}

/// A bishop or queen goes where the enemy's of the same kind can take it and is taken back.
fn offer(view: &View, ideas: &mut Vec<Idea>) {
    if !matches!(view.role, Role::Bishop | Role::Queen) || view.captured.is_some() {
        return;
    }
    let facing = view.after.attacks_from(view.to) & set(&view.after, Them, view.role);
    let Some(square) = facing.first() else { return };
    if is_undefended(&view.after, view.to) {
        return;
    }
    let (rank, words) = match bad_bishop(view) {
        Some(pawns) => (17, format!("offers to exchange the bad bishop ({pawns})")),
        None => (30, format!("offers to exchange {}s", role_name(view.role))),
    };
    ideas.push(view.good("offersExchange", rank, bit(square), words));
}

/// The piece joins the attack on the enemy king.
fn at_king(view: &View, ideas: &mut Vec<Idea>) {
    if view.is_endgame() || view.is_opening() || set(&view.after, Us, Role::Queen).is_empty() {
        return;
    }
    let king = view.after.king(Color::Black);
    let ring = king_attacks(bit(king)) | bit(king);
    let count = |position: &Position, at: Square| (position.attacks_from(at) & ring).count();
    if count(&view.after, view.to) >= count(&view.before, view.from) + 2 {
        let words = format!(
            "brings the {} into play against the {} king",
            role_name(view.role),
            view.adjective(Them)
        );
        ideas.push(view.good("kingAttack", 29, bit(view.to), words));
    }
}

/// A piece in the middle, at the edge, or with more room.
fn place(view: &View, ideas: &mut Vec<Idea>) {
    let is_home = super::undeveloped(&view.before, Us).contains(view.from);
    let room = |position: &Position, at: Square| {
        let free = position.attacks_from(at) & !position.of(Color::White);
        (free & !by_pawns(position, Them)).count()
    };
    let (was, is) = (room(&view.before, view.from), room(&view.after, view.to));
    let name = role_name(view.role);
    if view.role == Role::Knight && !is_home {
        let edge = Bitboard::from_file(File::A) | Bitboard::from_file(File::H);
        let edge = edge | Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        if MIDDLE.contains(view.to) && !MIDDLE.contains(view.from) {
            let words = "brings the knight towards the middle".to_string();
            ideas.push(view.good("centralisation", 33, bit(view.to), words));
        } else if edge.contains(view.to) && !edge.contains(view.from) && view.captured.is_none() {
            let words = match view.to {
                Square::B1 | Square::G1 => "retreats the knight to its starting square".to_string(),
                _ => "puts the knight on the edge of the board".to_string(),
            };
            ideas.push(view.bad("rim", 33, bit(view.to), words));
        }
    } else if is >= was + MORE_ROOM
        && view.captured.is_none()
        && !is_home
        && view.role != Role::Queen
    {
        let words = format!(
            "gives the {name} more room: {is} squares that no pawn attacks, instead of {was}"
        );
        ideas.push(view.good("mobility", 47, bit(view.to), words));
    }
}

/// Own pieces and pawns that were in danger and are defended by this piece, or have moved out of
/// danger.
fn defence(view: &View, ideas: &mut Vec<Idea>) {
    let moved = !matches!(view.role, Role::King | Role::Pawn)
        && is_in_bad_spot(&view.before, view.from)
        && !is_in_bad_spot(&view.after, view.to);
    if moved && view.captured.is_none() {
        let words = format!("takes the {} out of an attack", role_name(view.role));
        ideas.push(view.good("escape", 27, bit(view.to), words));
    }
    let stays = view.before.of(Color::White) & view.after.of(Color::White) & !bit(view.to);
    for square in stays & !view.after.role(Role::King) {
        let is_saved = is_in_bad_spot(&view.before, square)
            && !is_in_bad_spot(&view.after, square)
            && attackers(&view.after, square, Color::White).contains(view.to)
            && attackers(&view.after, square, Color::Black).any();
        if is_saved && !is_in_bad_spot(&view.after, view.to) {
            let words = format!("defends the {}", view.piece(&view.after, square));
            ideas.push(view.good("defence", 27, bit(square), words));
            return;
        }
    }
}

/// What is gone from both sides after the exchange.
fn exchange(view: &View, ideas: &mut Vec<Idea>) {
    if !view.has_exchange() {
        return;
    }
    let count = |position: &Position, who: Who, role: Role| set(position, who, role).count();
    let gone = |who: Who, role: Role| {
        count(&view.before, who, role).saturating_sub(count(&view.settled, who, role))
    };
    let lead = view.before.material_lead(Color::White);
    if gone(Us, Role::Queen) == 1 && gone(Them, Role::Queen) == 1 {
        let words = match lead {
            2.. => "exchanges queens, with more material".to_string(),
            _ => "exchanges queens".to_string(),
        };
        ideas.push(view.good("exchange", 24, bit(view.to), words));
    }
    for who in [Us, Them] {
        let other = if who == Us { Them } else { Us };
        let had_pair = has_both(set(&view.before, who, Role::Bishop));
        let lost_it = had_pair && !has_both(set(&view.settled, who, Role::Bishop));
        if lost_it && gone(other, Role::Bishop) == 0 && gone(other, Role::Knight) == 1 {
            let words = match who {
                Us => "gives up the bishop pair".to_string(),
                Them => format!("takes the bishop pair from {}", view.name(Them)),
            };
            ideas.push(match who {
                Us => view.bad("bishopPair", 20, bit(view.to), words),
                Them => view.good("bishopPair", 20, bit(view.to), words),
            });
        }
    }
    let opposite = |position: &Position| {
        let [us, them] = [Us, Them].map(|who| set(position, who, Role::Bishop));
        us.count() == 1
            && them.count() == 1
            && (us & Bitboard::DARK_SQUARES).any() != (them & Bitboard::DARK_SQUARES).any()
    };
    if opposite(&view.settled) && !opposite(&view.before) {
        let words = "leads to bishops of opposite colours".to_string();
        ideas.push(view.good("oppositeBishops", 18, view.settled.role(Role::Bishop), words));
    }
    // For a knight or bishop, and for nothing else.
    let minors = |who| gone(who, Role::Bishop) + gone(who, Role::Knight);
    let others = |who| gone(who, Role::Rook) + gone(who, Role::Queen) + gone(who, Role::Pawn);
    let is_even = minors(Us) == 1 && minors(Them) == 1 && others(Us) + others(Them) == 0;
    if let Some(pawns) = bad_bishop(view).filter(|_| is_even && gone(Us, Role::Bishop) == 1) {
        let words = format!("exchanges the bad bishop ({pawns})");
        ideas.push(view.good("badBishop", 17, bit(view.from), words));
    }
}

/// Bishops on squares of both colours.
fn has_both(bishops: Bitboard) -> bool {
    bishops.intersects(Bitboard::DARK_SQUARES) && bishops.intersects(Bitboard::LIGHT_SQUARES)
}

/// The bishop that moves has many own pawns on its colour, at least two of them blocked in the
/// middle of the board: how many, in words.
fn bad_bishop(view: &View) -> Option<String> {
    if view.role != Role::Bishop {
        return None;
    }
    let dark = Bitboard::DARK_SQUARES;
    let squares = if dark.contains(view.from) { dark } else { !dark };
    let pawns = view.before.set(color(Us), Role::Pawn) & squares;
    let middle = files([File::C, File::D, File::E, File::F]);
    let is_blocked = |pawn: &Square| {
        let ahead = pawn.offset(8).map_or(Bitboard::EMPTY, bit);
        (ahead & view.before.of(Color::Black)).any()
    };
    let blocked = (pawns & middle).into_iter().filter(is_blocked).count();
    let count = pawns.count();
    (count >= 4 && blocked >= 2).then(|| format!("{count} own pawns on its colour"))
}
