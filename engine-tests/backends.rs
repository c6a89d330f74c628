//! Every fill backend that this build has, against the scalar definition and walks over the board.
//!
//! A build for a processor with AVX-512 has all three. `FRESHET_SETS=10000000 cargo test --release backends` tries as many
//! random sets; without it there are fewer.

use freshet::chess::{Bitboard, Square, bit};
use freshet::fill::{Direction, SquareTable, scalar as definition, waves};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};

use crate::support::{random, random_set, walk};

/// How many random sets to try.
fn tries() -> usize {
    std::env::var("FRESHET_SETS").ok().and_then(|number| number.parse().ok()).unwrap_or(200_000)
}

/// Eight random sets.
fn eight(random: &mut Xoshiro256PlusPlus) -> [Bitboard; 8] {
    std::array::from_fn(|_| random_set(random))
}

/// The tests of one backend, in a module of its name.
macro_rules! backend {
    ($name:ident) => {
        mod $name {
            use std::mem::MaybeUninit;

            use super::*;
            use freshet::fill::$name::{Rays, expand, weigh};

            #[test]
            fn every_square_and_every_blocker_subset() {
                for square in Square::ALL {
                    for direction in Direction::ALL {
                        for blockers in walk(square, direction, Bitboard::EMPTY).carry_rippler() {
                            let rays = Rays::all(bit(square)).attacks(!(blockers | bit(square)));
                            assert_eq!(rays.lane(direction), walk(square, direction, blockers));
                        }
                    }
                }
            }

            #[test]
            fn sets_of_sliders_as_the_definition_says() {
                let mut random = random(40);
                for turn in 0..tries() {
                    let generators = eight(&mut random);
                    let empty = random_set(&mut random) | random_set(&mut random);
                    let lanes = Rays::from_lanes(generators).attacks(empty).lanes();
                    for direction in Direction::ALL {
                        let lane = direction.lane();
                        assert_eq!(
                            lanes[lane],
                            definition::attacks(direction, generators[lane], empty)
                        );
                        if turn % 100 == 0 {
                            let occupied = !empty;
                            let union = generators[lane]
                                .into_iter()
                                .fold(Bitboard::EMPTY, |all, s| all | walk(s, direction, occupied));
                            assert_eq!(lanes[lane], union);
                        }
                    }
                }
            }

            #[test]
            fn weights_of_squares_add_up() {
                let mut random = random(44);
                for _ in 0..tries() / 20 {
                    let sets: [Bitboard; 5] = std::array::from_fn(|_| random_set(&mut random));
                    let tables: [[SquareTable; 2]; 5] = std::array::from_fn(|_| {
                        std::array::from_fn(|_| {
                            SquareTable(std::array::from_fn(|_| random.next_u32() as i8))
                        })
                    });
                    let sum = |table: usize| -> i32 {
                        let of = |i: usize| sets[i].into_iter().map(move |s| (i, s));
                        let weight =
                            |(i, s): (usize, Square)| i32::from(tables[i][table].0[s as usize]);
                        (0..5).flat_map(of).map(weight).sum()
                    };
                    assert_eq!(weigh(&sets, &tables), [sum(0), sum(1)]);
                }
            }

            #[test]
            fn lanes_are_answered_one_by_one() {
                let mut random = random(41);
                for _ in 0..tries() / 4 {
                    let (a, b) = (eight(&mut random), eight(&mut random));
                    let (x, y) = (Rays::from_lanes(a), Rays::from_lanes(b));
                    let chosen = random.next_u32() as u8;
                    let square = Square::ALL[random.random_range(0..64)];
                    let each =
                        |f: &dyn Fn(usize) -> Bitboard| -> [Bitboard; 8] { std::array::from_fn(f) };
                    let none = Bitboard::EMPTY;
                    assert_eq!(x.lanes(), a);
                    for direction in Direction::ALL {
                        assert_eq!(x.lane(direction), a[direction.lane()]);
                    }
                    assert_eq!((x & y).lanes(), each(&|i| a[i] & b[i]));
                    assert_eq!((x | y).lanes(), each(&|i| a[i] | b[i]));
                    assert_eq!((x ^ y).lanes(), each(&|i| a[i] ^ b[i]));
                    assert_eq!(x.without(y).lanes(), each(&|i| a[i] & !b[i]));
                    assert_eq!(x.reversed().lanes(), each(&|i| a[i ^ 4]));
                    assert_eq!(
                        x.only(chosen).lanes(),
                        each(&|i| if chosen >> i & 1 == 1 { a[i] } else { none })
                    );
                    let fold = |a: &[Bitboard; 8], pick: &dyn Fn(usize) -> bool| {
                        (0..8).filter(|&i| pick(i)).fold(none, |all, i| all | a[i])
                    };
                    assert_eq!(x.union(), fold(&a, &|_| true));
                    assert_eq!(x.unions(y), (fold(&a, &|_| true), fold(&b, &|_| true)));
                    let lines = (fold(&a, &|i| i % 4 < 2), fold(&a, &|i| i % 4 >= 2));
                    assert_eq!(x.by_line(), lines);
                    assert_eq!((x.orthogonal(), x.diagonal()), lines);
                    let count =
                        |a: &[Bitboard; 8]| a.iter().map(|set| set.count() as u32).sum::<u32>();
                    assert_eq!(x.count(), count(&a));
                    assert_eq!(x.count_with(y), count(&a) + count(&b));
                    let lanes = |test: &dyn Fn(usize) -> bool| {
                        (0..8).fold(0, |m, i| m | u8::from(test(i)) << i)
                    };
                    assert_eq!(x.meeting(y), lanes(&|i| (a[i] & b[i]).any()));
                    assert_eq!(x.holding(square), lanes(&|i| a[i].contains(square)));
                    assert_eq!(
                        Rays::sliders(a[0], a[1]).lanes(),
                        each(&|i| if i % 4 < 2 { a[0] } else { a[1] })
                    );
                    assert_eq!(x.step().lanes(), each(&|i| Direction::ALL[i].step(a[i])));
                    let words = a.map(|set| set.0);
                    assert_eq!(Rays::load(&words).lanes(), a);
                    assert_eq!(x.words(), &words);
                    assert_eq!(Rays::first(Bitboard(5)).words(), &[5, 0, 0, 0, 0, 0, 0, 0]);
                    assert_eq!(Rays::EMPTY.words(), &[0; 8]);
                }
            }

            #[test]
            fn leapers_are_the_waves() {
                let mut random = random(42);
                for _ in 0..tries() / 4 {
                    let knights = random_set(&mut random);
                    let leaps = Rays::knight_attacks(knights);
                    assert_eq!(leaps.union(), waves::knight_attacks(knights));
                    let moves: usize =
                        knights.into_iter().map(|s| waves::knight_attacks(bit(s)).count()).sum();
                    assert_eq!(leaps.count() as usize, moves, "each jump in a lane of its own");
                    let (king, pawns) = (random_set(&mut random), random_set(&mut random));
                    let lane = if random.random() { 2 } else { 6 };
                    let takes =
                        Direction::ALL[lane].step(pawns) | Direction::ALL[lane + 1].step(pawns);
                    let all = waves::king_attacks(king) | waves::knight_attacks(knights) | takes;
                    assert_eq!(Rays::leaper_attacks(king, pawns, 3 << lane, knights).union(), all);
                }
            }

            #[test]
            fn beams_are_walks_over_an_empty_board() {
                for square in Square::ALL {
                    let empty_board_rays = Rays::empty_board_rays(square);
                    for direction in Direction::ALL {
                        let walk = walk(square, direction, Bitboard::EMPTY);
                        assert_eq!(
                            empty_board_rays.lane(direction),
                            walk,
                            "{square} {direction:?}"
                        );
                    }
                }
            }

            #[test]
            fn sets_expand_to_their_squares() {
                let mut random = random(43);
                for _ in 0..tries() / 4 {
                    let mut set = random_set(&mut random);
                    while set.count() > 32 {
                        set &= random_set(&mut random);
                    }
                    let base = random.next_u32() as u16;
                    let mut out = [MaybeUninit::uninit(); 32];
                    let check = |count: usize, scale: u16, out: &[MaybeUninit<u16>; 32]| {
                        assert_eq!(count, set.count());
                        for (index, square) in set.into_iter().enumerate() {
                            // SAFETY: `expand` has written as many words as it says.
                            let word = unsafe { out[index].assume_init() };
                            assert_eq!(word, base.wrapping_add(scale.wrapping_mul(square as u16)));
                        }
                    };
                    let count = expand::<1>(set, base, &mut out);
                    check(count, 1, &out);
                    let count = expand::<65>(set, base, &mut out);
                    check(count, 65, &out);
                }
            }
        }
    };
}

backend!(scalar);
#[cfg(target_feature = "avx2")]
backend!(avx2);
#[cfg(all(
    target_feature = "avx512vbmi2",
    target_feature = "avx512vpopcntdq",
    target_feature = "avx512vnni"
))]
backend!(avx512);
