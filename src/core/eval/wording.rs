//! How a change of a term is told: what it is about, and its words, declared with the term.
//!
//! In the words `{side}` stands for the side that has the term, `{enemy}` for the other one,
//! `{own}` and `{their}` for their adjectives, and `%` for squares.

use crate::chess::Role;

/// What a term is about. Terms about the same, of one side or of both, are told together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The pieces and pawns of both sides.
    Material,
    /// Whose move it is.
    Move,
    /// Where the pieces of a kind stand, what they attack and how far they can go.
    Pieces(Role),
    /// The pawns and their structure.
    Pawns,
    /// Passed pawns, and those that can become passed.
    Passers,
    /// The place of the king, its shelter and the squares it can reach.
    King,
    /// Squares a side controls, space.
    Control,
    /// Threats of a side.
    Threats,
    /// How a side's pieces and pawns are attacked and defended.
    Safety,
    /// A side's attack on the king.
    Danger,
    /// The initiative of the side that is ahead.
    Initiative,
    /// The scale factor of the endgame.
    Scale,
    /// Driving a bare king to mate.
    BareKing,
}

/// How a change of a term is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// Only in a sum with others.
    Total,
    /// Of one square or of several: `White now has an isolated pawn on d4`.
    Has(&'static str, &'static str),
    /// What a subject does on the squares gained, and no more on those lost.
    Does {
        /// The subject.
        subject: &'static str,
        /// The predicate for the squares gained.
        now: &'static str,
        /// The predicate for the squares lost.
        no_longer: &'static str,
    },
    /// What is the case or not: `White may castle`, `White may no longer castle`.
    Fact(&'static str, &'static str),
    /// In a way of its own.
    Special(Special),
}

/// Terms that are told in a way of their own: by what their counts and indices mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// Pieces and the squares they cover.
    Mobility,
    /// Passed pawns that can advance safely.
    SafeAdvance,
    /// The moves that a king needs to the square before a passed pawn.
    KingDistance {
        /// Whether it is the king of the pawn's side.
        own: bool,
    },
    /// Pawns before their king.
    Shelter,
    /// Enemy pawns before a king.
    Storm,
    /// How a piece is attacked and defended.
    Defence,
    /// Pieces in danger.
    InDanger,
    /// Squares of space.
    Space,
    /// A bare king's way from the centre.
    Edge,
}

/// [`Wording::Has`]: one, several.
pub(super) const fn has(one: &'static str, several: &'static str) -> Wording {
    Wording::Has(one, several)
}

/// [`Wording::Does`].
pub(super) const fn does(
    subject: &'static str,
    now: &'static str,
    no_longer: &'static str,
) -> Wording {
    Wording::Does { subject, now, no_longer }
}

/// [`Wording::Fact`].
pub(super) const fn fact(now: &'static str, no_longer: &'static str) -> Wording {
    Wording::Fact(now, no_longer)
}
