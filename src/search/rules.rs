//! The rules of pruning, extending and reducing, each with its reason.
//!
//! Margins are centipawns, depths plies. `node.rs` says when each is asked.

use std::sync::LazyLock;

use super::history::LIMIT;
use super::window::Window;
use crate::board::Position;
use crate::eval::blocked_verdict;
use crate::score::Score;

/// Reverse futility pruning (static null move): a position so far above beta that no quiet reply will bring it
/// down needs no search. Not in check, not where beta is a mate.
#[inline(always)]
pub fn reverse_futility(eval: Score, beta: Score, depth: i32, improving: bool) -> Option<Score> {
    let margin = 75 * (depth - i32::from(improving));
    (depth <= 8 && !beta.is_mate() && !eval.is_mate() && eval.raw() - margin >= beta.raw())
        .then(|| Score::cp((eval.raw() + beta.raw()) / 2))
}

/// Razoring: so far below alpha that only a capture can help: ask quiescence at once.
#[inline(always)]
pub fn is_hopeless(eval: Score, alpha: Score, depth: i32) -> bool {
    depth <= 4 && !alpha.is_mate() && eval.raw() + 250 + 220 * depth * depth / 2 < alpha.raw()
}

/// Blocked pawn endings: where it is proven that a side, or neither, can force anything, its score is a draw at best. Cut
/// like a draw of the tablebases; never at the root, which needs a move. Rare, so asked last of what can be seen.
#[inline(always)]
pub fn blocked_draw(position: &Position, window: Window) -> Option<Score> {
    if !position.is_pawn_ending() {
        return None;
    }
    let can_win = blocked_verdict(position)?.can_win;
    let us = usize::from(position.turn().is_black());
    let at_most = !can_win[us] && window.alpha >= Score::DRAW;
    let at_least = !can_win[1 - us] && window.beta <= Score::DRAW;
    (can_win == [false; 2] || at_most || at_least).then_some(Score::DRAW)
}

/// Null move: whoever could pass and still stand above beta has a good position (Donninger, 1993). Unsound in
/// zugzwang, so never with king and pawns only, and never twice in a row. The answer is the depth
/// left after passing.
#[inline(always)]
pub fn null_move_depth(position: &Position, eval: Score, beta: Score, depth: i32) -> Option<i32> {
    let allowed = depth >= 3
        && eval >= beta
        && !beta.is_loss()
        && position.has_pieces(position.turn())
        && position.last_move().is_some();
    let above = ((eval.raw() - beta.raw()) / 180).min(3);
    allowed.then(|| depth - (4 + depth / 4 + above))
}

/// Depth from which a null move that fails high is verified by a search without null moves.
pub const VERIFY_FROM: i32 = 12;

/// Internal iterative reduction: without a move from the table the ordering is poor; one ply less now finds
/// the move for the next iteration (Ed Schröder).
#[inline(always)]
pub fn internal_iterative_reduction(depth: i32, has_table_move: bool) -> i32 {
    i32::from(depth >= 4 && !has_table_move)
}

/// Late move pruning: quiet moves ordered this late at low depth are almost never best.
#[inline(always)]
pub fn is_too_late(tried: usize, depth: i32, improving: bool) -> bool {
    let most = 3 + depth * depth;
    depth <= 8 && tried as i32 >= if improving { most } else { most / 2 + 1 }
}

/// Futility pruning: near the leaves a quiet move cannot make up for a score this far below alpha. The answer is the
/// most that it could have reached.
#[inline(always)]
pub fn futile(eval: Score, alpha: Score, reduced_depth: i32) -> Option<Score> {
    let most = Score::cp(eval.raw() + 90 + 85 * reduced_depth);
    (reduced_depth <= 8 && most <= alpha && !alpha.is_mate()).then_some(most)
}

/// History pruning: quiet moves that have done badly everywhere.
#[inline(always)]
pub fn has_bad_history(history: i32, depth: i32) -> bool {
    depth <= 4 && history < -4000 * depth
}

/// Moves that lose more material than this by static exchange are not searched at low depth.
#[inline(always)]
pub fn exchange_margin(depth: i32, is_quiet: bool) -> i32 {
    if is_quiet { -22 * depth * depth } else { -95 * depth }
}

/// Late move reductions: logarithm of depth times logarithm of the number of moves tried before.
#[derive(Debug)]
pub struct Reductions([[i32; 64]; 64]);

static REDUCTIONS: LazyLock<Reductions> = LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (tried, entry) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (tried as f64).ln();
            *entry = (1024.0 * (0.6 + product / 2.2)) as i32;
        }
    }
    Reductions(table)
});

impl Reductions {
    /// The table, made once.
    pub fn get() -> &'static Reductions {
        &REDUCTIONS
    }

    /// The base of a reduction, in 1024ths of a ply.
    #[inline(always)]
    pub fn base(&self, depth: i32, tried: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][tried.min(63)]
    }
}

/// What is known of a late move when its reduction is decided.
#[derive(Clone, Copy, Debug)]
pub struct LateMove {
    /// The node has an open window.
    pub pv: bool,
    /// The node is expected to fail high.
    pub cut: bool,
    /// The evaluation is better than two plies before.
    pub improving: bool,
    /// Neither capture nor promotion.
    pub quiet: bool,
    /// The move gives check.
    pub checks: bool,
    /// A killer move.
    pub killer: bool,
    /// Its histories.
    pub history: i32,
}

/// By how many plies a late move is reduced: less where it may matter or has done well, more where a cut is expected.
#[inline(always)]
pub fn late_move_reduction(base: i32, late: LateMove) -> i32 {
    let mut reduction = base;
    reduction -= 1024 * i32::from(late.pv);
    reduction += 1280 * i32::from(late.cut);
    reduction += 512 * i32::from(!late.improving);
    reduction -= 768 * i32::from(late.checks);
    reduction -= 1024 * i32::from(late.killer);
    if late.quiet {
        reduction -= late.history * 1024 / (LIMIT / 2);
    } else {
        reduction = reduction * 3 / 5 - late.history * 1024 / LIMIT;
    }
    reduction / 1024
}

/// What a history learns from a cutoff at this depth.
#[inline(always)]
pub fn history_bonus(depth: i32) -> i32 {
    (160 * depth - 80).min(1800)
}

/// Draws are scored a little above or below nothing, by the parity of the node count, so that the search does not
/// settle for the first repetition it meets.
#[inline(always)]
pub fn draw_score(nodes: u64) -> Score {
    Score::cp(1 - (nodes & 2) as i32)
}
