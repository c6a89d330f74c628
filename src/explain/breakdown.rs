//! The evaluation as rows that add up: what each term gives White and Black, in centipawns of the
//! score that users see.
//!
//! The evaluation is not a plain sum. These rules make it one:
//!
//! - **Unit.** Centipawns as they are [shown]: those of the evaluation times a
//!   constant near 1. What a score loses at the ends of its range, and a score of 1 that is shown
//!   as 0, is the row `score_limits`.
//! - **Phase.** A row is its middlegame value times the share of the middlegame plus its endgame
//!   value times the rest. The endgame value is not scaled here.
//! - **King danger.** A formula turns a side's attack units into centipawns. Its result is shared
//!   among the terms in proportion to their units.
//! - **Initiative.** It adds to an advantage, or takes away at most half of it. The result is shared
//!   among its terms in proportion to their values, and stands in the column of the side
//!   that is ahead in the endgame.
//! - **Scale.** What the scale factor takes from the endgame value, or adds to it, is the row of
//!   the scale term that applies, in the column of the side that is ahead in the endgame.
//! - **Known endgames** and material that cannot win have rows of their own, with what they change.
//! - **Rounding.** The differences of all rows are rounded to whole centipawns by the method of
//!   largest remainders, so that they add up to the score exactly. No difference is more than one
//!   and a half centipawns from its exact value, mostly less than one.
//!
//! ```
//! use freshet::board::Position;
//! use freshet::eval::Evaluator;
//! use freshet::explain::breakdown::Breakdown;
//!
//! let position = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1").unwrap();
//! let breakdown = Breakdown::of(&position, &mut Evaluator::new());
//! assert_eq!(breakdown.rows.iter().map(|row| row.cp).sum::<i32>(), breakdown.total);
//! let rook = breakdown.row("material").unwrap();
//! assert!(rook.white.cp - rook.black.cp > 400 && rook.legend.ends_with('.'));
//! ```

use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Role};
use crate::eval::terms::{Purpose, TERMS, TermGroup, TermInfo};
use crate::eval::total::{UNSCALED, attack};
use crate::eval::wording::{About, Wording};
use crate::eval::{Evaluator, FULL_PHASE, Steps, Trace};
use crate::known::Reason;
use crate::score::Score;
use crate::wdl::{hidden, shown};

/// An evaluation as rows. Every breakdown has the same rows in the same order, those that are zero
/// too, so that two can be compared row by row.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The rows: all terms in the order of [`TERMS`], then [`RESULTS`].
    pub rows: Vec<Row>,
    /// The score in centipawns as users see it, from White's view: the sum of all rows.
    pub total: i32,
    /// The phase, from 0 without pieces to [`FULL_PHASE`] with all.
    pub phase: i32,
    /// The factor of the endgame value, in 64ths.
    pub scale: i32,
}

/// What a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// A group of terms.
    Group(TermGroup),
    /// What is known of the result: [`RESULTS`].
    Result,
}

impl Section {
    /// All sections, in the order of the rows.
    pub fn all() -> impl Iterator<Item = Section> {
        TermGroup::ALL.into_iter().map(Section::Group).chain([Section::Result])
    }

    /// What tables call it.
    pub fn title(self) -> &'static str {
        match self {
            Section::Group(group) => group.title(),
            Section::Result => "Known results",
        }
    }
}

/// A row that is no term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultInfo {
    /// The name in files.
    pub name: &'static str,
    /// What tables call it.
    pub title: &'static str,
    /// What it is, in one sentence.
    pub legend: &'static str,
}

/// The rows that are no terms.
pub const RESULTS: [ResultInfo; 9] = [
    ResultInfo {
        name: "cannot_win",
        title: "not enough to win",
        legend: "The side that is ahead cannot win with the pieces and pawns it has.",
    },
    ResultInfo {
        name: "king_and_pawn",
        title: "king and pawn against king",
        legend: "This endgame is solved: the pawn wins, or it is a draw.",
    },
    ResultInfo {
        name: "four_pieces",
        title: "four-piece ending",
        legend: "This endgame is solved: won for one side, or a draw.",
    },
    ResultInfo {
        name: "bare_king",
        title: "pieces against a bare king",
        legend: "This endgame is solved: a draw, or the score falls with the moves to mate.",
    },
    ResultInfo {
        name: "locked_pawns",
        title: "locked pawns",
        legend: "All ways of both kings through the locked pawns were looked at.",
    },
    ResultInfo {
        name: "pawn_ending",
        title: "pawn ending, judged",
        legend: "Kings and pawns were followed up to promotions: a judgement, unless a draw is proven.",
    },
    ResultInfo {
        name: "wall",
        title: "wall",
        legend: "The pawns are a wall behind which the other side holds: it is proven that no piece of \
                 the side ahead gets through.",
    },
    ResultInfo {
        name: "piece_ending",
        title: "ending with pieces",
        legend: "All moves that matter were followed: the side ahead is proven unable to win, or it wins \
                 or seems to.",
    },
    ResultInfo {
        name: "score_limits",
        title: "limits of the score",
        legend: "Scores have a greatest value, and a hundredth of a pawn is shown as a draw.",
    },
];

/// One row: a term, or what is known of the result.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it belongs to.
    pub section: Section,
    /// The name in the source and in files: `passed_rank`.
    pub name: &'static str,
    /// What tables call it: `passed pawns by rank`.
    pub title: &'static str,
    /// What it counts, in one sentence.
    pub legend: &'static str,
    /// What it is about; `None` for what is known of the result.
    pub about: Option<About>,
    /// How a change of it is told.
    pub wording: Wording,
    /// What it gives White.
    pub white: Share,
    /// What it gives Black. A row counts as White's share less Black's.
    pub black: Share,
    /// The difference in whole centipawns: `white.cp - black.cp`.
    pub cp: i32,
    /// Where the shares come from, without those that are counted zero times.
    pub parts: Vec<Part>,
}

impl Row {
    /// The share of a side.
    pub fn share(&self, side: Color) -> &Share {
        if side.is_white() { &self.white } else { &self.black }
    }

    /// The exact difference in centipawns, before rounding.
    pub fn exact(&self) -> f64 {
        self.white.exact - self.black.exact
    }

    /// Whether neither side has anything here.
    pub fn is_zero(&self) -> bool {
        self.white.cp == 0 && self.black.cp == 0
    }
}

/// What a row gives one side. All values are centipawns of the score that users see.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// Whole centipawns, tapered.
    pub cp: i32,
    /// The value before rounding.
    pub exact: f64,
    /// What it would be in a pure middlegame.
    pub mg: f64,
    /// What it would be in a pure endgame, not scaled.
    pub eg: f64,
    /// How often the term is counted.
    pub count: i32,
    /// The squares it is counted on, seen by White. Empty where the term has no place on the board.
    pub squares: Bitboard,
}

/// One weight of a term for one side. The index is that of the weight: the rank of a passed pawn,
/// the number of moves of a knight, for maps the square as the side sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The side.
    pub side: Color,
    /// The index of the weight in the term's row.
    pub index: usize,
    /// How often it is counted.
    pub count: i32,
    /// On which squares, seen by White.
    pub squares: Bitboard,
    /// What it gives the side, in centipawns, tapered, before rounding.
    pub exact: f64,
}

/// A middlegame and an endgame value in centipawns of the evaluation.
type Pair = [f64; 2];

impl Breakdown {
    /// The breakdown of a position's static evaluation. First solves endings with a few pieces and pawn
    /// endings, as a search with enough time does: up to two seconds, or five with three pieces and no
    /// pawns.
    pub fn with_walls(position: &Position, evaluator: &mut Evaluator) -> Breakdown {
        evaluator.prepare(position);
        Breakdown::of(position, evaluator)
    }

    /// The breakdown of a position's static evaluation at once: what takes time to solve is left
    /// out.
    pub fn of(position: &Position, evaluator: &mut Evaluator) -> Breakdown {
        let Trace { counts: all_counts, squares, steps, .. } = evaluator.trace(position);
        let (steps, weights) = (&steps, evaluator.weights());
        let sharing = Sharing::new(steps);
        let mut rows: Vec<Row> = TERMS.iter().map(Row::of_term).collect();
        for side in Color::ALL {
            let (mut counts, mut sets) = (Vec::new(), Vec::new());
            all_counts.get(side).each(|_, _, row| counts.push(row.to_vec()));
            squares.get(side).each(|_, _, row| sets.push(row.to_vec()));
            let mut index = 0;
            weights.each(|group, _, weights| {
                for (at, weight) in weights.iter().enumerate() {
                    let count = counts[index][at];
                    if count == 0 {
                        continue;
                    }
                    let value = [weight.mg() * count, weight.eg() * count].map(f64::from);
                    let (owner, value) = sharing.value(group.purpose(), side, value);
                    rows[index].add(owner, at, count, sets[index][at], sharing.shown(value));
                }
                index += 1;
            });
        }
        add_material_squares(&mut rows[0], position);
        rows.extend(results(position, steps, &sharing));
        let total = shown(Score::cp(steps.total).raw());
        let mut breakdown = Breakdown { rows, total, phase: steps.phase, scale: steps.sums.scale };
        breakdown.round();
        breakdown
    }

    /// The row with this name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// The rows of a section.
    pub fn section(&self, section: Section) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.section == section)
    }

    /// Rounds all rows to whole centipawns, so that they add up to the total.
    fn round(&mut self) {
        let exact: Vec<f64> = self.rows.iter().map(Row::exact).collect();
        for (row, cp) in self.rows.iter_mut().zip(round_to_sum(&exact, self.total)) {
            row.cp = cp;
            let (white, black) = (row.white.exact, row.black.exact);
            // Both columns share the error of the difference; a side without a share stays at zero.
            row.white.cp = if white.abs() < NOTHING {
                0
            } else if black.abs() < NOTHING {
                cp
            } else {
                ((white + black + f64::from(cp)) / 2.0).round() as i32
            };
            row.black.cp = row.white.cp - cp;
        }
    }
}

/// Below this a value is zero with an error of computing.
const NOTHING: f64 = 1e-9;

/// Rounds numbers to whole ones that add up to `sum`: each is rounded, and where the sum is missed,
/// those change that were nearest to being rounded the other way (the method of largest
/// remainders). Zeros stay zero.
fn round_to_sum(exact: &[f64], sum: i32) -> Vec<i32> {
    let mut rounded: Vec<i32> = exact.iter().map(|value| value.round() as i32).collect();
    let mut missing = sum - rounded.iter().sum::<i32>();
    while missing != 0 {
        let step = missing.signum();
        let remainder = |index: usize| (exact[index] - f64::from(rounded[index])) * f64::from(step);
        let candidates = (0..exact.len()).filter(|&index| exact[index].abs() >= NOTHING);
        let best = candidates.max_by(|&a, &b| remainder(a).total_cmp(&remainder(b)));
        // If all are zero so is the score.
        let Some(best) = best else { break };
        rounded[best] += step;
        missing -= step;
    }
    rounded
}

impl Row {
    fn of_term(info: &TermInfo) -> Row {
        let TermInfo { group, name, title, legend, about, wording, .. } = *info;
        let row = Row::empty(Section::Group(group), ResultInfo { name, title, legend });
        Row { about: Some(about), wording, ..row }
    }

    fn empty(section: Section, ResultInfo { name, title, legend }: ResultInfo) -> Row {
        let (white, black) = (Share::default(), Share::default());
        let (about, wording) = (None, Wording::Total);
        Row { section, name, title, legend, about, wording, white, black, cp: 0, parts: Vec::new() }
    }

    /// Adds what a weight gives a side.
    fn add(&mut self, side: Color, index: usize, count: i32, squares: Bitboard, value: Value) {
        let share = if side.is_white() { &mut self.white } else { &mut self.black };
        share.exact += value.tapered;
        share.mg += value.pair[0];
        share.eg += value.pair[1];
        share.count += count;
        share.squares |= squares;
        self.parts.push(Part { side, index, count, squares, exact: value.tapered });
    }
}

/// A value in centipawns that users see.
#[derive(Clone, Copy, Debug)]
struct Value {
    pair: Pair,
    tapered: f64,
}

/// How the results of formulas are shared among terms.
struct Sharing {
    /// Centipawns of each side's attack on the king for one unit.
    danger: ByColor<Pair>,
    /// The part of the initiative that is counted, and for whom.
    initiative: f64,
    /// The side that is ahead in the endgame.
    ahead: Color,
    /// The endgame value, for that side.
    endgame: f64,
    /// The scale factor, less one.
    scale: f64,
    /// The share of the middlegame.
    middlegame: f64,
}

impl Sharing {
    fn new(steps: &Steps) -> Sharing {
        let sums = &steps.sums;
        let attacks = sums.danger.map(attack);
        let rate = |result: i32, units: i32| {
            if units > 0 { f64::from(result) / f64::from(units) } else { 0.0 }
        };
        let rates =
            |side: usize| [0, 1].map(|phase| rate(attacks[side][phase], sums.danger[side][phase]));
        let before = sums.value[1] + attacks[0][1] - attacks[1][1];
        let added = (steps.balance[1] - before) * before.signum();
        let [mg, eg] = steps.balance;
        let white_is_ahead = eg > 0 || (eg == 0 && (before > 0 || (before == 0 && mg > 0)));
        let ahead = Color::from_white(white_is_ahead);
        Sharing {
            danger: ByColor { white: rates(0), black: rates(1) },
            initiative: if sums.initiative == 0 {
                0.0
            } else {
                f64::from(added) / f64::from(sums.initiative)
            },
            ahead,
            endgame: f64::from(if white_is_ahead { eg } else { -eg }),
            scale: f64::from(sums.scale - UNSCALED) / f64::from(UNSCALED),
            middlegame: f64::from(steps.phase) / f64::from(FULL_PHASE),
        }
    }

    /// Count times weight turned into centipawns of the evaluation, and the side that has them.
    fn value(&self, purpose: Purpose, side: Color, [mg, eg]: Pair) -> (Color, Pair) {
        match purpose {
            Purpose::Value => (side, [mg, eg]),
            Purpose::Danger => {
                let [rate_mg, rate_eg] = *self.danger.get(side);
                (side, [mg * rate_mg, eg * rate_eg])
            }
            Purpose::Initiative => (self.ahead, [0.0, eg * self.initiative]),
            Purpose::Scale => (side, [0.0, self.endgame * self.scale]),
        }
    }

    /// A value in centipawns of the evaluation as users see it.
    fn shown(&self, [mg, eg]: Pair) -> Value {
        let pair = [mg / hidden(1), eg / hidden(1)];
        Value { pair, tapered: pair[0] * self.middlegame + pair[1] * (1.0 - self.middlegame) }
    }
}

/// The trace counts numbers of pieces: their squares are those of the board.
fn add_material_squares(row: &mut Row, position: &Position) {
    const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    for part in &mut row.parts {
        part.squares = position.set(part.side, ROLES[part.index]);
        let share = if part.side.is_white() { &mut row.white } else { &mut row.black };
        share.squares |= part.squares;
    }
}

/// The rows of [`RESULTS`].
fn results(position: &Position, steps: &Steps, sharing: &Sharing) -> Vec<Row> {
    let mut rows: Vec<Row> =
        RESULTS.into_iter().map(|info| Row::empty(Section::Result, info)).collect();
    let mut add = |name: &str, side: Color, pair: Pair, squares: Bitboard| {
        if let Some(row) = rows.iter_mut().find(|row| row.name == name) {
            row.add(side, 0, 1, squares, sharing.shown(pair));
        }
    };
    if steps.cannot_win {
        let sign = if sharing.ahead.is_white() { -1 } else { 1 };
        let pair = steps.balance.map(|value| f64::from(sign * value));
        add("cannot_win", sharing.ahead, pair, Bitboard::EMPTY);
    }
    if steps.endgame_correction != 0
        && let Some(known) = steps.known
    {
        let name = match known.reason {
            Reason::PawnAgainstKing => "king_and_pawn",
            Reason::FourPieces(_) => "four_pieces",
            Reason::BareKing(_) => "bare_king",
            Reason::LockedPawns => "locked_pawns",
            Reason::PawnEnding => "pawn_ending",
            Reason::Wall => "wall",
            Reason::PieceEnding => "piece_ending",
        };
        // It stands with the side that was ahead before: a draw takes its advantage away.
        let (correction, before) = (steps.endgame_correction, steps.tapered);
        let is_white = if before == 0 { correction > 0 } else { before > 0 };
        let value = f64::from(if is_white { correction } else { -correction });
        let side = Color::from_white(is_white);
        add(name, side, [value; 2], position.role(Role::Pawn));
    }
    let limited = Score::cp(steps.total).raw();
    let change = if shown(limited) == 0 { -steps.total } else { limited - steps.total };
    if change != 0 {
        let side = Color::from_white(steps.total > 0);
        let value = f64::from(if steps.total > 0 { change } else { -change });
        add("score_limits", side, [value; 2], Bitboard::EMPTY);
    }
    rows
}
