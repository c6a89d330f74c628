//! What changes in the evaluation from one position to another, term by term, in chess words.
//!
//! Every row of both [breakdowns](Breakdown) belongs to exactly one [`Change`], so that the changes
//! add up to the difference of the scores. Words come from the counts and sets of squares of the
//! two breakdowns: a change says which squares a term has gained and lost, and no more.

use std::cmp::Reverse;

use super::breakdown::{Breakdown, Part, Row, Section, Share};
use super::words;
use crate::chess::{Bitboard, Color};
use crate::eval::terms::TermGroup;

/// A term of one side in both positions.
#[derive(Clone, Debug)]
pub struct Delta {
    /// The name of the term: `passed_rank`.
    pub term: &'static str,
    /// What tables call it.
    pub title: &'static str,
    /// What it counts, in one sentence.
    pub legend: &'static str,
    /// The side that has it.
    pub side: Color,
    /// What it gives that side before and after.
    pub shares: [Share; 2],
    /// Where the shares come from, before and after.
    pub parts: [Vec<Part>; 2],
}

impl Delta {
    fn new([before, after]: [&Row; 2], side: Color) -> Delta {
        let parts =
            |row: &Row| row.parts.iter().filter(|part| part.side == side).copied().collect();
        Delta {
            term: before.name,
            title: before.title,
            legend: before.legend,
            side,
            shares: [before, after].map(|row| *row.share(side)),
            parts: [parts(before), parts(after)],
        }
    }

    /// Squares that the term has after and had not before.
    pub fn gained(&self) -> Bitboard {
        self.shares[1].squares & !self.shares[0].squares
    }

    /// Squares that the term had before and has no longer.
    pub fn lost(&self) -> Bitboard {
        self.shares[0].squares & !self.shares[1].squares
    }

    /// How often the term is counted before and after.
    pub fn counts(&self) -> [i32; 2] {
        self.shares.map(|share| share.count)
    }

    /// By how many centipawns the side has more of it after.
    pub fn cp(&self) -> i32 {
        self.shares[1].cp - self.shares[0].cp
    }

    /// The same for White, that is negative where Black has more.
    pub fn white_cp(&self) -> i32 {
        if self.side.is_white() { self.cp() } else { -self.cp() }
    }

    /// Whether anything of it is counted otherwise, and not only worth more or less.
    pub fn is_counted_anew(&self) -> bool {
        let key = |parts: &[Part]| -> Vec<(usize, i32, Bitboard)> {
            parts.iter().map(|part| (part.index, part.count, part.squares)).collect()
        };
        key(&self.parts[0]) != key(&self.parts[1])
    }
}

/// One change: a term of one side, or terms that belong together.
#[derive(Clone, Debug)]
pub struct Change {
    /// The change in centipawns of the score that users see, for White.
    pub cp: i32,
    /// What has changed, in chess words, without a full stop.
    pub words: String,
    /// The terms that the change is made of.
    pub deltas: Vec<Delta>,
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
        let mut list = Vec::new();
        let mut add = |deltas: Vec<Delta>, words: String| {
            let cp = deltas.iter().map(Delta::white_cp).sum();
            if cp != 0 {
                list.push(Change { cp, words, deltas });
            }
        };
        let both = |section: &dyn Fn(Section) -> bool| -> Vec<[&Row; 2]> {
            let rows = before.rows.iter().zip(&after.rows);
            rows.filter(|(row, _)| section(row.section)).map(|(a, b)| [a, b]).collect()
        };
        let group = |group: TermGroup| both(&move |section| section == Section::Group(group));
        for rows in group(TermGroup::Material) {
            let deltas = Color::ALL.map(|side| Delta::new(rows, side));
            let words = words::material(&deltas);
            add(deltas.into(), words);
        }
        for in_group in TermGroup::ALL {
            let Some(words) = words::of_group(in_group) else { continue };
            for rows in group(in_group) {
                for side in Color::ALL {
                    let delta = Delta::new(rows, side);
                    let text = words(&delta).unwrap_or_else(|| words::worth(&delta));
                    add(vec![delta], text);
                }
            }
        }
        for side in Color::ALL {
            let deltas: Vec<Delta> =
                group(TermGroup::Danger).into_iter().map(|rows| Delta::new(rows, side)).collect();
            let words = words::danger(side, &deltas);
            add(deltas, words);
        }
        let all_sides = |rows: Vec<[&Row; 2]>| -> Vec<Delta> {
            let sides = |rows| Color::ALL.map(|side| Delta::new(rows, side));
            rows.into_iter().flat_map(sides).collect()
        };
        let initiative = all_sides(group(TermGroup::Initiative));
        let words = words::initiative(&initiative);
        add(initiative, words);
        add(all_sides(group(TermGroup::Scale)), words::scale([before.scale, after.scale]));
        for rows in both(&|section| section == Section::Result) {
            let deltas = Color::ALL.map(|side| Delta::new(rows, side));
            let words = words::result(&deltas);
            add(deltas.into(), words);
        }
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
