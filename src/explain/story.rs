//! The story of a move: its verdict, the cause, what follows, and the better move, in a few
//! sentences.
//!
//! Only facts are told, each with its evidence in the line, the most telling first: mate, material,
//! what lasts.

use super::facts::line::{PlayedLine, worth};
use super::facts::{Fact, Motif};
use crate::board::{Move, Position};
use crate::chess::{Color, Piece, Role, Square, between, role_name, side_name};
use crate::text::{line_text, listed};

/// A number of pieces of a type: `a rook`, `two pawns`.
fn counted(role: Role, count: i32) -> String {
    let name = role_name(role);
    match count {
        1 => format!("a {name}"),
        2 => format!("two {name}s"),
        3 => format!("three {name}s"),
        _ => format!("{count} {name}s"),
    }
}

/// What a line brings the side that begins it, in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Pieces that the other side has lost, less those of the same type that we have lost; bishops
    /// and knights count as one type.
    won: Vec<(Role, i32)>,
    /// How many promoted pieces more than the other side we have at the end; 0 if it has more.
    promoted: i32,
    /// Pieces that we have lost, less those of the same type that the other side has lost.
    lost: Vec<(Role, i32)>,
    /// In pawns.
    pub pawns: i32,
    /// Whether our side was behind and is not ahead at the end: it wins material back.
    is_back: bool,
}

impl Gain {
    /// From the start of a line to its end; a capture by the move before it counts, since it may be
    /// what the line answers.
    pub fn of(line: &PlayedLine) -> Gain {
        let end = &line.positions[line.moves.len()];
        // A piece that a pawn has just become counts as that piece.
        let is_new =
            |before: &Position, m: Move| m.promotion().is_some() && before.captured_by(m).is_none();
        let start = match &line.earlier {
            Some((before, m)) if !is_new(before, *m) => before,
            _ => &line.positions[0],
        };
        let count =
            |position: &Position, side: Color, role: Role| position.set(side, role).count() as i32;
        let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        let new_pieces = promoted_pieces(line);
        let promoted = |side| new_pieces.iter().filter(|&&(_, of)| of == side).count() as i32;
        let mut net = roles.map(|role| {
            let gone = |side: Color| {
                let fewer = count(start, side, role) - count(end, side, role);
                let new = new_pieces.iter().filter(|&&piece| piece == (role, side)).count() as i32;
                // A pawn that has become a piece is not lost, and a new piece makes up for no loss.
                if role == Role::Pawn { fewer - promoted(side) } else { fewer + new }
            };
            gone(line.us.other()) - gone(line.us)
        });
        // A bishop for a knight is an even exchange.
        let [_, _, bishops, knights, _] = &mut net;
        if bishops.signum() == -knights.signum() {
            let even = bishops.signum() * bishops.abs().min(knights.abs());
            *bishops -= even;
            *knights += even;
        }
        let counted = |sign: i32| -> Vec<(Role, i32)> {
            let all = roles.into_iter().zip(net).map(|(role, net)| (role, sign * net));
            all.filter(|&(_, count)| count > 0).collect()
        };
        let (won, lost) = (counted(1), counted(-1));
        Gain {
            won,
            promoted: (promoted(line.us) - promoted(line.us.other())).max(0),
            lost,
            pawns: end.material_lead(line.us) - start.material_lead(line.us),
            is_back: start.material_lead(line.us) < 0 && end.material_lead(line.us) <= 0,
        }
    }

    /// In words: `wins a rook for a pawn`; `None` where nothing is won and no pawn promotes.
    pub fn words(&self) -> Option<String> {
        self.words_beside(false)
    }

    /// Like [`Gain::words`], but leaves out a promotion if the sentence has already told it
    /// (`promotes`).
    pub fn words_beside(&self, promotes: bool) -> Option<String> {
        let is_told = promotes && self.lost.is_empty();
        let promoted = if is_told { 0 } else { self.promoted };
        if self.pawns <= 0 || self.won.is_empty() && promoted == 0 {
            return None;
        }
        let names = |pieces: &[(Role, i32)]| -> String {
            let words: Vec<String> =
                pieces.iter().map(|&(role, count)| counted(role, count)).collect();
            listed(&words)
        };
        let is_minor =
            |pieces: &[(Role, i32)]| matches!(pieces, [(Role::Bishop | Role::Knight, 1)]);
        let wins = if self.is_back { "wins back" } else { "wins" };
        if let [(Role::Rook, 1), pawns @ ..] = &self.won[..]
            && is_minor(&self.lost)
            && promoted == 0
            && pawns.iter().all(|&(role, _)| role == Role::Pawn)
        {
            let pawns = pawns.iter().map(|&(role, count)| counted(role, count));
            let won: Vec<String> = ["the exchange".to_string()].into_iter().chain(pawns).collect();
            return Some(format!("{wins} {}", listed(&won)));
        }
        let mut gains = Vec::new();
        if promoted > 0 {
            gains.push(format!("promotes {}", counted(Role::Pawn, promoted)));
        }
        if !self.won.is_empty() {
            let wins = if self.lost.is_empty() { wins } else { "wins" };
            gains.push(format!("{wins} {}", names(&self.won)));
        }
        let gains = listed(&gains);
        Some(match self.lost.is_empty() {
            true => gains,
            false if self.won.is_empty() => format!("{gains} at the cost of {}", names(&self.lost)),
            false => format!("{gains} for {}", names(&self.lost)),
        })
    }
}

/// The promoted pieces of both sides that are on the board at the end of a line.
fn promoted_pieces(line: &PlayedLine) -> Vec<(Role, Color)> {
    let mut pieces: Vec<(Square, Role, Color)> = Vec::new();
    for (ply, m) in line.moves.iter().enumerate() {
        pieces.retain(|&(square, ..)| square != m.to());
        for (square, ..) in &mut pieces {
            if *square == m.from() {
                *square = m.to();
            }
        }
        if let Some(role) = m.promotion() {
            pieces.push((m.to(), role, line.positions[ply].turn()));
        }
    }
    pieces.into_iter().map(|(_, role, side)| (role, side)).collect()
}

/// A move of a line as it is written: `24...Nf3+`.
pub fn move_text(line: &PlayedLine, ply: usize) -> String {
    line_text(line.before(ply), &[line.moves[ply]]).replace(' ', "")
}

/// The piece on a square, as `the rook on e8`.
fn on(position: &Position, square: Square) -> String {
    match position.piece_at(square) {
        Some(Piece { role: Role::King, .. }) => "the king".to_string(),
        Some(Piece { role, .. }) => format!("the {} on {square}", role_name(role)),
        None => square.to_string(),
    }
}

/// The pieces on these squares by kind, the most valuable first: `king and two rooks`.
fn names(position: &Position, squares: &[Square]) -> String {
    let mut roles: Vec<Role> = squares
        .iter()
        .filter_map(|&square| position.piece_at(square))
        .map(|piece| piece.role)
        .collect();
    roles.sort_by_key(|&role| -worth(role));
    let names = roles.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1 => role_name(same[0]).to_string(),
        count => counted(same[0], count as i32),
    });
    listed(&names.collect::<Vec<_>>())
}

/// The order in which facts are told; those that say nothing beyond the line are not.
fn rank(motif: Motif) -> usize {
    use Motif::*;
    match motif {
        SmotheredMate => 0,
        BackRankMate => 1,
        Zugzwang => 2,
        TrappedPiece => 3,
        Fork => 4,
        DoubleCheck => 5,
        Skewer => 6,
        Deflection => 7,
        Attraction => 8,
        Interference => 9,
        Intermezzo => 10,
        DiscoveredCheck | DiscoveredAttack => 11,
        HangingPiece => 12,
        Clearance => 13,
        XRayAttack => 14,
        Pin => 15,
        UnderPromotion => 16,
        Promotion => 17,
        MateIn1 | MateIn2 | MateIn3 | MateIn4 | MateIn5 => 18,
    }
}

/// The facts worth telling, the most telling first.
pub fn telling(facts: &[Fact]) -> Vec<&Fact> {
    let mut told: Vec<&Fact> = facts.iter().collect();
    told.sort_by_key(|fact| (rank(fact.motif), fact.ply));
    told
}

/// Whether the reply, and not the move itself, blocks a line.
fn is_blocked_by_reply(fact: &Fact, line: &PlayedLine) -> bool {
    let [guard, guarded] = fact.squares[..] else { return false };
    fact.motif == Motif::Interference
        && !between(guard, guarded).contains(line.moves[fact.ply].to())
}

/// Whether a fact is too roundabout for a reason: a line that the reply blocks, unless a check drives the
/// king there.
pub fn is_roundabout(fact: &Fact, line: &PlayedLine) -> bool {
    let reply = fact.ply + 1;
    let drives_king = || {
        reply < line.moves.len()
            && line.after(fact.ply).checkers().any()
            && line.mover(reply) == Role::King
    };
    is_blocked_by_reply(fact, line) && !drives_king()
}

/// What a fact says, as a sentence without its full stop.
pub fn words(fact: &Fact, line: &PlayedLine) -> String {
    let (before, after) = (line.before(fact.ply), line.after(fact.ply));
    let san = move_text(line, fact.ply);
    let them = side_name(line.us.other());
    let square = |index: usize| fact.squares.get(index).copied().unwrap_or(fact.m.to());
    match fact.motif {
        Motif::MateIn1 | Motif::MateIn2 | Motif::MateIn3 | Motif::MateIn4 | Motif::MateIn5 => {
            format!("{san} is mate")
        }
        Motif::BackRankMate => {
            format!("{san} mates on the back rank, where the king is shut in by its own pieces")
        }
        Motif::SmotheredMate => {
            format!(
                "{san} is a smothered mate, with all squares of the king taken by its own pieces"
            )
        }
        Motif::Promotion => format!("{san} promotes to a {}", promoted(fact)),
        Motif::UnderPromotion => format!("{san} promotes to a {}, not to a queen", promoted(fact)),
        Motif::DoubleCheck => format!("{san} is a double check, so the king must move"),
        Motif::DiscoveredCheck => {
            format!("{san} opens the line of {} with check", on(after, square(0)))
        }
        Motif::DiscoveredAttack => format!("{san} opens a line against {}", on(after, square(0))),
        Motif::Fork => format!("{san} forks {}", names(after, &fact.squares)),
        Motif::Pin => format!("after {san} {} is pinned", on(after, square(0))),
        // The move captures the piece behind.
        Motif::Skewer if fact.m.to() == square(1) => {
            let taken = on(before, square(1));
            format!("{san} takes {taken}, which stood behind the piece that moved away")
        }
        Motif::Skewer => {
            format!("{san} attacks {} through {}", on(before, square(1)), on(before, square(0)))
        }
        Motif::XRayAttack => {
            format!("{san} recaptures along the line that the capturing piece has opened (x-ray)")
        }
        Motif::HangingPiece => {
            let (name, taken) = (line.captured(fact.ply).map_or("piece", role_name), fact.m.to());
            format!("{san} takes the undefended {name} on {taken}")
        }
        Motif::TrappedPiece => format!("after {san} {} has no safe square", on(after, square(0))),
        Motif::Deflection => {
            format!("{san} draws {} away from {}", on(after, square(0)), square(1))
        }
        Motif::Attraction => {
            let positions = line.positions.get(fact.ply + 2);
            let drawn = positions.and_then(|position| position.piece_at(square(0)));
            let name = drawn.map_or("piece", |piece| role_name(piece.role));
            format!("{san} draws the {name} to {}, where it is attacked", square(0))
        }
        Motif::Interference => {
            let (guard, guarded) = (on(after, square(0)), square(1));
            if is_roundabout(fact, line) {
                format!(
                    "{san} is answered by a move that blocks the line from {guard} to {guarded}"
                )
            } else if is_blocked_by_reply(fact, line) {
                format!("{san} drives the king into the line from {guard} to {guarded}")
            } else {
                format!("after {san} {guard} no longer guards {guarded}")
            }
        }
        Motif::Clearance => match line.moves.get(fact.ply + 2) {
            Some(_) => format!("{san} makes way for {}", move_text(line, fact.ply + 2)),
            None => format!("{san} makes room for the move to {}", square(0)),
        },
        Motif::Intermezzo => format!("{san} comes first, before the capture on {}", square(0)),
        Motif::Zugzwang => {
            format!("after {san} {them} is in zugzwang, and every move makes things worse")
        }
    }
}

/// The piece that a pawn becomes.
fn promoted(fact: &Fact) -> &'static str {
    fact.m.promotion().map_or("queen", role_name)
}
