//! What a score promises: wins, draws and losses, and centipawns of which a hundred mean an even chance to win.
//!
//! The chance to win with a score `x` is `1 / (1 + exp((a - x) / b))`, and to lose the same with `-x`; `a` is the score of
//! an even chance, `b` how fast the chances change. Both depend on the material on the board (the shape of Stockfish's
//! model), and are numbers of their own in pawn endings, where a small advantage decides. `freshet tune wdl` fits them to own
//! games.

use crate::board::Position;
use crate::chess::Role;
use crate::score::Score;

/// On what the meaning of a score depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nobody can win.
    Dead,
    /// Kings and pawns only.
    PawnEnding,
    /// All pieces and pawns in the old count (1, 3, 3, 5, 9), both sides imbalance_own: 78 at the start.
    Material(i32),
}

impl Stage {
    /// The stage of a position.
    pub fn of(position: &Position) -> Stage {
        if position.is_dead_material() {
            return Stage::Dead;
        }
        Stage::of_men(
            Role::ALL
                .into_iter()
                .enumerate()
                .flat_map(|(role, kind)| std::iter::repeat_n(role, position.role(kind).count())),
        )
    }

    /// The stage with these men, 0 for a pawn to 5 for a king, where somebody can win.
    pub fn of_men(men: impl Iterator<Item = usize>) -> Stage {
        const WORTH: [i32; 6] = [1, 3, 3, 5, 9, 0];
        let (mut material, mut pieces) = (0, false);
        for man in men {
            material += WORTH.get(man).copied().unwrap_or_default();
            pieces |= (1..5).contains(&man);
        }
        if pieces { Stage::Material(material) } else { Stage::PawnEnding }
    }
}

/// `a` and `b`: of pawn endings; of all else as parabolas of the material, constant, linear and square part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// In pawn endings.
    pub pawn_ending: [f64; 2],
    /// With pieces.
    pub material: [[f64; 3]; 2],
}

/// The model in use.
pub const MODEL: Model =
    Model { pawn_ending: [227.0, 35.0], material: [[250.0, -315.0, 117.0], [22.0, 62.0, -33.0]] };

/// `a` and `b` at a stage. What lies outside the range of the fit is taken as its edge.
pub fn parameters(model: &Model, stage: Stage) -> [f64; 2] {
    let [a, b] = match stage {
        Stage::Dead | Stage::PawnEnding => model.pawn_ending,
        Stage::Material(material) => {
            let m = f64::from(material.clamp(10, 78)) / 78.0;
            model.material.map(|[constant, linear, square]| constant + m * (linear + m * square))
        }
    };
    [a.max(20.0), b.max(10.0)]
}

/// The chance to win with these centipawns.
pub fn win_chance([a, b]: [f64; 2], cp: f64) -> f64 {
    1.0 / (1.0 + ((a - cp) / b).exp())
}

/// The material at which scores are taken to the scale they are shown in: the middle of a game.
const MIDDLE: Stage = Stage::Material(48);

/// Centipawns of the evaluation that are an even chance there.
fn even_chance() -> f64 {
    parameters(&MODEL, MIDDLE)[0]
}

/// Centipawns of the evaluation as they are shown: a hundred are an even chance to win in the middle of a game. What is not zero
/// is not shown as zero, but for the single centipawn by which the search tells draws apart.
pub fn shown(cp: i32) -> i32 {
    if cp.abs() <= 1 {
        return 0;
    }
    let shown = (f64::from(cp) * 100.0 / even_chance()).round() as i32;
    if shown == 0 { cp.signum() } else { shown }
}

/// Centipawns of the evaluation behind those that are shown.
pub fn hidden(shown: i32) -> f64 {
    f64::from(shown) * even_chance() / 100.0
}

/// Wins, draws and losses of the side to move in thousandths, together 1000.
pub fn chances(score: Score, stage: Stage) -> [i32; 3] {
    let Some(cp) = score.as_cp() else {
        return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
    };
    if stage == Stage::Dead {
        return [0, 1000, 0];
    }
    let model = parameters(&MODEL, stage);
    let thousandths = |cp: i32| (1000.0 * win_chance(model, cp.into())).round() as i32;
    let (win, loss) = (thousandths(cp), thousandths(-cp));
    // Both are rounded: they may pass 1000 together by one.
    let loss = loss.min(1000 - win);
    [win, 1000 - win - loss, loss]
}
