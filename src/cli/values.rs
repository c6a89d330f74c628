//! Values of arguments: numbers with their ranges.

/// The most threads.
pub const MAX_THREADS: u64 = freshet::search::MAX_THREADS as u64;
/// The largest table in MiB.
pub const MAX_HASH: u64 = freshet::search::MAX_HASH as u64;

/// Parses a whole number from `LOW` to `HIGH`.
pub fn number<T: TryFrom<u64>, const LOW: u64, const HIGH: u64>(word: &str) -> Result<T, String> {
    let number = word.parse().ok().filter(|number| (LOW..=HIGH).contains(number));
    number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match HIGH {
        u64::MAX => format!("not a whole number of at least {LOW}"),
        _ => format!("not a whole number from {LOW} to {HIGH}"),
    })
}

/// Parses a whole number above zero.
pub fn positive<T: TryFrom<u64>>(word: &str) -> Result<T, String> {
    number::<T, 1, { u64::MAX }>(word)
}

/// Parses a seed of random numbers.
pub fn seed(word: &str) -> Result<u64, String> {
    number::<u64, 0, { u64::MAX }>(word)
}

/// Parses a number of threads.
pub fn threads(word: &str) -> Result<usize, String> {
    number::<usize, 1, MAX_THREADS>(word)
}

/// Parses the size of a transposition table in MiB.
pub fn hash(word: &str) -> Result<usize, String> {
    number::<usize, 1, MAX_HASH>(word)
}

/// Parses a decimal number above zero.
pub fn positive_decimal(word: &str) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "not a number above 0".to_string())
}

/// Parses a share of a whole.
pub fn share(word: &str) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1".to_string())
}
