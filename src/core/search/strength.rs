//! Limited strength: fewer nodes, and noise in the evaluation.
//!
//! A weaker player sees less far and misjudges positions. So each level limits the nodes per move
//! and adds noise to the evaluation. The noise of a position stays the same throughout a game: the
//! engine holds a wrong idea and acts on it, instead of playing random moves among good ones. This
//! costs no second line in the search.
//!
//! People learn elementary mates instead of calculating them. So from a certain Elo on, which depends
//! on the pieces, a limited engine mates a bare king without errors.

use crate::board::Position;
use crate::chess::{Bitboard, Color, Role};
use crate::known::mates::Ending;

/// A limited playing strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The node limit of each move.
    pub nodes: u64,
    /// The largest error of the evaluation, in centipawns.
    pub noise: i32,
    /// The seed of the noise; each game should have its own.
    pub seed: u64,
    /// The measured or interpolated Elo of this strength.
    pub elo: i32,
}

/// Strength levels: Elo, nodes per move, largest evaluation error in centipawns. The Elo differences
/// come from matches between neighbours (`freshet tune strength`) and some against Stockfish 15.1 at
/// its UCI_Elo; see `bench/results.md`.
const LEVELS: [(i32, u64, i32); 10] = [
    (600, 64, 230),
    (1050, 128, 160),
    (1440, 256, 110),
    (1670, 512, 70),
    (1935, 1024, 40),
    (2160, 2048, 20),
    (2380, 4096, 10),
    (2600, 8192, 6),
    (2820, 16_384, 4),
    (3040, 32_768, 2),
];

impl Strength {
    /// The weakest play, in Elo.
    pub const LEAST: i32 = LEVELS[0].0;
    /// From this Elo on the engine plays at full strength. It lies as far above the top level as
    /// the top level lies above the next one.
    pub const FULL: i32 = 2 * LEVELS[LEVELS.len() - 1].0 - LEVELS[LEVELS.len() - 2].0;
    /// The number of levels; a level is an index below this.
    pub const LEVEL_COUNT: usize = LEVELS.len();

    /// The strength of a level, 0 being the weakest.
    pub fn level(level: usize) -> Strength {
        let (_, nodes, noise) = LEVELS[level.min(LEVELS.len() - 1)];
        Strength { nodes, noise, seed: 0, elo: Strength::elo_of(level) }
    }

    /// The Elo of a level.
    pub fn elo_of(level: usize) -> i32 {
        LEVELS[level.min(LEVELS.len() - 1)].0
    }

    /// The strength for this Elo; `None` for full strength. Between two levels, nodes are
    /// interpolated geometrically and the error linearly.
    pub fn of(elo: i32) -> Option<Strength> {
        if elo >= Strength::FULL {
            return None;
        }
        let elo = elo.max(Strength::LEAST);
        let above = LEVELS.iter().position(|&(level, ..)| level > elo).unwrap_or(LEVELS.len() - 1);
        let ((low, few, wrong), (high, many, less_wrong)) = (LEVELS[above - 1], LEVELS[above]);
        let share = f64::from(elo - low) / f64::from(high - low);
        let nodes = few as f64 * (many as f64 / few as f64).powf(share);
        let noise = f64::from(wrong) + share * f64::from(less_wrong - wrong);
        Some(Strength {
            nodes: nodes.round() as u64,
            noise: noise.round().max(0.0) as i32,
            seed: 0,
            elo,
        })
    }

    /// Whether a player of this strength knows how to mate with these pieces.
    pub(super) fn can_mate(&self, ending: Ending) -> bool {
        self.elo
            >= match ending {
                Ending::Queen => 800,
                Ending::Rook => 1000,
                Ending::TwoBishops => 1600,
                Ending::BishopAndKnight => 2000,
            }
    }

    /// The strength to use in a position. Against a bare king it is greater, without evaluation
    /// noise, if the pieces can force mate and a player of this strength knows how.
    pub(super) fn in_position(self, position: &Position) -> Strength {
        /// With fewer nodes the king is not always driven to the edge within fifty moves.
        const NODES: u64 = 4000;
        let Some(strong) = Color::ALL.into_iter().find(|&side| position.is_bare(side.other()))
        else {
            return self;
        };
        let has = |role: Role| position.set(strong, role).any();
        let bishops = position.set(strong, Role::Bishop);
        let has_pair = bishops.intersects(Bitboard::LIGHT_SQUARES)
            && bishops.intersects(Bitboard::DARK_SQUARES);
        let knows = (has(Role::Queen) && self.can_mate(Ending::Queen))
            || (has(Role::Rook) && self.can_mate(Ending::Rook))
            || (has_pair && self.can_mate(Ending::TwoBishops))
            || (bishops.any() && has(Role::Knight) && self.can_mate(Ending::BishopAndKnight));
        match knows {
            true => Strength { nodes: self.nodes.max(NODES), noise: 0, ..self },
            false => self,
        }
    }

    /// Evaluation noise: the centipawns by which the side to move overrates its position.
    #[inline]
    pub(super) fn evaluation_noise(&self, position: &Position) -> i32 {
        // Two random numbers that depend only on position and seed (the mixing function of
        // SplitMix64). Their sum has a triangular distribution around 0.
        let mut mixed = position.key() ^ self.seed;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let uniform = |bits: u64| (bits & 0xffff) as i32 - 0x8000;
        (uniform(mixed) + uniform(mixed >> 16)) * self.noise / 0x1_0000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_more_nodes_and_less_noise() {
        let mut before = Strength::level(0);
        assert_eq!(Strength::of(Strength::LEAST), Some(before));
        for elo in Strength::LEAST..Strength::FULL {
            let strength = Strength::of(elo).expect("a limit");
            assert!(strength.nodes >= before.nodes && strength.noise <= before.noise, "{elo}");
            before = strength;
        }
        for level in 0..Strength::LEVEL_COUNT {
            assert_eq!(Strength::of(Strength::elo_of(level)), Some(Strength::level(level)));
        }
        assert_eq!(Strength::of(Strength::FULL), None);
    }

    #[test]
    fn noise_is_even_and_bounded() {
        let strength = Strength { nodes: 1, noise: 100, seed: 7, elo: 1500 };
        let mut position = Position::start();
        let (mut sum, mut count, mut most) = (0, 0, 0);
        for m in position.moves() {
            position.play(m);
            for reply in position.moves() {
                position.play(reply);
                let error = strength.evaluation_noise(&position);
                assert_eq!(error, strength.evaluation_noise(&position));
                (sum, count, most) = (sum + error, count + 1, most.max(error.abs()));
                position.undo();
            }
            position.undo();
        }
        assert!(most > 60 && most <= 100 && (sum / count).abs() < 12, "{most} {sum} {count}");
    }

    #[test]
    fn more_strength_against_a_bare_king_only_with_pieces_that_mate() {
        let strength = Strength::of(1700).expect("a limit");
        for (fen, knows) in [
            ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", true),
            ("8/8/8/4k3/8/8/8/KBB5 w - - 0 1", true),
            ("8/8/8/4k3/8/8/8/KN6 w - - 0 1", false),
            ("8/8/8/4k3/8/8/P7/K7 w - - 0 1", false),
            ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", false),
            ("8/8/8/4k3/8/4r3/8/KQ6 w - - 0 1", false),
        ] {
            let position: Position = fen.parse().expect("legal");
            assert_eq!(strength.in_position(&position).noise == 0, knows, "{fen}");
        }
    }
}
