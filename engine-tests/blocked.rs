//! Locked pawn endings: checks the engine's proven claims by retrograde analysis without fills.
//!
//! The checkers take a structure, put the kings on all pairs of squares, generate every legal move
//! with the ordinary move generator and find, position by position, where a side can force the
//! first capture against every quiet defence, or, through all structures that can arise, a
//! promotion or mate.
//!
//! The environment variable `FRESHET_STRUCTURES` sets the number of random structures to try (40).

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use freshet::board::{Move, Position};
use freshet::chess::{Bitboard, ByColor, Color, Role, Square};
use freshet::eval::evaluate;
use freshet::fill::spans::pawn_attacks;
use freshet::known::fortress::king_pairs::{Conversions, KingPairBitbase};
use freshet::known::fortress::pawn_endings::PawnEndings;
use freshet::known::fortress::pawns::{BlockedVerdict, MAX_MOBILE_PAWNS};
use freshet::known::fortress::structure::PawnStructure;
use freshet::score::Score;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use shakmaty::Chess;
use shakmaty_syzygy::{AmbiguousWdl, SyzygyError, Tablebase};

use crate::support::{blocked_verdict, check_suite, position, random, suite, tables};

/// The number of random structures to try.
fn structures_to_try() -> usize {
    std::env::var("FRESHET_STRUCTURES").ok().and_then(|number| number.parse().ok()).unwrap_or(40)
}

/// The pawns of both sides.
type Pawns = ByColor<Bitboard>;

/// Pawns that cannot move or capture: a few rams, and pawns behind them.
fn locked_pawns(random: &mut Xoshiro256PlusPlus) -> Pawns {
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
        let captures = pawn_attacks(white) & black;
        let shared = white & black;
        let edge = both & Bitboard::BACKRANKS;
        if free.is_empty() && captures.is_empty() && shared.is_empty() && edge.is_empty() {
            return Pawns { white, black };
        }
    }
}

/// A few pawns, only some of which can move.
fn few_pawns(random: &mut Xoshiro256PlusPlus) -> Pawns {
    loop {
        let (mut white, mut black) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for _ in 0..random.random_range(1..3) {
            let square = random.random_range(8..48);
            white |= Bitboard(1 << square);
            black |= Bitboard(1 << (square + 8));
        }
        // Often one more, sometimes on its start rank, from where it may make a double push.
        match random.random_range(0..6) {
            0 => white |= Bitboard(1 << random.random_range(8..56)),
            1 => black |= Bitboard(1 << random.random_range(8..56)),
            2 => white |= Bitboard(1 << random.random_range(8..16)),
            3 => black |= Bitboard(1 << random.random_range(48..56)),
            _ => {}
        }
        let apart = (white & black).is_empty() && !(white | black).intersects(Bitboard::BACKRANKS);
        let structure = PawnStructure { ours: white, theirs: black };
        if apart && structure.moves_at_most(MAX_MOBILE_PAWNS) {
            return Pawns { white, black };
        }
    }
}

/// The position of an EPD line.
fn epd_position(line: &str) -> Position {
    let fen: Vec<&str> = line.split_whitespace().take(4).collect();
    Position::from_fen(&fen.join(" ")).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Fortresses of the suite, and a published one whose king may step out of a check to its entry.
fn fortresses() -> Vec<Pawns> {
    let lines = suite("blocked").into_iter().filter(|line| line.contains("fortress")).step_by(10);
    let published = "7k/8/8/6p1/1p4Pp/1P1p1p1P/1PKP1P1P/8 w - - 0 1".to_string();
    lines
        .chain([published])
        .map(|line| {
            let position = epd_position(&line);
            ByColor::new_with(|side| position.set(side, Role::Pawn))
        })
        .collect()
}

/// The kings and the side to move. Together with the pawns they make a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    white_king: Square,
    black_king: Square,
    turn: Color,
}

impl Key {
    /// The key of a position.
    fn of(position: &Position) -> Key {
        Key {
            white_king: position.king(Color::White),
            black_king: position.king(Color::Black),
            turn: position.turn(),
        }
    }

    /// All keys with the kings on different squares without pawns.
    fn all(pawns: Pawns) -> Vec<Key> {
        let free = !(pawns.white | pawns.black);
        let mut keys = Vec::new();
        for white_king in free {
            for black_king in free {
                if white_king != black_king {
                    keys.extend(Color::ALL.map(|turn| Key { white_king, black_king, turn }));
                }
            }
        }
        keys
    }

    /// The position with these pawns; `None` if it is not legal.
    fn position(self, pawns: Pawns) -> Option<Position> {
        let piece = |square| match square {
            _ if square == self.white_king => 'K',
            _ if square == self.black_king => 'k',
            _ if pawns.white.contains(square) => 'P',
            _ if pawns.black.contains(square) => 'p',
            _ => '1',
        };
        let rank = |rank: u32| -> String {
            (0..8).map(|file| piece(Square::new(rank * 8 + file))).collect()
        };
        let board: Vec<String> = (0..8).rev().map(rank).collect();
        Position::from_fen(&format!("{} {} - - 0 1", board.join("/"), self.turn.char())).ok()
    }
}

/// The moves of a position.
struct Node {
    /// Whether there is a capture.
    captures: bool,
    /// The keys of the positions after all other moves.
    quiet: Vec<Key>,
    /// Whether the side to move is in check.
    in_check: bool,
}

/// All legal positions of a structure.
fn graph(pawns: Pawns) -> HashMap<Key, Node> {
    let mut graph = HashMap::new();
    for key in Key::all(pawns) {
        let Some(mut position) = key.position(pawns) else { continue };
        let in_check = position.checkers().any();
        let mut node = Node { captures: false, quiet: Vec::new(), in_check };
        for m in position.moves() {
            if position.captured_by(m).is_some() {
                node.captures = true;
            } else {
                position.play(m);
                node.quiet.push(Key::of(&position));
                position.undo();
            }
        }
        graph.insert(key, node);
    }
    graph
}

/// The positions in which `attacker` can force a capture of its own, or leaves the opponent only
/// captures.
fn forced_captures(graph: &HashMap<Key, Node>, attacker: Color) -> HashMap<Key, bool> {
    let mut forced: HashMap<Key, bool> = graph.keys().map(|&key| (key, false)).collect();
    loop {
        let mut changed = false;
        for (key, node) in graph {
            if forced[key] {
                continue;
            }
            let now = if key.turn == attacker {
                node.captures || node.quiet.iter().any(|next| forced[next])
            } else if node.quiet.is_empty() {
                node.captures || node.in_check
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

/// A legal position of a locked structure, with the results of the checker and of the engine.
struct Case {
    pawns: Pawns,
    key: Key,
    in_check: bool,
    /// Whether each side can force the first capture, by the checker.
    forces_capture: ByColor<bool>,
    verdict: BlockedVerdict,
}

impl Case {
    /// The position, for the message of a failed test.
    fn fen(&self) -> String {
        self.key.position(self.pawns).map_or_else(String::new, |position| position.fen())
    }
}

/// All positions of random locked structures and of fortresses, by structure.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut random = random(50);
    let random_ones: Vec<Pawns> =
        (0..structures_to_try()).map(|_| locked_pawns(&mut random)).collect();
    let mut cases = Vec::new();
    for pawns in random_ones.into_iter().chain(fortresses()) {
        let graph = graph(pawns);
        let forced = ByColor::new_with(|attacker| forced_captures(&graph, attacker));
        for (&key, node) in &graph {
            let position = key.position(pawns).expect("it was legal before");
            let verdict = blocked_verdict(&position).expect("the structure is locked");
            let forces_capture = forced.as_ref().map(|forced| forced[&key]);
            cases.push(Case { pawns, key, in_check: node.in_check, forces_capture, verdict });
        }
    }
    cases
});

#[test]
fn king_pair_bitbases_agree_with_a_move_by_move_search() {
    let mut checks = 0;
    for cases in CASES.chunk_by(|a, b| a.pawns == b.pawns) {
        let Pawns { white, black } = cases[0].pawns;
        let structure = PawnStructure { ours: white, theirs: black };
        let bitbases = ByColor::new_with(|side| {
            let first_capture = &Conversions::FIRST_CAPTURE_WINS;
            KingPairBitbase::solve(structure.seen_by(side), first_capture, None)
        });
        for case in cases {
            let Key { white_king, black_king, turn } = case.key;
            let kings = ByColor { white: white_king, black: black_king };
            let forces_capture = ByColor::new_with(|side| bitbases[side].is_won(side, kings, turn));
            assert_eq!(forces_capture, case.forces_capture, "{}", case.fen());
            checks += u32::from(case.in_check);
        }
    }
    assert!(checks > 100, "{checks}");
}

/// In a fortress neither side can force a capture, wherever the kings stand.
#[test]
fn fortresses_hold_in_a_move_by_move_search() {
    let mut fortresses = 0;
    for case in CASES.iter().filter(|case| case.verdict.is_fortress()) {
        fortresses += 1;
        let nobody = ByColor { white: false, black: false };
        assert_eq!(case.forces_capture, nobody, "{}", case.fen());
    }
    assert!(fortresses > 100, "{fortresses}");
}

/// A side that cannot force a capture cannot win: looking beyond captures only finds fewer wins.
#[test]
fn a_side_that_cannot_force_a_capture_cannot_win() {
    let (mut draws, mut one_sided) = (0, 0);
    for case in CASES.iter() {
        let can_win = case.verdict.can_win;
        for side in Color::ALL {
            assert!(case.forces_capture[side] || !can_win[side], "{side} {}", case.fen());
        }
        draws += u32::from(case.verdict.is_draw());
        one_sided += u32::from(can_win.white != can_win.black);
    }
    assert!(draws > 1000 && one_sided > 1000, "{draws} {one_sided}");
}

/// The sides that can force a promotion or mate, for all legal positions of a structure. A
/// promotion does not count if the new piece is captured at once. A promotion of the opponent that
/// is not captured counts as a draw.
type Outcomes = Rc<FxHashMap<Key, ByColor<bool>>>;

/// Structures solved to the end of the game.
#[derive(Default)]
struct Playout {
    known: FxHashMap<Pawns, Outcomes>,
}

/// The result of a move.
enum Next {
    /// A promotion, or another structure that has been solved.
    Known(ByColor<bool>),
    /// Another position of the same structure.
    Quiet(Key),
}

impl Playout {
    /// The outcomes of a structure, solved with everything it can lead to.
    fn outcomes(&mut self, pawns: Pawns) -> Outcomes {
        if let Some(known) = self.known.get(&pawns) {
            return Rc::clone(known);
        }
        let outcomes = Rc::new(fixpoint(&self.moves(pawns)));
        self.known.insert(pawns, Rc::clone(&outcomes));
        outcomes
    }

    /// For each legal position of a structure: whether the side to move is in check, and its moves.
    fn moves(&mut self, pawns: Pawns) -> FxHashMap<Key, (bool, Vec<Next>)> {
        let mut graph = FxHashMap::default();
        for key in Key::all(pawns) {
            let Some(mut position) = key.position(pawns) else { continue };
            let mut next = Vec::new();
            for m in position.moves() {
                position.play(m);
                next.push(match m.promotion() {
                    Some(_) => Next::Known(self.after_promotion(&mut position, m.to())),
                    None => self.after_move(&mut position, pawns),
                });
                position.undo();
            }
            graph.insert(key, (position.checkers().any(), next));
        }
        graph
    }

    /// The outcome after a promotion: won, unless the new piece is captured at once.
    fn after_promotion(&mut self, position: &mut Position, target: Square) -> ByColor<bool> {
        let (mover, other) = (position.turn().other(), position.turn());
        let mut outcome = ByColor::new_with(|side| side == mover);
        for m in position.moves().into_iter().filter(|m| m.to() == target) {
            let then = self.after_capture(position, m);
            outcome[mover] &= then[mover];
            outcome[other] |= then[other];
        }
        outcome
    }

    /// The outcome after a capture, which changes the pawns.
    fn after_capture(&mut self, position: &mut Position, m: Move) -> ByColor<bool> {
        position.play(m);
        let pawns = ByColor::new_with(|side| position.set(side, Role::Pawn));
        let outcome = self.outcomes(pawns)[&Key::of(position)];
        position.undo();
        outcome
    }

    /// The outcome after a move. `pawns` are the pawns before it.
    fn after_move(&mut self, position: &mut Position, pawns: Pawns) -> Next {
        let key = Key::of(position);
        let now = ByColor::new_with(|side| position.set(side, Role::Pawn));
        if now == pawns {
            return Next::Quiet(key);
        }
        let mut outcome = self.outcomes(now)[&key];
        // An en passant capture is an extra choice for the side to move, or its only one.
        let Some(target) = position.en_passant() else { return Next::Known(outcome) };
        let moves = position.moves();
        let is_en_passant = |m: &Move| {
            position.moved_by(*m).role == Role::Pawn
                && position.captured_by(*m).is_some()
                && m.to() == target
        };
        let captures: Vec<Move> = moves.iter().copied().filter(is_en_passant).collect();
        let (mover, other) = (position.turn(), position.turn().other());
        if captures.len() == moves.len() {
            outcome = ByColor::new_with(|side| side == other);
        }
        for m in captures {
            let then = self.after_capture(position, m);
            outcome[mover] |= then[mover];
            outcome[other] &= then[other];
        }
        Next::Known(outcome)
    }
}

/// The outcomes of all positions of a structure: the least fixpoint over their moves.
fn fixpoint(graph: &FxHashMap<Key, (bool, Vec<Next>)>) -> FxHashMap<Key, ByColor<bool>> {
    let nobody = ByColor { white: false, black: false };
    let mut outcomes: FxHashMap<Key, ByColor<bool>> =
        graph.keys().map(|&key| (key, nobody)).collect();
    loop {
        let mut changed = false;
        for (key, (in_check, next)) in graph {
            for attacker in Color::ALL {
                if outcomes[key][attacker] {
                    continue;
                }
                let wins = |next: &Next| match next {
                    Next::Known(known) => known[attacker],
                    Next::Quiet(key) => outcomes[key][attacker],
                };
                let now = match (key.turn == attacker, next.is_empty()) {
                    (true, _) => next.iter().any(wins),
                    (false, true) => *in_check,
                    (false, false) => next.iter().all(wins),
                };
                if now {
                    outcomes.get_mut(key).expect("it is there")[attacker] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return outcomes;
        }
    }
}

/// A side that is proven unable to win cannot force a promotion or mate, in these structures and
/// all they can lead to. Checks the verdict, and the bitbases that follow all structures.
fn play_out(structures: impl IntoIterator<Item = Pawns>) {
    let (mut draws, mut wins, mut mobile) = (0, 0, 0);
    let mut playout = Playout::default();
    for pawns in structures {
        playout.outcomes(pawns);
    }
    let mut endings = PawnEndings::default();
    for (pawns, outcomes) in &playout.known {
        let structure = PawnStructure { ours: pawns.white, theirs: pawns.black };
        let bitbases = endings.solve(structure, usize::MAX, &|| false).expect("not stopped");
        for (key, outcome) in outcomes.iter() {
            let kings = ByColor { white: key.white_king, black: key.black_king };
            for side in Color::ALL {
                let may_win = bitbases.proven[side].is_won(side, kings, key.turn);
                assert!(may_win || !outcome[side], "{side} {pawns:?} {key:?}");
            }
        }
        for (key, outcome) in outcomes.iter() {
            let position = key.position(*pawns).expect("it was legal before");
            let Some(verdict) = blocked_verdict(&position) else { break };
            for side in Color::ALL {
                assert!(verdict.can_win[side] || !outcome[side], "{side} {}", position.fen());
                wins += u32::from(outcome[side]);
            }
            draws += u32::from(verdict.is_draw());
            mobile += u32::from(!verdict.locked);
        }
    }
    assert!(draws > 100 && wins > 100 && mobile > 100, "{draws} {wins} {mobile}");
}

/// The pawns of a position.
fn pawns_of(fen: &str) -> Pawns {
    let position = position(fen);
    ByColor::new_with(|side| position.set(side, Role::Pawn))
}

/// Random structures that each lead to at most some dozens of others, or to any number if
/// `FRESHET_STRUCTURES` asks for more than the default.
#[test]
fn a_side_that_cannot_win_does_not_win_in_random_structures() {
    let mut random = random(51);
    let most = if structures_to_try() > 40 { usize::MAX } else { 50 };
    let is_small = |pawns: &Pawns| {
        let structure = PawnStructure { ours: pawns.white, theirs: pawns.black };
        PawnEndings::default().solve(structure, most, &|| false).is_some()
    };
    let structures = std::iter::repeat_with(|| few_pawns(&mut random)).filter(is_small);
    play_out(structures.take(structures_to_try().div_ceil(14)));
}

/// A double push that can be captured en passant is no certain save.
#[test]
fn a_side_that_cannot_win_does_not_win_by_en_passant() {
    play_out([pawns_of("8/8/8/8/3p4/p2P4/4P3/k1K5 w - - 0 1")]);
}

/// A pawn that promotes may be captured at once, or not, or answered by a promotion.
#[test]
fn a_side_that_cannot_win_does_not_win_by_promotions() {
    play_out([pawns_of("4k3/P7/8/8/3p4/8/4P3/4K3 w - - 0 1")]);
}

/// Pawns on the seventh rank mate a king that has no square left.
#[test]
fn a_side_that_cannot_win_does_not_win_by_a_mate_of_pawns() {
    play_out([pawns_of("4k3/3PP3/P3K3/8/8/8/8/8 b - - 0 1")]);
}

/// A king inside a wall may be mated by one of its pawns.
#[test]
fn mate_inside_a_wall_is_no_draw() {
    let fen = "8/8/2p1p3/p1pkPp1p/P2p1P1P/2PP4/8/6K1 w - - 0 1";
    let mut position = epd_position(fen);
    position.play(position.parse_uci("c3c4").expect("a legal move"));
    assert!(position.moves().is_empty() && position.checkers().any());
    assert!(blocked_verdict(&position).expect("locked").can_win.white);
}

#[test]
fn the_blocked_suite_is_judged_right() {
    check_suite("blocked", 1, 98.0);
}

#[test]
fn kings_in_check_are_judged_right() {
    check_suite("blocked_in_check", 1, 90.0);
}

#[test]
fn minor_pieces_that_are_shut_out_are_judged_right() {
    check_suite("blocked_minor", 1, 95.0);
}

#[test]
fn minor_pieces_that_win_are_judged_right() {
    check_suite("blocked_minor_wins", 3, 85.0);
}

/// The side that wins by the Syzygy tables.
fn winner_by_tables(
    tables: &Tablebase<Chess>,
    position: &Position,
) -> Result<Option<Color>, SyzygyError> {
    Ok(match tables.probe_wdl(&position.to_shakmaty())? {
        AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => Some(position.turn()),
        AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => Some(position.turn().other()),
        _ => None,
    })
}

/// Claims about endings with two pawns agree with the Syzygy tables.
#[test]
fn verdicts_agree_with_the_tables() {
    let tables = tables();
    let mut claims = 0;
    for square in 8..48 {
        let white = Bitboard(1 << square);
        let ram = Pawns { white, black: Bitboard(1 << (square + 8)) };
        let doubled = Pawns { white: white | Bitboard(white.0 >> 8), black: Bitboard::EMPTY };
        for pawns in [ram, doubled] {
            if (pawns.white | pawns.black).intersects(Bitboard::BACKRANKS) {
                continue;
            }
            for position in Key::all(pawns).into_iter().filter_map(|key| key.position(pawns)) {
                let Some(verdict) = blocked_verdict(&position) else { continue };
                let winner = winner_by_tables(&tables, &position).expect("the table is there");
                claims += verdict.can_win.iter().filter(|can_win| !**can_win).count();
                assert!(winner.is_none_or(|side| verdict.can_win[side]), "{}", position.fen());
            }
        }
    }
    assert!(claims > 10_000, "only {claims} claims");
}

/// Réti's study of 1921: a promotion that the king guards answers one that comes first.
#[test]
fn retis_study_is_judged_a_draw() {
    let position = position("7K/8/k1P5/7p/8/8/8/8 w - - 0 1");
    let verdict = blocked_verdict(&position).expect("two pawns can move");
    assert_eq!((verdict.judged, verdict.winner), (true, None));
    assert!(evaluate(&position).raw().abs() <= 50);
}

/// Proven claims about one pawn each, followed to the end, agree with the tables. Judgements agree
/// too, except for rare queen endings and en passant.
#[test]
fn pawn_endings_agree_with_the_tables() {
    let tables = tables();
    let mut random = random(62);
    let (mut claims, mut judged, mut wrong) = (0, 0, 0);
    for _ in 0..structures_to_try() {
        let [white, black] = [0, 1].map(|_| Bitboard(1 << random.random_range(8..56)));
        let pawns = Pawns { white, black };
        let structure = PawnStructure { ours: white, theirs: black };
        if white == black {
            continue;
        }
        let mut endings = PawnEndings::default();
        let bitbases = endings.solve(structure, usize::MAX, &|| false).expect("not stopped");
        for key in Key::all(pawns) {
            let Some(position) =
                key.position(pawns).filter(|position| !position.moves().is_empty())
            else {
                continue;
            };
            let winner = match winner_by_tables(&tables, &position) {
                Ok(winner) => winner,
                // Positions in which a pawn can promote at once.
                Err(SyzygyError::MissingTable { .. }) => continue,
                Err(error) => panic!("{error}"),
            };
            let kings = ByColor { white: key.white_king, black: key.black_king };
            for side in Color::ALL {
                let may_win = bitbases.proven[side].is_won(side, kings, key.turn);
                assert!(may_win || winner != Some(side), "{side} {}", position.fen());
                claims += u32::from(!may_win);
            }
            let seems_to_win = bitbases.winner(kings, key.turn).map(|win| win.side);
            judged += 1;
            wrong += u32::from(seems_to_win != winner);
        }
    }
    eprintln!("{claims} claims, {judged} judged, {wrong} of them wrong");
    assert!(claims > 10_000 && judged > 10_000 && wrong * 20 < judged, "{claims} {judged} {wrong}");
}

/// A position with colours changed, files mirrored and both has the same score for the side
/// to move.
#[test]
fn symmetric_positions_score_the_same() {
    let mut groups: HashMap<String, Vec<(String, Score)>> = HashMap::new();
    for line in suite("blocked_symmetry") {
        let id = line.rsplit("-").next().expect("an id with a number").to_string();
        let score = evaluate(&epd_position(&line));
        groups.entry(id).or_default().push((line, score));
    }
    let number = groups.len();
    assert!(number >= 60 && groups.values().all(|group| group.len() == 4), "{number} groups");
    for group in groups.values() {
        assert!(group.iter().all(|(_, score)| *score == group[0].1), "{group:?}");
    }
}

/// Nothing is proven if a pawn may be captured en passant.
#[test]
fn en_passant_is_no_locked_ending() {
    let locked = "4k3/8/8/8/pP1p4/P2P4/8/4K3 b - - 0 1";
    assert!(blocked_verdict(&position(locked)).is_some());
    let en_passant = position(&locked.replace("b - -", "b - b3"));
    assert!(en_passant.en_passant().is_some());
    assert_eq!(blocked_verdict(&en_passant), None);
}
