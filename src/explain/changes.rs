//! What changes in the evaluation from one position to another, term by term, in chess words.
//!
//! Every row of both [breakdowns](Breakdown) belongs, for each side, to exactly one [`Theme`], such
//! as the white knights or the attack on the black king, so that the changes add up to the
//! difference of the scores. Where pieces are exchanged, what they were worth on their squares
//! belongs to the material. Words come from the counts and sets of squares of the two breakdowns: a
//! change says which squares a term has gained and lost, and no more.

use std::cmp::Reverse;

use super::breakdown::{Breakdown, Part, Row, Section};
pub use super::deltas::{Delta, Theme};
use super::words;
use crate::chess::{Color, Role};
use crate::eval::terms::{TermGroup, name};

/// One change: terms that belong together.
#[derive(Clone, Debug)]
pub struct Change {
    /// The change in centipawns of the score that users see, for White.
    pub cp: i32,
    /// What has changed, in chess words, without a full stop.
    pub words: String,
    /// The terms that the change is made of, those that have not changed too.
    pub deltas: Vec<Delta>,
}

/// Piece types whose count changed, by side.
struct Exchanged(Vec<(Color, usize)>);

impl Exchanged {
    /// The parts of the row `material` in both positions: their index is the kind.
    fn new(parts: [Vec<Part>; 2]) -> Exchanged {
        let count = |parts: &[Part], side: Color, kind: usize| -> i32 {
            let same = parts.iter().filter(|part| part.side == side && part.index == kind);
            same.map(|part| part.count).sum()
        };
        let kinds = Color::ALL.into_iter().flat_map(|side| (0..5).map(move |kind| (side, kind)));
        let differs = |&(side, kind): &(Color, usize)| {
            count(&parts[0], side, kind) != count(&parts[1], side, kind)
        };
        Exchanged(kinds.filter(differs).collect())
    }

    /// What a row of a side belongs to.
    fn theme(&self, row: &Row, side: Color) -> Theme {
        let group = match row.section {
            Section::Group(group) => group,
            Section::Result => return Theme::Result(row.name),
        };
        let pieces = |role: Role, kind: usize| match self.0.contains(&(side, kind)) {
            true => Theme::Material,
            false => Theme::Pieces(side, role),
        };
        match row.name {
            name::tempo => return Theme::Move,
            name::knight_psqt | name::knight_attacks => return pieces(Role::Knight, 1),
            name::bishop_psqt | name::bishop_attacks => return pieces(Role::Bishop, 2),
            name::rook_psqt | name::rook_attacks => return pieces(Role::Rook, 3),
            name::queen_psqt | name::queen_attacks => return pieces(Role::Queen, 4),
            name::knight_mobility | name::knight_outpost | name::reachable_outpost => {
                return pieces(Role::Knight, 1);
            }
            name::bishop_mobility
            | name::bishop_outpost
            | name::bishop_pawns
            | name::bishop_blocked_pawns => {
                return pieces(Role::Bishop, 2);
            }
            name::rook_mobility | name::rook_open_file | name::rook_half_open_file => {
                return pieces(Role::Rook, 3);
            }
            name::queen_mobility => return pieces(Role::Queen, 4),
            name::king_psqt | name::king_wave => return Theme::King(side),
            name::passed_psqt | name::passed_safe_path | name::candidate_passer => {
                return Theme::Passers(side);
            }
            // Where pieces are gone, so are the attacks on them.
            name::defence | name::pinned | name::en_prise | name::defended_by_king => {
                let is_exchanged = self.0.iter().any(|&(owner, _)| owner == side);
                return if is_exchanged { Theme::Material } else { Theme::Safety(side) };
            }
            name::bare_king | name::bare_king_edge | name::bare_king_proximity => {
                return Theme::BareKing;
            }
            _ => {}
        }
        match group {
            TermGroup::Material => Theme::Material,
            TermGroup::Squares | TermGroup::Pawns => Theme::Pawns(side),
            TermGroup::Passers => Theme::Passers(side),
            TermGroup::King => Theme::King(side),
            TermGroup::Threats if row.name != name::restricted => Theme::Threats(side),
            TermGroup::Danger => Theme::Danger(side),
            TermGroup::Initiative => Theme::Initiative,
            TermGroup::Scale => Theme::Scale,
            TermGroup::Fills
                if matches!(row.name, name::pawn_attacks | name::behind_pawns | name::rams) =>
            {
                Theme::Pawns(side)
            }
            TermGroup::Fills | TermGroup::Mobility | TermGroup::Threats | TermGroup::Territory => {
                Theme::Control(side)
            }
        }
    }
}

/// What changes from one position to another.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The evaluation before, in centipawns that users see, for White.
    pub before: i32,
    /// The evaluation after.
    pub after: i32,
    /// What has changed, the largest first. The centipawns add up to `after - before`.
    pub list: Vec<Change>,
}

/// The changes that are named: the others are added up.
#[derive(Clone, Debug)]
pub struct Named<'a> {
    /// The largest changes.
    pub largest: Vec<&'a Change>,
    /// How many others there are, and their centipawns for White.
    pub others: (usize, i32),
}

impl Changes {
    /// The changes between two breakdowns.
    pub fn between(before: &Breakdown, after: &Breakdown) -> Changes {
        let material = |breakdown: &Breakdown| {
            breakdown
                .rows
                .iter()
                .find(|row| row.name == name::material)
                .map(|row| row.parts.clone())
        };
        let exchanged =
            Exchanged::new([material(before), material(after)].map(Option::unwrap_or_default));
        let mut themes: Vec<(Theme, Vec<Delta>)> = Vec::new();
        for (before, after) in before.rows.iter().zip(&after.rows) {
            for side in Color::ALL {
                let theme = exchanged.theme(before, side);
                let delta = Delta::new([before, after], side);
                match themes.iter_mut().find(|(other, _)| *other == theme) {
                    Some((_, deltas)) => deltas.push(delta),
                    None => themes.push((theme, vec![delta])),
                }
            }
        }
        let scales = [before.scale, after.scale];
        let mut list: Vec<Change> = themes
            .into_iter()
            .map(|(theme, deltas)| Change {
                cp: deltas.iter().map(Delta::white_cp).sum(),
                words: words::theme(theme, &deltas, scales),
                deltas,
            })
            .filter(|change| change.cp != 0)
            .collect();
        list.sort_by_key(|change| Reverse(change.cp.abs()));
        Changes { before: before.total, after: after.total, list }
    }

    /// Those of at least `least` centipawns, at most `most` of them, and the sum of the others.
    pub fn named(&self, most: usize, least: i32) -> Named<'_> {
        let large = |change: &&Change| change.cp.abs() >= least;
        let largest: Vec<&Change> = self.list.iter().take(most).filter(large).collect();
        let others = &self.list[largest.len()..];
        let sum = others.iter().map(|change| change.cp).sum();
        Named { others: (others.len(), sum), largest }
    }
}
