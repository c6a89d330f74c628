//! What changes in the evaluation from one position to another, term by term, in chess words.
//!
//! Every row of both [breakdowns](Breakdown) belongs, for each side, to exactly one [`Theme`], such
//! as the white knights or the attack on the black king, so that the changes add up to the
//! difference of the scores. Where pieces are exchanged, what they were worth on their squares
//! belongs to the material. Words come from the counts and sets of squares of the two breakdowns: a
//! change says which squares a term has gained and lost, and no more.

use std::cmp::Reverse;

use super::breakdown::{Breakdown, Part, Row};
pub use super::deltas::{Delta, Theme};
use super::words;
use crate::chess::{Color, Role};
use crate::eval::terms::name;
use crate::eval::wording::About;

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

/// Kinds of pieces whose count changed, by side.
struct Exchanged(Vec<(Color, Role)>);

impl Exchanged {
    /// The parts of the row `material` in both positions: their index is the kind.
    fn new(parts: [Vec<Part>; 2]) -> Exchanged {
        let count = |parts: &[Part], side: Color, kind: usize| -> i32 {
            let same = parts.iter().filter(|part| part.side == side && part.index == kind);
            same.map(|part| part.count).sum()
        };
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let kinds = roles.into_iter().enumerate();
        let kinds = Color::ALL.into_iter().flat_map(|side| kinds.clone().map(move |k| (side, k)));
        let differs = |&(side, (kind, _)): &(Color, (usize, Role))| {
            count(&parts[0], side, kind) != count(&parts[1], side, kind)
        };
        Exchanged(kinds.filter(differs).map(|(side, (_, role))| (side, role)).collect())
    }

    /// What a row of a side belongs to.
    fn theme(&self, row: &Row, side: Color) -> Theme {
        match row.about {
            None => Theme::Result(row.name),
            Some(About::Material) => Theme::Material,
            Some(About::Move) => Theme::Move,
            Some(About::Pieces(role)) if self.0.contains(&(side, role)) => Theme::Material,
            Some(About::Pieces(role)) => Theme::Pieces(side, role),
            // Where pieces are gone, so are the attacks on them.
            Some(About::Safety) if self.0.iter().any(|&(owner, _)| owner == side) => {
                Theme::Material
            }
            Some(About::Safety) => Theme::Safety(side),
            Some(About::Pawns) => Theme::Pawns(side),
            Some(About::Passers) => Theme::Passers(side),
            Some(About::King) => Theme::King(side),
            Some(About::Control) => Theme::Control(side),
            Some(About::Threats) => Theme::Threats(side),
            Some(About::Danger) => Theme::Danger(side),
            Some(About::Initiative) => Theme::Initiative,
            Some(About::Scale) => Theme::Scale,
            Some(About::BareKing) => Theme::BareKing,
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
