//! Ablation: the search without one of its rules, or the evaluation without one of its term groups,
//! to measure by matches what each is worth.
//!
//! Only a build with the feature `tune` asks; any other has no trace of it in its search.

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
    /// Double and triple extensions.
    DoubleExtensions,
    /// Multi-cut: a node where a second move fails high in the singular search is cut.
    MultiCut,
    /// Negative extensions of a table move that is not singular.
    NegativeExtensions,
    /// Hindsight: more or less depth by how the evaluation has changed.
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
    /// Deeper or shallower after a reduced search that looked good.
    DeeperShallower,
    /// Whether the position improves.
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
    /// The evaluation is refined by the table's score.
    TableEvaluation,
    /// The evaluation is corrected by what searches have found.
    Corrections,
    /// Killer moves.
    Killers,
    /// The history of moves by squares.
    ButterflyHistory,
    /// The history of moves by pawn structure.
    PawnHistory,
    /// Continuations of the last move.
    Continuation1,
    /// Continuations of the move two plies back.
    Continuation2,
    /// Continuations of the move four plies back.
    Continuation4,
    /// Continuations of the move six plies back.
    Continuation6,
    /// The history of captures.
    CaptureHistory,
    /// Delta pruning in quiescence.
    DeltaPruning,
    /// The table is asked in quiescence.
    QuiescenceTable,
    /// A small window around the last score.
    AspirationWindow,
    /// Quiet checks are ordered early.
    CheckOrder,
    /// Pieces that leave the attack of a lesser piece are ordered early, those that walk into one
    /// late.
    EscapeOrder,
    /// Once a move has raised alpha, the others are searched less deep.
    RaisedAlpha,
    /// Histories learn from how the evaluation has changed.
    EvaluationHistory,
    /// Histories learn from cutoffs of the table.
    TableHistory,
    /// Prior move malus: histories learn that the move searched first at the parent was refuted.
    PriorMoveMalus,
    /// Histories learn from searches after a reduced one.
    ResearchHistory,
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
    /// The names of everything that can be left out: rules, then term groups.
    pub fn names() -> Vec<String> {
        let rules = Rule::ALL.iter().map(|rule| format!("{rule:?}"));
        rules.chain(TermGroup::ALL.iter().map(|group| format!("{group:?}"))).collect()
    }

    /// What has this name, in any case, left out.
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

    /// Everything in a list of names, separated by commas, left out.
    ///
    /// # Errors
    ///
    /// If there is no such rule or term group.
    pub fn of_names(names: &str) -> Result<Ablation, UnknownName> {
        let mut all = Ablation::default();
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let one = Ablation::named(name).ok_or_else(|| UnknownName(name.to_string()))?;
            all = Ablation { rules: all.rules | one.rules, groups: all.groups.and(one.groups) };
        }
        Ok(all)
    }

    /// Whether the search may use a rule.
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
        let found: Vec<Ablation> = names.iter().filter_map(|name| Ablation::named(name)).collect();
        assert_eq!(found.len(), names.len());
        for (index, one) in found.iter().enumerate() {
            assert!(!found[..index].contains(one), "{}", names[index]);
        }
        assert_eq!(Ablation::named("nothing"), None);
        assert_eq!(
            Ablation::of_names(&names.join(", ")).map(|all| all.rules.count_ones() as usize),
            Ok(Rule::ALL.len())
        );
        assert!(Ablation::of_names("Razoring,nothing").is_err());
    }
}
