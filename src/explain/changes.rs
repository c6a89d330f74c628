//! What changes in the evaluation from one position to another, term by term, in chess words.
//!
//! Every row of both [breakdowns](Breakdown) belongs, for each side, to exactly one [`Theme`], such
//! as the white knights or the attack on the black king, so that the changes add up to the
//! difference of the scores. Where men are exchanged, what they were worth on their squares belongs
//! to the material. Words come from the counts and sets of squares of the
//! two breakdowns: a change says which squares a term has gained and lost, and no more.

use std::cmp::Reverse;

use super::breakdown::{Breakdown, Part, Row, Section, Share};
use super::words;
use crate::chess::{Bitboard, Color, Role};
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

    /// What the squares gained and the squares lost are worth for the side, about: in centipawns.
    pub fn worth_of_squares(&self) -> [f64; 2] {
        let sum = |parts: &[Part], squares: Bitboard| -> f64 {
            let on = parts.iter().filter(|part| (part.squares & squares).any());
            on.map(|part| part.exact).sum()
        };
        [sum(&self.parts[1], self.gained()), -sum(&self.parts[0], self.lost())]
    }

    /// Whether anything of it is counted otherwise, and not only worth more or less.
    pub fn is_counted_anew(&self) -> bool {
        let key = |parts: &[Part]| -> Vec<(usize, i32, Bitboard)> {
            parts.iter().map(|part| (part.index, part.count, part.squares)).collect()
        };
        key(&self.parts[0]) != key(&self.parts[1])
    }
}

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

/// Terms that belong together, and that are told as one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The men of both sides; also where those stood that one position has and the other has not.
    Material,
    /// Whose move it is.
    Move,
    /// Where the pieces of a kind stand, what they attack and how far they can go.
    Pieces(Color, Role),
    /// The pawns and their structure.
    Pawns(Color),
    /// Passed pawns, and those that can become passed.
    Passers(Color),
    /// The place of the king, its shelter and the squares it can reach.
    King(Color),
    /// Squares a side controls, space.
    Control(Color),
    /// Threats of a side.
    Threats(Color),
    /// How a side's pieces and pawns are attacked and defended.
    Safety(Color),
    /// A side's attack on the king.
    Danger(Color),
    /// The initiative of the side that is ahead.
    Initiative,
    /// The scale factor of the endgame.
    Scale,
    /// Driving a bare king to mate.
    BareKing,
    /// What is known of the result, a row of its own.
    Result(&'static str),
}

/// The kinds of men of which a side has another number in the other position.
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
            "tempo" => return Theme::Move,
            "knight_psqt" | "knight_attacks" => return pieces(Role::Knight, 1),
            "bishop_psqt" | "bishop_attacks" => return pieces(Role::Bishop, 2),
            "rook_psqt" | "rook_attacks" => return pieces(Role::Rook, 3),
            "queen_psqt" | "queen_attacks" => return pieces(Role::Queen, 4),
            "knight_mobility" | "knight_outpost" | "reachable_outpost" => {
                return pieces(Role::Knight, 1);
            }
            "bishop_mobility" | "bishop_outpost" | "bishop_pawns" | "bishop_blocked_pawns" => {
                return pieces(Role::Bishop, 2);
            }
            "rook_mobility" | "rook_open_file" | "rook_half_open_file" => {
                return pieces(Role::Rook, 3);
            }
            "queen_mobility" => return pieces(Role::Queen, 4),
            "king_psqt" | "king_wave" => return Theme::King(side),
            name if name.starts_with("passed_") || name == "candidate_passer" => {
                return Theme::Passers(side);
            }
            // Where men are gone, so are the attacks on them.
            "defence" | "pinned" | "en_prise" | "defended_by_king" => {
                let is_exchanged = self.0.iter().any(|&(owner, _)| owner == side);
                return if is_exchanged { Theme::Material } else { Theme::Safety(side) };
            }
            name if name.starts_with("bare_king") => return Theme::BareKing,
            _ => {}
        }
        match group {
            TermGroup::Material => Theme::Material,
            TermGroup::Squares | TermGroup::Pawns => Theme::Pawns(side),
            TermGroup::Passers => Theme::Passers(side),
            TermGroup::King => Theme::King(side),
            TermGroup::Threats if row.name != "restricted" => Theme::Threats(side),
            TermGroup::Danger => Theme::Danger(side),
            TermGroup::Initiative => Theme::Initiative,
            TermGroup::Scale => Theme::Scale,
            TermGroup::Fills if matches!(row.name, "pawn_attacks" | "behind_pawns" | "rams") => {
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
        let men = |breakdown: &Breakdown| {
            breakdown.rows.iter().find(|row| row.name == "material").map(|row| row.parts.clone())
        };
        let exchanged = Exchanged::new([men(before), men(after)].map(Option::unwrap_or_default));
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
