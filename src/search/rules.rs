//! The rules of pruning, extending and reducing, with their reasons.
//!
//! Margins are centipawns, depths plies; the numbers that are tuned are in `params.rs`. `node.rs` and
//! `decisions.rs` say where each rule is applied. What each was worth when it was left out is
//! in `docs/experiments.md`.

use std::sync::LazyLock;

use super::node_type::NodeType;
use super::params::ParamsInUse;
use super::strength::Strength;
use super::table::{Bound, Entry};
use super::window::Window;
use crate::board::Position;
use crate::chess::ByColor;
use crate::eval::blocked_verdict;
use crate::eval::endgames::bare_king::BareKing;
use crate::eval::endgames::walls::{cannot_win, rams};
use crate::score::{MAX_PLY, Score};

/// Reverse futility pruning (static null move): a position so far above beta that no quiet reply
/// will bring it down needs no search. Not in check, not where beta is decided.
#[inline(always)]
pub fn reverse_futility(
    params: ParamsInUse<'_>,
    eval: Score,
    beta: Score,
    depth: i32,
    improving: bool,
) -> Option<Score> {
    let margin = params.reverse_futility * (depth - i32::from(improving));
    (depth <= params.reverse_futility_depth
        && !beta.is_decided()
        && !eval.is_decided()
        && eval.raw() - margin >= beta.raw())
    .then(|| Score::cp((eval.raw() + beta.raw()) / 2))
}

/// Razoring: whether the evaluation is so far below alpha that only a capture can help, which
/// quiescence finds out.
#[inline(always)]
pub fn razoring(params: ParamsInUse<'_>, eval: Score, alpha: Score, depth: i32) -> bool {
    let margin = params.razor + params.razor_slope * depth * depth;
    depth <= 4 && !alpha.is_decided() && eval.raw() + margin < alpha.raw()
}

/// Blocked pawn endings: where it is proven that a side, or neither, can force anything, its score
/// is a draw at best. Cut like a draw of the tablebases; never at the root, which needs a move.
#[inline(always)]
pub fn blocked_draw(position: &Position, window: Window) -> Option<Score> {
    if !position.is_pawn_ending() {
        return None;
    }
    let verdict = blocked_verdict(position)?;
    let (can_win, us) = (verdict.can_win, position.turn());
    let at_most = !can_win[us] && window.alpha >= Score::DRAW;
    let at_least = !can_win[us.other()] && window.beta <= Score::DRAW;
    (verdict.is_draw() || at_most || at_least).then_some(Score::DRAW)
}

/// The mate of a bare king by queen, rook, two bishops, or bishop and knight is looked up: exact, so
/// that no search is needed and pruning cannot miss it. `None` if the fifty-move rule comes first, or
/// if the engine is to play as somebody who does not know how to mate.
#[inline(always)]
pub fn known_mate(position: &Position, ply: usize, strength: Option<Strength>) -> Option<Score> {
    let ending = BareKing::from_position(position)?;
    if !strength.is_none_or(|strength| strength.can_mate(ending.ending())) {
        return None;
    }
    let plies = ending.plies_to_mate_in_time(position)?;
    let end = ply + plies as usize;
    let mates = plies % 2 == 1;
    (end < MAX_PLY).then(|| if mates { Score::mate_in(end) } else { Score::mated_in(end) })
}

/// Walls: which sides are proven unable to win, so that the score is a draw at best for them; `None`
/// if neither is. Asked only where the evaluation is a draw to the centipawn, as it is where it has
/// found a proof, and there is a ram.
#[inline(always)]
pub fn wall(position: &Position, raw_eval: Option<Score>) -> Option<ByColor<bool>> {
    if raw_eval != Some(Score::DRAW) {
        return None;
    }
    if rams(position).is_empty() { None } else { proven_wall(position) }
}

/// Not inlined: rare.
#[cold]
fn proven_wall(position: &Position) -> Option<ByColor<bool>> {
    let proven = ByColor::new_with(|side| cannot_win(position, side));
    (proven.white || proven.black).then_some(proven)
}

/// Rule-50 scaling: the evaluation shrinks as the fifty-move rule nears, so that the side ahead
/// makes progress while it can. `rule50` counts plies since the last capture or pawn move.
#[inline(always)]
pub fn rule50_scaling(eval: i32, rule50: u32) -> Score {
    Score::cp(eval * (220 - rule50.min(100) as i32) / 220)
}

/// Evaluation grain: rounds towards zero to a multiple of some centipawns. That is less than the error
/// of the evaluation, and where more scores are equal, bounds decide more nodes (as in Stockfish).
#[inline(always)]
pub fn grained(params: ParamsInUse<'_>, eval: Score) -> Score {
    Score::cp(eval.raw() / params.grain * params.grain)
}

/// Null move pruning: whoever could pass and still stand above beta has a good position (Donninger,
/// 1993). Unsound in zugzwang, so never with king and pawns only, and never twice in a row. Returns
/// the depth of the search after the null move.
#[inline(always)]
pub fn null_move(
    params: ParamsInUse<'_>,
    position: &Position,
    evals: Evaluations,
    beta: Score,
    depth: i32,
) -> Option<i32> {
    let margin = params.null_margin - params.null_margin_slope * depth;
    let allowed = depth >= 3
        && evals.refined >= beta
        && evals.static_eval.raw() >= beta.raw() + margin
        && !beta.is_loss()
        && position.has_pieces(position.turn())
        && position.last_move().is_some();
    let above = ((evals.refined.raw() - beta.raw()) / params.null_above).min(params.null_most);
    let base = (params.null_base + depth * 1024 / params.null_depth) / 64;
    allowed.then(|| depth - (base + above))
}

/// The two evaluations of a node that is not in check.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations {
    /// The static evaluation, corrected and scaled.
    pub static_eval: Score,
    /// The same refined by the score of the table, where that says more.
    pub refined: Score,
}

/// Depth from which a null move that fails high is verified by a search without null moves.
pub const VERIFY_FROM: i32 = 12;

/// Internal iterative reduction (IIR): without a move from the table the ordering is poor; one ply
/// less now finds the move for the next iteration (Ed Schröder). Returns the plies less, 0 or 1.
#[inline(always)]
pub fn internal_iterative_reduction(depth: i32, has_hash_move: bool, pv_or_cut: bool) -> i32 {
    i32::from(depth >= 4 && pv_or_cut && !has_hash_move)
}

/// ProbCut: a capture that reaches a score well above beta in a shallow search will nearly always
/// reach beta in a deep one (Buro, 1994). Returns the score to reach.
#[inline(always)]
pub fn probcut(
    params: ParamsInUse<'_>,
    beta: Score,
    depth: i32,
    improving: bool,
    entry: Option<&Entry>,
    ply: usize,
) -> Option<Score> {
    let margin = params.probcut - params.probcut_improving * i32::from(improving);
    let probcut_beta = Score::cp(beta.raw() + margin);
    let known_less = |entry: &Entry| entry.depth >= depth - 3 && entry.score(ply) < probcut_beta;
    (depth >= 5 && !beta.is_decided() && !entry.is_some_and(known_less)).then_some(probcut_beta)
}

/// Singular extension (Anantharaman, Campbell, Hsu 1988): where all other moves stay below this
/// score, the hash move is the only good one and is searched deeper.
#[inline(always)]
pub fn singular_beta<N: NodeType>(
    params: ParamsInUse<'_>,
    entry: &Entry,
    was_pv: bool,
    depth: i32,
    ply: usize,
) -> Option<Score> {
    let score = entry.score(ply);
    let pv_margin = if was_pv && !N::PV { params.singular_pv } else { 0 };
    (depth >= if N::PV && entry.pv { 6 } else { 4 }
        && matches!(entry.bound, Bound::Lower | Bound::Exact)
        && entry.depth >= depth - 3
        && !score.is_decided())
    .then(|| Score::cp(score.raw() - (params.singular + pv_margin) * depth / 16))
}

/// By how many plies a singular move is extended: one or, off the principal variation, two. All
/// others stayed `below` the singular beta by so many centipawns; `double_extensions` were made on
/// the way to the node.
#[inline(always)]
pub fn singular_extension<N: NodeType>(
    params: ParamsInUse<'_>,
    below: i32,
    double_extensions: i32,
) -> i32 {
    let double = !N::PV && double_extensions < 10 && below > params.double_extension;
    1 + i32::from(double)
}

/// Negative extensions: by how many plies a table move that is not singular is searched less deep,
/// as a negative number, because its score says that it fails high, or low, anyway. `others` is the
/// score of the other moves.
#[inline(always)]
pub fn negative_extension(score: Score, others: Score, window: Window) -> i32 {
    if score >= window.beta {
        -2
    } else if score <= window.alpha && score <= others {
        -1
    } else {
        0
    }
}

/// Hindsight: by how many plies the depth of a node changes if the move that led to it was reduced
/// by `reduction` plies (Stockfish's prior reduction). `sum` adds the evaluation before that move
/// to the one after it, each from its side to move: above zero if the move has made the position of
/// its own side worse. If it has not, it was reduced too much: one ply more. If it is worse by a
/// margin, the node will fail high anyway: one ply less.
#[inline(always)]
pub fn hindsight(params: ParamsInUse<'_>, depth: i32, reduction: i32, sum: Option<i32>) -> i32 {
    match sum {
        Some(sum) if reduction >= 3 && sum <= 0 => 1,
        Some(sum) if reduction >= 1 && depth >= 2 && sum > params.hindsight => -1,
        _ => 0,
    }
}

/// Late move pruning (LMP, move count pruning): quiet moves ordered this late are almost never best.
#[inline(always)]
pub fn late_move_pruning(
    params: ParamsInUse<'_>,
    move_count: usize,
    depth: i32,
    improving: bool,
) -> bool {
    let most = params.late_base + params.late_slope * depth * depth;
    16 * move_count as i32 >= if improving { most } else { most / 2 }
}

/// Futility pruning: a quiet move cannot make up for a score this far below alpha. `left` is the
/// depth left to the move after its base reduction.
#[inline(always)]
pub fn futility(
    params: ParamsInUse<'_>,
    eval: Score,
    alpha: Score,
    left: i32,
    history: i32,
) -> bool {
    let margin = params.futility + params.futility_slope * left + history / 200;
    left <= params.futility_depth && eval.raw() + margin <= alpha.raw() && !alpha.is_decided()
}

/// Futility pruning of captures: `gain` is the value of the captured piece plus a part of the
/// capture history.
#[inline(always)]
pub fn capture_futility(
    params: ParamsInUse<'_>,
    eval: Score,
    alpha: Score,
    left: i32,
    gain: i32,
) -> bool {
    let margin = params.capture_futility + params.capture_futility_slope * left;
    left <= 6 && eval.raw() + margin + gain < alpha.raw() && !alpha.is_decided()
}

/// History pruning: quiet moves that have failed everywhere are not searched near the leaves.
/// `left` is the depth left to the move after its base reduction.
#[inline(always)]
pub fn history_pruning(params: ParamsInUse<'_>, history: i32, depth: i32, left: i32) -> bool {
    left <= 4 && history < -params.history_pruning * (depth - 1)
}

/// SEE pruning: the least static exchange evaluation of a quiet move that gives no check. `left` is
/// the depth left to it after its base reduction.
#[inline(always)]
pub fn quiet_exchange(params: ParamsInUse<'_>, left: i32) -> i32 {
    -params.exchange_quiet * left * left
}

/// SEE pruning: the least static exchange evaluation of captures, promotions and checks.
#[inline(always)]
pub fn forcing_exchange(params: ParamsInUse<'_>, depth: i32) -> i32 {
    -params.exchange_noisy * depth
}

/// Logarithm of depth times logarithm of the number of earlier moves, in 1024ths.
static LOGARITHMS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let product =
        |depth: usize, moves: usize| (depth.max(1) as f64).ln() * (moves.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|moves| (1024.0 * product(depth, moves)) as i32)
    })
});

/// The logarithms on which late move reductions are built.
#[derive(Clone, Copy, Debug)]
pub struct Reductions(&'static [[i32; 64]; 64]);

impl Reductions {
    /// The table, made once.
    pub fn get() -> Reductions {
        Reductions(&LOGARITHMS)
    }

    /// The base of a reduction, in 1024ths of a ply: it grows with depth and with the number of
    /// moves searched before.
    #[inline(always)]
    pub fn base(self, params: ParamsInUse<'_>, depth: i32, move_count: usize, quiet: bool) -> i32 {
        let product = self.0[depth.clamp(0, 63) as usize][move_count.min(63)];
        if quiet {
            params.reduction_base + product * params.reduction_slope / 1024
        } else {
            params.reduction_noisy_base + product * params.reduction_noisy_slope / 1024
        }
    }
}

/// What is known of a late move when its reduction is decided.
#[derive(Clone, Copy, Debug)]
pub struct LateMove {
    /// The node is, or was, one of the principal variation.
    pub pv: bool,
    /// A cut node: it is expected to fail high.
    pub cut: bool,
    /// Improving: the evaluation is better than at this side's previous move.
    pub improving: bool,
    /// The move gives check.
    pub checks: bool,
    /// A killer move.
    pub killer: bool,
    /// The hash move is a capture or promotion.
    pub noisy_hash_move: bool,
    /// Cutoff count: children of this node and of its siblings have failed high more than twice.
    pub cutoffs_below: bool,
    /// By how many centipawns the evaluation was corrected.
    pub correction: i32,
    /// The sum of its histories.
    pub history: i32,
}

/// Late move reduction (LMR): by how many 1024ths of a ply a late move is reduced. Less where it
/// may matter or has done well, more where a cutoff is expected.
#[inline(always)]
pub fn late_move_reduction(params: ParamsInUse<'_>, base: i32, late: LateMove) -> i32 {
    let when = |condition: bool, amount: i32| if condition { amount } else { 0 };
    base - when(late.pv, params.reduction_pv)
        + when(late.cut, params.reduction_cut)
        + when(!late.improving, params.reduction_worse)
        - when(late.checks, params.reduction_check)
        - when(late.killer, params.reduction_killer)
        + when(late.noisy_hash_move, params.reduction_noisy_table)
        + when(late.cutoffs_below, params.reduction_cuts_below)
        - params.reduction_doubt * late.correction.abs()
        - late.history * 1024 / params.reduction_history
}

/// The history bonus of the move that caused a cutoff at this depth.
#[inline(always)]
pub fn history_bonus(params: ParamsInUse<'_>, depth: i32) -> i32 {
    (params.bonus_slope * depth - params.bonus_offset).clamp(0, params.bonus_most)
}

/// The history malus of the moves that were searched before it in vain.
#[inline(always)]
pub fn history_malus(params: ParamsInUse<'_>, depth: i32) -> i32 {
    (params.malus_slope * depth - params.malus_offset).clamp(0, params.malus_most)
}

/// By how many plies less the other moves are searched once one has raised alpha: most often it
/// stays the best.
#[inline(always)]
pub fn raised_alpha(depth: i32, score: Score) -> i32 {
    i32::from((3..=12).contains(&depth) && !score.is_decided())
}

/// The history bonus of a quiet move by how the static evaluation has changed. `sum` adds the
/// evaluations before and after the move, each from its side to move: zero if nothing has changed,
/// positive if the move has made the position of its own side worse, so that the bonus is negative.
#[inline(always)]
pub fn evaluation_bonus(params: ParamsInUse<'_>, sum: i32) -> i32 {
    (-sum * params.bonus_eval / 16).clamp(-params.bonus_eval_most, params.bonus_eval_most)
}

/// Fail-high blending: how far a score lies above beta is not reliable, since the search stopped at
/// the first cutoff. It is averaged with beta, with more weight for the score the deeper the search
/// was.
#[inline(always)]
pub fn fail_high_blending(best: Score, beta: Score, depth: i32) -> Score {
    if best <= beta || best.is_decided() || beta.is_decided() {
        return best;
    }
    Score::cp((best.raw() * depth + beta.raw()) / (depth + 1))
}

/// Draw jitter (randomised draw scores): draws are scored a centipawn above or below zero, by the
/// node count, so that the search does not settle for the first repetition it meets.
#[inline(always)]
pub fn draw_score(nodes: u64) -> Score {
    Score::cp(1 - (nodes & 2) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sides stand behind the same wall: neither can win, whichever colour is asked first.
    #[test]
    fn a_wall_can_hold_for_both_sides() {
        let fen = "7k/8/8/6p1/1p4Pp/1P1p1p1P/1P1P1P1P/3K4 w - - 0 1";
        let position: Position = fen.parse().expect("a legal position");
        for position in [position.mirrored(), position] {
            let proven = wall(&position, Some(Score::DRAW));
            assert_eq!(proven, Some(ByColor { white: true, black: true }), "{position}");
        }
    }
}
