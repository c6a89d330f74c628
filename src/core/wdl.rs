//! The win-draw-loss model: converts scores to chances, and to normalised centipawns, of which 100
//! mean an even chance to win.
//!
//! The chance to win with a score of `x` centipawns is `1 / (1 + exp((a - x) / b))`, and to lose
//! the same with `-x`: `a` is the score of an even chance to win, `b` says how fast the chance
//! changes around it. Both depend on the material on the board (the shape of Stockfish's model).
//! Pawn endings, where a small advantage decides, have parameters of their own. `freshet tune wdl`
//! fits them to games of the engine.
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::board::Position;
//! use freshet::score::Score;
//! use freshet::wdl::{MaterialClass, chances, shown};
//!
//! let position = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1").unwrap();
//! let class = MaterialClass::of(&position);
//! assert_eq!(class, MaterialClass::Material(13));
//!
//! let [win, draw, loss] = chances(Score::cp(220), class);
//! assert!(win > draw && draw > loss);
//! assert_eq!(win + draw + loss, 1000);
//! assert_eq!(shown(-20), -shown(20));
//! ```

use crate::board::Position;
use crate::chess::{Role, points};
use crate::score::Score;

/// The class of material, on which the chances depend besides the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialClass {
    /// Neither side can win: dead material.
    Dead,
    /// Kings and pawns only.
    PawnEnding,
    /// The material of both sides by the traditional point count (1, 3, 3, 5, 9): 78 at the start.
    Material(i32),
}

impl MaterialClass {
    /// The class of a position.
    pub fn of(position: &Position) -> MaterialClass {
        if position.is_dead_material() {
            return MaterialClass::Dead;
        }
        MaterialClass::of_pieces(
            Role::ALL
                .into_iter()
                .enumerate()
                .flat_map(|(index, role)| std::iter::repeat_n(index, position.role(role).count())),
        )
    }

    /// The class of pieces with which at least one side can win, by role from 0 for a pawn to 5 for
    /// a king.
    #[doc(hidden)]
    pub fn of_pieces(roles: impl Iterator<Item = usize>) -> MaterialClass {
        let points_of = |role: usize| Role::ALL.get(role).map_or(0, |&role| points(role));
        let (mut material, mut pieces) = (0, false);
        for role in roles {
            material += points_of(role);
            pieces |= (1..5).contains(&role);
        }
        if pieces { MaterialClass::Material(material) } else { MaterialClass::PawnEnding }
    }
}

/// The parameters `a` and `b` for all classes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct Model {
    /// `a` and `b` of pawn endings.
    pub pawn_ending: [f64; 2],
    /// `a` and `b` with pieces, as polynomials of the material divided by 78: constant, linear and
    /// quadratic coefficient.
    pub material: [[f64; 3]; 2],
}

/// The model in use.
#[doc(hidden)]
pub const MODEL: Model =
    Model { pawn_ending: [227.0, 35.0], material: [[250.0, -315.0, 117.0], [22.0, 62.0, -33.0]] };

/// `a` and `b` of a class. Material outside the range of the fit, 10 to 78, counts as its nearest
/// end.
#[doc(hidden)]
pub fn parameters(model: &Model, class: MaterialClass) -> [f64; 2] {
    let [a, b] = match class {
        MaterialClass::Dead | MaterialClass::PawnEnding => model.pawn_ending,
        MaterialClass::Material(material) => {
            let m = f64::from(material.clamp(10, 78)) / 78.0;
            model.material.map(|[constant, linear, square]| constant + m * (linear + m * square))
        }
    };
    [a.max(20.0), b.max(10.0)]
}

/// The chance to win with a score of `cp` centipawns, 0 to 1.
#[doc(hidden)]
pub fn win_chance([a, b]: [f64; 2], cp: f64) -> f64 {
    1.0 / (1.0 + ((a - cp) / b).exp())
}

/// The class at which scores are normalised: the middle of a game.
const MIDDLE: MaterialClass = MaterialClass::Material(48);

/// The score of an even chance to win in class [`MIDDLE`], in centipawns of the evaluation.
fn even_chance() -> f64 {
    parameters(&MODEL, MIDDLE)[0]
}

/// Normalised centipawns of a score, as users see them: 100 mean an even chance to win in the
/// middle of a game. Only scores of -1 to 1, which the search uses for draws, are shown as 0.
pub fn shown(cp: i32) -> i32 {
    if cp.abs() <= 1 {
        return 0;
    }
    let shown = (f64::from(cp) * 100.0 / even_chance()).round() as i32;
    if shown == 0 { cp.signum() } else { shown }
}

/// The centipawns of the evaluation for normalised ones: the inverse of [`shown`], up to rounding.
pub fn hidden(shown: i32) -> f64 {
    f64::from(shown) * even_chance() / 100.0
}

/// The chances of the side to move to win, draw and lose, in thousandths that add up to 1000.
pub fn chances(score: Score, class: MaterialClass) -> [i32; 3] {
    let Some(cp) = score.as_cp() else {
        return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
    };
    if class == MaterialClass::Dead {
        return [0, 1000, 0];
    }
    let model = parameters(&MODEL, class);
    let thousandths = |cp: i32| (1000.0 * win_chance(model, cp.into())).round() as i32;
    let (win, loss) = (thousandths(cp), thousandths(-cp));
    // Both are rounded, so their sum may exceed 1000 by one.
    let loss = loss.min(1000 - win);
    [win, 1000 - win - loss, loss]
}
