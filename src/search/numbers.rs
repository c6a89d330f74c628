//! How rules of the search declare the numbers that are tuned.
//!
//! In play they are constants, with which the compiler calculates. A build with the feature `tune`
//! reads them from a table, which is owned by the engine.

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

/// Declares the numbers of a rule as fields of a struct `Numbers`. The first word is the rule's name.
macro_rules! numbers {
    ($rule:ident: $($(#[$doc:meta])* $name:ident = $value:literal, $low:literal to $high:literal;)*) => {
        /// The numbers of this rule that are tuned.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Numbers {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Numbers {
            /// Their declarations.
            pub const ALL: &'static [$crate::search::numbers::Declared] = &[
                $($crate::search::numbers::Declared {
                    rule: stringify!($rule),
                    name: concat!(stringify!($rule), "_", stringify!($name)),
                    default: $value,
                    low: $low,
                    high: $high,
                },)*
            ];

            /// As they are declared: the compiler knows their values.
            const DECLARED: &'static Numbers = &Numbers { $($name: $value,)* };

            /// The numbers in use. Only a build with the feature `tune` looks at those it is given.
            #[inline(always)]
            pub fn of(params: $crate::search::numbers::ParamsInUse<'_>) -> Numbers {
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
    /// The name that it has in the file of its rule.
    pub fn own_name(&self) -> &'static str {
        &self.name[self.rule.len() + 1..]
    }
}

/// The numbers of all rules that a search goes by, in the order of their declarations.
#[derive(Clone, Copy, Debug)]
pub struct ParamsInUse<'a> {
    /// The declarations.
    pub declared: &'a [Declared],
    /// The values.
    pub values: &'a [i32],
}

impl<'a> ParamsInUse<'a> {
    /// The values of a rule, in the order of their declarations.
    pub fn of_rule(self, rule: &str) -> &'a [i32] {
        let first = self.declared.iter().position(|declared| declared.rule == rule).unwrap_or(0);
        let count =
            self.declared[first..].iter().take_while(|declared| declared.rule == rule).count();
        &self.values[first..first + count]
    }
}
