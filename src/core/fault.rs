//! Fault injection, for tests of internal errors. Only in a build with the feature
//! `fault-injection`.

/// Where a fault can be injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The main thread of a search.
    Main,
    /// A helper thread of a search.
    Helper,
    /// The reporter of a search.
    Reporter,
}

/// Panics if the environment variable `FRESHET_FAULT` has the name of this place (`main`, `helper`,
/// `reporter`). Does nothing in a build without the feature.
#[inline(always)]
pub fn inject(place: Place) {
    #[cfg(feature = "fault-injection")]
    {
        static WANTED: std::sync::LazyLock<Option<String>> =
            std::sync::LazyLock::new(|| std::env::var("FRESHET_FAULT").ok());
        let is_wanted = |name: &String| format!("{place:?}").eq_ignore_ascii_case(name);
        assert!(!WANTED.as_ref().is_some_and(is_wanted), "injected fault: {place:?}");
    }
    #[cfg(not(feature = "fault-injection"))]
    let _ = place;
}
