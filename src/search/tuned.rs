//! The numbers of the search that are tuned. Each rule declares its own, with `numbers!`, in its
//! file; this one makes a list of them.
//!
//! A build with the feature `tune` shows them all as UCI options, named by rule and number, and there
//! `freshet tune search` tunes them by simultaneous perturbation (SPSA, J. C. Spall). `freshet spsa`
//! prints them in the form that OpenBench takes.

use std::ops::Deref;

use super::node::{
    futility, hindsight, move_pruning, null_move, probcut, quiescence, reductions, singular,
    static_eval, update,
};
use super::order::{corrections, picker};
use super::root;

/// The declaration of a number: its name, default and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The rule that declares it.
    pub rule: &'static str,
    /// The name, as an option: the rule's and the number's own.
    pub name: &'static str,
    /// The value in use.
    pub default: i32,
    /// The least it may be.
    pub low: i32,
    /// The most it may be.
    pub high: i32,
}

/// Declares the numbers of a rule as fields of a struct `Numbers`. The first word is the rule's name
/// in [`Params`].
macro_rules! numbers {
    ($rule:ident: $($(#[$doc:meta])* $name:ident = $value:literal, $low:literal to $high:literal;)*) => {
        /// The numbers of this rule that are tuned.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Numbers {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Numbers {
            /// Their declarations.
            pub const ALL: &'static [$crate::search::Declared] = &[
                $($crate::search::Declared {
                    rule: stringify!($rule),
                    name: concat!(stringify!($rule), "_", stringify!($name)),
                    default: $value,
                    low: $low,
                    high: $high,
                },)*
            ];

            /// As they are declared.
            pub const DEFAULT: Numbers = Numbers { $($name: $value,)* };

            /// All of them, in the order of their declarations.
            pub fn each_mut(&mut self) -> impl Iterator<Item = &mut i32> {
                [$(&mut self.$name,)*].into_iter()
            }
        }
    };
}
pub(super) use numbers;

macro_rules! params {
    ($($rule:ident: $numbers:ty;)*) => {
        /// The numbers of all rules.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $(pub(super) $rule: $numbers,)*
        }

        /// How many there are.
        const COUNT: usize = 0 $(+ <$numbers>::ALL.len())*;

        /// The declarations of all rules.
        static ALL: [Declared; COUNT] = joined([$(<$numbers>::ALL,)*]);

        /// The numbers as declared.
        static DECLARED: Params = Params { $($rule: <$numbers>::DEFAULT,)* };

        impl Params {
            /// The number with the index that it has in [`Params::ALL`].
            pub fn number(&mut self, index: usize) -> Option<&mut i32> {
                std::iter::empty()$(.chain(self.$rule.each_mut()))*.nth(index)
            }
        }
    };
}

params! {
    futility: futility::Numbers;
    null_move: null_move::Numbers;
    probcut: probcut::Numbers;
    singular: singular::Numbers;
    move_pruning: move_pruning::Numbers;
    reduction: reductions::Numbers;
    hindsight: hindsight::Numbers;
    update: update::Numbers;
    static_eval: static_eval::Numbers;
    quiescence: quiescence::Numbers;
    root: root::Numbers;
    order: picker::Numbers;
    correction: corrections::Numbers;
}

/// The lists one after the other.
const fn joined<const LISTS: usize>(lists: [&[Declared]; LISTS]) -> [Declared; COUNT] {
    let mut all = [lists[0][0]; COUNT];
    let (mut list, mut place, mut count) = (0, 0, 0);
    while count < COUNT {
        if place == lists[list].len() {
            (list, place) = (list + 1, 0);
            continue;
        }
        all[count] = lists[list][place];
        (place, count) = (place + 1, count + 1);
    }
    all
}

impl Params {
    /// The declarations of all numbers, rule by rule.
    pub const ALL: &'static [Declared] = &ALL;

    /// The index of the number of this name in [`Params::ALL`].
    pub fn index(name: &str) -> Option<usize> {
        Params::ALL.iter().position(|declared| declared.name == name)
    }
}

impl Declared {
    /// The name that it has in the file of its rule.
    pub fn own_name(&self) -> &'static str {
        &self.name[self.rule.len() + 1..]
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Each number is reached by the name and the place of its declaration.
    #[test]
    fn names_are_those_of_the_numbers() {
        let mut params = Params::default();
        for (index, declared) in Params::ALL.iter().enumerate() {
            assert_eq!(Params::index(declared.name), Some(index));
            assert_eq!(params.number(index).copied(), Some(declared.default), "{}", declared.name);
            assert!((declared.low..=declared.high).contains(&declared.default));
        }
        assert_eq!(params.number(Params::ALL.len()), None);
        let null_move = Params::index("null_move_margin").expect("declared");
        *params.number(null_move).expect("a number") = 77;
        assert_eq!(params.null_move.margin, 77);
        let last = Params::index("correction_moves").expect("declared");
        *params.number(last).expect("a number") = 78;
        assert_eq!(params.correction.moves, 78);
    }
}
