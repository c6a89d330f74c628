//! Fills: sets of squares that spread over the board.
//!
//! A *fill* starts from a set (the generator) and spreads one step at a time over another set (the
//! propagator, mostly the empty squares). Sliding attacks are fills along rays: [`Rays`] takes all
//! eight directions at once, in the lanes of SIMD registers where the build has them, and
//! [`scalar`] is its definition. King and knight routes are [`waves`]; the squares that pawns
//! attack on their way to promotion are [`spans`].
//!
//! The attack fill of a rook on d4, up to and including the first blocker in each direction:
//!
//! ```
//! # extern crate freshet_core as freshet;
//! use freshet::chess::{Bitboard, Square, bit, diagram};
//! use freshet::fill::Rays;
//!
//! let rook = bit(Square::D4);
//! let blockers = bit(Square::D6) | bit(Square::B4) | bit(Square::F2);
//! let attacks = Rays::sliders(rook, Bitboard::EMPTY).attacks(!(rook | blockers)).union();
//! assert_eq!(
//!     diagram(attacks).to_string(),
//!     ". . . . . . . .
//! . . . . . . . .
//! . . . x . . . .
//! . . . x . . . .
//! . x x . x x x x
//! . . . x . . . .
//! . . . x . . . .
//! . . . x . . . ."
//! );
//! ```

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512vbmi2",
    target_feature = "avx512vpopcntdq",
    target_feature = "avx512vnni"
))]
pub mod avx512;
mod boards;
mod direction;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub mod neon;
mod pair;
pub mod processor;
pub mod scalar;
pub mod spans;
pub mod waves;

/// The backend of this build, chosen at compile time. All code that uses fills is compiled for it,
/// so the choice costs nothing at run time.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512vbmi2",
    target_feature = "avx512vpopcntdq",
    target_feature = "avx512vnni"
))]
mod backend {
    pub use super::avx512::{Rays, expand, weigh};
    /// The name of the backend that this build uses.
    pub const BACKEND: &str = "AVX-512";
}

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(
        target_feature = "avx512vbmi2",
        target_feature = "avx512vpopcntdq",
        target_feature = "avx512vnni"
    ))
))]
mod backend {
    pub use super::avx2::{Rays, expand, weigh};
    /// The name of the backend that this build uses.
    pub const BACKEND: &str = "AVX2";
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod backend {
    pub use super::neon::{Rays, expand, weigh};
    /// The name of the backend that this build uses.
    pub const BACKEND: &str = "NEON";
}

#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
mod backend {
    pub use super::scalar::{Rays, expand, weigh};
    /// The name of the backend that this build uses.
    pub const BACKEND: &str = "scalar";
}

pub use backend::{BACKEND, Rays, expand, weigh};
pub use boards::{Boards, Tally};
pub use direction::{DIAGONAL, Direction, SHIFT, WRAP};
pub(crate) use pair::per_lane;
pub use pair::{Counts, Pair};
pub use scalar::SquareTable;

use crate::chess::{Bitboard, Role};

/// The squares that pieces of a role attack from the squares of a set, on a board with these
/// squares empty. Pawns are seen as moving north.
pub fn attacks_of(role: Role, from: Bitboard, empty: Bitboard) -> Bitboard {
    let none = Bitboard::EMPTY;
    match role {
        Role::Pawn => spans::pawn_attacks(from),
        Role::Knight => waves::knight_attacks(from),
        Role::King => waves::king_attacks(from),
        Role::Bishop => Rays::sliders(none, from).attacks(empty).diagonal(),
        Role::Rook => Rays::sliders(from, none).attacks(empty).orthogonal(),
        Role::Queen => Rays::sliders(from, from).attacks(empty).union(),
    }
}
