//! Pawns: what a move, or the exchange that it begins, makes of the structure of both sides.

use super::{
    Idea, Them, Us, View, by_pawns, doubled, files, isolated, passed, set, span, squares_text,
    turned,
};
use crate::chess::{Bitboard, Color, File, Rank, Role, between, bit, points};
use crate::fill::spans::{file_fill, front_span};

/// Squares on which a hole matters: the third to fifth rank, but for the edges.
const HOLES: Bitboard = Bitboard(0x0000_007e_7e7e_0000);

/// Adds what happens to pawns.
pub(super) fn find(view: &View, ideas: &mut Vec<Idea>) {
    passers(view, ideas);
    weaknesses(view, ideas);
    holes(view, ideas);
    blockade(view, ideas);
    open_file(view, ideas);
    if view.role == Role::Pawn && !view.promotes {
        attack(view, ideas);
        minority(view, ideas);
    }
}

/// Passed pawns made, pushed and stopped.
fn passers(view: &View, ideas: &mut Vec<Idea>) {
    let (before, after) = (passed(&view.before, Us), passed(&view.settled, Us));
    // A pawn that can be captured en passant has not passed yet.
    let after = if view.is_capturable { after & !bit(view.to) } else { after };
    if view.role == Role::Pawn && before.contains(view.from) && view.captured.is_none() {
        if passed(&view.after, Us).contains(view.to) {
            let words = "pushes the passed pawn".to_string();
            ideas.push(view.good("passedPawn", 25, bit(view.to), words));
        }
    } else if let Some(pawn) = (after & !before).first()
        // A passed pawn that takes something is not new, and one that is taken next does not matter.
        && after.count() > before.count()
        && view.reply_to != Some(pawn)
    {
        let words = match pawn == view.to {
            true => "creates a passed pawn".to_string(),
            false => format!("makes the pawn on {} a passed pawn", view.square(pawn)),
        };
        ideas.push(view.good("passedPawn", 12, bit(pawn), words));
    }
    let (before, after) = (passed(&view.before, Them), passed(&view.settled, Them));
    if let Some(pawn) = (after & !before).first()
        && after.count() > before.count()
    {
        let words = format!("gives {} a passed pawn on {}", view.name(Them), view.square(pawn));
        ideas.push(view.bad("passedPawn", 12, bit(pawn), words));
    }
}

/// Isolated and doubled pawns that are new after the exchange.
fn weaknesses(view: &View, ideas: &mut Vec<Idea>) {
    for label in ["isolatedPawn", "doubledPawns"] {
        let find = if label == "doubledPawns" { doubled } else { isolated };
        for who in [Them, Us] {
            let new = find(&view.settled, who) & !find(&view.before, who);
            // A weak pawn that moves stays what it was.
            let moved = who == Us && find(&view.before, Us).contains(view.from);
            let Some(pawn) = new.first().filter(|_| !moved) else { continue };
            // A passed pawn is no weakness.
            if passed(&view.settled, who).contains(pawn) {
                continue;
            }
            let name = view.name(who);
            let words = match label {
                "doubledPawns" => {
                    format!("leaves {name} with doubled pawns on the {}", view.file(pawn))
                }
                _ => format!("leaves {name} with an isolated pawn on {}", view.square(pawn)),
            };
            ideas.push(match who {
                Them => view.good(label, 16, new, words),
                Us => view.bad(label, 16, new, words),
            });
        }
    }
}

/// Squares that no pawn of a side can guard any more, and that a knight of the other side can use.
fn holes(view: &View, ideas: &mut Vec<Idea>) {
    for who in [Us, Them] {
        let other = if who == Us { Them } else { Us };
        let zone = turned(HOLES, who);
        let lost = span(&view.before, who) & !span(&view.settled, who) & zone;
        let minors = set(&view.settled, other, Role::Knight);
        // A square that the other side's pawns defend is an outpost.
        let held = lost & by_pawns(&view.settled, other);
        let Some(hole) = held.first().filter(|_| minors.any()) else { continue };
        let words = format!(
            "leaves {} without a pawn that could ever guard {}",
            view.name(who),
            view.square(hole)
        );
        ideas.push(match who {
            Us => view.bad("hole", 20, bit(hole), words),
            Them => view.good("hole", 20, bit(hole), words),
        });
    }
}

/// A pawn leaves its file by a capture, so that the file is open, or half open.
fn open_file(view: &View, ideas: &mut Vec<Idea>) {
    let file = Bitboard::from_file(view.from.file());
    let pawns = |who| set(&view.settled, who, Role::Pawn) & file;
    if view.role != Role::Pawn || view.captured.is_none() || pawns(Us).any() || view.is_endgame() {
        return;
    }
    let (label, kind) = match pawns(Them).any() {
        true => ("halfOpenFile", "half-open"),
        false => ("openFile", "open"),
    };
    let name = view.file(view.from);
    let rooks = set(&view.settled, Us, Role::Rook);
    let opened = match label {
        "openFile" => format!("opens the {name}"),
        _ => format!("makes the {name} {kind}"),
    };
    let (rank, words) = match (rooks & file).any() {
        true => (21, format!("{opened} for the rook")),
        false if rooks.any() => (32, opened),
        false => return,
    };
    ideas.push(view.good(label, rank, file, words));
}

/// A piece stops a passed or isolated pawn by standing before it, a rook also from farther away.
fn blockade(view: &View, ideas: &mut Vec<Idea>) {
    let is_blocker = view.role != Role::Pawn && view.stands();
    let Some(ahead) = view.to.offset(8).filter(|_| is_blocker) else { return };
    let stopped = (passed(&view.after, Them) & Bitboard::from_file(view.to.file()))
        .into_iter()
        .filter(|&pawn| pawn > view.to && view.from.file() != view.to.file())
        .find(|&pawn| (between(view.to, pawn) & view.after.occupied()).is_empty());
    if let Some(pawn) = stopped.filter(|&pawn| pawn != ahead && view.role == Role::Rook) {
        let words = format!("stops the passed pawn on {} from the front", view.square(pawn));
        ideas.push(view.good("stopsPawn", 22, bit(pawn), words));
    }
    if !set(&view.after, Them, Role::Pawn).contains(ahead) || view.castles {
        return;
    }
    let kind = if passed(&view.after, Them).contains(ahead) {
        "passed"
    } else if isolated(&view.after, Them).contains(ahead) && view.role == Role::Knight {
        "isolated"
    } else {
        return;
    };
    let words = format!("blockades the {kind} pawn on {}", view.square(ahead));
    ideas.push(view.good("blockade", 14, bit(ahead), words));
}

/// A pawn attacks pieces or pawns: a break, or a gain of time.
fn attack(view: &View, ideas: &mut Vec<Idea>) {
    let attacked = by_pawns(&view.after, Us) & !by_pawns(&view.before, Us);
    let by_this = view.after.attacks_from(view.to) & attacked;
    let pieces = by_this & view.after.of(Color::Black) & !view.after.role(Role::King);
    let is_safe = {
        let attackers = view.after.attackers(view.to, Color::Black, view.after.occupied());
        let defenders = view.after.attackers(view.to, Color::White, view.after.occupied());
        attackers.is_empty() || defenders.any()
    };
    if !is_safe {
        return;
    }
    let (pawns, larger) =
        (pieces & view.after.role(Role::Pawn), pieces & !view.after.role(Role::Pawn));
    let best = larger
        .into_iter()
        .max_by_key(|&square| view.after.piece_at(square).map_or(0, |piece| points(piece.role)));
    if let Some(square) = best {
        let words = format!("attacks the {}", view.piece(&view.after, square));
        ideas.push(view.good("gainsTime", 22, bit(square), words));
    } else if let Some(pawn) = pawns.first()
        && view.captured.is_none()
        // A pawn that could take the pushed one: the structure changes.
        && by_pawns(&view.after, Them).contains(view.to)
    {
        let words = format!("breaks against the pawn on {}", view.square(pawn));
        ideas.push(view.good("pawnBreak", 15, bit(pawn), words));
    }
    // A square that a knight or bishop could go to and where the pawn now would take it.
    if view.captured.is_none() && [File::A, File::H].contains(&view.to.file()) {
        let minors = set(&view.before, Them, Role::Knight) | set(&view.before, Them, Role::Bishop);
        let mut denied = Bitboard::EMPTY;
        let mut piece = None;
        for from in minors {
            let goes = view.before.attacks_from(from) & by_this & !view.before.of(Color::Black);
            if goes.any() {
                denied |= goes;
                piece = view.before.piece_at(from).map(|piece| crate::chess::role_name(piece.role));
            }
        }
        if let Some(piece) = piece {
            let squares = squares_text(view, denied);
            let words = format!("keeps the {piece} out of {squares}");
            ideas.push(view.good("prophylaxis", 46, denied, words));
        }
    }
}

/// The queen's side where fewer pawns attack more.
fn minority(view: &View, ideas: &mut Vec<Idea>) {
    let wing = files([File::A, File::B, File::C]);
    let count = |who| (set(&view.before, who, Role::Pawn) & wing).count();
    let is_on_it = [File::A, File::B].contains(&view.to.file()) && view.to.rank() >= Rank::Fourth;
    let (us, them) = (count(Us), count(Them));
    let half_open = Bitboard::from_file(File::C);
    let c_file_is_half_open = (set(&view.before, Us, Role::Pawn) & half_open).is_empty()
        && (set(&view.before, Them, Role::Pawn) & half_open).any();
    if is_on_it
        && !view.is_opening()
        && us > 1
        && us < them
        && c_file_is_half_open
        && view.captured.is_none()
        && !view.is_endgame()
        && (file_fill(front_span(bit(view.to))) & set(&view.before, Them, Role::Pawn)).any()
    {
        let ahead = Bitboard::from_rank(Rank::First)
            | Bitboard::from_rank(Rank::Second)
            | Bitboard::from_rank(Rank::Third);
        let verb = match (set(&view.before, Us, Role::Pawn) & wing & !ahead).any() {
            true => "goes on with",
            false => "begins",
        };
        let words =
            format!("{verb} the minority attack, {us} pawns against {them} on the queen's side");
        ideas.push(view.good("minorityAttack", 13, bit(view.to), words));
    }
}
