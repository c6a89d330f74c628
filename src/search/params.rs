//! The tuned numbers of the search, each declared once, with the range it may take.
//!
//! A build with the feature `tune` shows them all as UCI options, and there `freshet tune search`
//! tunes them by simultaneous perturbation (SPSA, J. C. Spall). `freshet spsa` prints them in the
//! form that OpenBench takes.

use std::ops::Deref;

/// The declaration of a parameter: name, default and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The name, as an option and in the source.
    pub name: &'static str,
    /// The value in use.
    pub default: i32,
    /// The least it may be.
    pub low: i32,
    /// The most it may be.
    pub high: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $low:literal to $high:literal;)*) => {
        /// The tuned numbers of the search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// All of them, in the order in which they are declared.
            pub const ALL: &'static [Declared] = &[
                $(Declared { name: stringify!($name), default: $value, low: $low, high: $high },)*
            ];

            /// The index of the number of this name in [`Params::ALL`].
            pub fn index(name: &str) -> Option<usize> {
                Params::ALL.iter().position(|declared| declared.name == name)
            }

            /// The number with the index that it has in [`Params::ALL`].
            pub fn number(&mut self, index: usize) -> Option<&mut i32> {
                let numbers = [$(&mut self.$name,)*];
                numbers.into_iter().nth(index)
            }
        }

        /// The numbers as declared.
        static DECLARED: Params = Params { $($name: $value,)* };
    };
}

impl Default for Params {
    fn default() -> Params {
        DECLARED.clone()
    }
}

/// The numbers that a search goes by. Only a build with the feature `tune` looks at those it is
/// given: in others they are constants, with which the compiler calculates.
#[derive(Clone, Copy, Debug)]
pub struct ParamsInUse<'a>(pub &'a Params);

impl Deref for ParamsInUse<'_> {
    type Target = Params;

    #[inline(always)]
    fn deref(&self) -> &Params {
        if cfg!(feature = "tune") { self.0 } else { &DECLARED }
    }
}

params! {
    /// Reverse futility: centipawns above beta for each ply of depth.
    reverse_futility = 71, 30 to 150;
    /// Reverse futility: the deepest node.
    reverse_futility_depth = 9, 5 to 14;
    /// Razoring: centipawns below alpha at depth 0.
    razor = 260, 100 to 500;
    /// Razoring: centipawns more for the square of depth.
    razor_slope = 109, 40 to 250;
    /// Null move: reduction in plies, times 64.
    null_base = 268, 160 to 400;
    /// Null move: plies of depth that make a ply of reduction, times 16.
    null_depth = 48, 32 to 112;
    /// Null move: centipawns above beta that make a ply of reduction.
    null_above = 110, 80 to 350;
    /// Null move: the most plies of reduction by the distance to beta.
    null_most = 6, 1 to 8;
    /// Null move: centipawns by which the evaluation must lie above beta at depth 0.
    null_margin = 116, 0 to 300;
    /// Null move: centipawns less of that for each ply.
    null_margin_slope = 15, 0 to 40;
    /// ProbCut: centipawns above beta that a capture must reach.
    probcut = 100, 80 to 320;
    /// ProbCut: centipawns less where the position improves.
    probcut_improving = 35, 0 to 120;
    /// Singular extension: centipawns below the TT score for each ply, times 16.
    singular = 20, 6 to 48;
    /// Singular extension: the same, more in nodes that were on the principal variation.
    singular_pv = 7, 0 to 30;
    /// Singular extension: centipawns below the window for a double extension.
    double_extension = 10, 2 to 40;
    /// Late move pruning: moves at depth 0, times 16.
    late_base = 48, 16 to 128;
    /// Late move pruning: moves for the square of depth, times 16.
    late_slope = 16, 8 to 32;
    /// Futility: centipawns at depth 0.
    futility = 45, 10 to 200;
    /// Futility: centipawns for each ply.
    futility_slope = 60, 30 to 160;
    /// Futility: the most plies left to the move after its reduction.
    futility_depth = 12, 4 to 16;
    /// Futility of captures: centipawns at depth 0.
    capture_futility = 80, 20 to 400;
    /// Futility of captures: centipawns for each ply.
    capture_futility_slope = 85, 40 to 280;
    /// History pruning: the least history for each ply of depth after the first.
    history_pruning = 4526, 1500 to 9000;
    /// SEE pruning: centipawns a quiet move may lose, for the square of the depth left to it.
    exchange_quiet = 12, 4 to 40;
    /// SEE pruning: centipawns a capture or a check may lose, for each ply.
    exchange_noisy = 90, 40 to 180;
    /// Late move reduction: 1024ths of a ply for any late quiet move.
    reduction_base = 707, 0 to 1400;
    /// Late move reduction: 1024ths of a ply for ln(depth) ln(moves before).
    reduction_slope = 492, 250 to 750;
    /// Late move reduction of captures: the base.
    reduction_noisy_base = 202, -400 to 1000;
    /// Late move reduction of captures: the slope.
    reduction_noisy_slope = 304, 100 to 600;
    /// Late move reduction, less in nodes that are or were on the principal variation.
    reduction_pv = 2100, 300 to 4000;
    /// Late move reduction, more in cut nodes.
    reduction_cut = 2300, 500 to 4000;
    /// Late move reduction, more where the position does not improve.
    reduction_worse = 800, 0 to 1400;
    /// Late move reduction, less for checks.
    reduction_check = 827, 0 to 1600;
    /// Late move reduction, less for killers.
    reduction_killer = 969, 0 to 2000;
    /// Late move reduction, more where the hash move is a capture.
    reduction_noisy_table = 768, 0 to 1800;
    /// Late move reduction, more where children have failed high often.
    reduction_cuts_below = 867, 0 to 1800;
    /// Late move reduction, less where the evaluation has been corrected much: 1024ths for each
    /// centipawn.
    reduction_doubt = 8, 0 to 30;
    /// Late move reduction: the history that makes a ply.
    reduction_history = 9303, 4000 to 24000;
    /// Deeper re-search: centipawns above the best score.
    deeper = 42, 10 to 120;
    /// Shallower re-search: centipawns above the best score, at most.
    shallower = 10, 2 to 30;
    /// Hindsight: the sum of both evaluations, in centipawns, from which a reduced node is searched
    /// a ply less.
    hindsight = 151, 40 to 400;
    /// History bonus for each ply.
    bonus_slope = 177, 60 to 350;
    /// History bonus: what is subtracted at every depth.
    bonus_offset = 86, 0 to 400;
    /// History bonus: the most.
    bonus_most = 1734, 800 to 3500;
    /// History malus for each ply.
    malus_slope = 182, 60 to 400;
    /// History malus: what is subtracted at every depth.
    malus_offset = 85, 0 to 400;
    /// History malus: the most.
    malus_most = 1570, 600 to 3500;
    /// Move ordering: the bonus of a quiet check, in units of histories.
    order_check = 12000, 0 to 32000;
    /// Move ordering: the bonus of a minor piece that leaves the attack of a pawn.
    order_minor = 2900, 0 to 16000;
    /// Move ordering: the bonus of a rook that leaves the attack of a pawn or minor piece.
    order_rook = 5100, 0 to 20000;
    /// Move ordering: the bonus of a queen that leaves the attack of a piece of lower value.
    order_queen = 10000, 0 to 32000;
    /// Evaluation history: the malus of a move for each centipawn by which the static evaluation
    /// has fallen, times 16.
    bonus_eval = 64, 0 to 256;
    /// Evaluation history: the largest bonus or malus.
    bonus_eval_most = 1200, 200 to 3000;
    /// Weight of the pawn structure's correction.
    correct_pawns = 740, 0 to 3000;
    /// Weight of the correction by minor pieces.
    correct_minors = 600, 0 to 3000;
    /// Weight of the correction by major pieces.
    correct_majors = 350, 0 to 3000;
    /// Weight of the corrections by the pieces of each side.
    correct_pieces = 900, 0 to 3000;
    /// Weight of the correction by the two moves that precede the last one.
    correct_moves = 1050, 0 to 3000;
    /// Delta pruning: centipawns that a capture may gain besides the captured piece. So far below
    /// alpha, quiescence has no quiet checks.
    delta = 65, 10 to 250;
    /// Static evaluations are multiples of this many centipawns.
    grain = 4, 1 to 16;
    /// Aspiration windows: half the width of the first window, in centipawns.
    aspiration = 12, 5 to 40;
}
