//! Playing weaker than one can: fewer nodes, and an eye that misjudges.
//!
//! A weaker player looks less far and sees a position for better or worse than it is. Each level has a number of nodes a
//! move and a misjudgement: an error that is the same whenever the same position is met in a game, so that wrong ideas are
//! held and acted on, unlike random moves among good ones. No second line is searched for it.

use crate::board::Position;

/// How strong to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Nodes a move.
    pub nodes: u64,
    /// The largest misjudgement in centipawns.
    pub error: i32,
    /// What the misjudgements depend on beside the position: another number for another game.
    pub seed: u64,
}

/// Levels of play: Elo, nodes a move, largest misjudgement. The differences are measured by matches between neighbours
/// (`freshet tune strength`), the uppermost by one against Stockfish 15.1 at UCI_Elo 2400; see `bench/results.md`.
const LADDER: [(i32, u64, i32); 6] = [
    (800, 128, 160),
    (1190, 256, 110),
    (1430, 512, 70),
    (1770, 1024, 40),
    (2020, 2048, 20),
    (2350, 4096, 10),
];

impl Strength {
    /// The weakest play, in Elo.
    pub const LEAST: i32 = LADDER[0].0;
    /// The strongest limited play, in Elo.
    pub const MOST: i32 = LADDER[LADDER.len() - 1].0;
    /// How many levels there are.
    pub const LEVELS: usize = LADDER.len();

    /// A level of the ladder, 0 the weakest.
    pub fn level(level: usize) -> Strength {
        let (_, nodes, error) = LADDER[level.min(LADDER.len() - 1)];
        Strength { nodes, error, seed: 0 }
    }

    /// The Elo of a level.
    pub fn elo_of(level: usize) -> i32 {
        LADDER[level.min(LADDER.len() - 1)].0
    }

    /// The strength of this Elo: between two levels, nodes grow by the same factor and errors shrink by the same amount from
    /// point to point.
    pub fn of(elo: i32) -> Strength {
        let elo = elo.clamp(Strength::LEAST, Strength::MOST);
        let above = LADDER.iter().position(|&(level, ..)| level > elo).unwrap_or(LADDER.len() - 1);
        let ((low, few, wrong), (high, many, less_wrong)) = (LADDER[above - 1], LADDER[above]);
        let share = f64::from(elo - low) / f64::from(high - low);
        let nodes = few as f64 * (many as f64 / few as f64).powf(share);
        let error = f64::from(wrong) + share * f64::from(less_wrong - wrong);
        Strength { nodes: nodes.round() as u64, error: error.round() as i32, seed: 0 }
    }

    /// By how many centipawns the side to move takes its position for better than it is.
    #[inline]
    pub fn misjudgement(&self, position: &Position) -> i32 {
        // Two throws that depend on nothing but position and seed (the mixing of SplitMix64), their sum triangular around 0.
        let mut mixed = position.key() ^ self.seed;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let throw = |bits: u64| (bits & 0xffff) as i32 - 0x8000;
        (throw(mixed) + throw(mixed >> 16)) * self.error / 0x1_0000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_more_nodes_and_less_error() {
        let mut before = Strength::of(Strength::LEAST);
        assert_eq!(before, Strength::level(0));
        for elo in Strength::LEAST..=Strength::MOST {
            let strength = Strength::of(elo);
            assert!(strength.nodes >= before.nodes && strength.error <= before.error, "{elo}");
            before = strength;
        }
        assert_eq!(before, Strength::level(Strength::LEVELS - 1));
    }

    #[test]
    fn misjudgements_are_even_and_bounded() {
        let strength = Strength { nodes: 1, error: 100, seed: 7 };
        let mut position = Position::start();
        let (mut sum, mut count, mut most) = (0, 0, 0);
        for m in position.moves() {
            position.play(m);
            for reply in position.moves() {
                position.play(reply);
                let error = strength.misjudgement(&position);
                assert_eq!(error, strength.misjudgement(&position));
                (sum, count, most) = (sum + error, count + 1, most.max(error.abs()));
                position.undo();
            }
            position.undo();
        }
        assert!(most > 60 && most <= 100 && (sum / count).abs() < 12, "{most} {sum} {count}");
    }
}
