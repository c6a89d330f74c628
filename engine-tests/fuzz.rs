//! Runs the fuzzed laws (see `fuzz/README.md`) on the seeds and on randomly changed copies of them.
//! A crash found by a fuzzer becomes a test here.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};

use crate::laws::{TARGETS, Target};
use crate::support::random;

/// Changes an input as fuzzers do: changes bytes, cuts or repeats them, or splices in another
/// input.
fn mutated(random: &mut Xoshiro256PlusPlus, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.random_range(1..4) {
        let [from, to] = [(); 2].map(|()| random.random_range(0..=bytes.len()));
        let part = bytes[from.min(to)..from.max(to)].to_vec();
        match random.random_range(0..5) {
            0 if from < bytes.len() => bytes[from] = random.next_u32() as u8,
            1 if from < bytes.len() => bytes[from] ^= 1 << random.random_range(0..8),
            2 => drop(bytes.drain(from.min(to)..from.max(to).min(from.min(to) + 8))),
            3 if part.len() <= 64 => drop(bytes.splice(to..to, part)),
            _ => {
                let from = random.random_range(0..=other.len());
                let taken = &other[from..(from + 16).min(other.len())];
                bytes.splice(to..to, taken.iter().copied());
            }
        }
    }
    bytes
}

/// The target of this name.
fn target(name: &str) -> Target {
    TARGETS.into_iter().find(|target| target.name == name).expect("a target")
}

/// Calls a law with all seeds and with this many changed ones. `FRESHET_MUTATIONS` overrides the
/// number.
fn try_out(name: &str, default: usize) {
    let count = std::env::var("FRESHET_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let count = count.unwrap_or(default);
    let Target { law, seeds, .. } = target(name);
    let seeds = seeds();
    let check = |bytes: &[u8]| {
        if let Err(panic) = std::panic::catch_unwind(|| law(bytes)) {
            eprintln!("{name} fails for {:?}", bytes.escape_ascii().to_string());
            std::panic::resume_unwind(panic);
        }
    };
    seeds.iter().for_each(|seed| check(seed));
    let mut random = random(name.len() as u64);
    for _ in 0..count {
        let [seed, other] = [(); 2].map(|()| random.random_range(0..seeds.len()));
        check(&mutated(&mut random, &seeds[seed], &seeds[other]));
    }
}

/// A test for each target, with the number of changed seeds.
macro_rules! laws {
    ($($name:ident: $count:literal,)*) => {
        $(
            #[test]
            fn $name() {
                try_out(stringify!($name), $count);
            }
        )*

        #[test]
        fn every_target_has_a_test() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
        }
    };
}

laws! {
    uci: 20,
    fen: 3000,
    moves: 60,
    san: 300,
    pgn: 100,
    polyglot: 500,
    hash_file: 20,
    data: 150,
    weights: 300,
    epd: 1000,
    eval: 60,
}

/// Polyglot's key includes a pseudo-legal en passant capture even if it is illegal. The law had not
/// passed it to shakmaty when the start FEN had it.
#[test]
fn a_start_with_an_illegal_en_passant_capture() {
    // 1b1k4/8/8/1rPpK3/8/8/8/8 w - d6, as `Input::start` reads it.
    (target("moves").law)(&[3, 0, 36, 59, 11, 10, 57, 11, 33, 0, 34, 8, 35, 7, 0]);
}
