//! The laws that are fuzzed: those of the engine's tests.

#[path = "../../engine-tests/laws/mod.rs"]
pub mod laws;
