//! Playing without a rule of the search or a room of the evaluation, to see what it is worth.
//!
//! Heeded only by a build with the feature `tune`; any other has no trace of it in its search.

use crate::eval::terms::{Room, Rooms};

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident,)*) => {
        /// What the search can do without.
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
    /// Verification of deep null moves.
    NullVerification,
    /// ProbCut.
    ProbCut,
    /// Internal iterative reductions.
    InternalReductions,
    /// Singular extensions, with multi-cut and negative extensions.
    Singular,
    /// Double and triple extensions.
    DoubleExtensions,
    /// Multi-cut: no search where two moves fail high.
    MultiCut,
    /// Negative extensions of a move that is not the only one.
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
    /// Pruning by static exchange.
    ExchangePruning,
    /// Late move reductions.
    Reductions,
    /// Everything that changes them: only depth and number count.
    ReductionAdjustments,
    /// Deeper or shallower after a reduced search that looked good.
    DeeperShallower,
    /// Whether the position improves.
    Improving,
    /// Cutoffs are softened.
    SoftCutoffs,
    /// The evaluation fades as the fifty-move rule nears.
    Fading,
    /// Draws are a little more or less than nothing.
    DrawJitter,
    /// Draws by a repetition that can be forced at once.
    UpcomingRepetition,
    /// Mate distance pruning.
    MateDistance,
    /// Proven draws of blocked endings are cut.
    BlockedDraws,
    /// The evaluation is refined by the table's score.
    RefinedEvaluation,
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
    Aspiration,
    /// Quiet checks come early.
    CheckOrder,
    /// Pieces leave squares where something of less worth attacks them, and do not go there.
    EscapeOrder,
    /// Once a move has raised alpha, the others are searched less deep.
    RaisedAlpha,
    /// Histories learn from how the evaluation has changed.
    EvalHistory,
    /// Histories learn from cutoffs of the table.
    TableHistory,
    /// Histories learn that a move that was tried first is refuted.
    RefutedFirst,
    /// Histories learn from searches after a reduced one.
    ResearchHistory,
}

/// What is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    rules: u64,
    rooms: Rooms,
}

impl Without {
    /// The names of everything that can be left out: rules, then rooms.
    pub fn names() -> Vec<String> {
        let rules = Rule::ALL.iter().map(|rule| format!("{rule:?}"));
        rules.chain(Room::ALL.iter().map(|room| format!("{room:?}"))).collect()
    }

    /// What has this name, in any case, left out.
    pub fn named(name: &str) -> Option<Without> {
        let is = |other: String| other.eq_ignore_ascii_case(name);
        let rule = Rule::ALL.iter().find(|rule| is(format!("{rule:?}")));
        let room = Room::ALL.iter().find(|room| is(format!("{room:?}")));
        match (rule, room) {
            (Some(&rule), _) => Some(Without { rules: 1 << rule as u64, rooms: Rooms::default() }),
            (None, Some(&room)) => Some(Without { rules: 0, rooms: Rooms::default().with(room) }),
            (None, None) => None,
        }
    }

    /// Everything in a list of names, separated by commas, left out.
    pub fn of_names(names: &str) -> Result<Without, String> {
        let mut all = Without::default();
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let one = Without::named(name).ok_or_else(|| format!("no rule and no room is called {name}"))?;
            all = Without { rules: all.rules | one.rules, rooms: all.rooms.and(one.rooms) };
        }
        Ok(all)
    }

    /// Whether the search may use a rule.
    #[inline(always)]
    pub fn keeps(self, rule: Rule) -> bool {
        !cfg!(feature = "tune") || self.rules & 1 << rule as u64 == 0
    }

    /// The rooms that do not count.
    #[inline(always)]
    pub fn rooms(self) -> Rooms {
        if cfg!(feature = "tune") { self.rooms } else { Rooms::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_name_of_its_own() {
        let names = Without::names();
        let found: Vec<Without> = names.iter().filter_map(|name| Without::named(name)).collect();
        assert_eq!(found.len(), names.len());
        for (index, one) in found.iter().enumerate() {
            assert!(!found[..index].contains(one), "{}", names[index]);
        }
        assert_eq!(Without::named("nothing"), None);
        assert_eq!(
            Without::of_names(&names.join(", ")).map(|all| all.rules.count_ones() as usize),
            Ok(Rule::ALL.len())
        );
        assert!(Without::of_names("Razoring,nothing").is_err());
    }
}
