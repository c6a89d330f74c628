//! Ablation: the search without one of its rules, or the evaluation without one of its term groups,
//! to measure what each is worth.
//!
//! Only a build with the feature `tune` can leave anything out; in others [`Ablation::keeps`] is
//! constant and costs nothing.

use crate::eval::terms::{TermGroup, TermGroups};

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident,)*) => {
        /// A rule of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule,)*];
        }
    };
}

rules! {
    /// Reverse futility pruning.
    ReverseFutility,
    /// Razoring.
    Razoring,
    /// Null move.
    NullMove,
    /// Verification search after deep null moves.
    NullMoveVerification,
    /// ProbCut.
    ProbCut,
    /// Internal iterative reductions.
    InternalIterativeReduction,
    /// Singular extensions, with multi-cut and negative extensions.
    SingularExtension,
    /// Double extensions.
    DoubleExtensions,
    /// Multi-cut: a node where a second move fails high as well is cut.
    MultiCut,
    /// Negative extensions of a table move that is not singular.
    NegativeExtensions,
    /// Hindsight: a node reached by a reduced move gets more or less depth by how the evaluation
    /// has changed.
    Hindsight,
    /// Late move pruning.
    LateMovePruning,
    /// Futility pruning of quiet moves.
    Futility,
    /// Futility pruning of captures.
    CaptureFutility,
    /// History pruning.
    HistoryPruning,
    /// Pruning by static exchange evaluation (SEE).
    SeePruning,
    /// Late move reductions.
    LateMoveReductions,
    /// Everything that adjusts late move reductions; without, only depth and move count do.
    ReductionAdjustments,
    /// The re-search after a reduced search is deeper or shallower by its score.
    DeeperShallower,
    /// Improving: margins and reductions depend on whether the evaluation rises.
    Improving,
    /// Fail-high blending: scores above beta are blended with beta.
    FailHighBlending,
    /// The evaluation shrinks as the fifty-move rule nears.
    Rule50Scaling,
    /// Draws are scored a centipawn above or below zero.
    DrawJitter,
    /// Upcoming repetitions (cuckoo tables) are draws at least.
    UpcomingRepetition,
    /// Mate distance pruning.
    MateDistancePruning,
    /// Proven draws of blocked endings are cut.
    BlockedDraw,
    /// The static evaluation is refined by the score of the transposition table.
    TableEvaluation,
    /// Correction histories: the static evaluation is corrected by errors that searches have found.
    Corrections,
    /// Killer moves.
    Killers,
    /// Butterfly history: quiet moves by origin and target.
    ButterflyHistory,
    /// Pawn history: quiet moves by pawn structure.
    PawnHistory,
    /// Continuation history of the move one ply back (counter move history).
    Continuation1,
    /// Continuation history of the move two plies back (follow-up history).
    Continuation2,
    /// Continuation history of the move four plies back.
    Continuation4,
    /// Continuation history of the move six plies back.
    Continuation6,
    /// Capture history.
    CaptureHistory,
    /// In quiescence only recaptures, promotions and checks from the third move on.
    QuiescenceCount,
    /// Delta pruning in quiescence.
    DeltaPruning,
    /// The transposition table is probed in quiescence.
    QuiescenceTable,
    /// Aspiration windows: a small window around the last score at the root.
    AspirationWindow,
    /// Quiet checks are ordered early.
    CheckOrder,
    /// Moves that take a piece out of the attack of one of lower value are ordered early, moves
    /// into such an attack late.
    EscapeOrder,
    /// Once a move has raised alpha, the others are searched less deep.
    RaisedAlpha,
    /// History update by how the static evaluation has changed after a move.
    EvaluationHistory,
    /// History update after a cutoff by the transposition table.
    TableHistory,
    /// Prior move malus: history update of the move searched first at the parent, once refuted.
    PriorMoveMalus,
    /// History update after the re-search of a reduced move.
    ResearchHistory,
    /// Quiet checks at the first ply of quiescence.
    QuiescenceChecks,
}

/// There is no rule and no term group of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule and no term group is called {0}")]
pub struct UnknownName(pub String);

/// The rules and term groups that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Zeroable)]
pub struct Ablation {
    rules: u64,
    groups: TermGroups,
}

impl Ablation {
    /// Nothing is left out.
    pub const NONE: Ablation = Ablation { rules: 0, groups: TermGroups::NONE };

    /// The names of everything that can be left out: rules, then term groups.
    pub fn names() -> Vec<String> {
        let rules = Rule::ALL.iter().map(|rule| format!("{rule:?}"));
        rules.chain(TermGroup::ALL.iter().map(|group| format!("{group:?}"))).collect()
    }

    /// The ablation of the rule or term group of this name, in upper or lower case; `None` if there
    /// is none.
    pub fn named(name: &str) -> Option<Ablation> {
        let is = |other: String| other.eq_ignore_ascii_case(name);
        let rule = Rule::ALL.iter().find(|rule| is(format!("{rule:?}")));
        let group = TermGroup::ALL.iter().find(|group| is(format!("{group:?}")));
        match (rule, group) {
            (Some(&rule), _) => {
                Some(Ablation { rules: 1 << rule as u64, groups: TermGroups::default() })
            }
            (None, Some(&group)) => {
                Some(Ablation { rules: 0, groups: TermGroups::default().with(group) })
            }
            (None, None) => None,
        }
    }

    /// The ablation of all rules and term groups in a list of names, separated by commas.
    ///
    /// # Errors
    ///
    /// If there is no such rule or term group.
    pub fn of_names(names: &str) -> Result<Ablation, UnknownName> {
        let mut all = Ablation::default();
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let one = Ablation::named(name).ok_or_else(|| UnknownName(name.to_string()))?;
            all = Ablation { rules: all.rules | one.rules, groups: all.groups.union(one.groups) };
        }
        Ok(all)
    }

    /// Whether a rule is in use, that is, not left out.
    #[inline(always)]
    pub fn keeps(self, rule: Rule) -> bool {
        !cfg!(feature = "tune") || self.rules & 1 << rule as u64 == 0
    }

    /// The term groups that do not count.
    #[inline(always)]
    pub fn groups(self) -> TermGroups {
        if cfg!(feature = "tune") { self.groups } else { TermGroups::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_name_of_its_own() {
        let names = Ablation::names();
        let all: Vec<Ablation> = names.iter().filter_map(|name| Ablation::named(name)).collect();
        assert_eq!(all.len(), names.len());
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{}", names[index]);
        }
        assert_eq!(Ablation::named("nothing"), None);
        assert_eq!(
            Ablation::of_names(&names.join(", ")).map(|all| all.rules.count_ones() as usize),
            Ok(Rule::ALL.len())
        );
        assert!(Ablation::of_names("Razoring,nothing").is_err());
    }
}
