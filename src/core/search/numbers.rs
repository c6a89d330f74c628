//! How the rules of the search declare their tuned numbers.
//!
//! A normal build makes them constants, so that the compiler can fold them. A build with the
//! feature `tune` reads them from a table that the engine owns.

/// The declaration of a number: its name, default and range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The rule that declares it.
    #[doc(hidden)]
    pub rule: &'static str,
    /// The name as a UCI option: the rule's name, then the number's.
    pub name: &'static str,
    /// The value in a normal build.
    #[doc(hidden)]
    pub default: i32,
    /// The least it may be.
    #[doc(hidden)]
    pub low: i32,
    /// The most it may be.
    #[doc(hidden)]
    pub high: i32,
}

/// Declares the numbers of a rule as fields of a struct `Numbers`. The first word is the rule's
/// name.
macro_rules! numbers {
    ($rule:ident: $($(#[$doc:meta])* $name:ident = $value:literal, $low:literal to $high:literal;)*) => {
        /// The numbers of this rule that are tuned.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct Numbers {
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Numbers {
            /// Name, default and range of each number, in order.
            pub(crate) const ALL: &'static [$crate::search::numbers::Declared] = &[
                $($crate::search::numbers::Declared {
                    rule: stringify!($rule),
                    name: concat!(stringify!($rule), "_", stringify!($name)),
                    default: $value,
                    low: $low,
                    high: $high,
                },)*
            ];

            /// The defaults, as constants the compiler can fold.
            const DECLARED: &'static Numbers = &Numbers { $($name: $value,)* };

            /// The numbers in use: `params` in a build with the feature `tune`, the defaults in any
            /// other.
            #[inline(always)]
            pub(crate) fn of(params: $crate::search::numbers::ParamsInUse<'_>) -> Numbers {
                if !cfg!(feature = "tune") {
                    return Numbers { $($name: Numbers::DECLARED.$name,)* };
                }
                let mut values = params.of_rule(stringify!($rule)).iter().copied();
                let mut numbers = Numbers { $($name: $value,)* };
                $(numbers.$name = values.next().unwrap_or($value);)*
                numbers
            }
        }
    };
}
pub(super) use numbers;

impl Declared {
    /// The name without the rule's, as in the file of the rule.
    #[doc(hidden)]
    pub fn own_name(&self) -> &'static str {
        &self.name[self.rule.len() + 1..]
    }
}

/// The numbers of all rules for one search, in the order of their declarations.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamsInUse<'a> {
    pub(super) declared: &'a [Declared],
    /// The value of each declaration, at the same index.
    pub(super) values: &'a [i32],
}

impl<'a> ParamsInUse<'a> {
    /// The values of a rule, in the order of their declarations.
    pub(super) fn of_rule(self, rule: &str) -> &'a [i32] {
        let first = self.declared.iter().position(|declared| declared.rule == rule).unwrap_or(0);
        let count =
            self.declared[first..].iter().take_while(|declared| declared.rule == rule).count();
        &self.values[first..first + count]
    }
}
