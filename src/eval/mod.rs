//! What a position is worth.
//!
//! [`evaluate`] is the tour: the sets of both sides from a few fills, the rooms one after the other, each counting
//! for White and for Black on the same line of code, then the endings that are hard to win, the taper between
//! middlegame and endgame, and the blocked endings. [`trace`] makes the same tour and keeps every count.

pub mod endgames;
mod king;
mod material;
mod mobility;
mod passers;
mod pawns;
pub mod phased;
mod side;
mod squares;
mod tally;
pub mod terms;
mod territory;
mod threats;
pub mod total;
pub mod weights;

use crate::board::Position;
use crate::chess::{Bitboard, ByColor, Color, Role};
use crate::score::Score;
pub use endgames::locked_pawns::Verdict;
use endgames::{king_pairs, kpk, krkp, locked_pawns, scale};
use phased::Phased;
use side::Side;
use tally::{Counts, Shares, Tally, Tracer};
use terms::{TermGroup, TermGroups, Terms};
use territory::Territory;
use total::{Sums, UNSCALED, balance, total};

/// The phase of the full board: 24, of bare kings and pawns: 0.
pub const FULL_PHASE: i32 = 24;

/// The value of a position in centipawns, from the view of the side to move.
#[inline]
pub fn evaluate(position: &Position) -> Score {
    for_mover(position, evaluate_traced(position, ()).0.total)
}

/// The same as if some rooms did not count, to see what they are worth.
pub fn evaluate_ablated(position: &Position, groups: TermGroups) -> Score {
    for_mover(position, evaluate_traced(position, groups).0.total)
}

/// White's centipawns as the side to move sees them.
#[inline(always)]
fn for_mover(position: &Position, white: i32) -> Score {
    Score::cp(if position.turn().is_white() { white } else { -white })
}

/// How an evaluation came about: every count, and what was made of them. Values are White's, in centipawns.
#[derive(Clone, Debug)]
pub struct Trace {
    /// What was counted for each side.
    pub counts: ByColor<Terms<i32>>,
    /// The steps from the sums to the total.
    pub steps: Steps,
}

/// The steps from the sums to the total, in centipawns for White.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Counts times weights.
    pub sums: Sums<i32>,
    /// The middlegame and the endgame value, with king danger and what makes a win likely.
    pub balance: [i32; 2],
    /// 24 with all pieces on the board, 0 without.
    pub phase: i32,
    /// The balance between the phases, scaled; 0 where the side ahead cannot win.
    pub tapered: i32,
    /// What changes where the ending is solved, or blocked.
    pub blocked: i32,
    /// The evaluation.
    pub total: i32,
}

/// The evaluation with all its counts.
pub fn trace(position: &Position) -> Trace {
    let counts = ByColor { white: Terms::all(0), black: Terms::all(0) };
    let (steps, counts) = evaluate_traced::<Counts>(position, counts);
    Trace { counts, steps }
}

/// What each square, a1 to h8, brings White in the rooms of squares and fills, less what it brings Black.
pub fn shares(position: &Position) -> [Phased; 64] {
    evaluate_traced::<Shares>(position, [Phased::ZERO; 64]).1
}

/// What is known of a blocked pawn ending, White being the first side; `None` where there are pieces or more than a pawn or
/// two can move.
pub fn blocked_verdict(position: &Position) -> Option<Verdict> {
    if !position.is_pawn_ending() || position.en_passant().is_some() {
        return None;
    }
    let pawns = |side| position.set(side, Role::Pawn);
    let structure =
        king_pairs::Structure { ours: pawns(Color::White), theirs: pawns(Color::Black) };
    let kings = [Color::White, Color::Black].map(|side| position.king(side));
    locked_pawns::verdict(structure, kings, position.turn().is_black().into())
}

fn phase(position: &Position) -> i32 {
    let count = |role| position.role(role).count() as i32;
    let minors = count(Role::Knight) + count(Role::Bishop);
    (minors + 2 * count(Role::Rook) + 4 * count(Role::Queen)).min(FULL_PHASE)
}

/// Counts a room whose sum is a value, unless it is not wanted.
macro_rules! group {
    ($tally:ident, $group:ident, $count:expr) => {
        let before = $tally.value;
        $count;
        if !$tally.tracer.wants(TermGroup::$group) {
            $tally.value = before;
        }
    };
}

#[inline(always)]
fn evaluate_traced<T: Tracer>(position: &Position, tracer: T) -> (Steps, T) {
    let (white, white_slides) = Side::new(position, Color::White);
    let (black, black_slides) = Side::new(position, Color::Black);
    let (white_turned, black_turned) = (white.turned(), black.turned());
    let zero = Phased::ZERO;
    let mut tally = Tally { value: zero, danger: zero, initiative: zero, tracer };

    let white_to_move = position.turn().is_white();
    let sides = [
        (&white, &white_slides, &black_turned, white_to_move),
        (&black, &black_slides, &white_turned, !white_to_move),
    ];
    let [ours, theirs] = sides.map(|(us, slides, them, to_move)| {
        (tally.value, tally.danger) = (zero, zero);
        let territory = Territory::new(us, them);
        group!(tally, Material, material::count(us, them, to_move, &mut tally));
        squares::count(us, them, &territory, &mut tally);
        group!(tally, Mobility, mobility::count(us, slides, them, &mut tally));
        group!(tally, Pawns, pawns::count(us, them, &mut tally));
        group!(tally, Passers, passers::count(us, them, to_move, &mut tally));
        group!(tally, King, king::count(us, them, to_move, &mut tally));
        group!(tally, Threats, threats::count(us, them, to_move, &mut tally));
        group!(tally, Territory, territory::count(us, them, &mut tally));
        (tally.value, if tally.tracer.wants(TermGroup::Danger) { tally.danger } else { zero })
    });
    if tally.tracer.wants(TermGroup::Initiative) {
        scale::count_initiative(&white, &black_turned, &mut tally);
    }

    let both = |sum: Phased| [sum.mg(), sum.eg()];
    let mut sums = Sums {
        value: both(ours.0 - theirs.0),
        danger: [both(ours.1), both(theirs.1)],
        initiative: tally.initiative.eg(),
        scale: 0,
    };
    let balance = balance(&sums);
    let white_is_ahead = balance[1] > 0 || (balance[1] == 0 && balance[0] > 0);
    let (ahead, behind) =
        if white_is_ahead { (&white, &black_turned) } else { (&black, &white_turned) };
    let scale = scale::scale(ahead, behind, &mut tally);
    sums.scale =
        if tally.tracer.wants(TermGroup::Scale) { scale.unwrap_or_default() } else { UNSCALED };
    let phase = phase(position);
    let open = if scale.is_some() { total(balance, sums.scale, phase) } else { 0 };
    let total = match phase {
        0..=1 => blocked_total(position, (&white, &white_turned), (&black, &black_turned), open),
        2 => lone_rook(position, open).unwrap_or(open),
        _ => open,
    };
    (Steps { sums, balance, phase, tapered: open, blocked: total - open, total }, tally.tracer)
}

/// The total where there is a minor piece at most: what kings, and a piece, find to do among locked pawns. Each side comes
/// as it sees the board and as the other sees it.
#[inline(never)]
fn blocked_total(
    position: &Position,
    (white, white_turned): (&Side, &Side),
    (black, black_turned): (&Side, &Side),
    open: i32,
) -> i32 {
    if let Some(total) = lone_pawn(position, open) {
        return total;
    }
    if let Some(verdict) = blocked_verdict(position) {
        return locked_pawns::judge(&verdict, open);
    }
    let (ahead, behind) = if open >= 0 { (white, black_turned) } else { (black, white_turned) };
    let to_move = position.turn() == ahead.color;
    if locked_pawns::is_shut_out(ahead, behind, to_move) { open / 32 } else { open }
}

/// What a side gets for a win that is certain, in centipawns, besides the evaluation.
const CERTAIN_WIN: i32 = 500;

/// What White's centipawns become for a win of this side.
fn certain_win(side: Color, open: i32) -> i32 {
    if side.is_white() { open + CERTAIN_WIN } else { open - CERTAIN_WIN }
}

/// A side that has some of these men.
fn side_of(position: &Position, men: Bitboard) -> Color {
    if position.of(Color::White).intersects(men) { Color::White } else { Color::Black }
}

/// The total of king and rook against king and pawn: it is known whether the rook wins.
#[inline(never)]
fn lone_rook(position: &Position, open: i32) -> Option<i32> {
    let (rooks, pawns) = (position.role(Role::Rook), position.role(Role::Pawn));
    if position.occupied().count() != 4 || rooks.count() != 1 {
        return None;
    }
    let (rook, pawn) = (rooks.first()?, pawns.first()?);
    let (strong, weak) = (side_of(position, rooks), side_of(position, pawns));
    if strong == weak {
        return None;
    }
    let kings = [weak, strong].map(|side| position.king(side));
    Some(if krkp::rook_wins(weak, pawn, kings[0], rook, kings[1], position.turn()) {
        certain_win(strong, open)
    } else if strong.is_white() == (open > 0) {
        open / 16
    } else {
        // Where the rook does not win the pawn may: what speaks for it stays.
        open
    })
}

/// The total of king and pawn against king, which is known exactly.
fn lone_pawn(position: &Position, open: i32) -> Option<i32> {
    let pawns = position.role(Role::Pawn);
    if !position.is_pawn_ending() || pawns.count() != 1 {
        return None;
    }
    let (pawn, strong) = (pawns.first()?, side_of(position, pawns));
    let kings = [strong, strong.other()].map(|side| position.king(side));
    let won = kpk::wins(strong, pawn, kings[0], kings[1], position.turn());
    Some(if won { certain_win(strong, open) } else { 0 })
}
