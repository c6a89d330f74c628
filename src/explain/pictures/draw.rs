//! What each picture shows.

use super::{Board, Mark, Request};
use crate::board::Position;
use crate::chess::{Bitboard, Color, Rank, Role, Square, bit, facing_north, side_name};
use crate::eval::passers::{moves_to_catch, open_to_king};
use crate::eval::{Evaluator, FULL_PHASE, Steps, Trace};
use crate::fill::spans::{attack_span, front_span, passed_pawn_span, pawn_attacks, rear_span};
use crate::fill::waves::{Layers, Wave, all_shortest_paths, flood, king_attacks, layers, voronoi};
use crate::fill::{Direction, scalar};
use crate::known::{Judged, Known};
use crate::wdl::hidden;

/// The mark of a side.
fn mark_of(side: Color) -> Mark {
    if side.is_white() { Mark::White } else { Mark::Black }
}

/// The number of moves in words.
fn moves_text(moves: usize) -> String {
    format!("{moves} move{}", if moves == 1 { "" } else { "s" })
}

/// The squares that any piece or pawn of a side attacks.
fn attacked(position: &Position, side: Color) -> Bitboard {
    // The king does not hide the squares behind it from the other side's lines.
    let occupied = position.occupied() & !position.set(side.other(), Role::King);
    let by = |square: &Square| position.attackers(*square, side, occupied).any();
    Square::ALL.into_iter().filter(by).collect()
}

/// The pawns of a side as it sees them, moving north.
fn pawns_of(position: &Position, side: Color) -> Bitboard {
    facing_north(position.set(side, Role::Pawn), side)
}

/// Squares that a side's pawns attack, seen by White.
fn attacked_by_pawns(position: &Position, side: Color) -> Bitboard {
    facing_north(pawn_attacks(pawns_of(position, side)), side)
}

/// The squares a king may enter: not occupied by its own pieces and not attacked by the enemy.
fn king_path(position: &Position, side: Color) -> Bitboard {
    !(position.of(side) | attacked(position, side.other())) | position.set(side, Role::King)
}

/// The squares a king may enter if only pawns are looked at.
fn path_among_pawns(position: &Position, side: Color) -> Bitboard {
    !(position.role(Role::Pawn) | attacked_by_pawns(position, side.other()))
}

pub(super) fn king_moves(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let board = |side: Color| {
        let (king, path) = (bit(position.king(side)), king_path(position, side));
        let title = format!("{}'s king: moves to each square", side_name(side));
        let closed = attacked(position, side.other()) & !position.of(side);
        let mut board = Board::of(position, title).mark(closed, Mark::Wall);
        for (moves, layer) in layers(king, path, king_attacks).iter().enumerate().skip(1) {
            for square in *layer {
                board.marks[square] = mark_of(side);
                board.write(square, moves);
            }
        }
        board
    };
    Color::ALL.map(board).into()
}

/// One of the paths through the layers: from each square to the first neighbour in the next layer.
fn one_path(layers: &Layers) -> Vec<Square> {
    let Some(mut square) = layers.first().and_then(|layer| layer.first()) else {
        return Vec::new();
    };
    let mut path = vec![square];
    for &layer in &layers[1..] {
        let Some(next) = (king_attacks(bit(square)) & layer).first() else { break };
        path.push(next);
        square = next;
    }
    path
}

/// The goals of a king for which the user has named none.
fn goals(position: &Position, side: Color, path: Bitboard) -> Bitboard {
    let loose = position.of(side.other())
        & !position.set(side.other(), Role::King)
        & !attacked(position, side.other());
    let reached = flood(bit(position.king(side)), path, king_attacks);
    if loose.intersects(reached) {
        return loose;
    }
    [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect()
}

pub(super) fn king_paths(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let side = position.turn();
    let king = bit(position.king(side));
    let (path, goals) = if request.is_example {
        (Bitboard::FULL, bit(Square::A1) | bit(Square::H8))
    } else {
        let path = king_path(position, side);
        let named = request.goals.any();
        (path, if named { request.goals } else { goals(position, side, path) })
    };
    let blank = |title: String| {
        let walls = if request.is_example { Bitboard::EMPTY } else { !path & !position.of(side) };
        let mut board = Board::of(position, title).mark(walls, Mark::Wall);
        if request.is_example {
            board.pieces[position.king(side.other())] = None;
        }
        board.mark(goals, Mark::Goal)
    };
    let Some(layers) = all_shortest_paths(king, goals, path) else {
        return vec![blank(format!("{}'s king: no way to a goal", side_name(side)))];
    };
    let title = format!("{}'s king: {}", side_name(side), moves_text(layers.len() - 1));
    let mut all = blank(title);
    for (moves, layer) in layers.iter().enumerate().skip(1) {
        for square in *layer {
            if !goals.contains(square) {
                all.marks[square] = Mark::Way;
            }
            all.write(square, moves);
        }
    }
    let reached = layers.last().copied().unwrap_or_default();
    let to_goal = |goal: Square| all_shortest_paths(king, bit(goal), path);
    all.paths = reached.into_iter().filter_map(to_goal).map(|layers| one_path(&layers)).collect();
    let step = |(moves, layer): (usize, &Bitboard)| {
        let title = match moves {
            0 => "before the first move".to_string(),
            _ => format!("after {}", moves_text(moves)),
        };
        let mut board = blank(title).mark(*layer, Mark::Way);
        board.pieces[position.king(side)] = None;
        board
    };
    std::iter::once(all).chain(layers.iter().enumerate().map(step)).collect()
}

pub(super) fn race(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let wave = |side: Color| Wave::new(bit(position.king(side)), path_among_pawns(position, side));
    let (white, black) = (wave(Color::White), wave(Color::Black));
    let cells = voronoi(white, black, king_attacks);
    let title = format!(
        "White first on {}, Black on {}, both on {}",
        cells.first.count(),
        cells.second.count(),
        cells.tie.count()
    );
    let mut board = Board::of(position, title)
        .mark(cells.first, Mark::White)
        .mark(cells.second, Mark::Black)
        .mark(cells.tie, Mark::Both);
    let [white, black] = [white, black].map(|wave| layers(wave.start, wave.path, king_attacks));
    let moves_to = |layers: &Layers, square| layers.iter().position(|set| set.contains(square));
    for square in Square::ALL {
        let moves = [&white, &black].into_iter().filter_map(|layers| moves_to(layers, square));
        if let Some(moves) = moves.min().filter(|&moves| moves > 0) {
            board.write(square, moves);
        }
    }
    vec![board]
}

pub(super) fn attacks(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let board = |side: Color| {
        let mut board = Board::of(position, format!("{}'s attackers", side_name(side)));
        for square in Square::ALL {
            let count = position.attackers(square, side, position.occupied()).count();
            if count > 0 {
                board.marks[square] = mark_of(side);
                board.write(square, count);
            }
        }
        board
    };
    Color::ALL.map(board).into()
}

/// The squares of ranks 4 to 6 that a side's pawns defend and enemy pawns can never attack.
fn outposts(position: &Position, side: Color) -> Bitboard {
    let middle = Bitboard(0x0000_ffff_ff00_0000);
    let theirs = facing_north(position.set(side.other(), Role::Pawn), side.other());
    let span = attack_span(theirs).flip_vertical();
    facing_north(middle & pawn_attacks(pawns_of(position, side)) & !span, side)
}

pub(super) fn pawns(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let board = |side: Color| {
        let cones = facing_north(attack_span(pawns_of(position, side)), side);
        let outposts = outposts(position, side);
        let title = match outposts.count() {
            0 => format!("{}'s pawn cones, no outposts", side_name(side)),
            _ => format!("{}'s pawn cones and outposts", side_name(side)),
        };
        Board::of(position, title).mark(cones, mark_of(side)).mark(outposts, Mark::Goal)
    };
    Color::ALL.map(board).into()
}

/// The passed pawns of a side, seen by White.
fn passed(position: &Position, side: Color) -> Bitboard {
    let ours = pawns_of(position, side);
    let theirs = facing_north(position.set(side.other(), Role::Pawn), side.other());
    let stopped = passed_pawn_span(theirs).flip_vertical();
    facing_north(ours & !stopped & !rear_span(ours), side)
}

pub(super) fn passers(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let mut boards = Vec::new();
    for side in Color::ALL {
        for pawn in passed(position, side) {
            boards.push(pawn_race(position, side, pawn));
        }
    }
    if boards.is_empty() {
        boards.push(Board::of(position, "no passed pawns"));
    }
    boards
}

/// The way of a passed pawn, with the number of its moves on each square, and that of the enemy
/// king to the promotion square, over squares that are open to it as in the term `unstoppable`.
fn pawn_race(position: &Position, side: Color, pawn: Square) -> Board {
    let way = facing_north(front_span(facing_north(bit(pawn), side)), side);
    let last = if side.is_white() { Rank::Eighth } else { Rank::First };
    let promotion = way & Bitboard::from_rank(last);
    let first = if side.is_white() { Rank::Second } else { Rank::Seventh };
    let double = usize::from(pawn.rank() == first);
    let pushes = way.count() - double;
    let north = |set| facing_north(set, side);
    let by_our_king = king_attacks(north(bit(position.king(side))));
    let their_pawns = north(position.set(side.other(), Role::Pawn));
    let runner = north(bit(pawn));
    let open = open_to_king(runner, pawns_of(position, side), by_our_king, their_pawns);
    let king = bit(position.king(side.other()));
    let catches = moves_to_catch(north(king), open, runner, position.turn() == side);
    let path = north(open) & !bit(pawn);
    let ways = all_shortest_paths(king, promotion, path | king);
    let enemy = side_name(side.other());
    let blocked = (way & position.occupied()).any();
    let verdict = match (catches, &ways) {
        _ if blocked => "its path is blocked".to_string(),
        (Some(moves), _) => format!("{enemy}'s king catches it in {}", moves_text(moves)),
        (None, None) => format!("{enemy}'s king cannot reach {}", squares_text(promotion)),
        (None, Some(ways)) => {
            format!("{enemy}'s king is too late: {}", moves_text(ways.len() - 1))
        }
    };
    let title = format!("{pawn} needs {}; {verdict}", moves_text(pushes));
    let mut board = Board::of(position, title);
    if let Some(ways) = &ways {
        board.paths.push(one_path(ways));
        for layer in ways.iter().skip(1) {
            board = board.mark(*layer, mark_of(side.other()));
        }
        for (moves, layer) in ways.iter().enumerate().skip(1) {
            layer.into_iter().for_each(|square| board.write(square, moves));
        }
    }
    for square in way {
        board.marks[square] = mark_of(side);
        board.texts.retain(|(on, _)| *on != square);
        let distance = pawn.rank() as usize;
        let ranks = distance.abs_diff(square.rank() as usize);
        board.write(square, if ranks > 1 { ranks - double } else { 1 });
    }
    board.mark(promotion, Mark::Goal)
}

/// Squares as words: `a8`.
fn squares_text(set: Bitboard) -> String {
    let names: Vec<String> = set.into_iter().map(|square| square.to_string()).collect();
    names.join(" ")
}

pub(super) fn weak_squares(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let board = |side: Color| {
        let camp = facing_north(Bitboard(0x0000_00ff_ffff_ff00), side);
        let weak = camp & !facing_north(attack_span(pawns_of(position, side)), side);
        let lost = weak & attacked(position, side.other()) & !attacked(position, side);
        let title = format!("{}'s weak squares", side_name(side));
        Board::of(position, title).mark(weak, mark_of(side)).mark(lost, Mark::Goal)
    };
    Color::ALL.map(board).into()
}

pub(super) fn weights(request: &Request, evaluator: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let Trace { square_values, steps: Steps { phase, .. }, .. } = evaluator.trace(position);
    let mut board = Board::of(position, "White less Black, centipawns");
    for (square, value) in Square::ALL.into_iter().zip(square_values) {
        let tapered = f64::from(value.mg() * phase + value.eg() * (FULL_PHASE - phase));
        let centipawns = (tapered / f64::from(FULL_PHASE) / hidden(1)).round() as i32;
        board.marks[square] = Mark::Value(centipawns);
        board.write(square, format!("{centipawns:+}"));
    }
    vec![board]
}

/// The occluded fill of a side's sliders after each number of steps, until it stops growing.
fn fill_steps(position: &Position, side: Color) -> Vec<Bitboard> {
    let empty = !position.occupied();
    let mut lanes = Direction::ALL.map(|direction| {
        let diagonal = crate::fill::DIAGONAL & 1 << direction.lane() != 0;
        if diagonal { position.diagonal(side) } else { position.orthogonal(side) }
    });
    let union = |lanes: &[Bitboard; 8]| lanes.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
    let mut steps = vec![union(&lanes)];
    for _ in 0..7 {
        for (lane, direction) in lanes.iter_mut().zip(Direction::ALL) {
            *lane |= direction.step(*lane) & empty;
        }
        steps.push(union(&lanes));
    }
    steps.dedup();
    steps
}

pub(super) fn dumb7fill(request: &Request, _: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let side = position.turn();
    let empty = !position.occupied();
    let steps = fill_steps(position, side);
    let title = |step: usize| match step {
        0 => format!("{}'s sliders", side_name(side)),
        1 => "after 1 step".to_string(),
        _ => format!("after {step} steps"),
    };
    let board =
        |(step, set): (usize, &Bitboard)| Board::of(position, title(step)).mark(*set, Mark::Way);
    let mut boards: Vec<Board> = steps.iter().enumerate().map(board).collect();
    let attacks = Direction::ALL.iter().fold(Bitboard::EMPTY, |all, &direction| {
        let diagonal = crate::fill::DIAGONAL & 1 << direction.lane() != 0;
        let sliders = if diagonal { position.diagonal(side) } else { position.orthogonal(side) };
        all | scalar::attacks(direction, sliders, empty)
    });
    let title = "one step more, over pieces: the attacks";
    boards.push(Board::of(position, title).mark(attacks, mark_of(side)));
    boards
}

pub(super) fn wall(request: &Request, evaluator: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    let proven = evaluator.knowledge().ask(position).is_some_and(|known| known.is_draw());
    let board = |side: Color| {
        let them = side.other();
        let king = bit(position.king(side));
        let path = path_among_pawns(position, side) | king;
        let targets = position.set(them, Role::Pawn) & !attacked_by_pawns(position, them);
        // The way to a pawn ends beside it; the capture is one move more.
        let ways = all_shortest_paths(king, king_attacks(targets), path);
        let reached = flood(king, path, king_attacks);
        let title = match &ways {
            None if proven => format!("{}'s king: no way in, a proven draw", side_name(side)),
            None => format!("{}'s king: no way in", side_name(side)),
            Some(ways) => {
                format!("{}'s king captures in {}", side_name(side), moves_text(ways.len()))
            }
        };
        let mut board = Board::of(position, title)
            .mark(attacked_by_pawns(position, them), Mark::Wall)
            .mark(reached & !king, mark_of(side))
            .mark(targets, Mark::Goal);
        for (moves, layer) in ways.iter().flat_map(|ways| ways.iter().enumerate().skip(1)) {
            for square in *layer {
                board.marks[square] = Mark::Way;
                board.write(square, moves);
            }
        }
        if let Some(ways) = &ways {
            let mut path = one_path(ways);
            let last = path.last().copied();
            path.extend(last.and_then(|last| (king_attacks(bit(last)) & targets).first()));
            board.paths.push(path);
        }
        board
    };
    Color::ALL.map(board).into()
}

pub(super) fn fortress(request: &Request, evaluator: &mut Evaluator) -> Vec<Board> {
    let position = request.position;
    evaluator.prepare(position);
    let white_is_ahead = position.material_lead(Color::White) >= 0;
    let attacker = Color::from_white(white_is_ahead);
    let defender = attacker.other();
    let mut board = |side: Color| {
        let (mut holds, mut wins) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in Square::ALL {
            let Some(moved) = with_king_on(position, side, square) else { continue };
            match evaluator.knowledge().ask(&moved) {
                Some(known) if !known.can_win[attacker] => holds |= bit(square),
                Some(Known { judged: Judged::Won(_) | Judged::SeemsWon { .. }, .. }) => {
                    wins |= bit(square);
                }
                _ => {}
            }
        }
        let [king, weaker, stronger] = [side, defender, attacker].map(side_name);
        let known = match (holds.any(), wins.any()) {
            (false, false) => "nothing is known".to_string(),
            (true, false) => format!("where {weaker} holds"),
            (false, true) => format!("where {stronger} wins"),
            (true, true) => format!("{weaker} holds, or {stronger} wins"),
        };
        let title = format!("{king}'s king elsewhere: {known}");
        Board::of(position, title).mark(holds, mark_of(defender)).mark(wins, mark_of(attacker))
    };
    vec![board(defender), board(attacker)]
}

/// A position with the king of a side on another square; `None` if that is occupied or illegal.
fn with_king_on(position: &Position, side: Color, square: Square) -> Option<Position> {
    let mut setup = position.to_setup();
    let king = setup.board.remove_piece_at(position.king(side))?;
    if setup.board.piece_at(square).is_some() {
        return None;
    }
    setup.board.set_piece_at(square, king);
    Position::from_setup(setup).ok()
}
