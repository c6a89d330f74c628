//! Logarithms for late move reductions.

use std::sync::LazyLock;

/// Logarithm of depth times logarithm of the number of earlier moves, in 1024ths.
static PRODUCTS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let product =
        |depth: usize, moves: usize| (depth.max(1) as f64).ln() * (moves.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|moves| (1024.0 * product(depth, moves)) as i32)
    })
});

/// A table of logarithms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logarithms(&'static [[i32; 64]; 64]);

impl Logarithms {
    /// The shared table, computed on first use.
    pub(super) fn get() -> Logarithms {
        Logarithms(&PRODUCTS)
    }

    /// ln(depth) ln(moves) in 1024ths; both count as 63 at most.
    #[inline(always)]
    pub(super) fn product(self, depth: i32, moves: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][moves.min(63)]
    }
}
