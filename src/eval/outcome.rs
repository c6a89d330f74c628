//! What a score promises: wins, draws and losses, and centipawns of which a hundred mean an even chance to win.
//!
//! The chance to win with a score `x` is `1 / (1 + exp((a - x) / b))`, and to lose the same with `-x`; `a` is the score of
//! an even chance, `b` how fast the chances change, and both depend on the material on the board (the shape of Stockfish's
//! model). `freshet tune wdl` fits the numbers to own games.

use crate::board::Position;
use crate::chess::Role;
use crate::score::Score;

/// `a` and `b` as parabolas of the material: constant, linear and square part.
pub type Model = [[f64; 3]; 2];

/// The model in use.
pub const MODEL: Model = [[150.0, 0.0, 0.0], [90.0, 0.0, 0.0]];

/// All pieces and pawns in the old count (1, 3, 3, 5, 9), both sides together: 78 at the start, 0 where nobody can win.
pub fn material(position: &Position) -> i32 {
    if position.is_dead_material() {
        return 0;
    }
    let roles = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    roles.into_iter().map(|(role, worth)| position.role(role).count() as i32 * worth).sum()
}

/// `a` and `b` for this material. What lies outside the range of the fit is taken as its edge.
pub fn parameters(model: &Model, material: i32) -> [f64; 2] {
    let m = f64::from(material.clamp(10, 78)) / 78.0;
    let [a, b] = model.map(|[constant, linear, square]| constant + m * (linear + m * square));
    [a.max(20.0), b.max(10.0)]
}

/// The chance to win with these centipawns.
pub fn win_chance([a, b]: [f64; 2], cp: f64) -> f64 {
    1.0 / (1.0 + ((a - cp) / b).exp())
}

/// Centipawns of the evaluation as they are shown: a hundred are an even chance to win. What is not zero is not shown as zero,
/// but for the single centipawn by which the search tells draws apart.
pub fn shown(cp: i32, material: i32) -> i32 {
    if cp.abs() <= 1 {
        return 0;
    }
    let [a, _] = parameters(&MODEL, material);
    let shown = (f64::from(cp) * 100.0 / a).round() as i32;
    if shown == 0 { cp.signum() } else { shown }
}

/// Wins, draws and losses of the side to move in thousandths, together 1000. No material is a dead draw.
pub fn chances(score: Score, material: i32) -> [i32; 3] {
    let Some(cp) = score.as_cp() else {
        return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
    };
    if material == 0 {
        return [0, 1000, 0];
    }
    let model = parameters(&MODEL, material);
    let thousandths = |cp: i32| (1000.0 * win_chance(model, cp.into())).round() as i32;
    let (win, loss) = (thousandths(cp), thousandths(-cp));
    // Both are rounded: they may pass 1000 together by one.
    let loss = loss.min(1000 - win);
    [win, 1000 - win - loss, loss]
}
