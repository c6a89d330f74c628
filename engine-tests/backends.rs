//! Every fill backend of this build, checked against the scalar definition and against walks over
//! the board.
//!
//! A build for a processor with AVX-512 has all three. `FRESHET_SETS=1000000 cargo test --release
//! backends` tries that many cases of each property instead of 5,000.

use std::mem::MaybeUninit;

use freshet::chess::{Bitboard, Square, bit};
use freshet::fill::{
    Boards, Direction, Pair, Rays, SquareTable, Tally, scalar as definition, waves,
};
use proptest::prelude::*;

use crate::support::{any_path, any_set, any_square, cases, eight_sets, walk};

/// The number of cases to try.
fn tries() -> ProptestConfig {
    let count = std::env::var("FRESHET_SETS").ok().and_then(|number| number.parse().ok());
    cases(count.unwrap_or(5_000))
}

/// Eight sets, lane by lane.
fn each(f: impl Fn(usize) -> Bitboard) -> [Bitboard; 8] {
    std::array::from_fn(f)
}

/// The lanes for which `f` is true, as bits.
fn mask(f: impl Fn(usize) -> bool) -> u8 {
    (0..8).fold(0, |mask, lane| mask | u8::from(f(lane)) << lane)
}

/// The union of the lanes for which this is true.
fn union(sets: &[Bitboard; 8], wanted: impl Fn(usize) -> bool) -> Bitboard {
    (0..8).filter(|&lane| wanted(lane)).fold(Bitboard::EMPTY, |all, lane| all | sets[lane])
}

/// The squares that are in more than one lane.
fn overlaps(sets: &[Bitboard; 8]) -> Bitboard {
    let pairs = (0..8).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.fold(Bitboard::EMPTY, |all, (i, j)| all | (sets[i] & sets[j]))
}

/// The number of squares in all lanes.
fn count(sets: &[Bitboard; 8]) -> u32 {
    sets.iter().map(|set| set.count() as u32).sum()
}

/// Whether a lane is a rook direction.
fn is_orthogonal(lane: usize) -> bool {
    lane % 4 < 2
}

/// A table of any weights.
fn any_table() -> impl Strategy<Value = SquareTable> {
    let half = || proptest::array::uniform32(any::<i8>());
    (half(), half()).prop_map(|(low, high)| {
        SquareTable(std::array::from_fn(|i| if i < 32 { low[i] } else { high[i - 32] }))
    })
}

/// Sets that one call of `expand` takes.
fn small_set() -> impl Strategy<Value = Bitboard> {
    any_set().prop_map(|set| set.into_iter().take(32).collect())
}

/// The first words of `expand`'s output.
fn written(words: &[MaybeUninit<u16>; 32], count: usize) -> Vec<u16> {
    // SAFETY: all words are initialized, those that `expand` does not write with 0.
    words[..count].iter().map(|word| unsafe { word.assume_init() }).collect()
}

/// The tests of one backend, in a module of its name.
macro_rules! backend {
    ($name:ident) => {
        mod $name {
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
            fn empty_board_rays_are_walks() {
                for square in Square::ALL {
                    let rays = Rays::empty_board_rays(square);
                    for direction in Direction::ALL {
                        let walk = walk(square, direction, Bitboard::EMPTY);
                        assert_eq!(rays.lane(direction), walk, "{square} {direction:?}");
                    }
                }
            }

            #[test]
            fn constants_are_what_they_are_called() {
                assert_eq!(Rays::EMPTY.words(), &[0; 8]);
                assert_eq!(Rays::first(Bitboard(5)).words(), &[5, 0, 0, 0, 0, 0, 0, 0]);
            }

            proptest! {
                #![proptest_config(tries())]

                #[test]
                fn attacks_are_as_defined(sliders in eight_sets(), empty in any_path()) {
                    let lanes = Rays::from_lanes(sliders).attacks(empty).lanes();
                    let defined =
                        each(|i| definition::attacks(Direction::ALL[i], sliders[i], empty));
                    assert_eq!(lanes, defined);
                }

                #[test]
                fn attacks_are_walks(sliders in any_set(), occupied in any_set()) {
                    let occupied = occupied | sliders;
                    let walks = each(|i| {
                        let walks =
                            sliders.into_iter().map(|s| walk(s, Direction::ALL[i], occupied));
                        walks.fold(Bitboard::EMPTY, |all, walk| all | walk)
                    });
                    assert_eq!(Rays::all(sliders).attacks(!occupied).lanes(), walks);
                }

                #[test]
                fn lanes_come_back(a in eight_sets()) {
                    let rays = Rays::from_lanes(a);
                    assert_eq!(rays.lanes(), a);
                    assert_eq!(Direction::ALL.map(|direction| rays.lane(direction)), a);
                    let words = a.map(|set| set.0);
                    assert_eq!(rays.words(), &words);
                    assert_eq!(Rays::load(&words).lanes(), a);
                }

                #[test]
                fn operators_act_lane_by_lane(a in eight_sets(), b in eight_sets()) {
                    let (x, y) = (Rays::from_lanes(a), Rays::from_lanes(b));
                    assert_eq!((x & y).lanes(), each(|i| a[i] & b[i]));
                    assert_eq!((x | y).lanes(), each(|i| a[i] | b[i]));
                    assert_eq!((x ^ y).lanes(), each(|i| a[i] ^ b[i]));
                }

                #[test]
                fn reversed_swaps_opposite_lanes(a in eight_sets()) {
                    assert_eq!(Rays::from_lanes(a).reversed().lanes(), each(|i| a[i ^ 4]));
                }

                #[test]
                fn a_step_moves_each_lane(a in eight_sets()) {
                    let steps = each(|i| Direction::ALL[i].step(a[i]));
                    assert_eq!(Rays::from_lanes(a).step().lanes(), steps);
                }

                #[test]
                fn lanes_can_be_chosen(a in eight_sets(), chosen in any::<u8>()) {
                    let kept =
                        each(|i| if chosen >> i & 1 == 1 { a[i] } else { Bitboard::EMPTY });
                    assert_eq!(Rays::from_lanes(a).only(chosen).lanes(), kept);
                }

                #[test]
                fn sliders_are_put_into_their_lanes(rooks in any_set(), bishops in any_set()) {
                    let lanes = each(|i| if is_orthogonal(i) { rooks } else { bishops });
                    assert_eq!(Rays::sliders(rooks, bishops).lanes(), lanes);
                    assert_eq!(Rays::all(rooks).lanes(), [rooks; 8]);
                }

                #[test]
                fn unions_are_of_all_lanes(a in eight_sets(), b in eight_sets()) {
                    let (x, y) = (Rays::from_lanes(a), Rays::from_lanes(b));
                    assert_eq!(x.union(), union(&a, |_| true));
                    assert_eq!(x.unions(y), (union(&a, |_| true), union(&b, |_| true)));
                }

                #[test]
                fn what_is_done_with_two_is_done_with_each(a in eight_sets(), b in eight_sets()) {
                    let both = [Rays::from_lanes(a), Rays::from_lanes(b)];
                    let unions = [&a, &b].map(|sets| union(sets, |_| true));
                    assert_eq!(Rays::pair_unions(both).lanes(), unions);
                    assert_eq!(Rays::pair_overlaps(both).lanes(), [&a, &b].map(overlaps));
                    let (orthogonal, diagonal) = Rays::pair_by_line(both);
                    let lines = both.map(Rays::by_line);
                    assert_eq!(orthogonal.lanes(), lines.map(|(orthogonal, _)| orthogonal));
                    assert_eq!(diagonal.lanes(), lines.map(|(_, diagonal)| diagonal));
                    let pairs = std::array::from_fn(|i| Pair::new(a[i], b[i]));
                    assert_eq!(Rays::transposed(pairs).map(Rays::lanes), [a, b]);
                }

                #[test]
                fn lines_are_unions_of_four_lanes(a in eight_sets()) {
                    let rays = Rays::from_lanes(a);
                    let lines = (union(&a, is_orthogonal), union(&a, |i| !is_orthogonal(i)));
                    assert_eq!(rays.by_line(), lines);
                    assert_eq!((rays.orthogonal(), rays.diagonal()), lines);
                }

                #[test]
                fn counts_are_of_all_lanes(a in eight_sets(), b in eight_sets()) {
                    let (x, y) = (Rays::from_lanes(a), Rays::from_lanes(b));
                    assert_eq!(x.count(), count(&a));
                    assert_eq!(x.count_with(y), count(&a) + count(&b));
                }

                #[test]
                fn common_squares_are_found_by_lane(
                    a in eight_sets(),
                    b in eight_sets(),
                    square in any_square(),
                ) {
                    let (x, y) = (Rays::from_lanes(a), Rays::from_lanes(b));
                    assert_eq!(x.meeting(y), mask(|i| (a[i] & b[i]).any()));
                    assert_eq!(x.holding(square), mask(|i| a[i].contains(square)));
                }

                #[test]
                fn knight_jumps_have_lanes_of_their_own(knights in any_set()) {
                    let jumps = Rays::knight_attacks(knights);
                    assert_eq!(jumps.union(), waves::knight_attacks(knights));
                    let moves = knights.into_iter().map(|s| waves::knight_attacks(bit(s)).count());
                    assert_eq!(jumps.count() as usize, moves.sum::<usize>());
                }

                #[test]
                fn leaper_attacks_are_those_of_king_knights_and_pawns(
                    (king, pawns, knights) in (any_set(), any_set(), any_set()),
                    white in any::<bool>(),
                ) {
                    let lane = if white { 2 } else { 6 };
                    let captures =
                        Direction::ALL[lane].step(pawns) | Direction::ALL[lane + 1].step(pawns);
                    let all = waves::king_attacks(king) | waves::knight_attacks(knights) | captures;
                    let leapers = Rays::leaper_attacks(king, pawns, 3 << lane, knights);
                    assert_eq!(leapers.union(), all);
                }

                #[test]
                fn sets_expand_to_their_squares(set in small_set(), base in any::<u16>()) {
                    let expected = |scale: u16| -> Vec<u16> {
                        let word = |s| base.wrapping_add(scale.wrapping_mul(s as u16));
                        set.into_iter().map(word).collect()
                    };
                    let mut out = [MaybeUninit::new(0); 32];
                    let count = expand::<1>(set, base, &mut out);
                    assert_eq!(written(&out, count), expected(1));
                    let count = expand::<65>(set, base, &mut out);
                    assert_eq!(written(&out, count), expected(65));
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig { cases: tries().cases / 20, ..tries() })]

                #[test]
                fn weights_of_squares_add_up(
                    sets in proptest::array::uniform5(any_set()),
                    tables in proptest::array::uniform5([any_table(), any_table()]),
                ) {
                    let sum = |table: usize| -> i32 {
                        let of_set = |i: usize| -> i32 {
                            let weight = |s: Square| i32::from(tables[i][table].0[s as usize]);
                            sets[i].into_iter().map(weight).sum()
                        };
                        (0..sets.len()).map(of_set).sum()
                    };
                    assert_eq!(weigh(&sets, &tables.each_ref()), [sum(0), sum(1)]);
                }
            }
        }
    };
}

/// Sets on several boards, in the form of this build, against the functions for one set.
mod boards {
    use super::*;

    fn load(sets: &[Bitboard; 8]) -> Boards {
        Boards::load(&sets.map(|set| set.0))
    }

    /// Asserts that each board has the set that `f` gives it.
    fn assert_each(boards: Boards, f: impl Fn(usize) -> Bitboard) {
        for (board, set) in boards.words().into_iter().enumerate() {
            assert_eq!(Bitboard(set), f(board), "board {board}");
        }
    }

    proptest! {
        #![proptest_config(tries())]

        #[test]
        fn pieces_move_as_on_one_board(sets in eight_sets(), occupied in eight_sets()) {
            let (pieces, empty) = (load(&sets), !load(&occupied));
            for direction in Direction::ALL {
                assert_each(pieces.step(direction), |board| direction.step(sets[board]));
                let slides = |pieces: Bitboard, board: usize| {
                    Rays::all(pieces).attacks(!occupied[board]).lane(direction)
                };
                let [first, second] = Boards::slides(direction, [pieces, !pieces], empty);
                assert_each(first, |board| slides(sets[board], board));
                assert_each(second, |board| slides(!sets[board], board));
            }
            assert_each(pieces.king_attacks(), |board| waves::king_attacks(sets[board]));
            assert_each(pieces.knight_attacks(), |board| waves::knight_attacks(sets[board]));
            let moves = pieces.knight_moves();
            for (board, knights) in sets[..Boards::COUNT].iter().enumerate() {
                let counted: usize =
                    moves.iter().map(|moves| Bitboard(moves.words()[board]).count()).sum();
                let listed = |from: Square| waves::knight_attacks(bit(from)).count();
                assert_eq!(counted, knights.into_iter().map(listed).sum::<usize>());
            }
        }

        #[test]
        fn operators_act_board_by_board(
            (a, b) in (eight_sets(), eight_sets()),
            meeting in any::<u8>(),
        ) {
            // Sets that meet on some boards only.
            let c = each(|board| if meeting >> board & 1 == 1 { a[board] } else { !a[board] });
            let (x, y, z) = (load(&a), load(&b), load(&c));
            assert_each(x & y, |board| a[board] & b[board]);
            assert_each(x | y, |board| a[board] | b[board]);
            assert_each(x ^ y, |board| a[board] ^ b[board]);
            assert_each(!x, |board| !a[board]);
            assert_each(y.or_where_meet(x, x, z), |board| {
                if a[board].intersects(c[board]) { a[board] | b[board] } else { b[board] }
            });
            assert_each(y.where_empty(x & z), |board| {
                if a[board].intersects(c[board]) { Bitboard::EMPTY } else { b[board] }
            });
            assert_each(x.without_first(), |board| a[board] ^ a[board].isolate_first());
            let squares = a[..Boards::COUNT].iter().map(|set| set.count()).sum::<usize>();
            assert_eq!((x & !Boards::EMPTY).any(), squares > 0);
            let mut tally = Tally::default();
            (0..30).for_each(|_| tally.count(x));
            assert_eq!(tally.sum(), 30 * squares as u64);
            let mut stored = [0; 8];
            x.store(&mut stored);
            assert_eq!(stored[..Boards::COUNT], a.map(|set| set.0)[..Boards::COUNT]);
        }

        #[test]
        fn numbers_become_squares(numbers in proptest::array::uniform8(any::<u16>())) {
            let numbers = std::array::from_fn(|board| numbers[board]);
            let square = |number: u16| Bitboard(1 << (number & 63));
            assert_each(Boards::squares::<0>(&numbers), |board| square(numbers[board]));
            assert_each(Boards::squares::<6>(&numbers), |board| square(numbers[board] >> 6));
        }
    }
}

backend!(scalar);
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
backend!(neon);
#[cfg(target_feature = "avx2")]
backend!(avx2);
#[cfg(all(
    target_feature = "avx512vbmi2",
    target_feature = "avx512vpopcntdq",
    target_feature = "avx512vnni"
))]
backend!(avx512);
