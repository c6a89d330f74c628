//! Blocked endings: what is claimed as proven, against checkers that know nothing of fills.
//!
//! They take a structure, put the kings on all pairs of squares, play every legal move with the ordinary rules and work out,
//! position by position, where a side can force the first capture against every quiet defence, or, through all structures
//! that can come of it, where it can force a promotion or mate.

use std::collections::HashMap;
use std::rc::Rc;

use freshet::board::{Epd, Position};
use freshet::chess::{Bitboard, Color, Role, Square};
use freshet::eval::endgames::king_pairs::{Changes, Structure, solve};
use freshet::eval::{blocked_verdict, evaluate};
use freshet::fill::spans::pawn_attacks;
use freshet::score::Score;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::support::{random, suite, tables};

/// How many structures to try.
fn tries() -> usize {
    std::env::var("FRESHET_STRUCTURES").ok().and_then(|number| number.parse().ok()).unwrap_or(40)
}

/// White and black pawns that cannot move or capture: a few rams and pawns behind them.
fn locked_structure(random: &mut Xoshiro256PlusPlus) -> (Bitboard, Bitboard) {
    loop {
        let (mut white, mut black) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for _ in 0..random.random_range(1..5) {
            let square = random.random_range(8..48);
            white |= Bitboard(1 << square);
            black |= Bitboard(1 << (square + 8));
            if random.random_range(0..3) == 0 && square >= 16 {
                white |= Bitboard(1 << (square - 8));
            }
            if random.random_range(0..3) == 0 && square < 40 {
                black |= Bitboard(1 << (square + 16));
            }
        }
        let both = white | black;
        let free = (Bitboard(white.0 << 8) | Bitboard(black.0 >> 8)) & !both;
        let takes = pawn_attacks(white) & black;
        let shared = white & black;
        let edge = both & Bitboard::BACKRANKS;
        if free.is_empty() && takes.is_empty() && shared.is_empty() && edge.is_empty() {
            return (white, black);
        }
    }
}

/// Structures of the suite that are walls, or whose king in check takes its way out.
fn walls() -> Vec<(Bitboard, Bitboard)> {
    let lines = suite("blocked").into_iter().filter(|line| line.contains("fortress")).step_by(10);
    let published = ["7k/8/8/6p1/1p4Pp/1P1p1p1P/1PKP1P1P/8 w - - 0 1".to_string()];
    lines
        .chain(published)
        .map(|line| {
            let fen: Vec<&str> = line.split_whitespace().take(4).collect();
            let position = Position::from_fen(&fen.join(" ")).expect("a legal FEN");
            (position.set(Color::White, Role::Pawn), position.set(Color::Black, Role::Pawn))
        })
        .collect()
}

/// The FEN of a structure with kings, if that is a legal position.
fn position(white: Bitboard, black: Bitboard, kings: [Square; 2], turn: Color) -> Option<Position> {
    let mut rows = Vec::new();
    for rank in (0..8).rev() {
        let row: String = (0..8)
            .map(|file| {
                let square = Square::new(rank * 8 + file);
                match square {
                    _ if kings[0] == square => 'K',
                    _ if kings[1] == square => 'k',
                    _ if white.contains(square) => 'P',
                    _ if black.contains(square) => 'p',
                    _ => '1',
                }
            })
            .collect();
        rows.push(row);
    }
    let turn = if turn.is_white() { "w" } else { "b" };
    Position::from_fen(&format!("{} {turn} - - 0 1", rows.join("/"))).ok()
}

type Key = (Square, Square, Color);

/// What can be done in a position: a capture, quiet moves, nothing but in check.
struct Node {
    captures: bool,
    quiet: Vec<Key>,
    check: bool,
}

/// All legal positions of a structure.
fn graph(white: Bitboard, black: Bitboard) -> HashMap<Key, Node> {
    let mut graph = HashMap::new();
    let free = !(white | black);
    for ours in free {
        for theirs in free {
            for turn in Color::ALL {
                if ours == theirs {
                    continue;
                }
                let Some(mut position) = position(white, black, [ours, theirs], turn) else {
                    continue;
                };
                let mut node =
                    Node { captures: false, quiet: Vec::new(), check: position.checkers().any() };
                for m in position.moves() {
                    if position.captured_by(m).is_some() {
                        node.captures = true;
                    } else {
                        position.play(m);
                        node.quiet.push((
                            position.king(Color::White),
                            position.king(Color::Black),
                            turn.other(),
                        ));
                        position.undo();
                    }
                }
                graph.insert((ours, theirs, turn), node);
            }
        }
    }
    graph
}

/// The positions in which `attacker` can force a capture of its own, or leaves the other nothing but captures.
fn forced(graph: &HashMap<Key, Node>, attacker: Color) -> HashMap<Key, bool> {
    let mut forced: HashMap<Key, bool> = graph.keys().map(|&key| (key, false)).collect();
    loop {
        let mut changed = false;
        for (key, node) in graph {
            if forced[key] {
                continue;
            }
            let now = if key.2 == attacker {
                node.captures || node.quiet.iter().any(|next| forced[next])
            } else if node.quiet.is_empty() {
                node.captures || node.check
            } else {
                node.quiet.iter().all(|next| forced[next])
            };
            if now {
                forced.insert(*key, true);
                changed = true;
            }
        }
        if !changed {
            return forced;
        }
    }
}

#[test]
fn duels_are_what_a_move_by_move_search_says() {
    let mut random = random(50);
    let (mut draws, mut caps, mut fortresses, mut checks) = (0, 0, 0, 0);
    let random_ones: Vec<_> = (0..tries()).map(|_| locked_structure(&mut random)).collect();
    for (white, black) in random_ones.into_iter().chain(walls()) {
        let graph = graph(white, black);
        let by_attacker = [forced(&graph, Color::White), forced(&graph, Color::Black)];
        let structure = Structure { ours: white, theirs: black };
        let duels =
            [structure, structure.turned()].map(|seen| solve(seen, &Changes::UNKNOWN, None));
        for (&key, node) in &graph {
            let position =
                position(white, black, [key.0, key.1], key.2).expect("it was legal before");
            let verdict = blocked_verdict(&position).expect("the structure is locked");
            let can_win = [by_attacker[0][&key], by_attacker[1][&key]];
            if verdict.is_fortress() {
                // Kings that never get in, whatever the other does: sound, and said before the duel is solved.
                fortresses += 1;
                assert_eq!(can_win, [false; 2], "{}", position.fen());
            }
            let turned = [key.0, key.1].map(Square::flip_vertical);
            let duels = [
                duels[0].against(key.0, key.2.is_white()).contains(key.1),
                duels[1].against(turned[1], key.2.is_black()).contains(turned[0]),
            ];
            assert_eq!(duels, can_win, "{}", position.fen());
            // What lies beyond captures can only take chances away.
            assert!(
                (0..2).all(|side| can_win[side] || !verdict.can_win[side]),
                "{}",
                position.fen()
            );
            draws += u32::from(verdict.is_draw());
            caps += u32::from(verdict.can_win[0] != verdict.can_win[1]);
            checks += u32::from(node.check);
        }
    }
    assert!(
        draws > 1000 && caps > 1000 && fortresses > 100 && checks > 100,
        "{draws} {caps} {fortresses} {checks}"
    );
}

/// Where each side can force a promotion or mate, for all legal positions of a structure; a promotion of the other is as
/// good as a draw.
type Outcomes = Rc<HashMap<Key, [bool; 2]>>;

/// Structures solved to the end.
#[derive(Default)]
struct Playout {
    known: HashMap<[u64; 2], Outcomes>,
}

/// What a move leads to.
enum Next {
    Known([bool; 2]),
    Quiet(Key),
}

impl Playout {
    fn outcomes(&mut self, white: Bitboard, black: Bitboard) -> Outcomes {
        if let Some(known) = self.known.get(&[white.0, black.0]) {
            return Rc::clone(known);
        }
        let free = !(white | black);
        let mut graph: HashMap<Key, (bool, Vec<Next>)> = HashMap::new();
        for (ours, theirs, turn) in free
            .into_iter()
            .flat_map(|a| free.into_iter().flat_map(move |b| Color::ALL.map(|turn| (a, b, turn))))
        {
            if ours == theirs {
                continue;
            }
            let Some(mut position) = position(white, black, [ours, theirs], turn) else { continue };
            let mut next = Vec::new();
            for m in position.moves() {
                position.play(m);
                next.push(match m.promotion() {
                    Some(_) => Next::Known([turn.is_white(), turn.is_black()]),
                    None => self.after(&mut position, white, black),
                });
                position.undo();
            }
            graph.insert((ours, theirs, turn), (position.checkers().any(), next));
        }
        let mut outcomes: HashMap<Key, [bool; 2]> =
            graph.keys().map(|&key| (key, [false; 2])).collect();
        loop {
            let mut changed = false;
            for (key, (check, next)) in &graph {
                for (side, attacker) in Color::ALL.into_iter().enumerate() {
                    if outcomes[key][side] {
                        continue;
                    }
                    let wins = |next: &Next| match next {
                        Next::Known(known) => known[side],
                        Next::Quiet(key) => outcomes[key][side],
                    };
                    let now = match (key.2 == attacker, next.is_empty()) {
                        (true, _) => next.iter().any(wins),
                        (false, true) => *check,
                        (false, false) => next.iter().all(wins),
                    };
                    if now {
                        outcomes.get_mut(key).expect("it is there")[side] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let outcomes = Rc::new(outcomes);
        self.known.insert([white.0, black.0], Rc::clone(&outcomes));
        outcomes
    }

    /// What the position after a move is, pawns having been these before.
    fn after(&mut self, position: &mut Position, white: Bitboard, black: Bitboard) -> Next {
        let key = (position.king(Color::White), position.king(Color::Black), position.turn());
        let pawns = Color::ALL.map(|side| position.set(side, Role::Pawn));
        let [now_white, now_black] = pawns;
        if (now_white, now_black) == (white, black) {
            return Next::Quiet(key);
        }
        let mut outcome = self.outcomes(now_white, now_black)[&key];
        // A capture in passing is one choice more for the side to move.
        let passing = position.en_passant().into_iter().flat_map(|_| position.moves());
        for m in passing.collect::<Vec<_>>() {
            let takes =
                position.captured_by(m).is_some() && position.moved_by(m).role == Role::Pawn;
            if takes && position.en_passant() == Some(m.to()) {
                position.play(m);
                let Next::Known(then) = self.after(position, now_white, now_black) else {
                    unreachable!("a capture changes the pawns");
                };
                position.undo();
                let mover = usize::from(position.turn().is_black());
                outcome[mover] |= then[mover];
                outcome[1 - mover] &= then[1 - mover];
            }
        }
        Next::Known(outcome)
    }
}

/// Few pawns, of which few can move.
fn small_structure(random: &mut Xoshiro256PlusPlus) -> (Bitboard, Bitboard) {
    loop {
        let (mut white, mut black) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for _ in 0..random.random_range(1..3) {
            let square = random.random_range(8..48);
            white |= Bitboard(1 << square);
            black |= Bitboard(1 << (square + 8));
        }
        // Often one that may still take two steps.
        match random.random_range(0..6) {
            0 => white |= Bitboard(1 << random.random_range(8..56)),
            1 => black |= Bitboard(1 << random.random_range(8..56)),
            2 => white |= Bitboard(1 << random.random_range(8..16)),
            3 => black |= Bitboard(1 << random.random_range(48..56)),
            _ => {}
        }
        let apart = (white & black).is_empty() && !(white | black).intersects(Bitboard::BACKRANKS);
        if apart && (Structure { ours: white, theirs: black }).moves_at_most(2) {
            return (white, black);
        }
    }
}

/// Whoever is said to be unable to win cannot force a promotion or mate, in random structures and all that may come of them.
#[test]
fn who_cannot_win_does_not_win_when_all_is_played_out() {
    let mut random = random(51);
    let (mut draws, mut wins, mut mobile) = (0, 0, 0);
    let mut playout = Playout::default();
    for _ in 0..tries().div_ceil(20) {
        let (white, black) = small_structure(&mut random);
        playout.outcomes(white, black);
    }
    for ([white, black], outcomes) in &playout.known {
        for (key, outcome) in outcomes.iter() {
            let fen = position(Bitboard(*white), Bitboard(*black), [key.0, key.1], key.2);
            let position = fen.expect("it was legal before");
            let Some(verdict) = blocked_verdict(&position) else { break };
            for (&wins_now, can_win) in outcome.iter().zip(verdict.can_win) {
                assert!(can_win || !wins_now, "{}", position.fen());
                wins += u32::from(wins_now);
            }
            draws += u32::from(verdict.is_draw());
            mobile += u32::from(!verdict.locked);
        }
    }
    assert!(draws > 100 && wins > 100 && mobile > 100, "{draws} {wins} {mobile}");
}

/// A king behind walls may be mated by one of their pawns.
#[test]
fn mate_inside_a_wall_is_no_draw() {
    let fen = "8/8/2p1p3/p1pkPp1p/P2p1P1P/2PP4/8/6K1 w - - 0 1";
    let mut position = Position::from_fen(fen).expect("a legal FEN");
    position.play(position.parse_uci("c3c4").expect("a legal move"));
    assert!(position.moves().is_empty() && position.checkers().any());
    assert!(blocked_verdict(&position).expect("locked").can_win[0]);
}

/// The suites, judged at once: shares that were reached, less a little, and no false proof.
#[test]
fn the_suites_are_judged_right() {
    let least = [
        ("blocked", 88.0),
        ("blocked_in_check", 90.0),
        ("blocked_minor", 95.0),
        ("blocked_minor_wins", 85.0),
    ];
    for (name, least) in least {
        let epds: Vec<Epd> =
            suite(name).iter().map(|line| line.parse().expect("a position")).collect();
        let table = freshet::tools::blocked::judge(&epds, None, &()).expect("a suite").to_string();
        let all = table.lines().find(|line| line.starts_with("~ all")).expect("the sum");
        let columns: Vec<f64> = all
            .split_whitespace()
            .filter_map(|word| word.trim_end_matches('%').parse().ok())
            .collect();
        let [_, _, share, _, _, wrong] = columns[..] else { panic!("{all}") };
        assert!(share >= least && wrong == 0.0, "{name}: {all}");
    }
}

/// Every claim on endings with two pawns agrees with the Syzygy tables.
#[test]
fn claims_agree_with_the_tables() {
    use shakmaty_syzygy::AmbiguousWdl;

    let tables = tables();
    let mut claims = 0;
    for file in 0..8 {
        for rank in 1..6 {
            let (white, black) =
                (Bitboard(1 << (rank * 8 + file)), Bitboard(1 << (rank * 8 + file + 8)));
            for (white, black) in
                [(white, black), (white | Bitboard(white.0 >> 8), Bitboard::EMPTY)]
            {
                if (white | black).intersects(Bitboard::BACKRANKS) {
                    continue;
                }
                for ours in !(white | black) {
                    for theirs in !(white | black) {
                        for turn in Color::ALL {
                            let Some(position) = (ours != theirs)
                                .then(|| position(white, black, [ours, theirs], turn))
                                .flatten()
                            else {
                                continue;
                            };
                            let Some(verdict) = blocked_verdict(&position) else { continue };
                            let wdl = match tables
                                .probe_wdl(&position.to_shakmaty())
                                .expect("the table is there")
                            {
                                AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => 1,
                                AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => -1,
                                _ => 0,
                            };
                            let white_wins = if turn.is_white() { wdl } else { -wdl };
                            claims +=
                                u32::from(!verdict.can_win[0]) + u32::from(!verdict.can_win[1]);
                            assert!(verdict.can_win[0] || white_wins <= 0, "{}", position.fen());
                            assert!(verdict.can_win[1] || white_wins >= 0, "{}", position.fen());
                        }
                    }
                }
            }
        }
    }
    assert!(claims > 10_000, "only {claims} claims");
}

/// The same position turned, mirrored and both is worth the same to the side to move.
#[test]
fn symmetric_positions_score_the_same() {
    let mut groups: HashMap<String, Vec<(String, Score)>> = HashMap::new();
    for line in suite("blocked_symmetry") {
        let fen: Vec<&str> = line.split_whitespace().take(4).collect();
        let position = Position::from_fen(&fen.join(" ")).expect("a legal FEN");
        let id = line.rsplit("-").next().expect("an id with a number").to_string();
        groups.entry(id).or_default().push((line.clone(), evaluate(&position)));
    }
    assert!(
        groups.len() >= 60 && groups.values().all(|group| group.len() == 4),
        "{} groups",
        groups.len()
    );
    for group in groups.values() {
        assert!(group.iter().all(|(_, score)| *score == group[0].1), "{group:?}");
    }
}
