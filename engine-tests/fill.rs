//! Fills against walks over the board.

use freshet::chess::{Bitboard, Square, bit};
use freshet::fill::waves::{self, Connections, Layers, Wave};
use freshet::fill::{Direction, scalar, spans};
use rand::RngExt;

use crate::support::{neighbour, random, random_set, walk};

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

#[test]
fn one_step_waves_are_neighbours() {
    let mut random = random(3);
    for _ in 0..20_000 {
        let set = random_set(&mut random);
        let mut king = Bitboard::EMPTY;
        let mut knight = Bitboard::EMPTY;
        for square in set {
            king |=
                Direction::ALL.iter().filter_map(|&d| neighbour(square, d)).collect::<Bitboard>();
            knight |= Square::ALL
                .into_iter()
                .filter(|other| {
                    let files = square.file().distance(other.file());
                    let ranks = square.rank().distance(other.rank());
                    files * ranks == 2
                })
                .collect::<Bitboard>();
        }
        assert_eq!(waves::king_attacks(set), king);
        assert_eq!(waves::king_fill(set), king | set);
        assert_eq!(waves::knight_attacks(set), knight);
    }
}

/// Distances by a queue, square by square.
fn walked(start: Bitboard, path: Bitboard) -> [Option<u8>; 64] {
    let mut map = [None; 64];
    let mut queue: std::collections::VecDeque<Square> = start.into_iter().collect();
    for square in start {
        map[square as usize] = Some(0);
    }
    while let Some(here) = queue.pop_front() {
        for next in Direction::ALL.iter().filter_map(|&d| neighbour(here, d)) {
            if path.contains(next) && map[next as usize].is_none() {
                map[next as usize] = map[here as usize].map(|d: u8| d + 1);
                queue.push_back(next);
            }
        }
    }
    map
}

#[test]
fn distances_and_shortest_paths_against_a_queue() {
    let mut random = random(4);
    let mut connected = 0;
    for _ in 0..20_000 {
        let path = random_set(&mut random) | random_set(&mut random);
        let from = bit(Square::ALL[random.random_range(0..64)]);
        let to = random_set(&mut random);

        let layers = waves::layers(from, path, waves::king_attacks);
        assert_eq!(waves::distances(&layers).0, walked(from, path));
        let map = walked(from & path, path);
        let nearest = (to & path).into_iter().filter_map(|s| map[s as usize]).min();
        let moves = waves::moves_to(from & path, to & path, path, waves::king_attacks);
        assert_eq!(moves, nearest.map(u32::from));
        assert_eq!(waves::squares_are_connected(from, to, path), nearest.is_some());

        let westcott = waves::all_shortest_paths(from, to, path);
        assert_eq!(westcott, waves::all_shortest_paths_frontier(from, to, path));
        assert_eq!(westcott.as_ref().map(|layers| layers.len() as u8 - 1), nearest);
        if let (Some(layers), Some(length)) = (westcott, nearest) {
            connected += 1;
            let goals: Bitboard =
                (to & path).into_iter().filter(|&s| map[s as usize] == nearest).collect();
            let back = walked(goals, path);
            for (moves, layer) in layers.iter().enumerate() {
                let on_the_way: Bitboard = Square::ALL
                    .into_iter()
                    .filter(|&s| {
                        map[s as usize] == Some(moves as u8)
                            && back[s as usize] == Some(length - moves as u8)
                    })
                    .collect();
                assert_eq!(*layer, on_the_way);
            }
        }
    }
    assert!(connected > 1000, "only {connected} pairs were connected");
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
    let layers = waves::all_shortest_paths(squares("e4"), squares("a1 h8"), Bitboard::FULL)
        .expect("an empty board is connected");
    assert_eq!(layers.len(), published.len());
    assert_eq!(layers, published);
}

#[test]
fn a_closed_room_ends_both_forms() {
    // A goal behind a wall: as published, the frontier form would go back and forth for ever.
    let path = Bitboard(0x0000_0000_00ff_ffff) | bit(Square::H8);
    assert_eq!(waves::all_shortest_paths(bit(Square::A1), bit(Square::H8), path), None);
    assert_eq!(waves::all_shortest_paths_frontier(bit(Square::A1), bit(Square::H8), path), None);
}

#[test]
fn connections_limit_each_direction() {
    let mut random = random(5);
    assert_eq!(Connections::OPEN.distances(Square::E4).0, walked(bit(Square::E4), Bitboard::FULL),);
    for _ in 0..2_000 {
        let open = Connections(std::array::from_fn(|_| random_set(&mut random)));
        let start = Square::ALL[random.random_range(0..64)];
        let mut map = [None; 64];
        let mut queue = std::collections::VecDeque::from([start]);
        map[start as usize] = Some(0u8);
        while let Some(here) = queue.pop_front() {
            for direction in Direction::ALL {
                let Some(next) = neighbour(here, direction) else { continue };
                if open.0[direction.lane()].contains(here) && map[next as usize].is_none() {
                    map[next as usize] = map[here as usize].map(|d| d + 1);
                    queue.push_back(next);
                }
            }
        }
        assert_eq!(open.distances(start).0, map);
    }
}

#[test]
fn voronoi_cells_compare_distances() {
    let mut random = random(6);
    for _ in 0..5_000 {
        let a = Square::ALL[random.random_range(0..64)];
        let b = Square::ALL[random.random_range(0..64)];
        let path_a = random_set(&mut random) | random_set(&mut random);
        let path_b = random_set(&mut random) | random_set(&mut random);
        let cells = waves::voronoi(
            Wave::new(bit(a), path_a),
            Wave::new(bit(b), path_b),
            waves::king_attacks,
        );
        let (map_a, map_b) = (walked(bit(a), path_a), walked(bit(b), path_b));
        for square in Square::ALL {
            let (da, db) = (map_a[square as usize], map_b[square as usize]);
            let (da, db) = (da.unwrap_or(99), db.unwrap_or(99));
            assert_eq!(cells.first.contains(square), da < db);
            assert_eq!(cells.second.contains(square), db < da);
            assert_eq!(cells.tie.contains(square), da == db && da < 99);
        }
    }
}

#[test]
fn pawn_spans_are_walks_north() {
    let mut random = random(7);
    for _ in 0..20_000 {
        let pawns = random_set(&mut random);
        let along = |direction: Direction| {
            pawns
                .into_iter()
                .fold(Bitboard::EMPTY, |all, s| all | walk(s, direction, Bitboard::EMPTY))
        };
        assert_eq!(spans::front_span(pawns), along(Direction::North));
        assert_eq!(spans::rear_span(pawns), along(Direction::South));
        let (mut cone, mut passage, mut now) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        for other in Square::ALL {
            for pawn in pawns {
                let files = other.file().distance(pawn.file());
                let ahead = other.rank() as i32 - pawn.rank() as i32;
                if files == 1 && ahead >= 1 {
                    cone.add(other);
                }
                if files == 1 && ahead == 1 {
                    now.add(other);
                }
                if files <= 1 && ahead >= 1 {
                    passage.add(other);
                }
            }
        }
        assert_eq!(spans::pawn_attacks(pawns), now);
        assert_eq!(spans::attack_span(pawns), cone);
        assert_eq!(spans::passed_pawn_span(pawns), passage);
        let empty = random_set(&mut random);
        for steps in 0..4 {
            let mut reached = Bitboard::EMPTY;
            for pawn in pawns {
                let mut here = Some(pawn);
                for _ in 0..steps {
                    here = here
                        .and_then(|s| neighbour(s, Direction::North))
                        .filter(|&s| empty.contains(s));
                    reached |= here.map_or(Bitboard::EMPTY, bit);
                }
            }
            assert_eq!(spans::pushes(pawns, empty, steps), reached);
        }
    }
}
