//! Fills, checked against walks over the board, square by square.

use std::collections::VecDeque;

use freshet::chess::{Bitboard, BySquare, Color, Rank, Square, bit, diagram, parse_diagram};
use freshet::fill::waves::{self, Connections, Layers, Wave};
use freshet::fill::{Counts, Direction, Pair, scalar, spans};
use proptest::prelude::*;

use crate::support::{any_path, any_set, any_square, cases, eight_sets, neighbour, walk};

#[test]
fn every_square_and_every_blocker_subset() {
    for square in Square::ALL {
        for direction in Direction::ALL {
            for blockers in walk(square, direction, Bitboard::EMPTY).carry_rippler() {
                let seen = walk(square, direction, blockers);
                let empty = !(blockers | bit(square));
                assert_eq!(scalar::attacks(direction, bit(square), empty), seen);
                let fill = (seen & empty) | bit(square);
                assert_eq!(scalar::occluded(direction, bit(square), empty), fill);
                assert_eq!(scalar::occluded_loop(direction, bit(square), empty), fill);
            }
        }
    }
}

/// The squares that have this relation to a square of the set.
fn related(set: Bitboard, relation: impl Fn(Square, Square) -> bool) -> Bitboard {
    Square::ALL
        .into_iter()
        .filter(|&other| set.into_iter().any(|square| relation(square, other)))
        .collect()
}

/// The number of files between two squares, and of ranks by which the second is further north.
fn difference(from: Square, to: Square) -> (u32, i32) {
    (from.file().distance(to.file()), to.rank() as i32 - from.rank() as i32)
}

/// The number of steps to each square from the start over the path, computed square by square.
/// `step` says whether a square may be left in a direction.
fn walked(
    start: Bitboard,
    path: Bitboard,
    may_leave: impl Fn(Square, Direction) -> bool,
) -> BySquare<Option<u8>> {
    let mut map = BySquare::all(None);
    let mut queue: VecDeque<Square> = start.into_iter().collect();
    for square in start {
        map[square] = Some(0);
    }
    while let Some(here) = queue.pop_front() {
        for direction in Direction::ALL.into_iter().filter(|&d| may_leave(here, d)) {
            let Some(next) = neighbour(here, direction) else { continue };
            if path.contains(next) && map[next].is_none() {
                map[next] = map[here].map(|steps: u8| steps + 1);
                queue.push_back(next);
            }
        }
    }
    map
}

/// A king's number of moves from the start over the path.
fn king_walk(start: Bitboard, path: Bitboard) -> BySquare<Option<u8>> {
    walked(start, path, |_, _| true)
}

/// The number of moves from one set to the other, both intersected with the path.
fn king_distance(from: Bitboard, to: Bitboard, path: Bitboard) -> Option<u8> {
    let map = king_walk(from & path, path);
    (to & path).into_iter().filter_map(|square| map[square]).min()
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn king_attacks_are_the_neighbours(set in any_set()) {
        let near = related(set, |king, other| king.distance(other) == 1);
        assert_eq!(waves::king_attacks(set), near);
        assert_eq!(waves::king_fill(set), near | set);
    }

    #[test]
    fn knight_attacks_are_one_by_two(set in any_set()) {
        let jumps = related(set, |knight, other| {
            let (files, ranks) = difference(knight, other);
            files * ranks.unsigned_abs() == 2
        });
        assert_eq!(waves::knight_attacks(set), jumps);
    }

    #[test]
    fn distances_are_those_of_a_queue(start in any_square(), path in any_path()) {
        let layers = waves::layers(bit(start), path, waves::king_attacks);
        assert_eq!(waves::distances(&layers), king_walk(bit(start), path));
    }

    #[test]
    fn moves_to_a_goal_are_those_of_a_queue(
        from in any_square(),
        to in any_set(),
        path in any_path(),
    ) {
        let nearest = king_distance(bit(from), to, path);
        let (from, to) = (bit(from) & path, to & path);
        let moves = waves::moves_to(from, to, path, waves::king_attacks);
        assert_eq!(moves, nearest.map(u32::from));
        assert_eq!(waves::squares_are_connected(from, to, path), nearest.is_some());
    }

    #[test]
    fn shortest_paths_are_those_of_two_queues(
        from in any_square(),
        to in any_set(),
        path in any_path(),
    ) {
        let from = bit(from);
        let Some(layers) = waves::all_shortest_paths(from, to, path) else {
            assert_eq!(king_distance(from, to, path), None);
            return Ok(());
        };
        let forth = king_walk(from & path, path);
        let length = layers.len() as u8 - 1;
        assert_eq!(king_distance(from, to, path), Some(length));
        let at = |map: &BySquare<Option<u8>>, steps| -> Bitboard {
            Square::ALL.into_iter().filter(|&square| map[square] == Some(steps)).collect()
        };
        let back = king_walk(to & at(&forth, length), path);
        for (moves, &layer) in layers.iter().enumerate() {
            let moves = moves as u8;
            assert_eq!(layer, at(&forth, moves) & at(&back, length - moves));
        }
    }

    #[test]
    fn both_forms_of_shortest_paths_agree(
        from in any_set(),
        to in any_set(),
        path in any_path(),
    ) {
        assert_eq!(
            waves::all_shortest_paths(from, to, path),
            waves::all_shortest_paths_frontier(from, to, path)
        );
    }

    #[test]
    fn connections_limit_each_direction(start in any_square(), open in eight_sets()) {
        let walked = walked(bit(start), Bitboard::FULL, |here, direction| {
            open[direction.lane()].contains(here)
        });
        assert_eq!(Connections(open).distances(start), walked);
    }

    #[test]
    fn voronoi_cells_compare_distances(
        starts in (any_square(), any_square()),
        paths in (any_path(), any_path()),
    ) {
        let first = Wave::new(bit(starts.0), paths.0);
        let second = Wave::new(bit(starts.1), paths.1);
        let cells = waves::voronoi(first, second, waves::king_attacks);
        let maps = [first, second].map(|wave| king_walk(wave.start, wave.path));
        for square in Square::ALL {
            let [a, b] = maps.each_ref().map(|map| map[square].unwrap_or(u8::MAX));
            assert_eq!(cells.first.contains(square), a < b);
            assert_eq!(cells.second.contains(square), b < a);
            assert_eq!(cells.tie.contains(square), a == b && a < u8::MAX);
        }
    }

    #[test]
    fn front_and_rear_spans_are_walks(pawns in any_set()) {
        let along = |direction| {
            let walks = pawns.into_iter().map(|pawn| walk(pawn, direction, Bitboard::EMPTY));
            walks.fold(Bitboard::EMPTY, |all, walk| all | walk)
        };
        assert_eq!(spans::front_span(pawns), along(Direction::North));
        assert_eq!(spans::rear_span(pawns), along(Direction::South));
    }

    #[test]
    fn file_fills_are_whole_files(set in any_set()) {
        assert_eq!(spans::file_fill(set), related(set, |a, b| a.file() == b.file()));
    }

    #[test]
    fn squares_beside_are_one_file_away(set in any_set()) {
        assert_eq!(spans::beside(set), related(set, |a, b| difference(a, b) == (1, 0)));
    }

    #[test]
    fn attack_spans_are_one_file_away(pawns in any_set()) {
        let attacks = related(pawns, |a, b| difference(a, b) == (1, 1));
        assert_eq!(spans::pawn_attacks(pawns), attacks);
        let span = related(pawns, |a, b| matches!(difference(a, b), (1, 1..)));
        assert_eq!(spans::attack_span(pawns), span);
    }

    #[test]
    fn passed_pawn_spans_are_three_files_wide(pawns in any_set()) {
        let span = related(pawns, |a, b| matches!(difference(a, b), (0..=1, 1..)));
        assert_eq!(spans::passed_pawn_span(pawns), span);
    }

    #[test]
    fn pushes_go_over_empty_squares(pawns in any_set(), empty in any_path()) {
        let mut reached = Bitboard::EMPTY;
        for pawn in pawns {
            let ahead = walk(pawn, Direction::North, !empty) & empty;
            let steps = if pawn.rank() == Rank::Second { 2 } else { 1 };
            reached |= ahead.into_iter().take(steps).collect::<Bitboard>();
        }
        assert_eq!(spans::pushes(pawns, empty), reached);
    }

    #[test]
    fn pairs_do_with_two_sets_what_sets_do_with_one(a in any_set(), b in any_set(), c in any_set()) {
        let (both, other) = (Pair::new(a, b), Pair::new(c, a));
        let each = |pair: Pair, f: &dyn Fn(Bitboard) -> Bitboard| {
            assert_eq!(pair.lanes(), [f(a), f(b)]);
        };
        each(both, &|set| set);
        each(!both, &|set| !set);
        each(both.north(), &|set| Direction::North.step(set));
        each(both.south(), &|set| Direction::South.step(set));
        each(both.east(), &|set| Direction::East.step(set));
        each(both.west(), &|set| Direction::West.step(set));
        each(both.north_fill(), &spans::north_fill);
        each(both.south_fill(), &spans::south_fill);
        each(both.file_fill(), &spans::file_fill);
        each(both.pawn_attacks(), &spans::pawn_attacks);
        each(both.pawn_attacks_east(), &|set| Direction::NorthEast.step(set));
        each(both.pawn_attacks_west(), &|set| Direction::NorthWest.step(set));
        each(both.king_attacks(), &waves::king_attacks);
        each(both.king_fill(), &waves::king_fill);
        each(both.knight_attacks(), &waves::knight_attacks);
        let pushes = [spans::pushes(a, c), spans::pushes(b, a)];
        assert_eq!(both.pushes(other).lanes(), pushes);
        assert_eq!((both & other).lanes(), [a & c, b & a]);
        assert_eq!((both | other).lanes(), [a | c, b | a]);
        assert_eq!(Pair::both(c).lanes(), [c, c]);
        assert_eq!((both.lane(0), both.lane(1)), (a, b));
        assert_eq!(both.any(), (a | b).any());
        assert_eq!(both.opposite().lanes(), [b.flip_vertical(), a.flip_vertical()]);
        assert_eq!(both.facing_north(Color::White).lanes(), [a, b.flip_vertical()]);
        assert_eq!(both.facing_north(Color::Black).lanes(), [b.flip_vertical(), a]);
    }

    #[test]
    fn pairs_of_numbers_are_counted_with(a in any_set(), b in any_set(), c in any_set()) {
        let number = |set: Bitboard| set.count() as i32;
        let (counts, others) = (Pair::new(a, b).count(), Pair::new(b, c).count());
        let [m, n] = [number(a), number(b)];
        assert_eq!(counts.lanes(), [m, n]);
        assert_eq!((counts + others).lanes(), [m + n, n + number(c)]);
        assert_eq!((counts - others).lanes(), [m - n, n - number(c)]);
        assert_eq!(counts.times(others).lanes(), [m * n, n * number(c)]);
        assert_eq!(counts.at_most(9).lanes(), [m.min(9), n.min(9)]);
        // Packed values are negative as well.
        let weights = Counts::new([-70_000, 70_001]);
        assert_eq!(counts.times(weights).lanes(), [-70_000 * m, 70_001 * n]);
        assert_eq!(Pair::new(a, Bitboard::EMPTY).nonempty().lanes(), [i32::from(a.any()), 0]);
    }

    #[test]
    fn diagrams_are_read_as_they_are_drawn(set in any_set()) {
        assert_eq!(parse_diagram(&diagram(set).to_string()), Some(set));
    }
}

#[test]
fn the_published_example_of_all_shortest_paths() {
    // e4 to {a1, h8} over an empty board: four moves, and these squares on the way (CCC, 2002).
    let squares = |names: &str| -> Bitboard {
        names.split_whitespace().map(|name| name.parse::<Square>().expect("a square")).collect()
    };
    let published: Layers = [
        squares("e4"),
        squares("e5 f5 d4 d3"),
        squares("f6 g6 c3 c2"),
        squares("g7 h7 b2 b1"),
        squares("a1 h8"),
    ]
    .into_iter()
    .collect();
    let layers = waves::all_shortest_paths(squares("e4"), squares("a1 h8"), Bitboard::FULL);
    assert_eq!(layers, Some(published));
}

#[test]
fn a_closed_region_ends_both_forms() {
    // A goal behind a wall: as published, the frontier form would go back and forth forever.
    let path = Bitboard(0x0000_0000_00ff_ffff) | bit(Square::H8);
    assert_eq!(waves::all_shortest_paths(bit(Square::A1), bit(Square::H8), path), None);
    assert_eq!(waves::all_shortest_paths_frontier(bit(Square::A1), bit(Square::H8), path), None);
}

#[test]
fn open_connections_are_king_moves() {
    let distances = Connections::OPEN.distances(Square::E4);
    assert_eq!(distances, king_walk(bit(Square::E4), Bitboard::FULL));
}

#[test]
fn texts_that_are_no_diagrams_are_refused() {
    assert_eq!(parse_diagram(""), None);
    assert_eq!(parse_diagram(&". ".repeat(63)), None);
    assert_eq!(parse_diagram(&". ".repeat(64)), Some(Bitboard::EMPTY));
    assert_eq!(parse_diagram(&". ".repeat(65)), None);
}
