//! Progress of long work. The library prints nothing, but reports to its caller.

/// Receives the progress of long work. All methods do nothing by default.
///
/// Work may be done by several threads, which report through the same object.
pub trait Progress: Sync {
    /// A stage of the work begins: `total` parts, named by `unit` in the plural (`games`).
    fn start(&self, _unit: &str, _total: u64) {}
    /// This many parts of the stage are done.
    fn set(&self, _done: u64) {}
    /// One more part of the stage is done.
    fn advance(&self) {}
    /// The stage is complete, or given up.
    fn finish(&self) {}
    /// A remark of one line about how the work goes, such as the loss after an epoch.
    fn note(&self, _line: &str) {}
}

/// For callers that do not show progress.
impl Progress for () {}
