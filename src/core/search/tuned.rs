//! The list of all search parameters that are tuned. Each rule declares its own in its file.
//!
//! A build with the feature `tune` shows them all as UCI options, named by rule and number. In such
//! a build `freshet tune search` tunes them by simultaneous perturbation (SPSA, J. C. Spall), and
//! `freshet spsa` prints them in OpenBench's format.

use super::node::{
    futility, hindsight, move_pruning, null_move, probcut, quiescence, reductions, singular,
    static_eval, update,
};
use super::numbers::{Declared, ParamsInUse};
use super::order::{corrections, picker};
use super::root;

/// The declarations, rule by rule.
const RULES: [&[Declared]; 13] = [
    futility::Numbers::ALL,
    null_move::Numbers::ALL,
    probcut::Numbers::ALL,
    singular::Numbers::ALL,
    move_pruning::Numbers::ALL,
    reductions::Numbers::ALL,
    hindsight::Numbers::ALL,
    update::Numbers::ALL,
    static_eval::Numbers::ALL,
    quiescence::Numbers::ALL,
    root::Numbers::ALL,
    picker::Numbers::ALL,
    corrections::Numbers::ALL,
];

const COUNT: usize = {
    let (mut count, mut rule) = (0, 0);
    while rule < RULES.len() {
        (count, rule) = (count + RULES[rule].len(), rule + 1);
    }
    count
};

/// All declarations, one after the other.
static ALL: [Declared; COUNT] = {
    let mut all = [RULES[0][0]; COUNT];
    let (mut rule, mut place, mut count) = (0, 0, 0);
    while count < COUNT {
        if place == RULES[rule].len() {
            (rule, place) = (rule + 1, 0);
            continue;
        }
        all[count] = RULES[rule][place];
        (place, count) = (place + 1, count + 1);
    }
    all
};

/// The values of all tuned numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    values: [i32; COUNT],
}

impl Params {
    /// The declarations of all numbers, rule by rule.
    pub const ALL: &'static [Declared] = &ALL;

    /// The index of the number of this name in [`Params::ALL`].
    #[doc(hidden)]
    pub fn index(name: &str) -> Option<usize> {
        Params::ALL.iter().position(|declared| declared.name == name)
    }

    /// The number at this index of [`Params::ALL`].
    #[doc(hidden)]
    pub fn number(&mut self, index: usize) -> Option<&mut i32> {
        self.values.get_mut(index)
    }

    /// The view in which the rules look up their numbers.
    pub(super) fn in_use(&self) -> ParamsInUse<'_> {
        ParamsInUse { declared: Params::ALL, values: &self.values }
    }
}

impl Default for Params {
    fn default() -> Params {
        Params { values: ALL.map(|declared| declared.default) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each number has a name and a place of its own, and its rule finds it there.
    #[test]
    fn numbers_are_found_by_rule_and_by_name() {
        let mut params = Params::default();
        for (index, declared) in Params::ALL.iter().enumerate() {
            assert_eq!(Params::index(declared.name), Some(index));
            assert_eq!(params.number(index).copied(), Some(declared.default), "{}", declared.name);
            assert!((declared.low..=declared.high).contains(&declared.default));
            assert_eq!(declared.name, format!("{}_{}", declared.rule, declared.own_name()));
            *params.number(index).expect("a number") = index as i32;
        }
        assert_eq!(params.number(Params::ALL.len()), None);
        let mut count = 0;
        for rule in RULES {
            let values = params.in_use().of_rule(rule[0].rule);
            let indices: Vec<i32> = (count..count + rule.len() as i32).collect();
            assert_eq!(values, indices, "{}", rule[0].rule);
            count += rule.len() as i32;
        }
    }
}
